/* SPDX-License-Identifier: MIT
 *
 * Tables that map the pages of an address space, or of a file, to numbers. The numbers of 32
 * adjacent pages share a leaf; leaves are found by a hash map, and the leaves of each table form a
 * list, so that an operation on a range takes no more time than its existing pages need.
 */
#ifndef TRC_STAGE_SPACE_TABLES_H
#define TRC_STAGE_SPACE_TABLES_H

#include "base/map.h"

enum { TRC_LEAF_BITS = 5, TRC_LEAF_PAGES = 1 << TRC_LEAF_BITS };

/* A leaf of a page table: the numbers of TRC_LEAF_PAGES adjacent pages. */
struct trc_leaf {
	uint64_t chunk;                  /* page >> TRC_LEAF_BITS */
	uint32_t before, next;           /* in the list of its table; 0: none */
	uint32_t used;                   /* number of pages with a number */
	uint32_t number[TRC_LEAF_PAGES]; /* 0: none */
};

/* The leaves of all tables. */
struct trc_tables {
	struct trc_map map;    /* table, chunk -> leaf */
	struct trc_leaf *leaf; /* from 1 */
	size_t leaves, cap;
	uint32_t spare; /* list, through `next`, of unused leaves */
};

/* One table, with a unique `id`. It is empty if all other members are 0. */
struct trc_page_table {
	uint32_t id;
	uint32_t first;  /* its first leaf */
	uint64_t leaves; /* number of leaves */
};

int trc_tables_init(struct trc_tables *p, struct trc_err *err) TRC_MUST_USE;
void trc_tables_release(struct trc_tables *p);

/* Returns the number of a page, or 0 if it has none. */
uint32_t trc_tables_get(const struct trc_tables *p, const struct trc_page_table *t, uint64_t page);

/* Sets the number of a page, which must not be 0. */
int trc_tables_set(struct trc_tables *p, struct trc_page_table *t, uint64_t page, uint32_t number,
                   struct trc_err *err) TRC_MUST_USE;

/* Removes the numbers of pages first to last. */
void trc_tables_drop(struct trc_tables *p, struct trc_page_table *t, uint64_t first, uint64_t last);

/* Calls each() for all numbered pages from first to last, in order. The callback may change this
 * page's number and other tables, but must not add pages to this table. */
typedef int (*trc_page_fn)(void *arg, uint64_t page, uint32_t *number, struct trc_err *err);
int trc_tables_each(struct trc_tables *p, const struct trc_page_table *t, uint64_t first,
                    uint64_t last, trc_page_fn each, void *arg, struct trc_err *err) TRC_MUST_USE;

#endif
