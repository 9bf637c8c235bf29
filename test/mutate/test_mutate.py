# SPDX-License-Identifier: Apache-2.0
"""Which faults the mutation check finds to make, and how it draws and tells them; builds nothing."""
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import faults
import mutate
import scan
import suite

SAMPLE = """\
/* if (a < b) comment(); 1 */
#include "x.h"
#define BIG(x) ((x) < 3 ? 1 : \\
                2 - (x))
enum { LIMIT = 7 };
static const int table[3] = {1, LIMIT, 9};
static int g(struct s *p, unsigned n, const char *text);

int f(struct s *p, unsigned n) { // n < 4
  static_assert(sizeof(int) == 4, "n < 5");
  char room[20];
  uint32_t wide = n - 1;
  if (n < 10 && p->ready) {
    p->count += (uint64_t)g(p, n, "a < b; if (c) d();");
    reset(p);
  } else
    return n == 2 ? g(p, n, "") : wide;
  while (!p->done)
    ++p->count;
  return p->count;
}
"""

CLASS = """\
template <class T> class box : public base<T> {
public:
  explicit box(int n) : n_{n}, list_(n + 1) { fill(n); }
  bool empty() const noexcept { return n_ == 0; }
  virtual std::vector<std::pair<int, int>> all() = 0;

private:
  int n_ = 4;
};
"""


def made(source=SAMPLE, file="isa/sample.c"):
    """(class, changed part of the text, what takes its place) of every fault."""
    return {(f.kind, source[f.start:f.end], f.text) for f in faults.faults_in(file, source)}


class Faults(unittest.TestCase):
    def test_each_class_is_found(self):
        expected = {
            ("off by one", "<", "<="), ("off by one", "1", "0"), ("off by one", "1", "2"),
            ("off by one", "", " + 1"),
            ("swapped operand", "n < 10", "10 < n"), ("swapped operand", "n - 1", "1 - n"),
            ("swapped operand", "p, n", "n, p"),
            ("inverted condition", "&&", "||"), ("inverted condition", "==", "!="),
            ("inverted condition", "n < 10 && p->ready", "!(n < 10 && p->ready)"),
            ("inverted condition", '!', ""), ("inverted condition", "!p->done", "!(!p->done)"),
            ("inverted condition", 'g(p, n, "") : wide', 'wide : g(p, n, "")'),
            ("dropped statement", "reset(p)", ""), ("dropped statement", "++p->count", ""),
            ("dropped statement", 'p->count += (uint64_t)g(p, n, "a < b; if (c) d();")', ""),
            ("narrowed type", "uint32_t", "uint8_t"), ("narrowed type", "uint64_t", "uint16_t"),
            ("changed constant", "10", "11"), ("changed constant", "10", "9"),
            ("changed constant", "7", "8"), ("changed constant", "9", "10"),
            ("changed constant", "2", "3"),
        }
        self.assertEqual(expected - made(), set())
        self.assertEqual({kind for kind, _, _ in made()}, set(faults.CLASSES))

    def test_what_does_not_run_is_left_alone(self):
        lines = SAMPLE.splitlines()
        for fault in faults.faults_in("isa/sample.c", SAMPLE):
            line = lines[fault.line - 1]
            for word in ("comment", "#", "BIG", "2 - (x)", "static_assert", "room[", "static int g"):
                self.assertNotIn(word, line)
            column = fault.start - SAMPLE.rfind("\n", 0, fault.start) - 1
            self.assertFalse("//" in line and column > line.index("//"), fault)
        inside = SAMPLE.index('"a < b;')
        for fault in faults.faults_in("isa/sample.c", SAMPLE):
            self.assertFalse(inside < fault.start < inside + 18, fault)
        self.assertEqual(len(scan.masked(SAMPLE)), len(SAMPLE))

    def test_a_header_gives_its_functions_only(self):
        self.assertEqual(made(CLASS, "models/box.h"), {
            ("dropped statement", "fill(n)", ""), ("inverted condition", "==", "!="),
            ("changed constant", "0", "1")})
        self.assertFalse(faults.holds_code("isa/x.h", "enum { A = 3 };\nint f(int n);\n"))
        self.assertTrue(faults.holds_code("isa/x.h", CLASS))

    def test_an_operand_is_taken_whole(self):
        for text, swapped in [("(uint32_t)p->x[i] - f(a, b).y", "f(a, b).y - (uint32_t)p->x[i]"),
                              ("a::b(c) % *d", "*d % a::b(c)"),
                              ("static_cast<int>(x) << y[1]", "y[1] << static_cast<int>(x)"),
                              ("(a + b) / size_t{c}", "size_t{c} / (a + b)")]:
            found = made(f"void f(void) {{\n  z = {text};\n}}\n")
            self.assertIn(("swapped operand", text, swapped), found)

    def test_a_fault_is_one_edit_and_has_one_name(self):
        found = faults.faults_in("isa/sample.c", SAMPLE)
        self.assertEqual(len({f.name for f in found}), len(found))
        for fault in found:
            self.assertNotEqual(fault.applied(SAMPLE), SAMPLE)
        moved = {f.name for f in faults.faults_in("isa/sample.c", "\n\n" + SAMPLE)}
        self.assertEqual(moved, {f.name for f in found})

    def test_the_draw_is_by_seed_and_takes_the_classes_in_turn(self):
        found = faults.faults_in("isa/sample.c", SAMPLE)
        first = faults.draw(found, 1)
        self.assertEqual(first, faults.draw(found, 1))
        self.assertNotEqual(first, faults.draw(found, 2))
        self.assertEqual(sorted(f.name for f in first), sorted(f.name for f in found))
        self.assertEqual({f.kind for f in first[:len(faults.CLASSES)]}, set(faults.CLASSES))


def listed(*arguments):
    """What --list prints, and its exit code."""
    out, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        code = mutate.main(["--list", *arguments])
    return out.getvalue().splitlines(), code


class Listing(unittest.TestCase):
    def test_every_file_gets_three_or_all_that_it_has(self):
        lines, code = listed()
        self.assertEqual(code, 0)
        count = {}
        for line in lines:
            file = line.partition(":")[0]
            count[file] = count.get(file, 0) + 1
        self.assertGreaterEqual(len(lines), 100)
        files = [p for folder in ("isa", "models", "judge")
                 for p in (mutate.ROOT / folder).rglob("*") if p.suffix in (".c", ".cpp")]
        self.assertGreater(len(files), 70)
        for path in files:
            self.assertEqual(count.get(str(path.relative_to(mutate.ROOT))), 3, path)
        equivalent = mutate.read_equivalent()
        for file in mutate.mutable_files():
            possible = [f for f in mutate.Draw(file, 1).faults if f.name not in equivalent]
            self.assertEqual(count.get(file, 0), min(3, len(possible)), file)

    def test_the_same_seed_gives_the_same_list(self):
        self.assertEqual(listed("--file", "isa/*"), listed("--file", "isa/*"))
        self.assertNotEqual(listed("--file", "isa/*"), listed("--file", "isa/*", "--seed", "2"))

    def test_files_and_their_number_can_be_chosen(self):
        lines, _ = listed("--file", "judge/work.c", "--file", "isa/walk.c", "--per-file", "5")
        self.assertEqual([line.partition(":")[0] for line in lines],
                         ["isa/walk.c"] * 5 + ["judge/work.c"] * 5)

    def test_bad_usage_is_refused(self):
        for arguments, says in [(["--file", "isa/none.c"], "--file isa/none.c"),
                                (["--per-file", "0"], "--per-file"), (["--seed", "x"], "--seed"),
                                (["--all"], "--all")]:
            run = subprocess.run([sys.executable, mutate.__file__, "--list", *arguments],
                                 capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stdout), (2, ""), arguments)
            self.assertIn(says, run.stderr)


class Equivalent(unittest.TestCase):
    def test_each_entry_names_a_fault_and_argues(self):
        entries = json.loads(mutate.EQUIVALENT.read_text(encoding="utf-8"))
        self.assertEqual(len(mutate.read_equivalent()), len(entries))
        for entry in entries:
            self.assertEqual(list(entry), ["file", "function", "before", "after", "why"])
            self.assertGreater(len(entry["why"]), 30, entry)
        draws = [mutate.Draw(f, 1) for f in mutate.mutable_files()]
        self.assertEqual(mutate.stale(mutate.read_equivalent(), draws), [])

    def test_an_entry_that_names_none_is_stale(self):
        draw = mutate.Draw("isa/walk.c", 1)
        there, gone = draw.faults[0].name, ("isa/walk.c", "f", "a < b", "a <= b")
        nowhere = ("isa/none.c", "f", "a < b", "a <= b")
        elsewhere = ("isa/asm.c", "f", "a < b", "a <= b")
        self.assertEqual(mutate.stale([there, gone, nowhere, elsewhere], [draw]), [gone, nowhere])

    def test_it_is_not_made(self):
        draw = mutate.Draw("isa/walk.c", 1)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            mutate.show([draw], mutate.options_of([]), {draw.drawn[0].name: "why"})
        shown = out.getvalue().splitlines()
        self.assertEqual(len(shown), 3)
        self.assertNotIn(draw.drawn[0].after, shown[0])


class Suite(unittest.TestCase):
    def test_it_is_read_as_ctest_tells_it(self):
        text = json.dumps({"tests": [
            {"name": "A.b", "command": ["/b/tests/t", "--gtest_filter=A.b"],
             "properties": [{"name": "WORKING_DIRECTORY", "value": "/b"}]},
            {"name": "cli.run", "command": ["/usr/bin/python3", "run.py"],
             "properties": [{"name": "ENVIRONMENT", "value": ["X=1=2", "Y="]},
                            {"name": "TIMEOUT", "value": 60.0},
                            {"name": "PASS_REGULAR_EXPRESSION", "value": ["well"]}]},
            {"name": "mutate.tool", "command": ["python3"]}]})
        first, second = suite.parse(text)
        self.assertEqual((first.name, suite.gtest_filter(first), first.cwd), ("A.b", "A.b", "/b"))
        self.assertEqual((second.env, second.limit, second.expects),
                         ({"X": "1=2", "Y": ""}, 60.0, "well"))
        self.assertIsNone(suite.gtest_filter(second))

    def test_the_test_that_failed_is_named(self):
        said = "[ RUN      ] a.b\n[       OK ] a.b (0 ms)\n[ RUN      ] a.c/3\n"
        self.assertEqual(suite.failed_gtest(said), "a.c/3")  # the process ended in it
        self.assertEqual(suite.failed_gtest(said + "[  FAILED  ] a.c/3, where GetParam() = 3\n"),
                         "a.c/3")
        self.assertIsNone(suite.failed_gtest("Segmentation fault\n"))
        self.assertEqual(suite.failed_unittest("FAIL: test_x (__main__.Y.test_x)\n---\n"), "test_x")


class Outcomes(unittest.TestCase):
    def test_a_fault_that_lives_or_an_old_entry_is_exit_1(self):
        def ended(outcome, old=()):
            found = [{"file": "a.c", "line": 1, "class": "off by one", "before": "a", "after": "b",
                      "outcome": outcome}]
            out = io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                return mutate.summary(found, list(old)), out.getvalue()
        self.assertEqual(ended(mutate.CAUGHT)[0], 0)
        self.assertEqual(ended(mutate.NONE)[0], 0)
        code, text = ended(mutate.LIVED)
        self.assertEqual(code, 1)
        self.assertIn("SURVIVED  a.c:1", text)
        code, text = ended(mutate.CAUGHT, [("a.c", "f", "x", "y")])
        self.assertEqual(code, 1)
        self.assertIn("a.c | f | x | y", text)

    def test_results_outlive_an_interrupted_run(self):
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "results.json"
            mutate.Results(path, False).put("faults", "k", {"outcome": mutate.CAUGHT})
            self.assertEqual(mutate.Results(path, False).get("faults", "k"),
                             {"outcome": mutate.CAUGHT})
            self.assertIsNone(mutate.Results(path, True).get("faults", "k"))


if __name__ == "__main__":
    unittest.main()
