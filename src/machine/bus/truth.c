/* SPDX-License-Identifier: MIT */
#include "machine/bus/truth.h"

uint64_t
trc_truth_rows(const struct trc_batch *b, size_t from, uint64_t *n)
{
	uint64_t sum = 0, key = *n * TRC_TRUTH_KEY;

	for (size_t i = from; i < b->n; i++, key += TRC_TRUTH_KEY) {
		const uint64_t store = (uint64_t)((b->type[i] & TRC_TYPE_MASK) == TRC_WRITE) << 63;

		sum += trc_truth_half(b->addr[i] ^ store, key);
	}
	*n += b->n - from;
	return sum * TRC_TRUTH_FACTOR;
}

uint64_t
trc_truth_registers(const struct trc_hart *h)
{
	uint64_t sum = trc_truth_mix(h->pc, TRC_REG_PC);

	for (int i = 1; i < 32; i++)
		sum += trc_truth_mix(h->x[i], (uint64_t)(TRC_REG_X + i));
	for (int i = 0; i < 32; i++)
		sum += trc_truth_mix(h->f[i], (uint64_t)(TRC_REG_F + i));
	return sum + trc_truth_mix((uint64_t)h->frm << 5 | h->fflags, TRC_REG_CSR + 3);
}
