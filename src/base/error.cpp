// SPDX-License-Identifier: MIT
// Composition of error texts; the shape is fixed here and tested in full.
#include "base/error.h"

#include <cstring>
#include <utility>

namespace hashprof {

int exit_code(Fault fault) noexcept {
  switch (fault) {
    case Fault::usage:
    case Fault::configuration:
      return 2;
    case Fault::environment:
    case Fault::target:
      return 1;
    case Fault::requirement:
      return 3;
    case Fault::output:
      return 5;
    case Fault::internal:
      break;
  }
  return 70;
}

std::string errno_name(int number) {
  const char* name = ::strerrorname_np(number);
  return name != nullptr ? std::string(name) : "errno " + std::to_string(number);
}

Error::Error(Fault fault, std::string where, std::string what_happened)
    : fault_(fault), where_(std::move(where)), message_(std::move(what_happened)) {
  compose();
}

Error& Error::os_error(int number) & {
  os_number_ = number;
  compose();
  return *this;
}

Error&& Error::os_error(int number) && { return std::move(os_error(number)); }

Error& Error::hint(std::string text) & {
  hint_ = std::move(text);
  return *this;
}

Error&& Error::hint(std::string text) && { return std::move(hint(std::move(text))); }

Error& Error::context(std::string text) & {
  contexts_.push_back(std::move(text));
  return *this;
}

void Error::compose() {
  line_ = where_.empty() ? message_ : where_ + ": " + message_;
  if (os_number_ != 0) {
    const char* text = ::strerrordesc_np(os_number_);
    line_ += ": ";
    line_ += text != nullptr ? text : "unknown error";
    line_ += " (" + errno_name(os_number_) + ")";
  }
}

std::string Error::render() const {
  std::string out = "hashprof: error: " + line_ + "\n";
  for (const auto& line : contexts_) {
    out += "  while: " + line + "\n";
  }
  if (!hint_.empty()) {
    out += "  hint: " + hint_ + "\n";
  }
  return out;
}

}  // namespace hashprof
