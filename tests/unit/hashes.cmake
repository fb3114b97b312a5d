# SPDX-License-Identifier: MIT
# The C files of hashes/ inside a test of their own: instrumented whatever the preset says, and under
# stricter warnings than any profile. CryptHash is renamed because each instance defines it.
function(add_reference name source)
  add_library(reference_${name} OBJECT ${PROJECT_SOURCE_DIR}/hashes/${source})
  set_target_properties(reference_${name} PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
  target_compile_definitions(reference_${name} PRIVATE CryptHash=${name}_crypt_hash ${ARGN})
  target_compile_options(reference_${name} PRIVATE -Wpedantic -Wall -Wextra -Wconversion -Wshadow -Werror
    -fsanitize=address,undefined -fno-sanitize-recover=all)
endfunction()
add_reference(sm3 sm3/reference/sm3.c)
add_reference(sha256 sha2/reference/sha256.c)
foreach(bits 256 512 768 1024)
  add_reference(llh_${bits} hash-16/reference/llh.c LLH_BITS=${bits})
endforeach()
add_executable(hashes_test hashes_reference_test.cpp hashes_llh_test.cpp hashes_llh_tables_test.cpp
  hashes_chime_tables_test.cpp)
target_compile_options(hashes_test PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all)
target_link_options(hashes_test PRIVATE -fsanitize=address,undefined)
target_compile_definitions(hashes_test PRIVATE HASHPROF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_include_directories(hashes_test PRIVATE ${PROJECT_SOURCE_DIR}/hashes/hash-16/reference
  ${PROJECT_SOURCE_DIR}/hashes/hash-26/reference)
target_link_libraries(hashes_test PRIVATE reference_sm3 reference_sha256
  reference_llh_256 reference_llh_512 reference_llh_768 reference_llh_1024 hashprof_campaign
  hashprof_catalog hashprof_kat hashprof_warnings
  OpenSSL::Crypto GTest::gtest_main)
add_test(NAME unit_hashes COMMAND hashes_test)
add_test(NAME unit_hashes_vectors COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/tools/make_vectors.py
  --check ${PROJECT_SOURCE_DIR}/hashes ${PROJECT_SOURCE_DIR}/tests/fixtures)
set_tests_properties(unit_hashes unit_hashes_vectors PROPERTIES TIMEOUT 300)
