/* SPDX-License-Identifier: MIT
 *
 * The header of a container, and the parts that other frames share with it. SPEC.md specifies all
 * of it.
 */
#ifndef TRC_CONTAINER_HEADER_H
#define TRC_CONTAINER_HEADER_H

#include "base/buf.h"
#include "batch/flow.h"

/* Fails because `what`, of this number, is unknown and may not be ignored. `needs` is the earliest
 * version of trc that knows it, encoded as TRC_FACT_NEEDS, or 0 if that is not known. */
int trc_fail_unknown(const char *what, uint64_t number, uint64_t needs, struct trc_err *err);

/* Appends to an error about invalid data that trc `needs` can read it, if that is later than this
 * version and the message does not name a version yet. */
void trc_err_needs(struct trc_err *err, uint64_t needs);

/* Reads the columns that a part of the program or a block lists. Leaves out unknown columns that
 * may be ignored. */
int trc_columns_read(struct trc_view *v, uint64_t needs, uint32_t *have,
                     struct trc_err *err) TRC_MUST_USE;

/* TRC_FACT_NEEDS: the earliest version of trc that knows everything in a container that may not be
 * ignored, as 65536 * major + minor. */
enum { TRC_FACT_NEEDS = 8, TRC_FACT_TOUCHES = 32 /* which older versions ignore */ };

/* Facts are the optional fields after the fixed ones in the header and the index: the guarantee of
 * a reduced trace, and facts that are copied. Reading sets *needs if TRC_FACT_NEEDS is present;
 * `where` names the place in errors. */
int trc_facts_write(struct trc_buf *b, const struct trc_meta *meta,
                    struct trc_err *err) TRC_MUST_USE;
int trc_facts_read(struct trc_view *v, const char *where, struct trc_meta *meta, uint64_t *needs,
                   struct trc_err *err) TRC_MUST_USE;

/* A schema: everything a reader must know before the first row. */
struct trc_header {
	uint32_t have;
	size_t block_rows;    /* the most rows in a block */
	uint64_t needs;       /* value of TRC_FACT_NEEDS; 0: absent */
	struct trc_meta meta; /* the members that are known before the first row */
};

int trc_header_write(struct trc_buf *b, const struct trc_header *h,
                     struct trc_err *err) TRC_MUST_USE;
int trc_header_read(struct trc_view *v, struct trc_header *h, struct trc_err *err) TRC_MUST_USE;

#endif
