/* SPDX-License-Identifier: MIT
 *
 * trc stat: counts the contents of a trace.
 */
#include "cmd/stat/counted.h"

#include <string.h>

#include "batch/index.h"
#include "cmd/job/inputs.h"
#include "cmd/job/traces.h"
#include "stage/stage.h"

static bool
window_by(const struct trc_guarantee *p, enum trc_column clock)
{
	return p->window && p->clock == clock;
}

/* Facts that only apply to some traces. */
static struct trc_value
yes_if(bool yes)
{
	return yes ? trc_yes(true) : trc_none();
}

static struct trc_value
distinct(const struct trc_counts *k, bool has, uint64_t n)
{
	return !has ? trc_none() : k->distinct ? trc_count(n) : trc_unknown();
}

/* The data to print. */
struct printed {
	const char *input; /* NULL: there is only one */
	const char *format;
	const struct trc_counts *k;
	const struct trc_popularity *requests; /* NULL: the rows are references */
	const struct trc_meta *meta;
	uint32_t have;
	unsigned page_bits;
	bool part; /* only a part is counted, so the fingerprint of the whole is not printed */
	enum trc_form form;

	/* From its provenance: */
	struct trc_view list;
	struct trc_provenance_entry entry;
	char text[TRC_PROVENANCE_TEXT_MOST + 1];
};

/* What the rows are: for requests, text leaves out what only memory references have. */
static void
add_rows(const struct printed *r, struct trc_answer_group *g)
{
	const struct trc_counts *k = r->k;
	const bool types = r->have & TRC_HAS_TYPE;
	const struct trc_popularity *p = r->requests;
	const char *const memory = p ? NULL : "";

	TRC_FACTS_ADD(g, { TRC_FACT(input, NULL, trc_word(r->input)) },
	              { TRC_FACT(format, "", trc_word(r->format)) },
	              { TRC_FACT(records, "", trc_count(k->rows)) },
	              { TRC_FACT(references, memory, trc_count(k->refs)) },
	              { TRC_FACT(requests, "",
	                         trc_count_if(p, p ? p->totals.requests[0] + p->totals.requests[1] :
	                                             0)) },
	              { TRC_FACT(reads, "", trc_count_if(types, k->by_type[TRC_READ])) },
	              { TRC_FACT(writes, "", trc_count_if(types, k->by_type[TRC_WRITE])) },
	              { TRC_FACT(instructions, memory,
	                         trc_count_if(types, k->by_type[TRC_FETCH])) },
	              { TRC_FACT(modifies, "", trc_count_some(k->by_type[TRC_MODIFY])) },
	              { TRC_FACT(miscellaneous, "", trc_count_some(k->by_type[TRC_MISC])) },
	              { TRC_FACT(copy_backs, "", trc_count_some(k->by_type[TRC_COPY_BACK])) },
	              { TRC_FACT(invalidates, p ? "deletes" : "",
	                         p && types ? trc_count(k->by_type[TRC_INVALIDATE]) :
	                                      trc_count_some(k->by_type[TRC_INVALIDATE])) },
	              { TRC_FACT(prefetches, "", trc_count_some(k->by_type[TRC_PREFETCH])) },
	              { TRC_FACT(kernel_events, "", trc_count_some(k->by_type[TRC_EVENT])) },
	              { TRC_FACT(by_kernel, "", trc_count_some(k->by_kernel)) });
}

/* What they refer to, and when; without pages and addresses if these name objects. */
static void
add_places(const struct printed *r, struct trc_answer_group *g)
{
	const struct trc_counts *k = r->k;
	const bool names = r->requests && k->addr_first > k->addr_last;
	const uint32_t have = r->have & ~(names ? TRC_HAS_ADDR : 0), bits = r->meta->page_bits;
	const bool addr = have & TRC_HAS_ADDR && k->addr_first <= k->addr_last;
	const bool time = have & TRC_HAS_TIME && k->rows;

	TRC_FACTS_ADD(g,
	              { TRC_FACT(pages, "",
	                         distinct(k, have & (TRC_HAS_ADDR | TRC_HAS_VPN), k->pages)) },
	              { TRC_FACT(page_size, "",
	                         trc_count_if(have & TRC_HAS_ADDR || bits,
	                                      UINT64_C(1) << (bits ? bits : r->page_bits))) },
	              { TRC_FACT(spaces, "", distinct(k, have & TRC_HAS_ASID, k->spaces)) },
	              { TRC_FACT(tasks, "", distinct(k, have & TRC_HAS_TASK, k->tasks)) },
	              { TRC_FACT(first_cycle, r->requests ? "first time" : "",
	                         trc_count_if(time, k->time_first)) },
	              { TRC_FACT(last_cycle, r->requests ? "last time" : "",
	                         trc_count_if(time, k->time_last)) },
	              { TRC_FACT(lowest_address, "",
	                         addr ? trc_value(TRC_VALUE_ADDRESS, k->addr_first) : trc_none()) },
	              { TRC_FACT(highest_address, "",
	                         addr ? trc_value(TRC_VALUE_ADDRESS, k->addr_last) : trc_none()) });
	if (r->requests)
		trc_stat_popularity_facts(r->requests, g);
}

/* What it is exact for, if it was reduced. */
static void
add_reduced(const struct trc_meta *meta, struct trc_answer_group *g)
{
	const struct trc_guarantee *p = &meta->guarantee;

	TRC_FACTS_ADD(
	        g, { TRC_FACT(reduced_for_memories_from, "", trc_count_some(p->sad)) },
	        { TRC_FACT(windows_of_references_from, "",
	                   trc_count_if(window_by(p, TRC_COL_RTIME), p->window)) },
	        { TRC_FACT(windows_of_instructions_from, "",
	                   trc_count_if(window_by(p, TRC_COL_ITIME), p->window)) },
	        { TRC_FACT(windows_of_cycles_from, "",
	                   trc_count_if(window_by(p, TRC_COL_TIME), p->window)) },
	        { TRC_FACT(cache_sets_from, "", trc_count_some(p->sets)) },
	        { TRC_FACT(cache_ways_from, "", trc_count_some(p->ways)) },
	        { TRC_FACT(cache_line_size, "", trc_count_some(p->line)) },
	        { TRC_FACT(lru_only, "", yes_if(p->reduced & TRC_LRU_ONLY)) },
	        { TRC_FACT(neighbours_merged, "", yes_if(p->reduced & TRC_MERGED && !p->sad)) },
	        { TRC_FACT(each_space_by_itself, "", yes_if(p->reduced & TRC_BY_SPACE)) },
	        { TRC_FACT(over_canonical_pages, "", yes_if(p->reduced & TRC_CANONICAL)) },
	        { TRC_FACT(split_caches, "", yes_if(p->reduced & TRC_SPLIT_CACHE)) },
	        { TRC_FACT(behind_the_cache, "", yes_if(p->reduced & TRC_BELOW_CACHE)) },
	        { TRC_FACT(approximate_one_page_in, "", trc_count_some(p->sample)) },
	        { TRC_FACT(part_of_a_reduced_trace, "", yes_if(p->reduced & TRC_PART)) },
	        { TRC_FACT(original_references, "", trc_count_if(meta->totals, meta->refs)) },
	        { TRC_FACT(original_touches, "", trc_count_some(meta->touches)) },
	        { TRC_FACT(original_instructions, "", trc_count_if(meta->totals, meta->insns)) });
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct printed *r = of;

	(void)i, (void)err;
	add_rows(r, g);
	add_places(r, g);
	add_reduced(r->meta, g);
	return 0;
}

/* Returns an entry of the provenance. Texts contain no NUL, as in messages. */
static bool
pair(void *of, size_t k, const char **name, const char **value)
{
	struct printed *r = of;

	if (k == 0)
		r->list = r->meta->provenance;
	if (r->list.p >= r->list.end || !trc_provenance_next(&r->list, &r->entry))
		return false;
	for (size_t i = 0; i < r->entry.len; i++)
		r->text[i] = (char)(r->entry.text[i] ? r->entry.text[i] : '?');
	r->text[r->entry.len] = 0;
	*name = r->entry.key;
	*value = r->text;
	if (r->part && strcmp(r->entry.key, "fingerprint") == 0)
		*name = r->form == TRC_FORM_TEXT ? "fingerprint of all" : "fingerprint_of_all";
	return true;
}

static struct trc_answer
answer_of(struct printed *p)
{
	return (struct trc_answer){
		.form = p->form, .of = p, .group = describe, .list = "provenance", .pair = pair
	};
}

/* The state of the question. */
struct query {
	struct trc_query query; /* sum[1]: shards whose number of distinct pages is not needed */
	struct trc_stat s;
	unsigned page_bits;
	bool count;
	struct trc_popularity found;   /* of references, only its counts */
	bool requests;                 /* the rows are requests */
	bool table;                    /* only counts are shown */
	const struct trc_index *index; /* the index, if it has all that is needed, or NULL */
};

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct query *a = q;

	(void)input;
	trc_stat_begin(&a->s, &a->query);
	a->count = trc_settings_named(a->query.settings, "count");
	if (*(const unsigned *)trc_settings_of(a->query.settings, &trc_stat_opts_count) > 1)
		return trc_fail_as(err, TRC_USAGE,
		                   "--count read is for --mrc; --only read selects reads");
	return trc_job_page_bits(a->s.page_size ? a->s.page_size : TRC_STAT_PAGE_SIZE,
	                         &a->page_bits, err);
}

/* Only their own formats show requests: a container has an index, which lacks their objects. */
static void
note_requests(const struct query *a, const struct trc_job *job)
{
	trc_stat_note_requests(&a->s, job, !a->table,
	                       "--popularity counts objects and their bytes");
}

/* Uses the index if it has everything to be printed. */
static int
know(void *q, struct trc_job *job, bool *known, struct trc_err *err)
{
	struct query *a = q;

	*known = false;
	if (a->page_bits != TRC_COUNTS_PAGE_BITS)
		return 0;
	if (trc_source_index(job->src, &a->index, err))
		return -1;
	/* With --page-size, the number of pages must be known. */
	if (a->count || (a->index && a->s.page_size && !a->index->counts.distinct))
		a->index = NULL;
	*known = a->index;
	if (*known)
		note_requests(a, job);
	return 0;
}

/* Shards are counted; what only the index of the whole knows stays unknown. */
static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct query *a = q;
	const struct trc_format *f = trc_stat_requests(job);

	a->found = (struct trc_popularity){ .n = 0 };
	a->query.sum[1] = a->query.uncounted && !a->count && !a->s.page_size;
	a->requests = f && f == job->format && !a->s.page_size && !a->table;
	if (a->requests) {
		return trc_stat_popularity_counts(&a->found, job,
		                                  f->objects ? TRC_COUNTS_NO_PAGES : a->page_bits,
		                                  err);
	}
	note_requests(a, job);
	return trc_counts_sink(&a->found.counts, a->page_bits, err);
}

static int
print(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct query *a = q;
	const struct trc_meta *meta = a->index ? &a->index->meta : &job->src->meta;
	struct trc_counts counts = a->index ? a->index->counts : a->found.counts;
	struct printed p = { .format = job->format->name,
		             .k = &counts,
		             .requests = a->requests ? &a->found : NULL,
		             .meta = meta,
		             .have = job->src->have,
		             .page_bits = a->page_bits,
		             .part = !trc_job_in_whole(a->query.in),
		             .form = a->s.form };
	struct trc_answer answer = answer_of(&p);

	counts.distinct &= a->query.sum[1] == 0;
	return trc_answer_print(&answer, err);
}

/* ---- one of several traces ---- */

/* Counts an open input, unless its index has the counts. */
static int
count(struct trc_counted *c, struct query *a, struct trc_err *err)
{
	struct trc_sink *sink;
	bool known;
	int ret;

	if (know(a, &c->job, &known, err))
		return -1;
	if (known) {
		c->found.counts = a->index->counts;
		c->meta = &a->index->meta;
		return 0;
	}
	sink = open_sink(a, &c->job, err);
	if (!sink)
		return -1;
	trc_job_note(&c->job, a->query.quiet);
	ret = trc_job_pump(&c->job, sink, true, err);
	trc_sink_close(sink);
	c->found = a->found;
	c->requests = a->requests;
	c->meta = &c->job.src->meta;
	return ret;
}

static int
count_input(struct trc_counted *c, const struct trc_settings *settings, const char *path,
            const struct trc_job_in *in, struct trc_err *err)
{
	struct query a = { .query = { .settings = settings } };

	*c = (struct trc_counted){ .path = path, .part = !trc_job_in_whole(in) };
	if (begin(&a, path, err) || trc_inputs_open(&c->job, &c->path, 1, in, true, err))
		return -1;
	a.table = a.s.form != TRC_FORM_JSON;
	c->page_bits = a.page_bits;
	return count(c, &a, err);
}

static int
put_json(const struct trc_counted *c, struct trc_out *out, struct trc_err *err)
{
	struct printed p = { .input = c->path,
		             .format = c->job.format->name,
		             .k = &c->found.counts,
		             .requests = c->requests ? &c->found : NULL,
		             .meta = c->meta,
		             .have = c->job.src->have,
		             .page_bits = c->page_bits,
		             .part = c->part,
		             .form = TRC_FORM_JSON };
	struct trc_answer answer = answer_of(&p);

	return trc_answer_put(&answer, out, err);
}

static const struct trc_counting counting = { .count = count_input, .json = put_json };

/* Several traces become a table. */
static int
answer_several(const struct trc_settings *settings, const struct trc_traces *traces,
               struct trc_err *err)
{
	return trc_counted_table(&counting, settings, traces, err);
}

enum { PAGE_BYTES = 128 }; /* for a hash map with room to grow, sorted when it is saved */

const struct trc_action trc_stat_counts = {
	.name = "the plain counts",
	.takes = TRC_TAKES(&trc_stat_opts_count, &trc_stat_opts_page_size, TRC_STAT_SHARDS,
	                   TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct query), .begin = begin, .know = know,
	                   .open = open_sink, .print = print, .several = answer_several,
	                   .owns = { { offsetof(struct query, found), trc_popularity_release } },
	                   .page_bytes = PAGE_BYTES),
};
