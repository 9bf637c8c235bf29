# SPDX-License-Identifier: Apache-2.0
"""--program LIBRARY.so:FUNCTION: compiled submissions, what they are told, and what befalls the judge
when they misbehave."""
import json
import os
import re
import resource
import select
import shutil
import subprocess
import unittest

from harness import BUILD, PROGRAM, SOURCE, Cli

BUILT = BUILD / "submissions"
GEMM = f"{BUILT}/gemm.so:gemm"
SANITIZED = os.environ.get("TPU_SANITIZED") == "1"


class Submission(Cli):
    def setUp(self):
        super().setUp()
        # Two workloads: functions of hostile.so do their worst for the first.
        spec = json.loads((SOURCE / "corpus" / "01_gemm_4x4x4.json").read_text())
        for number, name in enumerate(("bad", "good")):
            self.write(f"corpus/{number}_{name}.json", dict(spec, name=name))

    def hostile(self, function, *args, code=1):
        """What became of the bad workload, once the good one after it was judged like any other."""
        words = ["judge", "correct", "--corpus", "corpus", "--program",
                 f"{BUILT}/hostile.so:{function}", *args, "--json"]
        run = subprocess.run([PROGRAM, *words], cwd=self.dir, input=b"not for it", timeout=240,
                             capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (code, b""))
        document = self.valid(json.loads(run.stdout), "correct")
        bad, good = document["specs"]
        self.assertEqual((good["name"], good["verdict"]), ("good", "EXACT"))
        reason = bad["reason"] or ""
        self.assertNotRegex(reason, r"[\x00-\x1f\x7f]")
        return bad["verdict"], reason.removeprefix(f"{BUILT}/hostile.so:")

    def test_each_misdeed_costs_its_verdict_and_the_next_workload_is_judged(self):
        table = [
            ("crashes", "NO PROGRAM", "crashes was ended by SIGSEGV (signal 11)"),
            ("recurses", "NO PROGRAM", "recurses was ended by SIGSEGV (signal 11)"),
            ("writes_past_the_storage", "NO PROGRAM", "was ended by SIGSEGV (signal 11)"),
            ("aborts", "NO PROGRAM", "aborts was ended by SIGABRT (signal 6); it printed last: "
             "hostile.c: a bad ?[31massertion"),
            ("exits", "NO PROGRAM", "ended its process with exit code 0 and without an answer"),
            ("exits_with_a_code", "NO PROGRAM", "with exit code 7 and without an answer"),
            ("closes_everything", "NO PROGRAM", "without an answer"),
            ("makes_too_much", "NO PROGRAM",
             "says that it made 4294967295 instructions; at most 32767 have room"),
            ("moves_the_storage", "NO PROGRAM", "changed the pointer to the storage"),
            ("writes_to_every_descriptor", "NO PROGRAM", "something that is no program"),
            ("fills_the_storage", "ILLEGAL", "[encoding / imem.overflow] the program has 32767"),
            ("makes_garbage", "ILLEGAL", "[isa / enc.field_range] instruction 0 (nop): field op"),
            ("makes_nothing", "ILLEGAL", "[isa / prog.empty]"),
            ("declines", "DECLINED", "declines declined: not today"),
            ("declines_in_silence", "DECLINED", "without a message: it returned -5"),
            ("declines_with_controls", "DECLINED", "declined: two?lines, ?[31mred? and \ufffd"),
            ("declines_without_end", "DECLINED", "declined: " + 255 * "y"),
            ("counts_descriptors", "DECLINED", "declined: 4 open"),
        ]
        for function, verdict, says in table:
            got, reason = self.hostile(function)
            self.assertEqual(got, verdict, reason)
            self.assertIn(says, reason)

    def test_what_does_no_harm_is_judged(self):
        for function in ("chatters", "reads_stdin", "scribbles", "leaves_a_child_and_maps",
                         "returns_twice"):
            self.assertEqual(self.hostile(function, code=0), ("EXACT", ""))
        self.assertEqual(self.hostile("crashes_in_a_copy", "--submission-mbytes", "64", code=0),
                         ("EXACT", ""))

    def test_time_is_limited(self):
        for function in ("loops", "stops", "leaves_its_group"):
            self.assertEqual(self.hostile(function, "--submission-seconds", "1"),
                             ("NO PROGRAM", f"{function} ran into the time limit of 1 s"))

    @unittest.skipIf(SANITIZED, "AddressSanitizer's shadow memory leaves no room for a limit")
    def test_memory_is_limited(self):
        says = "hogs was ended by SIGSEGV (signal 11) with its memory limit of {} MB all but reached"
        self.assertEqual(self.hostile("hogs", "--submission-mbytes", "64"),
                         ("NO PROGRAM", says.format(64)))
        self.assertEqual(self.hostile("hogs", "--submission-mbytes", "640", code=0), ("EXACT", ""))
        # A lower limit of who starts the judge holds, and is what is told.
        run = subprocess.run(["sh", "-c", 'ulimit -v 300000; exec "$0" "$@"', PROGRAM, "run",
                              "corpus/0_bad.json", "--program", f"{BUILT}/hostile.so:hogs"],
                             cwd=self.dir, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1, run.stderr)
        limit = re.search(r"its memory limit of (\d+) MB all but reached", run.stdout)
        self.assertLess(int(limit[1]), 300)

    def test_no_process_of_it_is_left(self):
        verdict, reason = self.hostile("leaves_a_child")
        child = int(re.fullmatch(r"leaves_a_child declined: child (\d+)", reason)[1])
        self.assertEqual(verdict, "DECLINED")
        try:
            handle = os.pidfd_open(child)
        except ProcessLookupError:
            return
        self.addCleanup(os.close, handle)
        self.ends(handle)

    def test_whatever_the_judge_inherits(self):
        words = [PROGRAM, "judge", "legal", "--corpus", "corpus", "--program",
                 f"{BUILT}/hostile.so:aborts"]
        told = self.ok(*words[1:], code=1)
        for setting in ("env --ignore-signal=CHLD,PIPE {}", "{} <&-", "{} 2>&-"):
            run = subprocess.run(["sh", "-c", setting.format('"$0" "$@"'), *words], cwd=self.dir,
                                 stdout=subprocess.PIPE, check=False)
            self.assertEqual((run.returncode, run.stdout.decode()), (1, told), setting)

    def test_what_the_judge_is_about_to_print_is_not_taken_for_the_functions(self):
        text = self.ok("judge", "correct", "--corpus", "corpus", "--program",
                       f"{BUILT}/hostile.so:exits", code=1)
        self.assertIn("exits ended its process with exit code 0 and without an answer\n", text)
        self.assertEqual(text.count("judge correct on T=4"), 1)

    def test_it_is_not_asked_for_what_does_not_fit(self):
        spec = json.loads((SOURCE / "corpus" / "01_gemm_4x4x4.json").read_text())
        self.write("big/1_bad.json", dict(spec, name="bad", dims={"m": 64, "k": 64, "n": 64}))
        text = self.ok("judge", "correct", "--corpus", "big", "--config", "published", "--program",
                       f"{BUILT}/hostile.so:loops_aloud", "--submission-seconds", "1")
        self.assertTrue(text.endswith("\n1 skipped\n"), text)
        self.assertFalse((self.dir / "here").exists())

    def test_its_limits_are_those_of_its_process(self):
        before = resource.getrlimit(resource.RLIMIT_CORE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_CORE, before)
        resource.setrlimit(resource.RLIMIT_CORE, (before[1], before[1]))
        self.assertEqual(self.hostile("tells_its_limits", "--submission-seconds", "7")[1],
                         "tells_its_limits declined: core 0, cpu 7")

    def test_it_ends_with_the_judge(self):
        judge = subprocess.Popen([PROGRAM, "run", "corpus/0_bad.json", "--program",
                                  f"{BUILT}/hostile.so:loops_aloud", "--submission-seconds", "600"],
                                 cwd=self.dir, stdout=subprocess.DEVNULL)
        self.addCleanup(judge.wait)
        self.addCleanup(judge.kill)
        here = self.dir / "here"
        while not here.exists():
            self.assertIsNone(judge.poll())
        child = int(here.read_text())
        handle = os.pidfd_open(child)
        self.addCleanup(os.close, handle)
        judge.kill()
        self.ends(handle)

    def ends(self, handle):
        ended = select.poll()
        ended.register(handle, select.POLLIN)
        self.assertTrue(ended.poll(60000), "it is still there")

    def test_a_library_that_crashes_while_it_is_loaded(self):
        program = f"{BUILT}/crashes_early.so:map"
        document = self.ok_json("judge", "correct", "--corpus", "corpus", "--program", program,
                                code=1)
        for spec in document["specs"]:
            self.assertEqual((spec["verdict"], spec["reason"]),
                             ("NO PROGRAM", f"{program} was ended by SIGABRT (signal 6) while the "
                              "library was loaded"))
        shutil.copy(BUILT / "gemm.so", self.dir / "cut.so")
        os.truncate(self.dir / "cut.so", 9000)
        self.assertIn("NO PROGRAM - cut.so:gemm", self.ok("run", "gemm_4x4x4", "--program",
                                                          "cut.so:gemm", code=1))

    def test_from_cpp(self):
        self.assertIn(": EXACT", self.ok("run", "gemm_4x4x4", "--program",
                                         f"{BUILT}/throws.so:map_tile"))
        self.assertIn("NO PROGRAM - ", self.ok("run", "gemm_4x4x4", "--program",
                                               f"{BUILT}/throws.so:throws", code=1))

    def test_bad_input(self):
        self.write("text.so", "no library")
        self.write("empty.so", b"")
        os.mkdir(self.dir / "folder.so")
        shutil.copy(PROGRAM, self.dir / "program.so")
        table = [
            ("absent.so:f", ["absent.so: cannot be read: No such file"]),
            ("folder.so:f", ["folder.so: is no file"]),
            ("text.so:f", ["text.so: no shared library that can be loaded", "too short"]),
            ("empty.so:f", ["empty.so: no shared library that can be loaded", "too short"]),
            ("program.so:main", ["program.so: no shared library that can be loaded"]),
            ("x.so", ["'x.so' does not name a function", "LIBRARY.so:FUNCTION is due"]),
            ("x.so:", ["LIBRARY.so:FUNCTION is due"]),
            ("x.so:a-b", ["LIBRARY.so:FUNCTION is due"]),
            (f"{BUILT}/gemm.so:gem", ["gemm.so: has no function 'gem' that others can see"]),
            (f"{BUILT}/gemm.so:decline", ["has no function 'decline'"]),  # static
            (f"{BUILT}/hostile.so:snprintf", ["has no function 'snprintf'"]),  # another library's
            (f"{BUILT}/no_version.so:map", ["tpu_submission.h", "the line TPU_SUBMISSION; is due"]),
            (f"{BUILT}/other_version.so:map", ["version 2 of tpu_submission.h; version 1 is due"]),
        ]
        for program, says in table:
            self.refused("judge", "correct", "--program", program, says=says)
            self.refused("judge", "legal", "--spec", "gemm_4x4x4", "--json", "--program", program,
                         says=says)
            self.refused("run", "gemm_4x4x4", "--program", program, says=says)

    def test_limits_are_options_with_a_default_and_a_range(self):
        header = (SOURCE / "judge" / "submission.h").read_text(encoding="utf-8")
        text = self.ok("judge", "fast", "--help")
        for name in ("seconds", "mbytes"):
            default = re.search(rf"TPU_SUBMISSION_{name.upper()} = (\d+)", header)[1]
            self.assertRegex(text, rf"--submission-{name} N .*\(default {default}\)")
            for value in ("0", "-1", "1.5", "x", "99999999"):
                self.refused("judge", "legal", "--program", GEMM, f"--submission-{name}", value,
                             says=[f"'--submission-{name}' is '{value}'", "an integer"])
            for words in (["judge", "correct"], ["judge", "legal"], ["judge", "fast"], ["work"],
                          ["run", "gemm_4x4x4"], ["path", "gemm_4x4x4"], ["depth", "gemm_4x4x4"],
                          ["run", f"{BUILD}/firmware/hello.elf"]):
                self.refused(*words, f"--submission-{name}", "20",
                             says=f"'--submission-{name}' has no meaning")


class Example(Cli):
    """docs/examples/gemm.c, wherever --program is taken."""

    def test_the_corpus(self):
        document = self.valid(self.ok_json("judge", "correct", "--program", GEMM, code=1),
                              "correct")
        self.assertEqual(document["summary"]["text"], "15 exact, 1 known gap, 6 declined")
        for spec in document["specs"]:
            if spec["verdict"] == "DECLINED":
                self.assertIn(f"gemm.so:gemm declined: only ", spec["reason"])
        eight = self.ok_json("judge", "correct", "--program", GEMM, "--config", "t8", code=1)
        self.assertEqual(eight["summary"]["text"],
                         "10 exact, 1 known gap, 7 unsatisfiable, 4 declined")
        small = self.ok_json("judge", "correct", "--program", GEMM, "--config", "published", code=1)
        self.assertEqual(small["summary"]["skipped"], 5)  # the function is not asked
        legal = self.valid(self.ok_json("judge", "legal", "--program", GEMM, code=1), "legal")
        self.assertEqual([p["verdict"] for p in legal["programs"]].count("LEGAL"), 15)
        self.assertEqual({p["program"] for p in legal["programs"]}, {"function"})
        fast = self.valid(self.ok_json("judge", "fast", "--program", GEMM, "--simulate", code=1),
                          "fast")
        timed = [s for s in fast["specs"] if s["tier"] == "timed"]
        self.assertEqual(len(timed), 15)
        work = self.valid(self.ok_json("work", "--program", GEMM, code=1), "work")
        outcomes = [p["outcome"] for p in work["programs"]]
        self.assertEqual((outcomes.count("COMPLETES"), outcomes.count("DECLINED")), (15, 6))

    def test_a_corpus_that_it_maps_passes(self):
        shutil.copy(SOURCE / "corpus" / "06_gemm_relu_16x16x16.json", self.dir)
        for words in (["judge", "correct"], ["judge", "legal"], ["judge", "fast"], ["work"]):
            self.ok(*words, "--corpus", ".", "--program", GEMM)

    def test_one_workload(self):
        shutil.copy(BUILT / "gemm.so", self.dir)
        for program in ("gemm.so:gemm", "./gemm.so:gemm", GEMM):
            run = self.valid(self.ok_json("run", "gemm_16x16x16", "--program", program), "run")
            self.assertEqual((run["verdict"], run["instructions"]), ("EXACT", 13))
        for words in (["judge", "correct", "--spec"], ["judge", "fast", "--spec"],
                      ["judge", "legal", "--spec"], ["judge", "legal"], ["work"], ["path"],
                      ["depth"]):
            text = self.ok(*words, "gemm_16x16x16", "--program", "gemm.so:gemm")
            self.assertIn("gemm_16x16x16", text)
        self.assertIn("13 instructions, from a function",
                      self.ok("judge", "legal", "gemm_16x16x16", "--program", "gemm.so:gemm"))
        for command in ("run", "path", "depth"):
            self.refused(command, "--program", "gemm.so:gemm",
                         says=f"tpuvp {command} SPEC --program gemm.so:gemm")

    def test_it_declines_and_says_so(self):
        for command, kind in (("run", "run"), ("depth", "depth"), ("path", "path"),
                              ("work", "work")):
            document = self.valid(self.ok_json(command, "relu_16x16", "--program", GEMM, code=1),
                                  kind)
            told = document["programs"][0] if command == "work" else document
            self.assertEqual(told.get("verdict", told.get("outcome")), "DECLINED")
            self.assertEqual(told["reason"], f"{GEMM} declined: only mk,kn->mn is compiled"
                             if len(GEMM) < 160 else told["reason"])

    def test_same_input_same_bytes_out(self):
        words = ["judge", "correct", "--program", GEMM]
        self.assertEqual(self.ok(*words, code=1), self.ok(*words, code=1))

    def test_it_builds_against_an_installation(self):
        prefix = self.dir / "prefix"
        subprocess.run(["cmake", "--install", str(BUILD), "--prefix", str(prefix)], check=True,
                       capture_output=True)
        example = prefix / "share/doc/tpuvp/examples/gemm.c"
        for compiler in (["cc", "-std=c17", "-pedantic"], ["c++", "-std=c++17", "-x", "c++"]):
            header_only = compiler[0] == "c++"  # the example is C
            source = self.write("h.cpp", '#include "tpu_submission.h"\nTPU_SUBMISSION;\n') \
                if header_only else str(example)
            subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC",
                            f"-I{prefix}/include/tpuvp", source, "-o", "out.so"], cwd=self.dir,
                           check=True)
            if not header_only:
                run = subprocess.run([str(prefix / "bin/tpuvp"), "judge", "correct", "--spec",
                                      "gemm_8x8x8", "--program", "out.so:gemm"], cwd=self.dir,
                                     capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn("\n1 exact\n", run.stdout)


if __name__ == "__main__":
    unittest.main()
