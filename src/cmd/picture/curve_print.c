/* SPDX-License-Identifier: MIT
 * Miss curves as a table, CSV and JSON. */
#include "cmd/picture/curve_print.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/picture/abreast.h"
#include "cmd/report.h"
#include "cmd/picture/curve_plot.h"

typedef unsigned long long ull; /* for printf */

/* Calls `print` with every size of a curve. */
static int
for_each_size(const struct trc_curves *c, const struct trc_mrc_curve *curve, struct trc_out *out,
              int (*print)(const struct trc_curves *c, const struct trc_mrc_curve *curve,
                           const struct trc_curve_point *p, bool last, struct trc_out *out,
                           struct trc_err *err),
              struct trc_err *err)
{
	size_t n;
	uint64_t *size = trc_curve_sizes(c, curve, &n, err);
	int ret = size ? 0 : -1;

	for (size_t i = 0; i < n && ret == 0; i++) {
		const struct trc_curve_point p = trc_curve_at(c, curve, size[i]);

		ret = print(c, curve, &p, i + 1 == n, out, err);
	}
	free(size);
	return ret;
}

static int
text_fact(struct trc_out *out, const char *name, const char *more, uint64_t value,
          struct trc_err *err)
{
	char words[64];

	snprintf(words, sizeof(words), "%s%s", name, more);
	return trc_report_fact(out, words, value, err);
}

static int
text_facts(const struct trc_curves *c, const struct trc_mrc_curve *curve, struct trc_out *out,
           struct trc_err *err)
{
	const uint64_t refs = trc_curve_refs(c, curve), touches = trc_curve_touches(c, curve);

	if ((c->by_space && text_fact(out, "space", "", curve->space, err)) ||
	    ((refs || !c->reduced) && text_fact(out, "references", "", refs, err)) ||
	    (c->wide && touches && text_fact(out, "touches", "", touches, err)) ||
	    (c->warmup && text_fact(out, "behind records", "", c->warmup, err)) ||
	    (c->policy && trc_report(out, err, "%-26s%20s\n", "policy", c->policy)) ||
	    text_fact(out, c->unit, "s touched", curve->pages * c->sample, err) ||
	    (c->bytes && text_fact(out, c->unit, " size", UINT64_C(1) << c->bits, err)) ||
	    (c->reduced &&
	     text_fact(out, "holds for memories from", "", trc_curve_least(c), err)) ||
	    (c->sample > 1 && text_fact(out, "approximate: one page in", "", c->sample, err)))
		return -1;
	return 0;
}

static int
text_row(const struct trc_curves *c, const struct trc_mrc_curve *curve,
         const struct trc_curve_point *p, bool last, struct trc_out *out, struct trc_err *err)
{
	char bytes[32] = "", ratio[32] = "";

	(void)curve, (void)last;
	if (p->bytes)
		trc_curve_bytes(p->bytes, bytes, sizeof(bytes));
	if (p->ratio >= 0)
		snprintf(ratio, sizeof(ratio), "%.4f %%", 100 * p->ratio);
	if (c->sample == 1)
		return trc_report(out, err, "%10llu %12s %18llu %14s %18llu\n", (ull)p->pages,
		                  bytes, (ull)p->misses, ratio, (ull)p->writebacks);
	return trc_report(out, err, "%10llu %12s %12llu %12llu %12llu %12llu %12llu %12llu\n",
	                  (ull)p->pages, bytes, (ull)p->misses, (ull)p->misses_in.low,
	                  (ull)p->misses_in.high, (ull)p->writebacks, (ull)p->writebacks_in.low,
	                  (ull)p->writebacks_in.high);
}

/* The head of the table. A sample has intervals, where the truth is in 95 of 100 such samples. */
static int
text_head(const struct trc_curves *c, struct trc_out *out, struct trc_err *err)
{
	const char *misses = c->first ? "misses" : "misses, not first";

	if (c->sample == 1)
		return trc_report(out, err, "%9ss %12s %18s %14s %18s\n", c->unit,
		                  c->bytes ? "size" : "", misses, c->wide ? "of touches" : "ratio",
		                  "write-backs");
	return trc_report(out, err, "%9ss %12s %12s %12s %12s %12s %12s %12s\n", c->unit,
	                  c->bytes ? "size" : "", c->first ? misses : "not first", "95 % from",
	                  "to", "write-backs", "95 % from", "to");
}

int
trc_curves_text(const struct trc_curves *c, const struct trc_settings *all, struct trc_out *out,
                struct trc_err *err)
{
	for (size_t i = 0; i < c->mrc.n; i++) {
		const struct trc_mrc_curve *curve = &c->mrc.curve[i];

		if ((i > 0 && trc_report(out, err, "\n")) || text_facts(c, curve, out, err) ||
		    trc_report(out, err, "\n") || trc_curve_plot(c, curve, all, out, err) ||
		    text_head(c, out, err) || for_each_size(c, curve, out, text_row, err))
			return -1;
	}
	return 0;
}

static int
csv_row(const struct trc_curves *c, const struct trc_mrc_curve *curve,
        const struct trc_curve_point *p, bool last, struct trc_out *out, struct trc_err *err)
{
	const uint64_t refs = trc_curve_refs(c, curve), touches = trc_curve_touches(c, curve);
	char space[16] = "", bytes[24] = "", ratio[32] = "", within[96] = "", counts[48] = "";

	(void)last;
	if (c->input && trc_abreast_csv(c->input, out, err))
		return -1;
	if (c->by_space)
		snprintf(space, sizeof(space), "%u,", (unsigned)curve->space);
	if (p->bytes)
		snprintf(bytes, sizeof(bytes), "%llu", (ull)p->bytes);
	if (p->ratio >= 0)
		snprintf(ratio, sizeof(ratio), "%.9g", p->ratio);
	if (c->sample > 1)
		snprintf(within, sizeof(within), ",%llu,%llu,%llu,%llu", (ull)p->misses_in.low,
		         (ull)p->misses_in.high, (ull)p->writebacks_in.low,
		         (ull)p->writebacks_in.high);
	else if (c->intervals)
		snprintf(within, sizeof(within), ",,,,");
	if (c->wide)
		snprintf(counts, sizeof(counts),
		         touches ? ",%llu,%llu" :
		         refs    ? ",%llu," :
		                   ",,",
		         (ull)refs, (ull)touches);
	return trc_report(out, err, "%s%s%s%llu,%s,%llu,%llu,%s,%llu%s%s\n", c->way ? c->way : "",
	                  c->way ? "," : "", space, (ull)p->pages, bytes, (ull)p->misses,
	                  (ull)p->first, ratio, (ull)p->writebacks, within, counts);
}

int
trc_curves_csv_head(const struct trc_curves *c, struct trc_out *out, struct trc_err *err)
{
	return trc_report(out, err,
	                  "%s%s%s%ss,bytes,misses,first_misses,miss_ratio,writebacks%s%s\n",
	                  c->input ? "input," : "", c->way ? "policy," : "",
	                  c->by_space ? "space," : "", c->unit,
	                  c->sample > 1 || c->intervals ?
	                          ",misses_low,misses_high,writebacks_low,writebacks_high" :
	                          "",
	                  c->wide ? ",references,touches" : "");
}

int
trc_curves_csv_rows(const struct trc_curves *c, struct trc_out *out, struct trc_err *err)
{
	for (size_t i = 0; i < c->mrc.n; i++)
		if (for_each_size(c, &c->mrc.curve[i], out, csv_row, err))
			return -1;
	return 0;
}

int
trc_curves_csv(const struct trc_curves *c, struct trc_out *out, struct trc_err *err)
{
	return trc_curves_csv_head(c, out, err) ? -1 : trc_curves_csv_rows(c, out, err);
}

static int
json_row(const struct trc_curves *c, const struct trc_mrc_curve *curve,
         const struct trc_curve_point *p, bool last, struct trc_out *out, struct trc_err *err)
{
	char bytes[48] = "", ratio[48] = "", within[192] = "";

	(void)curve;
	if (c->sample > 1)
		snprintf(within, sizeof(within),
		         ", \"misses_low\": %llu, \"misses_high\": %llu, \"writebacks_low\": %llu, "
		         "\"writebacks_high\": %llu",
		         (ull)p->misses_in.low, (ull)p->misses_in.high, (ull)p->writebacks_in.low,
		         (ull)p->writebacks_in.high);
	if (p->bytes)
		snprintf(bytes, sizeof(bytes), ", \"bytes\": %llu", (ull)p->bytes);
	if (p->ratio >= 0)
		snprintf(ratio, sizeof(ratio), ", \"miss_ratio\": %.9g", p->ratio);
	return trc_report(out, err,
	                  "  {\"pages\": %llu%s, \"misses\": %llu, \"first_misses\": %llu%s, "
	                  "\"writebacks\": %llu%s}%s\n",
	                  (ull)p->pages, bytes, (ull)p->misses, (ull)p->first, ratio,
	                  (ull)p->writebacks, within, last ? "]" : ",");
}

int
trc_curves_json_object(const struct trc_curves *c, struct trc_out *out, struct trc_err *err)
{
	const char *policy = c->way ? c->way : c->policy;

	if (trc_report(out, err, "{") ||
	    (c->input && (trc_report(out, err, "\"input\": ") ||
	                  trc_report_json(out, c->input, err) || trc_report(out, err, ", "))) ||
	    trc_report(out, err, "\"unit\": \"%s\"", c->unit) ||
	    (c->bytes && trc_report(out, err, ", \"page_size\": %llu", (ull)1 << c->bits)) ||
	    (policy && trc_report(out, err, ", \"policy\": \"%s\"", policy)) ||
	    (c->warmup && trc_report(out, err, ", \"warmup\": %llu", (ull)c->warmup)) ||
	    trc_report(out, err,
	               ", \"first_counted\": %s, \"holds_from\": %llu, \"sample\": %llu, "
	               "\"curves\": [\n",
	               c->first ? "true" : "false", (ull)trc_curve_least(c), (ull)c->sample))
		return -1;
	for (size_t i = 0; i < c->mrc.n; i++) {
		const struct trc_mrc_curve *curve = &c->mrc.curve[i];
		const uint64_t refs = trc_curve_refs(c, curve);
		const uint64_t touches = trc_curve_touches(c, curve);

		if (trc_report(out, err, " {") ||
		    (c->by_space &&
		     trc_report(out, err, "\"space\": %u, ", (unsigned)curve->space)) ||
		    ((refs || !c->reduced) &&
		     trc_report(out, err, "\"references\": %llu, ", (ull)refs)) ||
		    (c->wide && touches &&
		     trc_report(out, err, "\"touches\": %llu, ", (ull)touches)) ||
		    trc_report(out, err, "\"distinct\": %llu, \"sizes\": [\n",
		               (ull)(curve->pages * c->sample)) ||
		    for_each_size(c, curve, out, json_row, err) ||
		    trc_report(out, err, " }%s\n", i + 1 < c->mrc.n ? "," : ""))
			return -1;
	}
	return trc_report(out, err, "]}");
}

int
trc_curves_json(const struct trc_curves *c, struct trc_out *out, struct trc_err *err)
{
	return trc_curves_json_object(c, out, err) ? -1 : trc_report(out, err, "\n");
}
