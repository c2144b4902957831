/* SPDX-License-Identifier: MIT
 *
 * capture/system.c gives a process a space when it begins, and another one when it executes a
 * program: 'A PID SPACE'. References have spaces, not processes. Each one is of the task that ran
 * last: 'S TASK'. The thread is a spare column, so that branches are found by the path of each
 * thread.
 */
#include "cmd/record/alone.h"

#include <stdlib.h>
#include <string.h>

#include "batch/event.h"
#include "stage/wrap.h"

/* The source. */
struct alone {
	struct trc_wrap wrap;
	struct trc_record_processes *all;
	uint64_t process, space; /* 0: unknown */
	uint64_t *task;          /* other threads of the process */
	size_t tasks, cap;
	uint32_t running;                                 /* task */
	uint32_t row[TRC_BATCH_ROWS], of[TRC_BATCH_ROWS]; /* rows that stay, and their tasks */
};

void
trc_record_processes_release(struct trc_record_processes *p)
{
	trc_buf_release(&p->names);
	trc_record_mapped_release(&p->mapped);
}

/* Returns the index of a thread; s->tasks if it is the first thread, or of another process. */
static size_t
find_task(const struct alone *s, uint64_t task)
{
	size_t i = 0;

	while (i < s->tasks && s->task[i] != task)
		i++;
	return i;
}

static bool
is_own(const struct alone *s, uint64_t task)
{
	return task == s->process || find_task(s, task) < s->tasks;
}

static int
add_task(struct alone *s, uint64_t task, struct trc_err *err)
{
	if (trc_grow(&s->task, &s->cap, s->tasks + 1, sizeof(*s->task), err))
		return -1;
	s->task[s->tasks++] = task;
	s->all->threads++;
	return 0;
}

static void
remove_task(struct alone *s, uint64_t task)
{
	const size_t i = find_task(s, task);

	if (i < s->tasks)
		s->task[i] = s->task[--s->tasks];
}

/* Notes the space, or the program, of another process. */
static int
take_other(struct alone *s, const struct trc_event *e, struct trc_err *err)
{
	const char *slash = strrchr(e->rest, '/');

	s->all->any = true;
	s->all->threads -= e->tag == 'A' && find_task(s, e->field[0]) < s->tasks;
	remove_task(s, e->field[0]);
	slash = slash ? slash + 1 : e->rest;
	return e->tag == 'A' ? 0 : trc_buf_put(&s->all->names, slash, strlen(slash) + 1, err);
}

/* Processes an event whose first field is a task. A forked task is a thread unless it gets a
 * space. */
static int
take_event(struct alone *s, const char *text, struct trc_err *err)
{
	struct trc_event e;

	if (!strchr("AFMSTUX@ms", *text))
		return 0;
	if (trc_event_parse(&e, text, err))
		return -1;
	if (e.tag == 'S')
		s->running = (uint32_t)e.field[0];
	if (!s->process && (e.tag == 'A' || e.tag == 'X'))
		s->process = e.field[0];
	if (e.tag == 'F' && is_own(s, e.field[1]))
		return add_task(s, e.field[0], err);
	if (e.tag == 'T')
		remove_task(s, e.field[0]);
	if (e.field[0] != s->process && (e.tag == 'A' || e.tag == 'X'))
		return take_other(s, &e, err);
	if (e.tag == 'A')
		s->space = e.field[1];
	return is_own(s, e.field[0]) ? trc_record_mapped_event(&s->all->mapped, &e, err) : 0;
}

static enum trc_flow
alone_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct alone *s = (struct alone *)src;
	const struct trc_batch *in = &s->wrap.in;

	while (b->n == 0) {
		const enum trc_flow flow = trc_wrap_pull_for(&s->wrap, b, err);
		size_t n = 0;

		if (flow != TRC_FLOW_ROWS)
			return flow;
		for (size_t i = 0; i < in->n; i++) {
			const bool event = trc_batch_is_event(in, i);
			const bool own = !event && in->asid[i] == s->space;

			s->row[n] = (uint32_t)i;
			s->of[n] = s->running;
			n += own;
			if (event ? take_event(s, trc_batch_event(in, i), err) :
			            own && in->type[i] == TRC_FETCH &&
			                    trc_record_mapped_fetch(&s->all->mapped, in->addr[i],
			                                            err))
				return TRC_FLOW_FAILED;
		}
		b->have &= ~(uint32_t)TRC_HAS_TASK; /* the events have it, not `in` */
		trc_batch_pick(b, in, s->row, n);
		b->have |= TRC_HAS_TASK;
		memcpy(b->task, s->of, n * sizeof(*s->of));
	}
	return TRC_FLOW_ROWS;
}

static void
alone_close(struct trc_source *src)
{
	free(((struct alone *)src)->task);
	trc_wrap_close(src);
}

struct trc_source *
trc_record_alone(struct trc_source *from, struct trc_record_processes *all, struct trc_err *err)
{
	/* Columns that only several processes need. */
	const uint32_t drop = TRC_HAS_EVENT | TRC_HAS_TIME | TRC_HAS_ASID;
	const uint32_t have = (from->have & ~drop) | TRC_HAS_TASK;
	struct alone *s = trc_wrap_open(sizeof(*s), from, have, alone_next, err);

	if (!s)
		return NULL;
	s->all = all;
	s->wrap.src.close = alone_close;
	s->wrap.src.spare |= TRC_HAS_TASK;
	return &s->wrap.src;
}
