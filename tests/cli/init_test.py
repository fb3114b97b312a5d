#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hashprof init` on submissions as they come: catches a driver that is compiled, a source that is missed, a shipped
program that is run, a choice that is not said, and a hash.yaml that does not read back."""
import json
import os
import pathlib
import re
import tempfile

import submissions
from support import PROGRAM, SOURCE, Case, main


class InitCase(Case):
    texts = None

    def answers(self, kind="2_12"):
        if InitCase.texts is None:
            InitCase.texts = submissions.answers(PROGRAM, pathlib.Path(tempfile.mkdtemp(prefix="hashprof-kat-")))
        return InitCase.texts[kind]

    def make(self, builder, name="toyfam"):
        """The submission with its known answers."""
        folder, kat_file = builder(self.folder / name)
        kind = "2_23" if "KAT_2_23" in kat_file else "2_12"
        submissions.write(folder / kat_file, self.answers(kind))
        return folder

    def check_passes(self, folder, *instances):
        result = self.hashprof("init", folder, "--check")
        for instance in instances:
            self.assertRegex(result.stdout, rf"\nRESULT \S+ {instance}\S* PASS ")
        return result

    @staticmethod
    def uncomment(text, *lines):
        """Takes suggestions as their reader would: by removing the '# '."""
        for line in lines:
            assert re.search(rf"^( *)# ({line})$", text, re.M), f"{line}\n{text}"
            text = re.sub(rf"^( *)# ({line})$", r"\1\2", text, flags=re.M)
        return text


class Passes(InitCase):
    def test_a_source_inside_a_source(self):
        folder = self.make(submissions.included_source)
        result = self.check_passes(folder, "Toy-256")
        self.assertIn("toy_core.c: is included by CryptHash_AlgorithmInstance.c\n", result.stdout)
        self.assertIn("KAT_CryptHash.c: defines main\n", result.stdout)
        self.assertIn("2_12 equals the manifest", result.stdout)
        self.assertEqual((folder / "toyfam.kat.sha256").read_text().split()[1:], ["strict", "Toy-256/KAT_2_12_Toy-256.txt"])

    def test_other_names_of_header_and_answers(self):
        folder = self.make(submissions.other_names)
        self.assertIn("2_12 equals the manifest", self.check_passes(folder, "Toy-256").stdout)
        self.assertIn("    Toy-256: toy_256\n", (folder / "hash.yaml").read_text())

    def test_gbk_crlf_blanks_quotes_and_chinese(self):
        folder = self.make(submissions.odd_bytes)
        self.assertIn("2_12 equals the manifest", self.check_passes(folder, "Toy-256").stdout)

    def test_what_is_prebuilt_is_neither_run_nor_linked(self):
        folder = self.make(submissions.prebuilt)
        before = {p.name for p in folder.iterdir()}
        result = self.check_passes(folder, "Toy-256")
        self.assertIn("2_12 equals the manifest", result.stdout)
        for line in ("Makefile: is never run", "toy.o: is never run or linked", "libtoy.so: is never run or linked"):
            self.assertIn(line, result.stdout)
        self.assertEqual({p.name for p in folder.iterdir()} - before, {"hash.yaml", "toyfam.kat.sha256"})
        self.assertFalse(list(self.folder.rglob("poisoned")))

    def test_cxx_behind_a_c_interface(self):
        folder = self.make(submissions.cxx_behind_c)
        result = self.check_passes(folder, "Toy-256")
        self.assertIn("2_12 equals the manifest", result.stdout)
        self.assertIn("main.cpp: defines main\n", result.stdout)
        self.assertIn("throughput.cpp: is named like a driver\n", result.stdout)
        text = (folder / "hash.yaml").read_text()
        self.assertIn("        language: c++17\n        libraries: [crypto]\n", text)

    def test_the_layout_of_supercop(self):
        folder = self.make(submissions.supercop)
        submissions.write(folder / "KAT_2_12_toy256.txt", self.answers())
        result = self.check_passes(folder, "toy256")
        self.assertEqual(len(re.findall(r"RESULT toyfam toy256\S* PASS 2_23 equals the manifest", result.stdout)), 2)
        self.assertIn("KAT_2_12_toy256.txt: has messages of single bits", result.stdout)
        text = (folder / "hash.yaml").read_text()
        self.assertIn("api: supercop\nvariants:\n  reference: {class: reference}\n  unrolled: {class: optimized}\n",
                      text)
        self.assertNotIn("unsure: ", text)

    def test_without_answers_the_contract_is_checked(self):
        submissions.plain(self.folder / "toyfam")
        result = self.hashprof("init", "toyfam", "--check", expect=1)
        self.assertIn("RESULT toyfam Toy-256 NOVECTORS ", result.stdout)
        self.assertIn("\n# kat: {manifest: FILE, vectors: [FILE]}\n", (self.folder / "toyfam/hash.yaml").read_text())
        log = (self.folder / "runs/toyfam-check/kat/toyfam/Toy-256.log").read_text()
        self.assertRegex(log, r"returns kept")

    def test_a_wrong_answer_fails_the_check(self):
        folder = self.make(submissions.included_source)
        kat = folder / "Output/KAT_2_12_Toy-256.txt"
        text = kat.read_bytes()
        kat.write_bytes(text[:-10] + bytes([text[-10] ^ 1]) + text[-9:])
        result = self.hashprof("init", folder, "--check", expect=1)
        self.assertIn("RESULT toyfam Toy-256 MISMATCH ", result.stdout)
        self.assertEqual(result.stderr, f"hashprof: the check is in {self.folder}/runs/toyfam-check\n")
        log = (self.folder / "runs/toyfam-check/kat/toyfam/Toy-256.log").read_text()
        self.assertIn("KAT_2_12_Toy-256.txt differs first at record 4097, 4096 bits ", log)

    def test_every_variant_is_checked(self):
        for name in ("Reference_Implementation", "Optimized_Implementation"):
            submissions.plain(self.folder / "fam" / name / "Toy-256")
        submissions.write(self.folder / "fam/KAT_2_12_Toy-256.txt", self.answers())
        result = self.hashprof("init", "fam", "--check")
        self.assertEqual(len(re.findall(r"RESULT fam Toy-256\S* PASS ", result.stdout)), 2, result.stdout)
        text = (self.folder / "fam/hash.yaml").read_text()
        self.assertIn("  optimized: {class: optimized}\n", text)

    def test_json_is_one_document(self):
        folder = self.make(submissions.included_source)
        value = json.loads(self.hashprof("init", folder, "--check", "--json").stdout)
        self.assertEqual(value["written"]["instances"][0]["name"], "Toy-256")
        self.assertEqual(value["check"][0]["status"], "PASS")


class SaysWhatToAdd(InitCase):
    def test_sources_three_levels_up(self):
        folder = self.make(submissions.sources_above)
        result = self.hashprof("init", folder)
        self.assertIn('includes "toy_low.h", which is in no folder here: add what belongs to lib/low/toy_low.h',
                      result.stdout)
        yaml = folder / "hash.yaml"
        yaml.write_text(self.uncomment(yaml.read_text(), "  - \"lib/low/toy_low.c\"", "include:", '  - "lib/low"',
                                       '  - "lib/common"'))
        self.assertIn("2_12 equals the manifest", self.hashprof("kat", yaml, "--kinds", "2_12").stdout)

    def test_a_suggestion_may_lie_above_the_folder_that_was_named(self):
        folder = self.make(submissions.sources_above)
        place = folder / "Reference_Implementation" / "Toy" / "Toy-256"
        self.hashprof("init", place)
        self.assertIn('#   - "../../../lib/low/toy_low.c"', (place / "hash.yaml").read_text())


    def test_a_header_that_has_to_come_first(self):
        folder = self.make(submissions.own_types)
        self.assertIn("toy_types.h defines uint8_t itself: if it does not compile, add header",
                      self.hashprof("init", folder).stdout)
        yaml = folder / "hash.yaml"
        self.assertIn("FAILED", self.hashprof("build", yaml, "--out", "without", expect=1).stdout)
        yaml.write_text(self.uncomment(yaml.read_text(), 'header: "toy_types.h"'))
        self.assertIn("2_12 equals the manifest", self.hashprof("kat", yaml, "--kinds", "2_12").stdout)


class Variants(InitCase):
    def test_instances_that_share_a_name_get_a_suffix(self):
        for name in ("A", "B"):
            submissions.plain(self.folder / "fam" / name)
        text = self.hashprof("init", "fam").stdout
        self.assertIn("Toy-256_2: another instance is called Toy-256 too", text)
        self.hashprof("list", "fam")

    def test_two_trees_of_one_instance_are_variants(self):
        for name in ("x86", "arm"):
            submissions.plain(self.folder / "fam" / name / "Optimized_Implementation" / "Toy-256")
        submissions.plain(self.folder / "fam" / "Reference_Implementation" / "Toy-256")
        self.hashprof("init", "fam")
        self.assertEqual(re.findall(r"^  (\S+): {class", (self.folder / "fam/hash.yaml").read_text(), re.M),
                         ["reference", "optimized", "optimized-x86"])

    def test_only_optimized_is_said_and_checked(self):
        submissions.plain(self.folder / "fam" / "Optimized_Implementation" / "Toy-256")
        submissions.write(self.folder / "fam/KAT_2_12_Toy-256.txt", self.answers())
        self.assertRegex(self.hashprof("init", "fam", "--check").stdout, r"RESULT fam Toy-256\S* PASS")
        self.assertIn("# No reference: all of these are measured.", (self.folder / "fam/hash.yaml").read_text())


    def test_intrinsics_are_a_guess_that_is_said(self):
        for name in ("Reference_Implementation", "Optimized_Implementation"):
            submissions.plain(self.folder / "fam" / name)
        with open(self.folder / "fam/Optimized_Implementation/CryptHash_AlgorithmInstance.c", "a", encoding="ascii") as f:
            f.write("#include <immintrin.h>\n__m256i toy_zero(void);\n"
                    "__m256i toy_zero(void) { return _mm256_setzero_si256(); }\n")
        self.assertIn("unsure\n  Toy-256, optimized: it calls intrinsics of avx2: compiled with -mavx2\n",
                      self.hashprof("init", "fam").stdout)
        text = (self.folder / "fam/hash.yaml").read_text()
        self.assertIn("  optimized: {class: optimized, needs_cpu: [avx2]}  # unsure", text)
        self.assertIn("        cflags: [-mavx2]\n", text)
        self.hashprof("list", "fam")


class Files(InitCase):
    def setUp(self):
        super().setUp()
        self.toy = self.folder / "toyfam"
        submissions.plain(self.toy)

    def test_a_file_that_is_there_stays(self):
        (self.toy / "hash.yaml").write_text("mine")
        result = self.hashprof("init", self.toy, expect=2)
        self.assertIn("hash.yaml: is there already\n  hint: name another file with --out, or write over it with --fresh\n",
                      result.stderr)
        self.assertEqual((self.toy / "hash.yaml").read_text(), "mine")
        self.hashprof("adopt", self.toy, "--fresh")
        self.assertIn("Toy-256", (self.toy / "hash.yaml").read_text())

    def test_out_may_be_anywhere(self):
        (self.folder / "out dir").mkdir()
        self.hashprof("init", self.toy, "--out", "out dir/h.yaml")
        self.assertIn('"../toyfam/CryptHash_AlgorithmInstance.c"', (self.folder / "out dir/h.yaml").read_text())
        self.assertFalse((self.toy / "hash.yaml").exists())
        self.hashprof("build", "out dir/h.yaml")
        self.assertIn("no/such", self.hashprof("init", self.toy, "--out", "no/such/h.yaml", expect=5).stderr)

    def test_a_device_is_not_written_over(self):
        for words in ([], ["--fresh"]):
            self.assertIn("/dev/full: is not a regular file",
                          self.hashprof("init", self.toy, "--out", "/dev/full", *words, expect=5).stderr)

    def test_a_check_deletes_no_run_that_has_measured(self):
        yaml = self.write_hash("mine")
        campaign = self.write_campaign(yaml, name="c-check", measure="sizes: [32], processes: 2, trial: 2 ms")
        self.hashprof("run", campaign)
        journal = self.folder / "runs/c-check/journal.jsonl"
        before = journal.read_text()
        result = self.hashprof("init", "--check", yaml, "--out", "c.yaml", expect=2)
        self.assertIn("holds a run that has measured; --check would delete it", result.stderr)
        self.assertEqual(journal.read_text(), before)

    def as_nobody(self, *words, expect):
        """Root may read and write whatever the mode says, so that it becomes another user here."""
        other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        return self.hashprof(*words, expect=expect, **other)

    def test_a_folder_that_cannot_be_written_to(self):
        self.toy.chmod(0o555)
        result = self.as_nobody("init", self.toy, expect=5)
        self.assertIn("Permission denied", result.stderr)

    def test_a_source_that_cannot_be_read_is_named(self):
        (self.toy / "more.c").write_text("int more;\n")
        (self.toy / "more.c").chmod(0)
        self.assertIn("more.c: open: Permission denied", self.as_nobody("init", self.toy, expect=2).stderr)

    def test_no_submission(self):
        for words, text in ((["none"], "none: no such folder"), ([SOURCE / "LICENSE"], "is neither a folder nor"),
                            ([self.toy, self.toy], "is not a hash.yaml file")):
            self.assertIn(text, self.hashprof("init", *words, expect=2).stderr)
        (self.folder / "empty").mkdir()
        self.assertIn("no source in it defines CryptHash or crypto_hash", self.hashprof("init", "empty", expect=2).stderr)
        self.assertFalse((self.folder / "empty/hash.yaml").exists())

    def test_garbage_with_the_name_of_a_source(self):
        submissions.write(self.toy / "noise.c", os.urandom(4096) + b"\0")
        submissions.write(self.toy / "KAT_2_12_Toy-256.txt", os.urandom(4096))
        result = self.hashprof("init", self.toy)
        self.assertIn("noise.c: holds bytes that are no text\n", result.stdout)
        self.assertIn("KAT_2_12_Toy-256.txt: is no answer to go by: ", result.stdout)
        self.hashprof("build", self.toy)

    def test_five_thousand_files(self):
        for i in range(5000):
            (self.toy / f"table{i:04}.c").write_text(f"int toy_table_{i};\n")
        result = self.hashprof("init", self.toy, timeout=60)
        self.assertIn("reference (5001 sources)", result.stdout)
        self.hashprof("list", self.toy)

    def test_links_out_of_the_folder_are_not_followed(self):
        (self.toy / "etc").symlink_to("/etc")
        (self.toy / "passwd.c").symlink_to("/etc/passwd")
        (self.toy / "loop").symlink_to(".")
        result = self.hashprof("init", self.toy)
        for line in ("etc: is a link out of the folder: not followed", "passwd.c: is a link out of the folder: not followed",
                     "loop: is a link to a folder: not followed"):
            self.assertIn(line, result.stdout)
        self.assertNotIn("passwd", "\n".join(line for line in (self.toy / "hash.yaml").read_text().split("\n")
                                             if not line.strip().startswith("#")))

    def test_paths_that_no_yaml_can_name_are_said(self):
        odd = os.fsencode(self.folder) + b"/fam/\xca\xb5\xcf\xd6"
        os.makedirs(odd)
        for name in os.listdir(self.toy):
            with open(os.path.join(odd, os.fsencode(name)), "wb") as f:
                f.write((self.toy / name).read_bytes())
        self.assertIn(r"\xcf\xd6: a path in it is not UTF-8", self.hashprof("init", "fam", expect=2).stderr)
        os.rename(odd, os.fsencode(self.folder) + b"/fam/\xe2\x80\xa8 \xc2\x85\x01\t # : {[")
        self.hashprof("init", "fam")
        self.hashprof("build", "fam")


class Campaigns(InitCase):
    def test_a_campaign_of_several_families(self):
        (self.folder / "a").mkdir()
        families = [SOURCE / "hashes/sm3/hash.yaml", SOURCE / "hashes/hash-16/hash.yaml"]
        self.assertIn("hash-16: 4 instances\n", self.hashprof("init", *families, "--out", "a/first.yaml").stdout)
        text = (self.folder / "a/first.yaml").read_text()
        self.assertIn("  #   LLH-1024, 1024 bits\n", text)
        self.assertIn("variants: [reference, optimized]", text)
        rows = json.loads(self.hashprof("list", "a/first.yaml", "--json").stdout)
        self.assertEqual(len(rows), 9)
        self.assertIn("is named twice", self.hashprof("init", families[0], families[0], expect=2).stderr)

    def test_the_default_file_is_here_and_its_comments_can_be_taken(self):
        yaml = self.write_hash()
        self.hashprof("init", yaml)
        path = self.folder / "campaign.yaml"
        self.assertIn("there already", self.hashprof("init", yaml, expect=2).stderr)
        lines = path.read_text().split("\n")
        keys = [line for line in lines if re.match(r"# (title|preset|builds|kat|measure):", line)]
        self.assertEqual(len(keys), 5)
        taken = "\n".join(line[2:] if line in keys else line for line in lines)
        path.write_text(taken)
        self.hashprof("plan", path)
        path.write_text(text := "\n".join(line.replace("    # only", "    only") for line in lines))
        self.assertIn("only: [Toy]", text)
        self.hashprof("plan", path)


main()
