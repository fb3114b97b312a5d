# SPDX-License-Identifier: MIT
hashprof_add_unit_test(yaml SOURCES yaml_document_test.cpp yaml_quantity_test.cpp yaml_reader_test.cpp)
