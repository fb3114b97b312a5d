# SPDX-License-Identifier: MIT
# Whole simulated runs without the program: their own test, because they take longer than a unit's.
add_executable(simulation_test simulation_coverage_test.cpp simulation_drift_test.cpp simulation_support.cpp)
target_link_libraries(simulation_test PRIVATE hashprof_runner hashprof_stats hashprof_warnings hashprof_sanitize
  GTest::gmock GTest::gtest_main)
target_compile_definitions(simulation_test PRIVATE _GNU_SOURCE)
add_test(NAME unit_simulation COMMAND simulation_test)
set_tests_properties(unit_simulation PROPERTIES TIMEOUT 600 LABELS unit)
