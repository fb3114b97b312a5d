#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The main job from end to end: catches a run that leaves something out, invents something, or is not the
same twice."""
import json
import os
import pty
import subprocess

from support import PROGRAM, Case, main


class Run(Case):
    def test_a_campaign_becomes_a_report_with_all_its_evidence(self):
        campaign = self.write_campaign(self.write_hash())
        result = self.hashprof("run", campaign)
        run = self.folder / "runs" / "camp"
        self.assertEqual(result.stdout, (run / "report" / "report.md").read_text())
        self.assertEqual(result.stdout, self.hashprof("report", run).stdout)
        self.assertIn("FOR ORIENTATION ONLY", result.stdout)
        self.check_sums(run)
        self.assertEqual((run / "campaign.yaml").read_text(), campaign.read_text())
        self.assertEqual(len(self.finished(run)), 6)
        trials = [o for o in self.journal(run) if o["phase"] == "trial"
                  and not any(t.startswith("replanned: ") for t in o["taints"])]
        for o in trials:
            self.assertEqual(o["outcome"], "complete")
            self.assertEqual(o["calls"], sum(s[0] for s in o["slices"]))
            self.assertEqual(o["elapsed_ns"], sum(s[3] for s in o["slices"]))
            self.assertGreaterEqual(len(o["slices"]), 8)
            self.assertGreater(o["elapsed_ns"], 1_000_000)
            self.assertGreater(o["baseline_rss_kib"], 0)
            self.assertGreaterEqual(o["peak_rss_kib"], o["baseline_rss_kib"])
        for cell in ("hash_32", "hash_64"):
            used = [o for o in trials if o["cell"].endswith(cell) and not o["taints"]]
            self.assertLessEqual(len({o["calls"] for o in used}), 1)
            record = json.loads((run / "records" / "toy" / f"Toy__{cell}.json").read_text())
            self.assertEqual(record["status"], "complete")

    def test_without_a_pmu_there_are_no_cycles_and_the_reason_is_given(self):
        run = self.folder / "out"
        text = self.hashprof("run", self.write_campaign(self.write_hash()), "--out", run).stdout
        without = [o for o in self.journal(run) if o["cycles"] is None]
        for o in without:
            self.assertTrue(o["cycles_reason"])
            if o["phase"] == "trial" and not o["taints"]:  # a loaded machine may leave none
                self.assertIn(o["cycles_reason"], text)
            self.assertTrue(all(s[1] is None for s in o["slices"]))
        if without:
            self.assertIn("n/a", text)
        self.assertNotIn("nan", text.lower().replace("governance", ""))

    def test_simulated_runs_are_the_same_to_the_byte_and_say_that_they_are(self):
        campaign = self.write_campaign(self.write_hash(), measure="sizes: ngcc")
        first = self.hashprof("run", campaign, "--simulate", "--out", "a").stdout
        second = self.hashprof("run", campaign, "--simulate", "--out", "b").stdout
        self.assertEqual(first, second)
        self.assertIn("SIMULATED", first[:400].upper())
        self.assertIn("simulated: the figures are invented (quiet, seed 1)", first)
        other = self.hashprof("run", campaign, "--simulate=quiet,2", "--out", "c").stdout
        self.assertNotEqual(first, other)
        without = self.hashprof("run", campaign, "--simulate=no-pmu", "--out", "d").stdout
        self.assertIn("n/a", without)
        self.assertIn("no cycle counts", without)

    def test_plan_is_the_same_on_every_call_and_writes_nothing(self):
        campaign = self.write_campaign(self.write_hash())
        before = sorted(p.name for p in self.folder.rglob("*"))
        first = self.hashprof("plan", campaign).stdout
        self.assertEqual(first, self.hashprof("plan", campaign).stdout)
        self.assertIn("calls: calibrated", first)
        self.assertEqual(before, sorted(p.name for p in self.folder.rglob("*")))
        self.hashprof("run", campaign, "--simulate")
        after = self.hashprof("plan", self.folder / "runs" / "camp").stdout
        self.assertNotIn("calibrated", after)
        self.assertRegex(after, r"calls: \d+ warm-ups: 3")

    def test_every_target_form_reaches_the_same_hash(self):
        yaml = self.write_hash()
        for target in (yaml, yaml.parent, str(yaml.parent) + "/"):
            text = self.hashprof("plan", target, "--sizes", "32").stdout
            self.assertIn("toy/Toy hash_32", text)
        self.hashprof("run", yaml, "--simulate", "--sizes", "32", "--processes", "2")
        run = self.folder / "runs" / "toy"
        self.assertIn("2 processes a cell", self.hashprof("plan", run).stdout)
        again = self.hashprof("run", run, "--simulate")
        self.assertEqual(again.stdout, (run / "report" / "report.md").read_text())

    def test_options_narrow_what_is_measured(self):
        campaign = self.write_campaign(self.write_hash("aa"), self.write_hash("bb"))
        text = self.hashprof("plan", campaign, "--only", "bb/*", "--sizes", "128", "--processes", "2").stdout
        self.assertNotIn("aa/Toy", text)
        self.assertIn("total: 3 processes in 1 cells", text)  # two trials and the single calls
        preset = self.hashprof("plan", campaign, "--preset", "published").stdout
        self.assertIn("5 processes a cell, trial 0.5 s", preset)

    def test_json_is_json_on_every_verb(self):
        campaign = self.write_campaign(self.write_hash())
        report = json.loads(self.hashprof("run", campaign, "--simulate", "--json").stdout)
        self.assertEqual(report["grade"], "FOR ORIENTATION ONLY")
        self.assertEqual(report["builds"][0]["cells"][0]["processes"], {"planned": 3, "used": 3, "disturbed": 0, "attempts": 3})
        self.assertGreater(report["builds"][0]["cells"][0]["cycles"]["median"], 0)
        again = json.loads(self.hashprof("report", "runs/camp", "--json").stdout)
        self.assertEqual(report, again)
        for verb in ("plan", "build", "kat", "list"):
            json.loads(self.hashprof(verb, campaign, "--json", "--out", "x").stdout
                       if verb in ("build", "kat") else self.hashprof(verb, campaign, "--json").stdout)

    def test_build_and_kat_do_their_part_only(self):
        campaign = self.write_campaign(self.write_hash())
        self.assertIn("toy/Toy  built  lib/toy/Toy.so", self.hashprof("build", campaign).stdout)
        run = self.folder / "runs" / "camp"
        self.assertEqual((run / "journal.jsonl").read_text(), "")
        library = run / "lib" / "toy" / "Toy.so"
        first = library.stat().st_mtime_ns
        self.assertIn("RESULT toy Toy PASS", self.hashprof("kat", campaign).stdout)
        self.assertEqual(library.stat().st_mtime_ns, first, "rebuilt without need")
        self.check_sums(run)
        log = (run / "kat" / "toy" / "Toy.log").read_text()
        self.assertTrue(log.endswith("RESULT toy Toy PASS 5 vectors agree\n"), log)

    def test_list_shows_what_there_is(self):
        text = self.hashprof("list").stdout
        for word in ("sm3/SM3", "sha2/SHA-256", "published", "tune", "quick", "guide", "publish"):
            self.assertIn(word, text)
        self.assertIn("21 where they disagree", self.hashprof("list", "presets").stdout)

    def test_odd_paths_work(self):
        odd = self.folder / "Ünïcode & 'quotes' \"$x\" #%\\n"
        yaml = self.write_hash(folder=odd)
        self.hashprof("run", yaml, "--simulate", "--out", odd / "a run", "--sizes", "32")
        self.check_sums(odd / "a run")

    def test_progress_is_for_terminals_only(self):
        campaign = self.write_campaign(self.write_hash())
        self.assertNotIn("\r", self.hashprof("run", campaign, "--simulate", "--out", "a").stderr)
        for term, is_wanted in (("xterm", True), ("dumb", False)):
            main_end, other_end = pty.openpty()
            process = subprocess.Popen([PROGRAM, "run", str(campaign), "--out", term], cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=other_end, env={**os.environ, "TERM": term})
            os.close(other_end)
            text = b""
            while True:
                try:
                    piece = os.read(main_end, 4096)
                except OSError:
                    break
                if not piece:
                    break
                text += piece
            os.close(main_end)
            self.assertEqual(process.wait(), 0)
            self.assertEqual(b"processes, about" in text, is_wanted, text)
            self.assertEqual(b"\x1b" in text, is_wanted)


main()
