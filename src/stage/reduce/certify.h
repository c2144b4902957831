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

/* A sink for the original, in references to pages whose columns are `have`, to be compared with
 * those of `reduced`; both as trc_stage_page() makes them, with canonical pages if the scope has
 * them, and `reduced` stays the caller's. `r` is at least 1. `totals`: what the reduced trace has
 * of its original; NULL: nothing. Fails where the two part; *c is whole when the sink has
 * finished. */
struct trc_sink *trc_certify_sink(struct trc_certificate *c, struct trc_source *reduced, uint64_t r,
                                  const struct trc_scope *scope,
                                  const struct trc_page_totals *totals, uint32_t have,
                                  struct trc_err *err) TRC_MUST_USE;

#endif
