// SPDX-License-Identifier: MIT
// Catches a library of another machine that is left to the loader, whose text is "No such file or
// directory".
#include <fcntl.h>
#include <gtest/gtest.h>

#include "base/sys.h"
#include "elf_support.h"

namespace hashprof::elf {
namespace {

const Target kX86{EM_X86_64, 64, false};
const Target kArm{EM_AARCH64, 64, false};

TEST(Machine, has_the_name_that_people_use) {
  EXPECT_EQ(machine_name(EM_X86_64), "x86-64");
  EXPECT_EQ(machine_name(EM_AARCH64), "AArch64");
  EXPECT_EQ(machine_name(EM_386), "x86 (32 bits)");
  EXPECT_EQ(machine_name(EM_ARM), "Arm (32 bits)");
  EXPECT_EQ(machine_name(EM_RISCV), "RISC-V");
  EXPECT_EQ(machine_name(4711), "machine 4711");
}

TEST(Mismatch, names_both_machines) {
  EXPECT_EQ(find_mismatch(kArm, kX86), "built for AArch64, this machine is x86-64");
  EXPECT_EQ(find_mismatch(kX86, kArm), "built for x86-64, this machine is AArch64");
  EXPECT_EQ(find_mismatch({EM_386, 32, false}, kX86),
            "built for x86 (32 bits), this machine is x86-64");
  EXPECT_EQ(find_mismatch({4711, 64, true}, kX86),
            "built for machine 4711, 64-bit addresses, big-endian, this machine is x86-64");
}

TEST(Mismatch, is_seen_where_only_class_or_byte_order_differ) {
  EXPECT_EQ(find_mismatch({EM_AARCH64, 64, true}, kArm),
            "built for AArch64, big-endian, this machine is AArch64");
  EXPECT_EQ(find_mismatch({EM_X86_64, 32, false}, kX86),
            "built for x86-64, 32-bit addresses, this machine is x86-64");
}

TEST(Mismatch, is_empty_for_the_same_machine) {
  EXPECT_EQ(find_mismatch(kX86, kX86), "");
  EXPECT_EQ(find_mismatch(kArm, kArm), "");
}

class ForeignMachine : public ElfTest {
 protected:
  [[nodiscard]] std::string judge(const std::string& content) const {
    const UniqueFd fd = sys::open(write(content), O_RDONLY);
    return find_foreign_machine(fd.get(), "x.so");
  }
};

TEST_F(ForeignMachine, is_read_in_every_class_and_byte_order) {
  ElfText text = small_library();
  for (const Target& target :
       {Target{EM_RISCV, 64, false}, Target{EM_S390, 64, true}, Target{EM_ARM, 32, false},
        Target{EM_MIPS, 32, true}, Target{EM_X86_64, 32, false}, Target{EM_AARCH64, 64, true}}) {
    text.target = target;
    EXPECT_EQ(judge(text.bytes()), "built for " + target_name(target) + ", this machine is " +
                                       machine_name(own_target().machine));
  }
}

TEST_F(ForeignMachine, is_not_this_one) {
  ElfText text = small_library();
  text.target = own_target();
  EXPECT_EQ(judge(text.bytes()), "");
  EXPECT_EQ(judge(content_of("/proc/self/exe")), "");
}

TEST_F(ForeignMachine, is_not_said_of_what_is_no_elf_file) {
  EXPECT_EQ(judge(""), "");
  EXPECT_EQ(judge("\x7f"
                  "ELF"),
            "");
  EXPECT_EQ(judge("#!/bin/sh\nexit 0\n# long enough to be looked at\n"), "");
}

TEST_F(ForeignMachine, that_cannot_be_read_is_an_error_with_its_name) {
  try {
    (void)find_foreign_machine(-1, "x.so");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.render(), "hashprof: error: x.so: pread: Bad file descriptor (EBADF)\n");
  }
}

}  // namespace
}  // namespace hashprof::elf
