/* SPDX-License-Identifier: MIT
 *
 * A map of the memory that a program touches over time: addresses against time, in one pass and in
 * bounded memory, however long the trace is and however far apart its addresses are.
 *
 * Both axes are divided evenly: time into spans of the same number of references, addresses into
 * granules of the same number of bytes. Both begin small. When there are too many spans or
 * granules, each pair of adjacent ones is merged, so nothing needs to be known in advance.
 */
#ifndef TRC_STAGE_PROFILE_ADDRESS_MAP_H
#define TRC_STAGE_PROFILE_ADDRESS_MAP_H

#include "batch/flow.h"

enum {
	TRC_ADDRESS_MAP_SPANS = 2048,
	TRC_ADDRESS_MAP_GRANULES = 1 << 14,

	/* What happens to a granule in a span, as a bit mask: */
	TRC_TOUCH_READ = 1,
	TRC_TOUCH_WRITE = 2,
	TRC_TOUCH_FETCH = 4,
};

/* A granule: bytes of an address space that were touched. */
struct trc_address_map_row {
	uint32_t space;
	uint64_t granule; /* address >> bits */
	uint8_t *touch;   /* for each span */
};

struct trc_address_map {
	struct trc_address_map_row *row; /* sorted by space, then by granule */
	size_t rows;
	unsigned bits; /* log2 of the size of a granule in bytes, or in pages */
	bool pages;    /* granules are in pages of unknown size */
	uint8_t seen;  /* all kinds of touches that occur; 0 if the trace has no types */
	uint64_t span; /* references per span */
	size_t spans;  /* number of spans with references */
	uint64_t refs;
	uint8_t *touches; /* private: the touches of all rows */
};

/* Opens a sink for any trace with addresses or pages. *map must outlive it; it is complete when the
 * trace has ended, and must be released in any case. */
struct trc_sink *trc_address_map_sink(struct trc_address_map *map, uint32_t have,
                                      struct trc_err *err) TRC_MUST_USE;
void trc_address_map_release(void *map);

#endif
