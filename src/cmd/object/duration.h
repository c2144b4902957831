/* SPDX-License-Identifier: MIT
 *
 * Lengths of time on the command line: a number in the unit in which the trace has its times, or of
 * seconds and the like where that unit is known: 3600, 30s, 5min, 1h.
 */
#ifndef TRC_CMD_OBJECT_DURATION_H
#define TRC_CMD_OBJECT_DURATION_H

#include "cmd/job/job.h"

/* Zeroed: none was given. */
struct trc_duration {
	const char *text; /* as it was given */
	uint64_t n;
	uint64_t nanoseconds; /* of its unit; 0: it is the trace's */
};

/* Parses a length above 0; `option` names it in errors. */
int trc_duration_parse(struct trc_duration *d, const char *option, const char *text,
                       struct trc_err *err) TRC_MUST_USE;

/* Returns what a second is in the times of a trace; 0: unknown. A container knows the formats that
 * its rows had first, which must all have the same unit. */
uint64_t trc_duration_second(const struct trc_job *job);

/* Sets *time to it in the unit of the trace; fails if that is unknown, or too long for it. */
int trc_duration_of(const struct trc_duration *d, const char *option, const struct trc_job *job,
                    uint64_t *time, struct trc_err *err) TRC_MUST_USE;

#endif
