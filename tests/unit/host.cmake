# SPDX-License-Identifier: MIT
hashprof_add_unit_test(host SOURCES host_cache_neighbours_test.cpp host_cpus_test.cpp host_doctor_manual_test.cpp host_emulated_test.cpp
  host_facts_test.cpp host_memory_test.cpp host_findings_test.cpp)
