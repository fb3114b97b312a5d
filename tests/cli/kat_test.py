#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Known answers of the published family and of broken copies of it: catches a gate that lets a wrong file pass,
stops others, or cannot say where a build goes wrong."""
import hashlib
import json
import shutil
import subprocess
import time

from support import PROGRAM, SOURCE, Case, main

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
        self.assertIn("- LLH-256: PASS 2_12 2_23 vectors (38); not run: 2_33 Loop (not asked for)\n", pages[0])
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
        self.assertRegex(self.log("LLH-512"), r"\nkat 2_12 MISMATCH [0-9a-f]{64} strict .*\nagainst 2_12 the manifest\n"
                         r"detail 2_12 the manifest has ")
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
                         "RESULT hash-16 LLH-256 PASS 38 vectors agree; 2_12 equals the manifest; "
                         "2_23 not in the manifest\n")
        digest = self.manifest()["LLH-256/KAT_2_23_LLH-256.txt"]
        self.assertRegex(self.log("LLH-256"), rf"\nkat 2_23 NOKAT {digest} - KAT_2_23_LLH-256.txt 623 bytes \d+ ns\n"
                                              "detail 2_23 not in the manifest\n")

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
        self.assertIn("- Toy: PASS vectors (5); not run: 2_12 2_23 (no manifest), 2_33 Loop (not asked for)\n",
                      page)
        self.assertIn("- Toy: vectors only, no manifest\n", page)

    def test_kinds_say_which_files_are_computed(self):
        family = SOURCE / "hashes" / "hash-16"
        self.assertIn("LLH-256 PASS 38 vectors agree; 2_23 equals the manifest\n",
                      self.hashprof("kat", family, "--only", "LLH-256", "--kinds", "2_23").stdout)
        self.assertIn("LLH-256 PASS 38 vectors agree\n",
                      self.hashprof("kat", family, "--only", "LLH-256", "--kinds", "none", "--out", "none").stdout)
        result = self.hashprof("kat", family, "--kinds", "2_12,2_13", expect=2)
        self.assertIn("--kinds: '2_13' is no kind of known-answer files\n"
                      "  hint: write all, none, or kinds such as 2_12,2_23,2_33,Loop", result.stderr)
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
        times = [line for line in first.splitlines() if line.startswith("kat ")]
        self.assertEqual(len(times), 2)
        for line in times:
            self.assertNotIn(line, second, "not computed again: the time is the same to the nanosecond")
        self.hashprof(*words, "--kinds", "2_12")
        self.assertIn("kat 2_23 PASS", self.log("LLH-256"), "an answer that is not wanted now is kept")


class Complete(KatCase):
    """The whole procedure on a toy of 32 bits, which hashes a kilobyte in a microsecond."""

    def toy(self, manifest=None):
        yaml = self.write_hash()
        if manifest is not None:
            (yaml.parent / "toy.kat.sha256").write_text(manifest)
            yaml.write_text(yaml.read_text().replace("kat: {", "kat: {manifest: toy.kat.sha256, "))
        return yaml

    def text(self, kind):
        return (self.folder / "text" / "toy" / "Toy" / f"KAT_{kind}_Toy.txt").read_bytes()

    @staticmethod
    def canonical(text):
        return hashlib.sha256(b"".join(line.rstrip() + b"\n" for line in text.split(b"\n") if line.rstrip())).hexdigest()

    def test_the_text_is_kept_and_is_its_own_manifest(self):
        self.hashprof("kat", self.toy(), "--kinds", "2_12,2_23,Loop", "--write-kat", "text")
        for kind, bytes_and_digits in {"2_12": (2_280_406, 4097), "2_23": (431, 3)}.items():
            fixed, records = bytes_and_digits
            # Dst_Len has two digits here, and three in the formula of the procedure.
            self.assertEqual(len(self.text(kind)), fixed + records * 8 - records, kind)
        loop = self.text("Loop").decode().splitlines()
        self.assertEqual(loop[0], "Msg_Len = 8192")
        self.assertEqual(loop[2:], ["Dst_Len = 32", loop[3], ""])
        log = (self.folder / "runs/toy/kat/toy/Toy.log").read_text()
        for kind in ("2_12", "2_23", "Loop"):
            self.assertIn(f"\nkat {kind} NOKAT {self.canonical(self.text(kind))} - ", log)
        # A submission whose files are these.
        shutil.rmtree(self.folder / "toy")
        manifest = "".join(f"{self.canonical(self.text(kind))} strict Toy/KAT_{kind}_Toy.txt\n" for kind in ("2_12", "Loop"))
        result = self.hashprof("kat", self.toy(manifest), "--kinds", "2_12,2_23,Loop", "--out", "again")
        self.assertEqual(result.stdout, "RESULT toy Toy PASS 5 vectors agree; 2_12 Loop equal the manifest; "
                                        "2_23 not in the manifest\n")

    def test_a_text_that_is_gone_is_computed_again_and_one_that_is_there_is_not(self):
        words = ("kat", self.toy(), "--kinds", "2_12", "--write-kat", "text")
        self.hashprof(*words)
        log = self.folder / "runs/toy/kat/toy/Toy.log"
        first, text = log.read_text(), self.text("2_12")
        self.hashprof(*words)
        self.assertEqual(log.read_text(), first)
        shutil.rmtree(self.folder / "text")
        self.hashprof(*words)
        self.assertEqual(self.text("2_12"), text)
        result = self.hashprof("kat", self.toy_file(), "--kinds", "2_12", "--write-kat", "/dev/full/x", expect=None)
        self.assertEqual(result.returncode, 5, result.stderr)

    def toy_file(self):
        return self.folder / "toy" / "hash.yaml"

    def test_the_submitted_file_names_the_first_record_that_differs(self):
        self.hashprof("kat", self.toy("0" * 64 + " strict Toy/KAT_2_12_Toy.txt\n"), "--kinds", "2_12",
                      "--write-kat", "text", expect=1)
        lines = self.text("2_12").split(b"\n")
        at = 5 * 100 + 3
        self.assertTrue(lines[at].startswith(b"Dst = "))
        right = lines[at]
        lines[at] = b"Dst = DEADBEEF"
        submitted = self.folder / "KAT_2_12_Toy.txt"
        submitted.write_bytes(b"\r\n".join(lines))
        campaign = self.write_campaign(self.toy_file(), more="kat: [2_12]\nkat_files: {Toy: KAT_2_12_Toy.txt}\n")
        result = self.hashprof("kat", campaign, expect=1)
        self.assertIn("RESULT toy Toy MISMATCH", result.stdout)
        log = (self.folder / "runs/camp/kat/toy/Toy.log").read_text()
        self.assertIn("detail 2_12 KAT_2_12_Toy.txt differs first at record 101, 100 bits (line 504): "
                      f"expected Dst DEADBEEF, got {right.decode().removeprefix('Dst = ')}; the manifest has 000", log)
        for content, what in ((b"\n".join(lines[:100]), "the file ends in record 21 of 4097"),
                              (b"\x00\xff" * 50, "where 'Msg_Len =' belongs"),
                              (b"\n".join(lines).replace(b"Msg = 80", b"Msg = 00", 1),
                               "the message of record 2 is not that of KAT_2_12")):
            submitted.write_bytes(content)
            self.assertIn(what, self.hashprof("kat", campaign, "--fresh", expect=2).stderr)
        submitted.unlink()
        self.assertIn("kat_files: there is no such file or folder",
                      self.hashprof("kat", campaign, "--fresh", expect=2).stderr)

    def test_without_a_line_the_submitted_folder_is_the_answer(self):
        self.hashprof("kat", self.toy(), "--kinds", "2_12,2_23", "--write-kat", "text")
        campaign = self.write_campaign(self.toy_file(), more="kat_files: {Toy: text/toy/Toy}\n")
        self.assertEqual(self.hashprof("kat", campaign).stdout,
                         "RESULT toy Toy PASS 5 vectors agree; 2_12 2_23 equal the submitted file\n")

    def test_a_submitted_file_that_differs_from_a_right_manifest_is_told_of(self):
        self.hashprof("kat", self.toy(), "--kinds", "2_23", "--write-kat", "text")
        line = f"{self.canonical(self.text('2_23'))} strict Toy/KAT_2_23_Toy.txt\n"
        shutil.rmtree(self.folder / "toy")
        campaign = self.write_campaign(self.toy(line), more="kat: [2_12, 2_23]\nkat_files: {Toy: text/toy/Toy}\n")
        right = "RESULT toy Toy PASS 5 vectors agree; 2_23 equals the manifest; 2_12 not in the manifest\n"
        result = self.hashprof("kat", campaign)
        self.assertEqual(result.stdout, right)
        self.assertIn("kat_files: no KAT_2_12_Toy.txt where the campaign says", result.stderr)
        path = self.folder / "text" / "toy" / "Toy" / "KAT_2_23_Toy.txt"
        whole = path.read_bytes()
        path.write_bytes(whole.replace(b"Dst = ", b"Dst = 0", 1))
        for _ in range(2):
            self.assertRegex(self.hashprof("kat", campaign).stdout,
                             "^RESULT toy Toy PASS 5 vectors agree; 2_23 equals the manifest; 2_12 not in the manifest; "
                             "2_23 is not as submitted: KAT_2_23_Toy.txt differs first at record 1, 8388608 bits ")
        path.write_bytes(whole)
        self.assertEqual(self.hashprof("kat", campaign).stdout, right)
        path.unlink()
        self.assertEqual(self.hashprof("kat", campaign).stdout, right)

    def test_variants_without_a_line_are_held_against_the_reference(self):
        yaml = self.toy("0" * 64 + " strict Other/KAT_2_12_Other.txt\n")
        (yaml.parent / "wrong.c").write_text((yaml.parent / "toy.c").read_text().replace(
            "memcpy(digest", "if (len == 77) state[0] ^= 1; memcpy(digest"))
        yaml.write_text(yaml.read_text().replace("build: {sources: [toy.c]}", "variants:\n"
                        "  reference: {class: reference, build: {sources: [toy.c]}}\n"
                        "  same: {class: optimized, build: {sources: [toy.c]}}\n"
                        "  wrong: {class: optimized, build: {sources: [wrong.c]}}"))
        campaign = self.folder / "c.yaml"
        campaign.write_text("hashprof: 1\nname: c\nkat: [2_12]\nbuilds: [guide]\n"
                            f"hashes: [{{use: {yaml}, variants: [reference, same, wrong]}}]\n")
        result = self.hashprof("kat", campaign, expect=1).stdout.splitlines()
        self.assertEqual(result[0], "RESULT toy Toy PASS 5 vectors agree; 2_12 not in the manifest, the same text as Toy.same")
        self.assertEqual(result[1], "RESULT toy Toy.same PASS 5 vectors agree; 2_12 not in the manifest, the same text as Toy")
        self.assertEqual(result[2], "RESULT toy Toy.wrong MISMATCH 2_12 differs from Toy, but 5 vectors agree: "
                                    "the first wrong length is none of theirs")

    def test_a_comparison_is_made_anew_when_what_it_was_made_with_changes(self):
        yaml = self.toy("0" * 64 + " strict Other/KAT_2_12_Other.txt\n")
        (yaml.parent / "wrong.c").write_text((yaml.parent / "toy.c").read_text().replace(
            "memcpy(digest", "if (len == 77) state[0] ^= 1; memcpy(digest"))
        text = yaml.read_text().replace("build: {sources: [toy.c]}", "variants:\n"
                                        "  reference: {class: reference, build: {sources: [wrong.c]}}\n"
                                        "  other: {class: optimized, build: {sources: [toy.c]}}")
        yaml.write_text(text)
        campaign = self.folder / "c.yaml"
        campaign.write_text("hashprof: 1\nname: c\nkat: [2_12]\nbuilds: [guide]\n"
                            f"hashes: [{{use: {yaml}, variants: [reference, other]}}]\n")
        self.assertIn("MISMATCH 2_12 differs from Toy", self.hashprof("kat", campaign, expect=1).stdout)
        yaml.write_text(text.replace("wrong.c", "toy.c"))
        for _ in range(2):
            self.assertEqual(self.hashprof("kat", campaign).stdout.splitlines(),
                             ["RESULT toy Toy PASS 5 vectors agree; 2_12 not in the manifest, the same text as Toy.other",
                              "RESULT toy Toy.other PASS 5 vectors agree; 2_12 not in the manifest, the same text as Toy"])
        yaml.write_text(text)
        self.assertIn("MISMATCH 2_12 differs from Toy", self.hashprof("kat", campaign, expect=1).stdout)

    def test_a_submitted_file_that_comes_later_is_compared_and_one_that_goes_is_forgotten(self):
        campaign = self.write_campaign(self.toy("0" * 64 + " strict Toy/KAT_2_12_Toy.txt\n"), more="kat: [2_12, 2_23]\n")
        before = campaign.read_text()
        own = "RESULT toy Toy MISMATCH 2_12 differs from the manifest, but 5 vectors agree: " \
              "the first wrong length is none of theirs\n"
        self.assertEqual(self.hashprof("kat", campaign, "--write-kat", "text", expect=1).stdout, own)
        for kind in ("2_12", "2_23"):
            path = self.folder / "text" / "toy" / "Toy" / f"KAT_{kind}_Toy.txt"
            path.write_bytes(path.read_bytes().replace(b"Dst = ", b"Dst = 0", 1))
        campaign.write_text(before + "kat_files: {Toy: text/toy/Toy}\n")
        self.assertIn("2_23 differs from the submitted file", self.hashprof("kat", campaign, expect=1).stdout)
        log = self.folder / "runs/camp/kat/toy/Toy.log"
        first = log.read_text()
        self.assertRegex(first, "\nsubmitted 2_12 [0-9a-f]{64}\ndetail 2_12 KAT_2_12_Toy.txt differs first at record 1, 0 bits ")
        self.hashprof("kat", campaign, expect=1)
        self.assertEqual(log.read_text(), first, "computed again: the times would differ")
        path.write_bytes(path.read_bytes().replace(b"Dst = 0", b"Dst = ", 1))
        self.assertIn("\nagainst 2_23 the submitted file\n",
                      self.hashprof("kat", campaign, expect=1) and log.read_text())
        self.assertIn("\nkat 2_23 PASS ", log.read_text())
        campaign.write_text(before)
        self.hashprof("kat", campaign, expect=1)
        self.assertIn("\nkat 2_23 NOKAT ", log.read_text())

    def test_a_malformed_submitted_file_stops_before_anything_is_computed(self):
        (self.folder / "KAT_Loop_Toy.txt").write_bytes(b"Msg_Len = 8192\n")
        campaign = self.write_campaign(self.toy(), more="kat: [Loop]\nkat_files: {Toy: KAT_Loop_Toy.txt}\n")
        self.assertIn("KAT_Loop_Toy.txt:1: the file ends in record 1 of 1\n",
                      self.hashprof("kat", campaign, expect=2).stderr)
        self.assertEqual(list(self.folder.glob("runs/*/kat/*/*.log")), [])
        (self.folder / "KAT_Loop_Toy.txt").unlink()
        self.assertIn("there is no such file or folder", self.hashprof("kat", campaign, expect=2).stderr)
        (self.folder / "KAT_Loop_Toy.txt").mkdir()
        self.assertIn("RESULT toy Toy PASS", self.hashprof("kat", campaign).stdout)

    def test_a_killed_command_keeps_what_it_had_answered(self):
        words = [PROGRAM, "kat", str(self.toy("0" * 64 + " strict Other/KAT_2_12_Other.txt\n")),
                 "--kinds", "2_12,2_23,Loop"]
        log = self.folder / "runs/toy/kat/toy/Toy.log"
        process = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (log.exists() and "\ncontract " in log.read_text()):
            time.sleep(0.001)
        process.kill()
        process.wait()
        half = log.read_text()
        self.assertIn("\nRESULT toy Toy NOTRUN not finished: Loop\n", half)
        answered = [line for line in half.splitlines() if line.startswith("kat ")]
        self.assertEqual(len(answered), 2)
        self.assertIn("RESULT toy Toy PASS ", self.hashprof(*words[1:]).stdout)
        for line in answered:
            self.assertIn(line + "\n", log.read_text(), "computed again: the time would differ")


class Standing(KatCase):
    """What an earlier command answered, against what has changed since."""

    ZERO = "0" * 64

    def toy(self, kinds=("2_12", "2_23"), digests=None):
        yaml = self.write_hash()
        lines = "".join(f"{(digests or {}).get(kind, self.ZERO)} strict Toy/KAT_{kind}_Toy.txt\n" for kind in kinds)
        (yaml.parent / "toy.kat.sha256").write_text(lines)
        yaml.write_text(yaml.read_text().replace("kat: {", "kat: {manifest: toy.kat.sha256, "))
        return yaml

    def log_of(self, run="runs/camp"):
        return (self.folder / run / "kat/toy/Toy.log").read_text()

    def test_a_mismatch_of_a_kind_that_is_not_asked_for_now_stays_one(self):
        yaml = self.toy(kinds=("2_23",))
        campaign = self.write_campaign(yaml, more="kat: [2_12, 2_23]\n")
        self.hashprof("kat", campaign, "--write-kat", "text", expect=1)
        self.assertIn("\nkat 2_23 MISMATCH ", self.log_of())
        self.write_campaign(yaml, more="kat: [2_12]\nkat_files: {Toy: text/toy/Toy}\n")
        self.assertIn("RESULT toy Toy MISMATCH", self.hashprof("kat", campaign, expect=1).stdout)
        self.assertIn("\nkat 2_23 MISMATCH ", self.log_of())

    def test_what_else_an_answer_depends_on_is_asked_anew(self):
        yaml = self.write_hash()
        source = yaml.parent / "toy.c"
        source.write_text(source.read_text().replace("memcpy(digest", 'if (getenv("WRONG")) state[0] ^= 1; memcpy(digest'))
        campaign = self.write_campaign(yaml)
        self.assertIn("PASS", self.hashprof("kat", campaign).stdout)
        self.write_campaign(yaml, more='env: {WRONG: "1"}\n')
        self.assertIn("MISMATCH", self.hashprof("kat", campaign, expect=1).stdout)
        self.write_campaign(yaml)
        yaml.write_text(yaml.read_text().replace("digest_bits: 32", "digest_bits: 32, xof: any, block: 8"))
        before = self.log_of()
        self.hashprof("kat", campaign)
        question = [line for line in self.log_of().splitlines() if line.startswith("question ")]
        self.assertEqual(len(question), 1)
        self.assertNotIn(question[0], before)

    def test_a_file_that_is_computed_again_keeps_its_answer_until_then(self):
        self.hashprof("kat", self.toy(), "--kinds", "2_12,Loop", expect=1)
        log = self.folder / "runs/toy/kat/toy/Toy.log"
        answer = next(line for line in log.read_text().splitlines() if line.startswith("kat Loop "))
        process = subprocess.Popen([PROGRAM, "kat", str(self.folder / "toy"), "--kinds", "Loop", "--write-kat", "text"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None and not self.workers(process.pid):
            time.sleep(0.001)
        process.kill()
        process.wait()
        self.assertFalse((self.folder / "text").exists(), "it was not killed in time")
        self.hashprof("kat", self.folder / "toy", "--kinds", "none", expect=1)
        self.assertIn(answer + "\n", log.read_text())

    @staticmethod
    def workers(parent):
        return subprocess.run(["pgrep", "-P", str(parent)], capture_output=True, check=False).stdout

    def test_a_submitted_file_of_other_messages_keeps_the_answers_and_ends_with_2(self):
        yaml = self.toy()
        self.hashprof("kat", yaml, "--kinds", "2_12", "--write-kat", "text", expect=1)
        text = self.folder / "text/toy/Toy/KAT_2_12_Toy.txt"
        text.write_bytes(text.read_bytes().replace(b"Msg = 80", b"Msg = 00", 1))
        campaign = self.write_campaign(yaml, more="kat_files: {Toy: text/toy/Toy}\n")
        result = self.hashprof("kat", campaign, expect=2)
        self.assertIn("the message of record 2 is not that of KAT_2_12", result.stderr)
        log = self.log_of()
        for line in ("kat 2_12 MISMATCH ", "kat 2_23 MISMATCH ", "contract returns kept\n"):
            self.assertIn("\n" + line, log)
        self.check_sums(self.folder / "runs/camp")

    def test_what_a_library_printed_stays_in_its_log(self):
        yaml = self.write_hash()
        source = yaml.parent / "toy.c"
        source.write_text(source.read_text().replace("#include <stdlib.h>", "#include <stdlib.h>\n#include <stdio.h>").replace(
            "memcpy(digest", 'if (len == 0) { puts("heard"); fflush(stdout); } memcpy(digest'))
        campaign = self.write_campaign(yaml, more="kat: none\n")
        self.hashprof("kat", campaign)
        first = self.log_of()
        self.assertIn("\noutput heard\n", first)
        self.hashprof("kat", campaign)
        self.assertEqual(self.log_of(), first)


main()
