// SPDX-License-Identifier: MIT
// What the kernel does to one process in a stretch of it: faults, growth, mappings, switches,
// migrations and interrupts.
//
// Hook: raw tracepoints of page faults, system calls, the scheduler and interrupts, and the
// tracepoint kmem:rss_stat. Writes: one hashprof_window_count a stretch, and the last size of each
// address space that changes. Cost while it is attached, to every process of the machine: about
// 0.1 us a page fault, 40 ns a system call, 0.2 us a switch. Attach it once a run, and let nothing
// be timed meanwhile.
//
// Events count if the process that is watched is running, and its flag names a stretch.
#include "bpf/vmlinux.h"

#include <asm/unistd.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/window.h"

char LICENSE[] SEC("license") = "Dual MIT/GPL";

// A map of its own: the worker writes to it, and reaches nothing else.
struct hashprof_window window SEC(".data.window");

// Thread group that is watched, as the first pid namespace numbers it; 0 = none.
uint32_t watched;
// The address space of it that kmem:rss_stat names, once one was seen.
uint32_t watched_mm;
uint32_t has_watched_mm;

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, HASHPROF_STRETCHES);
  __type(key, uint32_t);
  __type(value, struct hashprof_window_count);
} counts SEC(".maps");

// The last size of an address space, by member.
struct sizes {
  uint64_t is_known[2];
  uint64_t bytes[2];
};

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, 4096);
  __type(key, uint32_t);
  __type(value, struct sizes);
} spaces SEC(".maps");

// A system call that a thread is in.
struct call {
  uint64_t number;
  uint64_t stretch;
  uint64_t bytes;
  uint64_t new_bytes;
};

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1024);
  __type(key, uint64_t);
  __type(value, struct call);
} calls SEC(".maps");

// An interrupt that a processor is in, on top of the process.
struct interrupt {
  uint64_t begin_ns;
  uint64_t stretch;
};

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, uint32_t);
  __type(value, struct interrupt);
} interrupts SEC(".maps");

#define ADD(place, value) ((void)__sync_fetch_and_add(&(place), (uint64_t)(value)))

// Of no stretch, or of one that is not: nothing is counted.
static struct hashprof_window_count* find_count(uint64_t stretch) {
  if (stretch == HASHPROF_STRETCH_NONE || stretch >= HASHPROF_STRETCHES) {
    return NULL;
  }
  uint32_t key = (uint32_t)stretch;
  return bpf_map_lookup_elem(&counts, &key);
}

static uint64_t stretch_now(void) { return *(volatile uint64_t*)&window.stretch; }

static int is_watched_running(void) {
  return watched != 0 && (uint32_t)(bpf_get_current_pid_tgid() >> 32) == watched;
}

// Where to count what happens to the process that is running; null if it is not watched.
static struct hashprof_window_count* count_of_running(void) {
  return is_watched_running() ? find_count(stretch_now()) : NULL;
}

static void grow(struct hashprof_growth* growth, uint64_t bytes) {
  if (bytes > growth->base_bytes && bytes - growth->base_bytes > growth->most_bytes) {
    growth->most_bytes = bytes - growth->base_bytes;
  }
}

SEC("raw_tp")
int count_fault(void* ctx) {
  (void)ctx;
  struct hashprof_window_count* count = count_of_running();
  if (count != NULL) {
    ADD(count->page_faults, 1);
  }
  return 0;
}

// Prototype: bool preempt, struct task_struct *prev, ...; prev is the one that is running.
SEC("raw_tp")
int count_switch(void* ctx) {
  (void)ctx;
  struct hashprof_window_count* count = count_of_running();
  if (count != NULL) {
    ADD(count->switches, 1);
  }
  return 0;
}

SEC("raw_tp")
int count_migration(struct bpf_raw_tracepoint_args* ctx) {
  // Whoever moves it: it need not be running.
  const struct task_struct* task = (const struct task_struct*)ctx->args[0];
  if (watched == 0 || (uint32_t)BPF_CORE_READ(task, tgid) != watched) {
    return 0;
  }
  struct hashprof_window_count* count = find_count(stretch_now());
  if (count != NULL) {
    ADD(count->migrations, 1);
  }
  return 0;
}

static void enter_brk(struct hashprof_window_count* count) {
  // Nothing but brk(2) moves it: before the first one in a stretch it is where it was at its begin.
  if (!count->heap_end.is_based) {
    const struct task_struct* task = (const struct task_struct*)bpf_get_current_task();
    count->heap_end.base_bytes = BPF_CORE_READ(task, mm, brk);
    count->heap_end.is_based = 1;
  }
}

SEC("raw_tp")
int enter_call(struct bpf_raw_tracepoint_args* ctx) {
  uint64_t number = ctx->args[1];
  if (number != __NR_mmap && number != __NR_munmap && number != __NR_mremap && number != __NR_brk) {
    return 0;
  }
  struct hashprof_window_count* count = count_of_running();
  if (count == NULL) {
    return 0;
  }
#if defined(__TARGET_ARCH_arm64)
  struct user_pt_regs registers;
#else
  struct pt_regs registers;
#endif
  if (bpf_probe_read_kernel(&registers, sizeof(registers), (const void*)ctx->args[0]) != 0) {
    ADD(count->dropped[HASHPROF_WINDOW_DROP_READ], 1);
    return 0;
  }
  if (number == __NR_brk) {
    enter_brk(count);
  }
  // The first three arguments are where those of a function are.
  struct call call = {.number = number,
                      .stretch = stretch_now(),
                      .bytes = PT_REGS_PARM2(&registers),
                      .new_bytes = PT_REGS_PARM3(&registers)};
  uint64_t thread = bpf_get_current_pid_tgid();
  if (bpf_map_update_elem(&calls, &thread, &call, BPF_ANY) != 0) {
    ADD(count->dropped[HASHPROF_WINDOW_DROP_CALLS], 1);
  }
  return 0;
}

static void end_call(struct hashprof_window_count* count, const struct call* call,
                     uint64_t result) {
  // Addresses and 0 are results, the last 4095 numbers are errors.
  if (result > (uint64_t)-4096) {
    return;
  }
  switch (call->number) {
    case __NR_mmap:
      ADD(count->mapped_calls, 1);
      ADD(count->mapped_bytes, call->bytes);
      break;
    case __NR_munmap:
      ADD(count->unmapped_bytes, call->bytes);
      break;
    case __NR_mremap:
      if (call->new_bytes > call->bytes) {
        ADD(count->mapped_calls, 1);
        ADD(count->mapped_bytes, call->new_bytes - call->bytes);
      } else {
        ADD(count->unmapped_bytes, call->bytes - call->new_bytes);
      }
      break;
    default:
      grow(&count->heap_end, result);
      break;
  }
}

SEC("raw_tp")
int leave_call(struct bpf_raw_tracepoint_args* ctx) {
  if (!is_watched_running()) {
    return 0;
  }
  uint64_t thread = bpf_get_current_pid_tgid();
  const struct call* found = bpf_map_lookup_elem(&calls, &thread);
  if (found == NULL) {
    return 0;
  }
  struct call call = *found;
  bpf_map_delete_elem(&calls, &thread);
  struct hashprof_window_count* count = find_count(call.stretch);
  if (count != NULL) {
    end_call(count, &call, ctx->args[1]);
  }
  return 0;
}

SEC("raw_tp")
int begin_interrupt(void* ctx) {
  (void)ctx;
  uint32_t key = 0;
  struct interrupt* interrupt = bpf_map_lookup_elem(&interrupts, &key);
  if (interrupt == NULL) {
    return 0;
  }
  interrupt->begin_ns = 0;
  if (count_of_running() != NULL) {
    interrupt->stretch = stretch_now();
    interrupt->begin_ns = bpf_ktime_get_ns();
  }
  return 0;
}

SEC("raw_tp")
int end_interrupt(void* ctx) {
  (void)ctx;
  uint32_t key = 0;
  struct interrupt* interrupt = bpf_map_lookup_elem(&interrupts, &key);
  if (interrupt == NULL || interrupt->begin_ns == 0) {
    return 0;
  }
  struct hashprof_window_count* count = find_count(interrupt->stretch);
  if (count != NULL) {
    ADD(count->interrupts, 1);
    ADD(count->interrupt_ns, bpf_ktime_get_ns() - interrupt->begin_ns);
  }
  interrupt->begin_ns = 0;
  return 0;
}

// Whether an address space is that of the process: by who runs, or, of a change from outside it
// (reclaim), by the name that was seen when it ran.
static int is_watched_space(const struct hashprof_rss_stat* event) {
  if (!event->curr) {
    return has_watched_mm && event->mm_id == watched_mm;
  }
  if (!is_watched_running()) {
    return 0;
  }
  watched_mm = event->mm_id;
  has_watched_mm = 1;
  return 1;
}

// The size that an event tells is that after the change. That before it is of the event before, of
// whatever stretch or none: where a stretch begins, nothing tells.
static void grow_space(struct hashprof_window_count* count, const struct sizes* before,
                       uint32_t member, uint64_t bytes) {
  struct hashprof_growth* growth = &count->file;
  uint32_t drop = HASHPROF_WINDOW_DROP_FILE;
  if (member == HASHPROF_MEMBER_ANON) {
    growth = &count->anon;
    drop = HASHPROF_WINDOW_DROP_ANON;
  }
  if (!growth->is_based) {
    if (!before->is_known[member]) {
      ADD(count->dropped[drop], 1);
      return;
    }
    growth->base_bytes = before->bytes[member];
    growth->is_based = 1;
  }
  grow(growth, bytes);
}

SEC("tracepoint")
int change_space(struct hashprof_rss_stat* ctx) {
  if (ctx->member != HASHPROF_MEMBER_FILE && ctx->member != HASHPROF_MEMBER_ANON) {
    return 0;
  }
  uint32_t member = ctx->member == HASHPROF_MEMBER_ANON;
  uint32_t space = ctx->mm_id;
  uint64_t bytes = (uint64_t)ctx->size;
  struct sizes sizes = {};
  const struct sizes* found = bpf_map_lookup_elem(&spaces, &space);
  if (found != NULL) {
    sizes = *found;
  }
  if (is_watched_space(ctx)) {
    struct hashprof_window_count* count = find_count(stretch_now());
    if (count != NULL) {
      grow_space(count, &sizes, member, bytes);
    }
  }
  sizes.is_known[member] = 1;
  sizes.bytes[member] = bytes;
  bpf_map_update_elem(&spaces, &space, &sizes, BPF_ANY);
  return 0;
}
