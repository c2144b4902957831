/* SPDX-License-Identifier: MIT
 *
 * References (type, address and size) of a block as a path through a program
 * (codec/growth/program.h). Here, the part of a block made by one task is a block of its own.
 * Encoding produces plain streams of bytes, which codec/stream/pack.h then packs; decoding takes
 * the streams and returns the rows piece by piece.
 *
 *   path        the edge taken from each op that has several, a byte each; or coded by the path
 *               model (codec/program/path.h)
 *   far         numbers of edges that do not fit in a byte
 *   state       of slots that are not new: constant or varying, and mode
 *   table       successor tables of varying slots (codec/program/successor_table.h)
 *   form        of varying slots: whether their literals have the other form than `absolute`
 *   token       of references of varying slots: one of the last 8 residuals, or a literal
 *   first       first addresses of slots of mode self
 *   constant    residuals of constant slots
 *   high        upper 48 bits of literals, each once
 *   literal     residuals or addresses
 *   exception   of other columns (codec/growth/op_columns.h)
 *
 * container/SPEC.md, "References", specifies them exactly.
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
