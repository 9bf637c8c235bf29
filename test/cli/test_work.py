# SPDX-License-Identifier: Apache-2.0
"""work and rank: counts against time, and mappings in order."""
import json
import unittest

from harness import SOURCE, TILE, Cli

VARIANTS = ["baseline", "via_spad", "row_blocks", "reload_weights", "just_in_time"]


class Work(Cli):
    def document(self, *args, code=0):
        return self.valid(self.ok_json("work", *args, code=code), "work")["programs"]

    def one(self, *args, code=0):
        programs = self.document(*args, code=code)
        self.assertEqual(len(programs), 1)
        return programs[0]

    def program(self, text, name="p.json"):
        self.ok("asm", self.write("p.s", text), "-o", name)
        return name

    def check(self, x):
        """A completed run: accounts that add up, a bound that holds, figures that follow."""
        largest = 0
        for u in x["units"]:
            self.assertEqual(u["promised"], u["done"], x["name"])
            self.assertEqual(u["busy"] + u["starved"] + u["blocked"] + u["idle"],
                             x["cycles"] * u["instances"])
            self.assertAlmostEqual(u["utilization"], u["done"] / (u["instances"] * x["cycles"]))
            largest = max(largest, u["promised"] // u["instances"])
        self.assertEqual(x["bound"], largest)
        self.assertEqual(x["at"], [u["unit"] for u in x["units"]
                                   if u["promised"] // u["instances"] == largest])
        self.assertEqual(x["at"], [u["unit"] for u in x["units"] if u["at_bound"]])
        self.assertLessEqual(x["bound"], x["cycles"])
        self.assertAlmostEqual(x["over_bound"], x["cycles"] / x["bound"])
        self.assertAlmostEqual(x["estimate_error_pct"], 100 * (x["estimate"] / x["cycles"] - 1))
        accesses = [u["promised"] // u["instances"] for u in x["units"][1:]]  # a fetch is none
        self.assertGreaterEqual(x["rounds"], max(accesses))

    def test_the_corpus_at_every_configuration(self):
        cycles = {s["name"]: s["cycles"] for s in self.ok_json("corpus")["specs"]}
        programs = self.document()
        self.assertEqual([x["name"] for x in programs], list(cycles))
        for x in programs:
            self.assertEqual((x["outcome"], x["cycles"]), ("COMPLETES", cycles[x["name"]]))
            self.check(x)
        outcomes = [x["outcome"] for x in self.document("--config", "published")]
        self.assertEqual((outcomes.count("COMPLETES"), outcomes.count("SKIPPED")), (17, 5))
        for x in self.document("--config", "t8") + self.document("--config", "t16"):
            self.assertEqual(x["outcome"], "COMPLETES")
            self.check(x)

    def test_text_says_the_same(self):
        rows = [line.split() for line in self.ok("work").splitlines()]
        for x in self.document():
            self.assertIn([x["name"], "COMPLETES", str(x["bound"]), str(x["cycles"]),
                           f"{x['over_bound']:.2f}", f"{x['estimate']:.0f}",
                           f"{x['estimate_error_pct']:+.1f}", "%", str(x["rounds"]),
                           *", ".join(x["at"]).split()], rows)
        text = self.ok("work", "gemm_16x16x16")
        self.assertIn("320 cycles at least: the largest count, of vru, accu\n", text)
        run = self.ok("run", "gemm_16x16x16")
        table = run[run.index("\n  unit"):run.index("  utilization =")]
        self.assertIn(table, text)
        self.assertLessEqual(max(map(len, self.ok("work").splitlines())), 120)

    def test_a_workload_that_no_program_is_right_for_has_work(self):
        self.check(self.one("gemm_reduce_8x6x8"))

    def test_a_program_and_a_submission(self):
        program = self.program(TILE)
        x = self.one("--program", program)
        self.assertEqual((x["name"], x["bound"], x["at"]), ("program", 9, ["spm"]))
        self.check(x)
        y = self.one("gemm_4x4x4", "--program", program)
        self.assertEqual((y["name"], y["cycles"]), ("gemm_4x4x4", x["cycles"]))

    def test_fetches_can_be_the_most_work(self):
        x = self.one("--program", self.program("loop 100\nloop 100\nendloop\nendloop\n" + TILE))
        self.assertEqual(x["at"], ["sequencer"])
        self.check(x)

    def test_a_hang_has_a_bound_but_no_ratio(self):
        x = self.one("relu_16x16", "--config", "qd8", code=1)
        self.assertEqual((x["outcome"], x["bound"], x["over_bound"], x["estimate_error_pct"]),
                         ("DEADLOCK", 192, None, None))
        self.assertIn("37 processes wait", x["reason"])
        text = self.ok("work", "--config", "qd8", code=1)
        self.assertIn(x["reason"], text)
        self.assertIn("to where it stopped", self.ok("work", "relu_16x16", "--config", "qd8", code=1))

    def test_what_cannot_run(self):
        x = self.one("gemm_4x4x4", "--set", "IMEM_SIZE=16", code=1)
        self.assertEqual((x["outcome"], x["cycles"], x["units"]), ("DECLINED", None, []))
        x = self.one("--program", self.program("mvout ar=0 row=0 col=0 rows=4\n"), code=1)
        self.assertEqual(x["outcome"], "ILLEGAL")
        x = self.one("gemm_steady_32x32x32", "--config", "published")
        self.assertEqual(x["outcome"], "SKIPPED")
        self.assertIn("SKIPPED - ", self.ok("work", "gemm_steady_32x32x32", "--config", "published"))

    def test_a_memory_that_answers_at_once_is_ideal_whatever_else_is_said_of_it(self):
        for setting in ("memory.outstanding=4", "memory.ports=per_initiator"):
            self.assertEqual(self.one("gemm_4x4x4", "--set", setting), self.one("gemm_4x4x4"))

    def test_a_corpus_of_ones_own(self):
        spec = json.loads((SOURCE / "corpus" / "05_gemm_16x16x16.json").read_text())
        spec.update(name="mine", dims={"m": 20, "k": 12, "n": 8})
        self.write("corpus/mine.json", spec)
        self.check(self.one("--corpus", "corpus"))
        self.check(self.one("mine", "--corpus", "corpus"))
        ranked = self.ok_json("rank", "mine", "--corpus", "corpus")
        self.assertEqual(ranked["name"], "mine")

    def test_bad_input(self):
        self.refused("work", "absent", says="absent")
        self.refused("work", "--program", "absent.json", says="absent.json")
        self.refused("work", "--program", "absent.json", "--corpus", ".", says="--corpus")
        self.refused("work", "--corpus", "absent", says="absent")
        self.refused("work", "--set", "memory.latency_cycles=7", says="ideal memory")
        self.refused("work", "--config", self.write("c.json", {"memory": {"bytes_per_cycle": 4}}),
                     says=["c.json: $.memory.bytes_per_cycle is 4; only 0", "ideal memory"])
        self.refused("work", "x", "y", says="unexpected word 'y'")


class Rank(Cli):
    def document(self, *args, code=0):
        return self.valid(self.ok_json("rank", *args, code=code), "rank")

    def check(self, x):
        ranked = [v for v in x["variants"] if v["rank"] is not None]
        self.assertEqual([v["name"] for v in x["variants"][:len(ranked)]],
                         [v["name"] for v in ranked])
        self.assertEqual(sorted(v["name"] for v in x["variants"]), sorted(VARIANTS))
        pairs, otherwise = 0, []
        for i, a in enumerate(ranked):
            self.assertEqual(a["rank"], 1 + sum(b["cycles"] < a["cycles"] for b in ranked))
            self.assertEqual(a["estimate_rank"],
                             1 + sum(b["estimate"] < a["estimate"] for b in ranked))
            self.assertEqual(a["verdict"], "EXACT")
            for b in ranked[i + 1:]:
                self.assertLessEqual(a["cycles"], b["cycles"])
                if a["cycles"] == b["cycles"]:
                    continue
                pairs += 1
                if a["estimate"] >= b["estimate"]:
                    how = "equal" if a["estimate"] == b["estimate"] else "reversed"
                    otherwise.append({"faster": a["name"], "slower": b["name"], "estimate": how})
        self.assertEqual((x["pairs"], x["disagreements"]), (pairs, otherwise))
        for v in x["variants"][len(ranked):]:
            self.assertEqual((v["cycles"], v["estimate_rank"]), (None, None))
            self.assertTrue(v["reason"])
        return {v["name"]: v for v in x["variants"]}

    def test_every_gemm_that_fits_is_exact_or_named(self):
        for spec in self.ok_json("judge", "specs")["specs"]:
            if spec["standing"] != "SATISFIABLE" or spec["einsum"] != "mk,kn->mn":
                continue
            of = self.check(self.document(spec["name"]))
            for v in of.values():
                self.assertIn(v["verdict"], ("EXACT", "DEADLOCK", "DECLINED"), spec["name"])
            self.assertEqual(of["baseline"]["verdict"], "EXACT")
            self.assertEqual(of["via_spad"]["verdict"], "EXACT")

    def test_a_workload(self):
        of = self.check(self.document("gemm_16x16x16"))
        run = self.ok_json("run", "gemm_16x16x16")
        self.assertEqual(of["baseline"]["cycles"], run["cycles"])
        text = self.ok("rank", "gemm_16x16x16")
        for v in of.values():
            cells = [v["name"], *v["verdict"].split()]
            self.assertTrue(any(line.split()[1:1 + len(cells)] == cells
                                for line in text.splitlines()), v)
        for d in self.document("gemm_16x16x16")["disagreements"]:
            self.assertIn(f"  {d['faster']} is faster than {d['slower']}, ", text)

    def test_what_hangs_is_named_and_not_ranked(self):
        of = self.check(self.document("gemm_16x16x16", "--config", "qd8"))
        hung = [v for v in of.values() if v["verdict"] == "DEADLOCK"]
        self.assertTrue(hung)
        for v in hung:
            self.assertIn("processes wait for each other", v["reason"])
            self.assertIsNotNone(v["estimate"])

    def test_where_there_is_nothing_to_rank(self):
        of = self.check(self.document("relu_16x16"))
        self.assertEqual((of["baseline"]["rank"], of["via_spad"]["verdict"]), (1, "DECLINED"))
        self.check(self.document("relu_16x16", "--config", "qd8", code=1))
        self.check(self.document("gemm_reduce_8x6x8"))
        of = self.check(self.document("gemm_steady_32x32x32", "--config", "published"))
        self.assertEqual({v["verdict"] for v in of.values()}, {"SKIPPED"})
        self.check(self.document("gemm_8x8x8", "--set", "IMEM_SIZE=16", code=1))

    def test_bad_input(self):
        self.refused("rank", says="SPEC")
        self.refused("rank", "absent", says="absent")
        self.refused("rank", "gemm_4x4x4", "--set", "memory.latency_cycles=7", says="ideal memory")


if __name__ == "__main__":
    unittest.main()
