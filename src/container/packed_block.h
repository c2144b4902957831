/* SPDX-License-Identifier: MIT
 *
 * A block as read from the file: its frames, together with the preceding parts of the program.
 * Every claim of a frame is checked before it is used.
 */
#ifndef TRC_CONTAINER_PACKED_BLOCK_H
#define TRC_CONTAINER_PACKED_BLOCK_H

#include "base/io/frame.h"
#include "codec/stream/pack.h"
#include "container/memory_plan.h"
#include "container/program_versions.h"

/* The settings for reading the blocks of a file. */
struct trc_read_settings {
	const char *name; /* of the file */
	uint32_t have;
	uint64_t needs; /* struct trc_header */
	int threads;    /* that may work on a block at a time */
	bool salvage;   /* skip corrupt frames */
	bool give_cut;  /* see struct trc_source */
	struct trc_memory_plan plan;
};

/* A frame of a block: a page of a row group, or of the dictionary before it. */
struct trc_block_frame {
	uint8_t kind;    /* TRC_KIND_TRACE: preceding frames are lost, and the program with them */
	bool grown;      /* the preceding frame was a part of the program */
	uint64_t number; /* of the frame */
	uint64_t offset; /* in the file */
	uint64_t first, rows; /* of its block */
	size_t at, len;       /* its payload in the bytes of all frames */
};

/* The rows of a block to be returned, and what the index records about it. */
struct trc_block_range {
	uint64_t before;     /* intact rows of the file before the block */
	uint64_t skip, drop; /* rows at the start and at the end that are not selected */
	bool timed;          /* the index has the lowest and the highest time: */
	uint64_t time_first, time_last;
};

/* The references of one frame: columns of a block as streams, packed and, later, unpacked. */
struct trc_packed_refs {
	uint64_t rows, generation;
	struct trc_packed packed[TRC_REFS_STREAMS];
	struct trc_refs refs;
};

/* A row group of a columnar format as its pages are stored in the file, with the dictionary pages
 * (here parts of the program) that it needs. */
struct trc_packed_block {
	struct trc_read_settings set;
	struct trc_block_range range;

	struct trc_block_frame *frame;
	size_t frames, frame_cap;
	struct trc_buf bytes;

	bool grows;  /* parts of the program precede it */
	bool single; /* it has one context, whose streams can be unpacked independently */
	struct trc_packed_refs refs;
	struct trc_program_version version; /* for reading a single block */
};

/* Removes all frames, but keeps the memory for the next block. */
void trc_packed_block_clear(struct trc_packed_block *b);
void trc_packed_block_release(struct trc_packed_block *b);

/* Adds a frame. If `f` is NULL, frames were lost, and so is the program until a part resets it. */
int trc_packed_block_add(struct trc_packed_block *b, const struct trc_frame *f, uint64_t base,
                         bool grown, struct trc_err *err) TRC_MUST_USE;

/* Locates the streams of a complete block, if it is single. */
int trc_packed_block_complete(struct trc_packed_block *b, struct trc_err *err) TRC_MUST_USE;

struct trc_view trc_packed_block_payload(const struct trc_packed_block *b,
                                         const struct trc_block_frame *f);

/* Adds to `err` the position of the invalid frame `f` in the file; returns -1. */
int trc_packed_block_fail(const struct trc_packed_block *b, const struct trc_block_frame *f,
                          struct trc_err *err);

/* Adds the parts of the program that precede a single block, and sets b->version. */
int trc_packed_block_program(struct trc_packed_block *b, struct trc_program_versions *v,
                             struct trc_err *err) TRC_MUST_USE;

/* Unpacks one of the streams of a single block. */
int trc_packed_block_unpack(struct trc_packed_block *b, size_t stream,
                            struct trc_err *err) TRC_MUST_USE;

/* Locates and unpacks all streams of a frame of a block that is not single. */
int trc_packed_block_unpack_frame(struct trc_packed_block *b, const struct trc_block_frame *f,
                                  struct trc_err *err) TRC_MUST_USE;

/* Return the last frame of a block, and the frame with the references of a single block. */
static inline const struct trc_block_frame *
trc_packed_block_last(const struct trc_packed_block *b)
{
	return &b->frame[b->frames - 1];
}

static inline const struct trc_block_frame *
trc_packed_block_refs(const struct trc_packed_block *b)
{
	return &b->frame[b->frames - 2];
}

#endif
