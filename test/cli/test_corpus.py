# SPDX-License-Identifier: Apache-2.0
"""corpus: every spec at every configuration, as text and as JSON, and what makes it end with 1."""
import json
import re
import unittest
import xml.etree.ElementTree as xml

from harness import SOURCE, Cli
from test_specs import changed

NAMES = [re.sub(r"^\d+_", "", f.stem) for f in sorted((SOURCE / "corpus").glob("*.json"))]
ROW = re.compile(r"^(\w+)  +([A-Z]+(?: [A-Z]+)*)  +(\d+|-) +(\d+|-)  +(\w+|-) +(?:(\d+\.\d) %|-)$")


class Corpus(Cli):
    def counts(self, *args, code=0):
        document = self.ok_json("corpus", *args, code=code)
        self.assertEqual([s["name"] for s in document["specs"]], NAMES)
        counts = {}
        for spec in document["specs"]:
            self.assertEqual(sum(spec["causes"].values()), spec["cycles"])
            counts[spec["verdict"]] = counts.get(spec["verdict"], 0) + 1
            if spec["verdict"] != "EXACT":
                self.assertGreater(len(spec["reason"]), 20, spec)
            self.assertEqual(spec["completed"], spec["cycles"] > 0 and spec["run"] != "DEADLOCK")
        for verdict, n in counts.items():
            self.assertEqual(document["summary"][verdict.lower()], n)
        return counts, document

    def test_default_is_21_exact_and_the_known_gap(self):
        counts, document = self.counts()
        self.assertEqual(counts, {"EXACT": 21, "KNOWN GAP": 1})
        self.assertEqual(document["summary"]["text"], "21 exact, 1 known gap")
        gap = next(s for s in document["specs"] if s["verdict"] == "KNOWN GAP")
        self.assertEqual((gap["name"], gap["run"]), ("gemm_reduce_8x6x8", "WRONG"))
        for spec in document["specs"]:
            self.assertGreater(spec["end_to_end"], spec["cycles"])
            self.assertTrue(0 < spec["array_utilization"] < 1)

    def test_junit(self):
        self.ok("corpus", "--config", "published", "--junit", "c.xml")
        suite = xml.parse(self.dir / "c.xml").getroot()
        self.assertEqual((suite.get("name"), suite.get("tests"), suite.get("failures"),
                          suite.get("skipped")), ("corpus", "22", "0", "6"))
        self.assertEqual([c.get("name") for c in suite.findall("testcase")], NAMES)
        run = self.run_program("corpus", "--config", "published", "--junit", "absent/c.xml")
        self.assertEqual(run.returncode, 2)
        self.assertIn(b"absent/c.xml", run.stderr)

    def test_text_has_a_row_per_spec_and_a_summary(self):
        lines = self.ok("corpus").splitlines()
        rows = [m.groups() for m in map(ROW.match, lines) if m]
        self.assertEqual([r[0] for r in rows], NAMES)
        self.assertEqual(sum(r[1] == "EXACT" for r in rows), 21)
        self.assertEqual(lines[-1], "21 exact, 1 known gap")
        same = {s["name"]: s for s in self.ok_json("corpus")["specs"]}
        for name, verdict, cycles, end_to_end, critical, share in rows:
            self.assertEqual((verdict, int(cycles), int(end_to_end), critical),
                             (same[name]["verdict"], same[name]["cycles"],
                              same[name]["end_to_end"], same[name]["critical_unit"]))
            self.assertAlmostEqual(float(share), 100 * same[name]["array_utilization"], delta=0.06)

    def test_progress_is_on_stderr(self):
        run = self.run_program("corpus")
        for i, name in enumerate(NAMES, 1):
            self.assertIn(f"[{i}/22] {name}\n", run.stderr.decode())

    def test_published_configuration_skips_the_steady_specs(self):
        counts, document = self.counts("--config", "published")
        self.assertEqual(counts, {"EXACT": 16, "KNOWN GAP": 1, "SKIPPED": 5})
        for spec in document["specs"]:
            self.assertEqual(spec["verdict"] == "SKIPPED", "steady" in spec["name"])
            if spec["verdict"] == "SKIPPED":
                self.assertIn("MAXDIM=16", spec["reason"])
                self.assertEqual((spec["cycles"], spec["completed"]), (0, False))

    def test_wider_arrays_derive_what_is_unsatisfiable(self):
        counts, document = self.counts("--config", "t8")
        self.assertEqual(counts, {"EXACT": 14, "KNOWN GAP": 1, "UNSATISFIABLE": 7})
        for spec in document["specs"]:
            if spec["verdict"] == "UNSATISFIABLE":
                self.assertIn("T=8", spec["reason"])
                self.assertNotEqual(spec["run"], "EXACT")
        counts, _ = self.counts("--config", "t16")
        self.assertEqual(counts, {"EXACT": 9, "KNOWN GAP": 1, "UNSATISFIABLE": 12})

    def test_what_can_be_satisfied_is_exact_at_every_width_and_what_cannot_is_not(self):
        for t, maxdim in ((4, 48), (5, 60), (6, 60), (8, 32), (12, 60), (16, 48)):
            with self.subTest(T=t, MAXDIM=maxdim):
                counts, document = self.counts("--set", f"T={t}", "--set", f"MAXDIM={maxdim}",
                                               "--set", "QD=64", "--seed", str(t))
                self.assertLessEqual(set(counts),
                                     {"EXACT", "KNOWN GAP", "SKIPPED", "UNSATISFIABLE"})
                for spec in document["specs"]:
                    if spec["verdict"] == "UNSATISFIABLE":
                        self.assertNotEqual(spec["run"], "EXACT", spec["name"])

    def test_short_streams_hang_relu_and_only_it(self):
        counts, document = self.counts("--config", "qd8", code=1)
        self.assertEqual(counts, {"EXACT": 20, "KNOWN GAP": 1, "DEADLOCK": 1})
        hung = next(s for s in document["specs"] if s["verdict"] == "DEADLOCK")
        self.assertEqual(hung["name"], "relu_16x16")
        self.assertIn("sequencer", hung["reason"])

    def test_same_seed_same_bytes_other_seed_same_cycles(self):
        first = self.ok("corpus", "--seed", "7", "--json")
        self.assertEqual(first, self.ok("corpus", "--seed", "7", "--json"))
        other = json.loads(self.ok("corpus", "--seed", "8", "--json"))["specs"]
        for a, b in zip(json.loads(first)["specs"], other):
            self.assertEqual((a["verdict"], a["cycles"]), (b["verdict"], b["cycles"]))

    def test_an_unexpected_pass_and_a_declined_mapping_end_with_1(self):
        self.write("gap/gemm_4x4x4.json", changed(known_gap="said to be impossible, but is not"))
        specs = self.ok_json("corpus", "--corpus", "gap", code=1)["specs"]
        self.assertEqual(specs[0]["verdict"], "UNEXPECTED PASS")
        self.assertIn("1 unexpected pass", self.ok("corpus", "--corpus", "gap", code=1))
        other = changed(name="other", einsum="mk,kn->nm", output__subscript="nm")
        self.write("odd/other.json", other)
        specs = self.ok_json("corpus", "--corpus", "odd", code=1)["specs"]
        self.assertEqual(specs[0]["verdict"], "DECLINED")
        self.assertIn("mk,kn->nm has no mapping", specs[0]["reason"])
        self.write("one/gemm_4x4x4.json", changed())
        small = self.ok_json("corpus", "--corpus", "one", "--set", "IMEM_SIZE=16", code=1)["specs"]
        self.assertEqual(small[0]["verdict"], "DECLINED")
        self.assertIn("IMEM_SIZE", small[0]["reason"])

    def test_bad_input_is_said_before_anything_is_printed(self):
        self.write("bad/gemm_4x4x4.json", changed(dims__m=4.5))
        self.refused("corpus", "--corpus", "bad", says=["gemm_4x4x4.json", "$.dims.m"])
        self.refused("corpus", "--corpus", "absent", says="absent")
        self.refused("corpus", "--firmware", ".", says="tpu_corpus.elf")
        self.refused("corpus", "--set", "T=3", says="T")
        self.write("config/c.json", {"timing": "absent"})
        self.refused("corpus", "--config", "config/c.json", says=["c.json", "$.timing", "absent"])

    def test_timing_profiles_are_held_to_their_table(self):
        profile = json.loads((SOURCE / "configs/timing/hls-2023.2.json").read_text())
        self.write("c.json", {"timing": "mine"})
        self.write("timing/mine.json", profile)
        base = self.ok_json("corpus", "--config", "./c.json")
        profile["constants"]["start_cycles"]["value"] += 10
        self.write("timing/mine.json", profile)
        slower = self.ok_json("corpus", "--config", "./c.json")
        for a, b in zip(base["specs"], slower["specs"]):
            self.assertEqual(b["cycles"], a["cycles"] + 10, a["name"])
        for change, says in [
                (lambda c: c.pop("fetch_interval"), "fetch_interval"),
                (lambda c: c.update(surprise={"value": 1, "unit": "u", "reason": "r"}), "surprise"),
                (lambda c: c["fetch_interval"].update(value=0), "$.constants.fetch_interval.value"),
                (lambda c: c["fetch_interval"].update(value=1.5), "1.5"),
                (lambda c: c["fetch_interval"].pop("reason"), "reason")]:
            broken = json.loads((SOURCE / "configs/timing/hls-2023.2.json").read_text())
            change(broken["constants"])
            self.write("timing/mine.json", broken)
            self.refused("corpus", "--config", "./c.json", says=["mine.json", says])


if __name__ == "__main__":
    unittest.main()
