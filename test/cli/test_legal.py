# SPDX-License-Identifier: Apache-2.0
"""judge legal and judge rules: layers, messages in full, headers, hangs beside them."""
import json
import unittest

from harness import SOURCE, TILE, Cli

HEADER = [4, 8, 9, 8, 1 | 4 << 16, 8, 4, 4 | 4 << 16]
NEST = "loop 127\n" * 4 + "{}" + "endloop\n" * 4


class Legal(Cli):
    def program(self, text, name="p"):
        source = self.write(f"{name}.s", text)
        self.ok("asm", source, "-o", f"{name}.json")
        return str(self.dir / f"{name}.json")

    def headed(self, **changes):
        self.program(TILE)
        pairs = json.loads((self.dir / "p.json").read_text())
        words = list(HEADER)
        for word, add in changes.items():
            words[int(word[1:])] += add
        return self.write("headed.json", [hex(w) for w in words] + pairs)

    def judged(self, *args, code=0):
        document = self.valid(self.ok_json("judge", "legal", *args, code=code), "legal")
        return document["programs"]

    def rejected(self, *args):
        """The one rejection, the same in text, word by word."""
        [entry] = self.judged(*args, code=1)
        rejection = entry["rejection"]
        text = " ".join(self.ok("judge", "legal", *args, code=1).split())
        self.assertIn(f"REJECTED [{rejection['layer']} / {rejection['rule']}]", text)
        for key in ("what_happened", "the_rule", "what_to_change"):
            self.assertIn(" ".join(rejection[key].split()), text)
        for line in rejection["context"]:
            self.assertIn(f"{line['instruction']} {line['text']}" +
                          (" <-- here" if line["here"] else ""), text)
        return rejection

    def test_every_baseline_is_legal_and_what_hangs_is_told_beside(self):
        programs = self.judged()
        self.assertEqual([p["name"] for p in programs],
                         [json.loads(f.read_text())["name"]
                          for f in sorted((SOURCE / "corpus").glob("*.json"))])
        for program in programs:
            self.assertEqual(program["verdict"], "LEGAL")
            self.assertEqual(set(program["layers"].values()), {"holds"})
            self.assertIsNone(program["rejection"])
            self.assertTrue(program["protocol"]["agrees"])
            for unit in program["protocol"]["units"]:
                self.assertEqual(unit["promised"], unit["done"])
                self.assertEqual(unit["promised"], unit["dispatched"])
            self.assertEqual(program["pipelines"]["outcome"], "completes")
        self.assertEqual(programs[0]["protocol"]["rounds"], 82)
        text = self.ok("judge", "legal")
        self.assertEqual(text.count("LEGAL"), 22)
        self.assertRegex(text, r"\ngemm_4x4x4 +LEGAL +10 +82  completes\n")

    def test_a_hang_is_no_broken_contract(self):
        [entry] = self.judged("relu_16x16", "--config", "qd8")
        self.assertEqual(entry["verdict"], "LEGAL")
        self.assertTrue(entry["protocol"]["agrees"])
        self.assertEqual(entry["pipelines"]["outcome"], "deadlock")
        self.assertIn("accu", entry["pipelines"]["deadlock"]["cycle"])
        text = self.ok("judge", "legal", "relu_16x16", "--config", "qd8")
        self.assertIn("deadlock at QD=8, after 443 cycles", text)
        self.assertIn("the circle:", text)

    def test_other_arrays(self):
        by_verdict = {}
        for program in self.judged("--config", "t16"):
            by_verdict.setdefault(program["verdict"], []).append(program["name"])
        self.assertEqual({v: len(n) for v, n in by_verdict.items()},
                         {"LEGAL": 11, "UNSATISFIABLE": 10, "KNOWN GAP": 1})
        self.assertIn("SKIPPED", {p["verdict"] for p in self.judged("--config", "published")})
        [entry] = self.judged("gemm_steady_64x64x64", "--config", "published", code=1)
        self.assertEqual((entry["verdict"], entry["layers"]), ("SKIPPED", None))
        [entry] = self.judged("gemm_4x4x4", "--set", "IMEM_SIZE=16", code=1)
        self.assertEqual(entry["verdict"], "DECLINED")

    def test_spec_by_operand_option_or_path(self):
        path = SOURCE / "corpus" / "01_gemm_4x4x4.json"
        texts = {self.ok("judge", "legal", *words)
                 for words in (["gemm_4x4x4"], ["--spec", "gemm_4x4x4"], [path],
                               ["--corpus", SOURCE / "corpus", "01_gemm_4x4x4"])}
        self.assertEqual(len(texts), 1)
        self.refused("judge", "legal", "gemm_4x4x4", "--spec", "gemm_4x4x4", says="given twice")
        self.refused("judge", "legal", "--program", self.program(TILE), "--corpus", ".",
                     says="'--corpus' has no meaning")
        self.refused("judge", "legal", "gemm_9x9x9", says="gemm_9x9x9")
        self.refused("judge", "legal", "--program", self.write("x.s", TILE), says="tpuvp asm")

    def test_a_rejection_in_full(self):
        file = self.program("loop 2\n" + TILE.replace("rows=4\nmvout", "rows=2\nmvout") +
                            "endloop\nnop\n")
        rejection = self.rejected("--program", file)
        self.assertEqual(rejection["layer"], "isa")
        self.assertEqual(rejection["rule"], "ar.raw_distance")
        self.assertEqual(rejection["instruction"], 4)
        self.assertEqual(rejection["op"], "mvout")
        self.assertEqual(rejection["loop_values"], [0])
        self.assertEqual(rejection["rows"], {"memory": "ar", "first": 0, "count": 2})
        self.assertEqual([(c["instruction"], c["here"]) for c in rejection["context"]],
                         [(2, False), (3, False), (4, True), (5, False), (6, False)])
        self.assertEqual(rejection["context"][2]["text"], "mvout ar=0 row=0 col=0 rows=4")
        self.assertIn("instruction 4 (mvout) with loop values 0:",
                      " ".join(self.ok("judge", "legal", "--program", file, code=1).split()))

    def test_layer_spec_is_asked_with_a_spec_only(self):
        tall = self.program(TILE.replace("mvout ar=0 row=0", "mvout ar=0 row=4"))
        [entry] = self.judged("--program", tall)
        self.assertEqual(entry["layers"]["spec"], "not asked")
        self.assertEqual(self.rejected("gemm_4x4x4", "--program", tall)["rule"],
                         "spec.write_window")
        few = self.program(TILE.replace("col=0 rows=4\n", "col=0 rows=3\n")
                           .replace("dest=0 rows=3", "dest=0 rows=4"), "few")
        self.assertEqual(self.rejected("gemm_4x4x4", "--program", few)["rule"],
                         "spec.output_incomplete")

    def test_a_header_that_comes_with_the_program(self):
        [entry] = self.judged("gemm_4x4x4", "--program", self.headed())
        self.assertEqual((entry["verdict"], entry["header_given"]), ("LEGAL", True))
        table = [({"_1": 1}, "kpn.protocol"), ({"_5": -1}, "kpn.protocol"),
                 ({"_0": 1}, "kpn.protocol"), ({"_7": 61}, "dma.span"),
                 ({"_0": 40}, "imem.overflow"), ({"_6": 32768}, "hdr.count_overflow"),
                 ({"_4": 32768}, "hdr.array_overflow")]
        for changes, rule in table:
            file = self.headed(**changes)
            self.assertEqual(self.rejected("--program", file)["rule"], rule)
        text = self.ok("judge", "legal", "--program", self.headed(_1=1), code=1)
        self.assertIn("dma_ld is promised 9 steps, the program dispatches 8 and 8 are done",
                      " ".join(text.split()))
        self.assertRegex(text, r"\n  dma_ld +9 +8 +8   <-- here\n")
        short = self.write("short.json", ["0x4", 8])
        self.refused("judge", "legal", "--program", short, says=["short.json", "2 single words"])
        self.refused("judge", "legal", "--program", self.write("bad.json", ["x"] * 8),
                     says=["bad.json: $[0]", "0x"])
        self.refused("run", "--program", self.headed(), says="$[0]")

    def test_the_engine_beside_has_an_ideal_memory(self):
        self.refused("judge", "legal", "gemm_4x4x4", "--set", "memory.latency_cycles=7",
                     says=["$.memory.latency_cycles is 7", "judge legal", "ideal memory"])
        self.judged("gemm_4x4x4", "--set", "memory.outstanding=7")

    def test_nests_of_any_size(self):
        empty = self.program(NEST.format("nop\n"))
        [entry] = self.judged("--program", empty)
        self.assertEqual(entry["protocol"]["units"][0]["done"], 524418561)
        full = self.program(NEST.format("mvout ar=0 row=0 col=0 rows=1\n"), "full")
        self.assertEqual(self.rejected("--program", full)["rule"], "mem.write_before_read")
        full = self.program(NEST.format(TILE), "full")
        rejection = self.rejected("--program", full)
        self.assertEqual(rejection["rule"], "hdr.count_overflow")
        self.assertIn("later instructions were not examined", rejection["what_happened"])
        ran = self.ok_json("run", "--program", empty, "--limit", "3000000000")
        self.assertEqual(ran["verdict"], "EXACT")

    def test_rules(self):
        document = self.valid(self.ok_json("judge", "rules"), "rules")
        self.assertTrue(document["passed"])
        layers = [rule["layer"] for rule in document["rules"]]
        self.assertEqual([layers.count(n) for n in ("isa", "encoding", "protocol", "spec")],
                         [16, 4, 1, 2])
        for rule in document["rules"]:
            self.assertTrue(rule["passed"])
            for case in rule["crafted"]:
                self.assertEqual(case["got"], rule["rule"])
                self.assertNotEqual(case["what_happened"], "")
        self.assertEqual(len(document["baselines"]), 22)
        self.assertTrue(all(b["asked"] for b in document["baselines"]))
        text = self.ok("judge", "rules")
        for rule in document["rules"]:
            self.assertIn(f"the rule:       {rule['the_rule']}\n", text)
            self.assertIn(f"what to change: {rule['what_to_change']}\n", text)
        self.assertTrue(text.endswith("; 22 of 22 baselines accepted, 0 not asked\n"))
        document = self.valid(self.ok_json("judge", "rules", "--set", "IMEM_SIZE=16",
                                           code=1), "rules")
        self.assertFalse(document["passed"])
        self.assertEqual(sum(b["asked"] for b in document["baselines"]), 21)
        text = self.ok("judge", "rules", "--set", "IMEM_SIZE=16", code=1)
        self.assertIn("FAILED: the baseline of gemm_4x4x4 is rejected: ", text)
        self.assertTrue(text.endswith("; 0 of 21 baselines accepted, 1 not asked\n"))
        for config, asked in (("t8", 16), ("t16", 11), ("published", 17), ("qd8", 22)):
            document = self.valid(self.ok_json("judge", "rules", "--config", config), "rules")
            self.assertTrue(document["passed"])
            self.assertEqual(sum(b["asked"] for b in document["baselines"]), asked)


if __name__ == "__main__":
    unittest.main()
