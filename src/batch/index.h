/* SPDX-License-Identifier: MIT
 *
 * What may be known of a trace without reading all of it.
 */
#ifndef TRC_BATCH_INDEX_H
#define TRC_BATCH_INDEX_H

#include "batch/counts.h"
#include "batch/flow.h"

/* Rows that are stored together and can be read without those before them. */
struct trc_part {
	uint64_t first, rows;
	uint64_t at, bytes;             /* position and size in the file */
	uint64_t time_first, time_last; /* lowest and highest; 0 if the trace has no times */
	bool fresh;                     /* independent of the parts before it */
};

/* The index of a trace. */
struct trc_index {
	struct trc_counts counts; /* with pages of 2^TRC_COUNTS_PAGE_BITS bytes */
	struct trc_meta meta;     /* as at the end of the trace, but without gaps */
	const struct trc_part *part;
	size_t parts;
};

#endif
