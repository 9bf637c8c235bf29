# SPDX-License-Identifier: Apache-2.0
"""A hang is a verdict in words: who waits for whom, from console to exit code."""
import json
import re
import unittest

from harness import SOURCE, Cli

CALIBRATION = json.loads((SOURCE / "test/data/rtl_calibration.json").read_text())
HUNG = [p for p in CALIBRATION if not p["completes"]]


class Hang(Cli):
    def check(self, *args):
        """One hung run, in JSON and in text."""
        document = self.ok_json("run", *args, code=1)
        self.assertEqual((document["verdict"], document["completed"]), ("DEADLOCK", False))
        core = document["core"]
        self.assertEqual((core["end"], core["exit_code"]), ("finished", 1))  # woken, and said so
        self.assertIn("deadlock, hardware error 7 DEADLOCK", core["console"])
        t = document["config"]["accelerator"]["T"]
        hang = document["deadlock"]
        waits = {p["name"]: p for p in hang["processes"]}
        self.assertEqual(len(waits), len(hang["processes"]))
        for name, unit in document["units"].items():  # whoever has work left is there
            instances = [n for n in waits if n.split("[")[0] == name]
            if unit["done"] < unit["promised"]:
                self.assertTrue(instances, name)
            self.assertLessEqual(len(instances), t * t if name in ("wld", "pe") else 1)
        for p in waits.values():
            self.assertEqual(p["occupancy"], p["depth"] if p["access"] == "put" else 0, p)
        circle = hang["cycle"]
        self.assertGreater(len(circle), 1)
        for k, name in enumerate(circle):
            self.assertEqual(waits[name]["waits_for"], circle[(k + 1) % len(circle)])
        text = self.ok("run", *args, code=1)
        self.check_text(text, document, waits)
        return document, text

    def check_text(self, text, document, waits):
        words = document["deadlock"]["words"]
        self.assertIn("; ".join(words), text.splitlines()[0])
        self.assertEqual(document["reason"], f"{len(waits)} processes wait for each other; "
                         f"the circle: {'; '.join(words)}")
        shown = text.split(" processes wait; the circle:\n")[1]
        for clause in words:
            self.assertIn(f"    {clause}\n", shown)
        # Who is waited for in one clause waits in the next, and the last closes the circle.
        waiters = [re.match(r"(.*?) waits? for ", w)[1] for w in words]
        for k, clause in enumerate(words):
            following = waiters[(k + 1) % len(words)]
            self.assertRegex(clause, rf" that {re.escape(following)} (hold|have|has|do|can)")
        # Every process is told of, those of the array as a few lines.
        lines = shown.split("  all that wait:\n")[1].splitlines()
        self.assertLess(len(lines), 20)
        told = 0
        for line in lines:
            many = re.match(r"  (\d+) (wld|pe) +wait to (get from|put into) their (\w+), "
                            r"(\d+) of (\d+) tokens(?:; (\d+) hold back .*)?$", line)
            if many:
                alike = [p for p in waits.values()
                         if (p["name"].split("[")[0], p["access"], p["stream"].split("[")[0]) ==
                         (many[2], many[3][:3], many[4])]
                self.assertEqual(len(alike), int(many[1]), line)
                self.assertEqual({(p["occupancy"], p["depth"]) for p in alike},
                                 {(int(many[5]), int(many[6]))})
                self.assertEqual(sum(p["held"] is not None for p in alike), int(many[7] or 0))
                told += len(alike)
            else:
                name, access, stream, tokens, depth = re.match(
                    r"  (\S+) +waits to (get from|put into) (\S+), (\d+) of (\d+) tokens",
                    line).groups()
                p = waits[name]
                self.assertEqual((access[:3], stream, int(tokens), int(depth)),
                                 (p["access"], p["stream"], p["occupancy"], p["depth"]))
                held = f"; holds back {p['held']}"
                self.assertEqual(line.endswith(held), p["held"] is not None, line)
                told += 1
        self.assertEqual(told, len(waits))

    def test_a_workload(self):
        document, _ = self.check("relu_16x16", "--config", "qd8")
        self.assertEqual(document["deadlock"]["words"], [
            "accu waits for result rows in cw[3] that the PEs hold back",
            "the PEs wait for weights in wq[0][0] that wld[0][0] has not got",
            "wld[0][0] waits for weights in wcol[0] that spm holds back",
            "spm waits for an instruction in c_spm that the sequencer cannot issue",
            "the sequencer waits for room in c_acc, full with 8 of 8 instructions that accu does "
            "not take"])
        row = [line for line in self.ok("corpus", "--config", "qd8", code=1).splitlines()
               if "accu waits for result rows" in line]
        self.assertEqual(row, ["    " + document["reason"]])

    def test_the_programs_that_the_rtl_never_completes(self):
        self.assertEqual(len(HUNG), 4)
        for point in HUNG:
            settings = [f"--set={key}={value}" for key, value in point["config"].items()]
            self.check("--program", self.write("p.json", point["program"]), *settings)

    def test_an_array_that_waits_for_itself(self):
        document, _ = self.check("gemm_16x16x16", "--set", "QD=2", "--set", "T=16")
        self.assertEqual({n.split("[")[0] for n in document["deadlock"]["cycle"]}, {"pe"})

    def test_an_image(self):
        self.ok("image", "relu_16x16", "-o", "r.elf")
        text = self.ok("run", "./r.elf", "--config", "qd8", code=1)
        self.assertIn("./r.elf: DEADLOCK - relu_16x16: deadlock, hardware error 7", text)
        self.assertIn("accu waits for result rows in cw[3] that the PEs hold back", text)
        document = self.ok_json("run", "./r.elf", "--config", "qd8", code=1)
        self.assertEqual(document["deadlock"]["words"][0],
                         "accu waits for result rows in cw[3] that the PEs hold back")


if __name__ == "__main__":
    unittest.main()
