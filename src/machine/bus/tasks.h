/* SPDX-License-Identifier: MIT
 *
 * The tasks of a program of user mode, threads that take turns on one hart: each has registers of
 * its own, all have one memory. Which one runs is an external event, an N record of the bus trace;
 * so the order of all instructions is known, and what a task writes the others read.
 *
 * Tasks are numbered from 1 in order of their first turn. A task's first turn is an N with the next
 * number: its registers are 0, but for pc, which the N has, and what S records behind it set, up to
 * an X. At any other turn it goes on where it was, which its N has as a check. What a system call
 * returned in the meantime is in S records up to an X, too: bus.md, "Tasks".
 *
 * Registers of a task are x, f, pc, fcsr, and what LR reserved. A turn of another task does not end
 * a reservation: SC looks at the value in memory, as QEMU's does (machine/hart/hart.h), with all
 * that others stored there.
 */
#ifndef TRC_MACHINE_BUS_TASKS_H
#define TRC_MACHINE_BUS_TASKS_H

#include "machine/hart/hart.h"

/* The registers of a task: the first ones that trc_hart_each() gives, up to fcsr. */
enum { TRC_TASK_REGISTERS = TRC_REG_RESERVED_VALUE + 2, TRC_TASKS_MOST = 1 << 16 };

struct trc_task {
	uint64_t value[TRC_TASK_REGISTERS];
};

/* All tasks so far; the registers of the one that runs are those of the hart, not what stands here.
 * Zeroed memory is a program of one, task 1. */
struct trc_tasks {
	struct trc_task *task; /* number 1 first */
	size_t n, cap;         /* 0: there is one */
	size_t runs;           /* which one, from 0 */
};

/* Hands the hart to task `number`, which goes on at `pc`. Fails if it is not there, or if such a
 * task cannot begin. */
int trc_tasks_switch(struct trc_tasks *s, struct trc_hart *h, uint64_t number, uint64_t pc,
                     struct trc_err *err) TRC_MUST_USE;

/* Makes room for `n` tasks in all, which have run as far as *s knows. */
int trc_tasks_extend(struct trc_tasks *s, size_t n, struct trc_err *err) TRC_MUST_USE;

void trc_tasks_release(struct trc_tasks *s);

#endif
