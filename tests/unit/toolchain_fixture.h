// SPDX-License-Identifier: MIT
// A temporary folder with sources, and requests that build them; used by the tests of unit
// toolchain.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "base/file.h"
#include "toolchain/process.h"
#include "toolchain/toolchain.h"

namespace hashprof::toolchain {

inline constexpr const char* kEntrySource =
    "int CryptHash(int n, const unsigned char *m, unsigned long long l, unsigned char *d)\n"
    "{ (void)m; d[0] = (unsigned char)l; return n; }\n";

class Toolchain : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "hashprof-toolchain-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = std::filesystem::canonical(name);
    std::filesystem::create_directory(folder_ / "src");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::filesystem::path& name, const std::string& content) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << content;
    return folder_ / name;
  }
  /// A program in the place of a compiler.
  CompilerIdentity script(const std::string& body) {
    const std::filesystem::path file = write("fake-cc", "#!/bin/sh\n" + body);
    (void)::chmod(file.c_str(), 0755);
    return {"fake-cc", file.native(), "fake 1", "none"};
  }
  [[nodiscard]] BuildRequest request(std::vector<std::filesystem::path> sources) const {
    BuildRequest made;
    made.label = "A";
    made.settings.sources = std::move(sources);
    made.settings.language = "c99";
    made.settings.entry = "CryptHash";
    made.profile = profiles().front();
    made.compiler = identify_compiler("gcc");
    made.library = folder_ / "run/lib/a.so";
    made.log = folder_ / "run/build/a.log";
    return made;
  }
  static std::string content(const std::filesystem::path& file) {
    return read_file(file, Bytes{std::uint64_t{16} << 20U});
  }
  /// Every path below the temporary folder, relative to it.
  [[nodiscard]] std::set<std::string> tree() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
      names.insert(entry.path().lexically_relative(folder_).native());
    }
    return names;
  }
  static std::string output_of(std::vector<std::string> arguments) {
    Command command;
    command.arguments = std::move(arguments);
    command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    command.folder = "/";
    command.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    const Outcome outcome = toolchain::run(command);
    EXPECT_TRUE(outcome.is_success()) << outcome.output;
    return outcome.output;
  }
  /// Names of the dynamic symbols that a library defines, as nm sees them.
  static std::set<std::string> exports_of(const std::filesystem::path& library) {
    std::istringstream lines(output_of({"/usr/bin/nm", "-D", "--defined-only", library.native()}));
    std::set<std::string> names;
    for (std::string address, kind, name; lines >> address >> kind >> name;) {
      names.insert(name);
    }
    return names;
  }

  std::filesystem::path folder_;
};

}  // namespace hashprof::toolchain
