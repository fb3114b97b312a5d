// SPDX-License-Identifier: MIT
// Every key of a campaign file. The reader refuses what is not listed here, and
// hashprof-campaign(5) is compared with it.
#pragma once

#include <vector>

#include "yaml/reader.h"

namespace hashprof::campaign {

/// In the order of the manual page. NAME and LABEL stand for names of the user's choice, `[]` for
/// an item of a list.
[[nodiscard]] const std::vector<yaml::Key>& documented_keys();

}  // namespace hashprof::campaign
