# SPDX-License-Identifier: MIT
"""Catches sizes for a Cortex-M4 that are not those of arm-none-eabi-size. Needs gcc-arm-none-eabi and its C library."""
import json
import pathlib
import subprocess
import unittest

import support
from support import SOURCE

FLAGS = ["-mcpu=cortex-m4", "-mthumb", "-Os"]


class CortexM4(support.Case):
    def test_sizes_agree_with_arm_none_eabi_size(self):
        families = ("hash-14", "hash-16", "hash-26", "hash-33", "sm3", "sha2")
        hashes = "".join(f"  - {SOURCE}/hashes/{name}/hash.yaml\n" for name in families)
        campaign = self.folder / "c.yaml"
        campaign.write_text(f"hashprof: 1\nname: c\nhashes:\n{hashes}builds: [guide]\n"
                            f"targets: [{{name: cortex-m4, compiler: arm-none-eabi-gcc, flags: [{', '.join(FLAGS)}]}}]\n")
        objects = json.loads(self.hashprof("build", campaign, "--json").stdout)["objects"]
        self.assertEqual(len(objects), 18)
        for entry in objects:
            self.assertEqual(entry["result"]["reason"], None)
            sums = [0, 0, 0]
            log = (self.folder / "runs/c" / entry["log"]).read_text()
            links = {line.split()[-1]: line.split()[3] for line in log.splitlines() if line.startswith("$ ln -s ")}
            for number, command in enumerate(entry["result"]["commands"]):
                words = [self.resolve(word, links) for word in command]
                words[words.index("-o") + 1] = str(self.folder / f"{number}.o")
                subprocess.run(words, check=True, cwd=self.folder)
                printed = subprocess.run(["arm-none-eabi-size", self.folder / f"{number}.o"], capture_output=True, text=True, check=True)
                sums = [a + int(b) for a, b in zip(sums, printed.stdout.splitlines()[1].split()[:3])]
            sizes = entry["result"]["sizes"]
            self.assertEqual([sizes["text"] + sizes["rodata"], sizes["data"], sizes["bss"]], sums, entry["label"])
            print(f"{entry['family']}/{entry['label']}: text {sizes['text']} rodata {sizes['rodata']} data {sizes['data']} "
                  f"bss {sizes['bss']} B, as arm-none-eabi-size", flush=True)

    @staticmethod
    def resolve(word, links):
        """d0/x.c and -Id1 of a build folder as what they lead to."""
        name = word.removeprefix("-I")
        first = pathlib.PurePath(name).parts[0] if name and not name.startswith("/") else ""
        if first not in links or (name == word and "/" not in word):
            return word
        return word[:len(word) - len(name)] + links[first] + name[len(first):]


if __name__ == "__main__":
    unittest.main(verbosity=2)
