// SPDX-License-Identifier: MIT
// Catches a build that passes its known answers without computing them, and a fault that is not
// charged to its vector.
#include "runner/known_answers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "runner_support.h"

namespace hashprof::runner {
namespace {

/// The fixtures' digest (tests/fixtures/libs/hash.h), computed here a second time.
std::vector<std::uint8_t> digest_of(const std::vector<std::uint8_t>& message, std::uint64_t bits,
                                    std::uint32_t bytes) {
  std::uint64_t sum = bits + 1;
  for (const std::uint8_t byte : message) {
    sum = sum * 31 + byte;
  }
  std::vector<std::uint8_t> digest;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    digest.push_back(static_cast<std::uint8_t>((sum >> (i % 8 * 8)) + i));
  }
  return digest;
}

std::vector<kat::Vector> vectors_of(std::size_t count) {
  std::vector<kat::Vector> vectors;
  for (std::size_t i = 0; i < count; ++i) {
    kat::Vector vector;
    vector.instance = "fixture";
    vector.message_bits = i;
    vector.message = kat::pattern_message((i + 7) / 8);
    vector.digest = digest_of(vector.message, i, 32);
    vector.output_bits = vector.call_bits = 256;
    vector.file = "fixture.tsv";
    vector.line = static_cast<std::uint32_t>(i + 2);
    vectors.push_back(vector);
  }
  return vectors;
}

KatJob job_of(const std::string& library) {
  KatJob job;
  job.worker = HASHPROF_WORKER;
  job.library = fixture(library + ".so");
  job.entry = "CryptHash";
  job.core = test_core();
  return job;
}

kat::Verdict judge(const KatJob& job, std::size_t count) {
  return run_known_answers(job, vectors_of(count), 256).verdict;
}

void expect_verdict(const kat::Verdict& verdict, const char* status, const char* detail,
                    std::uint64_t checked) {
  EXPECT_STREQ(kat::status_name(verdict.status), status);
  EXPECT_EQ(verdict.detail, detail);
  EXPECT_EQ(verdict.checked, checked);
}

TEST(KnownAnswers, pass_for_4097_messages_of_a_right_library) {
  const kat::Verdict verdict = judge(job_of("good"), 4097);
  EXPECT_STREQ(kat::status_name(verdict.status), "PASS") << verdict.detail;
  EXPECT_EQ(verdict.checked, 4097U);
  EXPECT_EQ(verdict.total, 4097U);
}

TEST(KnownAnswers, do_not_pass_where_half_a_digest_is_written) {
  EXPECT_STREQ(kat::status_name(judge(job_of("half"), 20).status), "MISMATCH");
}

TEST(KnownAnswers, do_not_pass_where_only_the_first_digest_is_written) {
  EXPECT_STREQ(kat::status_name(judge(job_of("once"), 20).status), "MISMATCH");
}

TEST(KnownAnswers, do_not_pass_with_one_wrong_byte_expected) {
  std::vector<kat::Vector> vectors = vectors_of(20);
  vectors[7].digest[31] ^= 1U;
  const kat::Verdict verdict = run_known_answers(job_of("good"), vectors, 256).verdict;
  EXPECT_STREQ(kat::status_name(verdict.status), "MISMATCH");
  EXPECT_NE(verdict.detail.find("message of 7 bits"), std::string::npos) << verdict.detail;
}

TEST(KnownAnswers, charge_a_crash_to_its_vector) {
  expect_verdict(judge(job_of("crash"), 5), "CRASH",
                 "SIGSEGV at step call, vector 1 of 5 (message of 0 bits)", 0);
}

TEST(KnownAnswers, charge_a_non_zero_return_to_its_vector_and_length) {
  expect_verdict(judge(job_of("fail_at_3"), 5), "CRYPTFAIL",
                 "returned 1, vector 3 of 5 (message of 2 bits)", 2);
}

TEST(KnownAnswers, charge_an_exit_to_its_vector) {
  expect_verdict(judge(job_of("exit_zero"), 5), "CRASH",
                 "exited with status 0 at step call, vector 1 of 5 (message of 0 bits)", 0);
}

TEST(KnownAnswers, charge_an_endless_loop_to_its_vector) {
  KatJob job = job_of("endless");
  job.time_limit = {200'000'000};
  expect_verdict(judge(job, 5), "TIMEOUT",
                 "no end within 0.2 s at step call, vector 1 of 5 (message of 0 bits)", 0);
}

TEST(KnownAnswers, say_why_a_library_does_not_load) {
  KatJob job = job_of("good");
  job.entry = "OtherHash";
  expect_verdict(judge(job, 5), "LOADFAIL", "good.so: undefined symbol: OtherHash", 0);
}

TEST(KnownAnswers, charge_an_initialiser_to_the_load) {
  expect_verdict(judge(job_of("initialiser_crashes"), 5), "CRASH", "SIGSEGV at step load", 0);
}

TEST(KnownAnswers, start_no_process_without_vectors) {
  KatJob job = job_of("good");
  job.worker = "/nonexistent";
  EXPECT_STREQ(kat::status_name(run_known_answers(job, {}, 256).verdict.status), "NOVECTORS");
}

TEST(KnownAnswers, keep_what_the_library_wrote) {
  const KatRun run = run_known_answers(job_of("chatty"), vectors_of(3), 256);
  EXPECT_STREQ(kat::status_name(run.verdict.status), "PASS") << run.verdict.detail;
  EXPECT_EQ(run.output.tail.size(), 65536U);
  EXPECT_EQ(run.output.tail.substr(65526), "last line\n");
}

TEST(KnownAnswers, of_a_longer_output_than_a_row_has_the_first_bits_count) {
  std::vector<kat::Vector> vectors = vectors_of(3);
  for (kat::Vector& vector : vectors) {
    vector.output_bits = 20;
    vector.digest = kat::first_bits(vector.digest, 20);
  }
  expect_verdict(run_known_answers(job_of("good"), vectors, 256).verdict, "PASS", "3 vectors agree",
                 3);
}

/// The fixture gives whole bytes, as many as hold the bits that it is asked for.
TEST(KnownAnswers, a_row_is_called_with_its_own_output_length) {
  std::vector<kat::Vector> vectors = vectors_of(3);
  for (kat::Vector& vector : vectors) {
    vector.output_bits = vector.call_bits = 512;
    vector.digest = digest_of(vector.message, vector.message_bits, 64);
  }
  vectors[1].output_bits = vectors[1].call_bits = 0;
  vectors[1].digest.clear();
  expect_verdict(run_known_answers(job_of("good"), vectors, 256).verdict, "PASS", "3 vectors agree",
                 3);
}

/// A build with all vectors of `count` lengths and one small file, whose digest is right.
struct Fixture {
  explicit Fixture(const std::string& library, std::size_t count = 4) : vectors(vectors_of(count)) {
    set.messages = {{3, {0x20}, {}}, {8, {0x3d}, {}}};
    std::vector<std::vector<std::uint8_t>> digests;
    for (const kat::Message& message : set.messages) {
      digests.push_back(digest_of(message.bytes, message.bits, 32));
    }
    line.sha256 = kat::judge(set, "f", &line, true, digests).sha256;
    task.job = job_of(library);
    task.vectors = &vectors;
    task.digest_bits = 256;
    task.has_manifest = true;
    messages.emplace(set);
    KatFile file;
    file.name = "KAT_2_12_f.txt";
    file.line = &line;
    file.messages = &*messages;
    KatFile absent;
    absent.kind = kat::Kind::k2_23;
    absent.name = "KAT_2_23_f.txt";
    absent.reason = "no manifest";
    task.files = {file, absent};
  }

  kat::MessageSet set;
  std::optional<MessageMemory> messages;
  kat::ManifestLine line;
  std::vector<kat::Vector> vectors;
  KatTask task;
};

TEST(KatTasks, compute_vectors_and_files_and_leave_out_what_has_no_line) {
  const Fixture fixture("good");
  std::size_t done = 0;
  std::size_t steps = 0;
  run_kat_tasks({fixture.task}, {test_core()}, [&](std::size_t index, const KatAnswers& answers) {
    ++steps;
    if (!answers.is_through) {
      EXPECT_TRUE(answers.contract.empty());
      return;
    }
    ++done;
    EXPECT_EQ(index, 0U);
    EXPECT_EQ(answers.vectors->verdict.detail, "4 vectors agree");
    ASSERT_EQ(answers.files.size(), 2U);
    EXPECT_EQ(answers.files[0].verdict.status, kat::Status::pass);
    EXPECT_EQ(answers.files[0].verdict.sha256, fixture.line.sha256);
    EXPECT_EQ(answers.files[0].verdict.file, "KAT_2_12_f.txt");
    EXPECT_GT(answers.files[0].elapsed.value_or(Nanoseconds{}).value, 0U);
    EXPECT_EQ(answers.files[1].verdict.status, kat::Status::no_kat);
    EXPECT_EQ(answers.files[1].verdict.detail, "no manifest");
    EXPECT_EQ(answers.contract.size(), kat::kChecks);
    EXPECT_FALSE(answers.files[1].elapsed.has_value());
  });
  EXPECT_EQ(done, 1U);
  EXPECT_EQ(steps, 3U) << "vectors, file, end";
}

TEST(KatTasks, a_wrong_file_is_a_mismatch_beside_right_vectors) {
  Fixture fixture("good");
  fixture.line.sha256[0] = fixture.line.sha256[0] == '0' ? '1' : '0';
  run_kat_tasks({fixture.task}, {test_core()}, [&](std::size_t, const KatAnswers& answers) {
    if (!answers.is_through) {
      return;
    }
    EXPECT_EQ(answers.vectors->verdict.status, kat::Status::pass);
    EXPECT_EQ(answers.files[0].verdict.status, kat::Status::mismatch);
  });
}

TEST(KatTasks, files_are_not_run_where_the_vectors_crash) {
  const Fixture fixture("crash");
  run_kat_tasks({fixture.task}, {test_core()}, [&](std::size_t, const KatAnswers& answers) {
    if (!answers.is_through) {
      return;
    }
    EXPECT_EQ(answers.vectors->verdict.status, kat::Status::crash);
    EXPECT_EQ(answers.files[0].verdict.status, kat::Status::not_run);
    EXPECT_EQ(answers.files[0].verdict.detail, "the vectors ended with CRASH");
    EXPECT_EQ(answers.files[1].verdict.status, kat::Status::no_kat);
  });
}

TEST(KatTasks, a_fault_of_a_file_is_charged_to_its_record) {
  Fixture fixture("crash", 0);
  run_kat_tasks({fixture.task}, {test_core()}, [&](std::size_t, const KatAnswers& answers) {
    if (!answers.is_through) {
      return;
    }
    EXPECT_EQ(answers.vectors->verdict.status, kat::Status::no_vectors);
    EXPECT_EQ(answers.files[0].verdict.status, kat::Status::crash);
    EXPECT_EQ(answers.files[0].verdict.detail,
              "SIGSEGV at step call, record 1 of 2 (message of 3 bits)");
  });
}

TEST(KatTasks, several_at_a_time_are_each_done_once_and_none_waits_for_a_slow_one) {
  Fixture slow("endless");
  slow.task.job.time_limit = {6'000'000'000};
  const Fixture good("good");
  const Fixture missing("good");
  std::vector<KatTask> tasks{slow.task, good.task, missing.task, good.task};
  tasks[2].job.entry = "OtherHash";
  std::vector<std::size_t> order;
  std::vector<kat::Status> statuses(tasks.size());
  run_kat_tasks(tasks, {test_core(), test_core()},
                [&](std::size_t index, const KatAnswers& answers) {
                  if (!answers.is_through) {
                    return;
                  }
                  order.push_back(index);
                  statuses[index] = answers.vectors->verdict.status;
                });
  EXPECT_EQ(order, (std::vector<std::size_t>{1, 2, 3, 0}));
  EXPECT_EQ(statuses, (std::vector<kat::Status>{kat::Status::timeout, kat::Status::pass,
                                                kat::Status::load_fail, kat::Status::pass}));
}

/// A message of 1 KiB that is hashed again and again, as KAT_Loop does.
TEST(KatTasks, a_chain_turns_the_message_and_takes_the_digest_onto_it) {
  std::vector<std::uint8_t> message = kat::pattern_message(40);
  const KatJob job = job_of("good");
  kat::MessageSet set;
  set.kind = kat::Kind::loop;
  set.messages = {{320, message, {}}};
  const MessageMemory memory(set);
  Computation computation(job, memory, 256, "record");
  static_cast<void>(wait_any({computation.worker()}));
  const Answers answers = computation.finish();
  ASSERT_EQ(answers.status, kat::Status::pass) << answers.detail;
  std::vector<std::uint8_t> digest = digest_of(message, 320, 32);
  for (std::uint32_t call = 0; call < kat::chained_calls(kat::Kind::loop); ++call) {
    std::rotate(message.begin(), message.begin() + 32, message.end());
    for (std::size_t i = 0; i < 32; ++i) {
      message[i] = static_cast<std::uint8_t>(message[i] ^ digest[i]);
    }
    digest = digest_of(message, 320, 32);
  }
  EXPECT_EQ(answers.digests.at(0), digest);
}

TEST(KatTasks, a_call_of_a_chain_that_fails_is_named) {
  const KatJob job = job_of("fail_at_50");
  kat::MessageSet set;
  set.kind = kat::Kind::loop;
  set.messages = {{320, kat::pattern_message(40), {}}};
  const MessageMemory memory(set);
  Computation computation(job, memory, 256, "record");
  static_cast<void>(wait_any({computation.worker()}));
  const Answers answers = computation.finish();
  EXPECT_EQ(answers.status, kat::Status::crypt_fail);
  EXPECT_EQ(answers.detail,
            "returned 1 in chained call 49 of 1000000, record 1 of 1 (message of 320 bits)");
}

}  // namespace
}  // namespace hashprof::runner
