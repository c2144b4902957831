/* SPDX-License-Identifier: MIT
 *
 * The verdict on a replay without differences: which of the four levels of proof in
 * machine/bus/replay.h cover all of it, and what was not compared.
 */
#ifndef TRC_CMD_REPLAY_VERDICT_H
#define TRC_CMD_REPLAY_VERDICT_H

#include "machine/bus/replay.h"

enum {
	TRC_VERDICT_GAPS = 8,                                        /* maximum number */
	TRC_VERDICT_GAP = 64,                                        /* bytes of one */
	TRC_VERDICT_TEXT = TRC_VERDICT_GAPS * (TRC_VERDICT_GAP + 2), /* bytes of all, as a list */
};

struct trc_verdict {
	uint64_t from, to;                           /* instructions [from + 1, to] are computed */
	size_t n;                                    /* number of gaps; 0: proved */
	bool hashed;                                 /* some of the trace itself is compared */
	char gap[TRC_VERDICT_GAPS][TRC_VERDICT_GAP]; /* what is not compared */
};

/* Computes the verdict for the case that nothing will differ; `against`: there is a bus trace to
 * compare with. */
void trc_verdict_precheck(struct trc_verdict *v, const struct trc_package *p, bool against,
                          uint64_t from, uint64_t to);

/* Formats the gaps as a list of words. */
void trc_verdict_gaps(const struct trc_verdict *v, char text[TRC_VERDICT_TEXT]);

/* Print a line for each level and then the verdict to stderr, or a JSON object to stdout. */
void trc_verdict_print(const struct trc_verdict *v, const struct trc_replay_report *r,
                       bool against);
int trc_verdict_json(const struct trc_verdict *v, const struct trc_replay_report *r,
                     struct trc_err *err) TRC_MUST_USE;

#endif
