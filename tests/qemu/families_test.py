#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every family of hashes/ on AArch64: catches a hash that is wrong there, and cells without cycles where a PMU
counts."""
import json

import machine
from support import Guest, main

HASHES = machine.HERE.parent.parent / "hashes"
# The guest has no libcrypto, which is measured of OpenSSL.
FAMILIES = sorted(file.parent for file in HASHES.glob("*/hash.yaml") if file.parent.name != "openssl")
SIZES = [32, 1024, 65536]  # S1, S4, S8
CHIME_PEAKS = {"CHIME-512": {32: 64, 1024: 1088, 65536: 65600}, "CHIME-1024": {32: 64, 1024: 1216, 65536: 74944}}
BASELINES = [f"pseudoXOF-{bits}" for bits in (256, 512, 768, 1024, 1152, 1280, 2048)]


class Families(Guest):
    @classmethod
    def build_for_guest(cls, campaign=None, families=()):
        campaign = cls.folder / "families.yaml"
        cls.folder.mkdir(parents=True, exist_ok=True)
        only = f", only: [{', '.join(BASELINES)}]"
        lines = "".join(f"  - {{use: {folder / 'hash.yaml'}{only if folder.name == 'iccs' else ''}}}\n"
                        for folder in FAMILIES)
        # Counts are exact, so that a few calls are enough; an emulated call of 64 KiB takes half a second.
        campaign.write_text("hashprof: 1\nname: families\ntitle: Published families on an emulated machine\n"
                            'system: {id: qemu, note: "emulated by QEMU: its cycles are no cycles of any hardware"}\n'
                            f'hashes:\n{lines}kat: ["2_12"]\nbaselines: pseudoXOF\n'
                            f"measure: {{sizes: {SIZES}, processes: 3, percall: none, trial: 20 ms, max_calls: 20}}\n")
        super().build_for_guest(campaign, FAMILIES)

    def test_every_instance_passes_its_vectors_and_has_cycles_at_every_size(self):
        result = self.boot("boot", machine.Boot(limit=1200))
        builds = json.loads((result.folder / "run" / "build.json").read_text())["builds"]
        self.assertEqual({build["family"] for build in builds}, {folder.name for folder in FAMILIES})
        self.disturbed = []
        for build in builds:
            family, instance = build["family"], build["instance"]
            log = (result.folder / "run" / "kat" / family / f"{instance}.log").read_text()
            self.assertIn(f"RESULT {family} {instance} PASS ", log)
            self.check_cells(result, family, instance)
            self.check_memory(result, family, instance)
        self.assertLessEqual(len(self.disturbed), 3, self.disturbed)
        page = self.report(result)
        self.assertIn("cycles/byte, back-to-back", page)
        self.assertIn("**Grade: FOR ORIENTATION ONLY**", page)

    def check_memory(self, result, family, instance):
        """Heap as on any machine; a stack that is this machine's own; each printed, as figures of an emulated machine."""
        entry = json.loads((result.folder / "run" / "memory" / family / f"{instance}.json").read_text())
        self.assertEqual([operation["message_bytes"] for operation in entry["operations"]], SIZES)
        for operation in entry["operations"]:
            for call in ("first", "later"):
                heap = operation[call]["meter"]
                self.assertEqual((heap["left_blocks"], heap["failures"]), (0, 0), operation["operation"])
                if instance in CHIME_PEAKS:
                    self.assertEqual(heap["peak_bytes"], CHIME_PEAKS[instance][operation["message_bytes"]])
                elif family != "iccs":
                    self.assertEqual(heap["allocations"], 0)
            self.assertIsInstance(operation["stack_bytes"], int)
            self.assertLess(operation["stack_bytes"], 8192)
        first, last = entry["operations"][0], entry["operations"][-1]
        print(f"emulated {family} {instance}: stack {first['stack_bytes']} B at S1, {last['stack_bytes']} B at S8; heap peak "
              f"{first['later']['meter']['peak_bytes']} B at S1, {last['later']['meter']['peak_bytes']} B at S8")

    def check_cells(self, result, family, instance):
        before = 0
        for size in SIZES:
            cell = f"{family}/{instance}/hash_{size}"
            used = [o for o in self.journal(result)
                    if o["cell"] == cell and o["phase"] == "trial" and not o["taints"]]
            # On one core the machine's own work disturbs a trial now and then; those are not used.
            if not used:
                self.disturbed.append(cell)
                continue
            for o in used:
                self.assertEqual(o["cycles"], o["instructions"], cell)
            a_call = [o["cycles"] / o["calls"] for o in used]
            # Few calls a slice: reading the clock at its borders takes a few instructions more after some
            # ticks, and libc copies take other paths at other offsets.
            self.assertLess(max(a_call) - min(a_call), max(1, min(a_call) / 1000), f"{cell}: {a_call}")
            cycles = min(a_call)
            # Sizes below the rate take as many blocks: equal but for the offsets.
            self.assertGreater(cycles, before * 0.999, cell)
            before = cycles
        print(f"qemu: {family}/{instance}: {before / SIZES[-1]:.2f} instructions a byte at {SIZES[-1]} bytes", flush=True)


main()
