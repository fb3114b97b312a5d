#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The image of built libraries from end to end: catches a size on the page that is not the library's, and a
library of another machine that is handed to the loader."""
import json
import os
import re
import shutil
import subprocess
import sys

from support import Case, main

FOREIGN = {"x86_64": (183, "built for AArch64, this machine is x86-64"),
           "aarch64": (62, "built for x86-64, this machine is AArch64")}[os.uname().machine]

# A compiler whose libraries say that they are of another machine.
WRAPPER = """#!{python}
import subprocess, sys
code = subprocess.call([{compiler!r}, *sys.argv[1:]])
if code == 0 and "-shared" in sys.argv:
    with open(sys.argv[sys.argv.index("-o") + 1], "r+b") as library:
        library.seek(18)
        library.write(bytes([{machine}, 0]))
sys.exit(code)
"""


def readelf_bytes(library):
    text = subprocess.run(["readelf", "-lW", str(library)], capture_output=True, text=True, check=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout
    return sum(int(line.split()[5], 16) for line in text.splitlines() if line.split()[:1] == ["LOAD"])


class Image(Case):
    def test_the_page_shows_what_readelf_adds_up_to(self):
        campaign = self.write_campaign(self.write_hash())
        page = self.hashprof("run", campaign, "--simulate").stdout
        run = self.folder / "runs" / "camp"
        size = readelf_bytes(run / "lib" / "toy" / "Toy.so")
        self.assertGreater(size, 1000)
        for cell in ("hash_32", "hash_64"):
            self.assertRegex(page, rf"\| Toy +\| {cell} +\| +{size} \|")
            record = json.loads((run / "records" / "toy" / f"Toy__{cell}.json").read_text())
            self.assertEqual(record["library"]["image"]["bytes"], size)
        image = json.loads((run / "build.json").read_text())["builds"][0]["image"]
        self.assertEqual(image["bytes"], size)
        self.assertEqual(sum(image["parts"].values()), size)
        self.assertEqual(image["exports"], ["CryptHash"])
        row = re.search(rf"\| Toy +\| +{size} \|(( +\d+ \|){{9}})\n", page)
        self.assertIsNotNone(row, page)
        figures = [int(word) for word in row.group(1).replace("|", " ").split()]
        self.assertEqual(figures, [*image["parts"].values(), image["span_bytes"]])

    def test_a_library_of_another_machine_is_measured_in_size_only(self):
        wrapper = self.folder / "bin" / "gcc"
        wrapper.parent.mkdir()
        wrapper.write_text(WRAPPER.format(python=sys.executable, compiler=shutil.which("gcc"), machine=FOREIGN[0]))
        wrapper.chmod(0o755)
        path = f"{wrapper.parent}:{os.environ['PATH']}"
        campaign = self.write_campaign(self.write_hash(), more="time_failing: true\n")
        page = self.hashprof("run", campaign, expect=1, env={**os.environ, "PATH": path}).stdout
        run = self.folder / "runs" / "camp"
        self.assertIn(f"Toy.so: {FOREIGN[1]}", page)
        self.assertIn("LOADFAIL", (run / "kat" / "toy" / "Toy.log").read_text())
        trials = self.journal(run)
        self.assertTrue(trials)
        self.assertEqual({(o["outcome"], o["detail"]) for o in trials}, {("load_failed", f"Toy.so: {FOREIGN[1]}")})
        self.assertNotIn("cannot open shared object file", page)
        self.assertRegex(page, rf"\| hash_32 +\| +{readelf_bytes(run / 'lib' / 'toy' / 'Toy.so')} \|")
        self.check_sums(run)


main()
