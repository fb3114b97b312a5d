# SPDX-License-Identifier: MIT
"""Support of the command-line tests: runs the built program on small campaigns of its own."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["HASHPROF_SOURCE_DIR"])
PROGRAM = os.environ["HASHPROF_PROGRAM"]

# One hash whose behaviour a define chooses; byte sums, so that its vectors are easy to make.
SOURCE_C = r"""
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#ifdef AT_CALL
static int calls;
#endif
int CryptHash(int bits, const unsigned char *msg, unsigned long long len, unsigned char *digest);
int CryptHash(int bits, const unsigned char *msg, unsigned long long len, unsigned char *digest)
{
    unsigned char state[4] = {1, 2, 3, 4};
    unsigned long long i;
#ifdef AT_CALL
    /* Only what is timed: the pattern of 64 bytes begins 64, 195; contract checks have messages of their own. */
    if (len == 8 * 64 && msg[0] == 64 && msg[1] == 195 && ++calls >= AT_CALL) { FAILURE; }
#endif
    for (i = 0; i < len / 8; ++i) {
        state[i % 4] = (unsigned char)(state[i % 4] * 5 + msg[i]);
    }
    memcpy(digest, state, 4);
    return bits == 32 ? 0 : -1;
}
"""


def digest_of(message):
    state = [1, 2, 3, 4]
    for i, byte in enumerate(message):
        state[i % 4] = (state[i % 4] * 5 + byte) % 256
    return bytes(state)


def vectors(instance, is_right=True):
    rows = ["instance\tmessage_bits\tmessage\tdigest"]
    for length in (0, 1, 3, 8, 33):
        message = bytes(range(length))
        digest = digest_of(message) if is_right or length < 8 else bytes(4)
        rows.append(f"{instance}\t{8 * length}\t{message.hex() or 'pattern'}\t{digest.hex()}")
    return "\n".join(rows) + "\n"


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hashprof-cli-"))
        self.folder.chmod(0o755)

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def write_hash(self, name="toy", failure=None, at_call=1, is_right=True, folder=None):
        """A family `name` with the instance Toy; `failure` is C code run at that call of 64 bytes."""
        where = (folder or self.folder) / name
        where.mkdir(parents=True)
        (where / "toy.c").write_text(SOURCE_C)
        (where / "vectors.tsv").write_text(vectors("Toy", is_right))
        define = "" if failure is None else f', define: {{AT_CALL: "{at_call}", FAILURE: "{failure}"}}'
        (where / "hash.yaml").write_text(
            f"hashprof: 1\nid: {name}\nname: Toy hash\ncategory: test\napi: ngcc\n"
            f"build: {{sources: [toy.c]{define}}}\n"
            "instances:\n  Toy: {digest_bits: 32}\nkat: {vectors: [vectors.tsv]}\n")
        return where / "hash.yaml"

    def write_campaign(self, *hashes, name="camp", measure="sizes: [32, 64], processes: 3, trial: 5 ms", more=""):
        path = self.folder / f"{name}.yaml"
        lines = "".join(f"  - {json.dumps(os.path.relpath(h, self.folder))}\n" for h in hashes)
        if "memory:" not in more:
            # To remove the probes takes seconds a build, and most tests are of something else.
            more += "memory: {crosscheck: none}\n"
        path.write_text(f"hashprof: 1\nname: {name}\nhashes:\n{lines}measure: {{{measure}}}\n{more}")
        return path

    def hashprof(self, *words, expect=0, timeout=300, **options):
        # A cache of the test's own: what another test built must not stand in for a build.
        options.setdefault("env", {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")})
        result = subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                                timeout=timeout, check=False, stdin=subprocess.DEVNULL, **options)
        if expect is not None:
            self.assertEqual(result.returncode, expect, f"{words}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
        return result

    def journal(self, run):
        lines = (run / "journal.jsonl").read_text().split("\n")[:-1]  # without a torn last line
        return [json.loads(line) for line in lines]

    def finished(self, run):
        """(cell, process) of every trial that is used, or given up after three disturbed attempts."""
        disturbed = {}
        done = set()
        for o in self.journal(run):
            key = o["cell"], o["process"]
            if o["phase"] == "trial" and o["outcome"] == "complete":
                disturbed[key] = disturbed.get(key, 0) + any(not t.startswith("replanned: ") for t in o["taints"])
                if not o["taints"] or disturbed[key] == 3:
                    done.add(key)
        return done

    def check_sums(self, run):
        result = subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=run,
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        listed = {line.split("  ", 1)[1] for line in (run / "SHA256SUMS").read_text().splitlines()}
        there = {str(p.relative_to(run)) for p in run.rglob("*") if p.is_file()} - {"lock", "SHA256SUMS"}
        self.assertEqual(listed, there)

    def check_no_process_twice(self, run):
        seen = [(o["cell"], o["phase"], o["process"], o["attempt"]) for o in self.journal(run)]
        self.assertEqual(len(seen), len(set(seen)))


def main():
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
