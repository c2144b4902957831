/* SPDX-License-Identifier: MIT */
#include "machine/bus/replay.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/bus/replay_lines.h"
#include "machine/bus/tasks.h"
#include "machine/bus/truth.h"
#include "machine/hart/csr.h"
#include "machine/hart/extensions.h"

/* The state of a replay. */
struct replay {
	struct trc_driver driver;
	struct trc_port port; /* of the hart */
	const struct trc_package *p;
	struct trc_replay_how how;
	struct trc_replay_report *report;
	struct trc_hart *h;
	struct trc_memory mem;
	struct trc_tasks tasks;

	struct trc_events_at at;
	struct trc_bus_record event; /* the next event of the package */
	bool events_left;
	bool moved, stale; /* set by S records: pc was set, and cached translations may be stale */
	struct trc_replay_lines *lines; /* of the bus trace; NULL: nothing to compare with */

	uint64_t stop;     /* number of instructions to execute */
	size_t truth;      /* index of the next hash to compare */
	size_t checkpoint; /* index of the next checkpoint, from 0 */
	struct trc_trace_so_far so_far;
};

static struct replay *
of_port(struct trc_port *p)
{
	return (struct replay *)(void *)((char *)p - offsetof(struct replay, port));
}

/* Prefixes a failure with the current instruction. */
static void
fail_here(const struct replay *s, struct trc_err *err)
{
	if (err->code == TRC_FAILED)
		trc_err_in(err, "instruction %llu, pc 0x%llx", (unsigned long long)s->h->count + 1,
		           (unsigned long long)s->h->pc);
}

static const char *
name_of(unsigned type)
{
	switch (type) {
	case TRC_BUS_INPUT: return "a read of a device";
	case TRC_BUS_OUTPUT: return "a write to a device";
	case TRC_BUS_CSR: return "a read of a CSR";
	case TRC_BUS_INTERRUPT: return "an interrupt";
	case TRC_BUS_DMA: return "a write by another master";
	case TRC_BUS_MOVE: return "a move of memory";
	case TRC_BUS_TRAP: return "a trap";
	case TRC_BUS_CALL: return "a return of a system call";
	case TRC_BUS_TASK: return "a turn of a task";
	case TRC_BUS_KILL: return "the end by a signal";
	default: return "a signal";
	}
}

static int
next_event(struct replay *s, struct trc_err *err)
{
	const enum trc_flow flow = trc_events_next(&s->at, &s->event, err);

	s->events_left = flow == TRC_FLOW_ROWS;
	return flow == TRC_FLOW_FAILED ? -1 : 0;
}

/* Describes an event and where it is: a system call in decimal, all else in hexadecimal. */
static const char *
describe(char *dst, size_t room, unsigned type, uint64_t where)
{
	if (type == TRC_BUS_CALL)
		snprintf(dst, room, "a return of system call %llu", (unsigned long long)where);
	else
		snprintf(dst, room, "%s (0x%llx)", name_of(type), (unsigned long long)where);
	return dst;
}

static int
fail_expected(const struct replay *s, enum trc_bus_type type, uint64_t where, struct trc_err *err)
{
	const struct trc_bus_record *e = &s->event;
	const bool at = e->type == TRC_BUS_INPUT || e->type == TRC_BUS_OUTPUT ||
	                e->type == TRC_BUS_DMA;
	char wanted[80], next[80];

	describe(wanted, sizeof(wanted), type, where);
	if (!s->events_left)
		return trc_fail(err, "%s that is not in the list of events, which is at its end",
		                wanted);
	return trc_fail(err, "%s, but the next event is %s of instruction %llu", wanted,
	                describe(next, sizeof(next), e->type, at ? e->addr : e->key),
	                (unsigned long long)e->count + 1);
}

/* Fails unless the next event has this type, this key or address, and belongs to this
 * instruction. */
static int
expect(const struct replay *s, enum trc_bus_type type, uint64_t where, uint64_t count,
       struct trc_err *err)
{
	const struct trc_bus_record *e = &s->event;
	const bool keyed = type == TRC_BUS_CSR || type == TRC_BUS_CALL || type == TRC_BUS_TRAP;

	if (!s->events_left || e->type != type || e->count != count ||
	    (keyed ? e->key : e->addr) != where)
		return fail_expected(s, type, where, err);
	return 0;
}

static uint64_t
value_of(const struct trc_bus_record *r)
{
	uint64_t v = 0;

	for (uint32_t i = 0; i < r->len; i++)
		v |= (uint64_t)r->data[i] << 8 * i;
	return v;
}

static int
port_load(struct trc_port *port, const struct trc_hart *h, uint64_t addr, unsigned size,
          uint64_t *value, struct trc_err *err)
{
	struct replay *s = of_port(port);

	if (expect(s, TRC_BUS_INPUT, addr, h->count, err))
		return -1;
	if (s->event.len != size)
		return trc_fail(err, "a read of %u bytes at %llx, but %u were recorded", size,
		                (unsigned long long)addr, (unsigned)s->event.len);
	*value = value_of(&s->event);
	s->report->inputs++;
	return next_event(s, err);
}

static int
port_store(struct trc_port *port, const struct trc_hart *h, uint64_t addr, unsigned size,
           uint64_t value, struct trc_err *err)
{
	struct replay *s = of_port(port);
	uint64_t recorded;

	if (expect(s, TRC_BUS_OUTPUT, addr, h->count, err))
		return -1;
	recorded = value_of(&s->event);
	if (size < 8)
		value &= (UINT64_C(1) << 8 * size) - 1;
	if (s->event.len != size || recorded != value)
		return trc_fail(
		        err,
		        "writes %llx, %u bytes, to the device at %llx, but %llx, %u bytes, were "
		        "recorded",
		        (unsigned long long)value, size, (unsigned long long)addr,
		        (unsigned long long)recorded, (unsigned)s->event.len);
	s->report->outputs++;
	return next_event(s, err);
}

static int
port_csr(struct trc_port *port, const struct trc_hart *h, unsigned csr, uint64_t *value,
         struct trc_err *err)
{
	struct replay *s = of_port(port);

	if (expect(s, TRC_BUS_CSR, csr, h->count, err))
		return -1;
	*value = s->event.value;
	s->report->csrs++;
	return next_event(s, err);
}

static void
port_seen(struct trc_port *port, const struct trc_hart *h, enum trc_seen what, uint64_t addr,
          unsigned size)
{
	struct replay *s = of_port(port);

	s->how.watch->seen(s->how.watch, h, what, addr, size);
}

static int
take_interrupt(struct replay *s, struct trc_err *err)
{
	if (s->event.value != s->h->pc)
		return trc_fail(err, "interrupt %llu was taken at pc %llx",
		                (unsigned long long)s->event.key,
		                (unsigned long long)s->event.value);
	if (s->event.key > 63)
		return trc_fail(err, "there is no interrupt %llu",
		                (unsigned long long)s->event.key);
	trc_hart_interrupt(s->h, (unsigned)s->event.key);
	s->report->interrupts++;
	return 0;
}

static int
take_move(struct replay *s, struct trc_err *err)
{
	const struct trc_bus_record *e = &s->event;
	uint8_t page[TRC_GUEST_PAGE];

	if ((e->key | e->value | e->addr) % TRC_GUEST_PAGE)
		return trc_fail(err, "the memory moved is not whole pages");
	for (uint64_t i = 0; i < e->key; i += TRC_GUEST_PAGE) {
		trc_memory_read(&s->mem, e->value + i, page, sizeof(page));
		if (trc_hart_write(s->h, e->addr + i, page, sizeof(page), err))
			return -1;
	}
	return 0;
}

/* Takes the S records before an X. They belong to a signal if pc is among them, else to a task that
 * gets its turn. */
static int
take_register(struct replay *s, struct trc_err *err)
{
	const uint64_t reg = s->event.key;

	s->moved |= reg == TRC_REG_PC;
	s->stale |= reg > TRC_REG_PC && reg != TRC_REG_CSR + TRC_CSR_FCSR;
	return trc_hart_set(s->h, (int)reg, s->event.value, err);
}

static void
take_signal(struct replay *s)
{
	s->report->signals += s->moved;
	if (s->stale)
		trc_hart_flush(s->h);
	s->moved = s->stale = false;
}

static int
take_turn(struct replay *s, struct trc_err *err)
{
	s->report->turns++;
	return trc_tasks_switch(&s->tasks, s->h, s->event.key, s->event.value, err);
}

/* Takes the signal that ended the program; nothing may follow. */
static int
take_kill(struct replay *s, struct trc_err *err)
{
	const uint64_t more = s->p->count - s->h->count;

	if (more || s->at.left)
		return trc_fail(err,
		                "signal %llu ended the program, but %llu instructions and "
		                "%llu events follow",
		                (unsigned long long)s->event.key, (unsigned long long)more,
		                (unsigned long long)s->at.left);
	s->report->killed = s->event.key;
	return 0;
}

/* Takes an event that is due before the next instruction. */
static int
take_event(struct replay *s, struct trc_err *err)
{
	const struct trc_bus_record *e = &s->event;

	switch (e->type) {
	case TRC_BUS_DMA:
		s->report->dma++;
		s->report->dma_bytes += e->len;
		return trc_hart_write(s->h, e->addr, e->data, e->len, err);
	case TRC_BUS_MOVE: return take_move(s, err);
	case TRC_BUS_INTERRUPT: return take_interrupt(s, err);
	case TRC_BUS_STATE: return take_register(s, err);
	case TRC_BUS_SIGNAL: take_signal(s); return 0;
	case TRC_BUS_TASK: return take_turn(s, err);
	case TRC_BUS_KILL: return take_kill(s, err);
	default: return trc_fail(err, "record %c is not an event", (int)e->type);
	}
}

/* Sets the result of the ecall that was just executed. */
static int
take_call(struct replay *s, struct trc_err *err)
{
	struct trc_hart *h = s->h;

	if (h->count == s->p->count && (!s->events_left || s->event.type == TRC_BUS_KILL))
		return 0; /* the last one, which does not return */
	if (expect(s, TRC_BUS_CALL, h->x[17], h->count - 1, err))
		return -1;
	h->x[10] = s->event.value;
	s->report->calls++;
	return next_event(s, err);
}

static int
compare_truth(struct replay *s, struct trc_err *err)
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
compare_register(struct replay *s, const struct trc_register *want, struct trc_err *err)
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
compare_end(struct replay *s, struct trc_err *err)
{
	uint64_t digest = 0;

	if (s->events_left)
		return trc_fail(err, "the trace ends, but %s of instruction %llu was not taken",
		                name_of(s->event.type), (unsigned long long)s->event.count + 1);
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
pass_checkpoint(struct replay *s, struct trc_err *err)
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
next_stop(const struct replay *s)
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

/* Returns true if the next event is due before the next instruction. */
static bool
is_now(const struct replay *s)
{
	return s->events_left && s->event.count == s->h->count &&
	       !trc_bus_is_synchronous(s->event.type);
}

/* Has the watch see instructions again, if it asks for that. */
static void
report_again(struct replay *s)
{
	if (s->how.watch->again)
		trc_hart_show_again(s->h);
	s->how.watch->again = false;
}

/* Applies and compares what is due before the next instruction, and sets how far to run. */
static int
arrive(struct replay *s, uint64_t *until, struct trc_err *err)
{
	const uint64_t count = s->h->count;

	if (compare_truth(s, err) || pass_checkpoint(s, err))
		return -1;
	if (s->how.watch && is_now(s)) {
		s->how.watch->due(s->how.watch, s->h);
		report_again(s);
	}
	while (is_now(s))
		if (take_event(s, err) || next_event(s, err))
			return -1;
	if (s->events_left && s->event.count < count)
		return trc_fail(err, "%s of instruction %llu did not occur", name_of(s->event.type),
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
replay_ran(struct trc_driver *d, struct trc_hart *h, enum trc_run why, struct trc_batch *b,
           size_t from, struct trc_err *err)
{
	struct replay *s = (struct replay *)d;

	if (s->p->truths && !s->how.unproved)
		s->so_far.hash += trc_truth_rows(b, from, &s->so_far.rows);
	if (s->how.watch && s->how.watch->rows) {
		s->how.watch->rows(s->how.watch, h, b, from);
		report_again(s);
	}
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

/* Handles a run that ended with something that the list of events must answer. */
static int
answer(struct replay *s, enum trc_run why, struct trc_err *err)
{
	if (why == TRC_RUN_ECALL)
		return take_call(s, err);
	if (why == TRC_RUN_TRAP && s->h->cause == TRC_CAUSE_FORCED)
		return next_event(s, err);
	if (why == TRC_RUN_TRAP)
		return trc_fail(err,
		                "a trap of cause %llu (0x%llx), which the trace does not answer",
		                (unsigned long long)s->h->cause, (unsigned long long)s->h->tval);
	return 0;
}

static enum trc_flow
replay_due(struct trc_driver *d, struct trc_hart *h, enum trc_run why, uint64_t *until,
           struct trc_err *err)
{
	struct replay *s = (struct replay *)d;

	if (answer(s, why, err) || arrive(s, until, err)) {
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
	struct replay *s = (struct replay *)d;

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
load(struct replay *s, struct trc_err *err)
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
	if (next_event(s, err))
		return -1;
	if (!s->how.against)
		return 0;
	s->lines = trc_replay_lines_open(s->how.against, s->h->count, err);
	return s->lines ? 0 : -1;
}

static struct replay *
replay_open(const struct trc_package *p, const struct trc_replay_how *how,
            struct trc_replay_report *report, struct trc_err *err)
{
	struct replay *s = trc_alloc(1, sizeof(*s), err);
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
	s->port = (struct trc_port){ port_load, port_store, port_csr, port_seen };
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
	struct replay *s;

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
trc_replay_mark(struct trc_package *p, uint64_t every, int level, uint64_t memory,
                struct trc_watch *count, struct trc_replay_report *report, struct trc_err *err)
{
	struct trc_checkpoints made = { 0 };
	struct trc_replay_how how = { .memory = memory, .count = count };
	int ret;

	assert(p->checkpoints.n == 0);
	how.mark = trc_marker_open(&made, every, level, err);
	if (!how.mark)
		return -1;
	ret = trc_replay_all(p, &how, report, err);
	trc_marker_close(how.mark);
	if (ret == 0)
		p->checkpoints = made;
	else
		trc_checkpoints_release(&made);
	return ret || trc_checkpoints_place(p, err) ? -1 : 0;
}
