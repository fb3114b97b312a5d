// SPDX-License-Identifier: MIT
// Every key of hash.yaml. The reader refuses what is not listed here, and hashprof-hash(5) is
// compared with it.
#pragma once

#include <vector>

#include "yaml/reader.h"

namespace hashprof::catalog {

/// In the order of the manual page. Paths are relative to the file; INSTANCE, VARIANT and NAME
/// stand for names of the user's choice. The keys of a build stand under "build" only: they are the
/// same in all four layers.
[[nodiscard]] const std::vector<yaml::Key>& documented_keys();

/// Keys of instances.INSTANCE.variants.VARIANT, with that prefix: those of a build and its own.
[[nodiscard]] const std::vector<yaml::Key>& variant_keys();

}  // namespace hashprof::catalog
