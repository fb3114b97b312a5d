# SPDX-License-Identifier: MIT
hashprof_add_unit_test(stats SOURCES stats_summary_test.cpp)
