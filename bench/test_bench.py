#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The benchmark measures, says what it measured, and refuses what it does not know.

TPUVP_BENCH names the program. Nothing here holds a time against a limit.
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["TPUVP_BENCH"]
SMALL = ("--starts", "1", "--rounds", "1", "--columns", "4")
RATES = {f"t{t}_{what}" for t in (4, 8, 16)
         for what in ("accelerator", "accelerator_cpu", "recording", "tracing", "run", "cycles",
                      "end_to_end", "elaboration")}
NAMES = (RATES | {"t8_ratio", "t16_ratio", "core", "core_cpu", "core_instructions"} |
         {"judge_contracts", "judge_protocol"} |
         {f"{run}_{what}" for run in ("run_4", "run_64", "trace_long", "corpus", "sweep",
                                      "fidelity", "judge_correct", "judge_fast", "tile")
          for what in ("wall", "memory")})


def bench(*args, program=PROGRAM):
    with tempfile.TemporaryDirectory() as directory:  # any working directory will do
        return subprocess.run([program, *args], cwd=directory, capture_output=True, text=True,
                              timeout=280, check=False)


def tree(directory, tpuvp):
    """A build tree with this script as the program to be measured; returns the benchmark in it."""
    root = pathlib.Path(directory)
    for name in ("bench", "firmware", "configs", "corpus"):
        (root / name).mkdir()
    (root / "tpuvp").write_text("#!/usr/bin/python3\n" + tpuvp, encoding="utf-8")
    (root / "tpuvp").chmod(0o755)
    return shutil.copy(PROGRAM, root / "bench")


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
            "t4_accelerator": ("at least", 10), "t8_accelerator": ("at least", 4),
            "t16_accelerator": ("at least", 2),
            "core": ("at least", 60), "run_4_wall": ("at most", 30),
            "run_4_memory": ("at most", 64), "run_64_memory": ("at most", 64),
            "corpus_memory": ("at most", 64), "sweep_wall": ("at most", 20000),
            "sweep_memory": ("at most", 64), "fidelity_wall": ("at most", 500),
            "fidelity_memory": ("at most", 64),
            "judge_contracts": ("at most", 50), "judge_correct_wall": ("at most", 1000),
            "judge_correct_memory": ("at most", 64), "judge_fast_wall": ("at most", 1000),
            "judge_fast_memory": ("at most", 64),
            "tile_wall": ("at most", 10000), "tile_memory": ("at most", 64),
            "trace_long_memory": ("at most", 64),
            **{f"t{t}_recording": ("at most", 1.3) for t in (4, 8, 16)},
            **{f"t{t}_tracing": ("at most", 5) for t in (4, 8, 16)}})

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

    def test_a_gemm_by_tiles_has_a_line_of_its_own(self):
        document, all_of_it = self.measured("--repetitions", "1", "--only", "tile", "--columns", "3")
        self.assertEqual(set(all_of_it), {"tile_wall", "tile_memory"})
        self.assertEqual(all_of_it["tile_wall"]["what"], "tpuvp tile 128 768 3, wall")
        self.assertEqual(document["repetitions"], 1)

    def test_text_names_every_measurement(self):
        done = bench(*SMALL, "--repetitions", "1", "--only", "core", "--check")
        lines = done.stdout.splitlines()
        self.assertIn("medians of 1;", lines[0])
        row = next(line for line in lines if line.startswith("core, RV32IM with DMI"))
        self.assertIn(">= 60", row)
        missed = "MISSED" in row
        self.assertEqual(done.returncode, 1 if missed else 0)
        self.assertEqual(lines[-1], "1 targets missed" if missed else "all targets reached")

    def test_processes_are_measured_from_outside(self):
        say = "import sys\nprint(sys.argv, file=sys.stderr)\nprint('noise')\n"
        hold = say + "x = b'x' * 100_000_000 if sys.argv[1] == 'corpus' else b''\n"
        with tempfile.TemporaryDirectory() as directory:
            program = tree(directory, hold)
            done = bench("--only", "process", "--repetitions", "2", "--json", program=program)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            memory = {m["name"]: m["samples"] for m in json.loads(done.stdout)["measurements"]
                      if m["unit"] == "MB"}
            for small in memory["run_4_memory"] + memory["run_64_memory"]:
                self.assertLess(small, 64)
            for large in memory["corpus_memory"]:
                self.assertTrue(100 < large < 164, large)
            done = bench("--only", "process", "--repetitions", "1", "--check", program=program)
            row = next(line for line in done.stdout.splitlines()
                       if line.startswith("tpuvp corpus, peak"))
            self.assertTrue(row.endswith("MISSED"), row)
            self.assertEqual(done.returncode, 1)

    def test_what_fails_is_no_sample(self):
        for tpuvp, says in (("raise SystemExit(3)\n", "tpuvp ended with exit code 3"),
                            ("import os\nos.kill(os.getpid(), 9)\n", "ended by signal 9")):
            with tempfile.TemporaryDirectory() as directory:
                done = bench("--only", "process", program=tree(directory, tpuvp))
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr.endswith(says + "\n"), done.stderr)
        with tempfile.TemporaryDirectory() as directory:
            program = tree(directory, "")
            for group, says in (("core", "cannot be"), ("accelerator", "cannot be"),
                                ("judge", "holds no spec")):
                done = bench("--only", group, program=program)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(says, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            (pathlib.Path(directory) / "tpuvp").unlink()
            done = bench(program=program)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("tpuvp: cannot be read; the benchmark runs in its build tree", done.stderr)

    def test_bad_words_are_refused_in_one_line(self):
        for args, says in ((["--starts", "0"], "1..1000000"), (["--starts"], "missing"),
                           (["--starts", "1x"], "1..1000000"), (["--rounds", "100001"], "1..100000"),
                           (["--columns", "4097"], "1..4096"),
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
