# SPDX-License-Identifier: MIT
"""Catches a submission that is built otherwise than its hash.yaml and campaign say, a fault of one build that is not said
clearly or takes others along, and a library that is built again for nothing or not built again though something changed."""
import json
import os
import pathlib
import shutil
import subprocess
import threading
import unittest

import support
from support import PROGRAM, SOURCE

MATRIX = """builds:
  - guide
  - performance
  - resource
  - {name: guide, compiler: clang}
  - {name: performance, compiler: clang}
  - {name: resource, compiler: clang}
"""


class BuildCase(support.Case):
    def results(self, run):
        """What build.json says, by label."""
        return {b["label"]: b for b in json.loads((self.folder / run / "build.json").read_text())["builds"]}

    def reused(self, run):
        return {label: b["result"]["reused"] for label, b in self.results(run).items()}

    def campaign(self, text, name="camp"):
        path = self.folder / f"{name}.yaml"
        path.write_text(f"hashprof: 1\nname: {name}\n{text}")
        return path


class Matrix(BuildCase):
    def test_two_compilers_and_three_profiles_give_the_published_digests(self):
        hashes = "".join(f"  - {SOURCE}/hashes/{family}/hash.yaml\n" for family in ("hash-14", "hash-16"))
        result = self.hashprof("kat", self.campaign(f"hashes:\n{hashes}{MATRIX}"), "--jobs", "2")
        lines = [line.split()[1:4] for line in result.stdout.splitlines()]
        self.assertEqual(len(lines), 8 * 6)
        self.assertEqual({status for _, _, status in lines}, {"PASS"}, result.stdout)
        self.assertEqual(len({(family, label) for family, label, _ in lines}), 48)
        builds = self.results("runs/camp")
        self.assertIn("clang", builds["LLH-256.performance.clang"]["result"]["compiler"]["version"])
        self.assertIn("tune", builds["LLH-256.performance"]["result"]["native"])
        self.assertIsNone(builds["LLH-256"]["result"]["native"])
        for build in builds.values():
            self.assertRegex(build["result"]["compiler"]["libc"], r"^glibc 2\.")
            self.assertTrue(build["result"]["compiler"]["linker"])
        shas = {build["result"]["library_sha256"] for build in builds.values()}
        self.assertEqual(len(shas), 48, "each build is a library of its own")

    def test_by_default_optimized_variants_have_the_performance_profile(self):
        campaign = self.campaign(f"hashes: [{{use: {SOURCE}/hashes/hash-16/hash.yaml, only: [LLH-256], "
                                 "variants: [reference, optimized]}]\n")
        self.hashprof("build", campaign)
        self.assertEqual({label: b["profile"] for label, b in self.results("runs/camp").items()},
                         {"LLH-256": "guide", "LLH-256.optimized.performance": "performance"})


class Again(BuildCase):
    def two_hashes(self):
        """Two families; the first has a header of its own, and both include one more."""
        (self.folder / "shared.h").write_text("#define SHARED 1\n")
        files = []
        for name in ("a", "b"):
            yaml = self.write_hash(name)
            (yaml.parent / "own.h").write_text("#define OWN 1\n")
            source = yaml.parent / "toy.c"
            source.write_text('#include "own.h"\n#include "../shared.h"\n' + source.read_text() +
                              "int own(void); int own(void) { return OWN + SHARED; }\n")
            files.append(yaml)
        return files

    def test_what_did_not_change_stands_and_a_header_builds_its_dependants_anew(self):
        campaign = self.write_campaign(*self.two_hashes())
        self.hashprof("build", campaign)
        before = {label: b["result"]["library_sha256"] for label, b in self.results("runs/camp").items()}
        builds = lambda: {b["family"]: b["result"] for b in json.loads((self.folder / "runs/camp/build.json").read_text())["builds"]}
        self.hashprof("build", campaign)
        self.assertEqual({family: b["reused"] for family, b in builds().items()}, {"a": True, "b": True})
        (self.folder / "a/own.h").write_text("#define OWN 2\n")
        self.hashprof("build", campaign)
        self.assertEqual({family: b["reused"] for family, b in builds().items()}, {"a": False, "b": True})
        (self.folder / "shared.h").write_text("#define SHARED 2\n")
        self.hashprof("build", campaign)
        self.assertEqual({family: b["reused"] for family, b in builds().items()}, {"a": False, "b": False})
        self.hashprof("build", campaign, "--out", "other")
        self.assertTrue(all(b["result"]["from_cache"] for b in self.results("other").values()))
        self.hashprof("build", campaign, "--out", "third", "--no-cache")
        self.assertFalse(any(b["result"]["from_cache"] for b in self.results("third").values()))
        self.assertEqual({label: b["result"]["library_sha256"] for label, b in self.results("third").items()},
                         {label: b["result"]["library_sha256"] for label, b in self.results("other").items()})
        self.assertTrue(before)

    def test_two_builds_at_once_do_not_disturb_each_other(self):
        campaign = self.campaign(f"hashes: [{SOURCE}/hashes/hash-16/hash.yaml]\n{MATRIX}")
        results = {}

        def build(out):
            results[out] = self.hashprof("build", campaign, "--out", out, "--jobs", "2", expect=None)
        threads = [threading.Thread(target=build, args=(out,)) for out in ("one", "two")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for out, result in results.items():
            self.assertEqual(result.returncode, 0, f"{out}: {result.stdout}{result.stderr}")
        self.assertEqual({label: b["result"]["library_sha256"] for label, b in self.results("one").items()},
                         {label: b["result"]["library_sha256"] for label, b in self.results("two").items()})
        self.hashprof("build", campaign, "--out", "three")
        self.assertTrue(all(b["result"]["from_cache"] for b in self.results("three").values()))


class Faults(BuildCase):
    """One bad build among good ones: a clear reason, exit 1, and the others are measured."""

    def beside_good(self, *bad, more=""):
        campaign = self.write_campaign(self.write_hash("good"), *bad, more=more)
        result = self.hashprof("run", campaign, expect=1)
        self.assertIn("Toy: PASS vectors (5)", result.stdout)
        return result, {b["family"]: b["result"] for b in json.loads((self.folder / "runs/camp/build.json").read_text())["builds"]}

    def change(self, yaml, old, new):
        text = yaml.read_text()
        self.assertIn(old, text)
        yaml.write_text(text.replace(old, new))

    def test_an_entry_that_is_missing_is_named_with_what_is_there(self):
        near = self.write_hash("near")
        self.change(near, "build: {sources: [toy.c]", "build: {sources: [toy.c], entry: CrypHash")
        cxx = self.write_hash("cxx")
        (cxx.parent / "toy.c").rename(cxx.parent / "toy.cpp")
        self.change(cxx, "toy.c", "toy.cpp")
        _, builds = self.beside_good(near, cxx)
        self.assertIn("no source defines the entry 'CrypHash'; did you mean 'CryptHash'?", builds["near"]["reason"])
        self.assertIn("no source defines the entry 'CryptHash'; it is there with C++ linkage, as CryptHash(int, "
                      'unsigned char const*, unsigned long long, unsigned char*): declare it extern "C"', builds["cxx"]["reason"])

    def test_undefined_symbols_floods_and_missing_compilers_are_said(self):
        undefined = self.write_hash("undefined")
        source = undefined.parent / "toy.c"
        source.write_text(source.read_text() + "int helper(void); int user(void); int user(void) { return helper(); }\n")
        flood = self.write_hash("flood")
        source = flood.parent / "toy.c"
        source.write_text(source.read_text() + "".join(f"static int unused{i};\n" for i in range(100_000)) + "#error stop here\n")
        _, builds = self.beside_good(undefined, flood)
        self.assertIn("undefined reference to `helper'", builds["undefined"]["reason"])
        self.assertIn("stop here", builds["flood"]["reason"])
        log = self.folder / "runs/camp/build/flood__Toy.log"
        self.assertLess(log.stat().st_size, 3 << 20)

    def test_a_compiler_that_does_not_end_is_stopped_and_its_build_named(self):
        fake = self.folder / "slow-gcc"
        fake.write_text('#!/bin/sh\ncase "$1" in --version|-dumpmachine|-print*|-E) exec gcc "$@";; esac\nsleep 600\n')
        fake.chmod(0o755)
        campaign = self.campaign(f"hashes: [{self.write_hash('good')}]\n"
                                 f"builds: [guide, {{name: guide, compiler: {fake}}}]\nlimits: {{build: 2 s}}\n")
        result = self.hashprof("build", campaign, expect=1, timeout=60)
        self.assertIn("good/Toy  built", result.stdout)
        self.assertRegex(result.stdout, "FAILED  .*slow-gcc could not compile 'toy.c': .*slow-gcc did not end within 2 s and was killed")

    def test_a_compiler_that_is_missing_fails_its_builds_alone(self):
        campaign = self.campaign(f"hashes: [{self.write_hash('good')}]\n"
                                 "builds: [guide, {name: guide, compiler: gcc-99}]\n"
                                 "measure: {sizes: [32], processes: 2, trial: 2 ms}\n")
        result = self.hashprof("run", campaign, expect=1)
        builds = self.results("runs/camp")
        self.assertTrue(builds["Toy"]["result"]["built"])
        self.assertRegex(builds["Toy.gcc-99"]["result"]["reason"],
                         r"compiler 'gcc-99': not found in PATH .*; apt-get install gcc, or name another compiler")
        self.assertIn("Toy: PASS", result.stdout)

    def test_a_cpu_that_lacks_a_feature_is_asked_before_anything_is_built(self):
        yaml = self.write_hash("fast")
        self.change(yaml, "build: {", "variants:\n  reference: {class: reference}\n"
                    "  quick: {class: optimized, needs_cpu: [warp9, avx2]}\nbuild: {")
        campaign = self.campaign(f"hashes: [{{use: {yaml}, variants: [reference, quick]}}]\nbuilds: [guide]\n")
        result = self.hashprof("build", campaign, expect=1)
        self.assertIn("fast/Toy  built", result.stdout)
        self.assertRegex(result.stdout, r"fast/Toy.quick  FAILED  needs warp9(, avx2)?, which the CPU of this machine does not "
                         r"have \(variant quick, profile guide\); name another profile or variant in the campaign")

    def test_a_fallback_stands_in_and_is_marked_everywhere(self):
        campaign = self.campaign(f"hashes: [{self.write_hash('good')}]\n"
                                 "builds: [{name: warp, flags: [-O3], needs_cpu: [warp9], fallback: guide}]\n"
                                 "measure: {sizes: [32], processes: 2, trial: 2 ms}\n")
        result = self.hashprof("run", campaign)
        build = self.results("runs/camp")["Toy.warp"]
        self.assertEqual(build["profile"], "guide")
        self.assertEqual(build["result"]["guide_result"]["profile"], "warp")
        self.assertIn("needs warp9", build["result"]["guide_result"]["reason"])
        self.assertIn("Toy.warp **(built as guide)**", result.stdout)
        self.assertRegex(self.hashprof("build", campaign).stdout, "good/Toy.warp  built  .*  as guide: needs warp9")
        self.assertRegex(result.stdout, r"guide in place of warp \(needs warp9, which the CPU")
        record = json.loads((self.folder / "runs/camp/records/good/Toy.warp__hash_32.json").read_text())
        self.assertEqual(record["guide_result"]["profile"], "warp")

    def test_a_fallback_for_flags_that_do_not_compile_stands_and_both_logs_are_there(self):
        campaign = self.campaign(f"hashes: [{self.write_hash('good')}]\n"
                                 "builds: [{name: own, flags: [-O2, -mnope], fallback: guide}]\n")
        self.hashprof("build", campaign)
        build = self.results("runs/camp")["Toy.own"]
        self.assertIn("mnope", (self.folder / "runs/camp/build/good__Toy.own.log").read_text())
        self.assertEqual(build["log"], "build/good__Toy.own.fallback.log")
        self.assertIn("result: built", (self.folder / "runs/camp" / build["log"]).read_text())
        self.hashprof("build", campaign)
        self.assertTrue(self.results("runs/camp")["Toy.own"]["result"]["reused"])

    def test_a_linker_that_makes_no_library_fails_its_build_alone(self):
        fake = self.folder / "fake-gcc"
        fake.write_text('#!/bin/sh\nfor word in "$@"; do [ "$word" = -shared ] && { echo junk > library.so; exit 0; }; done\n'
                        'exec gcc "$@"\n')
        fake.chmod(0o755)
        campaign = self.campaign(f"hashes: [{self.write_hash('good')}]\n"
                                 "builds: [guide, {name: guide, compiler: ./fake-gcc}]\n")
        result = self.hashprof("build", campaign, expect=1)
        self.assertIn("good/Toy  built", result.stdout)
        self.assertRegex(result.stdout, "FAILED  .*fake-gcc made no library: ")

    def test_a_family_without_a_reference_is_measured_as_it_is(self):
        yaml = self.write_hash("fast")
        self.change(yaml, "build: {", "variants: {quick: {class: optimized}}\nbuild: {")
        self.assertIn("fast/Toy.quick.performance  built", self.hashprof("build", yaml).stdout)

    def test_a_source_that_goes_between_plan_and_build_is_named(self):
        gone = self.write_hash("gone")
        campaign = self.write_campaign(self.write_hash("good"), gone)
        self.hashprof("plan", campaign)
        (gone.parent / "toy.c").unlink()
        result = self.hashprof("build", campaign, expect=1)
        self.assertIn("gone/Toy  FAILED  source '", result.stdout)
        self.assertIn("no such file", result.stdout)

    def test_profiles_whose_flags_are_not_known_for_a_machine_are_refused(self):
        campaign = self.campaign(f"hashes: [{self.write_hash('good')}]\nbuilds: [guide, resource]\n")
        result = self.hashprof("build", campaign, "--target", "aarch64-linux-gnu", expect=1)
        self.assertIn("good/Toy  built", result.stdout)
        self.assertIn("good/Toy.resource  FAILED  the guide's flags of the profile resource are not known for "
                      "aarch64-linux-gnu; name another profile in the campaign", result.stdout)
        # The library of another machine is not loaded.
        result = self.hashprof("kat", "runs/camp", expect=1)
        self.assertIn("RESULT good Toy LOADFAIL Toy.so: built for AArch64, this machine is x86-64", result.stdout)


class Prebuilt(BuildCase):
    def test_a_library_that_came_built_passes_the_same_gate(self):
        yaml = self.write_hash("toy")
        self.hashprof("build", yaml)
        made = self.folder / "made"
        made.mkdir()
        shutil.copy(self.folder / "runs/toy/lib/toy/Toy.so", made / "toy lib.so")
        shutil.copy(yaml.parent / "vectors.tsv", made)
        (made / "hash.yaml").write_text("hashprof: 1\nid: made\ninstances:\n  Toy: {digest_bits: 32, library: toy lib.so}\n"
                                        "kat: {vectors: [vectors.tsv]}\n")
        campaign = self.write_campaign(made / "hash.yaml", more="builds: [guide, {name: guide, compiler: clang}]\n")
        self.assertEqual(self.hashprof("kat", campaign).stdout, "RESULT made Toy PASS 5 vectors agree\n")
        self.assertEqual(self.results("runs/camp")["Toy"]["profile"], "prebuilt")
        self.hashprof("run", campaign)
        (made / "vectors.tsv").write_text(support.vectors("Toy", is_right=False))
        self.assertIn("MISMATCH", self.hashprof("kat", campaign, "--out", "wrong", expect=1).stdout)


class Targets(BuildCase):
    def test_sizes_of_another_machine_are_those_of_its_own_tool(self):
        campaign = self.campaign(f"hashes: [{{use: {SOURCE}/hashes/hash-16/hash.yaml, variants: [reference, optimized]}}]\n"
                                 "targets: [{name: a64, compiler: aarch64-linux-gnu-gcc, flags: [-Os]}]\nbuilds: [guide]\n")
        result = self.hashprof("build", campaign, "--only", "LLH-256", "--json")
        objects = json.loads(result.stdout)["objects"]
        self.assertEqual([o["label"] for o in objects], ["LLH-256.a64", "LLH-256.optimized.a64"])
        for entry in objects:
            command = entry["result"]["commands"][0]
            source = next(i["path"] for i in entry["result"]["inputs"])
            settings = [word for word in command[1:] if not word.startswith(("d0/", "-I"))]
            object_file = self.folder / "x.o"
            subprocess.run([command[0], *settings[:settings.index("-c")], "-I", str(pathlib.Path(source).parent),
                            "-I", str(SOURCE / "hashes/hash-16/reference"), "-I", str(SOURCE / "hashes/hash-16"),
                            "-c", source, "-o", str(object_file)], check=True)
            printed = subprocess.run(["aarch64-linux-gnu-size", object_file], capture_output=True, text=True, check=True)
            text, data, bss = map(int, printed.stdout.splitlines()[1].split()[:3])
            sizes = entry["result"]["sizes"]
            self.assertEqual((sizes["text"] + sizes["rodata"], sizes["data"], sizes["bss"]), (text, data, bss))
        page = (self.folder / "runs/camp/report/report.md").read_text()
        self.assertIn("Objects compiled for other machines", page)
        again = json.loads(self.hashprof("build", campaign, "--only", "LLH-256", "--json").stdout)["objects"]
        self.assertTrue(all(o["result"]["reused"] for o in again))


    def test_a_target_never_stands_where_a_build_does(self):
        campaign = self.campaign(f"hashes: [{self.write_hash('toy')}]\nbuilds: [{{name: m4, flags: [-O2]}}]\n"
                                 "targets: [{name: m4, compiler: gcc}]\n")
        self.assertIn("the target 'm4' and a build would both be called 'toy/Toy.m4'",
                      self.hashprof("build", campaign, expect=2).stderr)
        campaign = self.campaign(f"hashes: [{self.folder / 'toy/hash.yaml'}]\nbuilds: [guide]\n"
                                 "targets: [{name: bad, compiler: gcc, flags: [-mnope]}, {name: lto, compiler: gcc, flags: [-flto]}]\n")
        result = self.hashprof("build", campaign, expect=1)
        self.assertIn("toy/Toy  built", result.stdout)
        self.assertIn("toy/Toy.bad  FAILED  gcc could not compile 'toy.c'", result.stdout)
        self.assertRegex(result.stdout, r"toy/Toy.lto  compiled  text [1-9]\d+ B")
        self.assertTrue((self.folder / "runs/camp/lib/toy/Toy.so").exists())


class Layouts(BuildCase):
    def test_processes_are_spread_over_libraries_of_the_same_objects(self):
        campaign = self.write_campaign(self.write_hash("toy"), measure="sizes: [32], processes: 4, trial: 2 ms, layouts: 3")
        result = self.hashprof("kat", campaign)
        self.assertEqual(result.stdout, "RESULT toy Toy PASS 5 vectors agree; in each of 3 layouts\n")
        self.assertIn("; layout 2", self.hashprof("plan", campaign).stdout)
        self.assertIn("The processes take turns with 3 libraries of each build", self.hashprof("run", campaign).stdout)
        record = json.loads((self.folder / "runs/camp/records/toy/Toy__hash_32.json").read_text())
        layouts = {p["process"]: p["layout"] for p in record["processes"] if p["phase"] == "trial"}
        self.assertEqual(layouts, {0: 0, 1: 1, 2: 2, 3: 0})
        log = (self.folder / "runs/camp/kat/toy/Toy.log").read_text()
        self.assertEqual(log.count("layout PASS - 5 vectors agree\n"), 2, log)
        self.check_sums(self.folder / "runs/camp")


class CrossBuilt(BuildCase):
    def test_a_target_is_a_machine(self):
        for word in ("../x", "-x"):
            self.assertIn("is no machine", self.hashprof("build", self.write_hash(f"t{len(word)}"), f"--target={word}", expect=2).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
