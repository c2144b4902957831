/* SPDX-License-Identifier: MIT
 *
 * Tables of pages: which number a page of a space, or of a file, has. Numbers of 32 neighbours
 * stand in one leaf, leaves are found by a hash map, and those of one table are a list, so that
 * what is to be done to a range costs no more than the pages that are there.
 */
#ifndef TRC_STAGE_SPACE_TABLES_H
#define TRC_STAGE_SPACE_TABLES_H

#include "base/map.h"

enum { TRC_LEAF_BITS = 5, TRC_LEAF_PAGES = 1 << TRC_LEAF_BITS };

/* A leaf of a page table: the numbers of TRC_LEAF_PAGES neighbouring pages. */
struct trc_leaf {
	uint64_t chunk;                  /* page >> TRC_LEAF_BITS */
	uint32_t before, behind;         /* in the list of its table; 0: none */
	uint32_t used;                   /* pages that have a number */
	uint32_t number[TRC_LEAF_PAGES]; /* 0: none */
};

/* All tables together. */
struct trc_tables {
	struct trc_map map;    /* table, chunk -> leaf */
	struct trc_leaf *leaf; /* from 1 */
	size_t leaves, cap;
	uint32_t spare; /* list, through `behind`, of leaves that are not in use */
};

/* One table, with an `id` of its own. Empty if all other members are 0. */
struct trc_page_table {
	uint32_t id;
	uint32_t first;  /* leaf */
	uint64_t leaves; /* how many */
};

int trc_tables_init(struct trc_tables *p, struct trc_err *err) TRC_MUST_USE;
void trc_tables_release(struct trc_tables *p);

/* The number of a page, 0 if it has none. */
uint32_t trc_tables_get(const struct trc_tables *p, const struct trc_page_table *t, uint64_t page);

/* Gives a page a number that is not 0. */
int trc_tables_set(struct trc_tables *p, struct trc_page_table *t, uint64_t page, uint32_t number,
                   struct trc_err *err) TRC_MUST_USE;

/* Takes the numbers of pages first to last away. */
void trc_tables_drop(struct trc_tables *p, struct trc_page_table *t, uint64_t first, uint64_t last);

/* Calls each() for the pages first to last that have a number, in order. It may change numbers of
 * other tables, and this page's, but add none to this table. */
typedef int (*trc_page_fn)(void *arg, uint64_t page, uint32_t *number, struct trc_err *err);
int trc_tables_each(struct trc_tables *p, const struct trc_page_table *t, uint64_t first,
                    uint64_t last, trc_page_fn each, void *arg, struct trc_err *err) TRC_MUST_USE;

#endif
