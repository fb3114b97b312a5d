// SPDX-License-Identifier: MIT
// See report/agreement_words.h.
#include "report/agreement_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/markdown_text.h"
#include "report/numbers.h"

namespace hashprof::report {

namespace {

using stats::Agreement;
using stats::Degree;
using stats::Outlier;

constexpr double kPercent = 100;

/// "+52 %", "-4.6 %".
std::string signed_percent(double share) {
  const double percent = share * kPercent;
  return fmt::format("{:+.{}f} %", percent, std::abs(percent) < 9.95 ? 1 : 0);
}

/// "4.7 % less", "4.1 % more".
std::string more_or_less(double share) {
  return signed_percent(std::abs(share)).substr(1) + (share < 0 ? " less" : " more");
}

const char* degree_word(Degree degree) { return degree == Degree::severe ? "severe" : "notice"; }

std::string kind_of(const Agreement& judgement) {
  return judgement.is_bimodal()   ? "bimodal"
         : judgement.fast.empty() ? "slow process"
         : judgement.slow.empty() ? "fast process"
                                  : "slow process and fast process";
}

/// "1 of 9 processes +52 %", "3 of 21 processes +11 % to +13 %".
std::string side_text(const std::vector<Outlier>& side, std::uint64_t count) {
  const auto [low, high] = std::minmax_element(
      side.begin(), side.end(),
      [](const Outlier& a, const Outlier& b) { return a.deviation < b.deviation; });
  const std::string from = signed_percent(low->deviation);
  const std::string to = signed_percent(high->deviation);
  return fmt::format("{} of {} processes {}", side.size(), count,
                     from == to ? from : from + " to " + to);
}

std::string mean_and_median(const record::CellView& cell) {
  if (cell.cycles.summary) {
    return fmt::format("mean {}, median {} cycles", cycles_text(cell.cycles.summary->mean),
                       cycles_text(cell.cycles.summary->median));
  }
  return fmt::format("mean {}, median {}", time_text(cell.time_ns.summary->mean),
                     time_text(cell.time_ns.summary->median));
}

std::string outlier_flag(const record::CellView& cell) {
  const Agreement& judgement = cell.agreement.judgement;
  std::vector<std::string> sides;
  for (const auto* side : {&judgement.slow, &judgement.fast}) {
    if (!side->empty()) {
      sides.push_back(side_text(*side, cell.agreement.count));
    }
  }
  std::string flag =
      fmt::format("{} ({}): {}; {}", kind_of(judgement), degree_word(judgement.degree),
                  text::join(sides, ", "), mean_and_median(cell));
  for (const std::string& clause : cell.agreement.explanation) {
    flag += "; " + escape(clause);
  }
  return flag;
}

}  // namespace

std::string agreement_text(const record::CellView& cell) {
  const record::AgreementView& view = cell.agreement;
  if (view.count < stats::kFewestToAgree) {
    return "";
  }
  const Agreement& judgement = view.judgement;
  std::string text = judgement.has_outliers()
                         ? fmt::format("{}, {}", kind_of(judgement), degree_word(judgement.degree))
                         : fmt::format("none seen in {}; below {:.0f} %", view.count,
                                       std::ceil(stats::undetected_rate(view.count) * kPercent));
  if (judgement.drift) {
    text += "; drift " + signed_percent(*judgement.drift);
  }
  return text;
}

std::vector<std::string> agreement_flags(const record::CellView& cell) {
  const record::AgreementView& view = cell.agreement;
  std::vector<std::string> flags;
  if (!cell.time_ns.summary) {
    return flags;
  }
  if (view.judgement.has_outliers()) {
    flags.push_back(outlier_flag(cell));
  }
  if (view.judgement.drift) {
    flags.push_back("drift: the last third of its processes takes " +
                    more_or_less(*view.judgement.drift) + " than the first");
  }
  if (view.slice_drift) {
    flags.push_back("drift inside its processes: the last third of their slices takes " +
                    more_or_less(*view.slice_drift) + " than the first");
  }
  return flags;
}

}  // namespace hashprof::report
