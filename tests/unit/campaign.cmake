# SPDX-License-Identifier: MIT
hashprof_add_unit_test(campaign SOURCES campaign_builds_test.cpp campaign_corpus_test.cpp campaign_json_test.cpp campaign_manual_test.cpp
  campaign_overrides_test.cpp campaign_read_test.cpp)
