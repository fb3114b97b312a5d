# SPDX-License-Identifier: MIT
hashprof_add_unit_test(counters SOURCES counters_event_plan_test.cpp counters_open_error_test.cpp)
