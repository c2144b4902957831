/* SPDX-License-Identifier: MIT */
#include "cmd/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST 1.0 /* seconds before the line appears */
#define STEP 0.25 /* and between its changes */

double
trc_progress_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
show(struct trc_progress *p, double now)
{
	const double spent = now - p->start;
	double done = 0;

	if (p->raw_size && p->raw_at)
		done = (double)*p->raw_at / (double)p->raw_size;
	fprintf(stderr, "\r%10.1f M records  %6.1f M/s", (double)p->rows / 1e6,
	        (double)p->rows / 1e6 / spent);
	if (done > 0.001 && done <= 1)
		fprintf(stderr, "  %3.0f %%  %.0f s left ", done * 100, spent / done - spent);
	fprintf(stderr, "\033[K");
	p->shown = true;
}

static int
progress_batch(struct trc_watch *w, size_t rows, struct trc_err *err)
{
	struct trc_progress *p = (struct trc_progress *)w;
	double now;

	(void)err;
	p->rows += rows;
	if (!p->wanted)
		return 0;
	now = trc_progress_clock();
	if (now >= p->next) {
		show(p, now);
		p->next = now + STEP;
	}
	return 0;
}

void
trc_progress_init(struct trc_progress *p, bool quiet, const uint64_t *raw_at, uint64_t raw_size)
{
	*p = (struct trc_progress){ .watch = { progress_batch },
		                    .raw_at = raw_at,
		                    .raw_size = raw_size };
	p->wanted = !quiet && isatty(STDERR_FILENO);
	p->start = trc_progress_clock();
	p->next = p->start + FIRST;
}

void
trc_progress_end(struct trc_progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
}
