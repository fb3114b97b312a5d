/* SPDX-License-Identifier: MIT
 * Kind DEPTH: the stack that functions of the C library take, as they are on this machine. Compiled
 * as C and as C++. */
#ifndef HASHPROF_WORKER_DEPTH_H
#define HASHPROF_WORKER_DEPTH_H

/* NOLINTBEGIN(readability-identifier-naming, modernize-avoid-c-arrays) */

#define HASHPROF_DEPTH_FUNCTIONS 16

/* What a hash may call, in the order of the report. */
static const char* const hashprof_depth_functions[HASHPROF_DEPTH_FUNCTIONS] = {
    "memcpy",  "memmove",      "memset",         "memcmp",       "bzero",  "explicit_bzero",
    "strlen",  "__memcpy_chk", "__memmove_chk",  "__memset_chk", "malloc", "calloc",
    "realloc", "free",         "posix_memalign", "aligned_alloc"};

/* NOLINTEND(readability-identifier-naming, modernize-avoid-c-arrays) */

#ifndef __cplusplus
#include "worker/measure.h"
#include "worker/protocol.h"

/* The deepest of several situations each: short and long areas, blocks from the heap's top, from
 * bins and from mmap, frees that give memory back, the first call of each among them. It bounds
 * what was seen, and proves nothing of what was not. */
void measure_depth(struct session* session, struct hashprof_result* result);
#endif

#endif
