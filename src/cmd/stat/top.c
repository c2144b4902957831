/* SPDX-License-Identifier: MIT
 *
 * trc stat --top: ranks what is referenced most.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/job/wide_references.h"
#include "cmd/stat/ranking.h"
#include "cmd/stat/stat.h"
#include "stage/profile/hot.h"

/* The settings. */
struct settings {
	unsigned by;
};

static const struct trc_opts opts =
        TRC_OPTS(struct settings, { 0, "top", "pages|lines|pcs|tasks|spaces|types|functions",
                                    "rank pages, lines, ... by references", TRC_OPT_CHOICE,
                                    TRC_WORDS_NONE, offsetof(struct settings, by) });

enum { LINE_BITS = 6 };

/* The state of the question. */
struct query {
	struct trc_query query;
	struct trc_stat s;
	const struct trc_ranked *kind;
	unsigned bits;      /* of a page or line; 0: the trace has pages */
	bool spaces;        /* the trace has spaces */
	bool part;          /* the answer is for a shard, or a merge */
	char different[32]; /* head such as "different pages" */
	struct trc_hot hot;
	struct trc_wide_references wide;
	struct trc_functions functions;
};

static bool
has_strides(const struct query *a)
{
	return a->kind->by == TRC_HOT_PC && !trc_ranked_sums(a->kind);
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct query *a = of;

	(void)i, (void)err;
	TRC_FACTS(g, { TRC_FACT(references, "", trc_count(a->hot.refs)) },
	          { TRC_FACT(touches, "",
	                     trc_count_if(a->hot.touches != a->hot.refs, a->hot.touches)) },
	          { TRC_FACT(different, a->different, trc_count(a->hot.n)) });
	g->rows = a->hot.n;
	g->above = "\n";
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	struct query *a = of;
	const struct trc_hot_entry *e = &a->hot.entry[k];
	const uint64_t refs = trc_hot_refs(e), data = e->reads + e->writes;
	const struct trc_value stride = trc_integer(e->stride);
	const struct trc_value rest = { .kind = TRC_VALUE_REST };

	(void)i;
	TRC_VALUES(cell, trc_ranked_value(a->kind, e->key, a->bits),
	           trc_count_if(trc_ranked_in_space(a->kind), e->space),
	           trc_count_if(a->spaces, e->space), trc_count(refs),
	           trc_ratio(refs, a->hot.touches), trc_count(e->reads), trc_count(e->writes),
	           trc_count(e->fetches), data ? stride : rest, trc_ratio(e->regular, data), stride,
	           trc_count(e->regular),
	           trc_ranked_sums(a->kind) ? trc_ranked_name(&a->functions, (size_t)e->key) :
	                                      trc_ranked_function(&a->functions, e->space, e->key));
}

static uint64_t
function_of(void *functions, uint32_t space, uint64_t pc)
{
	return trc_functions_number(functions, space, pc);
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	struct query *a = q;
	const bool sums = trc_ranked_sums(a->kind);

	if (trc_ranked_functions(&a->functions, a->kind, NULL, job->src->meta.provenance,
	                         a->s.quiet, err) ||
	    trc_ranked_check_functions(&a->functions, a->kind, err))
		return -1;
	if (sums)
		trc_hot_sum(&a->hot, function_of, &a->functions);
	TRC_ANSWERED_TABLE(to,
	                   { .name = a->kind->column,
	                     .head = a->kind->name,
	                     .width = 20,
	                     .key = true,
	                     .off = sums },
	                   { TRC_NAMED(space), .off = !trc_ranked_in_space(a->kind) },
	                   { .head = a->spaces ? "space" : "", .width = 6 },
	                   { TRC_COLUMN(references, "references", 14), .curve = "references" },
	                   { .head = "share", .width = 10, .digits = 4, .percent = true },
	                   { TRC_COLUMN(reads, "reads", 14) }, { TRC_COLUMN(writes, "writes", 14) },
	                   { TRC_COLUMN(fetches, "fetches", 14) },
	                   { .head = "last stride", .width = 12, .off = !has_strides(a) },
	                   { .head = "regular",
	                     .width = 8,
	                     .digits = 1,
	                     .percent = true,
	                     .off = !has_strides(a) },
	                   { TRC_NAMED(stride), .off = !has_strides(a) },
	                   { TRC_NAMED(regular), .off = !has_strides(a) },
	                   { TRC_COLUMN(function, "  function", -10), .off = a->functions.n == 0,
	                     .key = sums });
	to->answer.group = describe;
	to->answer.row = row;
	snprintf(a->different, sizeof(a->different), "different %ss", a->kind->name);
	trc_ranked_answer(a->kind, "References",
	                  a->hot.touches == a->hot.refs ? "references" : "touches",
	                  trc_stat_rows(a->query.settings), to);
	return 0;
}

static bool
of_lines(const struct query *a)
{
	return strcmp(a->kind->name, "line") == 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct query *a = q;
	struct trc_stat_unit unit;

	if (a->query.warmup_copy)
		return trc_hot_sink(&a->hot, job->src->have, a->kind->by, a->bits, err);
	if (of_lines(a) && !(job->src->have & TRC_HAS_ADDR)) {
		trc_fail(err, "--top lines: the trace has pages, not addresses");
		return NULL;
	}
	if (a->part && !trc_hot_parts(job->src->have, a->kind->by)) {
		trc_fail(err, "--top pcs: the last fetch of a task may be in an earlier shard; "
		              "run it without --shard");
		return NULL;
	}
	if (trc_ranked_check(a->kind, job->src, err) || trc_stat_unit(&a->s, job->src, &unit, err))
		return NULL;
	a->bits = of_lines(a) && !a->s.line_size ? LINE_BITS : unit.known ? unit.bits : 0;
	a->spaces = job->src->have & TRC_HAS_ASID && trc_ranked_in_space(a->kind);
	a->wide = (struct trc_wide_references){ a->kind->name, a->bits, "has counts of its own",
		                                false, false };
	if (a->kind->by == TRC_HOT_PAGE && trc_wide_references_watch(job, &a->wide, err))
		return NULL;
	return trc_hot_sink(&a->hot, job->src->have, a->kind->by, a->bits, err);
}

static int
take_settings(struct query *a, struct trc_err *err)
{
	const struct settings *own = trc_settings_of(a->query.settings, &opts);

	trc_stat_begin(&a->s, &a->query);
	a->kind = &trc_ranked[own->by - 1];
	if (a->s.line_size && !of_lines(a))
		return trc_fail_as(err, TRC_USAGE, "--line-size is for --top lines");
	return trc_stat_functions(a->query.settings, a->kind, &a->functions, err);
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	const struct trc_view none = { NULL, NULL };
	struct query *a = q;

	if (take_settings(a, err) ||
	    trc_ranked_functions(&a->functions, a->kind, input ? a->query.path : NULL, none,
	                         a->s.quiet, err))
		return -1;
	a->query.unit = a->s.line_size ? a->s.line_size :
	                of_lines(a)    ? 1u << LINE_BITS :
	                                 a->s.page_size;
	if (has_strides(a)) {
		a->query.unit = 1;
		a->query.single = true;
		a->query.unindexed = true;
	}
	a->part = !input;
	return 0;
}

enum { PAGE_BYTES = 384 }; /* for an entry, its key and its index, with room to grow */

const struct trc_action trc_stat_top = {
	.name = "--top",
	.takes = TRC_TAKES(&opts, &trc_shard_opts_warmup, &trc_stat_opts_rows,
	                   &trc_stat_opts_functions, &trc_stat_opts_plot, &trc_stat_opts_page_size,
	                   &trc_stat_opts_line_size, TRC_STAT_SHARDS, TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct query), .begin = begin, .open = open_sink,
	                   .owns = { { offsetof(struct query, hot), trc_hot_release },
	                             { offsetof(struct query, functions), trc_functions_release } },
	                   .subtract = trc_hot_subtract, .answer = answer,
	                   .page_bytes = PAGE_BYTES),
};
