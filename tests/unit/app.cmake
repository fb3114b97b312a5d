# SPDX-License-Identifier: MIT
hashprof_add_unit_test(app SOURCES app_kat_entry_test.cpp)
