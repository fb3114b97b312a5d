# SPDX-License-Identifier: MIT
"""Catches an adapter of libcrypto that computes another function than its name says: `openssl dgst` is the judge."""
import shutil
import subprocess
import unittest

import support
from support import SOURCE

DGST = {"SM3": ["-sm3"], "SHA-256": ["-sha256"], "SHA-512": ["-sha512"], "SHA3-256": ["-sha3-256"],
        "SHA3-512": ["-sha3-512"], "BLAKE2b-512": ["-blake2b512"]}
SIZES = (0, 1, 55, 64, 111, 128, 1000, 4096, 65536, (1 << 20) + 3)
OUTPUTS = (8, 256, 512, 768, 1024, 2056)


class OpenSsl(support.Case):
    def dgst(self, file, *words):
        result = subprocess.run(["openssl", "dgst", *words, "-r", file], capture_output=True, text=True, check=True)
        return result.stdout.split()[0]

    def test_baselines_agree_with_openssl_dgst_on_ten_files(self):
        rows = ["instance\tmessage_bits\tmessage\tdigest"]
        xof_rows = ["instance\tmessage_bits\tmessage\toutput_bits\tdigest"]
        for size in SIZES:
            file = self.folder / f"{size}.bin"
            # The pattern of the vector files.
            file.write_bytes(bytes((131 * i + size) % 256 for i in range(size)))
            for instance, words in DGST.items():
                rows.append(f"{instance}\t{8 * size}\tpattern\t{self.dgst(file, *words)}")
            for bits in OUTPUTS:
                digest = self.dgst(file, "-shake256", "-xoflen", str(bits // 8))
                xof_rows.append(f"SHAKE256\t{8 * size}\tpattern\t{bits}\t{digest}")
        family = self.folder / "openssl"
        shutil.copytree(SOURCE / "hashes" / "openssl", family)
        (family / "openssl_vectors.tsv").write_text("\n".join(rows) + "\n")
        (family / "openssl_xof_vectors.tsv").write_text("\n".join(xof_rows) + "\n")
        result = self.hashprof("kat", family)
        self.assertEqual(result.stdout, "".join(f"RESULT openssl {name} PASS {len(SIZES)} vectors agree\n" for name in DGST) +
                         f"RESULT openssl SHAKE256 PASS {len(SIZES) * len(OUTPUTS)} vectors agree\n")
        log = self.folder / "runs/openssl/kat/openssl/SM3.log"
        first = log.read_text()
        self.assertIn("\ncontract unused_bits NOTRUN it takes whole bytes only\n", first)
        self.assertNotIn("BROKEN", first)
        # A wrong row is noticed, so that the agreement above says something.
        (family / "openssl_vectors.tsv").write_text("\n".join(rows).replace("SM3\t0\tpattern\t1a", "SM3\t0\tpattern\t1b") + "\n")
        self.assertIn("RESULT openssl SM3 MISMATCH first wrong length 0 bits", self.hashprof("kat", family, expect=1).stdout)

    def test_a_function_of_whole_bytes_leaves_parts_of_bytes_out(self):
        family = self.folder / "openssl"
        shutil.copytree(SOURCE / "hashes" / "openssl", family)
        partial = next(line for line in (SOURCE / "hashes/sm3/sm3_vectors.tsv").read_text().splitlines()
                       if line.startswith("SM3\t9\t"))
        with (family / "openssl_vectors.tsv").open("a") as file:
            file.write(partial + "\n")
        (family / "m.sha256").write_text("0" * 64 + " strict X/KAT_2_12_X.txt\n")
        yaml = (family / "hash.yaml").read_text()
        (family / "hash.yaml").write_text(yaml.replace("kat: {", "kat: {manifest: m.sha256, "))
        result = self.hashprof("kat", family, "--only", "SM3")
        self.assertIn("RESULT openssl SM3 PASS 55 vectors agree; "
                      "2_12 not run: it has every number of bits, and the hash takes whole bytes only; "
                      "2_23 not in the manifest; 1 vector asks for a part of a byte\n", result.stdout)
        (family / "hash.yaml").write_text(yaml.replace("messages: bytes", "messages: bits"))
        self.assertIn("CRYPTFAIL", self.hashprof("kat", family, "--only", "SM3", expect=1).stdout)

    def test_it_is_a_baseline_of_another_class(self):
        campaign = self.folder / "c.yaml"
        campaign.write_text(f"""hashprof: 1
name: c
hashes:
  - {SOURCE}/hashes/sm3/hash.yaml
  - {{use: {SOURCE}/hashes/openssl/hash.yaml, only: [SHAKE256, SM3], outputs: [32, 96]}}
baselines: {{"256": openssl/SM3, "768": openssl/SHAKE256}}
measure: {{sizes: [64], processes: 2, trial: 2 ms}}
""")
        page = self.hashprof("run", campaign).stdout
        section = page[page.index("4.3"):]
        self.assertRegex(section, r"SM3 +\| [^\n]*asm")


if __name__ == "__main__":
    unittest.main(verbosity=2)
