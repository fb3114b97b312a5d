/* SPDX-License-Identifier: MIT
 * Kind STACK: the stack of a call, to the byte. The call runs on a stack of its own that was
 * painted before; what is not as painted afterwards was written. Two patterns, each the complement
 * of the other, so that no value hides in both; the part to paint is what the kernel says was
 * touched by a call before. The pattern depends on the address.
 *
 * The stack pointer is at the end of a page before the call: a function that aligns its frame to
 * more than the 16 bytes of the ABI may take up to as much more elsewhere. What a call only
 * reserves is not in the figure, nor is a byte that it writes as it was (on x86-64 the probes of
 * -fstack-clash-protection), nor the stacks of other threads. */
#ifndef HASHPROF_WORKER_STACK_H
#define HASHPROF_WORKER_STACK_H

#include <stdint.h>

#include "worker/measure.h"
#include "worker/protocol.h"

/* Calls `function` with its stack pointer at `top` (a multiple of 16) before the call instruction,
 * and gives what it returns. worker/stack_switch.S. */
uint64_t stack_call(void* top, uintptr_t function, uintptr_t a, uintptr_t b, uintptr_t c,
                    uintptr_t d);

/* A call to measure; `run` is given `argument` and calls stack_call with `top` once. */
struct stack_probe {
  uint64_t (*run)(void* top, void* argument);
  void* argument;
};

/* Maps a stack of `bytes`, HASHPROF_STACK_GUARD_BYTES below it and a guard page above it, and takes
 * SIGSEGV on a stack of its own: a fault in the guard ends the process with ERROR_STACK, another
 * one is the process' own. Ends the process with an ERROR event on failure. */
void stack_map(uint64_t bytes);

/* Bytes below `top` that the deepest of two painted calls wrote, after one that is not painted;
 * `item` is charged with an overflow. The three calls are the same. */
uint64_t stack_measure(const struct stack_probe* probe, uint64_t item);

/* The same of one call that cannot be repeated because it changes what the next one does. One
 * pattern may hide a byte of a word and hardly a whole one: the depth is rounded up to words of
 * 8 bytes. A call that takes more than HASHPROF_SHALLOW_BYTES ends the process with an ERROR event.
 */
#define HASHPROF_SHALLOW_BYTES (256u << 10u)
uint64_t stack_measure_once(const struct stack_probe* probe);

/* Of each item of descriptor 5, on a stack that is executable if the library asks for that. A call
 * that returns non-zero ends the process with an ERROR event. */
void measure_stack(struct session* session, struct hashprof_result* result);

#endif
