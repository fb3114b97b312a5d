#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How much of the measure phase is timed calls, and how much memory hashprof itself takes. Prints figures;
asserts nothing about time."""
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time

PROGRAM = os.environ["HASHPROF_PROGRAM"]
SOURCE = pathlib.Path(os.environ["HASHPROF_SOURCE_DIR"])


def peak_kib(pid, found):
    """VmHWM of one process: the kernel's own high-water mark, read until the process is gone."""
    while True:
        try:
            status = pathlib.Path(f"/proc/{pid}/status").read_text()
        except OSError:
            return
        for line in status.splitlines():
            if line.startswith("VmHWM:"):
                found.append(int(line.split()[1]))
        time.sleep(0.02)


def main():
    with tempfile.TemporaryDirectory(prefix="hashprof-bench-") as folder:
        run = pathlib.Path(folder) / "run"
        campaign = SOURCE / "configs" / "quickstart.yaml"
        subprocess.run([PROGRAM, "kat", campaign, "--out", run], check=True, stdout=subprocess.DEVNULL)
        found = []
        start = time.monotonic()
        process = subprocess.Popen([PROGRAM, "run", campaign, "--out", run], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        watcher = threading.Thread(target=peak_kib, args=(process.pid, found))
        watcher.start()
        process.wait()
        wall = time.monotonic() - start
        watcher.join()
        observations = [json.loads(line) for line in (run / "journal.jsonl").read_text().splitlines()]
        timed = sum(o["elapsed_ns"] for o in observations) / 1e9
        trials = [o for o in observations if o["phase"] == "trial"]
        print(f"processes: {len(observations)} ({len(trials)} trials)")
        print(f"timed {timed:.2f} s of {wall:.2f} s wall (start, calibration, report included): {timed / wall:.3f}")
        print(f"outside the timed calls: {1e3 * (wall - timed) / len(observations):.2f} ms a process")
        print(f"hashprof's own peak RSS: {max(found) / 1024:.1f} MiB")


main()
