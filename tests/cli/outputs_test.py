#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Output lengths of extendable-output functions: catches a figure for an output that the function does not give,
cells of one output that stand for another, and a resumed run that mixes them."""
import json
import unittest

from support import Case, digest_of, main

SOURCE_C = r"""
int CryptHash(int bits, const unsigned char *msg, unsigned long long len, unsigned char *digest);
int CryptHash(int bits, const unsigned char *msg, unsigned long long len, unsigned char *digest)
{
    unsigned char state[4] = {1, 2, 3, 4};
    unsigned long long i;
    int out = WRITTEN;
    for (i = 0; i < len / 8; ++i) {
        state[i % 4] = (unsigned char)(state[i % 4] * 5 + msg[i]);
    }
    for (i = 0; (int)i < out; ++i) {
        digest[i] = (unsigned char)(state[i % 4] + i / 4);
    }
    return bits < 0;
}
"""


def output_of(message, size):
    state = digest_of(message)
    return bytes((state[i % 4] + i // 4) % 256 for i in range(size))


class Outputs(Case):
    """Toy declares 8 bytes; WRITTEN is what it writes of an output."""

    def write_xof(self, name, xof, written="(bits + 7) / 8", rows=(8,)):
        where = self.folder / name
        where.mkdir()
        (where / "toy.c").write_text(SOURCE_C)
        lines = ["instance\tmessage_bits\tmessage\toutput_bits\tdigest"]
        for size in rows:
            lines.append(f"Toy\t24\t616263\t{8 * size}\t{output_of(b'abc', size).hex()}")
        (where / "vectors.tsv").write_text("\n".join(lines) + "\n")
        (where / "hash.yaml").write_text(
            f"hashprof: 1\nid: {name}\nbuild: {{sources: [toy.c], define: {{WRITTEN: \"{written}\"}}}}\n"
            f"instances: {{Toy: {{digest_bits: 64{xof}}}}}\nkat: {{vectors: [vectors.tsv]}}\n")
        return where / "hash.yaml"

    def write_outputs(self, file, outputs, name="camp"):
        path = self.folder / f"{name}.yaml"
        path.write_text(f"hashprof: 1\nname: {name}\nkat: none\nhashes:\n"
                        f"  - use: {json.dumps(str(file))}\n    outputs: {outputs}\n"
                        "measure: {sizes: [32, 64], processes: 2, trial: 2 ms}\n")
        return path

    def view(self, name="camp"):
        return json.loads(self.hashprof("report", self.folder / "runs" / name, "--json").stdout)["builds"][0]

    def test_each_output_has_its_cells_rows_and_records(self):
        campaign = self.write_outputs(self.write_xof("xof", ", xof: any", rows=(4, 8, 20)), "[4, 8, 16 B]")
        result = self.hashprof("run", campaign)
        cells = {cell["operation"]: cell for cell in self.view()["cells"]}
        self.assertEqual(list(cells), ["hash_32_out_4", "hash_32_out_8", "hash_32_out_16",
                                       "hash_64_out_4", "hash_64_out_8", "hash_64_out_16"])
        self.assertEqual([cell["output_bytes"] for cell in cells.values()], [4, 8, 16, 4, 8, 16])
        self.assertTrue(all(cell["failure"] is None for cell in cells.values()))
        self.assertIn("| Toy, 16 B out |", result.stdout)
        record = json.loads((self.folder / "runs/camp/records/xof/Toy__hash_64_out_16.json").read_text())
        self.assertEqual((record["message_bytes"], record["output_bytes"]), (64, 16))
        self.write_outputs(self.folder / "xof/hash.yaml", "[4, 8]")
        again = self.hashprof("run", campaign, expect=2)
        self.assertIn("this run was begun with something else: hashes, builds", again.stderr)

    def test_a_function_that_ignores_the_length_has_no_figure_at_another(self):
        for name, written, words in (("always8", "8", {4: "wrote byte 5 of an output of 4 bytes",
                                                       16: "left byte 9 unwritten of an output of 16 bytes"}),
                                     ("atleast8", "bits < 64 ? 8 : bits / 8", {4: "wrote byte 5"}),
                                     ("atmost8", "bits > 64 ? 8 : bits / 8", {16: "left byte 9"})):
            with self.subTest(name):
                campaign = self.write_outputs(self.write_xof(name, ", xof: any", written), "[4, 8, 16]", name)
                result = self.hashprof("run", campaign, expect=1)
                failed = {o["cell"]: o for o in self.journal(self.folder / "runs" / name)
                          if o["outcome"] != "complete"}
                self.assertEqual(set(failed), {f"{name}/Toy/hash_{size}_out_{out}"
                                               for size in (32, 64) for out in words})
                for cell, observation in failed.items():
                    self.assertEqual(observation["outcome"], "wrong_output")
                    self.assertIn(words[int(cell.rsplit("_", 1)[1])], observation["detail"])
                for cell in self.view(name)["cells"]:
                    self.assertEqual(cell["failure"] is not None, cell["output_bytes"] in words)
                self.assertIn("wrong_output", result.stdout)

    def test_a_fixed_output_is_measured_at_its_length_alone(self):
        campaign = self.write_outputs(self.write_xof("fix", ", xof: fixed", "8", rows=(4, 8, 20)), "[4, 8, 16]")
        why = "it always writes 8 B, whatever it is asked for"
        plan = self.hashprof("plan", campaign).stdout
        self.assertIn(f"    output 4 B: n/a, {why}\n    output 16 B: n/a, {why}\n", plan)
        self.assertNotIn("_out_16", plan)
        result = self.hashprof("run", campaign)
        self.assertEqual({o["cell"] for o in self.journal(self.folder / "runs/camp")},
                         {"fix/Toy/hash_32_out_8", "fix/Toy/hash_64_out_8"})
        excluded = {cell["output_bytes"]: cell["excluded"] for cell in self.view()["cells"]}
        self.assertEqual(excluded, {4: why, 8: None, 16: why})
        self.assertIn("| Toy, 16 B out |", result.stdout)
        self.assertIn(why, result.stdout)
        self.assertIn("1 vector asks for more than its 64 bits",
                      (self.folder / "runs/camp/kat/fix/Toy.log").read_text())

    def test_outputs_of_what_has_one_length_are_refused_with_their_line(self):
        campaign = self.write_outputs(self.write_xof("plain", ""), "[4, 8]")
        result = self.hashprof("plan", campaign, expect=2)
        self.assertIn("camp.yaml:6: outputs are listed for plain, but none of its functions that are measured is "
                      "an extendable-output function", result.stderr)

    def test_simulated_figures_have_outputs_too(self):
        campaign = self.write_outputs(self.write_xof("sim", ", xof: any"), "[8, 128]")
        result = self.hashprof("run", campaign, "--simulate=quiet,1")
        self.assertIn("| Toy, 128 B out |", result.stdout)


if __name__ == "__main__":
    main()
