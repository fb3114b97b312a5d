# SPDX-License-Identifier: MIT
hashprof_add_unit_test(kat SOURCES kat_vectors_test.cpp kat_verdict_test.cpp)
