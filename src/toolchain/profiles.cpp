// SPDX-License-Identifier: MIT
// The guide's build configurations, and what is added to all of them; see toolchain/toolchain.h.
#include <algorithm>

#include "toolchain/command_lines.h"

namespace hashprof::toolchain {

namespace {

constexpr const char* kGuide = "guide for performance self-assessment, section 3.2, ";

std::string machine_of(const std::string& target) { return target.substr(0, target.find('-')); }

}  // namespace

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all = {
      {"guide",
       {"-Wpedantic", "-Wall", "-Wextra", "-O2"},
       std::string(kGuide) + "reference version",
       "",
       {}},
      {"performance",
       {"-O3", "-march=x86-64", "-mavx2", "-mtune=native", "-flto", "-fomit-frame-pointer",
        "-Wpedantic", "-Wall", "-Wextra"},
       std::string(kGuide) + "performance version",
       "x86_64",
       {"avx2"}},
      {"performance",
       {"-O3", "-march=armv8.2-a+sve", "-flto", "-fomit-frame-pointer", "-Wpedantic", "-Wall",
        "-Wextra"},
       std::string(kGuide) + "performance version, as the programme's harness has it for AArch64",
       "aarch64",
       {"sve"}},
      {"resource",
       {"-Os", "-march=x86-64", "-mavx2", "-flto", "-fomit-frame-pointer", "-Wpedantic", "-Wall",
        "-Wextra"},
       std::string(kGuide) + "resource version",
       "x86_64",
       {"avx2"}}};
  return all;
}

std::optional<Profile> find_profile(const std::string& name, const std::string& target) {
  const auto found =
      std::find_if(profiles().begin(), profiles().end(), [&](const Profile& profile) {
        return profile.name == name &&
               (profile.machine.empty() || profile.machine == machine_of(target));
      });
  return found == profiles().end() ? std::nullopt : std::optional(*found);
}

const std::vector<std::string>& added_compile_flags(bool is_cxx) {
  static const std::vector<std::string> cxx = {"-fPIC", "-D_GNU_SOURCE",
                                               "-ffile-prefix-map=/proc/self/cwd=.", "-Wno-error"};
  static const std::vector<std::string> c = [] {
    std::vector<std::string> flags = cxx;
    flags.insert(flags.end(), {"-Wno-error=implicit-function-declaration",
                               "-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion",
                               "-Wno-error=implicit-int"});
    return flags;
  }();
  return is_cxx ? cxx : c;
}

const std::vector<std::string>& added_link_flags() {
  static const std::vector<std::string> flags = {
      "-fPIC",
      "-shared",
      std::string("-Wl,--version-script=") + kVersionScript,
      "-Wl,-Bsymbolic",
      "-Wl,--no-undefined",
      "-Wl,-z,noexecstack",
      "-Wl,-z,relro",
      "-Wl,--build-id=sha1"};
  return flags;
}

}  // namespace hashprof::toolchain
