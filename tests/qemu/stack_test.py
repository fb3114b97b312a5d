#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The stack of a call on AArch64, by hashes in assembly whose sum is known to the byte: catches a switch of stacks that
is right on x86-64 only, a return address that is counted though nothing pushes it, and an overflow that is not named."""
import shutil

import machine
from packages import run
from prepare import SOURCE, WORK, all_packages, timed
from support import Guest, main

FIXTURES = SOURCE / "tests" / "fixtures"
STACK_BYTES = 8 << 20
OVERFLOW = f"stack > {STACK_BYTES} bytes"
SIGSEGV = "signal 11"
# Name: source, options, what the guest has to say; the sums are in the sources.
HASHES = {
    "leaf": ("stack/leaf.S", [], "0"),
    "top_byte": ("stack/top_byte.S", [], "1"),
    "frame_1024": ("stack/frame.S", ["-DTOTAL=1024"], "1024"),
    "frame_65536": ("stack/frame.S", ["-DTOTAL=65536"], "65536"),
    "frame_3000000": ("stack/frame.S", ["-DTOTAL=3000000"], "3000000"),
    "frame_8388608": ("stack/frame.S", ["-DTOTAL=8388608"], "8388608"),
    "frame_8388624": ("stack/frame.S", ["-DTOTAL=8388624"], OVERFLOW),
    "frame_12582912": ("stack/frame.S", ["-DTOTAL=12582912"], OVERFLOW),
    "recursion": ("stack/recursion.S", ["-DLEVELS=100"], "4816"),
    "endless_recursion": ("stack/recursion.S", ["-DLEVELS=1000000000"], OVERFLOW),
    "pattern_one": ("stack/pattern.S", ["-DFLIP=0x00"], "1008"),
    "pattern_two": ("stack/pattern.S", ["-DFLIP=0xff"], "1008"),
    "grows": ("stack/varying.S", ["-DDEPTHS=64,65536,131072"], "131072"),
    "first_deepest": ("stack/varying.S", ["-DDEPTHS=65536,512,1024"], "1024"),
    "second_deepest": ("stack/varying.S", ["-DDEPTHS=512,1536,1024"], "1536"),
    "third_deepest": ("stack/varying.S", ["-DDEPTHS=512,1024,1536"], "1536"),
    "imports": ("stack/imports.S", ["-Wl,-z,lazy"], "16"),
    "runs_code": ("stack/runs_code.S", ["-Wl,-z,execstack"], "32"),
    "raises": ("stack/raises.c", [], SIGSEGV),
    "crash": ("libs/crash.c", [], SIGSEGV),
}
UNWINDS = ("stack/unwinds.c", ["-static-libgcc"])
DRIVER = "/bin/stack_driver"
WORKER = "/bin/hashprof-worker"


class Stack(Guest):
    @classmethod
    def setUpClass(cls):
        cls.folder = WORK / cls.__name__
        shutil.rmtree(cls.folder, ignore_errors=True)
        cls.root = cls.folder / "root"
        timed("building hashes of known stack", cls.build_hashes)
        names = " ".join(f"{name}.so" for name in [*HASHES, "unwinds"])
        calls = (f"cd /hashes\n{DRIVER} {WORKER} {STACK_BYTES} {names}\n",
                 f"{DRIVER} {WORKER} {STACK_BYTES} depth\n")
        cls.result = cls.boot("boot", job=f"{calls[0]}echo\n{calls[1] * 2}")
        parts = cls.result.stdout.split("\n\n")
        cls.said = dict(line.split(".so ", 1) for line in parts[0].splitlines())
        cls.depths = [line.split(" ") for line in parts[1].splitlines()]

    @classmethod
    def compile(cls, place, source, *options):
        target = cls.root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        run(f"{machine.TRIPLE}-gcc", f"--sysroot={all_packages().sysroot}", "-std=c11", "-D_GNU_SOURCE", "-O2", "-fPIC",
            f"-I{SOURCE / 'src'}", source, *options, "-o", target)

    @classmethod
    def build_hashes(cls):
        cls.compile("bin/stack_driver", machine.HERE / "stack_driver.c")
        for name, (source, options, _) in HASHES.items():
            cls.compile(f"hashes/{name}.so", FIXTURES / source, "-shared", *options)
        cls.compile("hashes/unwinds.so", FIXTURES / UNWINDS[0], "-shared", *UNWINDS[1])

    def test_every_sum_is_met_to_the_byte_and_every_fault_named(self):
        wanted = {name: said for name, (_, _, said) in HASHES.items()}
        self.assertEqual({name: self.said.get(name) for name in HASHES}, wanted)

    def test_an_unwinder_walks_from_the_hash_to_main(self):
        # The hash fails where it does not.
        self.assertRegex(self.said["unwinds"], r"^\d+$")

    def test_depths_of_the_c_library_are_the_same_twice(self):
        half = len(self.depths) // 2
        self.assertGreater(half, 0)
        self.assertEqual(self.depths[:half], self.depths[half:])
        depths = {name: int(number) for name, number in self.depths[:half]}
        print(f"qemu: depths of the guest's C library: {depths}", flush=True)
        for name in ("memcpy", "memset", "strlen"):
            self.assertEqual(depths[name], 0)
        for name in ("malloc", "free", "realloc"):
            self.assertGreater(depths[name], 32)
            self.assertLess(depths[name], 4096)



main()
