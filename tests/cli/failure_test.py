#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Everything that can be wrong: catches errors without place or remedy, wrong exit codes, and libraries
whose fault takes others down."""
import os
import subprocess
import unittest

from support import PROGRAM, Case, main


class BadLibraries(Case):
    """A library that fails after it passed its known answers: its cell is named, the others go on."""

    def check(self, failure, words, at_call=2, more="limits: {call: 1 s}\n"):
        bad = self.write_hash("bad", failure=failure, at_call=at_call)
        good = self.write_hash("good")
        result = self.hashprof("run", self.write_campaign(bad, good, more=more), expect=1)
        run = self.folder / "runs" / "camp"
        failed = [o for o in self.journal(run) if o["outcome"] != "complete"]
        self.assertEqual({o["cell"] for o in failed}, {"bad/Toy/hash_64"})
        self.assertIn(words, failed[0]["outcome"] + ": " + failed[0]["detail"])
        self.assertIn(failed[0]["detail"].split(" at ")[0], result.stdout)
        cells = {cell for cell, _ in self.finished(run)}
        self.assertLessEqual({"bad/Toy/hash_32", "good/Toy/hash_32", "good/Toy/hash_64"}, cells)
        self.assertNotIn("bad/Toy/hash_64", cells)
        self.check_sums(run)

    def test_crash(self):
        self.check("*(volatile int *)0 = 1;", "crashed: SIGSEGV")

    def test_abort(self):
        self.check("abort();", "crashed: SIGABRT")

    def test_endless_loop(self):
        self.check("for (;;) {}", "timed_out: ")

    def test_exit_0(self):
        self.check("exit(0);", "exited: exited with status 0")

    def test_a_library_that_writes_to_the_protocol_fails_its_known_answers_alone(self):
        bad = self.write_hash("bad")
        source = bad.parent / "toy.c"
        source.write_text(source.read_text().replace("unsigned char state[4]", "dprintf(3, \"junk\");\n    "
                          "unsigned char state[4]").replace("#include <stdlib.h>", "#include <stdio.h>\n#include <stdlib.h>"))
        result = self.hashprof("run", self.write_campaign(bad, self.write_hash("good")), expect=1)
        self.assertIn("CRASH", result.stdout)
        cells = {cell for cell, _ in self.finished(self.folder / "runs" / "camp")}
        self.assertEqual(cells, {"good/Toy/hash_32", "good/Toy/hash_64"})

    def test_non_zero_return(self):
        self.check("return 7;", "failed_call: returned non-zero")

    def test_a_failing_build_stays_in_the_table(self):
        bad = self.write_hash("bad")
        (bad.parent / "toy.c").write_text("int CryptHash(void) { return undeclared; }\n")
        result = self.hashprof("run", self.write_campaign(bad, self.write_hash("good")), expect=1)
        self.assertIn("undeclared", result.stdout)
        self.assertIn("a build failed", result.stdout)
        cells = {o["cell"] for o in self.journal(self.folder / "runs/camp")}
        self.assertEqual(cells, {"good/Toy/hash_32", "good/Toy/hash_64"})

    def test_a_wrong_digest_is_not_timed_unless_asked_for(self):
        bad = self.write_hash("bad", is_right=False)
        result = self.hashprof("run", self.write_campaign(bad), expect=1)
        self.assertIn("MISMATCH", result.stdout)
        self.assertIn("64 bits", result.stdout)
        self.assertEqual(self.journal(self.folder / "runs/camp"), [])
        campaign = self.write_campaign(bad, name="timed", more="time_failing: true\n")
        result = self.hashprof("run", campaign, expect=1)
        self.assertGreater(len(self.journal(self.folder / "runs/timed")), 0)
        self.assertIn("not every build passed its known answers", result.stdout)

    def test_a_missing_compiler_is_named(self):
        (self.folder / "empty").mkdir()
        result = self.hashprof("run", self.write_campaign(self.write_hash()), expect=1,
                               env={**os.environ, "PATH": str(self.folder / "empty")})
        self.assertIn("gcc", result.stdout)
        self.assertIn("apt-get install gcc", result.stdout)


class BadInput(Case):
    def check(self, words, target=None, expect=2):
        result = self.hashprof("run", self.folder / "c.yaml" if target is None else target, expect=expect)
        self.assertEqual(result.stdout, "")
        self.assertTrue(result.stderr.startswith("hashprof: error: "), result.stderr)
        self.assertEqual(result.stderr.count("error:"), 1, result.stderr)
        self.assertIn(words, result.stderr)
        self.assertFalse((self.folder / "runs").exists())

    def write(self, content):
        path = self.folder / "c.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def test_missing_target(self):
        self.check("no such file or folder", "nothing.yaml")

    def test_empty_target_and_unreadable_folder(self):
        self.check("is empty", "")
        closed = self.folder / "closed"
        self.write_hash(folder=closed)
        closed.chmod(0)
        result = subprocess.run(["setpriv", "--reuid", "12345", "--clear-groups", PROGRAM, "plan", "closed/toy"],
                                cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2, result.stderr)
        closed.chmod(0o755)

    def test_a_vector_of_another_width_is_named(self):
        yaml = self.write_hash()
        vectors = yaml.parent / "vectors.tsv"
        vectors.write_text(vectors.read_text().rstrip("\n") + "00\n")
        result = self.hashprof("kat", yaml, expect=2)
        self.assertIn("vectors.tsv:6: the digest has 40 bits, but instance Toy has 32", result.stderr)

    def test_folder_without_anything(self):
        (self.folder / "empty").mkdir()
        self.check("holds neither a hash.yaml nor a run", "empty")

    def test_library_as_target(self):
        (self.folder / "x.so").write_bytes(b"\x7fELF")
        self.check("not in this version", "x.so")

    def test_empty_file(self):
        self.write("")
        self.check("c.yaml")

    def test_binary_file(self):
        self.write(bytes(range(256)) * 40)
        self.check("c.yaml")

    def test_huge_file(self):
        self.write(b"# x\n" * (1 << 19))
        self.check("c.yaml")

    def test_fifo_does_not_block(self):
        os.mkfifo(self.folder / "c.yaml")
        self.check("not a regular file")

    def test_unreadable_file(self):
        self.write("hashprof: 1\n")
        (self.folder / "c.yaml").chmod(0)
        if os.geteuid() == 0:
            result = subprocess.run(["setpriv", "--reuid", "12345", "--clear-groups", PROGRAM, "run", "c.yaml"],
                                    cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 2)
            self.assertIn("Permission denied (EACCES)", result.stderr)
        else:
            self.check("Permission denied (EACCES)")

    def test_unknown_key_has_a_suggestion_and_a_place(self):
        self.write("hashprof: 1\nname: x\nhashes: [a]\nmeasrue: {}\n")
        self.check("c.yaml:4:1: ")
        self.check("measure")

    def test_wrong_type_duplicate_and_later_key(self):
        self.write("hashprof: 1\nname: x\nhashes: 3\n")
        self.check("hashes")
        self.write("hashprof: 1\nname: x\nname: y\nhashes: [a]\n")
        self.check("name")
        self.write("hashprof: 1\nname: x\nhashes: [a]\nreport: {group_by: digest_bits}\n")
        self.check("not in this version")

    def test_missing_hash_file_is_named(self):
        self.write("hashprof: 1\nname: x\nhashes: [nowhere/hash.yaml]\n")
        self.check("nowhere/hash.yaml")

    def test_a_core_that_is_not_allowed_lists_the_allowed_ones(self):
        yaml = self.write_hash()
        self.write(f"hashprof: 1\nname: x\nhashes: [{yaml}]\nmeasure: {{core: 4000}}\n")
        self.check("4000")

    def test_options_out_of_range(self):
        for words in (["--sizes", "x"], ["--sizes", ""], ["--processes", "0"], ["--preset", "fast"],
                      ["--simulate=loud"], ["--only", "nothing"]):
            yaml = self.folder / "toy" / "hash.yaml"
            if not yaml.exists():
                yaml = self.write_hash()
            result = self.hashprof("run", yaml, *words, expect=2)
            self.assertIn("hashprof: error:", result.stderr)
            self.assertFalse((self.folder / "runs" / "toy" / "journal.jsonl").exists(), words)


class BadOutput(Case):
    def test_a_full_standard_output_ends_with_5(self):
        campaign = self.write_campaign(self.write_hash())
        with open("/dev/full", "wb") as full:
            result = subprocess.run([PROGRAM, "plan", campaign], stdout=full, stderr=subprocess.PIPE, text=True,
                                    check=False)
        self.assertEqual(result.returncode, 5)
        self.assertIn("standard output: write: No space left on device (ENOSPC)", result.stderr)

    def test_a_closed_pipe_ends_quietly(self):
        campaign = self.write_campaign(self.write_hash(), measure="sizes: ngcc, processes: 1000")
        result = subprocess.run(["bash", "-c", 'set -o pipefail; "$0" plan "$1" | head -1; exit ${PIPESTATUS[0]}',
                                 PROGRAM, campaign], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 141)
        self.assertEqual(result.stderr, "")

    def test_a_file_in_place_of_the_run_directory(self):
        (self.folder / "runs").write_text("x")
        result = self.hashprof("run", self.write_campaign(self.write_hash()), expect=None)
        self.assertIn(result.returncode, (2, 5))
        self.assertIn("runs", result.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to mount a small file system")
    def test_a_full_disk_ends_with_5_and_the_run_goes_on_when_there_is_space(self):
        campaign = self.write_campaign(self.write_hash(), measure="sizes: [32, 64], processes: 150, trial: 1 ms")
        small = self.folder / "small"
        small.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4M", "tmpfs", small], check=True)
        try:
            run = small / "run"
            self.fill(small / "filler", leave=0)
            result = self.hashprof("run", campaign, "--out", run, expect=5)
            self.assertIn("No space left on device (ENOSPC)", result.stderr)
            self.fill(small / "filler", leave=300 * 1024)
            result = self.hashprof("run", campaign, "--out", run, expect=5)
            self.assertIn("journal.jsonl: write: No space left on device (ENOSPC)", result.stderr)
            kept = self.journal(run)
            self.assertGreater(len(kept), 10)
            (small / "filler").unlink()
            self.hashprof("run", campaign, "--out", run)
            self.assertEqual(self.journal(run)[:len(kept)], kept)
            self.check_no_process_twice(run)
            self.check_sums(run)
        finally:
            subprocess.run(["umount", "-l", small], check=True)

    def fill(self, path, leave):
        """Fills the file system with `path` but for `leave` bytes."""
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            while True:
                os.write(fd, b"x" * 4096)
        except OSError:
            os.ftruncate(fd, max(0, os.fstat(fd).st_size - leave))
            os.close(fd)


class OrdinaryUser(Case):
    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_a_run_works_without_root(self):
        campaign = self.write_campaign(self.write_hash())
        os.chown(self.folder, 12345, 12345)
        result = subprocess.run(["setpriv", "--reuid", "12345", "--regid", "12345", "--clear-groups", PROGRAM, "run",
                                 campaign], cwd=self.folder, capture_output=True, text=True, check=False,
                                env={"PATH": os.environ["PATH"]})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.check_sums(self.folder / "runs" / "camp")


main()
