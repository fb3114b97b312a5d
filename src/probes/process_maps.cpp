// SPDX-License-Identifier: MIT
// See probes/process_maps.h. The formats are those of proc_pid_maps(5) and proc_pid_auxv(5).
#include "probes/process_maps.h"

#include <elf.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "elf/function_offsets.h"

namespace hashprof::probes {

namespace {

struct Mapping {
  AddressRange range;
  std::string span;  ///< the range as /proc writes it
  bool is_executable = false;
  std::uint64_t offset = 0;  ///< of its first byte in the file
  std::string device;
  std::uint64_t inode = 0;
  std::string name;
};

std::string folder_of(pid_t pid) { return "/proc/" + std::to_string(pid) + "/"; }

std::string read_proc(pid_t pid, const std::string& name) {
  std::optional<std::string> content = find_file_text(folder_of(pid) + name);
  if (!content || content->empty()) {
    throw Error(Fault::environment, folder_of(pid) + name, "cannot be read");
  }
  return *content;
}

std::vector<Mapping> read_maps(pid_t pid) {
  std::vector<Mapping> mappings;
  for (const std::string& line : text::split(read_proc(pid, "maps"), '\n')) {
    std::istringstream words(line);
    Mapping mapping;
    std::string access;
    char dash = 0;
    words >> mapping.span >> access >> std::hex >> mapping.offset >> mapping.device >> std::dec >>
        mapping.inode >> std::ws;
    std::istringstream range(mapping.span);
    range >> std::hex >> mapping.range.begin >> dash >> mapping.range.end;
    if (!range || mapping.inode == 0) {
      continue;  // of no file
    }
    std::getline(words, mapping.name);
    mapping.is_executable = access.size() > 2 && access[2] == 'x';
    mappings.push_back(mapping);
  }
  return mappings;
}

bool is_same_file(const Mapping& left, const Mapping& right) {
  return left.device == right.device && left.inode == right.inode;
}

/// A path of the very file that is mapped; empty if there is none. The kernel's own link to it
/// needs CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE; without, the name must still be that file.
std::string path_of(pid_t pid, const Mapping& mapping) {
  struct stat status {};
  std::string path = folder_of(pid) + "map_files/" + mapping.span;
  if (::stat(path.c_str(), &status) == 0) {
    return path;
  }
  path = folder_of(pid) + "root" + mapping.name;
  const bool is_same = ::stat(path.c_str(), &status) == 0 && status.st_ino == mapping.inode;
  return is_same ? path : std::string();
}

/// Where `names` begin in a file; nothing if it is no library that gives others malloc, calloc,
/// realloc and free.
std::map<std::uint64_t, std::set<std::string>> offsets_in(const std::string& file,
                                                          const std::set<std::string>& names) {
  std::map<std::uint64_t, std::set<std::string>> offsets;
  try {
    offsets = elf::find_function_offsets(file, names);
  } catch (const Error& error) {
    if (error.fault() != Fault::target) {
      throw;
    }
    return {};  // a program, or a file without symbols: nothing binds to it
  }
  std::set<std::string> found;
  for (const auto& [offset, here] : offsets) {
    found.insert(here.begin(), here.end());
  }
  const std::set<std::string> needed{"calloc", "free", "malloc", "realloc"};
  return std::includes(found.begin(), found.end(), needed.begin(), needed.end())
             ? offsets
             : decltype(offsets){};
}

}  // namespace

MallocPlace find_malloc(pid_t pid, const std::set<std::string>& names) {
  MallocPlace place;
  std::vector<Mapping> seen;
  for (const Mapping& mapping : read_maps(pid)) {
    if (!mapping.is_executable || std::any_of(seen.begin(), seen.end(), [&](const Mapping& other) {
          return is_same_file(mapping, other);
        })) {
      continue;
    }
    seen.push_back(mapping);
    const std::string file = path_of(pid, mapping);
    if (file.empty()) {
      place.reason = "the file " + mapping.name + " that process " + std::to_string(pid) +
                     " maps is no longer there";
      return place;
    }
    auto offsets = offsets_in(file, names);
    if (offsets.empty()) {
      continue;
    }
    if (!place.file.empty()) {
      place.reason = "both " + place.name + " and " + mapping.name + " of process " +
                     std::to_string(pid) + " define malloc";
      return place;
    }
    place.name = mapping.name;
    place.file = file;
    place.offsets = std::move(offsets);
  }
  if (place.file.empty()) {
    place.reason = "no shared library that process " + std::to_string(pid) + " maps defines malloc";
  }
  return place;
}

FilePlace find_file_place(pid_t pid, std::uint64_t address) {
  for (const Mapping& mapping : read_maps(pid)) {
    if (address < mapping.range.begin || address >= mapping.range.end) {
      continue;
    }
    std::string file = path_of(pid, mapping);
    if (!file.empty()) {
      return {std::move(file), mapping.offset + (address - mapping.range.begin)};
    }
  }
  throw Error(Fault::environment, folder_of(pid) + "maps",
              "names no file at address " + std::to_string(address));
}

AddressRange find_loader(pid_t pid) {
  const std::string content = read_proc(pid, "auxv");
  std::uint64_t base = 0;
  Elf64_auxv_t entry{};
  for (std::size_t at = 0; at + sizeof entry <= content.size(); at += sizeof entry) {
    std::memcpy(&entry, content.data() + at, sizeof entry);
    if (entry.a_type == AT_BASE) {
      base = entry.a_un.a_val;
    }
  }
  const std::vector<Mapping> mappings = read_maps(pid);
  const auto first = std::find_if(mappings.begin(), mappings.end(), [&](const Mapping& mapping) {
    return base != 0 && base >= mapping.range.begin && base < mapping.range.end;
  });
  if (first == mappings.end()) {
    return {};
  }
  AddressRange range = first->range;
  for (const Mapping& mapping : mappings) {
    if (is_same_file(mapping, *first)) {
      range.begin = std::min(range.begin, mapping.range.begin);
      range.end = std::max(range.end, mapping.range.end);
    }
  }
  return range;
}

}  // namespace hashprof::probes
