// SPDX-License-Identifier: MIT
// Catches a call graph of other code than the library's, and a bound below what a painted stack
// shows of real code.
#include "toolchain/stack_bound.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "base/text.h"
#include "catalog/family.h"
#include "toolchain_fixture.h"

namespace hashprof::toolchain {
namespace {

#if defined(__x86_64__)

using StackBounds = Toolchain;

const std::map<std::string, std::uint64_t> kDepths{{"memcpy", 8}, {"memset", 8},   {"memmove", 8},
                                                   {"memcmp", 8}, {"malloc", 400}, {"calloc", 400},
                                                   {"free", 400}, {"printf", 2500}};

constexpr const char* kSignature =
    "int CryptHash(int n, const unsigned char *m, unsigned long long l, unsigned char *d)\n";

/// Bytes that a call of the entry writes below the stack pointer before the call instruction, on a
/// stack of its own: the lowest byte that is not paint any more.
std::uint64_t painted(const std::filesystem::path& library, std::uint64_t digest_bits = 1) {
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << ::dlerror();
  void* const entry = ::dlsym(handle, "CryptHash");
  EXPECT_NE(entry, nullptr);
  constexpr unsigned char kPaint = 0xa5;
  std::vector<unsigned char> stack(std::size_t{1} << 18U, kPaint);
  // 16 bytes aligned and not 32, so that a function which aligns further has to skip most.
  const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(stack.data());
  const std::uintptr_t top = ((start + stack.size()) & ~std::uintptr_t{511}) - 16;
  std::array<unsigned char, 256> digest{};
  std::array<unsigned char, 256> message{};
  std::uintptr_t first = digest_bits;  // NOLINT(misc-const-correctness): the call may change it
  const unsigned char* second = message.data();
  std::uintptr_t third = message.size() * 8;  // NOLINT(misc-const-correctness): the same
  unsigned char* fourth = digest.data();
  __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %[top], %%rsp\n\tcall *%[entry]\n\tmovq %%rbx, %%rsp"
                   : "+D"(first), "+S"(second), "+d"(third), "+c"(fourth)
                   : [top] "r"(top), [entry] "r"(entry)
                   : "rax", "rbx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
                     "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                     "xmm14", "xmm15", "memory", "cc");
  const auto deepest =
      std::find_if(stack.begin(), stack.end(), [](unsigned char byte) { return byte != kPaint; });
  EXPECT_EQ(::dlclose(handle), 0);
  return top - (start + static_cast<std::uintptr_t>(deepest - stack.begin()));
}

/// A graph that must be there.
CallGraph graph_of(const CallGraphResult& result) {
  EXPECT_TRUE(result.graph.has_value()) << result.reason;
  return result.graph.value_or(CallGraph{});
}

TEST_F(StackBounds, frames_of_known_arrays_add_up) {
  const BuildRequest made = request(
      {write("src/a.c", std::string("#include <string.h>\n") +
                            "__attribute__((noinline)) static void inner(unsigned char *d) {\n"
                            "  volatile unsigned char a[1000]; a[d[0]] = 1; d[1] = a[d[2]]; \n"
                            "  __asm__ volatile(\"\" ::: \"memory\"); }\n" +
                            kSignature +
                            "{ unsigned char b[2000]; memset(b, n, l); b[0] = m[0];\n"
                            "  inner(b); memcpy(d, b, 32); return 0; }\n")});
  const BuildResult built = build(made, std::nullopt);
  ASSERT_TRUE(built.is_built) << built.reason;
  const CallGraph graph = graph_of(make_call_graph(made, built));
  EXPECT_EQ(graph.library_sha256, built.library_sha256);
  EXPECT_EQ(graph.red_zone_bytes, 128U);
  EXPECT_EQ(graph.alignment_bytes, 0U);
  const StackBound bound = bound_stack(graph, "CryptHash", kDepths);
  ASSERT_TRUE(bound.bytes) << bound.reason;
  EXPECT_EQ(bound.path, (std::vector<std::string>{"CryptHash", "d0/a.c:inner"}));
  EXPECT_GE(bound.bytes.value_or(0), 3000U + 16);
  EXPECT_LE(bound.bytes.value_or(0), 3000U + 16 + 256);
  EXPECT_TRUE(bound_stack(graph, "CryptHash", {}).reason.find("of another library") !=
              std::string::npos);
}

TEST_F(StackBounds, the_library_and_its_log_are_left_as_they_are) {
  const BuildRequest made = request({write("src/a.c", kEntrySource)});
  const BuildResult built = build(made, std::nullopt);
  const auto before = tree();
  EXPECT_FALSE(graph_of(make_call_graph(made, built)).functions.empty());
  EXPECT_EQ(tree(), before);
  EXPECT_TRUE(stands(built, made));
}

TEST_F(StackBounds, with_lto_the_graph_is_that_of_the_linked_code) {
  BuildRequest made = request(
      {write("src/a.c", std::string("int step(int x);\n") + kSignature +
                            "{ (void)m; d[0] = (unsigned char)(l + (unsigned)step(n)); return 0; "
                            "}\n"),
       write("src/b.c",
             "int step(int x);\n__attribute__((noinline)) int step(int x) { volatile char a[777]; "
             "a[x] = 3;\n"
             "  return a[x / 2]; }\n")});
  made.profile.flags.emplace_back("-flto");
  const BuildResult built = build(made, std::nullopt);
  ASSERT_TRUE(built.is_built) << built.reason;
  const CallGraph graph = graph_of(make_call_graph(made, built));
  const StackBound bound = bound_stack(graph, "CryptHash", {});
  EXPECT_EQ(bound.path, (std::vector<std::string>{"CryptHash", "d0/b.c:step"}));
  EXPECT_GE(bound.bytes.value_or(0), 777U);
  made.profile.flags.emplace_back("-ffat-lto-objects");
  const BuildResult fat = build(made, std::nullopt);
  const CallGraph of_fat = graph_of(make_call_graph(made, fat));
  EXPECT_EQ(bound_stack(of_fat, "CryptHash", {}).bytes, bound.bytes);
}

TEST_F(StackBounds, are_never_below_a_painted_stack) {
  struct Case {
    const char* name;
    const char* body;
    std::vector<std::string> flags;
    std::uint64_t least;  ///< that the arrays alone take
  };
  const std::vector<Case> cases = {
      {"leaf_in_the_red_zone",
       "{ volatile char a[120]; (void)m; (void)l; n &= 63; for (int i = 0; i < 120; ++i) a[i] = "
       "(char)n;\n"
       "  d[0] = (unsigned char)a[n]; return 0; }\n",
       {},
       128},
      {"vectors_of_32_bytes",
       "{ typedef long long v4 __attribute__((vector_size(32))); v4 a[4]; (void)m; (void)l;\n"
       "  a[0] = (v4){n, n, n, n}; __asm__ volatile(\"\" :: \"r\"(a) : \"memory\");\n"
       "  for (int i = 0; i < 128; ++i) ((volatile char *)a)[i] = 1;\n"
       "  d[0] = (unsigned char)a[n & 3][0]; return 0; }\n",
       {"-mavx2"},
       128},
      {"objects_aligned_to_256",
       "{ volatile _Alignas(256) char a[300]; (void)m; (void)l;\n"
       "  for (int i = 0; i < 300; ++i) a[i] = 1;\n"
       "  d[0] = (unsigned char)a[n & 63]; return 0; }\n",
       {},
       300}};
  for (const Case& each : cases) {
    BuildRequest made = request(
        {write(std::string("src/") + each.name + ".c", std::string(kSignature) + each.body)});
    made.settings.language = "gnu11";
    made.settings.cflags = each.flags;
    made.library = folder_ / "run/lib" / (std::string(each.name) + ".so");
    const BuildResult built = build(made, std::nullopt);
    ASSERT_TRUE(built.is_built) << built.reason;
    const CallGraph graph = graph_of(make_call_graph(made, built));
    const StackBound bound = bound_stack(graph, "CryptHash", {});
    ASSERT_TRUE(bound.bytes) << bound.reason;
    const std::uint64_t seen = painted(made.library);
    EXPECT_LE(seen, bound.bytes.value_or(0)) << each.name;
    EXPECT_GE(seen, each.least) << each.name;
  }
}

TEST_F(StackBounds, thread_local_storage_is_a_call_that_is_not_overlooked) {
  const BuildRequest made = request(
      {write("src/a.c",
             std::string("__thread int state;\n") + kSignature +
                 "{ (void)m; (void)l; state += n; d[0] = (unsigned char)state; return 0; }\n")});
  const BuildResult built = build(made, std::nullopt);
  const CallGraph graph = graph_of(make_call_graph(made, built));
  // Where the linker turns the call into an access of its own there is nothing to overlook.
  const auto imports = output_of({"/usr/bin/nm", "-D", "-u", made.library.native()});
  const bool is_call = imports.find("__tls_get_addr") != std::string::npos;
  EXPECT_EQ(bound_stack(graph, "CryptHash", {}).reason.empty(), !is_call);
}

TEST_F(StackBounds, are_absent_with_a_reason_where_the_compiler_knows_none) {
  const auto source = write("src/a.c", kEntrySource);
  const BuildRequest made = request({source});
  const BuildResult built = build(made, std::nullopt);
  const auto reason_of = [&](const BuildRequest& changed) {
    return make_call_graph(changed, built).reason;
  };
  BuildRequest changed = made;
  changed.compiler.version = "Debian clang version 14.0.6";
  EXPECT_EQ(reason_of(changed), "clang gives no call graph (-fcallgraph-info)");
  changed = made;
  changed.compiler.target = "aarch64-linux-gnu";
  EXPECT_EQ(reason_of(changed),
            "what gcc's figures of the stack leave out is known for x86-64 only, not for "
            "aarch64-linux-gnu");
  changed = made;
  changed.settings.library = "/x.so";
  EXPECT_EQ(reason_of(changed), "the library came built: its sources are not here");
  changed = made;
  changed.compiler.path = "";
  EXPECT_EQ(reason_of(changed), "the compiler that built the library is not here");
  changed = made;
  changed.settings.sources.emplace_back("/x.S");
  EXPECT_EQ(reason_of(changed), "'x.S' is in assembler, of which the compiler knows no stack");
  changed = made;
  changed.settings.define = {{"X", "1"}};
  EXPECT_EQ(reason_of(changed),
            "the library was built by other commands than those of this request");
  BuildResult failed = built;
  failed.is_built = false;
  EXPECT_EQ(make_call_graph(made, failed).reason, "the library was not built");
  (void)write("src/a.c", std::string(kEntrySource) + "\n");
  EXPECT_EQ(reason_of(made), source.native() + " changed since the library was built");
}

TEST_F(StackBounds, are_absent_where_the_library_would_be_another_one) {
  BuildRequest made = request({write("src/a.c", kEntrySource)});
  made.settings.cflags = {"-g"};
  const BuildResult built = build(made, std::nullopt);
  EXPECT_EQ(make_call_graph(made, built).reason,
            "gcc makes another library with -fcallgraph-info=su than without it (debugging "
            "information records the flags)");
}

/// One line a reference instance: bound, path and functions of libc.
std::string line_of(const std::string& name, std::uint64_t seen, const StackBound& bound) {
  std::string line = name + ": observed " + std::to_string(seen) + ", bound ";
  line += bound.bytes ? std::to_string(*bound.bytes) : "- (" + bound.reason + ")";
  line += " | " + text::join(bound.path, " > ") + " |";
  for (const ExternalCall& external : bound.externals) {
    line += " " + external.name;
  }
  return line + "\n";
}

TEST_F(StackBounds, exist_for_the_reference_of_every_instance) {
  std::size_t count = 0;
  std::string table;
  for (const char* id : {"hash-14", "hash-16", "hash-26", "hash-33"}) {
    const catalog::Family family = catalog::load_family(std::filesystem::path(HASHPROF_SOURCE_DIR) /
                                                        "hashes" / id / "hash.yaml");
    for (const catalog::Instance& instance : family.instances) {
      BuildRequest made = request({});
      made.settings = instance.variants.front().settings;
      made.digest_bits = instance.digest_bits;
      made.library = folder_ / "run/lib" / (instance.name + ".so");
      made.compiler = identify_compiler("gcc", needs_cxx(made.settings));
      ASSERT_EQ(instance.variants.front().name, "reference");
      const BuildResult built = build(made, std::nullopt);
      ASSERT_TRUE(built.is_built) << built.reason;
      const CallGraph graph = graph_of(make_call_graph(made, built));
      const StackBound bound = bound_stack(graph, made.settings.exported(), kDepths);
      EXPECT_TRUE(bound.bytes) << instance.name << ": " << bound.reason;
      const std::uint64_t seen = painted(made.library, instance.digest_bits);
      EXPECT_LE(seen, bound.bytes.value_or(0)) << instance.name;
      table += line_of(instance.name, seen, bound);
      ++count;
    }
  }
  EXPECT_EQ(count, 16U);
  std::cout << table;
}

#endif

}  // namespace
}  // namespace hashprof::toolchain
