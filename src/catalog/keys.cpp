// SPDX-License-Identifier: MIT
// See catalog/keys.h.
#include "catalog/keys.h"

namespace hashprof::catalog {

const std::vector<yaml::Key>& documented_keys() {
  static const std::vector<yaml::Key> keys = {
      {"hashprof", "version of this format: 1"},
      {"id", "name of the family in file names and reports"},
      {"name", "full name of the family"},
      {"category", "what the reports say it is"},
      {"api", "programming interface of the sources"},
      {"messages", "whether every instance takes messages of any number of bits"},
      {"variants", "implementations of each instance, by name"},
      {"variants.VARIANT.class", "reference, optimized or asm"},
      {"variants.VARIANT.needs_cpu", "CPU features the variant needs"},
      {"variants.VARIANT.build", "build settings of this variant"},
      {"build", "build settings of every variant of every instance"},
      {"build.sources", "files to compile, or folders of them"},
      {"build.include", "folders of header files"},
      {"build.language", "C or C++ standard of the sources"},
      {"build.define", "macros, by name"},
      {"build.cflags", "further compiler flags"},
      {"build.cxxflags", "further compiler flags of C++ sources"},
      {"build.libraries", "libraries to link"},
      {"build.header", "a header that every source includes first"},
      {"build.entry", "the function to call"},
      {"instances", "the functions of the family, by name"},
      {"instances.INSTANCE.digest_bits", "length of the digest"},
      {"instances.INSTANCE.block", "bytes the function takes in at a time"},
      {"instances.INSTANCE.messages", "the same for one instance"},
      {"instances.INSTANCE.xof", "which output lengths an extendable-output function gives"},
      {"instances.INSTANCE.library", "a library that is already built"},
      {"instances.INSTANCE.build", "build settings of every variant of this instance"},
      {"instances.INSTANCE.variants", "variants of this instance and their build settings"},
      {"instances.INSTANCE.variants.VARIANT.xof", "the same for one variant"},
      {"instances.INSTANCE.variants.VARIANT.library", "the same for one variant"},
      {"kat", "known answers"},
      {"kat.vectors", "files of test vectors"},
      {"kat.manifest", "digests of the known-answer files"},
      {"kat.names", "names of the instances in the names of the known-answer files"},
  };
  return keys;
}

const std::vector<yaml::Key>& variant_keys() {
  static const std::vector<yaml::Key> keys = [] {
    constexpr std::string_view kBuild = "build.";
    constexpr std::string_view kVariant = "instances.INSTANCE.variants.VARIANT.";
    std::vector<yaml::Key> out;
    for (yaml::Key key : documented_keys()) {
      const std::string path(key.path);
      if (path.starts_with(kBuild)) {
        key.path = std::string(kVariant) + path.substr(kBuild.size());
        out.push_back(key);
      } else if (path.starts_with(kVariant)) {
        out.push_back(key);
      }
    }
    return out;
  }();
  return keys;
}

}  // namespace hashprof::catalog
