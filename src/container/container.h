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

	/* The kinds of sections in a block. */
	TRC_SECTION_REFS = 0,     /* type, addr and size, from the preceding reference frames */
	TRC_SECTION_COLUMN = 1,   /* one column */
	TRC_SECTION_JOINT = 2,    /* joint columns: times and the columns that go with them */
	TRC_SECTION_EVENTS = 3,   /* the column event, which is text */
	TRC_SECTION_REFS_PC = 5,  /* the same as 0, with pc */
	TRC_SECTION_BY_OP = 6,    /* columns that ops explain, from the preceding reference
	                           * frames */
	TRC_SECTION_REQUESTS = 7, /* addr and size of I/O requests */

	/* Flags of a part of the program. */
	TRC_PROGRAM_RESETS = 1,
	TRC_PROGRAM_COLUMNS = 2, /* has columns that ops explain */
	TRC_PROGRAM_LENGTHS = 4, /* has instruction lengths, for a trace without sizes */

	/* Flags of references. */
	TRC_REFS_ABSOLUTE = 1,
	TRC_REFS_EXCEPTIONS = 2, /* has the stream TRC_REFS_EXCEPTION */

	TRC_CONTEXTS_MOST = 64, /* tasks or spaces in a block that have references of their own */
	/* The program is reset after this many blocks, as video has keyframes. It bounds how much
	 * is lost by damage to the program and how much is read to seek. */
	TRC_RESET_BLOCKS = 16,
	TRC_BLOCK_MOST = (1 << TRC_ROW_BITS) - 1, /* the most rows in a block */
	TRC_MEMORY_MOST = 3 << 29, /* bytes that reading may use without --memlimit */
};

/* Returns the number of threads worth using for `rows` rows: few rows take less time than starting
 * threads. */
static inline int
trc_threads_for(int threads, uint64_t rows)
{
	return rows < 4096 ? 1 : threads;
}

/* The columns that the references of a block hold, without and with pcs. */
#define TRC_REFS_COLUMNS (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE)
#define TRC_GATHERED_COLUMNS (TRC_REFS_COLUMNS | TRC_HAS_PC)

/* The columns that ops may explain because they are properties of an instruction. They are stored
 * in this order because the registers show which instructions are branches. */
#define TRC_BY_OP_COLUMNS (TRC_HAS_INSN | TRC_HAS_BRANCH | TRC_HAS_REGS)
static const uint8_t trc_by_op_order[] = { TRC_COL_INSN, TRC_COL_REGS, TRC_COL_BRANCH };

/* The most bytes that the streams of a block of `rows` rows can need in total: a row is an op with
 * a branch, or a data reference with a token and a literal; the table of upper halves has a limit
 * of its own. */
#define TRC_STREAMS_MOST(rows) ((size_t)12 * (rows) + (1 << 20))

/* The options after "trc:" in --from. */
struct trc_container_from {
	bool salvage;      /* skip corrupt parts and continue after them */
	uint64_t threads;  /* 0: one per core */
	uint64_t memlimit; /* bytes; 0: TRC_MEMORY_MOST */
};

/* The options after "trc:" in --to. */
struct trc_container_to {
	uint64_t level;   /* 1 + the level; 0: the default */
	uint64_t threads; /* 0: one per core */
	bool extreme;     /* try every packing and keep the smallest */
	bool no_verify;
	uint64_t parity;     /* 1 + the percentage of parity; 0: the default */
	uint64_t block_size; /* approximate packed bytes per block; 0: see pack/block_size.h */
	size_t block_rows;   /* 0: as many as a block may have; tests use small blocks */
};

/* The functions of the format: struct trc_format of format/format.h describes them. */
struct trc_source *trc_container_source(struct trc_in *in, const void *settings,
                                        struct trc_err *err);
struct trc_sink *trc_container_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
                                    const void *settings, struct trc_err *err);

#endif
