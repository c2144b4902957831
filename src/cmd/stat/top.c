/* SPDX-License-Identifier: MIT
 * trc stat --top: what is referred to most. */
#include <stdio.h>
#include <string.h>

#include "cmd/job/inputs.h"
#include "cmd/job/spread.h"
#include "cmd/report.h"
#include "cmd/stat/ranking.h"
#include "cmd/stat/stat.h"
#include "stage/profile/hot.h"
#include "stage/profile/warmup.h"

/* The settings. */
struct settings {
	unsigned by;
};

static const struct trc_opt options[] = {
	{ 0, "top", "pages|lines|pcs|tasks|spaces|types", "what most references are to, or by",
	  TRC_OPT_CHOICE, TRC_WORDS_NONE, offsetof(struct settings, by) },
};

static const struct trc_opt option_rows[] = {
	{ 0, "rows", "N", "with --top and --by: so many, not 20", TRC_OPT_COUNT, TRC_WORDS_NONE,
	  0 },
};

const struct trc_opts trc_stat_opts_rows = { option_rows, 1, sizeof(uint64_t), NULL };
static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(struct settings), NULL };

enum { ROWS = 20, LINE_BITS = 6 };

static const struct {
	const char *name;
	enum trc_hot_by by;
	bool hex;
} kinds[] = {
	{ "page", TRC_HOT_PAGE, true },    { "line", TRC_HOT_PAGE, true },
	{ "pc", TRC_HOT_PC, true },        { "task", TRC_HOT_TASK, false },
	{ "space", TRC_HOT_SPACE, false }, { "type", TRC_HOT_TYPE, false },
};

/* The question, while it is asked. */
struct asking {
	struct trc_asked asked;
	struct trc_stat s;
	size_t kind;
	unsigned bits; /* of a page or line; 0: the trace has pages */
	bool spaces;   /* the trace has them */
	bool part;     /* of shards, or a merge of these */
	uint64_t rows;
	const char *name;           /* of the trace */
	struct trc_hot hot, before; /* what the warm-up did */
	struct trc_warmup warmup;
	struct trc_plotting plotting;
	struct trc_spread spread;
};

static void
key_text(const struct asking *a, const struct trc_hot_entry *e, char *dst, size_t room)
{
	const unsigned long long key = e->key << (kinds[a->kind].by == TRC_HOT_PAGE ? a->bits : 0);

	if (kinds[a->kind].by == TRC_HOT_TYPE)
		snprintf(dst, room, "%s", trc_type_name[e->key]);
	else
		snprintf(dst, room, kinds[a->kind].hex ? "0x%llx" : "%llu", key);
}

/* Pages and instructions are of a space. */
static bool
of_space(const struct asking *a)
{
	return kinds[a->kind].by == TRC_HOT_PAGE || kinds[a->kind].by == TRC_HOT_PC;
}

static double
percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static bool
has_strides(const struct asking *a)
{
	return kinds[a->kind].by == TRC_HOT_PC;
}

static int
text_row(const struct asking *a, const struct trc_hot_entry *e, struct trc_out *out,
         struct trc_err *err)
{
	const uint64_t refs = trc_hot_refs(e);
	char key[32], space[16] = "";

	key_text(a, e, key, sizeof(key));
	if (a->spaces)
		snprintf(space, sizeof(space), "%lu", (unsigned long)e->space);
	if (trc_report(out, err, "%20s %6s %14llu %8.4f %% %14llu %14llu %14llu", key, space,
	               (unsigned long long)refs, percent(refs, a->hot.touches),
	               (unsigned long long)e->reads, (unsigned long long)e->writes,
	               (unsigned long long)e->fetches))
		return -1;
	if (has_strides(a) && e->reads + e->writes &&
	    trc_report(out, err, " %12lld %6.1f %%", (long long)e->stride,
	               percent(e->regular, e->reads + e->writes)))
		return -1;
	return trc_report(out, err, "\n");
}

static int
print_text(const struct asking *a, struct trc_out *out, struct trc_err *err)
{
	char different[32];

	snprintf(different, sizeof(different), "different %ss", kinds[a->kind].name);
	if (trc_report_fact(out, "references", a->hot.refs, err) ||
	    (a->hot.touches != a->hot.refs &&
	     trc_report_fact(out, "touches", a->hot.touches, err)) ||
	    trc_report_fact(out, different, a->hot.n, err) ||
	    trc_report(out, err, "\n%20s %6s %14s %10s %14s %14s %14s%s\n", kinds[a->kind].name,
	               a->spaces ? "space" : "", "references", "share", "reads", "writes",
	               "fetches", has_strides(a) ? "  last stride  regular" : ""))
		return -1;
	for (size_t i = 0; i < a->hot.n && i < a->rows; i++)
		if (text_row(a, &a->hot.entry[i], out, err))
			return -1;
	return 0;
}

/* The space of an entry as a field, if it has one; returns dst. */
static char *
space_text(const struct asking *a, const struct trc_hot_entry *e, const char *name,
           const char *behind, char *dst, size_t room)
{
	*dst = 0;
	if (of_space(a))
		snprintf(dst, room, "%s%lu%s", name, (unsigned long)e->space, behind);
	return dst;
}

static int
csv_row(const struct asking *a, const struct trc_hot_entry *e, struct trc_out *out,
        struct trc_err *err)
{
	char key[32], space[32];

	key_text(a, e, key, sizeof(key));
	if (trc_report(out, err, "%s,%s%llu,%llu,%llu,%llu", key,
	               space_text(a, e, "", ",", space, sizeof(space)),
	               (unsigned long long)trc_hot_refs(e), (unsigned long long)e->reads,
	               (unsigned long long)e->writes, (unsigned long long)e->fetches) ||
	    (has_strides(a) && trc_report(out, err, ",%lld,%llu", (long long)e->stride,
	                                  (unsigned long long)e->regular)))
		return -1;
	return trc_report(out, err, "\n");
}

static int
print_csv(const struct asking *a, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "%s,%sreferences,reads,writes,fetches%s\n", kinds[a->kind].name,
	               of_space(a) ? "space," : "", has_strides(a) ? ",stride,regular" : ""))
		return -1;
	for (size_t i = 0; i < a->hot.n && i < a->rows; i++)
		if (csv_row(a, &a->hot.entry[i], out, err))
			return -1;
	return 0;
}

static int
json_row(const struct asking *a, const struct trc_hot_entry *e, bool first, struct trc_out *out,
         struct trc_err *err)
{
	char key[32], space[32];

	key_text(a, e, key, sizeof(key));
	if (trc_report(out, err,
	               "%s\n {\"%s\": \"%s\", %s\"references\": %llu, \"reads\": %llu, "
	               "\"writes\": %llu, \"fetches\": %llu",
	               first ? "" : ",", kinds[a->kind].name, key,
	               space_text(a, e, "\"space\": ", ", ", space, sizeof(space)),
	               (unsigned long long)trc_hot_refs(e), (unsigned long long)e->reads,
	               (unsigned long long)e->writes, (unsigned long long)e->fetches) ||
	    (has_strides(a) && trc_report(out, err, ", \"stride\": %lld, \"regular\": %llu",
	                                  (long long)e->stride, (unsigned long long)e->regular)))
		return -1;
	return trc_report(out, err, "}");
}

static int
print_json(const struct asking *a, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "{\"references\": %llu, ", (unsigned long long)a->hot.refs) ||
	    (a->hot.touches != a->hot.refs &&
	     trc_report(out, err, "\"touches\": %llu, ", (unsigned long long)a->hot.touches)) ||
	    trc_report(out, err, "\"different\": %zu, \"top\": [", a->hot.n))
		return -1;
	for (size_t i = 0; i < a->hot.n && i < a->rows; i++)
		if (json_row(a, &a->hot.entry[i], i == 0, out, err))
			return -1;
	return trc_report(out, err, "]}\n");
}

static uint64_t
refs_of(const void *of, size_t i)
{
	return trc_hot_refs(&((const struct trc_hot *)of)->entry[i]);
}

/* How much of all references, or touches, those with most of them have. */
static int
draw(struct asking *a, const struct trc_settings *all, struct trc_err *err)
{
	const struct trc_ranking r = { "references", refs_of, &a->hot, a->hot.n, a->hot.touches };
	char title[160], rank[64];

	snprintf(title, sizeof(title), "References of %.100s by %s", a->name, kinds[a->kind].name);
	snprintf(rank, sizeof(rank), "%ss, those with most references first", kinds[a->kind].name);
	return trc_ranking_draw(&r, 1, title, rank,
	                        a->hot.touches == a->hot.refs ? r.name : "touches", all,
	                        &a->plotting, err);
}

static int
report(const struct asking *a, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = -1;

	if (!out)
		return -1;
	ret = (a->s.json ? print_json : a->s.csv ? print_csv : print_text)(a, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}

/* The sink of all, and of the warm-up if there is one. */
static struct trc_sink *
open_sinks(struct asking *a, uint32_t have, struct trc_err *err)
{
	const enum trc_hot_by by = kinds[a->kind].by;
	struct trc_sink *all = trc_hot_sink(&a->hot, have, by, a->bits, err);

	if (!all || !a->s.warmup)
		return all;
	return trc_warmup_sink(all, trc_hot_sink(&a->before, have, by, a->bits, err), &a->warmup,
	                       err);
}

static bool
of_lines(const struct asking *a)
{
	return strcmp(kinds[a->kind].name, "line") == 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;
	struct trc_stat_unit unit;

	if (of_lines(a) && !(job->src->have & TRC_HAS_ADDR)) {
		trc_fail(err, "--top lines: the trace has pages, no addresses");
		return NULL;
	}
	if (a->part && !trc_hot_parts(job->src->have, kinds[a->kind].by)) {
		trc_fail(err, "--top pcs: instructions of several tasks are known by what each "
		              "fetched last, in front of the shard, too; ask without --shard");
		return NULL;
	}
	if (trc_stat_unit(&a->s, job->src, &unit, err))
		return NULL;
	a->bits = of_lines(a) && !a->s.line_size ? LINE_BITS : unit.known ? unit.bits : 0;
	a->spaces = job->src->have & TRC_HAS_ASID && of_space(a);
	a->spread = (struct trc_spread){ kinds[a->kind].name, a->bits, "has counts of its own",
		                         false, false };
	if (kinds[a->kind].by == TRC_HOT_PAGE && trc_spread_watch(job, &a->spread, err))
		return NULL;
	if (trc_stat_warmup_source(job, &a->asked, &a->warmup, err))
		return NULL;
	return open_sinks(a, job->src->have, err);
}

static int
take_settings(struct asking *a, const struct trc_settings *all, struct trc_err *err)
{
	const struct settings *own = trc_settings_of(all, &opts);
	const uint64_t *rows = trc_settings_of(all, &trc_stat_opts_rows);

	a->s = trc_stat_of(all);
	a->rows = *rows ? *rows : ROWS;
	a->kind = own->by - 1;
	return a->s.line_size && !of_lines(a) ?
	               trc_fail_as(err, TRC_USAGE, "--line-size is of --top lines") :
	               0;
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct asking *a = q;

	if (take_settings(a, a->asked.all, err))
		return -1;
	trc_stat_warmup(&a->s, &a->asked, &a->warmup);
	a->name = a->asked.name;
	a->asked.quiet = a->s.quiet;
	a->asked.unit = a->s.line_size ? a->s.line_size :
	                of_lines(a)    ? 1u << LINE_BITS :
	                                 a->s.page_size;
	if (has_strides(a)) {
		a->asked.unit = 1;
		a->asked.single = true;
		a->asked.unindexed = true;
	}
	a->part = !input;
	return trc_plotting_open_for(&a->plotting, &a->asked, err);
}

static int
print(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;

	(void)job;
	if (a->s.warmup)
		trc_hot_behind(&a->hot, &a->before);
	return report(a, err) || draw(a, a->asked.all, err) ? -1 : 0;
}

static void
end(void *q)
{
	struct asking *a = q;

	trc_plotting_close(&a->plotting);
	trc_hot_release(&a->hot);
	trc_hot_release(&a->before);
}

static const struct trc_opts *const shown[] = { &trc_stat_opts_rows, &trc_stat_opts_plot,
	                                        TRC_STAT_SHOWN, NULL };

enum { PAGE_BYTES = 384 }; /* of an entry, its key and its place, each with room to grow */

static const struct trc_question question = { .size = sizeof(struct asking),
	                                      .begin = begin,
	                                      .open = open_sink,
	                                      .print = print,
	                                      .end = end,
	                                      .page_bytes = PAGE_BYTES,
	                                      .shown = shown };

static const struct trc_opts *const takes[] = { &opts,
	                                        &trc_stat_opts_warmup,
	                                        &trc_stat_opts_rows,
	                                        &trc_stat_opts_plot,
	                                        &trc_stat_opts_page_size,
	                                        &trc_stat_opts_line_size,
	                                        &trc_stat_opts_csv,
	                                        TRC_STAT_SHARDS,
	                                        TRC_STAT_TAKES,
	                                        NULL };

const struct trc_action trc_stat_top = {
	.name = "--top", .takes = takes, .run = trc_shard_answer, .question = &question
};
