/* SPDX-License-Identifier: MIT
 *
 * Decoded instructions. A block is a sequence of instructions that runs without another look-up: it
 * continues after branches, which are assumed not taken, and after jumps within the page, and ends
 * where the next instruction is unknown. Blocks belong to the physical page that holds their bytes.
 * When one of these bytes is written, all blocks of the page are dropped.
 */
#ifndef TRC_MACHINE_HART_BLOCK_H
#define TRC_MACHINE_HART_BLOCK_H

#include "machine/hart/memory.h"

enum {
	TRC_BLOCK_INSNS = 64,
	TRC_BLOCK_ROWS = 3 * TRC_BLOCK_INSNS, /* a fetch, a load and a store for each */
	TRC_ROW_STEP = 8,                     /* rows are copied in groups of this size */
};

/* What a block requires to run as it is. */
enum {
	TRC_NEEDS_FP = 1,    /* floating point is on, and its state is marked dirty */
	TRC_NEEDS_CROSS = 2, /* the bytes of the next virtual page must be unchanged */
};

struct trc_core;
struct trc_hart_op;
struct trc_exit;

/* A handler: executes an instruction and the rest of its block. Returns the exit that was taken. */
typedef struct trc_exit *trc_exec(struct trc_core *core, const struct trc_hart_op *op,
                                  uint64_t *addr);

/* One instruction of a block. Its handler gets the address column of the block's rows as `addr`. */
struct trc_hart_op {
	trc_exec *run;
	union {
		int64_t imm;
		struct trc_exit *exit; /* of jumps and branches */
	};
	uint8_t rd, rs1, rs2;
	union {
		uint8_t rs3;
		uint8_t len; /* of instructions without a third operand */
	};
	uint8_t row; /* index in the block of the first row of its data */
	uint8_t at;  /* instructions of the block before it */
	int16_t off; /* from the beginning of the block, in bytes */
};

/* An exit of a block: a place where control may leave it. */
struct trc_exit {
	uint64_t delta;       /* from pc of the block to pc after this exit */
	struct trc_block *to; /* the block there, valid while pc and epoch are unchanged */
	uint64_t pc, epoch;
	uint16_t insns, rows; /* executed up to this exit */
	int16_t imm;          /* of jalr */
	bool taken;           /* the last instruction is a conditional branch, and was taken */
};

/* A basic block, decoded: its operations, exits, and rows. */
struct trc_block {
	struct trc_block *next; /* next block of the page */
	uint16_t insns, rows;   /* rows rounded up to TRC_ROW_STEP */
	uint16_t ops, exits;
	uint16_t needs;
	uint64_t page;  /* number of the physical page of its instructions */
	uint16_t cross; /* with TRC_NEEDS_CROSS: the halfword that was in the next page */
	struct trc_hart_op *op;
	struct trc_exit *exit;
	/* The rows, as columns. */
	uint64_t *off; /* offset of the instruction from the beginning of the block */
	uint64_t *insn;
	uint32_t *size;
	uint8_t *type;
	uint64_t *regs;
	uint8_t *branch; /* with all conditional branches not taken */
	uint8_t *at;     /* instructions of the block before the row's */
};

enum { TRC_PAGE_PLACES = TRC_GUEST_PAGE / 2 };

/* The decoded instructions of a page. */
struct trc_decoded {
	struct trc_block *at[TRC_PAGE_PLACES];
	uint64_t used[TRC_PAGE_PLACES / 64]; /* a bit for each halfword that is decoded */
	struct trc_block *first;
	struct trc_page *page;
	struct trc_decoded *next;
	bool stale; /* to be dropped as soon as no block of it runs */
};

/* All blocks of a hart. */
struct trc_blocks {
	struct trc_decoded *first;
	size_t bytes; /* allocated since all blocks were dropped */
};

/* The bytes that a block is decoded from: a page, from an offset on. */
struct trc_block_source {
	const uint8_t *page;
	unsigned offset; /* in the page */
	unsigned most;   /* limit of instructions, at most TRC_BLOCK_INSNS */

	/* The first halfword of the next page, if the first instruction crosses into it. */
	uint16_t beyond;
	unsigned isa; /* extensions (extensions.h) */
};

/* Decodes into `b`, which comes from trc_block_new(). If `used` is not NULL, marks the halfwords
 * that were decoded. */
void trc_block_fill(struct trc_block *b, const struct trc_block_source *s, uint64_t *used);

/* Makes a block with room for the longest one. Free with free(). */
struct trc_block *trc_block_new(struct trc_err *err);

/* Makes a copy of `b`, which was filled from the same source, with no more room than necessary, and
 * sets *bytes to its size. Free with free(). */
struct trc_block *trc_block_alone(const struct trc_block_source *s, const struct trc_block *b,
                                  uint64_t *used, size_t *bytes, struct trc_err *err);

/* Makes a copy of `b`, which was filled from the same source, that belongs to the page and is found
 * at its offset. */
struct trc_block *trc_block_keep(struct trc_blocks *all, struct trc_page *page,
                                 const struct trc_block_source *s, const struct trc_block *b,
                                 struct trc_err *err);

/* Makes a page ready to hold decoded instructions. */
int trc_blocks_add(struct trc_blocks *all, struct trc_page *page, struct trc_err *err) TRC_MUST_USE;

/* Drops the decoded instructions of stale pages, or of all pages. No block of these may be
 * running. */
void trc_blocks_drop(struct trc_blocks *all, bool stale_only);

/* Returns true if some of the `len` bytes at this offset of a page are decoded. */
bool trc_decoded_has(const struct trc_decoded *d, unsigned offset, unsigned len);

#endif
