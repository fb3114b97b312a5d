#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A run directory that was built elsewhere: catches a rebuild without need, and libraries that are thrown away
or trusted wrongly where compiler and sources are missing."""
import json
import os

from support import Case, main

NO_COMPILER = {**os.environ, "PATH": "/nonexistent"}


class Carried(Case):
    def setUp(self):
        super().setUp()
        self.yaml = self.write_hash()
        self.campaign = self.write_campaign(self.yaml)
        self.run_folder = self.folder / "runs" / "camp"
        self.hashprof("build", self.campaign)
        self.source = self.yaml.parent / "toy.c"

    def library(self):
        return (self.run_folder / "lib" / "toy" / "Toy.so").read_bytes()

    def test_it_is_measured_where_neither_compiler_nor_sources_are(self):
        before = self.library()
        self.source.unlink()
        result = self.hashprof("run", self.run_folder, env=NO_COMPILER)
        self.assertEqual(self.library(), before)
        self.assertIn("not on this machine: the run directory brought its libraries", result.stdout)
        self.assertEqual(len(self.finished(self.run_folder)), 6)
        self.check_sums(self.run_folder)
        again = self.hashprof("run", self.run_folder, env=NO_COMPILER)
        self.assertEqual(again.stdout, result.stdout)

    def test_a_library_that_was_altered_on_its_way_is_not_measured(self):
        self.source.unlink()
        with open(self.run_folder / "lib" / "toy" / "Toy.so", "ab") as library:
            library.write(b"x")
        result = self.hashprof("run", self.run_folder, env=NO_COMPILER, expect=1)
        self.assertIn("compiler 'gcc': not found in PATH (/nonexistent)", result.stdout)
        self.assertEqual(self.journal(self.run_folder), [])

    def test_flags_that_changed_since_the_build_are_not_overlooked(self):
        self.yaml.write_text(self.yaml.read_text().replace("sources: [toy.c]", "sources: [toy.c], cflags: [-O1]"))
        self.hashprof("run", self.run_folder, env=NO_COMPILER, expect=1)
        self.assertEqual(self.journal(self.run_folder), [])

    def test_the_core_is_one_of_the_machine_that_measures(self):
        header = json.loads((self.run_folder / "campaign.json").read_text())
        header["core"] = 4095
        (self.run_folder / "campaign.json").write_text(json.dumps(header))
        self.hashprof("run", self.run_folder)
        self.assertIn(json.loads((self.run_folder / "campaign.json").read_text())["core"], os.sched_getaffinity(0))


main()
