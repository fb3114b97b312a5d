#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the tables of situations in tests/README.md to reality: every test that they name is there, and every row
names one or says that it is for later."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
HEADING = "## Situations that broke measuring tools"
UNIT_TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)")
NAMED = re.compile(r"`([\w/]+\.py: \w+|\w+\.\w+)`")


def unit_tests():
    found = set()
    for path in (root / "tests").rglob("*_test.cpp"):
        found |= {f"{suite}.{name}" for suite, name in UNIT_TEST.findall(path.read_text())}
    return found


def is_script_test(name):
    file, function = name.split(": ")
    path = root / "tests" / file
    return path.is_file() and re.search(rf"^    def {function}\(", path.read_text(), re.MULTILINE) is not None


def rows():
    """(line number, cells) of the tables below the heading, without their heads."""
    lines = (root / "tests" / "README.md").read_text().splitlines()
    for number, line in enumerate(lines[lines.index(HEADING):], lines.index(HEADING) + 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] != "situation" and not set(cells[0]) <= {"-"}:
            yield number, cells


def main():
    known = unit_tests()
    faults = []
    count = 0
    for number, cells in rows():
        where = f"tests/README.md:{number}"
        if len(cells) != 3:
            faults.append(f"{where}: {len(cells)} cells in place of 3")
            continue
        names = NAMED.findall(cells[2])
        count += len(names)
        faults += [f"{where}: there is no test {name}" for name in names
                   if not (is_script_test(name) if ": " in name else name in known)]
        if not names and not cells[2].startswith("later: "):
            faults.append(f"{where}: names no test and does not say that it is for later")
        if cells[2].count("`") != 2 * len(names):
            faults.append(f"{where}: names something that is written like no test")
    for fault in faults:
        print(fault)
    print(f"{count} tests of situations checked, {len(faults)} faults")
    return 1 if faults or not count else 0


sys.exit(main())
