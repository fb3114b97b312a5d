// SPDX-License-Identifier: MIT
// See runner/library_file.h.
#include "runner/library_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/sys.h"
#include "base/text.h"
#include "elf/elf_image.h"

namespace hashprof::runner {

UniqueFd open_library(const std::filesystem::path& library) {
  UniqueFd fd = sys::open(library, O_RDONLY | O_NONBLOCK);
  if (!S_ISREG(sys::fstat(fd.get(), library.native()).st_mode)) {
    throw Error(Fault::environment, library.native(), "not a regular file");
  }
  return fd;
}

std::string find_refusal(const UniqueFd& fd, const std::filesystem::path& library) {
  const std::string foreign = elf::find_foreign_machine(fd.get(), library.native());
  return foreign.empty() ? "" : text::printable(library.filename().native()) + ": " + foreign;
}

}  // namespace hashprof::runner
