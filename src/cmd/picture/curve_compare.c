/* SPDX-License-Identifier: MIT */
#include "cmd/picture/curve_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes in pages are the same memories only where pages are of one size. */
static int
check_pages(struct trc_curves *const *c, size_t n, struct trc_err *err)
{
	size_t known = n;

	for (size_t i = 0; i < n; i++) {
		if (!c[i]->bytes)
			continue;
		if (known < n && c[known]->bits != c[i]->bits)
			return trc_fail(err,
			                "'%s' has pages of %llu bytes, '%s' of %llu: no size of "
			                "memory is the same for both",
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
		ret = trc_abreast_init(&all->curves, path, traces, err);
	for (size_t i = 0; i < all->n; i++) {
		struct trc_curves *c = all->c[i];

		for (size_t k = 0; ret == 0 && k < c->mrc.n; k++)
			ret = trc_abreast_add(&all->curves, i / policies, c->way,
			                      c->by_space ? (int64_t)c->mrc.curve[k].space : -1, c,
			                      k, err);
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
	trc_abreast_release(&all->curves);
}

/* ---- the table ---- */

static const struct trc_mrc_curve *
curve_of(const struct trc_abreast_curve *curve)
{
	return &((const struct trc_curves *)curve->of)->mrc.curve[curve->at];
}

/* What stands above the table of a single trace, a row for each. */
static const char *
facts(const struct trc_abreast_curve *curve, struct trc_value fact[3])
{
	const struct trc_curves *c = curve->of;
	const uint64_t refs = trc_curve_refs(c, curve_of(curve));

	fact[0] = refs > 0 || !c->reduced ? trc_count(refs) : trc_unknown();
	fact[1] = trc_count(curve_of(curve)->pages * c->sample);
	fact[2] = c->reduced ? trc_count(trc_curve_least(c)) : trc_unknown();
	return c->sample > 1 ? " (approximate)" : "";
}

/* A row of several traces may be a share of the pages of each, and not a number of pages. */
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
		*n = trc_abreast_rows(size, *n + more);
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
cells(void *of, const struct trc_abreast_curve *curve, uint64_t row, struct trc_value cell[2])
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
put_table(struct trc_curves_compared *all, struct trc_out *out, struct trc_err *err)
{
	const struct trc_curves *c = all->c[0];
	const enum trc_name pages = trc_name_of_unit(TRC_NAME_pages, c->unit);
	struct trc_abreast_table t = {
		.curves = &all->curves,
		.key = { { .head = trc_name_row[pages].name },
		         { .head = known_bytes(all)->bytes ? "size" : "" } },
		.cell = { { .head = c->first ? "misses" : "not first" },
		          { .head = c->wide ? "of touches" : "ratio",
		            .digits = 4,
		            .percent = true } },
		.keys = keys,
		.cells = cells,
		.of = all,
	};
	uint64_t *size = sizes_of(all, &t.rows, err);
	int ret;

	t.row = size;
	/* Shares are the highest of them. */
	t.key[1].off = !known_bytes(all)->bytes && !(t.rows && size[t.rows - 1] & SHARE);
	ret = size ? trc_abreast_text(&t, out, err) : -1;
	free(size);
	return ret;
}

int
trc_curves_compared_text(struct trc_curves_compared *all, const struct trc_settings *settings,
                         struct trc_out *out, struct trc_err *err)
{
	char touched[32];
	const struct trc_column_decl fact[] = {
		{ .head = "references", .width = 16 },
		{ .head = touched, .width = 17 },
		{ .head = "holds from", .width = 15 },
	};

	if (all->curves.n == 0)
		return 0;
	snprintf(touched, sizeof(touched), "%ss touched", all->c[0]->unit);
	return trc_abreast_facts(&all->curves, fact, facts, out, err) ||
	                       trc_curves_plot_several(all->curves.curve, all->curves.n, settings,
	                                               NULL, out, err) ||
	                       put_table(all, out, err) ?
	               -1 :
	               0;
}
