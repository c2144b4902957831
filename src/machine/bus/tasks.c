/* SPDX-License-Identifier: MIT */
#include "machine/bus/tasks.h"

#include <assert.h>
#include <stdlib.h>

int
trc_tasks_extend(struct trc_tasks *s, size_t n, struct trc_err *err)
{
	if (n <= s->n)
		return 0;
	if (trc_grow(&s->task, &s->cap, n, sizeof(*s->task), err))
		return -1;
	memset(s->task + s->n, 0, (n - s->n) * sizeof(*s->task));
	s->n = n;
	return 0;
}

void
trc_tasks_release(struct trc_tasks *s)
{
	free(s->task);
	*s = (struct trc_tasks){ 0 };
}

/* Saves the registers of the running task, and restores those of task `next`, from 0. Most are the
 * same, and comparing is faster than setting. */
static int
swap(struct trc_tasks *s, struct trc_hart *h, size_t next, struct trc_err *err)
{
	struct trc_task_values *from = &s->task[s->runs], *to = &s->task[next];
	int reg = -1;

	for (unsigned i = 0; i < trc_task_registers(h); i++) {
		if (!trc_hart_each(h, &reg, &from->value[i]))
			assert(!"a hart has as many registers as a task");
		if (to->value[i] != from->value[i] && trc_hart_set(h, reg, to->value[i], err))
			return -1;
	}
	s->runs = next;
	if (!(h->flags & TRC_HART_USER))
		trc_hart_forget(h);
	return 0;
}

/* Returns the index of the task, from 0; it is created if it is the next one. */
static int
find_task(struct trc_tasks *s, uint64_t number, uint64_t pc, struct trc_err *err)
{
	const size_t n = s->n ? s->n : 1;

	if (number == 0 || number > n + 1)
		return trc_fail(err, "a turn of task %llu, but there are %llu tasks",
		                (unsigned long long)number, (unsigned long long)n);
	if (number > TRC_TASKS_MOST)
		return trc_fail(err, "more than %d tasks are not supported", TRC_TASKS_MOST);
	if (trc_tasks_extend(s, number > n ? n + 1 : n, err))
		return -1;
	if (number > n)
		s->task[n].value[TRC_REG_PC] = pc;
	return 0;
}

int
trc_tasks_switch(struct trc_tasks *s, struct trc_hart *h, uint64_t number, uint64_t pc,
                 struct trc_err *err)
{
	uint64_t left;

	if (find_task(s, number, pc, err))
		return -1;
	left = number - 1 == s->runs ? h->pc : s->task[number - 1].value[TRC_REG_PC];
	if (left != pc)
		return trc_fail(err, "task %llu continues at pc 0x%llx, but stopped at 0x%llx",
		                (unsigned long long)number, (unsigned long long)pc,
		                (unsigned long long)left);
	return swap(s, h, (size_t)number - 1, err);
}
