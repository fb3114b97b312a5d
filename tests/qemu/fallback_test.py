#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Machines that cannot count everything: catches an invented figure, and a reason that blames the wrong thing."""
from machine import Boot
from support import Guest, main

NO_PMU = "no hardware PMU on this machine (virtual machine?): cycles cannot be counted (ENOENT)"
NO_INSTRUCTIONS = "instructions unavailable: "


class NoPmu(Guest):
    def test_without_a_pmu_times_are_given_and_cycles_are_absent_with_the_reason(self):
        result = self.boot("boot", Boot(cpu="neoverse-n1,pmu=off"))
        for o in self.trials(result):
            self.assertIsNone(o["cycles"])
            self.assertIsNone(o["instructions"])
            self.assertEqual(o["cycles_reason"], NO_PMU)
            self.assertEqual(o["read_method"], "none")
            self.assertTrue(all(s[1] is None and s[2] is None for s in o["slices"]))
            self.assertGreater(o["elapsed_ns"], 0)
        page = self.report(result)
        self.assertIn(f"No cycles: {NO_PMU}.", page)
        self.assertIn("- no cycle counts", page)
        self.assertIn("ns/byte", page)
        self.assertNotIn("cycles/byte, back-to-back", page)


class NoInstructions(Guest):
    def test_without_icount_there_are_cycles_and_no_instructions(self):
        result = self.boot("boot", Boot(icount=None))
        for o in self.trials(result):
            self.assertGreater(o["cycles"], 0)
            self.assertEqual(o["cycles_reason"] or "", "")
            self.assertIsNone(o["instructions"])
            self.assertTrue(o["instructions_reason"].startswith(NO_INSTRUCTIONS), o["instructions_reason"])
            self.assertTrue(all(s[1] > 0 and s[2] is None for s in o["slices"]))
        page = self.report(result)
        self.assertIn("cycles/byte, back-to-back", page)
        self.assertNotIn("No cycles", page)
        self.assertNotIn("- no cycle counts", page)
        self.assertIn("**Grade: FOR ORIENTATION ONLY**", page)


main()
