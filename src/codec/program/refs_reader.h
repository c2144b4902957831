/* SPDX-License-Identifier: MIT
 *
 * Decodes the streams of a block (codec/program/refs.h) into references.
 *
 * Beginning a block walks the path (refs_runs.h), then sets a cursor for each slot
 * (refs_cursors.h). After that, rows are produced a run at a time: three copies, and an addition
 * for each data reference.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_READER_H
#define TRC_CODEC_PROGRAM_REFS_READER_H

#include "codec/program/refs.h"

/* Reads one block after another. The program belongs to the caller, and must have all growths up to
 * that of the block when the block begins. */
struct trc_refs_reader;

struct trc_refs_reader *trc_refs_reader_open(struct trc_err *err) TRC_MUST_USE;
void trc_refs_reader_close(struct trc_refs_reader *r);

/* Returns the program that was followed last. */
const struct trc_program *trc_refs_program(const struct trc_refs_reader *r);

/* Limits the memory of the reader to `most` bytes; blocks that need more fail. */
void trc_refs_reader_limit(struct trc_refs_reader *r, size_t most);

/* The sizes of the program before the growth of a block; for a block without growth, more than its
 * sizes. */
struct trc_refs_old {
	size_t slots, edges;
};

/* Reads the path of a block. Only the path streams of `refs` need be unpacked yet; `refs` must
 * remain valid until the last row of the block was returned. */
int trc_refs_follow(struct trc_refs_reader *r, const struct trc_program *p, struct trc_refs_old old,
                    const struct trc_refs *refs, struct trc_err *err) TRC_MUST_USE;

/* Then begins the block, which has `rows` rows. Damage is detected here: if this succeeds, reading
 * the block succeeds. */
int trc_refs_begin(struct trc_refs_reader *r, uint64_t rows, struct trc_err *err) TRC_MUST_USE;

/* Returns up to `n` of the next rows, at least one unless none is left, and their number. `type`
 * and `size` may be NULL; so may `pc`, which is that of the op of each row. */
size_t trc_refs_next(struct trc_refs_reader *r, uint8_t *type, uint64_t *addr, uint32_t *size,
                     uint64_t *pc, size_t n);

/* Writes column `k` of the program's columns, for all `rows` rows of the block, to `to`, in the
 * width of the column; reads the exceptions from `in` (codec/growth/op_columns.h). */
int trc_refs_column(struct trc_refs_reader *r, unsigned k, struct trc_view *in, void *to,
                    size_t rows, struct trc_err *err) TRC_MUST_USE;

/* Skips the next `n` rows, or all that are left. */
void trc_refs_skip(struct trc_refs_reader *r, uint64_t n);

#endif
