/* SPDX-License-Identifier: MIT
 *
 * Unpacking blocks of the container: from a packed block to rows. The work for one block is tasks,
 * which may run beside each other, each on a thread of its own (schedule.h has their order):
 *
 *   trc_packed_block_unpack()   one of the streams of its references
 *   trc_packed_block_program()  the parts of the program, those of one block after those of another
 *   trc_sections_read()         its other columns
 *   trc_row_block_follow()      behind the program and the streams of the path
 *
 * When they have, trc_row_block_refs() may, and then trc_row_block_finish(). Before the program
 * goes on to the next block, the references of blocks that are not single must have begun; so must
 * those of others, or they keep the version of the program that they are read by.
 */
#ifndef TRC_CONTAINER_ROW_BLOCK_H
#define TRC_CONTAINER_ROW_BLOCK_H

#include "batch/fingerprint.h"
#include "container/block_refs.h"
#include "container/sections.h"

/* A row group of a columnar format, unpacked, on its way out. */
struct trc_row_block {
	struct trc_sections sections;
	struct trc_block_refs refs;
	uint64_t at, end; /* the next row, and the end of those that come out */
	bool whole;       /* all its rows come out */
};

void trc_row_block_release(struct trc_row_block *b);

/* Follows the path of a single block through the program. */
int trc_row_block_follow(struct trc_row_block *b, const struct trc_packed_block *from,
                         struct trc_err *err) TRC_MUST_USE;

/* Begins the references of a block: behind the path of a single one, which leaves `v` alone; of
 * another with all its parts of the program. */
int trc_row_block_refs(struct trc_row_block *b, struct trc_packed_block *from,
                       struct trc_program_versions *v, struct trc_err *err) TRC_MUST_USE;

/* Makes sure that columns, references and index fit each other, and leaves out rows at the
 * start. */
int trc_row_block_finish(struct trc_row_block *b, const struct trc_packed_block *from,
                         struct trc_err *err) TRC_MUST_USE;

/* Puts the next rows behind those of `to`, as many as come in one piece and fit, and adds them to
 * `sum`; returns how many. */
size_t trc_row_block_take(struct trc_row_block *b, struct trc_batch *to,
                          struct trc_fingerprint *sum);

#endif
