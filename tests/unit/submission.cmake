# SPDX-License-Identifier: MIT
hashprof_add_unit_test(submission SOURCES submission_facts_test.cpp submission_macros_test.cpp submission_read_test.cpp
  submission_yaml_test.cpp LINK hashprof_campaign)
