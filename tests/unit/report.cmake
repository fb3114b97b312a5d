# SPDX-License-Identifier: MIT
hashprof_add_unit_test(report
  SOURCES report_disturbed_test.cpp report_markdown_test.cpp report_numbers_test.cpp report_text_test.cpp report_views.cpp)
