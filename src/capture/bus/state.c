/* SPDX-License-Identifier: MIT */
#include "capture/bus/state.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/shown.h"
#include "capture/extension.h"
#include "capture/guest.h"
#include "capture/host.h"
#include "machine/hart/csr.h"
#include "machine/hart/hart.h"

struct trc_bus_recording trc_now;

void
trc_bus_give_up(void)
{
	trc_host_outlive_end();
	trc_shown(trc_now.err.text);
	fprintf(stderr, "trc-bus: %s\n", trc_now.err.text);
	trc_bus_abandon(trc_now.bus);
	_Exit(1);
}

void
trc_bus_put_value(enum trc_bus_type type, uint64_t key, uint64_t value)
{
	const struct trc_bus_record r = { type, trc_now.count, key, value, 0, NULL, 0 };

	if (trc_bus_put(trc_now.bus, &r, &trc_now.err))
		trc_bus_give_up();
}

void
trc_bus_put_registers(uint64_t pc)
{
	for (int i = 1; i < 32; i++)
		trc_bus_put_value(TRC_BUS_STATE, (uint64_t)(TRC_REG_X + i), trc_guest_register(i));
	trc_bus_put_value(TRC_BUS_STATE, TRC_REG_PC, pc);
}

void
trc_bus_put_floats(void)
{
	uint64_t f[32], fcsr;

	trc_guest_floats(f);
	for (unsigned i = 0; i < 32; i++)
		trc_bus_put_value(TRC_BUS_STATE, TRC_REG_F + i, f[i]);
	if (trc_guest_csr(TRC_CSR_FCSR, &fcsr))
		trc_bus_put_value(TRC_BUS_STATE, TRC_REG_CSR + TRC_CSR_FCSR, fcsr);
}

void
trc_bus_put_stored(uint64_t addr, uint32_t len, uint64_t value)
{
	uint8_t data[8];

	trc_put_le64(data, value);
	if (trc_record_left(&trc_now.rec, addr, data, len, &trc_now.err))
		trc_bus_give_up();
}

void
trc_bus_hash_rows(void)
{
	trc_now.safe.end = trc_now.end;
	trc_now.safe.rows = trc_now.rec.rows;
	trc_now.safe.hash = trc_now.rec.hash;
	trc_bus_enter(TRC_BUS_STEP_HASH);
	trc_record_rows(&trc_now.rec, trc_now.row, (size_t)(trc_now.end - trc_now.row));
	trc_bus_enter(TRC_BUS_STEP_SLOW);
	trc_now.end = trc_now.row;
	if (trc_now.count < trc_now.truth)
		return;
	trc_bus_put_value(TRC_BUS_TRUTH, trc_now.rec.hash, 0);
	trc_now.truth = trc_now.count + TRC_BUS_TRUTH_EVERY;
}

void
trc_bus_cut_block(uint32_t rows, uint32_t insns)
{
	trc_now.count -= trc_now.block->insns - insns;
	trc_now.end = trc_now.base + rows;
	trc_now.special &= TRC_CODE_HOLES | (trc_now.block->beyond < insns ? TRC_CODE_BEYOND : 0);
}

void
trc_bus_check_known(void)
{
	if (!(trc_now.special & TRC_CODE_BEYOND))
		return;
	trc_extension_refuse(trc_now.block->unknown, trc_now.block->at, &trc_now.err);
	trc_bus_give_up();
}

void
trc_bus_close_holes(void)
{
	if (trc_now.special & TRC_CODE_HOLES)
		trc_now.end = trc_now.base +
		              trc_rows_close(trc_now.base, (size_t)(trc_now.end - trc_now.base));
}
