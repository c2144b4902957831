/* SPDX-License-Identifier: MIT */
#include "cmd/stat/ws_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t next_fn(const struct trc_ws_shown *s, uint64_t window);

/* The windows that are shown: powers of two, or in CSV and JSON whatever is exact; the first for 0,
 * and 0 after the one that is as long as the trace. */
static uint64_t
next_window(const struct trc_ws_shown *s, uint64_t window)
{
	const bool all = s->form != TRC_FORM_TEXT;
	uint64_t next = all ? trc_ws_window(window + 1) : window ? 2 * window : 1;

	if (window > s->ws.end - s->ws.begin || window > UINT64_MAX / 2)
		return 0;
	while (next < s->from && next <= UINT64_MAX / 2)
		next = all ? trc_ws_window(s->from) : 2 * next;
	return next;
}

/* The windows of the picture: powers of two, and seven between two of them. */
static uint64_t
next_drawn(const struct trc_ws_shown *s, uint64_t window)
{
	const uint64_t next = window < 8 ? window + 1 : trc_ws_window(window + window / 12 + 1);

	if (window > s->ws.end - s->ws.begin)
		return 0;
	return next < s->from ? trc_ws_window(s->from) : next;
}

static int
take_windows(struct trc_ws_shown *s, next_fn *next, size_t *n, struct trc_err *err)
{
	*n = 0;
	for (uint64_t w = 0; (w = next(s, w)); s->window[(*n)++] = w)
		if (trc_grow(&s->window, &s->cap, *n + 1, sizeof(*s->window), err))
			return -1;
	return 0;
}

/* Of touches, if they are known. */
static struct trc_value
miss_ratio(const struct trc_ws_shown *s, const struct trc_ws_point *p)
{
	return s->ws.touches || !s->ws.refs ? trc_ratio(p->misses, s->ws.touches) : trc_none();
}

static void
name_curve(struct trc_ws_shown *s, size_t i, struct trc_answer_group *g)
{
	snprintf(s->curve, sizeof(s->curve), s->by_space ? "space 0x%x" : "",
	         (unsigned)s->ws.of[i].space);
	g->name = s->curve;
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct trc_ws_shown *s = of;
	const struct trc_ws_pages *p = &s->ws.of[i];
	const uint64_t touches = s->ws.touches, refs = s->ws.refs;

	name_curve(s, i, g);
	if (s->by_space)
		snprintf(g->title, sizeof(g->title), "\nspace %lu\n", (unsigned long)p->space);
	TRC_FACTS(g, { TRC_FACT(space, NULL, trc_count_if(s->by_space, p->space)) },
	          { TRC_FACT(unit, NULL, trc_word(s->unit)) },
	          { TRC_FACT(page_size, NULL, trc_count_some(s->bytes)) },
	          { TRC_FACT(clock, NULL, trc_word(s->clock)) },
	          { TRC_FACT(instants, NULL, trc_count(trc_ws_instants(&s->ws))),
	            .beside = "instants" },
	          { TRC_FACT(references, NULL, trc_count(refs)), .beside = "references" },
	          { TRC_FACT(touches, NULL, trc_count_if(touches && touches != refs, touches)) },
	          { TRC_FACT(distinct, NULL, trc_count(p->pages)), .beside = s->touched });
	return take_windows(s, next_window, &g->rows, err);
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_ws_shown *s = of;
	const struct trc_ws_point at = trc_ws_at(&s->ws, &s->ws.of[i], s->window[k]);
	const struct trc_value footprint = at.footprint >= 0 ? trc_real(at.footprint) :
	                                                       trc_unknown();
	struct trc_value bytes = trc_real_if(s->bytes, at.size * (double)s->bytes);

	bytes.kind = s->bytes ? TRC_VALUE_LONG : bytes.kind;
	TRC_VALUES(cell, trc_count(s->ws.of[i].space), trc_count(s->window[k]), trc_real(at.size),
	           bytes, footprint, trc_count(at.misses), miss_ratio(s, &at), footprint,
	           trc_count(s->ws.refs), trc_count_some(s->ws.touches));
}

/* ---- the picture ---- */

static int
describe_drawn(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct trc_ws_shown *s = of;

	name_curve(s, i, g);
	return take_windows(s, next_drawn, &g->rows, err);
}

static void
row_drawn(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_ws_shown *s = of;
	const struct trc_ws_point at = trc_ws_at(&s->ws, &s->ws.of[i], s->window[k]);

	TRC_VALUES(cell, trc_count(s->window[k]), trc_real(at.size),
	           trc_real_if(at.footprint >= 0, at.footprint));
}

static void
set_picture(const struct trc_ws_shown *s, struct trc_answered *to)
{
	static const struct trc_column_decl sizes[] = { { .across = true },
		                                        { .curve = "" },
		                                        { .off = true } };
	static const struct trc_column_decl both[] = { { .across = true },
		                                       { .curve = "all windows" },
		                                       { .curve = "footprint: whole windows" } };

	to->drawn = to->answer;
	to->drawn.column = s->among || s->by_space ? sizes : both;
	to->drawn.columns = TRC_COUNT(both);
	to->drawn.group = describe_drawn;
	to->drawn.row = row_drawn;
	to->plot.x.unit = TRC_UNIT_COUNT;
	to->plot.text = true;
	to->plot.what = "Working sets";
	snprintf(to->plot.below, sizeof(to->plot.below), "window in %s", s->clock);
	snprintf(to->plot.left, sizeof(to->plot.left), "mean size in %ss", s->unit);
}

/* ---- the answer ---- */

/* What stands above all. */
static void
set_title(const struct trc_ws_shown *s, char *title, size_t room)
{
	char size[40] = "", touches[80] = "";

	if (s->bytes)
		snprintf(size, sizeof(size), " of %llu bytes", (ull)s->bytes);
	if (s->ws.touches && s->ws.touches != s->ws.refs)
		snprintf(touches, sizeof(touches), "%llu references, %llu touches\n",
		         (ull)s->ws.refs, (ull)s->ws.touches);
	if (s->among)
		snprintf(title, room, "working sets of %ss%s, windows in %s\n", s->unit, size,
		         s->clock);
	else
		snprintf(title, room, "working sets of %ss%s, windows in %s (%llu in total)\n%s\n",
		         s->unit, size, s->clock, (ull)trc_ws_instants(&s->ws), touches);
}

void
trc_ws_answer(struct trc_ws_shown *s, struct trc_answered *to)
{
	const bool wide = s->ws.touches != s->ws.refs;

	TRC_ANSWERED_TABLE(to, { TRC_NAMED(space), .off = !s->by_space },
	                   { TRC_COLUMN(window, "window", 13), .key = true, .across = true },
	                   { .name = trc_name_of_unit(TRC_NAME_pages, s->unit),
	                     .head = "mean size",
	                     .width = 12,
	                     .digits = 2,
	                     .beside = true },
	                   { TRC_COLUMN(bytes, s->bytes ? "mean bytes" : "", 16) },
	                   { .head = "footprint", .width = 12, .digits = 2 },
	                   { TRC_COLUMN(misses, "misses", 12) },
	                   { TRC_COLUMN(miss_ratio, wide ? "of touches" : "miss ratio", 10),
	                     .digits = 6, .beside = true },
	                   { TRC_NAMED(footprint) }, { TRC_NAMED(references), .off = !wide },
	                   { TRC_NAMED(touches), .off = !wide });
	set_title(s, to->title, sizeof(to->title));
	snprintf(s->touched, sizeof(s->touched), "%ss touched", s->unit);
	s->form = to->answer.form;
	to->answer.title = to->title;
	to->answer.several = true;
	to->answer.groups = s->ws.n;
	to->answer.of = s;
	to->answer.group = describe;
	to->answer.row = row;
	set_picture(s, to);
}

void
trc_ws_shown_release(void *shown)
{
	free(((struct trc_ws_shown *)shown)->window);
}
