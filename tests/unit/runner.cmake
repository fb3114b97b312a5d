# SPDX-License-Identifier: MIT
# Fixture libraries and programs are never built with sanitizers: the worker that loads them is not.
set(fixture_libs)
function(hashprof_add_fixture_lib name source)
  add_library(fixture_${name} MODULE ${PROJECT_SOURCE_DIR}/tests/fixtures/${source})
  set_target_properties(fixture_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fixtures)
  target_compile_definitions(fixture_${name} PRIVATE _GNU_SOURCE ${ARGN})
  target_compile_options(fixture_${name} PRIVATE -O2)
  add_custom_command(TARGET fixture_${name} POST_BUILD
    COMMAND chmod 0644 $<TARGET_FILE:fixture_${name}> VERBATIM)
  set(fixture_libs ${fixture_libs} fixture_${name} PARENT_SCOPE)
endfunction()

foreach(name good crash endless exit_zero close_output close_protocol garble_protocol jump chatty unsteady
        once half overrun scribble forker threader reporter witness crash_late)
  hashprof_add_fixture_lib(${name} libs/${name}.c)
endforeach()
hashprof_add_fixture_lib(fail_at_3 libs/fail_at.c FAIL_AT=3)
hashprof_add_fixture_lib(fail_at_6 libs/fail_at.c FAIL_AT=6)
hashprof_add_fixture_lib(fail_at_50 libs/fail_at.c FAIL_AT=50)
hashprof_add_fixture_lib(initialiser_exits libs/initialiser.c INITIALISER_CRASHES=0)
hashprof_add_fixture_lib(initialiser_crashes libs/initialiser.c INITIALISER_CRASHES=1)
foreach(fault right constant short_write over_write changes_input over_read random returns unused_bits
        aligned static_state under_write restores_input empty_read refuses honours null_fault hangs
        keeps_buffer hangs_unaligned takes_bytes)
  string(TOUPPER ${fault} number)
  hashprof_add_fixture_lib(contract_${fault} contract/toy.c FAULT=${number})
endforeach()

foreach(name known constructor threads odd crowd arena family foreign many_blocks racing refused stretches)
  hashprof_add_fixture_lib(memory_${name} memory/${name}.c)
  target_compile_options(fixture_memory_${name} PRIVATE -fno-builtin)
endforeach()
target_link_libraries(fixture_memory_threads PRIVATE Threads::Threads)
target_link_libraries(fixture_memory_racing PRIVATE Threads::Threads)
hashprof_add_fixture_lib(memory_new memory/new.cpp)
foreach(name at_exec plain_loader)
  add_executable(fixture_${name} ${PROJECT_SOURCE_DIR}/tests/fixtures/programs/${name}.c)
  set_target_properties(fixture_${name} PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fixtures)
  target_include_directories(fixture_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(fixture_${name} PRIVATE _GNU_SOURCE)
  target_compile_options(fixture_${name} PRIVATE -O2)
  target_link_libraries(fixture_${name} PRIVATE ${CMAKE_DL_LIBS})
endforeach()

hashprof_add_unit_test(runner SOURCES runner_support.cpp runner_outcome_test.cpp runner_percall_test.cpp
  runner_latency_test.cpp runner_schedule_test.cpp runner_schedule_more_test.cpp runner_core_time_test.cpp
  runner_contract_test.cpp runner_order_test.cpp runner_end_test.cpp runner_known_answers_test.cpp runner_library_test.cpp
  runner_heap_test.cpp runner_heap_family_test.cpp runner_live_probe_test.cpp runner_memory_test.cpp
  runner_signals_test.cpp runner_simulated_test.cpp runner_taint_test.cpp
  runner_worker_file_test.cpp)
target_compile_definitions(runner_test PRIVATE
  HASHPROF_WORKER="$<TARGET_FILE:hashprof_worker>"
  HASHPROF_HEAP_WORKER="$<TARGET_FILE:hashprof_worker_heap>" HASHPROF_FIXTURE_BINARIES="${CMAKE_BINARY_DIR}/fixtures")
add_dependencies(runner_test hashprof_worker hashprof_worker_heap ${fixture_libs} fixture_at_exec fixture_plain_loader)
# It pins processes to a core and times them out: beside another such test it would wait for it.
set_tests_properties(unit_runner PROPERTIES RUN_SERIAL ON)
