#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The machine around a run: catches a counter that is forbidden and passes for one that is not there, a core
outside the affinity that is measured on all the same, a setting of the machine that is different afterwards, and a
library that depends on what is built beside it."""
import ctypes
import errno
import json
import os
import pathlib
import platform
import signal
import struct
import subprocess
import time
import unittest

from support import PROGRAM, Case, main

# What hashprof looks at or is said to depend on, and never writes.
SETTINGS = ["/proc/sys/kernel/nmi_watchdog", "/proc/sys/kernel/perf_event_paranoid", "/proc/sys/kernel/randomize_va_space",
            "/proc/sys/kernel/perf_event_max_sample_rate", "/proc/sys/kernel/perf_cpu_time_max_percent",
            "/proc/sys/kernel/core_pattern", "/proc/sys/vm/overcommit_memory", "/sys/kernel/mm/transparent_hugepage/enabled",
            "/sys/devices/system/cpu/online", "/sys/devices/system/cpu/smt/control",
            "/sys/devices/system/cpu/cpufreq/boost", "/sys/devices/system/cpu/intel_pstate/no_turbo"]
PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}


def forbid_counting(number):
    """Installs a filter of system calls (seccomp(2)) under which perf_event_open fails with `number`."""
    load, jump, answer = 0x20, 0x15, 0x06  # BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_RET|BPF_K
    allow, fail = 0x7FFF0000, 0x00050000
    steps = [(load, 0, 0, 0), (jump, 0, 1, PERF_EVENT_OPEN[platform.machine()]), (answer, 0, 0, fail | number),
             (answer, 0, 0, allow)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privs, seccomp, filter_mode = 38, 22, 2
    if libc.prctl(no_new_privs, 1, 0, 0, 0) != 0 or libc.prctl(seccomp, filter_mode, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_SECCOMP)")


def settings():
    """The text of each setting that this machine has, and of every core's governor and limits."""
    paths = [pathlib.Path(p) for p in SETTINGS]
    paths += sorted(pathlib.Path("/sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_[gm]*"))
    found = {}
    for path in paths:
        try:
            found[str(path)] = path.read_text()
        except OSError:
            continue
    return found


class Counting(Case):
    def check(self, number, words):
        campaign = self.write_campaign(self.write_hash())
        try:
            text = self.hashprof("run", campaign, preexec_fn=lambda: forbid_counting(number)).stdout
        except subprocess.TimeoutExpired:
            raise
        except subprocess.SubprocessError as error:
            raise unittest.SkipTest(f"needs seccomp: this kernel refuses a filter ({error})") from error
        observations = self.journal(self.folder / "runs" / "camp")
        self.assertTrue(observations)
        for o in observations:
            self.assertIsNone(o["cycles"])
            self.assertIn(words, o["cycles_reason"])
            self.assertGreater(o["elapsed_ns"], 0)
        if any(o["phase"] == "trial" and not o["taints"] for o in observations):  # a loaded machine may leave none
            self.assertIn(words, text)
            self.assertIn("n/a", text)

    def test_a_container_that_forbids_it_is_named(self):
        self.check(errno.EPERM, "perf_event_open is forbidden here (EPERM)")

    def test_a_container_that_hides_it_is_named(self):
        self.check(errno.ENOSYS, "perf_event_open is not there (ENOSYS)")


class Cores(Case):
    def test_a_core_outside_the_affinity_is_refused_before_anything_is_built(self):
        allowed = sorted(os.sched_getaffinity(0))
        if len(allowed) < 2:
            self.skipTest("needs two CPUs: this process may use one only")
        campaign = self.write_campaign(self.write_hash(), measure=f"sizes: [32], processes: 1, core: {allowed[0]}")
        result = self.hashprof("run", campaign, expect=2, preexec_fn=lambda: os.sched_setaffinity(0, allowed[-1:]))
        self.assertIn(f"CPU {allowed[0]} is not one that this process may run on", result.stderr)
        self.assertIn(f"allowed are {allowed[-1]} ", result.stderr)
        self.assertFalse((self.folder / "runs").exists())

    def test_the_affinity_it_was_started_with_changes_nothing_but_the_core(self):
        for core in sorted(os.sched_getaffinity(0))[:2]:
            campaign = self.write_campaign(self.write_hash(f"toy{core}"), name=f"on{core}",
                                           measure="sizes: [32], processes: 2, trial: 5 ms")
            self.hashprof("run", campaign, preexec_fn=lambda core=core: os.sched_setaffinity(0, [core]))
            run = self.folder / "runs" / f"on{core}"
            self.assertEqual(json.loads((run / "campaign.json").read_text())["core"], core)
            for o in self.journal(run):
                self.assertTrue(o["is_core_shared_with_parent"])
                self.assertEqual(o["migrations"], 0)


class Machine(Case):
    def test_no_setting_of_the_machine_is_changed_however_a_run_ends(self):
        before = settings()
        self.assertIn("/proc/sys/kernel/randomize_va_space", before)
        self.hashprof("doctor", expect=None)
        self.hashprof("run", self.write_campaign(self.write_hash()))
        self.assertEqual(settings(), before)
        long = self.write_campaign(self.write_hash("long"), name="long", measure="sizes: [64], processes: 9, trial: 5 s")
        for number in (signal.SIGINT, signal.SIGKILL):
            out = self.folder / f"stopped{number}"
            running = subprocess.Popen([PROGRAM, "run", long, "--out", out], cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            journal = out / "journal.jsonl"
            end = time.monotonic() + 60
            while not (journal.exists() and journal.stat().st_size) and time.monotonic() < end:
                time.sleep(0.05)
            running.send_signal(number)
            running.wait()
            self.assertEqual(settings(), before)


class Neighbours(Case):
    def test_a_library_is_the_same_alone_and_beside_others(self):
        first, second = self.write_hash("first"), self.write_hash("second")
        found = []
        for name, hashes in (("alone", [first]), ("both", [second, first])):
            self.hashprof("build", self.write_campaign(*hashes, name=name),
                          env={**os.environ, "XDG_CACHE_HOME": str(self.folder / f"cache-{name}")})
            builds = json.loads((self.folder / "runs" / name / "build.json").read_text())["builds"]
            found += [b["result"]["library_sha256"] for b in builds if b["family"] == "first"]
        self.assertEqual(len(found), 2)
        self.assertEqual(found[0], found[1])

    def test_sizes_of_other_tools_have_a_figure_each(self):
        campaign = self.write_campaign(self.write_hash())
        # Of openssl speed, of a table of cycles a byte, and of lightweight ones.
        for sizes in ([16, 64, 256, 1024, 8192, 16384], [8, 16, 32, 64, 128, 576, 1536, 4096], [0, 16, 1024]):
            out = self.folder / f"of{len(sizes)}"
            words = ",".join(map(str, sizes))
            view = json.loads(self.hashprof("run", campaign, "--simulate", "--sizes", words, "--out", out, "--json").stdout)
            (build,) = view["builds"]
            self.assertEqual([c["message_bytes"] for c in build["cells"]], sizes)
            records = {p.name for p in (out / "records" / "toy").iterdir()}
            self.assertEqual(records, {f"Toy__hash_{size}.json" for size in sizes})


if __name__ == "__main__":
    main()
