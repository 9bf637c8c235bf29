/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up and trap entry of an image: gp, stack, traps, cleared bss, then main; what main returns
 * is the exit code of the run. */

  .section .text.start, "ax", @progbits
  .globl _start
  .type _start, @function
_start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, __stack_top
  csrw mie, zero
  csrci mstatus, 8 /* MIE */
  csrw mscratch, zero /* no interrupt handler yet: see trap.h */
  la t0, tpu_trap_entry
  csrw mtvec, t0

  la t0, __bss_start
  la t1, __bss_end
  j 2f
1:
  sw zero, 0(t0)
  addi t0, t0, 4
2:
  bltu t0, t1, 1b

  li a0, 0
  li a1, 0
  call main
  call tpu_exit
3:
  wfi
  j 3b
  .size _start, . - _start

/* Saves what a C function may overwrite, calls tpu_trap(cause, pc, tval, mscratch), resumes. */
  .section .text.tpu_trap_entry, "ax", @progbits
  .globl tpu_trap_entry
  .type tpu_trap_entry, @function
  .balign 4
tpu_trap_entry:
  addi sp, sp, -64
  sw ra, 0(sp)
  sw t0, 4(sp)
  sw t1, 8(sp)
  sw t2, 12(sp)
  sw t3, 16(sp)
  sw t4, 20(sp)
  sw t5, 24(sp)
  sw t6, 28(sp)
  sw a0, 32(sp)
  sw a1, 36(sp)
  sw a2, 40(sp)
  sw a3, 44(sp)
  sw a4, 48(sp)
  sw a5, 52(sp)
  sw a6, 56(sp)
  sw a7, 60(sp)
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  csrr a3, mscratch
  call tpu_trap
  lw ra, 0(sp)
  lw t0, 4(sp)
  lw t1, 8(sp)
  lw t2, 12(sp)
  lw t3, 16(sp)
  lw t4, 20(sp)
  lw t5, 24(sp)
  lw t6, 28(sp)
  lw a0, 32(sp)
  lw a1, 36(sp)
  lw a2, 40(sp)
  lw a3, 44(sp)
  lw a4, 48(sp)
  lw a5, 52(sp)
  lw a6, 56(sp)
  lw a7, 60(sp)
  addi sp, sp, 64
  mret
  .size tpu_trap_entry, . - tpu_trap_entry
