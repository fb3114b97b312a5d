#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every known-answer file of the sixteen published instances, 2_33 and Loop included, through both variants: catches
a digest that differs from the submitted one, or between the variants where no manifest has it. Takes an hour."""
import pathlib
import re
import time

from support import SOURCE, Case, main

FAMILIES = {"hash-14": 16, "hash-16": 8, "hash-26": 8, "hash-33": 12}  # lines of the manifest
KINDS = ("2_12", "2_23", "2_33", "Loop")


class Published(Case):
    def digests(self, run, variant):
        """(family, instance, kind): (status, digest) of what a run computed."""
        found = {}
        for log in sorted(pathlib.Path(run).glob("kat/hash-*/*.log")):
            text = log.read_text()
            instance = log.stem.removesuffix(f".{variant}")
            for kind, status, digest in re.findall(r"^kat (\S+) (\S+) ([0-9a-f]{64}) ", text, re.MULTILINE):
                found[log.parent.name, instance, kind] = status, digest
        return found

    def manifest(self, family):
        """(family, instance, kind): digest."""
        lines = (SOURCE / "hashes" / family / f"{family}.kat.sha256").read_text().splitlines()
        self.assertEqual(len(lines), FAMILIES[family])
        return {(family, name.split("/")[0], re.search(r"/KAT_(2_\d\d|Loop)_", name).group(1)): digest
                for digest, _, name in (line.split() for line in lines)}

    def run_kat(self, campaign, run, *words):
        start = time.monotonic()
        result = self.hashprof("kat", campaign, "--kinds", "all", "--jobs", "2", "--out", run, *words, timeout=7200)
        print(f"\n{result.stderr}{result.stdout}kat: {pathlib.Path(campaign).name}: "
              f"{time.monotonic() - start:.0f} s with two jobs", flush=True)
        return result

    def test_every_line_of_the_four_manifests_matches_in_both_variants(self):
        self.run_kat(SOURCE / "configs" / "ngcc.yaml", self.folder / "reference")
        lines = "".join(f"  - {{use: {SOURCE}/hashes/{family}/hash.yaml, variants: [optimized]}}\n" for family in FAMILIES)
        campaign = self.folder / "optimized.yaml"
        campaign.write_text(f"hashprof: 1\nname: optimized\nbuilds: [guide]\nhashes:\n{lines}")
        self.run_kat(campaign, self.folder / "optimized.run")
        reference = self.digests(self.folder / "reference", "reference")
        optimized = self.digests(self.folder / "optimized.run", "optimized")
        self.assertEqual(len(reference), 16 * len(KINDS))
        self.assertEqual({key: digest for key, (_, digest) in reference.items()},
                         {key: digest for key, (_, digest) in optimized.items()})
        matched = 0
        for family in FAMILIES:
            for key, digest in self.manifest(family).items():
                self.assertEqual(reference[key], ("PASS", digest), key)
                self.assertEqual(optimized[key], ("PASS", digest), key)
                matched += 1
        self.assertEqual(matched, 44)
        unlisted = {key for key in reference if key[0] in ("hash-16", "hash-33") and key[2] in ("2_33", "Loop")}
        self.assertEqual(len(unlisted), 20)
        for key in unlisted:
            self.assertNotEqual(reference[key][0], "MISMATCH")


main()
