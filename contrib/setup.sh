#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sets hashprof up on Debian 12 and runs it. The README's two commands:
#   contrib/setup.sh run           packages, build, measure configs/quickstart.yaml, print the report
#   contrib/setup.sh test [--all]  packages, build, the default tests; --all adds slow, external, bench
set -euo pipefail

cd "$(dirname "$0")/.."

build_packages=(g++ cmake ninja-build libyaml-cpp-dev libboost-dev libfmt-dev nlohmann-json3-dev
  libcli11-dev libssl-dev libelf-dev libdw-dev libbpf-dev zlib1g-dev clang llvm bpftool)
test_packages=(git lld libgtest-dev libgmock-dev python3 openssl mandoc man-db groff-base clang-format-16
  clang-tidy-16 procps util-linux binutils qemu-system-arm g++-aarch64-linux-gnu cpio)
all_packages=(valgrind heaptrack gcc-arm-none-eabi libnewlib-arm-none-eabi)

usage() {
  echo "usage: contrib/setup.sh run | test [--all]" >&2
  exit 2
}

stage_name=""
stage_start=0
begin_stage() {
  end_stage
  stage_name=$1
  stage_start=$(date +%s)
  echo "== $1" >&2
}
end_stage() {
  if [ -n "$stage_name" ]; then
    echo "== $stage_name took $(($(date +%s) - stage_start)) s" >&2
  fi
  stage_name=""
}
trap end_stage EXIT

install_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
  done
  if [ "${#missing[@]}" = 0 ]; then
    return
  fi
  if [ "$(id -u)" != 0 ]; then
    echo "contrib/setup.sh: these packages are missing: ${missing[*]}" >&2
    echo "  hint: as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q >&2
  apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
}

build() {
  cmake --preset "$1" >&2
  cmake --build --preset "$1" >&2
}

run_main_job() {
  begin_stage "installing packages"
  install_packages "${build_packages[@]}"
  begin_stage "building hashprof"
  build release
  begin_stage "measuring configs/quickstart.yaml"
  build/release/bin/hashprof run configs/quickstart.yaml
}

run_tests() {
  begin_stage "installing packages"
  install_packages "${build_packages[@]}" "${test_packages[@]}"
  begin_stage "building hashprof and its tests"
  build dev
  begin_stage "fetching kernel and libraries of the emulated machine"
  python3 -B tests/qemu/prepare.py packages
  begin_stage "cross-building for the emulated machine"
  HASHPROF_QEMU_WORK=build/dev/qemu python3 -B tests/qemu/prepare.py build
  begin_stage "testing"
  ctest --preset dev
  if [ "$1" = --all ]; then
    begin_stage "building with the address and undefined sanitizers"
    build asan
    begin_stage "testing with the sanitizers"
    ctest --preset asan
    install_packages "${all_packages[@]}"
    begin_stage "slow and external tests, benchmarks"
    build release
    ctest --preset all -L 'slow|external|bench' --verbose
  fi
}

[ $# -ge 1 ] || usage
case "$1" in
  run)
    [ $# = 1 ] || usage
    run_main_job
    ;;
  test)
    [ $# = 1 ] || [ "$*" = "test --all" ] || usage
    run_tests "${2:-}"
    ;;
  *) usage ;;
esac
