#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What noise does to figures. First: how far the printed headline of one hash moves between repeats beside a load on
another core, against a plain mean of the same processes. Second: which share of trials is tainted on the machine as
it is, beside a load on another core, and beside one on the measuring core. Prints figures; asserts nothing about
time."""
import argparse
import contextlib
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
SOURCE = pathlib.Path(os.environ["HASHPROF_SOURCE_DIR"])
BYTES = 4096
# Copies 32 MiB over and over: takes the core's time and whatever cache it shares.
LOAD = "a = bytearray(1 << 25)\nb = memoryview(bytearray(1 << 25))\nprint('ready', flush=True)\nwhile True: b[:] = a\n"


@contextlib.contextmanager
def load_on(core):
    """A process that keeps `core` busy; none for None."""
    if core is None:
        yield
        return
    load = subprocess.Popen([sys.executable, "-c", LOAD], stdout=subprocess.PIPE,
                            preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    try:
        load.stdout.readline()
        yield
    finally:
        load.kill()
        load.wait()
        load.stdout.close()


class Measured:
    """A campaign of LLH-512 at one size, built and proved right once and measured as often as wanted."""

    def __init__(self, folder, name, core, processes, trial_ms):
        self.folder = folder / name
        self.folder.mkdir()
        self.campaign = self.folder / f"{name}.yaml"
        self.campaign.write_text(
            f"hashprof: 1\nname: {name}\n"
            f"hashes:\n  - use: {json.dumps(str(SOURCE / 'hashes' / 'hash-16' / 'hash.yaml'))}\n    only: [LLH-512]\n"
            f"builds: [guide]\nmeasure: {{sizes: [{BYTES}], processes: {processes}, trial: {trial_ms} ms, percall: none, core: {core}}}\n")
        self.proved = self.folder / "proved"
        self.count = 0
        subprocess.run([PROGRAM, "kat", self.campaign, "--out", self.proved], check=True, stdout=subprocess.DEVNULL)

    def run(self):
        """(its view as JSON, its attempts at trials) of a measurement from the start."""
        self.count += 1
        out = self.folder / f"run{self.count}"
        shutil.copytree(self.proved, out)
        # 1: some process was not good enough for a figure; that is what is counted here.
        result = subprocess.run([PROGRAM, "run", self.campaign, "--out", out, "--json"], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, check=False)
        if result.returncode not in (0, 1):
            raise SystemExit(f"hashprof run ended with {result.returncode}: {result.stderr}")
        journal = [json.loads(line) for line in (out / "journal.jsonl").read_text().splitlines()]
        trials = [o for o in journal if o["phase"] == "trial" and o["outcome"] == "complete"
                  and not any(t.startswith("replanned: ") for t in o["taints"])]
        return json.loads(result.stdout), trials


def quartiles(values):
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def spread(values):
    """((max - min) / median, interquartile range / median), or None for fewer than two values."""
    if len(values) < 2:
        return None
    median = statistics.median(values)
    low, high = quartiles(values)
    return (max(values) - min(values)) / median, (high - low) / median


def mean_a_call(trials, unit):
    values = [(o["cycles"] if unit == "cycles" else o["elapsed_ns"]) / o["calls"] for o in trials]
    return statistics.fmean(values) if values else None


def headline_of(view):
    """(unit, value) of the only cell: what the page prints, or (unit, None) where it prints none."""
    (build,) = view["builds"]
    (cell,) = build["cells"]
    unit = "ns" if cell["cycles"].get("median") is None else "cycles"  # a figure that is absent has none
    return unit, cell["time" if unit == "ns" else "cycles"].get("median")


def print_spread(name, values, repeats):
    found = spread(values)
    text = "n/a (fewer than two)" if found is None else \
        f"(max - min) / median {100 * found[0]:.2f} %, interquartile range {100 * found[1]:.2f} %"
    middle = f"median {statistics.median(values):.5g}, " if values else ""
    print(f"  {name}: {middle}{text}, n = {len(values)} of {repeats} repeats")
    return found


def print_ratio(name, plain, headline):
    for part, word in enumerate(("(max - min)", "interquartile range")):
        if plain is None or headline is None or headline[part] == 0:
            print(f"  {name}, {word}: n/a")
        else:
            print(f"  {name}, {word}: {plain[part] / headline[part]:.2f}")


def bench_spread(folder, options, core, other):
    print(f"LLH-512, {BYTES} bytes, {options.repeats} repeats of {options.processes} processes of {options.trial_ms} ms "
          f"on core {core}, a load on core {other}:")
    measured = Measured(folder, "spread", core, options.processes, options.trial_ms)
    found = {"headline": [], "all": [], "first": []}
    units = set()
    with load_on(other):
        for _ in range(options.repeats):
            view, trials = measured.run()
            unit, value = headline_of(view)
            if value is None:
                continue
            units.add(unit)
            found["headline"].append(value)
            found["all"].append(mean_a_call(trials, unit))
            found["first"].append(mean_a_call([o for o in trials if o["attempt"] == 1], unit))
    if len(units) != 1:
        print(f"  n/a: {'headlines of several units' if units else 'no repeat has a headline'}")
        return
    print(f"  unit: {units.pop()} a call")
    headline = print_spread("headline (median of the used processes)", found["headline"], options.repeats)
    every = print_spread("plain mean of every attempt", found["all"], options.repeats)
    first = print_spread("plain mean of first attempts", [v for v in found["first"] if v is not None], options.repeats)
    print_ratio("mean of every attempt / headline", every, headline)
    print_ratio("mean of first attempts / headline", first, headline)


def bench_taints(folder, options, core, other):
    print(f"tainted trials of 250 ms on core {core}:")
    measured = Measured(folder, "taints", core, options.taint_processes, 250)
    conditions = [("no load of this benchmark", None), (f"load on core {other}", other),
                  (f"load on core {core}, the measuring one", core)]
    for name, where in conditions:
        if where is None and name != conditions[0][0]:
            continue  # there is no other core
        with load_on(where):
            _, trials = measured.run()
        tainted = [o for o in trials if o["taints"]]
        kinds = sorted({t.split(":")[0] for o in tainted for t in o["taints"]})
        share = f"{len(tainted) / len(trials):.3f}" if trials else "n/a"
        lost = [o["lost_ns"] / o["elapsed_ns"] for o in trials]
        print(f"  {name}: {share}, n = {len(trials)} attempts at {options.taint_processes} processes"
              + (f"; off the CPU in the median {100 * statistics.median(lost):.3f} %" if lost else "")
              + (f"; {', '.join(kinds)}" if kinds else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20, help="of the first part (default 20)")
    parser.add_argument("--processes", type=int, default=9, help="of each repeat (default 9)")
    parser.add_argument("--trial-ms", type=int, default=100, help="of each process of a repeat (default 100)")
    parser.add_argument("--taint-processes", type=int, default=20, help="of each part of the second (default 20)")
    parser.add_argument("--core", type=int, help="to measure on (default: the last of this process)")
    options = parser.parse_args()
    allowed = sorted(os.sched_getaffinity(0))
    core = allowed[-1] if options.core is None else options.core
    others = [cpu for cpu in allowed if cpu != core]
    print(f"load average before: {' '.join(pathlib.Path('/proc/loadavg').read_text().split()[:3])}, "
          f"cores {','.join(map(str, allowed))}")
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="hashprof-bench-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        if others:
            bench_spread(folder, options, core, others[0])
        else:
            print("no second core: nothing is measured beside a load on another one")
        bench_taints(folder, options, core, others[0] if others else None)
    print(f"{time.monotonic() - start:.0f} s in all")


main()
