#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counters read by read(2) on a PMU that counts exactly: catches a reading that takes the wrong stretch, a loop
that costs more than it may, figures that are not those of the counters, and runs that are not repeatable."""
import subprocess

from support import PROGRAM, Guest, main, message_bytes, puppet_instructions

BOOTS = 6
LARGEST_LOOP = 12  # instructions a call that are not of the hash
LARGEST_READING = 500  # instructions a slice that belong to reading the counters


def beyond(observation):
    """For each slice: its calls, and the instructions that are not the puppet's."""
    own = puppet_instructions(message_bytes(observation))
    return [(s[0], s[2] - s[0] * own) for s in observation["slices"]]


class Exact(Guest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.boots = [cls.boot(f"boot{number}") for number in range(1, BOOTS + 1)]

    def test_a_call_measures_the_puppets_instructions_and_a_constant(self):
        slices = [beyond(o) for result in self.boots for o in self.trials(result)]
        firsts = {s[0] for s in slices}
        others = sorted({pair for s in slices for pair in s[1:]})
        self.assertEqual(len(firsts), 1, f"the first slice of a trial is not constant: {firsts}")
        self.assertEqual([calls for calls, _ in others], [6, 7], f"the other slices are not constant: {others}")
        loop = others[1][1] - others[0][1]
        reading = others[0][1] - 6 * loop
        (first_calls, first_beyond), = firsts
        print(f"qemu: beyond the hash: {loop} instructions a call, {reading} a slice, "
              f"{first_beyond - first_calls * loop} in the first", flush=True)
        self.assertGreaterEqual(loop, 1)
        self.assertLessEqual(loop, LARGEST_LOOP)
        self.assertGreaterEqual(reading, 1)
        self.assertLessEqual(reading, LARGEST_READING)

    def test_six_boots_give_the_same_calls_and_counts(self):
        def figures(result):
            return [(o["cell"], o["process"], o["attempt"], o["calls"], o["cycles"], o["instructions"],
                     [s[:3] for s in o["slices"]]) for o in self.trials(result)]
        first = figures(self.boots[0])
        self.assertEqual({row[3] for row in first}, {100})
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
