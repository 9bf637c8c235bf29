# SPDX-License-Identifier: Apache-2.0
"""cmake --install: what is installed runs from anywhere, with the data it was installed with."""
import os
import pathlib
import shutil
import subprocess
import unittest

from harness import BUILD, PROGRAM, SOURCE, Cli


class Install(Cli):
    def install(self, prefix):
        run = subprocess.run(["cmake", "--install", str(BUILD), "--prefix", str(prefix)],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)

    def run_installed(self, program, *args):
        run = subprocess.run([str(program), *args], cwd="/", capture_output=True, text=True,
                             check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def test_an_installation_works_from_any_directory_and_may_move(self):
        prefix = self.dir / "prefix"
        self.install(prefix)
        program = prefix / "bin" / "tpuvp"
        share = prefix / "share" / "tpuvp"
        corpus = self.run_installed(program, "corpus")
        self.assertTrue(corpus.endswith("\n21 exact, 1 known gap\n"), corpus)
        self.assertIn("EXACT", self.run_installed(program, "run", "gemm_4x4x4", "--config", "t8",
                                                  "--set", "T=4"))
        self.assertIn("EXACT", self.run_installed(program, "tile", "5", "70", "9"))
        fidelity = self.run_installed(program, "fidelity")
        self.assertTrue(fidelity.endswith("\n0 wrong completions\n"), fidelity)
        # Its own corpus, not the one of the source tree.
        for spec in (share / "corpus").glob("*.json"):
            if spec.name != "01_gemm_4x4x4.json":
                spec.unlink()
        moved = self.dir / "elsewhere"
        prefix.rename(moved)
        corpus = self.run_installed(moved / "bin" / "tpuvp", "corpus")
        self.assertTrue(corpus.endswith("\n1 exact\n"), corpus)
        # Through a link in another directory, as a package manager would make it.
        link = self.dir / "link"
        os.symlink(moved / "bin" / "tpuvp", link)
        self.assertTrue(self.run_installed(link, "corpus").endswith("\n1 exact\n"))

    def test_it_holds_data_schemas_headers_and_firmware(self):
        prefix = self.dir / "prefix"
        self.install(prefix)
        share = prefix / "share" / "tpuvp"
        for folder in ("corpus", "configs", "configs/timing"):
            for file in (SOURCE / folder).glob("*.json"):
                self.assertEqual((share / folder / file.name).read_bytes(), file.read_bytes())
        table = "rtl_calibration.json"
        self.assertEqual((share / "calibration" / table).read_bytes(),
                         (SOURCE / "test" / "data" / table).read_bytes())
        for schema in (SOURCE / "docs").glob("*.schema.json"):
            self.assertTrue((share / "schemas" / schema.name).is_file(), schema)
        for image in ("tpu_corpus", "tpu_tile"):
            self.assertTrue((share / "firmware" / f"{image}.elf").is_file(), image)
        include = prefix / "include" / "tpuvp"
        for header in [*SOURCE.glob("isa/*.h"), *SOURCE.glob("platform/hw/*.h")]:
            self.assertTrue((include / header.relative_to(SOURCE)).is_file(), header)
        # Installed headers compile by themselves.
        source = self.write("use.c", '#include "isa/check.h"\n#include "isa/asm.h"\n'
                            '#include "firmware/tpu_driver.h"\n#include "isa/mapper.h"\n'
                            "int main(void) { return TPU_REG_ID; }\n")
        run = subprocess.run(["cc", "-std=c17", "-Wall", "-Werror", "-fsyntax-only", f"-I{include}",
                              source], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_program_without_its_data_says_where_it_looked(self):
        lonely = self.dir / "bin" / "tpuvp"
        lonely.parent.mkdir()
        shutil.copy(pathlib.Path(PROGRAM).resolve(), lonely)
        run = subprocess.run([str(lonely), "corpus"], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout, run.stderr.count("\n")), (2, "", 1))
        self.assertIn(str(lonely.parent), run.stderr)
        self.assertIn("share/tpuvp", run.stderr)


if __name__ == "__main__":
    unittest.main()
