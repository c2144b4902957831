/* SPDX-License-Identifier: MIT
 *
 * The progress line: on standard error, only if that is a terminal, only if the work is long.
 */
#ifndef TRC_CMD_PROGRESS_H
#define TRC_CMD_PROGRESS_H

#include "batch/flow.h"

/* A watch that shows progress on a terminal. */
struct trc_progress {
	struct trc_watch watch;
	bool wanted, shown;
	double start, next; /* seconds */
	uint64_t rows;
	const uint64_t *raw_at; /* how far the input is read; NULL if not known */
	uint64_t raw_size;      /* how long it is; 0 if not known */
};

void trc_progress_init(struct trc_progress *p, bool quiet, const uint64_t *raw_at,
                       uint64_t raw_size);

/* Takes the line away. */
void trc_progress_end(struct trc_progress *p);

/* Seconds of a clock that only goes forward. */
double trc_progress_clock(void);

#endif
