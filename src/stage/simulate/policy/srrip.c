/* SPDX-License-Identifier: MIT
 *
 * SRRIP of 2 bits with hit priority (A. Jaleel, K. B. Theobald, S. C. Steely, J. Emer, "High
 * performance cache replacement using re-reference interval prediction", ISCA 2010): a line is
 * inserted with value 2, and gets 0 when it is used. The lowest way with value 3 is evicted; while
 * there is none, all values are incremented. The value of an empty way does not matter, as it is
 * filled before any line is evicted.
 */
#include <string.h>

#include "stage/simulate/policy/policy.h"

enum { NEAR = 0, LONG = 2, DISTANT = 3 };

struct srrip {
	size_t ways;
	uint8_t *value; /* for each way, set by set */
};

static void
srrip_use(void *state, size_t set, uint32_t way)
{
	struct srrip *s = state;

	s->value[set * s->ways + way] = NEAR;
}

static uint32_t
srrip_victim(void *state, size_t set)
{
	struct srrip *s = state;
	uint8_t *value = s->value + set * s->ways;
	const uint8_t *distant;

	while (!(distant = memchr(value, DISTANT, s->ways)))
		for (size_t k = 0; k < s->ways; k++)
			value[k]++;
	return (uint32_t)(distant - value);
}

static void
srrip_fill(void *state, size_t set, uint32_t way, uint64_t line)
{
	struct srrip *s = state;

	(void)line;
	s->value[set * s->ways + way] = LONG;
}

const struct trc_policy trc_policy_srrip = {
	.name = "srrip",
	.doc = "2-bit SRRIP with hit priority (Jaleel, Theobald, Steely, Emer 2010): a line is "
	       "inserted with value 2, and a hit sets it to 0; evict the lowest way with value 3; "
	       "while there is none, increment all values",
	.counts = true,
	.size = sizeof(struct srrip),
	.array = { TRC_OF_WAYS(struct srrip, value) },
	.use = srrip_use,
	.victim = srrip_victim,
	.fill = srrip_fill
};
