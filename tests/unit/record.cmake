# SPDX-License-Identifier: MIT
hashprof_add_unit_test(record SOURCES record_baseline_test.cpp record_journal_test.cpp record_run_directory_test.cpp
  record_load_run_test.cpp record_kat_log_test.cpp record_manual_test.cpp record_agreement_test.cpp record_cells_test.cpp
  record_deviation_test.cpp record_memory_test.cpp)
