# SPDX-License-Identifier: Apache-2.0
"""What README.md and the documents of docs/ that show commands show is what the program says.

test_readme.py --write puts the present output there.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from harness import PROGRAM, SOURCE

README = SOURCE / "README.md"
TIMING = SOURCE / "docs/timing.md"
MEMORY = SOURCE / "docs/memory.md"
SHOWN = {  # blocks of commands that a document has at least
    README: 6,
    TIMING: 1,
    MEMORY: 1,
    SOURCE / "docs/exploring.md": 12,
    SOURCE / "docs/submissions.md": 1,
    SOURCE / "docs/sweeping.md": 5,
    SOURCE / "docs/tiling.md": 3,
    SOURCE / "docs/tracing.md": 2,
}
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
UNCHECKED = "$ ./dev test"  # takes minutes; the test suite cannot run itself


def run(command, directory):
    """stdout of a shown command, run where test/ and build/ are what they are in the tree."""
    words = "build/tpuvp corpus" if command == "./dev run" else command
    done = subprocess.run(["bash", "-c", words], cwd=directory, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode()


def replayed(text):
    """A document with every block's output replaced by what its commands print now."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        (directory / "build").mkdir()
        (directory / "build" / "tpuvp").symlink_to(PROGRAM)
        for name in ("test", "docs", "judge", "corpus"):
            (directory / name).symlink_to(SOURCE / name)

        def block(match):
            commands = [line for line in match[1].splitlines() if line.startswith("$ ")]
            if UNCHECKED in commands:
                return match[0]
            shown = "".join(f"{c}\n{run(c[2:], directory)}" for c in commands)
            return f"```console\n{shown}```"

        return BLOCK.sub(block, text)


class Documents(unittest.TestCase):
    maxDiff = None

    def test_they_show_what_the_program_says(self):
        for path, blocks in SHOWN.items():
            with self.subTest(path.name):
                text = path.read_text(encoding="utf-8")
                self.assertGreaterEqual(len(BLOCK.findall(text)), blocks)
                self.assertEqual(text, replayed(text))
        self.assertIn("port shared:", MEMORY.read_text(encoding="utf-8"))

    def test_their_links_lead_somewhere(self):
        for path in SHOWN:
            self.check_links(path, r"\]\((?!https:)([^)]+)\)")
        self.check_links(README, r"\| `([\w./]+)`")

    def check_links(self, path, pattern):
        """Each path that the pattern finds is there, seen from the document."""
        paths = re.findall(pattern, path.read_text(encoding="utf-8"))
        self.assertTrue(paths, path)
        for name in paths:
            self.assertTrue((path.parent / name.partition("#")[0]).exists(), name)

    def test_timing_names_the_constants_of_the_profile_and_no_other(self):
        named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", TIMING.read_text(encoding="utf-8")))
        for profile in (SOURCE / "configs/timing").glob("*.json"):
            constants = json.loads(profile.read_text(encoding="utf-8"))["constants"]
            self.assertEqual(named, set(constants), profile)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for document in SHOWN:
            document.write_text(replayed(document.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        unittest.main()
