/* SPDX-License-Identifier: MIT
 *
 * Decoded instructions. A block is what can be executed from one place without looking up the next:
 * it goes on behind branches that are not taken and behind jumps within the page, and ends where
 * neither is known. Blocks belong to the physical page that holds their bytes, and go when one of
 * these bytes is written, with all other blocks of the page.
 */
#ifndef TRC_MACHINE_HART_BLOCK_H
#define TRC_MACHINE_HART_BLOCK_H

#include "machine/hart/memory.h"

enum {
	TRC_BLOCK_INSNS = 64,
	TRC_BLOCK_ROWS = 3 * TRC_BLOCK_INSNS, /* fetch, load and store of each */
	TRC_ROW_STEP = 8,                     /* rows are copied so many at a time */
};

/* What a block cannot do without. */
enum {
	TRC_NEEDS_FP = 1,    /* floating point on, and known to be dirty */
	TRC_NEEDS_CROSS = 2, /* bytes of the next virtual page, which must be what they were */
};

struct trc_core;
struct trc_op;
struct trc_exit;

typedef struct trc_exit *trc_exec(struct trc_core *core, const struct trc_op *op, uint64_t *addr);

/* One instruction of a block; `addr` of its handler is the column of the block's rows. */
struct trc_op {
	trc_exec *run;
	union {
		int64_t imm;
		struct trc_exit *exit; /* of jumps and branches */
	};
	uint8_t rd, rs1, rs2;
	union {
		uint8_t rs3;
		uint8_t len; /* of all that have no third operand */
	};
	uint8_t row; /* of the block: the first of its data */
	uint8_t at;  /* instructions before it */
	int16_t off; /* from the beginning of the block, in bytes */
};

/* A way out of a block. */
struct trc_exit {
	uint64_t delta;       /* from pc of the block to pc behind this exit */
	struct trc_block *to; /* the block there, if it was looked up and nothing changed since: */
	uint64_t pc, epoch;
	uint16_t insns, rows; /* that came true */
	int16_t imm;          /* of jalr */
	bool taken;           /* the last instruction is a conditional branch, and was */
};

/* A basic block, decoded: its operations, exits, and rows. */
struct trc_block {
	struct trc_block *next; /* of the page */
	uint16_t insns, rows;   /* rows rounded up to TRC_ROW_STEP */
	uint16_t ops, exits;
	uint16_t needs;
	uint16_t cross; /* TRC_NEEDS_CROSS: the halfword that was in the next page */
	struct trc_op *op;
	struct trc_exit *exit;
	/* The rows, as columns. */
	uint64_t *off; /* of the instruction, from the beginning of the block */
	uint64_t *insn;
	uint32_t *size;
	uint8_t *type;
	uint64_t *regs;
	uint8_t *branch; /* as if no conditional one was taken */
	uint8_t *at;     /* instructions before */
};

enum { TRC_PAGE_PLACES = TRC_GUEST_PAGE / 2 };

/* What is decoded of a page. */
struct trc_decoded {
	struct trc_block *at[TRC_PAGE_PLACES];
	uint64_t used[TRC_PAGE_PLACES / 64]; /* a bit for each halfword that is decoded */
	struct trc_block *first;
	struct trc_page *page;
	struct trc_decoded *next;
	bool stale; /* to be dropped, when no block of it runs */
};

/* All blocks of a hart. */
struct trc_blocks {
	struct trc_decoded *first;
	size_t bytes; /* made since all were dropped */
};

/* What a block is made from: the bytes of a page, from an offset on. */
struct trc_block_source {
	const uint8_t *page;
	unsigned offset; /* in the page */
	unsigned most;   /* instructions, at most TRC_BLOCK_INSNS */
	uint16_t beyond; /* the halfword behind the page, if the first instruction needs it */
	unsigned isa;    /* extensions (extensions.h) */
};

/* Decodes into `b`, which trc_block_new() made; `used` gets the halfwords, or is NULL. */
void trc_block_fill(struct trc_block *b, const struct trc_block_source *s, uint64_t *used);

/* A block with the most room there can be. Free with free(). */
struct trc_block *trc_block_new(struct trc_err *err);

/* A block of its own like `b`, which was made from the same source, with no more room than it
 * needs: `bytes` of memory. Free with free(). */
struct trc_block *trc_block_alone(const struct trc_block_source *s, const struct trc_block *b,
                                  uint64_t *used, size_t *bytes, struct trc_err *err);

/* Makes a block that belongs to the page and is found at its offset. `b` is one of the same source,
 * which gives how much room it needs. */
struct trc_block *trc_block_keep(struct trc_blocks *all, struct trc_page *page,
                                 const struct trc_block_source *s, const struct trc_block *b,
                                 struct trc_err *err);

/* Makes a page ready to hold decoded instructions. */
int trc_blocks_add(struct trc_blocks *all, struct trc_page *page, struct trc_err *err) TRC_MUST_USE;

/* Drops what is decoded of the pages that are stale, or of all. */
void trc_blocks_drop(struct trc_blocks *all, bool stale_only);

/* Whether some of `len` bytes at this offset of a page are decoded. */
bool trc_decoded_has(const struct trc_decoded *d, unsigned offset, unsigned len);

#endif
