# SPDX-License-Identifier: Apache-2.0
"""The command line itself: help, version, options, unknown words, and where data are found."""
import resource
import subprocess
import unittest

from harness import PROGRAM, Cli

COMMANDS = ["run", "corpus", "path", "trace", "image", "judge specs", "judge legal", "judge rules",
            "judge correct", "judge fast", "work", "rank", "depth", "sweep", "compare", "fidelity",
            "tile", "map", "asm", "disasm"]

LACKING = b"tpuvp: out of memory for a machine of T=64, QD=1024\n"


class Usage(Cli):
    def test_help_of_the_program_lists_every_command(self):
        text = self.ok("--help")
        for name in COMMANDS:
            self.assertIn(f"\n  {name}", text)
        listed = self.ok_json("--help")["commands"]
        self.assertEqual([c["command"] for c in listed], COMMANDS)

    def test_help_of_every_command_lists_the_options_it_takes(self):
        for name in COMMANDS:
            text = self.ok(*name.split(), "--help")
            described = self.ok_json(*name.split(), "--help")
            self.assertEqual(described["command"], name)
            options = [o["name"] for o in described["options"]]
            self.assertEqual(options[:5], ["config", "set", "json", "help", "version"])
            for option in options:
                self.assertIn(f"--{option}", text)

    def test_version_everywhere(self):
        version = self.ok("--version").split()
        self.assertEqual(version[0], "tpuvp")
        self.assertRegex(version[1], r"^\d+\.\d+\.\d+$")
        self.assertEqual(self.ok_json("--version"), {"name": "tpuvp", "version": version[1]})
        for name in COMMANDS:
            self.assertEqual(self.ok(*name.split(), "--version").split(), version)
            self.assertEqual(self.ok_json(*name.split(), "--version")["version"], version[1])

    def test_no_command_and_unknown_commands_list_what_exists(self):
        for words in [[], ["rnu"], ["judge"], ["judge", "spec"], ["--json"], ["ranks", "x"], [""]]:
            self.refused(*words, says=[*COMMANDS, "see tpuvp --help"])

    def test_bad_options(self):
        table = [
            (["asm", "--sed", "1", "x"], ["unknown option '--sed'", "--json".lstrip("-")]),
            (["run", "--seeds=1"], ["unknown option '--seeds=1'", "did you mean seed"]),
            (["asm", "-x", "y"], ["unknown option '-x'"]),
            (["run", "x", "y"], ["unexpected word 'y'"]),
            (["corpus", "x"], ["unexpected word 'x'"]),
            (["run", "--config"], ["'--config' needs a value"]),
            (["run", "--json=1", "x"], ["'--json' takes no value"]),
            (["run", "--json", "--json", "x"], ["'--json' given twice"]),
            (["image", "gemm_4x4x4"], ["-o"]),
            (["run"], ["SPEC"]),
            (["depth"], ["SPEC"]),
            (["depth", "x", "y"], ["unexpected word 'y'"]),
            (["fidelity", "x"], ["unexpected word 'x'"]),
            (["compare", "x", "y", "z"], ["unexpected word 'z'", "'compare' takes A.json B.json"]),
            (["tile"], ["M K N"]),
            (["map"], ["SPEC"]),
            (["asm"], ["FILE"]),
            (["disasm"], ["FILE"]),
            (["image", "-o", "x"], ["SPEC"]),
        ]
        for args, says in table:
            self.refused(*args, says=says)
        many = [word for _ in range(65) for word in ("--set", "QD=8")]
        self.refused("run", "gemm_4x4x4", *many, says="more than 64")

    def test_two_outputs_need_two_files(self):
        for command, options in (("run", ("out", "csv")), ("trace", ("vcd", "perfetto")),
                                 ("trace", ("csv", "perfetto")), ("trace", ("vcd", "csv"))):
            words = [w for o in options for w in (f"--{o}", "same")]
            self.refused(command, "gemm_4x4x4", *words,
                         says=[f"'--{o}'" for o in options] + ["name the same file 'same'"])
            self.assertFalse((self.dir / "same").exists())
        self.ok("trace", "gemm_4x4x4", "--vcd", "/dev/null", "--csv", "/dev/null")

    def test_a_list_belongs_to_sweep(self):
        self.refused("run", "gemm_4x4x4", "--set", "QD=8,16", says="only sweep takes a list")
        self.assertNotIn("list", self.refused("run", "gemm_4x4x4", "--set", "QD=1"))

    def test_seeds(self):
        for seed in ["-1", "4294967296", "1.5", "", "0x", "0x100000000", "1e3", " 1", "07", "x"]:
            self.refused("run", "gemm_4x4x4", "--seed", seed, says=["--seed", "0..4294967295"])

    def test_stdout_that_cannot_be_written_is_said(self):
        table = [("--help",), ("--help", "--json"), ("judge", "specs"), ("judge", "specs", "--json"),
                 ("run", "gemm_4x4x4"), ("run", "gemm_4x4x4", "--json"), ("fidelity",),
                 ("fidelity", "--json"), ("depth", "relu_16x16"), ("depth", "relu_16x16", "--json"),
                 ("judge", "legal"), ("judge", "legal", "--json"), ("judge", "rules"),
                 ("judge", "rules", "--json"), ("judge", "correct"),
                 ("judge", "correct", "--json"), ("judge", "fast"),
                 ("judge", "fast", "--json"), ("work",), ("work", "--json"),
                 ("rank", "gemm_8x8x8"), ("rank", "gemm_8x8x8", "--json"),
                 ("sweep", "--set", "QD=8", "--part", "1"),
                 ("map", "gemm_4x4x4"), ("map", "gemm_4x4x4", "--json"),
                 ("tile", "4", "4", "4"), ("tile", "4", "4", "4", "--json"),
                 ("trace", "gemm_4x4x4"), ("trace", "gemm_4x4x4", "--json")]
        for target, reason in ((">/dev/full", b"No space left on device"),
                               (">&-", b"Bad file descriptor")):
            for args in table:
                run = subprocess.run(["sh", "-c", f'exec "$0" "$@" {target}', PROGRAM, *args],
                                     stderr=subprocess.PIPE, check=False)
                self.assertEqual(run.returncode, 2, args)
                self.assertEqual(run.stderr, b"tpuvp: cannot write standard output: " + reason +
                                 b"\n", args)

    def test_lack_of_memory_is_one_line(self):
        def limited(*args, kbytes=60000):
            limit = (resource.RLIMIT_AS, (kbytes << 10, kbytes << 10))
            return subprocess.run([PROGRAM, *args], capture_output=True, check=False,
                                  preexec_fn=lambda: resource.setrlimit(*limit))

        if limited("--version").returncode != 0:
            self.skipTest("what watches over the program takes more address space than the limit")
        machine = [w for s in ("T=64", "MAXDIM=64", "QD=1024") for w in ("--set", s)]
        for args in (["run", "gemm_4x4x4"], ["path", "gemm_4x4x4"], ["corpus"],
                     ["trace", "gemm_4x4x4"], ["tile", "4", "4", "4"],
                     ["judge", "correct", "--spec", "gemm_4x4x4"],
                     ["judge", "fast", "--spec", "gemm_4x4x4", "--simulate"]):
            for json in ([], ["--json"]):
                run = limited(*args, *machine, *json)
                self.assertEqual((run.returncode, run.stderr), (2, LACKING), args)
                if json:
                    self.assertEqual(run.stdout, b"", args)

    def test_empty_names_are_refused_by_the_option(self):
        for command, options in [
                ("run", ("program", "a", "b", "c", "out", "csv", "corpus", "firmware", "config")),
                ("trace", ("program", "out", "vcd", "perfetto", "csv", "html")),
                ("image", ("output",)), ("map", ("output", "variant", "corpus")), ("judge specs", ("spec",)),
                ("fidelity", ("data",)),
                ("judge legal", ("program", "corpus", "spec")),
                ("judge correct", ("spec", "program", "corpus", "junit")),
                ("judge fast", ("spec", "program", "corpus", "junit", "measured")),
                ("tile", ("a", "b", "out", "firmware")),
                ("depth", ("program", "corpus")), ("work", ("program", "corpus")),
                ("rank", ("corpus",))]:
            for option in options:
                self.refused(*command.split(), f"--{option}", "",
                             says=[f"'--{option}' is empty", "is due"])
        self.refused("run", "", says=["an empty word", "SPEC|IMAGE"])


if __name__ == "__main__":
    unittest.main()
