/* SPDX-License-Identifier: MIT
 *
 * Parts that were reduced, joined by what is known of each: to the last stamp what is left of the
 * whole, though few of their records are looked at again.
 */
#include <string.h>

#include "generate.h"
#include "stage/reduce/join.h"
#include "test.h"

enum { PARTS_MOST = 40 };

/* Parts as rows, with what is known of each. */
struct parts {
	struct trc_batch rows[PARTS_MOST];
	struct trc_decided decided[PARTS_MOST];
	size_t n;
};

/* A source of the rows of parts. */
struct source {
	struct trc_source src;
	struct parts *parts;
	size_t part, at, most; /* the next row */
	size_t last;           /* part that rows were given of */
};

static enum trc_flow
source_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct source *s = (struct source *)src;
	const struct trc_batch *rows;
	size_t n;

	(void)err;
	while (s->part < s->parts->n && s->at == s->parts->rows[s->part].n) {
		s->part++;
		s->at = 0;
	}
	if (s->part == s->parts->n)
		return TRC_FLOW_END;
	rows = &s->parts->rows[s->part];
	n = rows->n - s->at < s->most ? rows->n - s->at : s->most;
	n = n < b->cap ? n : b->cap;
	trc_batch_append(b, rows, s->at, n);
	s->at += n;
	s->last = s->part;
	return TRC_FLOW_ROWS;
}

static void
source_close(struct trc_source *src)
{
	free(src);
}

static const struct trc_decided *
decided_of(const struct trc_source *src)
{
	const struct source *s = (const struct source *)src;

	return &s->parts->decided[s->last];
}

static struct trc_source *
open_parts(struct parts *parts, uint32_t have, size_t most)
{
	struct source *s = calloc(1, sizeof(*s));

	CHECK(s);
	s->src = (struct trc_source){ .have = have, .next = source_next, .close = source_close };
	s->parts = parts;
	s->most = most;
	return &s->src;
}

/* Rows from one habit to the next; each has its place as reference time. */
static void
make_rows(struct generator *m, size_t n, size_t pages, uint32_t more, struct trc_batch *rows)
{
	const size_t local = 1 + generate_below(m, pages), jumps = 20 + generate_below(m, 300);
	uint64_t start = 0;

	*rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME | more,
	                       n);
	for (size_t i = 0; i < n; i++) {
		if (generate_below(m, jumps) == 0)
			start = generate_below(m, pages);
		rows->rtime[i] = i + 1;
		rows->itime[i] = i / 2;
		rows->type[i] = (uint8_t)(generate_below(m, 2) |
		                          (generate_below(m, 8) ? 0 : TRC_KERNEL));
		rows->vpn[i] = generate_below(m, 50) ? (start + generate_below(m, local)) % pages :
		                                       generate_below(m, pages);
		if (rows->cpn)
			rows->cpn[i] = rows->vpn[i] / 2;
		if (rows->asid)
			rows->asid[i] = (uint32_t)generate_below(m, 2);
		if (rows->task)
			rows->task[i] = generate_below(m, 5) == 0;
		if (rows->event && generate_below(m, 30) == 0) {
			rows->type[i] = TRC_EVENT;
			trc_batch_put_event(rows, i, "exit 1", 6);
		}
	}
}

/* Reduces rows [at, stop) as a part, whose state goes through bytes. */
static void
reduce_part(const struct trc_batch *rows, size_t at, size_t stop, struct trc_reduction how,
            bool block, struct parts *parts)
{
	struct trc_batch *left = &parts->rows[parts->n], part, some;
	struct trc_decided decided;
	struct trc_buf state = { 0 };
	struct trc_view view;
	struct trc_err err;
	struct trc_state to = { .writes = true, .to = &state, .err = &err };
	struct trc_state from = { .from = &view, .err = &err };
	struct trc_source *src;
	enum trc_flow flow;

	CHECK(trc_batch_init(&part, rows->have, stop - at + 1, &err) == 0);
	trc_batch_append(&part, rows, at, stop - at);
	CHECK(trc_batch_init(left, rows->have, stop - at + 1, &err) == 0);
	how.part = true;
	src = generate_source(&part, 100);
	src = block ? trc_stage_block(src, &err) : src;
	src = trc_stage_drop(src, &how, &err);
	CHECK(trc_batch_init(&some, rows->have, 10 + at % 100, &err) == 0);
	while ((flow = trc_source_next(src, &some, &err)) == TRC_FLOW_ROWS)
		trc_batch_append(left, &some, 0, some.n);
	trc_batch_release(&some);
	CHECK(flow == TRC_FLOW_END);
	trc_drop_decided(src, &decided);
	CHECK(decided.rows == left->n && decided.head <= decided.tail &&
	      decided.tail <= decided.rows);
	trc_decided_state(&decided, &to);
	view = trc_buf_view(&state);
	trc_decided_state(&parts->decided[parts->n++], &from);
	CHECK(!to.failed && !from.failed && view.p == view.end);
	trc_decided_release(&decided);
	trc_buf_release(&state);
	trc_source_close(src);
	trc_batch_release(&part);
}

static void
release(struct parts *parts)
{
	for (size_t i = 0; i < parts->n; i++) {
		trc_batch_release(&parts->rows[i]);
		trc_decided_release(&parts->decided[i]);
	}
}

/* The rows of a batch reduced as a whole. */
static void
reduce_whole(const struct trc_batch *rows, const struct trc_reduction *how, bool block,
             struct trc_batch *all, struct trc_meta *meta)
{
	struct trc_source *src = generate_source(rows, 100);
	struct trc_err err;

	src = block ? trc_stage_block(src, &err) : src;
	src = trc_stage_drop(src, how, &err);
	CHECK_MSG(generate_collect(src, 1000, all, meta, &err) == 0, "%s", err.text);
}

/* Some rows in some parts; adds to counts of records, and of those that were only copied. */
static void
check_parts(struct generator *m, size_t n, size_t pages, size_t most, uint64_t *records,
            uint64_t *copied)
{
	static const uint32_t more[] = { 0, TRC_HAS_CPN, TRC_HAS_ASID, TRC_HAS_TASK,
		                         TRC_HAS_EVENT | TRC_HAS_TASK };
	const size_t which = generate_below(m, 5), cuts = 1 + generate_below(m, most);
	const bool block = generate_below(m, 2);
	struct trc_reduction how = { .r = 1 + generate_below(m, pages) };
	struct trc_meta meta, same = { 0 };
	struct parts parts = { .n = 0 };
	struct trc_batch rows, want, got;
	struct trc_source *src;
	struct trc_err err;
	char why[100];

	how.scope.canonical = which == 1 && !block;
	make_rows(m, n, pages, more[which], &rows);
	for (size_t i = 0, at = 0; i < cuts; i++) {
		const size_t share = 2 * (n - at) / (cuts - i) + 1;
		const size_t stop = i + 1 < cuts ? at + generate_below(m, share) % (n - at + 1) : n;

		reduce_part(&rows, at, stop, how, block, &parts);
		at = stop;
	}
	for (size_t i = 0; i < parts.n; i++) {
		*records += parts.decided[i].rows;
		*copied += parts.decided[i].tail - parts.decided[i].head;
	}
	reduce_whole(&rows, &how, block, &want, &meta);
	src = open_parts(&parts, rows.have, 1 + generate_below(m, 300));
	src = trc_stage_join(src, decided_of, &how, block, &err);
	CHECK_MSG(generate_collect(src, 1 + generate_below(m, 300), &got, &same, &err) == 0, "%s",
	          err.text);
	CHECK_MSG(generate_same(&want, &got, rows.have, why, sizeof(why)),
	          "%zu rows, %zu parts, %zu pages, r %llu, columns %zu, block %d: %s", n, cuts,
	          pages, (unsigned long long)how.r, which, block, why);
	CHECK(meta.guarantee.sad == same.guarantee.sad);
	release(&parts);
	trc_batch_release(&rows);
	trc_batch_release(&want);
	trc_batch_release(&got);
}

static void
parts_joined_are_the_whole(void)
{
	struct generator m = { test_seed };
	uint64_t records = 0, copied = 0;

	for (size_t i = 0; i < 4000; i += test_step())
		check_parts(&m, 5 + generate_below(&m, 100), 2 + generate_below(&m, 8), 6, &records,
		            &copied);
	CHECK(copied > records / 20);
	for (size_t i = 0; i < 150; i += test_step())
		check_parts(&m, 500 + generate_below(&m, 6000), 10 + generate_below(&m, 60),
		            PARTS_MOST, &records, &copied);
}

/* Long parts are copied, but for their ends. */
static void
most_records_are_copied(void)
{
	struct generator m = { test_seed };
	uint64_t records = 0, copied = 0;

	for (size_t i = 0; i < 5; i++)
		check_parts(&m, 20000, 60, 4, &records, &copied);
	CHECK_MSG(copied > records / 2, "%llu of %llu", (unsigned long long)copied,
	          (unsigned long long)records);
}

int
main(void)
{
	test_start();
	RUN(parts_joined_are_the_whole);
	RUN(most_records_are_copied);
	return 0;
}
