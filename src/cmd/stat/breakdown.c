/* SPDX-License-Identifier: MIT */
#include "cmd/stat/breakdown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/stat/ranking.h"
#include "stage/profile/marks.h"

static const struct trc_ranked *
ranked(const struct trc_breakdown *by)
{
	return &trc_ranked[by->kind - 1];
}

/* The sink. */
struct by_sink {
	struct trc_sink sink;
	struct trc_sink *inner;
	struct trc_breakdown *by;
};

/* Passes settings of this sink on to the caches. */
static void
pass_on(struct by_sink *s)
{
	trc_sink_inherit(&s->sink, s->inner);
	s->by->keys.part |= s->sink.partial;
}

/* Puts rows with one key, or without a key. */
static int
put_rows(struct by_sink *s, const struct trc_batch *b, size_t first, size_t n, uint32_t key,
         struct trc_err *err)
{
	const struct trc_batch rows = trc_marks_rows(b, first, n);
	struct trc_breakdown *by = s->by;

	by->shares->now = by->shares->now == TRC_CACHE_WARM ? TRC_CACHE_WARM : key;
	if (trc_sink_put(s->inner, &rows, err) || trc_cache_shares_take(by->shares, by->count, err))
		return -1;
	return 0;
}

/* Finds the key of a row; rows that are not references have none. */
static int
key_of(struct by_sink *s, const struct trc_batch *b, size_t i, uint32_t *key, struct trc_err *err)
{
	const uint8_t type = trc_batch_type(b, i);
	struct trc_breakdown *by = s->by;
	size_t number;

	*key = TRC_CACHE_NOBODY;
	if (trc_batch_is_event(b, i) || trc_type_refs(type) == 0)
		return 0;
	if (trc_keys_number(&by->keys, b, i, type, &number, err) ||
	    trc_cache_shares_room(by->shares, by->keys.n, err))
		return -1;
	*key = (uint32_t)number;
	return 0;
}

static int
by_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct by_sink *s = (struct by_sink *)sink;
	uint32_t last = TRC_CACHE_NOBODY, key;
	size_t first = 0;

	pass_on(s);
	for (size_t i = 0; i < b->n; i++) {
		if (key_of(s, b, i, &key, err))
			return -1;
		if (key != last && i > first) {
			if (put_rows(s, b, first, i - first, last, err))
				return -1;
			first = i;
		}
		last = key;
	}
	return b->n > first ? put_rows(s, b, first, b->n - first, last, err) : 0;
}

/* Merges keys that were unknown at the beginning of a shard into the keys that they turned out to
 * be. */
static int
end_keys(struct trc_breakdown *by, struct trc_err *err)
{
	const size_t caches = by->shares->caches;
	size_t gone, to;
	int more;

	while ((more = trc_keys_end(&by->keys, &gone, &to, err)) > 0) {
		for (size_t c = 0; c < caches; c++) {
			struct trc_cache_sum *from = &by->shares->sum[gone * caches + c];

			trc_cache_sum_add(&by->shares->sum[to * caches + c], from);
			*from = (struct trc_cache_sum){ 0, 0, 0 };
		}
		by->gone++;
	}
	return more;
}

static int
by_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct by_sink *s = (struct by_sink *)sink;

	pass_on(s);
	return trc_sink_finish(s->inner, meta, err) ? -1 : end_keys(s->by, err);
}

/* Saves or restores all keys by their numbers, then the state of the caches. */
static void
by_state(struct trc_sink *sink, struct trc_state *t)
{
	struct by_sink *s = (struct by_sink *)sink;
	struct trc_cache_shares *shares = s->by->shares;
	uint32_t *number;
	size_t n;

	pass_on(s);
	trc_keys_state(&s->by->keys, t, &number, &n);
	if (!t->writes && !t->failed)
		t->failed = trc_cache_shares_room(shares, s->by->keys.n, t->err) != 0;
	shares->joined = number;
	shares->joins = n;
	s->inner->state(s->inner, t);
	shares->joined = NULL;
	free(number);
}

static void
by_close(struct trc_sink *sink)
{
	struct by_sink *s = (struct by_sink *)sink;

	pass_on(s);
	/* If the state was saved, the result is not used. */
	if (sink->partial)
		trc_breakdown_release(s->by);
	trc_sink_close(s->inner);
	free(s);
}

struct trc_sink *
trc_breakdown_sink(struct trc_breakdown *by, struct trc_sink *inner, const struct trc_source *src,
                   struct trc_err *err)
{
	struct by_sink *s;

	if (trc_ranked_check(ranked(by), src, err) ||
	    trc_keys_init(&by->keys, src->have, ranked(by)->by, by->bits, err))
		return NULL;
	s = trc_alloc(1, sizeof(*s), err);
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = by_put, .finish = by_finish, .close = by_close };
	s->sink.state = inner->state ? by_state : NULL;
	s->inner = inner;
	s->by = by;
	return &s->sink;
}

void
trc_breakdown_release(void *of)
{
	struct trc_breakdown *by = of;

	trc_keys_release(&by->keys);
	free(by->row);
	by->row = NULL;
}

/* ---- printing ---- */

static int
by_misses(const void *a, const void *b)
{
	const struct trc_breakdown_row *x = a, *y = b;

	if (x->sum.misses != y->sum.misses)
		return x->sum.misses > y->sum.misses ? -1 : 1;
	if (x->sum.refs != y->sum.refs)
		return x->sum.refs > y->sum.refs ? -1 : 1;
	if (x->key.space != y->key.space)
		return x->key.space < y->key.space ? -1 : 1;
	return x->key.key < y->key.key ? -1 : x->key.key > y->key.key;
}

static int
by_key(const void *a, const void *b)
{
	const struct trc_breakdown_row *x = a, *y = b;

	return (x->key.key > y->key.key) - (x->key.key < y->key.key);
}

/* Combines the rows of `n` instructions by function; returns the number of functions. */
static size_t
sum_functions(struct trc_breakdown *by, size_t n)
{
	size_t sums = 0;

	for (size_t k = 0; k < n; k++)
		by->row[k].key = (struct trc_key){
			.key = trc_functions_number(by->functions, by->row[k].key.space,
			                            by->row[k].key.key)
		};
	qsort(by->row, n, sizeof(*by->row), by_key);
	for (size_t k = 0; k < n; k++) {
		if (sums > 0 && by->row[sums - 1].key.key == by->row[k].key.key)
			trc_cache_sum_add(&by->row[sums - 1].sum, &by->row[k].sum);
		else
			by->row[sums++] = by->row[k];
	}
	return sums;
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct trc_breakdown *by = of;
	size_t different = by->keys.n - by->gone;
	uint64_t refs = 0;

	(void)err;
	by->misses = 0;
	for (size_t k = 0; k < by->keys.n; k++) {
		by->row[k] = (struct trc_breakdown_row){
			by->keys.key[k], by->shares->sum[k * by->shares->caches + i]
		};
		refs += by->row[k].sum.refs;
		by->misses += by->row[k].sum.misses;
	}
	g->rows = by->keys.n;
	if (g->rows && trc_ranked_sums(ranked(by)))
		different = g->rows = sum_functions(by, g->rows);
	if (g->rows)
		qsort(by->row, g->rows, sizeof(*by->row), by_misses);
	/* Pictures also include keys without references. */
	for (g->most = 0; g->most < g->rows && by->row[g->most].sum.refs;)
		g->most++;
	snprintf(g->title, sizeof(g->title),
	         "%s%s: references %llu, misses %llu, different %ss %zu\n", i ? "\n" : "",
	         by->name[i], (ull)refs, (ull)by->misses, ranked(by)->name, different);
	TRC_FACTS(g, { TRC_FACT(cache, NULL, trc_word(by->name[i])) },
	          { TRC_FACT(references, NULL, trc_count(refs)) },
	          { TRC_FACT(misses, NULL, trc_count(by->misses)) },
	          { TRC_FACT(different, NULL, trc_count(different)) });
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_breakdown *by = of;
	const struct trc_breakdown_row *r = &by->row[k];
	const struct trc_value space = trc_count_if(trc_ranked_in_space(ranked(by)), r->key.space);

	TRC_VALUES(cell, trc_word(by->name[i]), trc_ranked_value(ranked(by), r->key.key, by->bits),
	           space, space, trc_count(r->sum.refs), trc_count(r->sum.misses),
	           trc_ratio(r->sum.misses, r->sum.refs), trc_ratio(r->sum.misses, by->misses),
	           trc_ranked_sums(ranked(by)) ?
	                   trc_ranked_name(by->functions, (size_t)r->key.key) :
	                   trc_ranked_function(by->functions, r->key.space, r->key.key));
}

int
trc_breakdown_answer(struct trc_breakdown *by, uint64_t rows, struct trc_answered *a,
                     struct trc_err *err)
{
	const bool sums = trc_ranked_sums(ranked(by));

	TRC_ANSWERED_TABLE(a, { TRC_NAMED(cache), .curves = true },
	                   { .name = ranked(by)->column,
	                     .head = ranked(by)->name,
	                     .width = 20,
	                     .key = true,
	                     .off = sums },
	                   { TRC_NAMED(space), .off = !trc_ranked_in_space(ranked(by)) },
	                   { .head = trc_ranked_in_space(ranked(by)) ? "space" : "", .width = 6 },
	                   { TRC_COLUMN(references, "references", 14) },
	                   { TRC_COLUMN(misses, "misses", 14), .curve = "misses" },
	                   { TRC_COLUMN(miss_ratio, "miss ratio", 11), .digits = 6 },
	                   { TRC_COLUMN(share, "share", 10), .digits = 4, .percent = true },
	                   { TRC_COLUMN(function, "  function", -10), .off = by->functions->n == 0,
	                     .key = sums });
	a->answer.several = true;
	a->answer.groups = by->shares->caches;
	a->answer.of = by;
	a->answer.group = describe;
	a->answer.row = row;
	trc_ranked_answer(ranked(by), "Misses", "misses", rows, a);
	by->row = trc_alloc(by->keys.n + 1, sizeof(*by->row), err);
	return by->row ? 0 : -1;
}
