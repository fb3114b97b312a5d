# SPDX-License-Identifier: MIT
# Warnings, sanitizers, and one function a kind of target. Functions, not macros: nothing leaks.

add_library(hashprof_warnings INTERFACE)
target_compile_options(hashprof_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef
  -Werror=return-type -Werror=unused-result
  $<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast>
  # GCC 12 takes const char* + std::string for an overlapping copy when it optimises (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # GCC 12 sees uninitialised values in empty std::optional and std::variant when it optimises (GCC bug
  # 80635); clang-tidy and the sanitizers look for real ones.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  $<$<BOOL:${HASHPROF_WARNINGS_AS_ERRORS}>:-Werror>)

add_library(hashprof_sanitize INTERFACE)
if(HASHPROF_SANITIZE)
  target_compile_options(hashprof_sanitize INTERFACE
    -fsanitize=${HASHPROF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hashprof_sanitize INTERFACE -fsanitize=${HASHPROF_SANITIZE})
endif()
if(HASHPROF_COVERAGE)
  target_compile_options(hashprof_sanitize INTERFACE --coverage)
  target_link_options(hashprof_sanitize INTERFACE --coverage)
endif()

# hashprof_add_unit(name SOURCES ... [LINK units and libraries] [PRIVATE libraries])
# A static library of one unit of src/; LINK repeats the include table of src/README.md.
function(hashprof_add_unit name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;PRIVATE" ${ARGN})
  add_library(hashprof_${name} STATIC ${arg_SOURCES})
  target_include_directories(hashprof_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(hashprof_${name} PRIVATE _GNU_SOURCE)
  target_link_libraries(hashprof_${name} PUBLIC ${arg_LINK}
    PRIVATE hashprof_warnings hashprof_sanitize ${arg_PRIVATE})
endfunction()

# hashprof_add_unit_test(unit SOURCES ... [LINK ...])
# One test program a unit; it links the unit's library and GoogleTest.
function(hashprof_add_unit_test unit)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${unit}_test ${arg_SOURCES})
  target_link_libraries(${unit}_test PRIVATE hashprof_${unit} ${arg_LINK}
    hashprof_warnings hashprof_sanitize GTest::gmock GTest::gtest_main)
  target_compile_definitions(${unit}_test PRIVATE _GNU_SOURCE
    HASHPROF_FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures"
    HASHPROF_GOLDEN="${PROJECT_SOURCE_DIR}/tests/golden"
    HASHPROF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME unit_${unit} COMMAND ${unit}_test)
  set_tests_properties(unit_${unit} PROPERTIES TIMEOUT 300 LABELS unit)
endfunction()
