// SPDX-License-Identifier: MIT
// See campaign/keys.h.
#include "campaign/keys.h"

namespace hashprof::campaign {

const std::vector<yaml::Key>& documented_keys() {
  static const std::vector<yaml::Key> keys = {
      {"hashprof", "version of this format: 1"},
      {"name", "name of the campaign and of its run directory"},
      {"title", "title of the reports"},
      {"system", "the machine, in the reader's words"},
      {"system.id", "short name of the machine"},
      {"system.note", "a line about the machine"},
      {"preset", "a named set of values of measure"},
      {"require", "conditions that are checked before anything is timed"},
      {"hashes", "what is measured"},
      {"hashes[].use", "a hash.yaml"},
      {"hashes[].only", "patterns of instance names"},
      {"hashes[].variants", "variants of each instance"},
      {"hashes[].outputs", "output lengths of an extendable-output function"},
      {"builds", "profiles that each variant is built with"},
      {"baselines", "instances that the others are compared with"},
      {"baselines.BITS", "the instance for that output length"},
      {"kat", "known-answer files that are computed"},
      {"kat_files", "submitted known-answer files, to find where a digest differs"},
      {"kat_files.INSTANCE", "the file, or the folder of them, of one instance"},
      {"time_failing", "whether a build with wrong digests is timed"},
      {"measure", "what is measured, and how often"},
      {"measure.sizes", "message lengths"},
      {"measure.sizes.from", "first of a series of message lengths"},
      {"measure.sizes.to", "bound of the series"},
      {"measure.sizes.step", "distance of the series"},
      {"measure.core", "CPU core that the processes are pinned to"},
      {"measure.processes", "fresh processes of each cell"},
      {"measure.trial", "wanted length of the trial of a process"},
      {"measure.modes", "how calls follow each other"},
      {"measure.max_calls", "most calls of a trial"},
      {"measure.layouts", "libraries that are linked of one build"},
      {"measure.seed", "seed of the order of the processes"},
      {"measure.max_processes", "processes of a cell that disagree", true},
      {"measure.percall", "samples of single calls", true},
      {"limits", "bounds on time and memory"},
      {"limits.cell", "planned time of one cell"},
      {"limits.call", "time of one worker process"},
      {"limits.build", "time of one build"},
      {"limits.memory", "address space of a worker"},
      {"limits.stack", "stack of a worker"},
      {"env", "environment of a worker"},
      {"env.NAME", "value of one variable"},
      {"sandbox", "what a worker gives up before it loads a library"},
      {"sandbox.uid", "user that a worker becomes"},
      {"sandbox.enabled", "whether it gives up anything"},
      {"report", "the reports"},
      {"report.formats", "formats that are written"},
      {"report.note", "a note on the first screen"},
      {"report.links", "references, by label"},
      {"report.links.LABEL", "target of one reference"},
      {"report.group_by", "groups of the summary", true},
      {"targets", "cross compilers for sizes", true},
      {"memory", "what is measured of memory", true},
  };
  return keys;
}

}  // namespace hashprof::campaign
