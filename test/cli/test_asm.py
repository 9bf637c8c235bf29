# SPDX-License-Identifier: Apache-2.0
"""asm and disasm: text to words and back, and every kind of bad file."""
import json
import unittest

from harness import Cli

TEXT = """dma_ld mode=A:vr row=0 col=0 dest=64 rows=4
loop 3
  loop 2
    mm vr=0 ar=0+iv0*4+iv1*8 acc=1 spad=0+iv1*4 rows=4
  endloop
endloop
nop
vld vr=1 spad=2 rows=3
vadd dest=0 src1=8 src2=16 rows=4
vrelu dest=0 src=0 rows=4
mvout ar=0 row=0 col=0 rows=4
"""

# op | f0 << 6 | f1 << 18 | f2 << 30 | f3 << 42 | nr << 54; term k: (target | level << 4 |
# stride << 7) << 19 k
MM = (4 | 1 << 30 | 4 << 54,
      (2 | 0 << 4 | 4 << 7) | (2 | 1 << 4 | 8 << 7) << 19 | (4 | 1 << 4 | 4 << 7) << 38)
WORDS = [(1 | 2 << 6 | 64 << 42 | 4 << 54, 0), (8 | 3 << 54, 0), (8 | 2 << 54, 0), MM, (9, 0),
         (9, 0), (0, 0), (3 | 1 << 6 | 2 << 18 | 3 << 54, 0),
         (5 | 8 << 18 | 16 << 30 | 4 << 54, 0), (6 | 4 << 54, 0), (7 | 4 << 54, 0)]


def number(word):
    return int(word, 16) if isinstance(word, str) else word


class Asm(Cli):
    def test_words_are_those_of_the_encoding(self):
        words = json.loads(self.ok("asm", self.write("p.s", "# head\n\n" + TEXT)))
        self.assertEqual([tuple(map(number, pair)) for pair in words], WORDS)

    def test_text_survives_a_round_trip(self):
        self.ok("asm", self.write("p.s", TEXT), "-o", "p.json")
        self.assertEqual(self.ok("disasm", "p.json"), TEXT)
        self.ok("disasm", "p.json", "-o", "q.s")
        self.assertEqual(self.ok("asm", "q.s"), (self.dir / "p.json").read_text())

    def test_both_forms_of_a_word_are_read(self):
        mixed = [[w0, hex(w1)] for w0, w1 in WORDS]
        self.assertEqual(self.ok("disasm", self.write("p.json", mixed)), TEXT)

    def test_json_gives_text_and_words_of_every_instruction(self):
        file = self.write("p.s", TEXT)
        for document in (self.ok_json("asm", file),
                         self.ok_json("disasm", self.write("p.json", [list(p) for p in WORDS]))):
            listed = document["instructions"]
            self.assertEqual([i["index"] for i in listed], list(range(len(WORDS))))
            self.assertEqual([tuple(map(number, i["words"])) for i in listed], WORDS)
            self.assertEqual([i["text"] for i in listed], [t.strip() for t in TEXT.splitlines()])

    def test_bad_text_names_line_and_column(self):
        table = [
            ("mvout ar=0 row=0 col=0 rows=4\nmm vr=0 ar=9999 acc=0 spad=0 rows=4\n",
             ["line 2", "9999", "0..2047"]),
            ("mul vr=0\n", ["line 1", "mul"]),
            ("loop\n", ["line 1"]),
            ("mm vr=0 ar=0 acc=0 spad=0\n", ["line 1"]),
            ("mm vr=0+iv7*1 ar=0 acc=0 spad=0 rows=4\n", ["line 1", "level", "0..3"]),
            ("nop\nnop x\n", ["line 2"]),
            ("vrelu dest=0 src=-1 rows=4\n", ["line 1"]),
            (b"nop\n\0nop\n", ["byte 4", "NUL"]),
            (b"\xff\xfe\n", ["line 1"]),
        ]
        for text, says in table:
            self.refused("asm", self.write("bad.s", text), says=["bad.s", *says])
        self.refused("asm", "absent.s", says="absent.s: cannot be read")
        self.refused("asm", ".", says="directory")
        self.refused("asm", self.write("big.s", "#" + "x" * (10 << 20)), says="larger than")

    def test_program_files_of_every_bad_shape(self):
        deep = "[" * 5000 + "]" * 5000
        table = [
            ("", ["byte 0"]),
            ("[[1, 2]", ["byte 7"]),
            ("[[1, 2]] x", ["byte 9"]),
            ("{}", ["$"]),
            ("[1]", ["$[0]"]),
            ("[[1]]", ["$[0]", "list of 2"]),
            ("[[1, 2, 3]]", ["$[0]", "list of 2"]),
            ("[[1, [2]]]", ["$[0][1]"]),
            ("[[1, null]]", ["$[0][1]"]),
            ("[[1, true]]", ["$[0][1]"]),
            ("[[01, 2]]", ["byte"]),
            ("[[1, 4.5]]", ["$[0][1]", "4.5"]),
            ("[[1, 4.0]]", ["$[0][1]", "4.0"]),
            ("[[1, 1e3]]", ["$[0][1]", "1e3"]),
            ("[[1, 1e999]]", ["byte 5", "finite"]),
            ("[[-1, 2]]", ["$[0][0]", "-1"]),
            ("[[18446744073709551616, 2]]", ["$[0][0]", "18446744073709551616",
                                             "18446744073709551615"]),
            ('[["0x10000000000000000", 2]]', ["$[0][0]"]),
            ('[["12", 2]]', ["$[0][0]", "12"]),
            ('[["0x", 2]]', ["$[0][0]"]),
            ('[["-0x1", 2]]', ["$[0][0]"]),
            ('[["0x1\\u0000", 2]]', ["NUL"]),
            (deep, ["64"]),
            ("[" + "[0, 0]," * 1600000 + "[0, 0]]", ["4194304 bytes"]),
            ("\ufeff[[1, 2]]", ["byte 0"]),
        ]
        for text, says in table:
            self.refused("disasm", self.write("bad.json", text), says=["bad.json: ", *says])

    def test_a_configuration_that_is_given_must_be_one(self):
        self.ok("asm", self.write("p.s", TEXT), "-o", "p.json", "--config", "t8")
        self.assertEqual(self.ok("disasm", "p.json", "--set", "T=8"), TEXT)
        for command, file in (("asm", "p.s"), ("disasm", "p.json")):
            self.refused(command, file, "--config", "absent", says=["--config", "'absent'"])
            self.refused(command, file, "--set", "T=3", says=["--set T", "from 4 to 64"])

    def test_words_that_are_no_instruction_are_named(self):
        for word in [2**53 + 1, 2**63, 2**64 - 1]:
            for form in (word, f"0x{word:x}"):
                err = self.refused("disasm", self.write("w.json", [[0, 0], [form, 0]]),
                                   says=["w.json: instruction 1:"])
                self.assertNotIn("instruction 0", err)


if __name__ == "__main__":
    unittest.main()
