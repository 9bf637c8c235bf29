# SPDX-License-Identifier: Apache-2.0
"""Self-contained images and ELF files of every bad kind, through run."""
import struct
import unittest

from harness import BUILD, Cli

HELLO = BUILD / "firmware" / "hello.elf"


def patched(data, offset, form, value):
    out = bytearray(data)
    struct.pack_into(form, out, offset, value)
    return bytes(out)


class Image(Cli):
    def test_an_image_runs_alone_on_every_configuration(self):
        told = self.ok("image", "gemm_8x8x8", "-o", "g.elf")
        self.assertIn("g.elf", told)
        size = (self.dir / "g.elf").stat().st_size
        self.assertIn(str(size), told)
        described = self.ok_json("image", "gemm_8x8x8", "-o", "h.elf")
        self.assertEqual(described, {"spec": "gemm_8x8x8", "file": "h.elf", "bytes": size,
                                     "seed": 1})
        self.assertEqual((self.dir / "g.elf").read_bytes(), (self.dir / "h.elf").read_bytes())
        for args, exact in [([], True), (["--config", "published"], True),
                            (["--config", "t8"], True), (["--set", "QD=16"], True)]:
            document = self.ok_json("run", "g.elf", *args)
            self.assertEqual((document["verdict"], document["exact"]), ("EXACT", exact))
            self.assertEqual(document["core"]["exit_code"], 0)
            self.assertIn("gemm_8x8x8: exact", document["core"]["console"])
        # The same bytes of operands and the same driver: the same cycles as run by name.
        self.assertEqual(self.ok_json("run", "g.elf")["cycles"],
                         self.ok_json("run", "gemm_8x8x8")["cycles"])
        self.assertIn("gemm_8x8x8: exact", self.ok("run", "./g.elf"))

    def test_an_image_fails_alone(self):
        self.ok("image", "gemm_reduce_8x6x8", "-o", "gap.elf")
        document = self.ok_json("run", "gap.elf", code=1)
        self.assertEqual((document["verdict"], document["exact"]), ("WRONG", False))
        self.ok("image", "relu_16x16", "-o", "relu.elf")
        document = self.ok_json("run", "relu.elf", "--config", "qd8", code=1)
        self.assertEqual(document["verdict"], "DEADLOCK")
        self.assertIn("deadlock", document)
        self.ok("image", "gemm_4x4x4", "-o", "four.elf")
        document = self.ok_json("run", "four.elf", "--config", "t16", code=1)
        self.assertIn(document["verdict"], ("CLOBBERED", "WRONG"))

    def test_another_seed_is_another_image(self):
        self.ok("image", "gemm_4x4x4", "-o", "a.elf", "--seed", "1")
        self.ok("image", "gemm_4x4x4", "-o", "b.elf", "--seed", "2")
        self.assertNotEqual((self.dir / "a.elf").read_bytes(), (self.dir / "b.elf").read_bytes())

    def test_a_workload_that_does_not_fit_has_no_image(self):
        self.refused("image", "gemm_steady_32x32x32", "-o", "x.elf", "--config", "published",
                     says=["18_gemm_steady_32x32x32.json", "MAXDIM=16"])
        self.refused("image", "gemm_4x4x4", "-o", "no/such/x.elf", says="no/such/x.elf")
        self.refused("image", "gemm_4x4x4", "-o", "x.elf", "--firmware", "absent", says="absent")

    def test_an_image_of_ones_own(self):
        text = self.ok("run", HELLO)
        self.assertIn(f"{HELLO}: PASSED", text)
        document = self.ok_json("run", HELLO)
        self.assertEqual((document["verdict"], document["completed"]), ("PASSED", False))
        self.assertEqual(document["core"]["end"], "finished")
        self.assertTrue(text.startswith(document["core"]["console"]))
        self.assertGreater(len(document["core"]["console"]), 3)
        self.refused("run", HELLO, "--program", "p.json", says="--program")
        self.refused("run", HELLO, "--a", "a.bin", says="--a")
        self.refused("run", HELLO, "--seed", "2", says="'--seed' has no meaning for an image")
        self.refused("run", HELLO, "--firmware", ".", says="'--firmware' has no meaning")

    def elf_of(self, *words, address=0x80000000):
        """A minimal RV32 image: these instruction words at an address, which is its entry."""
        code = b"".join(struct.pack("<I", w) for w in words)
        head = struct.pack("<4sBBBBB7xHHIIIIIHHHHHH", b"\x7fELF", 1, 1, 1, 0, 0, 2, 243, 1,
                           address, 52, 0, 0, 52, 32, 1, 0, 0, 0)
        segment = struct.pack("<8I", 1, 84, address, address, len(code), len(code), 5, 4)
        return head + segment + code

    def test_traps_and_endless_guests_end_with_a_report(self):
        table = [
            ("illegal.elf", [0xffffffff], "illegal instruction", "pc 0x80000000"),
            ("load.elf", [0x00000503], "bus error on a load", "value 0x00000000"),
            ("ecall.elf", [0x00000013, 0x00000073], "environment call", "pc 0x80000004"),
            ("misaligned.elf", [0x80000537, 0x00152503], "misaligned load", "0x80000001"),
        ]
        for name, words, cause, where in table:
            document = self.ok_json("run", self.write(name, self.elf_of(*words)), code=1)
            self.assertEqual((document["verdict"], document["core"]["end"]), ("FAULT", "trapped"))
            for word in (cause, where):
                self.assertIn(word, document["reason"])
        self.assertIn("lb", self.ok("run", "load.elf", code=1).split("a0,0(zero)")[0])
        asleep = self.write("wfi.elf", self.elf_of(0x10500073, 0xffdff06f))
        self.assertEqual(self.ok_json("run", asleep, code=1)["core"]["end"], "asleep")
        forever = self.write("loop.elf", self.elf_of(0x0000006f))
        document = self.ok_json("run", forever, "--limit", "1000000", code=1)
        self.assertEqual(document["core"]["end"], "over limit")
        self.assertIn("after 1000000 cycles; --limit allows more", document["reason"])

    def test_the_finisher_gives_the_verdict(self):
        # lui a0,0x100; lui a1,CODE; addi a1,a1,0x333; sw a1,0(a0); j .
        failing = self.elf_of(0x00100537, 0x000735b7, 0x33358593, 0x00b52023, 0x0000006f)
        document = self.ok_json("run", self.write("fail.elf", failing), code=1)
        self.assertEqual((document["verdict"], document["core"]["exit_code"]), ("FAILED", 7))

    def test_a_failure_with_code_0_is_a_failure(self):
        # lui a0,0x100; lui a1,0x3; addi a1,a1,0x333; sw a1,0(a0); j .
        failing = self.elf_of(0x00100537, 0x000035b7, 0x33358593, 0x00b52023, 0x0000006f)
        document = self.ok_json("run", self.write("zero.elf", failing), code=1)
        self.assertEqual((document["verdict"], document["reason"]),
                         ("FAILED", "failed with code 0"))

    def test_no_code_of_main_but_0_passes(self):
        document = self.ok_json("run", BUILD / "firmware" / "exit.elf", code=1)
        self.assertEqual((document["verdict"], document["core"]["exit_code"]), ("FAILED", 0xffff))

    def test_bad_elf_files(self):
        good = HELLO.read_bytes()
        phoff = struct.unpack_from("<I", good, 28)[0]
        table = [
            (b"", "byte 0: no ELF magic"),
            (b"\x7fELF", "byte 4: the header is cut off"),
            (good[:40], "byte 40: the header is cut off"),
            (good[:60], "byte 28: program headers"),
            (good[:len(good) // 4], "inside the file, which is too short"),
            (b"MZ" + good[2:], "byte 0: no ELF magic"),
            (patched(good, 4, "B", 2), "32-bit"),
            (patched(good, 5, "B", 2), "little endian"),
            (patched(good, 16, "<H", 3), "statically linked"),
            (patched(good, 18, "<H", 62), "RISC-V"),
            (patched(good, 24, "<I", 0x80000002), "entry"),
            (patched(good, 24, "<I", 0), "entry"),
            (patched(good, 28, "<I", 0xfffffff0), "program headers at 0xfffffff0"),
            (patched(good, 44, "<H", 0), "number of program headers is 0x0"),
            (self.elf_of(0x13, address=0x10000000), "segment outside memory"),
            (self.elf_of(0x13, address=0x81000000), "segment outside memory"),
            (patched(self.elf_of(0x13), 52 + 20, "<I", 0x02000000), "segment outside memory"),
            (patched(self.elf_of(0x13), 52 + 16, "<I", 0x100), "size in file is 0x100"),
        ]
        self.assertGreater(phoff, 0)
        for data, says in table:
            err = self.refused("run", self.write("bad.elf", data), says="bad.elf")
            self.assertIn(says, err)
        self.refused("run", "absent.elf", says="absent.elf")
        self.refused("run", self.write("dir.elf/x", "").rsplit("/", 1)[0], says="directory")


if __name__ == "__main__":
    unittest.main()
