/* SPDX-License-Identifier: MIT
 * trc stat --map: addresses against time. */
#include <stdio.h>
#include <string.h>

#include "cmd/job/inputs.h"
#include "cmd/report.h"
#include "cmd/picture/map_draw.h"
#include "cmd/picture/plotting.h"
#include "cmd/stat/stat.h"

static const struct trc_opt options[] = {
	{ 0, "map", "FILE", "draw addresses against time: .svg, .png, - here", TRC_OPT_TEXT,
	  TRC_WORDS_FILE, 0 },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(const char *), NULL };

/* What the map is of, in words: its picture does not have them. */
static int
print_facts(const struct trc_address_map *m, struct trc_out *out, struct trc_err *err)
{
	return trc_report_fact(out, "references", m->refs, err) ||
	                       trc_report_fact(out, "references in a column", m->span, err) ||
	                       trc_report_fact(out, m->pages ? "pages in a row" : "bytes in a row",
	                                       UINT64_C(1) << m->bits, err) ||
	                       trc_report_fact(out, "rows touched", m->rows, err) ?
	               -1 :
	               0;
}

static int
report(const struct trc_address_map *m, bool picture, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = out ? print_facts(m, out, err) : -1;

	if (ret == 0 && picture)
		ret = trc_report(out, err, "\n") ||
		                      trc_map_terminal(m, trc_plot_columns(out), out, err) ?
		              -1 :
		              0;
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}

static int
draw(const struct trc_settings *all, struct trc_plotting *g, const struct trc_address_map *m,
     const char *name, struct trc_err *err)
{
	char title[160];
	struct trc_map_picture picture = { m, trc_plotting_title(all), { 800, 600, false } };

	if (strrchr(name, '/'))
		name = strrchr(name, '/') + 1;
	snprintf(title, sizeof(title), "Addresses of %.120s", name);
	if (!picture.title)
		picture.title = title;
	return trc_plotting_sheet(all, &picture.sheet, err) ||
	                       g->kind->draw(trc_map_draw, &picture, &picture.sheet, g->out, err) ||
	                       trc_out_commit(g->out, err) ?
	               -1 :
	               0;
}

static int
open_picture(struct trc_plotting *g, const struct trc_settings *all, const char *path,
             const char *input, struct trc_err *err)
{
	struct trc_sheet sheet = { 0 };

	if (trc_settings_named(all, "plot") || trc_settings_named(all, "axes"))
		return trc_fail_as(err, TRC_USAGE,
		                   "--map FILE draws to FILE; it takes neither "
		                   "--plot nor --axes");
	if (trc_plotting_sheet(all, &sheet, err))
		return -1;
	*g = (struct trc_plotting){ 0 };
	if (strcmp(path, "-") == 0)
		return 0;
	if (trc_plotting_open_file(g, all, path, input, err))
		return -1;
	if (g->kind->draw)
		return 0;
	return trc_fail_as(err, TRC_USAGE, "'%s': a map is a picture, .svg or .png", path);
}

static int
pump(const struct trc_settings *all, const struct trc_args *args, struct trc_address_map *map,
     struct trc_err *err)
{
	const struct trc_stat s = trc_stat_of(all);
	struct trc_sink *sink = NULL;
	struct trc_job job;
	int ret = -1;

	if (trc_inputs_concat(&job, args->word, args->n, s.in, err))
		return -1;
	sink = trc_address_map_sink(map, job.src->have, err);
	if (sink)
		ret = trc_job_pump(&job, sink, s.quiet, err);
	trc_sink_close(sink);
	trc_source_close(job.src);
	return ret;
}

static int
answer_map(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	const char *path = *(const char *const *)trc_settings_of(all, &opts);
	struct trc_plotting g = { 0 };
	struct trc_address_map map = { 0 };
	int ret = -1;

	if (trc_job_words(args, 1, SIZE_MAX, err) == 0 &&
	    open_picture(&g, all, path, args->word[0], err) == 0 &&
	    pump(all, args, &map, err) == 0 &&
	    (!g.kind || draw(all, &g, &map, args->word[0], err) == 0))
		ret = report(&map, !g.kind, err);
	trc_plotting_close(&g);
	trc_address_map_release(&map);
	return ret;
}

static const struct trc_opts *const takes[] = { &opts, &trc_stat_opts_plot, &trc_shard_opts_force,
	                                        TRC_STAT_TAKES, NULL };

const struct trc_action trc_stat_map = { "--map", takes, answer_map, NULL };
