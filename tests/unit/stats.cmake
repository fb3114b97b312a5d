# SPDX-License-Identifier: MIT
hashprof_add_unit_test(stats SOURCES stats_agreement_test.cpp stats_details_test.cpp stats_growth_test.cpp stats_published_test.cpp
  stats_single_calls_test.cpp stats_summary_test.cpp)
