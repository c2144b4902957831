/* SPDX-License-Identifier: MIT
 *
 * A block as it comes from the file: its frames, with the parts of the program before it. Whatever
 * a frame claims is checked before it is believed.
 */
#ifndef TRC_CONTAINER_PACKED_BLOCK_H
#define TRC_CONTAINER_PACKED_BLOCK_H

#include "base/io/frame.h"
#include "codec/stream/pack.h"
#include "container/memory_plan.h"
#include "container/program_versions.h"

/* How the blocks of a file are read. */
struct trc_read_settings {
	const char *name; /* of the file */
	uint32_t have;
	uint64_t needs; /* as the header has it, struct trc_header */
	int threads;    /* that may run for a block at a time */
	bool salvage;   /* corrupt frames are left out */
	bool give_cut;  /* struct trc_source has it */
	struct trc_memory_plan plan;
};

/* A frame of a block: a page of a row group, or of the dictionary before it. */
struct trc_block_frame {
	uint8_t kind;    /* TRC_KIND_TRACE: frames before it are lost, and with them the program */
	bool grown;      /* the frame before it was a part of the program */
	uint64_t number; /* of the frame */
	uint64_t offset; /* in the file */
	uint64_t first, rows; /* of the block */
	size_t at, len;       /* of the payload, in the bytes of all frames */
};

/* The rows of a block that come out, and what the index has of it. */
struct trc_block_range {
	uint64_t before;     /* good rows of the file before it */
	uint64_t skip, drop; /* rows that are not selected: the first, the last */
	bool timed;          /* the index has its lowest and highest time: */
	uint64_t time_first, time_last;
};

/* The references of one frame: columns of a block as streams, packed until unpacked. */
struct trc_packed_refs {
	uint64_t rows, generation;
	struct trc_packed packed[TRC_REFS_STREAMS];
	struct trc_refs refs;
};

/* A row group of a columnar format, as its pages stand in the file, with the dictionary pages (here
 * parts of the program) that it needs. */
struct trc_packed_block {
	struct trc_read_settings set;
	struct trc_block_range range;

	struct trc_block_frame *frame;
	size_t frames, frame_cap;
	struct trc_buf bytes;

	bool grows;  /* the program grows before it */
	bool single; /* it has one context, whose streams can be unpacked one by one */
	struct trc_packed_refs refs;
	struct trc_program_version version; /* of the program, for reading a single one */
};

void trc_packed_block_clear(struct trc_packed_block *b);
void trc_packed_block_release(struct trc_packed_block *b);

/* Adds a frame; `f` NULL: frames are lost, and the program until a part resets it. */
int trc_packed_block_add(struct trc_packed_block *b, const struct trc_frame *f, uint64_t base,
                         bool grown, struct trc_err *err) TRC_MUST_USE;

/* Looks for the streams of a block that is complete. */
int trc_packed_block_complete(struct trc_packed_block *b, struct trc_err *err) TRC_MUST_USE;

struct trc_view trc_packed_block_payload(const struct trc_packed_block *b,
                                         const struct trc_block_frame *f);

/* Adds to `err` where in the file frame `f` is, which makes no sense; returns -1. */
int trc_packed_block_fail(const struct trc_packed_block *b, const struct trc_block_frame *f,
                          struct trc_err *err);

/* Adds the parts of the program that come before a single block, and notes its version. */
int trc_packed_block_program(struct trc_packed_block *b, struct trc_program_versions *v,
                             struct trc_err *err) TRC_MUST_USE;

/* Unpacks one of the streams of a single block. */
int trc_packed_block_unpack(struct trc_packed_block *b, size_t stream,
                            struct trc_err *err) TRC_MUST_USE;

/* Finds and unpacks all streams of a frame of another block. */
int trc_packed_block_unpack_frame(struct trc_packed_block *b, const struct trc_block_frame *f,
                                  struct trc_err *err) TRC_MUST_USE;

/* The frame of a block that comes last, and the one with the references of a single block. */
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
