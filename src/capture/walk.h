/* SPDX-License-Identifier: MIT
 *
 * What the walker of page tables reads and writes, which no plugin is shown: found by walking with
 * it. Sv39 (RISC-V Instruction Set Manual, volume II, 20211203, section 4.4).
 */
#ifndef TRC_CAPTURE_WALK_H
#define TRC_CAPTURE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum trc_walk_for { TRC_WALK_FETCH, TRC_WALK_LOAD, TRC_WALK_STORE, TRC_WALK_KINDS };

enum { TRC_WALK_PAGES = 256 };

/* Translations whose walk was seen. */
struct trc_walk {
	struct {
		uint64_t page, at; /* virtual and physical */
	} seen[TRC_WALK_KINDS][TRC_WALK_PAGES];
};

/* Up to three entries, from the root on. */
struct trc_walk_path {
	uint64_t entry[3];
	int n;
};

/* Forgets all, as the processor does by the SFENCE.VMA of whoever changed page tables. */
void trc_walk_forget(struct trc_walk *w);

/* True if the walk from `addr` to `at` was not seen since; it counts as seen from now on. */
bool trc_walk_is_new(struct trc_walk *w, enum trc_walk_for what, uint64_t addr, uint64_t at);

/* The entries that are read for `addr` by the tables that satp points to, in RAM, which is `ram` of
 * `len` bytes from `start` on. Returns the physical address, or UINT64_MAX if they lead nowhere. */
uint64_t trc_walk_path(uint64_t satp, uint64_t addr, const uint8_t *ram, uint64_t start,
                       uint64_t len, struct trc_walk_path *path);

/* True if `now` is what the walker makes of an entry that was `before`. */
bool trc_walk_marks(uint64_t before, uint64_t now);

#endif
