# SPDX-License-Identifier: Apache-2.0
"""path: every cycle of a run has one cause, and they sum to the run's cycles."""
import json
import re
import unittest

from harness import SOURCE, TILE, Cli

SCHEMA = json.loads((SOURCE / "docs/path.schema.json").read_text())
TIMING = json.loads((SOURCE / "configs/timing/hls-2023.2.json").read_text())["constants"]
CAUSES = SCHEMA["properties"]["causes"]["properties"]
CORPUS = [p.stem for p in sorted((SOURCE / "corpus").glob("*.json"))]


class Path(Cli):
    def path(self, *args, code=0):
        """The document, by its schema, with every sum in it checked."""
        document = self.valid(self.ok_json("path", *args, code=code), "path")
        at = 0
        causes = dict.fromkeys(CAUSES, 0)
        instructions = {}
        for s in document["stretches"]:
            self.assertEqual(s["from"], at)
            at = s["to"]
            causes[s["cause"]] += s["to"] - s["from"]
            if s["instruction"] is not None:
                instructions.setdefault(s["instruction"], 0)
                instructions[s["instruction"]] += s["to"] - s["from"]
        self.assertEqual(document["causes"], causes)
        if document["stretches"]:
            self.assertEqual(at, document["cycles"])
            self.assertEqual(sum(causes.values()), document["cycles"])
        listed = {i["index"]: i["cycles"] for i in document["instructions"]}
        self.assertEqual(listed, instructions)
        for i in document["instructions"]:
            self.assertEqual(sum(i["causes"].values()), i["cycles"])
        return document

    def program(self, text):
        self.ok("asm", self.write("p.s", text), "-o", "p.json")
        return "p.json"

    def check_corpus(self, *config):
        """Equal to run's cycles on every workload of the corpus that runs at all."""
        ran = 0
        for name in CORPUS:
            run = self.run_program("run", name, *config, "--json")
            expected = json.loads(run.stdout)
            document = self.path(name, *config, code=run.returncode)
            for key in ("name", "verdict", "reason", "completed", "cycles", "extrapolated",
                        "causes", "config"):
                self.assertEqual(document[key], expected[key], name)
            self.assertEqual(document.get("deadlock"), expected.get("deadlock"))
            if document["completed"]:
                ran += 1
                units = dict.fromkeys(expected["units"], 0)
                for s in document["stretches"]:
                    if s["cause"] not in ("start_up", "finish"):
                        units[s["process"].split("[")[0]] += s["to"] - s["from"]
                self.assertEqual(units, expected["critical_path"])
        return ran

    def test_the_corpus(self):
        self.assertEqual(self.check_corpus(), len(CORPUS))

    def test_the_corpus_on_a_wide_array_with_shallow_streams(self):
        self.assertGreater(self.check_corpus("--config", "t8", "--set", "QD=8"), 10)

    def test_the_corpus_with_slow_memory(self):
        self.assertEqual(self.check_corpus("--set", "memory.latency_cycles=30", "--set",
                                           "memory.bytes_per_cycle=2"), len(CORPUS))

    def test_latency_of_memory_goes_to_what_waits_for_it(self):
        ideal = self.path("gemm_16x16x16")["causes"]
        slow = self.path("gemm_16x16x16", "--set", "memory.latency_cycles=50")["causes"]
        for cause in ("burst_a", "response_wait", "start_up"):
            self.assertGreaterEqual(slow[cause], ideal[cause] + 50, cause)
        for cause in ("accumulator", "operand_rows"):
            self.assertLessEqual(slow[cause], ideal[cause], cause)

    def test_causes_of_a_program_made_for_them(self):
        stores = TILE + "loop 60\nmvout ar=0 row=0 col=0 rows=4\nendloop\n"
        document = self.path("--program", self.program(stores))
        causes = document["causes"]
        self.assertEqual(max(causes, key=causes.get), "response_wait")
        most = max(document["instructions"], key=lambda i: i["cycles"])
        self.assertEqual((most["index"], most["text"]), (5, "mvout ar=0 row=0 col=0 rows=4"))
        last = [s for s in document["stretches"] if s["instruction"] == 5][-1]
        self.assertEqual((last["process"], last["iv"]), ("dma_st", [59]))
        burst = TILE.replace("mode=A:vr row=0", "mode=A:vr row=60")
        self.assertEqual(self.path("--program", self.program(burst))["causes"]["burst_a"],
                         64 * 16)
        for cause, constant in (("start_up", "start_cycles"), ("finish", "finish_cycles")):
            self.assertEqual(causes[cause], TIMING[constant]["value"])

    def test_the_text_says_what_the_document_says(self):
        document = self.path("gemm_relu_16x16x16")
        text = self.ok("path", "gemm_relu_16x16x16")
        self.assertTrue(text.startswith("gemm_relu_16x16x16: EXACT\n"))
        table = {}
        for name, cycles, percent, sentence in re.findall(
                r"^  (\S[\w -]*?) +(\d+) +([\d.]+) %  (.*)$", text, re.MULTILINE):
            cause = name.replace("-", "_").replace(" ", "_").replace("set_up", "setup").lower()
            table[cause] = int(cycles)
            self.assertEqual(CAUSES[cause]["description"], sentence)
            self.assertEqual(f"{100 * int(cycles) / document['cycles']:.1f}", percent)
        self.assertEqual(table, {k: v for k, v in document["causes"].items() if v != 0})
        self.assertIn(f"\n  total {document['cycles']:17} 100.0 %\n", text)
        for i in document["instructions"]:
            self.assertIn(f"[{i['index']}] {i['text']}\n", text)
        stretch = re.compile(r"^ +(\d+) +(\d+) +(\d+)  \S", re.MULTILINE)
        few = stretch.findall(text)
        self.assertEqual(len(few), 12)
        self.assertIn("the 12 longest of ", text)
        every = stretch.findall(self.ok("path", "gemm_relu_16x16x16", "--all"))
        self.assertGreater(len(every), 12)
        self.assertLessEqual(set(few), set(every))
        at = 0
        for first, last, cycles in every:
            self.assertEqual((int(first), int(last) - int(first)), (at, int(cycles)))
            at = int(last)
        self.assertEqual(at, document["cycles"])
        shortest = min(int(c) for _, _, c in few)
        self.assertEqual(sum(int(c) > shortest for _, _, c in every),
                         sum(int(c) > shortest for _, _, c in few))

    def test_a_hang_has_a_path_up_to_it(self):
        document = self.path("relu_16x16", "--config", "qd8", code=1)
        self.assertEqual((document["verdict"], document["completed"]), ("DEADLOCK", False))
        self.assertEqual(document["stretches"][-1]["cause"], "finish")
        self.assertTrue(document["deadlock"]["words"])
        text = self.ok("path", "relu_16x16", "--config", "qd8", code=1)
        self.assertIn("from start to the hang: up to the last event before it", text)
        self.assertIn("spm waits for an instruction in c_spm that the sequencer cannot issue", text)

    def test_a_program_that_breaks_a_contract_is_told_as_run_tells_it(self):
        program = self.program(TILE.replace("mode=A:vr row=0", "mode=A:vr row=61"))
        for args in ([], ["--unchecked"]):
            run = self.ok_json("run", "--program", program, *args, code=1)
            document = self.path("--program", program, *args, code=1)
            for key in ("verdict", "reason", "unchecked", "rule"):
                self.assertEqual(document[key], run[key], key)
            head = self.ok("run", "--program", program, *args, code=1).split("  machine")[0]
            self.assertTrue(self.ok("path", "--program", program, *args, code=1).startswith(head))
        self.assertIn("(unchecked: the program breaks a contract)", head)
        self.assertIn("\n  contract     [isa / dram.operand_range]", head)
        document = self.path("gemm_4x4x4", "--unchecked")
        self.assertEqual((document["unchecked"], "rule" in document), (True, False))

    def test_what_was_not_run_has_no_path(self):
        for args, verdict in [(["gemm_steady_32x32x32", "--config", "published"], "SKIPPED"),
                              (["gemm_4x4x4", "--config", "t8"], "UNSATISFIABLE")]:
            run = self.ok_json("run", *args, code=1)
            document = self.path(*args, code=1)
            self.assertEqual(document["verdict"], verdict)
            self.assertEqual(document["completed"], run["completed"])
            self.assertEqual(bool(document["stretches"]), run["completed"])
            self.assertIn(f"{args[0]}: {verdict} - ", self.ok("path", *args, code=1))

    def test_bad_usage(self):
        self.refused("path", says=["'path' needs a SPEC or a program", "--program FILE"])
        self.refused("path", "--program", "absent.json", says="absent.json")
        self.refused("path", "--program", self.write("x.json", [1]), says=["x.json", "$[0]"])
        self.refused("path", "gemm_9x9x9", says="gemm_9x9x9")
        self.refused("path", "--program", self.program(TILE), "--corpus", ".", says="--corpus")
        self.refused("path", "gemm_4x4x4", "--limit", "0", says=["--limit", "1.."])
        self.refused("run", "gemm_4x4x4", "--all", says="unknown option '--all'")


if __name__ == "__main__":
    unittest.main()
