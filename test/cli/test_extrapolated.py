# SPDX-License-Identifier: Apache-2.0
"""Every command that tells cycles marks those of a machine on which nothing was measured.

Which machines were measured is read from the calibration table, not from the program.
"""
import itertools
import json
import unittest

from harness import SOURCE, Cli

TABLE = json.loads((SOURCE / "test/data/rtl_calibration.json").read_text(encoding="utf-8"))
KEYS = ("T", "MAXDIM", "QD", "DMA_WORDS")
MEASURED = {tuple(p["config"].get(k, 1) for k in KEYS) for p in TABLE}
NOTE = "(extrapolated: no program was measured on such a machine)"
SPEC = "gemm_8x8x8"
COMMANDS = (("run", SPEC), ("path", SPEC), ("trace", SPEC), ("rank", SPEC), ("work", SPEC),
            ("work",), ("tile", "8", "8", "8"), ("corpus",),
            ("judge", "fast", "--spec", SPEC, "--simulate"))


def marks(value):
    """Every value of a key "extrapolated" of a document."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "extrapolated":
                yield item
            else:
                yield from marks(item)
    elif isinstance(value, list):
        for item in value:
            yield from marks(item)


class Extrapolated(Cli):
    def settings(self, point):
        return [w for k, v in zip(KEYS, point) for w in ("--set", f"{k}={v}")]

    def told(self, command, *settings):
        """What the command marks, the same in text and in JSON."""
        text = self.run_program(*command, *settings).stdout.decode()
        document = json.loads(self.run_program(*command, *settings, "--json").stdout)
        said = set(marks(document))
        self.assertEqual(len(said), 1, command)
        self.assertEqual(text.count("extrapolated"), text.count(NOTE))
        self.assertEqual(text.count(NOTE), int(said == {True}), f"{command} {settings}")
        return said.pop()

    def test_run_at_every_combination_near_the_measured_ones(self):
        for point in itertools.product((4, 8), (16, 32, 64), (4, 8, 16, 32), (1, 2)):
            run = self.run_program("run", SPEC, *self.settings(point), "--json")
            self.assertEqual(json.loads(run.stdout)["extrapolated"], point not in MEASURED, point)

    def test_every_command_marks_the_same(self):
        for point in ((4, 64, 16, 1), (8, 64, 8, 1), (8, 64, 16, 1), (4, 64, 16, 2)):
            for command in COMMANDS:
                if command != ("corpus",) or point[0] == 8:
                    self.assertIs(self.told(command, *self.settings(point)),
                                  point not in MEASURED, (command, point))

    def test_another_memory_or_size_is_marked(self):
        for setting in ("memory.latency_cycles=1", "memory.bytes_per_cycle=8", "IMEM_SIZE=40"):
            self.assertTrue(self.told(("run", SPEC), "--set", setting))
        self.assertFalse(self.told(("run", SPEC), "--set", "cpu.load_cycles=2"))

    def test_depth_marks_each_depth(self):
        for t, maxdim in ((4, 64), (8, 64), (4, 32)):
            settings = self.settings((t, maxdim, 16, 1))
            document = self.ok_json("depth", SPEC, *settings)
            rows = [line.split() for line in self.ok("depth", SPEC, *settings).splitlines()]
            for d in document["depths"]:
                self.assertEqual(d["extrapolated"], (t, maxdim, d["qd"], 1) not in MEASURED, d)
                self.assertIn([str(d["qd"]), "completes" if d["completed"] else "hangs",
                               str(d["cycles"])] + ["extrapolated"] * d["extrapolated"], rows)

    def test_a_sweep_marks_each_configuration(self):
        document = self.ok_json("sweep", "--spec", SPEC, "--set", "T=4,8", "--set", "MAXDIM=16,64",
                                "--set", "QD=8,12,16", "--set", "DMA_WORDS=1,2",
                                "--set", "memory.latency_cycles=0,9", "--jobs", "2")
        for c in document["configurations"]:
            point = tuple(c["set"][k] for k in KEYS)
            self.assertEqual(c["extrapolated"],
                             point not in MEASURED or c["set"]["memory.latency_cycles"] != 0, c)

    def test_the_set_is_stated_in_one_way(self):
        stated = " ".join((SOURCE / "docs/timing.md").read_text(encoding="utf-8").split())
        depth = self.ok("depth", SPEC).splitlines()
        told = depth[depth.index(next(t for t in depth if "machines measured," in t)) + 1]
        self.assertIn(told.strip() + ".", stated)
        self.assertIn(told.strip() + ".\n", self.ok("sweep", "--spec", SPEC, "--set", "QD=16"))


if __name__ == "__main__":
    unittest.main()
