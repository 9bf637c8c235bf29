# SPDX-License-Identifier: Apache-2.0
"""fidelity: the published measurements, what is counted, other tables, and what is refused."""
import json
import unittest

from harness import SOURCE, Cli

TABLE = SOURCE / "test/data/rtl_calibration.json"
POINTS = json.loads(TABLE.read_text())
MEAN_PCT = 0.3
WORST_PCT = 1.0


def point(**changes):
    """The first point of the table with these members changed."""
    return {**POINTS[0], **changes}


class Fidelity(Cli):
    def document(self, *args, code=0):
        return self.valid(self.ok_json("fidelity", *args, code=code), "fidelity")

    def table(self, *points):
        return self.document("--data", self.write("t.json", list(points)))

    def test_the_published_measurements_are_met(self):
        document = self.document()
        self.assertEqual([p["id"] for p in document["points"]], [p["id"] for p in POINTS])
        for told, given in zip(document["points"], POINTS):
            self.assertEqual((told["measured"], told["completes"]),
                             (given["cycles"], given["completes"]))
            self.assertEqual(told["completed"], given["completes"], told["id"])
            self.assertEqual(told["simulated"] is not None, told["completed"])
        self.assertEqual(document["wrong"], 0)
        self.assertLessEqual(document["mean"], MEAN_PCT)
        self.assertLessEqual(document["worst"], WORST_PCT)

    def test_the_summary_follows_from_the_points(self):
        document = self.document()
        errors = {p["id"]: p["error_pct"] for p in document["points"] if p["measured"]}
        for p in document["points"]:
            if p["measured"]:
                self.assertEqual(p["error"], p["simulated"] - p["measured"])
                self.assertAlmostEqual(p["error_pct"], 100 * p["error"] / p["measured"])
            else:
                self.assertIsNone(p["error_pct"])
        absolute = {k: abs(e) for k, e in errors.items()}
        self.assertEqual(document["compared"], len(errors))
        self.assertAlmostEqual(document["mean"], sum(absolute.values()) / len(errors))
        self.assertAlmostEqual(document["worst"], max(absolute.values()))
        self.assertEqual(document["worst"], absolute[document["worst_id"]])
        self.assertEqual(document["timing"], "hls-2023.2")

    def test_the_text_says_the_same(self):
        document = self.document()
        lines = self.ok("fidelity").splitlines()
        for told, line in zip(document["points"], lines[1:]):
            name, measured, simulated, *error = line.split()
            self.assertEqual(name, told["id"])
            self.assertEqual(measured, str(told["measured"]) if told["completes"] else "hangs")
            self.assertEqual(simulated, str(told["simulated"]) if told["completed"] else "hangs")
            if told["error"] is None:
                self.assertEqual(error, [])
            else:
                self.assertEqual((int(error[0]), error[1]),
                                 (told["error"], f"{told['error_pct']:+.2f}"))
        self.assertEqual(lines[-2], f"mean absolute error {document['mean']:.2f} %; worst "
                         f"{document['worst']:.2f} %, at {document['worst_id']}")
        self.assertEqual(lines[-1], "0 wrong completions")

    def test_the_platform_takes_the_same_cycles(self):
        simulated = {p["id"]: p for p in self.document()["points"]}
        for i, p in enumerate(POINTS):
            if i % 5 != 0 and p["completes"] and "T8" not in p["id"]:
                continue
            program = self.write("p.json", p["program"])
            sets = [w for k, v in p["config"].items() for w in ("--set", f"{k}={v}")]
            run = self.ok_json("run", "--program", program, *sets,
                               code=0 if p["completes"] else 1)
            told = simulated[p["id"]]
            self.assertEqual(run["completed"], told["completed"], p["id"])
            if run["completed"]:
                self.assertEqual(run["cycles"], told["simulated"], p["id"])

    def test_a_wrong_completion_ends_with_1_and_is_named(self):
        hangs = next(p for p in POINTS if not p["completes"])
        self.assertEqual(self.table(POINTS[0], hangs)["wrong"], 0)
        lie = self.write("lie.json", [point(cycles=None, completes=False),
                                      {**hangs, "completes": True}, POINTS[1]])
        document = self.document("--data", lie, code=1)
        self.assertEqual((document["wrong"], document["compared"]), (2, 1))
        text = self.ok("fidelity", "--data", lie, code=1)
        self.assertEqual(text.count("WRONG COMPLETION"), 2)
        self.assertTrue(text.endswith("\n2 wrong completions\n"), text)

    def test_an_error_in_cycles_is_no_verdict(self):
        document = self.table(point(cycles=1))
        self.assertEqual((document["wrong"], document["points"][0]["error"]), (0, 174))
        self.assertAlmostEqual(document["worst"], 17400)

    def test_completion_alone_may_be_known(self):
        document = self.table(point(cycles=None))
        self.assertEqual((document["compared"], document["mean"], document["worst"],
                          document["worst_id"], document["wrong"]), (0, None, None, None, 0))
        self.assertEqual(document["points"][0]["simulated"], 175)
        text = self.ok("fidelity", "--data", "t.json")
        self.assertIn(" completes       175\n", text)
        self.assertNotIn("mean", text)

    def test_other_depths_are_marked(self):
        at = {**POINTS[0]["config"], "QD": 12}
        document = self.table(POINTS[0], point(id="x", config=at))
        self.assertEqual([p["extrapolated"] for p in document["points"]], [False, True])
        self.assertEqual(self.ok("fidelity", "--data", "t.json").count("(extrapolated)"), 1)

    def test_bad_tables(self):
        table = [
            ("", ["byte 0"]),
            ("[", ["byte 1"]),
            ({}, ["$: ", "list"]),
            ([], ["$: "]),
            ([point(id=7)], ["$[0].id"]),
            ([POINTS[0], POINTS[0]], ["$[1].id", "once"]),
            ([point(cycles=0)], ["$[0].cycles", "4294967295"]),
            ([point(completes=False)], ["$[0].cycles", "null"]),
            ([point(config={"T": 4, "MAXDIM": 16})], ["$[0].config", "QD"]),
            ([point(config={"T": 3, "MAXDIM": 16, "QD": 8})], ["$[0].config.T", "from 4 to 64"]),
            ([point(config={"T": 4, "MAXDIM": 16, "QD": 8, "DMA_WORDS": 9})],
             ["$[0].config: ", "DMA_WORDS"]),
            ([point(program=[["0x", 0]])], ["$[0].program[0][0]"]),
            ([POINTS[0], point(id="x", program=[[8, 0]])], ["$[1].program", "contract", "loop"]),
            ([point(extra=1)], ["extra"]),
        ]
        for content, says in table:
            self.refused("fidelity", "--data", self.write("bad.json", content),
                         says=["bad.json: ", *says])
        self.refused("fidelity", "--data", "absent.json", says=["absent.json"])
        self.refused("fidelity", "--data", ".", says=["."])

    def test_a_configuration_gives_the_timing_profile(self):
        profile = json.loads((SOURCE / "configs/timing/hls-2023.2.json").read_text())
        profile["constants"]["start_cycles"]["value"] += 10
        self.write("timing/mine.json", profile)
        config = self.write("c.json", {"timing": "mine"})
        slower = self.document("--config", config)
        self.assertEqual(slower["timing"], "mine")
        for a, b in zip(self.document()["points"], slower["points"]):
            if a["completed"]:
                self.assertEqual(b["simulated"], a["simulated"] + 10)
        self.assertEqual(self.document("--config", "default"), self.document())

    def test_what_would_be_ignored_is_refused(self):
        for setting in ("T=4", "QD=8", "cpu.load_cycles=1"):
            self.refused("fidelity", "--set", setting, says=["--set", "fidelity"])
        for config, says in [
                ({"accelerator": {"QD": 8}}, ["$.accelerator.QD is 8", "only 16"]),
                ({"accelerator": {"T": 8}}, ["$.accelerator.T is 8", "only 4"]),
                ({"memory": {"latency_cycles": 3}}, ["$.memory.latency_cycles is 3", "only 0"]),
                ({"memory": {"ports": "per_initiator"}}, ["$.memory.ports", "only shared"]),
                ({"cpu": {"mul_cycles": 2}}, ["$.cpu.mul_cycles is 2", "only 1"])]:
            self.refused("fidelity", "--config", self.write("c.json", config),
                         says=["c.json: ", *says, "timing profile"])
        self.refused("fidelity", "--config", "t8", says=["t8.json", "$.accelerator.T"])
        self.refused("fidelity", "--config", self.write("c.json", {"timing": "absent"}),
                     says=["c.json", "$.timing", "absent"])

    def test_same_table_same_bytes(self):
        self.assertEqual(self.ok("fidelity", "--json"), self.ok("fidelity", "--json"))


if __name__ == "__main__":
    unittest.main()
