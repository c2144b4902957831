/* SPDX-License-Identifier: MIT
 *
 * Pages by number: the first page that a trace touches is 0, the next new one 1, and so on. So the
 * data of each page can be stored in arrays. Memory grows with the number of distinct pages, 32 to
 * 64 bytes each, not with the number of references. A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_PAGES_H
#define TRC_STAGE_SIMULATE_PAGES_H

#include "base/map.h"

enum { TRC_PAGES_RECENT_BITS = 11, TRC_PAGES_MOST = 1 << 30 };

/* The page that a number stands for. */
struct trc_page_name {
	uint64_t page;
	uint32_t space;
};

/* An entry of the small cache in front of the table. */
struct trc_recent_page {
	uint64_t page;
	uint32_t space, id;
};

/* An entry of the hash table: the number of a page, and the hash of its name. */
struct trc_page_place {
	uint32_t after; /* 1 + the number; 0: the entry is free */
	uint32_t hash;
};

/* A table of pages by address and space: open addressing, without removal. */
struct trc_pages {
	uint32_t n; /* number of pages so far, at most TRC_PAGES_MOST */

	/* Private. */
	struct trc_page_name *name; /* by number */
	size_t names;               /* room */
	struct trc_page_place *place;
	size_t mask;                    /* entries - 1; at most half of them are in use */
	struct trc_recent_page *recent; /* a direct-mapped cache in front of the table, or NULL */
	unsigned few;                   /* references numbered before the cache was allocated */
};

int trc_pages_init(struct trc_pages *p, struct trc_err *err) TRC_MUST_USE;
void trc_pages_release(struct trc_pages *p);

/* Returns the entries of the hash table of `n` pages. */
size_t trc_pages_places(size_t n);

/* Sets id[] to the numbers of `n` pages of spaces space[], or of one space if it is NULL. New pages
 * get the next numbers. On failure some of them may have got theirs. */
int trc_pages_number(struct trc_pages *p, const uint64_t *page, const uint32_t *space, size_t n,
                     uint32_t *id, struct trc_err *err) TRC_MUST_USE;

/* Calls `what` for each numbered page among `pages` pages of a space from `first` on, or for all
 * pages if `pages` is 0. */
typedef int trc_pages_fn(void *of, uint32_t id, struct trc_err *err);
int trc_pages_each(const struct trc_pages *p, uint32_t space, uint64_t first, uint64_t pages,
                   trc_pages_fn *what, void *of, struct trc_err *err) TRC_MUST_USE;

/* Fails if there were deletes, which are not supported in a slice of a trace, nor for `many` pages
 * in ranges. */
int trc_pages_no_deletes(bool many, uint64_t deletes, struct trc_err *err) TRC_MUST_USE;

/* Fails because there are more than TRC_PAGES_MOST pages. */
int trc_pages_too_many(struct trc_err *err);

#endif
