# SPDX-License-Identifier: MIT
hashprof_add_unit_test(plan SOURCES plan_plan_test.cpp plan_builds_test.cpp)
