# SPDX-License-Identifier: Apache-2.0
"""Runs the real binary, as a user does, and reads all it says.

TPUVP names the program and TPU_BUILD_DIR its build tree; without them it is ./dev build's.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import jsonschema

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TPU_BUILD_DIR", SOURCE / "build"))
PROGRAM = os.environ.get("TPUVP", str(BUILD / "tpuvp"))
# The instructions of C = A * B, 4 x 4 each, without the comments of the file.
TILE = "".join(line for line in (SOURCE / "test/data/tile.s").read_text().splitlines(True)
               if not line.startswith("#"))


class Cli(unittest.TestCase):
    """A test with a directory of its own, from which the program runs."""

    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)

    def write(self, name, content):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            path.write_text(json.dumps(content), encoding="utf-8")
        return str(path)

    def run_program(self, *args, timeout=240):
        return subprocess.run([PROGRAM, *map(str, args)], cwd=self.dir, capture_output=True,
                              timeout=timeout, check=False)

    def ok(self, *args, code=0):
        """Runs, expects this exit code and a silent stderr unless progress is shown there."""
        run = self.run_program(*args)
        self.assertEqual(run.returncode, code, f"{args}: {run.stdout!r} {run.stderr!r}")
        return run.stdout.decode("utf-8")

    def ok_json(self, *args, code=0):
        """All of stdout is one JSON document, no key twice."""
        return json.loads(self.ok(*args, "--json", code=code), object_pairs_hook=unique)

    def valid(self, document, kind):
        """The document is one of docs/KIND.schema.json."""
        schema = json.loads((SOURCE / "docs" / f"{kind}.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        faults = jsonschema.Draft202012Validator(schema).iter_errors(document)
        self.assertEqual([f"{e.json_path}: {e.message}" for e in faults], [])
        return document

    def refused(self, *args, says=()):
        """Exit 2, one line on stderr that says these words, nothing on stdout."""
        run = self.run_program(*args)
        err = run.stderr.decode("utf-8")
        self.assertEqual(run.returncode, 2, f"{args}: {run.stdout!r} {err!r}")
        self.assertEqual(run.stdout, b"", f"{args}")
        self.assertTrue(err.endswith("\n") and err.count("\n") == 1, f"{args}: {err!r}")
        self.assertTrue(err.startswith("tpuvp: "), err)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word, err, f"{args}")
        return err


def unique(pairs):
    keys = [k for k, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key twice: {keys}")
    return dict(pairs)
