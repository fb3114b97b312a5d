# SPDX-License-Identifier: MIT
hashprof_add_unit_test(toolchain SOURCES toolchain_build_test.cpp toolchain_cache_test.cpp
  toolchain_call_graph_test.cpp toolchain_carried_test.cpp toolchain_empty_test.cpp
  toolchain_languages_test.cpp toolchain_hostile_test.cpp
  toolchain_compiler_test.cpp toolchain_includes_test.cpp toolchain_process_test.cpp
  toolchain_stack_bound_test.cpp)
