/* SPDX-License-Identifier: MIT
 *
 * The list of events during a replay: what devices answered, and what happened to the hart.
 */
#include "machine/bus/replay_state.h"

#include <stdio.h>

#include "machine/hart/csr.h"
#include "machine/hart/extensions.h"

static struct trc_replay *
of_port(struct trc_port *p)
{
	return (struct trc_replay *)(void *)((char *)p - offsetof(struct trc_replay, port));
}

const char *
trc_replay_event_name(unsigned type)
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

int
trc_replay_next_event(struct trc_replay *s, struct trc_err *err)
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
		snprintf(dst, room, "%s (0x%llx)", trc_replay_event_name(type),
		         (unsigned long long)where);
	return dst;
}

static int
fail_expected(const struct trc_replay *s, enum trc_bus_type type, uint64_t where,
              struct trc_err *err)
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
expect(const struct trc_replay *s, enum trc_bus_type type, uint64_t where, uint64_t count,
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
	struct trc_replay *s = of_port(port);

	if (expect(s, TRC_BUS_INPUT, addr, h->count, err))
		return -1;
	if (s->event.len != size)
		return trc_fail(err, "a read of %u bytes at %llx, but %u were recorded", size,
		                (unsigned long long)addr, (unsigned)s->event.len);
	*value = value_of(&s->event);
	s->report->inputs++;
	return trc_replay_next_event(s, err);
}

static int
port_store(struct trc_port *port, const struct trc_hart *h, uint64_t addr, unsigned size,
           uint64_t value, struct trc_err *err)
{
	struct trc_replay *s = of_port(port);
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
	return trc_replay_next_event(s, err);
}

static int
port_csr(struct trc_port *port, const struct trc_hart *h, unsigned csr, uint64_t *value,
         struct trc_err *err)
{
	struct trc_replay *s = of_port(port);

	if (expect(s, TRC_BUS_CSR, csr, h->count, err))
		return -1;
	*value = s->event.value;
	s->report->csrs++;
	return trc_replay_next_event(s, err);
}

static void
port_seen(struct trc_port *port, const struct trc_hart *h, enum trc_seen what, uint64_t addr,
          unsigned size)
{
	struct trc_replay *s = of_port(port);

	s->how.watch->seen(s->how.watch, h, what, addr, size);
}

static int
take_interrupt(struct trc_replay *s, struct trc_err *err)
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
take_move(struct trc_replay *s, struct trc_err *err)
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
take_register(struct trc_replay *s, struct trc_err *err)
{
	const uint64_t reg = s->event.key;

	s->moved |= reg == TRC_REG_PC;
	s->stale |= reg > TRC_REG_PC && reg != TRC_REG_CSR + TRC_CSR_FCSR;
	return trc_hart_set(s->h, (int)reg, s->event.value, err);
}

static void
take_signal(struct trc_replay *s)
{
	s->report->signals += s->moved;
	if (s->stale)
		trc_hart_flush(s->h);
	s->moved = s->stale = false;
}

static int
take_turn(struct trc_replay *s, struct trc_err *err)
{
	s->report->turns++;
	return trc_tasks_switch(&s->tasks, s->h, s->event.key, s->event.value, err);
}

/* Takes the signal that ended the program; nothing may follow. */
static int
take_kill(struct trc_replay *s, struct trc_err *err)
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
take_event(struct trc_replay *s, struct trc_err *err)
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
take_call(struct trc_replay *s, struct trc_err *err)
{
	struct trc_hart *h = s->h;

	if (h->count == s->p->count && (!s->events_left || s->event.type == TRC_BUS_KILL))
		return 0; /* the last one, which does not return */
	if (expect(s, TRC_BUS_CALL, h->x[17], h->count - 1, err))
		return -1;
	h->x[10] = s->event.value;
	s->report->calls++;
	return trc_replay_next_event(s, err);
}

bool
trc_replay_is_due(const struct trc_replay *s)
{
	return s->events_left && s->event.count == s->h->count &&
	       !trc_bus_is_synchronous(s->event.type);
}

int
trc_replay_take_due(struct trc_replay *s, struct trc_err *err)
{
	while (trc_replay_is_due(s))
		if (take_event(s, err) || trc_replay_next_event(s, err))
			return -1;
	return 0;
}

static int
fail_trap(const struct trc_hart *h, struct trc_err *err)
{
	const char *name = NULL;

	if (h->cause == TRC_CAUSE_ILLEGAL)
		name = trc_extension_beyond((uint32_t)h->tval);
	if (name)
		return trc_fail(
		        err,
		        "%08llx is of the extension %s, which is not among those of the trace, "
		        "or of replay; a program built without it can be replayed",
		        (unsigned long long)h->tval, name);
	return trc_fail(err, "a trap of cause %llu (0x%llx), which the trace does not answer",
	                (unsigned long long)h->cause, (unsigned long long)h->tval);
}

int
trc_replay_answer(struct trc_replay *s, enum trc_run_end why, struct trc_err *err)
{
	if (why == TRC_RUN_ECALL)
		return take_call(s, err);
	if (why == TRC_RUN_TRAP && s->h->cause == TRC_CAUSE_FORCED)
		return trc_replay_next_event(s, err);
	return why == TRC_RUN_TRAP ? fail_trap(s->h, err) : 0;
}

const struct trc_port trc_replay_port = { port_load, port_store, port_csr, port_seen };
