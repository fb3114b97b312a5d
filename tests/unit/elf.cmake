# SPDX-License-Identifier: MIT
# One source, linked in the ways that change what a loader and a reader find. Without sanitizers:
# they would add symbols and sections of their own.
set(elf_libraries)
function(hashprof_add_elf_library name)
  add_library(elf_${name} MODULE ${PROJECT_SOURCE_DIR}/tests/fixtures/elf/tables.c)
  set_target_properties(elf_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fixtures/elf)
  target_compile_options(elf_${name} PRIVATE -O2 -g0)
  target_link_options(elf_${name} PRIVATE -Wl,--build-id=0x0123456789abcdef ${ARGN})
  set(elf_libraries ${elf_libraries} elf_${name} PARENT_SCOPE)
endfunction()

hashprof_add_elf_library(plain)
hashprof_add_elf_library(joined -Wl,-z,noseparate-code)
hashprof_add_elf_library(norelro -Wl,-z,norelro)
hashprof_add_elf_library(sysv -Wl,--hash-style=sysv)
hashprof_add_elf_library(wide -Wl,-z,max-page-size=0x200000)
hashprof_add_elf_library(needs_math -Wl,--no-as-needed -lm)
hashprof_add_elf_library(no_build_id -Wl,--build-id=none)

add_library(elf_symbols MODULE ${PROJECT_SOURCE_DIR}/tests/fixtures/elf/symbols.cpp)
set_target_properties(elf_symbols PROPERTIES PREFIX "" OUTPUT_NAME symbols
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fixtures/elf)
target_compile_options(elf_symbols PRIVATE -O2 -g0)

add_library(elf_object OBJECT ${PROJECT_SOURCE_DIR}/tests/fixtures/elf/tables.c)

hashprof_add_unit_test(elf SOURCES elf_support.cpp elf_classes_test.cpp elf_image_test.cpp elf_library_test.cpp
  elf_machine_test.cpp elf_malformed_test.cpp elf_object_sizes_test.cpp elf_symbols_test.cpp LINK ${CMAKE_DL_LIBS})
target_include_directories(elf_test PRIVATE ${PROJECT_SOURCE_DIR}/tests/fixtures/elf)
target_compile_definitions(elf_test PRIVATE HASHPROF_ELF_LIBRARIES="${CMAKE_BINARY_DIR}/fixtures/elf"
  HASHPROF_ELF_OBJECT="$<TARGET_OBJECTS:elf_object>")
add_dependencies(elf_test ${elf_libraries} elf_symbols elf_object)
