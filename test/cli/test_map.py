# SPDX-License-Identifier: Apache-2.0
"""map: the text of a mapping is the program that rank, sweep and run have of it."""
import unittest

from harness import Cli


class Map(Cli):
    def test_each_mapping_is_what_rank_ran(self):
        for setting in ("T=4", "T=8"):
            ranked = self.ok_json("rank", "gemm_16x16x16", "--set", setting)["variants"]
            for v in ranked:
                name = v["name"]
                self.ok("map", "gemm_16x16x16", "--variant", name, "-o", "p.s", "--set", setting)
                self.ok("asm", "p.s", "-o", "p.json")
                run = self.run_program("run", "gemm_16x16x16", "--program", "p.json", "--set",
                                       setting).stdout.decode()
                self.assertIn(f"gemm_16x16x16: {v['verdict']}", run)
                if v["rank"] is not None:
                    self.assertIn(f" {v['cycles']} cycles, start to done", run, name)
                self.assertIn(f"estimate {v['estimate']:.0f} cycles", run)
            self.assertEqual(len(ranked), 5)

    def test_without_a_variant_it_is_the_baseline(self):
        text = self.ok("map", "relu_16x16")
        self.assertEqual(text, self.ok("map", "relu_16x16", "--variant", "baseline"))
        self.ok("map", "relu_16x16", "-o", "p.s")
        self.assertEqual((self.dir / "p.s").read_text(), text)
        listed = self.ok_json("map", "relu_16x16")["instructions"]
        self.assertEqual([i["text"] for i in listed], [t.strip() for t in text.splitlines()])
        self.ok("asm", "p.s", "-o", "p.json")
        self.assertEqual(listed, self.ok_json("disasm", "p.json")["instructions"])

    def test_bad_input(self):
        self.refused("map", says="'map' needs a SPEC")
        self.refused("map", "relu_16x17", says="relu_16x16")
        self.refused("map", "relu_16x16", "--variant", "jit", says=["no mapping 'jit'",
                                                                    "just_in_time"])
        self.refused("map", "relu_16x16", "--variant", "via_spad",
                     says=["relu_16x16.json: has no such program", "maps mk,kn->mn only"])
        self.refused("map", "gemm_steady_64x64x64", "--set", "MAXDIM=16",
                     says="does not fit this configuration")
        self.refused("map", "relu_16x16", "-o", "no/p.s", says="no/p.s")


if __name__ == "__main__":
    unittest.main()
