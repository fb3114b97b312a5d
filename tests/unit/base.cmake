# SPDX-License-Identifier: MIT
hashprof_add_unit_test(base SOURCES base_error_test.cpp base_text_test.cpp base_file_test.cpp)
