/* SPDX-License-Identifier: MIT */
#include "stage/profile/hot.h"

#include <stdlib.h>

/* The sink. */
struct hot_sink {
	struct trc_sink sink;
	struct trc_hot *hot;
	struct trc_keys keys; /* the number of each is that of its entry */
};

uint64_t
trc_hot_refs(const struct trc_hot_entry *e)
{
	return e->reads + e->writes + e->fetches;
}

static int
add(struct trc_hot *h, const struct trc_key *key, struct trc_err *err)
{
	if (trc_grow(&h->entry, &h->cap, h->n + 1, sizeof(*h->entry), err))
		return -1;
	h->entry[h->n++] = (struct trc_hot_entry){ .space = key->space, .key = key->key };
	return 0;
}

static void
stride(struct trc_hot_entry *e, uint64_t address)
{
	const int64_t step = (int64_t)(address - e->last);
	const uint64_t before = e->reads + e->writes;

	e->regular += before >= 2 && step == e->stride;
	e->stride = before >= 1 ? step : 0;
	e->last = address;
}

static int
hot_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct hot_sink *s = (struct hot_sink *)sink;

	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = (b->type ? b->type[i] : TRC_READ) & TRC_TYPE_MASK;
		struct trc_hot_entry *e;
		size_t number;

		if (trc_batch_is_event(b, i) || trc_type_refs(type) == 0)
			continue;
		if (trc_keys_number(&s->keys, b, i, type, &number, err) ||
		    (number == s->hot->n && add(s->hot, &s->keys.key[number], err)))
			return -1;
		e = &s->hot->entry[number];
		if (s->keys.by == TRC_HOT_PC && type != TRC_FETCH)
			stride(e, b->addr ? b->addr[i] : b->vpn[i]);
		e->fetches += type == TRC_FETCH;
		e->writes += type == TRC_WRITE || type == TRC_MODIFY;
		e->reads += type == TRC_READ || type == TRC_MODIFY || type == TRC_MISC;
		s->hot->refs += trc_type_refs(type);
	}
	return 0;
}

static int
by_refs(const void *a, const void *b)
{
	const struct trc_hot_entry *x = a, *y = b;
	const uint64_t m = trc_hot_refs(x), n = trc_hot_refs(y);

	if (m != n)
		return m > n ? -1 : 1;
	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

int
trc_hot_warm(struct trc_hot *hot, struct trc_err *err)
{
	free(hot->warm);
	hot->warm = trc_alloc(hot->n, sizeof(*hot->warm), err);
	if (!hot->warm)
		return -1;
	for (size_t i = 0; i < hot->n; i++)
		hot->warm[i] = hot->entry[i];
	hot->warms = hot->n;
	hot->warm_refs = hot->refs;
	return 0;
}

static void
leave_out_warm(struct trc_hot *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++) {
		struct trc_hot_entry e = h->entry[i];

		if (i < h->warms) {
			e.reads -= h->warm[i].reads;
			e.writes -= h->warm[i].writes;
			e.fetches -= h->warm[i].fetches;
			e.regular -= h->warm[i].regular;
		}
		if (trc_hot_refs(&e) > 0)
			h->entry[n++] = e;
	}
	h->n = n;
	h->refs -= h->warm_refs;
}

static int
hot_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct hot_sink *s = (struct hot_sink *)sink;

	leave_out_warm(s->hot);
	(void)meta, (void)err;
	if (s->hot->n)
		qsort(s->hot->entry, s->hot->n, sizeof(*s->hot->entry), by_refs);
	return 0;
}

static void
hot_close(struct trc_sink *sink)
{
	struct hot_sink *s = (struct hot_sink *)sink;

	trc_keys_release(&s->keys);
	free(s);
}

struct trc_sink *
trc_hot_sink(struct trc_hot *hot, uint32_t have, enum trc_hot_by by, unsigned bits,
             struct trc_err *err)
{
	struct hot_sink *s;

	*hot = (struct trc_hot){ 0 };
	s = trc_alloc(1, sizeof(*s), err);
	if (!s)
		return NULL;
	*s = (struct hot_sink){
		.sink = { .put = hot_put, .finish = hot_finish, .close = hot_close },
		.hot = hot,
	};
	if (trc_keys_init(&s->keys, have, by, bits, err)) {
		hot_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}

void
trc_hot_release(struct trc_hot *hot)
{
	free(hot->entry);
	free(hot->warm);
	hot->entry = hot->warm = NULL;
}
