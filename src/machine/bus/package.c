/* SPDX-License-Identifier: MIT */
#include "machine/bus/package.h"

#include <assert.h>
#include <stdlib.h>

int
trc_register_set_put(struct trc_register_set *s, uint32_t reg, uint64_t value, struct trc_err *err)
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

/* Returns the value that a field is stored as a difference to: usually that of the last event of
 * the type. Interrupts come from the same few places, devices are read at the same registers, and a
 * device continues to write where it stopped. Keys and lengths are stored unchanged. */
static uint64_t
expected(const struct trc_bus_record *last, char field)
{
	return field == 'v' ? last->value : last->addr + last->len;
}

/* Returns true if the data are the value of a device register, not a block of bytes. */
static bool
is_register(const struct trc_bus_record *r)
{
	return (r->type == TRC_BUS_INPUT || r->type == TRC_BUS_OUTPUT) && r->len > 0 && r->len <= 8;
}

static uint64_t *
register_at(struct trc_events_last *last, uint64_t addr)
{
	return &last->device[(addr ^ addr >> 8 ^ addr >> 16) % TRC_COUNT(last->device)];
}

/* Sign-extends a value of `len` bytes. */
static uint64_t
extend(uint64_t v, uint32_t len)
{
	const unsigned above = 64 - 8 * len;

	v <<= above;
	return v >> above | (v >> 63 ? (above ? ~UINT64_C(0) << (64 - above) : 0) : 0);
}

/* Appends the value of a device register, as a difference to its last value: timers advance, most
 * others stay the same. Single bytes are stored unchanged, since they may be text. */
static int
put_register(struct trc_events *e, const struct trc_bus_record *r, struct trc_err *err)
{
	uint64_t *last = register_at(&e->last, r->addr), v = 0;
	int ret;

	if (r->len == 1)
		return trc_buf_put(&e->stream[TRC_EVENTS_VALUES], r->data, 1, err);
	for (uint32_t i = 0; i < r->len; i++)
		v |= (uint64_t)r->data[i] << 8 * i;
	ret = trc_buf_put_num(&e->stream[TRC_EVENTS_VALUES], trc_zigzag(extend(v - *last, r->len)),
	                      err);
	*last = v;
	return ret;
}

static bool
take_register(struct trc_events_at *at, struct trc_bus_record *r)
{
	struct trc_view *v = &at->stream[TRC_EVENTS_VALUES];
	uint64_t *last = register_at(&at->last, r->addr), delta, value;

	if (r->len == 1)
		return (r->data = trc_view_bytes(v, 1));
	if (!trc_view_num(v, &delta))
		return false;
	value = *last + trc_unzigzag(delta);
	trc_put_le64(at->value, value);
	*last = r->len == 8 ? value : value & ((UINT64_C(1) << 8 * r->len) - 1);
	r->data = at->value;
	return true;
}

int
trc_events_put(struct trc_events *e, const struct trc_bus_record *r, struct trc_err *err)
{
	struct trc_bus_record *last = &e->last.of[r->type % TRC_COUNT(e->last.of)];
	const uint8_t type = (uint8_t)r->type;
	int ret = 0;

	assert(r->count >= e->count);
	if (trc_buf_put(&e->stream[TRC_EVENTS_TYPES], &type, 1, err) ||
	    trc_buf_put_num(&e->stream[TRC_EVENTS_COUNTS], r->count - e->count, err))
		return -1;
	for (const char *field = trc_bus_fields(type); *field && ret == 0; field++) {
		const uint64_t v = *field == 'k' ? r->key :
		                   *field == 'd' ? r->len :
		                   *field == 'v' ? trc_zigzag(r->value - expected(last, 'v')) :
		                                   trc_zigzag(r->addr - expected(last, 'a'));

		ret = trc_buf_put_num(&e->stream[TRC_EVENTS_FIELDS], v, err);
		if (ret == 0 && *field == 'd')
			ret = is_register(r) ? put_register(e, r, err) :
			                       trc_buf_put(&e->stream[TRC_EVENTS_DATA], r->data,
			                                   r->len, err);
	}
	*last = *r;
	e->count = r->count;
	e->n++;
	return ret;
}

bool
trc_events_have(const struct trc_events *e, enum trc_bus_type type)
{
	const struct trc_buf *types = &e->stream[TRC_EVENTS_TYPES];

	return types->n > 0 && memchr(types->p, (int)type, types->n);
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
		if (r->len > 0 && r->len - 1 > UINT64_MAX - r->addr)
			return false;
		if (is_register(r))
			return take_register(at, r);
		r->data = trc_view_bytes(&at->stream[TRC_EVENTS_DATA], r->len);
		return r->data;
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
	last = &at->last.of[r->type % TRC_COUNT(at->last.of)];
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
	trc_buf_release(&p->packed.image);
	trc_buf_release(&p->packed.events);
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
