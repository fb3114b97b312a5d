// SPDX-License-Identifier: MIT
// "n/a¹" and the reasons below: one number per distinct reason, in order of appearance. Private.
#pragma once

#include <string>
#include <vector>

namespace hashprof::report {

class Footnotes {
 public:
  /// "n/a" with the mark of `reason`, which is text of others and escaped when it is printed.
  [[nodiscard]] std::string absent(const std::string& reason);
  /// The mark alone: "¹".
  [[nodiscard]] std::string mark(const std::string& reason);
  /// The list of reasons; empty if there is none.
  [[nodiscard]] std::string render() const;

 private:
  std::vector<std::string> reasons_;
};

}  // namespace hashprof::report
