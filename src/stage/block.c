/* SPDX-License-Identifier: MIT
 *
 * Blocking: merges neighbours that touch the same page. The last run of a batch may continue in the
 * next, so its record is held back.
 */
#include "stage/stage.h"

#include <assert.h>

#include "stage/wrap.h"

/* The stage. */
struct block {
	struct trc_wrap wrap;
	struct trc_batch held; /* 0 or 1 rows: the run that may continue */
	bool merged;           /* some neighbours were merged */
	uint32_t first[TRC_BATCH_ROWS];
};

bool
trc_same_page(const struct trc_batch *a, size_t i, const struct trc_batch *b, size_t k)
{
	return a->vpn[i] == b->vpn[k] && a->type[i] != TRC_INVALIDATE &&
	       b->type[k] != TRC_INVALIDATE && !trc_batch_is_event(a, i) &&
	       !trc_batch_is_event(b, k) && (!a->asid || a->asid[i] == b->asid[k]) &&
	       (!a->task || a->task[i] == b->task[k]);
}

/* Finds the rows of `in` that begin a run, not counting the first row, and ORs the types of each
 * run into its first row. */
static size_t
find_runs(struct block *s, struct trc_batch *in)
{
	size_t runs = 0, start = 0;

	for (size_t i = 1; i < in->n; i++) {
		if (trc_same_page(in, i, in, i - 1)) {
			in->type[start] |= in->type[i];
		} else {
			start = i;
			s->first[runs++] = (uint32_t)i;
		}
	}
	return runs;
}

/* Appends the first rows of runs; if nearly every row is one, copies consecutive ones together. */
static void
put_runs(struct trc_batch *b, const struct trc_batch *in, const uint32_t *first, size_t runs)
{
	enum { FEW = 16 }; /* one row in this many does not begin a run */

	if (in->n - runs > in->n / FEW + 2) {
		trc_batch_pick(b, in, first, runs);
		return;
	}
	for (size_t i = 0, n; i < runs; i += n) {
		for (n = 1; i + n < runs && first[i + n] == first[i] + n; n++)
			continue;
		trc_batch_append(b, in, first[i], n);
	}
}

int
trc_meta_merged(struct trc_meta *meta, struct trc_err *err)
{
	if (meta->guarantee.window && !meta->guarantee.sad)
		return trc_fail_as(err, TRC_USAGE,
		                   "merging neighbours would change the working sets that the "
		                   "trace was reduced for; use --no-block or --window");
	meta->guarantee.window = meta->guarantee.clock = 0;
	meta->guarantee.reduced |= TRC_MERGED;
	return 0;
}

static enum trc_flow
block_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct block *s = (struct block *)src;
	struct trc_batch *in = &s->wrap.in, *held = &s->held;

	while (b->n == 0) {
		const enum trc_flow flow = trc_wrap_pull_for(&s->wrap, b, err);
		size_t runs;

		if (flow == TRC_FLOW_END && held->n > 0) {
			trc_batch_append(b, held, 0, 1);
			trc_batch_clear(held);
			break;
		}
		if (flow == TRC_FLOW_END && s->merged && trc_meta_merged(&s->wrap.src.meta, err))
			return TRC_FLOW_FAILED;
		if (flow != TRC_FLOW_ROWS)
			return flow;
		runs = find_runs(s, in);
		s->merged |= runs + 1 < in->n;
		if (held->n > 0 && trc_same_page(held, 0, in, 0)) {
			held->type[0] |= in->type[0];
			s->merged = true;
		} else {
			/* Row 0 begins a new run, so the held run is complete. */
			trc_batch_append(b, held, 0, held->n);
			trc_batch_clear(held);
			trc_batch_append(held, in, 0, 1);
		}
		if (runs > 0) {
			trc_batch_append(b, held, 0, 1);
			put_runs(b, in, s->first, runs - 1);
			trc_batch_clear(held);
			trc_batch_append(held, in, s->first[runs - 1], 1);
		}
	}
	return TRC_FLOW_ROWS;
}

static void
block_close(struct trc_source *src)
{
	trc_batch_release(&((struct block *)src)->held);
	trc_wrap_close(src);
}

struct trc_source *
trc_stage_block(struct trc_source *from, struct trc_err *err)
{
	struct block *s;

	assert(from->have & TRC_HAS_VPN && from->have & TRC_HAS_TYPE);
	s = trc_wrap_open(sizeof(*s), from, from->have, block_next, err);
	if (!s)
		return NULL;
	s->wrap.src.close = block_close;
	if (trc_batch_init(&s->held, from->have, 1, err))
		return trc_wrap_fail(&s->wrap.src);
	return &s->wrap.src;
}
