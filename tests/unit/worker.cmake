# SPDX-License-Identifier: MIT
# The worker is a program: its test starts it with a socket of its own.
add_executable(worker_test worker_loop_test.cpp worker_program_test.cpp worker_user_read_test.cpp)
target_link_libraries(worker_test PRIVATE hashprof_base hashprof_worker_protocol hashprof_warnings
  hashprof_sanitize GTest::gtest_main)
target_compile_definitions(worker_test PRIVATE _GNU_SOURCE HASHPROF_WORKER="$<TARGET_FILE:hashprof_worker>")
add_dependencies(worker_test hashprof_worker)
add_test(NAME unit_worker COMMAND worker_test)
set_tests_properties(unit_worker PROPERTIES TIMEOUT 60)
