/* SPDX-License-Identifier: MIT
 * See worker/memory.h. */
#include "worker/memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "worker/channel.h"

#define SMALL_BLOCK 64u

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static unsigned char* map_file(int fd, uint64_t size, int flags, const char* what) {
  void* area = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
  if (area == MAP_FAILED) {
    channel_fail_system(what);
  }
  return area;
}

size_t memory_whole_pages(uint64_t size) {
  const size_t page = page_size();
  return (size + page - 1) / page * page;
}

/* An overrun of more than the slack of the last page meets a guard page, not our memory. */
unsigned char* memory_map_guarded(uint64_t size, const char* what) {
  const size_t page = page_size();
  const size_t inner = memory_whole_pages(size);
  unsigned char* area =
      mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (area == MAP_FAILED || mprotect(area + page, inner, PROT_READ | PROT_WRITE) != 0) {
    channel_fail_system(what);
  }
  return area + page;
}

static void touch_pages(const volatile unsigned char* area, uint64_t size) {
  const size_t page = page_size();
  for (uint64_t at = 0; at < size; at += page) {
    (void)area[at];
  }
}

unsigned char memory_fill_byte(size_t index) { return (unsigned char)(0xa5u ^ (index * 29u)); }

void memory_fill(unsigned char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = memory_fill_byte(i);
  }
}

/* The message of an item as a run of maps of the same bytes: it takes their memory once. */
static unsigned char* map_repeated(const struct hashprof_item* item) {
  const size_t page = page_size();
  const uint64_t bytes = (item->message_bits + 7) / 8;
  const uint64_t size = (bytes + page - 1) / page * page;
  unsigned char* area =
      mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (area == MAP_FAILED) {
    channel_fail_system("mmap(repeated message)");
  }
  for (uint64_t at = 0; at < size; at += item->repeat_bytes) {
    const uint64_t rest = size - at;
    const uint64_t piece = rest < item->repeat_bytes ? rest : item->repeat_bytes;
    if (mmap(area + at, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, HASHPROF_FD_MESSAGE,
             (off_t)item->message_at) == MAP_FAILED) {
      channel_fail_system("mmap(repeated message)");
    }
  }
  return area;
}

static void map_repeated_messages(struct areas* areas, uint32_t items) {
  void* const table = mmap(NULL, items * sizeof *areas->repeated, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (table == MAP_FAILED) {
    channel_fail_system("mmap(repeated messages)");
  }
  areas->repeated = table;
  for (uint32_t i = 0; i < items; ++i) {
    struct hashprof_item item;
    memcpy(&item, areas->message + i * sizeof item, sizeof item);
    if (item.repeat_bytes > 0) {
      areas->repeated[i] = map_repeated(&item);
    }
  }
}

static void map_samples(struct areas* areas, uint64_t calls) {
  const uint64_t size = HASHPROF_ALL_SAMPLES(calls) * sizeof *areas->samples;
  void* const samples = map_file(HASHPROF_FD_DIGEST, size, MAP_SHARED, "mmap(samples)");
  memset(samples, 0, size);
  areas->samples = samples;
}

static int has_report(const struct hashprof_request* request) {
  return request->kind == HASHPROF_KIND_MEMORY || request->kind == HASHPROF_KIND_STACK ||
         request->kind == HASHPROF_KIND_DEPTH;
}

void memory_map(struct areas* areas, const struct hashprof_request* request) {
  areas->message =
      map_file(HASHPROF_FD_MESSAGE, request->message_map_bytes, MAP_PRIVATE, "mmap(message)");
  touch_pages(areas->message, request->message_map_bytes);
  if (request->flags & HASHPROF_FLAG_LATENCY) {
    /* The page gets its own copy here, not in the loop. */
    volatile unsigned char* const first = areas->message + request->message_offset;
    *first = *first;
  }
  if (request->kind == HASHPROF_KIND_KAT) {
    map_repeated_messages(areas, request->items);
  }
  if (request->flags & HASHPROF_FLAG_HAS_WINDOW) {
    areas->window = (struct hashprof_window*)map_file(HASHPROF_FD_WINDOW, page_size(), MAP_SHARED,
                                                      "mmap(window)");
  }
  if (has_report(request)) {
    areas->report =
        map_file(HASHPROF_FD_DIGEST, request->report_map_bytes, MAP_SHARED, "mmap(report)");
    memset(areas->report, 0, request->report_map_bytes);
  } else if (request->kind == HASHPROF_KIND_PERCALL) {
    map_samples(areas, request->calls);
  } else if (request->flags & HASHPROF_FLAG_HAS_DIGEST) {
    areas->digest =
        map_file(HASHPROF_FD_DIGEST, request->digest_map_bytes, MAP_SHARED, "mmap(digest)");
    return;
  }
  areas->digest = memory_map_guarded(request->digest_map_bytes, "mmap(digest)");
  memory_fill(areas->digest, request->digest_map_bytes);
  areas->reference = memory_map_guarded((request->digest_bits + 7) / 8, "mmap(reference)");
}

void memory_open(struct memory_files* files) {
  files->status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  files->smaps_rollup = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
  files->clear_refs = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
}

/* The number of the line `label` ("VmRSS:"), which both files give in KiB. */
static uint64_t find_kib(const char* text, const char* label) {
  const char* at = strstr(text, label);
  if (at == NULL) {
    return UINT64_MAX;
  }
  at += strlen(label);
  at += strspn(at, " \t");
  if (*at < '0' || *at > '9') {
    return UINT64_MAX;
  }
  uint64_t value = 0;
  for (; *at >= '0' && *at <= '9'; ++at) {
    value = value * 10 + (uint64_t)(*at - '0');
  }
  return value;
}

uint64_t memory_read_kib(int fd, const char* label) {
  char text[4096];
  size_t size = 0;
  while (fd >= 0 && size < sizeof text - 1) {
    const ssize_t count = pread(fd, text + size, sizeof text - 1 - size, (off_t)size);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      break;
    }
    size += (size_t)count;
  }
  text[size] = '\0';
  return find_kib(text, label);
}

void memory_read_baseline(const struct memory_files* files, struct hashprof_result* result) {
  result->baseline_rss_kib = memory_read_kib(files->status, "VmRSS:");
  result->baseline_anon_kib = memory_read_kib(files->status, "RssAnon:");
  result->baseline_file_kib = memory_read_kib(files->status, "RssFile:");
  result->file_pmd_kib = memory_read_kib(files->smaps_rollup, "FilePmdMapped:");
  result->anon_huge_kib = memory_read_kib(files->smaps_rollup, "AnonHugePages:");
}

void memory_read_peak(const struct memory_files* files, struct hashprof_result* result) {
  result->peak_rss_kib = memory_read_kib(files->status, "VmHWM:");
  result->last_anon_kib = memory_read_kib(files->status, "RssAnon:");
  result->last_file_kib = memory_read_kib(files->status, "RssFile:");
  result->last_file_pmd_kib = memory_read_kib(files->smaps_rollup, "FilePmdMapped:");
}

void memory_read_process(const struct memory_files* files, struct hashprof_rss* rss) {
  rss->all_kib = memory_read_kib(files->status, "VmRSS:");
  rss->anon_kib = memory_read_kib(files->status, "RssAnon:");
  rss->file_kib = memory_read_kib(files->status, "RssFile:");
  rss->file_pmd_kib = memory_read_kib(files->smaps_rollup, "FilePmdMapped:");
  rss->peak_kib = memory_read_kib(files->status, "VmHWM:");
}

int memory_reset_peak(const struct memory_files* files) {
  return write(files->clear_refs, "5", 1) == 1;
}

/* By name: this program itself links no allocation. */
uint64_t memory_heap_address(void) {
  void* const malloc_symbol = dlsym(RTLD_DEFAULT, "malloc");
  void* const free_symbol = dlsym(RTLD_DEFAULT, "free");
  if (malloc_symbol == NULL || free_symbol == NULL) {
    channel_fail(HASHPROF_ERROR_SYSTEM, 0, 0, "the process has no malloc or no free");
  }
  void* (*take)(size_t) = NULL;
  void (*give)(void*) = NULL;
  memcpy(&take, &malloc_symbol, sizeof take);
  memcpy(&give, &free_symbol, sizeof give);
  void* const block = take(SMALL_BLOCK);
  if (block == NULL) {
    channel_fail_system("malloc");
  }
  const uint64_t address = (uint64_t)(uintptr_t)block;
  give(block);
  return address;
}
