// SPDX-License-Identifier: MIT
// Catches a timed loop that costs more than the call: what the compiler made of run_calls is
// disassembled and its loop counted.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Instruction {
  unsigned long address = 0;
  std::string name;
  std::string operands;
};

/// The lines "  2970:\tmov ..." of objdump without the bytes.
std::vector<Instruction> disassemble() {
  std::FILE* pipe =
      ::popen("objdump -d --no-show-raw-insn --disassemble=run_calls '" HASHPROF_WORKER "'", "r");
  EXPECT_NE(pipe, nullptr);
  std::vector<Instruction> instructions;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
    std::istringstream words(line.data());
    Instruction instruction;
    char colon = 0;
    if (words >> std::hex >> instruction.address >> colon >> instruction.name && colon == ':') {
      std::getline(words, instruction.operands);
      instructions.push_back(instruction);
    }
  }
  EXPECT_EQ(::pclose(pipe), 0);
  return instructions;
}

bool is_indirect_call(const Instruction& instruction) {
  return instruction.name == "blr" || (instruction.name.rfind("call", 0) == 0 &&
                                       instruction.operands.find('*') != std::string::npos);
}

bool is_call(const Instruction& instruction) {
  return instruction.name.rfind("call", 0) == 0 || instruction.name == "bl" ||
         instruction.name == "blr";
}

bool is_branch(const Instruction& instruction) {
  return instruction.name[0] == 'j' || instruction.name == "b" ||
         instruction.name.rfind("b.", 0) == 0 || instruction.name.rfind("cb", 0) == 0;
}

/// Where a branch goes: the last hexadecimal word before "<run_calls+0x40>".
std::optional<unsigned long> target_of(const Instruction& branch) {
  const std::size_t label = branch.operands.find(" <");
  if (label == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t start = branch.operands.find_last_of(" \t,", label - 1) + 1;
  return std::stoul(branch.operands.substr(start, label - start), nullptr, 16);
}

/// From the target of a backward branch to the branch, where an indirect call lies between.
std::vector<Instruction> find_loop(const std::vector<Instruction>& all) {
  for (const Instruction& branch : all) {
    const auto target = is_branch(branch) ? target_of(branch) : std::nullopt;
    std::vector<Instruction> loop;
    bool has_call = false;
    for (const Instruction& instruction : all) {
      if (target && instruction.address >= *target && instruction.address <= branch.address) {
        loop.push_back(instruction);
        has_call = has_call || is_indirect_call(instruction);
      }
    }
    if (has_call) {
      return loop;
    }
  }
  return {};
}

TEST(TimedLoop, is_one_indirect_call_and_at_most_twelve_instructions) {
  const std::vector<Instruction> loop = find_loop(disassemble());
  std::size_t calls = 0;
  for (const Instruction& instruction : loop) {
    calls += is_call(instruction) ? 1U : 0U;
  }
  std::cout << "the timed loop has " << loop.size() << " instructions\n";
  EXPECT_EQ(calls, 1U);
  EXPECT_GE(loop.size(), 3U);  // a call, a comparison, a branch
  EXPECT_LE(loop.size(), 12U);
}

}  // namespace
