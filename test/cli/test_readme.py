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
SUBMISSIONS = SOURCE / "docs/submissions.md"
SWEEPING = SOURCE / "docs/sweeping.md"
TILING = SOURCE / "docs/tiling.md"
TRACING = SOURCE / "docs/tracing.md"
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
        for name in ("test", "docs", "judge"):
            (directory / name).symlink_to(SOURCE / name)

        def block(match):
            commands = [line for line in match[1].splitlines() if line.startswith("$ ")]
            if UNCHECKED in commands:
                return match[0]
            shown = "".join(f"{c}\n{run(c[2:], directory)}" for c in commands)
            return f"```console\n{shown}```"

        return BLOCK.sub(block, text)


class Document(unittest.TestCase):
    """What holds for each of them."""

    maxDiff = None

    def check_output(self, path, blocks):
        text = path.read_text(encoding="utf-8")
        self.assertGreaterEqual(len(BLOCK.findall(text)), blocks)
        self.assertEqual(text, replayed(text))

    def check_links(self, path, pattern):
        """Each path that the pattern finds is there, seen from the document."""
        paths = re.findall(pattern, path.read_text(encoding="utf-8"))
        self.assertTrue(paths)
        for name in paths:
            self.assertTrue((path.parent / name.partition("#")[0]).exists(), name)


class Readme(Document):
    def test_it_shows_what_the_program_says(self):
        self.check_output(README, 6)

    def test_its_links_lead_somewhere(self):
        self.check_links(README, r"\]\(([^)]+)\)")
        self.check_links(README, r"\| `([\w./]+)`")


class Timing(Document):
    def test_it_shows_what_the_program_says(self):
        self.check_output(TIMING, 1)

    def test_its_links_lead_somewhere(self):
        self.check_links(TIMING, r"\]\(([^)]+)\)")

    def test_it_names_the_constants_of_the_profile_and_no_other(self):
        named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", TIMING.read_text(encoding="utf-8")))
        for profile in (SOURCE / "configs/timing").glob("*.json"):
            constants = json.loads(profile.read_text(encoding="utf-8"))["constants"]
            self.assertEqual(named, set(constants), profile)


class Memory(Document):
    def test_it_shows_what_the_program_says(self):
        self.check_output(MEMORY, 1)
        self.assertIn("port shared:", MEMORY.read_text(encoding="utf-8"))

    def test_its_links_lead_somewhere(self):
        self.check_links(MEMORY, r"\]\(([^)]+)\)")


class Submissions(Document):
    def test_it_shows_what_the_program_says(self):
        self.check_output(SUBMISSIONS, 1)

    def test_its_links_lead_somewhere(self):
        self.check_links(SUBMISSIONS, r"\]\(([^)]+)\)")


class Sweeping(Document):
    def test_it_shows_what_the_program_says(self):
        self.check_output(SWEEPING, 5)

    def test_its_links_lead_somewhere(self):
        self.check_links(SWEEPING, r"\]\(([^)]+)\)")


class Tiling(Document):
    def test_it_shows_what_the_program_says(self):
        self.check_output(TILING, 3)

    def test_its_links_lead_somewhere(self):
        self.check_links(TILING, r"\]\(([^)]+)\)")


class Tracing(Document):
    def test_it_shows_what_the_program_says(self):
        self.check_output(TRACING, 2)

    def test_its_links_lead_somewhere(self):
        self.check_links(TRACING, r"\]\((?!https:)([^)]+)\)")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for document in (README, TIMING, MEMORY, SUBMISSIONS, SWEEPING, TILING, TRACING):
            document.write_text(replayed(document.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        unittest.main()
