/* SPDX-License-Identifier: MIT
 * trc stat --certify: a reduced trace against its original. */
#include "cmd/stat/stat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/geometry.h"
#include "cmd/job/inputs.h"
#include "cmd/report.h"
#include "batch/fingerprint.h"
#include "stage/reduce/certify.h"
#include "stage/stage.h"

/* The settings of --certify. */
struct settings {
	bool chosen;
	struct trc_opt_pages sad; /* as the reduced trace has it if not given */
};

static const struct trc_opt options[] = {
	{ 0, "certify", NULL, "check that REDUCED faults as ORIGINAL does", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct settings, chosen) },
	{ 0, "sad", "R", "with --certify: from R pages on, not as REDUCED says", TRC_OPT_PAGES,
	  TRC_WORDS_NONE, offsetof(struct settings, sad) },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(struct settings), NULL };

/* Both traces, and the certificate. */
struct certified {
	const char *path[2];  /* reduced, original */
	struct trc_meta meta; /* of the reduced trace, at its end */
	uint64_t fingerprint[2];
	uint64_t r;
	struct trc_scope scope;
	struct trc_certificate c;
};

/* A source that takes the fingerprint of what flows through it. */
struct reader {
	struct trc_source src;
	struct trc_source *from;
	struct trc_fingerprint fingerprint;
	uint64_t rows;
};

static enum trc_flow
reader_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct reader *s = (struct reader *)src;
	enum trc_flow flow = trc_source_next(s->from, b, err);

	s->src.meta = s->from->meta;
	if (flow != TRC_FLOW_ROWS)
		return flow;
	s->rows += b->n;
	trc_fingerprint_update(&s->fingerprint, b, 0, b->n);
	return flow;
}

static void
reader_close(struct trc_source *src)
{
	struct reader *s = (struct reader *)src;

	trc_source_close(s->from);
	trc_fingerprint_release(&s->fingerprint);
	free(s);
}

/* Takes over `from`; NULL if it fails. */
static struct reader *
reader_open(struct trc_source *from, struct trc_err *err)
{
	struct reader *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	if (trc_fingerprint_init(&s->fingerprint, from->have, err)) {
		free(s);
		return NULL;
	}
	s->src = (struct trc_source){
		.have = from->have, .meta = from->meta, .next = reader_next, .close = reader_close
	};
	s->from = from;
	return s;
}

/* Wraps the source of a job as its references to pages. */
static struct reader *
to_pages(struct trc_job *job, unsigned bits, uint64_t *refs, struct trc_err *err)
{
	struct reader *reader = reader_open(job->src, err);

	if (!reader)
		return NULL;
	job->src = &reader->src;
	if ((job->src->have & TRC_HAS_EVENT &&
	     trc_job_wrap(job, trc_stage_columns(job->src, TRC_HAS_EVENT, 0, NULL, 0, err))) ||
	    trc_job_wrap(job, trc_stage_page(job->src, bits, refs, err)))
		return NULL;
	return reader;
}

/* Reads the reduced trace once for its meta, which may stand at its end. */
static int
read_meta(struct certified *x, const struct trc_job_in *in, bool quiet, struct trc_err *err)
{
	enum trc_flow flow;
	struct trc_job job;
	struct trc_batch b;

	if (trc_inputs_open(&job, &x->path[0], 1, in, quiet, err))
		return -1;
	if (!(job.src->have & TRC_HAS_RTIME) || !(job.src->have & TRC_HAS_VPN)) {
		trc_source_close(job.src);
		return trc_fail(err,
		                "%s: a reduced trace has pages and reference times; %s does not",
		                x->path[0], job.format->name);
	}
	if (trc_batch_init(&b, job.src->have, TRC_BATCH_ROWS, err)) {
		trc_source_close(job.src);
		return -1;
	}
	while ((flow = trc_source_next(job.src, &b, err)) == TRC_FLOW_ROWS)
		;
	x->meta = job.src->meta;
	x->meta.gaps = 0;
	x->meta.gap = NULL;
	trc_batch_release(&b);
	trc_source_close(job.src);
	return flow == TRC_FLOW_END ? 0 : -1;
}

/* The page size: that of the reduced trace, if it has one. */
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

/* The smallest memory that --sad asks for. */
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

/* What is to be certified, by the options and by the meta of the reduced trace. */
static int
take_meta(struct certified *x, const struct trc_stat *s, const struct settings *own,
          struct trc_err *err)
{
	x->scope.by_space = s->by_space || x->meta.guarantee.reduced & TRC_BY_SPACE;
	x->scope.canonical = x->meta.guarantee.reduced & TRC_CANONICAL;
	x->r = x->meta.guarantee.sad;
	if (x->meta.guarantee.reduced & TRC_BEHIND_CACHE || x->meta.guarantee.sample > 1)
		return trc_fail(err, "%s: the trace was %s; no LRU memory does the same with it",
		                x->path[0],
		                x->meta.guarantee.sample > 1 ? "sampled" : "stripped by a cache");
	if (x->scope.canonical && x->scope.by_space)
		return trc_fail_as(err, TRC_USAGE,
		                   "--by-space: %s was reduced over canonical pages, "
		                   "which belong to no space",
		                   x->path[0]);
	if (own->sad.n && take_size(x, s, &own->sad, err))
		return -1;
	if (x->r == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "%s does not say for which memories it was reduced; "
		                   "--sad R says it",
		                   x->path[0]);
	return 0;
}

/* Against the reduced trace's own count. */
static int
check_rows(struct certified *x, const struct reader *reader, struct trc_err *err)
{
	if (x->meta.rows == 0 || x->meta.rows == reader->rows)
		return 0;
	x->c.parted = true;
	return trc_fail(err, "%s: it has %llu records, but says at its end that it has %llu",
	                x->path[0], (unsigned long long)reader->rows,
	                (unsigned long long)x->meta.rows);
}

static int
compare(struct certified *x, const struct trc_stat *s, struct trc_job *reduced,
        struct trc_job *original, struct trc_err *err)
{
	struct reader *reader[2] = { NULL };
	uint64_t refs[2] = { 0 };
	struct trc_sink *sink;
	unsigned bits;
	int ret;

	if (page_bits(x, s, &bits, err))
		return -1;
	if (original->src->have & TRC_HAS_VPN)
		bits = original->src->meta.page_bits;
	reader[0] = to_pages(reduced, x->meta.page_bits, &refs[0], err);
	reader[1] = reader[0] ? to_pages(original, bits, &refs[1], err) : NULL;
	if (!reader[1])
		return -1;
	if (x->scope.by_space && !(original->src->have & TRC_HAS_ASID))
		return trc_fail(err, "%s: the trace has no address spaces", x->path[1]);
	for (int i = 0; i < 2 && x->scope.canonical; i++)
		if (!((i == 0 ? reduced : original)->src->have & TRC_HAS_CPN))
			return trc_fail(err,
			                "%s: the trace has no canonical pages, over which '%s' "
			                "was reduced",
			                x->path[i], x->path[0]);
	sink = trc_certify_sink(&x->c, reduced->src, x->r, &x->scope, original->src->have, err);
	ret = sink ? trc_job_pump(original, sink, s->quiet, err) : -1;
	trc_sink_close(sink);
	if (ret == 0)
		ret = check_rows(x, reader[0], err);
	for (int i = 0; i < 2; i++)
		x->fingerprint[i] = trc_fingerprint_all(&reader[i]->fingerprint);
	return ret;
}

static int
report_text(const struct certified *x, struct trc_out *out, struct trc_err *err)
{
	const struct {
		const char *name;
		uint64_t value;
	} fact[] = {
		{ "pages touched", x->c.pages },
		{ "references to pages", x->c.references },
		{ "records", x->c.records },
		{ "faults", x->c.faults },
		{ "evictions", x->c.evictions },
		{ "dirty evictions", x->c.dirty },
		{ "read faults made writes", x->c.became_writes },
	};

	if (trc_report(out, err, "certified: LRU, every memory of %llu pages and more%s\n",
	               (unsigned long long)x->r,
	               x->scope.by_space  ? ", of each address space" :
	               x->scope.canonical ? ", by canonical pages" :
	                                    ""))
		return -1;
	for (size_t i = 0; i < TRC_COUNT(fact); i++)
		if (trc_report(out, err, "%-26s%20llu%s\n", fact[i].name,
		               (unsigned long long)fact[i].value,
		               i == 3 ? "  at the smallest of these sizes" : ""))
			return -1;
	return trc_report(out, err,
	                  "%-26s    %016llx  of this trace, as --check --json has it\n"
	                  "%-26s    %016llx  of that one, which is another\n",
	                  "fingerprint, original", (unsigned long long)x->fingerprint[1],
	                  "fingerprint, reduced", (unsigned long long)x->fingerprint[0]);
}

static int
report_json(const struct certified *x, const char *why, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "{\"certified\": %s, \"r\": %llu, \"by_space\": %s%s",
	               why ? "false" : "true", (unsigned long long)x->r,
	               x->scope.by_space ? "true" : "false",
	               x->scope.canonical ? ", \"canonical\": true" : ""))
		return -1;
	if (why)
		return trc_report(out, err, ", \"reference\": %llu, \"why\": ",
		                  (unsigned long long)x->c.where) ||
		                       trc_report_json(out, why, err) ||
		                       trc_report(out, err, "}\n") ?
		               -1 :
		               0;
	return trc_report(out, err,
	                  ", \"pages\": %llu, \"references\": %llu, \"records\": %llu, "
	                  "\"faults\": %llu, \"evictions\": %llu, \"dirty_evictions\": %llu, "
	                  "\"read_faults_made_writes\": %llu, \"original\": \"%016llx\", "
	                  "\"reduced\": \"%016llx\"}\n",
	                  (unsigned long long)x->c.pages, (unsigned long long)x->c.references,
	                  (unsigned long long)x->c.records, (unsigned long long)x->c.faults,
	                  (unsigned long long)x->c.evictions, (unsigned long long)x->c.dirty,
	                  (unsigned long long)x->c.became_writes,
	                  (unsigned long long)x->fingerprint[1],
	                  (unsigned long long)x->fingerprint[0]);
}

/* The certificate, or with --json where they part. */
static int
report(const struct certified *x, bool json, const char *why, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret;

	if (!out)
		return -1;
	ret = json ? report_json(x, why, out, err) : report_text(x, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}

static int
answer_certify(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_stat stat = trc_stat_of(all), *s = &stat;
	const struct settings *own = trc_settings_of(all, &opts);
	const struct trc_job_in plain = { .threads = s->in->threads, .memlimit = s->in->memlimit };
	struct trc_job reduced = { 0 }, original = { 0 };
	struct certified x = { 0 };
	int ret = -1;

	if (args->n != 2)
		return trc_fail_as(err, TRC_USAGE, "--certify needs two traces: REDUCED ORIGINAL");
	x.path[0] = args->word[0];
	x.path[1] = args->word[1];
	if (trc_job_again(x.path[0], "--certify reads REDUCED twice", err) ||
	    read_meta(&x, &plain, s->quiet, err) || take_meta(&x, s, own, err) ||
	    trc_inputs_open(&reduced, &x.path[0], 1, &plain, s->quiet, err))
		return -1;
	if (trc_inputs_open(&original, &x.path[1], 1, s->in, s->quiet, err) == 0) {
		ret = compare(&x, s, &reduced, &original, err);
		trc_source_close(original.src);
	}
	trc_source_close(reduced.src);
	if (ret == 0)
		return report(&x, s->json, NULL, err);
	if (x.c.parted && s->json) {
		struct trc_err failed = *err;

		if (report(&x, true, failed.text, err) == 0)
			*err = failed;
	}
	return -1;
}

static const struct trc_opts *const takes[] = { &opts, &trc_stat_opts_page_size,
	                                        &trc_stat_opts_by_space, TRC_STAT_TAKES, NULL };

const struct trc_action trc_stat_certify = { "--certify", takes, answer_certify, NULL };
