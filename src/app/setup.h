// SPDX-License-Identifier: MIT
// From the TARGET and the options to everything a verb works with.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "catalog/family.h"
#include "cli/options.h"
#include "host/host_facts.h"
#include "plan/plan.h"
#include "record/run_files.h"

namespace hashprof::app {

struct Setup {
  campaign::Campaign campaign;  ///< overrides applied
  campaign::Overrides overrides;
  std::vector<catalog::Family> families;  ///< one an entry of campaign.hashes
  plan::Plan plan;
  std::filesystem::path run_root;
  std::optional<std::string> simulate;  ///< SCENARIO[,SEED]; of the command line or of the run
};

/// Reads what TARGET names: a campaign file, a hash.yaml, a folder with one, or a run directory
/// (whose campaign and overrides are taken). Throws Error{usage} or Error{configuration}.
[[nodiscard]] Setup load_setup(const cli::Options& options);

/// The same of a campaign that is in memory; TARGET counts for nothing.
[[nodiscard]] Setup make_setup(campaign::Campaign campaign, const cli::Options& options);

/// The part of campaign.json that two commands must agree on to share a run directory, builds.
[[nodiscard]] json::Value builds_to_json(const Setup& setup);
[[nodiscard]] json::Value to_json(const campaign::Overrides& overrides);
[[nodiscard]] campaign::Overrides overrides_from_json(const json::Value& value);

/// The guide's environment table: item and value, or why it is not known.
[[nodiscard]] std::vector<record::RunView::EnvironmentItem> environment_items(
    const host::HostFacts& facts, std::uint32_t core, const std::string& compiler);
/// "x86-64" or "AArch64".
[[nodiscard]] std::string architecture_name(const std::string& machine);

}  // namespace hashprof::app
