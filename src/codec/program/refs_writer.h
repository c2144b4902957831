/* SPDX-License-Identifier: MIT
 *
 * References into a path through a program and streams (codec/program/refs.h): which edge led from
 * op to op, and how each address follows from others.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_WRITER_H
#define TRC_CODEC_PROGRAM_REFS_WRITER_H

#include "codec/program/refs.h"

/* The writer: a program and what finds its items. */
struct trc_refs_writer;

/* `fast`: look at less before choosing. */
struct trc_refs_writer *trc_refs_writer_open(bool fast, struct trc_err *err) TRC_MUST_USE;
void trc_refs_writer_close(struct trc_refs_writer *w);

/* Encodes a block into `refs`. */
int trc_refs_write(struct trc_refs_writer *w, const struct trc_refs_rows *rows,
                   struct trc_refs *refs, struct trc_err *err) TRC_MUST_USE;

/* Appends the path of the block that was written last as the path model codes it, with *n branches;
 * `branches` of `refs` stays as it was. */
int trc_refs_write_path(struct trc_refs_writer *w, struct trc_buf *out, size_t *n,
                        struct trc_err *err) TRC_MUST_USE;

/* True if the growth has lengths of instructions without a size. */
bool trc_refs_writer_lengths(const struct trc_refs_writer *w);

/* Other columns that ops explain (codec/growth/op_columns.h), before the first block of a program:
 * one of values of `width` bytes, called `name`, of registers or not. */
void trc_refs_writer_add_column(struct trc_refs_writer *w, uint8_t name, uint8_t width,
                                bool registers);

/* Puts the exceptions of all columns, which the rows of the block that was written last have in
 * `v`, in place of what exceptions[k] held: nothing if they take more than `most` bytes. */
int trc_refs_write_columns(struct trc_refs_writer *w, const void *const *v, size_t most,
                           struct trc_buf *exceptions, struct trc_err *err) TRC_MUST_USE;

/* Drops the columns whose bit in `keep` is 0, before values are written. */
void trc_refs_writer_keep_columns(struct trc_refs_writer *w, unsigned keep);

/* Appends the growth of the program with the block that was written last. */
int trc_refs_write_growth(struct trc_refs_writer *w, struct trc_buf *out,
                          struct trc_err *err) TRC_MUST_USE;

/* How many ops the writer's program has: it should be begun anew when they are many. */
size_t trc_refs_writer_ops(const struct trc_refs_writer *w);

/* False if it has become larger than readers allow. */
bool trc_refs_writer_fits(const struct trc_refs_writer *w);

#endif
