# SPDX-License-Identifier: MIT
# A file of some pages on a file system: what lies in memory only counts as shared.
set(puppet_file ${CMAKE_COMMAND})

# The puppet is never built with sanitizers: they would bring a malloc of their own.
add_executable(fixture_memory_puppet ${PROJECT_SOURCE_DIR}/tests/fixtures/programs/memory_puppet.c)
set_target_properties(fixture_memory_puppet PROPERTIES OUTPUT_NAME memory_puppet
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fixtures)
add_library(fixture_puppet_constructor MODULE ${PROJECT_SOURCE_DIR}/tests/fixtures/libs/puppet_constructor.c)
set_target_properties(fixture_puppet_constructor PROPERTIES PREFIX "" OUTPUT_NAME puppet_constructor
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fixtures)
target_link_libraries(fixture_puppet_constructor PRIVATE hashprof_warnings)
target_include_directories(fixture_memory_puppet PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(fixture_memory_puppet PRIVATE _GNU_SOURCE
  MEMORY_CONSTRUCTOR="$<TARGET_FILE:fixture_puppet_constructor>" MEMORY_FILE="${puppet_file}")
target_compile_options(fixture_memory_puppet PRIVATE -O2 -fno-builtin)
target_link_libraries(fixture_memory_puppet PRIVATE hashprof_warnings ${CMAKE_DL_LIBS} pthread)

# The body of a program without BPF, in every build.
add_executable(probes_without_test probes_without_test.cpp ${PROJECT_SOURCE_DIR}/src/probes/without_bpf.cpp)
target_link_libraries(probes_without_test PRIVATE hashprof_base hashprof_record hashprof_warnings
  hashprof_sanitize GTest::gtest_main)
target_compile_definitions(probes_without_test PRIVATE _GNU_SOURCE)
add_test(NAME unit_probes_without COMMAND probes_without_test)
set_tests_properties(unit_probes_without PROPERTIES TIMEOUT 60 LABELS unit)

if(HASHPROF_BPF)
  hashprof_add_unit_test(probes SOURCES probes_support.cpp probes_heap_test.cpp probes_refusal_test.cpp
    probes_tracepoint_test.cpp probes_window_test.cpp)
  target_compile_definitions(probes_test PRIVATE HASHPROF_MEMORY_PUPPET="$<TARGET_FILE:fixture_memory_puppet>")
  add_dependencies(probes_test fixture_memory_puppet fixture_puppet_constructor)
  # Its growth and switches are those of a process that nobody else drives off its processor.
  set_tests_properties(unit_probes PROPERTIES RUN_SERIAL ON)
endif()
