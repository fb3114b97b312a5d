/* SPDX-License-Identifier: MIT
 * uint64_t stack_call(void* top, uintptr_t function, uintptr_t a, uintptr_t b, uintptr_t c,
 *                     uintptr_t d): worker/stack.h. The frame information lets an unwinder walk
 * from the callee back to the caller's own stack. */
  .text
  .globl stack_call
  .hidden stack_call
  .type stack_call, %function
  .p2align 4
stack_call:
  .cfi_startproc
#if defined(__x86_64__)
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rsi, %rax
  movq %rdi, %rsp
  movq %rdx, %rdi
  movq %rcx, %rsi
  movq %r8, %rdx
  movq %r9, %rcx
  call *%rax
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbp
  ret
#elif defined(__aarch64__)
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  .cfi_def_cfa_register x29
  mov sp, x0
  mov x9, x1
  mov x0, x2
  mov x1, x3
  mov x2, x4
  mov x3, x5
  blr x9
  mov sp, x29
  .cfi_def_cfa_register sp
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  .cfi_restore x29
  .cfi_restore x30
  ret
#else
#error "no stack switch for this machine"
#endif
  .cfi_endproc
  .size stack_call, .-stack_call
  .section .note.GNU-stack, "", %progbits
