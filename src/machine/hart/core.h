/* SPDX-License-Identifier: MIT
 *
 * The inside of the processor, shared by the files of this folder.
 *
 * How it runs. Instructions are decoded into blocks (block.h) of up to TRC_BLOCK_INSNS instructions
 * that run one after another, with the rows that they produce laid out in advance. To run a block,
 * its rows are copied to the batch, with pc added to the addresses of the fetches, and the first
 * handler is called. Each handler executes one instruction, writes the addresses of its data into
 * the rows, and calls the next handler as its last act. Compilers turn that call into a jump; where
 * they do not, the chain of calls is at most as long as a block. The last handler returns the exit
 * that was taken. The exit holds the number of instructions and rows that were executed, and the
 * block that follows.
 *
 * What cannot go that way leaves through core->special: traps, loads from the port that fail,
 * stores into decoded instructions, changes of mode. While a block runs, pc and count of the hart
 * are those of the block's beginning; within a handler trc_core_sync() sets them to the current
 * instruction.
 */
#ifndef TRC_MACHINE_HART_CORE_H
#define TRC_MACHINE_HART_CORE_H

#include "base/bytes.h"
#include "machine/hart/block.h"
#include "machine/hart/decode.h"
#include "machine/float/fp.h"
#include "machine/hart/hart.h"

enum {
	TRC_TLB = 256, /* entries, direct-mapped */
	TRC_FETCH_TLB = 64,
	TRC_HART_CONTEXTS = 4, /* machine, user, supervisor, supervisor with SUM */
	TRC_SINGLES = 4096,
	TRC_RECENT = 64,  /* pages found by number without the map */
	TRC_TLB_NONE = 1, /* a tag that no page has */
};

#define TRC_EPOCH_NONE UINT64_MAX

enum trc_access { TRC_ACCESS_FETCH, TRC_ACCESS_LOAD, TRC_ACCESS_STORE };

/* The reason why a handler left through core->special. */
enum trc_why {
	TRC_WHY_TRAP,   /* core->cause, core->tval; the instruction counts, its data has no rows */
	TRC_WHY_AGAIN,  /* done, pc is core->h.pc; mode, translations or decoded bytes changed */
	TRC_WHY_ECALL,  /* with TRC_HART_USER */
	TRC_WHY_WFI,    /* with TRC_HART_LIVE */
	TRC_WHY_FAILED, /* *core->err is set; the instruction does not count */
};

/* An entry of the translation cache. */
struct trc_tlb_entry {
	uint64_t tag;  /* address of the virtual page */
	uint8_t *byte; /* the bytes of the page in memory */
};

/* The translation cache of one context: direct-mapped, separate for loads and stores. */
struct trc_tlb {
	struct trc_tlb_entry load[TRC_TLB], store[TRC_TLB];
};

/* An entry of the translation cache of instruction fetches. */
struct trc_fetch_entry {
	uint64_t tag;
	struct trc_page *page;
};

/* A block of one instruction. It does not depend on the place of the instruction in its page. */
struct trc_single {
	uint32_t word;
	struct trc_block *block; /* NULL: none yet */
};

/* With TRC_HART_SHOWN: pages by context and virtual page, and where the present run began. */
struct trc_shown {
	struct trc_map map;
	struct trc_shown_page {
		uint64_t number, generation;
	} * page;
	size_t pages, pages_cap;
	unsigned context;
	uint64_t generation;
	bool doubtful;
};

/* A hart with its caches, which are private to the files of this folder. */
struct trc_core {
	struct trc_hart h;

	uint64_t base;       /* pc at the beginning of the running block */
	uint64_t begun;      /* count at the beginning of the running block */
	struct trc_tlb *tlb; /* of the current context */

	/* Links between blocks are valid only in the epoch in which they were made. It changes with
	 * translations and with the mode, and is TRC_EPOCH_NONE while `stale`. */
	uint64_t epoch;
	bool stale; /* instructions of some pages were decoded from bytes that were written since */
	const struct trc_block *running;
	struct trc_exit special;
	enum trc_why why;
	uint64_t cause, tval;
	uint64_t loaded;  /* by trc_mmu_load() */
	struct trc_fp fp; /* of the running instruction */
	struct trc_err *err;

	uint64_t generation;      /* of translations; raised when they change */
	unsigned lacks;           /* TRC_NEEDS_: requirements of blocks that are not met now */
	unsigned lost;            /* consecutive fetches that failed */
	struct trc_batch dropped; /* receives rows that are not wanted */

	struct trc_blocks blocks;
	struct trc_block *scratch;                      /* holds a shortened block for one run */
	struct trc_fetch_entry fetch[4][TRC_FETCH_TLB]; /* by mode */
	struct trc_tlb context[TRC_HART_CONTEXTS];
	struct trc_page *recent[TRC_RECENT];

	/* With TRC_HART_SEEN: the blocks to execute, and the page of the last fetch. */
	struct trc_single single[TRC_SINGLES];
	struct trc_page *fetched;

	struct trc_shown shown;
};

/* mstatus */
#define TRC_STATUS_SIE (UINT64_C(1) << 1)
#define TRC_STATUS_MIE (UINT64_C(1) << 3)
#define TRC_STATUS_SPIE (UINT64_C(1) << 5)
#define TRC_STATUS_MPIE (UINT64_C(1) << 7)
#define TRC_STATUS_SPP (UINT64_C(1) << 8)
#define TRC_STATUS_VS (UINT64_C(3) << 9) /* state of the vector extension, which this hart lacks */
#define TRC_STATUS_MPP (UINT64_C(3) << 11)
#define TRC_STATUS_FS (UINT64_C(3) << 13)
#define TRC_STATUS_MPRV (UINT64_C(1) << 17)
#define TRC_STATUS_SUM (UINT64_C(1) << 18)
#define TRC_STATUS_MXR (UINT64_C(1) << 19)
#define TRC_STATUS_TVM (UINT64_C(1) << 20)
#define TRC_STATUS_TW (UINT64_C(1) << 21)
#define TRC_STATUS_TSR (UINT64_C(1) << 22)
#define TRC_STATUS_SD (UINT64_C(1) << 63)

static inline struct trc_core *
trc_core_of(struct trc_hart *h)
{
	return (struct trc_core *)h;
}

/* Sets pc and count to those of this instruction, for hooks and for registers that show them. */
static inline void
trc_core_sync(struct trc_core *core, const struct trc_hart_op *op)
{
	core->h.pc = core->base + (uint64_t)(int64_t)op->off;
	core->h.count = core->begun + op->at;
}

/* Leaves the block at this instruction: after it if `insns` is 1, before it if 0, with `rows` rows
 * of its data. */
static inline struct trc_exit *
trc_core_leave(struct trc_core *core, const struct trc_hart_op *op, enum trc_why why,
               unsigned insns, unsigned rows)
{
	core->special.insns = (uint16_t)(op->at + insns);
	core->special.rows = (uint16_t)(op->row + rows);
	core->why = why;
	return &core->special;
}

static inline struct trc_exit *
trc_core_trap(struct trc_core *core, const struct trc_hart_op *op, uint64_t cause, uint64_t tval)
{
	core->cause = cause;
	core->tval = tval;
	core->h.pc = core->base + (uint64_t)(int64_t)op->off;
	return trc_core_leave(core, op, TRC_WHY_TRAP, 1, 0);
}

static inline struct trc_exit *
trc_core_fail(struct trc_core *core, const struct trc_hart_op *op)
{
	trc_core_sync(core, op);
	trc_core_leave(core, op, TRC_WHY_FAILED, 0, 0);
	core->special.rows--; /* remove the row of its fetch */
	return &core->special;
}

/* Returns the word of this instruction, which is in the row of its fetch. */
static inline uint64_t
trc_core_word(const struct trc_core *core, const struct trc_hart_op *op)
{
	return core->running->insn[op->row - 1];
}

/* Notes that bytes of this page were written. Returns true if instructions were decoded from
 * them. */
static inline bool
trc_core_wrote(struct trc_core *core, struct trc_page *page, unsigned offset, unsigned len)
{
	page->dirty = true;
	if (!page->code || !trc_decoded_has(page->code, offset, len))
		return false;
	page->code->stale = true;
	core->stale = true;
	core->epoch = TRC_EPOCH_NONE;
	return true;
}

/* Ends this instruction, which had `rows` rows of data, and leaves the block, since decoded
 * instructions or translations may have changed. */
static inline struct trc_exit *
trc_core_again(struct trc_core *core, const struct trc_hart_op *op, unsigned rows)
{
	core->h.pc = core->base + (uint64_t)(int64_t)op->off + op->len;
	return trc_core_leave(core, op, TRC_WHY_AGAIN, 1, rows);
}

/* mmu.c. A translation returns 0 and the physical address, 1 for a trap with cause and tval in the
 * core, or -1 for a failure. Loads, whose value is in core->loaded, and stores return the same, and
 * 2 if a store changed decoded instructions. */
int trc_mmu_translate(struct trc_core *core, uint64_t va, enum trc_access access, uint64_t *pa);
int trc_mmu_load(struct trc_core *core, const struct trc_hart_op *op, uint64_t va, unsigned size);
int trc_mmu_store(struct trc_core *core, const struct trc_hart_op *op, uint64_t va, unsigned size,
                  uint64_t value);

/* Returns `size` aligned bytes of RAM that may be read, and written if `store`, for atomics; NULL
 * with the outcome in *ret as above. */
uint8_t *trc_mmu_atomic(struct trc_core *core, uint64_t va, unsigned size, bool store, int *ret);

/* Finds the page that holds the instructions at this virtual address; *whole is set if all of
 * it may be fetched. */
int trc_mmu_fetch(struct trc_core *core, uint64_t va, struct trc_page **page, bool *whole);

/* Drops all cached translations, after satp or PMP changed, or on request. */
void trc_mmu_forget(struct trc_core *core);
/* Drops those of data, after MXR changed, or those of stores, after instructions of a page were
 * decoded. */
void trc_mmu_forget_data(struct trc_core *core);
void trc_mmu_forget_stores(struct trc_core *core);

/* Chooses the translation cache and the epoch after the mode or mstatus changed. */
void trc_core_context(struct trc_core *core);

/* shown.c, with TRC_HART_SHOWN. Reports the instructions of the running block up to an exit. */
void trc_shown_exit(struct trc_core *core, const struct trc_exit *exit);

/* Notes the translation with which a run begins; returns true if that has changed since. */
void trc_shown_begin(struct trc_core *core);
bool trc_shown_moved(const struct trc_core *core);

/* Notes where an access to RAM was translated to. */
void trc_shown_map(struct trc_core *core, uint64_t va, uint64_t pa);

/* hart.c: the page that instructions were fetched from; NULL if they cannot be any more. */
struct trc_page *trc_core_fetched(struct trc_core *core, uint64_t pc);

/* trap.c. Takes a trap: the hart continues in its handler. */
void trc_trap_take(struct trc_core *core, uint64_t cause, uint64_t tval);

/* csr.c. Both return 0, or 1 if there is no such register or this access is not allowed, or -1 if
 * the port failed; the port is only called with `input`. */
int trc_csr_read(struct trc_core *core, unsigned csr, bool writes, bool input, uint64_t *value);
int trc_csr_write(struct trc_core *core, unsigned csr, uint64_t value);

/* Read and set the stored value in any mode; setting returns false if there is no such register. */
uint64_t trc_csr_get(const struct trc_hart *h, unsigned csr);
bool trc_csr_set(struct trc_hart *h, unsigned csr, uint64_t value);

/* Marks the floating-point state as dirty in mstatus. */
void trc_core_dirty_f(struct trc_core *core);

/* Recomputes what the core derives from a program's state. */
void trc_core_refresh(struct trc_core *core);

/* exec.c. The handler of each instruction, and the handler that ends a block. */
extern trc_exec *const trc_handler[TRC_OPS];
struct trc_exit *trc_exec_leave(struct trc_core *core, const struct trc_hart_op *op,
                                uint64_t *addr);

#define OP(name, registers, loads, stores, size, flags)                                       \
	struct trc_exit *trc_exec_##name(struct trc_core *core, const struct trc_hart_op *op, \
	                                 uint64_t *addr);
#include "machine/hart/ops.def"
#undef OP

/* The head of a handler, and its last statement. */
#define TRC_EXEC(name)                                                                        \
	struct trc_exit *trc_exec_##name(struct trc_core *core, const struct trc_hart_op *op, \
	                                 uint64_t *addr)
#define TRC_NEXT return op[1].run(core, op + 1, addr)

#endif
