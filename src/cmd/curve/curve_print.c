/* SPDX-License-Identifier: MIT */
#include "cmd/curve/curve_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

/* The answer, and the current curve. */
struct printed {
	enum trc_form form;
	const struct trc_plotting *g;
	struct trc_curves *const *asked;
	const struct trc_curves *c;
	const struct trc_mrc_curve *curve;
	uint64_t *size;
	char touched[32], bytes[32]; /* column heads */
};

/* Selects the curve of group `i`. Groups are numbered across all runs of the question. */
static void
take_curve(struct printed *p, size_t i)
{
	struct trc_curves *const *c = p->asked;

	for (; i >= (*c)->mrc.n; c++)
		i -= (*c)->mrc.n;
	p->c = *c;
	p->curve = &p->c->mrc.curve[i];
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct printed *p = of;
	const struct trc_curves *c;
	uint64_t refs, touches;

	take_curve(p, i);
	c = p->c;
	free(p->size);
	p->size = trc_curve_sizes(c, p->curve, &g->rows, err);
	refs = trc_curve_refs(c, p->curve);
	touches = trc_curve_touches(c, p->curve);
	TRC_FACTS(g, { TRC_FACT(input, NULL, trc_word(c->input)) },
	          { TRC_FACT(space, "", trc_count_if(c->by_space, p->curve->space)) },
	          { TRC_FACT(unit, NULL, trc_word(c->unit)) },
	          { TRC_FACT(references, "", trc_count_if(refs || !c->reduced, refs)) },
	          { TRC_FACT(touches, "", trc_count_if(c->wide && touches, touches)) },
	          { TRC_FACT(requested_bytes, "bytes requested",
	                     trc_count_if(c->requests, trc_mrc_missed_bytes(p->curve, 0))) },
	          { TRC_FACT(warmup, c->insns ? "after instructions" : "after records",
	                     trc_count_some(c->warmup)) },
	          { TRC_FACT(policy, "", trc_word(c->way ? c->way : c->policy)) },
	          { TRC_FACT(writes_do, "", trc_word(c->writes)) },
	          { TRC_FACT(counted, "", trc_word(c->reads ? "reads" : NULL)) },
	          { TRC_FACT(distinct, p->touched, trc_count(p->curve->pages * c->sample)) },
	          { TRC_FACT(page_size, p->bytes, trc_count_if(c->bytes, UINT64_C(1) << c->bits)) },
	          { TRC_FACT(first_counted, NULL, trc_yes(c->first)) },
	          { TRC_FACT(holds_from, "holds for memories from",
	                     c->reduced ? trc_count(trc_curve_least(c)) :
	                                  trc_blank(trc_count(trc_curve_least(c)))) },
	          { TRC_FACT(sample, "approximate: one page in",
	                     c->sample > 1 ? trc_count(c->sample) :
	                                     trc_blank(trc_count(c->sample))) });
	strcpy(g->title, i ? "\n" : "");
	g->above = "\n";
	g->draws = true;
	return p->size ? 0 : -1;
}

static int
draw(const struct trc_answer *a, size_t i, struct trc_out *out, struct trc_err *err)
{
	const struct printed *p = a->of;

	(void)i;
	return trc_curve_plot(p->c, p->curve, p->g, out, err);
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct printed *p = of;
	const struct trc_curves *c = p->c;
	const struct trc_curve_point at = trc_curve_at(c, p->curve, p->size[k]);
	const uint64_t refs = trc_curve_refs(c, p->curve);
	const uint64_t touches = trc_curve_touches(c, p->curve);
	const bool sample = c->sample > 1;

	(void)i;
	TRC_VALUES(cell, trc_word(c->input), trc_word(c->way), trc_count(p->curve->space),
	           trc_count(at.pages),
	           at.bytes ? trc_value(TRC_VALUE_BYTES, at.bytes) : trc_none(),
	           trc_count(at.misses), trc_count(at.misses_in.low), trc_count(at.misses_in.high),
	           trc_count(at.first), trc_real_if(at.ratio >= 0, at.ratio),
	           trc_count(at.missed_requests), trc_ratio(at.missed_requests, refs),
	           trc_count(at.missed_bytes),
	           trc_ratio(at.missed_bytes, trc_mrc_missed_bytes(p->curve, 0)),
	           trc_count_if(!(sample && c->writes), at.writebacks),
	           trc_count_if(sample, at.misses_in.low), trc_count_if(sample, at.misses_in.high),
	           trc_count_if(sample && !c->writes, at.writebacks_in.low),
	           trc_count_if(sample && !c->writes, at.writebacks_in.high),
	           trc_count_if(refs || touches, refs), trc_count_some(touches));
}

/* A sample has confidence intervals: they contain the true value for 95 of 100 samples. */
static int
print(struct printed *p, size_t curves, const struct trc_curves *c, struct trc_err *err)
{
	const enum trc_name pages = trc_name_of_unit(TRC_NAME_pages, c->unit);
	const bool sample = c->sample > 1, intervals = sample || c->intervals;
	const bool requests = c->requests;
	const int width = sample || requests ? 12 : 18;
	const char *misses = c->first ? "misses" : sample ? "not first" : "misses, not first";
	const struct trc_column_decl column[] = {
		{ TRC_NAMED(input), .off = !c->input },
		{ TRC_NAMED(policy), .off = !c->way },
		{ TRC_NAMED(space), .off = !c->by_space },
		{ .name = pages, .head = trc_name_row[pages].name, .width = 10, .key = true },
		{ TRC_COLUMN(bytes, c->bytes ? "size" : "", 12), .key = true },
		{ TRC_COLUMN(misses, misses, width) },
		{ .head = "95 % from", .width = 12, .off = !sample },
		{ .head = "to", .width = 12, .off = !sample },
		{ TRC_NAMED(first_misses) },
		{ TRC_COLUMN(miss_ratio,
		             sample  ? NULL :
		             c->wide ? "of touches" :
		                       "ratio",
		             requests ? 12 : 14),
		  .digits = 4, .percent = true },
		{ TRC_NAMED(missed_requests), .off = !requests },
		{ TRC_COLUMN(request_miss_ratio, "of requests", 12), .digits = 4, .percent = true,
		  .off = !requests },
		{ TRC_NAMED(missed_bytes), .off = !requests },
		{ TRC_COLUMN(byte_miss_ratio, "of bytes", 11), .digits = 4, .percent = true,
		  .off = !requests },
		{ TRC_COLUMN(writebacks, "write-backs", width) },
		{ TRC_NAMED(misses_low), .off = !intervals },
		{ TRC_NAMED(misses_high), .off = !intervals },
		{ TRC_COLUMN(writebacks_low, sample ? "95 % from" : NULL, 12), .off = !intervals },
		{ TRC_COLUMN(writebacks_high, sample ? "to" : NULL, 12), .off = !intervals },
		{ TRC_NAMED(references), .off = !c->wide },
		{ TRC_NAMED(touches), .off = !c->wide },
	};

	snprintf(p->touched, sizeof(p->touched), "%ss touched", c->unit);
	snprintf(p->bytes, sizeof(p->bytes), "%s size", c->unit);
	return trc_answer_print(&(const struct trc_answer){ .form = p->form,
	                                                    TRC_TABLE(column),
	                                                    .several = true,
	                                                    .groups = curves,
	                                                    .of = p,
	                                                    .group = describe,
	                                                    .row = row,
	                                                    .draw = draw },
	                        err);
}

int
trc_curves_print(struct trc_curves *const *c, size_t n, enum trc_form form,
                 const struct trc_plotting *g, struct trc_err *err)
{
	struct printed p = { .form = form, .g = g, .asked = c };
	size_t curves = 0;
	int ret;

	for (size_t i = 0; i < n; i++)
		curves += c[i]->mrc.n;
	ret = print(&p, curves, c[0], err);
	free(p.size);
	return ret;
}

/* ---- several in one table ---- */

/* Fails if the page sizes differ: equal numbers of pages are then different memories. */
static int
check_pages(struct trc_curves *const *c, size_t n, struct trc_err *err)
{
	size_t known = n;

	for (size_t i = 0; i < n; i++) {
		if (!c[i]->bytes)
			continue;
		if (known < n && c[known]->bits != c[i]->bits)
			return trc_fail(err,
			                "'%s' has pages of %llu bytes but '%s' of %llu, so no "
			                "memory size is common to both",
			                c[known]->input, 1ull << c[known]->bits, c[i]->input,
			                1ull << c[i]->bits);
		known = i;
	}
	return 0;
}

static int
name_curves(struct trc_curves_compared *all, size_t policies, struct trc_err *err)
{
	const size_t traces = all->n / policies;
	const char **path = trc_alloc(traces, sizeof(*path), err);
	int ret = path ? 0 : -1;

	for (size_t i = 0; path && i < traces; i++)
		path[i] = all->c[i * policies]->input;
	if (ret == 0)
		ret = trc_side_by_side_init(&all->curves, path, traces, err);
	for (size_t i = 0; i < all->n; i++) {
		struct trc_curves *c = all->c[i];

		for (size_t k = 0; ret == 0 && k < c->mrc.n; k++)
			ret = trc_side_by_side_add(&all->curves, i / policies, c->way,
			                           c->by_space ? (int64_t)c->mrc.curve[k].space :
			                                         -1,
			                           c, k, err);
	}
	free(path);
	return ret;
}

int
trc_curves_compared_init(struct trc_curves_compared *all, struct trc_curves *const *c, size_t n,
                         size_t policies, struct trc_err *err)
{
	size_t samples = 0, wide = 0;

	*all = (struct trc_curves_compared){ .c = c, .n = n };
	for (size_t i = 0; i < n; i++) {
		samples += c[i]->sample > 1;
		wide += c[i]->wide;
	}
	for (size_t i = 0; i < n; i++) {
		c[i]->intervals = samples > 0;
		c[i]->wide = wide > 0;
	}
	return check_pages(c, n, err) ? -1 : name_curves(all, policies, err);
}

void
trc_curves_compared_release(struct trc_curves_compared *all)
{
	trc_side_by_side_release(&all->curves);
}

/* ---- the table ---- */

static const struct trc_mrc_curve *
curve_of(const struct trc_side_by_side_curve *curve)
{
	return &((const struct trc_curves *)curve->of)->mrc.curve[curve->at];
}

/* Sets the facts above the table of a single trace, or the columns of one of several. */
static const char *
curve_facts(const struct trc_side_by_side_curve *curve, struct trc_value fact[3])
{
	const struct trc_curves *c = curve->of;
	const uint64_t refs = trc_curve_refs(c, curve_of(curve));

	fact[0] = refs > 0 || !c->reduced ? trc_count(refs) : trc_unknown();
	fact[1] = trc_count(curve_of(curve)->pages * c->sample);
	fact[2] = c->reduced ? trc_count(trc_curve_least(c)) : trc_unknown();
	return c->sample > 1 ? " (approximate)" : "";
}

/* Marks a row that is a share of the pages of each trace, instead of a number of pages. */
#define SHARE (UINT64_C(1) << 63)

static void
set_shares(const struct trc_curves *c, uint64_t *row)
{
	for (size_t i = 0; c->input && i < c->sizes; i++)
		row[i] = c->share[i] ? SHARE | c->share[i] : row[i];
}

/* The pages of a row; 0: none of this curve. */
static uint64_t
pages_of(const struct trc_curves *c, uint64_t row)
{
	for (size_t i = 0; row & SHARE && i < c->sizes; i++)
		if (row == (SHARE | c->share[i]))
			return c->size[i];
	return row & SHARE ? 0 : row;
}

/* The sizes of all curves, each once. */
static uint64_t *
sizes_of(const struct trc_curves_compared *all, size_t *n, struct trc_err *err)
{
	uint64_t *size = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < all->curves.n; i++) {
		size_t more;
		uint64_t *own = trc_curve_sizes(all->curves.curve[i].of,
		                                curve_of(&all->curves.curve[i]), &more, err);

		if (!own || trc_grow(&size, &cap, *n + more + 1, sizeof(*size), err)) {
			free(own);
			free(size);
			return NULL;
		}
		set_shares(all->curves.curve[i].of, own);
		memcpy(size + *n, own, more * sizeof(*own));
		*n = trc_numbers_distinct(size, *n + more);
		free(own);
	}
	return size ? size : trc_alloc(1, sizeof(*size), err);
}

/* The first that knows how many bytes a page has, if one does. */
static const struct trc_curves *
known_bytes(const struct trc_curves_compared *all)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->c[i]->bytes)
			return all->c[i];
	return all->c[0];
}

static void
keys(void *of, uint64_t row, struct trc_value key[2])
{
	struct trc_curves_compared *all = of;
	const struct trc_curves *c = known_bytes(all);

	if (row & SHARE)
		snprintf(all->share, sizeof(all->share), "%g %%", (double)(row & ~SHARE) / 1e7);
	key[0] = row & SHARE ? trc_word(all->share) : trc_count(row);
	key[1] = row & SHARE ? trc_word("of each") :
	         c->bytes && row <= UINT64_MAX >> c->bits ?
	                       trc_value(TRC_VALUE_BYTES, row << c->bits) :
	                       trc_word("");
}

static void
cells(void *of, const struct trc_side_by_side_curve *curve, uint64_t row, struct trc_value cell[2])
{
	const struct trc_curves *c = curve->of;
	const uint64_t pages = pages_of(c, row);
	const struct trc_curve_point p = trc_curve_at(c, curve_of(curve), pages);

	(void)of;
	if (pages < trc_curve_least(c))
		return;
	cell[0] = trc_count(p.misses);
	cell[1] = p.ratio >= 0 ? trc_real(p.ratio) : trc_word("");
}

static int
draw_several(void *of, struct trc_out *out, struct trc_err *err)
{
	const struct trc_curves_compared *all = of;

	return trc_curves_plot_several(all->curves.curve, all->curves.n, all->g, out, err);
}

int
trc_curves_compared_print(struct trc_curves_compared *all, const struct trc_plotting *g,
                          struct trc_err *err)
{
	const struct trc_curves *c = all->c[0];
	const enum trc_name pages = trc_name_of_unit(TRC_NAME_pages, c->unit);
	char touched[32];
	struct trc_side_by_side_table t = {
		.curves = &all->curves,
		.fact = { { .head = "references", .width = 16 },
		          { .head = touched, .width = 17 },
		          { .head = "holds from", .width = 15 } },
		.key = { { .head = trc_name_row[pages].name },
		         { .head = known_bytes(all)->bytes ? "size" : "" } },
		.cell = { { .head = c->first ? "misses" : "not first" },
		          { .head = c->wide ? "of touches" : "ratio",
		            .digits = 4,
		            .percent = true } },
		.facts = curve_facts,
		.draw = draw_several,
		.keys = keys,
		.cells = cells,
		.of = all,
	};
	uint64_t *size = sizes_of(all, &t.rows, err);
	int ret;

	snprintf(touched, sizeof(touched), "%ss touched", c->unit);
	all->g = g;
	t.row = size;
	/* Shares are the highest of them. */
	if (size)
		t.key[1].off = !known_bytes(all)->bytes && !(t.rows && size[t.rows - 1] & SHARE);
	ret = size ? trc_side_by_side_print(&t, err) : -1;
	free(size);
	return ret;
}
