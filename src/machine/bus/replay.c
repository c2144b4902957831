/* SPDX-License-Identifier: MIT */
#include "machine/bus/replay.h"

#include <assert.h>
#include <stdlib.h>

#include "machine/bus/replay_state.h"
#include "machine/bus/truth.h"
#include "machine/hart/extensions.h"

/* Prefixes a failure with the current instruction. */
static void
fail_here(const struct trc_replay *s, struct trc_err *err)
{
	if (err->code == TRC_FAILED)
		trc_err_in(err, "instruction %llu, pc 0x%llx", (unsigned long long)s->h->count + 1,
		           (unsigned long long)s->h->pc);
}

static int
compare_truth(struct trc_replay *s, struct trc_err *err)
{
	const struct trc_package *p = s->p;

	for (; s->truth < p->truths && p->truth[s->truth].count == s->h->count; s->truth++) {
		const uint64_t from = s->truth ? p->truth[s->truth - 1].count : 0;
		const uint64_t registers = p->truth_registers ? trc_truth_registers(s->h) : 0;

		if (trc_truth_fold(s->so_far.hash, registers) != p->truth[s->truth].hash)
			return trc_fail(err,
			                "the trace of instructions %llu to %llu differs from that "
			                "of the recorded machine",
			                (unsigned long long)from + 1,
			                (unsigned long long)s->h->count);
		s->report->truths++;
		s->report->truth_to = s->h->count;
	}
	return 0;
}

static int
compare_register(struct trc_replay *s, const struct trc_register *want, struct trc_err *err)
{
	char name[32];
	uint64_t value;
	int reg = -1;

	while (trc_hart_each(s->h, &reg, &value) && (uint32_t)reg != want->reg)
		;
	if ((uint32_t)reg != want->reg)
		return trc_fail(err, "the end has an unknown register %llx",
		                (unsigned long long)want->reg);
	if (value != want->value)
		return trc_fail(err, "at the end, %s is %llx here but was %llx on the machine",
		                trc_hart_name(reg, name), (unsigned long long)value,
		                (unsigned long long)want->value);
	s->report->registers++;
	return 0;
}

static int
compare_end(struct trc_replay *s, struct trc_err *err)
{
	uint64_t digest = 0;

	if (s->events_left)
		return trc_fail(err, "the trace ends, but %s of instruction %llu was not taken",
		                trc_replay_event_name(s->event.type),
		                (unsigned long long)s->event.count + 1);
	for (size_t i = 0; i < s->p->last.n; i++)
		if (compare_register(s, &s->p->last.r[i], err))
			return -1;
	for (size_t i = 0; i < s->mem.n; i++)
		digest += trc_truth_page(s->mem.page[i]->number << TRC_GUEST_PAGE_BITS,
		                         s->mem.page[i]->byte, TRC_GUEST_PAGE);
	if (s->p->digest && s->p->digest != digest)
		return trc_fail(err,
		                "at the end, memory differs from the machine: its digest is %llx "
		                "here but was %llx there",
		                (unsigned long long)digest, (unsigned long long)s->p->digest);
	s->report->digest = s->p->digest != 0;
	s->report->memory = digest;
	s->report->ended = true;
	return 0;
}

/* Drops cached translations at each checkpoint, also while making them: checkpoint.h. */
static int
pass_checkpoint(struct trc_replay *s, struct trc_err *err)
{
	const struct trc_checkpoints *all = &s->p->checkpoints;
	const bool made = s->how.mark && trc_marker_due(s->how.mark) == s->h->count;

	if (made && trc_marker_take(s->how.mark, s->h, &s->tasks, &s->so_far, err))
		return -1;
	if (s->checkpoint < all->n && all->c[s->checkpoint].count == s->h->count)
		s->checkpoint++;
	else if (!made)
		return 0;
	trc_hart_flush(s->h);
	return 0;
}

/* Returns the smallest count above the current one with something to do other than events. */
static uint64_t
next_stop(const struct trc_replay *s)
{
	const uint64_t count = s->h->count;
	uint64_t next = s->stop;

	if (count < s->how.skip && s->how.skip < next)
		next = s->how.skip;
	if (s->truth < s->p->truths && s->p->truth[s->truth].count < next)
		next = s->p->truth[s->truth].count;
	if (s->checkpoint < s->p->checkpoints.n && s->p->checkpoints.c[s->checkpoint].count < next)
		next = s->p->checkpoints.c[s->checkpoint].count;
	if (s->how.mark && trc_marker_due(s->how.mark) < next)
		next = trc_marker_due(s->how.mark);
	if (s->lines && trc_replay_lines_due(s->lines, count) < next)
		next = trc_replay_lines_due(s->lines, count);
	return next;
}

/* Applies and compares what is due before the next instruction, and sets how far to run. */
static int
arrive(struct trc_replay *s, uint64_t *until, struct trc_err *err)
{
	const uint64_t count = s->h->count;

	if (compare_truth(s, err) || pass_checkpoint(s, err))
		return -1;
	if (s->how.watch && trc_replay_is_due(s))
		s->how.watch->due(s->how.watch, s->h);
	if (trc_replay_take_due(s, err))
		return -1;
	if (s->events_left && s->event.count < count)
		return trc_fail(err, "%s of instruction %llu did not occur",
		                trc_replay_event_name(s->event.type),
		                (unsigned long long)s->event.count + 1);
	if (s->lines && trc_replay_lines_compare(s->lines, &s->mem, count, s->p->count,
	                                         &s->report->fills, &s->report->backs, err))
		return -1;
	*until = next_stop(s);
	if (s->events_left) {
		const bool trap = s->event.type == TRC_BUS_TRAP;
		uint64_t next = s->event.count + trc_bus_is_synchronous(s->event.type);

		s->h->trap_next = trap && s->event.count == count;
		if (trap && !s->h->trap_next)
			next = s->event.count;

		*until = next < *until ? next : *until;
	}
	return 0;
}

static void
replay_ran(struct trc_driver *d, struct trc_hart *h, enum trc_run_end why, struct trc_batch *b,
           size_t from, struct trc_err *err)
{
	struct trc_replay *s = (struct trc_replay *)d;

	if (s->p->truths && !s->how.unproved)
		s->so_far.hash += trc_truth_rows(b, from, &s->so_far.rows);
	if (s->how.watch && s->how.watch->rows)
		s->how.watch->rows(s->how.watch, h, b, from);
	if (s->how.count)
		s->how.count->batch(s->how.count, h->count - s->report->count, err);
	s->report->count = h->count;
	if (h->count <= s->how.skip)
		b->n = from;
	for (size_t i = from; b->task && i < b->n; i++)
		b->task[i] = (uint32_t)s->tasks.runs + 1;
	if (why == TRC_RUN_FAILED)
		fail_here(s, err);
}

static enum trc_flow
replay_due(struct trc_driver *d, struct trc_hart *h, enum trc_run_end why, uint64_t *until,
           struct trc_err *err)
{
	struct trc_replay *s = (struct trc_replay *)d;

	if (trc_replay_answer(s, why, err) || arrive(s, until, err)) {
		fail_here(s, err);
		return TRC_FLOW_FAILED;
	}
	if (h->count < s->stop)
		return TRC_FLOW_ROWS;
	return s->stop == s->p->count && compare_end(s, err) ? TRC_FLOW_FAILED : TRC_FLOW_END;
}

static void
replay_close(struct trc_driver *d)
{
	struct trc_replay *s = (struct trc_replay *)d;

	trc_replay_lines_close(s->lines);
	trc_hart_close(s->h);
	trc_tasks_release(&s->tasks);
	trc_memory_release(&s->mem);
	free(s);
}

/* Adds RAM as the header describes it: its ranges, or everything that is not input and output. */
static int
add_ram(struct trc_memory *m, const struct trc_bus_head *head, struct trc_err *err)
{
	for (size_t i = 0; i < head->rams; i++)
		if (trc_memory_add_ram(m, head->ram[i].start,
		                       head->ram[i].start + (head->ram[i].len - 1), err))
			return -1;
	if (head->rams)
		return 0;
	if (head->ios)
		return trc_fail(err, "the trace gives the ranges of devices, but not of RAM");
	return trc_memory_add_ram(m, 0, UINT64_MAX, err);
}

/* Loads the last checkpoint before the window. */
static int
load(struct trc_replay *s, struct trc_err *err)
{
	const struct trc_package *p = s->p;

	s->checkpoint = trc_checkpoint_before(p, s->how.skip);
	if (trc_checkpoint_load(p, s->checkpoint, s->h, &s->tasks, &s->so_far, err))
		return -1;
	s->report->from = s->report->count = s->h->count;
	while (s->truth < p->truths && (s->how.unproved || p->truth[s->truth].count < s->h->count))
		s->truth++;
	if (s->checkpoint)
		s->at = p->checkpoints.c[s->checkpoint - 1].events;
	else
		trc_events_begin(&p->events, &s->at);
	if (trc_replay_next_event(s, err))
		return -1;
	if (!s->how.against)
		return 0;
	s->lines = trc_replay_lines_open(s->how.against, s->h->count, err);
	return s->lines ? 0 : -1;
}

static struct trc_replay *
replay_open(const struct trc_package *p, const struct trc_replay_how *how,
            struct trc_replay_report *report, struct trc_err *err)
{
	struct trc_replay *s = trc_alloc(1, sizeof(*s), err);
	unsigned flags = (p->head.user ? TRC_HART_USER : 0) | (!how->watch      ? 0 :
	                                                       how->watch->rows ? TRC_HART_SHOWN :
	                                                                          TRC_HART_SEEN);
	unsigned isa;

	if (!s || trc_extensions_read(*p->head.isa ? p->head.isa : "rv64gc", &isa, err)) {
		free(s);
		return NULL;
	}
	flags |= isa << TRC_HART_EXTENSIONS;
	s->driver = (struct trc_driver){ replay_due, replay_ran, replay_close };
	s->port = trc_replay_port;
	s->p = p;
	s->how = *how;
	s->report = report;
	s->stop = p->count;
	if (how->limit && how->skip < p->count && how->limit < p->count - how->skip)
		s->stop = how->skip + how->limit;
	if (trc_memory_init(&s->mem, how->memory, err)) {
		free(s);
		return NULL;
	}
	if (add_ram(&s->mem, &p->head, err) == 0)
		s->h = trc_hart_open(&s->mem, &s->port, flags, err);
	if (s->h && load(s, err) == 0)
		return s;
	replay_close(&s->driver);
	return NULL;
}

struct trc_source *
trc_replay_source(const struct trc_package *p, const struct trc_replay_how *how, uint32_t have,
                  struct trc_replay_report *report, struct trc_err *err)
{
	struct trc_source *src;
	struct trc_replay *s;

	*report = (struct trc_replay_report){ 0 };
	s = replay_open(p, how, report, err);
	if (!s)
		return NULL;
	src = trc_hart_source(s->h, have, &s->driver, err);
	if (!src)
		replay_close(&s->driver);
	return src;
}

int
trc_replay_all(const struct trc_package *p, const struct trc_replay_how *how,
               struct trc_replay_report *report, struct trc_err *err)
{
	struct trc_source *src = trc_replay_source(p, how, TRC_HART_HAS, report, err);
	struct trc_batch b = { 0 };
	enum trc_flow flow = TRC_FLOW_FAILED;

	if (!src)
		return -1;
	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, err) == 0)
		while ((flow = trc_source_next(src, &b, err)) == TRC_FLOW_ROWS)
			;
	trc_batch_release(&b);
	trc_source_close(src);
	return flow == TRC_FLOW_END ? 0 : -1;
}

int
trc_replay_mark(struct trc_package *p, const struct trc_marker_how *marks, uint64_t memory,
                struct trc_watch *count, struct trc_replay_report *report, struct trc_err *err)
{
	struct trc_checkpoints made = { 0 };
	struct trc_replay_how how = { .memory = memory, .count = count };
	int ret;

	assert(p->checkpoints.n == 0);
	how.mark = trc_marker_open(&made, marks, err);
	if (!how.mark)
		return -1;
	ret = trc_replay_all(p, &how, report, err) || trc_marker_finish(how.mark, err);
	trc_marker_close(how.mark);
	if (ret == 0)
		p->checkpoints = made;
	else
		trc_checkpoints_release(&made);
	return ret || trc_checkpoints_place(p, err) ? -1 : 0;
}
