/* SPDX-License-Identifier: MIT
 * From an opened input to a sink, with progress on the way and what was lost at the end. */
#include <stdio.h>
#include <string.h>

#include "cmd/job.h"

static void
gap_text(const struct trc_gap *g, char *dst, size_t room)
{
	const unsigned long long first = g->first + 1;
	size_t len;

	if (g->rows == TRC_GAP_REST)
		snprintf(dst, room, "%llu and all after", first);
	else if (g->rows == TRC_GAP_UNKNOWN && g->first == 0)
		snprintf(dst, room, "an unknown number at the start");
	else if (g->rows == TRC_GAP_UNKNOWN)
		snprintf(dst, room, "an unknown number behind %llu", first - 1);
	else
		snprintf(dst, room, "%llu to %llu", first, first + g->rows - 1);
	len = strlen(dst);
	if (g->of)
		snprintf(dst + len, room - len, " of %s", g->of);
}

/* Names what a salvage could not get. */
static int
report_gaps(const struct trc_meta *meta, struct trc_err *err)
{
	size_t len;

	if (meta->gaps == 0)
		return 0;
	trc_fail(err, "salvaged all but these records:");
	for (size_t i = 0; i < meta->gaps; i++) {
		char gap[160];

		len = strlen(err->text);
		if (len + sizeof(gap) + 32 > sizeof(err->text)) {
			snprintf(err->text + len, sizeof(err->text) - len, ", and %zu gaps more",
			         meta->gaps - i);
			break;
		}
		gap_text(&meta->gap[i], gap, sizeof(gap));
		snprintf(err->text + len, sizeof(err->text) - len, "%s %s", i ? "," : "", gap);
	}
	return -1;
}

/* Counts what a job pumps. */
struct pumping {
	struct trc_watch watch;
	struct trc_job *job;
};

static int
pumping_batch(struct trc_watch *w, size_t rows, struct trc_err *err)
{
	struct trc_job *job = ((struct pumping *)w)->job;

	(void)err;
	job->rows += rows;
	if (!job->progress->at_source)
		trc_progress_passed(job->progress, rows);
	return 0;
}

int
trc_job_pump(struct trc_job *job, struct trc_sink *sink, bool quiet, struct trc_err *err)
{
	struct pumping pumping = { { pumping_batch }, job };
	struct trc_progress own;
	int ret;

	if (!job->progress) {
		trc_progress_init(&own, "records", quiet);
		own.raw_at = job->raw_at;
		own.raw_size = job->raw_size;
		job->progress = &own;
	}
	ret = trc_pump(job->src, sink, TRC_BATCH_ROWS, &pumping.watch, err);
	if (job->progress == &own) {
		trc_progress_end(&own);
		job->progress = NULL;
	}
	return ret ? ret : report_gaps(&job->src->meta, err);
}
