#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares every #include of src/ with the table of src/README.md: a unit may include only what its row
allows, and a third-party header may stand in one unit only."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
src = root / "src"

# First part of an include's path, and the word the table uses for it.
THIRD_PARTY = {"openssl": "openssl", "nlohmann": "nlohmann", "yaml-cpp": "yaml-cpp", "boost": "boost",
               "fmt": "fmt", "CLI": "CLI11", "gelf.h": "elfutils", "libelf.h": "elfutils", "elfutils": "elfutils",
               "bpf": "libbpf"}


def read_table():
    rows = {}
    for line in (src / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 4 and re.fullmatch(r"[a-z]+", cells[0]) and cells[0] != "unit":
            units = {word.strip() for word in cells[2].split(",") if word.strip()}
            third = {word.strip() for word in cells[3].split(",") if word.strip()}
            rows[cells[0]] = (units, third)
    return rows


def main():
    table = read_table()
    units = {path.name for path in src.iterdir() if path.is_dir()}
    faults = [f"src/README.md: no row for unit {unit}" for unit in sorted(units - table.keys())]
    faults += [f"src/README.md: row for {unit}, but src/{unit} is not there" for unit in sorted(table.keys() - units)]
    owner = {}
    for unit, (_, third) in table.items():
        for word in third:
            if word in owner:
                faults.append(f"src/README.md: {word} stands in the rows of {owner[word]} and {unit}")
            owner[word] = unit
    checked = 0
    for path in sorted(src.rglob("*")):
        if path.suffix not in (".h", ".cpp", ".c"):
            continue
        unit = path.relative_to(src).parts[0]
        allowed, third = table.get(unit, (set(), set()))
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
            if not match:
                continue
            checked += 1
            first = match.group(2).split("/")[0]
            where = f"{path.relative_to(root)}:{number}"
            if match.group(1) == '"':
                if first == "bpf" and (root / match.group(2)).is_file():  # what a unit says to its BPF programs
                    if "libbpf" not in third:
                        faults.append(f"{where}: unit {unit} may not include headers of BPF programs")
                elif first not in units:
                    faults.append(f"{where}: {match.group(2)} is not named from src/")
                elif first != unit and first not in allowed and "every unit" not in allowed:
                    faults.append(f"{where}: unit {unit} may not include unit {first}")
            elif first in THIRD_PARTY and THIRD_PARTY[first] not in third:
                faults.append(f"{where}: unit {unit} may not include {THIRD_PARTY[first]}")
    for fault in faults:
        print(fault)
    print(f"{checked} includes checked, {len(faults)} faults")
    return 1 if faults or checked == 0 else 0


sys.exit(main())
