/* SPDX-License-Identifier: MIT */
#include "machine/package.h"

#include <assert.h>
#include <stdlib.h>

int
trc_registers_set(struct trc_registers *s, uint32_t reg, uint64_t value, struct trc_err *err)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->r[i].reg == reg) {
			s->r[i].value = value;
			return 0;
		}
	if (trc_grow(&s->r, &s->cap, s->n + 1, sizeof(*s->r), err))
		return -1;
	s->r[s->n++] = (struct trc_register){ reg, value };
	return 0;
}

/* Numbers stand as differences to those of the last event of the type: interrupts come from the
 * same few places, devices are read at the same registers, and what a device writes goes on where
 * it was. The key and the length stand as they are. */
static uint64_t
expected(const struct trc_bus_record *last, char field)
{
	return field == 'v' ? last->value : last->addr + last->len;
}

int
trc_events_put(struct trc_events *e, const struct trc_bus_record *r, struct trc_err *err)
{
	struct trc_bus_record *last = &e->last[r->type % TRC_COUNT(e->last)];
	const uint8_t type = (uint8_t)r->type;

	assert(r->count >= e->count);
	if (trc_buf_put(&e->stream[TRC_EVENTS_TYPES], &type, 1, err) ||
	    trc_buf_put_num(&e->stream[TRC_EVENTS_COUNTS], r->count - e->count, err))
		return -1;
	for (const char *field = trc_bus_fields(type); *field; field++) {
		const uint64_t v = *field == 'k' ? r->key : *field == 'd' ? r->len :
		                   *field == 'v' ? trc_zigzag(r->value - expected(last, 'v')) :
		                                   trc_zigzag(r->addr - expected(last, 'a'));

		if (trc_buf_put_num(&e->stream[TRC_EVENTS_FIELDS], v, err))
			return -1;
		if (*field == 'd' &&
		    trc_buf_put(&e->stream[TRC_EVENTS_DATA], r->data, r->len, err))
			return -1;
	}
	*last = *r;
	e->count = r->count;
	e->n++;
	return 0;
}

void
trc_events_begin(const struct trc_events *e, struct trc_events_at *at)
{
	*at = (struct trc_events_at){ .left = e->n };
	for (int i = 0; i < TRC_EVENTS_STREAMS; i++)
		at->stream[i] = trc_buf_view(&e->stream[i]);
}

static bool
take_field(struct trc_events_at *at, const struct trc_bus_record *last, char field,
           struct trc_bus_record *r)
{
	uint64_t v;

	if (!trc_view_num(&at->stream[TRC_EVENTS_FIELDS], &v))
		return false;
	switch (field) {
	case 'k': r->key = v; return true;
	case 'v': r->value = expected(last, 'v') + trc_unzigzag(v); return true;
	case 'a': r->addr = expected(last, 'a') + trc_unzigzag(v); return true;
	default:
		if (v > TRC_BUS_DATA_MOST)
			return false;
		r->len = (uint32_t)v;
		r->data = trc_view_bytes(&at->stream[TRC_EVENTS_DATA], r->len);
		return r->data && (r->len == 0 || r->len - 1 <= UINT64_MAX - r->addr);
	}
}

enum trc_flow
trc_events_next(struct trc_events_at *at, struct trc_bus_record *r, struct trc_err *err)
{
	struct trc_bus_record *last;
	const uint8_t *type;
	const char *field;
	uint64_t delta;

	if (at->left == 0)
		return TRC_FLOW_END;
	type = trc_view_bytes(&at->stream[TRC_EVENTS_TYPES], 1);
	field = type ? trc_bus_fields(*type) : NULL;
	if (!field || !trc_view_num(&at->stream[TRC_EVENTS_COUNTS], &delta) ||
	    delta > UINT64_MAX - at->count)
		goto bad;
	*r = (struct trc_bus_record){ .type = *type };
	last = &at->last[r->type % TRC_COUNT(at->last)];
	for (; *field; field++)
		if (!take_field(at, last, *field, r))
			goto bad;
	r->count = at->count += delta;
	*last = *r;
	at->left--;
	return TRC_FLOW_ROWS;
bad:
	trc_fail(err, "the list of events is damaged, %llu before its end",
	         (unsigned long long)at->left);
	return TRC_FLOW_FAILED;
}

void
trc_package_release(struct trc_package *p)
{
	free(p->first.r);
	free(p->last.r);
	free(p->run);
	free(p->truth);
	trc_buf_release(&p->image);
	for (int i = 0; i < TRC_EVENTS_STREAMS; i++)
		trc_buf_release(&p->events.stream[i]);
	*p = (struct trc_package){ 0 };
}

int
trc_package_image(struct trc_package *p, uint64_t addr, const uint8_t *data, uint32_t len,
                  struct trc_err *err)
{
	struct trc_run_of_bytes *last = p->runs ? &p->run[p->runs - 1] : NULL;
	const size_t at = p->image.n;

	if (trc_buf_put(&p->image, data, len, err))
		return -1;
	if (last && last->addr + last->len == addr && last->len <= UINT32_MAX - len) {
		last->len += len;
		return 0;
	}
	if (trc_grow(&p->run, &p->runs_cap, p->runs + 1, sizeof(*p->run), err))
		return -1;
	p->run[p->runs++] = (struct trc_run_of_bytes){ addr, len, at };
	return 0;
}

static int
by_address(const void *a, const void *b)
{
	const struct trc_run_of_bytes *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

int
trc_package_sort(struct trc_package *p, struct trc_err *err)
{
	struct trc_run_of_bytes *run = p->run;
	const size_t runs = p->runs;
	struct trc_buf image = p->image;
	int ret = 0;

	if (runs == 0)
		return 0;
	qsort(run, runs, sizeof(*run), by_address);
	p->run = NULL;
	p->runs = p->runs_cap = 0;
	p->image = (struct trc_buf){ 0 };
	for (size_t i = 0; i < runs && ret == 0; i++)
		ret = trc_package_image(p, run[i].addr, image.p + run[i].at, run[i].len, err);
	free(run);
	trc_buf_release(&image);
	return ret;
}

int
trc_package_truth(struct trc_package *p, const struct trc_truth *t, struct trc_err *err)
{
	if (trc_grow(&p->truth, &p->truths_cap, p->truths + 1, sizeof(*p->truth), err))
		return -1;
	p->truth[p->truths++] = *t;
	return 0;
}
