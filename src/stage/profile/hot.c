/* SPDX-License-Identifier: MIT
 *
 * The state consists of the number of references; the keys, see keys.c; and for each key its reads,
 * writes and fetches. When counting by instruction, each one with data references adds: whether the
 * first was a modify, with the number of regular ones; and the first address, as the difference to
 * that of the previous entry. If there was more than one, it also adds the first step, the distance
 * from the first address to the last, and the last step.
 *
 * Strides continue from one part to the next: the following part adds one step, to its first
 * reference, and whether that and the second are regular can be determined from the first two and
 * the last two references of both. So the references of an instruction must be in order. References
 * before the first fetch of a part belong to an instruction that is known when the part is joined;
 * but with several tasks, others may have executed the same instruction meanwhile, so there are no
 * parts then.
 */
#include "stage/profile/hot.h"

#include <stdlib.h>

/* The sink. */
struct hot_sink {
	struct trc_sink sink;
	struct trc_hot *hot;
	struct trc_keys keys; /* numbered like the entries */
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

/* Adds a data reference; `before` is the previous number of reads and writes. A modify is both. */
static void
stride(struct trc_hot_entry *e, uint64_t before, uint64_t address, bool modify)
{
	const int64_t step = (int64_t)(address - e->last);

	if (before == 0) {
		e->first = address;
		e->modify = modify;
	} else if (before == 1u + e->modify) {
		e->step = step;
	}
	e->regular += before >= 2 && step == e->stride;
	e->stride = before >= 1 ? step : 0;
	e->last = address;
}

/* Returns true if the entry has more than one data reference. */
static bool
has_steps(const struct trc_hot_entry *e)
{
	return e->reads + e->writes > 1u + e->modify;
}

/* Appends to an entry what the same key did in the following part. */
static void
join(struct trc_hot_entry *e, const struct trc_hot_entry *next)
{
	const uint64_t before = e->reads + e->writes, one = 1u + next->modify;

	if (next->reads + next->writes > 0)
		stride(e, before, next->first, next->modify);
	if (has_steps(next)) {
		stride(e, before + one, next->first + (uint64_t)next->step, false);
		/* All but the second, which was just counted, are regular or not as before. */
		e->regular += next->regular - (one >= 2 && next->step == 0);
		e->stride = next->stride;
		e->last = next->last;
	}
	e->reads += next->reads;
	e->writes += next->writes;
	e->fetches += next->fetches;
}

/* Counts row `i`, which is a reference of `type`, in the entry with this number. */
static int
count(struct trc_hot *h, const struct trc_keys *keys, size_t number, uint8_t type,
      const struct trc_batch *b, size_t i, struct trc_err *err)
{
	struct trc_hot_entry *e;

	if (number == h->n && add(h, &keys->key[number], err))
		return -1;
	e = &h->entry[number];
	if (keys->by == TRC_HOT_PC && type != TRC_FETCH)
		stride(e, e->reads + e->writes, b->addr ? b->addr[i] : b->vpn[i],
		       type == TRC_MODIFY);
	e->fetches += type == TRC_FETCH;
	e->writes += type == TRC_WRITE || type == TRC_MODIFY;
	e->reads += type == TRC_READ || type == TRC_MODIFY || type == TRC_MISC;
	return 0;
}

/* Counts the pages that row `i` touches after the first one, which has this number. */
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

	s->keys.part = sink->partial;
	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = trc_batch_type(b, i);
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

/* Completes the entries after the last record. */
static void
finish_entries(struct trc_hot *h)
{
	h->touches = 0;
	for (size_t i = 0; i < h->n; i++)
		h->touches += trc_hot_refs(&h->entry[i]);
	if (h->n)
		qsort(h->entry, h->n, sizeof(*h->entry), by_refs);
}

int
trc_hot_subtract(void *all, void *first, struct trc_err *err)
{
	struct trc_hot *hot = all, *before = first;
	size_t n = 0, k = 0;

	(void)err;
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
	return 0;
}

/* Assigns keys that are still open to instruction 0: they are before all fetches. */
static int
end_keys(struct hot_sink *s, struct trc_err *err)
{
	struct trc_hot *h = s->hot;
	size_t gone, to, n = 0;
	int more;

	for (size_t i = 0; i < h->n; i++)
		h->entry[i].key = s->keys.key[i].open ? 0 : h->entry[i].key;
	while ((more = trc_keys_end(&s->keys, &gone, &to, err)) > 0) {
		join(&h->entry[gone], &h->entry[to]);
		h->entry[to] = h->entry[gone];
		h->entry[gone] = (struct trc_hot_entry){ 0 };
	}
	for (size_t i = 0; i < h->n; i++)
		if (trc_hot_refs(&h->entry[i]) > 0)
			h->entry[n++] = h->entry[i];
	h->n = n;
	return more;
}

static int
hot_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct hot_sink *s = (struct hot_sink *)sink;

	(void)meta;
	s->finished = true;
	if (end_keys(s, err))
		return -1;
	finish_entries(s->hot);
	return 0;
}

/* ---- parts ---- */

/* Reads or writes the state of steps, if there were data references; *first is the first address of
 * the previous entry. */
static void
steps_state(struct trc_hot_entry *e, uint64_t *first, struct trc_state *s)
{
	uint64_t regular = e->regular << 1 | e->modify;

	if (e->reads + e->writes == 0)
		return;
	trc_state_num(s, &regular);
	e->regular = regular >> 1;
	e->modify = regular & 1;
	trc_state_near(s, &e->first, *first);
	*first = e->first;
	if (!has_steps(e)) {
		e->last = e->first;
		return;
	}
	trc_state_near(s, (uint64_t *)&e->step, 0);
	trc_state_near(s, &e->last, e->first);
	trc_state_near(s, (uint64_t *)&e->stride, 0);
}

static void
entries_state(struct hot_sink *s, struct trc_hot_entry *e, size_t n, struct trc_state *t)
{
	uint64_t first = 0;

	if (n == 0 || t->failed)
		return;
	trc_state_array(t, TRC_STRIDED(&e->reads, sizeof(*e)), n, 0, UINT64_MAX);
	trc_state_array(t, TRC_STRIDED(&e->writes, sizeof(*e)), n, 0, UINT64_MAX);
	trc_state_array(t, TRC_STRIDED(&e->fetches, sizeof(*e)), n, 0, UINT64_MAX);
	for (size_t i = 0; s->keys.by == TRC_HOT_PC && i < n; i++)
		steps_state(&e[i], &first, t);
}

/* Adds the entries of a state, which have these numbers here. */
static int
join_entries(struct hot_sink *s, const struct trc_hot_entry *e, const uint32_t *number, size_t n,
             struct trc_err *err)
{
	while (s->hot->n < s->keys.n)
		if (add(s->hot, &s->keys.key[s->hot->n], err))
			return -1;
	for (size_t i = 0; i < n; i++)
		join(&s->hot->entry[number[i]], &e[i]);
	return 0;
}

static void
hot_state(struct trc_sink *sink, struct trc_state *t)
{
	struct hot_sink *s = (struct hot_sink *)sink;
	struct trc_hot_entry *next = NULL;
	uint32_t *number;
	size_t n;

	if (!t->writes)
		s->keys.part = sink->partial;
	trc_state_sum(t, &s->hot->refs);
	trc_keys_state(&s->keys, t, &number, &n);
	if (!t->writes && !t->failed)
		next = trc_alloc(n + 1, sizeof(*next), t->err);
	t->failed |= !t->writes && !next;
	entries_state(s, t->writes ? s->hot->entry : next, n, t);
	if (!t->writes && !t->failed)
		t->failed = join_entries(s, next, number, n, t->err) != 0;
	free(next);
	free(number);
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

bool
trc_hot_parts(uint32_t have, enum trc_hot_by by)
{
	return by != TRC_HOT_PC || have & TRC_HAS_PC || !(have & TRC_HAS_TASK);
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
	s->sink.state = trc_hot_parts(have, by) ? hot_state : NULL;
	if (trc_keys_init(&s->keys, have, by, bits, err)) {
		hot_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}

void
trc_hot_release(void *of)
{
	struct trc_hot *hot = of;

	free(hot->entry);
	hot->entry = NULL;
	hot->n = hot->cap = 0;
}

void
trc_hot_sum(struct trc_hot *hot, uint64_t (*key)(void *of, uint32_t space, uint64_t key), void *of)
{
	size_t n = 0;

	for (size_t i = 0; i < hot->n; i++) {
		hot->entry[i].key = key(of, hot->entry[i].space, hot->entry[i].key);
		hot->entry[i].space = 0;
	}
	if (hot->n)
		qsort(hot->entry, hot->n, sizeof(*hot->entry), by_key);
	for (size_t i = 0; i < hot->n; i++) {
		const struct trc_hot_entry *e = &hot->entry[i];
		struct trc_hot_entry *last = n ? &hot->entry[n - 1] : NULL;

		if (!last || last->key != e->key) {
			hot->entry[n++] = *e;
			continue;
		}
		last->reads += e->reads;
		last->writes += e->writes;
		last->fetches += e->fetches;
	}
	hot->n = n;
	if (n)
		qsort(hot->entry, n, sizeof(*hot->entry), by_refs);
}
