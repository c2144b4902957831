/* SPDX-License-Identifier: MIT
 *
 * References (type, address and size) of a block as a path through a program
 * (codec/program/program.h). Here, what one task made of a block is a block by itself. Encoding
 * makes plain streams of bytes, which codec/stream/pack.h then packs; decoding takes the streams
 * and gives the rows back piece by piece.
 *
 *   path     for each op that has several edges, in order of time: the number of the edge taken, in
 *            a byte; 255: the number stands in `far` (LEB128). Or all of them by the path model
 *            (codec/program/path.h); `far` is empty then
 *   state    for each slot that was referenced and is not new, in order of slots: 0 constant, as
 *            before; 1 + mode: constant, with the residual in `constant`; 32 varying, mode as
 *            before; 33 + mode: varying
 *   table    for each varying slot that was referenced, in order of slots: 0; or, if it has one
 *            (codec/program/successor_table.h), 1 + 13 * back + bits - 4, with bits being 4 to 16,
 *            and back 0 to 16: the key is the address of the data reference `back` before or, if
 *            back is 0, of the slot's own last one. Where there was none in the block, the key is
 *            0. Empty if no slot has a table. All tables together have at most 262144 entries, and
 *            8 for each row
 *   form     for each of these slots, likewise: 1 if its own literals are not as `absolute` has
 *            it, but the other way round, else 0. Empty if that is so for no slot
 *   token    for each reference of a varying slot, slot by slot: which of the slot's last 8
 *            residuals it has, the latest first; 8: another, in `literal`. They are different, but
 *            begin as 8 times 0.
 *            If the slot has a table, whose entry has the key of the reference: 0: the residual
 *            that the entry has, and the last 8 stay as they are; 1 to 7: the residual at place 0
 *            to 6 of the last 8; 8: as above
 *   first    for each slot of mode self: its first address, 8 bytes, most significant first
 *   constant 8 bytes, most significant first, for each slot whose state has its residual here
 *   high     upper 48 bits of literals, each in 8 bytes, most significant first
 *   literal  residuals or, if `absolute`, addresses, slot by slot: an index in `high` (2 bytes,
 *            most significant first) of the upper 48 bits, and the lower 16 bits; where `high` is
 *            empty, 8 bytes
 *   exception  of other columns (codec/program/op_columns.h): a bit for each column of the program,
 *            1 if the block has it so (LEB128); then the exceptions of each that it has
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

/* Values in the streams that have a meaning of their own. */
enum {
	TRC_STATE_VARIES = 32, /* below it the slot is constant */
};

/* The rows of a block, or of the part of it that one task made: columns of a batch. */
struct trc_refs_rows {
	const uint8_t *type;
	const uint64_t *addr;
	const uint32_t *size; /* NULL: all 0 */
	/* The instruction that each belongs to: for a fetch, its address; NULL: that fetched last.
	 * If they were `inferred` (codec/program/inference.h), they need not come back. */
	const uint64_t *pc;
	bool inferred;
	size_t n;
};

/* A block as streams. New. */
struct trc_refs {
	uint32_t first;  /* op */
	uint64_t ops;    /* in the block */
	bool absolute;   /* what literals are */
	size_t branches; /* coded by the path model; 0: `path` has a byte for each */
	struct trc_buf stream[TRC_REFS_STREAMS];
};

void trc_refs_release(struct trc_refs *r);

/* What a stream is made of, for whoever packs it. */
enum trc_pack_kind trc_refs_kind(const struct trc_refs *r, enum trc_refs_stream s);

/* Fails since the references of a block are damaged, in what is named; returns -1. */
int trc_refs_corrupt(struct trc_err *err, const char *what);

#endif
