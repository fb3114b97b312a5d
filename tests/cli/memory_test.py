#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The memory of the calls from end to end: catches a heap or a stack that is not that of the call, a figure that
was not measured and appears all the same, and evidence that a second command measures again."""
import json
import os
import re
import unittest

from support import SOURCE, Case, main

LEAKING = r"""
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
int CryptHash(int bits, const unsigned char *msg, unsigned long long len, unsigned char *digest);
static void *kept;
static void *volatile leaked[64];
static int calls;
__attribute__((constructor)) static void construct(void) { kept = malloc(777); }
int CryptHash(int bits, const unsigned char *msg, unsigned long long len, unsigned char *digest)
{
    unsigned char state[4] = {1, 2, 3, 4};
    unsigned long long i;
    unsigned char *copy = malloc(len / 8 + 1);
    leaked[calls++ % 64] = malloc(24);
    memcpy(copy, msg, len / 8);
    for (i = 0; i < len / 8; ++i) state[i % 4] = (unsigned char)(state[i % 4] * 5 + copy[i]);
    free(copy);
    memcpy(digest, state, 4);
    return bits == 32 && kept != 0 ? 0 : -1;
}
"""


NGCC_REFERENCES = {"LLH-256", "LLH-512", "LLH-768", "LLH-1024", "CHIME-512", "CHIME-1024", "Laurus-512", "Laurus-768",
                   "Laurus-1024", "Laurus-XOF", "Thunder-512", "Thunder-768", "Thunder-1024", "Thunder-XOF-256",
                   "Thunder-XOF-384", "Thunder-XOF-512"}


class Memory(Case):
    def memory(self, target, *words, **options):
        return self.hashprof("memory", target, "--json", *words, **options)

    def test_heap_of_every_instance_is_what_its_specification_says(self):
        names = {"hash-14": "variants: [reference, optimized]", "hash-16": "variants: [reference, optimized]",
                 "hash-26": "variants: [reference, optimized]", "hash-33": "variants: [reference, optimized]",
                 "iccs": "variants: [reference]"}
        path = self.folder / "all.yaml"
        hashes = "".join(f"  - {{use: {json.dumps(os.path.relpath(SOURCE / 'hashes' / name / 'hash.yaml', self.folder))}, "
                         f"{words}}}\n" for name, words in names.items())
        path.write_text(f"hashprof: 1\nname: all\nhashes:\n{hashes}kat: none\n"
                        "measure: {sizes: [32, 1024, 65536]}\n")
        builds = json.loads(self.memory(path).stdout)
        self.assertGreaterEqual(len(builds), 16)
        for build in builds:
            with self.subTest(build["label"]):
                raw = json.loads((self.folder / "runs" / "all" / build["file"]).read_text())
                for operation in raw["operations"]:
                    size = operation["message_bytes"]
                    allocations, peak = self.expected_heap(build["label"], size)
                    is_checked = os.geteuid() == 0 and size != 1024
                    for call in ("first", "later"):
                        heap = operation[call]["meter"]
                        probes = operation[call]["probes"]
                        if is_checked and "not built" not in probes.get("reason", ""):
                            # The usable size is the meter's own.
                            self.assertEqual({**probes, "peak_usable_bytes": 0}, {**heap, "peak_usable_bytes": 0})
                        elif not is_checked:
                            self.assertIn("reason", probes)
                        self.assertEqual((heap["allocations"], heap["peak_bytes"], heap["left_bytes"], heap["failures"]),
                                         (allocations, peak, 0, 0), f"{call} call of {size} bytes")
                    self.assertIsInstance(operation["stack_bytes"], int)
                    self.assertLess(operation["stack_bytes"], 8192)
                    bound = raw["stack_bound"]["bytes"]
                    if build["label"] in NGCC_REFERENCES and os.uname().machine == "x86_64":
                        self.assertIsInstance(bound, int)
                    if isinstance(bound, int):
                        self.assertLessEqual(operation["stack_bytes"], bound)
        self.assertLessEqual(NGCC_REFERENCES, {build["label"] for build in builds})
        slopes = {build["label"]: build["heap_growth"] for build in builds}
        self.assertEqual(slopes["LLH-256"]["kind"], "constant")
        self.assertAlmostEqual(slopes["CHIME-512"]["slope"], 1.0, places=2)
        self.assertAlmostEqual(slopes["CHIME-1024"]["slope"], 8 / 7, places=2)
        self.assertTrue(slopes["CHIME-512"]["is_copy"])

    @staticmethod
    def expected_heap(label, size):
        """(allocations, peak) of a call; the sizes of the ICCS helpers by section 4 of their specification."""
        xof = re.fullmatch(r"pseudoXOF-(\d+)", label)
        if xof:
            return 2, size + 4 + (int(xof.group(1)) + 255) // 8
        if label == "pseudohash-512":
            return 3, 2 * size + 68
        if label in ("pseudohash-768", "pseudohash-1024"):
            return {"pseudohash-768": 4, "pseudohash-1024": 6}[label], 2 * size + 100
        if label == "CHIME-512":
            return 1, {32: 64, 1024: 1088, 65536: 65600}[size]
        if label == "CHIME-1024":
            return 1, {32: 64, 1024: 1216, 65536: 74944}[size]
        return 0, 0

    def test_a_run_shows_the_memory_of_its_calls_and_a_second_one_keeps_it(self):
        campaign = self.write_campaign(self.write_hash())
        page = self.hashprof("run", campaign).stdout
        self.assertIn("### 5.1 Memory of the call", page)
        self.assertRegex(page, r"\| Toy +\| hash_32 +\|.*\| +0 \| +0 \| +0 \| ")
        file = self.folder / "runs" / "camp" / "memory" / "toy" / "Toy.json"
        before = file.stat().st_mtime_ns
        self.assertEqual(json.loads(file.read_text())["schema"], "hashprof-memory/1")
        self.assertIn("memory/toy/Toy.json", (self.folder / "runs" / "camp" / "SHA256SUMS").read_text())
        self.hashprof("run", campaign)
        self.assertEqual(file.stat().st_mtime_ns, before)
        self.hashprof("memory", campaign, "--sizes", "32", expect=2)

    def test_what_is_left_and_copied_is_said(self):
        family = self.write_hash()
        (family.parent / "toy.c").write_text(LEAKING)
        campaign = self.write_campaign(family, measure="sizes: [64, 4096, 65536]", more="kat: none\n")
        page = self.hashprof("memory", campaign).stdout
        self.assertIn("constructors keep 777 B in 1 block, which is in no sum", page)
        self.assertIn("each call leaves 24 B in 1 block allocated, and 2 more operations", page)
        self.assertIn("**copies the message**", page)
        self.assertRegex(page, r"\| Toy +\| hash_65536 +\|[^|]*\| +65561 \| +2 \| +24 \| ")

    def test_a_simulated_run_has_no_memory(self):
        campaign = self.write_campaign(self.write_hash())
        page = self.hashprof("run", campaign, "--simulate").stdout
        self.assertIn("Not measured: the run is simulated.", page)
        self.assertFalse((self.folder / "runs" / "camp" / "memory").exists())

    def test_what_is_not_asked_for_is_not_measured(self):
        campaign = self.write_campaign(self.write_hash(), more="memory: {heap: false, witness: none}\n")
        build = json.loads(self.memory(campaign).stdout)[0]
        self.assertEqual(build["cells"][0]["heap_peak_bytes"], {"reason": "not asked for (memory.heap)"})
        self.assertIsInstance(build["cells"][0]["stack_bytes"], int)
        self.assertEqual(build["cells"][0]["witnesses"], "none")

    @unittest.skipUnless(os.geteuid() == 0, "only root may have the second witness")
    def test_witnesses_that_disagree_are_named_and_strict_fails(self):
        # What is asked of the C library under its other name passes the meter by, and no probe.
        family = self.write_hash()
        (family.parent / "toy.c").write_text(
            LEAKING.replace("malloc(len / 8 + 1)", "__libc_malloc(len / 8 + 1)")
            .replace("int CryptHash(", "extern void *__libc_malloc(size_t);\nint CryptHash(", 1))
        campaign = self.write_campaign(family, measure="sizes: [64, 4096]", more="kat: none\nmemory: {crosscheck: ends}\n")
        page = self.hashprof("memory", campaign).stdout
        if "built without BPF" in page:
            self.skipTest("this hashprof was built without BPF")
        self.assertIn("witnesses disagree: first call: allocations 1 by the meter, 2 by the probes, and 1 more operation",
                      page)
        self.assertIn("2, **disagree**", page)
        self.hashprof("memory", campaign, "--strict", expect=3)

    def test_damaged_evidence_is_named(self):
        campaign = self.write_campaign(self.write_hash())
        self.memory(campaign)
        file = self.folder / "runs" / "camp" / "memory" / "toy" / "Toy.json"
        file.write_text("{}")
        result = self.memory(campaign, expect=2)
        self.assertIn("Toy.json", result.stderr)

    def test_a_call_that_fails_in_the_memory_pass_fails_the_command(self):
        campaign = self.write_campaign(self.write_hash(failure="abort()"))
        result = self.memory(campaign, expect=1)
        build = json.loads(result.stdout)[0]
        self.assertEqual(build["reason"], "heap meter: SIGABRT at step call, message of 64 bytes")

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become an ordinary user")
    def test_an_ordinary_user_has_the_meter_and_the_stack(self):
        campaign = self.write_campaign(self.write_hash())
        for path in (self.folder, *self.folder.rglob("*")):
            os.chown(path, 65534, 65534)
        build = json.loads(self.memory(campaign, user=65534, group=65534, extra_groups=[]).stdout)[0]
        self.assertEqual(build["cells"][0]["heap_peak_bytes"], 0)
        self.assertIsInstance(build["cells"][0]["stack_bytes"], int)
        self.assertIn(build["cells"][0]["witnesses"], ("one",))


if __name__ == "__main__":
    main()
