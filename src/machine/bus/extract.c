/* SPDX-License-Identifier: MIT */
#include "machine/bus/extract.h"

#include <stdlib.h>

#include "machine/hart/hart.h"
#include "machine/hart/extensions.h"
#include "machine/bus/shadow.h"
#include "machine/bus/truth.h"

enum {
	MOVE_MOST = 1 << 20, /* limit of a move in pages: 4 GiB */
	WATCHED = 1024,      /* records between two updates of the watch */
};

/* The state of an extraction. */
struct extract {
	struct trc_package *p;
	struct trc_extract_counts *counts;
	struct trc_shadow shadow;
	struct trc_register_set window; /* registers written to the window since it was last read */
	bool started;
	uint64_t first, end; /* the range of bytes in which the current read differs */
};

static bool
within(const struct trc_bus_range *r, size_t n, uint64_t addr)
{
	for (size_t i = 0; i < n; i++)
		if (addr - r[i].start < r[i].len)
			return true;
	return false;
}

/* Returns true if the address belongs to devices. */
static bool
is_io(const struct trc_bus_head *h, uint64_t addr)
{
	return within(h->io, h->ios, addr) || (h->rams > 0 && !within(h->ram, h->rams, addr));
}

static int
put_event(struct extract *x, struct trc_bus_record r, uint64_t due, struct trc_err *err)
{
	if (due < x->p->events.count)
		return trc_fail(err,
		                "record %c with count %llx is due before the event that precedes "
		                "it; the records are out of order",
		                (int)r.type, (unsigned long long)r.count);
	r.count = due;
	return trc_events_put(&x->p->events, &r, err);
}

static int
report_run(void *user, const struct trc_shadow_run *run, struct trc_err *err)
{
	struct extract *x = user;

	if (!run->known) {
		x->counts->image += run->len;
		return trc_image_put(&x->p->image, run->addr, run->data, run->len, err);
	}
	if (x->first == x->end)
		x->first = run->addr;
	x->end = run->addr + run->len;
	return 0;
}

/* An event that instruction `count` causes is due before it. */
static int
due_before(const struct trc_bus_record *r, uint64_t *due, struct trc_err *err)
{
	if (r->count == 0)
		return trc_fail(err, "record %c of an instruction before the first one",
		                (int)r->type);
	*due = r->count - 1;
	return 0;
}

static int
take_read(struct extract *x, const struct trc_bus_record *r, bool of_instruction,
          struct trc_err *err)
{
	struct trc_bus_record dma = { .type = TRC_BUS_DMA, .count = r->count };
	uint64_t due = r->count;

	x->first = x->end = 0;
	if ((of_instruction && due_before(r, &due, err)) ||
	    trc_shadow_read(&x->shadow, r->addr, r->data, r->len, report_run, x, err))
		return -1;
	if (x->first == x->end)
		return 0;
	/* One event from the first byte that differs to the last: the bytes between them are equal
	 * to those in memory now, so their writer does not matter. */
	dma.addr = x->first;
	dma.data = r->data + (x->first - r->addr);
	dma.len = (uint32_t)(x->end - x->first);
	x->counts->dma_runs++;
	x->counts->dma_bytes += dma.len;
	return put_event(x, dma, due, err);
}

static int
take_fill(struct extract *x, const struct trc_bus_record *r, struct trc_err *err)
{
	x->counts->fills++;
	if (is_io(&x->p->head, r->addr))
		return trc_fail(err, "a line is filled at %llx, which is not cacheable",
		                (unsigned long long)r->addr);
	return take_read(x, r, r->key == TRC_BUS_DATA || r->key == TRC_BUS_WALK_DATA, err);
}

static int
take_back(struct extract *x, const struct trc_bus_record *r, struct trc_err *err)
{
	x->counts->backs++;
	if (!trc_shadow_any(&x->shadow, r->addr, r->len))
		return trc_fail(err,
		                "the line at %llx is written back, but was neither filled nor "
		                "written before; records are missing",
		                (unsigned long long)r->addr);
	return trc_shadow_write(&x->shadow, r->addr, r->data, r->len, err);
}

static int
take_device(struct extract *x, const struct trc_bus_record *r, struct trc_err *err)
{
	const bool input = r->type == TRC_BUS_INPUT;
	uint64_t due = 0;

	if (!is_io(&x->p->head, r->addr))
		return input ? take_read(x, r, true, err) :
		               trc_shadow_write(&x->shadow, r->addr, r->data, r->len, err);
	if (r->len != 1 && r->len != 2 && r->len != 4 && r->len != 8)
		return trc_fail(err, "an access of %u bytes to a device; expected 1, 2, 4 or 8",
		                (unsigned)r->len);
	*(input ? &x->counts->inputs : &x->counts->outputs) += 1;
	return due_before(r, &due, err) ? -1 : put_event(x, *r, due, err);
}

/* Moves the registers written to the window to *to. */
static int
take_window(struct extract *x, struct trc_register_set *to, struct trc_err *err)
{
	for (size_t i = 0; i < x->window.n; i++)
		if (trc_register_set_put(to, x->window.r[i].reg, x->window.r[i].value, err))
			return -1;
	x->window.n = 0;
	return 0;
}

static int
take_start(struct extract *x, const struct trc_bus_record *r, struct trc_err *err)
{
	if (x->started || r->count)
		return trc_fail(err, "the trace starts a second time, or not at count 0");
	x->started = true;
	if (take_window(x, &x->p->first, err))
		return -1;
	for (size_t i = 0; i < x->p->first.n; i++)
		if (x->p->first.r[i].reg == TRC_REG_PC)
			return 0;
	return trc_fail(err, "the initial state has no pc");
}

static int
take_signal(struct extract *x, const struct trc_bus_record *r, struct trc_err *err)
{
	struct trc_bus_record reg = { .type = TRC_BUS_STATE, .count = r->count };

	x->counts->signals++;
	for (size_t i = 0; i < x->window.n; i++) {
		reg.key = x->window.r[i].reg;
		reg.value = x->window.r[i].value;
		if (put_event(x, reg, r->count, err))
			return -1;
	}
	x->window.n = 0;
	return put_event(x, *r, r->count, err);
}

static int
take_truth(struct extract *x, const struct trc_bus_record *r, struct trc_err *err)
{
	struct trc_package *p = x->p;
	const struct trc_truth t = { r->count, trc_truth_fold(r->key, r->value) };

	if (p->truths > 0 && p->truth_registers != (r->value != 0))
		return trc_fail(err, "some checkpoints have registers and some do not");
	p->truth_registers = r->value != 0;
	return trc_package_truth(p, &t, err);
}

static int
take_end(struct extract *x, const struct trc_bus_record *r, struct trc_err *err)
{
	const uint64_t digest = trc_shadow_digest(&x->shadow);

	x->p->count = r->count;
	x->p->digest = r->value;
	if (r->value && r->value != digest)
		return trc_fail(err,
		                "the memory in the trace has digest %llx, but the recorder had "
		                "%llx; a write-back is missing, or data is damaged",
		                (unsigned long long)digest, (unsigned long long)r->value);
	return take_window(x, &x->p->last, err);
}

static int
take_event(struct extract *x, const struct trc_bus_record *r, uint64_t *counter, bool before,
           struct trc_err *err)
{
	uint64_t due = r->count;

	++*counter;
	if (before && due_before(r, &due, err))
		return -1;
	return put_event(x, *r, due, err);
}

static int
take_move(struct extract *x, const struct trc_bus_record *r, struct trc_err *err)
{
	const uint64_t page = TRC_SHADOW_PAGE - 1;

	if ((r->key | r->value | r->addr) & page || r->key > UINT64_MAX - r->value ||
	    r->key > UINT64_MAX - r->addr)
		return trc_fail(err,
		                "%llx bytes of memory are moved from %llx to %llx, which is not "
		                "whole pages",
		                (unsigned long long)r->key, (unsigned long long)r->value,
		                (unsigned long long)r->addr);
	if (x->shadow.n > MOVE_MOST || r->key / TRC_SHADOW_PAGE > MOVE_MOST - x->shadow.n)
		return trc_fail(err,
		                "%llx bytes of memory are moved; moves of more than 4 GiB are not "
		                "supported",
		                (unsigned long long)r->key);
	if (trc_shadow_move(&x->shadow, r->value, r->addr, r->key, err))
		return -1;
	return put_event(x, *r, r->count, err);
}

static int
take_record(struct extract *x, const struct trc_bus_record *r, struct trc_err *err)
{
	struct trc_extract_counts *k = x->counts;

	k->records++;
	if (r->type == TRC_BUS_STATE)
		return trc_register_set_put(&x->window, (uint32_t)r->key, r->value, err);
	if (!x->started && r->type != TRC_BUS_START)
		return trc_fail(err, "record %c before the G that starts the trace", (int)r->type);
	switch (r->type) {
	case TRC_BUS_START: return take_start(x, r, err);
	case TRC_BUS_FILL: return take_fill(x, r, err);
	case TRC_BUS_BACK: return take_back(x, r, err);
	case TRC_BUS_WRITE: return trc_shadow_write(&x->shadow, r->addr, r->data, r->len, err);
	case TRC_BUS_INPUT:
	case TRC_BUS_OUTPUT: return take_device(x, r, err);
	case TRC_BUS_INTERRUPT: return take_event(x, r, &k->interrupts, false, err);
	case TRC_BUS_CSR: return take_event(x, r, &k->csrs, true, err);
	case TRC_BUS_CALL: return take_event(x, r, &k->calls, true, err);
	case TRC_BUS_MOVE: return take_move(x, r, err);
	case TRC_BUS_TASK: return take_event(x, r, &k->turns, false, err);
	case TRC_BUS_TRAP: return take_event(x, r, &k->traps, true, err);
	case TRC_BUS_SIGNAL: return take_signal(x, r, err);
	case TRC_BUS_KILL: return put_event(x, *r, r->count, err);
	case TRC_BUS_TRUTH: return take_truth(x, r, err);
	case TRC_BUS_DMA:
		if (trc_shadow_write(&x->shadow, r->addr, r->data, r->len, err))
			return -1;
		return put_event(x, *r, r->count, err);
	default: return take_end(x, r, err);
	}
}

static int
check_isa(const struct trc_bus_head *head, struct trc_err *err)
{
	unsigned isa;

	if (!*head->isa)
		return trc_fail(err, "its header does not name a processor, such as 'isa "
		                     "rv64imafdc'");
	return trc_extensions_read(head->isa, &isa, err);
}

int
trc_extract(struct trc_bus *bus, struct trc_package *p, struct trc_watch *watch,
            struct trc_extract_counts *counts, struct trc_err *err)
{
	struct extract x = { .p = p, .counts = counts };
	enum trc_flow flow = TRC_FLOW_FAILED;
	struct trc_bus_record r;
	char where[400];

	*p = (struct trc_package){ .head = *trc_bus_head(bus) };
	*counts = (struct trc_extract_counts){ 0 };
	if (check_isa(&p->head, err)) {
		trc_bus_where(bus, where, sizeof(where));
		return trc_err_in(err, "%s", where);
	}
	if (trc_shadow_init(&x.shadow, err))
		return -1;
	while ((flow = trc_bus_next(bus, &r, err)) == TRC_FLOW_ROWS) {
		if (take_record(&x, &r, err)) {
			trc_bus_where(bus, where, sizeof(where));
			trc_err_in(err, "%s", where);
			flow = TRC_FLOW_FAILED;
			break;
		}
		if (watch && counts->records % WATCHED == 0 && watch->batch(watch, WATCHED, err)) {
			flow = TRC_FLOW_FAILED;
			break;
		}
	}
	if (flow == TRC_FLOW_END && trc_image_sort(&p->image, err))
		flow = TRC_FLOW_FAILED;
	trc_shadow_release(&x.shadow);
	free(x.window.r);
	if (flow != TRC_FLOW_FAILED)
		return 0;
	trc_package_release(p);
	return -1;
}
