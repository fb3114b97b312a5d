// SPDX-License-Identifier: MIT
// The heap of one process, seen from outside it.
//
// Hook: uprobes and uretprobes of the malloc family of the libc that the process maps, attached by
// file offset and with its pid, so that the breakpoints are in that process only. Writes: one
// hashprof_heap_count a stretch, and the exact table of blocks. Cost: 2 to 16 us a call of the
// malloc family, 30 to 40 us where the kernel has to single-step the probed instruction (free of
// glibc), on a virtual machine. Nothing that is timed may run under it.
//
// Counted is the outermost call of a thread. The stretch at its entry decides. Blocks given back
// between stretches leave the table and no figure.
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/heap.h"

#define EEXIST 17

char LICENSE[] SEC("license") = "Dual MIT/GPL";

// A map of its own: the worker writes to it, and reaches nothing else.
struct hashprof_window window SEC(".data.window");

// Where the dynamic loader lies in the process. What it allocates itself is not the library's.
uint64_t loader_begin;
uint64_t loader_end;

enum call_kind { CALL_ALLOCATE, CALL_RESIZE, CALL_ALLOCATE_AT };

// The outermost call that a thread is in.
struct call {
  uint64_t depth;   // 0: in none
  uint64_t stack;   // stack pointer at its entry
  uint64_t probed;  // address of the function
  uint64_t kind;
  uint64_t stretch;
  uint64_t bytes;
  uint64_t is_nothing;    // asks for a block of 0 bytes
  uint64_t pointer;       // of the old block, or where the new one's address will be
  uint64_t old_is_known;  // the old block was in the table
  uint64_t old_bytes;
  uint64_t old_stretch;
};

struct block {
  uint64_t bytes;
  uint64_t stretch;
};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, HASHPROF_STRETCHES);
  __type(key, uint32_t);
  __type(value, struct hashprof_heap_count);
} counts SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, HASHPROF_HEAP_TABLE_BLOCKS);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, uint64_t);
  __type(value, struct block);
} blocks SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, HASHPROF_HEAP_THREADS);
  __type(key, uint64_t);
  __type(value, struct call);
} calls SEC(".maps");

#define ADD(place, value) ((void)__sync_fetch_and_add(&(place), (uint64_t)(value)))

// Of no stretch, or of one that is not: nothing is counted.
static struct hashprof_heap_count* find_count(uint64_t stretch) {
  if (stretch == HASHPROF_STRETCH_NONE || stretch >= HASHPROF_STRETCHES) {
    return NULL;
  }
  uint32_t key = (uint32_t)stretch;
  return bpf_map_lookup_elem(&counts, &key);
}

static void drop(uint64_t stretch, enum hashprof_heap_drop why) {
  struct hashprof_heap_count* count = find_count(stretch);
  if (count != NULL) {
    ADD(count->dropped[why], 1);
  }
}

// The stretch that a call which begins now belongs to.
static uint64_t stretch_of_caller(struct pt_regs* ctx) {
  uint64_t stretch = *(volatile uint64_t*)&window.stretch;
  if (stretch != HASHPROF_STRETCH_LOAD) {
    return stretch;
  }
  uint64_t caller = 0;
#if defined(__TARGET_ARCH_arm64)
  caller = PT_REGS_RET(ctx);
#else
  if (bpf_probe_read_user(&caller, sizeof(caller), (const void*)PT_REGS_SP(ctx)) != 0) {
    drop(stretch, HASHPROF_HEAP_DROP_READ);
    return HASHPROF_STRETCH_NONE;
  }
#endif
  return caller >= loader_begin && caller < loader_end ? HASHPROF_STRETCH_NONE : stretch;
}

// Of a thread that was in a call: whether the call that begins now is within that one.
static bool is_within(struct pt_regs* ctx, const struct call* outer) {
  uint64_t stack = PT_REGS_SP(ctx);
  // The stack grows down. A jump to another function in place of a call and a return keeps it.
  return stack < outer->stack || (stack == outer->stack && PT_REGS_IP(ctx) != outer->probed);
}

// Enters a call; what is null has been counted as a part of the outer one.
static struct call* enter(struct pt_regs* ctx, enum call_kind kind) {
  uint64_t thread = bpf_get_current_pid_tgid();
  struct call* call = bpf_map_lookup_elem(&calls, &thread);
  if (call == NULL) {
    struct call fresh = {};
    if (bpf_map_update_elem(&calls, &thread, &fresh, BPF_ANY) != 0) {
      drop(stretch_of_caller(ctx), HASHPROF_HEAP_DROP_THREADS);
      return NULL;
    }
    call = bpf_map_lookup_elem(&calls, &thread);
    if (call == NULL) {
      drop(stretch_of_caller(ctx), HASHPROF_HEAP_DROP_THREADS);
      return NULL;
    }
  }
  if (call->depth != 0) {
    if (is_within(ctx, call)) {
      ++call->depth;
      return NULL;
    }
    drop(call->stretch, HASHPROF_HEAP_DROP_RETURN);
  }
  struct call next = {.depth = 1,
                      .stack = PT_REGS_SP(ctx),
                      .probed = PT_REGS_IP(ctx),
                      .kind = kind,
                      .stretch = stretch_of_caller(ctx)};
  *call = next;
  return call;
}

// A product that does not fit is of a call that gives no block.
static void set_product(struct call* call, uint64_t count, uint64_t size) {
  call->bytes = count * size;
  call->is_nothing = count == 0 || size == 0;
}

// Takes a block out of the table; 0 if it was not there.
static uint64_t take_block(uint64_t pointer, struct block* taken) {
  const struct block* found = bpf_map_lookup_elem(&blocks, &pointer);
  if (found == NULL) {
    return 0;
  }
  *taken = *found;
  bpf_map_delete_elem(&blocks, &pointer);
  return 1;
}

static void raise_peak(struct hashprof_heap_count* count, uint64_t live) {
  for (int tries = 0; tries < 16; ++tries) {
    uint64_t peak = *(volatile uint64_t*)&count->peak_bytes;
    if (peak >= live || __sync_val_compare_and_swap(&count->peak_bytes, peak, live) == peak) {
      return;
    }
  }
  ADD(count->dropped[HASHPROF_HEAP_DROP_PEAK], 1);
}

// A block that the call gave: the stretch owns it.
static void add_block(struct hashprof_heap_count* count, const struct call* call,
                      uint64_t pointer) {
  struct block block = {.bytes = call->bytes, .stretch = call->stretch};
  long error = bpf_map_update_elem(&blocks, &pointer, &block, BPF_NOEXIST);
  if (error != 0) {
    ADD(count->dropped[error == -EEXIST ? HASHPROF_HEAP_DROP_FREE : HASHPROF_HEAP_DROP_TABLE], 1);
    return;
  }
  ADD(count->total_bytes, call->bytes);
  ADD(count->live_blocks, 1);
  raise_peak(count, __sync_fetch_and_add(&count->live_bytes, call->bytes) + call->bytes);
}

// A block that the stretch had, if it is its own, or that somebody else had.
static void end_block(struct hashprof_heap_count* count, uint64_t stretch, uint64_t is_known,
                      uint64_t bytes, uint64_t owner) {
  if (is_known && owner == stretch) {
    ADD(count->live_blocks, -1);
    ADD(count->live_bytes, -bytes);
  } else {
    ADD(count->foreign_frees, 1);
  }
}

static void give_back(struct call* call) {
  struct hashprof_heap_count* count = find_count(call->stretch);
  if (count != NULL) {
    ADD(count->frees, 1);
    end_block(count, call->stretch, call->old_is_known, call->old_bytes, call->old_stretch);
  }
}

static void end_resize(struct call* call, uint64_t pointer) {
  struct hashprof_heap_count* count = find_count(call->stretch);
  if (pointer == 0) {
    // The old block stands as it was.
    struct block block = {.bytes = call->old_bytes, .stretch = call->old_stretch};
    uint64_t old = call->pointer;
    if (call->old_is_known && bpf_map_update_elem(&blocks, &old, &block, BPF_ANY) != 0) {
      drop(call->old_stretch, HASHPROF_HEAP_DROP_TABLE);
    }
    if (count != NULL) {
      ADD(count->failures, 1);
    }
    return;
  }
  if (count != NULL) {
    ADD(count->resizes, 1);
    end_block(count, call->stretch, call->old_is_known, call->old_bytes, call->old_stretch);
    add_block(count, call, pointer);
  }
}

static void end_allocation(struct call* call, uint64_t pointer) {
  struct hashprof_heap_count* count = find_count(call->stretch);
  if (count == NULL) {
    return;
  }
  if (pointer == 0) {
    ADD(count->failures, 1);
    return;
  }
  ADD(count->allocations, 1);
  add_block(count, call, pointer);
}

SEC("uprobe")
int BPF_KPROBE(enter_malloc, uint64_t bytes) {
  struct call* call = enter(ctx, CALL_ALLOCATE);
  if (call != NULL) {
    call->bytes = bytes;
  }
  return 0;
}

SEC("uprobe")
int BPF_KPROBE(enter_calloc, uint64_t count, uint64_t size) {
  struct call* call = enter(ctx, CALL_ALLOCATE);
  if (call != NULL) {
    set_product(call, count, size);
  }
  return 0;
}

static void set_resize(struct call* call, uint64_t pointer) {
  if (pointer == 0) {
    call->kind = CALL_ALLOCATE;
    return;
  }
  struct block old = {};
  call->pointer = pointer;
  call->old_is_known = take_block(pointer, &old);
  call->old_bytes = old.bytes;
  call->old_stretch = old.stretch;
}

SEC("uprobe")
int BPF_KPROBE(enter_realloc, uint64_t pointer, uint64_t bytes) {
  struct call* call = enter(ctx, CALL_RESIZE);
  if (call != NULL) {
    set_product(call, bytes, 1);
    set_resize(call, pointer);
  }
  return 0;
}

SEC("uprobe")
int BPF_KPROBE(enter_reallocarray, uint64_t pointer, uint64_t count, uint64_t size) {
  struct call* call = enter(ctx, CALL_RESIZE);
  if (call != NULL) {
    set_product(call, count, size);
    set_resize(call, pointer);
  }
  return 0;
}

// memalign and aligned_alloc
SEC("uprobe")
int BPF_KPROBE(enter_memalign, uint64_t alignment, uint64_t bytes) {
  (void)alignment;
  struct call* call = enter(ctx, CALL_ALLOCATE);
  if (call != NULL) {
    call->bytes = bytes;
  }
  return 0;
}

SEC("uprobe")
int BPF_KPROBE(enter_posix_memalign, uint64_t place, uint64_t alignment, uint64_t bytes) {
  (void)alignment;
  struct call* call = enter(ctx, CALL_ALLOCATE_AT);
  if (call != NULL) {
    call->bytes = bytes;
    call->pointer = place;
  }
  return 0;
}

// Has no return probe: it cannot fail, and nothing of it is known later.
SEC("uprobe")
int BPF_KPROBE(enter_free, uint64_t pointer) {
  uint64_t thread = bpf_get_current_pid_tgid();
  struct call* outer = bpf_map_lookup_elem(&calls, &thread);
  if (outer != NULL && outer->depth != 0) {
    if (is_within(ctx, outer)) {
      return 0;
    }
    drop(outer->stretch, HASHPROF_HEAP_DROP_RETURN);
    outer->depth = 0;
  }
  if (pointer == 0) {
    return 0;
  }
  struct block old = {};
  struct call call = {.stretch = stretch_of_caller(ctx)};
  call.old_is_known = take_block(pointer, &old);
  call.old_bytes = old.bytes;
  call.old_stretch = old.stretch;
  give_back(&call);
  return 0;
}

// The return of every function but free.
SEC("uretprobe")
int BPF_KRETPROBE(leave, uint64_t result) {
  (void)ctx;
  uint64_t thread = bpf_get_current_pid_tgid();
  struct call* call = bpf_map_lookup_elem(&calls, &thread);
  if (call == NULL || call->depth == 0) {
    return 0;
  }
  --call->depth;
  if (call->depth != 0) {
    return 0;
  }
  uint64_t pointer = result;
  if (call->kind == CALL_ALLOCATE_AT) {
    // It returns 0 or an error number of type int.
    pointer = 0;
    if ((uint32_t)result == 0 &&
        bpf_probe_read_user(&pointer, sizeof(pointer), (const void*)call->pointer) != 0) {
      drop(call->stretch, HASHPROF_HEAP_DROP_READ);
      return 0;
    }
  }
  if (call->kind != CALL_RESIZE) {
    end_allocation(call, pointer);
  } else if (pointer == 0 && call->is_nothing) {
    give_back(call);
  } else {
    end_resize(call, pointer);
  }
  return 0;
}
