/* SPDX-License-Identifier: MIT
 * Selects rows by their type and by ranges of values in their columns. */
#include "stage/filter.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "batch/type.h"
#include "stage/last_fetch.h"
#include "stage/wrap.h"

enum { RANGES_MOST = 64, COLUMNS_MOST = 4 };

/* A range of wanted values, both ends included. */
struct range {
	uint64_t first, last;
};

/* A column, and its wanted values. */
struct wanted {
	enum trc_column column;
	size_t n;
	struct range range[RANGES_MOST];
};

/* The stage. */
struct filter {
	struct trc_wrap wrap;
	bool by_type, spaces_only;
	bool follows; /* column pc is that of the last fetch */
	bool any;     /* any row was read */
	struct trc_last_fetch last;
	uint32_t types; /* wanted types, as a bit mask */
	struct wanted wanted[COLUMNS_MOST];
	size_t n;
	uint8_t keep[TRC_BATCH_ROWS];
	uint32_t row[TRC_BATCH_ROWS];
};

bool
trc_filter_any(const struct trc_filter *f)
{
	return f->only || f->addr || f->pc || f->task || f->space;
}

/* ---- rows ---- */

static void
keep_types(struct filter *s, const struct trc_batch *in, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->keep[i] = s->types >> (in->type[i] & TRC_TYPE_MASK) & 1;
}

static uint8_t
is_wanted(const struct wanted *w, uint64_t v)
{
	uint8_t yes = 0;

	for (size_t k = 0; k < w->n; k++)
		yes |= v - w->range[k].first <= w->range[k].last - w->range[k].first;
	return yes;
}

/* Keeps rows with wanted values in a column, and all events, which have none of these values. */
static void
keep_wanted(struct filter *s, const struct wanted *w, const struct trc_batch *in, size_t n)
{
	const void *column = trc_batch_column(in, w->column);
	const bool wide = trc_column[w->column].width == 8;

	for (size_t i = 0; i < n; i++) {
		const uint64_t v = wide ? ((const uint64_t *)column)[i] :
		                          ((const uint32_t *)column)[i];

		s->keep[i] &= is_wanted(w, v) | trc_batch_is_event(in, i);
	}
}

/* Does the same for instructions found from fetches; unknown ones count as address 0. */
static int
keep_instructions(struct filter *s, const struct wanted *w, const struct trc_batch *in,
                  struct trc_err *err)
{
	uint64_t pc;

	for (size_t i = 0; i < in->n; i++) {
		if (trc_last_fetch_row(&s->last, in, i, &pc, err) < 0)
			return -1;
		s->keep[i] &= is_wanted(w, pc) | trc_batch_is_event(in, i);
	}
	return 0;
}

/* Lists the *rows wanted rows of the batch. */
static int
choose(struct filter *s, size_t *rows, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	size_t n = 0;

	s->any |= in->n > 0;
	memset(s->keep, 1, in->n);
	if (s->by_type)
		keep_types(s, in, in->n);
	for (size_t i = 0; i < s->n; i++)
		if (!s->follows || s->wanted[i].column != TRC_COL_PC)
			keep_wanted(s, &s->wanted[i], in, in->n);
		else if (keep_instructions(s, &s->wanted[i], in, err))
			return -1;
	for (size_t i = 0; i < in->n; i++) {
		s->row[n] = (uint32_t)i;
		n += s->keep[i];
	}
	*rows = n;
	return 0;
}

/* Fails if the trace was reduced, unless whole spaces are selected: with only some of its rows, it
 * is not exact. */
static int
check_reduced(const struct filter *s, const struct trc_meta *meta, struct trc_err *err)
{
	if (s->spaces_only || trc_guarantee_none(&meta->guarantee))
		return 0;
	return trc_fail_as(err, TRC_USAGE,
	                   "the trace was reduced, and a part of it is not exact; filter the "
	                   "original, then reduce");
}

static int
filter_meta(struct trc_wrap *w, bool ended, struct trc_err *err)
{
	const struct filter *s = (const struct filter *)w;

	if (ended && check_reduced(s, &w->src.meta, err))
		return -1;
	if (ended && s->follows && s->last.n == 0 && s->any)
		return trc_fail(err, "--pc: the trace has neither 'pc' nor fetches");
	trc_meta_filtered(&w->src.meta);
	return 0;
}

static enum trc_flow
filter_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct filter *s = (struct filter *)src;
	struct trc_wrap *w = &s->wrap;

	while (b->n == 0) {
		const enum trc_flow flow = trc_wrap_pull_for(w, b, err);
		size_t n;

		if (flow != TRC_FLOW_ROWS)
			return flow;
		if (choose(s, &n, err))
			return TRC_FLOW_FAILED;
		trc_batch_pick(b, &w->in, s->row, n);
	}
	return TRC_FLOW_ROWS;
}

static void
filter_close(struct trc_source *src)
{
	trc_last_fetch_release(&((struct filter *)src)->last);
	trc_wrap_close(src);
}

/* ---- parsing options ---- */

static int
parse_type(struct filter *s, const char *word, size_t len, struct trc_err *err)
{
	char name[32];
	struct trc_suggest suggest = { .word = name };
	const uint32_t types = trc_type_bits(word, len);

	s->types |= types;
	if (types)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)len, word);
	for (unsigned t = 0; t < TRC_TYPES; t++)
		trc_suggest_offer(&suggest, trc_type_name[t]);
	return trc_suggest_fail(&suggest, "", "; types are read, write, fetch, modify and others",
	                        err, "--only: unknown type '%s'", name);
}

/* Parses "LO-HI", "LO-", "-HI" or "N"; with `bytes`, units of bytes are allowed. */
static bool
parse_range(const char *text, bool bytes, struct range *r)
{
	char low[64];
	const char *dash = strchr(text, '-');
	const size_t len = dash ? (size_t)(dash - text) : strlen(text);

	*r = (struct range){ 0, UINT64_MAX };
	if (len >= sizeof(low) || (dash && len == 0 && !dash[1]))
		return false;
	memcpy(low, text, len);
	low[len] = 0;
	if ((len > 0 || !dash) && !trc_opt_number(low, bytes, &r->first))
		return false;
	if (!dash)
		r->last = r->first;
	return !dash || !dash[1] || trc_opt_number(dash + 1, bytes, &r->last);
}

int
trc_filter_range(const char *option, bool bytes, const char *word, size_t len, uint64_t *first,
                 uint64_t *last, struct trc_err *err)
{
	struct range r;
	char text[128];

	snprintf(text, sizeof(text), "%.*s", (int)len, word);
	if (len >= sizeof(text) || !parse_range(text, bytes, &r))
		return trc_fail_as(err, TRC_USAGE, "--%s: '%s' is not a range; write one like %s",
		                   option, text,
		                   bytes ? "4096, 0x1000-0x1fff or 64K-" : "7, 0x10-0x1f or 1000-");
	if (r.last < r.first)
		return trc_fail_as(err, TRC_USAGE, "--%s: '%s' ends before it begins", option,
		                   text);
	*first = r.first;
	*last = r.last;
	return 0;
}

static int
parse_one(struct wanted *w, const char *option, const char *word, size_t len, struct trc_err *err)
{
	const bool bytes = w->column == TRC_COL_ADDR || w->column == TRC_COL_PC;
	struct range *r = &w->range[w->n];

	if (trc_filter_range(option, bytes, word, len, &r->first, &r->last, err))
		return -1;
	w->n++;
	return 0;
}

static int
parse_wanted(struct filter *s, const char *option, enum trc_column c, const char *words,
             struct trc_err *err)
{
	struct wanted *w = &s->wanted[s->n];

	if (!words)
		return 0;
	s->n++;
	w->column = c;
	if (!(s->wrap.from->have >> c & 1) && !(c == TRC_COL_PC && s->follows))
		return trc_fail(err, "--%s: the trace has no '%s'%s", option, trc_column[c].name,
		                c == TRC_COL_ADDR && s->wrap.from->have & TRC_HAS_VPN ?
		                        ", only pages" :
		                        "");
	for (const char *p = words;; p++) {
		const size_t len = strcspn(p, ",");

		if (w->n == RANGES_MOST)
			return trc_fail_as(err, TRC_USAGE, "--%s: more than %d ranges", option,
			                   RANGES_MOST);
		if (parse_one(w, option, p, len, err))
			return -1;
		p += len;
		if (!*p)
			return 0;
	}
}

static int
parse_types(struct filter *s, const char *words, struct trc_err *err)
{
	s->by_type = words;
	if (words && !(s->wrap.from->have & TRC_HAS_TYPE))
		return trc_fail(err, "--only: the trace has no types");
	for (const char *p = words; p; p++) {
		const size_t len = strcspn(p, ",");

		if (parse_type(s, p, len, err))
			return -1;
		p += len;
		if (!*p)
			break;
	}
	return 0;
}

static int
parse(struct filter *s, const struct trc_filter *f, struct trc_err *err)
{
	s->spaces_only = !f->only && !f->addr && !f->pc && !f->task;
	if (parse_types(s, f->only, err) || parse_wanted(s, "addr", TRC_COL_ADDR, f->addr, err) ||
	    parse_wanted(s, "pc", TRC_COL_PC, f->pc, err) ||
	    parse_wanted(s, "task", TRC_COL_TASK, f->task, err) ||
	    parse_wanted(s, "space", TRC_COL_ASID, f->space, err) ||
	    check_reduced(s, &s->wrap.from->meta, err))
		return -1;
	return 0;
}

bool
trc_filter_follows(const struct trc_filter *f, const struct trc_source *from)
{
	return f->pc && !(from->have & TRC_HAS_PC) && trc_last_fetch_shows(from->have);
}

/* Returns true if fetches are filtered out, but not all rows that depend on them. */
static bool
leaves_gaps(const struct filter *s, const struct trc_filter *f)
{
	return f->addr || (s->by_type && !(s->types >> TRC_FETCH & 1));
}

struct trc_source *
trc_stage_filter(struct trc_source *from, const struct trc_filter *f, struct trc_err *err)
{
	struct filter *s = trc_wrap_open(sizeof(*s), from, from->have, filter_next, err);

	if (!s)
		return NULL;
	s->wrap.src.close = filter_close;
	s->follows = trc_filter_follows(f, from);
	if (parse(s, f, err) || (s->follows && trc_last_fetch_init(&s->last, err)))
		return trc_wrap_fail(&s->wrap.src);
	trc_meta_filtered(&s->wrap.src.meta);
	s->wrap.take_meta = filter_meta;
	if (leaves_gaps(s, f))
		s->wrap.src.fetched |= TRC_FETCHED_GAPS;
	if (!s->follows)
		trc_wrap_pieces(&s->wrap);
	return &s->wrap.src;
}
