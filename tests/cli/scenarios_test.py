#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scenarios of --simulate as a reader meets them: catches a faulty counter whose figures reach a page or a record,
a page that is silent about processes that disagree, and a scenario that the program names and does not have."""
import json
import re

from support import Case, main

REFUSED = {"zero-counter": "the cycle counter read 0", "wrapping": "the cycle counter went backwards"}


class Scenarios(Case):
    def setUp(self):
        super().setUp()
        self.campaign = self.write_campaign(self.write_hash(), measure="sizes: [32, 4096, 16384, 65536], processes: 9, "
                                            "max_processes: 21, trial: 5 ms, percall: 50")

    def run_scenario(self, scenario):
        page = self.hashprof("run", self.campaign, f"--simulate={scenario}", "--out", scenario).stdout
        self.assertIn(f"SIMULATED ({scenario}, seed 1)", page.splitlines()[0])
        return page

    def test_every_scenario_that_is_named_gives_a_page(self):
        error = self.hashprof("run", self.campaign, "--simulate=loud", expect=2).stderr
        self.assertIn("unknown scenario 'loud'", error)
        names = re.findall(r"([a-z-]+) \(", error.split("scenarios: ")[1])
        self.assertEqual(len(names), 11)
        usage = self.hashprof("run", "--help").stdout
        for name in names:
            self.assertIn(name, usage)
            self.run_scenario(name)

    def test_a_faulty_counter_gives_no_cycles_on_the_page_and_in_the_records(self):
        for scenario, reason in REFUSED.items():
            page = self.run_scenario(scenario)
            self.assertIn(f"No cycles: {reason}.", page)
            for o in self.journal(self.folder / scenario):
                self.assertEqual((o["cycles"], o["instructions"], o["first_call_cycles"]), (None, None, None))
                self.assertEqual(o["cycles_reason"], reason)
                self.assertIsNone(o["percall"])
                self.assertGreater(o["elapsed_ns"], 0)
            for path in sorted((self.folder / scenario / "records" / "toy").iterdir()):
                summary = json.loads(path.read_text())["summary"]
                self.assertEqual(summary["cycles"], {"value": None, "reason": reason})
                self.assertGreater(summary["time"]["median"], 0)

    def test_a_counter_that_shares_the_pmu_leaves_no_process_to_use(self):
        page = self.run_scenario("multiplexed")
        self.assertIn("9 of 9 processes are not used", page)
        self.assertRegex(page, r"multiplexed: the counter ran \d+ ns of \d+ ns")

    def test_processes_that_disagree_are_flagged_and_more_of_them_measured(self):
        for scenario, words in (("bimodal", "bimodal"), ("two-modes", "bimodal"), ("drifting", "drift")):
            page = self.run_scenario(scenario)
            self.assertIn(words, page)
            trials = [o for o in self.journal(self.folder / scenario) if o["phase"] == "trial"]
            self.assertEqual(max(o["process"] for o in trials), 20, scenario)
        page = self.run_scenario("quiet")
        self.assertIn("**Flagged**: nothing.", page)
        trials = [o for o in self.journal(self.folder / "quiet") if o["phase"] == "trial"]
        self.assertEqual(max(o["process"] for o in trials), 8)


if __name__ == "__main__":
    main()
