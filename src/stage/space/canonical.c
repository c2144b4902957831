/* SPDX-License-Identifier: MIT
 *
 * Adds canonical pages and the task of each reference, as Laplace's merges do, to a trace of a
 * whole system. A reference that crosses into another page becomes one to each page, with its part
 * of the size; but an instruction with its word stays whole, on the page of its first byte, since
 * each part would be an instruction.
 */
#include "stage/space/space.h"
#include "stage/stage.h"
#include "stage/wrap.h"

#define MADE (TRC_HAS_TASK | TRC_HAS_VPN | TRC_HAS_CPN)

/* The stage. */
struct canonical {
	struct trc_wrap wrap;
	struct trc_spaces *spaces;
	unsigned bits;
	uint64_t mask; /* of the offset in a page */
	uint64_t refs; /* so far */
	uint64_t events;
	uint64_t done; /* bytes of row `at` that were written, if it crosses pages */
};

static int
fail_event(const struct canonical *s, size_t i, struct trc_err *err)
{
	return trc_err_in(err, "kernel event %llu, at time %llx", (ull)s->events,
	                  (ull)s->wrap.in.time[i]);
}

/* Copies the existing columns of row `i` to row b->n. */
static void
copy(struct canonical *s, struct trc_batch *b, size_t i)
{
	trc_batch_copy(b, &s->wrap.in, s->wrap.in.have & ~(uint32_t)MADE, i, 1);
	if (!s->wrap.in.rtime)
		b->rtime[b->n] = s->refs;
}

static int
put_event(struct canonical *s, struct trc_batch *b, size_t i, struct trc_err *err)
{
	uint32_t task;

	s->events++;
	if (trc_spaces_event(s->spaces, trc_batch_event(&s->wrap.in, i), &task, err))
		return fail_event(s, i, err);
	copy(s, b, i);
	b->task[b->n] = task;
	b->vpn[b->n] = b->cpn[b->n] = 0;
	b->n++;
	s->wrap.at++;
	return 0;
}

/* Finds the running task; references by the kernel belong to task 0. */
static int
find_task(const struct canonical *s, size_t i, uint32_t *task, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	bool known;

	*task = trc_spaces_running(s->spaces, &known);
	if (in->type && in->type[i] & TRC_KERNEL)
		*task = 0;
	else if (!known)
		return trc_fail(err,
		                "a reference at time %llx precedes the first context switch "
		                "('S'), so its task is unknown",
		                (ull)in->time[i]);
	return 0;
}

/* Writes the part of row `i` in the page that comes next. */
static int
put_part(struct canonical *s, struct trc_batch *b, size_t i, uint32_t task, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	const bool kernel = in->type && in->type[i] & TRC_KERNEL;
	const uint64_t size = in->size && in->size[i] ? in->size[i] : 1;
	const uint64_t at = in->addr ? in->addr[i] + s->done : 0;
	const uint64_t page = in->vpn ? in->vpn[i] : at >> s->bits;
	const uint64_t room = s->mask - (at & s->mask) + 1;
	const bool whole = in->insn && in->insn[i] && trc_batch_type(in, i) == TRC_FETCH;
	uint64_t part = size - s->done;
	const uint32_t number = trc_spaces_page(s->spaces, trc_spaces_recent(s->spaces),
	                                        in->asid[i], page, kernel, err);

	if (!number)
		return -1;
	if (trc_batch_past_end(in, i))
		return trc_batch_fail_past_end(in, i, err);
	if (s->done == 0)
		s->refs += in->type ? trc_type_refs(in->type[i]) : 1;
	copy(s, b, i);
	b->task[b->n] = task;
	b->vpn[b->n] = page;
	b->cpn[b->n] = number;
	if (in->addr && !in->vpn && in->size && !whole) {
		part = part < room ? part : room;
		b->addr[b->n] = at;
		b->size[b->n] = in->size[i] ? (uint32_t)part : 0;
	}
	b->n++;
	s->done += part;
	if (s->done == size) {
		s->done = 0;
		s->wrap.at++;
	}
	return 0;
}

/* Handles plain rows from w->at on: not events, within a page, and all by the kernel or none.
 * Writes their new columns to row b->n and after. Returns how many; *failed is set if the next one
 * fails. */
static size_t
put_run(struct canonical *s, struct trc_batch *b, uint32_t task, bool *failed, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	const struct trc_spaces_recent *recent = trc_spaces_recent(s->spaces);
	const size_t start = s->wrap.at;
	const size_t most = in->n - start < b->cap - b->n ? in->n - start : b->cap - b->n;
	const uint8_t kernel = in->type ? in->type[start] & TRC_KERNEL : 0;
	size_t n;

	for (n = 0; n < most && !*failed; n++) {
		const size_t i = start + n, to = b->n + n;
		const uint8_t type = in->type ? in->type[i] : TRC_READ;
		const uint64_t size = in->size && in->addr ? in->size[i] : 0;
		const uint64_t page = in->vpn ? in->vpn[i] : in->addr[i] >> s->bits;

		if (trc_batch_is_event(in, i) || (type & TRC_KERNEL) != kernel ||
		    (!in->vpn && (in->addr[i] & s->mask) + (size ? size - 1 : 0) > s->mask))
			break;
		b->cpn[to] = trc_spaces_page(s->spaces, recent, in->asid[i], page, kernel, err);
		if (TRC_UNLIKELY(b->cpn[to] == 0)) {
			*failed = true;
			break;
		}
		b->vpn[to] = page;
		b->task[to] = task;
		s->refs += trc_type_refs(type);
		b->rtime[to] = s->refs;
	}
	return n;
}

/* Writes references up to the next event, or as many as there is room for. */
static int
put_references(struct canonical *s, struct trc_batch *b, struct trc_err *err)
{
	struct trc_wrap *w = &s->wrap;
	uint32_t task;

	while (w->at < w->in.n && b->n < b->cap && !trc_batch_is_event(&w->in, w->at)) {
		bool failed = false;
		size_t n = 0;

		if (find_task(s, w->at, &task, err))
			return -1;
		if (s->done == 0)
			n = put_run(s, b, task, &failed, err);
		trc_batch_copy(b, &w->in, w->in.have & ~(uint32_t)MADE, w->at, n);
		b->n += n;
		w->at += n;
		if (failed || (n == 0 && put_part(s, b, w->at, task, err)))
			return -1;
	}
	return 0;
}

static enum trc_flow
canonical_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct canonical *s = (struct canonical *)src;
	struct trc_wrap *w = &s->wrap;
	enum trc_flow flow = trc_wrap_pull(w, err);

	w->src.meta.page_bits = s->bits;
	if (flow != TRC_FLOW_ROWS)
		return flow;
	while (w->at < w->in.n && b->n < b->cap)
		if (trc_batch_is_event(&w->in, w->at) ? put_event(s, b, w->at, err) :
		                                        put_references(s, b, err))
			return TRC_FLOW_FAILED;
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_canonical(struct trc_source *from, unsigned page_bits, struct trc_spaces *spaces,
                    struct trc_err *err)
{
	struct canonical *s;

	if (!(from->have & (TRC_HAS_ADDR | TRC_HAS_VPN)) || !(from->have & TRC_HAS_ASID)) {
		trc_fail(err,
		         from->have & TRC_HAS_ASID ?
		                 "the trace has neither addresses nor pages" :
		                 "the trace has no address spaces; add one with --fill asid=0");
		return NULL;
	}
	s = trc_wrap_open(sizeof(*s), from, from->have | MADE | TRC_HAS_RTIME, canonical_next, err);
	if (!s)
		return NULL;
	s->bits = page_bits;
	s->mask = (UINT64_C(1) << page_bits) - 1;
	s->spaces = spaces;
	s->wrap.src.meta.page_bits = page_bits;
	return &s->wrap.src;
}
