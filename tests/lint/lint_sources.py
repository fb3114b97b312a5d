#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""House rules that a program can check: SPDX lines, sizes of files, the length of main, words that mark
unfinished work, paths of a machine, and formatting."""
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
CODE = {".h", ".cpp", ".c"}
SCRIPTS = {".py", ".sh", ".cmake"}
LONGEST_FILE = 800
LONGEST_MAIN = 60
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK|not implemented|unimplemented)\b")
MACHINE_PATH = re.compile(r"/(?:home/[a-z]+|root|work|farm)/")


def tracked_files():
    git = shutil.which("git") or "false"
    listing = subprocess.run([git, "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             capture_output=True, check=False)
    if listing.returncode != 0:  # no git, or an exported tree
        return [p for p in root.rglob("*") if p.is_file() and not {"build", "runs"} & set(p.relative_to(root).parts)]
    return [root / name for name in listing.stdout.decode().split("\0") if name and (root / name).is_file()]


def main():
    faults = []
    code = []
    for path in tracked_files():
        name = path.relative_to(root)
        if path.suffix not in CODE | SCRIPTS and path.name != "CMakeLists.txt":
            continue
        lines = path.read_text(errors="replace").splitlines()
        if not any("SPDX-License-Identifier: MIT" in line for line in lines[:2]):
            faults.append(f"{name}: no SPDX line in its first two lines")
        if path.name == pathlib.Path(__file__).name:  # it names what it looks for
            continue
        for number, line in enumerate(lines, 1):
            if UNFINISHED.search(line):
                faults.append(f"{name}:{number}: unfinished: {line.strip()}")
            if MACHINE_PATH.search(line):
                faults.append(f"{name}:{number}: path of a machine: {line.strip()}")
        if path.suffix in CODE:
            if name.parts[0] != "hashes":  # data: laid out as their specifications read
                code.append(str(path))
            if len(lines) > LONGEST_FILE:
                faults.append(f"{name}: {len(lines)} lines, more than {LONGEST_FILE}")
    length = len((root / "src/app/main.cpp").read_text().splitlines())
    if length > LONGEST_MAIN:
        faults.append(f"src/app/main.cpp: {length} lines, more than {LONGEST_MAIN}")
    formatter = shutil.which("clang-format-16")
    if formatter is None:
        faults.append("clang-format-16 is not installed; contrib/setup.sh test installs it")
    else:
        result = subprocess.run([formatter, "--dry-run", "--Werror", *code], capture_output=True, text=True, check=False)
        unformatted = {line.split(":")[0] for line in result.stderr.splitlines() if ": error:" in line}
        faults += [f"{name}: clang-format-16 -i would change it" for name in sorted(unformatted)]
    for fault in faults:
        print(fault)
    print(f"{len(code)} source files checked, {len(faults)} faults")
    return 1 if faults or not code else 0


sys.exit(main())
