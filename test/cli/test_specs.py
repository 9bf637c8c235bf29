# SPDX-License-Identifier: Apache-2.0
"""judge specs: the corpus at each configuration, and every kind of bad spec and configuration."""
import copy
import json
import unittest

from harness import SOURCE, Cli

SPEC = json.loads((SOURCE / "corpus" / "01_gemm_4x4x4.json").read_text())


def changed(**changes):
    """The first spec of the corpus with these members changed; None removes one."""
    spec = copy.deepcopy(SPEC)
    for path, value in changes.items():
        *parents, last = path.split("__")
        at = spec
        for key in parents:
            at = at[int(key)] if isinstance(at, list) else at[key]
        if value is None and last != "known_gap":
            del at[last]
        else:
            at[last] = value
    return spec


class Specs(Cli):
    def standings(self, *args):
        listed = self.ok_json("judge", "specs", *args)["specs"]
        self.assertEqual(len(listed), 22)
        counts = {}
        for spec in listed:
            counts[spec["standing"]] = counts.get(spec["standing"], 0) + 1
            self.assertEqual(spec["standing"] == "SATISFIABLE", spec["reason"] is None)
            self.assertGreaterEqual(len(spec["stresses"]), 16)
        return counts

    def test_standings_of_the_configurations(self):
        self.assertEqual(self.standings(), {"SATISFIABLE": 21, "KNOWN GAP": 1})
        self.assertEqual(self.standings("--config", "published"),
                         {"SATISFIABLE": 16, "KNOWN GAP": 1, "SKIPPED": 5})
        self.assertEqual(self.standings("--config", "t8"),
                         {"SATISFIABLE": 14, "KNOWN GAP": 1, "UNSATISFIABLE": 7})
        self.assertEqual(self.standings("--config", str(SOURCE / "configs" / "t16.json")),
                         {"SATISFIABLE": 9, "KNOWN GAP": 1, "UNSATISFIABLE": 12})
        self.assertEqual(self.standings("--set", "T=8"), self.standings("--config", "t8"))

    def test_text_lists_every_spec_with_what_it_stresses(self):
        text = self.ok("judge", "specs")
        for file in sorted((SOURCE / "corpus").glob("*.json")):
            spec = json.loads(file.read_text())
            self.assertIn(f"\n{spec['name']} ", "\n" + text)
            self.assertIn(f"    {spec['stresses']}\n", text)

    def test_one_spec_by_name_stem_or_path(self):
        path = SOURCE / "corpus" / "05_gemm_16x16x16.json"
        texts = [self.ok("judge", "specs", "--spec", s)
                 for s in ("gemm_16x16x16", "05_gemm_16x16x16", path)]
        self.assertEqual(len(set(texts)), 1)
        self.assertEqual(self.ok_json("judge", "specs", "--spec", path)["specs"][0]["dims"],
                         {"m": 16, "k": 16, "n": 16})
        self.refused("judge", "specs", "--spec", "gemm_9x9x9", says="gemm_9x9x9")

    def test_adding_a_file_adds_a_spec(self):
        self.write("mine/gemm_4x4x4.json", SPEC)
        listed = self.ok_json("judge", "specs", "--corpus", "mine")["specs"]
        self.assertEqual([s["name"] for s in listed], ["gemm_4x4x4"])

    def test_a_spec_that_the_mapper_declines_is_not_called_unsatisfiable(self):
        other = changed(name="other", einsum="mk,kn->nm", output__subscript="nm")
        file = self.write("other.json", other)
        spec = self.ok_json("judge", "specs", "--spec", file)["specs"][0]
        self.assertEqual(spec["standing"], "DECLINED")
        self.assertIn("mk,kn->nm has no mapping", spec["reason"])
        self.assertIn("DECLINED: the einsum", self.ok("judge", "specs", "--spec", file))
        # Columns that no program can leave alone rule out every program, whatever the einsum.
        spec = self.ok_json("judge", "specs", "--spec", file, "--config", "t8")["specs"][0]
        self.assertEqual(spec["standing"], "UNSATISFIABLE")
        self.assertIn("4 column(s), no multiple of T=8", spec["reason"])
        spec = self.ok_json("judge", "specs", "--spec", "gemm_4x4x4", "--set",
                            "IMEM_SIZE=16")["specs"][0]
        self.assertEqual(spec["standing"], "DECLINED")
        self.assertIn("IMEM_SIZE", spec["reason"])

    def test_bad_specs(self):
        table = [
            ("", ["byte 0"]),
            ("{", ["byte 1"]),
            (json.dumps(SPEC)[:100], ["byte 35", "ends inside"]),
            (json.dumps(SPEC) + "x", ["byte"]),
            ("[]", ["$"]),
            ("[" * 100000, ["64"]),
            (b"\xff", ["byte 0"]),
            (" " * (10 << 20), ["4194304 bytes"]),
            (json.dumps(SPEC)[:-1] + ', "name": "gemm_4x4x4"}', ["name"]),
            (json.dumps(SPEC).replace('"m": 4', '"m": 04'), ["byte"]),
            (changed(dims__m=4.5), ["$.dims.m", "4.5"]),
            (json.dumps(SPEC).replace('"m": 4', '"m": 1e999'), ["finite"]),
            (json.dumps(SPEC).replace('"m": 4', '"m": 4e0'), ["$.dims.m", "4e0"]),
            (changed(dims__m="4"), ["$.dims.m"]),
            (changed(dims__m=0), ["$.dims.m"]),
            (changed(dims__q=4), ["$.dims"]),
            (changed(Name="x"), ["Name"]),
            (changed(name=None), ["name"]),
            (changed(name="other"), ["$.name"]),
            (changed(stresses="short"), ["$.stresses"]),
            (changed(stresses=None), ["stresses"]),
            (changed(einsum="mk,kn->nm"), ["$"]),
            (changed(einsum="mk,kn"), ["$.einsum"]),
            (changed(inputs__0__subscript="km"), ["$"]),
            (changed(inputs__0__origin=[0, 3]), ["$.inputs[0].origin"]),
            (changed(inputs__0__origin=[0]), ["$.inputs[0].origin"]),
            (changed(inputs__0__buffer="C"), ["$.inputs[0].buffer"]),
            (changed(inputs__0__dtype="int16"), ["$.inputs[0].dtype"]),
            (changed(inputs__1__buffer="A"), ["$"]),
            (changed(output__buffer="A"), ["$.output.buffer"]),
            (changed(output__write_window="some"), ["$.output.write_window"]),
            (changed(accumulator="int16"), ["$.accumulator"]),
            (changed(epilogue=["relu"]), ["$.epilogue"]),
            (changed(operand_pad="ones"), ["$.operand_pad"]),
            (changed(known_gap=""), ["$.known_gap"]),
            (changed(inputs=[]), ["$.inputs"]),
        ]
        for spec, says in table:
            file = self.write("bad/gemm_4x4x4.json", spec)
            self.refused("judge", "specs", "--spec", file, says=["gemm_4x4x4.json: ", *says])
            self.refused("judge", "specs", "--corpus", "bad", says=["gemm_4x4x4.json: ", *says])

    def test_bad_corpora(self):
        (self.dir / "empty").mkdir()
        self.refused("judge", "specs", "--corpus", "empty", says="empty")
        self.refused("judge", "specs", "--corpus", "absent", says="absent")
        self.write("twice/01_gemm_4x4x4.json", SPEC)
        self.write("twice/02_gemm_4x4x4.json", SPEC)
        self.refused("judge", "specs", "--corpus", "twice", says="gemm_4x4x4")

    def test_an_origin_that_a_configuration_refuses(self):
        file = self.write("at/gemm_4x4x4.json", changed(inputs__0__origin=[0, 4]))
        self.ok("judge", "specs", "--spec", file)
        self.refused("judge", "specs", "--spec", file, "--config", "t8",
                     says=["$.inputs[0].origin"])

    def test_bad_configurations(self):
        table = [
            ({"accelerator": {"T": 3}}, ["T", "3", "4"]),
            ({"accelerator": {"T": 65}}, ["T", "65", "64"]),
            ({"accelerator": {"MAXDIM": 66}}, ["MAXDIM", "66"]),
            ({"accelerator": {"T": 4, "MAXDIM": 92}}, ["MAXDIM", "2048"]),
            ({"accelerator": {"QD": 1}}, ["QD", "1"]),
            ({"accelerator": {"DMA_WORDS": 17}}, ["DMA_WORDS", "16"]),
            ({"accelerator": {"IMEM_SIZE": 20}}, ["IMEM_SIZE"]),
            ({"accelerator": {"T": "4"}}, ["$.accelerator.T"]),
            ({"accelerator": {"T": 4.5}}, ["$.accelerator.T", "4.5"]),
            ({"accelerator": {"t": 4}}, ["t"]),
            ({"acelerator": {}}, ["acelerator"]),
            ({"memory": {"ports": "many"}}, ["$.memory.ports"]),
            ({"timing": "../x"}, ["$.timing"]),
            ([], ["$"]),
            ("", ["byte 0"]),
            ('{"cpu": {"load_cycles": 1e999}}', ["finite"]),
            ('{"timing": "hls-2023.2", "timing": "hls-2023.2"}', ["timing"]),
        ]
        for config, says in table:
            self.refused("judge", "specs", "--config", self.write("c.json", config),
                         says=["c.json", *says])
        for assignment, says in [("T=3", ["T", "3"]), ("T", ["T"]), ("=4", ["="]), ("T=", ["T"]),
                                 ("X=1", ["X"]), ("T=0x4", ["T"]), ("T=4.0", ["4.0"]),
                                 ("MAXDIM=30", ["MAXDIM"]), ("t=8", ["t"]), ("T=1e1", ["1e1"])]:
            self.refused("judge", "specs", "--set", assignment, says=["--set", *says])
        self.refused("judge", "specs", "--config", "absent",
                     says=["--config", "'absent'", "default, published, qd8, t16, t8"])
        self.refused("judge", "specs", "--config", "publishd", says="did you mean published?")
        self.refused("judge", "specs", "--config", "./absent.json", says="absent.json")


if __name__ == "__main__":
    unittest.main()
