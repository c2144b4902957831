/* SPDX-License-Identifier: MIT
 *
 * Encodes references as a path through a program and streams (codec/program/refs.h): the edges from
 * op to op, and how each address is derived from others.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_WRITER_H
#define TRC_CODEC_PROGRAM_REFS_WRITER_H

#include "codec/program/refs.h"

/* The writer: a program, and indexes to find its items. */
struct trc_refs_writer;

/* Opens a writer; with `fast`, it examines less before it chooses. */
struct trc_refs_writer *trc_refs_writer_open(bool fast, struct trc_err *err) TRC_MUST_USE;
void trc_refs_writer_close(struct trc_refs_writer *w);

/* Encodes a block into `refs`. */
int trc_refs_write(struct trc_refs_writer *w, const struct trc_refs_rows *rows,
                   struct trc_refs *refs, struct trc_err *err) TRC_MUST_USE;

/* Do the same for the rows of a block that come piece by piece, without pcs. */
void trc_refs_write_begin(struct trc_refs_writer *w);
int trc_refs_write_rows(struct trc_refs_writer *w, const struct trc_refs_rows *rows,
                        struct trc_err *err) TRC_MUST_USE;
int trc_refs_write_end(struct trc_refs_writer *w, struct trc_refs *refs,
                       struct trc_err *err) TRC_MUST_USE;

/* Restores all rows of the block so far; `size` may be NULL. */
void trc_refs_written_rows(const struct trc_refs_writer *w, uint8_t *type, uint64_t *addr,
                           uint32_t *size);

/* Appends the path of the last block as coded by the path model, with *n branches; does not change
 * `branches` of its `refs`. */
int trc_refs_write_path(struct trc_refs_writer *w, struct trc_buf *out, size_t *n,
                        struct trc_err *err) TRC_MUST_USE;

/* Returns true if the growth contains lengths of instructions without a size. */
bool trc_refs_writer_lengths(const struct trc_refs_writer *w);

/* Adds a column that ops explain (codec/growth/op_columns.h), before the first block of a program:
 * values of `width` bytes, called `name`, which are `registers` or not. */
void trc_refs_writer_add_column(struct trc_refs_writer *w, uint8_t name, uint8_t width,
                                bool registers);

/* Replaces exceptions[k] by the exceptions of column k, given the values `v` of the rows of the
 * last block, or by nothing if they need more than `most` bytes. */
int trc_refs_write_columns(struct trc_refs_writer *w, const void *const *v, size_t most,
                           struct trc_buf *exceptions, struct trc_err *err) TRC_MUST_USE;

/* Removes the columns whose bit in `keep` is 0; must be called before values are written. */
void trc_refs_writer_keep_columns(struct trc_refs_writer *w, unsigned keep);

/* Appends the growth of the program in the last block. */
int trc_refs_write_growth(struct trc_refs_writer *w, struct trc_buf *out,
                          struct trc_err *err) TRC_MUST_USE;

/* Returns how many ops the last block added to the program. */
size_t trc_refs_writer_new_ops(const struct trc_refs_writer *w);

/* Returns the number of ops in the program; the caller should reset it when they are many. */
size_t trc_refs_writer_ops(const struct trc_refs_writer *w);

/* Returns false if the program has become larger than readers allow. */
bool trc_refs_writer_fits(const struct trc_refs_writer *w);

#endif
