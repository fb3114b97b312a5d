#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ten broken copies of one hash beside the right one: catches a gate that lets one pass, names another fault than
the one that is there, or charges a right hash."""
import json
import platform
import re
import shutil

from support import SOURCE, Case, main

MASK = (1 << 64) - 1
LENGTHS = (0, 1, 8, 63, 200)
PASS = "PASS 5 vectors agree"
ALL_DIFFER = r"MISMATCH first wrong length 0 bits; 5 of 5 vectors differ; first: .*: digest byte \d+ is .., not .."
PAGE_END = r"SIGSEGV \(reads behind the message, or writes to it\)"

# By instance: its FAULT in toy.c, its RESULT, and the promises that the log has as broken.
TOYS = {
    "Right": (0, PASS, {}),
    "Constant": (1, ALL_DIFFER, {}),
    "ShortWrite": (2, ALL_DIFFER + "; broken promises: digest_whole",
                   {"digest_whole": "at 0 bits: did not write byte 31 of the digest"}),
    "OverWrite": (3, "CONTRACT digest_guard: at 0 bits: wrote byte 32 of a digest of 32 bytes; also broken: digest_end",
                  {"digest_guard": "at 0 bits: wrote byte 32 of a digest of 32 bytes",
                   "digest_end": r"at 0 bits: SIGSEGV \(needs memory behind the digest\)"}),
    "ChangesInput": (4, "CONTRACT input: at 1 bit: changed byte 0 of the message; also broken: message_end",
                     {"input": "at 1 bit: changed byte 0 of the message", "message_end": "at 1 bit: " + PAGE_END}),
    "OverRead": (5, "CONTRACT message_end: at 0 bits: " + PAGE_END, {"message_end": "at 0 bits: " + PAGE_END}),
    "Random": (6, ALL_DIFFER + "; broken promises: repeat",
               {"repeat": "at 0 bits: another digest from byte 0 on"}),
    "Returns": (7, "CONTRACT returns: at 1000 bits: returned 3", {"returns": "at 1000 bits: returned 3"}),
    "UnusedBits": (8, "CONTRACT unused_bits: at 1 bit: another digest from byte 0 on",
                   {"unused_bits": "at 1 bit: another digest from byte 0 on"}),
    "Aligned": (9, PASS, {}),
    "StaticState": (10, ALL_DIFFER + "; broken promises: repeat",
                    {"repeat": "at 0 bits: another digest from byte 0 on"}),
}
PASSING = {"Right", "Aligned"}


def mix(state, word):
    state[0] ^= word
    for i in range(4):
        state[i] = (state[i] ^ (state[i] >> 29)) * 0xff51afd7ed558ccd & MASK
        state[(i + 1) % 4] = (state[(i + 1) % 4] + (state[i] ^ (state[i] >> 32))) & MASK


def digest_of(message):
    """The right toy hash of whole bytes."""
    state = [1, 2, 3, 4]
    for word in (*message, 8 * len(message)):
        mix(state, word)
    digest = bytearray()
    for i in range(32):
        if i % 8 == 0:
            mix(state, i)
        digest.append(state[0] >> (i % 8 * 8) & 0xff)
    return bytes(digest)


class Contract(Case):
    def write_toys(self, names, has_vectors=True):
        where = self.folder / "toys"
        where.mkdir()
        shutil.copy(SOURCE / "tests/fixtures/contract/toy.c", where)
        rows = ["instance\tmessage_bits\tmessage\tdigest"]
        for name in names:
            for length in LENGTHS:
                message = bytes((131 * i + length) % 256 for i in range(length))
                rows.append(f"{name}\t{8 * length}\tpattern\t{digest_of(message).hex()}")
        (where / "vectors.tsv").write_text("\n".join(rows) + "\n")
        instances = "".join(f'  {name}: {{digest_bits: 256, build: {{define: {{FAULT: "{TOYS[name][0]}"}}}}}}\n'
                            for name in names)
        (where / "hash.yaml").write_text(
            "hashprof: 1\nid: toys\nname: Toys\ncategory: test\napi: ngcc\nbuild: {sources: [toy.c]}\n"
            f"instances:\n{instances}" + ("kat: {vectors: [vectors.tsv]}\n" if has_vectors else ""))
        return where / "hash.yaml"

    def contract(self, name, family="toys"):
        """(standing, detail) by check, as the log has them."""
        log = (self.folder / "runs" / family / "kat" / family / f"{name}.log").read_text()
        return {m[1]: (m[2], m[3]) for m in re.finditer(r"^contract (\S+) (\S+) ?(.*)$", log, re.MULTILINE)}

    def test_each_of_ten_faults_is_named_and_its_neighbours_are_left_alone(self):
        result = self.hashprof("kat", self.write_toys(TOYS), expect=1)
        lines = dict(re.findall(r"^RESULT toys (\S+) (.*)$", result.stdout, re.MULTILINE))
        self.assertEqual(set(lines), set(TOYS))
        for name, (_, expected, broken) in TOYS.items():
            with self.subTest(name):
                self.assertRegex(lines[name], f"^{expected}$")
                found = {check: detail for check, (standing, detail) in self.contract(name).items()
                         if standing == "BROKEN"}
                self.assertEqual(set(found), set(broken))
                for check, detail in broken.items():
                    self.assertRegex(found[check], f"^{detail}$")
        signal = "SIGSEGV" if platform.machine() == "x86_64" else "SIGABRT"
        self.assertEqual(self.contract("Aligned")["message_alignment"],
                         ("reported", f"at 128 bits, message at offset 1: {signal}"))
        self.assertEqual(self.contract("Right")["message_alignment"],
                         ("reported", "the same digests at offsets 1 to 15"))
        self.assertEqual(self.contract("Right")["digest_length"],
                         ("reported", "128: ignored, wrote 256 bits; 264: ignored, wrote 256 bits; "
                                      "512: ignored, wrote 256 bits"))
        self.assertEqual(self.contract("Random")["digest_whole"],
                         ("NOTRUN", "the digests are not known to repeat, so that none can be compared"))
        self.check_sums(self.folder / "runs" / "toys")

    def test_a_broken_promise_is_seen_without_vectors_too(self):
        result = self.hashprof("kat", self.write_toys(["ShortWrite", "Right", "StaticState"], has_vectors=False),
                               "--kinds", "none", expect=1)
        self.assertRegex(result.stdout,
                         "^RESULT toys ShortWrite CONTRACT digest_whole: at 0 bits: did not write byte 31 of the digest\n"
                         "RESULT toys Right NOVECTORS no vectors .*\n"
                         "RESULT toys StaticState CONTRACT repeat: at 0 bits: another digest from byte 0 on\n$")

    def test_a_build_that_breaks_a_promise_is_not_timed_and_the_report_says_why(self):
        result = self.hashprof("run", self.write_toys(["Right", "Returns", "Aligned"]), "--sizes", "32", "--processes",
                               "2", "--simulate", expect=1)
        run = self.folder / "runs" / "toys"
        self.assertEqual({o["cell"] for o in self.journal(run)}, {f"toys/{name}/hash_32" for name in PASSING})
        self.assertIn("- Returns: known answers CONTRACT: returns: at 1000 bits: returned 3; not timed\n", result.stdout)
        self.assertRegex(result.stdout, r"\n- Returns: \*\*BROKEN\*\* returns \(at 1000 bits: returned 3\); "
                                        r"7 of 8 promises kept; reported: message_alignment \(the same digests ")
        self.assertIn("\n- Right: 8 of 8 promises kept; reported: ", result.stdout)
        self.assertIn("not every build passed its known answers", result.stdout)
        record = json.loads((run / "records/toys/Right__hash_32.json").read_text())
        self.assertEqual(record["kat"]["contract"][0], {"step": "returns", "standing": "kept", "detail": None})
        self.assertEqual(self.hashprof("report", run).stdout, result.stdout)

    def test_what_was_found_stands_until_the_library_changes(self):
        yaml = self.write_toys(["Right", "Returns"])
        self.hashprof("kat", yaml, expect=1)
        logs = [self.folder / f"runs/toys/kat/toys/{name}.log" for name in ("Right", "Returns")]
        for log in logs:  # a mark that no check would leave
            text = log.read_text()
            self.assertIn("\ncontract null_message reported ", text)
            log.write_text(text.replace("\ncontract null_message reported ", "\ncontract null_message reported mark: "))
        self.hashprof("kat", yaml, expect=1)
        for log in logs:
            self.assertIn("\ncontract null_message reported mark: ", log.read_text())
        source = yaml.parent / "toy.c"
        source.write_text(source.read_text() + "int added_later;\n")
        self.hashprof("kat", yaml, expect=1)
        for log in logs:
            self.assertNotIn("mark: ", log.read_text())
        answers = json.loads(self.hashprof("kat", yaml, "--json", expect=1).stdout)
        self.assertEqual(answers[1]["contract"][0],
                         {"step": "returns", "standing": "BROKEN", "detail": "at 1000 bits: returned 3"})

    def test_a_build_that_crashes_is_not_checked(self):
        yaml = self.write_toys(["Right"])
        source = yaml.parent / "toy.c"
        source.write_text(source.read_text().replace("  misread(msg, msg_len_bits);\n", "  abort();\n"))
        self.assertIn(" CRASH ", self.hashprof("kat", yaml, expect=1).stdout)
        self.assertEqual(set(self.contract("Right").values()), {("NOTRUN", "the vectors ended with CRASH")})
        self.assertEqual(len(self.contract("Right")), 13)

    def test_the_published_hashes_keep_every_promise(self):
        for family, count in (("sm3", 1), ("sha2", 1), ("hash-16", 4)):
            self.hashprof("kat", SOURCE / "hashes" / family, "--kinds", "none")
            logs = list((self.folder / "runs" / family / "kat" / family).glob("*.log"))
            self.assertEqual(len(logs), count)
            for log in logs:
                standings = [line.split()[2] for line in log.read_text().splitlines() if line.startswith("contract ")]
                self.assertEqual(sorted(standings), ["kept"] * 8 + ["reported"] * 5, log)


main()
