# SPDX-License-Identifier: MIT
hashprof_add_unit_test(json SOURCES json_value_test.cpp)
