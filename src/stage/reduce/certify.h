/* SPDX-License-Identifier: MIT
 *
 * Checks that a reduced trace does in LRU memories what its original does: certify.c has the proof.
 */
#ifndef TRC_STAGE_REDUCE_CERTIFY_H
#define TRC_STAGE_REDUCE_CERTIFY_H

#include "stage/stage.h"

enum { TRC_CERTIFY_SPACES_MOST = 65536 };

/* What was found at r pages, and by it at every larger size. */
struct trc_certificate {
	uint64_t references;               /* to pages, of the original */
	uint64_t records;                  /* of the reduced trace */
	uint64_t pages;                    /* distinct ones */
	uint64_t faults, evictions, dirty; /* dirty: evictions of dirty pages */
	uint64_t became_writes; /* read faults that are write faults in the reduced trace */
	bool parted;            /* they part at reference `where`, 0: at the end; *err has how */
	uint64_t where;
};

/* Which rows of the original come. */
struct trc_certify_part {
	bool first;           /* they are the first; else, where times are counted here: */
	uint64_t refs, insns; /* how many are in front of them */

	/* What the reduced trace has of its original, if anything. */
	bool totals;
	struct trc_page_totals total;
};

/* A sink for the original, in references to pages whose columns are `have`, to be compared with
 * those of `reduced`; both as trc_stage_page() makes them, with canonical pages if the scope has
 * them, and `reduced` stays the caller's. `r` is at least 1. Fails where the two part; *c is whole
 * when the sink has finished.
 *
 * One that is kept notes where they part, and goes on. `reduced` may be NULL where states are
 * appended, of which the first has `r` and the rest. */
struct trc_sink *trc_certify_sink(struct trc_certificate *c, struct trc_source *reduced, uint64_t r,
                                  const struct trc_scope *scope,
                                  const struct trc_certify_part *part, uint32_t have,
                                  struct trc_err *err) TRC_MUST_USE;

/* What a sink that has all parts compared: for memories of which size. */
uint64_t trc_certify_size(const struct trc_sink *sink, struct trc_scope *scope);

#endif
