// SPDX-License-Identifier: MIT
// Catches a library that stands though it is not what the request asks for, and one that is thrown
// away though only its compiler or its sources are missing here.
#include <sys/utsname.h>

#include "toolchain_fixture.h"

namespace hashprof::toolchain {
namespace {

class Carried : public Toolchain {
 protected:
  void SetUp() override {
    Toolchain::SetUp();
    source_ = write("src/a.c", kEntrySource);
    request_ = request({source_});
    built_ = build(request_, std::nullopt);
    ASSERT_TRUE(built_.is_built) << built_.reason;
  }
  /// As if the run directory lay on a machine without this compiler.
  void lose_compiler() {
    built_.compiler.command = "hashprof-test-no-such-compiler";
    request_.compiler = {};
    request_.compiler.command = built_.compiler.command;
  }

  std::filesystem::path source_;
  BuildRequest request_;
  BuildResult built_;
};

TEST_F(Carried, library_stands_where_its_compiler_is_missing) {
  lose_compiler();
  const auto result = find_carried(request_, built_);
  ASSERT_TRUE(result.has_value());
  EXPECT_TRUE(result->is_built);
  EXPECT_TRUE(result->is_reused);
  EXPECT_EQ(result->library_sha256, built_.library_sha256);
  EXPECT_EQ(result->compiler.version, built_.compiler.version);
}

TEST_F(Carried, library_stands_where_its_sources_are_missing) {
  std::filesystem::remove(source_);
  EXPECT_TRUE(find_carried(request_, built_).has_value());
}

TEST_F(Carried, what_can_be_built_here_is_left_to_the_build) {
  EXPECT_FALSE(find_carried(request_, built_).has_value());
}

TEST_F(Carried, source_that_is_here_and_differs_is_not_overlooked) {
  lose_compiler();
  write("src/a.c", std::string(kEntrySource) + "/* more */\n");
  EXPECT_FALSE(find_carried(request_, built_).has_value());
}

TEST_F(Carried, library_with_another_content_or_mode_does_not_stand) {
  lose_compiler();
  ASSERT_EQ(::chmod(request_.library.c_str(), 0600), 0);
  EXPECT_FALSE(find_carried(request_, built_).has_value());
  ASSERT_EQ(::chmod(request_.library.c_str(), 0644), 0);
  ASSERT_TRUE(find_carried(request_, built_).has_value());
  std::ofstream(request_.library, std::ios::app) << "x";
  EXPECT_FALSE(find_carried(request_, built_).has_value());
  std::filesystem::remove(request_.library);
  EXPECT_FALSE(find_carried(request_, built_).has_value());
}

TEST_F(Carried, library_of_another_architecture_does_not_stand) {
  lose_compiler();
  utsname name{};
  ASSERT_EQ(::uname(&name), 0);
  built_.compiler.target = std::string(name.machine) + "-linux-gnu";
  EXPECT_TRUE(find_carried(request_, built_).has_value());
  built_.compiler.target = std::string(name.machine) + "be-linux-gnu";
  EXPECT_FALSE(find_carried(request_, built_).has_value());
  built_.compiler.target = "";
  EXPECT_FALSE(find_carried(request_, built_).has_value());
}

TEST_F(Carried, library_built_by_other_commands_does_not_stand) {
  lose_compiler();
  request_.settings.define = {{"W", "2"}};
  EXPECT_FALSE(find_carried(request_, built_).has_value());
}

TEST_F(Carried, library_of_another_profile_or_compiler_does_not_stand) {
  lose_compiler();
  BuildRequest other = request_;
  other.profile.name = "other";
  EXPECT_FALSE(find_carried(other, built_).has_value());
  other = request_;
  other.compiler.command = "clang";
  EXPECT_FALSE(find_carried(other, built_).has_value());
}

TEST_F(Carried, build_that_failed_does_not_stand) {
  lose_compiler();
  built_.is_built = false;
  EXPECT_FALSE(find_carried(request_, built_).has_value());
}

}  // namespace
}  // namespace hashprof::toolchain
