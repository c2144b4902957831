/* SPDX-License-Identifier: MIT
 *
 * Unpacking blocks of the container: from the payloads of frames to rows, piece by piece.
 *
 * A block is raw first: its frames, with the parts of the program before it. What can be done with
 * it when, and by whom, schedule.c decides; of one block, these may run beside each other, each on
 * a thread of its own:
 *
 *   trc_raw_unpack()      one of its streams
 *   trc_block_sections()  its other columns
 *   trc_block_program()   the parts of the program, those of one block after those of another
 *   trc_block_walk()      behind that and the streams of choices
 *
 * When they have, trc_block_refs() may, and then trc_block_finish(). Before the program goes on to
 * the next block, blocks that are not plain must have been followed; so must others, or they keep
 * the version of the program that they know.
 */
#ifndef TRC_CONTAINER_UNPACK_H
#define TRC_CONTAINER_UNPACK_H

#include "base/io/frame.h"
#include "codec/program/growth.h"
#include "codec/program/refs_reader.h"
#include "codec/stream/pack.h"
#include "batch/fingerprint.h"
#include "container/container.h"

/* Rows of the largest block, and bytes that may be taken. */
struct trc_memory_plan {
	size_t block_rows;
	size_t reader;   /* by what a block is read with, beside the program */
	size_t tables;   /* by all that unpacks streams at a time */
	size_t programs; /* by all versions of the program */
};

/* What a block is read by. */
struct trc_known {
	const struct trc_program *program;
	uint64_t generation;     /* parts so far; 0: it is not there */
	struct trc_refs_old old; /* before the last part */
};

/* Versions of the program that there may be: one that goes on, others that blocks are read by. */
enum { TRC_VERSIONS_MOST = 5 };

/* What goes on from block to block: the program. */
struct trc_growing {
	struct trc_program program[TRC_VERSIONS_MOST];
	size_t at; /* the version that goes on */
	struct trc_known known;
};

void trc_growing_release(struct trc_growing *g);

/* Goes on with version `to` of the program, so that blocks can be read by that so far. */
int trc_growing_go_on(struct trc_growing *g, size_t to, struct trc_err *err) TRC_MUST_USE;

/* A frame of a block. */
struct trc_piece {
	uint8_t kind;         /* TRC_KIND_TRACE: the program begins anew */
	bool grown;           /* the frame before it was a part of the program */
	uint64_t number;      /* of the frame */
	uint64_t offset;      /* in the file */
	uint64_t first, rows; /* of the block */
	size_t at, len;       /* of the payload, in the bytes of all pieces */
};

/* What stands before the streams of references. */
struct trc_refs_head {
	uint64_t rows, generation;
};

struct trc_raw {
	const char *name; /* of the file */
	uint32_t have;
	int threads;  /* that may run for it at a time */
	bool salvage; /* what is damaged is left out */
	struct trc_memory_plan room;
	uint64_t good;       /* rows before it */
	uint64_t skip, drop; /* of its rows that nobody wants: the first, the last */
	bool timed;          /* an index told of its lowest and highest time: */
	uint64_t time_first, time_last;

	struct trc_piece *piece;
	size_t pieces, piece_cap;
	struct trc_buf bytes;

	bool grows; /* the program does before it */

	/* Where there is one context, what its references are made of; packed until unpacked. */
	bool plain;
	struct trc_refs_head head;
	struct trc_packed packed[TRC_REFS_STREAMS];
	struct trc_refs refs;
	struct trc_known known; /* if it is plain, by trc_block_program() */
};

void trc_raw_clear(struct trc_raw *r);
void trc_raw_release(struct trc_raw *r);

/* Adds a frame; `f` NULL: what blocks go on from is lost until it begins anew. */
int trc_raw_add(struct trc_raw *r, const struct trc_frame *f, uint64_t base, bool grown,
                struct trc_err *err) TRC_MUST_USE;

/* Looks for the streams of a block that is complete. */
int trc_raw_complete(struct trc_raw *r, struct trc_err *err) TRC_MUST_USE;

/* Says in `err` where in the file piece `p` did not make sense; returns -1. */
int trc_raw_at(const struct trc_raw *r, const struct trc_piece *p, struct trc_err *err);

/* Unpacks one of the streams of a plain block. */
int trc_raw_unpack(struct trc_raw *r, size_t stream, struct trc_err *err) TRC_MUST_USE;

/* The references of one task or space of a block, or of all of it. */
struct trc_block_context {
	uint32_t key;
	uint64_t rows;
	size_t at; /* in `gathered`, of the next that comes out */
};

/* A block on its way out. */
struct trc_block {
	uint64_t first, rows, at;
	uint64_t end;    /* of those that come out */
	uint64_t digest; /* of all its rows, as the file has it */
	bool whole;      /* all its rows come out */
	uint32_t flat;   /* columns that are in `column` */
	struct trc_batch column;
	uint64_t *wide; /* room for a column as numbers */
	size_t wide_cap;

	/* References. Those of a single context come out of the reader; several are read one after
	 * the other and gathered: a reader for each would take the memory of a program each. */
	struct trc_block_context context[TRC_CONTEXTS_MOST];
	size_t contexts;
	uint64_t refs_rows; /* of the block, as its first R frame has them */
	uint64_t refs_first;
	struct trc_refs_reader *reader;
	struct trc_batch gathered;
	const uint32_t *key; /* of each row, if there are several contexts */

	/* By its sections: whether they tell of references, and of how many contexts with which
	 * keys. */
	bool refs, pcs; /* pcs, too */
	uint64_t keys;
	uint32_t keyed[TRC_CONTEXTS_MOST];
};

void trc_block_release(struct trc_block *b);

/* The columns that a header, a part of the program or a block names. */
int trc_block_columns(struct trc_view *v, uint32_t *have, struct trc_err *err) TRC_MUST_USE;

/* Fails if one of `n` types of rows means nothing. */
int trc_block_check_types(const uint8_t *type, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Gives the program the parts that come before a plain block; those of another are given by
 * trc_block_refs(). One that is missing leaves the program unusable until it begins anew. */
int trc_block_program(struct trc_growing *g, struct trc_raw *r, struct trc_err *err) TRC_MUST_USE;

/* Follows the choices of a plain block through the program that it knows. */
int trc_block_walk(const struct trc_raw *r, struct trc_block *b, struct trc_err *err) TRC_MUST_USE;

/* Begins the references of a block, behind that of a plain one, which leaves `g` alone. */
int trc_block_refs(struct trc_growing *g, struct trc_raw *r, struct trc_block *b,
                   struct trc_err *err) TRC_MUST_USE;

/* Unpacks the other columns. */
int trc_block_sections(const struct trc_raw *r, struct trc_block *b,
                       struct trc_err *err) TRC_MUST_USE;

/* Makes sure that columns, references and index fit each other, and leaves out rows at the
 * start. */
int trc_block_finish(const struct trc_raw *r, struct trc_block *b,
                     struct trc_err *err) TRC_MUST_USE;

/* Puts the next rows behind those of `to`, as many as are there at a piece and as there is room
 * for, and adds them to `sums`; returns how many. */
size_t trc_block_take(struct trc_block *b, struct trc_batch *to, struct trc_fingerprint *sums);

#endif
