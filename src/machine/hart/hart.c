/* SPDX-License-Identifier: MIT
 *
 * The public functions of the hart, and the loop that runs it block by block. core.h describes how
 * it works.
 */
#include "machine/hart/hart.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "machine/hart/core.h"

enum {
	DECODED_MOST = 256 << 20, /* bytes of blocks; when there are more, all are dropped */
	LOST_MOST = 4,            /* consecutive traps whose handler cannot be fetched */
	GO_ON = TRC_RUN_WFI + 1,  /* internal: nothing to return to the caller */
};

/* The columns of the batch that is being filled. */
struct rows {
	uint8_t *type;
	uint64_t *addr;
	uint32_t *size;
	uint64_t *insn, *pc, *itime, *regs;
	uint8_t *branch;
};

static struct rows
rows_of(const struct trc_batch *b)
{
	return (struct rows){ b->type, b->addr,  b->size, b->insn,
		              b->pc,   b->itime, b->regs, b->branch };
}

static void
reset(struct trc_core *core)
{
	struct trc_hart *h = &core->h;
	struct trc_csrs *csr = &h->csr;

	h->mode = h->flags & TRC_HART_USER ? TRC_MODE_USER : TRC_MODE_MACHINE;
	h->pc = 0x1000;
	csr->misa = UINT64_C(0x800000000014112d); /* RV64, IMAFDC, S and U */
	csr->mstatus = UINT64_C(0xa00000000);     /* 64 bits in S and U */
	csr->marchid = csr->mimpid = 0x70216;     /* those of QEMU 7.2.22 */
	if (h->flags & TRC_HART_USER)
		csr->mstatus |= TRC_STATUS_FS | TRC_STATUS_SD;
	trc_mmu_forget(core);
	trc_core_refresh(core);
}

struct trc_hart *
trc_hart_open(struct trc_memory *mem, struct trc_port *port, unsigned flags, struct trc_err *err)
{
	struct trc_core *core = trc_alloc(1, sizeof(*core), err);

	if (!core)
		return NULL;
	core->h.mem = mem;
	core->h.port = port;
	core->h.flags = flags;
	core->scratch = trc_block_new(err);
	if (!core->scratch || trc_map_init(&core->shown.map, err) ||
	    trc_batch_init(&core->dropped, TRC_HART_HAS, TRC_HART_ROOM, err)) {
		trc_hart_close(&core->h);
		return NULL;
	}
	reset(core);
	return &core->h;
}

void
trc_hart_close(struct trc_hart *h)
{
	struct trc_core *core = trc_core_of(h);

	if (!h)
		return;
	trc_blocks_drop(&core->blocks, false);
	trc_batch_release(&core->dropped);
	for (int i = 0; i < TRC_SINGLES; i++)
		free(core->single[i].block);
	free(core->scratch);
	trc_map_release(&core->shown.map);
	free(core->shown.page);
	free(core);
}

void
trc_hart_flush(struct trc_hart *h)
{
	struct trc_core *core = trc_core_of(h);

	trc_blocks_drop(&core->blocks, false);
	core->stale = false;
	trc_hart_forget(h);
}

void
trc_hart_forget(struct trc_hart *h)
{
	trc_mmu_forget(trc_core_of(h));
	trc_core_refresh(trc_core_of(h));
}

int
trc_hart_write(struct trc_hart *h, uint64_t addr, const void *src, size_t len, struct trc_err *err)
{
	const uint8_t *at = src;

	while (len) {
		const unsigned offset = addr % TRC_GUEST_PAGE, left = TRC_GUEST_PAGE - offset;
		const unsigned n = len < left ? (unsigned)len : left;
		struct trc_page *page = trc_memory_page(h->mem, addr >> TRC_GUEST_PAGE_BITS, err);

		if (!page)
			return -1;
		memcpy(page->byte + offset, at, n);
		trc_core_wrote(trc_core_of(h), page, offset, n);
		at += n, addr += n, len -= n;
	}
	return 0;
}

/* Drops decoded instructions whose bytes were written since. */
static void
drop_stale(struct trc_core *core)
{
	trc_blocks_drop(&core->blocks, true);
	core->stale = false;
	core->generation++;
	trc_core_context(core);
}

/* Finds the page of the instructions at pc; returns as trc_mmu_fetch() does. */
static int
fetch_page(struct trc_core *core, uint64_t pc, struct trc_page **page, bool *whole)
{
	struct trc_fetch_entry *e =
	        &core->fetch[core->h.mode][pc >> TRC_GUEST_PAGE_BITS & (TRC_FETCH_TLB - 1)];
	const uint64_t tag = pc & ~(uint64_t)(TRC_GUEST_PAGE - 1);
	int ret;

	*whole = true;
	if (e->tag == tag) {
		*page = e->page;
		return 0;
	}
	ret = trc_mmu_fetch(core, pc, page, whole);
	if (ret == 0 && *whole && !(core->h.flags & TRC_HART_SEEN))
		*e = (struct trc_fetch_entry){ tag, *page };
	return ret;
}

struct trc_page *
trc_core_fetched(struct trc_core *core, uint64_t pc)
{
	struct trc_page *page;
	bool whole;

	return fetch_page(core, pc, &page, &whole) ? NULL : page;
}

/* Loads the first halfword of the next page, if the instruction at pc crosses into it. */
static int
fetch_beyond(struct trc_core *core, uint64_t pc, const struct trc_page *page, uint16_t *beyond)
{
	struct trc_page *next;
	bool whole;
	int ret;

	*beyond = 0;
	if (pc % TRC_GUEST_PAGE + 2 < TRC_GUEST_PAGE ||
	    trc_insn_len(trc_le16(page->byte + TRC_GUEST_PAGE - 2)) == 2)
		return 0;
	ret = fetch_page(core, pc + 2, &next, &whole);
	if (ret == 0)
		*beyond = trc_le16(next->byte);
	return ret;
}

static unsigned
isa_of(const struct trc_core *core)
{
	return core->h.flags >> TRC_HART_EXTENSIONS;
}

/* Fills the scratch block with at most `most` instructions from pc, which is in this page. */
static int
fill_from(struct trc_core *core, uint64_t pc, unsigned most, const struct trc_page *page,
          struct trc_block **block)
{
	struct trc_block_source s = { page->byte, pc % TRC_GUEST_PAGE, most, 0, isa_of(core) };
	const int ret = fetch_beyond(core, pc, page, &s.beyond);

	if (ret)
		return ret;
	trc_block_fill(core->scratch, &s, NULL);
	core->scratch->page = page->number;
	*block = core->scratch;
	return 0;
}

static int
fill_scratch(struct trc_core *core, uint64_t pc, unsigned most, struct trc_block **block)
{
	struct trc_page *page;
	bool whole;
	const int ret = fetch_page(core, pc, &page, &whole);

	return ret ? ret : fill_from(core, pc, most, page, block);
}

/* Returns the block of the single instruction at pc, found by its word if it lies in one page. */
static int
find_single(struct trc_core *core, uint64_t pc, struct trc_block **block)
{
	struct trc_block_source s = { .offset = pc % TRC_GUEST_PAGE,
		                      .most = 1,
		                      .isa = isa_of(core) };
	struct trc_single *single;
	struct trc_block *alone;
	uint32_t word;
	size_t bytes;
	bool whole;
	const int ret = fetch_page(core, pc, &core->fetched, &whole);

	if (ret)
		return ret;
	s.page = core->fetched->byte;
	word = trc_le16(s.page + s.offset);
	if (trc_insn_len((uint16_t)word) == 4) {
		if (s.offset + 2 == TRC_GUEST_PAGE)
			return fill_from(core, pc, 1, core->fetched, block);
		word |= (uint32_t)trc_le16(s.page + s.offset + 2) << 16;
	}
	single = &core->single[word * UINT32_C(0x9e3779b1) / (UINT32_MAX / TRC_SINGLES + 1)];
	if (!single->block || single->word != word) {
		trc_block_fill(core->scratch, &s, NULL);
		alone = trc_block_alone(&s, core->scratch, NULL, &bytes, core->err);
		if (!alone)
			return -1;
		free(single->block);
		*single = (struct trc_single){ word, alone };
	}
	*block = single->block;
	return 0;
}

/* Returns the block at pc of this page, making it if necessary. */
static int
block_of(struct trc_core *core, uint64_t pc, struct trc_page *page, struct trc_block **block)
{
	struct trc_block_source s = { page->byte, pc % TRC_GUEST_PAGE, TRC_BLOCK_INSNS, 0,
		                      isa_of(core) };
	int ret;

	if (!page->code) {
		if (trc_blocks_add(&core->blocks, page, core->err))
			return -1;
		trc_mmu_forget_stores(core);
	}
	*block = page->code->at[s.offset / 2];
	if (*block)
		return 0;
	ret = fetch_beyond(core, pc, page, &s.beyond);
	if (ret)
		return ret;
	trc_block_fill(core->scratch, &s, NULL);
	*block = trc_block_keep(&core->blocks, page, &s, core->scratch, core->err);
	if (!*block)
		return -1;
	(*block)->page = page->number;
	return 0;
}

/* Finds the block at pc: returns 0, 1 if the fetch trapped, or -1. */
static int
find_block(struct trc_core *core, uint64_t pc, struct trc_block **block)
{
	struct trc_page *page;
	bool whole;
	int ret;

	if (core->stale)
		drop_stale(core);
	if (core->h.flags & TRC_HART_SEEN)
		return find_single(core, pc, block);
	ret = fetch_page(core, pc, &page, &whole);
	if (ret)
		return ret;
	return whole ? block_of(core, pc, page, block) : fill_scratch(core, pc, 1, block);
}

/* Executes the first floating-point instruction after mstatus.FS was clean: marks the state as
 * dirty. */
static struct trc_exit *
first_float(struct trc_core *core, const struct trc_hart_op *op, uint64_t *addr)
{
	const uint8_t what = trc_decode((uint32_t)trc_core_word(core, op)).op;
	struct trc_exit *exit = trc_handler[what](core, op, addr);

	if (exit != &core->special && trc_op_info[what].flags & TRC_OP_WRITES_F)
		trc_core_dirty_f(core);
	return exit;
}

/* Replaces a block that cannot be run by a shorter one that can: because it requires something that
 * is off, or has more than `left` instructions. */
static int
careful(struct trc_core *core, uint64_t left, struct trc_block **block)
{
	const unsigned needs = (*block)->needs & core->lacks;
	const uint64_t pc = core->h.pc;
	unsigned most = left < TRC_BLOCK_INSNS ? (unsigned)left : TRC_BLOCK_INSNS;
	struct trc_page *page;
	uint16_t beyond;
	bool whole;
	int ret;

	if (needs == TRC_NEEDS_CROSS && (*block)->insns <= left) {
		ret = fetch_page(core, pc, &page, &whole);
		if (ret == 0)
			ret = fetch_beyond(core, pc, page, &beyond);
		if (ret || beyond == (*block)->cross)
			return ret;
	}
	if (needs & TRC_NEEDS_FP)
		most = 1;
	ret = fill_scratch(core, pc, most, block);
	if (ret == 0 && (*block)->needs & core->lacks & TRC_NEEDS_FP)
		(*block)->op[0].run = core->h.csr.mstatus & TRC_STATUS_FS ? first_float :
		                                                            trc_exec_illegal;
	return ret;
}

/* Sets dst[j] = src[j] + pc for a group of rows; the two do not overlap. */
static inline void
add_pc(uint64_t *restrict dst, const uint64_t *restrict src, uint64_t pc)
{
	for (unsigned j = 0; j < TRC_ROW_STEP; j++)
		dst[j] = src[j] + pc;
}

/* Copies the rows of a block to the batch. `kernel` is ORed into eight types at once. */
static inline void
emit(const struct rows *r, size_t n, const struct trc_block *block, uint64_t pc, uint64_t begun,
     uint64_t kernel)
{
	/* In local variables, because the compiler must assume that storing rows may change the
	 * block. */
	const uint64_t *const off = block->off;
	const uint32_t *const size = block->size;
	const uint8_t *const type = block->type;
	const unsigned rows = block->rows;
	uint64_t types;

	static_assert(TRC_ROW_STEP == sizeof(types), "the types of a step are one word");
	for (unsigned i = 0; i < rows; i += TRC_ROW_STEP) {
		add_pc(r->addr + n + i, off + i, pc);
		memcpy(r->size + n + i, size + i, TRC_ROW_STEP * sizeof(*size));
		memcpy(&types, type + i, sizeof(types));
		types |= kernel;
		memcpy(r->type + n + i, &types, sizeof(types));
	}
	for (unsigned i = 0; i < rows && r->pc; i += TRC_ROW_STEP)
		add_pc(r->pc + n + i, off + i, pc);
	if (r->insn)
		memcpy(r->insn + n, block->insn, rows * sizeof(*r->insn));
	if (r->regs)
		memcpy(r->regs + n, block->regs, rows * sizeof(*r->regs));
	if (r->branch)
		memcpy(r->branch + n, block->branch, rows);
	for (unsigned i = 0; i < rows && r->itime; i++)
		r->itime[n + i] = begun + block->at[i] + 1;
}

/* Returns what the caller of the hart gets for a block that was left by core->special; GO_ON to
 * continue at h->pc. */
TRC_NO_INLINE static int
special(struct trc_core *core)
{
	struct trc_hart *h = &core->h;

	switch (core->why) {
	case TRC_WHY_FAILED: return TRC_RUN_FAILED;
	case TRC_WHY_ECALL: return TRC_RUN_ECALL;
	case TRC_WHY_WFI: return TRC_RUN_WFI;
	case TRC_WHY_AGAIN: break;
	case TRC_WHY_TRAP:
		if (h->flags & TRC_HART_USER) {
			h->cause = core->cause;
			h->tval = core->tval;
			return TRC_RUN_TRAP;
		}
		trc_trap_take(core, core->cause, core->tval);
		break;
	}
	if (h->flags & TRC_HART_LIVE && trc_hart_pending(h) >= 0)
		return TRC_RUN_INTERRUPT;
	return GO_ON;
}

/* Handles a fetch that failed with `ret`, which find_block() returned. */
static int
no_block(struct trc_core *core, int ret)
{
	const struct trc_hart *h = &core->h;

	core->why = ret < 0 ? TRC_WHY_FAILED : TRC_WHY_TRAP;
	if (ret > 0 && !(h->flags & TRC_HART_USER) && ++core->lost > LOST_MOST)
		return trc_fail(core->err,
		                "after %" PRIu64 " instructions none can be fetched at 0x%" PRIx64
		                ", where traps lead",
		                h->count, h->pc);
	return special(core);
}

/* Reports a fetch to the port, by its physical addresses. */
static void
show_fetch(struct trc_core *core, unsigned size)
{
	struct trc_hart *h = &core->h;
	const unsigned offset = h->pc % TRC_GUEST_PAGE, left = TRC_GUEST_PAGE - offset;
	uint64_t pa = core->fetched->number << TRC_GUEST_PAGE_BITS | offset;

	if (!h->port->seen)
		return;
	h->port->seen(h->port, h, TRC_SEEN_FETCH, pa, size < left ? size : left);
	if (size > left && !trc_mmu_translate(core, h->pc + left, TRC_ACCESS_FETCH, &pa))
		h->port->seen(h->port, h, TRC_SEEN_FETCH, pa, size - left);
}

/* Finds a block at h->pc that can be run, taking traps if necessary; GO_ON if there is one. */
TRC_NO_INLINE static int
enter(struct trc_core *core, uint64_t until, struct trc_block **block)
{
	struct trc_hart *h = &core->h;

	while (h->count < until) {
		int ret = find_block(core, h->pc, block);

		if (ret == 0 &&
		    ((*block)->insns > until - h->count || (*block)->needs & core->lacks))
			ret = careful(core, until - h->count, block);
		if (ret == 0) {
			core->lost = 0;
			if (h->flags & TRC_HART_SEEN)
				show_fetch(core, (*block)->size[0]);
			return GO_ON;
		}
		ret = no_block(core, ret);
		if (ret != GO_ON)
			return ret;
	}
	return TRC_RUN_UNTIL;
}

/* Returns the block at h->pc after this exit, which remembers it; NULL if enter() has to find
 * it. */
TRC_NO_INLINE static struct trc_block *
follow(struct trc_core *core, struct trc_exit *exit)
{
	struct trc_block *block;

	if (core->stale || core->h.flags & TRC_HART_SEEN || find_block(core, core->h.pc, &block) ||
	    block == core->scratch)
		return NULL;
	exit->to = block;
	exit->pc = core->h.pc;
	exit->epoch = core->epoch;
	return block;
}

static uint64_t
kernel_of(const struct trc_core *core)
{
	return core->h.mode == TRC_MODE_USER ? 0 : TRC_KERNEL * UINT64_C(0x0101010101010101);
}

/* The main loop. pc, count and n are in local variables, and written back before other code needs
 * them. */
static int
run(struct trc_core *core, struct trc_batch *b, uint64_t until)
{
	struct trc_hart *h = &core->h;
	const struct rows r = rows_of(b);
	uint64_t pc = h->pc, count = h->count;
	uint64_t kernel = kernel_of(core);
	const bool shown = h->flags & TRC_HART_SHOWN;
	struct trc_block *block = NULL;
	size_t n = b->n;
	int why = GO_ON;

	while (why == GO_ON) {
		struct trc_exit *exit;

		if (!block || count + block->insns > until || block->needs & core->lacks) {
			h->pc = pc, h->count = count;
			why = enter(core, until, &block);
			pc = h->pc;
			kernel = kernel_of(core);
			if (why == GO_ON && shown && trc_shown_moved(core))
				why = TRC_RUN_ROOM;
			if (why != GO_ON)
				break;
		}
		if (TRC_UNLIKELY(n + block->rows > b->cap)) {
			if (b != &core->dropped) {
				why = TRC_RUN_ROOM;
				break;
			}
			n = 0;
		}
		emit(&r, n, block, pc, count, kernel);
		core->base = pc;
		core->begun = count;
		core->running = block;
		exit = block->op->run(core, block->op, r.addr + n);
		count += exit->insns;
		n += exit->rows;
		if (r.branch && exit->taken)
			r.branch[n - 1] |= TRC_BRANCH_TAKEN;
		pc += exit->delta;
		block = exit->to;
		if (TRC_LIKELY(block && exit->pc == pc && exit->epoch == core->epoch))
			continue;
		h->count = count;
		if (shown && (exit == &core->special || exit->epoch != core->epoch))
			trc_shown_exit(core, exit);
		if (exit == &core->special) {
			why = special(core);
			if (why == GO_ON && shown && trc_shown_moved(core))
				why = TRC_RUN_ROOM;
			pc = h->pc;
			kernel = kernel_of(core);
			block = NULL;
		} else {
			/* Nothing is looked up for an instruction that may not begin: what is due
			 * before it may change page tables, or be an interrupt. */
			h->pc = pc;
			block = count < until ? follow(core, exit) : NULL;
		}
	}
	h->pc = pc, h->count = count;
	b->n = n;
	return why;
}

/* Fetches the next instruction, and takes the forced trap. */
static int
trap_next(struct trc_core *core, struct trc_batch *b, uint64_t until)
{
	const struct rows r = rows_of(b);
	struct trc_hart *h = &core->h;
	struct trc_block *block;
	int why;

	if (b->cap - b->n < TRC_BLOCK_ROWS)
		return TRC_RUN_ROOM;
	why = enter(core, until, &block);
	if (why != GO_ON)
		return why;
	emit(&r, b->n++, block, h->pc, h->count++, kernel_of(core));
	if (h->flags & TRC_HART_SHOWN) {
		core->base = h->pc;
		core->running = block;
		trc_shown_exit(core, &(struct trc_exit){ .rows = 1 });
	}
	h->trap_next = false;
	h->cause = TRC_CAUSE_FORCED;
	h->tval = 0;
	return TRC_RUN_TRAP;
}

enum trc_run_end
trc_hart_run(struct trc_hart *h, struct trc_batch *b, uint64_t until, struct trc_err *err)
{
	struct trc_core *core = trc_core_of(h);
	int why;

	core->err = err;
	core->lost = 0;
	if (core->blocks.bytes > DECODED_MOST)
		trc_hart_flush(h);
	trc_core_refresh(core);
	core->dropped.n = 0;
	if (h->flags & TRC_HART_SHOWN)
		trc_shown_begin(core);
	if (h->flags & TRC_HART_LIVE && trc_hart_pending(h) >= 0)
		return TRC_RUN_INTERRUPT;
	why = h->trap_next ? trap_next(core, b ? b : &core->dropped, until) :
	                     run(core, b ? b : &core->dropped, until);
	core->err = NULL;
	return (enum trc_run_end)why;
}
