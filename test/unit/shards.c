/* SPDX-License-Identifier: MIT
 *
 * What shards keep: rows cut anywhere, their states joined in any tree, are the answer of all rows;
 * and a line means the same wherever reading begins.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cores.h"
#include "base/map_find.h"
#include "base/numbers.h"
#include "cmd/job/inputs.h"
#include "cmd/job/slices.h"
#include "cmd/shard/counting.h"
#include "cmd/stat/breakdown.h"
#include "for_each_format.h"
#include "stage/simulate/cache/cache.h"
#include "stage/simulate/cache/tlb.h"
#include "stage/simulate/buckets.h"
#include "stage/simulate/mrc.h"
#include "stage/simulate/object/byte_curve.h"
#include "stage/simulate/object/popularity.h"
#include "stage/simulate/object/requests.h"
#include "stage/profile/distinct.h"
#include "stage/profile/hot.h"
#include "stage/profile/marks.h"
#include "stage/profile/reuse.h"
#include "stage/profile/warmup.h"
#include "stage/profile/windows.h"
#include "stage/simulate/previous.h"
#include "stage/simulate/ws.h"
#include "stage/stage.h"
#include "test.h"

/* ---- numbers ---- */

/* An array of numbers of `bits` bits, written and read, and read without its end. */
static void
check_array(uint64_t *v, size_t n, unsigned bits, unsigned how)
{
	uint64_t *got = calloc(n + 1, sizeof(*got));
	struct trc_err err = { 0 };
	struct trc_buf b = { 0 };
	struct trc_state to = { .writes = true, .to = &b, .err = &err };
	struct trc_view view;
	struct trc_state from = { .from = &view, .err = &err };

	trc_state_array(&to, TRC_STRIDED(v, sizeof(*v)), n, how, UINT64_MAX);
	CHECK(got && !to.failed);
	CHECK(how || b.n <= n * bits / 8 + (n / TRC_NUMBERS_BLOCK + 1) * 12);
	view = trc_buf_view(&b);
	trc_state_array(&from, TRC_STRIDED(got, sizeof(*got)), n, how, UINT64_MAX);
	CHECK(!from.failed && view.p == view.end && memcmp(got, v, n * sizeof(*v)) == 0);
	/* Cut, it is damaged. */
	view = trc_buf_view(&b);
	if (n > 0)
		view.end--;
	trc_state_array(&from, TRC_STRIDED(got, sizeof(*got)), n, how, UINT64_MAX);
	CHECK(from.failed == (n > 0));
	trc_buf_release(&b);
	free(got);
}

static void
numbers_are_what_they_were(void)
{
	enum { MOST = 1000 };
	struct generator m = { test_seed };
	static uint64_t v[MOST];

	for (unsigned bits = 0; bits <= 64; bits++)
		for (size_t n = 0; n <= MOST; n += 1 + generate_below(&m, 200)) {
			for (size_t i = 0; i < n; i++)
				v[i] = bits ? generate_random(&m) >> (64 - bits) : 7;
			for (unsigned how = 0; how < TRC_STATE_SUM; how++)
				check_array(v, n, bits, how);
		}
}

/* ---- places before ---- */

/* Few pages or many, near each other or anywhere, of few spaces. */
static void
check_before(size_t n, uint64_t pages, unsigned shift, struct generator *m)
{
	uint64_t *page = malloc((n + 1) * sizeof(*page));
	uint32_t *space = malloc((n + 1) * sizeof(*space));
	uint32_t *before = malloc((n + 1) * sizeof(*before));
	struct trc_map last;
	struct trc_err err;

	CHECK(page && space && before && trc_map_init(&last, &err) == 0);
	for (size_t i = 0; i < n; i++) {
		page[i] = generate_below(m, pages) << shift;
		space[i] = (uint32_t)generate_below(m, 3);
	}
	CHECK(trc_previous_index(page, space, n, before, &err) == 0);
	for (size_t i = 0; i < n; i++) {
		struct trc_map_entry *e = trc_map_find(&last, space[i], page[i]);

		CHECK(before[i] == e->value);
		if (e->value == TRC_MAP_NONE)
			CHECK(trc_map_add(&last, space[i], page[i], (uint32_t)i, &err) == 0);
		else
			e->value = (uint32_t)i;
	}
	trc_map_release(&last);
	free(page);
	free(space);
	free(before);
}

static void
places_before_are_the_last_ones(void)
{
	struct generator m = { test_seed };

	static_assert(TRC_PREVIOUS_NONE == TRC_MAP_NONE, "they are compared");
	for (size_t n = 0; n < 100000; n = 3 * n + 1)
		for (unsigned shift = 0; shift < 64; shift += 21) {
			check_before(n, 1, shift, &m);
			check_before(n, n / 3 + 1, shift, &m);
			check_before(n, UINT64_MAX, shift, &m);
		}
}

/* ---- lines ---- */

/* Rows of the text [p, p + len). */
static struct trc_batch
read_text(const struct trc_format *f, const uint8_t *p, size_t len)
{
	struct trc_batch all;
	struct trc_err err;

	CHECK_MSG(generate_collect(generate_read(f, p, len, len + 1, &err), 100, &all, NULL,
	                           &err) == 0,
	          "%s: %s", f->name, err.text);
	return all;
}

/* Cuts the text at a line near byte `at`, and reads both parts. */
static void
check_cut(const struct trc_format *f, struct generate_bytes text, size_t at,
          const struct trc_batch *all)
{
	struct trc_batch a, b, both = generate_zeros(all->have, all->n + 1);
	char why[256];

	while (at < text.len && text.p[at - 1] != '\n')
		at++;
	a = read_text(f, text.p, at);
	b = read_text(f, text.p + at, text.len - at);
	CHECK_MSG(a.n + b.n == all->n, "%s is .chained: %zu and %zu rows, not %zu", f->name, a.n,
	          b.n, all->n);
	both.n = 0;
	trc_batch_append(&both, &a, 0, a.n);
	trc_batch_append(&both, &b, 0, b.n);
	CHECK_MSG(generate_same(&both, all, all->have, why, sizeof(why)), "%s is .chained: %s",
	          f->name, why);
	trc_batch_release(&both);
	trc_batch_release(&a);
	trc_batch_release(&b);
}

static void
check_lines(const struct trc_format *f, const struct trc_batch *rows)
{
	struct generator m = { test_seed };
	struct generate_bytes text;
	struct trc_batch all;
	struct trc_err err;

	if (!f->line || f->chained || f->line->first || (f->more && f->more->head))
		return;
	CHECK_MSG(generate_write(f, rows, 100, NULL, &text, &err) == 0, "%s: %s", f->name,
	          err.text);
	all = read_text(f, text.p, text.len);
	for (int i = 0; i < 20; i++)
		check_cut(f, text, 1 + generate_below(&m, text.len), &all);
	trc_batch_release(&all);
	free(text.p);
}

static void
lines_stand_by_themselves(void)
{
	for_each_format(check_lines);
}

/* ---- pieces ---- */

/* Appends what is left of a source: some rows by next(), the others by pieces of about `want`. */
static void
collect_pieces(struct trc_source *src, size_t want, struct trc_batch *all)
{
	struct trc_slice piece = { 0 };
	struct trc_err err = { 0 };
	struct trc_batch b;
	enum trc_flow flow;

	CHECK(trc_batch_init(&b, src->have, 37, &err) == 0);
	flow = trc_source_next(src, &b, &err);
	trc_batch_append(all, &b, 0, b.n);
	while (flow == TRC_FLOW_ROWS &&
	       (flow = trc_source_take(src, want, &piece, &err)) == TRC_FLOW_ROWS) {
		while ((flow = trc_source_parse(src, &piece, &b, &err)) == TRC_FLOW_ROWS)
			trc_batch_append(all, &b, 0, b.n);
		CHECK_MSG(flow == TRC_FLOW_END, "%s", err.text);
		flow = TRC_FLOW_ROWS;
	}
	CHECK_MSG(flow == TRC_FLOW_END, "%s", err.text);
	trc_batch_release(&b);
	trc_slice_release(&piece);
	trc_source_close(src);
}

static void
check_pieces(const struct trc_format *f, const struct trc_batch *rows)
{
	struct generator m = { test_seed };
	struct generate_bytes text;
	struct trc_batch all, some;
	struct trc_source *src;
	char why[256];
	struct trc_err err;

	if (!f->line && !f->record)
		return;
	CHECK_MSG(generate_write(f, rows, 100, NULL, &text, &err) == 0, "%s: %s", f->name,
	          err.text);
	all = read_text(f, text.p, text.len);
	for (size_t want = 1; want < 2000; want = 4 * want + generate_below(&m, 4)) {
		src = generate_read(f, text.p, text.len, 1 + generate_below(&m, text.len), &err);
		CHECK(src && (!f->chained || !src->slices));
		if (!src->slices) {
			trc_source_close(src);
			break;
		}
		some = generate_zeros(all.have, all.n + 1);
		some.n = 0;
		collect_pieces(src, want, &some);
		CHECK_MSG(some.n == all.n && generate_same(&some, &all, all.have, why, sizeof(why)),
		          "%s is .chained: %zu rows, not %zu", f->name, some.n, all.n);
		trc_batch_release(&some);
	}
	trc_batch_release(&all);
	free(text.p);
}

static void
pieces_are_their_rows(void)
{
	for_each_format(check_pieces);
}

/* ---- answers ---- */

static uint64_t rows_before; /* in the trace, of what is opened next */

/* A question: opens a sink behind *src, and puts what it found into bytes. */
struct question {
	const char *name;
	uint32_t have;
	int how;
	struct trc_sink *(*open)(int how, struct trc_source **src, void *answer,
	                         struct trc_err *err);
	void (*show)(void *answer, struct trc_buf *b);
};

enum { ANSWER = 4096 };

static void
put(struct trc_buf *b, const void *p, size_t n)
{
	struct trc_err err;

	CHECK(n == 0 || trc_buf_put(b, p, n, &err) == 0);
}

static struct trc_sink *
open_counts(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	(void)src;
	return trc_counts_sink(answer, (unsigned)how, err);
}

static void
show_counts(void *answer, struct trc_buf *b)
{
	const struct trc_counts *k = answer;

	/* All numbers before the flag, and behind it. */
	put(b, k, offsetof(struct trc_counts, distinct));
	CHECK(k->distinct);
	put(b, &k->pages, sizeof(k->pages) + sizeof(k->spaces) + sizeof(k->tasks));
}

/* What --mrc does: bits of pages, by space, groups. */
enum { BY_SPACE = 256, GROUPS = 512, RANGES = 1024 };

static uint64_t seen; /* references, which nobody asks for */

static struct trc_sink *
open_mrc(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	struct trc_source *page = (how & RANGES ? trc_stage_page_ranges :
	                                          trc_stage_page)(*src, how & 255, &seen, err);

	if (!page)
		return NULL;
	*src = page;
	return trc_mrc_sink(answer, page->have, how & BY_SPACE, how & GROUPS, err);
}

static void
show_mrc(void *answer, struct trc_buf *b)
{
	struct trc_mrc *mrc = answer;

	for (size_t i = 0; i < mrc->n; i++) {
		const struct trc_mrc_curve *c = &mrc->curve[i];

		put(b, &c->space, sizeof(c->space));
		put(b, &c->refs, sizeof(c->refs));
		for (uint64_t m = 0; m <= c->pages; m++) {
			const uint64_t misses = trc_mrc_misses(c, m);
			const uint64_t writebacks = m ? trc_mrc_writebacks(c, m) : 0;

			put(b, &misses, sizeof(misses));
			put(b, &writebacks, sizeof(writebacks));
		}
		if (!c->groups)
			continue;
		put(b, c->groups->pages, sizeof(c->groups->pages));
		put(b, c->groups->bucket, c->groups->n * sizeof(*c->groups->bucket));
	}
	trc_mrc_release(mrc);
}

/* What --top does. */
static struct trc_sink *
open_hot(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	return trc_hot_sink(answer, (*src)->have, (enum trc_hot_by)how, 5, err);
}

static void
show_hot(void *answer, struct trc_buf *b)
{
	struct trc_hot *hot = answer;

	put(b, &hot->refs, sizeof(hot->refs));
	for (size_t i = 0; i < hot->n; i++) {
		const struct trc_hot_entry *e = &hot->entry[i];
		const uint64_t v[] = { e->space,   e->key,     e->reads,           e->writes,
			               e->fetches, e->regular, (uint64_t)e->stride };

		put(b, v, sizeof(v));
	}
	trc_hot_release(hot);
}

/* What --reuse does: bits of pages, by space. */
static struct trc_sink *
open_reuse(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	struct trc_source *page = trc_stage_page_ranges(*src, how & 255, &seen, err);

	if (!page)
		return NULL;
	*src = page;
	return trc_reuse_sink(answer, page->have, how & BY_SPACE, err);
}

static void
show_reuse(void *answer, struct trc_buf *b)
{
	struct trc_reuse *reuse = answer;
	struct trc_reuse_histogram h;

	for (size_t i = 0; i < trc_reuse_count(reuse); i++) {
		trc_reuse_at(reuse, i, &h);
		put(b, &h.space, sizeof(h.space));
		put(b, &h.touches, 2 * sizeof(h.touches) + sizeof(h.distance) + sizeof(h.time));
	}
	trc_reuse_release(reuse);
}

/* What --mrc --bytes does. */
static struct trc_sink *
open_bytes(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	static const struct trc_byte_shape shape = { .one_in = 0 };

	(void)how;
	return trc_byte_curve_sink(answer, (*src)->have, &shape, err);
}

static void
show_bytes(void *answer, struct trc_buf *b)
{
	static const struct trc_byte_bucket none = { { 0 }, { 0 }, 0, 0 };
	struct trc_byte_curve *curve = answer;

	put(b, &curve->totals, sizeof(curve->totals));
	/* How many buckets there are beyond all that hit depends on the rows that came at once. */
	for (size_t i = 0; i < curve->least.n; i++) {
		const struct trc_byte_bucket *of = &curve->least.bucket[i];

		if (memcmp(of, &none, sizeof(none)) != 0) {
			put(b, &i, sizeof(i));
			put(b, of, sizeof(*of));
		}
	}
	trc_byte_curve_release(curve);
}

/* What --popularity does. */
static struct trc_sink *
open_popularity(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	(void)how;
	return trc_popularity_sink(answer, (*src)->have, 0, err);
}

static void
show_popularity(void *answer, struct trc_buf *b)
{
	struct trc_popularity *p = answer;
	const uint64_t v[] = { p->n, p->once, p->first_time, p->last_time };

	put(b, &p->totals, sizeof(p->totals));
	put(b, v, sizeof(v));
	put(b, p->decile, sizeof(p->decile));
	put(b, p->requests, p->n * sizeof(*p->requests));
	trc_popularity_release(p);
}

/* What --ws does: the clock, bits of pages, by space. */
static struct trc_sink *
open_ws(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	struct trc_source *page = trc_stage_page_ranges(*src, how & 15, &seen, err);

	if (!page)
		return NULL;
	*src = page;
	return trc_ws_sink(answer, (enum trc_column)(how >> 4 & 15), how & BY_SPACE, err);
}

static void
show_ws(void *answer, struct trc_buf *b)
{
	struct trc_ws *ws = answer;

	put(b, &ws->begin, 3 * sizeof(ws->begin));
	for (size_t i = 0; i < ws->n; i++) {
		const struct trc_ws_pages *of = &ws->of[i];

		put(b, &of->space, sizeof(of->space));
		put(b, &of->refs, 3 * sizeof(of->refs));
		put(b, of->bucket, of->buckets * sizeof(*of->bucket));
	}
	trc_ws_release(ws);
}

/* What --ws does behind a warm-up, which ends within the first parts. */
enum { WARM = 70 };

static struct trc_warmup warmup;
static struct trc_ws warm;

static struct trc_sink *
open_warm_ws(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	struct trc_source *marked;
	struct trc_sink *all;

	warmup = (struct trc_warmup){ .records = WARM,
		                      .seen = rows_before < WARM ? rows_before : WARM };
	marked = trc_warmup_source(*src, &warmup, err);
	if (!marked)
		return NULL;
	*src = marked;
	all = open_ws(how, src, answer, err);
	return trc_warmup_sink(all, trc_ws_sink(&warm, TRC_COL_RTIME, how & BY_SPACE, err), &warmup,
	                       err);
}

static void
show_warm_ws(void *answer, struct trc_buf *b)
{
	CHECK(warmup.seen == WARM);
	CHECK(trc_ws_subtract(answer, &warm, NULL) == 0);
	show_ws(answer, b);
	trc_ws_release(&warm);
}

/* What --cache does: which shapes. */
static struct trc_sink *
open_cache(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	static const struct trc_cache_shape shape[][2] = {
		{ { .size = 1024, .ways = 4, .line = 16 } },
		{ { .size = 512, .ways = 1, .line = 8 } },
		{ { .size = 64 * 48, .ways = 48, .line = 16 } },
		{ { .size = 2048, .ways = 2, .line = 32, .part = TRC_CACHE_FETCHES },
		  { .size = 1024, .ways = 64, .line = 16, .part = TRC_CACHE_DATA } },
	};

	(void)src;
	memset(answer, 0, 2 * sizeof(struct trc_cache_counts));
	return trc_cache_sink(shape[how], shape[how][1].size ? 2 : 1, answer, err);
}

static void
show_cache(void *answer, struct trc_buf *b)
{
	put(b, answer, 2 * sizeof(struct trc_cache_counts));
}

/* What --tlb does, with the halves by the size of the page. */
static struct trc_sink *
open_tlb(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	static const struct trc_cache_shape shape[2] = {
		{ .size = 16, .ways = 2, .line = TRC_TLB_LINE, .part = TRC_CACHE_FETCHES },
		{ .size = 20, .ways = 5, .line = TRC_TLB_LINE, .part = TRC_CACHE_DATA },
	};
	const struct trc_tlb_pages pages = {
		.bits = 8, .huge_bits = 9, .by_size = how, .huge = { { 1000448, 1002495 } }, .n = 1
	};

	memset(answer, 0, 2 * sizeof(struct trc_cache_counts));
	return trc_tlb_sink(trc_cache_sink(shape, 2, answer, err), &pages, (*src)->have, err);
}

/* What a cache does in shares: behind a warm-up, in windows or by what its misses are of. */
enum { EVERY = 31 };

static struct trc_cache_shares shares;
static struct trc_marks marks;
static struct trc_breakdown by;

static uint32_t
share_at(uint64_t rows)
{
	return rows < WARM ? TRC_CACHE_WARM : by.kind ? 0 : (uint32_t)((rows - WARM) / EVERY);
}

static int
at_mark(struct trc_marks *m, uint64_t rows, struct trc_err *err)
{
	CHECK(m == &marks);
	if (trc_cache_shares_take(&shares, by.count, err))
		return -1;
	shares.now = share_at(rows);
	return 0;
}

/* By: that of --by, or 0: in windows. */
static struct trc_sink *
open_shares(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	struct trc_sink *sink = open_cache(3, src, answer, err);

	shares = (struct trc_cache_shares){ .caches = 2, .now = share_at(rows_before) };
	by = (struct trc_breakdown){
		.kind = (size_t)how, .bits = 5, .count = answer, .shares = &shares
	};
	trc_cache_share(sink, &shares);
	if (how)
		sink = trc_breakdown_sink(&by, sink, *src, err);
	marks = (struct trc_marks){ WARM, how ? 0 : EVERY, false, rows_before, at_mark };
	return sink ? trc_marks_sink(sink, &marks, err) : NULL;
}

static void
show_key(struct trc_buf *b, const struct trc_key *key, const struct trc_cache_sum *sum)
{
	if (!sum->refs)
		return;
	put(b, &key->space, sizeof(key->space));
	put(b, &key->key, sizeof(key->key));
	put(b, sum, 2 * sizeof(*sum));
}

static int
by_space_and_key(const void *a, const void *b)
{
	const struct trc_key *x = &by.keys.key[*(const size_t *)a],
	                     *y = &by.keys.key[*(const size_t *)b];

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static void
show_shares(void *answer, struct trc_buf *b)
{
	size_t *order = calloc(shares.n + 1, sizeof(*order));

	CHECK(order);
	put(b, answer, 2 * sizeof(struct trc_cache_counts));
	for (size_t i = 0; i < shares.n; i++)
		order[i] = i;
	if (by.kind && shares.n)
		qsort(order, shares.n, sizeof(*order), by_space_and_key);
	for (size_t i = 0; by.kind && i < shares.n; i++)
		show_key(b, &by.keys.key[order[i]], &shares.sum[2 * order[i]]);
	if (!by.kind)
		put(b, shares.sum, 2 * shares.n * sizeof(*shares.sum));
	free(order);
	trc_cache_shares_release(&shares);
	trc_breakdown_release(&by);
}

/* What --over-time does, behind a warm-up or not. */
static struct trc_sink *
open_windows(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	struct trc_windows *w = answer;

	*w = (struct trc_windows){ .every = 31, .warmup = (uint64_t)how, .seen = rows_before };
	return trc_windows_sink(w, (*src)->have, 5, err);
}

static void
show_windows(void *answer, struct trc_buf *b)
{
	struct trc_windows *w = answer;

	put(b, w->window, w->n * sizeof(*w->window));
	put(b, &w->seen, sizeof(w->seen) + sizeof(w->pages));
	trc_windows_release(w);
}

/* What --strides does. */
static struct trc_sink *
open_strides(int how, struct trc_source **src, void *answer, struct trc_err *err)
{
	const struct trc_query_ops *q = trc_stat_strides.query;

	(void)how, (void)src;
	CHECK(q->size <= ANSWER);
	memset(answer, 0, q->size);
	return trc_counting_sink(q, answer, err);
}

static void
show_strides(void *answer, struct trc_buf *b)
{
	const struct trc_query_ops *q = trc_stat_strides.query;
	struct trc_census *strides = (void *)((char *)answer + q->counters.at);

	trc_census_rank(strides);
	for (size_t i = 0; i < strides->n; i++) {
		put(b, &strides->entry[i].key, sizeof(strides->entry[i].key));
		put(b, &strides->entry[i].n, sizeof(strides->entry[i].n));
	}
	trc_counting_release(q, answer);
}

enum {
	ADDRESSES = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_ASID | TRC_HAS_TASK |
	            TRC_HAS_TIME,
	PAGES = TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_RTIME | TRC_HAS_ITIME | TRC_HAS_TIME |
	        TRC_HAS_ASID,
	FETCHES = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_ASID,
};

static const struct question question[] = {
	{ "counts", ADDRESSES, 12, open_counts, show_counts },
	{ "counts of pages", PAGES, 12, open_counts, show_counts },
	{ "mrc", ADDRESSES, 5, open_mrc, show_mrc },
	{ "mrc by space", ADDRESSES, 4 | BY_SPACE | RANGES, open_mrc, show_mrc },
	{ "mrc without sizes", TRC_HAS_ADDR, 3, open_mrc, show_mrc },
	{ "bytes", ADDRESSES, 0, open_bytes, show_bytes },
	{ "bytes, addresses alone", TRC_HAS_ADDR, 0, open_bytes, show_bytes },
	{ "popularity", ADDRESSES, 0, open_popularity, show_popularity },
	{ "popularity, addresses alone", TRC_HAS_ADDR, 0, open_popularity, show_popularity },
	{ "mrc of pages", PAGES, GROUPS, open_mrc, show_mrc },
	{ "mrc of pages by space", PAGES, BY_SPACE | GROUPS, open_mrc, show_mrc },
	{ "cache", ADDRESSES, 0, open_cache, show_cache },
	{ "cache with one way", ADDRESSES, 1, open_cache, show_cache },
	{ "cache of many ways", ADDRESSES, 2, open_cache, show_cache },
	{ "split cache", ADDRESSES, 3, open_cache, show_cache },
	{ "cache, addresses alone", TRC_HAS_ADDR | TRC_HAS_TYPE, 0, open_cache, show_cache },
	{ "tlb", ADDRESSES, 0, open_tlb, show_cache },
	{ "tlb by size", ADDRESSES, 1, open_tlb, show_cache },
	{ "tlb of pages", PAGES, 0, open_tlb, show_cache },
	{ "cache over time", ADDRESSES, 0, open_shares, show_shares },
	{ "cache by page", ADDRESSES, 1, open_shares, show_shares },
	{ "cache by instruction", ADDRESSES, 3, open_shares, show_shares },
	{ "cache by task", ADDRESSES, 4, open_shares, show_shares },
	{ "windows", ADDRESSES, 0, open_windows, show_windows },
	{ "windows behind a warm-up", ADDRESSES, WARM, open_windows, show_windows },
	{ "windows of pages", PAGES, 0, open_windows, show_windows },
	{ "top pages", ADDRESSES, TRC_HOT_PAGE, open_hot, show_hot },
	{ "top spaces", ADDRESSES, TRC_HOT_SPACE, open_hot, show_hot },
	{ "top tasks", ADDRESSES, TRC_HOT_TASK, open_hot, show_hot },
	{ "top types", TRC_HAS_ADDR | TRC_HAS_TYPE, TRC_HOT_TYPE, open_hot, show_hot },
	{ "top instructions", FETCHES, TRC_HOT_PC, open_hot, show_hot },
	{ "top instructions by column", ADDRESSES | TRC_HAS_PC, TRC_HOT_PC, open_hot, show_hot },
	{ "top instructions of pages", PAGES | TRC_HAS_PC, TRC_HOT_PC, open_hot, show_hot },
	{ "top pages of pages", PAGES, TRC_HOT_PAGE, open_hot, show_hot },
	{ "strides", ADDRESSES | TRC_HAS_PC, 0, open_strides, show_strides },
	{ "reuse", ADDRESSES, 5, open_reuse, show_reuse },
	{ "reuse by space", ADDRESSES, 4 | BY_SPACE, open_reuse, show_reuse },
	{ "reuse of pages", PAGES, 0, open_reuse, show_reuse },
	{ "ws", ADDRESSES, TRC_COL_RTIME << 4 | 5, open_ws, show_ws },
	{ "ws by space", ADDRESSES, TRC_COL_RTIME << 4 | 5 | BY_SPACE, open_ws, show_ws },
	{ "ws by instructions", ADDRESSES, TRC_COL_ITIME << 4 | 4 | BY_SPACE, open_ws, show_ws },
	{ "ws by cycles", ADDRESSES, TRC_COL_TIME << 4 | 5, open_ws, show_ws },
	{ "ws behind a warm-up", ADDRESSES, TRC_COL_RTIME << 4 | 5 | BY_SPACE, open_warm_ws,
	  show_warm_ws },
	{ "ws of pages behind a warm-up", PAGES, TRC_COL_RTIME << 4, open_warm_ws, show_warm_ws },
	{ "ws of pages", PAGES, TRC_COL_RTIME << 4, open_ws, show_ws },
	{ "ws of pages by instructions", PAGES, TRC_COL_ITIME << 4 | BY_SPACE, open_ws, show_ws },
	{ "ws of pages by cycles", PAGES, TRC_COL_TIME << 4 | BY_SPACE, open_ws, show_ws },
};

/* References near each other, of few spaces, to one in `pages` pages of 32 bytes. */
static struct trc_batch
rows_of(uint32_t have, size_t n, uint64_t pages, struct generator *m)
{
	struct trc_batch b = generate_zeros(have, n);
	uint64_t time = 1000, rtime = generate_below(m, 2), itime = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t page = generate_below(m, 4) ?
		                              (i / 7 + generate_below(m, 5)) % pages :
		                              generate_below(m, pages);

		time += generate_below(m, 3);
		rtime += generate_below(m, 5) > 0;
		itime += generate_below(m, 2);
		if (b.type)
			b.type[i] = generate_below(m, 9) ? (uint8_t)generate_below(m, 4) :
			                                   TRC_PREFETCH;
		if (b.addr)
			b.addr[i] = 1000000 + page * 32 +
			            (generate_below(m, 2) ? generate_below(m, 32) : 0);
		if (b.size)
			b.size[i] = (uint32_t)generate_below(m, generate_below(m, 20) ? 9 : 200);
		if (b.vpn)
			b.vpn[i] = page;
		if (b.pc)
			b.pc[i] = generate_below(m, pages / 2 + 1) * 4;
		if (b.asid)
			b.asid[i] = (uint32_t)(i / 40 * 7 % 3);
		if (b.task)
			b.task[i] = (uint32_t)(i / 90 % 4);
		if (b.time)
			b.time[i] = time;
		if (b.rtime)
			b.rtime[i] = rtime;
		if (b.itime)
			b.itime[i] = itime;
		if (b.vpn && b.type[i] != TRC_WRITE)
			b.type[i] = TRC_READ;
	}
	return b;
}

static struct trc_batch
part_of(const struct trc_batch *rows, size_t from, size_t to)
{
	struct trc_batch b = generate_zeros(rows->have, to - from + 1);

	b.n = 0;
	trc_batch_append(&b, rows, from, to - from);
	return b;
}

static struct trc_meta whole_meta; /* what is known of the trace at its end */

/* Runs rows through the sink, which stays open. */
static struct trc_sink *
run(const struct question *q, struct trc_batch *rows, bool kept, void *answer)
{
	const size_t most = 37;
	struct trc_source *src = generate_source(rows, most);
	const uint32_t have = src->have;
	struct trc_err err = { 0 };
	struct trc_sink *sink = q->open(q->how, &src, answer, &err);

	CHECK_MSG(sink, "%s", err.text);
	sink->partial = kept;
	sink->counted = (TRC_HAS_RTIME | TRC_HAS_ITIME) & ~have;
	CHECK_MSG(trc_pump(src, sink, most, NULL, &err) == 0, "%s: %s", q->name, err.text);
	if (!kept)
		whole_meta = src->meta;
	trc_source_close(src);
	return sink;
}

static struct trc_buf
save(struct trc_sink *sink)
{
	struct trc_buf b = { 0 };
	struct trc_err err = { 0 };

	CHECK_MSG(trc_sink_save(sink, &b, &err) == 0, "%s", err.text);
	return b;
}

/* Closes a sink that was saved; some count in the answer as they go. */
static void
close_kept(const struct question *q, struct trc_sink *sink, void *answer)
{
	trc_sink_close(sink);
	if (q->show == show_bytes)
		trc_byte_curve_release(answer);
	if (q->show == show_popularity)
		trc_popularity_release(answer);
}

/* A sink that has seen nothing but states. */
static struct trc_sink *
open_empty(const struct question *q, const struct trc_batch *rows, void *answer)
{
	struct trc_batch none = part_of(rows, 0, 0);
	struct trc_sink *sink = run(q, &none, true, answer);

	trc_batch_release(&none);
	return sink;
}

static void
append(struct trc_sink *sink, struct trc_buf *b, const char *name)
{
	struct trc_err err = { 0 };

	CHECK_MSG(trc_sink_append(sink, trc_buf_view(b), &err) == 0, "%s: %s", name, err.text);
	trc_buf_release(b);
}

enum { PARTS_MOST = 64 };

/* Joins neighbours [at, at + 2) into one state until there is one. */
static struct trc_buf
join_all(const struct question *q, const struct trc_batch *rows, struct trc_buf *state, size_t n,
         struct generator *m)
{
	for (; n > 1; n--) {
		_Alignas(uint64_t) unsigned char answer[ANSWER];
		struct trc_sink *sink = open_empty(q, rows, answer);
		const size_t at = generate_below(m, n - 1);

		append(sink, &state[at], q->name);
		append(sink, &state[at + 1], q->name);
		state[at] = save(sink);
		memmove(state + at + 1, state + at + 2, (n - at - 2) * sizeof(*state));
		close_kept(q, sink, answer);
	}
	return state[0];
}

/* One behind the other, to one sink. */
static struct trc_buf
append_all(const struct question *q, const struct trc_batch *rows, struct trc_buf *state, size_t n)
{
	_Alignas(uint64_t) unsigned char answer[ANSWER];
	struct trc_sink *sink = open_empty(q, rows, answer);
	struct trc_buf all;

	for (size_t i = 0; i < n; i++)
		append(sink, &state[i], q->name);
	all = save(sink);
	close_kept(q, sink, answer);
	return all;
}

/* The answer of a sink that has all rows. */
static struct trc_buf
answer_of(const struct question *q, struct trc_sink *sink, void *answer)
{
	struct trc_err err = { 0 };
	struct trc_buf b = { 0 };

	if (sink->partial) {
		sink->partial = false;
		CHECK_MSG(trc_sink_finish(sink, &whole_meta, &err) == 0, "%s: %s", q->name,
		          err.text);
	}
	q->show(answer, &b);
	trc_sink_close(sink);
	return b;
}

static void
check_parts(const struct question *q, struct trc_batch *rows, size_t parts, bool tree,
            struct generator *m)
{
	_Alignas(uint64_t) unsigned char answer[ANSWER];
	struct trc_buf state[PARTS_MOST], whole, joined;
	struct trc_sink *sink;
	size_t from = 0;

	whole = answer_of(q, run(q, rows, false, answer), answer);
	for (size_t i = 0; i < parts; i++) {
		const size_t left = rows->n - from, share = 2 * left / (parts - i) + 1;
		const size_t to = i == parts - 1 ?
		                          rows->n :
		                          from + generate_below(m, share < left ? share : left + 1);
		struct trc_batch part = part_of(rows, from, to);

		rows_before = from;
		sink = run(q, &part, true, answer);
		rows_before = 0;
		state[i] = save(sink);
		close_kept(q, sink, answer);
		trc_batch_release(&part);
		from = to;
	}
	joined = tree ? join_all(q, rows, state, parts, m) : append_all(q, rows, state, parts);
	sink = open_empty(q, rows, answer);
	append(sink, &joined, q->name);
	joined = answer_of(q, sink, answer);
	CHECK_MSG(joined.n == whole.n && memcmp(joined.p, whole.p, whole.n) == 0,
	          "%s of %zu rows in %zu parts", q->name, rows->n, parts);
	trc_buf_release(&joined);
	trc_buf_release(&whole);
}

static void
joined_parts_answer_as_the_whole(void)
{
	static const size_t parts[] = { 1, 2, 3, 7, PARTS_MOST };
	struct generator m = { test_seed };

	const uint64_t times = test_step() == 1 ? 4 : test_step() > TEST_STEP ? 64 : 16;

	for (size_t k = 0; k < TRC_COUNT(question); k++)
		for (size_t i = 0; i < TRC_COUNT(parts); i++)
			for (uint64_t pages = 3; pages < 800; pages *= times) {
				struct trc_batch rows = rows_of(question[k].have,
				                                100 + 30 * (size_t)pages, pages,
				                                &m);

				if (test_step() == 1 || i % 2 == 0)
					check_parts(&question[k], &rows, parts[i], true, &m);
				if (test_step() == 1 || i % 2 == 1)
					check_parts(&question[k], &rows, parts[i], false, &m);
				trc_batch_release(&rows);
			}
}

/* So many pages that some are joined before all came. */
static void
parts_are_joined_on_the_way(void)
{
	struct generator m = { test_seed };

	for (size_t k = 0; k < TRC_COUNT(question); k += test_step_most(3)) {
		struct trc_batch rows;

		if (question[k].have != PAGES)
			continue;
		rows = rows_of(question[k].have, 600000, 400000, &m);
		check_parts(&question[k], &rows, 7, false, &m);
		trc_batch_release(&rows);
	}
}

/* Frames have checks, but who makes them may be anyone. */
static void
damaged_states_are_refused_or_harmless(void)
{
	struct generator m = { test_seed };

	for (size_t k = 0; k < TRC_COUNT(question); k++) {
		const struct question *q = &question[k];
		_Alignas(uint64_t) unsigned char answer[ANSWER];
		struct trc_batch rows = rows_of(q->have, 400, 40, &m);
		struct trc_sink *sink = run(q, &rows, true, answer);
		struct trc_buf good = save(sink);

		close_kept(q, sink, answer);
		for (size_t i = 0; i < 300; i += test_step_most(9)) {
			struct trc_buf b = { 0 };
			struct trc_err err = { 0 };

			put(&b, good.p, good.n);
			b.n -= i % 2 ? generate_below(&m, b.n) : 0;
			b.p[generate_below(&m, b.n)] ^= (uint8_t)(1 << generate_below(&m, 8));
			sink = open_empty(q, &rows, answer);
			CHECK(trc_sink_append(sink, trc_buf_view(&b), &err) == 0 || *err.text);
			close_kept(q, sink, answer);
			trc_buf_release(&b);
		}
		trc_buf_release(&good);
		trc_batch_release(&rows);
	}
}

/* ---- files ---- */

static void
write_lines(const char *path, int n)
{
	FILE *f = fopen(path, "w");

	CHECK(f);
	for (int i = 0; i < n; i++)
		fprintf(f, "%d %x\n", i % 3, 0x1000 + 4 * i);
	CHECK(fclose(f) == 0);
}

static void
a_text_that_changes_while_it_is_read_is_noticed(void)
{
	char path[] = "trc-shards-XXXXXX";
	const char *const paths[] = { path };
	const struct trc_job_in in = { .from = "din" };
	const struct trc_place from = { 0, 0 }, to = { 1, 0 };
	const int fd = mkstemp(path);
	struct trc_begun begun = { 0 };
	struct trc_slices s;
	struct trc_batch b;
	struct trc_job job;
	struct trc_err err = { 0 };
	uint64_t sum, other;

	CHECK(fd >= 0 && close(fd) == 0);
	write_lines(path, 1000);
	CHECK_MSG(trc_slices_init(&s, paths, 1, &in, true, &err) == 0, "%s", err.text);
	CHECK(trc_slices_sum(&s, from, to, &sum, &err) == 0);
	CHECK(trc_slices_open(&job, &s, from, to, &begun, &err) == 0);
	CHECK(trc_batch_init(&b, job.src->have, TRC_BATCH_ROWS, &err) == 0);
	CHECK(trc_source_next(job.src, &b, &err) == TRC_FLOW_ROWS && b.n == 1000);
	write_lines(path, 999);
	CHECK(trc_source_next(job.src, &b, &err) == TRC_FLOW_FAILED);
	CHECK(strstr(err.text, "changed while being read"));
	trc_source_close(job.src);
	trc_batch_release(&b);
	trc_begun_release(&begun);
	CHECK(trc_slices_sum(&s, from, to, &other, &err) == -1); /* it is shorter */
	write_lines(path, 1000);
	CHECK(trc_slices_sum(&s, from, to, &other, &err) == 0 && other == sum);
	trc_slices_release(&s);
	CHECK(unlink(path) == 0);
}

/* Of a file, unless a number of threads is given. */
static void
few_rows_are_read_on_one_thread(void)
{
	static const int lines[] = { 1000, 1000000 };
	char path[] = "trc-threads-XXXXXX";
	const char *const paths[] = { path };
	const int fd = mkstemp(path);

	CHECK(fd >= 0 && close(fd) == 0);
	for (size_t i = 0; i < TRC_COUNT(lines); i++) {
		write_lines(path, lines[i]);
		for (uint64_t given = 0; given < 4; given += 3) {
			const struct trc_job_in in = { .from = "din", .threads = given };
			struct trc_err err = { 0 };
			struct trc_job job;

			CHECK_MSG(trc_inputs_open(&job, paths, 1, &in, true, &err) == 0, "%s",
			          err.text);
			CHECK(trc_job_threads(&job) == (given ? 3 : i ? trc_cores() : 1));
			trc_source_close(job.src);
		}
	}
	CHECK(unlink(path) == 0);
}

/* Of few and of many, by no more than twice the margin. */
static void
the_number_of_objects_is_estimated_from_above(void)
{
	static struct trc_distinct d;
	uint64_t next = 1;

	memset(&d, 0, sizeof(d));
	CHECK(trc_distinct_most(&d) == 0);
	for (uint64_t n = 1; n <= 400000; n++) {
		trc_distinct_add(&d, trc_requests_hash(0, n * 64));
		trc_distinct_add(&d, trc_requests_hash(0, n / 2 * 64 + 64));
		if (n < next)
			continue;
		CHECK_MSG(trc_distinct_most(&d) >= n && trc_distinct_most(&d) <= n + n / 12 + 2,
		          "%llu of %llu", (unsigned long long)trc_distinct_most(&d),
		          (unsigned long long)n);
		next = n + n / 3 + 1;
	}
}

int
main(void)
{
	test_start();
	RUN(numbers_are_what_they_were);
	RUN(places_before_are_the_last_ones);
	RUN(lines_stand_by_themselves);
	RUN(pieces_are_their_rows);
	RUN(joined_parts_answer_as_the_whole);
	if (!test_is_elsewhere())
		RUN(parts_are_joined_on_the_way);
	RUN(damaged_states_are_refused_or_harmless);
	RUN(a_text_that_changes_while_it_is_read_is_noticed);
	RUN(few_rows_are_read_on_one_thread);
	RUN(the_number_of_objects_is_estimated_from_above);
	return 0;
}
