/* SPDX-License-Identifier: MIT
 *
 * Pages by number: the first page that a trace touches is 0, the next new one 1, and so on. What is
 * kept for each page is then an array. The memory grows with the distinct pages, 32 to 64 bytes
 * each, not with the references. Zeroed memory may be released.
 */
#ifndef TRC_STAGE_SIMULATE_PAGES_H
#define TRC_STAGE_SIMULATE_PAGES_H

#include "base/map.h"

enum { TRC_PAGES_RECENT_BITS = 11, TRC_PAGES_MOST = 1 << 30 };

/* What a page number stands for. */
struct trc_page_name {
	uint64_t page;
	uint32_t space;
};

/* An entry of the small cache in front of the table. */
struct trc_recent_page {
	uint64_t page;
	uint32_t space, id;
};

/* A place of the hash table: the number of a page, and the hash of its name. */
struct trc_page_place {
	uint32_t after; /* 1 + the number; 0: the place is free */
	uint32_t hash;
};

/* A table of pages by address and space: open addressing, without removal. */
struct trc_pages {
	uint32_t n; /* pages so far, at most TRC_PAGES_MOST */

	/* Private. */
	struct trc_page_name *name; /* of each number */
	size_t names;               /* room */
	struct trc_page_place *place;
	size_t mask;                    /* places - 1; at most half of them are in use */
	struct trc_recent_page *recent; /* a direct-mapped cache in front of the table, or NULL */
	unsigned few;                   /* references numbered without that */
};

int trc_pages_init(struct trc_pages *p, struct trc_err *err) TRC_MUST_USE;
void trc_pages_release(struct trc_pages *p);

/* The numbers of `n` pages, of space space[i] each, or of one space for all if it is NULL. New ones
 * get theirs. On failure some may have got it. */
int trc_pages_number(struct trc_pages *p, const uint64_t *page, const uint32_t *space, size_t n,
                     uint32_t *id, struct trc_err *err) TRC_MUST_USE;

/* Calls `what` for the pages with numbers among `pages` of a space from `first` on, or for all if
 * `pages` is 0. */
typedef int trc_pages_fn(void *of, uint32_t id, struct trc_err *err);
int trc_pages_each(const struct trc_pages *p, uint32_t space, uint64_t first, uint64_t pages,
                   trc_pages_fn *what, void *of, struct trc_err *err) TRC_MUST_USE;

/* Deletes are refused in a part of a trace, and where there are `many` pages in ranges. */
int trc_pages_no_deletes(bool many, uint64_t deletes, struct trc_err *err) TRC_MUST_USE;

/* There are more than TRC_PAGES_MOST. */
int trc_pages_too_many(struct trc_err *err);

#endif
