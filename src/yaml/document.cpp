// SPDX-License-Identifier: MIT
// Places, key paths, and the reading of the file itself.
#include "yaml/document.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/text.h"

namespace hashprof::yaml {

std::string location_in(const std::string& name, const std::string& text, const Place& place) {
  const std::size_t offset = std::min(place.offset, text.size());
  std::size_t start = offset;
  while (start > 0 && text[start - 1] != '\n') {
    --start;
  }
  // A UTF-8 continuation byte (10xxxxxx) begins no character.
  const auto characters =
      std::count_if(text.begin() + static_cast<std::ptrdiff_t>(start),
                    text.begin() + static_cast<std::ptrdiff_t>(offset),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; });
  return text::printable(name) + ":" + std::to_string(place.line + 1) + ":" +
         std::to_string(characters + 1);
}

Document::Document(std::string name, std::string text, std::vector<Element> nodes)
    : name_(std::move(name)), text_(std::move(text)), nodes_(std::move(nodes)) {}

std::string Document::path_of(std::size_t index) const {
  std::vector<std::size_t> chain;
  for (std::size_t at = index; nodes_.at(at).parent != kNoNode; at = nodes_.at(at).parent) {
    chain.push_back(at);
  }
  std::string path;
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    const Element& node = nodes_.at(*at);
    if (nodes_.at(node.parent).kind == Kind::list) {
      path += "[" + std::to_string(node.position) + "]";
    } else {
      path += (path.empty() ? "" : ".") + text::printable(node.key);
    }
  }
  return path;
}

std::string Document::location(const Place& place) const {
  return location_in(name_, text_, place);
}

std::string read_text(const std::filesystem::path& file) {
  std::error_code code;
  if (std::filesystem::is_directory(file, code)) {
    throw Error(Fault::configuration, text::printable(file.native()), "is a folder, not a file")
        .hint("name the YAML file in it");
  }
  return read_file(file, kMaxFile, Fault::configuration);
}

}  // namespace hashprof::yaml
