# SPDX-License-Identifier: Apache-2.0
"""run and image: workloads, programs, submissions, ELF images, and what they end with."""
import csv
import json
import random
import re
import unittest

from harness import BUILD, SOURCE, TILE, Cli

UNITS = ["sequencer", "dma_ld", "spm", "vru", "wld", "pe", "accu", "dma_st"]
COUNTERS = ["promised", "done", "busy", "starved", "blocked", "idle"]
# The names in the second table of docs/counters.md.
WAITS = set(re.findall(r"^\| (\w+) \|", (SOURCE / "docs/counters.md").read_text(encoding="utf-8")
                       .partition("## Waits")[2], re.MULTILINE))
# What each unit takes from, and puts into.
ENDS = {
    "starved": {"sequencer": "header", "dma_ld": "c_dld", "spm": "c_spm dma2sp",
                "vru": "c_vru dma2vr sp2vr", "wld": "wcol wrow", "pe": "acol a_fwd p_fwd wq cw",
                "accu": "c_acc cw", "dma_st": "c_dst ac2sp"},
    "blocked": {"sequencer": "c_dld c_spm c_vru c_acc c_dst", "dma_ld": "dma2sp dma2vr",
                "spm": "sp2vr wcol", "vru": "acol", "wld": "wcol wrow wq",
                "pe": "acol a_fwd p_fwd cw", "accu": "ac2sp", "dma_st": "response"},
}
MAXDIM = 64
TIMING = json.loads((SOURCE / "configs/timing/hls-2023.2.json").read_text())["constants"]


def signed(byte):
    return byte - 256 if byte > 127 else byte


def product(a, b, n, relu=False):
    """C of an n x n x n product of MAXDIM-wide images, saturated to int8."""
    out = {}
    for i in range(n):
        for j in range(n):
            total = sum(signed(a[i * MAXDIM + k]) * signed(b[k * MAXDIM + j]) for k in range(n))
            out[i, j] = max(-128, min(127, max(0, total) if relu else total)) & 255
    return out


class Run(Cli):
    def program(self, text, name="p.json"):
        self.ok("asm", self.write("p.s", text), "-o", name)
        return name

    def images(self):
        rng = random.Random(5)
        files = {}
        for name in "abc":
            content = bytes(rng.randrange(256) for _ in range(MAXDIM * MAXDIM))
            files[name] = content
            self.write(f"{name}.bin", content)
        return files

    def check_account(self, document):
        t = document["config"]["accelerator"]["T"]
        self.assertEqual(list(document["units"]), UNITS)
        for name, unit in document["units"].items():
            instances = t * t if name in ("wld", "pe") else 1
            cycles = sum(unit[k] for k in ("busy", "starved", "blocked", "idle"))
            self.assertEqual(cycles, instances * document["cycles"], name)
            if document["completed"]:
                path = document["critical_path"]
                outside = document["cycles"] - sum(path.values())  # start and finish
                least = TIMING["start_cycles"]["value"] + TIMING["finish_cycles"]["value"]
                memory = document["config"]["memory"]
                if memory["latency_cycles"] == 0 and memory["bytes_per_cycle"] == 0:
                    self.assertEqual(outside, least)
                self.assertGreaterEqual(outside, least)  # the header's way is part of the start
                self.assertEqual(path[document["critical_unit"]], max(path.values()))
                self.assertEqual(unit["promised"], unit["done"], name)
            for state in ("starved", "blocked"):
                waits = unit["waits"][state]
                self.assertEqual(sum(waits.values()), unit[state], (name, state))
                self.assertLessEqual(set(waits), set(ENDS[state][name].split()), (name, state))
            self.assertAlmostEqual(unit["utilization"],
                                   unit["done"] / (instances * document["cycles"]))
        for name in ("wld", "pe"):
            instances = document["array"][name]
            self.assertEqual([i["name"] for i in instances],
                             [f"{name}[{i}][{j}]" for i in range(t) for j in range(t)])
            for key in ("promised", "done", "busy", "starved", "blocked", "idle"):
                self.assertEqual(sum(i[key] for i in instances), document["units"][name][key])

    def test_counters_by_name(self):
        """JSON, CSV, text and the guide know the same counters by the same names."""
        document = self.valid(self.ok_json("run", "gemm_16x16x16", "--csv", "c.csv"), "run")
        schema = json.loads((SOURCE / "docs/run.schema.json").read_text(encoding="utf-8"))
        names = set(schema["$defs"]["waits_by_stream"]["propertyNames"]["enum"])
        self.assertEqual(names, WAITS - {"waited"})
        rows = list(csv.DictReader((self.dir / "c.csv").read_text(encoding="utf-8").splitlines()))
        self.assertEqual([row["unit"] for row in rows], UNITS)
        self.assertEqual(list(rows[0])[:8], ["unit", "instances", *COUNTERS])
        text = self.ok("run", "gemm_16x16x16")
        for row in rows:
            unit = document["units"][row["unit"]]
            self.assertEqual({k: int(row[k]) for k in COUNTERS}, {k: unit[k] for k in COUNTERS})
            for state, waits in unit["waits"].items():
                self.assertEqual({k: int(row[f"{state}_{k}"]) for k in names},
                                 dict.fromkeys(names, 0) | waits)
                for name, cycles in waits.items():
                    self.assertRegex(text, rf"\n  {row['unit']} .*{state}: .*\b{name} {cycles}\b")
        self.refused("run", "gemm_4x4x4", "--csv", "/none/x.csv", says=["/none/x.csv"])
        self.refused("run", "gemm_4x4x4", "--set", "MAXDIM=4", "--set", "T=8", "--csv", "x.csv",
                     says=["T"])

    def test_waits_of_a_slow_memory_and_of_a_hang(self):
        slow = self.ok_json("run", "gemm_8x8x8", "--set", "memory.latency_cycles=20")
        self.check_account(slow)
        self.assertEqual(slow["units"]["sequencer"]["waits"]["starved"], {"header": 23})
        self.assertIn("response", slow["units"]["dma_st"]["waits"]["blocked"])
        hung = self.ok_json("run", "relu_16x16", "--config", "qd8", code=1)
        self.check_account(hung)
        self.assertEqual(set(hung["units"]["sequencer"]["waits"]["blocked"]), {"c_acc"})

    def test_a_workload(self):
        document = self.ok_json("run", "gemm_16x16x16")
        self.assertTrue(document["completed"] and document["exact"])
        self.assertEqual((document["verdict"], document["reason"]), ("EXACT", None))
        self.check_account(document)
        self.assertEqual(document["critical_unit_work"], ["vru", "accu"])
        self.assertAlmostEqual(document["array_utilization"], 4096 / (16 * document["cycles"]))
        self.assertEqual(document["windows"]["accelerator"], document["cycles"])
        self.assertGreater(document["windows"]["end_to_end"], document["cycles"])
        self.assertAlmostEqual(document["estimate"], 179.0 + 1.573 * 320)
        self.assertFalse(document["extrapolated"] or document["unchecked"])
        self.assertIn("gemm_16x16x16: exact", document["core"]["console"])
        text = self.ok("run", "05_gemm_16x16x16").splitlines()
        self.assertEqual(text[0], "gemm_16x16x16: EXACT")
        self.assertIn("  console      " + document["core"]["console"].rstrip("\n"), text)
        self.assertTrue(any(f"{document['cycles']} cycles, start to done" in t for t in text))
        for name in UNITS:
            self.assertTrue(any(t.split()[:1] == [name] for t in text), name)

    def test_every_configuration_accounts_for_every_cycle(self):
        for config in ("published", "t8", "t16", "qd8"):
            document = self.ok_json("run", "gemm_16x16x16", "--config", config)
            self.check_account(document)
        odd = self.ok_json("run", "gemm_12x12x12", "--set", "T=6", "--set", "MAXDIM=24",
                           "--set", "QD=11")
        self.check_account(odd)
        self.assertTrue(odd["exact"] and odd["extrapolated"])

    def test_the_deepest_streams_cost_no_cycle(self):
        deep, deepest = (self.ok_json("run", "gemm_steady_64x64x64", "--set", f"QD={depth}")
                         for depth in (300, 1024))
        self.check_account(deepest)
        self.assertTrue(deepest["exact"])
        self.assertLessEqual(deepest["cycles"], deep["cycles"])

    def test_memory_and_core_timing_cost_what_they_say(self):
        ideal = self.ok_json("run", "gemm_8x8x8")
        for setting in ("memory.latency_cycles=20", "memory.bytes_per_cycle=1"):
            slow = self.ok_json("run", "gemm_8x8x8", "--set", setting)
            self.assertTrue(slow["exact"])
            self.check_account(slow)
            self.assertGreater(slow["cycles"], ideal["cycles"])
            self.assertGreater(slow["windows"]["end_to_end"], ideal["windows"]["end_to_end"])
        loads = self.ok_json("run", "gemm_8x8x8", "--set", "cpu.load_cycles=3")
        self.assertEqual(loads["cycles"], ideal["cycles"])
        self.assertGreater(loads["windows"]["end_to_end"], ideal["windows"]["end_to_end"])

    def test_a_hang_says_who_waits_for_whom(self):
        document = self.ok_json("run", "relu_16x16", "--config", "qd8", code=1)
        self.assertEqual((document["verdict"], document["completed"], document["exact"]),
                         ("DEADLOCK", False, False))
        self.check_account(document)
        waits = {p["name"]: p for p in document["deadlock"]["processes"]}
        circle = document["deadlock"]["cycle"]
        self.assertTrue(set(circle) <= set(waits) and len(circle) > 2)
        for process in waits.values():
            full, empty = (process["occupancy"] == process["depth"], process["occupancy"] == 0)
            self.assertIn((process["access"], full if process["access"] == "put" else empty),
                          [("put", True), ("get", True)])
        self.assertEqual((waits["sequencer"]["access"], waits["sequencer"]["stream"]),
                         ("put", "c_acc"))
        text = self.ok("run", "relu_16x16", "--config", "qd8", code=1)
        self.assertIn("relu_16x16: DEADLOCK", text)
        deeper = self.ok_json("run", "relu_16x16", "--config", "qd8", "--set", "QD=16")
        self.assertTrue(deeper["exact"] and "deadlock" not in deeper)

    def test_specs_that_cannot_run_end_with_1(self):
        for args, verdict in [(["gemm_steady_32x32x32", "--config", "published"], "SKIPPED"),
                              (["gemm_4x4x4", "--config", "t8"], "UNSATISFIABLE"),
                              (["gemm_reduce_8x6x8"], "KNOWN GAP")]:
            document = self.ok_json("run", *args, code=1)
            self.assertEqual((document["verdict"], document["exact"]), (verdict, False))
            self.assertGreater(len(document["reason"]), 20)
            self.assertIn(f"{args[0]}: {verdict} - ", self.ok("run", *args, code=1))

    def test_a_program_on_given_images_writes_the_c_that_arithmetic_says(self):
        files = self.images()
        self.ok("run", "--program", self.program(TILE), "--a", "a.bin", "--b", "b.bin", "--c",
                "c.bin", "--out", "out.bin")
        due = bytearray(files["c"])
        for (i, j), value in product(files["a"], files["b"], 4).items():
            due[i * MAXDIM + j] = value
        self.assertEqual((self.dir / "out.bin").read_bytes(), bytes(due))

    def test_a_workload_on_given_images(self):
        files = self.images()
        document = self.ok_json("run", "gemm_16x16x16", "--a", "a.bin", "--b", "b.bin", "--c",
                                "c.bin", "--out", "out.bin")
        self.assertTrue(document["exact"])
        due = bytearray(files["c"])
        for (i, j), value in product(files["a"], files["b"], 16).items():
            due[i * MAXDIM + j] = value
        self.assertEqual((self.dir / "out.bin").read_bytes(), bytes(due))

    def test_a_program_without_images_is_held_to_the_interpreter(self):
        program = self.program(TILE)
        for seed in ("1", "0xffffffff"):
            document = self.ok_json("run", "--program", program, "--seed", seed)
            self.assertTrue(document["completed"] and document["exact"])
            self.check_account(document)
        self.assertEqual(document["instructions"], 4)

    def test_a_submission_for_a_workload(self):
        program = self.program(TILE)
        self.assertTrue(self.ok_json("run", "gemm_4x4x4", "--program", program)["exact"])
        wrong = self.program(TILE.replace("mode=A:vr row=0", "mode=A:vr row=1"), "wrong.json")
        document = self.ok_json("run", "gemm_4x4x4", "--program", wrong, code=1)
        self.assertEqual(document["verdict"], "WRONG")
        self.assertGreater(document["comparison"]["wrong"], 0)
        # Output right, but a row too many: refused by its footprint, caught by the bytes unchecked.
        wide = TILE.replace("mm vr=0 ar=0 acc=0 spad=0 rows=4", "mm vr=0 ar=0 acc=0 spad=0 rows=5")
        wide = wide.replace("dest=0 rows=4\ndma", "dest=0 rows=5\ndma").replace(
            "mvout ar=0 row=0 col=0 rows=4", "mvout ar=0 row=0 col=0 rows=5")
        wide = self.program(wide, "wide.json")
        document = self.ok_json("run", "gemm_4x4x4", "--program", wide, code=1)
        self.assertEqual((document["verdict"], document["rule"]), ("ILLEGAL", "spec.write_window"))
        document = self.ok_json("run", "gemm_4x4x4", "--program", wide, "--unchecked", code=1)
        self.assertEqual((document["verdict"], document["unchecked"]), ("CLOBBERED", True))
        self.assertEqual(document["comparison"]["wrong"], 0)
        self.assertGreater(document["comparison"]["clobbered"], 0)

    def test_a_submission_for_an_einsum_without_a_mapping_is_judged_on_its_bytes(self):
        spec = json.loads((SOURCE / "corpus" / "01_gemm_4x4x4.json").read_text())
        spec.update(name="swapped", einsum="kn,mk->mn")
        spec["inputs"][0]["subscript"] = "kn"
        spec["inputs"][1]["subscript"] = "mk"
        file = self.write("swapped.json", spec)
        document = self.ok_json("run", file, code=1)
        self.assertEqual(document["verdict"], "DECLINED")
        self.assertIn("kn,mk->mn has no mapping", document["reason"])
        swapped = TILE.replace("A:vr", "B:vr").replace("B:spad", "A:spad")
        document = self.ok_json("run", file, "--program", self.program(swapped))
        self.assertEqual((document["verdict"], document["exact"]), ("EXACT", True))
        document = self.ok_json("run", file, "--program", self.program(TILE), code=1)
        self.assertEqual(document["verdict"], "WRONG")

    def test_removing_a_load_makes_c_differ(self):
        for gone in ("A:vr", "B:spad"):
            text = "".join(t for t in TILE.splitlines(True) if gone not in t)
            program = self.program(text)
            document = self.ok_json("run", "gemm_4x4x4", "--program", program, code=1)
            self.assertEqual((document["verdict"], document["rule"]),
                             ("ILLEGAL", "mem.write_before_read"))
            document = self.ok_json("run", "gemm_4x4x4", "--program", program, "--unchecked",
                                    code=1)
            self.assertEqual(document["verdict"], "WRONG")
            self.assertGreater(document["comparison"]["wrong"], 0)

    def test_illegal_programs_name_their_rule(self):
        table = [
            ("nop\n" * 60, "imem.overflow"),
            (TILE.replace("rows=4\nmvout", "rows=0\nmvout"), "enc.zero_rows"),
            ("loop 2\n" + TILE, "loop.unclosed"),
            (TILE + "endloop\n", "loop.unbalanced"),
            ("loop 1\n" * 5 + TILE + "endloop\n" * 5, "loop.depth"),
            ("loop 0\nendloop\n" + TILE, "loop.trip"),
            (TILE.replace("dest=0 rows=4\nmm", "dest=1024 rows=4\nmm"), "mem.out_of_range"),
            (TILE.replace("mode=A:vr row=0", "mode=A:vr row=61"), "dram.operand_range"),
            (TILE.replace("ar=0 row=0 col=0", "ar=0 row=0 col=16"), "dram.result_range"),
            (TILE.replace("mvout", "vadd dest=0 src1=0 src2=0 rows=1\nmvout"), "ar.raw_distance"),
            (TILE.replace("mvout", "mm vr=0 ar=8 acc=1 spad=0 rows=4\nmvout"),
             "mem.write_before_read"),
        ]
        for text, rule in table:
            program = self.program(text)
            document = self.ok_json("run", "--program", program, code=1)
            self.assertEqual((document["verdict"], document["rule"]), ("ILLEGAL", rule), text)
            self.assertIn(rule, document["reason"])
            self.assertIn("program: ILLEGAL - [", self.ok("run", "--program", program, code=1))
        document = self.ok_json("run", "--program", self.write("e.json", []), code=1)
        self.assertEqual(document["rule"], "prog.empty")
        for word in (2**53 + 1, 2**63, 2**64 - 1):
            for form in (word, f"0x{word:x}"):
                file = self.write("w.json", [[form, form]])
                document = self.ok_json("run", "--program", file, code=1)
                self.assertIn(document["rule"], ("enc.field_range", "op.unknown"))

    def test_unchecked_runs_what_can_be_started_and_says_so(self):
        program = self.program(TILE.replace("mode=A:vr row=0", "mode=A:vr row=61"))
        document = self.ok_json("run", "--program", program, "--unchecked", code=1)
        self.assertEqual((document["verdict"], document["completed"]), ("ILLEGAL", False))
        self.assertIn("BAD_ADDRESS", document["reason"])
        text = self.ok("run", "--program", program, "--unchecked", code=1)
        self.assertIn("unchecked: the program breaks a contract", text)
        legal = self.ok_json("run", "--program", self.program(TILE), "--unchecked")
        self.assertTrue(legal["exact"])
        undecodable = self.write("w.json", [[2**63, 0]])
        self.assertEqual(self.ok_json("run", "--program", undecodable, "--unchecked",
                                      code=1)["verdict"], "ILLEGAL")

    def test_unchecked_says_what_cannot_be_started_at_all(self):
        flood = "loop 127\n" * 4 + "nop\n" + "mm vr=0 ar=0 acc=0 spad=0 rows=4\n" + "endloop\n" * 4
        table = [(self.program("loop 2\n" + TILE, "open.json"), "loop.unclosed"),
                 (self.program(flood, "flood.json"), "hdr."),
                 (self.write("none.json", []), "prog.empty"),
                 (self.write("word.json", [[2**63, 0]]), None)]
        for program, rule in table:
            for spec in ([], ["gemm_4x4x4"]):
                args = ("run", *spec, "--program", program, "--unchecked")
                document = self.ok_json(*args, code=1)
                self.assertEqual((document["verdict"], document["completed"]), ("ILLEGAL", False))
                self.assertTrue(document["reason"].startswith("not run: "), document["reason"])
                self.assertIn(rule or document["rule"], document["reason"])
                text = self.ok(*args, code=1)
                self.assertIn(": ILLEGAL - not run: ", text)
                self.assertNotIn("unchecked: the program", text)

    def test_options_and_files_that_do_not_belong(self):
        self.refused("run", "--program", self.program(TILE), "--corpus", ".", says="--corpus")
        self.refused("run", "--program", "p.s", says=["p.s", "tpuvp asm"])
        err = self.refused("run", "--program", self.write("x.json", "[1]"), says="$[0]")
        self.assertNotIn("tpuvp asm", err)

    def test_four_nested_empty_loops_answer_at_once(self):
        text = "loop 127\n" * 4 + "endloop\n" * 4 + TILE
        document = self.ok_json("run", "--program", self.program(text))
        self.assertTrue(document["exact"])
        fetches = 0
        for _ in range(4):
            fetches = 1 + 127 * (fetches + 1)
        for key in ("promised", "done"):
            self.assertEqual(document["units"]["sequencer"][key], fetches + 4)

    def test_bad_files(self):
        self.images()
        short = self.write("short.bin", b"\0" * 4095)
        program = self.program(TILE)
        for option in ("--a", "--b", "--c"):
            self.refused("run", "--program", program, option, short,
                         says=["short.bin", "4095", "4096"])
            self.refused("run", "--program", program, option, "absent.bin", says="absent.bin")
        self.refused("run", "--program", program, "--out", "no/such/dir", says="no/such/dir")
        self.refused("run", "--program", "absent.json", says="absent.json")
        self.refused("run", "--program", self.write("x.json", "[[1]]"), says=["$[0]"])
        self.refused("run", "gemm_9x9x9", says=["gemm_9x9x9"])
        self.refused("run", "./gemm.json", says=["gemm.json"])
        self.refused("run", "gemm_4x4x4", "--limit", "0", says=["--limit", "1.."])

    def test_outputs_need_something_that_ran(self):
        run = self.run_program("run", "gemm_steady_32x32x32", "--config", "published", "--out",
                               "c.bin")
        self.assertEqual(run.returncode, 1)
        self.assertFalse((self.dir / "c.bin").exists())


if __name__ == "__main__":
    unittest.main()
