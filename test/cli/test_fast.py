# SPDX-License-Identifier: Apache-2.0
"""judge fast: work, estimate, gate and tiers, and what none of them claims."""
import json
import unittest
import xml.etree.ElementTree as xml

from harness import SOURCE, TILE, Cli

TABLE = SOURCE / "test" / "data" / "rtl_calibration.json"
UNITS = ["dma_ld", "spm", "vru", "accu", "dma_st"]


class Fast(Cli):
    def document(self, *args, code=0):
        return self.valid(self.ok_json("judge", "fast", *args, code=code), "fast")

    def spec(self, name, *args, code=0):
        return self.document("--spec", name, *args, code=code)["specs"][0]

    def program(self, text, name="p.json"):
        self.ok("asm", self.write("p.s", text), "-o", name)
        return name

    def test_estimates_follow_the_largest_count_and_are_on_no_tier(self):
        document = self.document()
        self.assertEqual(document["summary"]["text"], "21 exact, 1 known gap")
        for spec in document["specs"]:
            work = spec["work"]
            self.assertEqual(work["largest"], max(work[u] for u in UNITS))
            self.assertEqual(work["units"], [u for u in UNITS if work[u] == work["largest"]])
            self.assertAlmostEqual(spec["estimate"], 179.0 + 1.573 * work["largest"])
            self.assertEqual((spec["reference"], spec["gate"], spec["simulated"]),
                             (spec["estimate"], None, None))
            self.assertEqual(spec["tier"], "legal" if spec["verdict"] == "KNOWN GAP" else "correct")
        self.assertIn("nothing listed is timed", document["note"])
        text = self.ok("judge", "fast")
        self.assertIn(document["note"], text)
        self.assertLessEqual(max(map(len, text.splitlines())), 130)

    def test_simulated_cycles_are_those_of_run(self):
        document = self.document("--simulate")
        self.assertNotIn("timed", document["note"])
        self.assertIn("nothing listed is confirmed", document["note"])
        corpus = {s["name"]: s for s in self.ok_json("corpus")["specs"]}
        for spec in document["specs"]:
            of = corpus[spec["name"]]
            self.assertEqual(spec["simulated"],
                             {k: of[k] for k in ("completed", "cycles", "extrapolated")})
            self.assertEqual(spec["tier"], "legal" if spec["verdict"] == "KNOWN GAP" else "timed")

    def test_measured_confirms_the_same_words_at_the_same_parameters(self):
        spec = self.spec("gemm_8x8x8", "--config", "published", "--measured", TABLE)
        self.assertEqual((spec["measured"], spec["tier"], spec["simulated"]),
                         ({"id": "gemm_8x8x8@m16q16", "completes": True, "cycles": 265},
                          "confirmed", None))
        spec = self.spec("gemm_reuse_m_16x16x4", "--measured", TABLE, "--simulate")
        self.assertEqual((spec["measured"], spec["tier"]), (None, "timed"))
        spec = self.spec("gemm_reduce_8x6x8", "--measured", TABLE, "--simulate")
        self.assertEqual((spec["measured"]["cycles"], spec["tier"]), (361, "legal"))
        document = self.document("--measured", TABLE)
        self.assertIn("the rest is not timed", document["note"])
        document = self.document("--measured", TABLE, "--simulate")
        self.assertEqual(document["note"], "confirmed is what the table of --measured says it is")

    def measured(self, completes, cycles):
        program = self.program(TILE)
        words = json.loads((self.dir / program).read_text())
        table = self.write("t.json", [{"id": "mine", "completes": completes, "cycles": cycles,
                                       "config": {"T": 4, "MAXDIM": 64, "QD": 16},
                                       "program": words}])
        return ["--program", program, "--measured", table]

    def test_a_measured_hang_is_named_and_fails(self):
        for simulate in ([], ["--simulate"]):
            spec = self.spec("gemm_4x4x4", *self.measured(False, None), *simulate, code=1)
            self.assertEqual((spec["verdict"], spec["tier"], spec["gate"]),
                             ("DEADLOCK", "correct", None))
            self.assertEqual(spec["reason"], "the RTL was measured to hang: point mine")

    def test_a_measured_hang_of_a_known_gap_fails_as_a_hang(self):
        args = ["--spec", "gemm_reduce_8x6x8", "--simulate", "--junit", "j.xml", "--measured"]
        point = self.document(*args, TABLE)["specs"][0]["measured"]["id"]
        table = [{**p, "cycles": None, "completes": False}
                 for p in json.loads(TABLE.read_text()) if p["id"] == point]
        document = self.document(*args, self.write("t.json", table), code=1)
        self.assertEqual((document["summary"]["text"], document["slow"], document["failed"]),
                         ("1 known gap", 0, 1))
        failure = xml.parse(self.dir / "j.xml").getroot().find("testcase/failure")
        self.assertEqual(failure.get("type"), "DEADLOCK")
        self.assertIn(f"measured to hang: point {point}", document["specs"][0]["remark"])

    def test_the_note_says_why_nothing_is_confirmed(self):
        args = ["--spec", "gemm_4x4x4", "--simulate"]
        self.assertEqual(self.document(*args)["note"],
                         "nothing listed is confirmed: no RTL was measured")
        hangs = self.measured(False, None)
        document = self.document(*args, *hangs, code=1)
        self.assertEqual(document["note"], "nothing listed is confirmed")
        document = self.document(*args, *hangs[2:], "--set", "QD=8")
        self.assertEqual(document["note"], "nothing listed is confirmed: no point of the table of "
                         "--measured is of these words at these parameters")

    def test_the_summary_says_what_the_exit_code_says(self):
        document = self.document()
        self.assertEqual((document["slow"], document["failed"]), (0, 0))
        self.assertTrue(self.ok("judge", "fast").endswith(
            "\n21 exact, 1 known gap; 0 slow; 0 failed\n"))
        for args, end in ((self.slow(), "1 exact; 1 slow; 1 failed"),
                          (self.measured(False, None), "1 deadlock; 0 slow; 1 failed")):
            text = self.ok("judge", "fast", "--spec", "gemm_4x4x4", *args, code=1)
            self.assertTrue(text.endswith(f"\n{end}\n"), text)
            document = self.document("--spec", "gemm_4x4x4", *args, code=1)
            self.assertEqual(f"{document['summary']['text']}; {document['slow']} slow; "
                             f"{document['failed']} failed", end)

    def test_a_completion_without_a_count_confirms_nothing(self):
        args = self.measured(True, None)
        spec = self.spec("gemm_4x4x4", *args)
        self.assertEqual((spec["measured"]["cycles"], spec["tier"]), (None, "correct"))
        text = self.ok("judge", "fast", "--spec", "gemm_4x4x4", *args)
        self.assertIn("completes\n", text)

    def test_a_hang_is_named_and_neither_timed_nor_gated(self):
        spec = self.spec("relu_16x16", "--config", "qd8", "--simulate", code=1)
        self.assertEqual((spec["verdict"], spec["tier"], spec["gate"]),
                         ("DEADLOCK", "correct", None))
        self.assertFalse(spec["simulated"]["completed"])
        self.assertIn("37 processes wait", spec["reason"])
        self.assertAlmostEqual(spec["estimate"], 179.0 + 1.573 * 192)
        self.assertEqual(self.spec("relu_16x16", "--config", "qd8")["verdict"], "EXACT")

    def slow(self):
        text = "loop 20\n" + TILE.splitlines()[0] + "\nendloop\n" + TILE
        return ["--program", self.program(text, "slow.json")]

    def test_the_gate(self):
        args = [*self.slow(), "--simulate"]
        spec = self.spec("gemm_4x4x4", *args, code=1)
        self.assertEqual((spec["verdict"], spec["gate"], spec["tier"]), ("EXACT", "slow", "timed"))
        self.assertIn("10 % is allowed", spec["remark"])
        self.ok("judge", "fast", "--spec", "gemm_4x4x4", *args, "--junit", "j.xml", code=1)
        failure = xml.parse(self.dir / "j.xml").getroot().find("testcase/failure")
        self.assertEqual(failure.get("type"), "SLOW")
        spec = self.spec("gemm_4x4x4", "--program", self.program(TILE))
        self.assertEqual((spec["gate"], spec["remark"]), ("passes", None))

    def test_illegal_wrong_and_declined(self):
        spec = self.spec("gemm_4x4x4", "--program",
                         self.program("mvout ar=0 row=0 col=0 rows=4\n"), code=1)
        self.assertEqual((spec["verdict"], spec["rule"], spec["tier"], spec["work"]),
                         ("ILLEGAL", "mem.write_before_read", "none", None))
        spec = self.spec("gemm_4x4x4", "--program", self.program(TILE.replace("row=0", "row=1", 1)),
                         "--simulate", code=1)
        self.assertEqual((spec["verdict"], spec["tier"]), ("WRONG", "legal"))
        window = self.program(TILE + "mvout ar=0 row=8 col=0 rows=4\n")
        spec = self.spec("gemm_4x4x4", "--program", window, code=1)
        self.assertEqual((spec["verdict"], spec["rule"], spec["tier"]),
                         ("ILLEGAL", "spec.write_window", "none"))
        spec = self.spec("gemm_4x4x4", "--set", "IMEM_SIZE=16", code=1)
        self.assertEqual((spec["verdict"], spec["reference"], spec["gate"]),
                         ("DECLINED", None, None))

    def test_skipped_and_unsatisfiable_leave_0(self):
        self.assertEqual(self.document("--config", "published")["summary"]["text"],
                         "16 exact, 1 known gap, 5 skipped")
        self.assertEqual(self.document("--config", "t8", "--simulate")["summary"]["text"],
                         "14 exact, 1 known gap, 7 unsatisfiable")

    def test_a_spec_is_added_by_adding_a_file_and_junit(self):
        spec = json.loads((SOURCE / "corpus" / "05_gemm_16x16x16.json").read_text())
        spec.update(name="mine", dims={"m": 20, "k": 12, "n": 8})
        self.write("corpus/mine.json", spec)
        listed = self.document("--corpus", "corpus", "--simulate", "--junit", "j.xml")["specs"]
        self.assertEqual([(s["name"], s["tier"]) for s in listed], [("mine", "timed")])
        suite = xml.parse(self.dir / "j.xml").getroot()
        self.assertEqual((suite.get("name"), suite.get("tests")), ("judge fast", "1"))

    def test_bad_input(self):
        self.refused("judge", "fast", "--program", "p.json", says=["--program", "--spec NAME"])
        self.refused("judge", "fast", "--measured", "absent.json", says="absent.json")
        self.refused("judge", "fast", "--measured", self.write("t.json", {}), says="t.json: $")
        self.refused("judge", "fast", "--spec", "absent", says="absent")
        self.refused("judge", "fast", "--set", "memory.latency_cycles=7", says="ideal memory")


if __name__ == "__main__":
    unittest.main()
