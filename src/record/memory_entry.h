// SPDX-License-Identifier: MIT
// RUN/memory/<family>/<label>.json: what the memory passes of one build saw, raw, and from what.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "record/memory_use.h"

namespace hashprof::record {

/// A value, or why there is none.
template <typename T>
struct Seen {
  std::optional<T> value;
  std::string reason;  ///< one line; empty if there is a value

  [[nodiscard]] static Seen of(T value) { return {std::move(value), {}}; }
  [[nodiscard]] static Seen absent(std::string reason) { return {std::nullopt, std::move(reason)}; }
  [[nodiscard]] bool operator==(const Seen&) const = default;
};

/// One stretch, each witness in a process of its own.
struct MemoryCall {
  Seen<HeapUse> meter;     ///< by hashprof-worker-heap, inside the process
  Seen<HeapUse> probes;    ///< by BPF probes on the libc of hashprof-worker, from outside
  Seen<PageUse> pages;     ///< of hashprof-worker
  Seen<WindowUse> window;  ///< of the same process as `pages`
  [[nodiscard]] bool operator==(const MemoryCall&) const = default;
};

/// A message and output length.
struct MemoryOperation {
  std::string operation;  ///< "hash_64", as cells are called
  std::uint64_t message_bytes = 0;
  std::optional<std::uint64_t> output_bytes;  ///< of a listed output; empty = digest_bits
  MemoryCall first;  ///< its first call; of the first operation the first of the process
  MemoryCall later;  ///< the call after it
  Seen<std::uint64_t> stack_bytes;
  [[nodiscard]] bool operator==(const MemoryOperation&) const = default;
};

/// A function outside the library that a stack bound counts with its measured depth.
struct ExternalDepth {
  std::string function;
  std::uint64_t bytes = 0;
  [[nodiscard]] bool operator==(const ExternalDepth&) const = default;
};

/// What the compiler's call graph bounds the stack of a call by.
struct StackBoundEntry {
  Seen<std::uint64_t> bytes;
  std::vector<std::string> path;  ///< functions of the deepest chain, the entry first
  std::vector<ExternalDepth> externals;
  [[nodiscard]] bool operator==(const StackBoundEntry&) const = default;
};

/// A figure of WindowUse that a machine does not have, by its name in JSON, and why.
struct AbsentFigure {
  std::string figure;
  std::string reason;
  [[nodiscard]] bool operator==(const AbsentFigure&) const = default;
};

struct MemoryEntry {
  std::string family_id;
  std::string label;
  std::string library;  ///< relative path
  std::string library_sha256;
  /// SHA-256 of what else the figures depend on: messages, outputs, limits, environment, and which
  /// witnesses were asked for, and by whom: root may have more of them.
  std::string question_sha256;
  std::string architecture;   ///< "x86-64", "AArch64"
  std::string failure;        ///< why there are no operations; empty if there are
  MemoryCall load;            ///< dlopen: constructors
  Seen<ProcessPages> before;  ///< of the process of `pages`, before its first call
  Seen<ProcessPages> after;
  std::vector<AbsentFigure> window_absent;  ///< why figures of a window are null, each once
  std::vector<MemoryOperation> operations;
  StackBoundEntry bound;
  std::string imports_reason;        ///< why they are not known; empty if they are
  std::vector<std::string> imports;  ///< dynamic symbols that the library cannot do without
  std::vector<std::string> needed;   ///< libraries that it names (DT_NEEDED)
  [[nodiscard]] bool operator==(const MemoryEntry&) const = default;
};

/// Members of HeapUse as they are named in JSON, in order; those before peak_usable_bytes are what
/// two witnesses have to agree on.
struct HeapMember {
  const char* name;
  std::uint64_t HeapUse::*member;
};
[[nodiscard]] const std::vector<HeapMember>& heap_members();
struct WindowMember {
  const char* name;
  std::optional<std::uint64_t> WindowUse::*member;
};
[[nodiscard]] const std::vector<WindowMember>& window_members();

[[nodiscard]] json::Value to_json(const MemoryEntry& entry);
/// Throws Error{configuration} if a member is missing or of the wrong type.
[[nodiscard]] MemoryEntry memory_from_json(const json::Value& value);
/// Reads a file; nothing if there is none. Throws Error{configuration} naming a file that is
/// damaged or of another schema.
[[nodiscard]] std::optional<MemoryEntry> find_memory_entry(const std::filesystem::path& file);

}  // namespace hashprof::record
