// SPDX-License-Identifier: MIT
// Which known-answer files belong to which instance, and how long digests are. Private to the unit.
#pragma once

#include <vector>

#include "submission/kat_files.h"
#include "submission/submission.h"

namespace hashprof::submission {

/// Gives each file to the instance whose name or folder it fits best; one that fits none is noted.
/// Of two files of a kind that differ the better one is kept, and the instance is unsure.
void join_answers(std::vector<KatFile> files, Submission& submission);

/// The length of each instance's digest: by its sources, else by its known-answer files, else by
/// its name, else a usual one that is said to be none of these.
void settle_lengths(Submission& submission);

}  // namespace hashprof::submission
