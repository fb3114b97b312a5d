// SPDX-License-Identifier: MIT
// See host/root_files.h.
#include "host/root_files.h"

#include <algorithm>

#include "base/file.h"
#include "base/text.h"

namespace hashprof::host {

namespace {

/// Longer lines are no fact of a machine; messages and tables must stay readable.
constexpr std::size_t kLongestLine = 200;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

}  // namespace

Fact Fact::known(std::string value) { return {std::move(value), {}}; }

Fact Fact::unknown(std::string reason) { return {std::nullopt, std::move(reason)}; }

Fact text_fact(std::string_view text, const std::string& name) {
  const std::string_view line = text::trim(text);
  if (line.empty()) {
    return Fact::unknown(name + " is empty");
  }
  if (line.size() > kLongestLine || !text::is_utf8(line) ||
      std::any_of(line.begin(), line.end(), is_control)) {
    return Fact::unknown(name + " holds no readable line");
  }
  return Fact::known(std::string(line));
}

Fact number_fact(std::string_view text, const std::string& name, std::uint64_t low,
                 std::uint64_t high) {
  Fact fact = text_fact(text, name);
  if (!fact.value.has_value()) {
    return fact;
  }
  const auto number = text::parse_unsigned(*fact.value);
  if (!number.has_value() || *number < low || *number > high) {
    return Fact::unknown(name + " holds '" + *fact.value + "', no sensible number");
  }
  return Fact::known(std::to_string(*number));
}

bool RootFiles::is_this_machine() const { return root_.lexically_normal() == "/"; }

bool RootFiles::has_directory(const std::string& path) const {
  std::error_code code;
  return std::filesystem::is_directory(root_ / path.substr(1), code);
}

std::vector<std::string> RootFiles::names(const std::string& path) const {
  std::vector<std::string> out;
  std::error_code code;
  std::filesystem::directory_iterator entry(root_ / path.substr(1), code);
  for (; !code && entry != std::filesystem::directory_iterator(); entry.increment(code)) {
    out.push_back(entry->path().filename().native());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<std::string> RootFiles::find_text(const std::string& path) const {
  return find_file_text(root_ / path.substr(1));
}

Fact RootFiles::line(const std::string& path) const {
  const auto text = find_text(path);
  return text.has_value() ? text_fact(*text, path) : Fact::unknown("no " + path);
}

Fact RootFiles::device_tree(const std::string& node) const {
  // /proc/device-tree is a link to the other one on a real machine; a container may lack it.
  for (const char* base : {"/proc/device-tree", "/sys/firmware/devicetree/base"}) {
    const auto text = find_text(base + node);
    if (text.has_value()) {
      return text_fact(std::string_view(*text).substr(0, text->find('\0')), base + node);
    }
  }
  return Fact::unknown("no /proc/device-tree" + node);
}

std::vector<CpuinfoBlock> read_cpuinfo(const RootFiles& files) {
  const auto text = files.find_text("/proc/cpuinfo");
  std::vector<CpuinfoBlock> blocks;
  if (!text.has_value() || !text::is_utf8(*text)) {
    return blocks;
  }
  CpuinfoBlock block;
  for (const std::string& line : text::split(*text, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos) {
      block.emplace_back(text::trim(std::string_view(line).substr(0, colon)),
                         text::trim(std::string_view(line).substr(colon + 1)));
    } else if (text::trim(line).empty() && !block.empty()) {
      blocks.push_back(std::move(block));
      block.clear();
    }
  }
  if (!block.empty()) {
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::optional<std::string> find_key(const CpuinfoBlock& block, std::string_view key) {
  for (const auto& [name, value] : block) {
    if (name == key) {
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace hashprof::host
