/* SPDX-License-Identifier: MIT */
#include "cmd/stat/by.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report.h"
#include "cmd/stat/ranking.h"
#include "stage/profile/marks.h"

enum { ROWS = 20 };

typedef unsigned long long ull; /* for printf */

static const struct {
	const char *name;
	enum trc_hot_by by;
} kinds[] = {
	{ "page", TRC_HOT_PAGE }, { "line", TRC_HOT_PAGE },   { "pc", TRC_HOT_PC },
	{ "task", TRC_HOT_TASK }, { "space", TRC_HOT_SPACE }, { "type", TRC_HOT_TYPE },
};

/* The sink. */
struct by_sink {
	struct trc_sink sink;
	struct trc_sink *inner;
	struct trc_by *by;
};

/* What was set of the sink is true of the caches. */
static void
pass_on(struct by_sink *s)
{
	trc_sink_inner(&s->sink, s->inner);
	s->by->keys.part |= s->sink.kept;
}

/* Rows of one key, or of none. */
static int
put_rows(struct by_sink *s, const struct trc_batch *b, size_t first, size_t n, uint32_t key,
         struct trc_err *err)
{
	const struct trc_batch rows = trc_marks_rows(b, first, n);
	struct trc_by *by = s->by;

	by->shares->now = by->warm ? TRC_CACHE_WARM : key;
	return trc_sink_put(s->inner, &rows, err) ||
	                       trc_cache_shares_take(by->shares, by->count, err) ?
	               -1 :
	               0;
}

/* The key of a row, that of nobody if it is no reference. */
static int
key_of(struct by_sink *s, const struct trc_batch *b, size_t i, uint32_t *key, struct trc_err *err)
{
	const uint8_t type = (b->type ? b->type[i] : TRC_READ) & TRC_TYPE_MASK;
	struct trc_by *by = s->by;
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

/* What was open in parts is that of other keys. */
static int
end_keys(struct trc_by *by, struct trc_err *err)
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

/* All keys by their numbers, then the state of the caches. */
static int
by_save(struct trc_sink *sink, struct trc_buf *state, struct trc_err *err)
{
	struct by_sink *s = (struct by_sink *)sink;

	pass_on(s);
	return trc_keys_save(&s->by->keys, state, err) ? -1 : s->inner->save(s->inner, state, err);
}

static int
by_append(struct trc_sink *sink, struct trc_view *state, struct trc_err *err)
{
	struct by_sink *s = (struct by_sink *)sink;
	struct trc_cache_shares *shares = s->by->shares;
	uint32_t *number;
	int ret;

	pass_on(s);
	if (trc_keys_append(&s->by->keys, state, &number, &shares->joins, err))
		return -1;
	shares->joined = number;
	ret = trc_cache_shares_room(shares, s->by->keys.n, err) ?
	              -1 :
	              s->inner->append(s->inner, state, err);
	shares->joined = NULL;
	free(number);
	return ret;
}

static void
by_close(struct trc_sink *sink)
{
	struct by_sink *s = (struct by_sink *)sink;

	pass_on(s);
	/* There is no answer of what was saved. */
	if (sink->kept)
		trc_by_release(s->by);
	trc_sink_close(s->inner);
	free(s);
}

struct trc_sink *
trc_by_sink(struct trc_by *by, struct trc_sink *inner, uint32_t have, struct trc_err *err)
{
	struct by_sink *s;

	if (trc_keys_init(&by->keys, have, kinds[by->kind - 1].by, by->bits, err))
		return NULL;
	s = trc_alloc(1, sizeof(*s), err);
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = by_put, .finish = by_finish, .close = by_close };
	if (inner->save) {
		s->sink.save = by_save;
		s->sink.append = by_append;
	}
	s->inner = inner;
	s->by = by;
	return &s->sink;
}

void
trc_by_release(struct trc_by *by)
{
	trc_keys_release(&by->keys);
}

/* ---- what is printed ---- */

/* A key, and what it did at one cache. */
struct row {
	struct trc_key key;
	struct trc_cache_sum sum;
};

static int
by_misses(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->sum.misses != y->sum.misses)
		return x->sum.misses > y->sum.misses ? -1 : 1;
	if (x->sum.refs != y->sum.refs)
		return x->sum.refs > y->sum.refs ? -1 : 1;
	if (x->key.space != y->key.space)
		return x->key.space < y->key.space ? -1 : 1;
	return x->key.key < y->key.key ? -1 : x->key.key > y->key.key;
}

static void
key_text(const struct trc_by *by, const struct trc_key *key, char *dst, size_t room)
{
	const enum trc_hot_by of = kinds[by->kind - 1].by;

	if (of == TRC_HOT_TYPE)
		snprintf(dst, room, "%s", trc_type_name[key->key]);
	else
		snprintf(dst, room, of == TRC_HOT_PAGE || of == TRC_HOT_PC ? "0x%llx" : "%llu",
		         (ull)key->key << (of == TRC_HOT_PAGE ? by->bits : 0));
}

/* Pages and instructions are of a space. */
static bool
of_space(const struct trc_by *by)
{
	const enum trc_hot_by of = kinds[by->kind - 1].by;

	return of == TRC_HOT_PAGE || of == TRC_HOT_PC;
}

/* The space of a key, between two texts, if it has one; returns dst. */
static const char *
space_text(const struct trc_by *by, const struct trc_key *key, const char *front,
           const char *behind, char *dst, size_t room)
{
	*dst = 0;
	if (of_space(by))
		snprintf(dst, room, "%s%lu%s", front, (unsigned long)key->space, behind);
	return dst;
}

static int
print_row(const struct trc_by *by, const char *name, const struct row *r, uint64_t misses,
          bool first, const struct trc_stat *s, struct trc_out *out, struct trc_err *err)
{
	const double ratio = r->sum.refs ? (double)r->sum.misses / (double)r->sum.refs : 0;
	const double share = misses ? (double)r->sum.misses / (double)misses : 0;
	char key[32], space[32];

	key_text(by, &r->key, key, sizeof(key));
	if (s->csv)
		return trc_report(out, err, "%s,%s,%s%llu,%llu,%.9g,%.9g\n", name, key,
		                  space_text(by, &r->key, "", ",", space, sizeof(space)),
		                  (ull)r->sum.refs, (ull)r->sum.misses, ratio, share);
	if (s->json)
		return trc_report(
		        out, err,
		        "%s\n  {\"%s\": \"%s\", %s\"references\": %llu, \"misses\": %llu}",
		        first ? "" : ",", kinds[by->kind - 1].name, key,
		        space_text(by, &r->key, "\"space\": ", ", ", space, sizeof(space)),
		        (ull)r->sum.refs, (ull)r->sum.misses);
	return trc_report(out, err, "%20s %6s %14llu %14llu %11.6f %8.4f %%\n", key,
	                  space_text(by, &r->key, "", "", space, sizeof(space)), (ull)r->sum.refs,
	                  (ull)r->sum.misses, ratio, 100 * share);
}

/* What stands above the rows of a cache; --csv has it once. */
static int
print_head(const struct trc_by *by, size_t c, const char *name, const struct trc_cache_sum *all,
           const struct trc_stat *s, struct trc_out *out, struct trc_err *err)
{
	const char *kind = kinds[by->kind - 1].name;
	const size_t different = by->keys.n - by->gone;

	if (s->csv)
		return c ? 0 :
		           trc_report(out, err, "cache,%s,%sreferences,misses,miss_ratio,share\n",
		                      kind, of_space(by) ? "space," : "");
	if (s->json)
		return trc_report(out, err,
		                  "%s{\"cache\": \"%s\", \"references\": %llu, \"misses\": %llu, "
		                  "\"different\": %zu, \"top\": [",
		                  c ? ",\n " : "{\"caches\": [", name, (ull)all->refs,
		                  (ull)all->misses, different);
	return trc_report(out, err,
	                  "%s%s: references %llu, misses %llu, different %ss %zu\n"
	                  "%20s %6s %14s %14s %11s %10s\n",
	                  c ? "\n" : "", name, (ull)all->refs, (ull)all->misses, kind, different,
	                  kind, of_space(by) ? "space" : "", "references", "misses", "miss ratio",
	                  "share");
}

static int
print_cache(const struct trc_by *by, size_t c, const char *name, struct row *row, uint64_t rows,
            const struct trc_stat *s, struct trc_out *out, struct trc_err *err)
{
	struct trc_cache_sum all = { 0, 0, 0 };

	for (size_t k = 0; k < by->keys.n; k++) {
		row[k] = (struct row){ by->keys.key[k],
			               by->shares->sum[k * by->shares->caches + c] };
		all.refs += row[k].sum.refs;
		all.misses += row[k].sum.misses;
	}
	if (by->keys.n)
		qsort(row, by->keys.n, sizeof(*row), by_misses);
	if (print_head(by, c, name, &all, s, out, err))
		return -1;
	for (size_t k = 0; k < by->keys.n && k < rows && row[k].sum.refs; k++)
		if (print_row(by, name, &row[k], all.misses, k == 0, s, out, err))
			return -1;
	return s->json ? trc_report(out, err, "]}") : 0;
}

int
trc_by_print(const struct trc_by *by, const char *const *names, uint64_t rows,
             const struct trc_stat *s, struct trc_out *out, struct trc_err *err)
{
	struct row *row = trc_alloc(by->keys.n + 1, sizeof(*row), err);
	int ret = row ? 0 : -1;

	for (size_t c = 0; c < by->shares->caches && ret == 0; c++)
		ret = print_cache(by, c, names[c], row, rows ? rows : ROWS, s, out, err);
	free(row);
	return ret == 0 && s->json ? trc_report(out, err, "]}\n") : ret;
}

static uint64_t
misses_of(const void *of, size_t i)
{
	return ((const struct row *)of)[i].sum.misses;
}

int
trc_by_draw(const struct trc_by *by, const char *const *names, const char *trace,
            const struct trc_settings *all, struct trc_plotting *g, struct trc_err *err)
{
	const char *kind = kinds[by->kind - 1].name;
	const size_t n = by->keys.n;
	struct row *row = g->kind ? trc_alloc(by->shares->caches * n + 1, sizeof(*row), err) : NULL;
	struct trc_ranking r[TRC_CACHES_MOST];
	char title[160], rank[64];
	int ret;

	if (!row)
		return g->kind ? -1 : 0;
	for (size_t c = 0; c < by->shares->caches; c++) {
		struct row *of = row + c * n;

		r[c] = (struct trc_ranking){ names[c], misses_of, of, n, 0 };
		for (size_t k = 0; k < n; k++) {
			of[k] = (struct row){ by->keys.key[k],
				              by->shares->sum[k * by->shares->caches + c] };
			r[c].all += of[k].sum.misses;
		}
		if (n)
			qsort(of, n, sizeof(*of), by_misses);
	}
	snprintf(title, sizeof(title), "Misses of %.100s by %s", trace, kind);
	snprintf(rank, sizeof(rank), "%ss, those with most misses first", kind);
	ret = trc_ranking_draw(r, by->shares->caches, title, rank, "misses", all, g, err);
	free(row);
	return ret;
}
