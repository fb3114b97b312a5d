// SPDX-License-Identifier: MIT
// See elf/function_offsets.h.
#include "elf/function_offsets.h"

#include <algorithm>
#include <vector>

#include "elf/dynamic.h"
#include "elf/elf_file.h"

namespace hashprof::elf {

std::map<std::uint64_t, std::set<std::string>> find_function_offsets(
    const std::filesystem::path& path, const std::set<std::string>& names) {
  const ElfFile file(path);
  const std::vector<GElf_Phdr> headers = file.program_headers();
  const std::vector<Segment> segments = find_segments(file, headers);
  const auto dynamic = std::find_if(headers.begin(), headers.end(), [](const GElf_Phdr& header) {
    return header.p_type == PT_DYNAMIC;
  });
  if (dynamic == headers.end()) {
    throw file.fault("no dynamic section: it names no symbol to the loader");
  }
  std::map<std::uint64_t, std::set<std::string>> offsets;
  for (const Function& function : read_functions(file, segments, *dynamic, names)) {
    offsets[function.offset].insert(function.name);
  }
  return offsets;
}

}  // namespace hashprof::elf
