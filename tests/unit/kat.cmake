# SPDX-License-Identifier: MIT
hashprof_add_unit_test(kat SOURCES kat_canonical_test.cpp kat_combine_test.cpp kat_contract_test.cpp kat_manifest_test.cpp
  kat_message_set_test.cpp kat_submitted_test.cpp kat_vectors_test.cpp kat_verdict_test.cpp)
