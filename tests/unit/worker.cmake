# SPDX-License-Identifier: MIT
# The worker is a program: its test starts it with a socket of its own.
add_executable(worker_test worker_heap_table_test.cpp worker_loop_test.cpp worker_percall_test.cpp
  worker_program_test.cpp worker_user_read_test.cpp ${PROJECT_SOURCE_DIR}/src/worker/heap_table.c)
target_link_libraries(worker_test PRIVATE hashprof_base hashprof_worker_protocol hashprof_warnings
  hashprof_sanitize GTest::gtest_main)
target_compile_definitions(worker_test PRIVATE _GNU_SOURCE HASHPROF_WORKER="$<TARGET_FILE:hashprof_worker>"
  HASHPROF_LOST_COUNTER="$<TARGET_FILE:fixture_lost_counter>")

# The worker's own samples over a counter that a test invents; without sanitizers, as the worker.
set(worker_sources channel.c counter.c hardware.c loop.c memory.c percall.c)
list(TRANSFORM worker_sources PREPEND ${PROJECT_SOURCE_DIR}/src/worker/)
add_executable(fixture_lost_counter ${PROJECT_SOURCE_DIR}/tests/fixtures/programs/lost_counter.c ${worker_sources})
set_target_properties(fixture_lost_counter PROPERTIES OUTPUT_NAME lost_counter
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fixtures)
target_include_directories(fixture_lost_counter PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(fixture_lost_counter PRIVATE _GNU_SOURCE)
target_compile_options(fixture_lost_counter PRIVATE -O2)
target_link_libraries(fixture_lost_counter PRIVATE hashprof_warnings ${CMAKE_DL_LIBS})
add_dependencies(worker_test hashprof_worker fixture_lost_counter)
add_test(NAME unit_worker COMMAND worker_test)
set_tests_properties(unit_worker PROPERTIES TIMEOUT 60)
