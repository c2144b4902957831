/* SPDX-License-Identifier: MIT
 *
 * Certifies reduced traces. Two traces are compared in LRU memories of r pages only, in one joint
 * pass, with O(1) per reference. This suffices for all larger sizes:
 *
 *   If two traces have the same faults, the same victims, and the same dirty victims in an LRU
 *   memory of r pages, then they also have them in every LRU memory of m > r pages.
 *
 * Proof. The pages in the r-memory are those at positions 1 to r of the LRU stack; let C be the
 * others, in the order of the stack. C changes only when the r-memory faults: its victim, the page
 * at position r, becomes the first of C, and the page that faulted is taken out if it was in C. So
 * C follows from the faults and victims of the r-memory, and is the same for both traces at each of
 * them. The m-memory holds the r-memory and the first m - r pages of C. It faults exactly when the
 * r-memory faults on a page that is not among those, and its victim is the page at position m - r
 * of C: the same for both. That victim is dirty exactly if it was written since the m-memory
 * fetched it. It was written only while it was in the r-memory, during one or several stays there.
 * Each stay ended with an eviction, since the page is in C now. So the victim is dirty exactly if
 * one of these evictions was of a dirty page, and these are the same for both. QED. (A delete
 * leaves a free frame, in the r-memory or in C, and is in both traces; the first of the free frames
 * is filled without a victim, in both at the same fault. If the pages that remain in the r-memory
 * at the end are equally dirty in both, the same holds for all pages at every size.)
 *
 * The condition is also necessary, since m = r is one of the sizes. What a reduced trace does
 * within the r most recently used pages is invisible to all of these memories.
 *
 * In addition, each record must be a reference of the original, in its order, so that the faults
 * happen at the same references; and a write must not have become a read. The opposite is allowed,
 * and is counted for faults: reductions pass dropped writes to records that they keep, and blocking
 * merges a read and a following write (`trc help reduce`). Cycle and instruction of a record are
 * those of the reference, or all have the values that formats write if they need them and the trace
 * has none: the reference time and 0.
 */
#include "stage/reduce/certify.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "stage/reduce/lru_pairs.h"

#define NOBODY TRC_LRU_NOBODY

/* The stamps of a record. They come from the original, or have the values of formats that need a
 * time which the trace does not have. */
enum stamp { CYCLE, INSN, STAMPS };
enum from { ORIGINAL = 1, MADE_UP = 2 };

/* A reference of the original, its effect on both memories, and its record, if it was kept. */
struct comparison {
	uint64_t rtime;
	uint32_t id;
	bool kept, write, kept_write;
	struct trc_lru_pairs_event e[TRC_LRU_SIDES];
};

/* The sink that compares. */
struct certify {
	struct trc_sink sink;
	struct trc_certificate *c;
	const struct trc_page_totals
	        *totals; /* of the original, as the reduced trace states them; or NULL */
	struct trc_lru_pairs lru;
	bool spaces; /* messages name spaces */
	uint32_t id[TRC_BATCH_ROWS];
	unsigned from[STAMPS]; /* bits, of all records so far: where each stamp may come from */

	/* The reduced trace: rows from `at` on are pending, unless it has `ended`. */
	struct trc_source *source;
	struct trc_batch in;
	uint32_t in_id[TRC_BATCH_ROWS];
	size_t at;
	bool ended;
	uint64_t deletes; /* number of deletes, in both traces */
};

/* ---- the reduced trace ---- */

static int
number(struct certify *s, const struct trc_batch *b, uint32_t *id, struct trc_err *err)
{
	const bool canonical = s->lru.scope.canonical;

	return trc_lru_pairs_number(&s->lru, canonical ? b->cpn : b->vpn,
	                            canonical ? NULL : b->asid, b->n, id, err);
}

/* Makes the next record pending, if there is one. */
static int
pull(struct certify *s, struct trc_err *err)
{
	enum trc_flow flow;

	if (s->ended || s->at < s->in.n)
		return 0;
	s->at = 0;
	flow = trc_source_next(s->source, &s->in, err);
	if (flow == TRC_FLOW_FAILED)
		return -1;
	s->ended = flow == TRC_FLOW_END;
	return number(s, &s->in, s->in_id, err);
}

static void
pass(struct certify *s)
{
	s->at++;
	s->c->records++;
}

/* ---- differences ---- */

/* Formats a page as "page 0x12 of space 3". */
static const char *
name_page(const struct certify *s, uint32_t id, char *dst, size_t room)
{
	const struct trc_lru_pairs *t = &s->lru;
	int len;

	if (id == NOBODY) {
		snprintf(dst, room, "no page");
		return dst;
	}
	len = snprintf(dst, room, "%spage 0x%llx", t->scope.canonical ? "canonical " : "",
	               (ull)t->page[id].number);
	if (s->spaces && len > 0 && (size_t)len < room)
		snprintf(dst + len, room - (size_t)len, " of space 0x%x",
		         (unsigned)t->page[id].space);
	return dst;
}

/* Fails because the traces differ at a reference to a page. */
TRC_PRINTF(5, 6)
static int
fail_at(struct certify *s, uint64_t rtime, uint32_t id, struct trc_err *err, const char *fmt, ...)
{
	char how[256], name[64];
	va_list args;

	va_start(args, fmt);
	vsnprintf(how, sizeof(how), fmt, args);
	va_end(args);
	s->c->parted = true;
	s->c->where = rtime;
	return trc_fail(err, "first difference at reference %llu, to %s: %s", (ull)rtime,
	                name_page(s, id, name, sizeof(name)), how);
}

static int
fail_waiting(struct certify *s, struct trc_err *err)
{
	return fail_at(s, s->in.rtime[s->at], s->in_id[s->at], err,
	               "the original does not have this reference here");
}

/* ---- comparing ---- */

/* Compares the effects of a reference of the original, and of its record if there is one. */
static int
compare_events(struct certify *s, const struct comparison *w, struct trc_err *err)
{
	const struct trc_lru_pairs_event *a = &w->e[TRC_LRU_ORIGINAL], *b = &w->e[TRC_LRU_REDUCED];
	const unsigned long long r = s->lru.r;
	char x[64], y[64];

	if (a->fault && !w->kept)
		return fail_at(s, w->rtime, w->id, err,
		               "it faults at %llu pages, but the reduced trace lacks it", r);
	if (!w->kept)
		return 0;
	if (a->fault != b->fault)
		return fail_at(s, w->rtime, w->id, err,
		               "at %llu pages it faults only in the %s trace", r,
		               a->fault ? "original" : "reduced");
	if (a->victim != b->victim)
		return fail_at(
		        s, w->rtime, w->id, err,
		        "at %llu pages %s is evicted in the original trace, %s in the reduced", r,
		        name_page(s, a->victim, x, sizeof(x)),
		        name_page(s, b->victim, y, sizeof(y)));
	if (a->dirty != b->dirty)
		return fail_at(
		        s, w->rtime, w->id, err,
		        "at %llu pages %s is evicted dirty in the %s trace, clean in the other", r,
		        name_page(s, a->victim, x, sizeof(x)), a->dirty ? "original" : "reduced");
	return 0;
}

/* Compares a stamp of the pending record: it must be that of the original, or made up like all
 * before. */
static int
compare_stamp(struct certify *s, const struct comparison *w, enum stamp stamp, uint64_t reduced,
              const uint64_t *original, uint64_t made_up, struct trc_err *err)
{
	unsigned *const from = &s->from[stamp];
	const bool same = original && reduced == *original;

	*from |= same && reduced != made_up ? ORIGINAL : !same && reduced == made_up ? MADE_UP : 0;
	if ((same || reduced == made_up) && *from != (ORIGINAL | MADE_UP))
		return 0;
	return fail_at(s, w->rtime, w->id, err,
	               "its %s is %llu in the original, %llu in the reduced trace",
	               stamp == CYCLE ? "cycle" : "instruction",
	               (ull)(original ? *original : made_up), (ull)reduced);
}

/* Compares the stamps of the pending record with row `i` of the original. */
static int
compare_stamps(struct certify *s, const struct trc_batch *b, size_t i, const struct comparison *w,
               struct trc_err *err)
{
	if (s->in.time && compare_stamp(s, w, CYCLE, s->in.time[s->at],
	                                b->time ? &b->time[i] : NULL, w->rtime, err))
		return -1;
	return s->in.itime ? compare_stamp(s, w, INSN, s->in.itime[s->at],
	                                   b->itime ? &b->itime[i] : NULL, 0, err) :
	                     0;
}

/* Compares a reference that has a record, or faults. */
static int
compare_row(struct certify *s, const struct trc_batch *b, size_t i, struct comparison *w,
            struct trc_lru_pair *pair, struct trc_err *err)
{
	const struct trc_lru_pairs_event *a = &w->e[TRC_LRU_ORIGINAL];

	if (w->kept && compare_stamps(s, b, i, w, err))
		return -1;
	if (w->kept) {
		w->kept_write = s->in.type[s->at] == TRC_WRITE;
		pass(s);
		w->e[TRC_LRU_REDUCED] = trc_lru_pairs_refer(&s->lru, pair, TRC_LRU_REDUCED, w->id,
		                                            w->kept_write);
	}
	if (compare_events(s, w, err))
		return -1;
	if (w->kept && w->write && !w->kept_write)
		return fail_at(s, w->rtime, w->id, err, "a write has become a read");
	s->c->became_writes += a->fault && w->kept_write && !w->write;
	s->c->faults += a->fault;
	s->c->evictions += a->fault && a->victim != NOBODY;
	s->c->dirty += a->fault && a->dirty;
	return 0;
}

/* Compares row `i`, which deletes its page, with the pending record, which must do the same. */
static int
delete_page(struct certify *s, const struct trc_batch *b, size_t i, struct trc_lru_pair *pair,
            struct trc_err *err)
{
	const uint32_t id = s->id[i];

	if (s->ended || s->in.rtime[s->at] != b->rtime[i] || s->in_id[s->at] != id ||
	    s->in.type[s->at] != TRC_INVALIDATE)
		return fail_at(s, b->rtime[i], id, err,
		               "the original deletes it (a record of type invalidate), but the "
		               "reduced trace does not");
	pass(s);
	s->deletes++;
	trc_lru_pairs_delete(&s->lru, pair, TRC_LRU_ORIGINAL, id);
	trc_lru_pairs_delete(&s->lru, pair, TRC_LRU_REDUCED, id);
	return 0;
}

static int
row(struct certify *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	struct comparison w = { .rtime = b->rtime[i],
		                .id = s->id[i],
		                .write = b->type[i] == TRC_WRITE };
	struct trc_lru_pair *pair;

	if (pull(s, err))
		return -1;
	pair = trc_lru_pairs_of(&s->lru, b->asid ? b->asid[i] : 0, err);
	if (!pair)
		return -1;
	if (TRC_UNLIKELY(b->type[i] == TRC_INVALIDATE))
		return delete_page(s, b, i, pair, err);
	w.kept = !s->ended && s->in.rtime[s->at] == w.rtime && s->in_id[s->at] == w.id &&
	         s->in.type[s->at] != TRC_INVALIDATE;
	if (!s->ended && s->in.rtime[s->at] < w.rtime)
		return fail_waiting(s, err);
	s->lru.page[w.id].seen = true;
	w.e[TRC_LRU_ORIGINAL] = trc_lru_pairs_refer(&s->lru, pair, TRC_LRU_ORIGINAL, w.id, w.write);
	return w.kept || w.e[TRC_LRU_ORIGINAL].fault ? compare_row(s, b, i, &w, pair, err) : 0;
}

/* ---- the sink ---- */

static int
certify_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct certify *s = (struct certify *)sink;

	assert(b->n <= TRC_BATCH_ROWS);
	if (number(s, b, s->id, err))
		return -1;
	for (size_t i = 0; i < b->n; i++)
		if (row(s, b, i, err))
			return -1;
	s->c->references += b->n;
	return 0;
}

/* Compares the totals that the reduced trace states for its original. */
static int
compare_totals(struct certify *s, const struct trc_meta *meta, struct trc_err *err)
{
	const struct trc_page_totals *reduced = s->totals;
	const struct {
		const char *name;
		uint64_t original, reduced;
	} total[] = {
		{ "references", meta->refs, reduced->refs },
		{ "instructions", meta->insns, reduced->insns },
		{ "as its last cycle", meta->last_time, reduced->last_time },
	};

	for (size_t i = 0; i < TRC_COUNT(total); i++) {
		if (total[i].original == total[i].reduced)
			continue;
		s->c->parted = true;
		return trc_fail(err,
		                "they differ at the end: the original has %llu %s, but the "
		                "reduced trace was made from one with %llu",
		                (ull)total[i].original, total[i].name, (ull)total[i].reduced);
	}
	return 0;
}

/* Compares which pages are dirty at the end; reports the lowest that differs. */
static int
compare_dirty(struct certify *s, struct trc_err *err)
{
	const struct trc_lru_pairs_page *page = s->lru.page;
	uint32_t lowest = NOBODY;
	char name[64];

	for (uint32_t id = 0; id < s->lru.pages.n; id++) {
		const struct trc_lru_pairs_page *p = &page[id];

		if (p->place[TRC_LRU_ORIGINAL].dirty == p->place[TRC_LRU_REDUCED].dirty)
			continue;
		if (lowest == NOBODY || p->space < page[lowest].space ||
		    (p->space == page[lowest].space && p->number < page[lowest].number))
			lowest = id;
	}
	if (lowest == NOBODY)
		return 0;
	s->c->parted = true;
	return trc_fail(err, "they differ at the end: %s is dirty only in the %s trace",
	                name_page(s, lowest, name, sizeof(name)),
	                page[lowest].place[TRC_LRU_ORIGINAL].dirty ? "original" : "reduced");
}

static int
certify_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct certify *s = (struct certify *)sink;

	if (pull(s, err))
		return -1;
	if (!s->ended)
		return fail_waiting(s, err);
	if (compare_dirty(s, err) || (meta->totals && s->totals && compare_totals(s, meta, err)))
		return -1;
	s->c->references -= s->deletes;
	s->c->pages = s->lru.pages.n;
	for (size_t id = 0; s->deletes && id < s->lru.pages.n; id++)
		s->c->pages -= !s->lru.page[id].seen;
	return 0;
}

static void
certify_close(struct trc_sink *sink)
{
	struct certify *s = (struct certify *)sink;

	trc_batch_release(&s->in);
	trc_lru_pairs_release(&s->lru);
	free(s);
}

struct trc_sink *
trc_certify_sink(struct trc_certificate *c, struct trc_source *reduced, uint64_t r,
                 const struct trc_scope *scope, const struct trc_page_totals *totals, uint32_t have,
                 struct trc_err *err)
{
	struct certify *s = trc_alloc(1, sizeof(*s), err);

	assert(r >= 1);
	*c = (struct trc_certificate){ 0 };
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = certify_put,
		                     .finish = certify_finish,
		                     .close = certify_close };
	s->c = c;
	s->source = reduced;
	s->totals = totals;
	s->spaces = have & TRC_HAS_ASID && !scope->canonical;
	if (trc_batch_init(&s->in, reduced->have, TRC_BATCH_ROWS, err) ||
	    trc_lru_pairs_init(&s->lru, r, scope, err)) {
		certify_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}
