/* SPDX-License-Identifier: MIT
 *
 * The streams of a block (codec/program/refs.h) back into references.
 *
 * Beginning a block walks the path (refs_runs.h), then sets a cursor for each slot
 * (refs_cursors.h). Then rows come out a run at a time: three copies, and an addition for each data
 * reference.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_READER_H
#define TRC_CODEC_PROGRAM_REFS_READER_H

#include "codec/program/refs.h"

/* The reader of one block after another. The program is the caller's; it must have all growths up
 * to the block's own when that begins. */
struct trc_refs_reader;

struct trc_refs_reader *trc_refs_reader_open(struct trc_err *err) TRC_MUST_USE;
void trc_refs_reader_close(struct trc_refs_reader *r);

/* The program that it followed last. */
const struct trc_program *trc_refs_program(const struct trc_refs_reader *r);

/* Lets the reader take at most so many bytes; blocks that need more are refused. */
void trc_refs_reader_limit(struct trc_refs_reader *r, size_t most);

/* How much of the program there was before the growth of a block; without one, more than there
 * is. */
struct trc_refs_old {
	size_t slots, edges;
};

/* Follows the path of a block. Of the streams of `refs`, no others need to be there yet; it must
 * live until the last row of the block is out. */
int trc_refs_follow(struct trc_refs_reader *r, const struct trc_program *p, struct trc_refs_old old,
                    const struct trc_refs *refs, struct trc_err *err) TRC_MUST_USE;

/* Then begins the block, of `rows` rows. Damage is found here: what begins well ends well. */
int trc_refs_begin(struct trc_refs_reader *r, uint64_t rows, struct trc_err *err) TRC_MUST_USE;

/* Gives up to `n` of the next rows, at least one unless none is left; returns how many. `type`
 * and `size` may be NULL, and so may `pc`: of the op that a row belongs to. */
size_t trc_refs_next(struct trc_refs_reader *r, uint8_t *type, uint64_t *addr, uint32_t *size,
                     uint64_t *pc, size_t n);

/* Puts column `k` of the program's columns, of all `rows` rows of the block, to `to`, by its width;
 * takes the exceptions from `in` (codec/growth/op_columns.h). */
int trc_refs_column(struct trc_refs_reader *r, unsigned k, struct trc_view *in, void *to,
                    size_t rows, struct trc_err *err) TRC_MUST_USE;

/* Leaves out the next `n` rows, or all if so many are not left. */
void trc_refs_skip(struct trc_refs_reader *r, uint64_t n);

#endif
