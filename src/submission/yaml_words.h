// SPDX-License-Identifier: MIT
// Words of a YAML file that read back as what they were.
#pragma once

#include <filesystem>
#include <string>

namespace hashprof::submission {

/// A name of [A-Za-z0-9._-], in quotation marks where it could be taken for something else.
[[nodiscard]] std::string name_word(const std::string& name);
/// A path, relative to `base` where that is possible; both absolute, the path in UTF-8.
[[nodiscard]] std::string path_word(const std::filesystem::path& path,
                                    const std::filesystem::path& base);
/// "# text" on one line of characters that a YAML file may hold.
[[nodiscard]] std::string comment_line(const std::string& text);

}  // namespace hashprof::submission
