// SPDX-License-Identifier: MIT
// usage: hash_family_test HASH_YAML [gtest options]
// Catches a hash that is wrong at some length or output length, reads or writes past its buffers,
// depends on bits beyond the message, relies on undefined behaviour, or differs between variants.
// Each variant of each instance is compiled into a sanitised library of its own; every buffer has
// exactly the size that a call may touch.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>

#include "../unit/temporary_folder.h"
#include "catalog/family.h"
#include "kat/vectors.h"
#include "toolchain/process.h"

namespace hashprof {
namespace {

using Bytes = std::vector<std::uint8_t>;
using HashFunction = int (*)(int, const unsigned char*, unsigned long long, unsigned char*);

constexpr std::uint64_t kLongestBits = 4200;

/// Clears what lies beyond `bits` in the last byte, or sets it.
void set_surplus(Bytes& bytes, std::uint64_t bits, bool is_set) {
  if (bits % 8 != 0) {
    const auto surplus = static_cast<std::uint8_t>(0xffU >> (bits % 8));
    bytes.back() =
        static_cast<std::uint8_t>(is_set ? bytes.back() | surplus : bytes.back() & ~surplus);
  }
}

/// One variant, compiled and loaded.
class Implementation {
 public:
  Implementation(const catalog::Instance& instance, const catalog::InstanceVariant& variant,
                 const std::filesystem::path& folder)
      : variant_(variant.name),
        digest_bits_(instance.digest_bits),
        xof_(variant.xof),
        takes_bytes_(instance.takes_bytes) {
    compile(variant.settings, folder);
    void* const library = dlopen((folder / "hash.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      throw std::runtime_error(dlerror());
    }
    function_ = reinterpret_cast<HashFunction>(dlsym(library, variant.settings.entry.c_str()));
  }

  [[nodiscard]] const std::string& variant() const { return variant_; }
  [[nodiscard]] bool is_any_length() const { return xof_ == catalog::Xof::any; }
  [[nodiscard]] std::uint32_t digest_bits() const { return digest_bits_; }
  /// Whether it can give that many bits, be it by a longer output.
  [[nodiscard]] bool can_give(std::uint64_t output_bits) const {
    if (takes_bytes_ && (output_bits == 0 || output_bits % 8 != 0)) {
      return false;
    }
    return is_any_length() || output_bits == digest_bits_ ||
           (xof_ == catalog::Xof::fixed && output_bits < digest_bits_);
  }

  /// The first `output_bits` of what it writes; the unused bits of the last byte are 0.
  [[nodiscard]] Bytes digest_of(const Bytes& message, std::uint64_t bits,
                                std::uint64_t output_bits) const {
    const std::uint64_t asked = is_any_length() ? output_bits : digest_bits_;
    const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[message.size()]);
    std::copy(message.begin(), message.end(), exact.get());
    const std::unique_ptr<std::uint8_t[]> out(new std::uint8_t[(asked + 7) / 8]);
    EXPECT_EQ(function_(static_cast<int>(asked), message.empty() ? nullptr : exact.get(), bits,
                        out.get()),
              0)
        << variant_ << ", " << bits << " bits";
    EXPECT_TRUE(std::equal(message.begin(), message.end(), exact.get()))
        << variant_ << " changed its message of " << bits << " bits";
    Bytes digest(out.get(), out.get() + (output_bits + 7) / 8);
    if (!is_any_length()) {
      set_surplus(digest, output_bits, false);
    }
    return digest;
  }

 private:
  static void compile(const catalog::BuildSettings& settings, const std::filesystem::path& folder) {
    toolchain::Command command;
    command.arguments = {"/usr/bin/gcc",
                         "-std=" + settings.language,
                         "-O1",
                         "-g1",
                         "-fPIC",
                         "-shared",
                         "-Wpedantic",
                         "-Wall",
                         "-Wextra",
                         "-Wconversion",
                         "-Wshadow",
                         "-Werror",
                         "-fsanitize=address,undefined",
                         "-fno-sanitize-recover=all"};
    for (const auto& [name, value] : settings.define) {
      command.arguments.push_back("-D" + name + "=" + value);
    }
    for (const auto& path : settings.include) {
      command.arguments.push_back("-I" + path.native());
    }
    for (const auto& path : settings.sources) {
      command.arguments.push_back(path.native());
    }
    command.arguments.insert(command.arguments.end(), {"-o", "hash.so"});
    for (const auto& library : settings.libraries) {
      command.arguments.push_back("-l" + library);
    }
    command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    command.folder = folder;
    command.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    const toolchain::Outcome outcome = toolchain::run(command);
    if (!outcome.is_success()) {
      throw std::runtime_error(outcome.output);
    }
  }

  std::string variant_;
  std::uint32_t digest_bits_;
  std::optional<catalog::Xof> xof_;
  bool takes_bytes_;
  HashFunction function_ = nullptr;
};

/// One instance with all its variants; the rows of the family's vector files that are its own.
class Hashes : public ::testing::Test {
 public:
  Hashes(const catalog::Family& family, const catalog::Instance& instance)
      : family_(family), instance_(instance) {}

 protected:
  void SetUp() override {
    for (const catalog::InstanceVariant& variant : instance_.variants) {
      const auto folder = folder_.path() / variant.name;
      std::filesystem::create_directory(folder);
      implementations_.emplace_back(instance_, variant, folder);
    }
    ASSERT_FALSE(implementations_.empty());
    for (const auto& file : family_.vector_files) {
      for (kat::Vector& vector : kat::load_vectors(file)) {
        if (vector.instance == instance_.name) {
          vectors_.push_back(std::move(vector));
        }
      }
    }
  }

  const catalog::Family& family_;
  const catalog::Instance& instance_;
  TemporaryFolder folder_;
  std::vector<Implementation> implementations_;
  std::vector<kat::Vector> vectors_;
};

class EveryRow : public Hashes {
 public:
  using Hashes::Hashes;
  void TestBody() override {
    std::size_t longest = 0;
    for (const Implementation& implementation : implementations_) {
      std::size_t rows = 0;
      for (const kat::Vector& vector : vectors_) {
        if (!implementation.can_give(vector.output_bits)) {
          continue;
        }
        ++rows;
        EXPECT_EQ(implementation.digest_of(vector.message, vector.message_bits, vector.output_bits),
                  vector.digest)
            << vector.file << ":" << vector.line << " " << implementation.variant();
      }
      std::cout << family_.id << " " << instance_.name << " " << implementation.variant() << ": "
                << rows << " of " << vectors_.size() << " rows\n";
      longest = std::max(longest, rows);
    }
    EXPECT_EQ(longest, vectors_.size()) << "a row that no variant can give proves nothing";
    EXPECT_GE(longest, 10U);
  }
};

/// Each length from 0 to 4200 bits, or whole bytes where it takes these: equal in all variants and
/// whatever lies beyond the last bit, while the last bit itself counts.
class EveryLength : public Hashes {
 public:
  using Hashes::Hashes;
  void TestBody() override {
    const std::uint32_t output = instance_.digest_bits;
    const std::uint64_t step = instance_.takes_bytes ? 8 : 1;
    for (std::uint64_t bits = 0; bits <= kLongestBits; bits += step) {
      Bytes message = kat::pattern_message((bits + 7) / 8);
      set_surplus(message, bits, false);
      const Bytes digest = implementations_.front().digest_of(message, bits, output);
      for (const Implementation& implementation : implementations_) {
        set_surplus(message, bits, true);
        ASSERT_EQ(implementation.digest_of(message, bits, output), digest)
            << implementation.variant() << ", " << bits << " bits";
      }
      if (bits > 0) {
        message.back() = static_cast<std::uint8_t>(message.back() ^ (0x80U >> ((bits - 1) % 8)));
        ASSERT_NE(implementations_.front().digest_of(message, bits, output), digest)
            << bits << " bits";
      }
    }
  }
};

/// Each output length up to 4200 bits of an extendable-output function: equal in all variants, and
/// the same as the start of the longest if the specification says so of the declared output.
class EveryOutput : public Hashes {
 public:
  using Hashes::Hashes;
  void TestBody() override {
    const Bytes message = kat::pattern_message(100);
    for (std::uint64_t output = 0; output <= kLongestBits; ++output) {
      std::optional<Bytes> first;
      for (const Implementation& implementation : implementations_) {
        if (implementation.can_give(output)) {
          const Bytes digest = implementation.digest_of(message, 800, output);
          ASSERT_EQ(digest, first.value_or(digest)) << implementation.variant() << ", " << output;
          first = digest;
        }
      }
    }
  }
};

template <typename Test>
void add(const char* topic, const catalog::Family& family, const catalog::Instance& instance) {
  ::testing::RegisterTest(instance.name.c_str(), topic, nullptr, nullptr, __FILE__, __LINE__,
                          [&family, &instance]() -> Hashes* { return new Test(family, instance); });
}

bool is_xof(const catalog::Instance& instance) {
  return std::any_of(instance.variants.begin(), instance.variants.end(),
                     [](const auto& variant) { return variant.xof == catalog::Xof::any; });
}

}  // namespace
}  // namespace hashprof

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    std::cerr << "usage: hash_family_test HASH_YAML [gtest options]\n";
    return 2;
  }
  const hashprof::catalog::Family family = hashprof::catalog::load_family(argv[1]);
  for (const auto& instance : family.instances) {
    hashprof::add<hashprof::EveryRow>("every_row", family, instance);
    hashprof::add<hashprof::EveryLength>("every_length", family, instance);
    if (hashprof::is_xof(instance)) {
      hashprof::add<hashprof::EveryOutput>("every_output", family, instance);
    }
  }
  return RUN_ALL_TESTS();
}
