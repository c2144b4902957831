/* SPDX-License-Identifier: MIT
 *
 * Address translation by Sv39, Sv48 and Sv57, its cache, and every access that misses in the cache.
 * Source: volume II, sections 4.3.2 (the algorithm, whose steps the comments name) and 4.4.
 *
 * A cached translation allows the access without any check. So only pages in RAM are cached, for
 * stores only pages without decoded instructions, and nothing with TRC_HART_SEEN.
 */
#include "machine/hart/core.h"

enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_U = 16, PTE_A = 64, PTE_D = 128 };
enum { SV39 = 8 }; /* the mode in satp; 9 and 10 have one level more each */

static const uint64_t access_cause[] = { TRC_CAUSE_FETCH_ACCESS, TRC_CAUSE_LOAD_ACCESS,
	                                 TRC_CAUSE_STORE_ACCESS };
static const uint64_t page_cause[] = { TRC_CAUSE_FETCH_PAGE, TRC_CAUSE_LOAD_PAGE,
	                               TRC_CAUSE_STORE_PAGE };

static uint64_t
page_of(uint64_t addr)
{
	return addr & ~(uint64_t)(TRC_GUEST_PAGE - 1);
}

static int
trap(struct trc_core *core, uint64_t cause, uint64_t tval)
{
	core->cause = cause;
	core->tval = tval;
	return 1;
}

static void
seen(struct trc_core *core, enum trc_seen what, uint64_t pa, unsigned size)
{
	const bool walk = what == TRC_SEEN_WALK_LOAD || what == TRC_SEEN_WALK_STORE;

	if (core->h.flags & (walk ? TRC_HART_SEEN | TRC_HART_SHOWN : TRC_HART_SEEN) &&
	    core->h.port->seen)
		core->h.port->seen(core->h.port, &core->h, what, pa, size);
}

/* Returns the page of RAM at this physical address. */
static struct trc_page *
ram_page(struct trc_core *core, uint64_t pa)
{
	const uint64_t number = pa >> TRC_GUEST_PAGE_BITS;
	struct trc_page **recent = &core->recent[number % TRC_RECENT];

	if (!*recent || (*recent)->number != number)
		*recent = trc_memory_page(core->h.mem, number, core->err);
	return *recent;
}

/* ---- physical memory protection (volume II, section 3.7) ---- */

enum { OFF, TOR, NA4, NAPOT };
enum { LOCKED = 0x80 };

/* Sets the addresses [*first, *last] of entry i; returns false if it is off or empty. */
static bool
range(const struct trc_csrs *csr, int i, uint64_t *first, uint64_t *last)
{
	const uint64_t addr = csr->pmpaddr[i], below = i ? csr->pmpaddr[i - 1] : 0;
	int ones;

	switch (csr->pmpcfg[i] >> 3 & 3) {
	case OFF: return false;
	case TOR:
		*first = below << 2;
		*last = (addr << 2) - 1;
		return below < addr;
	case NA4:
		*first = addr << 2;
		*last = *first + 3;
		return true;
	}
	ones = ~addr ? trc_ctz64(~addr) : 64;
	if (ones >= 54) {
		*first = 0;
		*last = UINT64_MAX;
		return true;
	}
	*first = (addr & ~((UINT64_C(1) << (ones + 1)) - 1)) << 2;
	*last = *first + (UINT64_C(8) << ones) - 1;
	return true;
}

/* Returns true if physical memory protection allows the access in this mode. The lowest-numbered
 * entry that matches any byte of an access decides, and must match all of its bytes. As in QEMU,
 * everything is allowed while no entry is on. */
static bool
pmp_allows(const struct trc_csrs *csr, uint64_t pa, uint64_t len, enum trc_access access,
           enum trc_mode mode)
{
	static const uint8_t bit[] = { 4, 1, 2 };
	const uint64_t end = pa + len - 1;
	bool any = false;

	for (int i = 0; i < TRC_PMPS; i++) {
		uint64_t first, last;

		any |= csr->pmpcfg[i] >> 3 & 3;
		if (!range(csr, i, &first, &last) || end < first || pa > last)
			continue;
		if (pa < first || end > last)
			return false;
		if (mode == TRC_MODE_MACHINE && !(csr->pmpcfg[i] & LOCKED))
			return true;
		return csr->pmpcfg[i] & bit[access];
	}
	return mode == TRC_MODE_MACHINE || !any;
}

/* ---- translation ---- */

/* Returns the mode whose permissions apply to an access. */
static enum trc_mode
rights(const struct trc_hart *h, enum trc_access access)
{
	if (access != TRC_ACCESS_FETCH && h->csr.mstatus & TRC_STATUS_MPRV &&
	    h->mode == TRC_MODE_MACHINE)
		return (enum trc_mode)((h->csr.mstatus & TRC_STATUS_MPP) >> 11);
	return h->mode;
}

/* Steps 5 to 8: returns true if a leaf allows the access. */
static bool
leaf_allows(const struct trc_hart *h, uint64_t pte, enum trc_access access, enum trc_mode mode)
{
	const uint64_t status = h->csr.mstatus;

	if (mode == TRC_MODE_USER && !(pte & PTE_U))
		return false;
	if (mode == TRC_MODE_SUPERVISOR && pte & PTE_U &&
	    (access == TRC_ACCESS_FETCH || !(status & TRC_STATUS_SUM)))
		return false;
	switch (access) {
	case TRC_ACCESS_FETCH: return pte & PTE_X;
	case TRC_ACCESS_LOAD: return pte & PTE_R || (status & TRC_STATUS_MXR && pte & PTE_X);
	case TRC_ACCESS_STORE: return pte & PTE_W;
	}
	return false;
}

/* Sets A, and D for a store, in the page table entry at this address. */
static void
update_pte(struct trc_core *core, struct trc_page *table, uint64_t at, uint64_t pte,
           enum trc_access access)
{
	const uint64_t new = pte | PTE_A | (access == TRC_ACCESS_STORE ? PTE_D : 0);

	if (new == pte)
		return;
	seen(core, TRC_SEEN_WALK_STORE, at, 8);
	trc_put_le64(table->byte + at % TRC_GUEST_PAGE, new);
	trc_core_wrote(core, table, at % TRC_GUEST_PAGE, 8);
}

static int
walk(struct trc_core *core, uint64_t va, enum trc_access access, enum trc_mode mode, uint64_t *pa)
{
	const struct trc_csrs *csr = &core->h.csr;
	uint64_t a = (csr->satp & ((UINT64_C(1) << 44) - 1)) << TRC_GUEST_PAGE_BITS;
	const int levels = (int)(csr->satp >> 60) - SV39 + 3;
	const int unused = 64 - 12 - 9 * levels; /* unused bits must be copies of the one below */
	uint64_t pte, at, low;
	struct trc_page *table;

	if ((uint64_t)((int64_t)(va << unused) >> unused) != va)
		return trap(core, page_cause[access], va);
	for (int level = levels - 1;; level--) {
		if (level < 0)
			return trap(core, page_cause[access], va);
		at = a + (va >> (12 + 9 * level) & 511) * 8;
		if (!trc_memory_is_ram(core->h.mem, at) ||
		    !pmp_allows(csr, at, 8, TRC_ACCESS_LOAD, TRC_MODE_SUPERVISOR))
			return trap(core, access_cause[access], va);
		table = ram_page(core, at);
		if (!table)
			return -1;
		seen(core, TRC_SEEN_WALK_LOAD, at, 8);
		pte = trc_le64(table->byte + at % TRC_GUEST_PAGE);
		/* Step 3. The upper ten bits belong to extensions that this hart lacks. */
		if (!(pte & PTE_V) || (pte & (PTE_R | PTE_W)) == PTE_W || pte >> 54)
			return trap(core, page_cause[access], va);
		a = (pte >> 10) << TRC_GUEST_PAGE_BITS;
		low = (UINT64_C(1) << (12 + 9 * level)) - 1;
		if (pte & (PTE_R | PTE_X))
			break;
		if (pte & (PTE_A | PTE_D | PTE_U))
			return trap(core, page_cause[access], va);
	}
	/* Steps 5 and 6: permissions, and large pages that are misaligned. */
	if (!leaf_allows(&core->h, pte, access, mode) || page_of(a & low))
		return trap(core, page_cause[access], va);
	*pa = (a & ~low) | (va & low);
	update_pte(core, table, at, pte, access);
	return 0;
}

int
trc_mmu_translate(struct trc_core *core, uint64_t va, enum trc_access access, uint64_t *pa)
{
	const enum trc_mode mode = rights(&core->h, access);

	if (mode == TRC_MODE_MACHINE || !(core->h.csr.satp >> 60)) {
		*pa = va;
		return 0;
	}
	return walk(core, va, access, mode, pa);
}

static bool
allowed(const struct trc_core *core, uint64_t pa, unsigned len, enum trc_access access)
{
	return pmp_allows(&core->h.csr, pa, len, access, rights(&core->h, access));
}

/* Caches the translation of a page, if that is allowed. */
static void
keep(struct trc_core *core, uint64_t va, uint64_t pa, struct trc_page *page, enum trc_access access)
{
	const unsigned i = va >> TRC_GUEST_PAGE_BITS & (TRC_TLB - 1);
	struct trc_tlb_entry *e = access == TRC_ACCESS_STORE ? &core->tlb->store[i] :
	                                                       &core->tlb->load[i];

	if (core->h.flags & TRC_HART_SHOWN)
		trc_shown_map(core, va, pa);
	if (core->h.flags & TRC_HART_SEEN || !allowed(core, page_of(pa), TRC_GUEST_PAGE, access))
		return;
	if (access == TRC_ACCESS_STORE && page->code)
		return;
	e->tag = page_of(va);
	e->byte = page->byte;
}

/* The bytes of an access that lie in one page. */
struct part {
	uint64_t va, pa;
	unsigned len;
	struct trc_page *page; /* NULL: outside RAM */
};

/* Translates an access into one or two parts. Both must be allowed before any takes place. */
static int
split(struct trc_core *core, uint64_t va, unsigned size, enum trc_access access,
      struct part part[2], int *parts)
{
	const unsigned left = TRC_GUEST_PAGE - (unsigned)(va % TRC_GUEST_PAGE);

	part[0] = (struct part){ .va = va, .len = size < left ? size : left };
	part[1] = (struct part){ .va = va + left, .len = size - part[0].len };
	*parts = part[1].len ? 2 : 1;
	for (int i = 0; i < *parts; i++) {
		struct part *p = &part[i];
		const int ret = trc_mmu_translate(core, p->va, access, &p->pa);

		if (ret)
			return ret;
		if (!allowed(core, p->pa, p->len, access))
			return trap(core, access_cause[access], p->va);
		if (trc_memory_is_ram(core->h.mem, p->pa)) {
			p->page = ram_page(core, p->pa);
			if (!p->page)
				return -1;
		} else if (*parts > 1) {
			return trap(core, access_cause[access], p->va);
		}
	}
	return 0;
}

static uint64_t
load_bytes(const uint8_t *p, unsigned len)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < len; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

static void
put(uint8_t *p, uint64_t v, unsigned len)
{
	for (unsigned i = 0; i < len; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

int
trc_mmu_load(struct trc_core *core, const struct trc_hart_op *op, uint64_t va, unsigned size)
{
	struct trc_port *port = core->h.port;
	struct part part[2];
	uint64_t v = 0;
	int parts, ret;

	trc_core_sync(core, op);
	ret = split(core, va, size, TRC_ACCESS_LOAD, part, &parts);
	if (ret)
		return ret;
	if (!part[0].page) {
		ret = port->load(port, &core->h, part[0].pa, size, &core->loaded, core->err);
		return ret > 0 ? trap(core, TRC_CAUSE_LOAD_ACCESS, va) : ret;
	}
	for (int i = 0; i < parts; i++) {
		const struct part *p = &part[i];

		seen(core, TRC_SEEN_LOAD, p->pa, p->len);
		v |= load_bytes(p->page->byte + p->pa % TRC_GUEST_PAGE, p->len)
		     << 8 * (i * part[0].len);
		keep(core, p->va, p->pa, p->page, TRC_ACCESS_LOAD);
	}
	core->loaded = v;
	return 0;
}

int
trc_mmu_store(struct trc_core *core, const struct trc_hart_op *op, uint64_t va, unsigned size,
              uint64_t value)
{
	struct trc_port *port = core->h.port;
	struct part part[2];
	bool decoded = false;
	int parts, ret;

	trc_core_sync(core, op);
	ret = split(core, va, size, TRC_ACCESS_STORE, part, &parts);
	if (ret)
		return ret;
	if (!part[0].page) {
		if (!port->store)
			return 0;
		ret = port->store(port, &core->h, part[0].pa, size, value, core->err);
		/* The device may have written decoded instructions. */
		return ret > 0 ? trap(core, TRC_CAUSE_STORE_ACCESS, va) : ret < 0 ? -1 : 2;
	}
	for (int i = 0; i < parts; i++) {
		const struct part *p = &part[i];

		seen(core, TRC_SEEN_STORE, p->pa, p->len);
		decoded |= trc_core_wrote(core, p->page, p->pa % TRC_GUEST_PAGE, p->len);
		put(p->page->byte + p->pa % TRC_GUEST_PAGE, value >> 8 * (i * part[0].len), p->len);
		keep(core, p->va, p->pa, p->page, TRC_ACCESS_STORE);
	}
	return decoded ? 2 : 0;
}

uint8_t *
trc_mmu_atomic(struct trc_core *core, uint64_t va, unsigned size, bool store, int *ret)
{
	const enum trc_access access = store ? TRC_ACCESS_STORE : TRC_ACCESS_LOAD;
	const uint64_t misaligned = store ? TRC_CAUSE_STORE_MISALIGNED : TRC_CAUSE_LOAD_MISALIGNED;
	struct part part[2];
	int parts;

	if (va % size) {
		*ret = trap(core, misaligned, va);
		return NULL;
	}
	*ret = split(core, va, size, access, part, &parts);
	if (*ret)
		return NULL;
	if (!part[0].page) {
		*ret = trap(core, access_cause[access], va);
		return NULL;
	}
	seen(core, TRC_SEEN_LOAD, part[0].pa, size);
	if (store) {
		seen(core, TRC_SEEN_STORE, part[0].pa, size);
		*ret = trc_core_wrote(core, part[0].page, va % TRC_GUEST_PAGE, size) ? 2 : 0;
	}
	keep(core, va, part[0].pa, part[0].page, access);
	return part[0].page->byte + part[0].pa % TRC_GUEST_PAGE;
}

int
trc_mmu_fetch(struct trc_core *core, uint64_t va, struct trc_page **page, bool *whole)
{
	uint64_t pa;
	const int ret = trc_mmu_translate(core, va, TRC_ACCESS_FETCH, &pa);

	if (ret)
		return ret;
	if (!trc_memory_is_ram(core->h.mem, pa) || !allowed(core, pa, 2, TRC_ACCESS_FETCH))
		return trap(core, TRC_CAUSE_FETCH_ACCESS, va);
	*whole = allowed(core, page_of(pa), TRC_GUEST_PAGE, TRC_ACCESS_FETCH);
	*page = ram_page(core, pa);
	return *page ? 0 : -1;
}

static void
forget(struct trc_tlb_entry *e)
{
	for (int i = 0; i < TRC_TLB; i++)
		e[i] = (struct trc_tlb_entry){ .tag = TRC_TLB_NONE };
}

void
trc_mmu_forget_stores(struct trc_core *core)
{
	for (int i = 0; i < TRC_HART_CONTEXTS; i++)
		forget(core->context[i].store);
}

void
trc_mmu_forget_data(struct trc_core *core)
{
	for (int i = 0; i < TRC_HART_CONTEXTS; i++)
		forget(core->context[i].load);
	trc_mmu_forget_stores(core);
}

void
trc_mmu_forget(struct trc_core *core)
{
	trc_mmu_forget_data(core);
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < TRC_FETCH_TLB; j++)
			core->fetch[i][j].tag = TRC_TLB_NONE;
	core->generation++;
	trc_core_context(core);
}

void
trc_core_context(struct trc_core *core)
{
	static const uint8_t of_mode[4] = { 1, 2, 0, 0 };
	unsigned context = of_mode[rights(&core->h, TRC_ACCESS_LOAD)];

	if (context == 2 && core->h.csr.mstatus & TRC_STATUS_SUM)
		context = 3;
	core->tlb = &core->context[context];
	core->epoch = core->stale ? TRC_EPOCH_NONE : core->generation << 2 | core->h.mode;
}
