/* SPDX-License-Identifier: MIT
 *
 * The native container, shared by its writer and reader. SPEC.md, beside this file, specifies it.
 */
#ifndef TRC_CONTAINER_CONTAINER_H
#define TRC_CONTAINER_CONTAINER_H

#include "batch/flow.h"
#include "codec/program/refs.h"
#include "container/frame/kinds.h"

enum {
	TRC_VERSION_NUMBER = 1,

	/* Ways to pack columns, in the sections of a block. */
	TRC_SECTION_REFS = 0,     /* type, addr and size, from the reference frames before */
	TRC_SECTION_COLUMN = 1,   /* one column */
	TRC_SECTION_JOINT = 2,    /* joint columns: times and what they belong to */
	TRC_SECTION_EVENTS = 3,   /* the column that is text */
	TRC_SECTION_REFS_PC = 5,  /* as 0, and pc */
	TRC_SECTION_BY_OP = 6,    /* columns that ops explain, from the reference frames before */
	TRC_SECTION_REQUESTS = 7, /* addr and size of requests */

	/* Flags of a part of the program. */
	TRC_PROGRAM_RESETS = 1,
	TRC_PROGRAM_COLUMNS = 2, /* it has columns that ops explain, */
	TRC_PROGRAM_LENGTHS = 4, /* and lengths of instructions without a size */

	/* And of references. */
	TRC_REFS_ABSOLUTE = 1,
	TRC_REFS_EXCEPTIONS = 2, /* there is the stream of that name */

	TRC_CONTEXTS_MOST = 64, /* tasks or spaces of a block with references of their own */
	/* Blocks after which the program is reset, the distance of keyframes: what damage to it
	 * can cost, and what seeking has to read. */
	TRC_RESET_BLOCKS = 16,
	TRC_BLOCK_MOST = (1 << TRC_ROW_BITS) - 1, /* rows of a block */
	TRC_MEMORY_MOST = 3 << 29, /* bytes that reading may take without --memlimit */
};

/* How many of `threads` are of use for so many rows: a few take no longer than starting threads. */
static inline int
trc_threads_for(int threads, uint64_t rows)
{
	return rows < 4096 ? 1 : threads;
}

/* The columns that the references of a block hold, and with pcs. */
#define TRC_REFS_COLUMNS (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE)
#define TRC_GATHERED_COLUMNS (TRC_REFS_COLUMNS | TRC_HAS_PC)

/* Those that ops may explain: what is a property of the instruction. In this order, as registers
 * show what is a branch. */
#define TRC_BY_OP_COLUMNS (TRC_HAS_INSN | TRC_HAS_BRANCH | TRC_HAS_REGS)
static const uint8_t trc_by_op_order[] = { TRC_COL_INSN, TRC_COL_REGS, TRC_COL_BRANCH };

/* How many bytes the streams of a block of `rows` rows can need, all together: a row is an op with
 * a branch, or a data reference with a token and a literal; the table of upper halves has its
 * limit. */
#define TRC_STREAMS_MOST(rows) ((size_t)12 * (rows) + (1 << 20))

/* What may follow "trc:" in --from and --to. */
struct trc_container_from {
	bool salvage;      /* leave out what is corrupt, and go on behind it */
	uint64_t threads;  /* 0: as many as there are cores */
	uint64_t memlimit; /* bytes; 0: TRC_MEMORY_MOST */
};

/* The settings of writing. */
struct trc_container_to {
	uint64_t level;   /* 1 + the level; 0: not given */
	uint64_t threads; /* 0: as many as there are cores */
	bool extreme;     /* try every packing */
	bool no_verify;
	uint64_t parity;     /* 1 + the percentage of parity; 0: not given */
	uint64_t block_size; /* packed bytes of a block, about; 0: pack/block_size.h */
	size_t block_rows;   /* 0: as many as the limits of a block allow; tests make small ones */
};

struct trc_source *trc_container_source(struct trc_in *in, const void *settings,
                                        struct trc_err *err);
struct trc_sink *trc_container_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
                                    const void *settings, struct trc_err *err);

#endif
