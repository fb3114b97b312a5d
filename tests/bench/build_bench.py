#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long the sixteen published instances and their baselines take to build: from nothing, one and two at a time, again
unchanged, and from the cache. Prints figures; asserts nothing about time."""
import json
import os
import pathlib
import subprocess
import tempfile
import time

PROGRAM = os.environ["HASHPROF_PROGRAM"]
SOURCE = pathlib.Path(os.environ["HASHPROF_SOURCE_DIR"])
ROUNDS = 5


def main():
    with tempfile.TemporaryDirectory(prefix="hashprof-bench-") as folder:
        folder = pathlib.Path(folder)
        campaign = folder / "published.yaml"
        families = "".join(f"  - {SOURCE}/hashes/{name}/hash.yaml\n" for name in ("hash-14", "hash-16", "hash-26", "hash-33"))
        campaign.write_text(f"hashprof: 1\nname: published\nhashes:\n{families}")

        def build(run, *words):
            start = time.monotonic()
            subprocess.run([PROGRAM, "build", campaign, "--out", folder / run, *words], check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")})
            return time.monotonic() - start

        first = build("first", "--no-cache")
        two = build("two", "--no-cache", "--jobs", "2")
        build("kept")
        unchanged = sorted(build("first") for _ in range(ROUNDS))
        cached = sorted(build(f"cached{i}") for i in range(ROUNDS))
        libraries = len(json.loads((folder / "first/build.json").read_text())["builds"])
        print(f"{libraries} libraries from nothing: {first:.2f} s; two at a time: {two:.2f} s, ratio {two / first:.2f}")
        print(f"unchanged, again: median {unchanged[ROUNDS // 2]:.3f} s (n = {ROUNDS}, {unchanged[0]:.3f} to {unchanged[-1]:.3f}), "
              f"ratio {unchanged[ROUNDS // 2] / first:.4f}")
        print(f"another run, from the cache: median {cached[ROUNDS // 2]:.3f} s (n = {ROUNDS}, {cached[0]:.3f} to {cached[-1]:.3f}), "
              f"ratio {cached[ROUNDS // 2] / first:.4f}")


main()
