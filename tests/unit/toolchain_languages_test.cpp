// SPDX-License-Identifier: MIT
// Catches C++ that is compiled as C, a header that does not come first, a function of SUPERCOP that
// gets lengths in bits, and a library that came built and is not the one that is measured.
#include <dlfcn.h>

#include <cstring>

#include <array>

#include "toolchain_fixture.h"

namespace hashprof::toolchain {
namespace {

using HashFunction = int (*)(int, const unsigned char*, unsigned long long, unsigned char*);

class Languages : public Toolchain {
 protected:
  BuildRequest cxx_request(std::vector<std::filesystem::path> sources) {
    BuildRequest made = request(std::move(sources));
    made.compiler = identify_compiler("gcc", true);
    return made;
  }
  /// First byte of the digest of a message of `bits` bits, and what was returned.
  static std::pair<int, int> call(const std::filesystem::path& library, const char* entry,
                                  int digest_bits, unsigned long long bits) {
    void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(handle, nullptr) << ::dlerror();
    if (handle == nullptr) {
      return {0, 0};
    }
    HashFunction function = nullptr;
    void* const symbol = ::dlsym(handle, entry);
    EXPECT_NE(symbol, nullptr);
    std::memcpy(&function, &symbol, sizeof function);
    std::array<unsigned char, 64> digest{};
    const std::array<unsigned char, 64> message{};
    const int returned = function(digest_bits, message.data(), bits, digest.data());
    ::dlclose(handle);
    return {returned, digest[0]};
  }
};

TEST_F(Languages, a_wrapper_in_c_that_needs_cxx_is_compiled_as_cxx) {
  write("src/core.hpp", "#include <array>\nint round_of(std::array<int, 2> state);\n");
  BuildRequest made = cxx_request(
      {write(
           "src/wrapper.c",
           "#include \"core.hpp\"\nextern \"C\" int CryptHash(int, const unsigned char*, unsigned "
           "long long l, unsigned char *d)\n{ d[0] = (unsigned char)round_of({(int)l, 1}); "
           "return 0; }\n"),
       write("src/core.cpp",
             "#include \"core.hpp\"\nint round_of(std::array<int, 2> state) { if constexpr (true) "
             "{ return state[0] + state[1]; } }\n")});
  made.settings.language = "c++17";
  made.settings.cxxflags = {"-fno-rtti"};
  made.digest_bits = 256;
  const BuildResult result = build(made, std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason << content(made.log);
  EXPECT_EQ(call(made.library, "CryptHash", 256, 8), std::pair(0, 9));
  EXPECT_EQ(exports_of(made.library), std::set<std::string>{"CryptHash"});
  EXPECT_EQ(result.commands.at(0).at(0), made.compiler.cxx_path);
  EXPECT_EQ(result.commands.back().at(0), made.compiler.cxx_path);
}

TEST_F(Languages, a_file_in_cxx_beside_c_keeps_each_its_language) {
  BuildRequest made = cxx_request(
      {write("src/a.c",
             "int other(int class);\nint CryptHash(int n, const unsigned char *m, unsigned long "
             "long l, unsigned char *d) { (void)n; (void)m; d[0] = other((int)l); return 0; }\n"),
       write("src/b.cc",
             "extern \"C\" int other(int x) { auto f = [](auto y) { return y + 1; }; "
             "return f(x); }\n")});
  const BuildResult result = build(made, std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  EXPECT_EQ(result.commands.at(0).at(1), "-std=c99");
  EXPECT_EQ(result.commands.at(1).at(1), "-std=c++17");
  EXPECT_EQ(call(made.library, "CryptHash", 8, 8), std::pair(0, 9));
}

TEST_F(Languages, an_entry_with_cxx_linkage_is_named) {
  const BuildRequest made =
      cxx_request({write("src/a.cpp",
                         "int CryptHash(int, const unsigned char*, unsigned long long, unsigned "
                         "char*) { return 0; }\n")});
  const BuildResult result = build(made, std::nullopt);
  EXPECT_FALSE(result.is_built);
  EXPECT_EQ(result.reason.find("gcc could not link: no source defines the entry 'CryptHash'; it "
                               "is there with C++ linkage, as CryptHash(int, unsigned char const*, "
                               "unsigned long long, unsigned char*): declare it extern \"C\"; all"),
            0U)
      << result.reason;
}

TEST_F(Languages, a_header_comes_before_everything_else) {
  // Switches <stdint.h> off, as sources do that bring their own types.
  write("src/own.h",
        "#ifndef OWN_H\n#define OWN_H\n#define _STDINT_H 1\ntypedef unsigned int "
        "uint32_t;\ntypedef unsigned char uint8_t;\n#endif\n");
  BuildRequest made = request(
      {write("src/a.c",
             "#include <stdint.h>\n#include \"own.h\"\nint CryptHash(int n, const uint8_t *m, "
             "unsigned long long l, uint8_t *d) { (void)n; (void)m; uint32_t x = (uint32_t)l; "
             "d[0] = (uint8_t)x; return 0; }\n")});
  write("src/clash.h", "typedef unsigned int uint64_t;\n");
  EXPECT_TRUE(build(made, std::nullopt).is_built);
  made.settings.header = folder_ / "src/clash.h";
  EXPECT_FALSE(build(made, std::nullopt).is_built) << "it was not included first";
  made.settings.header = folder_ / "src/own.h";
  const BuildResult result = build(made, std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason;
  EXPECT_EQ(result.inputs.size(), 2U);
  made.settings.header = folder_ / "src/none.h";
  EXPECT_EQ(build(made, std::nullopt).reason,
            "header '" + (folder_ / "src/none.h").native() + "': no such file");
}

TEST_F(Languages, a_function_of_supercop_gets_bytes_and_refuses_what_it_cannot_have) {
  write("src/api.h", "#define CRYPTO_BYTES 32\n");
  BuildRequest made = request(
      {write("src/hash.c",
             "#include \"api.h\"\n#include \"crypto_hash.h\"\n#include \"crypto_uint32.h\"\n"
             "#if CRYPTO_BYTES != crypto_hash_BYTES\n#error length\n#endif\n"
             "int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long "
             "inlen) { crypto_uint32 x = (crypto_uint32)inlen; (void)in; out[0] = (unsigned "
             "char)x; return 0; }\n")});
  made.settings.api = catalog::Api::supercop;
  made.settings.entry = "crypto_hash";
  made.digest_bits = 256;
  const BuildResult result = build(made, std::nullopt);
  ASSERT_TRUE(result.is_built) << result.reason << content(made.log);
  EXPECT_EQ(exports_of(made.library), std::set<std::string>{"hashprof_crypto_hash"});
  EXPECT_EQ(call(made.library, "hashprof_crypto_hash", 256, 80), std::pair(0, 10));
  EXPECT_EQ(call(made.library, "hashprof_crypto_hash", 256, 81).first, -1);
  EXPECT_EQ(call(made.library, "hashprof_crypto_hash", 512, 80).first, -1);
  EXPECT_EQ(result.inputs.size(), 2U) << "what is generated is no source";
  made.settings.entry = "crypto_hahs";
  EXPECT_NE(build(made, std::nullopt).reason.find("no source defines the entry 'crypto_hahs'"),
            std::string::npos);
}

TEST_F(Languages, a_library_that_came_built_is_copied_and_has_to_export_the_entry) {
  BuildRequest made = request({write("src/a.c", kEntrySource)});
  ASSERT_TRUE(build(made, std::nullopt).is_built);
  const std::filesystem::path prebuilt = folder_ / "lib x.so";
  std::filesystem::copy(made.library, prebuilt);
  made.settings.sources.clear();
  made.settings.library = prebuilt;
  made.compiler = {"none", "", "", ""};
  made.profile = {"prebuilt", {}, ""};
  const BuildResult first = build(made, std::nullopt);
  ASSERT_TRUE(first.is_built) << first.reason;
  EXPECT_EQ(first.library_sha256, first.inputs.at(0).sha256);
  EXPECT_TRUE(first.commands.empty());
  EXPECT_TRUE(build(made, first).is_reused);
  made.settings.entry = "CryptHahs";
  EXPECT_EQ(build(made, std::nullopt).reason,
            "lib x.so exports no 'CryptHahs'; did you mean 'CryptHash'?");
  made.settings.library = write("text.so", "no library");
  EXPECT_NE(build(made, std::nullopt).reason.find("text.so"), std::string::npos);
  made.settings.library = folder_ / "none.so";
  EXPECT_EQ(build(made, std::nullopt).reason,
            "library '" + (folder_ / "none.so").native() + "': no such file");
}

}  // namespace
}  // namespace hashprof::toolchain
