/* SPDX-License-Identifier: MIT
 *
 * A warm-up: the first records of a trace only build up the state of a query, and the records after
 * them count. The counts of a query are sums over references, so the counts after the first N
 * records are those of the whole trace minus those of these N. Therefore the first N go to two
 * sinks of the same kind, and the result of one is subtracted from that of the other.
 *
 * The source sees records, but the sinks see what the stages between make of them: references to
 * pages, of which a record may have none or many. So the source ends a batch after record N and
 * notes when the next batch is pulled; a stage that makes rows from one batch at a time has then
 * delivered all rows of the first N.
 *
 * A part of a trace knows how many records precede it. Its state is the number of the first N
 * records up to its end, as a number of base/buf.h, and the states of both sinks.
 */
#ifndef TRC_STAGE_PROFILE_WARMUP_H
#define TRC_STAGE_PROFILE_WARMUP_H

#include "batch/flow.h"

/* A warm-up. Members that the caller does not set are zero at first. */
struct trc_warmup {
	uint64_t records; /* number of warm-up records; 0: none */
	bool insns;       /* count instructions instead of records (batch/extent.h) */
	uint64_t seen;    /* number of these seen; for a part, including those before it */

	/* Subtracts the result of `first` from that of `all` when both have finished; NULL: the
	 * code that opened them does. */
	int (*subtract)(struct trc_warmup *w, struct trc_err *err);

	/* Private. */
	bool over; /* records after the warm-up were pulled */
};

/* Wraps the source; the wrapper notes where the warm-up ends. *w must outlive it. The stages
 * between it and the sink must not hold rows back from one batch to the next. */
struct trc_source *trc_warmup_source(struct trc_source *from, struct trc_warmup *w,
                                     struct trc_err *err) TRC_MUST_USE;

/* Opens a sink that passes all rows to `all`, and those of the warm-up to `first` as well, which is
 * finished and closed after them. Takes ownership of both, even if it fails, which it does if one
 * is NULL. Finishing fails if the trace has fewer records, or was reduced, because its first
 * records are then others. It has parts if `all` has. */
struct trc_sink *trc_warmup_sink(struct trc_sink *all, struct trc_sink *first, struct trc_warmup *w,
                                 struct trc_err *err) TRC_MUST_USE;

/* Fails if a trace that has ended, with this meta and `seen` records of the warm-up, cannot have
 * such a warm-up: it was reduced, or is too short. */
int trc_warmup_check(uint64_t records, bool insns, uint64_t seen, const struct trc_meta *meta,
                     struct trc_err *err) TRC_MUST_USE;

#endif
