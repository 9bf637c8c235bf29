# SPDX-License-Identifier: Apache-2.0
"""compare: what changed between two runs, corpora or sweeps, why, and what cannot be compared."""
import json
import unittest

from harness import Cli


class Compare(Cli):
    def save(self, name, *args, code=0):
        return self.write(name, self.ok(*args, "--json", code=code))

    def document(self, *args, code=1):
        return self.valid(self.ok_json("compare", *args, code=code), "compare")

    def counters_changed(self, before, after):
        changed = {}
        for name, unit in before.items():
            counters = {k: {"a": v, "b": after[name][k]} for k, v in unit.items()
                        if k not in ("utilization", "waits") and v != after[name][k]}
            if counters:
                changed[name] = counters
        return changed

    def test_two_runs(self):
        a = self.save("a.json", "run", "gemm_16x16x16")
        b = self.save("b.json", "run", "gemm_16x16x16", "--set", "DMA_WORDS=2", "--set", "QD=8")
        before, after = (json.loads((self.dir / f).read_text()) for f in (a, b))
        document = self.document(a, b)
        self.assertEqual((document["kind"], document["compared"]), ("run", 1))
        self.assertEqual(document["configuration"],
                         {"accelerator.QD": {"a": "16", "b": "8"},
                          "accelerator.DMA_WORDS": {"a": "1", "b": "2"}})
        change = document["changed"][0]
        self.assertEqual(change["cycles"], {"a": before["cycles"], "b": after["cycles"]})
        causes = {c["cause"]: c["change"] for c in change["causes"]}
        self.assertEqual(causes, {k: after["causes"][k] - before["causes"][k]
                                  for k in before["causes"]
                                  if after["causes"][k] != before["causes"][k]})
        self.assertEqual(sum(causes.values()), after["cycles"] - before["cycles"])
        sizes = [abs(c["change"]) for c in change["causes"]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertEqual(change["units"], self.counters_changed(before["units"], after["units"]))
        text = self.ok("compare", a, b, code=1)
        self.assertIn("configuration: accelerator.QD 16 -> 8\n", text)
        self.assertIn(f"gemm_16x16x16: EXACT, cycles {before['cycles']} -> {after['cycles']} (",
                      text)
        self.assertIn("burst A fell by 128", text)
        self.assertIn(f"response wait grew by {causes['response_wait']}", text)

    def test_a_setting_of_one_only_is_named(self):
        a = self.save("a.json", "run", "gemm_4x4x4")
        b = self.save("b.json", "run", "gemm_4x4x4", "--set", "memory.latency_ns=10", "--set",
                      "memory.clock_mhz=100")
        document = self.document(a, b)
        due = {"memory.latency_ns": {"a": "-", "b": "10"},
               "memory.clock_mhz": {"a": "-", "b": "100"}}
        self.assertLessEqual(due.items(), document["configuration"].items())
        self.assertIn("configuration: memory.latency_ns - -> 10\n",
                      self.ok("compare", a, b, code=1))
        self.assertIn("configuration: memory.latency_ns 10 -> -\n",
                      self.ok("compare", b, a, code=1))

    def test_numbers_that_have_no_difference_are_refused(self):
        a = self.save("a.json", "run", "gemm_4x4x4")
        text = (self.dir / a).read_text()
        cycles = json.loads(text)["cycles"]
        for number in (2**63, 2**64 - 1):
            b = self.write("b.json", text.replace(f'"cycles":\t{cycles}', f'"cycles":\t{number}', 1))
            self.refused("compare", a, b, says=["b.json: $.cycles", f"to {2**63 - 1}"])
        b = self.write("b.json", text.replace(f'"cycles":\t{cycles}', f'"cycles":\t{2**63 - 1}', 1))
        self.assertIn(f"(+{2**63 - 1 - cycles}, ", self.ok("compare", a, b, code=1))

    def test_the_same_is_0_and_tolerance_lets_changes_pass(self):
        a = self.save("a.json", "run", "gemm_8x8x8")
        b = self.save("b.json", "run", "gemm_8x8x8", "--set", "QD=8")
        self.assertEqual(self.document(a, a, code=0)["changed"], [])
        self.assertIn("1 compared, 0 changed", self.ok("compare", a, a))
        self.document(a, b)
        self.document(a, b, "--tolerance", "100", code=0)
        # 361 against 357 cycles: 1.1 per cent; no counter of a unit changes by more than 5.
        self.document(a, b, "--tolerance", "1.1")
        self.document(a, b, "--tolerance", "5", code=0)

    def test_a_verdict_that_changes_passes_no_tolerance(self):
        a = self.save("a.json", "run", "relu_16x16")
        b = self.save("b.json", "run", "relu_16x16", "--set", "QD=8", code=1)
        document = self.document(a, b, "--tolerance", "1000000")
        self.assertEqual(document["changed"][0]["verdict"], {"a": "EXACT", "b": "DEADLOCK"})
        self.assertIn("relu_16x16: EXACT -> DEADLOCK, cycles",
                      self.ok("compare", a, b, code=1))

    def test_two_corpora(self):
        a = self.save_corpus("a.json")
        b = self.save_corpus("b.json", "--set", "memory.latency_cycles=5")
        document = self.document(a, b)
        self.assertEqual((document["kind"], document["compared"]), ("corpus", 22))
        self.assertEqual(len(document["changed"]), 22)
        before, after = ({s["name"]: s["units"] for s in json.loads((self.dir / f).read_text())["specs"]}
                         for f in (a, b))
        for change in document["changed"]:
            name = change["name"]
            self.assertEqual(change["units"], self.counters_changed(before[name], after[name]))
            self.assertEqual(sum(c["change"] for c in change["causes"]),
                             change["cycles"]["b"] - change["cycles"]["a"])
        self.document(a, a, code=0)

    def save_corpus(self, name, *args):
        run = self.run_program("corpus", *args, "--json")
        return self.write(name, run.stdout)

    def test_two_sweeps_and_what_is_in_one_only(self):
        for name, qd in (("a", "8,16"), ("b", "16,24")):
            run = self.run_program("sweep", "--set", f"QD={qd}", "--spec", "gemm_?x*", "-o", name)
            self.assertEqual(run.returncode, 0, run.stderr)
        document = self.document("a/results.jsonl", "b/results.jsonl")
        self.assertEqual((document["kind"], document["changed"]), ("sweep", []))
        self.assertEqual(document["compared"], 2)
        self.assertEqual(document["only_in_a"], ["QD=8 gemm_4x4x4", "QD=8 gemm_8x8x8"])
        self.assertEqual(document["only_in_b"], ["QD=24 gemm_4x4x4", "QD=24 gemm_8x8x8"])
        text = self.ok("compare", "a/results.jsonl", "b/results.jsonl", code=1)
        self.assertIn("QD=8 gemm_4x4x4: only in a/results.jsonl\n", text)
        self.assertIn("QD=24 gemm_8x8x8: only in b/results.jsonl\n", text)
        lines = (self.dir / "a/results.jsonl").read_text().splitlines(True)
        point = json.loads(lines[0])
        point["cycles"] += 120
        point["causes"]["response_wait"] += 120
        self.write("c.jsonl", json.dumps(point) + "\n" + "".join(lines[1:]))
        text = self.ok("compare", "a/results.jsonl", "c.jsonl", code=1)
        self.assertIn("  why          response wait grew by 120 cycles\n", text)
        self.assertEqual(text.count("\n"), 3)
        self.ok("compare", "a/results.jsonl", "a/results.jsonl")

    def test_two_sweeps_of_one_product_are_told_by_unit(self):
        self.write("wide.json", {"accelerator": {"DMA_WORDS": 4}})
        sweep = ("sweep", "--set", "QD=8,16", "--spec", "gemm_16x16x16", "-o")
        self.ok_json(*sweep, "a")
        self.ok_json(*sweep, "b", "--config", "wide.json")
        files = ("a/results.jsonl", "b/results.jsonl")
        before, after = ([json.loads(line) for line in (self.dir / f).read_text().splitlines()]
                         for f in files)
        changed = self.document(*files)["changed"]
        self.assertEqual(len(changed), 2)
        for change, p, q in zip(changed, before, after, strict=True):
            due = self.counters_changed(p["units"], q["units"])
            self.assertLess(due["dma_ld"]["busy"]["b"], due["dma_ld"]["busy"]["a"])
            self.assertEqual(change["units"], due)
        self.assertIn("\n  dma_ld       busy -", self.ok("compare", *files, code=1))

    def test_bad_input(self):
        run = self.save("r.json", "run", "gemm_4x4x4")
        corpus = self.save_corpus("c.json")
        self.refused("compare", says="two files")
        self.refused("compare", run, says="two files")
        self.refused("compare", run, run, run, says=["unexpected word", "A.json B.json"])
        self.refused("compare", run, corpus, says=["r.json is a run", "c.json a corpus"])
        self.refused("compare", run, "absent", says="absent")
        self.refused("compare", run, ".", says="is a directory")
        self.refused("compare", run, "", says="an empty word")
        self.refused("compare", run, run, "--set", "T=4", says="'--set' has no meaning")
        self.refused("compare", run, run, "--config", "t8", says="'--config' has no meaning")
        for tolerance in ("-1", "", "x", "1e3", "nan", "1.2.3", "2000000", ".", "1 "):
            self.refused("compare", run, run, "--tolerance", tolerance, says="--tolerance")
        for text in ("", "{", "[]", "{}", '{"specs": []}', "x"):
            self.refused("compare", run, self.write("bad.json", text), says="bad.json")


if __name__ == "__main__":
    unittest.main()
