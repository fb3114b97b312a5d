# SPDX-License-Identifier: MIT
# BPF programs as targets. Sets HASHPROF_BPF to ON or OFF by HASHPROF_WITH_BPF and by what is there.

set(HASHPROF_WITH_BPF AUTO CACHE STRING "Second witness of memory by BPF programs: AUTO, ON or OFF")
set_property(CACHE HASHPROF_WITH_BPF PROPERTY STRINGS AUTO ON OFF)

# The words that __TARGET_ARCH_ and hashprof know, by CMake's name of a processor.
function(hashprof_find_bpf_architecture result)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    set(${result} x86 PARENT_SCOPE)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(${result} arm64 PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
endfunction()

# hashprof_find_bpf(result): ON if BPF programs can be built, else OFF, with one line that says what is missing.
function(hashprof_find_bpf result)
  if(HASHPROF_WITH_BPF STREQUAL "AUTO" OR HASHPROF_WITH_BPF)
    # bpftool is not on the PATH of a user.
    find_program(HASHPROF_CLANG NAMES clang clang-16 clang-15 clang-14 DOC "clang that knows the target bpf")
    find_program(HASHPROF_LLVM_STRIP NAMES llvm-strip llvm-strip-16 llvm-strip-15 llvm-strip-14 DOC "llvm-strip")
    find_program(HASHPROF_BPFTOOL NAMES bpftool PATHS /usr/sbin /usr/local/sbin DOC "bpftool")
    find_path(LIBBPF_INCLUDE_DIR bpf/libbpf.h DOC "Folder of libbpf's bpf/libbpf.h")
    find_library(LIBBPF_LIBRARY bpf DOC "libbpf")
    find_library(LIBBPF_ELF_LIBRARY elf DOC "libelf, which libbpf needs")
    find_library(LIBBPF_ZLIB_LIBRARY z DOC "zlib, which libbpf needs")
    hashprof_find_bpf_architecture(architecture)
    set(missing)
    foreach(pair HASHPROF_CLANG=clang HASHPROF_LLVM_STRIP=llvm HASHPROF_BPFTOOL=bpftool LIBBPF_INCLUDE_DIR=libbpf-dev
        LIBBPF_LIBRARY=libbpf-dev LIBBPF_ELF_LIBRARY=libelf-dev LIBBPF_ZLIB_LIBRARY=zlib1g-dev)
      string(REPLACE "=" ";" pair ${pair})
      list(GET pair 0 variable)
      list(GET pair 1 package)
      if(NOT ${variable})
        list(APPEND missing ${package})
      endif()
    endforeach()
    list(REMOVE_DUPLICATES missing)
    list(JOIN missing " " packages)
    set(reason "")
    if(missing)
      set(reason "these packages are missing: ${packages}")
    elseif(NOT architecture)
      set(reason "its programs know x86-64 and AArch64, not ${CMAKE_SYSTEM_PROCESSOR}")
    endif()
    if(NOT reason)
      set(${result} ON PARENT_SCOPE)
      return()
    elseif(HASHPROF_WITH_BPF STREQUAL "AUTO")
      message(STATUS "hashprof is built without BPF: ${reason}")
    else()
      message(FATAL_ERROR "HASHPROF_WITH_BPF=${HASHPROF_WITH_BPF}, but ${reason}")
    endif()
  endif()
  set(${result} OFF PARENT_SCOPE)
endfunction()

# hashprof_add_bpf(name source): target bpf::<name>, which brings <name>.skel.h and what it needs of libbpf.
# The object is compiled for the target machine: pt_regs are its own.
function(hashprof_add_bpf name source)
  hashprof_find_bpf_architecture(architecture)
  set(folder ${CMAKE_BINARY_DIR}/bpf)
  file(MAKE_DIRECTORY ${folder})
  set(object ${folder}/${name}.bpf.o)
  set(skeleton ${folder}/${name}.skel.h)
  # Headers of the target machine, after clang's own <stdint.h>.
  set(headers -idirafter ${LIBBPF_INCLUDE_DIR}
    -idirafter ${CMAKE_SYSROOT}/usr/include/${CMAKE_LIBRARY_ARCHITECTURE} -idirafter ${CMAKE_SYSROOT}/usr/include)
  add_custom_command(OUTPUT ${object}
    COMMAND ${HASHPROF_CLANG} -g -O2 -std=gnu11 -target bpf -mcpu=v3 -ffreestanding -Wall -Wextra -Werror
      -D__TARGET_ARCH_${architecture} -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/src
      ${headers} -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
    COMMAND ${HASHPROF_LLVM_STRIP} -g ${object}
    DEPENDS ${source} DEPFILE ${object}.d COMMENT "Compiling BPF program ${name}" VERBATIM)
  # Renamed when it is whole: what was interrupted leaves no half header.
  add_custom_command(OUTPUT ${skeleton}
    COMMAND ${HASHPROF_BPFTOOL} gen skeleton ${object} name ${name}_bpf > ${skeleton}.part
    COMMAND ${CMAKE_COMMAND} -E rename ${skeleton}.part ${skeleton}
    DEPENDS ${object} COMMENT "Generating skeleton of BPF program ${name}" VERBATIM)
  add_custom_target(bpf_${name}_skeleton DEPENDS ${skeleton})
  add_library(bpf_${name} INTERFACE)
  add_library(bpf::${name} ALIAS bpf_${name})
  add_dependencies(bpf_${name} bpf_${name}_skeleton)
  target_include_directories(bpf_${name} SYSTEM INTERFACE ${folder} ${LIBBPF_INCLUDE_DIR})
  target_include_directories(bpf_${name} INTERFACE ${PROJECT_SOURCE_DIR})
  target_link_libraries(bpf_${name} INTERFACE ${LIBBPF_LIBRARY} ${LIBBPF_ELF_LIBRARY} ${LIBBPF_ZLIB_LIBRARY})
endfunction()
