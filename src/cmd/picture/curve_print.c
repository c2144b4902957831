/* SPDX-License-Identifier: MIT */
#include "cmd/picture/curve_print.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/picture/curve_plot.h"

/* What is printed, and of it the curve at hand. */
struct printed {
	const struct trc_settings *all;
	struct trc_curves *const *asked;
	const struct trc_curves *c;
	const struct trc_mrc_curve *curve;
	uint64_t *size;
	char touched[32], bytes[32]; /* heads */
};

/* Takes the curve of a group, those of one asking after those of another. */
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
	          { TRC_FACT(warmup, "behind records", trc_count_some(c->warmup)) },
	          { TRC_FACT(policy, "", trc_word(c->way ? c->way : c->policy)) },
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
draw(void *of, size_t i, struct trc_out *out, struct trc_err *err)
{
	const struct printed *p = of;

	(void)i;
	return trc_curve_plot(p->c, p->curve, p->all, out, err);
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
	           trc_count(at.writebacks), trc_count_if(sample, at.misses_in.low),
	           trc_count_if(sample, at.misses_in.high),
	           trc_count_if(sample, at.writebacks_in.low),
	           trc_count_if(sample, at.writebacks_in.high), trc_count_if(refs || touches, refs),
	           trc_count_some(touches));
}

/* A sample has intervals, where the truth is in 95 of 100 such samples. */
static int
print(struct printed *p, size_t curves, const struct trc_curves *c, struct trc_err *err)
{
	const enum trc_name pages = trc_name_of_unit(TRC_NAME_pages, c->unit);
	const bool sample = c->sample > 1, intervals = sample || c->intervals;
	const int width = sample ? 12 : 18;
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
		             14),
		  .digits = 4, .percent = true },
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
	return trc_answer_print(&(const struct trc_answer){ .form = trc_answer_form(p->all),
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
trc_curves_print(struct trc_curves *const *c, size_t n, const struct trc_settings *all,
                 struct trc_err *err)
{
	struct printed p = { .all = all, .asked = c };
	size_t curves = 0;
	int ret;

	for (size_t i = 0; i < n; i++)
		curves += c[i]->mrc.n;
	ret = print(&p, curves, c[0], err);
	free(p.size);
	return ret;
}
