/* SPDX-License-Identifier: MIT
 *
 * Unpacking blocks of the container: from the payloads of frames to rows, piece by piece.
 */
#ifndef TRC_FORMAT_TRC_UNPACK_H
#define TRC_FORMAT_TRC_UNPACK_H

#include "base/frame.h"
#include "codec/pages.h"
#include "format/trc.h"

/* What the blocks of a container share. */
struct trc_blocks {
	uint32_t have;
	int threads;
	size_t block_rows; /* no block has more */
	size_t reader;     /* bytes that the program may take that a block is read by, */
	size_t tables;     /* and all that unpacks streams at a time */
	struct trc_program program;
	uint64_t generation; /* parts of the program read so far; 0: it is not there */
	struct trc_pages *pages;      /* what the column of pages goes on from */
	uint64_t pages_began, pages_end; /* rows of the file that went through it */
	uint64_t *wide;      /* room for a column as numbers */
};

/* The references of one task or space of a block, or of all of it. */
struct trc_block_context {
	uint32_t key;
	uint64_t rows;
	size_t at; /* in `gathered`, of the next that comes out */
};

/* A block on its way: prepared by the helper, emptied by the caller. */
struct trc_block {
	enum trc_flow flow; /* of preparing it */
	struct trc_err err;
	uint64_t first, rows, at;
	uint64_t digest; /* of all its rows, as the file has it */
	bool whole;      /* all its rows come out */
	uint32_t flat;   /* columns that are in `column` */
	struct trc_batch column;
	uint64_t pages_first, pages_rows; /* of the frame of pages that came; no rows: none */
	uint8_t pages;                    /* the column that it has */

	/* References. Those of a single context come out of the reader; several are read one after
	 * the other and gathered: a reader for each would take the memory of a program each. */
	struct trc_block_context context[TRC_CONTEXTS_MOST];
	size_t contexts;
	uint64_t refs_rows; /* of the block, as its first R frame has them */
	struct trc_refs refs;
	struct trc_refs_reader *reader;
	struct trc_batch gathered;
	const uint32_t *key; /* of each row, if there are several contexts */
};

void trc_block_release(struct trc_block *b);

/* The columns that a header, a part of the program or a block names. */
int trc_block_columns(struct trc_view *v, uint32_t *have, struct trc_err *err) TRC_MUST_USE;

/* Adds a part to the program. One that is missing leaves it unusable until it begins anew. */
int trc_block_program(struct trc_blocks *c, const struct trc_frame *f,
		      struct trc_err *err) TRC_MUST_USE;

/* Prepares the references of one more context of the block that begins at row `first_row`. Slots of
 * the program from `new_slots` on appear in them for the first time. */
int trc_block_refs(struct trc_blocks *c, struct trc_block *b, const struct trc_frame *f,
		   uint64_t first_row, size_t new_slots, struct trc_err *err) TRC_MUST_USE;

/* Reads the pages of the block that begins at row `first_row`. */
int trc_block_pages(struct trc_blocks *c, struct trc_block *b, const struct trc_frame *f,
		    uint64_t first_row, struct trc_err *err) TRC_MUST_USE;

/* Forgets what the column of pages goes on from. */
void trc_block_pages_forget(struct trc_blocks *c);

/* Reads the sections of a block: its columns, and how the references make it up. */
int trc_block_sections(struct trc_blocks *c, struct trc_block *b, struct trc_view *v,
		       struct trc_err *err) TRC_MUST_USE;

/* True if the lowest and highest time of a block are these, or it has no times. */
bool trc_block_has_times(const struct trc_block *b, uint64_t lowest, uint64_t highest);

/* Puts up to `n` of the next rows' references, from row b->at on; returns how many. */
size_t trc_block_next(struct trc_block *b, uint8_t *type, uint64_t *addr, uint32_t *size, size_t n);

#endif
