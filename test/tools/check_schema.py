#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds files, a JSON Schema and the reader of the project to each other.

Every file given must be valid by the schema and accepted by the reader. Every
mutant of it, one value replaced by one of a wrong kind, one unknown key added or
one required key removed, must be refused by both.
"""
import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

WRONG = {"?": 1}  # an object with an unknown key: fits nowhere


def paths(value, at=()):
    """Every place of a document, the root included."""
    yield at
    if isinstance(value, dict):
        for key, item in value.items():
            yield from paths(item, at + (key,))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from paths(item, at + (i,))


def get(document, path):
    for step in path:
        document = document[step]
    return document


def replaced(document, path, value):
    if not path:
        return value
    mutant = copy.deepcopy(document)
    get(mutant, path[:-1])[path[-1]] = value
    return mutant


def mutants(document, required):
    """Pairs (what was done, the mutant); all of them are wrong."""
    for path in paths(document):
        value = get(document, path)
        yield f"{path} := object", replaced(document, path, WRONG)
        if value is not None and value is not True:
            yield f"{path} := true", replaced(document, path, True)
        if isinstance(value, int):
            yield f"{path} := 1.5", replaced(document, path, 1.5)
            yield f"{path} := -1000", replaced(document, path, -1000)
            yield f"{path} := 2**64", replaced(document, path, 2**64)
            yield f"{path} := string", replaced(document, path, str(value))
        if isinstance(value, str):
            yield f"{path} := ''", replaced(document, path, "")
            yield f"{path} := number", replaced(document, path, 4.5)
        if isinstance(value, list):
            yield f"{path} := too long", replaced(document, path, value + [WRONG])
        if isinstance(value, dict):
            yield f"{path} + unknown key", replaced(document, path, {**value, "unknown_key": 1})
    for key in required:
        mutant = dict(document)
        del mutant[key]
        yield f"without {key}", mutant


def thinned(items, most):
    items = list(items)
    step = max(1, -(-len(items) // most))
    return items[::step]


def read_all(reader, kind, files):
    if not files:
        return []
    run = subprocess.run(
        [reader, kind, *map(str, files)], capture_output=True, text=True, check=True
    )
    lines = run.stdout.splitlines()
    if len(lines) != len(files):
        sys.exit(f"the reader printed {len(lines)} lines for {len(files)} files")
    return lines


def bounds(schema, at=()):
    """Triples (path, lowest, highest) of the integers among the properties of a schema."""
    for key, part in schema.get("properties", {}).items():
        if part.get("type") == "integer":
            yield at + (key,), part["minimum"], part["maximum"]
        else:
            yield from bounds(part, at + (key,))


def check_bounds(args, schema, folder):
    """The reader must state the range that the schema states, for a value above it."""
    cases = []
    for i, (path, lowest, highest) in enumerate(bounds(schema)):
        document = highest + 1
        for key in reversed(path):
            document = {key: document}
        file = pathlib.Path(folder, f"bound{i}.json")
        file.write_text(json.dumps(document), encoding="utf-8")
        cases.append((path, f"must be an integer from {lowest} to {highest},", file))
    lines = read_all(args.reader, args.kind, [file for _, _, file in cases])
    if not cases:
        yield "the schema has no bounds"
    for (path, due, _), line in zip(cases, lines):
        if due not in line:
            yield f"{'.'.join(path)}: the schema says {due} the reader: {line}"


def documents(args):
    """Triples (label, file name to keep, document)."""
    for name in args.files:
        path = pathlib.Path(name)
        loaded = json.loads(path.read_text(encoding="utf-8"))
        if args.each is None:
            yield str(path), path.name, loaded
        else:
            for i, entry in enumerate(loaded):
                yield f"{path}[{i}].{args.each}", "program.json", entry[args.each]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schema", required=True)
    parser.add_argument("--reader", required=True, help="the read_tool executable")
    parser.add_argument("--kind", required=True)
    parser.add_argument("--each", help="the files are lists of objects; check this member of each")
    parser.add_argument("--bounds", action="store_true", help="compare the ranges of integers")
    parser.add_argument("--most", type=int, default=400, help="mutants of a document, evenly thinned")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()

    schema = json.loads(pathlib.Path(args.schema).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    required = schema.get("required", [])
    faults = []
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        good, bad = [], []
        if args.bounds:
            faults.extend(check_bounds(args, schema, folder))
        for label, file_name, document in documents(args):
            for error in validator.iter_errors(document):
                faults.append(f"{label}: refused by the schema: {error.json_path}: {error.message}")
            todo = thinned(mutants(document, required), args.most)
            for i, (what, mutant) in enumerate([("as it is", document), *todo]):
                target = pathlib.Path(folder, str(count), str(i), file_name)
                target.parent.mkdir(parents=True)
                target.write_text(json.dumps(mutant), encoding="utf-8")
                if i == 0:
                    good.append((label, target))
                    continue
                bad.append((f"{label}: {what}", target))
                if validator.is_valid(mutant):
                    faults.append(f"{label}: {what}: accepted by the schema")
            count += 1
        for (label, _), line in zip(good, read_all(args.reader, args.kind, [f for _, f in good])):
            if line != "ok":
                faults.append(f"{label}: refused by the reader: {line}")
        for start in range(0, len(bad), 500):
            part = bad[start : start + 500]
            lines = read_all(args.reader, args.kind, [f for _, f in part])
            for (label, file), line in zip(part, lines):
                if not line.startswith(f"{file}: $"):
                    faults.append(f"{label}: the reader says: {line}")
    print("\n".join(faults))
    print(f"{count} document(s), {len(bad)} mutants, {len(faults)} fault(s)")
    sys.exit(1 if faults or count == 0 or not bad else 0)


if __name__ == "__main__":
    main()
