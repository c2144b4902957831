/* SPDX-License-Identifier: MIT
 *
 * A warm-up: the first records of a trace build what a question keeps of them, and those behind
 * them count. What a question counts is a sum over references, so what counts behind the first N
 * records is what all of the trace counts less what these N do. So the first N go to two sinks of
 * one kind, and the answer of one is subtracted from that of the other.
 *
 * The source knows records, the sinks see what stages between make of them: references to pages, of
 * which a record may have none, or many. So the source ends a batch behind record N, and notes when
 * it is asked for the next one; a stage that makes rows of one batch at a time has given all of
 * the first N by then.
 *
 * A part of a trace knows how many records are in front of it. Its state is how many of the first N
 * had come at its end, a number of base/buf.h, and the states of both sinks.
 */
#ifndef TRC_STAGE_PROFILE_WARMUP_H
#define TRC_STAGE_PROFILE_WARMUP_H

#include "batch/flow.h"

/* A warm-up; the rest is zero at first. */
struct trc_warmup {
	uint64_t records; /* so many; 0: none */
	bool insns;       /* not records, but instructions (batch/extent.h) */
	uint64_t seen;    /* of these; of a part, those in front of it, too */

	/* Takes what `first` found from what `all` found, when both have finished; NULL: whoever
	 * opened them does. */
	int (*subtract)(struct trc_warmup *w, struct trc_err *err);

	/* Private. */
	bool behind; /* records behind them were asked for */
};

/* Wraps the source that notes where the warm-up ends. *w must outlive it. Between it and the sink
 * come stages that hold no row back from one batch to the next. */
struct trc_source *trc_warmup_source(struct trc_source *from, struct trc_warmup *w,
                                     struct trc_err *err) TRC_MUST_USE;

/* A sink that gives all rows to `all`, and those of the warm-up to `first`, too, which finishes and
 * is closed behind them. Takes over both even if it fails, as it does if one is NULL. A trace with
 * fewer records is refused, and one that was reduced, as its first records are others. It has parts
 * if `all` has. */
struct trc_sink *trc_warmup_sink(struct trc_sink *all, struct trc_sink *first, struct trc_warmup *w,
                                 struct trc_err *err) TRC_MUST_USE;

/* Fails if a trace of this meta that has ended, or has given `seen` records of the warm-up, had
 * none. */
int trc_warmup_check(uint64_t records, bool insns, uint64_t seen, const struct trc_meta *meta,
                     struct trc_err *err) TRC_MUST_USE;

#endif
