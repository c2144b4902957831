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
 * are the same for both. QED. (If the pages that are in the r-memory at the end are as dirty in
 * both, too, the same holds for all pages at every size.)
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
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stage/simulate/pages.h"

#define NOBODY UINT32_MAX

enum side { ORIGINAL, REDUCED, SIDES };

/* A page in one of the two memories. */
struct place {
	uint32_t older, newer;
	bool in, dirty;
};

/* A page, with its place in the memories of both sides. */
struct page {
	uint64_t number; /* virtual or canonical */
	uint32_t space;
	struct place place[SIDES];
};

/* An LRU memory of r pages: the ends of its list, and how many it holds. */
struct memory {
	uint32_t oldest, newest;
	uint64_t n;
};

/* The memories of one space, or of all: of the original and of the reduced trace. */
struct memories {
	struct memory of[SIDES];
};

/* What one reference did to a memory. */
struct event {
	bool fault, dirty;
	uint32_t victim; /* NOBODY: none had to leave */
};

/* What the stamps of the reduced trace were so far: those of the original, or what formats write
 * that have a place for a time which the trace does not have. */
struct stamps {
	bool original, made_up;
};

/* The sink. */
struct certify {
	struct trc_sink sink;
	struct trc_certificate *c;
	struct trc_source *source; /* the reduced trace */
	uint64_t r;
	struct trc_scope scope;
	bool spaces; /* are named in messages */

	struct trc_pages pages;
	struct page *page; /* by number */
	size_t known, cap; /* pages that are filled in */
	struct memories *memories;
	size_t n, memories_cap;
	struct trc_map map; /* space -> its memories */

	uint32_t id[TRC_BATCH_ROWS];
	struct trc_batch in; /* rows of the reduced trace; those from `at` on still wait */
	uint32_t in_id[TRC_BATCH_ROWS];
	size_t at;
	bool ended;
	struct stamps cycles, insns;
};

/* Numbers the pages of a batch, and gives the new ones their entries. */
static int
number(struct certify *s, const struct trc_batch *b, uint32_t *id, struct trc_err *err)
{
	const uint64_t *page = s->scope.canonical ? b->cpn : b->vpn;
	const uint32_t *space = s->scope.canonical ? NULL : b->asid;

	if (trc_pages_number(&s->pages, page, space, b->n, id, err) ||
	    trc_grow(&s->page, &s->cap, s->pages.n, sizeof(*s->page), err))
		return -1;
	for (size_t i = 0; i < b->n; i++)
		if (id[i] >= s->known) {
			s->page[id[i]] = (struct page){ page[i], space ? space[i] : 0, { { 0 } } };
			s->known = (size_t)id[i] + 1;
		}
	return 0;
}

/* The memories of a space; NULL if there can be no more. */
static struct memories *
memories_of(struct certify *s, uint32_t space, struct trc_err *err)
{
	const struct memory empty = { NOBODY, NOBODY, 0 };
	uint32_t known;

	if (!s->scope.by_space)
		space = 0;
	known = trc_map_find(&s->map, space, 0)->value;
	if (known != TRC_MAP_NONE)
		return &s->memories[known];
	if (s->n == TRC_CERTIFY_SPACES_MOST) {
		trc_fail(err, "more than %d address spaces", TRC_CERTIFY_SPACES_MOST);
		return NULL;
	}
	if (trc_grow(&s->memories, &s->memories_cap, s->n + 1, sizeof(*s->memories), err) ||
	    trc_map_add(&s->map, space, 0, (uint32_t)s->n, err))
		return NULL;
	s->memories[s->n] = (struct memories){ { empty, empty } };
	return &s->memories[s->n++];
}

static void
take_out(struct certify *s, struct memory *m, enum side side, uint32_t id)
{
	const struct place *p = &s->page[id].place[side];

	*(p->older == NOBODY ? &m->oldest : &s->page[p->older].place[side].newer) = p->newer;
	*(p->newer == NOBODY ? &m->newest : &s->page[p->newer].place[side].older) = p->older;
	m->n--;
}

static void
put_in(struct certify *s, struct memory *m, enum side side, uint32_t id)
{
	struct place *p = &s->page[id].place[side];

	p->older = m->newest;
	p->newer = NOBODY;
	*(m->newest == NOBODY ? &m->oldest : &s->page[m->newest].place[side].newer) = id;
	m->newest = id;
	m->n++;
}

static struct event
refer(struct certify *s, struct memory *m, enum side side, uint32_t id, bool write)
{
	struct place *p = &s->page[id].place[side];
	struct event e = { !p->in, false, NOBODY };

	if (m->newest == id) {
		p->dirty |= write;
		return e;
	}
	if (p->in) {
		take_out(s, m, side, id);
	} else if (m->n == s->r) {
		struct place *victim = &s->page[m->oldest].place[side];

		e.victim = m->oldest;
		e.dirty = victim->dirty;
		take_out(s, m, side, m->oldest);
		victim->in = victim->dirty = false;
	}
	put_in(s, m, side, id);
	p->in = true;
	p->dirty |= write;
	return e;
}

/* "page 0x12 of space 3" */
static const char *
name_page(const struct certify *s, uint32_t id, char *dst, size_t room)
{
	int len;

	if (id == NOBODY) {
		snprintf(dst, room, "no page");
		return dst;
	}
	len = snprintf(dst, room, "%spage 0x%llx", s->scope.canonical ? "canonical " : "",
	               (unsigned long long)s->page[id].number);
	if (s->spaces && len > 0 && (size_t)len < room)
		snprintf(dst + len, room - (size_t)len, " of space 0x%x",
		         (unsigned)s->page[id].space);
	return dst;
}

/* They part at a reference to a page. */
TRC_PRINTF(5, 6)
static int
part(struct certify *s, uint64_t rtime, uint32_t id, struct trc_err *err, const char *fmt, ...)
{
	char how[256], name[64];
	va_list args;

	va_start(args, fmt);
	vsnprintf(how, sizeof(how), fmt, args);
	va_end(args);
	s->c->parted = true;
	s->c->where = rtime;
	return trc_fail(err, "they part at reference %llu, to %s: %s", (unsigned long long)rtime,
	                name_page(s, id, name, sizeof(name)), how);
}

/* Makes a row of the reduced trace wait, unless there is none. */
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
	s->c->records += s->in.n;
	return number(s, &s->in, s->in_id, err);
}

static int
part_not_in_original(struct certify *s, struct trc_err *err)
{
	return part(s, s->in.rtime[s->at], s->in_id[s->at], err,
	            "the original has no such reference, or not in this place");
}

/* The events of a reference of the original, and of its record if there is one. */
static int
compare(struct certify *s, uint64_t rtime, uint32_t id, const struct event *a,
        const struct event *b, struct trc_err *err)
{
	const unsigned long long r = s->r;
	char x[64], y[64];

	if (a->fault && !b)
		return part(s, rtime, id, err,
		            "it faults at %llu pages, but the reduced trace left it out", r);
	if (!b)
		return 0;
	if (a->fault != b->fault)
		return part(s, rtime, id, err, "at %llu pages it faults in the %s trace only", r,
		            a->fault ? "original" : "reduced");
	if (a->victim != b->victim)
		return part(s, rtime, id, err,
		            "at %llu pages %s is evicted in the original trace, %s in the reduced",
		            r, name_page(s, a->victim, x, sizeof(x)),
		            name_page(s, b->victim, y, sizeof(y)));
	if (a->dirty != b->dirty)
		return part(s, rtime, id, err,
		            "at %llu pages %s is evicted dirty in the %s trace, clean in the other",
		            r, name_page(s, a->victim, x, sizeof(x)),
		            a->dirty ? "original" : "reduced");
	return 0;
}

/* Whether a stamp of the reduced trace is the original's, or is made up as all before it. */
static bool
stamp_fits(struct stamps *s, uint64_t v, const uint64_t *original, uint64_t made_up)
{
	const bool same = original && v == *original;

	s->original |= same && v != made_up;
	s->made_up |= !same && v == made_up;
	return (same || v == made_up) && !(s->original && s->made_up);
}

/* The stamps of the record that waits, against row `i` of the original. */
static int
compare_stamps(struct certify *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const struct {
		const char *name;
		struct stamps *so_far;
		const uint64_t *reduced, *original;
		uint64_t made_up;
	} stamp[] = {
		{ "cycle", &s->cycles, s->in.time, b->time, b->rtime[i] },
		{ "instruction", &s->insns, s->in.itime, b->itime, 0 },
	};

	for (size_t k = 0; k < TRC_COUNT(stamp); k++) {
		const uint64_t *original = stamp[k].original ? stamp[k].original + i : NULL;
		const uint64_t v = stamp[k].reduced ? stamp[k].reduced[s->at] : 0;

		if (!stamp[k].reduced || stamp_fits(stamp[k].so_far, v, original, stamp[k].made_up))
			continue;
		return part(s, b->rtime[i], s->id[i], err,
		            "its %s is %llu in the original, %llu in the reduced trace",
		            stamp[k].name,
		            (unsigned long long)(original ? *original : stamp[k].made_up),
		            (unsigned long long)v);
	}
	return 0;
}

static int
row(struct certify *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const uint32_t id = s->id[i];
	const bool write = b->type[i] == TRC_WRITE;
	struct memories *m;
	struct event a, e;
	bool kept, kept_write = false;

	if (pull(s, err))
		return -1;
	kept = !s->ended && s->in.rtime[s->at] == b->rtime[i] && s->in_id[s->at] == id;
	if (!s->ended && s->in.rtime[s->at] < b->rtime[i])
		return part_not_in_original(s, err);
	m = memories_of(s, b->asid ? b->asid[i] : 0, err);
	if (!m)
		return -1;
	a = refer(s, &m->of[ORIGINAL], ORIGINAL, id, write);
	if (kept && compare_stamps(s, b, i, err))
		return -1;
	if (kept) {
		kept_write = s->in.type[s->at++] == TRC_WRITE;
		e = refer(s, &m->of[REDUCED], REDUCED, id, kept_write);
	}
	if (compare(s, b->rtime[i], id, &a, kept ? &e : NULL, err))
		return -1;
	if (kept && write && !kept_write)
		return part(s, b->rtime[i], id, err, "a write has become a read");
	if (!a.fault)
		return 0;
	s->c->became_writes += kept_write && !write;
	s->c->faults++;
	s->c->evictions += a.victim != NOBODY;
	s->c->dirty += a.dirty;
	return 0;
}

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

static int
compare_totals(struct certify *s, const struct trc_meta *meta, struct trc_err *err)
{
	const struct trc_meta *reduced = &s->source->meta;
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
		                "they part at the end: the original has %llu %s, but the reduced "
		                "trace was made of one that has %llu",
		                (unsigned long long)total[i].original, total[i].name,
		                (unsigned long long)total[i].reduced);
	}
	return 0;
}

static int
certify_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct certify *s = (struct certify *)sink;
	const struct trc_meta *reduced = &s->source->meta;
	char name[64];

	if (pull(s, err))
		return -1;
	if (!s->ended)
		return part_not_in_original(s, err);
	for (uint32_t id = 0; id < s->pages.n; id++)
		if (s->page[id].place[ORIGINAL].dirty != s->page[id].place[REDUCED].dirty) {
			s->c->parted = true;
			return trc_fail(err,
			                "they part at the end: %s is dirty in the %s trace only",
			                name_page(s, id, name, sizeof(name)),
			                s->page[id].place[ORIGINAL].dirty ? "original" : "reduced");
		}
	if (meta->totals && reduced->totals && compare_totals(s, meta, err))
		return -1;
	s->c->pages = s->pages.n;
	return 0;
}

static void
certify_close(struct trc_sink *sink)
{
	struct certify *s = (struct certify *)sink;

	trc_batch_release(&s->in);
	trc_pages_release(&s->pages);
	trc_map_release(&s->map);
	free(s->page);
	free(s->memories);
	free(s);
}

struct trc_sink *
trc_certify_sink(struct trc_certificate *c, struct trc_source *reduced, uint64_t r,
                 const struct trc_scope *scope, uint32_t have, struct trc_err *err)
{
	struct certify *s;

	assert(r >= 1);
	*c = (struct trc_certificate){ 0 };
	s = trc_alloc(1, sizeof(*s), err);
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = certify_put,
		                     .finish = certify_finish,
		                     .close = certify_close };
	s->c = c;
	s->source = reduced;
	s->r = r;
	s->scope = *scope;
	s->spaces = have & TRC_HAS_ASID && !scope->canonical;
	if (trc_batch_init(&s->in, reduced->have, TRC_BATCH_ROWS, err) ||
	    trc_pages_init(&s->pages, err) || trc_map_init(&s->map, err)) {
		certify_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}
