/* SPDX-License-Identifier: MIT
 *
 * The inside of the processor: what the files of this folder share.
 *
 * How it runs. Instructions are decoded into blocks (block.h): up to TRC_BLOCK_INSNS of them that
 * are executed one behind the other, with the rows that they produce laid out beforehand. To run a
 * block is to copy its rows to the batch, with pc added to the addresses of the fetches, and then
 * to call the first handler. Each handler carries out one instruction, patches the addresses of its
 * data into the rows, and calls the next as its last act, which compilers make a jump; so the chain
 * of calls is as long as a block at the most where they do not. The last one returns the exit that
 * was taken, and the exit has how many instructions and rows came true, and the block that follows.
 *
 * What cannot go that way leaves through core->special: traps, loads from the port that fail,
 * stores into decoded instructions, changes of mode. Until then pc and count of the hart are those
 * of the block's beginning; trc_core_sync() makes them true within a handler.
 */
#ifndef TRC_MACHINE_HART_CORE_H
#define TRC_MACHINE_HART_CORE_H

#include "base/bytes.h"
#include "machine/hart/block.h"
#include "machine/hart/decode.h"
#include "machine/float/fp.h"
#include "machine/hart/hart.h"

enum {
	TRC_TLB = 256, /* entries, direct mapped */
	TRC_FETCH_TLB = 64,
	TRC_CONTEXTS = 4, /* machine, user, supervisor, supervisor with SUM */
	TRC_SINGLES = 4096,
	TRC_RECENT = 64,  /* pages that are found at once, by their number */
	TRC_TLB_NONE = 1, /* a tag that no page has */
};

#define TRC_EPOCH_NONE UINT64_MAX

enum trc_access { TRC_ACCESS_FETCH, TRC_ACCESS_LOAD, TRC_ACCESS_STORE };

/* Why a handler left through core->special. */
enum trc_why {
	TRC_WHY_TRAP,   /* core->cause, core->tval; the instruction counts, its data has no rows */
	TRC_WHY_AGAIN,  /* done, pc is core->h.pc; mode, translations or decoded bytes changed */
	TRC_WHY_ECALL,  /* under TRC_HART_USER */
	TRC_WHY_WFI,    /* under TRC_HART_LIVE */
	TRC_WHY_FAILED, /* *core->err; the instruction does not count */
};

/* A page of the translation cache. */
struct trc_tlb_entry {
	uint64_t tag;  /* address of the virtual page */
	uint8_t *byte; /* of the page in memory */
};

/* The translation cache of one context: direct-mapped, loads and stores apart. */
struct trc_tlb {
	struct trc_tlb_entry load[TRC_TLB], store[TRC_TLB];
};

/* The same for a page that instructions are fetched from. */
struct trc_fetch_entry {
	uint64_t tag;
	struct trc_page *page;
};

/* A block of one instruction, which is the same wherever its word stands in a page. */
struct trc_single {
	uint32_t word;
	struct trc_block *block; /* NULL: none yet */
};

/* A hart with its caches: what is private to the files of this folder. */
struct trc_core {
	struct trc_hart h;

	uint64_t base;       /* pc at the beginning of the running block */
	uint64_t begun;      /* count there */
	struct trc_tlb *tlb; /* of the present context */
	/* Links of another epoch are void. It changes with translations and with the mode, and is
	 * TRC_EPOCH_NONE while `stale`. */
	uint64_t epoch;
	bool stale; /* some pages have instructions decoded of bytes that were written */
	const struct trc_block *running;
	struct trc_exit special;
	enum trc_why why;
	uint64_t cause, tval;
	uint64_t loaded;  /* by trc_mmu_load() */
	struct trc_fp fp; /* of the running instruction */
	struct trc_err *err;

	uint64_t generation;      /* of translations */
	unsigned lacks;           /* TRC_NEEDS_: what blocks must not need to be run as they are */
	unsigned lost;            /* fetches that failed since the last that did not */
	struct trc_batch dropped; /* where rows go that are not used */

	struct trc_blocks blocks;
	struct trc_block *scratch; /* for one run, when a block would be too long */
	struct trc_fetch_entry fetch[4][TRC_FETCH_TLB]; /* by mode */
	struct trc_tlb context[TRC_CONTEXTS];
	struct trc_page *recent[TRC_RECENT];

	/* Under TRC_HART_SEEN: what is executed, and where the last instruction was fetched. */
	struct trc_single single[TRC_SINGLES];
	struct trc_page *fetched;
};

/* mstatus */
#define TRC_STATUS_SIE (UINT64_C(1) << 1)
#define TRC_STATUS_MIE (UINT64_C(1) << 3)
#define TRC_STATUS_SPIE (UINT64_C(1) << 5)
#define TRC_STATUS_MPIE (UINT64_C(1) << 7)
#define TRC_STATUS_SPP (UINT64_C(1) << 8)
#define TRC_STATUS_VS (UINT64_C(3) << 9) /* of vectors, which are not there */
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

/* Makes pc and count those of this instruction, for hooks and for registers that show them. */
static inline void
trc_core_sync(struct trc_core *core, const struct trc_op *op)
{
	core->h.pc = core->base + (uint64_t)(int64_t)op->off;
	core->h.count = core->begun + op->at;
}

/* Leaves the block behind this instruction, or within: `insns` 0 if it does not count, `rows` of
 * its data. */
static inline struct trc_exit *
trc_core_leave(struct trc_core *core, const struct trc_op *op, enum trc_why why, unsigned insns,
               unsigned rows)
{
	core->special.insns = (uint16_t)(op->at + insns);
	core->special.rows = (uint16_t)(op->row + rows);
	core->why = why;
	return &core->special;
}

static inline struct trc_exit *
trc_core_trap(struct trc_core *core, const struct trc_op *op, uint64_t cause, uint64_t tval)
{
	core->cause = cause;
	core->tval = tval;
	core->h.pc = core->base + (uint64_t)(int64_t)op->off;
	return trc_core_leave(core, op, TRC_WHY_TRAP, 1, 0);
}

static inline struct trc_exit *
trc_core_fail(struct trc_core *core, const struct trc_op *op)
{
	trc_core_sync(core, op);
	trc_core_leave(core, op, TRC_WHY_FAILED, 0, 0);
	core->special.rows--; /* that of its fetch */
	return &core->special;
}

/* The word of this instruction, which is in the row of its fetch. */
static inline uint64_t
trc_core_word(const struct trc_core *core, const struct trc_op *op)
{
	return core->running->insn[op->row - 1];
}

/* Notes that bytes of this page were written; true if instructions are decoded of them. */
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

/* Done with this instruction, which had `rows` of data, but nothing decoded may be relied on. */
static inline struct trc_exit *
trc_core_again(struct trc_core *core, const struct trc_op *op, unsigned rows)
{
	core->h.pc = core->base + (uint64_t)(int64_t)op->off + op->len;
	return trc_core_leave(core, op, TRC_WHY_AGAIN, 1, rows);
}

/* mmu.c. A translation gives 0 and the physical address, or 1 with cause and tval in the core, or
 * -1. Loads, whose value is in core->loaded, and stores give the same, where 2 means that a store
 * changed decoded instructions. */
int trc_mmu_translate(struct trc_core *core, uint64_t va, enum trc_access access, uint64_t *pa);
int trc_mmu_load(struct trc_core *core, const struct trc_op *op, uint64_t va, unsigned size);
int trc_mmu_store(struct trc_core *core, const struct trc_op *op, uint64_t va, unsigned size,
                  uint64_t value);

/* The address of `size` aligned bytes in RAM that may be read, and written if `store`, for atomics;
 * NULL with the outcome in *ret as above. */
uint8_t *trc_mmu_atomic(struct trc_core *core, uint64_t va, unsigned size, bool store, int *ret);

/* The page that holds instructions at this virtual address; *whole if all of it may be fetched. */
int trc_mmu_fetch(struct trc_core *core, uint64_t va, struct trc_page **page, bool *whole);

/* Forgets translations, after satp, PMP, or on request. */
void trc_mmu_forget(struct trc_core *core);
/* Forgets those of data and of stores, after MXR changed or a page got decoded instructions. */
void trc_mmu_forget_data(struct trc_core *core);
void trc_mmu_forget_stores(struct trc_core *core);

/* Chooses translations and links after the mode or mstatus changed. */
void trc_core_context(struct trc_core *core);

/* pmp.c: whether physical memory protection allows the access in this mode. */
bool trc_pmp_allows(const struct trc_csrs *csr, uint64_t pa, uint64_t len, enum trc_access access,
                    enum trc_mode mode);

/* trap.c */
void trc_trap_take(struct trc_core *core, uint64_t cause, uint64_t tval);

/* csr.c: 0, 1 if there is none or it may not be accessed so, -1 if the port failed, which is only
 * called with `input`. */
int trc_csr_read(struct trc_core *core, unsigned csr, bool writes, bool input, uint64_t *value);
int trc_csr_write(struct trc_core *core, unsigned csr, uint64_t value);

/* The value that is stored, in any mode; and storing it, false if there is no such register. */
uint64_t trc_csr_get(const struct trc_hart *h, unsigned csr);
bool trc_csr_set(struct trc_hart *h, unsigned csr, uint64_t value);

/* Marks the floating-point state as dirty, in mstatus. */
void trc_core_dirty_f(struct trc_core *core);

/* Recomputes what of a program's state the core keeps in other forms. */
void trc_core_refresh(struct trc_core *core);

/* exec.c: the handler of each instruction, and the one that ends a block. */
extern trc_exec *const trc_handler[TRC_OPS];
struct trc_exit *trc_exec_leave(struct trc_core *core, const struct trc_op *op, uint64_t *addr);

#define OP(name, registers, loads, stores, size, flags)                                  \
	struct trc_exit *trc_exec_##name(struct trc_core *core, const struct trc_op *op, \
	                                 uint64_t *addr);
#include "machine/hart/ops.def"
#undef OP

/* How a handler is written. */
#define TRC_EXEC(name)                                                                   \
	struct trc_exit *trc_exec_##name(struct trc_core *core, const struct trc_op *op, \
	                                 uint64_t *addr)
#define TRC_NEXT return op[1].run(core, op + 1, addr)

#endif
