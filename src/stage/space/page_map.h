/* SPDX-License-Identifier: MIT
 *
 * A map from virtual to physical pages, read from a file or built from the markers of a trace. A
 * file is either DynamoRIO's v2p.textproto, with addresses of pages and their size, or a table with
 * lines of virtual page, physical page and, if there are several, address space; these are page
 * numbers, decimal or hexadecimal after 0x. A zeroed struct can be released.
 */
#ifndef TRC_STAGE_SPACE_PAGE_MAP_H
#define TRC_STAGE_SPACE_PAGE_MAP_H

#include "base/map.h"
#include "batch/batch.h"

struct trc_page_map {
	unsigned bits; /* number of bits of the offset in a page */
	bool spaces;   /* pages belong to the space given; otherwise to any space */
	bool marked;   /* built from markers */
	uint64_t *page;
	size_t n;

	/* Private. */
	size_t cap;
	struct trc_map at; /* space, page -> index in `page` */
	uint64_t frame;    /* from the previous marker, for the page in the next one */
};

int trc_page_map_init(struct trc_page_map *p, unsigned bits, struct trc_err *err) TRC_MUST_USE;
void trc_page_map_release(struct trc_page_map *p);

/* Reads a file; the page size in it takes precedence. Fails if a page has two physical pages. */
int trc_page_map_read(struct trc_page_map *p, const char *path, struct trc_err *err) TRC_MUST_USE;

/* Handles row `i`, an event, if it is a marker; markers have no space. */
int trc_page_map_mark(struct trc_page_map *p, const struct trc_batch *b, size_t i,
                      struct trc_err *err) TRC_MUST_USE;

/* Finds the physical page of a page; returns false if it has none. */
bool trc_page_map_find(const struct trc_page_map *p, uint32_t space, uint64_t page,
                       uint64_t *frame);

#endif
