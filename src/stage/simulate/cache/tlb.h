/* SPDX-License-Identifier: MIT
 *
 * TLBs as caches of translations: a sink in front of caches (cache.h) whose lines are entries of
 * TRC_TLB_LINE bytes, one for each page. Pages have one of two sizes:
 *
 *   a huge page is an aligned block of 2^huge_bits bytes that lies completely in one of the ranges,
 *   in any address space; all other addresses are in small pages of 2^bits bytes
 *
 * The set of an entry is selected by the number of its page, of either size, as in TLBs that hold
 * both. A reference looks up each page that it touches, in order of address; a modify does so
 * twice, for its load and then for its store. Rows that are not references look up nothing, and
 * entries are never dirty. Entries belong to an address space, if the trace has spaces.
 *
 * In the caches the look-up of a fetch is a fetch, that of a store is misc, and all others are
 * reads. With `by_size`, look-ups of small pages are fetches and those of huge pages reads. So the
 * halves of a split first level can be for instructions and data, or for the two sizes.
 */
#ifndef TRC_STAGE_SIMULATE_TLB_H
#define TRC_STAGE_SIMULATE_TLB_H

#include "batch/flow.h"

enum { TRC_TLB_LINE = 4, TRC_TLB_RANGES = 64, TRC_TLB_BITS_LEAST = 8 };

/* A range of addresses, inclusive. */
struct trc_tlb_range {
	uint64_t first, last;
};

/* The page sizes, and the ranges of huge pages. */
struct trc_tlb_pages {
	unsigned bits, huge_bits; /* 8 <= bits < huge_bits < 64 */
	bool by_size;
	struct trc_tlb_range huge[TRC_TLB_RANGES];
	size_t n;
};

/* Rounds the ranges to whole huge pages, sorts them, and merges overlaps. */
void trc_tlb_pages_sort(struct trc_tlb_pages *p);

/* Makes a TLB. Takes over `caches` unless it fails. The trace has the columns `have`, with
 * addresses or small pages. *pages must be sorted. */
struct trc_sink *trc_tlb_sink(struct trc_sink *caches, const struct trc_tlb_pages *pages,
                              uint32_t have, struct trc_err *err) TRC_MUST_USE;

#endif
