// SPDX-License-Identifier: MIT
// Libraries that were built elsewhere and came with their run directory; see toolchain/toolchain.h.
#include <sys/utsname.h>

#include <algorithm>

#include "base/error.h"
#include "base/sha256.h"
#include "toolchain/command_lines.h"
#include "toolchain/standing.h"
#include "toolchain/toolchain.h"

namespace hashprof::toolchain {

namespace {

bool is_here(const InputFile& input) {
  std::error_code code;
  return std::filesystem::exists(input.path, code);
}

/// A file that is here and cannot be read is not known to be the one that was built.
bool is_changed(const InputFile& input) {
  try {
    return is_here(input) && sha256_of_file(input.path) != input.sha256;
  } catch (const Error&) {
    return true;
  }
}

bool can_be_repeated(const BuildResult& earlier) {
  // A library that came built has no compiler.
  return (earlier.compiler.path.empty() || find_program(earlier.compiler.command).has_value()) &&
         std::all_of(earlier.inputs.begin(), earlier.inputs.end(), is_here);
}

bool has_commands_of(const BuildRequest& request, const BuildResult& earlier) {
  BuildRequest repeated = request;
  repeated.compiler = earlier.compiler;
  return (request.settings.library.empty() ? make_command_lines(repeated).making()
                                           : std::vector<Arguments>()) == earlier.commands;
}

}  // namespace

bool is_for_this_machine(const std::string& target) {
  utsname name{};
  return ::uname(&name) == 0 && target.starts_with(std::string(name.machine) + "-");
}

std::optional<BuildResult> find_carried(const BuildRequest& request, const BuildResult& earlier) {
  const bool is_standing = earlier.is_built && !can_be_repeated(earlier) &&
                           (!request.settings.library.empty() || request.is_objects_only ||
                            is_for_this_machine(earlier.compiler.target)) &&
                           earlier.profile == request.profile.name &&
                           earlier.compiler.command == request.compiler.command &&
                           has_commands_of(request, earlier) &&
                           std::none_of(earlier.inputs.begin(), earlier.inputs.end(), is_changed) &&
                           stands(earlier, request);
  if (!is_standing) {
    return std::nullopt;
  }
  BuildResult result = earlier;
  result.label = request.label;
  result.is_reused = true;
  return result;
}

}  // namespace hashprof::toolchain
