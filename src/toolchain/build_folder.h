// SPDX-License-Identifier: MIT
// The folder in which the commands of one build run, and how its log repeats them. Private to unit
// toolchain.
#pragma once

#include <filesystem>
#include <string>

#include "toolchain/command_lines.h"

namespace hashprof::toolchain {

/// The folder of one build beside its library, removed at its end. Its name is fixed, so that the
/// next build of the same library removes what a killed one left; two builds of one library at a
/// time are not possible.
class BuildFolder {
 public:
  /// Throws Error{output} if it cannot be made.
  explicit BuildFolder(const std::filesystem::path& library);
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;
  BuildFolder(BuildFolder&&) = delete;
  BuildFolder& operator=(BuildFolder&&) = delete;
  ~BuildFolder() { clear(); }

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  /// Links, version script and generated files. Throws Error{output}.
  void fill(const CommandLines& lines, bool has_shim) const;

 private:
  void clear() const noexcept;
  std::filesystem::path folder_;
};

/// Arguments as a shell would have to be given them, for readers who repeat a command by hand.
[[nodiscard]] std::string shell_line(const Arguments& arguments);
/// Shell lines that make the folder as it is before the first command.
[[nodiscard]] std::string folder_recipe(const CommandLines& lines, bool has_shim,
                                        const std::filesystem::path& folder,
                                        const std::filesystem::path& compiler);

}  // namespace hashprof::toolchain
