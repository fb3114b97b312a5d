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
# The helper functions once, counted by the test in what they allocate and hash; then each instance of them.
add_reference(iccs_sm3 iccs/reference/sm3.c)
add_reference(iccs_auxfunc iccs/reference/auxfunc.c SM3=counted_sm3 malloc=counted_malloc free=counted_free)
foreach(instance sm3hash-256 pseudohash-512 pseudohash-768 pseudohash-1024 pseudoXOF-256 pseudoXOF-384 pseudoXOF-512
        pseudoXOF-768 pseudoXOF-1024 pseudoXOF-1152 pseudoXOF-1280 pseudoXOF-2048)
  string(REPLACE "-" ";" function_and_bits ${instance})
  list(GET function_and_bits 0 function)
  list(GET function_and_bits 1 bits)
  string(TOLOWER ${function}_${bits} name)
  add_reference(${name} iccs/reference/crypthash.c ICCS_FUNCTION=${function} ICCS_BITS=${bits})
  list(APPEND iccs_instances reference_${name})
endforeach()
add_executable(hashes_test
  hashes_chime_tables_test.cpp
  hashes_iccs_test.cpp
  hashes_iccs_work_test.cpp
  hashes_laurus_tables_test.cpp
  hashes_llh_tables_test.cpp
  hashes_llh_test.cpp
  hashes_reference_test.cpp
  hashes_thunder_tables_test.cpp)
target_compile_options(hashes_test PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all)
target_link_options(hashes_test PRIVATE -fsanitize=address,undefined)
target_compile_definitions(hashes_test PRIVATE HASHPROF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_include_directories(hashes_test PRIVATE
  ${PROJECT_SOURCE_DIR}/hashes
  ${PROJECT_SOURCE_DIR}/hashes/hash-14/reference
  ${PROJECT_SOURCE_DIR}/hashes/hash-16/reference
  ${PROJECT_SOURCE_DIR}/hashes/hash-26/reference
  ${PROJECT_SOURCE_DIR}/hashes/hash-33/reference
  ${PROJECT_SOURCE_DIR}/hashes/iccs/reference)
target_link_libraries(hashes_test PRIVATE reference_sm3 reference_sha256
  ${iccs_instances} reference_iccs_auxfunc reference_iccs_sm3
  reference_llh_256 reference_llh_512 reference_llh_768 reference_llh_1024 hashprof_campaign
  hashprof_catalog hashprof_kat hashprof_warnings
  OpenSSL::Crypto GTest::gtest_main)
add_test(NAME unit_hashes COMMAND hashes_test)
add_test(NAME unit_hashes_vectors COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/tools/make_vectors.py
  --check ${PROJECT_SOURCE_DIR}/hashes ${PROJECT_SOURCE_DIR}/tests/fixtures)
set_tests_properties(unit_hashes unit_hashes_vectors PROPERTIES TIMEOUT 300)
