#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the heap pass costs: CHIME-512 at 65,536 B by the meter alone, with the default cross-check and with all of
it, beside massif and heaptrack on the same call. Each figure is the median of repeats taken in turn. The passes are
the whole command less the same command without any memory pass. Prints figures; asserts nothing about time."""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["HASHPROF_PROGRAM"]
CALL_HASH = os.environ["HASHPROF_CALL_HASH"]
SOURCE = pathlib.Path(os.environ["HASHPROF_SOURCE_DIR"])
BYTES = 65536
WAYS = {"no memory pass": "heap: false, stack: false",
        "meter, crosscheck none": "heap: true, stack: false, crosscheck: none",
        "meter without BPF": "heap: true, stack: false, witness: none",
        "default cross-check": "heap: true, stack: false, crosscheck: ends",
        "stack and its bound": "heap: false, stack: true"}


def seconds(*words, **options):
    start = time.monotonic()
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=9)
    repeats = parser.parse_args().repeats
    for tool in ("valgrind", "heaptrack"):
        if shutil.which(tool) is None:
            print(f"{tool} is not installed: contrib/setup.sh test --all installs it", file=sys.stderr)
            return 1
    with tempfile.TemporaryDirectory(prefix="hashprof-bench-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        runs = {}
        for number, (way, words) in enumerate(WAYS.items()):
            campaign = folder / f"way{number}.yaml"
            campaign.write_text(
                f"hashprof: 1\nname: way{number}\nhashes:\n"
                f"  - {{use: {json.dumps(str(SOURCE / 'hashes' / 'hash-26' / 'hash.yaml'))}, only: [CHIME-512]}}\n"
                f"builds: [guide]\nkat: none\nmeasure: {{sizes: [{BYTES}]}}\nmemory: {{{words}}}\n")
            runs[way] = (campaign, folder / f"run{number}")
            seconds(PROGRAM, "memory", campaign, "--out", runs[way][1])
        library = next((folder / "run0" / "lib").rglob("*.so"))
        call = (CALL_HASH, library, 512, BYTES, 1)
        others = {"plain": call,
                  "massif": ("valgrind", "--tool=massif", f"--massif-out-file={folder / 'massif'}", *call),
                  "heaptrack": ("heaptrack", "-o", folder / "heaptrack", *call)}
        times = {way: [] for way in (*WAYS, *others)}
        for _ in range(repeats):
            for way, (campaign, run) in runs.items():
                shutil.rmtree(run / "memory", ignore_errors=True)
                times[way].append(seconds(PROGRAM, "memory", campaign, "--out", run))
            for way, words in others.items():
                times[way].append(seconds(*words, cwd=folder))
        median = {way: statistics.median(values) for way, values in times.items()}
        base = median["no memory pass"]
        print(f"CHIME-512 at {BYTES} B, n = {repeats}, medians; ratios to massif in this run")
        for way in WAYS:
            own = median[way] - base
            print(f"{way:24} command {median[way] * 1000:8.1f} ms" +
                  ("" if way == "no memory pass" else f"  pass {own * 1000:8.1f} ms  massif/pass {median['massif'] / own:6.2f}"
                   f"  heaptrack/pass {median['heaptrack'] / own:6.2f}"))
        for way in others:
            print(f"{way:24} command {median[way] * 1000:8.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
