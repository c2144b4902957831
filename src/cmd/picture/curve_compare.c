/* SPDX-License-Identifier: MIT */
#include "cmd/picture/curve_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/names/apart.h"
#include "cmd/picture/curve_print.h"
#include "cmd/report.h"

typedef unsigned long long ull; /* for printf */

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
	char(*name)[TRC_APART_ROOM] = trc_alloc(traces, sizeof(*name), err);
	const char **path = trc_alloc(traces, sizeof(*path), err);

	for (size_t i = 0; path && i < traces; i++)
		path[i] = all->c[i * policies]->input;
	if (name && path && traces > 1)
		trc_names_apart(path, traces, name);
	for (size_t i = 0; name && path && i < all->n; i++) {
		struct trc_curves *c = all->c[i];

		for (size_t k = 0; k < c->mrc.n; k++) {
			struct trc_abreast_curve *curve = &all->curve[all->curves++];

			trc_abreast_name(curve, traces > 1 ? name[i / policies] : NULL, c->way,
			                 c->by_space ? (int64_t)c->mrc.curve[k].space : -1);
			curve->of = c;
			curve->at = k;
		}
	}
	free(path);
	free(name);
	return name && path ? 0 : -1;
}

int
trc_curves_compared_init(struct trc_curves_compared *all, struct trc_curves *const *c, size_t n,
                         size_t policies, struct trc_err *err)
{
	size_t curves = 0, samples = 0, wide = 0;

	*all = (struct trc_curves_compared){ .c = c, .n = n };
	for (size_t i = 0; i < n; i++) {
		curves += c[i]->mrc.n;
		samples += c[i]->sample > 1;
		wide += c[i]->wide;
	}
	for (size_t i = 0; i < n; i++) {
		c[i]->intervals = samples > 0;
		c[i]->wide = wide > 0;
	}
	if (check_pages(c, n, err))
		return -1;
	all->curve = trc_alloc(curves, sizeof(*all->curve), err);
	return all->curve ? name_curves(all, policies, err) : -1;
}

void
trc_curves_compared_release(struct trc_curves_compared *all)
{
	free(all->curve);
}

/* ---- the table ---- */

static const struct trc_mrc_curve *
curve_of(const struct trc_abreast_curve *curve)
{
	return &((const struct trc_curves *)curve->of)->mrc.curve[curve->at];
}

static int
put_fact(struct trc_out *out, bool known, uint64_t v, struct trc_err *err)
{
	return known ? trc_report(out, err, "%16llu", (ull)v) : trc_report(out, err, "%16s", "-");
}

/* What stands above the table of a single trace, a row for each. */
static int
put_facts(const struct trc_curves_compared *all, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "%16s%9ss touched%16s\n", "references", all->c[0]->unit,
	               "holds from"))
		return -1;
	for (size_t i = 0; i < all->curves; i++) {
		const struct trc_curves *c = all->curve[i].of;
		const struct trc_mrc_curve *curve = curve_of(&all->curve[i]);
		const uint64_t refs = trc_curve_refs(c, curve);

		if (put_fact(out, refs > 0 || !c->reduced, refs, err) ||
		    trc_report(out, err, "%18llu", (ull)(curve->pages * c->sample)) ||
		    put_fact(out, c->reduced, trc_curve_least(c), err) ||
		    trc_report(out, err, "  %s%s\n", all->curve[i].name,
		               c->sample > 1 ? " (approximate)" : ""))
			return -1;
	}
	return trc_report(out, err, "\n");
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
	for (size_t i = 0; i < all->curves; i++) {
		size_t more;
		uint64_t *own = trc_curve_sizes(all->curve[i].of, curve_of(&all->curve[i]), &more,
		                                err);

		if (!own || trc_grow(&size, &cap, *n + more + 1, sizeof(*size), err)) {
			free(own);
			free(size);
			return NULL;
		}
		set_shares(all->curve[i].of, own);
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
label(const struct trc_abreast *t, uint64_t row, char dst[TRC_ABREAST_CELL])
{
	const struct trc_curves *c = known_bytes(t->what);
	char pages[24], bytes[32] = "";

	if (row & SHARE)
		snprintf(pages, sizeof(pages), "%g %%", (double)(row & ~SHARE) / 1e7);
	else
		snprintf(pages, sizeof(pages), "%llu", (ull)row);
	if (c->bytes && row <= UINT64_MAX >> c->bits && !(row & SHARE))
		trc_curve_bytes(row << c->bits, bytes, sizeof(bytes));
	snprintf(dst, TRC_ABREAST_CELL, "%10s %12.12s", pages, row & SHARE ? "of each" : bytes);
}

static bool
cells(const struct trc_abreast *t, size_t i, uint64_t row, char dst[2][TRC_ABREAST_CELL])
{
	const struct trc_curves *c = t->curve[i].of;
	const uint64_t pages = pages_of(c, row);
	const struct trc_curve_point p = trc_curve_at(c, curve_of(&t->curve[i]), pages);

	snprintf(dst[0], TRC_ABREAST_CELL, "%llu", (ull)p.misses);
	dst[1][0] = 0;
	if (p.ratio >= 0)
		snprintf(dst[1], TRC_ABREAST_CELL, "%.4f %%", 100 * p.ratio);
	return pages >= trc_curve_least(c);
}

int
trc_curves_compared_text(const struct trc_curves_compared *all, const struct trc_settings *settings,
                         struct trc_out *out, struct trc_err *err)
{
	const struct trc_curves *c = all->c[0];
	char head[TRC_ABREAST_CELL];
	struct trc_abreast t = { .curve = all->curve,
		                 .n = all->curves,
		                 .head = head,
		                 .cell = { c->first ? "misses" : "not first",
		                           c->wide ? "of touches" : "ratio" },
		                 .label = label,
		                 .cells = cells,
		                 .what = all };
	uint64_t *size;
	size_t n;
	int ret;

	if (all->curves == 0)
		return 0;
	size = sizes_of(all, &n, err);
	if (!size)
		return -1;
	snprintf(head, sizeof(head), "%9ss %12s", c->unit, known_bytes(all)->bytes ? "size" : "");
	ret = put_facts(all, out, err) ||
	                      trc_curves_plot_several(all->curve, all->curves, settings, NULL, out,
	                                              err) ||
	                      trc_abreast_text(&t, size, n, out, err) ?
	              -1 :
	              0;
	free(size);
	return ret;
}

int
trc_curves_compared_csv(const struct trc_curves_compared *all, struct trc_out *out,
                        struct trc_err *err)
{
	if (trc_curves_csv_head(all->c[0], out, err))
		return -1;
	for (size_t i = 0; i < all->n; i++)
		if (trc_curves_csv_rows(all->c[i], out, err))
			return -1;
	return 0;
}

int
trc_curves_compared_json(const struct trc_curves_compared *all, struct trc_out *out,
                         struct trc_err *err)
{
	if (trc_report(out, err, "{\"compared\": [\n"))
		return -1;
	for (size_t i = 0; i < all->n; i++)
		if (trc_curves_json_object(all->c[i], out, err) ||
		    trc_report(out, err, i + 1 < all->n ? ",\n" : "\n"))
			return -1;
	return trc_report(out, err, "]}\n");
}
