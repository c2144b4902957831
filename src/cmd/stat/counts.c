/* SPDX-License-Identifier: MIT
 * What is in a trace, counted. */
#include "cmd/stat/counted.h"

#include <stdio.h>
#include <string.h>

#include "batch/index.h"
#include "cmd/job/inputs.h"
#include "cmd/report.h"
#include "stage/stage.h"

static const struct trc_opt options[] = {
	{ 0, "count", NULL, "count by reading a container, not from its index", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, 0 },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(bool), NULL };

/* How a report is written. */
enum form { TEXT, CSV, JSON };

/* One line of the report. */
struct fact {
	const char *name; /* in JSON; in text with blanks for the underscores */
	uint64_t value;
	enum { COUNT, ADDRESS, YES, UNKNOWN } kind;
	bool shown;
};

enum { FACTS_MOST = 38, VALUE = 20 };

static bool
window_by(const struct trc_guarantee *p, enum trc_column clock)
{
	return p->window && p->clock == clock;
}

static size_t
facts_of(const struct trc_counts *k, const struct trc_meta *meta, uint32_t have, unsigned page_bits,
         struct fact *fact)
{
	const struct trc_guarantee *p = &meta->guarantee;
	const int distinct = k->distinct ? COUNT : UNKNOWN;
	const bool addr = have & TRC_HAS_ADDR && k->addr_first <= k->addr_last;
	const bool time = have & TRC_HAS_TIME && k->rows;
	const struct fact all[] = {
		{ "records", k->rows, COUNT, true },
		{ "references", k->refs, COUNT, true },
		{ "reads", k->by_type[TRC_READ], COUNT, have & TRC_HAS_TYPE },
		{ "writes", k->by_type[TRC_WRITE], COUNT, have & TRC_HAS_TYPE },
		{ "instructions", k->by_type[TRC_FETCH], COUNT, have & TRC_HAS_TYPE },
		{ "modifies", k->by_type[TRC_MODIFY], COUNT, k->by_type[TRC_MODIFY] },
		{ "miscellaneous", k->by_type[TRC_MISC], COUNT, k->by_type[TRC_MISC] },
		{ "copy_backs", k->by_type[TRC_COPY_BACK], COUNT, k->by_type[TRC_COPY_BACK] },
		{ "invalidates", k->by_type[TRC_INVALIDATE], COUNT, k->by_type[TRC_INVALIDATE] },
		{ "prefetches", k->by_type[TRC_PREFETCH], COUNT, k->by_type[TRC_PREFETCH] },
		{ "kernel_events", k->by_type[TRC_EVENT], COUNT, k->by_type[TRC_EVENT] },
		{ "by_kernel", k->by_kernel, COUNT, k->by_kernel },
		{ "pages", k->pages, distinct, have & (TRC_HAS_ADDR | TRC_HAS_VPN) },
		{ "page_size", UINT64_C(1) << (meta->page_bits ? meta->page_bits : page_bits),
		  COUNT, have & TRC_HAS_ADDR || meta->page_bits },
		{ "spaces", k->spaces, distinct, have & TRC_HAS_ASID },
		{ "tasks", k->tasks, distinct, have & TRC_HAS_TASK },
		{ "first_cycle", k->time_first, COUNT, time },
		{ "last_cycle", k->time_last, COUNT, time },
		{ "lowest_address", k->addr_first, ADDRESS, addr },
		{ "highest_address", k->addr_last, ADDRESS, addr },
		{ "reduced_for_memories_from", p->sad, COUNT, p->sad },
		{ "windows_of_references_from", p->window, COUNT, window_by(p, TRC_COL_RTIME) },
		{ "windows_of_instructions_from", p->window, COUNT, window_by(p, TRC_COL_ITIME) },
		{ "windows_of_cycles_from", p->window, COUNT, window_by(p, TRC_COL_TIME) },
		{ "cache_sets_from", p->sets, COUNT, p->sets },
		{ "cache_ways_from", p->ways, COUNT, p->ways },
		{ "cache_line_size", p->line, COUNT, p->line },
		{ "lru_only", 1, YES, p->reduced & TRC_LRU_ONLY },
		{ "neighbours_merged", 1, YES, p->reduced & TRC_MERGED && !p->sad },
		{ "each_space_by_itself", 1, YES, p->reduced & TRC_BY_SPACE },
		{ "over_canonical_pages", 1, YES, p->reduced & TRC_CANONICAL },
		{ "split_caches", 1, YES, p->reduced & TRC_SPLIT_CACHE },
		{ "behind_the_cache", 1, YES, p->reduced & TRC_BEHIND_CACHE },
		{ "approximate_one_page_in", p->sample, COUNT, p->sample },
		{ "part_of_a_reduced_trace", 1, YES, p->reduced & TRC_PART },
		{ "original_references", meta->refs, COUNT, meta->totals },
		{ "original_touches", meta->touches, COUNT, meta->touches },
		{ "original_instructions", meta->insns, COUNT, meta->totals },
	};
	size_t n = 0;

	_Static_assert(TRC_COUNT(all) <= FACTS_MOST, "room for every fact");
	for (size_t i = 0; i < TRC_COUNT(all); i++)
		if (all[i].shown)
			fact[n++] = all[i];
	return n;
}

static int
report_text(struct trc_out *out, const char *format, const struct fact *fact, size_t n,
            struct trc_err *err)
{
	if (trc_report(out, err, "%-26s%20s\n", "format", format))
		return -1;
	for (size_t i = 0; i < n; i++) {
		char name[32];
		int ret = 0;

		snprintf(name, sizeof(name), "%s", fact[i].name);
		for (char *p = name; *p; p++)
			*p = *p == '_' ? ' ' : *p;
		switch (fact[i].kind) {
		case COUNT: ret = trc_report_fact(out, name, fact[i].value, err); break;
		case ADDRESS:
			ret = trc_report(out, err, "%-26s%#20llx\n", name,
			                 (unsigned long long)fact[i].value);
			break;
		case YES: ret = trc_report(out, err, "%-26s%20s\n", name, "yes"); break;
		case UNKNOWN: ret = trc_report(out, err, "%-26s%20s\n", name, "-"); break;
		}
		if (ret)
			return -1;
	}
	return 0;
}

/* How a form writes what is no plain number. */
struct words {
	const char *quote, *yes, *unknown;
};

/* The value of a fact; returns dst. */
static const char *
value_of(const struct fact *f, const struct words *w, char dst[32])
{
	const unsigned long long value = f->value;

	switch (f->kind) {
	case COUNT: snprintf(dst, 32, "%llu", value); break;
	case ADDRESS: snprintf(dst, 32, "%s0x%llx%s", w->quote, value, w->quote); break;
	case YES: snprintf(dst, 32, "%s", w->yes); break;
	case UNKNOWN: snprintf(dst, 32, "%s", w->unknown); break;
	}
	return dst;
}

/* Addresses are strings: numbers of JSON readers end at 2^53. */
static int
report_json(struct trc_out *out, const char *format, const struct fact *fact, size_t n,
            struct trc_err *err)
{
	static const struct words words = { "\"", "true", "null" };
	char value[32];

	if (trc_report(out, err, "\"format\": \"%s\"", format))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (trc_report(out, err, ", \"%s\": %s", fact[i].name,
		               value_of(&fact[i], &words, value)))
			return -1;
	return 0;
}

/* A row each; what is not known is an empty field. */
static int
report_csv(struct trc_out *out, const char *format, const struct fact *fact, size_t n,
           struct trc_err *err)
{
	static const struct words words = { "", "yes", "" };
	char value[32];

	if (trc_report(out, err, "name,value\nformat,%s\n", format))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (trc_report(out, err, "%s,%s\n", fact[i].name,
		               value_of(&fact[i], &words, value)))
			return -1;
	return 0;
}

/* A text as messages have it: without NUL. */
static const char *
text_of(const struct trc_provenance_entry *e, char *dst)
{
	for (size_t i = 0; i < e->len; i++)
		dst[i] = (char)(e->text[i] ? e->text[i] : '?');
	dst[e->len] = 0;
	return dst;
}

/* Where the trace came from: an entry a line, or an object in an array. The fingerprint that it has
 * is not that of a part. */
static int
report_provenance(struct trc_out *out, struct trc_view list, bool part, enum form form,
                  struct trc_err *err)
{
	const bool json = form == JSON;

	char text[TRC_PROVENANCE_TEXT_MOST + 1];
	struct trc_provenance_entry e;
	const char *before = ", \"provenance\": [";

	while (list.p < list.end && trc_provenance_next(&list, &e)) {
		const char *key = e.key;

		if (part && strcmp(key, "fingerprint") == 0)
			key = form == TEXT ? "fingerprint of all" : "fingerprint_of_all";
		text_of(&e, text);
		if (form == CSV ?
		            trc_report(out, err, "%s,", key) || trc_report_csv(out, text, err) ||
		                    trc_report(out, err, "\n") :
		    json ? trc_report(out, err, "%s{\"%s\": ", before, key) ||
		                    trc_report_json(out, text, err) || trc_report(out, err, "}") :
		           trc_report(out, err, "%-26s%*s", key,
		                      (int)(strlen(text) < VALUE ? VALUE - strlen(text) : 0), "") ||
		                    trc_report_line(out, text, err) || trc_report(out, err, "\n"))
			return -1;
		before = ", ";
	}
	return json ? trc_report(out, err, "%s}\n", strlen(before) == 2 ? "]" : "") : 0;
}

/* The question, while it is asked. */
struct asking {
	struct trc_asked asked; /* sum[1]: shards whose different pages nobody wants to know */
	struct trc_stat s;
	unsigned page_bits;
	bool count;
	struct trc_counts counts;
	const struct trc_index *index; /* that has all of it, or NULL */
};

static int
report(const struct asking *a, const struct trc_job *job, const struct fact *fact, size_t n,
       struct trc_view provenance, struct trc_err *err)
{
	const enum form form = a->s.json ? JSON : a->s.csv ? CSV : TEXT;
	const bool part = !trc_job_in_whole(trc_job_in(a->asked.all));
	struct trc_out *out = trc_out_open("-", false, err);
	int ret;

	if (!out)
		return -1;
	ret = form == JSON ? trc_report(out, err, "{") : 0;
	if (ret == 0)
		ret = (form == JSON ? report_json :
		       form == CSV  ? report_csv :
		                      report_text)(out, job->format->name, fact, n, err);
	if (ret == 0)
		ret = report_provenance(out, provenance, part, form, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct asking *a = q;

	(void)input;
	a->s = trc_stat_of(a->asked.all);
	a->asked.quiet = a->s.quiet;
	a->asked.unit = a->s.page_size;
	a->count = trc_settings_named(a->asked.all, "count");
	return trc_job_page_bits(a->s.page_size ? a->s.page_size : TRC_STAT_PAGE_SIZE,
	                         &a->page_bits, err);
}

/* The index, where it has what is to be printed. */
static int
know(void *q, struct trc_job *job, bool *known, struct trc_err *err)
{
	struct asking *a = q;

	*known = false;
	if (!job->src->index || a->page_bits != TRC_COUNTS_PAGE_BITS)
		return 0;
	if (job->src->index(job->src, &a->index, err))
		return -1;
	/* With --page-size, the number of pages must be known. */
	if (a->count || (a->index && a->s.page_size && !a->index->counts.distinct))
		a->index = NULL;
	*known = a->index;
	return 0;
}

/* Shards are counted; what the index of the whole does not have stays unknown. */
static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;

	(void)job;
	a->asked.sum[1] = a->asked.uncounted && !a->count && !a->s.page_size;
	return trc_counts_sink(&a->counts, a->page_bits, err);
}

static int
print(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;
	const struct trc_meta *meta = a->index ? &a->index->meta : &job->src->meta;
	struct trc_counts counts = a->index ? a->index->counts : a->counts;
	struct fact fact[FACTS_MOST];
	size_t n;

	counts.distinct &= a->asked.sum[1] == 0;
	n = facts_of(&counts, meta, job->src->have, a->page_bits, fact);
	return report(a, job, fact, n, meta->provenance, err);
}

static const struct trc_opts *const shown[] = { TRC_STAT_SHOWN, NULL };

enum { PAGE_BYTES = 128 }; /* of a hash map with room to grow, and sorted to be saved */

static const struct trc_question question = { .size = sizeof(struct asking),
	                                      .begin = begin,
	                                      .know = know,
	                                      .open = open_sink,
	                                      .print = print,
	                                      .page_bytes = PAGE_BYTES,
	                                      .shown = shown };

/* ---- one of several ---- */

/* Counts an opened input, unless its index knows. */
static int
count(struct trc_counted *c, struct asking *a, struct trc_err *err)
{
	struct trc_sink *sink;
	bool known;
	int ret;

	if (know(a, &c->job, &known, err))
		return -1;
	if (known) {
		c->counts = a->index->counts;
		c->meta = &a->index->meta;
		return 0;
	}
	sink = open_sink(a, &c->job, err);
	if (!sink)
		return -1;
	trc_job_note(&c->job, a->asked.quiet);
	ret = trc_job_pump(&c->job, sink, true, err);
	trc_sink_close(sink);
	c->counts = a->counts;
	c->meta = &c->job.src->meta;
	return ret;
}

static int
count_input(struct trc_counted *c, const struct trc_settings *all, const char *path,
            const struct trc_job_in *in, struct trc_err *err)
{
	struct asking a = { .asked = { .all = all } };

	*c = (struct trc_counted){ .path = path, .part = !trc_job_in_whole(in) };
	if (begin(&a, path, err) || trc_inputs_open(&c->job, &c->path, 1, in, true, err))
		return -1;
	c->page_bits = a.page_bits;
	return count(c, &a, err);
}

static int
put_json(const struct trc_counted *c, struct trc_out *out, struct trc_err *err)
{
	struct fact fact[FACTS_MOST];
	const size_t n = facts_of(&c->counts, c->meta, c->job.src->have, c->page_bits, fact);

	if (trc_report(out, err, "{\"input\": ") || trc_report_json(out, c->path, err) ||
	    trc_report(out, err, ", ") || report_json(out, c->job.format->name, fact, n, err))
		return -1;
	return report_provenance(out, c->meta->provenance, c->part, JSON, err);
}

static const struct trc_counting counting = { .count = count_input, .json = put_json };

/* Several inputs are a table, unless they are one trace: in shards, or as --concat has it. */
static int
answer_counts(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	if (!trc_shard_wanted(all) && !trc_inputs_in_order(all) &&
	    (args->n > 1 || trc_counted_apart(all, args)))
		return trc_counted_table(&counting, all, args, err);
	return trc_shard_answer(all, args, err);
}

static const struct trc_opts *const takes[] = {
	&opts, &trc_stat_opts_page_size, &trc_stat_opts_csv, TRC_STAT_SHARDS, TRC_STAT_TAKES, NULL
};

const struct trc_action trc_stat_counts = {
	.name = "the plain counts", .takes = takes, .run = answer_counts, .question = &question
};
