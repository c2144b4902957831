/* SPDX-License-Identifier: MIT
 *
 * Handlers of loads, stores and atomics. An access whose page is in the translation cache is
 * executed here, all others in mmu.c. Source: volume I, sections 2.6 and 5.3, chapters 8 (A) and
 * 11, 12 (F, D); cache blocks 1.0, chapter 2.
 */
#include "machine/hart/core.h"

/* Continues after mmu.c returned `ret`: with the next handler if it is 0. */
static struct trc_exit *
outcome(struct trc_core *core, const struct trc_hart_op *op, int ret, unsigned rows)
{
	if (ret == 2)
		return trc_core_again(core, op, rows);
	return ret > 0 ? trc_core_trap(core, op, core->cause, core->tval) : trc_core_fail(core, op);
}

static inline const struct trc_tlb_entry *
entry(const struct trc_tlb_entry *e, uint64_t va)
{
	return &e[va >> TRC_GUEST_PAGE_BITS & (TRC_TLB - 1)];
}

/* Returns true if the entry translates all `size` bytes at va. */
static inline bool
hits(const struct trc_tlb_entry *e, uint64_t va, unsigned size)
{
	return e->tag == ((va + size - 1) & ~(uint64_t)(TRC_GUEST_PAGE - 1));
}

#define VA (core->h.x[op->rs1] + (uint64_t)op->imm)

/* Defines a load; `set` uses the value v. The slow path is a separate function that itself calls
 * the next handler. So the fast path keeps nothing on the stack, and its last call is a jump. */
#define LOAD(name, size, take, set)                                                     \
	TRC_NO_INLINE static struct trc_exit *slow_##name(struct trc_core *core,        \
	                                                  const struct trc_hart_op *op, \
	                                                  uint64_t *addr)               \
	{                                                                               \
		const int ret = trc_mmu_load(core, op, VA, size);                       \
		const uint64_t v = core->loaded;                                        \
                                                                                        \
		if (ret)                                                                \
			return outcome(core, op, ret, 1);                               \
		set;                                                                    \
		TRC_NEXT;                                                               \
	}                                                                               \
                                                                                        \
	TRC_EXEC(name)                                                                  \
	{                                                                               \
		const uint64_t va = VA;                                                 \
		const struct trc_tlb_entry *e = entry(core->tlb->load, va);             \
		uint64_t v;                                                             \
                                                                                        \
		addr[op->row] = va;                                                     \
		if (TRC_UNLIKELY(!hits(e, va, size)))                                   \
			return slow_##name(core, op, addr);                             \
		v = take(e->byte + va % TRC_GUEST_PAGE);                                \
		set;                                                                    \
		TRC_NEXT;                                                               \
	}

#define STORE(name, size, put, type, value)                                             \
	TRC_NO_INLINE static struct trc_exit *slow_##name(struct trc_core *core,        \
	                                                  const struct trc_hart_op *op, \
	                                                  uint64_t *addr)               \
	{                                                                               \
		const int ret = trc_mmu_store(core, op, VA, size, value);               \
                                                                                        \
		if (ret)                                                                \
			return outcome(core, op, ret, 1);                               \
		TRC_NEXT;                                                               \
	}                                                                               \
                                                                                        \
	TRC_EXEC(name)                                                                  \
	{                                                                               \
		const uint64_t va = VA;                                                 \
		const struct trc_tlb_entry *e = entry(core->tlb->store, va);            \
                                                                                        \
		addr[op->row] = va;                                                     \
		if (TRC_UNLIKELY(!hits(e, va, size)))                                   \
			return slow_##name(core, op, addr);                             \
		put(e->byte + va % TRC_GUEST_PAGE, (type)(value));                      \
		TRC_NEXT;                                                               \
	}

static inline uint8_t
take8(const uint8_t *p)
{
	return *p;
}

static inline void
put8(uint8_t *p, uint8_t v)
{
	*p = v;
}

#define RD core->h.x[op->rd]
#define FD core->h.f[op->rd]
#define BOXED UINT64_C(0xffffffff00000000)
#define BOXED_HALF UINT64_C(0xffffffffffff0000)

LOAD(lb, 1, take8, RD = (uint64_t)(int8_t)v)
LOAD(lh, 2, trc_le16, RD = (uint64_t)(int16_t)v)
LOAD(lw, 4, trc_le32, RD = (uint64_t)(int32_t)v)
LOAD(ld, 8, trc_le64, RD = v)
LOAD(lbu, 1, take8, RD = (uint8_t)v)
LOAD(lhu, 2, trc_le16, RD = (uint16_t)v)
LOAD(lwu, 4, trc_le32, RD = (uint32_t)v)
LOAD(flw, 4, trc_le32, FD = v | BOXED)
LOAD(fld, 8, trc_le64, FD = v)
LOAD(flh, 2, trc_le16, FD = v | BOXED_HALF)

STORE(sb, 1, put8, uint8_t, core->h.x[op->rs2])
STORE(sh, 2, trc_put_le16, uint16_t, core->h.x[op->rs2])
STORE(sw, 4, trc_put_le32, uint32_t, core->h.x[op->rs2])
STORE(sd, 8, trc_put_le64, uint64_t, core->h.x[op->rs2])
STORE(fsw, 4, trc_put_le32, uint32_t, core->h.f[op->rs2])
STORE(fsd, 8, trc_put_le64, uint64_t, core->h.f[op->rs2])
STORE(fsh, 2, trc_put_le16, uint16_t, core->h.f[op->rs2])

/* Returns the memory of an atomic or of a block, as trc_mmu_atomic() does. */
static uint8_t *
atomic_memory(struct trc_core *core, const struct trc_hart_op *op, uint64_t va, unsigned size,
              bool store, int *ret)
{
	const struct trc_tlb_entry *e = entry(store ? core->tlb->store : core->tlb->load, va);

	*ret = 0;
	if (hits(e, va, size) && va % size == 0)
		return e->byte + va % TRC_GUEST_PAGE;
	trc_core_sync(core, op);
	return trc_mmu_atomic(core, va, size, store, ret);
}

/* Bits of menvcfg and senvcfg. */
enum { ALLOWS_INVAL = 3 << 4, ALLOWS_CLEAN = 1 << 6, ALLOWS_ZERO = 1 << 7, BLOCK = 64 };

/* Returns true if the mode may execute an instruction for cache blocks. */
static bool
allows(const struct trc_hart *h, uint64_t bits)
{
	if (h->flags & TRC_HART_USER || h->mode == TRC_MODE_MACHINE)
		return true;
	return h->csr.menvcfg & bits && (h->mode != TRC_MODE_USER || h->csr.senvcfg & bits);
}

/* Does nothing to the block, as memory is all there is, but may trap: like a store, where it cannot
 * be loaded either. */
static struct trc_exit *
manage_block(struct trc_core *core, const struct trc_hart_op *op, uint64_t *addr, uint64_t bits)
{
	const uint64_t va = core->h.x[op->rs1] & ~(uint64_t)(BLOCK - 1);
	int ret;

	if (!allows(&core->h, bits))
		return trc_exec_illegal(core, op, addr);
	if (!atomic_memory(core, op, va, BLOCK, false, &ret)) {
		core->cause += ret > 0 ? TRC_CAUSE_STORE_ACCESS - TRC_CAUSE_LOAD_ACCESS : 0;
		return outcome(core, op, ret, 0);
	}
	TRC_NEXT;
}

TRC_EXEC(cbo_inval)
{
	return manage_block(core, op, addr, ALLOWS_INVAL);
}

TRC_EXEC(cbo_clean)
{
	return manage_block(core, op, addr, ALLOWS_CLEAN);
}

TRC_EXEC(cbo_flush)
{
	return manage_block(core, op, addr, ALLOWS_CLEAN);
}

TRC_EXEC(cbo_zero)
{
	const uint64_t va = core->h.x[op->rs1] & ~(uint64_t)(BLOCK - 1);
	uint8_t *p;
	int ret;

	if (!allows(&core->h, ALLOWS_ZERO))
		return trc_exec_illegal(core, op, addr);
	addr[op->row] = va;
	p = atomic_memory(core, op, va, BLOCK, true, &ret);
	if (!p)
		return outcome(core, op, ret, 1);
	memset(p, 0, BLOCK);
	if (ret)
		return outcome(core, op, ret, 1);
	TRC_NEXT;
}

static uint64_t
take_signed(const uint8_t *p, unsigned size)
{
	return size == 8 ? trc_le64(p) : (uint64_t)(int32_t)trc_le32(p);
}

static void
put_sized(uint8_t *p, unsigned size, uint64_t v)
{
	if (size == 8)
		trc_put_le64(p, v);
	else
		trc_put_le32(p, (uint32_t)v);
}

static struct trc_exit *
load_reserved(struct trc_core *core, const struct trc_hart_op *op, uint64_t *addr, unsigned size)
{
	struct trc_hart *h = &core->h;
	const uint64_t va = h->x[op->rs1];
	int ret;
	const uint8_t *p = atomic_memory(core, op, va, size, false, &ret);

	addr[op->row] = va;
	if (!p)
		return outcome(core, op, ret, 1);
	h->reserved = true;
	h->reservation = va;
	h->x[op->rd] = h->reserved_value = take_signed(p, size);
	TRC_NEXT;
}

/* Ends the block, because whether it has a row is not known in advance. */
static struct trc_exit *
store_conditional(struct trc_core *core, const struct trc_hart_op *op, uint64_t *addr,
                  unsigned size)
{
	struct trc_hart *h = &core->h;
	const uint64_t va = h->x[op->rs1];
	bool done = h->reserved && h->reservation == va;
	uint8_t *p;
	int ret;

	addr[op->row] = va;
	if (done) {
		p = atomic_memory(core, op, va, size, true, &ret);
		if (!p)
			return outcome(core, op, ret, 1);
		done = take_signed(p, size) == h->reserved_value;
		if (done)
			put_sized(p, size, h->x[op->rs2]);
	} else if (va % size) {
		return trc_core_trap(core, op, TRC_CAUSE_STORE_MISALIGNED, va);
	}
	h->reserved = false;
	h->x[op->rd] = !done;
	return trc_core_again(core, op, done);
}

TRC_EXEC(lr_w)
{
	return load_reserved(core, op, addr, 4);
}

TRC_EXEC(lr_d)
{
	return load_reserved(core, op, addr, 8);
}

TRC_EXEC(sc_w)
{
	return store_conditional(core, op, addr, 4);
}

TRC_EXEC(sc_d)
{
	return store_conditional(core, op, addr, 8);
}

/* Defines a read-modify-write; `a` is the old value, `b` that of rs2, both sign-extended. */
#define ATOMIC(name, size, value)                                                     \
	TRC_EXEC(name)                                                                \
	{                                                                             \
		const uint64_t va = core->h.x[op->rs1], operand = core->h.x[op->rs2]; \
		const uint64_t b = size == 8 ? operand : (uint64_t)(int32_t)operand;  \
		int ret;                                                              \
		uint8_t *p = atomic_memory(core, op, va, size, true, &ret);           \
		uint64_t a;                                                           \
                                                                                      \
		(void)b;                                                              \
		addr[op->row] = addr[op->row + 1] = va;                               \
		if (!p)                                                               \
			return outcome(core, op, ret, 2);                             \
		a = take_signed(p, size);                                             \
		put_sized(p, size, value);                                            \
		core->h.x[op->rd] = a;                                                \
		if (ret)                                                              \
			return outcome(core, op, ret, 2);                             \
		TRC_NEXT;                                                             \
	}

#define ATOMICS(name, value)       \
	ATOMIC(name##_w, 4, value) \
	ATOMIC(name##_d, 8, value)

ATOMICS(amoswap, b)
ATOMICS(amoadd, a + b)
ATOMICS(amoxor, a ^ b)
ATOMICS(amoand, a &b)
ATOMICS(amoor, a | b)
ATOMICS(amomin, (int64_t)a < (int64_t)b ? a : b)
ATOMICS(amomax, (int64_t)a > (int64_t)b ? a : b)
ATOMICS(amominu, a < b ? a : b)
ATOMICS(amomaxu, a > b ? a : b)
