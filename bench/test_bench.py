#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The benchmark measures, says what it measured, and refuses what it does not know.

TPUVP_BENCH names the program. Nothing here holds a time against a limit.
"""
import json
import os
import statistics
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["TPUVP_BENCH"]
SMALL = ("--starts", "1", "--rounds", "1")
RATES = {f"t{t}_{what}" for t in (4, 8, 16)
         for what in ("accelerator", "accelerator_cpu", "run", "cycles", "end_to_end", "elaboration")}
NAMES = (RATES | {"t8_ratio", "t16_ratio", "core", "core_cpu", "core_instructions"} |
         {f"{run}_{what}" for run in ("run_4", "run_64", "corpus") for what in ("wall", "memory")})


def bench(*args):
    with tempfile.TemporaryDirectory() as directory:  # any working directory will do
        return subprocess.run([PROGRAM, *args], cwd=directory, capture_output=True, text=True,
                              timeout=280, check=False)


class Bench(unittest.TestCase):
    def measured(self, *args):
        done = bench(*args, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        document = json.loads(done.stdout)
        return document, {m["name"]: m for m in document["measurements"]}

    def test_one_start_of_everything(self):
        document, all_of_it = self.measured(*SMALL, "--repetitions", "1")
        self.assertEqual((document["starts"], document["repetitions"]), (1, 1))
        self.assertIs(document["traces"], False)
        self.assertEqual(set(all_of_it), NAMES)
        for name, m in all_of_it.items():
            self.assertEqual(len(m["samples"]), 1, name)
            self.assertGreater(m["median"], 0, name)
        self.assertEqual(document["missed"], sum(not m["met"] for m in all_of_it.values()))
        targets = {name: (m["goal"], m["target"]) for name, m in all_of_it.items()
                   if m["target"] is not None}
        self.assertEqual(targets, {
            "t4_accelerator": ("at least", 3), "t16_ratio": ("at least", 0.25),
            "core": ("at least", 60), "run_4_wall": ("at most", 30),
            "run_4_memory": ("at most", 64), "run_64_memory": ("at most", 64),
            "corpus_memory": ("at most", 64)})

    def test_more_starts_are_more_runs_of_the_same_length(self):
        _, one = self.measured(*SMALL, "--repetitions", "1", "--only", "accelerator")
        _, three = self.measured("--starts", "3", "--repetitions", "2", "--only", "accelerator")
        self.assertEqual(set(one), RATES | {"t8_ratio", "t16_ratio"})
        for t in (4, 8, 16):
            cycles = one[f"t{t}_cycles"]["samples"]
            self.assertEqual(three[f"t{t}_cycles"]["samples"], cycles * 2)
            self.assertGreater(cycles[0], 64 ** 3 / t ** 2)

    def test_summaries_are_those_of_the_samples(self):
        for repetitions in ("2", "3"):
            _, all_of_it = self.measured(*SMALL, "--only", "core", "--repetitions", repetitions)
            for name, m in all_of_it.items():
                self.assertEqual(len(m["samples"]), int(repetitions))
                self.assertAlmostEqual(m["median"], statistics.median(m["samples"]), msg=name)
                self.assertEqual((m["min"], m["max"]), (min(m["samples"]), max(m["samples"])))
                if m["goal"] == "at least":
                    self.assertEqual(m["met"], m["median"] >= m["target"])

    def test_rounds_are_work_for_the_core(self):
        instructions = [self.measured("--only", "core", "--repetitions", "1", "--rounds", rounds)[1]
                        ["core_instructions"]["median"] for rounds in ("1", "3")]
        self.assertGreater(instructions[0], 0.5)  # million
        self.assertAlmostEqual(instructions[1] / instructions[0], 3, delta=0.2)

    def test_text_names_every_measurement(self):
        done = bench(*SMALL, "--repetitions", "1", "--only", "core", "--check")
        lines = done.stdout.splitlines()
        self.assertIn("medians of 1;", lines[0])
        row = next(line for line in lines if line.startswith("core, RV32IM with DMI"))
        self.assertIn(">= 60", row)
        missed = "MISSED" in row
        self.assertEqual(done.returncode, 1 if missed else 0)
        self.assertEqual(lines[-1], "1 targets missed" if missed else "all targets reached")

    def test_bad_words_are_refused_in_one_line(self):
        for args, says in ((["--starts", "0"], "1..1000000"), (["--starts"], "missing"),
                           (["--starts", "1x"], "1..1000000"), (["--rounds", "100001"], "1..100000"),
                           (["--repetitions", "-1"], "1..999"), (["--only", "x"], "process"),
                           (["--fast"], "--fast"), (["word"], "word")):
            done = bench(*args)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("tpuvp_bench: "), done.stderr)
            self.assertIn(says, done.stderr)

    def test_help(self):
        done = bench("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for option in ("--starts", "--rounds", "--repetitions", "--only", "--check", "--json"):
            self.assertIn(option, done.stdout)


if __name__ == "__main__":
    unittest.main()
