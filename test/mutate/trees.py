# SPDX-License-Identifier: Apache-2.0
"""A copy of the sources with a build of its own, in which faults are made; and what runs in it.

The tree that is checked is only ever read. A copy keeps its build from one run to the next: what
has not changed is not written anew, so not built anew.
"""
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading

CODE = (".c", ".h", ".cpp", ".hpp")
# A program with a fault in it may ask for any memory, or fill a disk: kilobytes, and blocks of 1 K.
BOUNDED = ["bash", "-c", 'ulimit -d 8000000 -f 1000000 -c 0; exec "$@"', "bounded"]
# Warnings are no errors, or the compiler would find what tests are to find; but an argument of
# another kind is no fault that anyone makes. What is undefined ends the test, as it does under
# ./dev sanitize, at a smaller price.
TRAPS = "-fsanitize=undefined -fno-sanitize=vptr -fsanitize-undefined-trap-on-error"
C_FLAGS = f"{TRAPS} -Werror=int-conversion -Werror=incompatible-pointer-types"
CXX_FLAGS = f"{TRAPS} -D_GLIBCXX_ASSERTIONS -w"
CONFIGURE = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=ON", "-DTPU_LTO=OFF",
             "-DTPU_WERROR=OFF", "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG",
             "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
             "-DCMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST"]


class Failure(Exception):
    """What ends the whole check: an unmutated tree that does not build or pass."""


class Processes:
    """Those that run now, so that an interrupt ends them all."""

    def __init__(self):
        self.lock, self.live, self.stopped = threading.Lock(), set(), False

    def run(self, command, cwd, env, limit, output):
        """Exit code, output to a file; None when the limit of seconds is passed."""
        with open(output, "wb") as out:
            with self.lock:
                if self.stopped:
                    raise KeyboardInterrupt
                process = subprocess.Popen(BOUNDED + command, cwd=cwd, env=env, stdout=out,
                                           stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                           start_new_session=True)
                self.live.add(process)
            try:
                return process.wait(limit)
            except subprocess.TimeoutExpired:
                return None
            finally:
                self.end(process)
                with self.lock:
                    self.live.discard(process)
                    if self.stopped:
                        raise KeyboardInterrupt

    @staticmethod
    def signal(process, number):
        """To it and what it started."""
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass

    def end(self, process):
        """Asked first: ninja ends what it started, each in a group of its own."""
        if process.poll() is None:
            self.signal(process, signal.SIGTERM)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                pass
        self.signal(process, signal.SIGKILL)
        process.wait()

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.live:
                self.signal(process, signal.SIGTERM)


def sources(root):
    """Every file of the working tree that version control knows or would."""
    run = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=root, check=True,
                         capture_output=True)
    names = {n for n in run.stdout.decode().split("\0") if n}
    return sorted(n for n in names if (root / n).is_file())


def snapshot(root):
    """The contents of all of them, by name."""
    return {name: (root / name).read_bytes() for name in sources(root)}


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


class Tree:
    """One copy: `source`, `build`, and `temp` for what its tests leave behind."""

    def __init__(self, root, directory, jobs, processes):
        self.root, self.jobs, self.processes, self.directory = root, jobs, processes, directory
        self.source, self.build = directory / "source", directory / "build"
        self.temp, self.log = directory / "temp", directory / "log"
        self.env = dict(os.environ, TMPDIR=str(self.temp), CCACHE_BASEDIR=str(directory),
                        CCACHE_NOHASHDIR="1")
        self.mutated = None

    def run(self, command, limit, cwd=None, env=None):
        """Exit code, None past the limit; and what it said."""
        shutil.rmtree(self.temp, ignore_errors=True)
        self.temp.mkdir(parents=True)
        code = self.processes.run(command, cwd or self.build, {**self.env, **(env or {})}, limit,
                                  self.log)
        return code, self.log.read_bytes().decode("utf-8", "replace")

    def prepare(self, files, build):
        """Makes the copy one of this snapshot, and builds all of it, or what is needed when it
        is."""
        old = {str(p.relative_to(self.source)) for p in self.source.rglob("*") if p.is_file()} \
            if self.source.exists() else set()
        for name in old - set(files):
            (self.source / name).unlink()
        for name, content in files.items():
            copy = self.source / name
            if not copy.exists() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
            shutil.copymode(self.root / name, copy)
        launcher = [f"-DCMAKE_{x}_COMPILER_LAUNCHER=ccache" for x in ("C", "CXX")] \
            if shutil.which("ccache") else []
        flags = [f"-DCMAKE_C_FLAGS={C_FLAGS}", f"-DCMAKE_CXX_FLAGS={CXX_FLAGS}"]
        self.build.mkdir(parents=True, exist_ok=True)
        code, text = self.run(["cmake", "-S", str(self.source), "-B", str(self.build), *CONFIGURE,
                               *flags, *launcher], None)
        if code == 0 and build:
            code, text = self.run(["ninja", f"-j{self.jobs}"], None)
        if code != 0:
            raise Failure("the sources do not build without a fault:\n" + text[-2000:])

    def make(self, fault, text):
        """Makes a fault in the text of its file, in place of the one made before."""
        if self.mutated and self.mutated[0] != fault.file:
            self.restore()
        (self.source / fault.file).write_text(fault.applied(text), encoding="utf-8")
        self.mutated = fault.file, text

    def restore(self):
        if self.mutated is not None:
            (self.source / self.mutated[0]).write_text(self.mutated[1], encoding="utf-8")
            self.mutated = None

    def compile(self, *targets):
        """True, or what the compiler said. A step of the build of everything that runs what was
        built may fail or not end: that is for the tests to find."""
        code, text = self.run(["ninja", f"-j{self.jobs}", "-k0", *targets],
                              None if targets else 1800)
        failed = re.findall(r"^FAILED: (\S+)", text, re.MULTILINE)
        if any(name.endswith((".o", ".gch")) for name in failed) or "ld returned" in text:
            return text
        if code not in (0, 1, None):
            raise Failure("ninja failed:\n" + text[-2000:])
        return True

    def used_by(self, targets):
        """The source files that each of these targets is built from."""
        run = subprocess.run(["ninja", "-t", "deps"], cwd=self.build, check=True,
                             capture_output=True, text=True)
        headers, into = {}, None
        for line in run.stdout.splitlines():
            if line.startswith("    "):
                into.add(line.strip())
            elif ": #deps" in line:
                into = headers.setdefault(line.partition(": #deps")[0], set())
        used = {}
        for target in targets:
            run = subprocess.run(["ninja", "-t", "inputs", target], cwd=self.build, check=True,
                                 capture_output=True, text=True)
            paths = set()
            for name in run.stdout.splitlines():
                paths |= {name} | headers.get(name, set())
            full = {pathlib.Path(os.path.normpath(self.build / p)) for p in paths}
            used[target] = {str(p.relative_to(self.source)) for p in full
                            if self.source in p.parents}
        return used
