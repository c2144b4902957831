/* SPDX-License-Identifier: MIT
 *
 * A published table of requests. The name of a layout determines its fields, and in most files the
 * content determines the name. A layout is one row of a format, whose `as` is the --from that it
 * stands for; src/README.md has the recipe.
 */
#ifndef TRC_FORMAT_CSV_LAYOUT_H
#define TRC_FORMAT_CSV_LAYOUT_H

#include "format/csv/csv_names.h"

#define TRC_LAYOUT_KEYS (TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME)
#define TRC_LAYOUT_REQUESTS (TRC_LAYOUT_KEYS | TRC_HAS_TYPE)
#define TRC_LAYOUT_READS_AND_WRITES (UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_WRITE)
#define TRC_LAYOUT_CACHED (TRC_LAYOUT_READS_AND_WRITES | UINT32_C(1) << TRC_INVALIDATE)

enum { TRC_LAYOUT_SECOND = 1000000 }; /* microseconds */

/* How a layout is recognised. */
enum trc_layout_shown {
	TRC_LAYOUT_BY_NAMES,    /* only by a first line of its names */
	TRC_LAYOUT_BY_TIME,     /* its times are in a range that is unlikely for anything else */
	TRC_LAYOUT_BY_PARTS,    /* some times are not whole seconds */
	TRC_LAYOUT_BY_WORDS,    /* its fields, or types, are words that no other table has */
	TRC_LAYOUT_BY_COMMENTS, /* there are lines between its records as in no other table */
	TRC_LAYOUT_BY_SHAPE,    /* its lines have a shape */
};

/* The properties by which a layout is recognised. */
struct trc_layout {
	const char *names; /* the first line, which may be missing; NULL: the grammar; "": none */
	enum trc_layout_shown shown;
	uint64_t least, most; /* range of times; 0: any */

	/* The largest number of its disks, whose requests are whole blocks of 512 bytes, up to 16
	 * MiB: if most rows do not match, it is another table. 0: not checked. */
	uint32_t disk;

	/* The shape of records, for BY_SHAPE, and of those that may be proposed BY_NAMES: 9 is a
	 * number, with decimals or not, n one without, x one after 0x, h hexadecimal digits, with
	 * 0x or not, H with 0x or as long as only data can be, z zeros like h, a blank any blanks,
	 * an a any letters, w anything but blanks, an asterisk the rest, and anything else itself.
	 * A bar separates alternatives; an ampersand separates shapes that must all occur. */
	const char *shape;

	/* The shape of lines that `except` skips; at least one of these, or a comment, must occur.
	 * NULL: they are not checked. */
	const char *passed;

	/* A field, from 1, whose numbers never decrease, in enough lines to be certain: a time, or
	 * the number of a request. 0: not checked. */
	unsigned rising;
};

/* The member `first` of csv, and of formats with a layout. */
bool trc_layout_first(const struct trc_format *f, void *state, const void *settings,
                      const uint8_t *p, const uint8_t *e, uint32_t *have);

extern const struct trc_line_more trc_layout_more;

/* The row of a format: its grammar, and the members of its struct trc_layout; or, for a layout that
 * is only recognised by a first line of names, these names. */
#define TRC_LAYOUT(grammar, ...)                                               \
	TRC_LINES(grammar, .parse = trc_csv_parse, .first = trc_layout_first), \
	        .more = &trc_layout_more, .layout = &(const struct trc_layout) \
	{                                                                      \
		__VA_ARGS__                                                    \
	}
#define TRC_LAYOUT_NAMED(grammar, first) .unshown = true, TRC_LAYOUT(grammar, .names = first)

#endif
