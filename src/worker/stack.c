/* SPDX-License-Identifier: MIT
 * See worker/stack.h. */
#include "worker/stack.h"

#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "worker/channel.h"
#include "worker/memory.h"

#define HANDLER_BYTES (64u << 10u)
#define WORD_BYTES 8u

static unsigned char* stack_start; /* the guard lies below it */
static unsigned char* stack_end;
static uint64_t stack_size;
static size_t page;
static uint64_t charged_item;
static unsigned char handler_stack[HANDLER_BYTES];

static unsigned char pattern_at(const unsigned char* address, unsigned char flip) {
  const uintptr_t number = (uintptr_t)address;
  return (unsigned char)((number * 29u + (number >> 8u) * 57u) ^ flip);
}

static void paint(unsigned char* from, unsigned char flip) {
  for (unsigned char* at = from; at < stack_end; ++at) {
    *at = pattern_at(at, flip);
  }
}

static uint64_t find_depth(const unsigned char* from, unsigned char flip) {
  const unsigned char* at = from;
  while (at < stack_end && *at == pattern_at(at, flip)) {
    ++at;
  }
  return (uint64_t)(stack_end - at);
}

/* The lowest page of [stack_start, below) that was touched; `below` if none was. */
static unsigned char* find_touched(unsigned char* below) {
  unsigned char resident[1024];
  for (unsigned char* at = stack_start; at < below;) {
    const size_t left = (size_t)(below - at) / page;
    const size_t pages = left < sizeof resident ? left : sizeof resident;
    if (mincore(at, pages * page, resident) != 0) {
      channel_fail_system("mincore");
    }
    for (size_t i = 0; i < pages; ++i) {
      if (resident[i] & 1u) {
        return at + i * page;
      }
    }
    at += pages * page;
  }
  return below;
}

static void forget_pages(void) {
  if (madvise(stack_start, stack_size, MADV_DONTNEED) != 0) {
    channel_fail_system("madvise(stack)");
  }
}

static void on_fault(int number, siginfo_t* info, void* context) {
  (void)context;
  const unsigned char* const address = info->si_addr;
  const int is_access = info->si_code == SEGV_MAPERR || info->si_code == SEGV_ACCERR;
  if (is_access && address < stack_start && address >= stack_start - HASHPROF_STACK_GUARD_BYTES) {
    channel_fail(HASHPROF_ERROR_STACK, (int64_t)stack_size, charged_item, "");
  }
  /* Not ours: the instruction faults again, and that ends the process. A signal that somebody sent
   * would not come again. */
  signal(number, SIG_DFL);
  if (info->si_code <= 0) {
    raise(number);
  }
}

void stack_map(uint64_t bytes) {
  if (bytes == 0) {
    channel_fail(HASHPROF_ERROR_PROTOCOL, 0, 0, "a stack of 0 bytes");
  }
  page = (size_t)sysconf(_SC_PAGESIZE);
  stack_size = memory_whole_pages(bytes);
  unsigned char* const area = mmap(NULL, HASHPROF_STACK_GUARD_BYTES + stack_size + page, PROT_NONE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (area == MAP_FAILED) {
    channel_fail_system("mmap(stack)");
  }
  stack_start = area + HASHPROF_STACK_GUARD_BYTES;
  stack_end = stack_start + stack_size;
  if (mprotect(stack_start, stack_size, PROT_READ | PROT_WRITE) != 0) {
    channel_fail_system("mprotect(stack)");
  }
  /* Whole huge pages would look touched; a kernel without them refuses, and has none. */
  (void)madvise(stack_start, stack_size, MADV_NOHUGEPAGE);
  const stack_t alternate = {handler_stack, 0, sizeof handler_stack};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (sigaltstack(&alternate, NULL) != 0 || sigaction(SIGSEGV, &action, NULL) != 0) {
    channel_fail_system("sigaction(SIGSEGV)");
  }
}

static uint64_t measure_painted(const struct stack_probe* probe, unsigned char flip,
                                unsigned char** from) {
  for (;;) {
    forget_pages();
    paint(*from, flip);
    probe->run(stack_end, probe->argument);
    unsigned char* const touched = find_touched(*from);
    if (touched == *from) {
      return find_depth(*from, flip);
    }
    /* It went deeper this time: paint to there, and a page more. */
    *from = touched - stack_start < (ptrdiff_t)page ? stack_start : touched - page;
  }
}

uint64_t stack_measure(const struct stack_probe* probe, uint64_t item) {
  charged_item = item;
  forget_pages();
  probe->run(stack_end, probe->argument);
  const unsigned char* const touched = find_touched(stack_end);
  const ptrdiff_t above = touched - stack_start;
  unsigned char* from = stack_start + (above < (ptrdiff_t)page ? 0 : above - (ptrdiff_t)page);
  const uint64_t first = measure_painted(probe, 0x00u, &from);
  const uint64_t second = measure_painted(probe, 0xffu, &from);
  return first > second ? first : second;
}

uint64_t stack_measure_once(const struct stack_probe* probe) {
  unsigned char* const from =
      stack_size > HASHPROF_SHALLOW_BYTES ? stack_end - HASHPROF_SHALLOW_BYTES : stack_start;
  paint(from, 0x00u);
  probe->run(stack_end, probe->argument);
  if (find_touched(from) != from) {
    channel_fail(HASHPROF_ERROR_SYSTEM, 0, 0, "a function takes more than 256 KiB of stack");
  }
  const uint64_t depth = find_depth(from, 0x00u);
  return (depth + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
}

static int find_executable(struct dl_phdr_info* info, size_t size, void* found) {
  (void)size;
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type == PT_GNU_STACK && (info->dlpi_phdr[i].p_flags & PF_X)) {
      *(int*)found = 1;
    }
  }
  return 0;
}

/* The loader makes the process' stack executable for a library that wants that; so here. */
static void follow_loader(void) {
  int is_executable = 0;
  dl_iterate_phdr(find_executable, &is_executable);
  if (is_executable && mprotect(stack_start, stack_size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    channel_fail_system("mprotect(executable stack)");
  }
}

struct hash_call {
  const struct session* session;
  struct hashprof_item item;
  uint64_t number;
};

static uint64_t run_hash(void* top, void* argument) {
  const struct hash_call* const call = argument;
  const struct session* const session = call->session;
  const int returned =
      (int)stack_call(top, (uintptr_t)session->entry, call->item.digest_bits,
                      (uintptr_t)(session->areas.message + call->item.message_at),
                      (uintptr_t)call->item.message_bits, (uintptr_t)session->areas.digest);
  if (returned != 0) {
    channel_fail(HASHPROF_ERROR_RETURNED, returned, call->number, "");
  }
  return 0;
}

void measure_stack(struct session* session, struct hashprof_result* result) {
  struct hashprof_stack_item* const items = session->areas.report;
  follow_loader();
  for (uint32_t i = 0; i < session->request->items; ++i) {
    channel_announce(HASHPROF_STEP_CALL, i);
    struct hash_call call = {session, {0}, i};
    memcpy(&call.item, session->areas.message + i * sizeof call.item, sizeof call.item);
    const struct stack_probe probe = {run_hash, &call};
    items[i].bytes = stack_measure(&probe, i);
    items[i].is_measured = 1;
    ++result->items_done;
  }
}
