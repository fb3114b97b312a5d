# SPDX-License-Identifier: MIT
# Hashes whose stack is known to the byte, and the runner's stack and depth processes on them.
set(stack_fixtures)
function(hashprof_add_stack_fixture name source)
  hashprof_add_fixture_lib(stack_${name} stack/${source} ${ARGN})
  set_target_properties(fixture_stack_${name} PROPERTIES LINKER_LANGUAGE C)
  set(stack_fixtures ${stack_fixtures} fixture_stack_${name} PARENT_SCOPE)
endfunction()

foreach(name allocates imports leaf top_byte)
  hashprof_add_stack_fixture(${name} ${name}.S)
endforeach()
foreach(total 1024 65536 3000000 8388608 8388624 12582912)
  hashprof_add_stack_fixture(frame_${total} frame.S TOTAL=${total})
endforeach()
hashprof_add_stack_fixture(recursion recursion.S LEVELS=100)
hashprof_add_stack_fixture(endless_recursion recursion.S LEVELS=1000000000)
hashprof_add_stack_fixture(pattern_one pattern.S FLIP=0x00)
hashprof_add_stack_fixture(pattern_two pattern.S FLIP=0xff)
hashprof_add_stack_fixture(grows varying.S DEPTHS=64,65536,131072)
hashprof_add_stack_fixture(first_deepest varying.S DEPTHS=65536,512,1024)
hashprof_add_stack_fixture(second_deepest varying.S DEPTHS=512,1536,1024)
hashprof_add_stack_fixture(third_deepest varying.S DEPTHS=512,1024,1536)
hashprof_add_stack_fixture(fourth_overflows varying.S DEPTHS=1024,1024,1024,65552)
hashprof_add_stack_fixture(raises raises.c)
hashprof_add_stack_fixture(unwinds unwinds.c)
hashprof_add_stack_fixture(runs_code runs_code.S)
target_link_options(fixture_stack_runs_code PRIVATE -Wl,-z,execstack)
target_link_options(fixture_stack_imports PRIVATE -Wl,-z,lazy)
# ISO C has no conversion between a function's address and a void pointer, which dladdr takes.
target_compile_options(fixture_stack_unwinds PRIVATE -Wno-pedantic)
target_link_options(fixture_stack_unwinds PRIVATE -static-libgcc)

add_executable(stack_test runner_support.cpp runner_depth_test.cpp runner_stack_test.cpp)
target_link_libraries(stack_test PRIVATE hashprof_runner hashprof_warnings hashprof_sanitize GTest::gmock
  GTest::gtest_main ${CMAKE_DL_LIBS})
target_compile_definitions(stack_test PRIVATE _GNU_SOURCE
  HASHPROF_WORKER="$<TARGET_FILE:hashprof_worker>" HASHPROF_FIXTURE_BINARIES="${CMAKE_BINARY_DIR}/fixtures")
add_dependencies(stack_test hashprof_worker fixture_crash fixture_fail_at_3 fixture_good ${stack_fixtures})
add_test(NAME unit_stack COMMAND stack_test)
# It pins processes to a core and times them out, as unit_runner does.
set_tests_properties(unit_stack PROPERTIES TIMEOUT 300 LABELS unit RUN_SERIAL ON)
