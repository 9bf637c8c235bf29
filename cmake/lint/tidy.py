#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tidy.py BUILD_DIR JOBS: clang-tidy over compile_commands.json, in parallel.

A file whose preprocessed text, command, configuration and tool are those of an earlier clean run
is skipped; stamps lie in BUILD_DIR/tidy.
"""
import concurrent.futures
import hashlib
import json
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("isa", "judge", "models", "platform", "firmware", "bench", "test", "docs")


def units(build):
    """One command per source file of ours; the first where a file is built twice."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if ROOT in path.parents and path.relative_to(ROOT).parts[0] in PARTS:
            commands.setdefault(path, entry)
    return commands


def digest(path, entry, salt):
    """Hash of everything the result depends on, or None when it does not preprocess."""
    words = shlex.split(entry["command"])
    if pathlib.Path(words[0]).name == "ccache":
        words = words[1:]
    keep = [w for i, w in enumerate(words[1:], 1) if w not in ("-c", "-o") and words[i - 1] != "-o"]
    compiler = "clang++" if path.suffix == ".cpp" else "clang"
    run = subprocess.run([compiler, "-E", "-w", *keep], cwd=entry["directory"],
                         capture_output=True, check=False)
    if run.returncode:
        return None
    text = salt + " ".join(keep).encode() + run.stdout
    return hashlib.sha256(text).hexdigest()


def check(path, entry, build, salt):
    key = digest(path, entry, salt)
    stamp = build / "tidy" / key if key else None
    if stamp and stamp.exists():
        return path, 0.0, ""
    begin = time.monotonic()
    run = subprocess.run(["clang-tidy", "-quiet", "-p", str(build), str(path)],
                         capture_output=True, text=True, check=False)
    if run.returncode == 0 and stamp:
        stamp.touch()
    problem = run.stdout + (run.stderr if not run.stdout else "") if run.returncode else ""
    return path, time.monotonic() - begin, problem


def main():
    build, jobs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    (build / "tidy").mkdir(exist_ok=True)
    salt = (ROOT / ".clang-tidy").read_bytes()
    salt += subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    commands = units(build)
    bad, slow = 0, []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(check, p, e, build, salt) for p, e in sorted(commands.items())]
        for future in concurrent.futures.as_completed(futures):
            path, seconds, problem = future.result()
            slow.append((seconds, path))
            if problem:
                bad += 1
                print(problem, file=sys.stderr)
    done = sum(1 for seconds, _ in slow if seconds)
    slowest = max(slow, default=(0, ROOT))
    print(f"clang-tidy: {len(slow)} files, {done} looked at, {bad} with findings; "
          f"slowest {slowest[1].relative_to(ROOT)} {slowest[0]:.1f} s")
    return 1 if bad or not slow else 0


if __name__ == "__main__":
    sys.exit(main())
