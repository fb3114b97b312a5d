// SPDX-License-Identifier: MIT
// Between what the known answers of a build came to and its log: what an earlier command answered
// is taken up from the log, so that both make one verdict.
#pragma once

#include <string>

#include "record/kat_log.h"
#include "runner/known_answers.h"

namespace hashprof::app {

/// Throws Error{internal} for a name that is none: the reading of the campaign let it pass.
[[nodiscard]] kat::Kind kind_of(const std::string& name);

/// Puts what a task came to so far into the entry; `has_times` unless the run is simulated.
void store_vectors(const runner::KatRun& run, record::KatEntry& entry);
/// The same of a further layout, from 0.
void store_layout(std::size_t layout, const runner::KatRun& run, record::KatEntry& entry);
void store_file(const runner::KatFileRun& run, bool has_times, record::KatEntry& entry);
void store_contract(const runner::KatAnswers& answers, record::KatEntry& entry);
/// The line of a kind; it is in the entry (else Error{internal}).
[[nodiscard]] record::KatFileEntry& file_of(record::KatEntry& entry, const std::string& kind);

[[nodiscard]] kat::Verdict vectors_verdict(const record::KatEntry& entry);
[[nodiscard]] kat::KindVerdict file_verdict(const record::KatFileEntry& file);

/// Takes over what `earlier` says of the same library, vectors and manifest, and another try could
/// not end otherwise: time-outs and crashes may come from the machine or from limits that were
/// raised since. Files that are not wanted now are kept too.
void adopt(const record::KatEntry& earlier, record::KatEntry& entry);

/// Takes back from an adopted file what this run decides: how it stands to other variants, and to
/// the submitted file, which is another one now (`submitted_sha256`; empty without one). It is
/// pending if it has to be computed again for that. An answer of the manifest stands.
void reopen(record::KatFileEntry& file, bool has_manifest, const std::string& submitted_sha256);

/// Status and detail from all parts; NOTRUN, naming what is missing, as long as some is.
void settle(record::KatEntry& entry);

}  // namespace hashprof::app
