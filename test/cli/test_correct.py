# SPDX-License-Identifier: Apache-2.0
"""judge correct: both anchors on the elaborated platform, verdicts, pictures, JUnit."""
import json
import unittest
import xml.etree.ElementTree as xml

from harness import SOURCE, TILE, Cli

OPERANDS = ["small", "mid", "full", "corner"]


class Correct(Cli):
    def document(self, *args, code=0):
        return self.valid(self.ok_json("judge", "correct", *args, code=code), "correct")

    def assembled(self, text, name="p.json"):
        self.ok("asm", self.write("p.s", text), "-o", name)
        return name

    def counts(self, *args, code=0):
        document = self.document(*args, code=code)
        for spec in document["specs"]:
            runs = [(r["operands"], r["run"]) for r in spec["runs"]]
            self.assertIn(runs, ([], [(o, n) for o in OPERANDS for n in (1, 2)]))
        return document["summary"]["text"]

    def test_the_corpus_at_every_configuration(self):
        self.assertEqual(self.counts(), "21 exact, 1 known gap")
        self.assertEqual(self.counts("--config", "published"), "16 exact, 1 known gap, 5 skipped")
        self.assertEqual(self.counts("--config", "t8"), "14 exact, 1 known gap, 7 unsatisfiable")
        self.assertEqual(self.counts("--config", "t16"), "9 exact, 1 known gap, 12 unsatisfiable")

    def test_text_says_the_same(self):
        document = self.document("--config", "published")
        text = self.ok("judge", "correct", "--config", "published")
        lines = [line.split() for line in text.splitlines()]
        for spec in document["specs"]:
            held = [str(sum(r[a]["holds"] for r in spec["runs"]))
                    for a in ("program_against_spec", "design_against_isa")]
            row = [spec["name"], *spec["verdict"].split()]
            row += [held[0], "of", "8", held[1], "of", "8"] if spec["runs"] else ["-", "-"]
            self.assertIn(row, lines)
        self.assertIn(document["summary"]["text"], text.splitlines())
        self.assertLessEqual(max(map(len, self.ok("judge", "correct").splitlines())), 130)

    def test_a_run_is_the_platforms(self):
        spec = self.document("--spec", "gemm_16x16x16")["specs"][0]
        run = self.ok_json("run", "gemm_16x16x16")
        self.assertEqual({r["cycles"] for r in spec["runs"]}, {run["cycles"]})
        self.assertEqual((spec["verdict"], spec["reason"], spec["moved"], spec["picture"]),
                         ("EXACT", None, "none", None))
        for r in spec["runs"]:
            self.assertEqual((r["program_against_spec"]["holds"], r["design_against_isa"]["holds"]),
                             (True, True))
            self.assertIn("4096 bytes", r["design_against_isa"]["text"])

    def test_a_known_gap_is_the_programs_and_is_drawn(self):
        args = ["--spec", "gemm_reduce_8x6x8"]
        spec = self.document(*args)["specs"][0]
        self.assertEqual((spec["verdict"], spec["own"], spec["moved"]),
                         ("KNOWN GAP", "WRONG", "program"))
        first = spec["runs"][0]["program_against_spec"]["first"]
        self.assertNotEqual(first["expected"], first["got"])
        self.assertEqual((spec["picture"]["cell"], len(spec["picture"]["lines"])), (1, 8))
        text = self.ok("judge", "correct", *args)
        for line in spec["picture"]["lines"]:
            self.assertIn(f"    {line}\n", text)
        self.assertIn("the program against the spec", text)

    def test_a_wrong_submission_says_where(self):
        wrong = self.assembled(TILE.replace("mode=B:spad row=0", "mode=B:spad row=1"))
        args = ["--spec", "gemm_4x4x4", "--program", wrong]
        spec = self.document(*args, code=1)["specs"][0]
        self.assertEqual((spec["verdict"], spec["moved"]), ("WRONG", "program"))
        self.assertIn("operands small, run 1: program against spec: ", spec["reason"])
        self.assertTrue(all(r["design_against_isa"]["holds"] for r in spec["runs"]))
        text = self.ok("judge", "correct", *args, code=1)
        first = spec["runs"][0]["program_against_spec"]["first"]
        self.assertIn(f"C[{first['row']}][{first['col']}]: expected {first['expected']}, "
                      f"got {first['got']}", text)
        self.assertEqual([len(l) for l in spec["picture"]["lines"]], [4] * 4)

    def test_illegal_declined_deadlocked_and_unexpected(self):
        program = self.assembled("mvout ar=0 row=0 col=0 rows=4\n")
        spec = self.document("--spec", "gemm_4x4x4", "--program", program, code=1)["specs"][0]
        self.assertEqual((spec["verdict"], spec["rule"], spec["runs"]),
                         ("ILLEGAL", "mem.write_before_read", []))
        spec = self.document("--spec", "gemm_4x4x4", "--set", "IMEM_SIZE=16", code=1)["specs"][0]
        self.assertEqual((spec["verdict"], spec["runs"]), ("DECLINED", []))
        spec = self.document("--spec", "relu_16x16", "--config", "qd8", code=1)["specs"][0]
        self.assertEqual((spec["verdict"], spec["moved"]), ("DEADLOCK", "none"))
        self.assertIsNone(spec["runs"][0]["design_against_isa"])
        self.assertIn("37 processes wait", spec["reason"])
        gap = json.loads((SOURCE / "corpus" / "01_gemm_4x4x4.json").read_text())
        gap.update(name="gap", known_gap="said to be impossible, but is not")
        self.write("corpus/gap.json", gap)
        spec = self.document("--corpus", "corpus", code=1)["specs"][0]
        self.assertEqual((spec["verdict"], spec["own"]), ("UNEXPECTED PASS", "EXACT"))

    def test_a_spec_is_added_by_adding_a_file(self):
        spec = json.loads((SOURCE / "corpus" / "05_gemm_16x16x16.json").read_text())
        spec.update(name="mine", dims={"m": 20, "k": 12, "n": 8})
        self.write("corpus/07_mine.json", spec)
        listed = self.document("--corpus", "corpus")["specs"]
        self.assertEqual([(s["name"], s["verdict"]) for s in listed], [("mine", "EXACT")])

    def test_junit(self):
        text = self.ok("judge", "correct", "--config", "published", "--junit", "a.xml")
        self.assertIn("16 exact", text)
        suite = xml.parse(self.dir / "a.xml").getroot()
        self.assertEqual((suite.tag, suite.get("tests"), suite.get("failures"), suite.get("errors"),
                          suite.get("skipped")), ("testsuite", "22", "0", "0", "6"))
        self.ok_json("judge", "correct", "--spec", "relu_16x16", "--config", "qd8", "--junit",
                     "b.xml", code=1)
        case = xml.parse(self.dir / "b.xml").getroot().find("testcase")
        self.assertEqual(case.get("name"), "relu_16x16")
        self.assertIn("DEADLOCK: ", case.find("failure").get("message"))

    def test_a_memory_that_is_not_ideal_and_seeds(self):
        slow = ["--spec", "gemm_8x8x8", "--set", "memory.latency_cycles=30"]
        fast = self.document("--spec", "gemm_8x8x8")["specs"][0]
        spec = self.document(*slow)["specs"][0]
        self.assertEqual(spec["verdict"], "EXACT")
        self.assertGreater(spec["runs"][0]["cycles"], fast["runs"][0]["cycles"])
        self.assertEqual(self.ok("judge", "correct", "--seed", "9"),
                         self.ok("judge", "correct", "--seed", "9"))

    def test_bad_input(self):
        self.refused("judge", "correct", "--program", "p.json", says=["--program", "--spec NAME"])
        self.refused("judge", "correct", "--spec", "absent", says="absent")
        self.refused("judge", "correct", "--corpus", "absent", says="absent")
        self.refused("judge", "correct", "--spec", "gemm_4x4x4", "--program", "absent.json",
                     says="absent.json")
        self.refused("judge", "correct", "--seed", "x", says="--seed")
        run = self.run_program("judge", "correct", "--spec", "gemm_4x4x4", "--junit", "absent/a.xml")
        self.assertEqual(run.returncode, 2)
        self.assertIn(b"absent/a.xml", run.stderr)


if __name__ == "__main__":
    unittest.main()
