/* SPDX-License-Identifier: MIT
 *
 * Tasks that take turns on one hart: the threads of a user-mode program, or the harts of a machine.
 * Each has registers of its own; all share one memory. A switch is an external event, an N record
 * of the bus trace. So the order of all instructions is known, and what one task writes the others
 * read.
 *
 * Tasks are numbered from 1 in order of their first turn. The first turn of a task is an N with the
 * next number. Its registers are 0 except for pc, which is in the N, and those that S records after
 * it set, up to an X. At any other turn the task continues where it stopped; its N repeats that pc
 * as a check. The result of a system call that returned in the meantime is in S records up to an X,
 * too: bus.md, "Tasks".
 *
 * The registers of a thread are x, f, pc, fcsr, and the reservation of LR; a hart of a machine has
 * all registers, and no translations when its turn begins. A turn of another task does not end a
 * reservation: SC compares the value in memory, as in QEMU (machine/hart/hart.h), including what
 * others stored there.
 */
#ifndef TRC_MACHINE_BUS_TASKS_H
#define TRC_MACHINE_BUS_TASKS_H

#include "machine/hart/hart.h"

enum {
	TRC_TASKS_MOST = 1 << 16,
	TRC_TASK_REGISTERS = TRC_REG_RESERVED_VALUE + 2, /* of a thread: up to fcsr */
};

/* The registers of a task, in the order of trc_hart_each(). */
struct trc_task_values {
	uint64_t value[TRC_HART_REGISTERS];
};

/* Returns how many registers the tasks of this hart have. */
static inline unsigned
trc_task_registers(const struct trc_hart *h)
{
	return h->flags & TRC_HART_USER ? TRC_TASK_REGISTERS : TRC_HART_REGISTERS;
}

/* All tasks so far. The registers of the running task are in the hart, and its entry is out of
 * date. A zeroed struct is a program of one task, number 1. */
struct trc_tasks {
	struct trc_task_values *task; /* by number, from 1 */
	size_t n, cap;                /* n is 0 if there is only one */
	size_t runs;                  /* index of the running task, from 0 */
};

/* Switches the hart to task `number`, which continues at `pc`. Fails if the task does not exist or
 * stopped elsewhere, or if it cannot begin. */
int trc_tasks_switch(struct trc_tasks *s, struct trc_hart *h, uint64_t number, uint64_t pc,
                     struct trc_err *err) TRC_MUST_USE;

/* Makes room for `n` tasks in all, which have run as far as *s records. */
int trc_tasks_extend(struct trc_tasks *s, size_t n, struct trc_err *err) TRC_MUST_USE;

void trc_tasks_release(struct trc_tasks *s);

#endif
