/* SPDX-License-Identifier: MIT
 *
 * The accesses of the page table walker, which plugins cannot observe: they are found by walking
 * the tables in the same way. Sv39 (RISC-V Instruction Set Manual, volume II, 20211203, section
 * 4.4).
 */
#ifndef TRC_CAPTURE_WALK_H
#define TRC_CAPTURE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum trc_walk_for { TRC_WALK_FETCH, TRC_WALK_LOAD, TRC_WALK_STORE, TRC_WALK_KINDS };

enum { TRC_WALK_PAGES = 256 };

/* Translations whose walk was recorded. */
struct trc_walks_seen {
	struct {
		uint64_t page, at; /* virtual and physical page */
	} seen[TRC_WALK_KINDS][TRC_WALK_PAGES];
};

/* Addresses of up to three entries, from the root on. */
struct trc_walk_path {
	uint64_t entry[3];
	int n;
};

/* Forgets all translations, as the processor does at an SFENCE.VMA after page tables changed. */
void trc_walk_forget(struct trc_walks_seen *w);

/* Returns true if the walk from `addr` to `at` was not recorded since, and counts it as
 * recorded. */
bool trc_walk_is_new(struct trc_walks_seen *w, enum trc_walk_for what, uint64_t addr, uint64_t at);

/* Walks the tables that satp points to for `addr`, and lists the entries that are read. RAM is
 * `ram`, `len` bytes from `start` on. Returns the physical address, or UINT64_MAX if the address is
 * unmapped. */
uint64_t trc_walk_path(uint64_t satp, uint64_t addr, const uint8_t *ram, uint64_t start,
                       uint64_t len, struct trc_walk_path *path);

/* Returns true if `now` is what the walker makes of the entry `before`. */
bool trc_walk_marks(uint64_t before, uint64_t now);

#endif
