/* SPDX-License-Identifier: MIT
 *
 * Where a program touches memory when: addresses against time, in one pass and bounded memory,
 * however long the trace is and however far its addresses lie apart.
 *
 * Both are divided evenly: time into spans of as many references, addresses into granules of as
 * many bytes. Both begin small. When there are too many spans, two become one; when there are too
 * many granules, two become one. So nothing need be known beforehand.
 */
#ifndef TRC_STAGE_PROFILE_ADDRESS_MAP_H
#define TRC_STAGE_PROFILE_ADDRESS_MAP_H

#include "batch/flow.h"

enum {
	TRC_ADDRESS_MAP_SPANS = 2048,
	TRC_ADDRESS_MAP_GRANULES = 1 << 14,

	/* What a granule sees in a span, any of: */
	TRC_TOUCH_READ = 1,
	TRC_TOUCH_WRITE = 2,
	TRC_TOUCH_FETCH = 4,
};

/* A granule: some bytes of a space that were touched. */
struct trc_address_map_row {
	uint32_t space;
	uint64_t granule; /* address >> bits */
	uint8_t *touch;   /* in each span */
};

struct trc_address_map {
	struct trc_address_map_row *row; /* in order of space, then of granules */
	size_t rows;
	unsigned bits; /* log2 of the bytes of a granule, or of its pages */
	bool pages;    /* granules are of pages whose size is not known */
	uint8_t seen;  /* all that any of them sees; 0 if the trace has no types */
	uint64_t span; /* references */
	size_t spans;  /* that have any */
	uint64_t refs;
	uint8_t *touches; /* private: of all rows */
};

/* A sink for any trace with addresses or pages. *map must outlive it; it is whole when the trace
 * has ended, and is to be released in any case. */
struct trc_sink *trc_address_map_sink(struct trc_address_map *map, uint32_t have,
                                      struct trc_err *err) TRC_MUST_USE;
void trc_address_map_release(void *map);

#endif
