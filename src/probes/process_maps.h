// SPDX-License-Identifier: MIT
// Which files a process maps, and where: its C library and its loader. Private to the unit.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace hashprof::probes {

/// Addresses [begin, end).
struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] bool operator==(const AddressRange&) const = default;
};

/// Where the malloc family of a process is.
struct MallocPlace {
  std::string reason;  ///< why it could not be found; empty if it was
  std::string name;    ///< of the file, as the process maps it
  std::string file;    ///< a path under which this process opens the very file that is mapped
  std::map<std::uint64_t, std::set<std::string>> offsets;  ///< file offset -> names
};

/// The one shared library with executable code among those that `pid` maps that gives others
/// malloc, calloc, realloc and free, and where those of `names` begin in it. A reason if there is
/// none, or more than one. Throws Error{environment} if /proc/PID or a file cannot be read.
[[nodiscard]] MallocPlace find_malloc(pid_t pid, const std::set<std::string>& names);

/// A place in a file that a process maps.
struct FilePlace {
  std::string file;  ///< as MallocPlace::file
  std::uint64_t offset = 0;
};
/// What `address` of `pid` is mapped from. Throws Error{environment} if it is no file, or /proc/PID
/// cannot be read.
[[nodiscard]] FilePlace find_file_place(pid_t pid, std::uint64_t address);

/// From the first to the last address at which `pid` maps its program interpreter (ld.so); empty
/// range if it has none. Throws Error{environment} if /proc/PID cannot be read.
[[nodiscard]] AddressRange find_loader(pid_t pid);

}  // namespace hashprof::probes
