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

int
trc_checkpoints_place(struct trc_package *p, struct trc_err *err)
{
	struct trc_events_at at, next;
	struct trc_bus_record r;
	enum trc_flow flow;

	trc_events_begin(&p->events, &at);
	next = at;
	flow = trc_events_next(&next, &r, err);
	for (size_t i = 0; i < p->checkpoints.n; i++) {
		while (flow == TRC_FLOW_ROWS && r.count < p->checkpoints.c[i].count) {
			at = next;
			flow = trc_events_next(&next, &r, err);
		}
		p->checkpoints.c[i].events = at;
	}
	return flow == TRC_FLOW_FAILED ? -1 : 0;
}

void
trc_checkpoints_release(struct trc_checkpoints *c)
{
	for (size_t i = 0; i < c->n; i++)
		trc_buf_release(&c->c[i].packed);
	free(c->c);
	*c = (struct trc_checkpoints){ 0 };
}

void
trc_package_release(struct trc_package *p)
{
	free(p->first.r);
	free(p->last.r);
	free(p->truth);
	trc_image_release(&p->image);
	for (int i = 0; i < TRC_EVENTS_STREAMS; i++)
		trc_buf_release(&p->events.stream[i]);
	trc_checkpoints_release(&p->checkpoints);
	*p = (struct trc_package){ 0 };
}

int
trc_package_truth(struct trc_package *p, const struct trc_truth *t, struct trc_err *err)
{
	if (trc_grow(&p->truth, &p->truths_cap, p->truths + 1, sizeof(*p->truth), err))
		return -1;
	p->truth[p->truths++] = *t;
	return 0;
}
