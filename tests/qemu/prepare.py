#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One step of tests/qemu: `packages` fetches kernel and sysroot, `build` cross-builds and makes the base image.
Prints how long it took."""
import os
import pathlib
import sys
import time

import machine
import packages

SOURCE = pathlib.Path(os.environ.get("HASHPROF_SOURCE_DIR", machine.HERE.parent.parent))
WORK = pathlib.Path(os.environ.get("HASHPROF_QEMU_WORK", SOURCE / "build" / "qemu" / "work")).absolute()


def all_packages():
    return packages.Packages(packages.cache_folder(SOURCE))


def provide_packages():
    packages.check_host_programs()
    with all_packages() as store:
        store.provide()


def build():
    packages.check_host_programs()
    with all_packages() as store:
        store.provide()
        programs = machine.cross_build(SOURCE, WORK / "cross", store.sysroot)
        machine.base_image(store, programs, WORK)


def timed(name, step):
    start = time.monotonic()
    result = step()
    print(f"qemu: {name}: {time.monotonic() - start:.1f} s", flush=True)
    return result


def main():
    steps = {"packages": provide_packages, "build": build}
    if len(sys.argv) != 2 or sys.argv[1] not in steps:
        print(f"usage: prepare.py {' | '.join(steps)}", file=sys.stderr)
        return 2
    try:
        timed(sys.argv[1], steps[sys.argv[1]])
    except (packages.Missing, RuntimeError) as fault:
        print(f"tests/qemu: {sys.argv[1]}: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
