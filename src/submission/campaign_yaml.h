// SPDX-License-Identifier: MIT
// The text of a first campaign over hash families.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "catalog/family.h"

namespace hashprof::submission {

/// A campaign file that is to stand at `file` (absolute) and is called `name`: it measures the
/// families, each file named relative to it; every further choice is a comment. The paths of the
/// families are UTF-8.
[[nodiscard]] std::string campaign_yaml(const std::vector<catalog::Family>& families,
                                        const std::string& name, const std::filesystem::path& file);

}  // namespace hashprof::submission
