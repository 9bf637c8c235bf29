# SPDX-License-Identifier: Apache-2.0
"""run on memories that are not ideal: what they cost, what is told of them, and that it adds up."""
import json
import unittest

import jsonschema

from harness import SOURCE, Cli

SCHEMA = json.loads((SOURCE / "docs/run.schema.json").read_text(encoding="utf-8"))

INITIATORS = ["cpu", "program", "operands", "results"]
COUNTS = ("requests", "bytes", "busy", "waiting", "latency", "in_memory")


def settings(**keys):
    return [word for key, value in keys.items() for word in ("--set", f"memory.{key}={value}")]


class Memory(Cli):
    def measure(self, spec, **keys):
        """A run, exact, its account checked."""
        document = self.ok_json("run", spec, *settings(**keys))
        self.assertEqual(document["verdict"], "EXACT")
        jsonschema.validate(document, SCHEMA)
        memory = document["memory"]
        self.assertEqual(list(memory["initiators"]), INITIATORS)
        accounts = list(memory["initiators"].values())
        shared = document["config"]["memory"]["ports"] == "shared"
        self.assertEqual([p["name"] for p in memory["ports"]],
                         ["shared"] if shared else INITIATORS)
        for port in memory["ports"]:
            mine = accounts if port["name"] == "shared" else [memory["initiators"][port["name"]]]
            self.assertEqual(port["busy"], sum(a["busy"] for a in mine))
            self.assertEqual(port["busy"] + port["idle"], port["cycles"])
        if memory["ideal"]:
            self.assertEqual([memory["total"][k] for k in COUNTS], [None, None, 0, 0, 0, 0])
            return document
        for key in COUNTS:
            self.assertEqual(memory["total"][key], sum(a[key] for a in accounts), key)
        for account in accounts:
            self.assertEqual(account["in_memory"],
                             account["waiting"] + account["latency"] + account["busy"])
            self.assertEqual(account["latency"], account["requests"] * memory["latency_cycles"])
            self.assertGreater(account["requests"], 0)
        return document

    def test_everything_is_accounted_for_at_every_setting(self):
        ideal = self.measure("gemm_8x8x8")
        for keys in (dict(latency_cycles=20), dict(bytes_per_cycle=1),
                     dict(latency_cycles=9, bytes_per_cycle=3, outstanding=4),
                     dict(latency_cycles=9, bytes_per_cycle=3, ports="per_initiator"),
                     dict(latency_cycles=100, outstanding=16, ports="per_initiator")):
            slow = self.measure("gemm_8x8x8", **keys)
            self.assertGreater(slow["cycles"], ideal["cycles"])
            self.assertEqual(slow["memory"]["initiators"]["results"]["bytes"], 64)
            # The span of both images in whole rows of MAXDIM bytes.
            self.assertEqual(slow["memory"]["initiators"]["operands"]["bytes"], 2 * 8 * 64)

    def test_at_the_ideal_setting_no_cycle_count_moves(self):
        want = self.measure("gemm_16x16x16")
        for keys in (dict(outstanding=16), dict(ports="per_initiator"),
                     dict(latency_cycles=0, bytes_per_cycle=0, outstanding=7)):
            got = self.measure("gemm_16x16x16", **keys)
            for key in ("cycles", "windows", "units", "critical_path", "core"):
                self.assertEqual(got[key], want[key], key)

    def test_at_the_ideal_setting_no_measured_point_moves(self):
        table = json.loads((SOURCE / "test/data/rtl_calibration.json").read_text(encoding="utf-8"))
        self.assertEqual(len(table), 47)
        for point in table:
            program = self.write("p.json", point["program"])
            shape = [w for k, v in point["config"].items() for w in ("--set", f"{k}={v}")]
            code = 0 if point["completes"] else 1
            want, got = (self.ok_json("run", "--program", program, *shape, *keys, code=code)
                         for keys in ([], settings(outstanding=16, ports="per_initiator")))
            self.assertEqual(want["completed"], point["completes"])
            if point["cycles"]:
                self.assertLess(abs(want["cycles"] - point["cycles"]), 0.015 * point["cycles"])
            for document in (want, got):
                del document["config"], document["memory"]
            self.assertEqual(got, want, point["id"])

    def test_bandwidth_bounds_a_run(self):
        run = self.measure("gemm_steady_64x64x64", bytes_per_cycle=1)
        moved = [run["memory"]["initiators"][k] for k in ("program", "operands", "results")]
        self.assertEqual([a["busy"] for a in moved], [a["bytes"] for a in moved])
        self.assertEqual((moved[1]["bytes"], moved[2]["bytes"]), (2 * 4096, 4096))
        # Nothing is stored before all is loaded.
        self.assertGreaterEqual(run["cycles"], 3 * 4096)

    def test_more_outstanding_requests_and_ports_help(self):
        slow = dict(latency_cycles=30, bytes_per_cycle=8)
        one = self.measure("gemm_16x16x16", **slow)
        four = self.measure("gemm_16x16x16", outstanding=4, **slow)
        many = self.measure("gemm_16x16x16", outstanding=64, ports="per_initiator", **slow)
        self.assertGreater(one["cycles"], four["cycles"])
        self.assertGreater(four["cycles"], many["cycles"])
        self.assertGreater(one["memory"]["initiators"]["results"]["waiting"],
                           four["memory"]["initiators"]["results"]["waiting"])

    def test_a_latency_in_ns_is_one_in_cycles(self):
        cycles = self.measure("gemm_8x8x8", latency_cycles=15)
        ns = self.measure("gemm_8x8x8", latency_ns=50, clock_mhz=300)
        self.assertEqual(ns["cycles"], cycles["cycles"])
        self.assertEqual(ns["memory"], cycles["memory"])
        self.assertEqual(ns["memory"]["latency_cycles"], 15)
        self.assertEqual(ns["config"]["memory"]["latency_ns"], 50)
        again = self.write("again.json", ns["config"])  # what is reported can be run again
        self.assertEqual(self.ok_json("run", "gemm_8x8x8", "--config", again), ns)
        self.refused("run", "gemm_8x8x8", *settings(latency_ns=50), says=["latency_ns", "clock_mhz"])
        self.refused("run", "gemm_8x8x8", *settings(clock_mhz=50), says=["latency_ns", "clock_mhz"])
        self.refused("run", "gemm_8x8x8", *settings(latency_ns=5, clock_mhz=5, latency_cycles=1),
                     says=["latency_cycles", "one of the two"])
        both = {"memory": {"latency_ns": 5, "clock_mhz": 200, "latency_cycles": 1}}
        self.refused("run", "gemm_8x8x8", "--config", self.write("both.json", both),
                     says=["both.json", "$.memory.latency_ns", "latency_cycles"])

    def test_the_text_tells_the_same(self):
        keys = dict(latency_cycles=9, bytes_per_cycle=3, outstanding=2)
        memory = self.measure("gemm_8x8x8", **keys)["memory"]
        text = self.ok("run", "gemm_8x8x8", *settings(**keys))
        self.assertIn("9 cycles of latency, 3 bytes a cycle, 2 outstanding, one port for all", text)
        rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.split()}
        for name, account in (*memory["initiators"].items(), ("total", memory["total"])):
            self.assertEqual(rows[name],
                             [str(account[k])
                              for k in ("requests", "bytes", "busy", "waiting", "latency")])
        port = memory["ports"][0]
        self.assertIn(f"{port['busy']} busy + {port['idle']} idle = {port['cycles']} cycles", text)
        self.assertNotIn("memory:", self.ok("run", "gemm_8x8x8"))

    def test_the_schema_fits_every_kind_of_run(self):
        for args, code in ((["relu_16x16", "--config", "qd8"], 1), (["gemm_4x4x4", "--set", "T=8"], 1),
                           (["gemm_steady_32x32x32", "--config", "published"], 1),
                           (["gemm_8x8x8", "--limit", "1000"], 1)):
            jsonschema.validate(self.ok_json("run", *args, code=code), SCHEMA)
        document = self.measure("gemm_4x4x4", latency_cycles=3)
        for key in ("busy", "waiting"):
            del document["memory"]["total"][key]
            self.assertRaises(jsonschema.ValidationError, jsonschema.validate, document, SCHEMA)
            document = self.measure("gemm_4x4x4", latency_cycles=3)

    def test_an_image_has_an_account_too(self):
        self.ok("image", "gemm_4x4x4", "-o", "g.elf")
        document = self.ok_json("run", "./g.elf", *settings(latency_cycles=5))
        jsonschema.validate(document, SCHEMA)
        self.assertTrue(document["exact"])
        self.assertEqual(document["memory"],
                         self.ok_json("run", "gemm_4x4x4",
                                      *settings(latency_cycles=5))["memory"])

    def test_the_corpus_stays_what_it_is_on_a_slow_memory(self):
        ideal = self.ok_json("corpus")
        slow = self.ok_json("corpus", *settings(latency_cycles=40, bytes_per_cycle=2,
                                                outstanding=4))
        for was, now in zip(ideal["specs"], slow["specs"]):
            self.assertEqual((was["name"], was["verdict"]), (now["name"], now["verdict"]))
            if was["cycles"]:
                self.assertGreater(now["cycles"], was["cycles"], was["name"])


if __name__ == "__main__":
    unittest.main()
