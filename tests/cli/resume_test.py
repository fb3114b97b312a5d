#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stops of every kind: catches lost or doubled processes, and a run that cannot go on or must not."""
import json
import random
import signal
import subprocess
import time

from support import PROGRAM, Case, main

KILLS = 50


class Resume(Case):
    def start(self, *words):
        return subprocess.Popen([PROGRAM, *map(str, words)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def test_killed_at_fifty_random_moments_it_finishes_and_measures_nothing_twice(self):
        campaign = self.write_campaign(self.write_hash(), measure="sizes: [32, 64], processes: 90, trial: 50 ms")
        run = self.folder / "runs" / "camp"
        moments = random.Random(20261130)
        kept = []
        kills = 0
        for kill in range(KILLS):
            process = self.start("run", campaign)
            # On a busy machine nothing is measured within half a second.
            time.sleep(moments.uniform(0.0, 0.5 if kept else 0.5 + 0.1 * kill))
            process.kill()
            process.wait()
            process.stderr.close()
            kills += process.returncode == -signal.SIGKILL
            if (run / "journal.jsonl").exists():
                now = self.journal(run)
                self.assertEqual(now[:len(kept)], kept, "a finished process was lost")
                kept = now
        print(f"{kills} of {KILLS} kills hit a running hashprof; {len(kept)} processes were kept")
        self.assertGreater(kills, KILLS // 2)
        self.assertGreater(len(kept), 10)
        self.hashprof("run", campaign)
        self.check_no_process_twice(run)
        self.check_sums(run)
        journal = self.journal(run)
        self.assertEqual(journal[:len(kept)], kept)
        self.assertEqual(len(self.finished(run)), 180)

    def check_stop(self, number):
        campaign = self.write_campaign(self.write_hash(), measure="sizes: [32, 64], processes: 9, trial: 0.2 s")
        run = self.folder / "runs" / "camp"
        process = self.start("run", campaign)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if (run / "journal.jsonl").exists() and (run / "journal.jsonl").read_text().count("\n") >= 5:
                break
            time.sleep(0.05)
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 128 + number, errors)
        self.assertEqual(errors, "hashprof: stopped by a signal; the same command goes on from here\n")
        self.check_sums(run)
        self.assertIn("the run is not complete", (run / "report" / "report.md").read_text())
        before = self.journal(run)
        self.assertLess(len(before), 20)
        self.hashprof("run", campaign)
        self.assertEqual(self.journal(run)[:len(before)], before)
        self.check_no_process_twice(run)
        self.check_sums(run)
        self.assertNotIn("the run is not complete", (run / "report" / "report.md").read_text())

    def test_sigint_ends_with_130_and_the_same_command_resumes(self):
        self.check_stop(signal.SIGINT)

    def test_sigterm_ends_with_143_and_the_same_command_resumes(self):
        self.check_stop(signal.SIGTERM)

    def test_sigint_while_building_ends_at_once(self):
        yaml = self.write_hash()
        source = yaml.parent / "toy.c"
        source.write_text(source.read_text() + '\n#include "wait.h"\n')
        subprocess.run(["mkfifo", yaml.parent / "wait.h"], check=True)
        process = self.start("run", self.write_campaign(yaml))
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 130, errors)
        left = subprocess.run(["pgrep", "-f", str(self.folder)], capture_output=True, text=True, check=False)
        self.assertEqual(left.stdout, "", "a compiler was left behind")

    def test_a_complete_run_is_not_measured_again(self):
        campaign = self.write_campaign(self.write_hash())
        first = self.hashprof("run", campaign).stdout
        journal = (self.folder / "runs/camp/journal.jsonl").read_bytes()
        self.assertEqual(self.hashprof("run", campaign).stdout, first)
        self.assertEqual((self.folder / "runs/camp/journal.jsonl").read_bytes(), journal)
        self.hashprof("kat", campaign)
        self.assertEqual(self.hashprof("report", "runs/camp").stdout, first)

    def test_what_changed_is_named_and_fresh_starts_anew(self):
        yaml = self.write_hash()
        campaign = self.write_campaign(yaml)
        self.hashprof("run", campaign)
        result = self.hashprof("run", campaign, "--sizes", "32", expect=2)
        self.assertIn("this run was begun with something else: measure.sizes", result.stderr)
        result = self.hashprof("run", campaign, "--simulate", expect=2)
        self.assertIn("simulation (none)", result.stderr)
        source = yaml.parent / "toy.c"
        source.write_text(source.read_text().replace("* 5", "* 7"))
        result = self.hashprof("run", campaign, expect=2)
        self.assertIn("sources changed since the run was begun", result.stderr)
        self.assertIn("toy.c", result.stderr)
        self.hashprof("run", campaign, "--fresh", expect=1)
        source.write_text(source.read_text().replace("* 7", "* 5"))
        self.hashprof("run", campaign, "--fresh")

    def test_what_was_measured_keeps_its_library_and_its_conditions(self):
        yaml = self.write_hash()
        campaign = self.write_campaign(yaml)
        self.hashprof("run", campaign, "--simulate")
        run = self.folder / "runs" / "camp"
        header = json.loads((run / "campaign.json").read_text())
        header["host_reasons"] = ["turbo on"]
        header["host"]["kernel"] = "another"
        (run / "campaign.json").write_text(json.dumps(header))
        library = run / "lib" / "toy" / "Toy.so"
        before = library.read_bytes()
        self.hashprof("run", run)
        after = json.loads((run / "campaign.json").read_text())
        self.assertEqual(after["host_reasons"], ["turbo on"])
        self.assertEqual(after["host"]["kernel"], "another")
        self.assertIn("- turbo on", (run / "report" / "report.md").read_text())
        builds = json.loads((run / "build.json").read_text())
        builds["builds"][0]["result"]["compiler"]["version"] = "gcc 1.0"
        (run / "build.json").write_text(json.dumps(builds))
        result = self.hashprof("run", run, expect=2)
        self.assertIn("the compiler is another one than the measured library was built by (gcc 1.0)", result.stderr)
        self.assertEqual(library.read_bytes(), before)

    def test_the_words_of_a_campaign_may_change_and_its_copy_changes_with_them(self):
        campaign = self.write_campaign(self.write_hash())
        self.hashprof("run", campaign, "--simulate")
        campaign.write_text(campaign.read_text() + "title: Another title\n")
        first = self.hashprof("run", campaign, "--simulate").stdout
        self.assertIn("Another title", first)
        run = self.folder / "runs" / "camp"
        self.assertEqual((run / "campaign.yaml").read_text(), campaign.read_text())
        self.assertEqual(self.hashprof("run", run).stdout, first)

    def test_a_second_hashprof_in_the_same_run_is_refused(self):
        campaign = self.write_campaign(self.write_hash(), measure="sizes: [32], processes: 9, trial: 0.2 s")
        process = self.start("run", campaign)
        time.sleep(1.0)
        result = self.hashprof("run", campaign, expect=1)
        self.assertRegex(result.stderr, r"another hashprof works in this run directory \(pid \d+, host .+, started ")
        process.send_signal(signal.SIGINT)
        process.communicate()


main()
