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

/* Saves the registers of the running task. */
static void
note(struct trc_tasks *s, const struct trc_hart *h)
{
	int reg = -1;

	for (unsigned i = 0; i < trc_task_registers(h); i++)
		if (!trc_hart_each(h, &reg, &s->task[s->runs].value[i]))
			assert(!"a hart has as many registers as a task");
}

/* Restores the registers of the task that runs next. */
static int
load(const struct trc_tasks *s, struct trc_hart *h, struct trc_err *err)
{
	int reg = -1;
	uint64_t before;

	for (unsigned i = 0; i < trc_task_registers(h); i++)
		if (!trc_hart_each(h, &reg, &before) ||
		    trc_hart_set(h, reg, s->task[s->runs].value[i], err))
			return -1;
	if (!(h->flags & TRC_HART_USER))
		trc_hart_forget(h);
	return 0;
}

/* Returns the index of the task, from 0; it is created if it is the next one. */
static int
find(struct trc_tasks *s, uint64_t number, uint64_t pc, struct trc_err *err)
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
	if (find(s, number, pc, err))
		return -1;
	note(s, h);
	s->runs = (size_t)number - 1;
	if (s->task[s->runs].value[TRC_REG_PC] != pc)
		return trc_fail(err, "task %llu goes on at pc 0x%llx, but was left at 0x%llx",
		                (unsigned long long)number, (unsigned long long)pc,
		                (unsigned long long)s->task[s->runs].value[TRC_REG_PC]);
	return load(s, h, err);
}
