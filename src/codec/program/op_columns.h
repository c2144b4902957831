/* SPDX-License-Identifier: MIT
 *
 * Columns that ops explain: what is a property of the instruction (its word, its registers, whether
 * and how it branches) is stored once with the op, not with each row. Such a column has, in the
 * first row of each op, the value of the edge by which the path leaves it, or of the op itself
 * where the path ends; in all other rows, 0. Rows where that is not so are exceptions.
 *
 * Growth.  Behind the growth of a program that adds ops or edges, of each column in order, first
 * for each new op its value, then for each new edge its value, by models that live as long as the
 * program and one range coder:
 *
 *   op    s, how many bytes it has, 0 for 0: 4 bits; then these bytes, the lowest first, by
 *         predictors (codec/mixing/predictor.h): 2 * k for s and 2 * k + 1 for bytes, k being the
 *         number of the column, with 2^16 lines for all
 *   edge  whether it is that of the op that it leaves; if not, whether it is that of the last edge
 *         with another value than its op, of ops whose value has the same lowest byte (0 before
 *         the first); if not, a number. Bits and number are those of
 *         codec/entropy/range_coder.h; the bits given where the edge leads (0 to the end of the
 *         op, 1 elsewhere to 1 to 16 bytes behind its pc, 2 anywhere else) and the lowest byte of
 *         the value of the op
 *
 * Contexts, of op i.  x is what came of its value; x1 and x2 are those of ops i - 1 and i - 2;
 *   other is that of op i in the column before, modulo 65536; shape and shape1 are the numbers of
 *   the shapes of ops i and i - 1; all are 0 where there is none. size is how far behind its pc it
 *   ends; falls is 1 if its first edge leads there, else 0. h(a, b) is trc_hash(b, trc_hash(a, 0)),
 *   h(a, b, c) trc_hash(c, h(a, b)), f(v) h of the lower and the upper 32 bits of v, and form
 *   h(shape, size). A symbol is coded with its highest bit first; contexts of slots are
 *   trc_hash(path, context), path being its bits so far behind a 1.
 *
 *   Of s: h(form, other), h(bytes of x1, bytes of x2, shape), h(f(x1), size), h(x1 mod 256, shape,
 *   other), h(form, shape1), h(f(x1), form). Mixers and APMs are selected by path, 0, 0; path, 0.
 *
 *   Of byte j: low is f(x + 2^(8 j)); last and last2 are the byte and the two bytes before it,
 *   last2 being last if j < 2; v[j] is byte j of v; left is size - j if that is 1 to 15, else 0.
 *   h(low, s, size), h(low, form, other), h(low, x1 mod 65536), h(low, f(x1), form), h(j, s),
 *   h(j, last, form), h(j, s, form), h(low, form, x1 mod 65536), h(x mod 256, j),
 *   h(j, x1[j], x2[j]), h(j, last2), h(low, falls, h(shape, shape1)). Slots are found before bits 7
 *   and 3. Selected are 256 * j + path, 256 * left + path, j; 256 * j + path, 256 * left + path.
 *
 * Exceptions of a block, for each column that it has so: 1 if those in the first row of an op
 *   become the value of its edge for the rest of the block, else 0; how many; for each: how many
 *   rows are between it and the one before, or the start; its value. All are LEB128.
 */
#ifndef TRC_CODEC_PROGRAM_OP_COLUMNS_H
#define TRC_CODEC_PROGRAM_OP_COLUMNS_H

#include "codec/program/program.h"

/* Adds a column of values of `width` bytes, called `name` by the caller, to a program without
 * ops. */
void trc_op_columns_add(struct trc_program *p, uint8_t name, uint8_t width);

/* Drops the columns whose bit in `keep` is 0. */
void trc_op_columns_keep(struct trc_program *p, unsigned keep);

/* Makes room for the values of all ops and edges, those new being 0. */
int trc_op_columns_room(struct trc_program *p, struct trc_err *err) TRC_MUST_USE;

/* Appends the values of the ops from `ops` on, and of the edges from `edges` on. */
int trc_op_columns_write(struct trc_program *p, size_t ops, size_t edges, struct trc_buf *out,
                         struct trc_err *err) TRC_MUST_USE;

/* Reads them. */
int trc_op_columns_read(struct trc_program *p, size_t ops, size_t edges, struct trc_view in,
                        struct trc_err *err) TRC_MUST_USE;

#endif
