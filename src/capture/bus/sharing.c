/* SPDX-License-Identifier: MIT */
#include "capture/bus/sharing.h"

#include <sys/shm.h>

#include "machine/hart/decode.h"

enum { RANGES = 64 };

/* All ranges. The last one also covers those for which there is no room, and what lies between. */
static struct {
	uint64_t first, last;
} range[RANGES];
static unsigned ranges;

void
trc_sharing_add(uint64_t addr, uint64_t len)
{
	const uint64_t last = addr + len - 1;

	if (ranges < RANGES) {
		range[ranges].first = addr;
		range[ranges++].last = last;
		return;
	}
	range[RANGES - 1].first = addr < range[RANGES - 1].first ? addr : range[RANGES - 1].first;
	range[RANGES - 1].last = last > range[RANGES - 1].last ? last : range[RANGES - 1].last;
}

bool
trc_sharing_has(uint64_t addr)
{
	for (unsigned i = 0; i < ranges; i++)
		if (addr >= range[i].first && addr <= range[i].last)
			return true;
	return false;
}

uint64_t
trc_sharing_segment(int id)
{
	struct shmid_ds segment;

	return shmctl(id, IPC_STAT, &segment) ? 1 : segment.shm_segsz;
}

uint64_t
trc_sharing_stored(unsigned op, uint64_t old, uint64_t operand)
{
	const int64_t a = (int64_t)old, b = (int64_t)operand;

	switch (op) {
	case TRC_OP_amoadd_w:
	case TRC_OP_amoadd_d: return old + operand;
	case TRC_OP_amoxor_w:
	case TRC_OP_amoxor_d: return old ^ operand;
	case TRC_OP_amoand_w:
	case TRC_OP_amoand_d: return old & operand;
	case TRC_OP_amoor_w:
	case TRC_OP_amoor_d: return old | operand;
	case TRC_OP_amomin_w:
	case TRC_OP_amomin_d: return a < b ? old : operand;
	case TRC_OP_amomax_w:
	case TRC_OP_amomax_d: return a > b ? old : operand;
	case TRC_OP_amominu_w:
	case TRC_OP_amominu_d: return old < operand ? old : operand;
	case TRC_OP_amomaxu_w:
	case TRC_OP_amomaxu_d: return old > operand ? old : operand;
	default: return operand; /* amoswap */
	}
}
