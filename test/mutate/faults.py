# SPDX-License-Identifier: Apache-2.0
"""The faults that can be made in a C or C++ text: one edit each, of six classes.

A fault is made in what runs: the bodies of functions and, in a source file, the initializers and
enumerations outside them. Comments, strings, preprocessor lines, assertions and the types and
dimensions of what is declared are left alone. The layout is clang-format's: an operator between
two operands has a space on either side, a template's bracket has none.
"""
import dataclasses
import random
import re

from scan import CLOSE, OPEN, masked, matching, regions, tokens

CLASSES = ("off by one", "swapped operand", "inverted condition", "dropped statement",
           "narrowed type", "changed constant")

ASSERTION = re.compile(r"\b(?:static_assert|_Static_assert|assert|sc_assert)\s*\(")
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "case", "else", "do", "goto",
            "catch", "alignof", "decltype", "defined", "static_cast", "reinterpret_cast"}
# By two steps where there are two: what one step loses, no test of moderate size has.
NARROWER = {"uint64_t": "uint16_t", "int64_t": "int16_t", "uint32_t": "uint8_t",
            "int32_t": "int8_t", "uint16_t": "uint8_t", "int16_t": "int8_t", "size_t": "uint8_t",
            "double": "float", "cycle": "short"}
QUALIFIERS = ("std", "::", "tpu", "core")
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OPPOSITE = {"==": "!=", "!=": "==", "&&": "||", "||": "&&"}
ORDERED = {"-", "/", "%", "<<", ">>", "<", "<=", ">", ">="}
LVALUE = (r"(?:\+\+|--|\*)*(?:this->)?[A-Za-z_]\w*(?:(?:::|\.|->)~?\w+|<[\w:, ]*>|\[[^;=]*?\])*")
ASSIGNMENT = re.compile(LVALUE + r"\s*(?:\+\+|--|(?:<<|>>|[-+*/%&|^])?=(?!=).*)?\Z", re.DOTALL)
CALL = re.compile(LVALUE + r"\(.*\)\Z", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Fault:
    """One edit: source[start:end] becomes text. `before` and `after` are the lines it touches,
    blanks run together; with file and function they name the fault wherever its lines move."""
    file: str
    line: int
    kind: str
    function: str
    start: int
    end: int
    text: str
    before: str
    after: str

    @property
    def name(self):
        return self.file, self.function, self.before, self.after

    def applied(self, source):
        return source[:self.start] + self.text + source[self.end:]


class Text:
    """A source text and the faults that can be made in it."""

    def __init__(self, file, source):
        self.file, self.source = file, source
        self.mask = masked(source)
        self.header = file.endswith((".h", ".hpp"))
        self.regions = regions(self.mask, self.header)
        self.faults = {}
        for region in self.regions:
            self.skipped = [(m.start(), matching(self.mask, m.end() - 1))
                            for m in ASSERTION.finditer(self.mask, region.start, region.end)]
            self.tokens = tokens(self.mask, region.start, region.end)
            self.region = region
            self.find_in_tokens()
            if region.function:
                self.find_statements()

    def holds_code(self):
        return any(region.function for region in self.regions)

    def add(self, kind, start, end, text):
        if any(a <= start < b for a, b in self.skipped):
            return
        first = self.source.rfind("\n", 0, start) + 1
        last = self.source.find("\n", end)
        last = len(self.source) if last < 0 else last
        before = " ".join(self.source[first:last].split())
        after = " ".join((self.source[first:start] + text + self.source[end:last]).split())
        if before == after:
            return
        fault = Fault(self.file, self.source.count("\n", 0, start) + 1, kind, self.region.function,
                      start, end, text, before, after)
        self.faults.setdefault(fault.name, fault)

    # What a token is next to -----------------------------------------------------------------

    def between(self, i):
        """Is token i an operator between two operands?"""
        t = self.tokens[i]
        return (0 < i < len(self.tokens) - 1 and self.mask[t.start - 1].isspace() and
                self.mask[t.end:t.end + 1].isspace() and
                (self.tokens[i - 1].text in CLOSE or self.tokens[i - 1].text[0] in "_'\"" or
                 self.tokens[i - 1].text[0].isalnum()) and
                self.tokens[i - 1].text not in KEYWORDS)

    def closing(self, i, step):
        """The token that pairs with the bracket i, going by step; i when there is none."""
        depth, k = 0, i
        while 0 <= k < len(self.tokens):
            text = self.tokens[k].text
            depth += (text in OPEN) - (text in CLOSE)
            if depth == 0:
                return k
            k += step
        return i

    def left_operand(self, i):
        """Index of the first token of the operand that ends before token i."""
        k = i - 1
        while True:
            if self.tokens[k].text in CLOSE:
                k = self.closing(k, -1)
                if k > 0 and self.is_name(k - 1):
                    k -= 1
                elif k > 0 and self.tokens[k - 1].text == ">":
                    while k > 0 and not self.tokens[k].text.endswith("_cast"):
                        k -= 1
            if k > 1 and self.tokens[k - 1].text in (".", "->", "::"):
                k -= 2
                continue
            if k > 0 and self.tokens[k].text == "[" and self.is_name(k - 1):
                k -= 1
                continue
            if k > 0 and self.is_cast(k - 1):
                k = self.closing(k - 1, -1)
            while k > 0 and self.is_prefix(k - 1):
                k -= 1
            return k

    def right_operand(self, i):
        """Index of the last token of the operand that begins after token i."""
        k = i + 1
        while self.is_prefix(k):
            k += 1
        if self.tokens[k].text.endswith("_cast"):
            while self.tokens[k].text != ">":
                k += 1
        if self.tokens[k].text == "(":
            end = self.closing(k, 1)
            if not self.is_cast(end):
                return end
            k = end + 1
        while k + 1 < len(self.tokens):
            if self.tokens[k + 1].text in OPEN and \
                    self.tokens[k].end == self.tokens[k + 1].start:
                k = self.closing(k + 1, 1)
            elif self.tokens[k + 1].text in (".", "->", "::") and k + 2 < len(self.tokens):
                k += 2
            else:
                break
        return k

    def is_name(self, k):
        return re.match(r"[A-Za-z_]", self.tokens[k].text) and self.tokens[k].text not in KEYWORDS

    def is_prefix(self, k):
        """Is token k an operator in front of its operand?"""
        token = self.tokens[k]
        return (token.text in ("*", "-", "!", "&", "~", "++", "--") and
                not self.mask[token.end].isspace() and
                (self.mask[token.start - 1].isspace() or self.mask[token.start - 1] in "()[{!"))

    def is_cast(self, k):
        """Does token k close a cast: brackets around a type?"""
        if self.tokens[k].text != ")":
            return False
        begin = self.closing(k, -1)
        words = [t.text for t in self.tokens[begin + 1:k]]
        if begin > 0 and self.is_name(begin - 1):
            return False
        return bool(words) and (words[0] in ("const", "unsigned", "int", "char", "struct", "enum",
                                             "double", "float") or words[0].endswith("_t"))

    def span(self, first, last):
        return self.source[self.tokens[first].start:self.tokens[last].end]

    # The classes -----------------------------------------------------------------------------

    def find_in_tokens(self):
        for i, token in enumerate(self.tokens):
            text = token.text
            if text[0].isdigit():
                self.constant(i)
            elif text in ("true", "false"):
                self.add("changed constant", token.start, token.end,
                         "false" if text == "true" else "true")
            if not self.region.function:
                continue
            if text in NARROWER:
                self.narrow(i)
            elif text == "return":
                self.returned(i)
            elif text in ("if", "while"):
                self.invert(i)
            elif text == "!" and self.tokens[i + 1].start == token.end:
                self.add("inverted condition", token.start, token.end, "")
            elif text == "?":
                self.conditional(i)
            elif text == "(" and i > 0 and self.is_name(i - 1):
                self.arguments(i)
            elif self.between(i):
                self.operator(i)

    def operator(self, i):
        token = self.tokens[i]
        if token.text in BOUNDARY:
            self.add("off by one", token.start, token.end, BOUNDARY[token.text])
        if token.text in OPPOSITE:
            self.add("inverted condition", token.start, token.end, OPPOSITE[token.text])
        if token.text in "+-" and re.fullmatch(r"1[uUlL]*", self.tokens[i + 1].text) and \
                not self.is_dimension(i + 1):
            one = self.tokens[i + 1]
            for other in ("0", "2"):
                self.add("off by one", one.start, one.end, other + one.text[1:])
        if token.text in ORDERED:
            first, last = self.left_operand(i), self.right_operand(i)
            left, right = self.span(first, i - 1), self.span(i + 1, last)
            between = self.source[self.tokens[i - 1].end:self.tokens[i + 1].start]
            if left != right and self.tokens[first].text != "{":
                self.add("swapped operand", self.tokens[first].start, self.tokens[last].end,
                         right + between + left)

    def arguments(self, i):
        """Two arguments in a row, each in the other's place."""
        if self.tokens[i - 1].text in ("min", "max"):
            return
        end, parts, begin, depth = self.closing(i, 1), [], i + 1, 0
        for k in range(i + 1, end + 1):
            text = self.tokens[k].text
            if depth == 0 and (text == "," or k == end):
                parts.append((begin, k - 1))
                begin = k + 1
            depth += (text in OPEN) - (text in CLOSE)
        for (a, b), (c, d) in zip(parts, parts[1:]):
            if b < a or d < c:
                continue
            left, right = self.span(a, b), self.span(c, d)
            declared = re.match(r"(?:const\b|struct\b|[\w:]+[\s*&]+\w+\Z)", left)
            if left != right and not declared and '"' not in left + right:
                between = self.source[self.tokens[b].end:self.tokens[c].start]
                self.add("swapped operand", self.tokens[a].start, self.tokens[d].end,
                         right + between + left)

    def invert(self, i):
        begin = i + 1
        if begin < len(self.tokens) and self.tokens[begin].text == "constexpr":
            begin += 1
        if self.tokens[begin].text != "(":
            return
        end = self.closing(begin, 1)
        condition = self.source[self.tokens[begin].end:self.tokens[end].start]
        if end > begin + 1 and ";" not in self.mask[self.tokens[begin].end:self.tokens[end].start]:
            self.add("inverted condition", self.tokens[begin].end, self.tokens[end].start,
                     f"!({condition})")

    def conditional(self, i):
        """c ? a : b becomes c ? b : a."""
        depth, colon, k = 0, None, i + 1
        while k < len(self.tokens):
            text = self.tokens[k].text
            if depth == 0 and (text in ",;" or text in CLOSE):
                break
            if depth == 0 and text == "?":
                return  # conditionals in a row: the last is taken
            if depth == 0 and text == ":" and colon is None:
                colon = k
            depth += (text in OPEN) - (text in CLOSE)
            k += 1
        if colon is None or colon == i + 1 or k - 1 <= colon:
            return
        yes, no = self.span(i + 1, colon - 1), self.span(colon + 1, k - 1)
        if yes != no:
            between = self.source[self.tokens[colon - 1].end:self.tokens[colon + 1].start]
            self.add("inverted condition", self.tokens[i + 1].start, self.tokens[k - 1].end,
                     no + between + yes)

    def returned(self, i):
        """A value as it is: one more."""
        k = self.right_operand(i)
        if k + 1 < len(self.tokens) and self.tokens[k + 1].text == ";" and \
                re.match(r"[A-Za-z_&]", self.tokens[i + 1].text) and \
                self.tokens[k].text not in ("true", "false", "nullptr", "NULL", "}"):
            self.add("off by one", self.tokens[k].end, self.tokens[k].end, " + 1")

    def narrow(self, i):
        """The type of a local variable or of a cast; not of what counts a loop."""
        token, k, start = self.tokens[i], i - 1, self.tokens[i].start
        while k >= 0 and self.tokens[k].text in QUALIFIERS:
            start = self.tokens[k].start
            k -= 1
        while k >= 0 and self.tokens[k].text == "const":
            k -= 1
        before = self.tokens[k].text if k >= 0 else "{"
        after = self.tokens[i + 1].text if i + 1 < len(self.tokens) else ""
        declared = before in (";", "{", "}", ")", "else") and re.match(r"[A-Za-z_]", after)
        cast = (before == "(" and after == ")") or (before == "<" and after == ">")
        name = before == "(" and k > 0 and self.is_name(k - 1)
        if cast and before == "<":
            cast = k > 0 and self.tokens[k - 1].text == "static_cast"
        if (declared or cast) and not name:
            qualified = "std::" if start < token.start and token.text != "cycle" else ""
            self.add("narrowed type", start, token.end, qualified + NARROWER[token.text])

    def constant(self, i):
        token = self.tokens[i]
        found = re.fullmatch(r"(0[xX][0-9a-fA-F']+|\d[\d']*)([uUlLzZ]*)", token.text)
        if not found or self.is_dimension(i) or \
                re.search(r"\bsizeof \w+\[\Z", self.mask[:token.start][-60:]):
            return
        digits, suffix = found[1].replace("'", ""), found[2]
        value = int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits)
        hexadecimal = digits[:2] in ("0x", "0X")
        near = [0] if value == 1 else [value + 1] + ([value - 1] if value else [])  # 2 is as true
        after_sign = i > 0 and self.tokens[i - 1].text in "+-" and value == 1
        kind = "off by one" if after_sign and self.between(i - 1) else "changed constant"
        for other in near:
            if kind == "changed constant":
                text = f"{other:#x}" if hexadecimal else str(other)
                self.add(kind, token.start, token.end, text + suffix)

    def is_dimension(self, i):
        """Is token i in the brackets of a declaration: type name[N]?"""
        k, depth = i - 1, 0
        while k >= 0 and (depth or self.tokens[k].text != "["):
            if self.tokens[k].text in ";{}=":
                return False
            depth += (self.tokens[k].text in CLOSE) - (self.tokens[k].text in "({")
            k -= 1
        return k > 1 and bool(self.is_name(k - 1)) and (bool(self.is_name(k - 2)) or
                                                        self.tokens[k - 2].text in ("*", ">"))

    def find_statements(self):
        """Each expression that is a statement, and each break and continue."""
        begin = 0
        for i, token in enumerate(self.tokens):
            if token.text in ("{", "}"):
                begin = i + 1
            elif token.text == ":" and begin < len(self.tokens) and \
                    self.tokens[begin].text in ("case", "default"):
                begin = i + 1
            elif token.text == "else" and begin == i:
                begin = i + 1
            elif token.text in ("if", "while", "for", "switch") and begin == i and \
                    i + 1 < len(self.tokens) and self.tokens[i + 1].text == "(":
                begin = self.closing(i + 1, 1) + 1
            elif token.text == ";" and i >= begin:
                self.statement(begin, i)
                begin = i + 1

    def statement(self, begin, end):
        if begin >= end:
            return
        text = self.mask[self.tokens[begin].start:self.tokens[end].start].strip()
        if self.tokens[begin].text in KEYWORDS or text.count("(") != text.count(")"):
            return
        if text in ("break", "continue") or ASSIGNMENT.fullmatch(text) or CALL.fullmatch(text):
            self.add("dropped statement", self.tokens[begin].start, self.tokens[end].start, "")


def faults_in(file, source):
    """Every fault that can be made in a text, in the order of the text."""
    text = Text(file, source)
    return sorted(text.faults.values(), key=lambda f: (f.start, f.end, f.kind, f.text))


def holds_code(file, source):
    return not file.endswith((".h", ".hpp")) or Text(file, source).holds_code()


def draw(faults, seed):
    """The same faults in the order in which they are made: a class, then one of it, both by seed;
    another text of the same file draws anew, another file does not."""
    by_class = {}
    for fault in faults:
        by_class.setdefault(fault.kind, []).append(fault)
    chance = random.Random(f"{seed}/{faults[0].file}" if faults else seed)
    for kind in sorted(by_class):
        chance.shuffle(by_class[kind])
    order, drawn = [], []
    while by_class:
        if not order:
            order = sorted(by_class)
            chance.shuffle(order)
        kind = order.pop()
        if kind in by_class:
            drawn.append(by_class[kind].pop())
            if not by_class[kind]:
                del by_class[kind]
    return drawn
