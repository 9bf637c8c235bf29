#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes faults in isa/, models/ and judge/, one at a time, and asks whether a test fails.

Of each source file, and each header that holds code, some faults are drawn by seed. One that does
not compile is none: another is drawn. Those that change nothing that can be seen stand, with the
reason, in test/mutate/equivalent.json. Faults are made in copies under build-mutate/, which keeps
what was found: a fault that a test caught is not made again while its file and that test are as
they were, nor one that lived while nothing has changed. See docs/mutation.md.
"""
import argparse
import concurrent.futures
import fcntl
import fnmatch
import json
import os
import pathlib
import signal
import sys
import threading
import time

import faults
import suite
import trees

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("isa", "models", "judge")
EQUIVALENT = pathlib.Path(__file__).with_name("equivalent.json")
CAUGHT, LIVED, NONE, LISTED = "killed", "SURVIVED", "build error", "equivalent"


def mutable_files(root=ROOT):
    """The files under mutation: sources, and headers that hold code."""
    names = [str(p.relative_to(root)) for folder in FOLDERS for p in (root / folder).rglob("*")
             if p.suffix in trees.CODE]
    return [n for n in sorted(names) if faults.holds_code(n, (root / n).read_text("utf-8"))]


def read_equivalent(path=EQUIVALENT):
    """Reason by the name of a fault."""
    entries = json.loads(path.read_text(encoding="utf-8"))
    return {(e["file"], e["function"], e["before"], e["after"]): e["why"] for e in entries}


class Draw:
    """The faults of one file in the order in which they are made."""

    def __init__(self, file, seed, root=ROOT):
        self.text = (root / file).read_text(encoding="utf-8")
        self.file, self.digest = file, trees.digest(self.text)
        self.faults = faults.faults_in(file, self.text)
        self.drawn = faults.draw(self.faults, seed)


def stale(equivalent, draws):
    """Entries of the list that name no fault of the files drawn from."""
    known = {f.name for d in draws for f in d.faults}
    files = {d.file for d in draws}
    return [n for n in equivalent if n not in known and (n[0] in files or
                                                        not (ROOT / n[0]).is_file())]


class Results:
    """What earlier runs found: a file of outcomes by fault, written anew after each."""

    def __init__(self, path, fresh):
        self.path, self.lock, self.kept = path, threading.Lock(), {"faults": {}, "groups": {}}
        if path.exists() and not fresh:
            self.kept = json.loads(path.read_text(encoding="utf-8"))

    def put(self, part, key, value):
        with self.lock:
            self.kept[part][key] = value
            temporary = self.path.with_suffix(".new")
            temporary.write_text(json.dumps(self.kept, indent=1), encoding="utf-8")
            os.replace(temporary, self.path)

    def get(self, part, key):
        with self.lock:
            return self.kept[part].get(key)

    def kills(self, file):
        """How often each group caught a fault of the file, or of one beside it."""
        count, folder = {}, os.path.dirname(file)
        with self.lock:
            for found in self.kept["faults"].values():
                if found["outcome"] == CAUGHT and os.path.dirname(found["file"]) == folder:
                    weight = 10 if found["file"] == file else 1
                    count[found["group"]] = count.get(found["group"], 0) + weight
        return count


class Check:
    """Faults made and suite run, in a tree for each worker."""

    def __init__(self, options):
        self.options = options
        self.directory = ROOT / "build-mutate"
        self.directory.mkdir(exist_ok=True)
        self.held = open(self.directory / "lock", "w", encoding="utf-8")
        try:
            fcntl.flock(self.held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise trees.Failure("another run has the trees under build-mutate/") from None
        self.results = Results(self.directory / "results.json", options.fresh)
        self.processes = trees.Processes()
        self.equivalent = read_equivalent()
        self.print_lock = threading.Lock()
        self.found, self.ended = [], False

    # Before the first fault ------------------------------------------------------------------

    def prepare(self, draws):
        cores = min(self.options.jobs, max(1, len(draws)))
        files = trees.snapshot(ROOT)
        for draw in draws:  # as they were read
            files[draw.file] = draw.text.encode()
        self.digests = {name: trees.digest(content.decode("utf-8", "replace"))
                        for name, content in files.items()}
        self.trees = [trees.Tree(ROOT, self.directory / f"tree-{k}", self.options.jobs,
                                 self.processes) for k in range(cores)]
        print("mutate: building without a fault", file=sys.stderr)
        for tree in self.trees:
            tree.prepare(files, build=tree is self.trees[0])
            tree.jobs = max(1, self.options.jobs // cores)
        first = suite.read(self.trees[0])
        self.groups = [suite.moved(first, self.trees[0], tree) for tree in self.trees]
        self.baseline = {g.name: threading.Lock() for g in self.groups[0]}
        self.everything = trees.digest(*(f"{n} {d}" for n, d in self.digests.items()
                                         if not n.endswith(".md")))

    def sources_of(self, group):
        """Digest of what the group was last seen to pass with."""
        return trees.digest(*(f"{n} {d}" for n, d in self.digests.items()
                              if group.used is None or n in group.used or
                              not n.endswith(trees.CODE + (".md", ".py", ".txt"))))

    def proof(self, group):
        """Digest of the tests of a group, without what they test."""
        words = {w for t in group.tests for w in t.command}
        return trees.digest(*(f"{n} {d}" for n, d in self.digests.items() if n.startswith("test/")
                              and (n in group.used if group.used is not None else
                                   any(w.endswith(n) for w in words))))

    def recall(self, group):
        """Its time and how it runs, if it was seen to pass with these sources."""
        kept = self.results.get("groups", group.name)
        if kept is None or kept["sources"] != self.sources_of(group):
            return False
        group.seconds, group.together = kept["seconds"], kept["together"]
        return True

    def measure(self, k, group):
        """Runs it without a fault: it must pass."""
        tree = self.trees[k]
        for together in ([True, False] if group.target else [False]):
            group.together = together
            begin = time.monotonic()
            failed = suite.run(tree, group, 600)
            group.seconds = round(time.monotonic() - begin, 2)
            if failed is None:
                break
        if failed is not None:
            raise trees.Failure(f"without a fault, {failed} fails: {tree.log}")
        self.results.put("groups", group.name, {"sources": self.sources_of(group),
                                                "seconds": group.seconds,
                                                "together": group.together})

    # One fault -------------------------------------------------------------------------------

    def nearest(self, k, file):
        """The groups that can see the file: those first that caught most there, then by time; for a
        header, of which much must be built anew, those first that are built from least."""
        stem = pathlib.Path(file).stem
        kills = self.results.kills(file)
        header = file.endswith((".h", ".hpp"))

        def order(group):
            used = group.used or ()
            named = any(n.startswith("test/") and pathlib.Path(n).stem == f"test_{stem}"
                        for n in used)
            sources = sum(n.endswith((".c", ".cpp")) for n in used) if header else 0
            return (group.target is None, not named, sources, -kills.get(group.name, 0),
                    self.expected(group), len(used))
        return sorted((g for g in self.groups[k] if g.used is None or file in g.used), key=order)

    def expected(self, group):
        """Seconds that it took last, whatever has changed since; before that, a guess."""
        last = self.results.get("groups", group.name)
        return last["seconds"] if last else 10

    def known_outcome(self, fault, draw):
        found = self.results.get("faults", self.key(fault))
        if not found or found["text"] != draw.digest:
            return None
        if found["outcome"] == NONE:
            return found
        if found["outcome"] == LIVED:
            return found if found["proof"] == self.everything else None
        group = next((g for g in self.groups[0] if g.name == found["group"]), None)
        return found if group and found["proof"] == self.proof(group) else None

    @staticmethod
    def key(fault):
        return trees.digest(*fault.name)

    def measured(self, k, fault, text, groups):
        """Their times, without the fault, where they are not known."""
        unknown = [g for g in groups if not self.recall(g)]
        if not unknown:
            return
        self.trees[k].restore()
        for group in unknown:
            with self.baseline[group.name]:
                if not self.recall(group):
                    self.trees[k].compile(*([group.target] if group.target else []))
                    self.measure(k, group)
        self.trees[k].make(fault, text)

    def judge(self, k, fault, text):
        """Outcome, group and test."""
        tree = self.trees[k]
        tree.make(fault, text)
        groups = self.nearest(k, fault.file)
        commands = [g for g in groups if g.target is None]
        for group in (g for g in groups if g.target):
            if self.options.near and self.expected(group) > 15:
                continue
            if tree.compile(group.target) is not True:
                return NONE, "", ""
            self.measured(k, fault, text, [group])
            tree.compile(group.target)
            failed = suite.run(tree, group, self.limit(group))
            if failed:
                return CAUGHT, group.name, failed
        if self.options.near:
            return LIVED, "", ""
        self.measured(k, fault, text, commands)
        if tree.compile() is not True:
            return NONE, "", ""
        for group in sorted(commands, key=lambda g: g.seconds):
            failed = suite.run(tree, group, self.limit(group))
            if failed:
                return CAUGHT, group.name, failed
        return LIVED, "", ""

    @staticmethod
    def limit(group):
        return 20 + 8 * group.seconds

    # All of them -----------------------------------------------------------------------------

    def tell(self, fault, outcome, detail):
        with self.print_lock:
            said = {CAUGHT: f"killed by {detail}", LISTED: f"equivalent ({detail})"}
            print(f"{fault.file}:{fault.line}  {fault.kind}  {fault.before}  ->  {fault.after}  "
                  f"{said.get(outcome, outcome)}", flush=True)
            self.found.append({"file": fault.file, "line": fault.line, "class": fault.kind,
                               "function": fault.function, "before": fault.before,
                               "after": fault.after, "outcome": outcome,
                               **({"test": detail} if outcome == CAUGHT else {}),
                               **({"why": detail} if outcome == LISTED else {})})

    def check_file(self, k, draw):
        made = 0
        for fault in draw.drawn:
            if made == self.options.per_file or self.ended:
                break
            if fault.name in self.equivalent:
                self.tell(fault, LISTED, self.equivalent[fault.name])
                continue
            found = self.known_outcome(fault, draw)
            if found is None:
                outcome, group, test = self.judge(k, fault, draw.text)
                proof = self.everything
                if group:
                    proof = self.proof(next(g for g in self.groups[0] if g.name == group))
                found = {"file": fault.file, "text": draw.digest, "outcome": outcome,
                         "group": group, "test": test, "proof": proof}
                if outcome != LIVED or not self.options.near:
                    self.results.put("faults", self.key(fault), found)
            self.tell(fault, found["outcome"], found["test"])
            made += found["outcome"] != NONE
            if found["outcome"] == LIVED and not self.options.keep_going:
                self.ended = True
        self.trees[k].restore()

    def worker(self, k, queue):
        while not self.ended:
            try:
                draw = queue.pop(0)
            except IndexError:
                return
            try:
                self.check_file(k, draw)
            except Exception:
                self.ended = True
                raise

    def run(self, draws):
        self.prepare(draws)
        queue = list(draws)
        with concurrent.futures.ThreadPoolExecutor(len(self.trees)) as pool:
            work = [pool.submit(self.worker, k, queue) for k in range(len(self.trees))]
            try:
                for each in concurrent.futures.as_completed(work):
                    each.result()
            except BaseException:
                self.ended = True
                self.processes.stop()
                raise


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__.splitlines()[0],
                                     epilog="exit: 0 all caught; 1 one lived, or the list of "
                                            "equivalent faults names one that is not there; 2 bad "
                                            "usage, or a suite that fails without a fault")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default %(default)s)")
    parser.add_argument("--per-file", type=int, default=3, metavar="N",
                        help="faults of a file (default %(default)s)")
    parser.add_argument("--file", action="append", metavar="GLOB",
                        help="only these files, as isa/*.c; may be given again")
    parser.add_argument("--list", action="store_true",
                        help="print what is drawn, without what does not compile being known")
    parser.add_argument("--keep-going", action="store_true", help="past a fault that lived")
    parser.add_argument("--near", action="store_true",
                        help="by the executables of GoogleTest that take no more than 15 s alone: "
                             "sooner done, when one writes tests; what lives may be caught by the "
                             "others")
    parser.add_argument("--fresh", action="store_true", help="forget what earlier runs found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="faults at a time, each in a tree of its own (default: all cores)")
    parser.add_argument("--json", metavar="FILE", help="write the report there as well")
    options = parser.parse_args(arguments)
    if options.per_file < 1 or options.jobs < 1:
        parser.error("--per-file and --jobs are at least 1")
    return options


def chosen(options):
    files = mutable_files()
    if options.file:
        for pattern in options.file:
            if not fnmatch.filter(files, pattern):
                print(f"mutate: --file {pattern}: no source file, nor header with code, of "
                      f"{'/, '.join(FOLDERS)}/ is so called", file=sys.stderr)
                sys.exit(2)
        files = [f for f in files if any(fnmatch.fnmatch(f, p) for p in options.file)]
    return [Draw(f, options.seed) for f in files]


def show(draws, options, equivalent):
    for draw in draws:
        left = [f for f in draw.drawn if f.name not in equivalent][:options.per_file]
        for fault in left:
            print(f"{fault.file}:{fault.line}  {fault.kind}  {fault.before}  ->  {fault.after}")


def summary(found, old):
    count = {kind: sum(f["outcome"] == kind for f in found) for kind in (CAUGHT, LIVED, NONE,
                                                                         LISTED)}
    for name in old:
        print(f"equivalent.json: no such fault: {' | '.join(name)}", file=sys.stderr)
    for fault in found:
        if fault["outcome"] == LIVED:
            print(f"SURVIVED  {fault['file']}:{fault['line']}  {fault['class']}  "
                  f"{fault['before']}  ->  {fault['after']}")
    print(f"{count[CAUGHT]} caught, {count[LIVED]} survived; {count[LISTED]} equivalent and "
          f"{count[NONE]} that did not compile were drawn besides")
    return 1 if count[LIVED] or old else 0


def main(arguments=None):
    options = options_of(arguments)
    draws, equivalent = chosen(options), read_equivalent()
    old = stale(equivalent, draws)
    if options.list:
        show(draws, options, equivalent)
        return 1 if old else 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        check = Check(options)
        check.run(draws)
    except KeyboardInterrupt:
        print("mutate: interrupted; what was found is kept", file=sys.stderr)
        return 130
    except trees.Failure as failure:
        print(f"mutate: {failure}", file=sys.stderr)
        return 2
    code = summary(check.found, old)
    if options.json:
        report = {"seed": options.seed, "per_file": options.per_file, "faults": check.found}
        pathlib.Path(options.json).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
