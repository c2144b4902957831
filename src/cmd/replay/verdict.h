/* SPDX-License-Identifier: MIT
 *
 * The verdict on a replay in which nothing differed: what of the four levels of proof of
 * machine/bus/replay.h held for all of it, and what could not be compared.
 */
#ifndef TRC_CMD_REPLAY_VERDICT_H
#define TRC_CMD_REPLAY_VERDICT_H

#include "machine/bus/replay.h"

enum {
	TRC_VERDICT_GAPS = 8,                                        /* that there may be */
	TRC_VERDICT_GAP = 64,                                        /* bytes of one */
	TRC_VERDICT_TEXT = TRC_VERDICT_GAPS * (TRC_VERDICT_GAP + 2), /* of all, in a sentence */
};

struct trc_verdict {
	uint64_t from, to; /* instructions from + 1 to `to` are computed */
	size_t n;          /* 0: proved */
	bool hashed;       /* some of the trace itself is compared */
	char gap[TRC_VERDICT_GAPS][TRC_VERDICT_GAP]; /* what is not compared */
};

/* What the verdict will be, if nothing differs; `against`: there is a bus trace to compare with. */
void trc_verdict_foresee(struct trc_verdict *v, const struct trc_package *p, bool against,
                         uint64_t from, uint64_t to);

/* What is not compared, as words of a sentence. */
void trc_verdict_gaps(const struct trc_verdict *v, char text[TRC_VERDICT_TEXT]);

/* A line for each level and the verdict last, on stderr; or all as an object of JSON, on stdout. */
void trc_verdict_print(const struct trc_verdict *v, const struct trc_replay_report *r,
                       bool against);
int trc_verdict_json(const struct trc_verdict *v, const struct trc_replay_report *r,
                     struct trc_err *err) TRC_MUST_USE;

#endif
