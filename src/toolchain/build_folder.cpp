// SPDX-License-Identifier: MIT
// See toolchain/build_folder.h.
#include "toolchain/build_folder.h"

#include <unistd.h>

#include "base/file.h"
#include "base/sys.h"
#include "base/text.h"
#include "toolchain/layout.h"
#include "toolchain/supercop.h"

namespace hashprof::toolchain {

using std::filesystem::path;

namespace {

/// An argument as a shell would have to be given it, for readers who repeat a command by hand.
std::string shell_word(const std::string& argument) {
  const bool is_plain =
      !argument.empty() && argument.find_first_not_of(
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                               "_-+=:,./@%") == std::string::npos;
  if (is_plain) {
    return argument;
  }
  std::string word = "'";
  for (const char c : argument) {
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return word + "'";
}

/// Name and text of each file in kGeneratedFolder.
std::vector<std::pair<std::string, std::string>> generated_files(const CommandLines& lines,
                                                                 bool has_shim) {
  std::vector<std::pair<std::string, std::string>> files;
  if (has_shim) {
    files = supercop_files();
  }
  if (!lines.paddings.empty()) {
    files.emplace_back(kPaddingName, padding_text());
  }
  return files;
}

}  // namespace

BuildFolder::BuildFolder(const path& library) : folder_(library.native() + ".build") {
  make_directories(folder_.parent_path());
  clear();
  make_directories(folder_);
}

void BuildFolder::fill(const CommandLines& lines, bool has_shim) const {
  for (std::size_t i = 0; i < lines.folders.size(); ++i) {
    const path link = folder_ / ("d" + std::to_string(i));
    if (::symlink(lines.folders[i].c_str(), link.c_str()) != 0) {
      sys::throw_errno(Fault::output, "symlink", link.native());
    }
  }
  write_file_atomically(folder_ / kVersionScript, lines.version_script);
  std::vector<std::pair<std::string, std::string>> files = generated_files(lines, has_shim);
  if (!lines.empty.empty()) {
    // In no recipe: the library does not depend on them.
    files.emplace_back(kEmptyName, kEmptyText);
    files.emplace_back(kEmptyCxxName, kEmptyText);
  }
  for (const auto& [name, text] : files) {
    make_directories(folder_ / kGeneratedFolder);
    write_file_atomically(folder_ / kGeneratedFolder / name, text);
  }
}

void BuildFolder::clear() const noexcept {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string shell_line(const Arguments& arguments) {
  std::string line;
  for (const std::string& argument : arguments) {
    line += (line.empty() ? "" : " ") + shell_word(argument);
  }
  return line;
}

std::string folder_recipe(const CommandLines& lines, bool has_shim, const path& folder,
                          const path& compiler) {
  const std::string name = shell_line({folder.native()});
  std::string log = "\n$ mkdir " + name + " && cd " + name + "\n";
  for (std::size_t i = 0; i < lines.folders.size(); ++i) {
    log += "$ ln -s " + shell_line({lines.folders[i].native()}) + " d" + std::to_string(i) + "\n";
  }
  for (const auto& [file, text] : generated_files(lines, has_shim)) {
    log.append("$ mkdir -p ").append(kGeneratedFolder).append(" && cat > ");
    log.append(kGeneratedFolder).append("/").append(file).append(" << 'END'\n");
    log.append(text).append("END\n");
  }
  log += "$ echo " + shell_line({std::string(text::trim(lines.version_script))}) + " > " +
         kVersionScript + "\n$ export";
  for (const std::string& variable : compiler_environment(compiler, folder)) {
    log += " " + shell_line({variable});
  }
  return log + "\n";
}

}  // namespace hashprof::toolchain
