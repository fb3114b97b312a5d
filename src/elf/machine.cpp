// SPDX-License-Identifier: MIT
// Machines by name, and whether this one can run a file.
#include <elf.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/sys.h"
#include "elf/elf_image.h"

namespace hashprof::elf {

namespace {

struct KnownMachine {
  std::uint16_t machine;
  const char* name;
  std::uint32_t usual_bits;
  bool is_usually_big_endian;
};

constexpr std::array<KnownMachine, 12> kMachines{{
    {EM_X86_64, "x86-64", 64, false},
    {EM_AARCH64, "AArch64", 64, false},
    {EM_386, "x86 (32 bits)", 32, false},
    {EM_ARM, "Arm (32 bits)", 32, false},
    {EM_RISCV, "RISC-V", 64, false},
    {EM_PPC64, "PowerPC64", 64, false},
    {EM_PPC, "PowerPC", 32, true},
    {EM_S390, "S/390", 64, true},
    {EM_MIPS, "MIPS", 32, true},
    {EM_SPARCV9, "SPARC V9", 64, true},
    {EM_LOONGARCH, "LoongArch", 64, false},
    {EM_68K, "m68k", 32, true},
}};

const KnownMachine* find_machine(std::uint16_t machine) {
  for (const KnownMachine& known : kMachines) {
    if (known.machine == machine) {
      return &known;
    }
  }
  return nullptr;
}

constexpr Target kOwnTarget {
#if defined(__x86_64__)
  EM_X86_64,
#elif defined(__aarch64__)
  EM_AARCH64,
#else
#error "hashprof measures on x86-64 and AArch64"
#endif
      sizeof(void*) * 8, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
};

}  // namespace

std::string machine_name(std::uint16_t machine) {
  const KnownMachine* known = find_machine(machine);
  return known == nullptr ? "machine " + std::to_string(machine) : known->name;
}

std::string target_name(const Target& target) {
  const KnownMachine* known = find_machine(target.machine);
  std::string name = machine_name(target.machine);
  if (known == nullptr || known->usual_bits != target.bits) {
    name += ", " + std::to_string(target.bits) + "-bit addresses";
  }
  if (known == nullptr || known->is_usually_big_endian != target.is_big_endian) {
    name += target.is_big_endian ? ", big-endian" : ", little-endian";
  }
  return name;
}

Target own_target() { return kOwnTarget; }

std::string find_mismatch(const Target& file, const Target& machine) {
  return file == machine
             ? ""
             : "built for " + target_name(file) + ", this machine is " + target_name(machine);
}

std::string find_foreign_machine(int fd, const std::string& object) {
  // e_ident, e_type and e_machine lie at the same place in every class.
  constexpr std::size_t kMachineAt = offsetof(Elf64_Ehdr, e_machine);
  static_assert(kMachineAt == offsetof(Elf32_Ehdr, e_machine));
  std::array<std::uint8_t, kMachineAt + 2> start{};
  ssize_t count = 0;
  do {
    count = ::pread(fd, start.data(), start.size(), 0);
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    sys::throw_errno(Fault::environment, "pread", object);
  }
  const bool is_elf = static_cast<std::size_t>(count) == start.size() &&
                      std::memcmp(start.data(), ELFMAG, SELFMAG) == 0 &&
                      (start[EI_CLASS] == ELFCLASS32 || start[EI_CLASS] == ELFCLASS64) &&
                      (start[EI_DATA] == ELFDATA2LSB || start[EI_DATA] == ELFDATA2MSB);
  if (!is_elf) {
    return {};
  }
  Target file;
  file.bits = start[EI_CLASS] == ELFCLASS64 ? 64 : 32;
  file.is_big_endian = start[EI_DATA] == ELFDATA2MSB;
  const std::uint32_t low = start[file.is_big_endian ? kMachineAt + 1 : kMachineAt];
  const std::uint32_t high = start[file.is_big_endian ? kMachineAt : kMachineAt + 1];
  file.machine = static_cast<std::uint16_t>(high << 8U | low);
  return find_mismatch(file, own_target());
}

}  // namespace hashprof::elf
