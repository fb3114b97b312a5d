// SPDX-License-Identifier: MIT
// Names that hash.yaml accepts, made of names that somebody else chose.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hashprof::submission {

constexpr std::size_t kLongestName = 64;

/// `raw` with every run of other characters than [A-Za-z0-9_-] (and, with `with_dots`, a dot that
/// is not first) as one '_', none at the ends, at most kLongestName bytes; empty if nothing is
/// left.
[[nodiscard]] std::string clean_name(std::string_view raw, bool with_dots = false);
/// Whether clean_name leaves it as it is.
[[nodiscard]] bool is_clean_name(std::string_view raw);
/// Letters and digits in lower case: what is left when case and separators do not count.
[[nodiscard]] std::string bare_name(std::string_view name);
/// `name`, or with _2, _3, ... behind it the first that `taken` does not hold.
[[nodiscard]] std::string free_name(const std::string& name, const std::vector<std::string>& taken);

/// Whether a folder is called like any folder of sources (ref, src, Reference_Implementation, ...),
/// so that its name says nothing of the hash.
[[nodiscard]] bool is_common_folder_name(std::string_view name);
/// The nearest folder name, going up, that is no common one; clean.
[[nodiscard]] std::string name_of_folder(const std::filesystem::path& folder);
/// Whether the path, relative to the submission, says that this implementation is an optimized one.
[[nodiscard]] bool is_optimized(const std::filesystem::path& relative);

}  // namespace hashprof::submission
