/* SPDX-License-Identifier: MIT
 *
 * The header of a container, and what other frames share with it. SPEC.md specifies all of it.
 */
#ifndef TRC_CONTAINER_HEADER_H
#define TRC_CONTAINER_HEADER_H

#include "base/buf.h"
#include "batch/flow.h"

/* The columns that a header, a part of the program or a block names. */
int trc_columns_read(struct trc_view *v, uint32_t *have, struct trc_err *err) TRC_MUST_USE;

/* Facts of a reduced trace: what follows in the header and in the index behind what they always
 * have. Reading is false for what cannot be. */
int trc_facts_write(struct trc_buf *b, const struct trc_guarantee *p,
                    struct trc_err *err) TRC_MUST_USE;
bool trc_facts_read(struct trc_view *v, struct trc_guarantee *p);

/* A schema: what has to be there before the first row. */
struct trc_header {
	uint32_t have;
	size_t block_rows;    /* no block has more */
	struct trc_meta meta; /* as far as it can be given before the first row */
};

int trc_header_write(struct trc_buf *b, const struct trc_header *h,
                     struct trc_err *err) TRC_MUST_USE;
int trc_header_read(struct trc_view *v, struct trc_header *h, struct trc_err *err) TRC_MUST_USE;

#endif
