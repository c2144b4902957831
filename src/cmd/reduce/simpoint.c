/* SPDX-License-Identifier: MIT
 *
 * trc reduce --simpoint: chooses regions that represent the whole trace. The trace is read twice:
 * the first pass makes the basic-block vectors and counts misses, the second pass writes the
 * regions. It reads from the first interval that is needed to the last.
 */
#include "cmd/reduce/simpoint.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/geometry.h"
#include "cmd/conventions.h"
#include "cmd/job/traces.h"
#include "cmd/job/wide_references.h"
#include "cmd/reduce/reduce.h"
#include "stage/phase/bbv.h"
#include "stage/phase/clusters.h"

/* The settings. */
struct settings {
	const char *simpoint;
	uint64_t seed, warmup; /* warmup 0: not given */
	struct trc_opt_list sizes;
};

static const struct trc_opts opts =
        TRC_OPTS(struct settings,
                 { 0, "simpoint", "K,N", "up to K representative regions of N instructions",
                   TRC_OPT_TEXT, TRC_WORDS_NONE, offsetof(struct settings, simpoint) },
                 { 0, "seed", "S", "with --simpoint: random seed (default 1)", TRC_OPT_NUMBER,
                   TRC_WORDS_NONE, offsetof(struct settings, seed) },
                 { 0, "warmup", "N", "begin each region N instructions early", TRC_OPT_COUNT,
                   TRC_WORDS_NONE, offsetof(struct settings, warmup) },
                 { 0, "sizes", "SIZE,...", "memory sizes to compare (default 32K,256K,2M)",
                   TRC_OPT_LIST, TRC_WORDS_NONE, offsetof(struct settings, sizes) });

enum { CLUSTERS_MOST = 1000 };

/* The state of the first pass: the choice, and data about each interval. */
struct choosing {
	struct trc_sink sink;
	struct trc_bbv_taker taker;
	struct trc_wide_references wide;
	struct trc_simpoint *s;
	struct trc_bbv bbv;
	struct trc_misses misses;
	struct trc_phase_point *point;
	uint64_t *end; /* for each interval, the number of records up to its end */
	size_t points, ends;
	struct trc_meta known; /* properties of the trace at its end */
	struct trc_buf provenance;
};

/* ---- settings ---- */

static int
parse_two(const char *text, struct trc_simpoint *s, struct trc_err *err)
{
	const size_t len = strcspn(text, ",");
	char first[24];

	if (len < sizeof(first) && text[len]) {
		memcpy(first, text, len);
		first[len] = 0;
		if (trc_opt_number(first, false, &s->most) && s->most > 0 &&
		    s->most <= CLUSTERS_MOST && trc_opt_number(text + len + 1, false, &s->every) &&
		    s->every > 0)
			return 0;
	}
	return trc_fail_as(err, TRC_USAGE,
	                   "--simpoint: '%s' is not K,N: up to K regions (at most %d) of N "
	                   "instructions each, like 10,1M",
	                   text, CLUSTERS_MOST);
}

static int
add_size(struct trc_simpoint *s, const char *word, size_t len, struct trc_err *err)
{
	struct trc_opt_pages size;
	char text[32] = "";

	if (s->sizes == TRC_MISSES_SIZES)
		return trc_fail_as(err, TRC_USAGE, "--sizes: more than %d sizes", TRC_MISSES_SIZES);
	if (len < sizeof(text))
		memcpy(text, word, len);
	if (!trc_opt_pages(text, &size) || size.n == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "--sizes: '%.*s' is not a number of lines, or of bytes like "
		                   "64K",
		                   (int)len, word);
	if (trc_geometry_pages(&size, "sizes", "line", true, TRC_SIMPOINT_LINE_BITS,
	                       &s->lines[s->sizes], err))
		return -1;
	s->bytes[s->sizes] = s->lines[s->sizes] << TRC_SIMPOINT_LINE_BITS;
	s->sizes++;
	return 0;
}

static int
parse(const struct trc_settings *settings, struct trc_simpoint *s, struct trc_err *err)
{
	static const struct trc_opt_list usual = { { "32K,256K,2M" }, 1 };
	const struct settings *own = trc_settings_of(settings, &opts);
	const struct trc_opt_list *list = own->sizes.n ? &own->sizes : &usual;

	*s = (struct trc_simpoint){ .seed = 1 };
	if (parse_two(own->simpoint, s, err))
		return -1;
	for (size_t i = 0; i < list->n; i++)
		for (const char *p = list->word[i], *end; p; p = *end ? end + 1 : NULL) {
			end = p + strcspn(p, ",");
			if (add_size(s, p, (size_t)(end - p), err))
				return -1;
		}
	if (trc_settings_named(settings, "seed"))
		s->seed = own->seed;
	s->keeps_warmup = own->warmup > 0;
	s->warmup = own->warmup ? own->warmup : s->every;
	return 0;
}

/* ---- the first pass ---- */

static int
take_vector(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err)
{
	struct choosing *c = (struct choosing *)((char *)t - offsetof(struct choosing, taker));
	const size_t n = (size_t)c->s->intervals;

	if (n == UINT32_MAX)
		return trc_fail(err, "more than 2^32 intervals; use longer ones");
	if (trc_grow(&c->point, &c->points, n + 1, sizeof(*c->point), err) ||
	    trc_grow(&c->end, &c->ends, n + 1, sizeof(*c->end), err))
		return -1;
	c->point[n] = trc_phase_point_of(v->entry, v->n, c->s->seed);
	c->end[n] = v->first + v->rows;
	c->s->intervals++;
	return 0;
}

static int
choosing_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct choosing *c = (struct choosing *)sink;

	return trc_bbv_put(&c->bbv, b, err) || trc_misses_put(&c->misses, b, 0, b->n, err) ? -1 : 0;
}

static int
choosing_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct choosing *c = (struct choosing *)sink;
	const struct trc_view *list = &meta->provenance;

	if (trc_bbv_end(&c->bbv, err) || trc_misses_settle(&c->misses, err))
		return -1;
	c->s->insns = c->bbv.insns;
	c->s->blocks = c->bbv.blocks.n;
	c->s->whole = c->misses.count;
	c->known = *meta;
	return trc_buf_put(&c->provenance, list->p, (size_t)(list->end - list->p), err);
}

static void
choosing_release(struct choosing *c)
{
	trc_bbv_release(&c->bbv);
	trc_misses_release(&c->misses);
	trc_buf_release(&c->provenance);
	free(c->point);
	free(c->end);
}

/* Opens the trace as it will be written, so that both passes read the same records. */
static int
open_trace(struct trc_job *job, const struct trc_settings *settings, const struct trc_args *args,
           const struct trc_job_in *in, const struct trc_format *format,
           const struct trc_job_out *out, struct trc_err *err)
{
	if (trc_traces_open_words(job, settings, args, in, out->quiet, err))
		return -1;
	if (trc_job_shape(job, out, err) == 0 && trc_job_fit(job, format, out, err) == 0)
		return 0;
	trc_source_close(job->src);
	return -1;
}

static int
read_whole(struct choosing *c, struct trc_job *job, bool quiet, struct trc_err *err)
{
	struct trc_simpoint *s = c->s;

	c->sink = (struct trc_sink){ .put = choosing_put, .finish = choosing_finish };
	c->taker.take = take_vector;
	c->wide = (struct trc_wide_references){ "line", TRC_SIMPOINT_LINE_BITS,
		                                "is simulated by itself", !quiet, false };
	if (trc_wide_references_watch(job, &c->wide, err) ||
	    trc_bbv_init(&c->bbv, job->src->have, s->every, &c->taker, err) ||
	    trc_misses_init(&c->misses, TRC_SIMPOINT_LINE_BITS, s->lines, s->sizes, err) ||
	    trc_job_pump(job, &c->sink, quiet, err))
		return -1;
	return 0;
}

/* ---- the choice ---- */

static void
set_region(const struct choosing *c, struct trc_simpoint_region *r, uint64_t interval,
           double weight)
{
	const struct trc_simpoint *s = c->s;
	const uint64_t from = interval * s->every;

	*r = (struct trc_simpoint_region){
		.interval = interval,
		.warm = from > s->warmup ? from - s->warmup : 0,
		.from = from,
		.to = s->insns - from < s->every ? s->insns : from + s->every,
		.weight = (uint64_t)(weight + 0.5),
	};
}

static int
choose(struct choosing *c, struct trc_err *err)
{
	struct trc_simpoint *s = c->s;
	const size_t n = (size_t)s->intervals, most = s->most < n ? (size_t)s->most : n;
	struct trc_clusters clusters = { 0 };
	uint32_t *nearest = trc_alloc(most, sizeof(*nearest), err);
	int ret = -1;

	s->region = nearest ? trc_alloc(most, sizeof(*s->region), err) : NULL;
	if (s->region &&
	    trc_clusters_find(&clusters, c->point, n, most, s->seed, nearest, err) == 0) {
		for (; s->n < clusters.k; s->n++)
			set_region(c, &s->region[s->n], nearest[s->n],
			           clusters.center[s->n].weight);
		ret = 0;
	}
	trc_clusters_release(&clusters);
	free(nearest);
	return ret;
}

/* ---- the second pass ---- */

/* Limits the trace to the intervals that contain all regions and their warm-ups. */
static int
limit_to_regions(const struct choosing *c, struct trc_job *job, uint64_t *insns, uint64_t *rows,
                 struct trc_err *err)
{
	const struct trc_simpoint *s = c->s;
	const uint64_t first = s->region[0].warm / s->every;
	const uint64_t end = c->end[s->region[s->n - 1].interval];

	*insns = first * s->every;
	*rows = first ? c->end[first - 1] : 0;
	return trc_job_wrap(job, trc_stage_range(job->src, *rows, end - *rows, err));
}

static int
write_regions(struct choosing *c, struct trc_job *job, const struct trc_simpoint_to *to,
              struct trc_err *err)
{
	const struct trc_view known = trc_buf_view(&c->provenance);
	uint64_t insns, rows;

	if (limit_to_regions(c, job, &insns, &rows, err) ||
	    trc_job_step(job, to->format, to->out, &known, err))
		return -1;
	if (trc_simpoint_cut(c->s, job, insns, rows, to, err) == 0)
		return trc_simpoint_files(c->s, to->folder, err);
	if (err->unfit)
		trc_job_explain(job, to->format, to->out, err);
	return -1;
}

/* Reads the trace twice. */
static int
fill_folder(struct choosing *c, const struct trc_settings *settings, const struct trc_args *args,
            struct trc_job_out *out, const struct trc_format *format,
            const struct trc_folder *folder, struct trc_err *err)
{
	struct trc_job_in in = trc_job_in_for(out, "");
	struct trc_job job;
	int ret;

	in.provenance = trc_job_is_container(format);
	if (open_trace(&job, settings, args, &in, format, out, err))
		return -1;
	ret = read_whole(c, &job, out->quiet, err);
	trc_source_close(job.src);
	if (ret || choose(c, err))
		return -1;
	out->noted = true;
	in.provenance = in.verbose = false;
	if (open_trace(&job, settings, args, &in, format, out, err))
		return -1;
	ret = write_regions(c, &job, &(struct trc_simpoint_to){ format, out, folder, &c->known },
	                    err);
	trc_source_close(job.src);
	return ret;
}

static int
reduce(struct choosing *c, const struct trc_settings *settings, const struct trc_args *args,
       const struct trc_format *format, struct trc_err *err)
{
	const enum trc_form form = trc_answer_form(settings);
	struct trc_job_out out = trc_job_out(settings);
	struct trc_folder folder;
	int ret;

	if (trc_folder_open(&folder, args->word[args->n - 1], err))
		return -1;
	ret = fill_folder(c, settings, args, &out, format, &folder, err);
	if (ret == 0)
		ret = trc_folder_commit(&folder, !out.publish.no_sync, err);
	trc_folder_close(&folder);
	if (ret || (out.quiet && form == TRC_FORM_TEXT))
		return ret;
	return trc_simpoint_print(c->s, format, &out, form, err);
}

static int
check_words(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	if (args->n < 2)
		return trc_fail_as(err, TRC_USAGE, "needs an input, and a folder for the regions");
	if (trc_job_words(args, 2, trc_traces_in_order(settings) ? SIZE_MAX : 2, err))
		return -1;
	if (trc_settings_named(settings, "force"))
		return trc_fail_as(err, TRC_USAGE,
		                   "--force is for files, but '%s' would be a "
		                   "folder",
		                   args->word[args->n - 1]);
	for (size_t i = 0; i + 1 < args->n; i++)
		if (trc_job_again(args->word[i], "--simpoint reads the input twice", err))
			return -1;
	return 0;
}

static int
run(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_job_out out = trc_job_out(settings);
	struct trc_simpoint s;
	struct choosing c = { .s = &s };
	const struct trc_format *format;
	int ret = -1;

	if (check_words(settings, args, err) || parse(settings, &s, err))
		return -1;
	format = trc_job_format(&out, "", trc_format_named("trc"), err);
	if (format)
		ret = reduce(&c, settings, args, format, err);
	choosing_release(&c);
	free(s.region);
	return ret;
}

const struct trc_action trc_reduce_simpoint = {
	.name = "--simpoint",
	.takes = TRC_TAKES(&opts, &trc_answer_opts, &trc_traces_opts, &trc_job_opts_in,
	                   &trc_conventions_opts_output, TRC_JOB_TAKES_OUT),
	.run = run
};
