#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Disturbed processes: catches a process that shared its core and is used all the same, an attempt that is
thrown away, and a page that does not say so. Holds on a loaded machine: it asserts disturbances, never quiet."""
import collections
import json
import os
import subprocess
import sys

from support import Case, main

BUSY = "import time\nend = time.monotonic() + 240\nwhile time.monotonic() < end: pass\n"
DISTURBANCES = ("off the CPU: ", "migrated: ", "stolen by the hypervisor: ", "multiplexed: ")


class Noise(Case):
    def attempts_of(self, run):
        """{(cell, phase, process): observations in order}"""
        found = collections.defaultdict(list)
        for o in self.journal(run):
            found[o["cell"], o["phase"], o["process"]].append(o)
        return found

    def check_rules(self, run):
        """Attempts are numbered from 1, only the last may be without taint, three disturbances are the most."""
        for key, attempts in self.attempts_of(run).items():
            self.assertEqual([o["attempt"] for o in attempts], list(range(1, len(attempts) + 1)), key)
            self.assertTrue(all(o["taints"] for o in attempts[:-1]), key)
            disturbed = [o for o in attempts if o["taints"] and not o["taints"][0].startswith("replanned: ")]
            self.assertLessEqual(len(disturbed), 3, key)
            for o in disturbed:
                self.assertTrue(all(t.startswith(DISTURBANCES) for t in o["taints"]), o["taints"])
            if attempts[-1]["taints"]:
                self.assertEqual(len(disturbed), 3, key)

    def test_a_busy_loop_on_the_same_core_taints_and_the_process_is_tried_again(self):
        core = min(os.sched_getaffinity(0))
        hog = subprocess.Popen([sys.executable, "-c", BUSY], preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        try:
            campaign = self.write_campaign(
                self.write_hash(), measure=f"sizes: [64], processes: 2, trial: 60 ms, core: {core}")
            text = self.hashprof("run", campaign).stdout
        finally:
            hog.kill()
            hog.wait()
        run = self.folder / "runs" / "camp"
        self.check_rules(run)
        self.check_no_process_twice(run)
        lost = [o for o in self.journal(run) if any(t.startswith("off the CPU: ") for t in o["taints"])]
        self.assertTrue(lost, "half of the core was taken and nothing noticed it")
        for o in lost:
            self.assertGreater(o["lost_ns"], max(20_000, o["elapsed_ns"] / 200))
        self.assertGreater(max(o["attempt"] for o in self.journal(run)), 1)
        self.assertRegex(text, r"used 2 of \d|\d of 2 planned")

    def test_a_noisy_run_keeps_every_attempt_and_says_what_it_used(self):
        campaign = self.write_campaign(self.write_hash(), measure="sizes: ngcc, processes: 9")
        text = self.hashprof("run", campaign, "--simulate=noisy").stdout
        run = self.folder / "runs" / "camp"
        self.check_rules(run)
        self.check_sums(run)
        self.assertRegex(text, r"used 9 of 1\d")
        self.assertIn("processes are not used: the machine disturbed all 3 attempts of each", text)
        self.assertIn("the machine disturbed too many processes: cells with fewer than planned", text)
        short = 0
        for path in sorted((run / "records" / "toy").iterdir()):
            record = json.loads(path.read_text())
            used = [o for o in record["processes"] if o["phase"] == "trial" and not o["taints"]]
            self.assertEqual(record["status"], "complete")
            self.assertEqual(record["summary"]["time"]["processes"], len(used))
            self.assertEqual(record["shortfall"] is None, len(used) == 9)
            short += len(used) < 9
        self.assertGreater(short, 0)
        again = self.hashprof("run", campaign, "--simulate=noisy", "--out", "again").stdout
        self.assertEqual(text, again)

    def test_a_noisy_run_that_is_cut_anywhere_goes_on_to_the_same_journal(self):
        campaign = self.write_campaign(self.write_hash(), measure="sizes: [32, 64], processes: 9")
        self.hashprof("run", campaign, "--simulate=noisy")
        run = self.folder / "runs" / "camp"
        whole = (run / "journal.jsonl").read_text()
        lines = whole.splitlines(keepends=True)
        tainted = [i for i, line in enumerate(lines) if json.loads(line)["taints"]]
        self.assertTrue(tainted)
        for cut in (1, tainted[0], tainted[0] + 1, tainted[-1] + 1, len(lines) - 1):
            (run / "journal.jsonl").write_text("".join(lines[:cut]))
            self.hashprof("run", campaign, "--simulate=noisy")
            self.assertEqual((run / "journal.jsonl").read_text(), whole, f"cut after {cut} lines")


if __name__ == "__main__":
    main()
