// SPDX-License-Identifier: MIT
// See record/journal.h.
#include "record/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <set>
#include <tuple>

#include "base/error.h"
#include "base/file.h"
#include "base/sys.h"

namespace hashprof::record {

namespace {

constexpr Bytes kLargestJournal{std::uint64_t{1} << 32U};

struct Content {
  std::vector<Observation> observations;
  std::size_t complete_bytes = 0;
};

Content parse(const std::string& text, const std::filesystem::path& file) {
  Content content;
  std::set<std::tuple<std::string, std::string, std::uint32_t, std::uint32_t>> seen;
  std::size_t line_number = 0;
  for (;;) {
    const std::size_t end = text.find('\n', content.complete_bytes);
    if (end == std::string::npos) {
      return content;  // what follows the last line end is torn
    }
    const std::string where = file.native() + ":" + std::to_string(++line_number);
    const std::string_view line =
        std::string_view(text).substr(content.complete_bytes, end - content.complete_bytes);
    try {
      content.observations.push_back(observation_from_json(json::parse(line, where)));
    } catch (const Error& error) {
      throw Error(Fault::configuration, where, std::string("not a journal line: ") + error.what())
          .hint("the evidence was changed by hand or by a fault of the disk; --fresh starts anew");
    }
    const Observation& last = content.observations.back();
    if (!seen.emplace(last.cell, last.phase, last.process, last.attempt).second) {
      throw Error(Fault::configuration, where,
                  "process " + std::to_string(last.process) + " of " + last.cell +
                      " stands twice with attempt " + std::to_string(last.attempt))
          .hint("one process was journalled twice; --fresh starts anew");
    }
    content.complete_bytes = end + 1;
  }
}

}  // namespace

Journal::Journal(UniqueFd fd, std::filesystem::path file, std::vector<Observation> observations)
    : fd_(std::move(fd)), file_(std::move(file)), observations_(std::move(observations)) {}

Journal Journal::open(const std::filesystem::path& file) {
  UniqueFd fd = sys::open(file, O_RDWR | O_CREAT | O_APPEND, 0644, Fault::output);
  const std::string text = read_file(file, kLargestJournal);
  Content content = parse(text, file);
  if (content.complete_bytes != text.size()) {
    sys::ftruncate(fd.get(), content.complete_bytes, file.native());
    sys::fsync(fd.get(), file.native());
  }
  return {std::move(fd), file, std::move(content.observations)};
}

void Journal::append(const Observation& observation) {
  sys::write_all(fd_.get(), json::write_compact(to_json(observation)) + "\n", file_.native());
  sys::fsync(fd_.get(), file_.native());
  observations_.push_back(observation);
}

std::vector<Observation> read_journal(const std::filesystem::path& file) {
  return parse(read_file(file, kLargestJournal), file).observations;
}

std::map<std::string, std::vector<Observation>> read_journal_by_cell(
    const std::filesystem::path& file) {
  std::map<std::string, std::vector<Observation>> cells;
  if (std::filesystem::exists(file)) {
    for (Observation& observation : read_journal(file)) {
      std::vector<Observation>& cell = cells[observation.cell];
      cell.push_back(std::move(observation));
    }
  }
  return cells;
}

}  // namespace hashprof::record
