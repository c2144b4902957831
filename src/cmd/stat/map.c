/* SPDX-License-Identifier: MIT
 * trc stat --map: addresses against time. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "batch/index.h"
#include "cmd/job/inputs.h"
#include "cmd/report.h"
#include "cmd/picture/map_draw.h"
#include "cmd/picture/plotting.h"
#include "cmd/stat/stat.h"

/* The settings. */
struct settings {
	const char *path;
	uint64_t one_in; /* sample one block in this many; 0: all blocks */
};

static const struct trc_opts opts =
        TRC_OPTS(struct settings,
                 { 0, "map", "FILE", "plot addresses against time: .svg, .png, - (terminal)",
                   TRC_OPT_TEXT, TRC_WORDS_OUTPUT, offsetof(struct settings, path) },
                 { 0, "sample-blocks", "N", "with --map: read one block in N of a container",
                   TRC_OPT_PART, TRC_WORDS_NONE, offsetof(struct settings, one_in) });

/* The state of the question. */
struct query {
	struct trc_query query;
	const struct settings *own;
	struct trc_stat s;
	struct trc_plotting g;
	struct trc_address_map map;
	uint64_t blocks, of; /* blocks read, and blocks in all; 0: all were read */
	char of_blocks[32];  /* blocks in all, as text */
};

/* Describes the map in words, which its picture lacks. */
static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct query *a = of;
	const struct trc_address_map *m = &a->map;
	const uint64_t in_row = UINT64_C(1) << m->bits;

	(void)i, (void)err;
	snprintf(a->of_blocks, sizeof(a->of_blocks), " of %llu", (ull)a->of);
	TRC_FACTS(g,
	          { TRC_FACT(blocks_read, "", trc_count_if(a->of, a->blocks)),
	            .more = a->of_blocks },
	          { TRC_FACT(blocks, NULL, trc_count_some(a->of)) },
	          { TRC_FACT(references, "", trc_count(m->refs)) },
	          { TRC_FACT(references_in_a_column, "", trc_count(m->span)) },
	          { TRC_FACT(pages_in_a_row, "", trc_count_if(m->pages, in_row)) },
	          { TRC_FACT(bytes_in_a_row, "", trc_count_if(!m->pages, in_row)) },
	          { TRC_FACT(rows_touched, "", trc_count(m->rows)) });
	g->draws = !a->g.kind;
	g->above = g->draws ? "\n" : NULL;
	return 0;
}

static int
draw_here(const struct trc_answer *a, size_t i, struct trc_out *out, struct trc_err *err)
{
	(void)i;
	return trc_map_terminal(&((struct query *)a->of)->map, trc_report_columns(out), out, err);
}

static int
draw(struct query *a, struct trc_err *err)
{
	char title[TRC_TRACES_NAME + 40];
	struct trc_map_picture picture = {
		&a->map, a->g.how->title, { 800, 600, false }, a->own->one_in
	};

	snprintf(title, sizeof(title), "Addresses of %s%s", a->query.name,
	         a->own->one_in ? ", sampled" : "");
	if (!picture.title)
		picture.title = title;
	if (trc_plotting_sheet(&a->g, &picture.sheet, err) ||
	    a->g.kind->draw(trc_map_draw, &picture, &picture.sheet, a->g.out, err) ||
	    trc_out_commit(a->g.out, err))
		return -1;
	return 0;
}

static int
open_picture(struct query *a, struct trc_err *err)
{
	const char *path = a->own->path, *dot = strrchr(path, '.');
	struct trc_sheet sheet = { 0 };

	if (a->g.how->plot || a->g.how->axes)
		return trc_fail_as(err, TRC_USAGE, "--map FILE takes neither --plot nor --axes");
	if (trc_plotting_sheet(&a->g, &sheet, err))
		return -1;
	if (strcmp(path, "-") == 0)
		return 0;
	if (!dot || (strcasecmp(dot, ".svg") != 0 && strcasecmp(dot, ".png") != 0))
		return trc_fail_as(err, TRC_USAGE, "'%s': a map must be .svg or .png", path);
	return trc_plotting_open_file(&a->g, path, err);
}

/* ---- sampling blocks ---- */

static int
read_block(const struct query *a, const char *path, const struct trc_part *p, struct trc_sink *sink,
           struct trc_err *err)
{
	struct trc_job_in in = *a->s.in;
	struct trc_job job;
	int ret;

	in.skip = p->first;
	in.limit = p->rows;
	if (trc_inputs_open(&job, &path, 1, &in, true, err))
		return -1;
	sink->partial = true; /* it continues with the next block */
	ret = trc_pump(job.src, sink, TRC_BATCH_ROWS, NULL, err);
	sink->partial = false;
	trc_source_close(job.src);
	return ret;
}

static int
read_blocks(struct query *a, const char *path, const struct trc_index *index, struct trc_sink *sink,
            struct trc_err *err)
{
	struct trc_progress progress;
	int ret = 0;

	trc_progress_init(&progress, "blocks", a->query.quiet);
	a->of = progress.of = index->parts;
	for (size_t i = 0; i < index->parts && ret == 0; i++) {
		if (i % a->own->one_in == 0) {
			ret = read_block(a, path, &index->part[i], sink, err);
			a->blocks++;
		}
		trc_progress_passed(&progress, 1);
	}
	trc_progress_end(&progress);
	return ret ? ret : trc_sink_finish(sink, &index->meta, err);
}

/* Finds the blocks in the index of a container, if it is read unchanged. */
static int
find_blocks(const struct trc_job *job, const char *path, const struct trc_index **index,
            struct trc_err *err)
{
	if (!job->whole)
		return trc_fail_as(err, TRC_USAGE,
		                   "--sample-blocks samples all records, and cannot be combined "
		                   "with filters");
	if (trc_source_index(job->src, index, err))
		return -1;
	return *index ? 0 :
	                trc_fail(err,
	                         "--sample-blocks: '%s' has no index; it must be a complete "
	                         "container, neither packed nor a pipe",
	                         path);
}

/* With --sample-blocks the trace is not read in order. */
static int
know(void *q, struct trc_job *job, bool *known, struct trc_err *err)
{
	const struct trc_index *index = NULL;
	struct trc_sink *sink;
	struct query *a = q;
	int ret;

	if (a->own->one_in == 0)
		return 0;
	if (find_blocks(job, a->query.path, &index, err))
		return -1;
	sink = trc_address_map_sink(&a->map, job->src->have, err);
	ret = sink ? read_blocks(a, a->query.path, index, sink, err) : -1;
	trc_sink_close(sink);
	*known = true;
	return ret;
}

/* ---- the question ---- */

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct query *a = q;

	(void)input;
	trc_stat_begin(&a->s, &a->query);
	a->own = trc_settings_of(a->query.settings, &opts);
	trc_plotting_init(&a->g, a->query.settings);
	if (a->query.among && strcmp(a->own->path, "-") != 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "--map: '%s' can only show one trace; draw each here with "
		                   "--map -, or join them with --concat",
		                   a->own->path);
	return open_picture(a, err);
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	return trc_address_map_sink(&((struct query *)q)->map, job->src->have, err);
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	struct query *a = q;

	(void)job;
	to->answer.group = describe;
	to->answer.draw = draw_here;
	return a->g.kind ? draw(a, err) : 0;
}

static const struct trc_opts *const takes[] = {
	&opts, &trc_stat_opts_plot, &trc_conventions_opts_force, &trc_traces_opts, TRC_STAT_TAKES,
	NULL
};

const struct trc_action trc_stat_map = {
	.name = "--map",
	.takes = takes,
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct query), .begin = begin, .know = know,
	                   .open = open_sink,
	                   .owns = { { offsetof(struct query, map), trc_address_map_release },
	                             { offsetof(struct query, g), trc_plotting_close } },
	                   .answer = answer, .draws = true),
	.no_shards = "a map needs the whole trace; for a large container, --sample-blocks 8 reads "
	             "one block in 8"
};
