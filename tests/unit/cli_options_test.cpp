// SPDX-License-Identifier: MIT
// Catches words that are taken for something else, and usage faults whose text does not help.
#include "cli/options.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hashprof::cli {
namespace {

Options parsed(const std::vector<std::string>& words) {
  return std::get<Options>(parse(words, "1.2.3"));
}

std::string fault(const std::vector<std::string>& words) {
  try {
    (void)parse(words, "1.2.3");
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.render();
  }
  return "no fault";
}

TEST(Options, every_option_reaches_its_field) {
  const Options o =
      parsed({"run", "c.yaml", "--only", "a*", "--only", "b", "--sizes", "32,4096", "--processes",
              "3", "--preset", "quick", "--out", "d", "--fresh", "--json", "--simulate=no-pmu,7"});
  EXPECT_EQ(o.verb, Verb::run);
  EXPECT_EQ(o.target, "c.yaml");
  EXPECT_EQ(o.only, (std::vector<std::string>{"a*", "b"}));
  EXPECT_EQ(o.sizes, "32,4096");
  EXPECT_EQ(o.processes, 3U);
  EXPECT_EQ(o.preset, "quick");
  EXPECT_EQ(o.out, "d");
  EXPECT_TRUE(o.is_fresh);
  EXPECT_TRUE(o.is_json);
  EXPECT_EQ(o.simulate, "no-pmu,7");
}

TEST(Options, of_known_answers_belong_to_kat) {
  const Options o = parsed({"kat", "h.yaml", "--kinds", "2_12", "--jobs", "4"});
  EXPECT_EQ(o.kinds, "2_12");
  EXPECT_EQ(o.jobs, 4U);
  EXPECT_EQ(parsed({"kat", "h.yaml"}).jobs, 1U);
  EXPECT_EQ(fault({"kat", "x", "--jobs=0"}), "hashprof: error: --jobs 0: is not in 1..256\n");
  EXPECT_EQ(fault({"run", "x", "--jobs=2"}),
            "hashprof: error: The following argument was not expected: --jobs=2\n"
            "  hint: 'hashprof --help' shows the usage\n");
}

TEST(Options, what_is_not_given_is_absent) {
  const Options o = parsed({"run", "c.yaml"});
  EXPECT_FALSE(o.sizes || o.processes || o.preset || o.out || o.simulate || o.kinds);
  EXPECT_FALSE(o.is_fresh || o.is_json);
}

TEST(Options, simulate_alone_keeps_the_operand_after_it) {
  const Options o = parsed({"run", "--simulate", "c.yaml"});
  EXPECT_EQ(o.simulate, "quiet");
  EXPECT_EQ(o.target, "c.yaml");
}

TEST(Options, an_operand_may_begin_with_a_dash_after_two_dashes) {
  EXPECT_EQ(parsed({"run", "--", "-odd"}).target, "-odd");
}

TEST(Options, list_needs_no_operand) {
  EXPECT_EQ(parsed({"list"}).target, "");
  EXPECT_EQ(parsed({"list", "presets"}).target, "presets");
}

TEST(Options, doctor_needs_no_operand) {
  EXPECT_EQ(parsed({"doctor"}).verb, Verb::doctor);
  EXPECT_EQ(parsed({"doctor"}).target, "");
  EXPECT_EQ(parsed({"doctor", "c.yaml", "--json"}).target, "c.yaml");
  EXPECT_TRUE(parsed({"doctor", "c.yaml", "--json"}).is_json);
}

TEST(Options, init_takes_several_operands_and_has_another_name) {
  const Options o = parsed({"init", "a", "b", "--out", "f", "--fresh", "--check"});
  EXPECT_EQ(o.verb, Verb::init);
  EXPECT_EQ(o.targets, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(o.target, "a");
  EXPECT_EQ(o.out, "f");
  EXPECT_TRUE(o.is_fresh && o.is_checked);
  EXPECT_EQ(parsed({"adopt", "a"}).verb, Verb::init);
  EXPECT_EQ(parsed({"run", "adopt"}).target, "adopt");
  EXPECT_NE(fault({"init"}), "no fault");
  EXPECT_NE(fault({"init", "a", ""}), "no fault");
  EXPECT_NE(fault({"run", "a", "b"}), "no fault");
}

TEST(Options, faults_say_what_to_do) {
  EXPECT_EQ(
      fault({}),
      "hashprof: error: no verb\n"
      "  hint: the verbs are run, plan, build, kat, memory, report, list, doctor, init; 'hashprof "
      "--help' shows the usage\n");
  EXPECT_EQ(fault({"reprot", "x"}),
            "hashprof: error: unknown verb 'reprot'\n  hint: did you mean 'report'?\n");
  EXPECT_EQ(fault({"run"}),
            "hashprof: error: TARGET is required\n  hint: 'hashprof --help' shows the usage\n");
  EXPECT_EQ(fault({"run", "x", "--size=3"}),
            "hashprof: error: The following argument was not expected: --size=3\n"
            "  hint: did you mean '--sizes'?\n");
  EXPECT_EQ(fault({"plan", "x", "--fresh"}),
            "hashprof: error: The following argument was not expected: --fresh\n"
            "  hint: 'hashprof --help' shows the usage\n");
  for (const char* bad : {"0", "1001", "-1", "3x", "1e2"}) {
    EXPECT_EQ(fault({"run", "x", std::string("--processes=") + bad}),
              std::string("hashprof: error: --processes ") + bad + ": is not in 1..1000\n");
  }
  EXPECT_EQ(fault({"run", "x", "--out="}),
            "hashprof: error: --out: 1 required DIR missing\n"
            "  hint: 'hashprof --help' shows the usage\n");
}

TEST(Options, version_and_help_are_information) {
  EXPECT_EQ(std::get<Information>(parse({"--version"}, "1.2.3")).text, "hashprof 1.2.3\n");
  for (const OptionInfo& option : option_table()) {
    for (const Verb verb : option.verbs) {
      const auto* name = verb_table()[static_cast<std::size_t>(verb)].name;
      const std::string help = std::get<Information>(parse({name, "--help"}, "1.2.3")).text;
      EXPECT_NE(help.find(option.name), std::string::npos) << name << " " << option.name;
    }
  }
}

}  // namespace
}  // namespace hashprof::cli
