/* SPDX-License-Identifier: MIT */
#include "capture/bus/blocks.h"

#include <string.h>

#include "capture/bus/baton.h"
#include "capture/bus/between.h"
#include "capture/bus/sharing.h"
#include "capture/bus/state.h"
#include "capture/bus/turns.h"
#include "capture/guest.h"
#include "capture/host.h"
#include "capture/qemu.h"

enum {
	PAGE = TRC_SHADOW_PAGE,
	PATIENCE = 256, /* accesses after the last one to memory that others write */
};

/* Notes a block that begins: copies its rows, in which accesses fill the holes. */
static void
on_block(unsigned vcpu, void *user)
{
	struct trc_translation *b = user;

	if (TRC_UNLIKELY(trc_now.off))
		return;
	if (TRC_UNLIKELY(!trc_baton_has(vcpu)))
		trc_bus_await_turn(vcpu, b->addr);
	if (TRC_UNLIKELY(trc_now.off))
		return;
	if (TRC_UNLIKELY(trc_now.special || !b->old ||
	                 trc_now.handlers >> (b->addr / 2 % 64) & 1)) {
		trc_bus_enter(TRC_BUS_STEP_SLOW);
		trc_bus_between(b->addr);
		if (!b->old && trc_record_read(&trc_now.rec, trc_now.count, TRC_BUS_FETCH, b->addr,
		                               b->bytes, &trc_now.err))
			trc_bus_give_up();
		b->old = true;
		trc_bus_enter(TRC_BUS_STEP_GUEST);
	}
	if (TRC_UNLIKELY(trc_now.end - trc_now.row > trc_now.room)) {
		trc_bus_hand_on(vcpu, b->addr);
		if (trc_now.off)
			return;
		trc_bus_enter(TRC_BUS_STEP_GUEST);
	}
	memcpy(trc_now.end, b->row, b->rows * sizeof(*b->row));
	atomic_signal_fence(memory_order_seq_cst);
	trc_now.block = b;
	trc_now.special = b->special;
	trc_now.count += b->insns;
	trc_now.base = trc_now.end;
	trc_now.end += b->rows;
}

/* Notes a load. The emulator has done it, and memory shows what it saw. */
static inline void
load(const struct trc_code_place *place, uint64_t addr)
{
	trc_now.base[place->row] = addr;
	if (TRC_LIKELY(trc_record_known(&trc_now.rec, addr, place->len)) || trc_now.off)
		return;
	trc_bus_enter(TRC_BUS_STEP_SLOW);
	if (trc_record_read(&trc_now.rec, trc_now.count - trc_now.block->insns + place->at,
	                    TRC_BUS_DATA, addr, place->len, &trc_now.err))
		trc_bus_give_up();
	trc_bus_enter(TRC_BUS_STEP_GUEST);
}

/* Notes a store, which the emulator has done. */
static inline void
store(const struct trc_code_place *place, unsigned row, uint64_t addr)
{
	trc_now.base[row] = addr ^ TRC_ROW_STORE;
	if (TRC_LIKELY(trc_record_kept(&trc_now.rec, addr, place->len)) || trc_now.off)
		return;
	trc_bus_enter(TRC_BUS_STEP_SLOW);
	if (trc_record_write(&trc_now.rec, addr, place->len, &trc_now.err))
		trc_bus_give_up();
	trc_bus_enter(TRC_BUS_STEP_GUEST);
}

/* Returns true if the access is noted when the next block begins. This holds only for a block of
 * one instruction; one of a thread may have more, if it began before memory was shared. */
static bool
is_late(const struct trc_code_place *place, uint64_t addr)
{
	if (trc_now.off || trc_now.block->insns > 1 || !trc_sharing_has(addr)) {
		if (trc_now.patience && --trc_now.patience == 0)
			trc_guest_single_step(false);
		return false;
	}
	trc_now.patience = PATIENCE;
	trc_now.late = place;
	trc_now.late_addr = addr;
	trc_now.special |= TRC_BUS_SPECIAL_LATE;
	return true;
}

/* Returns true if an access to memory that others write is in the middle of a block, so that it is
 * unknown which value it loads. */
static bool
is_hidden(uint64_t addr)
{
	return !trc_now.off && trc_now.block->insns > 1 && trc_sharing_has(addr);
}

/* Repeats an access to `addr` in a block of its own: a load, whose register may be that of its
 * address, or an atomic that was not done yet. `at` is where the emulator's code continues. */
static void
load_again(const struct trc_code_place *place, uint64_t addr, const void *at)
{
	trc_bus_cut_block(place->row - 1u, place->at - 1u);
	trc_bus_check_known();
	trc_bus_close_holes();
	trc_now.special = 0;
	trc_now.base = trc_now.end; /* nothing of it changes any more */
	trc_now.patience = PATIENCE;
	if (!place->is_float && place->rd == place->base)
		trc_guest_set_register(place->base, addr - (uint64_t)(int64_t)place->imm);
	trc_guest_single_step(true);
	trc_guest_repeat(at);
}

static void
on_load(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	const struct trc_code_place *place = user;

	(void)vcpu, (void)info;
	if (TRC_UNLIKELY(trc_now.shares)) {
		if (is_hidden(addr))
			load_again(place, addr, __builtin_return_address(0));
		trc_now.base[place->row] = addr;
		if (is_late(place, addr))
			return;
	}
	load(place, addr);
}

/* Notes a store to memory that others write: the value is in a register. All registers are in
 * memory after an access, since it might have trapped. */
static void
store_shared(const struct trc_code_place *place, uint64_t addr)
{
	uint64_t f[32];

	trc_now.base[place->row] = addr ^ TRC_ROW_STORE;
	trc_bus_enter(TRC_BUS_STEP_SLOW);
	if (place->is_float)
		trc_guest_floats(f);
	trc_bus_put_stored(addr, place->len,
	                   place->is_float ? f[place->rs2] : trc_guest_register(place->rs2));
	trc_bus_enter(TRC_BUS_STEP_GUEST);
}

static void
on_store(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	const struct trc_code_place *place = user;

	(void)vcpu, (void)info;
	if (TRC_UNLIKELY(trc_now.shares) && !trc_now.off && trc_sharing_has(addr))
		store_shared(place, addr);
	else
		store(place, place->row, addr);
}

/* Notes what an atomic loads, at its address. A load-reserved comes with what it saw; the load of a
 * store-conditional is how the emulator looks at the reservation, and has no row. */
static void
load_of_atomic(const struct trc_code_place *place, uint64_t addr)
{
	const uint64_t row = trc_now.base[place->row];

	load(place, addr);
	if (!place->stores)
		trc_now.reserved = trc_bus_value_at(addr, place->len);
	else if (!place->loads)
		trc_now.lost = trc_bus_value_at(addr, place->len) != trc_now.reserved;
	if (!place->loads)
		trc_now.base[place->row] = row;
}

/* Returns true if an address can be read. A page that is readable stays so until a system call or
 * another process takes it away. */
static bool
is_readable(uint64_t addr)
{
	const uint64_t page = addr / PAGE + 1;
	uint64_t *known = &trc_now.readable[page % TRC_BUS_READABLE];

	if (trc_now.shares)
		return trc_host_readable(trc_now.rec.memory + addr);
	if (*known != page && trc_host_readable(trc_now.rec.memory + addr))
		*known = page;
	return *known == page;
}

/* Notes the load of an atomic that the emulator executes in one piece, before it does so. All
 * registers are in memory here, so they can be read. */
static void
before_atomic(unsigned vcpu, void *user)
{
	const struct trc_code_place *place = user;
	uint64_t addr;

	(void)vcpu;
	if (trc_now.off)
		return;
	addr = trc_guest_register(place->base);
	if (addr % place->len != 0 || !is_readable(addr))
		return;
	if (trc_now.shares && is_hidden(addr))
		load_again(place, addr, __builtin_return_address(0));
	if (!trc_now.shares || !trc_sharing_has(addr)) {
		load_of_atomic(place, addr);
		return;
	}
	trc_now.before = trc_bus_value_at(addr, place->len);
	trc_now.operand = trc_guest_register(place->rs2);
	if (place->len == 4 && place->loads) {
		trc_now.before = (uint64_t)(int32_t)trc_now.before;
		trc_now.operand = (uint64_t)(int32_t)trc_now.operand;
	}
}

/* Notes the rows of an atomic that is noted late: only then it is known whether a store-conditional
 * stores. */
static void
put_rows_of_atomic(const struct trc_code_place *place, uint64_t addr)
{
	if (place->loads)
		trc_now.base[place->row] = addr;
	if (place->loads && place->stores)
		trc_now.base[place->row + 1] = addr ^ TRC_ROW_STORE;
}

static void
on_atomic(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	const struct trc_code_place *place = user;

	(void)vcpu;
	if (TRC_UNLIKELY(trc_now.shares) && !place->stores && is_hidden(addr))
		load_again(place, addr, __builtin_return_address(0));
	if (TRC_UNLIKELY(trc_now.shares) && is_late(place, addr))
		put_rows_of_atomic(place, addr);
	else if (!qemu_plugin_mem_is_store(info))
		load_of_atomic(place, addr);
	else if (place->loads || !trc_now.lost)
		store(place, place->row + place->loads, addr);
}

/* Registers the callbacks for the accesses of an instruction. */
static void
watch(struct qemu_plugin_insn *in, struct trc_code_place *place)
{
	const mem_fn fn = place->atomic ? on_atomic : place->loads ? on_load : on_store;

	if (place->loads + place->stores)
		qemu_plugin_register_vcpu_mem_cb(in, fn, CB_NO_REGS, MEM_READ_WRITE, place);
	if (place->atomic && place->stores && trc_now.in_one_piece)
		qemu_plugin_register_vcpu_insn_exec_cb(in, before_atomic, CB_READ_REGS, place);
}

void
trc_bus_on_translate(uint64_t id, struct qemu_plugin_tb *tb)
{
	const size_t n = qemu_plugin_tb_n_insns(tb);
	struct trc_translation *b = trc_code_new(qemu_plugin_tb_vaddr(tb), n, &trc_now.err);

	(void)id;
	if (!b)
		trc_bus_give_up();
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, i);
		uint8_t word[4] = { 0 };

		memcpy(word, qemu_plugin_insn_data(in), qemu_plugin_insn_size(in));
		watch(in, trc_code_add(b, trc_le32(word), trc_now.isa));
	}
	if (!trc_now.rec.memory) {
		const uint8_t *first = qemu_plugin_insn_haddr(qemu_plugin_tb_get_insn(tb, 0));

		trc_now.rec.memory = first - b->addr;
	}
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, CB_READ_REGS, b);
}
