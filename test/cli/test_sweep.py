# SPDX-License-Identifier: Apache-2.0
"""sweep: what every point is, how it is told, and what is refused."""
import json
import unittest

from sweeping import SMALL, Sweep


class Points(Sweep):
    def check_points(self, *args, memory=False):
        """Each point as corpus runs it, in cycles, verdict, reason, causes and counters."""
        document = self.document(*args, "-o", "points")
        lines = (self.dir / "points/results.jsonl").read_text().splitlines()
        units = {(*line["set"].values(), line["spec"]): line["units"]
                 for line in map(json.loads, lines)}
        legal = [c for c in document["configurations"] if c["legal"]]
        specs = [w["spec"] for w in document["workloads"]]
        self.assertEqual([(p["configuration"], p["spec"]) for p in document["points"]],
                         [(c["number"], s) for c in legal for s in specs])
        for c in legal:
            sets = [w for key, value in c["set"].items() for w in ("--set", f"{key}={value}")]
            corpus = json.loads(self.run_program("corpus", *sets, "--json").stdout)
            runs = {s["name"]: s for s in corpus["specs"]}
            for p in document["points"]:
                if p["configuration"] != c["number"]:
                    continue
                run = runs[p["spec"]]
                ran = p["end"] != "not run"
                self.assertEqual((p["verdict"], p["reason"], p["cycles"] or 0, ran),
                                 (run["verdict"], run["reason"], run["cycles"],
                                  run["cycles"] != 0), p)
                self.assertEqual(p["causes"], {k: v for k, v in run["causes"].items() if v})
                self.assertEqual(units[(*c["set"].values(), p["spec"])],
                                 {name: {k: v for k, v in unit.items()
                                         if k not in ("utilization", "waits")}
                                  for name, unit in run["units"].items()})
                self.assertEqual(len(run["units"]), 8 if ran else 0)
                if run["completed"]:
                    self.assertEqual(p["array_utilization"], run["array_utilization"])
        return document

    def test_they_are_those_of_corpus(self):
        document = self.check_points("--set", "T=4,8", "--set", "MAXDIM=16,64", "--set", "QD=5")
        self.assertIn("deadlock", {p["end"] for p in document["points"]})
        self.assertIn("not run", {p["end"] for p in document["points"]})

    def test_a_memory_that_is_not_ideal_sweeps_too(self):
        document = self.check_points("--set", "memory.latency_cycles=0,9", "--spec", "gemm_*",
                                     "--set", "memory.ports=shared,per_initiator")
        cycles = {}
        for p in document["points"]:
            cycles.setdefault(p["spec"], []).append(p["cycles"])
        for spec, (a, b, slow, fast) in cycles.items():
            self.assertEqual(a, b, spec)
            self.assertLess(a, slow)
            self.assertLess(a, fast)

    def test_illegal_configurations_are_listed_with_the_reason(self):
        document = self.document("--set", "T=4,16", "--set", "MAXDIM=8,16,64", "--spec",
                                 "gemm_16x16x16")
        refused = {tuple(c["set"].values()): c["reason"] for c in document["configurations"]
                   if not c["legal"]}
        self.assertEqual(list(refused), [(16, 8)])
        self.assertIn("MAXDIM is 8; allowed is a multiple of T=16", refused[16, 8])
        self.assertIn(refused[16, 8], self.ok("sweep", "--set", "T=4,16", "--set",
                                              "MAXDIM=8,16,64", "--spec", "gemm_16x16x16"))
        verdicts = {p["configuration"]: p["verdict"] for p in document["points"]}
        self.assertEqual(list(verdicts.values()), ["SKIPPED", "EXACT", "EXACT", "EXACT", "EXACT"])

    def test_a_value_that_no_configuration_is_legal_at_leaves_the_means_of_others(self):
        args = ("--set", "MAXDIM=16,32,128", "--spec", "gemm_?x?x?")
        legal, wide = (self.document("--set", v, *args[2:])["parameters"][0]
                       for v in ("MAXDIM=16,32", "MAXDIM=16,32,128"))
        self.assertEqual((wide["cases"], wide["values"][:2]), (2, legal["values"]))
        self.assertEqual([wide["values"][2][k] for k in ("exact", "cycles", "array_utilization")],
                         [0, None, None])
        self.assertRegex(self.ok("sweep", *args),
                         r"\n\| 128 +\|     0 \|     0 \|     0 \|        - \|      - \|\n")

    def test_on_an_ideal_memory_the_core_has_no_part_in_the_cycles(self):
        args = ("--set", "cpu.load_cycles=1,9", "--set", "cpu.mul_cycles=1,7")
        points = self.document(*args, "--spec", "gemm_8x8x8")["points"]
        run = self.ok_json("run", "gemm_8x8x8", "--set", "cpu.load_cycles=9")
        self.assertEqual([p["cycles"] for p in points], [run["cycles"]] * 4)

    def test_extrapolated_ones_and_hangs_are_marked(self):
        args = ("--set", "T=4,8,16", "--set", "QD=4,8,16", "--spec", "relu_16x16")
        document = self.document(*args)
        self.assertEqual([tuple(c["set"].values()) for c in document["configurations"]
                          if not c["extrapolated"]], [(4, 8), (4, 16), (8, 8)])
        text = self.ok("sweep", *args)
        for c, p in zip(document["configurations"], document["points"]):
            t, qd = c["set"].values()
            cycles = "hangs" if p["end"] == "deadlock" else str(p["cycles"])
            row = next(line for line in text.splitlines()
                       if line.startswith("| relu_16x16 ") and p["verdict"] in line and
                       line.endswith(f"T={t} QD={qd}")).split("|")
            self.assertEqual(row[3].strip(), cycles)
            self.assertEqual(row[5].strip(), "x" if c["extrapolated"] else "")
        self.assertEqual(document["points"][1]["end"], "deadlock") # QD = 8 hangs at T = 4

    def test_what_is_derived_from_the_points(self):
        document = self.document("--set", "T=4,8", "--set", "QD=8,16", "--set", "DMA_WORDS=1,2")
        cost = {c["number"]: c["cost"]["cost"] for c in document["configurations"]}
        for w in document["workloads"]:
            points = {p["configuration"]: p["cycles"] for p in document["points"]
                      if p["spec"] == w["spec"] and p["verdict"] == "EXACT"}
            front = [c for c in points
                     if not any(points[d] <= points[c] and cost[d] <= cost[c] and
                                (points[d], cost[d]) != (points[c], cost[c]) for d in points)]
            self.assertEqual(w["pareto"], sorted(front, key=lambda c: (cost[c], c)))
            best = min(points, key=lambda c: (points[c], cost[c], c)) if points else None
            self.assertEqual(w["best"], best)
        by = {(p["configuration"], p["spec"]): p for p in document["points"]}
        for step, parameter in zip((4, 2, 1), document["parameters"]):
            ratios = [max(a, b) / min(a, b) for (c, s), p in by.items()
                      if (c - 1) // step % 2 == 0
                      for q in (by[c + step, s],)
                      if p["verdict"] == q["verdict"] == "EXACT"
                      for a, b in ((p["cycles"], q["cycles"]),)]
            sensitivity = parameter["sensitivity"]
            self.assertEqual(sensitivity["pairs"], len(ratios))
            self.assertAlmostEqual(sensitivity["ratio"], max(ratios), 12)
            slow, fast = (by[sensitivity[k], sensitivity["spec"]]["cycles"]
                          for k in ("slower", "faster"))
            self.assertAlmostEqual(slow / fast, sensitivity["ratio"], 12)
            self.assertEqual(parameter["cases"], len(ratios))

    def test_a_variant(self):
        document = self.document("--set", "QD=16", "--variant", "just_in_time", "--spec", "*16x16*")
        points = {p["spec"]: p for p in document["points"]}
        ranked = self.ok_json("rank", "gemm_16x16x16")["variants"]
        self.assertEqual(points["gemm_16x16x16"]["cycles"],
                         next(v["cycles"] for v in ranked if v["name"] == "just_in_time"))
        self.assertEqual(points["relu_16x16"]["verdict"], "DECLINED")
        self.assertEqual(document["variant"], "just_in_time")

    def test_nothing_exact_is_a_verdict(self):
        self.document("--set", "QD=2,3", "--spec", "relu_16x16", code=1)
        self.document("--set", "QD=16", "--spec", "gemm_reduce_8x6x8")


class Refused(Sweep):
    def test_bad_input(self):
        for args, says in [
                ((), ["'sweep' needs keys", "--set"]),
                (("--set", "T=4,3"), ["--set T", '"3"', "4 to 64"]),
                (("--set", "TT=4"), ["unknown key", "T"]),
                (("--set", "T"), "KEY=VALUE"),
                (("--set", "T=4,"), "--set T"),
                (("--set", "T=4", "--set", "T=8"), "given twice"),
                (("--set", "T=4,4"), "listed twice"),
                (("--set", "T=16", "--set", "MAXDIM=8,24"),
                 ["no configuration of the product is legal", "MAXDIM is 8"]),
                (("--set", "memory.latency_ns=3", "--set", "memory.clock_mhz=3", "--set",
                  "memory.latency_cycles=1,2"), "no configuration of the product is legal"),
                (("--set", "T=4", "--spec", "gem"), ["no spec", "'gem'", "gemm_4x4x4"]),
                (("--set", "T=4", "--spec", ""), ["'--spec' is empty"]),
                (("--set", "T=4", "--variant", "base"), ["'base'", "baseline"]),
                (("--set", "T=4", "--jobs", "0"), ["--jobs", "1..1024"]),
                (("--set", "T=4", "--config", "absent"), "absent"),
                (("--set", "T=4", "--corpus", "absent"), "absent"),
                (("--set", "T=4", "-o", "no/such/place"), "no/such/place"),
                (("--set", "T=4", "-o", ""), "'--out' is empty"),
                (("--set", "T=4", "word"), "takes options only")]:
            self.refused("sweep", *args, says=says)
        self.write("taken", "")
        self.refused("sweep", *SMALL, "-o", "taken", says="taken: is no directory")

    def test_without_parallel_one_line_names_the_package(self):
        run = self.sweep(*SMALL, env=self.environment(PATH=str(self.dir)), code=2)
        self.assertEqual(run.stdout, b"")
        self.assertEqual(run.stderr.count(b"\n"), 1)
        self.assertIn(b"Debian package parallel", run.stderr)

    def test_jobs_that_fail_end_it_with_one_line(self):
        for script, says in (("exit 3", b"a job of the sweep failed"),
                             ("echo tpuvp: no luck >&2; exit 1", b"a job of the sweep failed: no luck"),
                             ("exit 0", b"4 of 4 configurations have no result"),
                             ("echo '{}'", b"a job: "), ("printf '{'", b"4 of 4"),
                             ("echo '{}'; exit 3", b"a job: "),
                             ("echo Usage:; echo a bad option >&2; exit 3",
                              b"GNU parallel or a job of it failed: a bad option\n"),
                             ("echo '{'; echo tpuvp: no luck >&2; exit 1",
                              b"a job of the sweep failed: no luck\n")):
            run = self.sweep(*SMALL, "-o", "x", env=self.tool(script), code=2)
            self.assertEqual((run.stdout, run.stderr.count(b"\n")), (b"", 1), run.stderr)
            self.assertIn(says, run.stderr)
        self.sweep(*SMALL, "-o", "x")

    def test_a_mistake_in_its_variable_is_gnu_parallels_to_tell(self):
        run = self.sweep(*SMALL, env=self.environment(PARALLEL="--nosuch"), code=2)
        self.assertEqual((run.stdout, run.stderr.count(b"\n")), (b"", 1), run.stderr)
        self.assertIn(b"Unknown option: nosuch", run.stderr)


if __name__ == "__main__":
    unittest.main()
