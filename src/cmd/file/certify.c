/* SPDX-License-Identifier: MIT
 * trc stat --certify: compares a reduced trace with its original. */
#include "stage/reduce/certify.h"

#include <stdio.h>
#include <string.h>

#include "batch/fingerprint.h"
#include "cmd/geometry.h"
#include "cmd/job/inputs.h"
#include "cmd/job/wide_references.h"
#include "cmd/stat/stat.h"
#include "stage/wrap.h"

/* The settings of --certify. */
struct settings {
	bool chosen;
	struct trc_opt_pages sad; /* the default is that of the reduced trace */
};

static const struct trc_opts opts =
        TRC_OPTS(struct settings,
                 { 0, "certify", NULL, "check that REDUCED has the faults of ORIGINAL",
                   TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, chosen) },
                 { 0, "sad", "R", "with --certify: check from R pages on", TRC_OPT_PAGES,
                   TRC_WORDS_NONE, offsetof(struct settings, sad) });

/* Both traces and the certificate. */
struct certified {
	const char *path[2];  /* of the reduced trace, of the original */
	struct trc_meta meta; /* of the reduced trace, complete */
	uint64_t rows;        /* its number of rows */
	uint64_t r;
	struct trc_scope scope;
	struct trc_certificate c;
	struct trc_job reduced;
	struct trc_page_totals totals; /* of the original, as recorded in the reduced trace */
	struct trc_fingerprint fingerprint[2];
	struct trc_wide_references wide;
	const char *why; /* why the traces differ; NULL: they do not */
};

/* A source that computes the fingerprint of the rows that pass. */
struct reader {
	struct trc_wrap wrap;
	struct trc_fingerprint *fingerprint;
};

static enum trc_flow
reader_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct reader *s = (struct reader *)src;
	const enum trc_flow flow = trc_wrap_next(&s->wrap, b, err);

	if (flow == TRC_FLOW_ROWS)
		trc_fingerprint_update(s->fingerprint, b, 0, b->n);
	return flow;
}

/* Wraps such a source around that of the job. The caller releases the fingerprint. */
static int
wrap_reader(struct trc_fingerprint *fingerprint, struct trc_job *job, struct trc_err *err)
{
	struct reader *s;

	if (trc_fingerprint_init(fingerprint, job->src->have, err))
		return -1;
	s = trc_wrap_pass(sizeof(*s), job->src, reader_next, err);
	if (!s)
		return -1;
	s->fingerprint = fingerprint;
	job->src = &s->wrap.src;
	return 0;
}

/* Wraps the source of a job to deliver its references to pages. */
static int
to_pages(struct trc_job *job, unsigned bits, struct trc_err *err)
{
	static uint64_t refs; /* not used */

	if (trc_job_drop(job, TRC_HAS_EVENT, err))
		return -1;
	return trc_job_wrap(job, trc_stage_page(job->src, bits, &refs, err));
}

/* Reads all rows. */
static int
read_rows(struct trc_source *src, uint64_t *rows, struct trc_err *err)
{
	enum trc_flow flow;
	struct trc_batch b;

	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, err))
		return -1;
	for (*rows = 0; (flow = trc_source_next(src, &b, err)) == TRC_FLOW_ROWS; *rows += b.n)
		continue;
	trc_batch_release(&b);
	return flow == TRC_FLOW_END ? 0 : -1;
}

/* Reads the reduced trace once to get its fingerprint and its metadata, which may be complete only
 * at its end. */
static int
read_meta(struct certified *x, const struct trc_job_in *in, bool quiet, struct trc_err *err)
{
	struct trc_job job;
	int ret;

	if (trc_inputs_open(&job, &x->path[0], 1, in, quiet, err))
		return -1;
	if (!(job.src->have & TRC_HAS_RTIME) || !(job.src->have & TRC_HAS_VPN)) {
		trc_source_close(job.src);
		return trc_fail(err,
		                "%s: a reduced trace has pages and reference times; %s does not",
		                x->path[0], job.format->name);
	}
	ret = wrap_reader(&x->fingerprint[0], &job, err) || read_rows(job.src, &x->rows, err) ? -1 :
	                                                                                        0;
	x->meta = job.src->meta;
	x->meta.gaps = 0;
	x->meta.gap = NULL;
	x->totals = (struct trc_page_totals){ x->meta.refs, x->meta.insns, x->meta.last_time,
		                              trc_meta_touches(&x->meta) };
	trc_source_close(job.src);
	return ret;
}

/* Finds the page size: that of the reduced trace, if it records one. */
static int
page_bits(const struct certified *x, const struct trc_stat *s, unsigned *bits, struct trc_err *err)
{
	const uint32_t known = x->meta.page_bits;

	if (trc_job_page_bits(s->page_size ? s->page_size : TRC_STAT_PAGE_SIZE, bits, err))
		return -1;
	if (s->page_size && known && *bits != known)
		return trc_fail_as(err, TRC_USAGE,
		                   "--page-size: the reduced trace has pages of %llu "
		                   "bytes",
		                   1ull << known);
	if (!s->page_size && known)
		*bits = known;
	return 0;
}

/* Takes the smallest certified memory from --sad. */
static int
take_size(struct certified *x, const struct trc_stat *s, const struct trc_opt_pages *sad,
          struct trc_err *err)
{
	unsigned bits;

	if (page_bits(x, s, &bits, err))
		return -1;
	return trc_geometry_pages(sad, "sad", "page", s->page_size || x->meta.page_bits, bits,
	                          &x->r, err);
}

/* Determines what to certify, from the options and the metadata of the reduced trace. */
static int
take_meta(struct certified *x, const struct trc_stat *s, const struct settings *own,
          struct trc_err *err)
{
	x->scope.by_space = s->by_space || x->meta.guarantee.reduced & TRC_BY_SPACE;
	x->scope.canonical = x->meta.guarantee.reduced & TRC_CANONICAL;
	x->r = x->meta.guarantee.sad;
	if (x->meta.guarantee.reduced & TRC_BELOW_CACHE || x->meta.guarantee.sample > 1)
		return trc_fail(err,
		                "%s: the trace was %s, so no LRU memory behaves the same on "
		                "it",
		                x->path[0],
		                x->meta.guarantee.sample > 1 ? "sampled" : "stripped by a cache");
	if (x->scope.canonical && x->scope.by_space)
		return trc_fail_as(err, TRC_USAGE,
		                   "--by-space: %s was reduced over canonical pages, which do not "
		                   "belong to spaces",
		                   x->path[0]);
	if (own->sad.n && take_size(x, s, &own->sad, err))
		return -1;
	if (x->r == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "%s does not record for which memories it was reduced; give "
		                   "--sad R",
		                   x->path[0]);
	return 0;
}

/* Compares the number of rows with the number that the reduced trace records. */
static int
check_rows(struct certified *x, struct trc_err *err)
{
	if (x->meta.rows == 0 || x->meta.rows == x->rows)
		return 0;
	x->c.parted = true;
	x->c.where = 0;
	return trc_fail(err, "%s: has %llu records, but its trailer claims %llu", x->path[0],
	                (ull)x->rows, (ull)x->meta.rows);
}

/* Opens the reduced trace again, to be read along with the original. */
static int
open_reduced(struct certified *x, const struct trc_job_in *in, bool quiet, struct trc_err *err)
{
	if (trc_inputs_open(&x->reduced, &x->path[0], 1, in, quiet, err))
		return -1;
	return to_pages(&x->reduced, x->meta.page_bits, err);
}

/* Checks that both traces have the columns that the comparison needs. */
static int
check_columns(const struct certified *x, const struct trc_source *original, struct trc_err *err)
{
	const uint32_t have[] = { x->reduced.src->have, original->have };

	if (x->scope.by_space && !(original->have & TRC_HAS_ASID))
		return trc_fail(err, "%s: the trace has no address spaces", x->path[1]);
	for (size_t i = 0; i < TRC_COUNT(have) && x->scope.canonical; i++)
		if (!(have[i] & TRC_HAS_CPN))
			return trc_fail(err,
			                "%s: the trace has no canonical pages, over which '%s' "
			                "was reduced",
			                x->path[i], x->path[0]);
	return 0;
}

/* Prepares the original for the comparison, and opens the sink that compares. */
static struct trc_sink *
open_sink(struct certified *x, const struct trc_stat *s, struct trc_job *original,
          struct trc_err *err)
{
	unsigned bits;

	if (page_bits(x, s, &bits, err))
		return NULL;
	if (original->src->have & TRC_HAS_VPN)
		bits = original->src->meta.page_bits;
	x->wide = (struct trc_wide_references){ "page", bits, "is compared by itself", false,
		                                true };
	if (wrap_reader(&x->fingerprint[1], original, err) ||
	    trc_wide_references_watch(original, &x->wide, err) || to_pages(original, bits, err) ||
	    check_columns(x, original->src, err))
		return NULL;
	return trc_certify_sink(&x->c, x->reduced.src, x->r, &x->scope,
	                        x->meta.totals ? &x->totals : NULL, original->src->have, err);
}

static struct trc_value
hash_if(bool known, const struct trc_fingerprint *f)
{
	return known ? trc_value(TRC_VALUE_HASH, trc_fingerprint_all(f)) : trc_none();
}

/* Describes the certificate, or where and why the traces differ. In text, only standard error has
 * the latter. */
static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct certified *x = of;
	const bool good = !x->why;

	(void)i, (void)err;
	snprintf(g->title, sizeof(g->title),
	         "certified: exact for LRU memories of %llu pages or more%s\n", (ull)x->r,
	         x->scope.by_space  ? ", of each address space" :
	         x->scope.canonical ? ", by canonical pages" :
	                              "");
	TRC_FACTS(g, { TRC_FACT(certified, NULL, trc_yes(good)) },
	          { TRC_FACT(r, NULL, trc_count(x->r)) },
	          { TRC_FACT(by_space, NULL, trc_yes(x->scope.by_space)) },
	          { TRC_FACT(canonical, NULL, trc_yes(x->scope.canonical)) },
	          { TRC_FACT(reference, NULL, trc_count_if(!good, x->c.where)) },
	          { TRC_FACT(why, NULL, trc_word(x->why)) },
	          { TRC_FACT(pages, "pages touched", trc_count_if(good, x->c.pages)) },
	          { TRC_FACT(references, "references to pages",
	                     trc_count_if(good, x->c.references)) },
	          { TRC_FACT(records, "", trc_count_if(good, x->c.records)) },
	          { TRC_FACT(faults, "", trc_count_if(good, x->c.faults)),
	            .more = "  in the smallest of these memories" },
	          { TRC_FACT(evictions, "", trc_count_if(good, x->c.evictions)) },
	          { TRC_FACT(dirty_evictions, "", trc_count_if(good, x->c.dirty)) },
	          { TRC_FACT(read_faults_made_writes, "", trc_count_if(good, x->c.became_writes)) },
	          { TRC_FACT(original, "fingerprint, original", hash_if(good, &x->fingerprint[1])),
	            .more = "  of this trace, as in --check --json" },
	          { TRC_FACT(reduced, "fingerprint, reduced", hash_if(good, &x->fingerprint[0])),
	            .more = "  of the other trace" });
	return 0;
}

static int
report(struct certified *x, enum trc_form form, const char *why, struct trc_err *err)
{
	x->why = why;
	return trc_answer_print(
	        &(const struct trc_answer){ .form = form, .of = x, .group = describe }, err);
}

/* Compares the traces and prints the certificate. If they differ, fails, after printing that for
 * CSV and JSON. */
static int
certify(struct certified *x, const struct trc_stat *s, struct trc_job *original,
        struct trc_err *err)
{
	struct trc_sink *sink = open_sink(x, s, original, err);
	int ret = sink ? trc_job_pump(original, sink, s->quiet, err) : -1;
	struct trc_err failed;

	trc_sink_close(sink);
	if (ret == 0 && check_rows(x, err) == 0)
		return report(x, s->form, NULL, err);
	failed = *err;
	if (x->c.parted && s->form != TRC_FORM_TEXT && report(x, s->form, failed.text, err) == 0)
		*err = failed;
	return -1;
}

/* Determines what to certify by reading the reduced trace, and opens it again. */
static int
choose_reduction(struct certified *x, const struct trc_settings *settings, const struct trc_stat *s,
                 struct trc_err *err)
{
	const struct trc_job_in plain = { .threads = s->in->threads, .memlimit = s->in->memlimit };

	if (trc_job_again(x->path[0], "--certify reads REDUCED twice", err) ||
	    read_meta(x, &plain, s->quiet, err) ||
	    take_meta(x, s, trc_settings_of(settings, &opts), err))
		return -1;
	return open_reduced(x, &plain, s->quiet, err);
}

static int
answer_certify(const struct trc_settings *settings, const struct trc_args *args,
               struct trc_err *err)
{
	const struct trc_stat s = trc_stat_of(settings);
	struct certified x = { .rows = 0 };
	struct trc_job original;
	int ret;

	if (args->n != 2)
		return trc_fail_as(err, TRC_USAGE, "--certify needs two traces: REDUCED ORIGINAL");
	x.path[0] = args->word[0];
	x.path[1] = args->word[1];
	ret = choose_reduction(&x, settings, &s, err);
	if (ret == 0)
		ret = trc_inputs_open(&original, &x.path[1], 1, s.in, s.quiet, err);
	if (ret == 0) {
		ret = certify(&x, &s, &original, err);
		trc_source_close(original.src);
	}
	trc_source_close(x.reduced.src);
	trc_fingerprint_release(&x.fingerprint[0]);
	trc_fingerprint_release(&x.fingerprint[1]);
	return ret;
}

const struct trc_action trc_stat_certify = {
	.name = "--certify",
	.takes = TRC_TAKES(&opts, &trc_stat_opts_page_size, &trc_stat_opts_by_space,
	                   TRC_STAT_TAKES),
	.run = answer_certify,
	.no_warmup = "compares two traces from the first reference on",
	.no_shards = "memories are compared from the first reference on; run it without --shard"
};
