# SPDX-License-Identifier: MIT
hashprof_add_unit_test(counters SOURCES counters_open_error_test.cpp)
