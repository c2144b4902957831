/* SPDX-License-Identifier: MIT
 *
 * Certifying reduced traces. Two traces are compared in LRU memories of r pages only, in one joint
 * pass, O(1) a reference. That is enough for all sizes:
 *
 *   If two traces have, in an LRU memory of r pages, the same faults, victims, and victims that are
 *   dirty, then they have so in every LRU memory of m > r pages.
 *
 * Proof. The pages in the r-memory are those at positions 1 to r of the LRU stack; let C be the
 * others, in the order of the stack. C changes only when the r-memory faults: its victim, the page
 * at position r, becomes the first of C, and the page faulted on is taken out if it was in C. So
 * the faults and victims of the r-memory make C, which is the same for both traces at each of them.
 * The m-memory holds the r-memory and the first m - r pages of C. It faults just when the r-memory
 * does on a page that is not among those, and its victim is the page at position m - r of C: the
 * same for both. That victim is dirty just if it was written since the m-memory fetched it. It was
 * written only while it was in the r-memory, in one or several stays there, each of which ended
 * with an eviction (it is in C now): so just if one of these evictions was of a dirty page. They
 * are the same for both. QED. (A delete leaves a free place, in the r-memory or in C, and is in
 * both traces; the first of them is filled without a victim, in both at the same fault. If the
 * pages that are in the r-memory at the end are as dirty in both, too, the same holds for all pages
 * at every size.)
 *
 * Nothing less would do, since m = r is one of the sizes. What the reduced trace does within the r
 * pages used last, no memory of these sizes sees.
 *
 * Beyond this, each record has to be a reference of the original, in its order, so that the faults
 * happen at the same references; and a write must not have become a read. The other way is allowed,
 * and counted for faults: reductions give the writes that they drop to records that they keep, and
 * blocking makes one of a read and the write after it (`trc help reduce`). Cycle and instruction of
 * a record are those of the reference, or all are what formats write that need them where there are
 * none: the reference time and 0.
 */
#include "stage/reduce/certify.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "stage/reduce/certify_part.h"

#define NOBODY TRC_TWINS_NOBODY

/* ---- the reduced trace ---- */

/* Has the first record wait that is not in front of a reference. */
static int
find_first(struct trc_certify *s, uint64_t rtime, struct trc_err *err)
{
	while (!s->ended) {
		for (; s->at < s->in.n && s->in.rtime[s->at] < rtime; s->at++)
			s->record++;
		if (s->at < s->in.n)
			return trc_certify_number(s, &s->in, s->in_id, err);
		if (trc_certify_fetch(s, err))
			return -1;
	}
	return 0;
}

static int
part_not_in_original(struct trc_certify *s, struct trc_err *err)
{
	return trc_certify_fail_at(s, s->in.rtime[s->at], s->in_id[s->at], err,
	                           "the original has no such reference, or not in this place");
}

/* ---- comparing ---- */

/* A stamp of the reduced trace is the original's, or is made up as all before it. */
static int
compare_stamp(struct trc_certify *s, struct trc_certify_wait *w, const uint64_t *original,
              uint64_t made_up, struct trc_err *err)
{
	unsigned *const from = &s->from[w->stamp];
	const bool same = original && w->reduced == *original;
	const unsigned now = same && w->reduced != made_up  ? TRC_CERTIFY_ORIGINAL :
	                     !same && w->reduced == made_up ? TRC_CERTIFY_MADE_UP :
	                                                      0;
	const bool first = now & ~*from;

	*from |= now;
	w->original = original ? *original : made_up;
	if ((!same && w->reduced != made_up) ||
	    *from == (TRC_CERTIFY_ORIGINAL | TRC_CERTIFY_MADE_UP))
		return trc_certify_fail_stamp(s, w, err);
	w->from = (enum trc_certify_from)now;
	return first && s->twins.unknown ? trc_certify_wait(s, w, err) : 0;
}

/* The stamps of the record that waits, against row `i` of the original. */
static int
compare_stamps(struct trc_certify *s, const struct trc_batch *b, size_t i, uint64_t rtime,
               struct trc_err *err)
{
	const bool counted = s->sink.counted & TRC_HAS_ITIME;
	const uint64_t itime = b->itime ? b->itime[i] + (counted ? s->part.insns : 0) : 0;
	struct trc_certify_wait w = { .rtime = rtime, .id = s->id[i] };

	w.stamp = TRC_CERTIFY_CYCLE;
	w.reduced = s->in.time ? s->in.time[s->at] : 0;
	if (s->in.time && compare_stamp(s, &w, b->time ? &b->time[i] : NULL, rtime, err))
		return -1;
	w.stamp = TRC_CERTIFY_INSN;
	w.reduced = s->in.itime ? s->in.itime[s->at] : 0;
	if (s->in.itime && compare_stamp(s, &w, b->itime ? &itime : NULL, 0, err))
		return -1;
	return 0;
}

/* A reference with its record, or one that faults or may have. */
static int
compare_row(struct trc_certify *s, const struct trc_batch *b, size_t i, struct trc_certify_wait *w,
            struct trc_twins_pair *pair, struct trc_err *err)
{
	if (w->kept && compare_stamps(s, b, i, w->rtime, err))
		return -1;
	if (w->kept) {
		w->kept_write = s->in.type[s->at++] == TRC_WRITE;
		s->record++;
		w->e[TRC_TWIN_REDUCED] = trc_twins_refer(&s->twins, pair, TRC_TWIN_REDUCED, w->id,
		                                         w->kept_write);
	}
	if (trc_certify_events(s, w, err))
		return -1;
	if (w->kept && w->write && !w->kept_write)
		return trc_certify_fail_at(s, w->rtime, w->id, err, "a write has become a read");
	return 0;
}

/* Row `i` deletes its page, as the record does that waits. */
static int
delete_page(struct trc_certify *s, const struct trc_batch *b, size_t i, uint64_t rtime,
            struct trc_err *err)
{
	const uint32_t id = s->id[i];
	struct trc_twins_pair *pair = trc_twins_pair(&s->twins, b->asid ? b->asid[i] : 0, err);

	if (!pair)
		return -1;
	if (s->sink.kept)
		return trc_pages_no_deletes(false, 1, err);
	if (s->ended || s->in.rtime[s->at] != rtime || s->in_id[s->at] != id ||
	    s->in.type[s->at] != TRC_INVALIDATE)
		return trc_certify_fail_at(s, rtime, id, err,
		                           "the original deletes it (a record of type invalidate), "
		                           "and the reduced trace does not");
	s->at++;
	s->record++;
	s->deletes++;
	trc_twins_delete(&s->twins, pair, TRC_TWIN_ORIGINAL, id);
	trc_twins_delete(&s->twins, pair, TRC_TWIN_REDUCED, id);
	return 0;
}

static int
row(struct trc_certify *s, const struct trc_batch *b, size_t i, uint64_t rtime, struct trc_err *err)
{
	const bool write = b->type[i] == TRC_WRITE;
	const uint32_t id = s->id[i];
	struct trc_twins_pair *pair;
	struct trc_twins_event e;
	bool kept;

	if (trc_certify_pull(s, err))
		return -1;
	if (TRC_UNLIKELY(b->type[i] == TRC_INVALIDATE))
		return delete_page(s, b, i, rtime, err);
	kept = !s->ended && s->in.rtime[s->at] == rtime && s->in_id[s->at] == id &&
	       s->in.type[s->at] != TRC_INVALIDATE;
	if (!s->ended && s->in.rtime[s->at] < rtime)
		return part_not_in_original(s, err);
	pair = trc_twins_pair(&s->twins, b->asid ? b->asid[i] : 0, err);
	if (!pair)
		return -1;
	s->twins.page[id].seen = true;
	e = trc_twins_refer(&s->twins, pair, TRC_TWIN_ORIGINAL, id, write);
	if (!kept && !e.open && !e.fault)
		return 0;
	return compare_row(
	        s, b, i,
	        &(struct trc_certify_wait){
	                .rtime = rtime, .id = id, .kept = kept, .write = write, .e = { e } },
	        pair, err);
}

/* ---- the sink ---- */

/* The first row that comes. */
static int
begin(struct trc_certify *s, uint64_t rtime, struct trc_err *err)
{
	if (!s->part.first && find_first(s, rtime, err))
		return -1;
	s->any = true;
	s->first = rtime;
	s->first_record = s->record;
	return 0;
}

static int
put_rows(struct trc_certify *s, const struct trc_batch *b, struct trc_err *err)
{
	const uint64_t before = s->sink.counted & TRC_HAS_RTIME ? s->part.refs : 0;

	if (trc_certify_number(s, b, s->id, err))
		return -1;
	for (size_t i = 0; i < b->n; i++) {
		const uint64_t rtime = b->rtime[i] + before;

		if (!s->any && begin(s, rtime, err))
			return -1;
		if (s->sink.kept && rtime < s->last)
			return trc_fail(err, "its reference times run backwards, so no shard knows "
			                     "where its records are: certify the whole");
		s->last = rtime;
		if (row(s, b, i, rtime, err))
			return -1;
	}
	s->c->references += b->n;
	return 0;
}

static int
certify_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct trc_certify *s = (struct trc_certify *)sink;

	assert(b->n <= TRC_BATCH_ROWS);
	if (s->why || b->n == 0)
		return 0;
	if (put_rows(s, b, err) == 0)
		return 0;
	return sink->kept ? trc_certify_keep(s, err) : -1;
}

static int
certify_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct trc_certify *s = (struct trc_certify *)sink;

	if (s->why)
		return trc_fail(err, "%s", s->why);
	if (s->twins.unknown)
		return trc_sink_damaged(err);
	if (trc_certify_pull(s, err))
		return -1;
	if (!s->ended)
		return s->source ? part_not_in_original(s, err) : trc_certify_fail_waiting(s, err);
	if (trc_certify_dirty(s, err) ||
	    (meta->totals && s->part.totals && trc_certify_totals(s, meta, err)))
		return -1;
	s->c->records = s->record;
	s->c->references -= s->deletes;
	s->c->pages = s->twins.pages.n;
	for (size_t id = 0; s->deletes && id < s->twins.pages.n; id++)
		s->c->pages -= !s->twins.page[id].seen;
	return 0;
}

static void
certify_close(struct trc_sink *sink)
{
	struct trc_certify *s = (struct trc_certify *)sink;

	trc_batch_release(&s->in);
	trc_twins_release(&s->twins);
	free(s->wait);
	free(s->why);
	free(s);
}

struct trc_sink *
trc_certify_sink(struct trc_certificate *c, struct trc_source *reduced, uint64_t r,
                 const struct trc_scope *scope, const struct trc_certify_part *part, uint32_t have,
                 struct trc_err *err)
{
	struct trc_certify *s;

	assert(r >= 1 || !reduced);
	*c = (struct trc_certificate){ 0 };
	s = trc_alloc(1, sizeof(*s), err);
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = certify_put,
		                     .finish = certify_finish,
		                     .close = certify_close,
		                     .save = trc_certify_save,
		                     .append = trc_certify_append };
	s->c = c;
	s->source = reduced;
	s->part = *part;
	s->spaces = have & TRC_HAS_ASID && !scope->canonical;
	if ((reduced && trc_batch_init(&s->in, reduced->have, TRC_BATCH_ROWS, err)) ||
	    trc_twins_init(&s->twins, r, scope, err)) {
		certify_close(&s->sink);
		return NULL;
	}
	s->twins.unknown = !part->first;
	return &s->sink;
}

uint64_t
trc_certify_size(const struct trc_sink *sink, struct trc_scope *scope)
{
	const struct trc_twins *t = &((const struct trc_certify *)sink)->twins;

	*scope = t->scope;
	return t->r;
}
