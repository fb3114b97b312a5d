# SPDX-License-Identifier: MIT
"""`doctor` and `require`. Catches a doctor that invents a value or changes something, and a run that measures
where its campaign forbids it. What this machine is comes from doctor itself, so that the tests hold on any."""
import json
import os
import subprocess

from support import PROGRAM, Case, main

WORDS = ("cycles", "fixed-clock", "quiet-core", "bare-metal")
IDS = ["architecture", "cpuset", "pinning", "virtualization", "perf_event_paranoid", "counter", "hybrid_core",
       "governor", "frequency_range", "turbo", "clock_probe", "smt", "load", "steal", "isolation", "irq_affinity",
       "nmi_watchdog", "aslr", "temperature", "throttling"]


class Machine(Case):
    """Asks doctor once: without cpufreq each look takes up to 14 seconds."""

    answer = {}

    def examine(self):
        if not Machine.answer:
            Machine.answer = json.loads(self.hashprof("doctor", "--json").stdout)
        return Machine.answer

    def find(self, answer, name):
        return next(row for row in answer["findings"] if row["id"] == name)


class Doctor(Machine):

    def test_json_and_text_say_the_same_of_this_machine(self):
        answer = self.examine()
        self.assertEqual([row["id"] for row in answer["findings"]], IDS)
        self.assertEqual(list(answer["require"]), list(WORDS))
        for row in answer["findings"]:
            self.assertEqual(row["value"] is None, row["severity"] == "unknown", row)
            self.assertTrue(row["value"] or row["reason"], row)
            self.assertIn(row["severity"], ("ok", "note", "warning", "unknown"), row)
        counter = self.find(answer, "counter")
        before = sorted(self.folder.rglob("*"))
        text = self.hashprof("doctor").stdout
        self.assertEqual(sorted(self.folder.rglob("*")), before, "doctor wrote something")
        self.assertIn(f"Measuring on CPU {answer['core']}\n", text)
        for row in answer["witness"]:
            self.assertEqual(row["is_there"], row["reason"] is None, row)
        there = [row["name"] for row in answer["witness"] if row["is_there"]]
        self.assertTrue(text.splitlines()[-1].startswith("memory witness: " + (", ".join(there) or "none")), text)
        if counter["severity"] == "ok":
            self.assertRegex(counter["value"], r"^[1-9][0-9]* cycles for 10000000 dependent additions$")
            self.assertRegex(text, r"\nok +counter +[0-9]+ cycles for 10000000 dependent additions\n")
        else:
            self.assertRegex(counter["value"], r"PMU|perf_event|counter|descriptor|count")
            self.assertIn(f"warning   counter              {counter['value']}\n", text)
            self.assertIn(f"            mend: {counter['remedy']}\n", text)
        self.assertEqual([line.split()[1] for line in text.split("\n") if line[:1] in "onwbu" and line.split()[:1]
                          and line.split()[0] in ("ok", "note", "warning", "blocking", "unknown")], IDS)

    def test_a_target_whose_core_cannot_be_had_is_refused(self):
        elsewhere = self.write_campaign(self.write_hash(), measure="sizes: [32], core: 8191")
        self.assertIn("measure.core: CPU 8191 is not one that this process may run on",
                      self.hashprof("doctor", elsewhere, expect=2).stderr)

    def test_a_process_with_one_cpu_is_told_so_of_the_core_of_its_target(self):
        core = min(os.sched_getaffinity(0))  # auto would be the last
        campaign = self.write_campaign(self.write_hash(), measure=f"sizes: [32], core: {core}")
        answer = json.loads(subprocess.run(
            ["taskset", "-c", str(core), PROGRAM, "doctor", str(campaign), "--json"], cwd=self.folder,
            capture_output=True, text=True, check=True).stdout)
        self.assertEqual(answer["core"], core)
        cpuset = self.find(answer, "cpuset")
        self.assertEqual((cpuset["severity"], cpuset["value"]), ("warning", str(core)))


class Require(Machine):
    def refused(self, campaign, expect=3):
        return self.hashprof("run", campaign, expect=expect)

    def test_what_the_machine_lacks_stops_the_run_before_anything_is_built(self):
        answer = self.examine()
        for word in ("cycles", "bare-metal"):
            campaign = self.write_campaign(self.write_hash(word), name=word, more=f"require: [{word}]\n")
            if answer["require"][word]:
                self.hashprof("run", campaign)
                continue
            result = self.refused(campaign)
            row = next(row for row in answer["findings"] if row["requirement"] == word)
            value = row["value"] or f"unknown ({row['reason']})"
            mend = f"  mend: {row['remedy']}\n" if row["remedy"] else f"  {row['meaning']}\n"
            self.assertEqual(
                result.stderr,
                f"hashprof: require {word}: {row['id']}: {value}\n{mend}"
                f"hashprof: error: {campaign}: require: 1 of 1 condition is not met: {word}\n"
                "  hint: mend what is in the way, or take the words out of 'require'; 'hashprof doctor' shows all "
                "findings\n")
            self.assertEqual(result.stdout, "")
            self.assertFalse((self.folder / "runs" / word).exists())

    def test_a_core_without_company_is_not_quiet(self):
        core = self.examine()["core"]
        campaign = self.write_campaign(self.write_hash(), more="require: [quiet-core]\n")
        result = subprocess.run(["taskset", "-c", str(core), PROGRAM, "run", str(campaign)], cwd=self.folder,
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(f"hashprof: require quiet-core: cpuset: {core}\n"
                      "  mend: give hashprof a second CPU (taskset, cpuset or container)\n", result.stderr)

    def test_a_wrong_known_answer_stops_the_run_before_anything_is_measured(self):
        campaign = self.write_campaign(self.write_hash("good"), self.write_hash("bad", is_right=False),
                                       more="require: [kat]\ntime_failing: true\n")
        result = self.refused(campaign)
        self.assertIn("hashprof: require kat: bad/Toy: ", result.stderr)
        self.assertNotIn("good/Toy", result.stderr)
        self.assertTrue(result.stderr.endswith(
            f"hashprof: error: {campaign}: require: 1 of 1 condition is not met: kat\n"
            "  hint: mend these builds, leave them out with --only, or take kat out of 'require'\n"), result.stderr)
        run = self.folder / "runs" / "camp"
        self.assertEqual(self.journal(run), [])
        self.check_sums(run)

    def test_right_known_answers_let_it_run(self):
        campaign = self.write_campaign(self.write_hash(), more="require: [kat]\n")
        self.hashprof("run", campaign)
        measured = {(o["cell"], o["process"]) for o in self.journal(self.folder / "runs" / "camp")
                    if o["phase"] == "trial"}
        self.assertEqual(len(measured), 6)

    def test_a_simulation_requires_known_answers_only(self):
        words = ", ".join(WORDS)
        campaign = self.write_campaign(self.write_hash(), more=f"require: [{words}, kat]\n")
        self.hashprof("run", campaign, "--simulate")
        bad = self.write_campaign(self.write_hash("bad", is_right=False), name="bad", more=f"require: [{words}, kat]\n")
        self.assertIn("require: 1 of 5 conditions is not met: kat",
                      self.hashprof("run", bad, "--simulate", expect=3).stderr)

    def test_other_phases_do_not_ask(self):
        campaign = self.write_campaign(self.write_hash(), more="require: [cycles, fixed-clock, bare-metal]\n")
        for verb in ("plan", "build", "kat"):
            self.hashprof(verb, campaign)


main()
