# SPDX-License-Identifier: Apache-2.0
"""depth: the smallest QD, every depth that was run, what blocks below it, and what cannot run."""
import json
import unittest

from harness import SOURCE, Cli

HEAD = """dma_ld mode=A:vr row=0 col=0 dest=0 rows=4
dma_ld mode=B:spad row=0 col=0 dest=0 rows=4
mm vr=0 ar=0 acc=0 spad=0 rows=4
"""
VRELU = "vrelu dest=0 src=0 rows=4\n"
TAIL = """mm vr=0 ar=4 acc=0 spad=0 rows=4
mvout ar=0 row=0 col=0 rows=4
"""


def relus(count):
    """An mm, vrelus, an mm: c_acc must hold the vrelus for the second mm to be dispatched."""
    return HEAD + f"loop {count}\n{VRELU}endloop\n" + TAIL


class Depth(Cli):
    def program(self, text, name="p.json"):
        self.ok("asm", self.write("p.s", text), "-o", name)
        return name

    def document(self, *args, code=0):
        return self.valid(self.ok_json("depth", *args, code=code), "depth")

    def run_at(self, qd, *args):
        run = self.run_program("run", *args, "--set", f"QD={qd}", "--json")
        return json.loads(run.stdout)

    def check(self, document, *args):
        """Every depth as the platform runs it, and the claims that follow."""
        depths = document["depths"]
        self.assertEqual([d["qd"] for d in depths], list(range(2, 2 + len(depths))))
        for d in depths:
            run = self.run_at(d["qd"], *args)
            keys = ("completed", "cycles", "extrapolated")
            self.assertEqual([d[k] for k in keys], [run[k] for k in keys], d)
        completes = [d["qd"] for d in depths if d["completed"]]
        self.assertEqual(document["smallest"], completes[0])
        self.assertEqual(document["hangs_above"],
                         [d["qd"] for d in depths
                          if d["qd"] > completes[0] and not d["completed"]])
        if completes[0] == 2:
            self.assertIsNone(document["blocked"])
            return
        hang = self.run_at(completes[0] - 1, *args)
        blocked = document["blocked"]
        self.assertEqual((blocked["qd"], blocked["reason"], blocked["deadlock"]),
                         (completes[0] - 1, hang["reason"], hang["deadlock"]))

    def test_a_workload(self):
        document = self.document("relu_16x16")
        self.check(document, "relu_16x16")
        self.assertEqual((document["name"], document["verdict"], document["smallest"]),
                         ("relu_16x16", "COMPLETES", 9))
        self.assertEqual(len(document["depths"]), 15)
        self.assertEqual(document["config"]["accelerator"]["QD"], 16)

    def test_the_text_says_the_same_and_shows_the_hang_as_run_does(self):
        document = self.document("relu_16x16")
        text = self.ok("depth", "relu_16x16")
        lines = text.splitlines()
        self.assertEqual(lines[0], f"relu_16x16: COMPLETES - {document['reason']}")
        self.assertIn("smallest QD is 9: hangs at every depth from 2 to 8; completes at every "
                      "depth from there to 16; deeper than 16 was not run", lines[0])
        for d in document["depths"]:
            row = [str(d["qd"]), "completes" if d["completed"] else "hangs", str(d["cycles"])]
            self.assertIn(row + ["extrapolated"] * d["extrapolated"], [t.split() for t in lines])
        run = self.ok("run", "relu_16x16", "--set", "QD=8", code=1)
        self.assertEqual(text[text.index("\n  37 processes wait"):],
                         run[run.index("\n  37 processes wait"):])
        self.assertIn(f"  at QD=8: {document['blocked']['reason']}", lines)
        self.assertIn(document["blocked"]["reason"], run.splitlines()[0])

    def test_every_depth_is_run_up_to_the_configured_one_and_deeper_only_in_need(self):
        program = self.program(relus(16))
        document = self.document("--program", program)
        self.check(document, "--program", program)
        self.assertEqual((document["smallest"], document["depths"][-1]["qd"]), (17, 17))
        for qd in (2, 5, 24):
            document = self.document("--program", program, "--set", f"QD={qd}")
            self.assertEqual((document["smallest"], document["depths"][-1]["qd"]),
                             (17, max(qd, 17)))
        self.assertEqual(self.document("--program", self.program(relus(15)))["smallest"], 16)

    def test_what_completes_at_the_least_depth_has_nothing_below(self):
        copy = """dma_ld mode=A:vr row=0 col=0 dest=0 rows=1
"""
        program = self.program(copy)
        document = self.document("--program", program, "--set", "QD=3")
        self.check(document, "--program", program)
        self.assertEqual((document["smallest"], document["name"]), (2, "program"))
        self.assertIn("smallest QD is 2; completes at every depth from there to 3",
                      document["reason"])

    def test_what_hangs_at_every_depth_is_a_verdict(self):
        program = self.program(HEAD + "loop 127\nloop 9\n" + VRELU + "endloop\nendloop\n" + TAIL)
        document = self.document("--program", program, code=1)
        self.assertEqual((document["verdict"], document["smallest"]), ("DEADLOCK", None))
        self.assertEqual(document["reason"], "hangs at every depth, 2 to 1024")
        self.assertEqual(len(document["depths"]), 1023)
        self.assertEqual(document["blocked"]["qd"], 1024)
        text = self.ok("depth", "--program", program, code=1)
        self.assertIn("program: DEADLOCK - hangs at every depth, 2 to 1024\n", text)
        self.assertLess(text.count("\n"), 100)
        self.assertIn("1024 of 1024 tokens", text)

    def test_a_submission_and_other_machines(self):
        tile = HEAD + "mvout ar=0 row=0 col=0 rows=4\n"
        program = self.program(tile)
        document = self.document("gemm_4x4x4", "--program", program)
        self.check(document, "gemm_4x4x4", "--program", program)
        document = self.document("gemm_16x16x16", "--config", "t8")
        self.check(document, "gemm_16x16x16", "--config", "t8")
        self.assertEqual(document["config"]["accelerator"]["T"], 8)

    def test_specs_and_programs_that_cannot_run_end_with_1(self):
        for args, verdict in [(["gemm_steady_32x32x32", "--config", "published"], "SKIPPED"),
                              (["gemm_4x4x4", "--config", "t8"], "UNSATISFIABLE"),
                              (["gemm_reduce_8x6x8"], "KNOWN GAP"),
                              (["gemm_4x4x4", "--set", "IMEM_SIZE=16"], "DECLINED")]:
            run = self.ok_json("run", *args, code=1)
            document = self.document(*args, code=1)
            self.assertEqual((document["verdict"], document["reason"]), (verdict, run["reason"]))
            self.assertEqual((run["verdict"], document["depths"], document["smallest"],
                              document["blocked"]), (verdict, [], None, None))
            self.assertIn(f"{args[0]}: {verdict} - ", self.ok("depth", *args, code=1))
        program = self.program(HEAD.replace("spad=0 rows=4", "spad=0 rows=5"))
        run = self.ok_json("run", "--program", program, code=1)
        document = self.document("--program", program, code=1)
        self.assertEqual((document["verdict"], document["reason"], document["rule"]),
                         ("ILLEGAL", run["reason"], "mem.write_before_read"))

    def test_bad_input(self):
        self.refused("depth", says=["SPEC", "--program"])
        self.refused("depth", "absent", says="absent")
        self.refused("depth", "--program", "absent.json", says="absent.json")
        self.refused("depth", "--program", "absent.json", "--corpus", ".", says="--corpus")
        self.refused("depth", "gemm_4x4x4", "--seed", "3", says="unknown option '--seed'")
        self.refused("depth", "--program", self.write("p.s", HEAD), says="tpuvp asm")
        self.refused("depth", "--program", self.write("p.json", {}), says=["p.json: $"])
        for key in ("latency_cycles", "bytes_per_cycle"):
            self.refused("depth", "gemm_4x4x4", "--set", f"memory.{key}=7",
                         says=[f"default.json --set memory.{key}=7: $.memory.{key} is 7",
                               "only 0", "ideal memory"])
        config = self.write("c.json", {"timing": "absent"})
        self.refused("depth", "gemm_4x4x4", "--config", config, says=["$.timing", "absent"])

    def test_the_timing_profile_is_the_configurations(self):
        profile = json.loads((SOURCE / "configs/timing/hls-2023.2.json").read_text())
        profile["constants"]["start_cycles"]["value"] += 10
        self.write("timing/mine.json", profile)
        config = self.write("c.json", {"timing": "mine"})
        slower = self.document("relu_16x16", "--config", config)["depths"]
        for a, b in zip(self.document("relu_16x16")["depths"], slower):
            self.assertEqual((b["completed"], b["cycles"]), (a["completed"], a["cycles"] + 10))


if __name__ == "__main__":
    unittest.main()
