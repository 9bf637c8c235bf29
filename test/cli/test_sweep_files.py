# SPDX-License-Identifier: Apache-2.0
"""sweep: its directory, how a killed one goes on, and jobs that run elsewhere."""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

from harness import PROGRAM, SOURCE
from sweeping import FILES, SMALL, Sweep, TWO


class Results(Sweep):
    def test_the_files_hold_the_same(self):
        self.sweep(*SMALL, "-o", "out")
        lines = (self.dir / "out/results.jsonl").read_text().splitlines()
        document = self.valid(json.loads((self.dir / "out/report.json").read_text()), "sweep")
        self.assertEqual(document, self.document(*SMALL))
        self.assertEqual((self.dir / "out/report.md").read_text(), self.ok("sweep", *SMALL))
        configurations = {c["number"]: c for c in document["configurations"]}
        self.assertEqual(len(lines), len(document["points"]))
        with open(self.dir / "out/results.csv", encoding="utf-8", newline="") as f:
            rows = list(csv.DictReader(f))
        for text, p, row in zip(lines, document["points"], rows, strict=True):
            line = self.valid(json.loads(text), "point")
            c = configurations[p["configuration"]]
            self.assertEqual(line["set"], c["set"])
            self.assertEqual({k: line[k] for k in p if k != "configuration"},
                             {k: v for k, v in p.items() if k != "configuration"})
            self.assertEqual((line["cost"], line["extrapolated"]),
                             (c["cost"]["cost"], c["extrapolated"]))
            self.assertEqual((row["T"], row["QD"], row["spec"], row["cycles"], row["cost"]),
                             (str(line["set"]["T"]), str(line["set"]["QD"]), line["spec"],
                              str(line["cycles"]), str(line["cost"])))
            self.assertEqual(sum(int(row[k]) for k in line["causes"]), line["cycles"])

    def test_neither_order_nor_jobs_nor_place_change_a_byte(self):
        self.sweep(*SMALL, "-o", "a", "--jobs", "1")
        self.sweep("--spec", "gemm_*x8", "--set", "QD=16,8", "--set", "T=8,4", "-o", "b", "--jobs",
                   "5")
        self.assertEqual(self.contents("a"), self.contents("b"))
        for name, content in self.contents("a").items():
            for word in (str(self.dir), os.uname().nodename, "/"):
                if word != "/" or name.startswith("results"):
                    self.assertNotIn(word.encode(), content, name)

    def test_a_finished_sweep_runs_nothing_again(self):
        self.sweep(*SMALL, "-o", "a")
        before = self.contents("a")
        self.sweep(*SMALL, "-o", "a", env=self.tool("exit 9"))
        self.assertEqual(self.contents("a"), before)

    def test_another_sweep_is_not_mixed_in(self):
        self.sweep(*SMALL, "-o", "a")
        for other in (("--set", "T=4,8", "--set", "QD=8", "--spec", "gemm_*x8"),
                      (*TWO, "--spec", "gemm_8x8x8"), (*SMALL, "--variant", "via_spad"),
                      (*SMALL, "--config", "published")):
            self.refused("sweep", *other, "-o", "a", says=["a/sweep.json", "another sweep"])
        self.sweep("--set", "QD=8", "--spec", "gemm_4x4x4", "--config",
                   self.write("c.json", {}), "-o", "b")
        self.write("c.json", {"accelerator": {"DMA_WORDS": 2}})
        self.refused("sweep", "--set", "QD=8", "--spec", "gemm_4x4x4", "--config", "c.json", "-o",
                     "b", says="other inputs")


    def test_files_that_are_no_sweeps_are_not_written_over(self):
        for name in (*FILES, "results.partial", "jobs.log"):
            place = self.dir / name
            place.write_text("mine\n")
            self.refused("sweep", *SMALL, "-o", ".", says=[f"/{name}: is there", "sweep.json"])
            self.assertEqual({p.name: p.read_text() for p in self.dir.iterdir()}, {name: "mine\n"})
            place.unlink()
        self.write("notes.md", "mine\n")
        self.sweep(*SMALL, "-o", ".")

    def test_no_file_of_it_takes_the_place_of_a_stream_that_is_closed(self):
        for i, (closed, code, says) in enumerate((
                ("<&-", 0, b""), ("2>&-", 0, b""), ("<&- 2>&-", 0, b""),
                (">&-", 2, b"cannot write standard output: Bad file descriptor"),
                ("<&- >&-", 2, b"cannot write standard output: Bad file descriptor"))):
            run = subprocess.run(["bash", "-c", f'"$0" "$@" {closed}', PROGRAM, "sweep", *SMALL,
                                  "-o", f"s{i}"], cwd=self.dir, capture_output=True, check=False)
            self.assertEqual(run.returncode, code, (closed, run.stderr))
            self.assertIn(says, run.stderr)
            self.assertEqual((self.dir / f"s{i}/lock").read_bytes(), b"", closed)

    def test_other_firmware_is_another_sweep_where_the_platform_runs(self):
        # A program of its own, whose firmware may be touched.
        home = pathlib.Path(PROGRAM).resolve().parent
        program = shutil.copy(PROGRAM, self.dir)
        (self.dir / "firmware").mkdir()
        firmware = pathlib.Path(shutil.copy(home / "firmware/tpu_corpus.elf",
                                            self.dir / "firmware"))
        for name in ("configs", "corpus"):
            (self.dir / name).symlink_to(home / name)
        sweep = [program, "sweep", "--spec", "gemm_4x4x4", "--set"]
        slow, ideal = ["memory.latency_cycles=0,9", "-o", "slow"], ["QD=8", "-o", "ideal"]
        for words in (slow, ideal):
            subprocess.run(sweep + words, cwd=self.dir, check=True, capture_output=True)
        firmware.write_bytes(firmware.read_bytes() + b"\0")
        subprocess.run(sweep + ideal, cwd=self.dir, check=True, capture_output=True)
        run = subprocess.run(sweep + slow, cwd=self.dir, check=False, capture_output=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr.count(b"\n")), (2, b"", 1))
        self.assertIn(b"slow/sweep.json: is of another sweep", run.stderr)


class Resumed(Sweep):
    def setUp(self):
        super().setUp()
        self.sweep(*SMALL, "-o", "due")
        self.due = self.contents("due")

    def resume(self, directory, *args):
        run = self.sweep(*SMALL, *args, "-o", directory)
        self.assertEqual(self.contents(directory), self.due)
        left = {p.name for p in (self.dir / directory).iterdir()}
        self.assertLessEqual(left, {*FILES, "sweep.json", "lock", "jobs.log"} |
                             {n for n in left if n.startswith("part-")})
        return run.stderr.decode().count("\n")

    def kill(self, directory, n):
        """Killed once it has kept the n-th configuration from its start."""
        with subprocess.Popen([PROGRAM, "sweep", *SMALL, "--jobs", "1", "-o", directory],
                              cwd=self.dir, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as run:
            for _ in range(n):
                self.assertTrue(run.stderr.readline().startswith(b"["))
            run.send_signal(signal.SIGKILL)

    def test_killed_after_the_nth_configuration(self):
        for n in (1, 2, 3, 4):
            self.kill(f"n{n}", n)
            log = (self.dir / f"n{n}/jobs.log").read_text()
            self.assertLessEqual(self.resume(f"n{n}"), 4 - n)
            whole = (self.dir / f"n{n}/jobs.log").read_text()
            self.assertTrue(whole.startswith(log) and whole.startswith("Seq\t"), whole)

    parallel = shutil.which("parallel")

    def test_killed_at_any_byte_of_what_it_writes(self):
        # parallel's stand-in bounds the size of every file that the sweep writes, then is parallel:
        # the kernel kills the sweep when it writes past that.
        size = len(self.due["results.jsonl"])
        for i, limit in enumerate((0, 1, 700, 1111, size // 2, size - 1)):
            env = self.tool(f"prlimit --pid $PPID --fsize={limit}; exec {self.parallel} \"$@\"")
            run = subprocess.run([PROGRAM, "sweep", *SMALL, "-o", f"b{i}"], cwd=self.dir, env=env,
                                 capture_output=True, check=False)
            self.assertEqual(run.returncode, -signal.SIGXFSZ, (limit, run.stderr))
            self.resume(f"b{i}")

    def test_killed_in_any_file_of_its_end(self):
        for i, name in enumerate(FILES):
            directory = self.dir / f"e{i}"
            directory.mkdir()
            for there in ("sweep.json", *FILES[:i]):
                shutil.copy(self.dir / "due" / there, directory)
            (directory / "results.partial").write_bytes(self.due["results.jsonl"])
            (directory / f"{name}.new").write_bytes(self.due[name][:100])
            self.assertEqual(self.resume(directory.name), 0)

    def test_a_line_without_its_end_is_dropped(self):
        lines = self.due["results.jsonl"]
        for cut in (1, 2, 100, len(lines) // 2 + 9, len(lines) - 1):
            directory = self.dir / f"c{cut}"
            directory.mkdir()
            (directory / "sweep.json").write_bytes((self.dir / "due/sweep.json").read_bytes())
            (directory / "results.partial").write_bytes(lines[:-cut])
            self.kill(directory.name, 1)  # what it wrote must not stand behind the piece
            self.resume(directory.name)

    def test_what_is_no_line_is_named(self):
        lines = self.due["results.jsonl"].splitlines(True)
        for broken, place in ((b"{}\n", "line 2"), (b"\n", "line 2"),
                              (lines[1].replace(b'"T":4', b'"T":5'), "line 2")):
            (self.dir / "due/results.partial").write_bytes(lines[0] + broken + lines[2])
            self.refused("sweep", *SMALL, "-o", "due", says=["due/results.partial", place])

    def test_a_line_that_was_edited_is_refused(self):
        lines = self.due["results.jsonl"].splitlines(True)
        cycles = json.loads(lines[1])["cycles"]
        number = f'"cycles":{cycles}'.encode()
        for edited, says in (
                (lines[1].replace(number, number + b"0"), "the causes add up to"),
                (lines[1].replace(b'"bits":', b'"bits":1'), "is not as a sweep writes it"),
                (lines[1].replace(b"{", b"{ ", 1), "is not as a sweep writes it"),
                (lines[1].replace(b'"end"', b'"by":1,"end"'), "is not as a sweep writes it")):
            self.assertNotEqual(edited, lines[1])
            for name in ("results.jsonl", "part-0.jsonl", "results.partial"):
                (self.dir / "due/results.jsonl").unlink(missing_ok=True)
                place = self.dir / "due" / name
                place.write_bytes(lines[0] + edited + b"".join(lines[2:]))
                self.refused("sweep", *SMALL, "-o", "due", says=[f"due/{name}: line 2: ", says])
                place.unlink()
        self.resume("due")

    def test_two_lines_of_a_point_that_differ_are_both_named(self):
        lines = self.due["results.jsonl"].splitlines(True)
        other = lines[1].replace(b'"dma_st":{"promised":', b'"dma_st":{"promised":1')
        self.assertNotEqual(other, lines[1])
        (self.dir / "due/results.partial").write_bytes(lines[0] + lines[1])
        self.resume("due")
        (self.dir / "due/results.partial").write_bytes(lines[0] + other)
        self.refused("sweep", *SMALL, "-o", "due",
                     says=["due/results.partial: line 2: states another result",
                           "due/results.jsonl: line 2"])

    def test_one_at_a_time(self):
        env = self.tool(f"\"$TPUVP\" sweep {' '.join(SMALL[:-1])} 'gemm_*x8' -o two >&2; exit 1")
        env["TPUVP"] = PROGRAM
        run = self.sweep(*SMALL, "-o", "two", env=env, code=2)
        self.assertIn(b"another sweep is writing there", run.stderr)


class Batch(Sweep):
    def test_slurm(self):
        self.sweep(*SMALL, "-o", "due")
        script = self.ok("sweep", *SMALL, "-o", "s", "--emit", "slurm")
        described = self.valid(self.ok_json("sweep", *SMALL, "-o", "s", "--emit", "slurm"), "sweep")
        self.assertEqual((described["script"], described["jobs"]), (script, 4))
        self.assertIn("#SBATCH --array=0-3\n", script)
        path = self.write("job.sh", script)
        for task in range(4):
            subprocess.run(["bash", path], env=self.environment(SLURM_ARRAY_TASK_ID=str(task)),
                           check=True)
        last = self.dir / "s/part-3.jsonl"
        last.write_bytes(last.read_bytes()[:-9]) # a task that was killed
        rest = self.ok("sweep", *SMALL, "-o", "s", "--emit", "slurm")
        self.assertIn("#SBATCH --array=0-0\n", rest)
        subprocess.run(["bash", self.write("rest.sh", rest)], check=True,
                       env=self.environment(SLURM_ARRAY_TASK_ID="0"))
        self.sweep(*SMALL, "-o", "s", env=self.tool("exit 9"))
        self.assertEqual(self.contents("s"), self.contents("due"))
        self.refused("sweep", *SMALL, "-o", "s", "--emit", "slurm", says="nothing is missing")
        self.refused("sweep", *SMALL, "--emit", "slurm", says=["--emit", "-o DIR"])
        self.refused("sweep", *SMALL, "-o", "s", "--emit", "pbs", says=["'pbs'", "slurm"])
        self.refused("sweep", *SMALL, "-o", "s", "--emit", "slurm", "--jobs", "3",
                     says=["'--jobs'", "--emit"])

    def test_other_hosts(self):
        self.sweep(*SMALL, "-o", "due")
        # As sshd does, it sets SHELL: the far side of GNU parallel reads it.
        self.tool('echo "$@" >>"$LOG"; while [[ $1 != -- ]]; do shift; done; shift; '
                  'SHELL=/bin/bash exec bash -c "$*"', "ssh")
        env = self.environment(LOG=str(self.dir / "log"), PARALLEL_SSH=str(self.dir / "tools/ssh"),
                               PARALLEL="--sshlogin 2/farm")
        self.sweep(*SMALL, "-o", "far", env=env)
        self.assertEqual(self.contents("far"), self.contents("due"))
        self.assertEqual((self.dir / "log").read_text().count("farm -- "), 4)
        self.assertIn("farm", (self.dir / "far/jobs.log").read_text())

    def test_names_that_a_shell_would_take_apart(self):
        odd = "a b'$(x){}{#}"
        self.write(f"{odd}/c.json", {"timing": "hls-2023.2"})
        (self.dir / odd / "one").mkdir()
        source = SOURCE / "corpus/01_gemm_4x4x4.json"
        self.write(f"{odd}/one/{source.name}", source.read_text())
        document = self.document("--config", f"{odd}/c.json", "--corpus", f"{odd}/one", "--set",
                                 "QD=8", "-o", f"{odd}/out")
        self.assertEqual(len(document["points"]), 1)

    def test_parts(self):
        every = self.ok("sweep", *SMALL, "--part", "1-4").splitlines()
        self.assertEqual(len(every), 16)
        self.assertEqual(self.ok("sweep", *SMALL, "--part", "1,3-4").splitlines(),
                         every[:4] + every[8:])
        for line in every:
            self.valid(json.loads(line), "point")
        for part in ("0", "5", "", "2-1", "1,1", "2,1", "1-", "-1", "a", "1,,2", "1-2-3", "1;2"):
            self.refused("sweep", *SMALL, "--part", part, says=["--part", "1..4"])
        for option in (("--json",), ("-o", "x"), ("--jobs", "2"), ("--emit", "slurm", "-o", "x")):
            self.refused("sweep", *SMALL, "--part", "1", *option, says="--part")
        self.refused("sweep", "--set", "memory.latency_cycles=0,5", "--part", "1-2",
                     says=["not ideal", "only one"])
        self.refused("sweep", "--set", "T=4,16", "--set", "MAXDIM=8,16", "--part", "3",
                     says="MAXDIM is 8")


if __name__ == "__main__":
    unittest.main()
