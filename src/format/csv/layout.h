/* SPDX-License-Identifier: MIT
 *
 * A table of requests as it was published: which field is what follows from its name, and in most
 * files the name from the content. A layout is one row of a format, whose `as` is the --from that
 * it stands for; src/README.md has the recipe.
 */
#ifndef TRC_FORMAT_CSV_LAYOUT_H
#define TRC_FORMAT_CSV_LAYOUT_H

#include "format/csv/csv_names.h"

#define TRC_LAYOUT_KEYS (TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME)
#define TRC_LAYOUT_REQUESTS (TRC_LAYOUT_KEYS | TRC_HAS_TYPE)
#define TRC_LAYOUT_READS_AND_WRITES (UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_WRITE)
#define TRC_LAYOUT_CACHED (TRC_LAYOUT_READS_AND_WRITES | UINT32_C(1) << TRC_INVALIDATE)

enum { TRC_LAYOUT_SECOND = 1000000 }; /* microseconds */

/* How a layout shows in its lines. */
enum trc_layout_shown {
	TRC_LAYOUT_BY_NAMES,    /* not, but by a first line of its names */
	TRC_LAYOUT_BY_TIME,     /* its times are in a range that nothing else is likely to have */
	TRC_LAYOUT_BY_PARTS,    /* some times are no whole seconds */
	TRC_LAYOUT_BY_WORDS,    /* its fields, or types, are words that no other table has */
	TRC_LAYOUT_BY_COMMENTS, /* lines stand between its records as in no other table */
	TRC_LAYOUT_BY_SHAPE,    /* its lines have a shape */
};

/* What recognition needs of a layout. */
struct trc_layout {
	const char *names; /* the first line, which may be missing; NULL: the grammar; "": none */
	enum trc_layout_shown shown;
	uint64_t least, most; /* times; 0: any */

	/* What its disks are numbered up to, whose requests are whole blocks of 512 bytes, up to 16
	 * MiB: if most rows are not, this is another table. 0: that is not looked at. */
	uint32_t disk;

	/* What lines of records look like, for BY_SHAPE: 9 is a number, with decimals or not, n one
	 * without, x one after 0x, h hexadecimal digits, with 0x or not, H with 0x or so many as
	 * only data has, z zeros like h, a blank any blanks, an a any letters, an asterisk the
	 * rest, all else itself; a bar is between several, of which any will do, an ampersand
	 * between several that must all be there. */
	const char *shape;

	/* The like for lines that `except` passes over, of which there has to be one, or a comment.
	 * NULL: they may be any, or none. */
	const char *passed;

	/* A field, from 1, whose numbers never fall, in as many lines as make that sure: a time, or
	 * the number of a request. 0: that is not looked at. */
	unsigned rising;
};

/* The `first` of csv, and of formats with a layout. */
bool trc_layout_first(const struct trc_format *f, void *state, const void *settings,
                      const uint8_t *p, const uint8_t *e, uint32_t *have);

extern const struct trc_line_more trc_layout_more;

/* In the row of a format: its grammar, and what its struct trc_layout has; or, of a layout that
 * nothing but a first line of names shows, these names. */
#define TRC_LAYOUT(grammar, ...)                                                                \
	.line = &(const struct trc_line_format){ grammar, trc_csv_parse, 0, trc_layout_first }, \
	.more = &trc_layout_more, .layout = &(const struct trc_layout)                          \
	{                                                                                       \
		__VA_ARGS__                                                                     \
	}
#define TRC_LAYOUT_NAMED(grammar, first) .unshown = true, TRC_LAYOUT(grammar, .names = first)

#endif
