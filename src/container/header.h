/* SPDX-License-Identifier: MIT
 *
 * The header of a container, and what other frames share with it. SPEC.md specifies all of it.
 */
#ifndef TRC_CONTAINER_HEADER_H
#define TRC_CONTAINER_HEADER_H

#include "base/buf.h"
#include "batch/flow.h"

/* Fails for something that has to be known, and is not: `what`, of this number. `needs` is the
 * least version of trc that knows it, as fact TRC_FACT_NEEDS has it, or 0. */
int trc_fail_unknown(const char *what, uint64_t number, uint64_t needs, struct trc_err *err);

/* To the sentence about bytes that make no sense it adds the version that wrote them, if that is
 * one later than this, and the sentence does not have it. */
void trc_err_needs(struct trc_err *err, uint64_t needs);

/* The columns that a part of the program or a block names; those that are not known and may be
 * passed over are left out. */
int trc_columns_read(struct trc_view *v, uint64_t needs, uint32_t *have,
                     struct trc_err *err) TRC_MUST_USE;

/* The number of the fact that is the least version of trc that knows all of a container that has
 * to be known: 65536 * major + minor. */
enum { TRC_FACT_NEEDS = 8, TRC_FACT_TOUCHES = 32 /* which may be passed over */ };

/* Facts: what follows in the header and in the index behind what they always have, the guarantee
 * of a reduced trace and what is copied. Reading sets *needs if it is there; `where` is what they
 * stand in. */
int trc_facts_write(struct trc_buf *b, const struct trc_meta *meta,
                    struct trc_err *err) TRC_MUST_USE;
int trc_facts_read(struct trc_view *v, const char *where, struct trc_meta *meta, uint64_t *needs,
                   struct trc_err *err) TRC_MUST_USE;

/* A schema: what has to be there before the first row. */
struct trc_header {
	uint32_t have;
	size_t block_rows;    /* no block has more */
	uint64_t needs;       /* as TRC_FACT_NEEDS; 0: it is not there */
	struct trc_meta meta; /* as far as it can be given before the first row */
};

int trc_header_write(struct trc_buf *b, const struct trc_header *h,
                     struct trc_err *err) TRC_MUST_USE;
int trc_header_read(struct trc_view *v, struct trc_header *h, struct trc_err *err) TRC_MUST_USE;

#endif
