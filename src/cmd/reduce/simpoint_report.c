/* SPDX-License-Identifier: MIT
 *
 * Prints the regions, and the errors of their estimates. Each region represents a share of the
 * instructions. So misses and touches of lines of the whole trace are estimated as the sum of each
 * region's number per instruction, weighted by its share; the miss ratio is the quotient of both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/out.h"
#include "cmd/reduce/simpoint.h"
#include "cmd/names/files.h"
#include "cmd/report.h"

void
trc_simpoint_name(const struct trc_simpoint_region *r, const struct trc_format *format,
                  const struct trc_job_out *out, char *dst, size_t room)
{
	const char *how = out->compress;
	const struct trc_packing *row = how ? trc_packing_named(how, strcspn(how, ":")) : NULL;

	snprintf(dst, room, "region-%06llu%s%.16s%s%s", (ull)r->interval, format->ending ? "" : ".",
	         format->ending ? format->ending : format->name, row ? "." : "",
	         row ? row->name : "");
}

static double
share(const struct trc_simpoint *s, const struct trc_simpoint_region *r)
{
	return (double)r->weight / (double)s->insns;
}

static double
ratio_of(const struct trc_misses_count *c, size_t size)
{
	return c->touches ? (double)c->misses[size] / (double)c->touches : 0;
}

/* Returns the estimated miss ratio. */
static double
estimate(const struct trc_simpoint *s, bool warmed, size_t size)
{
	double misses = 0, touches = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct trc_simpoint_region *r = &s->region[i];
		const struct trc_misses_count *c = warmed ? &r->warmed : &r->cold;
		const double each = share(s, r) / (double)c->insns;

		misses += each * (double)c->misses[size];
		touches += each * (double)c->touches;
	}
	return touches > 0 ? misses / touches : 0;
}

/* ---- files ---- */

typedef int print_fn(const struct trc_simpoint *s, struct trc_out *out, struct trc_err *err);

static int
print_simpoints(const struct trc_simpoint *s, struct trc_out *out, struct trc_err *err)
{
	for (size_t i = 0; i < s->n; i++)
		if (trc_report(out, err, "%llu %zu\n", (ull)s->region[i].interval, i))
			return -1;
	return 0;
}

static int
print_weights(const struct trc_simpoint *s, struct trc_out *out, struct trc_err *err)
{
	for (size_t i = 0; i < s->n; i++)
		if (trc_report(out, err, "%.9g %zu\n", share(s, &s->region[i]), i))
			return -1;
	return 0;
}

static int
print_regions(const struct trc_simpoint *s, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err,
	               "cluster\tinterval\tweight\tfirst_record\trecords\tfirst_instruction\t"
	               "instructions\treferences"))
		return -1;
	for (size_t k = 0; k < s->sizes; k++)
		if (trc_report(out, err, "\tmisses_cold_%llu\tmisses_warm_%llu", (ull)s->bytes[k],
		               (ull)s->bytes[k]))
			return -1;
	for (size_t i = 0; i < s->n; i++) {
		const struct trc_simpoint_region *r = &s->region[i];

		if (trc_report(out, err, "\n%zu\t%llu\t%.9g\t%llu\t%llu\t%llu\t%llu\t%llu", i,
		               (ull)r->interval, share(s, r), (ull)r->first + 1, (ull)r->records,
		               (ull)r->from + 1, (ull)r->cold.insns, (ull)r->cold.refs))
			return -1;
		for (size_t k = 0; k < s->sizes; k++)
			if (trc_report(out, err, "\t%llu\t%llu", (ull)r->cold.misses[k],
			               (ull)r->warmed.misses[k]))
				return -1;
	}
	return trc_report(out, err, "\n");
}

static int
print_errors(const struct trc_simpoint *s, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "size\tmiss_ratio\tregions_cold\tregions_warm\n"))
		return -1;
	for (size_t k = 0; k < s->sizes; k++)
		if (trc_report(out, err, "%llu\t%.9g\t%.9g\t%.9g\n", (ull)s->bytes[k],
		               ratio_of(&s->whole, k), estimate(s, false, k), estimate(s, true, k)))
			return -1;
	return 0;
}

static int
write_file(const struct trc_simpoint *s, enum trc_regions_file file, print_fn *print,
           const struct trc_folder *folder, struct trc_err *err)
{
	char *path = trc_folder_path(folder, trc_regions_file[file], err);
	struct trc_out *out = path ? trc_out_open(path, false, err) : NULL;
	int ret = -1;

	free(path);
	if (out) {
		trc_out_no_sync(out); /* the whole folder is synchronised instead */
		ret = print(s, out, err) || trc_out_commit(out, err) ? -1 : 0;
	}
	trc_out_close(out);
	return ret;
}

int
trc_simpoint_files(const struct trc_simpoint *s, const struct trc_folder *folder,
                   struct trc_err *err)
{
	if (write_file(s, TRC_REGIONS_SIMPOINTS, print_simpoints, folder, err) ||
	    write_file(s, TRC_REGIONS_WEIGHTS, print_weights, folder, err) ||
	    write_file(s, TRC_REGIONS_TABLE, print_regions, folder, err) ||
	    write_file(s, TRC_REGIONS_ERRORS, print_errors, folder, err))
		return -1;
	return 0;
}

/* ---- the answer ---- */

/* The state of the answer. */
struct printed {
	const struct trc_simpoint *s;
	const struct trc_format *format;
	const struct trc_job_out *settings;
	char name[64]; /* name of the region of the current row */
};

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct trc_simpoint *s = ((const struct printed *)of)->s;
	uint64_t insns = 0;

	(void)i, (void)err;
	for (size_t k = 0; k < s->n; k++)
		insns += s->region[k].to - s->region[k].from;
	TRC_FACTS(g, { TRC_FACT(instructions, "", trc_count(s->insns)) },
	          { TRC_FACT(intervals, "", trc_count(s->intervals)) },
	          { TRC_FACT(basic_blocks, "", trc_count(s->blocks)) },
	          { TRC_FACT(regions, "", trc_count(s->n)) },
	          { TRC_FACT(instructions_in_regions, "", trc_count(insns)) });
	g->rows = s->n;
	g->above = "\n";
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	struct printed *p = of;
	const struct trc_simpoint_region *r = &p->s->region[k];

	(void)i;
	trc_simpoint_name(r, p->format, p->settings, p->name, sizeof(p->name));
	TRC_VALUES(cell, trc_word(p->name), trc_count(k), trc_count(r->interval),
	           trc_count(r->first + 1), trc_count(r->records), trc_count(r->from + 1),
	           trc_count(r->to - r->from), trc_count(r->cold.refs), trc_real(share(p->s, r)));
}

/* Returns the error of an estimate. */
static struct trc_value
error_of(double estimated, double truth, char *dst, size_t room)
{
	if (!(truth > 0))
		return trc_unknown();
	snprintf(dst, room, "%+.2f", 100 * (estimated - truth) / truth);
	return trc_word(dst);
}

static void
error_row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	static const size_t half = 32;
	struct printed *p = of;
	const double truth = ratio_of(&p->s->whole, k), cold = estimate(p->s, false, k),
	             warm = estimate(p->s, true, k);

	(void)i;
	TRC_VALUES(cell, trc_count(p->s->bytes[k]), trc_real(truth), trc_real(cold),
	           error_of(cold, truth, p->name, half), trc_real(warm),
	           error_of(warm, truth, p->name + half, half));
}

/* Prints the data of errors.tsv as a table. */
static int
print_errors_text(struct printed *p, struct trc_out *out, struct trc_err *err)
{
	static const struct trc_column_decl column[] = {
		{ .head = "LRU, bytes", .width = -14 },
		{ .head = "miss ratio", .width = 12, .digits = 6 },
		{ .head = "regions, cold", .width = 14, .digits = 6 },
		{ .head = "error, %", .width = 10 },
		{ .head = "regions, warm", .width = 14, .digits = 6 },
		{ .head = "error, %", .width = 10 },
	};

	return trc_answer_put(&(const struct trc_answer){ .title = "\n",
	                                                  TRC_TABLE(column),
	                                                  .rows = p->s->sizes,
	                                                  .of = p,
	                                                  .row = error_row },
	                      out, err);
}

int
trc_simpoint_print(const struct trc_simpoint *s, const struct trc_format *format,
                   const struct trc_job_out *settings, enum trc_form form, struct trc_err *err)
{
	static const struct trc_column_decl column[] = {
		{ TRC_COLUMN(region, "region", -24), .key = true },
		{ TRC_NAMED(cluster) },
		{ TRC_NAMED(interval) },
		{ TRC_COLUMN(first_record, "first record", 14) },
		{ TRC_COLUMN(records, "records", 14) },
		{ TRC_NAMED(first_instruction) },
		{ TRC_COLUMN(instructions, "instructions", 14) },
		{ TRC_NAMED(references) },
		{ TRC_COLUMN(weight, "weight", 10), .digits = 6 },
	};
	struct printed p = { .s = s, .format = format, .settings = settings };
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = out ? 0 : -1;

	if (ret == 0)
		ret = trc_answer_put(&(const struct trc_answer){ .form = form,
		                                                 TRC_TABLE(column),
		                                                 .of = &p,
		                                                 .group = describe,
		                                                 .row = row },
		                     out, err);
	if (ret == 0 && form == TRC_FORM_TEXT)
		ret = print_errors_text(&p, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}
