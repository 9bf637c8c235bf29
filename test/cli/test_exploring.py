# SPDX-License-Identifier: Apache-2.0
"""The numbers that docs/exploring.md tells are those that its commands print.

test_readme.py replays the commands. Here each number of a section's prose, in digits or in a word,
must stand in a block of that section, or be the result of arithmetic on such, or be argued for.
"""
import ast
import operator
import re
import unittest

from harness import SOURCE

TEXT = (SOURCE / "docs/exploring.md").read_text(encoding="utf-8")
MECHANISMS = len(re.findall(r"(?m)^\d+\. \*\*", (SOURCE / "docs/timing.md").read_text()))
WORDS = {word: str(n) for n, word in enumerate(
    "two three four five six seven eight nine ten eleven twelve".split(), 2)}
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")
EQUATION = re.compile(r"N(?: [-+*/] N)+ = N".replace("N", r"\d+(?:\.\d+)?"))
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.Div: operator.truediv}
ARGUED = {  # section: what no command prints, and why it may stand
    "Exploring a design": {
        "5": "how many sections follow: tested",
        "10": "minutes of a reader; the commands take seconds",
    },
}


def sections(text):
    """Title and body of each section, the head of the document first."""
    parts = re.split(r"(?m)^##? (.+)$", text)
    return dict(zip(parts[1::2], parts[2::2]))


def prose(body):
    """What is said: without blocks, comments, targets of links, references to mechanisms."""
    text = re.sub(r"\]\([^)]*\)|<!--.*?-->", "]", BLOCK.sub("", body))
    return re.sub(r"\(\d\)", "", " ".join(text.split()))


def value(expression):
    def of(node):
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](of(node.left), of(node.right))
        return node.value
    return of(ast.parse(expression, mode="eval").body)


def unfounded(title, body, argued):
    """The numbers of a section that nothing bears out, and the equations that are wrong."""
    shown = set(re.findall(r"(?<![\d.])\d+(?:\.\d+)?", "".join(BLOCK.findall(body))))
    shown |= set(argued.get(title, ()))
    text = prose(body)
    out = []
    for equation in EQUATION.findall(text):
        left, right = equation.split(" = ")
        decimals = len(right.partition(".")[2])
        if f"{value(left):.{decimals}f}" != right:
            out.append(equation)
        elif set(NUMBER.findall(left)) <= shown:
            shown.add(right)  # arithmetic on what was printed
        elif right in shown and "+" in left:
            shown |= set(NUMBER.findall(left))  # a sum that explains what was printed
    numbers = NUMBER.findall(text) + [WORDS[w] for w in re.findall(r"[a-z]+", text.lower())
                                      if w in WORDS]
    return out + [n for n in numbers if n not in shown]


class Exploring(unittest.TestCase):
    def test_every_number_of_the_prose_is_in_the_output(self):
        for title, body in sections(TEXT).items():
            with self.subTest(title):
                self.assertEqual(unfounded(title, body, ARGUED), [])

    def test_what_is_argued_for_is_there_and_needs_it(self):
        for title, reasons in ARGUED.items():
            for number in reasons:
                without = {title: set(reasons) - {number}}
                self.assertIn(number, unfounded(title, sections(TEXT)[title], without))

    def test_each_section_asks_shows_and_decides(self):
        parts = sections(TEXT)
        parts.pop("Exploring a design")
        self.assertEqual(len(parts), 5)
        for title, body in parts.items():
            self.assertTrue(title.endswith("?"), title)
            self.assertGreaterEqual(len(BLOCK.findall(body)), 2, title)
            self.assertEqual(body.count("**To decide.**"), 1, title)

    def test_mechanisms_are_those_of_timing(self):
        named = {int(n) for n in re.findall(r"\((\d)\)", TEXT)}
        self.assertTrue(named <= set(range(1, MECHANISMS + 1)), named)
        self.assertEqual(MECHANISMS, 9)

    def test_a_wrong_number_is_found(self):
        body = "It takes {} cycles.\n```console\n$ x\n  175 cycles, 64 of 88.5\n```\n"
        table = [("175", []), ("64", []), ("88.5", []), ("176", ["176"]), ("17", ["17"]),
                 ("88", ["88"]), ("five", ["5"]), ("175 - 64 = 111", []),
                 ("175 - 64 = 112", ["175 - 64 = 112", "112"]), ("170 + 5 = 175", []),
                 ("170 - 64 = 106", ["170", "106"]), ("175 / 64 = 2.73", []),
                 ("175 / 64 = 2.74", ["175 / 64 = 2.74", "2.74"]), ("gemm_3x3", [])]
        for said, faults in table:
            self.assertEqual(unfounded("t", body.format(said), {}), faults, said)
        self.assertEqual(unfounded("t", body.format("9"), {"t": {"9": "why"}}), [])


if __name__ == "__main__":
    unittest.main()
