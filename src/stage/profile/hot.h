/* SPDX-License-Identifier: MIT
 *
 * Ranks what is referenced most: counts references by page, line, instruction, task, space or type.
 * The counts are exact; memory holds one entry for each distinct key. A reference counts for each
 * page that it touches.
 */
#ifndef TRC_STAGE_PROFILE_HOT_H
#define TRC_STAGE_PROFILE_HOT_H

#include "stage/profile/keys.h"

/* The references to one page, by one instruction, and so on. A modify is a read and a write. */
struct trc_hot_entry {
	uint32_t space; /* of a page or an instruction */
	bool modify;    /* private: the first data reference was a modify */
	uint64_t key;   /* page, address of the instruction, ... */
	uint64_t reads, writes, fetches;

	/* For an instruction: the number of data references with the same distance from the
	 * previous one as that had from its predecessor; the address of the last one; and its
	 * distance. */
	uint64_t regular, last;
	int64_t stride;

	/* Private: the address of the first data reference, and the distance from it to the
	 * second. */
	uint64_t first;
	int64_t step;
};

struct trc_hot {
	struct trc_hot_entry *entry; /* by references, the most first; then by space and key */
	size_t n, cap;
	uint64_t refs;    /* in the trace */
	uint64_t touches; /* sum of all entries; more than refs if references cross pages */
};

/* Opens a sink for any trace that has the columns to count by; a trace of pages is counted by its
 * own pages, whatever `bits`. *hot must outlive the sink; it is complete when the trace has ended,
 * and must be released in any case. */
struct trc_sink *trc_hot_sink(struct trc_hot *hot, uint32_t have, enum trc_hot_by by, unsigned bits,
                              struct trc_err *err) TRC_MUST_USE;
void trc_hot_release(void *hot);

/* Returns true if that sink works on parts. It does not when it counts by instruction and these are
 * found from the fetches of several tasks. */
bool trc_hot_parts(uint32_t have, enum trc_hot_by by);

/* Subtracts the counts of the first records of the trace, after which strides continued. Entries
 * that were not referenced since are removed. */
int trc_hot_subtract(void *hot, void *before, struct trc_err *err);

/* Merges entries, of all spaces, whose keys become equal with key(of, key); strides are lost. */
void trc_hot_sum(struct trc_hot *hot, uint64_t (*key)(void *of, uint32_t space, uint64_t key),
                 void *of);

/* Returns the number of references of an entry. */
uint64_t trc_hot_refs(const struct trc_hot_entry *e);

#endif
