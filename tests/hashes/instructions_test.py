#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions of a call, reference against optimized, both as the profile guide builds them, counted by callgrind
(exact, and the same on every run). Catches an optimized variant that is none.

The cost of a call is the difference of runs of 4 and 2 calls, halved: program start and symbol lookup cancel.
Prints a table; `--family ID` takes one family."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SOURCE = pathlib.Path(os.environ["HASHPROF_SOURCE_DIR"])
PROGRAM = os.environ["HASHPROF_PROGRAM"]
DRIVER = os.environ["HASHPROF_CALL_HASH"]
SIZES = [128, 512, 4096, 65536]


def families_with_optimized(only):
    files = sorted(SOURCE.glob("hashes/*/hash.yaml"))
    return [file for file in files if "optimized:" in file.read_text() and only in (None, file.parent.name)]


def build(folder, families):
    lines = "".join(f"  - {{use: {file}, variants: [reference, optimized]}}\n" for file in families)
    campaign = folder / "campaign.yaml"
    campaign.write_text(f"hashprof: 1\nname: instructions\nbuilds: [guide]\nhashes:\n{lines}kat: none\n")
    run = folder / "run"
    subprocess.run([PROGRAM, "build", campaign, "--out", run], check=True, stdout=subprocess.DEVNULL)
    return run, json.loads((run / "build.json").read_text())["builds"]


def collected(library, bits, size, calls):
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", DRIVER, library, str(bits), str(size),
         str(calls)], capture_output=True, text=True, check=False)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(f"instructions_test: {library} at {size} bytes: {done.stderr.strip()}")
    return int(found.group(1))


def instructions(run, entry, size):
    library = str(run / entry["library"])
    bits = entry["digest_bits"]
    return (collected(library, bits, size, 4) - collected(library, bits, size, 2)) / 2


def main():
    only = sys.argv[2] if sys.argv[1:2] == ["--family"] else None
    families = families_with_optimized(only)
    if not families:
        sys.exit("instructions_test: no family has an optimized variant")
    with tempfile.TemporaryDirectory() as folder:
        run, builds = build(pathlib.Path(folder), families)
        by_name = {(b["family"], b["instance"], b["variant"]): b for b in builds}
        names = [(family, instance) for family, instance, variant in by_name if variant == "optimized"]
        jobs = [(*name, variant, size) for name in names for variant in ("reference", "optimized") for size in SIZES]
        with ThreadPoolExecutor(2) as pool:
            counts = dict(zip(jobs, pool.map(lambda job: instructions(run, by_name[job[:3]], job[3]), jobs)))
    worse = []
    print(f"{'instructions a call':24}" + "".join(f"{size:>34} B" for size in SIZES))
    for name in names:
        cells = ""
        for size in SIZES:
            reference, optimized = counts[(*name, "reference", size)], counts[(*name, "optimized", size)]
            cells += f"{reference:>14.0f} {optimized:>12.0f} {optimized / reference:7.3f}"
            if optimized >= reference:
                worse.append(f"{name[1]} at {size} bytes: {optimized:.0f} against {reference:.0f}")
        print(f"{name[1]:24}{cells}", flush=True)
    if worse:
        sys.exit("instructions_test: optimized is not less than reference: " + "; ".join(worse))


main()
