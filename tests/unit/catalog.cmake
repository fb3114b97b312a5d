# SPDX-License-Identifier: MIT
hashprof_add_unit_test(catalog SOURCES catalog_family_test.cpp catalog_manual_test.cpp catalog_corpus_test.cpp
  catalog_source_folder_test.cpp)
