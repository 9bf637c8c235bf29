# SPDX-License-Identifier: Apache-2.0
"""Where a C or C++ text has code, and its tokens: no parser, but enough of one for text that
clang-format has laid out."""
import dataclasses
import re

HIDDEN = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<raw>R"(\w*)\(.*?\)\3")"""
                    r"""|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'"""
                    r"""|(?P<line>^[ \t]*\#(?:\\\n|[^\n])*)""", re.DOTALL | re.MULTILINE)
TOKEN = re.compile(r"""[A-Za-z_]\w*|0[xX][0-9a-fA-F']+\w*|\d[\w.']*|"\s*"|'\s*'|<<=|>>=|->|::"""
                   r"""|\+\+|--|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|<<|>>|[^\s\w]""")
OPEN, CLOSE = "([{", ")]}"


@dataclasses.dataclass(frozen=True)
class Token:
    text: str
    start: int
    end: int


@dataclasses.dataclass
class Region:
    """A stretch of text that runs: a function's body, or an initializer outside functions."""
    start: int
    end: int
    function: str


def masked(source):
    """The same text, as long, with nothing in comments, strings and preprocessor lines."""
    def blank(match):
        text = match[0]
        if match["comment"] or match["line"]:
            return re.sub(r"[^\n]", " ", text)
        if match["raw"]:
            return '"' + re.sub(r"[^\n]", " ", text[1:-1]) + '"'
        return text[0] + " " * (len(text) - 2) + text[-1]
    return HIDDEN.sub(blank, source)


def matching(text, at):
    """Where the bracket that opens at `at` closes."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in OPEN) - (text[k] in CLOSE)
        if depth == 0:
            return k
    raise ValueError(f"bracket at offset {at} does not close")


def function_name(head):
    found = re.search(r"(operator\s*\S+?|[\w:~]+)\s*\(", head)
    return found[1] if found else ""


def regions(text, header):
    """Bodies of functions, and in a source file what initializes outside them."""
    found, at, head = [], 0, 0
    while at < len(text):
        c = text[at]
        if c in "([":
            at = matching(text, at)
        elif c == ";":
            statement = text[head:at]
            equals = statement.find("=")
            if equals > 0 and not header and "(" not in statement[:equals]:
                found.append(Region(head + equals, at, ""))
            head = at + 1
        elif c == "}":
            head = at + 1
        elif c == ":" and re.search(r"\b(?:public|private|protected)\s*\Z", text[head:at]):
            head = at + 1
        elif c == "{":
            words = text[head:at]
            plain = re.sub(r"<[^<>;{}]*>", "", words)
            if re.search(r"\bnamespace\b|\bextern\s*\"", words):
                head = at + 1  # its inside is looked at as what is outside
            elif "=" in words and "(" not in words.partition("=")[0]:
                at = matching(text, at)  # its end, the semicolon, takes it
            elif "(" in plain:
                close = matching(text, at)
                member = re.search(r"\)\s*(?:noexcept\s*)?:[^:]", words)
                if member and re.search(r"[\w>]\s*\Z", words) and not words.rstrip().endswith(
                        ("noexcept", "const", "override", "final")):
                    at = close  # of a member's initializer
                else:
                    found.append(Region(at + 1, close, function_name(words)))
                    at, head = close, close + 1
            elif re.match(r"\s*(?:typedef\s+)?enum\b", words):
                close = matching(text, at)
                if not header:
                    found.append(Region(at + 1, close, ""))
                at = close
            else:
                head = at + 1  # a class: its functions are inside
        at += 1
    return found


def tokens(text, start, end):
    return [Token(m[0], m.start(), m.end()) for m in TOKEN.finditer(text, start, end)]
