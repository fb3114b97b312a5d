// SPDX-License-Identifier: MIT
// Catches a timed loop, or a sample of a single call, that costs more than the call: what the
// compiler made of them is disassembled and counted.
#include <gtest/gtest.h>

#include <algorithm>
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
std::vector<Instruction> disassemble(const std::string& function) {
  const std::string command =
      "objdump -d --no-show-raw-insn --disassemble=" + function + " '" HASHPROF_WORKER "'";
  std::FILE* pipe = ::popen(command.c_str(), "r");
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

std::size_t count_calls(const std::vector<Instruction>& instructions) {
  return static_cast<std::size_t>(std::count_if(instructions.begin(), instructions.end(), is_call));
}

TEST(TimedLoop, is_one_indirect_call_and_at_most_twelve_instructions) {
  const std::vector<Instruction> loop = find_loop(disassemble("run_calls"));
  std::cout << "the timed loop has " << loop.size() << " instructions\n";
  EXPECT_EQ(count_calls(loop), 1U);
  EXPECT_GE(loop.size(), 3U);  // a call, a comparison, a branch
  EXPECT_LE(loop.size(), 12U);
}

TEST(TimedLoop, of_calls_that_wait_is_one_indirect_call_too) {
  const std::vector<Instruction> loop = find_loop(disassemble("run_waiting_calls"));
  std::cout << "the timed loop of latency has " << loop.size() << " instructions\n";
  EXPECT_EQ(count_calls(loop), 1U);
  EXPECT_GE(loop.size(), 5U);
  EXPECT_LE(loop.size(), 16U);
}

/// From one read of the counter to the next in the text of a function, both included.
std::vector<Instruction> between_reads(const std::vector<Instruction>& all) {
  std::vector<Instruction> between;
  for (const Instruction& instruction : all) {
    const bool is_read = instruction.name == "rdpmc" || instruction.name == "mrs";
    if (is_read || !between.empty()) {
      between.push_back(instruction);
    }
    if (is_read && between.size() > 1) {
      return between;
    }
  }
  return {};
}

TEST(Sample, is_two_reads_and_one_indirect_call_between_them) {
  for (const char* function : {"sample_user_calls", "sample_user_waiting_calls"}) {
    const std::vector<Instruction> between = between_reads(disassemble(function));
    std::cout << function << ": " << between.size() << " instructions from read to read\n";
    ASSERT_FALSE(between.empty()) << function;
    EXPECT_EQ(count_calls(between), 1U) << function;
    EXPECT_FALSE(find_loop(between).empty()) << function;  // the calls of a batch
    EXPECT_LE(between.size(), 60U) << function;
  }
}

}  // namespace
