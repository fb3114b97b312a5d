# SPDX-License-Identifier: MIT
hashprof_add_unit_test(cli SOURCES cli_options_test.cpp)
