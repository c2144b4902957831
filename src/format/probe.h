/* SPDX-License-Identifier: MIT
 *
 * The data that recognition and the drivers share: the head of the data, room to try a parser on
 * it, and the format that came closest.
 */
#ifndef TRC_FORMAT_PROBE_H
#define TRC_FORMAT_PROBE_H

#include "format/format.h"

enum { TRC_PROBE_ROWS = 256 }; /* rows for which parsers are tried at a time */

/* The line format that accepted the most lines before one that it rejected, or fewer, but with more
 * of their fields. */
struct trc_lines_nearest {
	const struct trc_format *format; /* NULL: none accepted any */
	uint64_t lines;
	char text[64];              /* of the next line */
	char why[200];              /* what is wrong with that line; "": the grammar shows it */
	struct trc_reading reading; /* arguments that might read it: `propose` */
};

/* The ways in which a format would read the head. */
struct trc_proposals {
	const struct trc_format *f;
	struct trc_reading reading[TRC_READINGS];
	unsigned n;
};

/* The input and the intermediate results of recognition. */
struct trc_probe {
	const uint8_t *p;
	size_t n;
	bool whole; /* the data ends there */
	bool part;  /* what a filter left: format/filter.h */
	bool named; /* the name has the ending of the format: all that it accepts is plausible */
	struct trc_batch rows; /* all columns, with room for TRC_PROBE_ROWS */
	struct trc_lines_nearest nearest;
	struct trc_proposals *proposals; /* of the format that was asked last */

	/* Tables that accept all lines, though nothing identifies them. */
	const struct trc_format *candidate[TRC_READINGS];
	size_t candidates;

	/* Lines formats that take all of it. */
	const struct trc_format *taker[TRC_READINGS];
	size_t takers;
};

#endif
