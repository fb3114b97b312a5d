#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counters read without a system call, clocks that are not what they seem, and neighbours on the core: catches a
user-space read that takes another stretch or another width, cycles that pass for what they are not, and a disturbed
process that counts."""
from machine import Boot
from support import CAMPAIGN, JOB, Guest, main, message_bytes, puppet_instructions

USER_ACCESS = "sysctl -w kernel.perf_user_access=1 >/dev/null\n"
LARGEST_LOOP = 12  # instructions a call that are not of the hash
LARGEST_READING = 500  # instructions a slice that belong to reading the counters


class UserReads(Guest):
    def check(self, result):
        """The counts of user-space reads: per slice, calls times (puppet + loop) and a constant."""
        seen = set()
        for o in self.trials(result):
            self.assertEqual(o["read_method"], "mrs")
            self.assertEqual(o["cycles"], o["instructions"])
            own = puppet_instructions(message_bytes(o))
            pairs = [(s[0], s[2] - s[0] * own) for s in o["slices"]][1:]
            seen.update(pairs)
            for calls, beyond in pairs:
                self.assertGreaterEqual(beyond, calls)
                self.assertLessEqual(beyond, calls * LARGEST_LOOP + LARGEST_READING)
        few, many = (min(b for calls, b in seen if calls == n) for n in (6, 7))
        print(f"qemu: user-space reads: {many - few} instructions a call beyond the hash, "
              f"{few - 6 * (many - few)} a slice", flush=True)
        self.assertLessEqual(many - few, LARGEST_LOOP)
        self.assertGreaterEqual(many - few, 1)

    def test_user_space_reads_count_the_puppet_and_a_constant(self):
        self.check(self.boot("n1", job=USER_ACCESS + JOB))

    def test_a_pmu_of_64_bit_counters_is_read_in_user_space(self):
        self.check(self.boot("max", Boot(cpu="max,pauth-impdef=on"), job=USER_ACCESS + JOB))

    def test_eight_cycles_an_instruction_are_an_odd_clock_and_stay_cycles(self):
        result = self.boot("shift3", Boot(icount="shift=3,sleep=off"))
        for o in self.trials(result):
            self.assertAlmostEqual(o["cycles"] / o["instructions"], 8, delta=0.1)
            self.assertTrue(any(finding.startswith("odd_clock") for finding in o["findings"]), o["findings"])
        page = self.report(result)
        self.assertIn("odd clock", page)
        self.assertIn("**Grade: FOR ORIENTATION ONLY**", page)


class Hog(Guest):
    """One core for all: trials long enough that a neighbour takes a good part of each."""

    @classmethod
    def build_for_guest(cls, campaign=None, families=()):
        cls.folder.mkdir(parents=True, exist_ok=True)
        campaign = cls.folder / "hog.yaml"
        campaign.write_text(CAMPAIGN.read_text().replace("max_calls: 100", "max_calls: none")
                            .replace("[puppet/", f"[{CAMPAIGN.parent}/puppet/"))
        super().build_for_guest(campaign, (CAMPAIGN.parent / "puppet",))

    def test_a_busy_loop_on_the_same_core_taints_and_is_tried_again(self):
        result = self.boot("hog", job="(while :; do :; done) &\n" + JOB)
        trials = [o for o in self.journal(result) if o["phase"] == "trial"]
        self.assertTrue([o for o in trials if any("off the CPU" in t for t in o["taints"])],
                        [o["taints"] for o in trials])
        self.assertGreater(max(o["attempt"] for o in trials), 1)
        page = self.report(result)
        self.assertIn("the machine disturbed too many processes", page)


main()
