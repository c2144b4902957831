/* SPDX-License-Identifier: MIT
 *
 * Estimates the number of distinct values in constant memory (HyperLogLog; P. Flajolet, E. Fusy,
 * O. Gandouet, F. Meunier, AofA 2007), for plans; answers count exactly.
 */
#ifndef TRC_STAGE_PROFILE_DISTINCT_H
#define TRC_STAGE_PROFILE_DISTINCT_H

#include <stdint.h>

enum { TRC_DISTINCT_REGISTERS = 1 << 14 };

/* Zeroed: there was no value. */
struct trc_distinct {
	uint8_t rank[TRC_DISTINCT_REGISTERS];
};

/* Adds a value by its hash. */
void trc_distinct_add(struct trc_distinct *d, uint64_t hash);

/* Returns an upper limit of the number of distinct values: 4 standard errors, 3.3 %, above the
 * estimate. */
uint64_t trc_distinct_most(const struct trc_distinct *d);

#endif
