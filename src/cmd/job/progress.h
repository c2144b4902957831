/* SPDX-License-Identifier: MIT
 *
 * The progress line on standard error. It is shown only if that is a terminal that can erase a line
 * (TERM is set, and not "dumb"), while trc is in the foreground, and if the work takes long. It is
 * never wider than the terminal.
 */
#ifndef TRC_CMD_JOB_PROGRESS_H
#define TRC_CMD_JOB_PROGRESS_H

#include <stdatomic.h>

#include "batch/flow.h"

/* A watch that shows progress on a terminal. Any thread may report rows. */
struct trc_progress {
	struct trc_watch watch; /* counts rows, or whatever `what` names */
	const char *what;       /* "records" */
	/* Number so far, updated by all threads without a lock; 32 bits wide on some machines. */
	atomic_ulong passed;

	/* The caller may set these before the work begins. */
	uint64_t of;            /* expected total; 0: unknown */
	const uint64_t *raw_at; /* bytes of input read so far; NULL: unknown */
	uint64_t raw_size;      /* bytes of the input; 0: unknown */
	bool packed;            /* so the bytes read do not measure the work done */
	/* "files", of which `step` of `of_steps` are done; NULL: there are none. */
	const char *steps;
	atomic_size_t step, of_steps;
	/* The source counts rows instead of the pump; set by trc_progress_source(). */
	bool at_source;
	bool wanted; /* may be shown at all */

	bool shown;
	double start, next; /* in seconds */
	atomic_flag busy;   /* held by the thread that writes the line */
};

/* Starts a progress line that counts `what`, such as "records"; end it with trc_progress_end(). */
void trc_progress_init(struct trc_progress *p, const char *what, bool quiet);

/* Erases the line for good. */
void trc_progress_end(struct trc_progress *p);

/* Adds `n` to the count, and updates the line if it is time to. */
void trc_progress_passed(struct trc_progress *p, uint64_t n);

/* Erases the line until trc_progress_go_on(), so something else can be printed. */
void trc_progress_hide(struct trc_progress *p);
void trc_progress_go_on(struct trc_progress *p);

/* Opens a source around `from` that counts its rows, for when few of them reach the pump. On
 * success it takes over `from`. */
struct trc_source *trc_progress_source(struct trc_source *from, struct trc_progress *p,
                                       struct trc_err *err) TRC_MUST_USE;

/* Returns true if a user watches standard error: where a progress line would be shown. */
bool trc_progress_seen(void);

/* Returns the seconds of a clock that never goes backwards. */
double trc_progress_clock(void);

#endif
