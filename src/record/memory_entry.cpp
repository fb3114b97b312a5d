// SPDX-License-Identifier: MIT
// See record/memory_entry.h. A value that is absent is {"reason": ...}.
#include "record/memory_entry.h"

#include <utility>

#include "base/error.h"
#include "base/file.h"

namespace hashprof::record {

namespace {

constexpr const char* kSchema = "hashprof-memory/1";
constexpr Bytes kLargestEntry{std::uint64_t{64} << 20U};

struct PageMember {
  const char* name;
  std::uint64_t PageUse::*member;
};
constexpr PageMember kPageMembers[] = {
    {"minor_faults", &PageUse::minor_faults},
    {"major_faults", &PageUse::major_faults},
    {"voluntary_switches", &PageUse::voluntary_switches},
    {"involuntary_switches", &PageUse::involuntary_switches},
    {"anon_before_kib", &PageUse::anon_before_kib},
    {"anon_after_kib", &PageUse::anon_after_kib},
};

struct ProcessMember {
  const char* name;
  std::uint64_t ProcessPages::*member;
};
constexpr ProcessMember kProcessMembers[] = {
    {"all_kib", &ProcessPages::all_kib},   {"anon_kib", &ProcessPages::anon_kib},
    {"file_kib", &ProcessPages::file_kib}, {"file_pmd_kib", &ProcessPages::file_pmd_kib},
    {"peak_kib", &ProcessPages::peak_kib},
};

template <typename T, typename Members>
json::Value members_to_json(const Seen<T>& seen, const Members& members) {
  if (!seen.value) {
    return json::Object{{"reason", seen.reason}};
  }
  json::Object object;
  for (const auto& member : members) {
    object.emplace_back(member.name, json::Value((*seen.value).*member.member));
  }
  return object;
}

void read_member(const json::Value& value, std::uint64_t& out) { out = value.as_unsigned(); }
void read_member(const json::Value& value, std::optional<std::uint64_t>& out) {
  out = value.is_null() ? std::nullopt : std::optional(value.as_unsigned());
}

template <typename T, typename Members>
Seen<T> members_from_json(const json::Value& value, const Members& members) {
  if (const json::Value* const reason = value.find("reason")) {
    return Seen<T>::absent(reason->as_string());
  }
  T use{};
  for (const auto& member : members) {
    read_member(value.at(member.name), use.*member.member);
  }
  return Seen<T>::of(use);
}

json::Value to_json(const Seen<std::uint64_t>& seen) {
  return seen.value ? json::Value(*seen.value) : json::Object{{"reason", seen.reason}};
}

Seen<std::uint64_t> bytes_from_json(const json::Value& value) {
  return value.is_object() ? Seen<std::uint64_t>::absent(value.at("reason").as_string())
                           : Seen<std::uint64_t>::of(value.as_unsigned());
}

json::Value to_json(const MemoryCall& call) {
  return json::Object{{"meter", members_to_json(call.meter, heap_members())},
                      {"probes", members_to_json(call.probes, heap_members())},
                      {"pages", members_to_json(call.pages, kPageMembers)},
                      {"window", members_to_json(call.window, window_members())}};
}

MemoryCall call_from_json(const json::Value& value) {
  return {members_from_json<HeapUse>(value.at("meter"), heap_members()),
          members_from_json<HeapUse>(value.at("probes"), heap_members()),
          members_from_json<PageUse>(value.at("pages"), kPageMembers),
          members_from_json<WindowUse>(value.at("window"), window_members())};
}

json::Array strings(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

std::vector<std::string> strings_from_json(const json::Value& value) {
  std::vector<std::string> texts;
  for (const json::Value& text : value.as_array()) {
    texts.push_back(text.as_string());
  }
  return texts;
}

json::Value to_json(const MemoryOperation& operation) {
  return json::Object{
      {"operation", operation.operation},       {"message_bytes", operation.message_bytes},
      {"output_bytes", operation.output_bytes}, {"first", to_json(operation.first)},
      {"later", to_json(operation.later)},      {"stack_bytes", to_json(operation.stack_bytes)}};
}

MemoryOperation operation_from_json(const json::Value& value) {
  MemoryOperation operation;
  operation.operation = value.at("operation").as_string();
  operation.message_bytes = value.at("message_bytes").as_unsigned();
  read_member(value.at("output_bytes"), operation.output_bytes);
  operation.first = call_from_json(value.at("first"));
  operation.later = call_from_json(value.at("later"));
  operation.stack_bytes = bytes_from_json(value.at("stack_bytes"));
  return operation;
}

json::Array to_json(const std::vector<AbsentFigure>& absent) {
  json::Array figures;
  for (const AbsentFigure& figure : absent) {
    figures.push_back(json::Object{{"figure", figure.figure}, {"reason", figure.reason}});
  }
  return figures;
}

std::vector<AbsentFigure> absent_from_json(const json::Value& value) {
  std::vector<AbsentFigure> absent;
  for (const json::Value& figure : value.as_array()) {
    absent.push_back({figure.at("figure").as_string(), figure.at("reason").as_string()});
  }
  return absent;
}

json::Value to_json(const StackBoundEntry& bound) {
  json::Array externals;
  for (const ExternalDepth& external : bound.externals) {
    externals.push_back(json::Object{{"function", external.function}, {"bytes", external.bytes}});
  }
  return json::Object{{"bytes", to_json(bound.bytes)},
                      {"path", strings(bound.path)},
                      {"externals", std::move(externals)}};
}

StackBoundEntry bound_from_json(const json::Value& value) {
  StackBoundEntry bound;
  bound.bytes = bytes_from_json(value.at("bytes"));
  bound.path = strings_from_json(value.at("path"));
  for (const json::Value& external : value.at("externals").as_array()) {
    bound.externals.push_back(
        {external.at("function").as_string(), external.at("bytes").as_unsigned()});
  }
  return bound;
}

}  // namespace

const std::vector<HeapMember>& heap_members() {
  static const std::vector<HeapMember> members = {
      {"allocations", &HeapUse::allocations},
      {"resizes", &HeapUse::resizes},
      {"frees", &HeapUse::frees},
      {"failures", &HeapUse::failures},
      {"total_bytes", &HeapUse::total_bytes},
      {"peak_bytes", &HeapUse::peak_bytes},
      {"left_bytes", &HeapUse::left_bytes},
      {"left_blocks", &HeapUse::left_blocks},
      {"foreign_frees", &HeapUse::foreign_frees},
      {"peak_usable_bytes", &HeapUse::peak_usable_bytes},
      {"lost", &HeapUse::lost},
  };
  return members;
}

const std::vector<WindowMember>& window_members() {
  static const std::vector<WindowMember> members = {
      {"page_faults", &WindowUse::page_faults},
      {"anon_growth_bytes", &WindowUse::anon_growth_bytes},
      {"file_growth_bytes", &WindowUse::file_growth_bytes},
      {"mapped_bytes", &WindowUse::mapped_bytes},
      {"mapped_calls", &WindowUse::mapped_calls},
      {"unmapped_bytes", &WindowUse::unmapped_bytes},
      {"break_bytes", &WindowUse::break_bytes},
      {"switches", &WindowUse::switches},
      {"migrations", &WindowUse::migrations},
      {"interrupts", &WindowUse::interrupts},
      {"interrupt_ns", &WindowUse::interrupt_ns},
  };
  return members;
}

json::Value to_json(const MemoryEntry& entry) {
  json::Array operations;
  for (const MemoryOperation& operation : entry.operations) {
    operations.push_back(to_json(operation));
  }
  return json::Object{{"schema", kSchema},
                      {"family", entry.family_id},
                      {"label", entry.label},
                      {"library", entry.library},
                      {"library_sha256", entry.library_sha256},
                      {"question_sha256", entry.question_sha256},
                      {"architecture", entry.architecture},
                      {"failure", entry.failure},
                      {"load", to_json(entry.load)},
                      {"before", members_to_json(entry.before, kProcessMembers)},
                      {"after", members_to_json(entry.after, kProcessMembers)},
                      {"window_absent", to_json(entry.window_absent)},
                      {"operations", std::move(operations)},
                      {"stack_bound", to_json(entry.bound)},
                      {"imports_reason", entry.imports_reason},
                      {"imports", strings(entry.imports)},
                      {"needed", strings(entry.needed)}};
}

MemoryEntry memory_from_json(const json::Value& value) {
  if (const std::string& schema = value.at("schema").as_string(); schema != kSchema) {
    throw Error(Fault::configuration, "memory",
                "the schema is '" + schema + "', this version reads '" + kSchema + "'");
  }
  MemoryEntry entry;
  entry.family_id = value.at("family").as_string();
  entry.label = value.at("label").as_string();
  entry.library = value.at("library").as_string();
  entry.library_sha256 = value.at("library_sha256").as_string();
  entry.question_sha256 = value.at("question_sha256").as_string();
  entry.architecture = value.at("architecture").as_string();
  entry.failure = value.at("failure").as_string();
  entry.load = call_from_json(value.at("load"));
  entry.before = members_from_json<ProcessPages>(value.at("before"), kProcessMembers);
  entry.after = members_from_json<ProcessPages>(value.at("after"), kProcessMembers);
  entry.window_absent = absent_from_json(value.at("window_absent"));
  for (const json::Value& operation : value.at("operations").as_array()) {
    entry.operations.push_back(operation_from_json(operation));
  }
  entry.bound = bound_from_json(value.at("stack_bound"));
  entry.imports_reason = value.at("imports_reason").as_string();
  entry.imports = strings_from_json(value.at("imports"));
  entry.needed = strings_from_json(value.at("needed"));
  return entry;
}

std::optional<MemoryEntry> find_memory_entry(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    return std::nullopt;
  }
  try {
    return memory_from_json(json::parse(read_file(file, kLargestEntry), file.native()));
  } catch (const Error& error) {
    if (error.fault() != Fault::configuration) {
      throw;
    }
    throw Error(Fault::configuration, file.native(), "damaged: " + error.message())
        .hint("remove the file: the memory is then measured again");
  }
}

}  // namespace hashprof::record
