/* SPDX-License-Identifier: MIT
 *
 * What recognition lends to the drivers: the head of the data, room to try a parser on it, and a
 * note of what came nearest.
 */
#ifndef TRC_FORMAT_PROBE_H
#define TRC_FORMAT_PROBE_H

#include "format/format.h"

enum { TRC_PROBE_ROWS = 256 }; /* that parsers are tried on at a time */

/* The line format that took the most lines before one that it did not take, or fewer, but saw more
 * of them. */
struct trc_lines_nearest {
	const struct trc_format *format; /* NULL: none took any */
	uint64_t lines;
	char text[64];              /* of the line after them */
	char why[200];              /* what is wrong with that line; "": the grammar shows it */
	struct trc_reading reading; /* what might help with it: `propose` */
};

/* What recognition looks at, and what it learns on the way. */
struct trc_probe {
	const uint8_t *p;
	size_t n;
	bool whole;            /* the data ends there */
	bool named;            /* as the format that is tried: all that it can read is likely */
	struct trc_batch rows; /* of all columns, with room for TRC_PROBE_ROWS */
	struct trc_lines_nearest nearest;

	/* Tables that all lines are read as, though nothing shows that they are these. */
	const struct trc_format *fit[TRC_READINGS];
	size_t fits;
};

#endif
