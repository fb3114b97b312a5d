// SPDX-License-Identifier: MIT
// `hashprof build` and `hashprof kat`: the first phases of a run, in its run directory.
#include "app/prepare.h"

#include "app/output.h"
#include "app/readiness.h"
#include "app/session.h"
#include "app/verbs.h"
#include "base/error.h"

namespace hashprof::app {

namespace {

std::string build_line(const record::BuildEntry& entry) {
  const json::Value* const wanted = entry.result.find("guide_result");
  const std::string fallback =
      wanted == nullptr ? "" : "  as " + entry.profile + ": " + wanted->at("reason").as_string();
  return entry.id() +
         (entry.is_built() ? "  built  " + entry.library + fallback
                           : "  FAILED  " + entry.failure()) +
         "\n";
}

/// Bytes of the objects of a target.
std::string object_line(const record::BuildEntry& entry) {
  const json::Value* const sizes = entry.result.find("sizes");
  if (sizes == nullptr) {
    return entry.id() + "  FAILED  " + entry.failure() + "\n";
  }
  std::string line = entry.id() + "  compiled ";
  for (const char* part : {"text", "rodata", "data", "bss"}) {
    line += std::string(" ") + part + " " + std::to_string(sizes->at(part).as_unsigned()) + " B";
  }
  return line + "\n";
}

std::string answer_line(const record::KatEntry& entry) {
  return "RESULT " + entry.family_id + " " + entry.label + " " + entry.status +
         (entry.detail.empty() ? "" : " " + entry.detail) + "\n";
}

json::Array files_to_json(const record::KatEntry& entry) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? json::Value() : json::Value(text);
  };
  json::Array files;
  for (const record::KatFileEntry& file : entry.files) {
    files.push_back(json::Object{{"kind", file.kind},
                                 {"status", file.status},
                                 {"file", file.file},
                                 {"sha256", text_or_null(file.sha256)},
                                 {"mode", text_or_null(file.mode)},
                                 {"detail", text_or_null(file.detail)},
                                 {"bytes", file.bytes},
                                 {"elapsed_ns", file.elapsed_ns}});
  }
  return files;
}

json::Array contract_to_json(const record::KatEntry& entry) {
  json::Array checks;
  for (const record::ContractEntry& check : entry.contract) {
    checks.push_back(
        json::Object{{"step", check.step}, {"standing", check.standing}, {"detail", check.detail}});
  }
  return checks;
}

json::Value to_json(const record::KatEntry& entry) {
  return json::Object{{"family", entry.family_id},     {"label", entry.label},
                      {"library", entry.library},      {"library_sha256", entry.library_sha256},
                      {"status", entry.status},        {"detail", entry.detail},
                      {"checked", entry.checked},      {"total", entry.total},
                      {"files", files_to_json(entry)}, {"contract", contract_to_json(entry)}};
}

void print_builds(const Session& session, bool is_json) {
  if (is_json) {
    print(json::write_pretty(record::to_json(session.builds(), session.objects())));
    return;
  }
  std::string text;
  for (const auto& entry : session.builds()) {
    text += build_line(entry);
  }
  for (const auto& entry : session.objects()) {
    text += object_line(entry);
  }
  print(text);
}

/// Carries the first phases out and keeps what is finished, whatever ends them.
void run_phases(Session& session, bool is_proved) {
  session.carry_out([&] {
    session.build_libraries();
    if (is_proved) {
      session.check_known_answers();
    }
  });
  session.finish(record::RunStatus::stopped);
}

}  // namespace

std::string answer_lines(const std::vector<record::KatEntry>& answers) {
  std::string text;
  for (const auto& entry : answers) {
    text += answer_line(entry);
  }
  return text;
}

json::Array answers_to_json(const std::vector<record::KatEntry>& answers) {
  json::Array array;
  for (const auto& entry : answers) {
    array.push_back(to_json(entry));
  }
  return array;
}

Proof prove(const Setup& setup, const cli::Options& options) {
  Session session(setup, options, find_findings(setup.plan.core, {}));
  run_phases(session, true);
  return {session.known_answers(), session.has_failures()};
}

int prepare(const cli::Options& options) {
  const Setup setup = load_setup(options);
  Session session(setup, options, find_findings(setup.plan.core, {}));
  const bool is_proved = options.verb == cli::Verb::kat;
  run_phases(session, is_proved);
  if (!is_proved) {
    print_builds(session, options.is_json);
  } else if (options.is_json) {
    print(json::write_pretty(answers_to_json(session.known_answers())));
  } else {
    print(answer_lines(session.known_answers()));
  }
  return session.has_failures() ? exit_code(Fault::target) : 0;
}

}  // namespace hashprof::app
