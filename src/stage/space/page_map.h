/* SPDX-License-Identifier: MIT
 *
 * Which physical page a page has: a map from a file, or one that grows by the markers of a trace.
 * A file is DynamoRIO's v2p.textproto, whose addresses are those of pages of the size that stands
 * there, or a table: virtual page, physical page, and its space if there are several, numbers of
 * pages, hexadecimal behind 0x. Zeroed memory may be released.
 */
#ifndef TRC_STAGE_SPACE_PAGE_MAP_H
#define TRC_STAGE_SPACE_PAGE_MAP_H

#include "base/map.h"
#include "batch/batch.h"

struct trc_page_map {
	unsigned bits; /* of an address within a page */
	bool spaces;   /* pages are of the space that they stand with; else of any */
	bool marked;   /* it grows by markers */
	uint64_t *page;
	size_t n;

	/* Private. */
	size_t cap;
	struct trc_map at; /* space, page -> place of `page` */
	uint64_t frame;    /* of the marker before, whose page the next one has */
};

int trc_page_map_init(struct trc_page_map *p, unsigned bits, struct trc_err *err) TRC_MUST_USE;
void trc_page_map_release(struct trc_page_map *p);

/* Reads a file, whose own size of pages goes before. A page that has two is refused. */
int trc_page_map_read(struct trc_page_map *p, const char *path, struct trc_err *err) TRC_MUST_USE;

/* Takes row `i`, an event, if it is a marker: these have no space. */
int trc_page_map_mark(struct trc_page_map *p, const struct trc_batch *b, size_t i,
                      struct trc_err *err) TRC_MUST_USE;

/* The physical page of a page; false: it has none. */
bool trc_page_map_find(const struct trc_page_map *p, uint32_t space, uint64_t page,
                       uint64_t *frame);

#endif
