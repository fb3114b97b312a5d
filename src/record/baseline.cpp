// SPDX-License-Identifier: MIT
// See record/baseline.h.
#include "record/baseline.h"

#include <algorithm>

namespace hashprof::record {

namespace {

constexpr const char* kPseudoXof = "pseudoXOF";
constexpr const char* kPseudoXofFamily = "iccs";

/// The instance that an output of `bits` is compared with, "family/instance" or "instance"; empty
/// if the campaign names none.
std::string baseline_name(const json::Value& baselines, std::uint64_t bits) {
  if (!baselines.is_object()) {
    return std::string(kPseudoXofFamily) + "/" + kPseudoXof + "-" + std::to_string(bits);
  }
  const json::Value* name = baselines.find(std::to_string(bits).c_str());
  return name == nullptr ? std::string() : name->as_string();
}

bool is_called(const BuildView& build, const std::string& name) {
  return build.instance == name || build.family_id + "/" + build.instance == name;
}

/// How well a build of the baseline fits what is compared with it: of the same class, else the
/// reference; then of the same profile and compiler.
int fitness(const BuildView& baseline, const BuildView& build) {
  return (baseline.variant_class == build.variant_class ? 4 : 0) +
         (baseline.variant == "reference" ? 2 : 0) +
         (baseline.profile == build.profile && baseline.compiler == build.compiler ? 1 : 0);
}

const BuildView* find_baseline(const RunView& run, const std::string& name,
                               const BuildView& build) {
  const BuildView* found = nullptr;
  for (const BuildView& candidate : run.builds) {
    if (is_called(candidate, name) &&
        (found == nullptr || fitness(candidate, build) > fitness(*found, build))) {
      found = &candidate;
    }
  }
  return found;
}

/// The output length of a cell in bits.
std::uint64_t width_of(const BuildView& build, const CellView& cell) {
  return cell.output_bytes ? *cell.output_bytes * 8 : build.digest_bits;
}

const CellView* find_cell(const BuildView& build, const CellView& like, std::uint64_t bits) {
  const auto at = std::find_if(build.cells.begin(), build.cells.end(), [&](const CellView& cell) {
    return cell.message_bytes == like.message_bytes && cell.is_latency == like.is_latency &&
           width_of(build, cell) == bits;
  });
  return at == build.cells.end() ? nullptr : &*at;
}

Ratio ratio_of(const Figure& figure, const Figure& baseline, const std::string& name) {
  if (!figure.summary) {
    return {std::nullopt, figure.reason};
  }
  if (!baseline.summary) {
    return {std::nullopt, "the baseline " + name + " has no figure: " + baseline.reason};
  }
  if (baseline.summary->median <= 0) {
    return {std::nullopt, "the baseline " + name + " took no time that could be measured"};
  }
  return {figure.summary->median / baseline.summary->median, {}};
}

void compare(const RunView& run, const json::Value& baselines, const BuildView& build,
             CellView& cell) {
  const auto absent = [&](const std::string& reason) {
    cell.time_ratio = cell.cycles_ratio = Ratio{std::nullopt, reason};
  };
  if (!cell.excluded.empty()) {
    absent(cell.excluded);
    return;
  }
  const std::uint64_t width = width_of(build, cell);
  const std::string bits = std::to_string(width);
  const std::string name = baseline_name(baselines, width);
  if (name.empty()) {
    absent("the campaign names no baseline for " + bits + " bits");
    return;
  }
  const BuildView* other = find_baseline(run, name, build);
  if (other == nullptr) {
    absent("the baseline " + name + " is not part of this run");
    return;
  }
  cell.baseline = other->label;
  if (other == &build) {
    cell.is_baseline = true;
    return;
  }
  const CellView* match = find_cell(*other, cell, width);
  if (match == nullptr) {
    absent("the baseline " + name + " was not planned at this size");
    return;
  }
  cell.time_ratio = ratio_of(cell.time_ns, match->time_ns, name);
  cell.cycles_ratio = ratio_of(cell.cycles, match->cycles, name);
}

}  // namespace

void compare_with_baselines(const json::Value& baselines, RunView& run) {
  run.has_baselines = !baselines.is_object() || !baselines.as_object().empty();
  if (!run.has_baselines) {
    return;
  }
  for (BuildView& build : run.builds) {
    for (CellView& cell : build.cells) {
      compare(run, baselines, build, cell);
    }
  }
}

}  // namespace hashprof::record
