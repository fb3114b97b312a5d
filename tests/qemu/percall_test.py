#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Samples of single calls, and calls that wait for each other: catches a sample that holds more than the call and two
readings, a batch that is not the smallest long enough, and a latency that is not of the calls that were asked for."""
import statistics

from support import CAMPAIGN, JOB, Guest, main, puppet_instructions

USER_ACCESS = "sysctl -w kernel.perf_user_access=1 >/dev/null\n"
BOOTS = 6
SAMPLES = 50
SIZES = [8, 500, 5000]  # the first is too short to be sampled alone
LARGEST_SAMPLE = 60  # instructions of a sample of one call that are not of the hash
LARGEST_LOOP = 24  # instructions a call of a batch that are not of the hash
LARGEST_WAIT = 8  # instructions a call that make it wait for the one before it
BATCH_FACTOR = 20  # HASHPROF_BATCH_FACTOR


def operation(observation):
    """"hash_500" and "hash_500__latency": the size, and whether calls wait."""
    name = observation["cell"].rsplit("/", 1)[1].removeprefix("hash_")
    return int(name.removesuffix("__latency")), name.endswith("__latency")


class Percall(Guest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.boots = [cls.boot(f"boot{number}", job=USER_ACCESS + JOB) for number in range(1, BOOTS + 1)]

    @classmethod
    def build_for_guest(cls, campaign=None, families=()):
        cls.folder.mkdir(parents=True, exist_ok=True)
        campaign = cls.folder / "percall.yaml"
        text = CAMPAIGN.read_text().replace("[puppet/", f"[{CAMPAIGN.parent}/puppet/")
        text = text[:text.index("measure:")]
        campaign.write_text(text + f"measure: {{sizes: {SIZES}, processes: 3, percall: {SAMPLES}, "
                            "modes: [throughput, latency], trial: 10 ms, max_calls: 100}\n")
        super().build_for_guest(campaign, (CAMPAIGN.parent / "puppet",))

    def percalls(self, result):
        """The used process of single calls of each size."""
        used = [o for o in self.journal(result) if o["phase"] == "percall" and not o["taints"]]
        self.assertEqual([o["outcome"] for o in used], ["complete"] * len(SIZES))
        self.assertEqual(sorted(operation(o) for o in used), [(size, False) for size in SIZES])
        return {operation(o)[0]: o for o in used}

    def test_a_sample_of_one_call_is_the_puppet_and_two_readings(self):
        for result in self.boots:
            for size, o in self.percalls(result).items():
                percall = o["percall"]
                self.assertEqual((o["read_method"], percall["unit"]), ("mrs", "cycles"))
                self.assertEqual(len(percall["empty"]), 1000)
                self.assertEqual(len(percall["samples"]), SAMPLES)
                self.assertEqual(len(set(percall["empty"])), 1)
                self.assertEqual(len(set(percall["samples"])), 1)
                if size == SIZES[0]:
                    continue
                self.assertEqual(percall["batch"], 1)
                self.assertEqual(percall["doubled"], [])
                beyond = percall["samples"][0] - puppet_instructions(size)
                self.assertGreaterEqual(beyond, 1)
                self.assertLessEqual(beyond, LARGEST_SAMPLE)
                if result is self.boots[0]:
                    print(f"qemu: a sample of {size} bytes: {beyond} instructions beyond the hash, "
                          f"an empty one {percall['empty'][0]}", flush=True)

    def test_a_short_call_is_sampled_in_the_smallest_batch_that_is_long_enough(self):
        size = SIZES[0]
        percall = self.percalls(self.boots[0])[size]["percall"]
        batch, empty, sample = percall["batch"], percall["empty"][0], percall["samples"][0]
        self.assertGreater(batch, 1)
        self.assertEqual(batch & (batch - 1), 0)
        self.assertEqual(len(percall["doubled"]), SAMPLES)
        self.assertEqual(len(set(percall["doubled"])), 1)
        a_call = (percall["doubled"][0] - sample) / batch
        print(f"qemu: samples of {batch} calls of {size} bytes: {sample}, of twice as many {percall['doubled'][0]}; "
              f"{a_call - puppet_instructions(size):g} instructions a call beyond the hash", flush=True)
        self.assertGreaterEqual(sample, BATCH_FACTOR * empty)
        self.assertLess(sample - batch / 2 * a_call, BATCH_FACTOR * empty)
        self.assertGreaterEqual(a_call, puppet_instructions(size) + 1)
        self.assertLessEqual(a_call, puppet_instructions(size) + LARGEST_LOOP)

    def test_six_boots_give_the_same_samples(self):
        first = {size: o["percall"] for size, o in self.percalls(self.boots[0]).items()}
        for result in self.boots[1:]:
            self.assertEqual({size: o["percall"] for size, o in self.percalls(result).items()}, first)

    def test_calls_that_wait_take_no_fewer_instructions(self):
        for result in self.boots:
            totals = {}
            for o in self.trials(result, used=3 * 2 * len(SIZES)):
                self.assertEqual(o["calls"], 100)
                totals.setdefault(operation(o), []).append(o["instructions"])
            for size in SIZES:
                waiting, following = (statistics.median(totals[size, is_latency]) for is_latency in (True, False))
                self.assertGreaterEqual(waiting, following)
                wait = (waiting - following) / 100
                self.assertLessEqual(wait, LARGEST_WAIT)
                if result is self.boots[0]:
                    print(f"qemu: latency of {size} bytes: {wait:.2f} instructions a call more than throughput",
                          flush=True)

    def test_the_first_call_has_cycles_and_nobody_slept(self):
        for o in self.trials(self.boots[0], used=3 * 2 * len(SIZES)):
            beyond = o["first_call_cycles"] - puppet_instructions(operation(o)[0])
            self.assertGreater(beyond, 0)
            self.assertLess(beyond, 2000)
            self.assertEqual(o["suspended_ns"], 0)

    def test_read_2_samples_the_same_calls_in_cycles(self):
        result = self.boot("read")
        for size, o in self.percalls(result).items():
            percall = o["percall"]
            self.assertEqual((o["read_method"], percall["unit"]), ("read(2)", "cycles"))
            beyond = statistics.median(percall["samples"]) - percall["batch"] * puppet_instructions(size)
            print(f"qemu: a sample by read(2), {percall['batch']} calls of {size} bytes: {beyond:g} instructions "
                  "beyond the hash", flush=True)
            self.assertGreaterEqual(beyond, percall["batch"])
            self.assertLessEqual(beyond, percall["batch"] * LARGEST_LOOP + 500)


main()
