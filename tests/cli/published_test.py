#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""KAT_Loop of two published families: a million chained calls against the submitted digest."""
from support import SOURCE, Case, main


class Loop(Case):
    def check(self, family, instance):
        result = self.hashprof("kat", SOURCE / "hashes" / family, "--only", instance, "--kinds", "Loop")
        self.assertRegex(result.stdout, rf"RESULT {family} {instance} PASS .*Loop equals the manifest")
        log = (self.folder / "runs" / family / "kat" / family / f"{instance}.log").read_text()
        manifest = (SOURCE / "hashes" / family / f"{family}.kat.sha256").read_text()
        digest = next(line.split()[0] for line in manifest.splitlines() if f" {instance}/KAT_Loop_" in line)
        self.assertIn(f"\nkat Loop PASS {digest} strict ", log)

    def test_of_laurus_equals_the_manifest(self):
        self.check("hash-14", "Laurus-512")

    def test_of_chime_equals_the_manifest(self):
        self.check("hash-26", "CHIME-512")


main()
