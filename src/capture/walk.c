/* SPDX-License-Identifier: MIT */
#include "capture/walk.h"

#include <string.h>

#include "base/bytes.h"

enum {
	PAGE_BITS = 12,
	LEVEL_BITS = 9,
	LEVELS = 3,
	MODE_SV39 = 8,
	PTE_VALID = 1,
	PTE_LEAF = 0xe, /* readable, writable, executable */
	PTE_ACCESSED = 0x40,
	PTE_DIRTY = 0x80,
};
#define NUMBERS ((UINT64_C(1) << 44) - 1) /* mask of page numbers */

void
trc_walk_forget(struct trc_walks_seen *w)
{
	memset(w->seen, 0xff, sizeof(w->seen));
}

bool
trc_walk_is_new(struct trc_walks_seen *w, enum trc_walk_for what, uint64_t addr, uint64_t at)
{
	const uint64_t page = addr >> PAGE_BITS, to = at >> PAGE_BITS;
	const unsigned i = page % TRC_WALK_PAGES;

	if (w->seen[what][i].page == page && w->seen[what][i].at == to)
		return false;
	w->seen[what][i].page = page;
	w->seen[what][i].at = to;
	return true;
}

uint64_t
trc_walk_path(uint64_t satp, uint64_t addr, const uint8_t *ram, uint64_t start, uint64_t len,
              struct trc_walk_path *path)
{
	uint64_t table = (satp & NUMBERS) << PAGE_BITS;

	path->n = 0;
	if (satp >> 60 != MODE_SV39)
		return UINT64_MAX;
	for (int level = LEVELS - 1; level >= 0; level--) {
		const unsigned shift = PAGE_BITS + LEVEL_BITS * (unsigned)level;
		const uint64_t at = table + 8 * (addr >> shift & ((1u << LEVEL_BITS) - 1));
		const uint64_t below = (UINT64_C(1) << shift) - 1;
		uint64_t pte;

		if (at < start || at - start > len - 8)
			return UINT64_MAX;
		path->entry[path->n++] = at;
		pte = trc_le64(ram + (at - start));
		if (!(pte & PTE_VALID))
			return UINT64_MAX;
		table = (pte >> 10 & NUMBERS) << PAGE_BITS;
		if (pte & PTE_LEAF)
			return (table & ~below) | (addr & below);
	}
	return UINT64_MAX;
}

bool
trc_walk_marks(uint64_t before, uint64_t now)
{
	const uint64_t marks = PTE_ACCESSED | PTE_DIRTY;

	return before & PTE_VALID && before != now && (before | (now & marks)) == now &&
	       (before & ~marks) == (now & ~marks);
}
