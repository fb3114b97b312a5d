#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counters read by read(2) on a PMU that counts exactly: catches a reading that takes the wrong stretch, a loop
that costs more than it may, figures that are not those of the counters, and runs that are not repeatable."""
import collections
import subprocess

from support import PROGRAM, Guest, main, message_bytes, puppet_instructions

BOOTS = 6
LARGEST_LOOP = 12  # instructions a call that are not of the hash
LARGEST_READING = 500  # instructions a slice that belong to reading the counters
# Reading the clock takes a few instructions more within one tick of the turn of a virtual second.
LARGEST_EXCESS = 16


def beyond(observation):
    """For each slice: its calls, and the instructions that are not the puppet's."""
    own = puppet_instructions(message_bytes(observation))
    return [(s[0], s[2] - s[0] * own) for s in observation["slices"]]


def usual(values):
    """The most frequent value, and those that differ from it."""
    value, _ = collections.Counter(values).most_common(1)[0]
    return value, [other for other in values if other != value]


class Exact(Guest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.boots = [cls.boot(f"boot{number}") for number in range(1, BOOTS + 1)]

    def test_a_call_measures_the_puppets_instructions_and_a_constant(self):
        slices = [beyond(o) for result in self.boots for o in self.trials(result)]
        others = [pair for s in slices for pair in s[1:]]
        self.assertEqual({calls for calls, _ in others}, {6, 7})
        loop = usual([b for calls, b in others if calls == 7])[0] - usual([b for calls, b in others if calls == 6])[0]
        reading, odd = usual([b - calls * loop for calls, b in others])
        first, odd_firsts = usual([s[0][1] - s[0][0] * loop for s in slices])
        print(f"qemu: beyond the hash: {loop} instructions a call, {reading} a slice, {first} in the first; "
              f"{len(odd) + len(odd_firsts)} of {len(others) + len(slices)} slices differ", flush=True)
        self.assertLessEqual(len(odd) + len(odd_firsts), len(others) // 20)
        for value, constant in [(o, reading) for o in odd] + [(o, first) for o in odd_firsts]:
            self.assertLessEqual(abs(value - constant), LARGEST_EXCESS)
        self.assertGreaterEqual(loop, 1)
        self.assertLessEqual(loop, LARGEST_LOOP)
        self.assertGreaterEqual(reading, 1)
        self.assertLessEqual(reading, LARGEST_READING)

    def test_six_boots_give_the_same_calls_and_counts(self):
        def figures(result):
            return sorted((o["cell"], o["process"], o["calls"], o["cycles"], o["instructions"],
                           [s[:3] for s in o["slices"]]) for o in self.trials(result) if not o["taints"])
        first = figures(self.boots[0])
        self.assertEqual({row[2] for row in first}, {100})
        for result in self.boots[1:]:
            self.assertEqual(figures(result), first)

    def test_one_instruction_is_one_cycle(self):
        for o in self.trials(self.boots[0]):
            self.assertEqual(o["cycles"], o["instructions"])
            self.assertEqual([s[1] for s in o["slices"]], [s[2] for s in o["slices"]])
            self.assertEqual(o["cycles"], sum(s[1] for s in o["slices"]))
            self.assertEqual(o["read_method"], "read(2)")
            self.assertEqual(o["time_enabled_ns"], o["time_running_ns"])
            self.assertEqual(o["cycles_reason"] or "", "")

    def test_the_library_was_not_built_in_the_guest(self):
        before = (self.root / "out" / "run" / "lib" / "puppet" / "Puppet-64.so").read_bytes()
        after = (self.boots[0].folder / "run" / "lib" / "puppet" / "Puppet-64.so").read_bytes()
        self.assertEqual(before, after)
        self.assertIn("not on this machine: the run directory brought its libraries", self.report(self.boots[0]))

    def test_what_came_back_is_whole_and_renders_to_the_same_page_here(self):
        run = self.boots[0].folder / "run"
        subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=run, check=True)
        here = subprocess.run([PROGRAM, "report", str(run)], capture_output=True, text=True, check=True)
        self.assertEqual(here.stdout, self.report(self.boots[0]))
        self.assertEqual(here.stdout, (self.boots[0].folder / "report.txt").read_text())

    def test_the_page_is_labelled_emulated_and_for_orientation_only(self):
        page = self.report(self.boots[0])
        self.assertIn("**Grade: FOR ORIENTATION ONLY**", page)
        self.assertIn("QEMU's fw-cfg in the device tree: emulated unless KVM runs it", page)
        self.assertIn("emulated by QEMU: its cycles are no cycles of any hardware", page)
        self.assertIn("performance on AArch64", page)
        self.assertIn("Neoverse N1", page)


main()
