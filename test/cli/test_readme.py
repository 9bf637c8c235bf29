# SPDX-License-Identifier: Apache-2.0
"""What README.md shows is what the program says.

test_readme.py --write puts the present output there.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from harness import PROGRAM, SOURCE

README = SOURCE / "README.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
UNCHECKED = "$ ./dev test"  # takes minutes; the test suite cannot run itself


def run(command, directory):
    """stdout of a shown command, run where test/ and build/ are what they are in the tree."""
    words = "build/tpuvp corpus" if command == "./dev run" else command
    done = subprocess.run(["bash", "-c", words], cwd=directory, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode()


def replayed(text):
    """The README with every block's output replaced by what its commands print now."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        (directory / "build").mkdir()
        (directory / "build" / "tpuvp").symlink_to(PROGRAM)
        (directory / "test").symlink_to(SOURCE / "test")

        def block(match):
            commands = [line for line in match[1].splitlines() if line.startswith("$ ")]
            if UNCHECKED in commands:
                return match[0]
            shown = "".join(f"{c}\n{run(c[2:], directory)}" for c in commands)
            return f"```console\n{shown}```"

        return BLOCK.sub(block, text)


class Readme(unittest.TestCase):
    maxDiff = None

    def test_it_shows_what_the_program_says(self):
        text = README.read_text(encoding="utf-8")
        self.assertGreater(len(BLOCK.findall(text)), 5)
        self.assertEqual(text, replayed(text))

    def test_its_links_lead_somewhere(self):
        text = README.read_text(encoding="utf-8")
        links = re.findall(r"\]\(([^)]+)\)", text)
        paths = re.findall(r"\| `([\w./]+)`", text)
        self.assertTrue(links and paths)
        for path in links + paths:
            self.assertTrue((SOURCE / path).exists(), path)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        README.write_text(replayed(README.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        unittest.main()
