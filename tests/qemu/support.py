# SPDX-License-Identifier: MIT
"""Support of the tests on the emulated machine: builds a run directory for it here, boots, reads what came back."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import machine
from prepare import WORK, all_packages, timed

PROGRAM = os.environ["HASHPROF_PROGRAM"]  # of this machine
CAMPAIGN = machine.HERE / "campaign.yaml"
JOB = "hashprof run /out/run >/out/report.txt\n"


def puppet_instructions(message_bytes):
    """What puppet.c executes in one call."""
    return 2 * message_bytes + 5


class Guest(unittest.TestCase):
    """Tests of one class share one run directory, built here by the cross compiler and measured in the guest."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = WORK / cls.__name__
        shutil.rmtree(cls.folder, ignore_errors=True)
        cls.root = cls.folder / "root"
        timed("building libraries for the guest", cls.build_for_guest)

    @classmethod
    def build_for_guest(cls, campaign=CAMPAIGN, families=(machine.HERE / "puppet",)):
        """RUN below the guest's /out; of each family the guest gets hash.yaml, vectors and manifest, no source."""
        run = cls.root / "out" / "run"
        result = subprocess.run([PROGRAM, "build", str(campaign), "--out", str(run), "--target", machine.TRIPLE, "--no-cache"],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise AssertionError(f"hashprof build: exit {result.returncode}\n{result.stdout}{result.stderr}")
        for family in families:
            for file in [family / "hash.yaml", *family.glob("*.tsv"), *family.glob("*.kat.sha256")]:
                machine.add_file(cls.root, file, file)

    @classmethod
    def boot(cls, name, how=None, job=JOB):
        store = all_packages()
        result = machine.boot(store, WORK / "base.cpio.gz", job, cls.folder / name, how or machine.Boot(), cls.root)
        print(f"qemu: boot {cls.__name__}/{name}: {result.seconds:.1f} s", flush=True)
        if result.status != 0:
            raise AssertionError(f"the job ended with {result.status}\n{result.stdout}{result.stderr}")
        return result

    @staticmethod
    def journal(result):
        lines = (result.folder / "run" / "journal.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def trials(self, result, used=6):
        trials = [o for o in self.journal(result) if o["phase"] == "trial"]
        self.assertEqual([o["outcome"] for o in trials], ["complete"] * len(trials))
        self.assertEqual(len([o for o in trials if not o["taints"]]), used)
        return trials

    @staticmethod
    def report(result):
        return (result.folder / "run" / "report" / "report.md").read_text()


def message_bytes(observation):
    return int(observation["cell"].rsplit("_", 1)[1])


def main():
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
