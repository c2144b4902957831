/* SPDX-License-Identifier: MIT
 *
 * A table of requests as it was published: fields that need no --from csv, because their layout is
 * known by its name, and in most files shows. A layout is a row here and a format; the families are
 * in block_layouts.c and object_layouts.c.
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
	TRC_LAYOUT_BY_NAMES, /* not, but by a first line of its names */
	TRC_LAYOUT_BY_TIME,  /* its times are in a range that nothing else is likely to have */
	TRC_LAYOUT_BY_PARTS, /* some times are no whole seconds */
	TRC_LAYOUT_BY_WORDS, /* its fields are as unlike each other as those of no other table */
	TRC_LAYOUT_BY_CODES, /* its types are words that no other table has */
};

/* What reading needs of a layout. */
struct trc_layout {
	const char *names;   /* the first line, which may be missing; NULL: those in `from` */
	const char *from[2]; /* what its fields are as --from csv has it; the first that fits */
	uint8_t fields;      /* of a line; 0: up to the last that is named */
	bool more;           /* others may follow */
	enum trc_layout_shown shown;
	uint64_t least, most;  /* times */
	uint8_t space, spaces; /* the first field that names a space, and how many do; 0: none */
};

/* The `first` and `likely` of a format with this layout. */
bool trc_layout_first(const struct trc_layout *k, struct trc_csv_fields *s, const uint8_t *p,
                      const uint8_t *e, uint32_t *have);
bool trc_layout_likely(const struct trc_layout *k, const struct trc_lines *l,
                       const struct trc_batch *b);

/* Defines line_NAME and more_NAME for the row of a format with layout NAME. */
#define TRC_LAYOUT_CALLS(layout, grammar)                                                 \
	static bool first_##layout(void *state, const void *settings, const uint8_t *p,   \
	                           const uint8_t *e, uint32_t *have)                      \
	{                                                                                 \
		(void)settings;                                                           \
		return trc_layout_first(&(layout), state, p, e, have);                    \
	}                                                                                 \
                                                                                          \
	static bool likely_##layout(const struct trc_lines *l, const struct trc_batch *b) \
	{                                                                                 \
		return trc_layout_likely(&(layout), l, b);                                \
	}                                                                                 \
                                                                                          \
	static const struct trc_line_format line_##layout = { grammar, trc_csv_parse, 0,  \
		                                              first_##layout };           \
                                                                                          \
	static const struct trc_line_more more_##layout = { .likely = likely_##layout,    \
		                                            .explain = trc_csv_explain };

#endif
