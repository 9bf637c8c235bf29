# SPDX-License-Identifier: Apache-2.0
"""The suite as CTest has it, in groups: what one executable of GoogleTest holds, or one command."""
import dataclasses
import json
import pathlib
import re
import subprocess
import typing

OWN = "mutate."  # tests of this tool: they look at the sources, so any fault would fail them


@dataclasses.dataclass
class Group:
    """`tests`: of an executable, a command each; where one process takes them all, it does."""
    name: str
    target: typing.Optional[str]  # None: built by the default target
    tests: list
    used: set  # source files that can change its outcome; None: any
    seconds: typing.Optional[float] = None
    together: bool = False


@dataclasses.dataclass
class Test:
    name: str
    command: list
    cwd: str
    env: dict
    limit: float
    expects: typing.Optional[str]


def parse(text):
    """The tests of `ctest --show-only=json-v1`."""
    tests = []
    for entry in json.loads(text)["tests"]:
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        if entry["name"].startswith(OWN):
            continue
        if "command" not in entry:
            raise ValueError(f"test {entry['name']} has no command: it was not built")
        env = dict(e.partition("=")[::2] for e in properties.get("ENVIRONMENT", []))
        expects = properties.get("PASS_REGULAR_EXPRESSION")
        tests.append(Test(entry["name"], entry["command"], properties.get("WORKING_DIRECTORY", "."),
                          env, float(properties.get("TIMEOUT", 300)),
                          "|".join(expects) if expects else None))
    return tests


def gtest_filter(test):
    for word in test.command:
        if word.startswith("--gtest_filter="):
            return word.partition("=")[2]
    return None


def read(tree):
    """The groups of a built tree."""
    run = subprocess.run(["ctest", "--test-dir", str(tree.build), "--show-only=json-v1"],
                         check=True, capture_output=True, text=True)
    groups = {}
    for test in parse(run.stdout):
        target = None
        if gtest_filter(test) is not None:
            target = str(pathlib.Path(test.command[0]).relative_to(tree.build))
        group = groups.setdefault(target or test.name, Group(target or test.name, target, [], None))
        group.tests.append(test)
    used = tree.used_by([g.target for g in groups.values() if g.target])
    for group in groups.values():
        group.used = used.get(group.target)
    return list(groups.values())


def moved(groups, tree, other):
    """The same groups in another copy of the sources."""
    def there(word):
        return word.replace(str(tree.directory), str(other.directory))

    def test(t):
        return dataclasses.replace(t, command=[there(w) for w in t.command], cwd=there(t.cwd),
                                   env={name: there(value) for name, value in t.env.items()})
    return [dataclasses.replace(g, tests=[test(t) for t in g.tests]) for g in groups]


def failed_gtest(text):
    """The test that failed, or in which the process ended."""
    failed = re.search(r"^\[  FAILED  \] ([^\s,]+)", text, re.MULTILINE)
    if failed:
        return failed[1]
    begun = re.findall(r"^\[ RUN      \] (\S+)", text, re.MULTILINE)
    return begun[-1] if begun else None


def failed_unittest(text):
    failed = re.search(r"^(?:FAIL|ERROR): (\w+) \(", text, re.MULTILINE)
    return failed[1] if failed else None


def run_one(tree, test, limit):
    """None, or the name of what failed."""
    code, text = tree.run(test.command, min(limit, test.limit), test.cwd, test.env)
    if code is None:
        return f"{test.name} (time-out)"
    if test.expects is not None:
        return None if re.search(test.expects, text) else test.name
    if code == 0:
        return None
    inner = failed_unittest(text)
    return f"{test.name} {inner}" if inner and gtest_filter(test) is None else test.name


def run(tree, group, limit):
    """None, or the name of the first test of the group that failed."""
    if group.together:
        command = [group.tests[0].command[0], "--gtest_fail_fast", "--gtest_color=no"]
        code, text = tree.run(command, limit, group.tests[0].cwd)
        if code == 0:
            return None
        name = failed_gtest(text) or group.name
        return f"{name} (time-out)" if code is None else name
    for test in group.tests:
        failed = run_one(tree, test, limit)
        if failed:
            return re.sub(r"\s+# GetParam\(\).*", "", failed)
    return None
