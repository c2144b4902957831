/* SPDX-License-Identifier: MIT
 *
 * The native container, shared by its writer and reader. trc.md, beside this file, specifies it.
 */
#ifndef TRC_FORMAT_TRC_H
#define TRC_FORMAT_TRC_H

#include "base/frame.h"
#include "batch/flow.h"
#include "codec/refs.h"

enum {
	TRC_VERSION_NUMBER = 1,

	/* Kinds of frames. */
	TRC_KIND_TRACE = 'T',   /* begins a container */
	TRC_KIND_PROGRAM = 'P', /* growth of the program, if any, for the block that follows */
	TRC_KIND_BLOCK = 'B',
	TRC_KIND_INDEX = 'I',
	TRC_KIND_END = 'E',

	/* Ways to pack columns, in the sections of a block. */
	TRC_SECTION_REFS = 0, /* type, addr and size as choices within the program */
	TRC_SECTION_FLAT = 1, /* one column */

	TRC_END_LEN = 8, /* bytes: the offset of the index from the start of the container */
	TRC_ROW_BITS = 24, /* of a block's number that count its rows; the others, its first row */
	TRC_BLOCK_MOST = 1 << 22, /* rows of a block */
	TRC_BLOCK_BYTES = 64 << 20, /* and their bytes, as columns */
};

/* What the references of a block use besides `type` and `addr`. */
#define TRC_REFS_COLUMNS (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE)

/* How many bytes the streams of a block of `rows` rows can need, all together: a row is an op with
 * a choice, or a data reference with a token and a literal; the table of upper halves has its
 * limit. */
#define TRC_STREAMS_MOST(rows) ((size_t)12 * (rows) + (1 << 20))

static const uint8_t trc_refs_kind[TRC_REFS_STREAMS] = {
	[TRC_REFS_FIRST] = 3, [TRC_REFS_CONSTANT] = 3, [TRC_REFS_HIGH] = 3, [TRC_REFS_LITERAL] = 2,
};

struct trc_source *trc_container_source(struct trc_in *in, const void *settings,
                                        struct trc_err *err);
struct trc_sink *trc_container_sink(struct trc_out *out, uint32_t have,
                                    const struct trc_meta *meta, const void *settings,
                                    struct trc_err *err);

/* A column of the batch as numbers, and back. */
void trc_column_widen(const struct trc_batch *b, enum trc_column c, uint64_t *v);
bool trc_column_narrow(struct trc_batch *b, enum trc_column c, const uint64_t *v, size_t n);

#endif
