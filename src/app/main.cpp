// SPDX-License-Identifier: MIT
// Entry of the program: words in, exit code out. Everything else is a library that tests link.
#include <unistd.h>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "app/verbs.h"
#include "base/error.h"
#include "base/sys.h"
#include "runner/signals.h"

namespace {

constexpr int kInternalFault = 70;
constexpr int kSignalBase = 128;

int fail(const std::string& text, int code) {
  (void)std::fputs(text.c_str(), stderr);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  using hashprof::Error;
  try {
    return hashprof::app::execute({argv + 1, argv + argc});
  } catch (const hashprof::runner::Interrupted& stop) {
    return fail("hashprof: stopped by a signal; the same command goes on from here\n",
                kSignalBase + stop.number());
  } catch (const Error& error) {
    return fail(error.render(), hashprof::exit_code(error.fault()));
  } catch (const std::exception& fault) {
    return fail(Error(hashprof::Fault::internal, "", fault.what()).render(), kInternalFault);
  }
}
