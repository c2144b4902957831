/* SPDX-License-Identifier: MIT
 *
 * The progress line: on standard error, if that is a terminal that knows how to take a line away
 * (TERM is set, and not "dumb"), while trc is in its foreground, and only if the work is long. It is
 * never wider than the terminal.
 */
#ifndef TRC_CMD_JOB_PROGRESS_H
#define TRC_CMD_JOB_PROGRESS_H

#include <stdatomic.h>

#include "batch/flow.h"

/* A watch that shows progress on a terminal. What passes may be reported by any thread. */
struct trc_progress {
	struct trc_watch watch; /* counts rows, or whatever `what` is */
	const char *what;       /* "records" */
	atomic_ulong passed;    /* so far: what any machine adds to at once, on some only 2^32 */

	/* The caller may set these before the work. */
	uint64_t of;            /* how many there will be in all; 0: not known */
	const uint64_t *raw_at; /* how far the input is read; NULL if not known */
	uint64_t raw_size;      /* how long it is; 0 if not known */
	bool packed;            /* so its bytes are no share of the work */
	const char *steps;      /* "files", of which so many are done; NULL: there are none */
	atomic_size_t step, of_steps;
	bool at_source; /* the pump leaves counting to the source; set by trc_progress_source() */
	bool wanted;    /* to be shown at all */

	bool shown;
	double start, next; /* seconds */
	atomic_flag busy;   /* a thread writes the line */
};

/* `what` is counted: "records". It is to be ended. */
void trc_progress_init(struct trc_progress *p, const char *what, bool quiet);

/* Takes the line away for good. */
void trc_progress_end(struct trc_progress *p);

/* So many more passed. */
void trc_progress_passed(struct trc_progress *p, uint64_t n);

/* Takes the line away until something else is printed. */
void trc_progress_hide(struct trc_progress *p);
void trc_progress_go_on(struct trc_progress *p);

/* A source around `from`, which it takes over on success, that counts its rows: where few of them
 * come as far as the pump. */
struct trc_source *trc_progress_source(struct trc_source *from, struct trc_progress *p,
                                       struct trc_err *err) TRC_MUST_USE;

/* True if somebody looks at standard error: where a line of progress would be shown. */
bool trc_progress_seen(void);

/* Seconds of a clock that only goes forward. */
double trc_progress_clock(void);

#endif
