#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Known answers of the published family and of broken copies of it: catches a gate that lets a wrong file pass,
stops others, or cannot say where a build goes wrong."""
import hashlib
import json
import shutil

from support import SOURCE, Case, main

KINDS = ("2_12", "2_23")


class KatCase(Case):
    def copy_family(self):
        """hash-16 below the test's folder, to be broken."""
        shutil.copytree(SOURCE / "hashes" / "hash-16", self.folder / "hash-16")
        return self.folder / "hash-16" / "hash.yaml"

    def manifest(self):
        lines = (SOURCE / "hashes/hash-16/hash-16.kat.sha256").read_text().splitlines()
        return {name: digest for digest, _, name in (line.split() for line in lines)}

    def log(self, instance, run="runs/hash-16"):
        return (self.folder / run / "kat" / "hash-16" / f"{instance}.log").read_text()


class Published(KatCase):
    def test_the_files_of_the_four_instances_equal_the_manifest(self):
        result = self.hashprof("kat", SOURCE / "hashes" / "hash-16", "--jobs", "2")
        manifest = self.manifest()
        self.assertEqual(len(manifest), 8)
        for width in (256, 512, 768, 1024):
            name = f"LLH-{width}"
            self.assertRegex(result.stdout,
                             f"RESULT hash-16 {name} PASS 3[89] vectors agree; 2_12 2_23 equal the manifest\n")
            log = self.log(name)
            for kind in KINDS:
                digest = manifest[f"{name}/KAT_{kind}_{name}.txt"]
                self.assertRegex(log, rf"\nkat {kind} PASS {digest} strict KAT_{kind}_{name}\.txt \d+ bytes \d+ ns\n")
            self.assertTrue(log.splitlines()[-1].startswith(f"RESULT hash-16 {name} PASS "), log)
        own = hashlib.sha256((SOURCE / "hashes/hash-16/hash-16.kat.sha256").read_bytes()).hexdigest()
        self.assertIn(f"\nmanifest {own} hash-16.kat.sha256\n", log)
        self.assertIn(" 2804822 bytes ", self.log("LLH-512"))
        self.check_sums(self.folder / "runs" / "hash-16")

    def test_a_report_names_what_was_proved_and_does_not_depend_on_the_time_it_took(self):
        pages = [self.hashprof("run", SOURCE / "hashes/hash-16", "--only", "LLH-256", "--sizes", "32", "--simulate",
                               "--out", out).stdout for out in ("a", "b")]
        self.assertEqual(*pages)
        self.assertIn("- LLH-256: PASS 2_12 2_23 vectors (38); not run: 2_33 Loop (not in this version)\n", pages[0])
        self.assertNotIn("vectors only", pages[0])

    def test_json_has_the_files(self):
        answers = json.loads(self.hashprof("kat", SOURCE / "hashes/hash-16", "--only", "LLH-256", "--json").stdout)
        files = answers[0]["files"]
        self.assertEqual([(f["kind"], f["status"], f["mode"]) for f in files],
                         [(kind, "PASS", "strict") for kind in KINDS])
        self.assertGreater(files[0]["elapsed_ns"], 0)


class Broken(KatCase):
    def test_a_flipped_constant_fails_its_instance_alone_and_is_localised(self):
        yaml = self.copy_family()
        constants = yaml.parent / "reference" / "llh_constants.h"
        text = constants.read_text()
        # One rotation amount, which only this width uses.
        start = text.index("LLH_BITS == 512\n    2, 25, 20,")
        constants.write_text(text[:start] + text[start:].replace("2, 25, 20,", "2, 24, 20,", 1))
        result = self.hashprof("run", yaml, "--sizes", "32", "--processes", "2", "--simulate", expect=1)
        run = self.folder / "runs" / "hash-16"
        self.assertEqual({o["cell"] for o in self.journal(run)},
                         {f"hash-16/LLH-{width}/hash_32" for width in (256, 768, 1024)})
        self.assertRegex(result.stdout, r"\n- LLH-512: \*\*MISMATCH\*\* 2_12 \(MISMATCH\) 2_23 \(MISMATCH\) vectors "
                                        r"\(38\): first wrong length \d+ bits; 2_12 2_23 differ from the manifest; ")
        self.assertRegex(result.stdout, r"\n\| LLH-512 +\| n/a")
        self.assertRegex(result.stdout, r"\n- LLH-512: known answers MISMATCH: first wrong length \d+ bits; .*; not timed\n")
        self.assertIn("not every build passed its known answers", result.stdout)
        self.assertRegex(self.log("LLH-512"), r"\nkat 2_12 MISMATCH [0-9a-f]{64} strict .*\ndetail 2_12 the manifest has ")
        again = self.hashprof("report", run).stdout
        self.assertEqual(again, result.stdout)

    def test_right_vectors_do_not_hide_a_wrong_file(self):
        yaml = self.copy_family()
        manifest = yaml.parent / "hash-16.kat.sha256"
        manifest.write_text(manifest.read_text().replace("2673552947ef", "000000000000"))
        result = self.hashprof("kat", yaml, "--only", "LLH-256", expect=1)
        self.assertEqual(result.stdout, "RESULT hash-16 LLH-256 MISMATCH 2_12 differs from the manifest, but 38 vectors "
                                        "agree: the first wrong length is none of theirs\n")
        log = self.log("LLH-256")
        self.assertIn("\nkat 2_12 MISMATCH 2673552947ef", log)
        self.assertIn("\nkat 2_23 PASS ", log)

    def test_a_file_that_the_manifest_lacks_fails_nothing(self):
        yaml = self.copy_family()
        manifest = yaml.parent / "hash-16.kat.sha256"
        manifest.write_text("".join(line + "\n" for line in manifest.read_text().splitlines()
                                    if "KAT_2_23_LLH-256" not in line))
        self.assertEqual(self.hashprof("kat", yaml, "--only", "LLH-256").stdout,
                         "RESULT hash-16 LLH-256 PASS 38 vectors agree; 2_12 equals the manifest\n")
        self.assertIn("\nkat 2_23 NOKAT - - KAT_2_23_LLH-256.txt - bytes\ndetail 2_23 not in the manifest\n",
                      self.log("LLH-256"))

    def test_a_wrong_manifest_is_named_with_its_line(self):
        yaml = self.copy_family()
        manifest = yaml.parent / "hash-16.kat.sha256"
        manifest.write_text(manifest.read_text() + "abc strict x\n")
        result = self.hashprof("kat", yaml, expect=2)
        self.assertIn("hash-16.kat.sha256:9: 'abc' is no SHA-256\n", result.stderr)

    def test_names_lead_to_the_file_of_another_name(self):
        yaml = self.copy_family()
        yaml.write_text(yaml.read_text().replace("kat: {", "kat: {names: {LLH-256: llh_256}, "))
        manifest = yaml.parent / "hash-16.kat.sha256"
        manifest.write_text(manifest.read_text().replace("2_LLH-256.txt", "2_llh_256.txt")
                            .replace("LLH-256/KAT_2_23_LLH-256.txt", "KAT_2_23_llh_256.txt"))
        self.assertIn("PASS 38 vectors agree; 2_12 2_23 equal the manifest",
                      self.hashprof("kat", yaml, "--only", "LLH-256").stdout)


class Choice(KatCase):
    def test_a_family_without_manifest_passes_by_its_vectors_and_the_report_says_so(self):
        page = self.hashprof("run", self.write_hash(), "--simulate", "--sizes", "32").stdout
        self.assertIn("- Toy: PASS vectors (5); not run: 2_12 2_23 (no manifest), 2_33 Loop (not in this version)\n",
                      page)
        self.assertIn("- Toy: vectors only, no manifest\n", page)

    def test_kinds_say_which_files_are_computed(self):
        family = SOURCE / "hashes" / "hash-16"
        self.assertIn("LLH-256 PASS 38 vectors agree; 2_23 equals the manifest\n",
                      self.hashprof("kat", family, "--only", "LLH-256", "--kinds", "2_23").stdout)
        self.assertIn("LLH-256 PASS 38 vectors agree\n",
                      self.hashprof("kat", family, "--only", "LLH-256", "--kinds", "none").stdout)
        result = self.hashprof("kat", family, "--kinds", "2_12,2_33", expect=2)
        self.assertIn("--kinds: '2_33' is not in this version", result.stderr)
        campaign = self.write_campaign(self.copy_family(), more="kat: [2_12]\n")
        self.assertIn("LLH-256 PASS 38 vectors agree; 2_12 equals the manifest\n",
                      self.hashprof("kat", campaign, "--only", "LLH-256").stdout)

    def test_what_was_proved_stands_until_library_manifest_or_kinds_change(self):
        yaml = self.copy_family()
        words = ("kat", yaml, "--only", "LLH-256")
        self.hashprof(*words)
        first = self.log("LLH-256")
        self.hashprof(*words)
        self.assertEqual(self.log("LLH-256"), first, "computed again: the times would differ")
        manifest = yaml.parent / "hash-16.kat.sha256"
        manifest.write_text(manifest.read_text() + "\n")
        self.hashprof(*words)
        second = self.log("LLH-256")
        self.assertNotEqual(second, first)
        self.hashprof(*words, "--kinds", "2_12")
        self.assertNotIn("kat 2_23", self.log("LLH-256"))


main()
