/* SPDX-License-Identifier: MIT */
#include "capture/machine_state.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/shown.h"
#include "capture/guest.h"
#include "machine/bus/truth.h"
#include "machine/hart/csr.h"
#include "machine/hart/hart.h"

struct trc_machine_recording trc_machine;

void
trc_machine_give_up(void)
{
	trc_shown(trc_machine.err.text);
	fprintf(stderr, "trc-machine: %s\n", trc_machine.err.text);
	trc_bus_abandon(trc_machine.bus);
	_Exit(1);
}

static void
put(const struct trc_bus_record *r)
{
	if (trc_bus_put(trc_machine.bus, r, &trc_machine.err))
		trc_machine_give_up();
}

void
trc_machine_put_value(enum trc_bus_type type, uint64_t count, uint64_t key, uint64_t value)
{
	const struct trc_bus_record r = { type, count, key, value, 0, NULL, 0 };

	put(&r);
}

void
trc_machine_put_device(enum trc_bus_type type, uint64_t addr, uint32_t len, uint64_t value)
{
	uint8_t data[8];
	const struct trc_bus_record r = { type, trc_machine.count, 0, 0, addr, data, len };

	trc_put_le64(data, value);
	put(&r);
}

uint64_t
trc_machine_csr(unsigned number)
{
	uint64_t value;

	if (!trc_guest_csr(number, &value)) {
		trc_fail(&trc_machine.err, "CSR %x cannot be read: this is not QEMU 7.2", number);
		trc_machine_give_up();
	}
	return value;
}

/* ---- memory ---- */

bool
trc_machine_is_ram(uint64_t addr)
{
	return addr - TRC_MACHINE_RAM < trc_machine.ram_len;
}

void
trc_machine_read(uint64_t count, enum trc_bus_agent agent, uint64_t addr, uint32_t len)
{
	if (!trc_record_known(&trc_machine.rec, addr, len) &&
	    trc_record_read(&trc_machine.rec, count, agent, addr, len, &trc_machine.err))
		trc_machine_give_up();
}

void
trc_machine_write(uint64_t addr, uint32_t len)
{
	if (!trc_record_kept(&trc_machine.rec, addr, len) &&
	    trc_record_write(&trc_machine.rec, addr, len, &trc_machine.err))
		trc_machine_give_up();
}

void
trc_machine_put_row(uint64_t addr, bool store)
{
	const uint64_t row = addr ^ (uint64_t)store << 63;

	trc_record_rows(&trc_machine.rec, &row, 1);
}

/* Reads a page table entry as the recorder has it; returns false if some of it is unknown. */
static bool
known_entry(uint64_t addr, uint64_t *value)
{
	const struct trc_shadow_page *p = trc_shadow_find(&trc_machine.rec.here,
	                                                  addr / TRC_SHADOW_PAGE);
	const uint32_t i = addr % TRC_SHADOW_PAGE;

	if (!p || (p->known[i / 64] >> i % 64 & 0xff) != 0xff)
		return false;
	*value = trc_le64(p->byte + i);
	return true;
}

static void
read_entries(uint64_t count, enum trc_bus_agent agent, const struct trc_walk_path *path)
{
	for (int i = 0; i < path->n; i++) {
		const uint64_t at = path->entry[i],
		               now = trc_le64(trc_machine.ram + (at - TRC_MACHINE_RAM));
		uint64_t before;

		if (known_entry(at, &before) && trc_walk_marks(before, now))
			trc_machine_write(at, 8);
		else
			trc_machine_read(count, agent, at, 8);
	}
}

void
trc_machine_walk(enum trc_walk_for what, uint64_t addr, uint64_t at)
{
	const bool fetch = what == TRC_WALK_FETCH;
	struct trc_walk_path path;

	if (trc_machine.satp >> 60 && trc_walk_is_new(&trc_machine.walk, what, addr, at) &&
	    trc_walk_path(trc_machine.satp, addr, trc_machine.ram, TRC_MACHINE_RAM,
	                  trc_machine.ram_len, &path) == at)
		read_entries(trc_machine.count, fetch ? TRC_BUS_WALK_FETCH : TRC_BUS_WALK_DATA,
		             &path);
}

/* ---- registers ---- */

/* Returns true for registers of the state, except pc; counters, pending interrupts and the
 * reservation, which differ between machines that behave equally; and those that QEMU does not
 * show. */
static bool
is_recorded(int reg)
{
	return (reg < TRC_REG_PC && reg != TRC_REG_X) ||
	       (reg >= TRC_REG_CSR && reg != TRC_REG_CSR + TRC_CSR_MIP &&
	        reg != TRC_REG_CSR + TRC_CSR_MCYCLE && reg != TRC_REG_CSR + TRC_CSR_MINSTRET);
}

static uint64_t
value_of(int reg, const uint64_t f[32])
{
	if (reg < TRC_REG_F)
		return trc_guest_register(reg);
	return reg < TRC_REG_PC ? f[reg - TRC_REG_F] :
	                          trc_machine_csr((unsigned)(reg - TRC_REG_CSR));
}

void
trc_machine_put_registers(uint64_t count)
{
	struct trc_memory none = { 0 };
	struct trc_port port = { 0 };
	struct trc_hart *h = trc_hart_open(&none, &port, 0, &trc_machine.err);
	uint64_t f[32], value;
	int reg = -1;

	if (!h)
		trc_machine_give_up();
	trc_guest_floats(f);
	while (trc_hart_each(h, &reg, &value))
		if (is_recorded(reg))
			trc_machine_put_value(TRC_BUS_STATE, count, (uint64_t)reg,
			                      value_of(reg, f));
	trc_hart_close(h);
}

void
trc_machine_note_event(uint64_t pc)
{
	if (trc_machine.before.count == trc_machine.count)
		return;
	trc_machine.before.count = trc_machine.count;
	trc_machine.before.pc = pc;
	trc_machine.before.hart = trc_machine.runs;
}

void
trc_machine_put_truth(uint64_t count, uint64_t pc, uint64_t hash)
{
	const bool before = trc_machine.before.count == count;
	uint64_t sum = trc_truth_mix(before ? trc_machine.before.pc : pc, TRC_REG_PC), f[32];

	if (before)
		trc_guest_choose(trc_machine.before.hart);
	trc_guest_floats(f);
	for (unsigned i = 1; i < 32; i++)
		sum += trc_truth_mix(trc_guest_register((int)i), TRC_REG_X + i);
	for (unsigned i = 0; i < 32; i++)
		sum += trc_truth_mix(f[i], TRC_REG_F + i);
	sum += trc_truth_mix(trc_machine_csr(TRC_CSR_FCSR), TRC_REG_CSR + TRC_CSR_FCSR);
	trc_machine_put_value(TRC_BUS_TRUTH, count, hash, sum);
	trc_guest_choose(trc_machine.runs);
}
