# SPDX-License-Identifier: MIT
# The way in, in machine mode, and the way between the kernel and its tasks.
	.equ INTERVAL, 100000       # of the timer, in ticks of 100 ns
	.equ COMPARE, 0x2004000
	.equ TIME, 0x200bff8

	.section .start, "ax"
	.globl _start
_start:
	la sp, kernel_stack_end
	la t0, machine_trap
	csrw mtvec, t0
	la t0, machine_room
	csrw mscratch, t0
	li t0, -1
	csrw pmpaddr0, t0
	li t0, 0x1f
	csrw pmpcfg0, t0
	li t0, 0xb1ff               # exceptions but ecall from S, and interrupts of S, are its own
	csrw medeleg, t0
	li t0, 0x222
	csrw mideleg, t0
	li t0, 7
	csrw mcounteren, t0
	li t0, TIME
	ld t1, 0(t0)
	li t2, INTERVAL
	add t1, t1, t2
	li t0, COMPARE
	sd t1, 0(t0)
	li t0, 0x80                 # the timer
	csrw mie, t0
	li t0, 0x1800
	csrc mstatus, t0
	li t0, 0x42800              # to S, floating point on, S may look at memory of U
	csrs mstatus, t0
	la t0, kernel
	csrw mepc, t0
	mret

# The timer becomes a software interrupt of supervisor mode.
	.align 4
machine_trap:
	csrrw t0, mscratch, t0
	sd t1, 0(t0)
	sd t2, 8(t0)
	li t1, COMPARE
	ld t2, 0(t1)
	li t1, INTERVAL
	add t2, t2, t1
	li t1, COMPARE
	sd t2, 0(t1)
	csrsi mip, 2
	ld t1, 0(t0)
	ld t2, 8(t0)
	csrrw t0, mscratch, t0
	mret

# A trap of a task: everything into its frame, the kernel decides who goes on.
	.align 4
	.globl trap_entry, resume
trap_entry:
	csrrw a0, sscratch, a0
	sd x1, 8(a0)
	sd x2, 16(a0)
	sd x3, 24(a0)
	sd x4, 32(a0)
	sd x5, 40(a0)
	sd x6, 48(a0)
	sd x7, 56(a0)
	sd x8, 64(a0)
	sd x9, 72(a0)
	sd x11, 88(a0)
	sd x12, 96(a0)
	sd x13, 104(a0)
	sd x14, 112(a0)
	sd x15, 120(a0)
	sd x16, 128(a0)
	sd x17, 136(a0)
	sd x18, 144(a0)
	sd x19, 152(a0)
	sd x20, 160(a0)
	sd x21, 168(a0)
	sd x22, 176(a0)
	sd x23, 184(a0)
	sd x24, 192(a0)
	sd x25, 200(a0)
	sd x26, 208(a0)
	sd x27, 216(a0)
	sd x28, 224(a0)
	sd x29, 232(a0)
	sd x30, 240(a0)
	sd x31, 248(a0)
	csrr t0, sscratch
	sd t0, 80(a0)
	csrr t0, sepc
	sd t0, 0(a0)
	csrr t0, fcsr
	sd t0, 256(a0)
	.irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	fsd f\i, 272+8*\i(a0)
	.endr
	la sp, kernel_stack_end
	call trap
resume:                             # a0: the frame of who goes on
	csrw sscratch, a0
	ld t0, 264(a0)
	csrw satp, t0
	sfence.vma
	ld t0, 0(a0)
	csrw sepc, t0
	ld t0, 256(a0)
	csrw fcsr, t0
	.irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	fld f\i, 272+8*\i(a0)
	.endr
	ld x1, 8(a0)
	ld x2, 16(a0)
	ld x3, 24(a0)
	ld x4, 32(a0)
	ld x5, 40(a0)
	ld x6, 48(a0)
	ld x7, 56(a0)
	ld x8, 64(a0)
	ld x9, 72(a0)
	ld x11, 88(a0)
	ld x12, 96(a0)
	ld x13, 104(a0)
	ld x14, 112(a0)
	ld x15, 120(a0)
	ld x16, 128(a0)
	ld x17, 136(a0)
	ld x18, 144(a0)
	ld x19, 152(a0)
	ld x20, 160(a0)
	ld x21, 168(a0)
	ld x22, 176(a0)
	ld x23, 184(a0)
	ld x24, 192(a0)
	ld x25, 200(a0)
	ld x26, 208(a0)
	ld x27, 216(a0)
	ld x28, 224(a0)
	ld x29, 232(a0)
	ld x30, 240(a0)
	ld x31, 248(a0)
	ld a0, 80(a0)
	sret

	.bss
	.align 4
machine_room:
	.space 16
	.space 8192
kernel_stack_end:
