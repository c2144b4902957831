/* SPDX-License-Identifier: MIT
 *
 * The driver that reads line-oriented formats. It finds whole lines a batch at a time, so that the
 * loop of a format sees where each line begins and ends before it looks at it: lines then do not
 * wait for each other in the processor.
 */
#ifndef TRC_FORMAT_LINES_H
#define TRC_FORMAT_LINES_H

#include "base/text.h"
#include "format/head.h"

/* Lines to parse. Line i is text [i ? eol[i - 1] + 1 : 0, eol[i]), its newline not counted. */
struct trc_lines {
	const uint8_t *text;
	const uint32_t *eol;
	size_t n;
	struct trc_meta *meta; /* for comments that tell about the trace */
	void *state;           /* what the format keeps from line to line */
};

/* What the parser of one line that is not in canonical form found. */
enum trc_line {
	TRC_LINE_BAD,
	TRC_LINE_SKIP, /* blank, or a comment */
	TRC_LINE_ROW,
};

/* Parses any one line [s, e) into row `n` of `b`. */
typedef enum trc_line (*trc_line_fn)(const uint8_t *s, const uint8_t *e, struct trc_batch *b,
                                     size_t n);

/* Where the hexadecimal field of a line is: its length, and its end as an offset in the text. */
struct trc_hex_fields {
	uint32_t end[TRC_BATCH_ROWS];
	uint8_t len[TRC_BATCH_ROWS + 8];
};

/* Looks at the lines of `l` from `from` on as long as they are in canonical form: puts into rows
 * b->n, b->n + 1, ... all but one hexadecimal field, and says where that is. Returns how many. */
typedef size_t (*trc_scan_fn)(const struct trc_lines *l, size_t from, struct trc_batch *b,
                              struct trc_hex_fields *hex);

/* The body of a format's parse: line by line, or, for formats with one long hexadecimal field,
 * which goes into `column`, lines in canonical form many at a time. */
size_t trc_lines_parse(const struct trc_lines *l, struct trc_batch *b, trc_line_fn one);
size_t trc_lines_parse_hex(const struct trc_lines *l, struct trc_batch *b, uint64_t *column,
                           trc_scan_fn scan, trc_line_fn one);

struct trc_source *trc_lines_source(const struct trc_format *f, struct trc_in *in,
                                    const void *settings, struct trc_err *err);

/* How sure we are of format `f`: its parser must take every whole line of the head. If it does not,
 * but takes more lines than head->near has, that is set. */
unsigned trc_lines_probe(const struct trc_format *f, struct trc_head *head);

#endif
