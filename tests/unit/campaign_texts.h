// SPDX-License-Identifier: MIT
// Campaigns as text and what is said of wrong ones; used by the tests of unit campaign.
#pragma once

#include <string>

#include "campaign/campaign.h"
#include "yaml_faults.h"

namespace hashprof::campaign {

inline constexpr const char* kLater =
    "\n  hint: it is reserved for a later version; remove the key";
inline constexpr const char* kLaterValue =
    "\n  hint: it is reserved for a later version; choose another value";
inline constexpr const char* kRange = "\n  hint: choose a value in that range";

inline Campaign campaign_with(const std::string& rest) {
  return parse_campaign("hashprof: 1\nname: n\nhashes: [h.yaml]\n" + rest, "/c/c.yaml");
}

/// A refusal of a file that is right but for `rest`, which begins at line 4.
inline std::string refusal(const std::string& rest) {
  return fault_text(
      [&] { (void)parse_campaign("hashprof: 1\nname: n\nhashes: [h.yaml]\n" + rest, "c.yaml"); });
}
/// The same for the value of `hashes`, which begins at column 9 of line 3.
inline std::string hashes_refusal(const std::string& hashes) {
  return fault_text(
      [&] { (void)parse_campaign("hashprof: 1\nname: n\nhashes: " + hashes + "\n", "c.yaml"); });
}

}  // namespace hashprof::campaign
