/* SPDX-License-Identifier: MIT
 *
 * Unpacks blocks of the container into rows. The work on one block is divided into tasks, which may
 * run at the same time on different threads (schedule.h has their order):
 *
 *   trc_packed_block_unpack()   unpacks one of the streams of its references
 *   trc_packed_block_program()  adds the parts of the program, block after block
 *   trc_sections_read()         unpacks its other columns
 *   trc_row_block_follow()      needs the program and the streams of the path
 *
 * After all of them, trc_row_block_refs() may run, and then trc_row_block_finish(). Before the
 * program advances to the next block, the references of a block that is not single must have begun;
 * a single block must have begun them too, or keep the version of the program it is read with.
 */
#ifndef TRC_CONTAINER_ROW_BLOCK_H
#define TRC_CONTAINER_ROW_BLOCK_H

#include "batch/fingerprint.h"
#include "container/block_refs.h"
#include "container/sections.h"

/* A row group of a columnar format, unpacked, whose rows are being returned. */
struct trc_row_block {
	struct trc_sections sections;
	struct trc_block_refs refs;
	uint64_t at, end; /* the next row to return, and the end of those to return */
	bool whole;       /* all its rows are returned */
};

void trc_row_block_release(struct trc_row_block *b);

/* Reads the path of a single block through the program. */
int trc_row_block_follow(struct trc_row_block *b, const struct trc_packed_block *from,
                         struct trc_err *err) TRC_MUST_USE;

/* Begins the references of a block. For a single block, trc_row_block_follow() must have run, and
 * `v` is not used; for another block, adds all its parts of the program to `v`. */
int trc_row_block_refs(struct trc_row_block *b, struct trc_packed_block *from,
                       struct trc_program_versions *v, struct trc_err *err) TRC_MUST_USE;

/* Fails unless columns, references and index match, then skips the rows at the start that are not
 * selected. */
int trc_row_block_finish(struct trc_row_block *b, const struct trc_packed_block *from,
                         struct trc_err *err) TRC_MUST_USE;

/* Appends to `to` as many of the next rows as fit and are contiguous, and adds them to `sum`;
 * returns how many. */
size_t trc_row_block_take(struct trc_row_block *b, struct trc_batch *to,
                          struct trc_fingerprint *sum);

#endif
