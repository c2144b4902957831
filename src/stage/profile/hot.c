/* SPDX-License-Identifier: MIT
 *
 * The state is numbers, as in base/buf.h: references, entries; of each, by space and key, its
 * space, if that is another, how much its key is more, and reads, writes, fetches. Strides go on
 * from one part to the next, so counts by instruction have none.
 */
#include "stage/profile/hot.h"

#include <stdlib.h>
#include <string.h>

/* The sink. */
struct hot_sink {
	struct trc_sink sink;
	struct trc_hot *hot;
	struct trc_keys keys; /* the number of each is that of its entry */
	unsigned bits;        /* of a page */
	bool finished;
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

/* Counts row `i`, which is a reference of `type`, for the entry of a number. */
static int
count(struct trc_hot *h, const struct trc_keys *keys, size_t number, uint8_t type,
      const struct trc_batch *b, size_t i, struct trc_err *err)
{
	struct trc_hot_entry *e;

	if (number == h->n && add(h, &keys->key[number], err))
		return -1;
	e = &h->entry[number];
	if (keys->by == TRC_HOT_PC && type != TRC_FETCH)
		stride(e, b->addr ? b->addr[i] : b->vpn[i]);
	e->fetches += type == TRC_FETCH;
	e->writes += type == TRC_WRITE || type == TRC_MODIFY;
	e->reads += type == TRC_READ || type == TRC_MODIFY || type == TRC_MISC;
	return 0;
}

/* What row `i` touches behind the first page, which has a number. */
static int
count_others(struct hot_sink *s, size_t number, uint8_t type, const struct trc_batch *b, size_t i,
             struct trc_err *err)
{
	struct trc_key key = s->keys.key[number];
	uint64_t last;

	if (s->keys.by != TRC_HOT_PAGE || !b->addr || !b->size || b->size[i] < 2)
		return 0;
	if (trc_batch_past_end(b, i))
		return trc_batch_fail_past_end(b, i, err);
	last = (b->addr[i] + (b->size[i] - 1)) >> s->bits;
	while (key.key++ < last)
		if (trc_keys_find(&s->keys, key, &number, err) ||
		    count(s->hot, &s->keys, number, type, b, i, err))
			return -1;
	return 0;
}

static int
hot_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct hot_sink *s = (struct hot_sink *)sink;

	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = (b->type ? b->type[i] : TRC_READ) & TRC_TYPE_MASK;
		size_t number;

		if (trc_batch_is_event(b, i) || trc_type_refs(type) == 0)
			continue;
		if (trc_keys_number(&s->keys, b, i, type, &number, err) ||
		    count(s->hot, &s->keys, number, type, b, i, err) ||
		    count_others(s, number, type, b, i, err))
			return -1;
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

static int
by_key(const void *a, const void *b)
{
	const struct trc_hot_entry *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* What is known of entries when no more come. */
static void
finish_entries(struct trc_hot *h)
{
	h->touches = 0;
	for (size_t i = 0; i < h->n; i++)
		h->touches += trc_hot_refs(&h->entry[i]);
	if (h->n)
		qsort(h->entry, h->n, sizeof(*h->entry), by_refs);
}

void
trc_hot_behind(struct trc_hot *hot, struct trc_hot *before)
{
	size_t n = 0, k = 0;

	if (hot->n)
		qsort(hot->entry, hot->n, sizeof(*hot->entry), by_key);
	if (before->n)
		qsort(before->entry, before->n, sizeof(*before->entry), by_key);
	for (size_t i = 0; i < hot->n; i++) {
		struct trc_hot_entry e = hot->entry[i];

		if (k < before->n && by_key(&e, &before->entry[k]) == 0) {
			e.reads -= before->entry[k].reads;
			e.writes -= before->entry[k].writes;
			e.fetches -= before->entry[k].fetches;
			e.regular -= before->entry[k++].regular;
		}
		if (trc_hot_refs(&e) > 0)
			hot->entry[n++] = e;
	}
	hot->n = n;
	hot->refs -= before->refs;
	finish_entries(hot);
}

static int
hot_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct hot_sink *s = (struct hot_sink *)sink;

	(void)meta, (void)err;
	s->finished = true;
	finish_entries(s->hot);
	return 0;
}

/* ---- in parts ---- */

/* The entries by space and key, in new memory. */
static struct trc_hot_entry *
sorted(const struct trc_hot *h, struct trc_err *err)
{
	struct trc_hot_entry *e = trc_alloc(h->n + 1, sizeof(*e), err);

	if (!e || h->n == 0)
		return e;
	memcpy(e, h->entry, h->n * sizeof(*e));
	qsort(e, h->n, sizeof(*e), by_key);
	return e;
}

static int
put_entry(const struct trc_hot_entry *e, const struct trc_hot_entry *before, struct trc_buf *state,
          struct trc_err *err)
{
	const bool same = e->space == before->space;
	const uint64_t more = e->key - (same ? before->key : 0);

	return trc_buf_put_num(state, e->space - before->space, err) ||
	                       trc_buf_put_num(state, more, err) ||
	                       trc_buf_put_num(state, e->reads, err) ||
	                       trc_buf_put_num(state, e->writes, err) ||
	                       trc_buf_put_num(state, e->fetches, err) ?
	               -1 :
	               0;
}

static int
hot_save(struct trc_sink *sink, struct trc_buf *state, struct trc_err *err)
{
	const struct trc_hot *h = ((const struct hot_sink *)sink)->hot;
	struct trc_hot_entry *e = sorted(h, err), before = { 0 };
	int ret = e ? 0 : -1;

	if (ret == 0)
		ret = trc_buf_put_num(state, h->refs, err) || trc_buf_put_num(state, h->n, err) ?
		              -1 :
		              0;
	for (size_t i = 0; ret == 0 && i < h->n; before = e[i++])
		ret = put_entry(&e[i], &before, state, err);
	free(e);
	return ret;
}

static bool
get_entry(struct trc_view *state, struct trc_hot_entry *e)
{
	uint64_t space, more;

	if (!trc_view_num(state, &space) || space > UINT32_MAX - e->space ||
	    !trc_view_num(state, &more) || !trc_view_num(state, &e->reads) ||
	    !trc_view_num(state, &e->writes) || !trc_view_num(state, &e->fetches))
		return false;
	e->space += (uint32_t)space;
	e->key = (space ? 0 : e->key) + more;
	return true;
}

static int
hot_append(struct trc_sink *sink, struct trc_view *state, struct trc_err *err)
{
	struct hot_sink *s = (struct hot_sink *)sink;
	struct trc_hot *h = s->hot;
	struct trc_hot_entry e = { 0 };
	uint64_t refs, n;

	if (!trc_view_num(state, &refs) || !trc_view_num(state, &n))
		return trc_sink_damaged(err);
	for (uint64_t i = 0; i < n; i++) {
		size_t number;

		if (!get_entry(state, &e) || (s->keys.by == TRC_HOT_TYPE && e.key >= TRC_TYPES))
			return trc_sink_damaged(err);
		if (trc_keys_find(&s->keys, (struct trc_key){ e.space, e.key, false }, &number,
		                  err) ||
		    (number == h->n && add(h, &s->keys.key[number], err)))
			return -1;
		h->entry[number].reads += e.reads;
		h->entry[number].writes += e.writes;
		h->entry[number].fetches += e.fetches;
	}
	h->refs += refs;
	return 0;
}

static void
hot_close(struct trc_sink *sink)
{
	struct hot_sink *s = (struct hot_sink *)sink;

	if (!s->finished)
		trc_hot_release(s->hot);
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
		.bits = bits,
	};
	if (by != TRC_HOT_PC) {
		s->sink.save = hot_save;
		s->sink.append = hot_append;
	}
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
	hot->entry = NULL;
	hot->n = hot->cap = 0;
}
