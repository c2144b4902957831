/* SPDX-License-Identifier: MIT
 * What certifying in one piece and in parts have in common: where two traces part. */
#include "stage/reduce/certify_part.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NOBODY TRC_TWINS_NOBODY

int
trc_certify_fetch(struct trc_certify *s, struct trc_err *err)
{
	enum trc_flow flow;

	s->at = 0;
	flow = trc_source_next(s->source, &s->in, err);
	if (flow == TRC_FLOW_FAILED)
		return -1;
	s->ended = flow == TRC_FLOW_END;
	return 0;
}

int
trc_certify_number(struct trc_certify *s, const struct trc_batch *b, uint32_t *id,
                   struct trc_err *err)
{
	const struct trc_scope *scope = &s->twins.scope;

	return trc_twins_number(&s->twins, scope->canonical ? b->cpn : b->vpn,
	                        scope->canonical ? NULL : b->asid, b->n, id, err);
}

int
trc_certify_pull(struct trc_certify *s, struct trc_err *err)
{
	if (!s->source || s->ended || s->at < s->in.n)
		return 0;
	return trc_certify_fetch(s, err) || trc_certify_number(s, &s->in, s->in_id, err) ? -1 : 0;
}

/* ---- where they part ---- */

/* "page 0x12 of space 3" */
static const char *
name_page(const struct trc_certify *s, uint32_t id, char *dst, size_t room)
{
	const struct trc_twins *t = &s->twins;
	int len;

	if (id == NOBODY) {
		snprintf(dst, room, "no page");
		return dst;
	}
	len = snprintf(dst, room, "%spage 0x%llx", t->scope.canonical ? "canonical " : "",
	               (unsigned long long)t->page[id].number);
	if (s->spaces && len > 0 && (size_t)len < room)
		snprintf(dst + len, room - (size_t)len, " of space 0x%x",
		         (unsigned)t->page[id].space);
	return dst;
}

/* They part at a reference to a page. */
int
trc_certify_fail_at(struct trc_certify *s, uint64_t rtime, uint32_t id, struct trc_err *err,
                    const char *fmt, ...)
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

int
trc_certify_fail_waiting(struct trc_certify *s, struct trc_err *err)
{
	uint32_t id;

	if (trc_twins_number(&s->twins, &s->waiting.page, &s->waiting.space, 1, &id, err))
		return -1;
	return trc_certify_fail_at(s, s->waiting.rtime, id, err,
	                           "the original has no such reference, or not in this place");
}

int
trc_certify_fail_stamp(struct trc_certify *s, const struct trc_certify_wait *w, struct trc_err *err)
{
	return trc_certify_fail_at(s, w->rtime, w->id, err,
	                           "its %s is %llu in the original, %llu in the reduced trace",
	                           w->stamp == TRC_CERTIFY_CYCLE ? "cycle" : "instruction",
	                           (unsigned long long)w->original, (unsigned long long)w->reduced);
}

int
trc_certify_keep(struct trc_certify *s, struct trc_err *err)
{
	struct trc_err why = *err;

	if (!s->c->parted || why.code != TRC_FAILED)
		return -1;
	*err = (struct trc_err){ 0 };
	free(s->why);
	s->why = trc_strdup(why.text, err);
	return s->why ? 0 : -1;
}

/* ---- comparing ---- */

/* The events of a reference of the original, and of its record if there is one. */
static int
compare(struct trc_certify *s, const struct trc_certify_wait *w, struct trc_err *err)
{
	const struct trc_twins_event *a = &w->e[TRC_TWIN_ORIGINAL], *b = &w->e[TRC_TWIN_REDUCED];
	const unsigned long long r = s->twins.r;
	char x[64], y[64];

	if (a->fault && !w->kept)
		return trc_certify_fail_at(
		        s, w->rtime, w->id, err,
		        "it faults at %llu pages, but the reduced trace left it out", r);
	if (!w->kept)
		return 0;
	if (a->fault != b->fault)
		return trc_certify_fail_at(s, w->rtime, w->id, err,
		                           "at %llu pages it faults in the %s trace only", r,
		                           a->fault ? "original" : "reduced");
	if (a->victim != b->victim)
		return trc_certify_fail_at(
		        s, w->rtime, w->id, err,
		        "at %llu pages %s is evicted in the original trace, %s in the reduced", r,
		        name_page(s, a->victim, x, sizeof(x)),
		        name_page(s, b->victim, y, sizeof(y)));
	if (a->dirty != b->dirty)
		return trc_certify_fail_at(
		        s, w->rtime, w->id, err,
		        "at %llu pages %s is evicted dirty in the %s trace, clean in the other", r,
		        name_page(s, a->victim, x, sizeof(x)), a->dirty ? "original" : "reduced");
	return 0;
}

static bool
is_open(const struct trc_twins_event *e)
{
	return e->open || e->dirty_open;
}

int
trc_certify_wait(struct trc_certify *s, const struct trc_certify_wait *w, struct trc_err *err)
{
	if (trc_grow(&s->wait, &s->waits_cap, s->waits + 1, sizeof(*s->wait), err))
		return -1;
	s->wait[s->waits++] = *w;
	return 0;
}

int
trc_certify_events(struct trc_certify *s, const struct trc_certify_wait *w, struct trc_err *err)
{
	const struct trc_twins_event *a = &w->e[TRC_TWIN_ORIGINAL];

	if (is_open(a) || (w->kept && is_open(&w->e[TRC_TWIN_REDUCED])))
		return trc_certify_wait(s, w, err);
	if (compare(s, w, err))
		return -1;
	if (!a->fault)
		return 0;
	s->c->became_writes += w->kept_write && !w->write;
	s->c->faults++;
	s->c->evictions += a->victim != NOBODY;
	s->c->dirty += a->dirty;
	return 0;
}

/* ---- at the end ---- */

int
trc_certify_totals(struct trc_certify *s, const struct trc_meta *meta, struct trc_err *err)
{
	const struct trc_page_totals *reduced = &s->part.total;
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

int
trc_certify_dirty(struct trc_certify *s, struct trc_err *err)
{
	const struct trc_twins_page *page = s->twins.page;
	uint32_t lowest = NOBODY;
	char name[64];

	for (uint32_t id = 0; id < s->twins.pages.n; id++) {
		const struct trc_twins_page *p = &page[id];

		if (p->place[TRC_TWIN_ORIGINAL].dirty == p->place[TRC_TWIN_REDUCED].dirty)
			continue;
		if (lowest == NOBODY || p->space < page[lowest].space ||
		    (p->space == page[lowest].space && p->number < page[lowest].number))
			lowest = id;
	}
	if (lowest == NOBODY)
		return 0;
	s->c->parted = true;
	return trc_fail(err, "they part at the end: %s is dirty in the %s trace only",
	                name_page(s, lowest, name, sizeof(name)),
	                page[lowest].place[TRC_TWIN_ORIGINAL].dirty ? "original" : "reduced");
}
