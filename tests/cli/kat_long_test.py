#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""KAT_2_33 of a toy whose digest of a gigabyte of one byte is known by arithmetic: catches messages of another length, and
a random one whose ends are not the generator's. 2^28 steps lead the toy back to where it began, for any byte: what
the messages hold is proved by the published files (published_all_test.py). Takes minutes, and 4 GiB of memory."""
from support import Case, main

STEPS = 2**30 // 4  # of each of the toy's four bytes of state


def digest_of_repeated(byte):
    """The toy takes a state s to 5 s + byte; doubling that map gives all steps at once."""
    factor, summand = 5, byte
    steps = 1
    while steps < STEPS:
        factor, summand = factor * factor % 256, (factor * summand + summand) % 256
        steps *= 2
    return "".join(f"{(factor * start + summand) % 256:02X}" for start in (1, 2, 3, 4))


class Long(Case):
    def test_2_33_has_the_messages_of_the_procedure(self):
        result = self.hashprof("kat", self.write_hash(), "--kinds", "2_33", "--write-kat", "text", timeout=1200)
        self.assertEqual(result.stdout, "RESULT toy Toy PASS 5 vectors agree; 2_33 no manifest\n")
        self.assertRegex(result.stderr, r"(?m)^hashprof: KAT_2_33: 1024 MiB for its messages and up to \d+ MiB a job ")
        lines = (self.folder / "text" / "toy" / "Toy" / "KAT_2_33_Toy.txt").read_text().split("\n")
        head = ["Msg_Len = 8589934592", "Msg_Seed = "]
        zeros = head + ["Msg_Exp = " + "00" * 8 + " .... " + "00" * 8, "Dst_Len = 32", "Dst = " + digest_of_repeated(0), ""]
        ones = head + ["Msg_Exp = " + "FF" * 8 + " .... " + "FF" * 8, "Dst_Len = 32", "Dst = " + digest_of_repeated(255), ""]
        self.assertEqual(lines[:12], zeros + ones)
        self.assertEqual(lines[12:16], ["Msg_Len = 8589934592", "Msg_Seed = " + b"KAT_2_33".hex().upper() * 8,
                                        "Msg_Exp = AE6416F9B6D4C97A .... 31B80BC6E737A914", "Dst_Len = 32"])
        self.assertRegex("\n".join(lines[16:]), r"\ADst = [0-9A-F]{8}\n\n\Z")


main()
