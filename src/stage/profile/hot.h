/* SPDX-License-Identifier: MIT
 *
 * What is referred to most: references counted by page, line, instruction, task, space or type.
 * Counts are exact; what is kept is one entry for each different one. A reference counts for each
 * page that it touches.
 */
#ifndef TRC_STAGE_PROFILE_HOT_H
#define TRC_STAGE_PROFILE_HOT_H

#include "stage/profile/keys.h"

/* References to one page, by one instruction, and so on. A modify is a read and a write. */
struct trc_hot_entry {
	uint32_t space; /* of a page or an instruction */
	bool modify;    /* private: the first data reference was one */
	uint64_t key;   /* page, address of the instruction, ... */
	uint64_t reads, writes, fetches;

	/* By one instruction: data references that are as far from the one before as that was from
	 * the one before it; how far the last one was; and its address. */
	uint64_t regular, last;
	int64_t stride;

	/* Private: the address of the first data reference, and how far the second was from it. */
	uint64_t first;
	int64_t step;
};

struct trc_hot {
	struct trc_hot_entry *entry; /* the most references first; then by space and key */
	size_t n, cap;
	uint64_t refs;    /* in the trace */
	uint64_t touches; /* what all entries have: more, if references cross pages */
};

/* A sink for any trace that has what is counted by; one of pages by their own number, whatever
 * `bits`. *hot must outlive it; it is whole when the trace has ended, and is to be released in any
 * case. */
struct trc_sink *trc_hot_sink(struct trc_hot *hot, uint32_t have, enum trc_hot_by by, unsigned bits,
                              struct trc_err *err) TRC_MUST_USE;
void trc_hot_release(void *hot);

/* Whether that sink has parts: not by instruction where these are known by the fetches of several
 * tasks. */
bool trc_hot_parts(uint32_t have, enum trc_hot_by by);

/* Takes away what the first records of the trace did; strides went on from them. Entries that
 * nothing referred to since are left out. */
int trc_hot_subtract(void *hot, void *before, struct trc_err *err);

/* Sums up entries whose keys become the same by key(of, key), of all spaces; strides are lost. */
void trc_hot_sum(struct trc_hot *hot, uint64_t (*key)(void *of, uint64_t key), void *of);

/* References of an entry. */
uint64_t trc_hot_refs(const struct trc_hot_entry *e);

#endif
