# SPDX-License-Identifier: Apache-2.0
"""tpuvp tile: a GEMM of any size by tiles of C, exact, and what it cost."""
import random
import unittest

from harness import Cli

SMALL = ("--set", "T=4", "--set", "MAXDIM=16")
MEMORY = ("--set", "memory.latency_cycles=3", "--set", "memory.bytes_per_cycle=8",
          "--set", "memory.outstanding=2")


def sized(t, maxdim):
    return ("--set", f"T={t}", "--set", f"MAXDIM={maxdim}")


def saturated_product(a, b, m, k, n):
    """Bytes of C, by a sum that owes nothing to the program's."""
    out = bytearray()
    for i in range(m):
        row = a[i * k:(i + 1) * k]
        for j in range(n):
            out.append(max(-128, min(127, sum(x * y for x, y in zip(row, b[j::n])))) & 0xff)
    return bytes(out)


def signed(data):
    return [x - 256 if x > 127 else x for x in data]


def ceiling(a, b):
    return -(-a // b)


class Tile(Cli):
    def tile(self, m, k, n, *args, code=0):
        return self.valid(self.ok_json("tile", m, k, n, *args, code=code), "tile")

    def check_exact(self, m, k, n, *args, most=128, seed=1):
        """On matrices of this test's own, against the product made here."""
        draw = random.Random(seed)
        a = bytes(draw.randrange(-most, most) & 0xff for _ in range(m * k))
        b = bytes(draw.randrange(-most, most) & 0xff for _ in range(k * n))
        report = self.tile(m, k, n, "--a", self.write("a", a), "--b", self.write("b", b),
                           "--out", "c", *args)
        self.assertEqual((report["verdict"], report["exact"], report["reason"]),
                         ("EXACT", True, None))
        c = (self.dir / "c").read_bytes()
        self.assertEqual(c, saturated_product(signed(a), signed(b), m, k, n), (m, k, n, args))
        self.assertEqual(report["saturated"], sum(x in (0x7f, 0x80) for x in c))
        self.check_counts(report)
        return report

    def check_counts(self, report):
        """The work of every program is what its tile needs, and all of it was done."""
        m, k, n, t = (*(report[x] for x in "mkn"), report["config"]["accelerator"]["T"])
        tiles, kt, macs, area, runs, cycles = report["tiles"], ceiling(k, t), 0, 0, 0, 0
        self.assertEqual(tiles["k_blocks"], kt)
        self.assertEqual(tiles["down"], ceiling(m, tiles["rows"]))
        self.assertEqual(tiles["across"], ceiling(n, tiles["columns"]))
        self.assertLessEqual(len(report["programs"]), 4)
        for p in report["programs"]:
            work, blocks, rows = p["work"], p["columns"] // t, max(p["rows"], 4)
            self.assertIs(p["legal"], True)
            self.assertEqual(work["mm_rows"], rows * kt * blocks)
            self.assertEqual(work["mm"], kt * blocks)
            self.assertEqual(work["dma_ld"], rows * kt + kt * t * blocks)
            self.assertEqual(work["spm"], kt * t * blocks + (t + 1) * work["mm"])
            self.assertEqual(work["vru"], rows * kt + work["mm_rows"])
            self.assertEqual(work["dma_st"], p["rows"] * blocks)
            self.assertEqual(work["accu"], work["mm_rows"] + work["dma_st"])
            self.assertLessEqual(max(work.values()), 32767)
            self.assertEqual(p["runs"], p["tiles"])
            self.assertTrue(p["least"] * p["runs"] <= p["cycles"] <= p["most"] * p["runs"])
            macs += p["runs"] * work["mm_rows"] * t * t
            area += p["runs"] * p["rows"] * blocks
            runs += p["runs"]
            cycles += p["cycles"]
        self.assertEqual(report["macs"], macs)
        self.assertGreaterEqual(macs, m * k * n)
        self.assertEqual(area, m * ceiling(n, t))
        self.assertEqual(tiles["run"], runs)
        self.assertEqual(runs, tiles["down"] * tiles["across"])
        windows, core = report["windows"], report["core"]
        self.assertEqual(windows["accelerator"], cycles)
        self.assertEqual(sum(core.values()), windows["end_to_end"])
        self.assertGreater(core["wait"], cycles)
        self.assertAlmostEqual(sum(v for k, v in report["shares"].items() if k != "accelerator"), 1)

    def test_sizes_around_every_edge(self):
        for t, maxdim in ((4, 16), (4, 64), (8, 16), (8, 64), (16, 16), (16, 64)):
            for m, k, n in ((1, 1, 1), (t, t, t), (t + 1, 2 * t - 1, t + 3),
                            (maxdim + 1, maxdim + 1, maxdim - 1)):
                self.check_exact(m, min(k, maxdim * maxdim // t), n, *sized(t, maxdim))

    def test_thirty_random_shapes(self):
        draw = random.Random(11)
        for seed in range(30):
            t = draw.choice((4, 4, 5, 8, 16))
            maxdim = t * draw.randint(1, 6)
            longest = maxdim * maxdim // t
            self.check_exact(draw.randint(1, 40), draw.randint(1, min(longest, 90)),
                             draw.randint(1, 40), *sized(t, maxdim), seed=seed,
                             most=draw.choice((4, 16, 128)))

    def test_the_longest_reduction_and_one_more(self):
        self.check_exact(6, 64, 5, *SMALL)
        self.refused("tile", 6, 65, 5, *SMALL, says=["tile 6 65 5: K is 65", "1..64", "T=4 MAXDIM=16",
                                                     "mvout saturates"])
        self.refused("tile", 1, 257, 1, "--config", "t16", says=["K is 257", "1..256"])

    def test_a_sum_far_beyond_int8_saturates_once(self):
        """Half of K sums to far above 127, the other half to far below: no half is saturated."""
        k = 64
        a = bytes([127] * k)
        b = bytes([127] * (k // 2) + [0x81] * (k // 2 - 1) + [0x82])  # -127 and one -126
        report = self.tile(1, k, 1, *SMALL, "--a", self.write("a", a), "--b", self.write("b", b),
                           "--out", "c")
        self.assertTrue(report["exact"])
        self.assertEqual((self.dir / "c").read_bytes(), bytes([127]))
        self.assertEqual(report["saturated"], 1)

    def test_a_tile_of_every_shape(self):
        report = self.check_exact(21, 40, 21, *SMALL)
        shapes = {(p["rows"], p["columns"]): p["tiles"] for p in report["programs"]}
        self.assertEqual(shapes, {(5, 4): 24, (1, 4): 6})  # no columns short of one block of 4
        report = self.check_exact(35, 12, 35, *SMALL)
        shapes = {(p["rows"], p["columns"]): p["tiles"] for p in report["programs"]}
        self.assertEqual(shapes, {(16, 16): 4, (16, 4): 2, (3, 16): 2, (3, 4): 1})

    def test_one_program_is_what_run_runs(self):
        """Where tile's images are the workload's, the same work takes the same cycles."""
        for name, (m, k, n) in {"gemm_4x4x4": (4, 4, 4), "gemm_8x8x8": (8, 8, 8),
                                "gemm_16x16x8": (16, 16, 8), "gemm_16x16x16": (16, 16, 16),
                                "gemm_steady_32x32x32": (32, 32, 32)}.items():
            report = self.tile(m, k, n)
            run = self.ok_json("run", name)
            self.assertEqual(report["tiles"]["run"], 1)
            self.assertEqual(report["windows"]["accelerator"], run["cycles"], name)
            self.assertEqual(report["array_utilization"], run["array_utilization"])

    def test_each_operand_is_packed_once(self):
        """The one that takes less room is kept; packing does not grow with the other's tiles."""
        tall = self.tile(64, 16, 16, *SMALL)
        wide = self.tile(16, 16, 64, *SMALL)
        self.assertEqual((tall["tiles"]["kept"], wide["tiles"]["kept"]), ("B", "A"))
        one = self.tile(16, 16, 16, *SMALL)
        self.assertAlmostEqual(tall["core"]["pack_b"] / one["core"]["pack_b"], 1, delta=0.02)
        self.assertAlmostEqual(wide["core"]["pack_a"] / one["core"]["pack_a"], 1, delta=0.02)
        both = self.tile(64, 16, 64, *SMALL)
        self.assertLess(both["core"]["pack_a"], 5 * one["core"]["pack_a"])
        self.assertLess(both["core"]["pack_b"], 5 * one["core"]["pack_b"])

    def test_a_hang_is_a_verdict(self):
        report = self.tile(20, 20, 20, "--set", "QD=2", *SMALL, code=1)
        self.assertEqual((report["verdict"], report["exact"]), ("DEADLOCK", False))
        self.assertIn("the tile at row 0 column 0: ", report["reason"])
        self.assertIn("the circle: ", report["reason"])
        self.assertTrue(report["deadlock"]["words"])
        self.assertTrue(report["deadlock"]["processes"])
        self.assertEqual((report["tiles"]["run"], report["macs"]), (0, 0))
        self.assertIs(report["extrapolated"], True)
        self.assertNotIn("comparison", report)
        text = self.ok("tile", 20, 20, 20, "--set", "QD=2", *SMALL, code=1)
        self.assertIn("tile 20 x 20 x 20: DEADLOCK - the tile at row 0 column 0: ", text)
        self.assertIn("processes wait; the circle:", text)

    def test_without_a_result_none_is_written(self):
        self.write("c", "before")
        for args in (("--set", "QD=2"), ("--limit", "30000")):
            self.tile(20, 20, 20, *SMALL, *args, "--out", "c", code=1)
            self.assertEqual((self.dir / "c").read_text(), "before")
            self.tile(20, 20, 20, *SMALL, *args, "--out", "new", code=1)
            self.assertFalse((self.dir / "new").exists())

    def test_a_run_that_takes_too_long_is_a_verdict(self):
        report = self.tile(20, 20, 20, *SMALL, "--limit", "30000", code=1)
        self.assertEqual(report["verdict"], "FAULT")
        self.assertIn("after 30000 cycles; --limit allows more", report["reason"])

    def test_a_memory_that_is_not_ideal(self):
        ideal = self.tile(20, 20, 20, *SMALL)
        slow = self.check_exact(20, 20, 20, *SMALL, *MEMORY)
        self.assertGreater(slow["windows"]["accelerator"], ideal["windows"]["accelerator"])
        self.assertIn("port shared:", self.ok("tile", 20, 20, 20, *SMALL, *MEMORY))

    def test_the_seed_draws_the_operands_and_nothing_else_varies(self):
        args = ("tile", 19, 23, 21, *SMALL, "--json", "--out", "c")
        first = self.ok(*args)
        c = (self.dir / "c").read_bytes()
        self.assertEqual(self.ok(*args), first)
        self.assertEqual((self.dir / "c").read_bytes(), c)
        self.ok(*args, "--seed", "2")
        self.assertNotEqual((self.dir / "c").read_bytes(), c)

    def test_programs_are_disassembled_on_request(self):
        text = self.ok("tile", 35, 12, 35, *SMALL, "--print-program")
        report = self.tile(35, 12, 35, *SMALL, "--print-program")
        self.assertEqual(len(report["programs"]), 4)
        for p in report["programs"]:
            self.assertIn(f"\n  {p['rows']} rows x {p['columns']} columns:\n", text)
            lines = p["text"].splitlines()
            self.assertEqual(len(lines), p["instructions"])
            for line in lines:
                self.assertIn(f"    {line}\n", text)
            self.ok("asm", self.write("p.s", p["text"]), "-o", "p.json")
            self.ok("judge", "legal", "--program", "p.json", *SMALL)
        self.assertNotIn("text", self.tile(35, 12, 35, *SMALL)["programs"][0])

    def test_the_default_configuration_and_text(self):
        text = self.ok("tile", 12, 200, 12)
        self.assertTrue(text.startswith("tile 12 x 200 x 12: EXACT\n"), text)
        for line in ("tiles", "images", "console", "accelerator", "end to end", "pack A", "pack B",
                     "start", "wait", "unpack C"):
            self.assertIn(f"\n  {line}", text)
        self.assertNotIn("extrapolated", text)

    def test_bad_input(self):
        for args, says in (
                ((), ["M is missing"]), ((1,), ["K is missing"]), ((1, 2), ["N is missing"]),
                ((1, 2, 3, 4), ["unexpected word '4'", "takes M K N"]),
                ((0, 1, 1), ["M is '0'", "1..65535"]), ((1, "x", 1), ["K is 'x'", "1..65535"]),
                ((1, 1, 65536), ["N is '65536'", "1..65535"]), ((1, 1, "0x4"), ["N is '0x4'"]),
                ((1, 1, ""), ["an empty word", "M K N"]), (("1.0", 1, 1), ["M is '1.0'"]),
                ((3000, 1, 3000), ["M*K + K*N + M*N is 9006000 bytes", "at most 8384"]),
                ((4, 8, 4, "--set", "IMEM_SIZE=16"), ["instructions", "allowed is 4"]),
                ((4, 4, 4, "--a", "nowhere"), ["nowhere: cannot be opened"]),
                ((4, 4, 4, "--program", "x"), ["unknown option '--program'"]),
                ((4, 4, 4, "--firmware", "."), ["tpu_tile.elf"])):
            self.refused("tile", *args, says=says)
        for size, word in ((11, "ends"), (13, "goes on")):
            self.refused("tile", 3, 4, 5, "--a", self.write("a", bytes(size)),
                         says=[f"the file {word}", "matrix A is M*K = 12 bytes"])
        self.refused("tile", 3, 4, 5, "--b", self.write("b", b""), says="matrix B is K*N = 20 bytes")


if __name__ == "__main__":
    unittest.main()
