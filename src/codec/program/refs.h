/* SPDX-License-Identifier: MIT
 *
 * References (type, address and size) of a block as a path through a program
 * (codec/growth/program.h). Here, what one task made of a block is a block by itself. Encoding
 * makes plain streams of bytes, which codec/stream/pack.h then packs; decoding takes the streams
 * and gives the rows back piece by piece.
 *
 *   path        the edge taken of each op that has several, a byte; or by the path model
 *               (codec/program/path.h)
 *   far         numbers of edges that no byte holds
 *   state       of slots that are not new: constant or varying, and mode
 *   table       successor tables of varying slots (codec/program/successor_table.h)
 *   form        of these slots, which have literals of the other kind than `absolute` has it
 *   token       of references of varying slots: which of the last 8 residuals, or a literal
 *   first       first addresses of slots of mode self
 *   constant    residuals of constant slots
 *   high        upper 48 bits of literals, each once
 *   literal     residuals or addresses
 *   exception   of other columns (codec/growth/op_columns.h)
 *
 * container/SPEC.md, "References", has them to the bit.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_H
#define TRC_CODEC_PROGRAM_REFS_H

#include "codec/stream/pack.h"
#include "codec/program/last_residuals.h"
#include "codec/program/path.h"

enum trc_refs_stream {
	TRC_REFS_PATH,
	TRC_REFS_FAR,
	TRC_REFS_STATE,
	TRC_REFS_SUCCESSOR,
	TRC_REFS_FORM,
	TRC_REFS_TOKEN,
	TRC_REFS_FIRST,
	TRC_REFS_CONSTANT,
	TRC_REFS_HIGH,
	TRC_REFS_LITERAL,
	TRC_REFS_EXCEPTION,
	TRC_REFS_STREAMS
};

/* Values in the streams with a special meaning. */
enum {
	TRC_STATE_VARIES = 32, /* values below it: the slot is constant */
};

/* The rows of a block, or the part of them made by one task: columns of a batch. */
struct trc_refs_rows {
	const uint8_t *type;
	const uint64_t *addr;
	const uint32_t *size; /* NULL: all sizes are 0 */
	/* The instruction of each row; for a fetch, its address. NULL: the instruction fetched
	 * last. If they are `inferred` (codec/program/inference.h), they need not be restored. */
	const uint64_t *pc;
	bool inferred;
	size_t n;
};

/* A block as streams. This is new. */
struct trc_refs {
	uint32_t first;  /* the first op */
	uint64_t ops;    /* number of ops in the block */
	bool absolute;   /* literals are addresses, not residuals */
	size_t branches; /* in the path model; 0: `path` has a byte for each */
	struct trc_buf stream[TRC_REFS_STREAMS];
};

void trc_refs_release(struct trc_refs *r);

/* Returns the kind of a stream, for packing it. */
enum trc_pack_kind trc_refs_kind(const struct trc_refs *r, enum trc_refs_stream s);

/* Fails because the named part of the references of a block is damaged; returns -1. */
int trc_refs_corrupt(struct trc_err *err, const char *what);

#endif
