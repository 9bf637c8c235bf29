# SPDX-License-Identifier: Apache-2.0
"""What the tests of sweep share."""
import os
import subprocess

from harness import PROGRAM, Cli

TWO = ("--set", "T=4,8", "--set", "QD=8,16")
SMALL = (*TWO, "--spec", "gemm_*x8")
FILES = ("results.jsonl", "results.csv", "report.md", "report.json")


class Sweep(Cli):
    def document(self, *args, code=0):
        return self.valid(self.ok_json("sweep", *args, code=code), "sweep")

    def environment(self, **words):
        return {**os.environ, **words}

    def tool(self, script, name="parallel"):
        """A directory with a program of this name, to stand first in PATH."""
        path = self.dir / "tools" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        return self.environment(PATH=f"{path.parent}:{os.environ['PATH']}")

    def contents(self, directory):
        return {name: (self.dir / directory / name).read_bytes() for name in FILES}

    def sweep(self, *args, env=None, code=0):
        run = subprocess.run([PROGRAM, "sweep", *args], cwd=self.dir, capture_output=True, env=env,
                             timeout=240, check=False)
        self.assertEqual(run.returncode, code, run.stderr)
        return run
