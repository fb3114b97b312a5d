/* SPDX-License-Identifier: MIT
 * The few kernel types that programs here read, by hand: libbpf relocates each access to the layout
 * of the kernel at hand, so that fields which are not read need not be here. Beside <linux/bpf.h>,
 * not in place of it. */
#ifndef HASHPROF_VMLINUX_H
#define HASHPROF_VMLINUX_H

#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <stdbool.h>
#include <stdint.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct mm_struct {
  unsigned long brk; /* end of the heap that brk(2) moves */
};

struct task_struct {
  int pid;  /* of the thread */
  int tgid; /* of the process */
  struct mm_struct* mm;
};

#pragma clang attribute pop

#endif
