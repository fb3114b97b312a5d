// SPDX-License-Identifier: MIT
// Catches a file that is left half written, a FIFO that blocks, and wrong digests or modes.
#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <span>

#include "base/sha256.h"
#include "base/sys.h"

namespace hashprof {
namespace {

class File : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "hashprof-file-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(File, atomic_write_sets_the_mode_whatever_the_umask) {
  const mode_t old = ::umask(0077);
  write_file_atomically(folder_ / "a", "text");
  (void)::umask(old);
  struct stat status {};
  ASSERT_EQ(::stat((folder_ / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0644U);
  EXPECT_EQ(read_file(folder_ / "a", Bytes{10}), "text");
}

TEST_F(File, a_failing_write_keeps_the_old_content_and_leaves_no_temporary) {
  write_file_atomically(folder_ / "a", "old");
  ASSERT_EQ(::symlink("/dev/full", (folder_ / "b.tmp").c_str()), 0);
  EXPECT_THROW(write_file_atomically(folder_ / "b", "new"), Error);
  std::filesystem::create_directory(folder_ / "c");
  try {
    write_file_atomically(folder_ / "c", "new");
    FAIL() << "a directory was replaced";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::output);
    EXPECT_EQ(error.os_number(), EISDIR);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.tmp"));
  EXPECT_EQ(read_file(folder_ / "a", Bytes{10}), "old");
}

TEST_F(File, reading_refuses_what_is_no_regular_file_or_too_large) {
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_THROW((void)read_file(folder_ / "fifo", Bytes{10}), Error);
  EXPECT_THROW((void)read_file(folder_, Bytes{10}), Error);
  EXPECT_THROW((void)read_file(folder_ / "missing", Bytes{10}), Error);
  write_file_atomically(folder_ / "a", "12345678901");
  EXPECT_THROW((void)read_file(folder_ / "a", Bytes{10}), Error);
}

TEST_F(File, writing_to_a_full_device_names_it) {
  const UniqueFd full = sys::open("/dev/full", O_WRONLY);
  try {
    sys::write_all(full.get(), "x", "/dev/full");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/dev/full: write: No space left on device (ENOSPC)");
    EXPECT_EQ(error.fault(), Fault::output);
  }
}

TEST_F(File, is_read_from_an_offset_on_and_not_beyond_its_end) {
  write_file_atomically(folder_ / "digits", "0123456789");
  const UniqueFd fd = sys::open(folder_ / "digits", O_RDONLY);
  std::array<std::uint8_t, 4> bytes{};
  sys::read_at(fd.get(), 6, std::as_writable_bytes(std::span(bytes)), "digits");
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "6789");
  try {
    sys::read_at(fd.get(), 7, std::as_writable_bytes(std::span(bytes)), "digits");
    FAIL() << "read beyond the end";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::internal);
    EXPECT_STREQ(error.what(), "digits: ends before byte 11");
  }
}

TEST_F(File, sha256_known_answers) {
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  write_file_atomically(folder_ / "a", std::string(200000, 'a'));
  EXPECT_EQ(sha256_of_file(folder_ / "a"), sha256_of(std::string(200000, 'a')));
}

}  // namespace
}  // namespace hashprof
