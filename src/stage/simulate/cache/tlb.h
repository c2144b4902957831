/* SPDX-License-Identifier: MIT
 *
 * TLBs as caches of translations: a sink in front of caches (cache.h) whose lines are entries of
 * TRC_TLB_LINE bytes, each for a page. A page is of one of two sizes:
 *
 *   a huge page is an aligned block of 2^huge_bits bytes that lies in the ranges as a whole, in any
 *   address space; all other addresses are in small pages of 2^bits bytes
 *
 * The set of an entry is chosen by the number of its page, of either size, as it is in TLBs that
 * hold both. A reference looks each page up that it touches, in order of addresses; a modify does
 * so twice, for its load and then for its store. What is no reference looks up nothing, and no
 * entry is ever dirty. Entries are of an address space, where the trace has these.
 *
 * To the caches a fetch is a fetch, a store misc, and all else a read; or with `by_size` what looks
 * a small page up a fetch, a huge one a read: so the halves of a split first level can be one for
 * instructions and one for data, or one for each size.
 */
#ifndef TRC_STAGE_SIMULATE_TLB_H
#define TRC_STAGE_SIMULATE_TLB_H

#include "batch/flow.h"

enum { TRC_TLB_LINE = 4, TRC_TLB_RANGES = 64, TRC_TLB_BITS_LEAST = 8 };

/* Addresses, both ends among them. */
struct trc_tlb_range {
	uint64_t first, last;
};

/* The pages. */
struct trc_tlb_pages {
	unsigned bits, huge_bits; /* 8 <= bits < huge_bits < 64 */
	bool by_size;
	struct trc_tlb_range huge[TRC_TLB_RANGES];
	size_t n;
};

/* Takes ranges as they were given: leaves in them whole huge pages, in order, none twice. */
void trc_tlb_pages_sort(struct trc_tlb_pages *p);

/* Takes over `caches` unless it fails; the trace has the columns `have`, addresses or pages, which
 * are small ones then. *pages was sorted. */
struct trc_sink *trc_tlb_sink(struct trc_sink *caches, const struct trc_tlb_pages *pages,
                              uint32_t have, struct trc_err *err) TRC_MUST_USE;

#endif
