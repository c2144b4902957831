/* SPDX-License-Identifier: MIT
 *
 * A table of instruction words by address, for traces that store each word once. A map holds all
 * words. Recently used words are also in a direct-mapped table, adjacent like the instructions,
 * where they are found without hashing. A zeroed struct may be released.
 */
#ifndef TRC_FORMAT_BINARY_INSTRUCTION_TABLE_H
#define TRC_FORMAT_BINARY_INSTRUCTION_TABLE_H

#include "base/map.h"

/* An entry of the table of recent words. */
struct trc_insns_recent {
	uint64_t pc, word;
};

/* The table. */
struct trc_insns {
	struct trc_map map; /* address -> index in `word` */
	uint64_t *word;
	size_t n, cap;
	struct trc_insns_recent *recent;
	size_t places; /* entries in `recent`, a power of 2 */
};

int trc_insns_init(struct trc_insns *w, struct trc_err *err) TRC_MUST_USE;
void trc_insns_release(struct trc_insns *w);

/* Sets the word at `pc`. */
int trc_insns_put(struct trc_insns *w, uint64_t pc, uint64_t word,
                  struct trc_err *err) TRC_MUST_USE;

/* Returns the word at `pc`; 0 if none was set. */
uint64_t trc_insns_get(struct trc_insns *w, uint64_t pc);

/* Returns the entry for `pc`. Most instructions begin at multiples of 4; the low bits of others
 * select distant entries. */
static inline size_t
trc_insns_place(uint64_t pc, size_t places)
{
	return (pc >> 2 ^ (pc & 3) << 10) & (places - 1);
}

/* Looks up the word at `pc` among the recent ones; returns false if it is not there. */
static inline bool
trc_insns_recent(const struct trc_insns *w, uint64_t pc, uint64_t *word)
{
	const struct trc_insns_recent *r = &w->recent[trc_insns_place(pc, w->places)];

	*word = r->word;
	return r->pc == pc;
}

#endif
