// SPDX-License-Identifier: MIT
// See submission/build_needs.h.
#include "submission/build_needs.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace hashprof::submission {

namespace {

namespace fs = std::filesystem;

std::string file_name(const fs::path& file) { return text::printable(file.filename().native()); }

class Needs {
 public:
  Needs(Library& library, Implementation& out) : library_(library), out_(out) {}

  /// A .c file that takes in a C++ header has to be compiled as C++.
  void choose_language(const Reach& reach) {
    bool needs_gnu = false;
    out_.language = "c99";
    for (const fs::path& file : reach.files) {
      const SourceFacts& facts = library_.facts(file);
      needs_gnu = needs_gnu || facts.has_word("asm") || facts.has_word("typeof");
      if (file.extension() != ".c") {
        continue;
      }
      for (const auto* names : {&facts.quoted_includes, &facts.system_includes}) {
        const auto cxx = std::find_if(names->begin(), names->end(), is_cxx_header);
        if (cxx != names->end() && !catalog::is_cxx_language(out_.language)) {
          out_.language = "c++17";
          unsure(file_name(file) + " includes " + text::printable(*cxx) +
                 ": its .c files are compiled as C++17");
        }
      }
    }
    if (needs_gnu) {
      out_.language = out_.language == "c99" ? "gnu99" : "gnu++17";
      unsure("the words asm or typeof are of GNU C: language " + out_.language);
    }
  }

  void choose_libraries(const Reach& reach) {
    static constexpr std::array<std::string_view, 14> kMath = {
        "sqrt",  "pow",  "log", "log2", "log10", "exp",   "ceil",
        "floor", "fabs", "sin", "cos",  "tan",   "round", "cbrt"};
    bool needs_crypto = false;
    bool needs_math = false;
    for (const fs::path& file : reach.files) {
      const SourceFacts& facts = library_.facts(file);
      for (const std::string& name : facts.system_includes) {
        needs_crypto = needs_crypto || name.rfind("openssl/", 0) == 0;
        needs_math = needs_math ||
                     ((name == "math.h" || name == "cmath") &&
                      std::any_of(kMath.begin(), kMath.end(),
                                  [&](std::string_view word) { return facts.has_word(word); }));
      }
    }
    if (needs_crypto) {
      out_.libraries.emplace_back("crypto");
    }
    if (needs_math) {
      out_.libraries.emplace_back("m");
    }
  }

  void choose_cpu(const Reach& reach) {
    struct Rule {
      std::string_view prefix;
      const char* feature;
      const char* flag;
    };
    static constexpr std::array<Rule, 6> kRules = {{{"_mm512_", "avx512f", "-mavx512f"},
                                                    {"_mm256_", "avx2", "-mavx2"},
                                                    {"_mm_aes", "aes", "-maes"},
                                                    {"_mm_clmul", "pclmulqdq", "-mpclmul"},
                                                    {"_mm_sha", "sha_ni", "-msha"},
                                                    {"_mm_shuffle_epi8", "ssse3", "-mssse3"}}};
    for (const Rule& rule : kRules) {
      const bool is_used = std::any_of(
          reach.files.begin(), reach.files.end(),
          [&](const fs::path& file) { return library_.facts(file).has_word_prefix(rule.prefix); });
      if (is_used) {
        out_.needs_cpu.emplace_back(rule.feature);
        out_.cflags.emplace_back(rule.flag);
      }
    }
    if (!out_.needs_cpu.empty()) {
      unsure("it calls intrinsics of " + text::join(out_.needs_cpu, ", ") + ": compiled with " +
             text::join(out_.cflags, " "));
    }
  }

  void find_own_types(const Reach& reach) {
    for (const fs::path& file : reach.files) {
      const auto& types = library_.facts(file).stdint_types;
      if (!types.empty() && is_header(file)) {
        out_.suggested_header = file;
        unsure(file_name(file) + " defines " + types.front() +
               " itself: if it does not compile, add header");
        return;
      }
    }
  }

 private:
  void unsure(std::string line) { out_.unsure.push_back(std::move(line)); }

  Library& library_;
  Implementation& out_;
};

}  // namespace

bool is_header(const fs::path& file) {
  const std::string extension = file.extension().native();
  return extension == ".h" || extension == ".hpp" || extension == ".hh" || extension == ".inc";
}

void find_needs(Library& library, const Reach& reach, Implementation& implementation) {
  Needs needs(library, implementation);
  needs.choose_language(reach);
  needs.choose_libraries(reach);
  needs.choose_cpu(reach);
  needs.find_own_types(reach);
}

}  // namespace hashprof::submission
