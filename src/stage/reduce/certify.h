/* SPDX-License-Identifier: MIT
 *
 * Verifies that a reduced trace behaves like its original in LRU memories: certify.c has the proof.
 */
#ifndef TRC_STAGE_REDUCE_CERTIFY_H
#define TRC_STAGE_REDUCE_CERTIFY_H

#include "stage/stage.h"

enum { TRC_CERTIFY_SPACES_MOST = 65536 };

/* The result for memories of r pages, which holds for every larger size. */
struct trc_certificate {
	uint64_t references;               /* references to pages in the original */
	uint64_t records;                  /* records in the reduced trace */
	uint64_t pages;                    /* distinct ones */
	uint64_t faults, evictions, dirty; /* dirty: evictions of dirty pages */
	uint64_t became_writes; /* read faults that are write faults in the reduced trace */
	bool parted; /* the traces differ at reference `where`, 0: at the end; *err describes how */
	uint64_t where;
};

/* Makes a sink for the original, references to pages with the columns `have`, that compares them
 * with those of `reduced`. Both are as trc_stage_page() makes them, with canonical pages if the
 * scope has them; `reduced` stays the caller's. `r` is at least 1. `totals` are those of the
 * original as the reduced trace states them; NULL: none. The sink fails where the traces differ; *c
 * is complete after finish. */
struct trc_sink *trc_certify_sink(struct trc_certificate *c, struct trc_source *reduced, uint64_t r,
                                  const struct trc_scope *scope,
                                  const struct trc_page_totals *totals, uint32_t have,
                                  struct trc_err *err) TRC_MUST_USE;

#endif
