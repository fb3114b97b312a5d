/* SPDX-License-Identifier: MIT
 * The worker's maps (message, digests) and what /proc/self says of its memory. */
#ifndef HASHPROF_WORKER_MEMORY_H
#define HASHPROF_WORKER_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "worker/protocol.h"

struct areas {
  unsigned char* message;   /* descriptor 5, private: the library may scribble on it */
  unsigned char* digest;    /* anonymous between two guard pages, or descriptor 7 of a kat */
  unsigned char* reference; /* where the digest of the first call is kept */
  unsigned char** repeated; /* of a kat: the map of each item that repeats its bytes, else null */
  uint64_t* samples;        /* of a percall: descriptor 7, else null */
  void* report;             /* of a memory, stack or depth: descriptor 7, else null */
  struct hashprof_window* window; /* descriptor 6, or null */
};

/* Descriptors opened while /proc/self is still readable for sure. */
struct memory_files {
  int status;
  int smaps_rollup; /* -1 on kernels without it */
  int clear_refs;   /* -1 on kernels without it */
};

/* Maps what the request names; reads every page once, and writes those that are written later, so
 * that no fault of these areas falls into the timed loop. Ends the process with an ERROR event on
 * failure. */
void memory_map(struct areas* areas, const struct hashprof_request* request);

/* `size` bytes, rounded up to whole pages, readable and writable between two pages that are
 * neither. Ends the process with an ERROR event that names `what` on failure. */
unsigned char* memory_map_guarded(uint64_t size, const char* what);

/* Bytes of the pages that hold `size` bytes. */
size_t memory_whole_pages(uint64_t size);

void memory_open(struct memory_files* files);

/* VmRSS, RssAnon, RssFile, FilePmdMapped and AnonHugePages, or VmHWM and the same after the last
 * call, in KiB into `result`; UINT64_MAX where they cannot be read. */
void memory_read_baseline(const struct memory_files* files, struct hashprof_result* result);
void memory_read_peak(const struct memory_files* files, struct hashprof_result* result);

/* The number of the line `label` ("VmRSS:") of a file of /proc/self, in KiB; UINT64_MAX where it
 * cannot be read. */
uint64_t memory_read_kib(int fd, const char* label);

/* The whole process as it is. */
void memory_read_process(const struct memory_files* files, struct hashprof_rss* rss);

/* Lets VmHWM begin anew from VmRSS: 1, or 0 where the kernel or the sandbox does not let it. */
int memory_reset_peak(const struct memory_files* files);

/* Where the loaded process' heap begins a small block, by its own malloc and free. */
uint64_t memory_heap_address(void);

/* Fills `size` bytes with a pattern that no digest repeats for long. */
void memory_fill(unsigned char* bytes, size_t size);

/* The byte that memory_fill puts at `index`. */
unsigned char memory_fill_byte(size_t index);

#endif
