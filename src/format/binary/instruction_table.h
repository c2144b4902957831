/* SPDX-License-Identifier: MIT
 *
 * A table of instruction words by address, for traces that hold each once. A map holds all of them;
 * those looked up last have a place of their own, side by side as the instructions are, where they
 * are found without hashing. Zeroed memory may be released.
 */
#ifndef TRC_FORMAT_BINARY_INSTRUCTION_TABLE_H
#define TRC_FORMAT_BINARY_INSTRUCTION_TABLE_H

#include "base/map.h"

/* One of the places for recent words. */
struct trc_insns_recent {
	uint64_t pc, word;
};

/* The table. */
struct trc_insns {
	struct trc_map map; /* of an address to its place in `word` */
	uint64_t *word;
	size_t n, cap;
	struct trc_insns_recent *recent;
	size_t places; /* for recent ones, a power of 2 */
};

int trc_insns_init(struct trc_insns *w, struct trc_err *err) TRC_MUST_USE;
void trc_insns_release(struct trc_insns *w);

/* Sets the word at `pc`. */
int trc_insns_put(struct trc_insns *w, uint64_t pc, uint64_t word,
                  struct trc_err *err) TRC_MUST_USE;

/* The word at `pc`; 0 if none was set. */
uint64_t trc_insns_get(struct trc_insns *w, uint64_t pc);

/* Most instructions begin at multiples of 4; what does not goes elsewhere. */
static inline size_t
trc_insns_place(uint64_t pc, size_t places)
{
	return (pc >> 2 ^ (pc & 3) << 10) & (places - 1);
}

/* The word at `pc` if it is among the recent ones; else false. */
static inline bool
trc_insns_recent(const struct trc_insns *w, uint64_t pc, uint64_t *word)
{
	const struct trc_insns_recent *r = &w->recent[trc_insns_place(pc, w->places)];

	*word = r->word;
	return r->pc == pc;
}

#endif
