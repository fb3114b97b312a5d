# SPDX-License-Identifier: MIT
# The C files of hashes/ inside a test of their own: instrumented whatever the preset says, and under
# stricter warnings than any profile. CryptHash is renamed because each family defines it.
foreach(hash "sm3;sm3/reference/sm3.c" "sha256;sha2/reference/sha256.c")
  list(GET hash 0 name)
  list(GET hash 1 source)
  add_library(reference_${name} OBJECT ${PROJECT_SOURCE_DIR}/hashes/${source})
  set_target_properties(reference_${name} PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
  target_compile_definitions(reference_${name} PRIVATE CryptHash=${name}_crypt_hash)
  target_compile_options(reference_${name} PRIVATE -Wpedantic -Wall -Wextra -Wconversion -Wshadow -Werror
    -fsanitize=address,undefined -fno-sanitize-recover=all)
endforeach()
add_executable(hashes_test hashes_reference_test.cpp)
target_compile_options(hashes_test PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all)
target_link_options(hashes_test PRIVATE -fsanitize=address,undefined)
target_compile_definitions(hashes_test PRIVATE HASHPROF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(hashes_test PRIVATE reference_sm3 reference_sha256 hashprof_kat hashprof_warnings
  OpenSSL::Crypto GTest::gtest_main)
add_test(NAME unit_hashes COMMAND hashes_test)
add_test(NAME unit_hashes_vectors COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/tools/make_vectors.py
  --check ${PROJECT_SOURCE_DIR}/hashes ${PROJECT_SOURCE_DIR}/tests/fixtures)
set_tests_properties(unit_hashes unit_hashes_vectors PROPERTIES TIMEOUT 300)
