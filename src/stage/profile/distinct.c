/* SPDX-License-Identifier: MIT */
#include "stage/profile/distinct.h"

#include <math.h>

#include "base/bytes.h"

enum { BITS = 14, RANK_MOST = 64 - BITS + 1 };

_Static_assert(TRC_DISTINCT_REGISTERS == 1 << BITS, "the upper bits of a hash choose one");

void
trc_distinct_add(struct trc_distinct *d, uint64_t hash)
{
	const uint64_t rest = hash << BITS;
	const unsigned rank = rest ? (unsigned)trc_clz64(rest) + 1 : RANK_MOST;
	uint8_t *most = &d->rank[hash >> (64 - BITS)];

	if (rank > *most)
		*most = (uint8_t)rank;
}

uint64_t
trc_distinct_most(const struct trc_distinct *d)
{
	const double n = TRC_DISTINCT_REGISTERS, error = 1.04 / sqrt(n);
	double sum = 0, empty = 0, about;

	for (unsigned i = 0; i < TRC_DISTINCT_REGISTERS; i++) {
		sum += ldexp(1, -d->rank[i]);
		empty += d->rank[i] == 0;
	}
	about = 0.7213 / (1 + 1.079 / n) * n * n / sum;
	if (about <= 2.5 * n && empty > 0) /* few: by the registers that none of them chose */
		about = n * log(n / empty);
	return (uint64_t)ceil(about * (1 + 4 * error));
}
