/* SPDX-License-Identifier: MIT
 *
 * What regions are, and what they get wrong. Each stands for its share of the instructions of the
 * trace, so misses and touches of lines of the whole are estimated as those an instruction of each
 * region has, times that share; the miss ratio is the quotient of the two.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/io/out.h"
#include "cmd/reduce/simpoint.h"
#include "cmd/names/files.h"
#include "cmd/report.h"

typedef unsigned long long ull; /* for printf */

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

/* The miss ratio that the regions stand for. */
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

/* How far an estimate is off, in percent of the truth; as text, "-" where that is 0. */
static const char *
error_text(double estimated, double truth, char *dst, size_t room)
{
	snprintf(dst, room, "-");
	if (truth > 0)
		snprintf(dst, room, "%+.2f", 100 * (estimated - truth) / truth);
	return dst;
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
		trc_out_no_sync(out); /* the folder is synchronised as a whole */
		ret = print(s, out, err) || trc_out_commit(out, err) ? -1 : 0;
	}
	trc_out_close(out);
	return ret;
}

int
trc_simpoint_files(const struct trc_simpoint *s, const struct trc_folder *folder,
                   struct trc_err *err)
{
	return write_file(s, TRC_REGIONS_SIMPOINTS, print_simpoints, folder, err) ||
	                       write_file(s, TRC_REGIONS_WEIGHTS, print_weights, folder, err) ||
	                       write_file(s, TRC_REGIONS_TABLE, print_regions, folder, err) ||
	                       write_file(s, TRC_REGIONS_ERRORS, print_errors, folder, err) ?
	               -1 :
	               0;
}

/* ---- for people ---- */

static int
print_facts(const struct trc_simpoint *s, struct trc_out *out, struct trc_err *err)
{
	uint64_t insns = 0;

	for (size_t i = 0; i < s->n; i++)
		insns += s->region[i].to - s->region[i].from;
	return trc_report_fact(out, "instructions", s->insns, err) ||
	                       trc_report_fact(out, "intervals", s->intervals, err) ||
	                       trc_report_fact(out, "basic blocks", s->blocks, err) ||
	                       trc_report_fact(out, "regions", s->n, err) ||
	                       trc_report_fact(out, "instructions in regions", insns, err) ?
	               -1 :
	               0;
}

static int
print_table(const struct trc_simpoint *s, const struct trc_format *format,
            const struct trc_job_out *settings, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "\n%-24s %14s %14s %14s %10s\n", "region", "first record",
	               "records", "instructions", "weight"))
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		const struct trc_simpoint_region *r = &s->region[i];
		char name[64];

		trc_simpoint_name(r, format, settings, name, sizeof(name));
		if (trc_report(out, err, "%-24s %14llu %14llu %14llu %10.6f\n", name,
		               (ull)r->first + 1, (ull)r->records, (ull)(r->to - r->from),
		               share(s, r)))
			return -1;
	}
	return 0;
}

static int
print_wrong(const struct trc_simpoint *s, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "\n%-14s %12s %14s %10s %14s %10s\n", "LRU, bytes", "miss ratio",
	               "regions, cold", "error, %", "regions, warm", "error, %"))
		return -1;
	for (size_t k = 0; k < s->sizes; k++) {
		const double truth = ratio_of(&s->whole, k), cold = estimate(s, false, k),
		             warm = estimate(s, true, k);
		char a[32], b[32];

		if (trc_report(out, err, "%-14llu %12.6f %14.6f %10s %14.6f %10s\n",
		               (ull)s->bytes[k], truth, cold, error_text(cold, truth, a, sizeof(a)),
		               warm, error_text(warm, truth, b, sizeof(b))))
			return -1;
	}
	return 0;
}

int
trc_simpoint_print(const struct trc_simpoint *s, const struct trc_format *format,
                   const struct trc_job_out *settings, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = -1;

	if (out && print_facts(s, out, err) == 0 &&
	    print_table(s, format, settings, out, err) == 0 && print_wrong(s, out, err) == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}
