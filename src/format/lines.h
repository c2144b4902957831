/* SPDX-License-Identifier: MIT
 *
 * The driver that reads line formats. It finds the ends of a batch of lines first, so that the loop
 * of a format knows where each line begins and ends before it reads it: then lines do not wait for
 * each other in the processor.
 */
#ifndef TRC_FORMAT_LINES_H
#define TRC_FORMAT_LINES_H

#include "base/text.h"
#include "format/probe.h"

/* Lines to parse. Line i is text [i ? eol[i - 1] + 1 : 0, eol[i]), without its newline. */
struct trc_lines {
	const uint8_t *text;
	const uint32_t *eol;
	size_t n, rows;        /* number of lines; maximum rows of one */
	struct trc_meta *meta; /* for comments that describe the trace */
	void *state;           /* of the format, between lines */

	/* Rows of the first line that are in earlier batches, for formats in which a line may have
	 * more rows than a batch; NULL: rows without room are lost. */
	uint64_t *given;
};

/* The end of a message about an invalid line that is the last and has no newline. */
#define TRC_LINES_UNENDED                                                                        \
	"; the text ends within this line, so it seems truncated; --salvage recovers the lines " \
	"before it"

/* Returns the beginning of line `i`, an offset in the text. */
static inline uint32_t
trc_line_start(const struct trc_lines *l, size_t i)
{
	return i ? l->eol[i - 1] + 1 : 0;
}

/* Maximum number of lines parsed at once. */
enum { TRC_LINES_AT_ONCE = 512 };

/* The position of a number in each line: its length, and its end as an offset in the text. */
struct trc_number_fields {
	uint32_t end[TRC_LINES_AT_ONCE];
	uint8_t len[TRC_LINES_AT_ONCE + 8];
};

/* Appends the rows of line `i`, in any form; returns false if it is invalid. */
typedef bool (*trc_one_fn)(const struct trc_lines *l, size_t i, struct trc_batch *b,
                           const void *how);

/* Copies `n` numbers to a column of 4 bytes; returns how many of the first ones fit. */
size_t trc_lines_narrow(const uint64_t *v, size_t n, uint32_t *v4);

/* Copies `n` numbers to a column of 4 bytes; returns how many of the first ones fit. */
size_t trc_lines_narrow(const uint64_t *v, size_t n, uint32_t *v4);

/* Appends the row of line `i`; returns false if it is invalid. */
bool trc_lines_parse_one(const struct trc_lines *l, size_t i, struct trc_batch *b, trc_line_fn one);

/* Implement the parse function of a format: line by line; in a way that depends on its settings; or
 * many lines in canonical form at once, and others one by one. */
size_t trc_lines_parse(const struct trc_lines *l, struct trc_batch *b, trc_line_fn one);
size_t trc_lines_parse_way(const struct trc_lines *l, struct trc_batch *b,
                           const struct trc_lines_way *way, trc_many_fn many);
size_t trc_lines_parse_many(const struct trc_lines *l, struct trc_batch *b, trc_many_fn many,
                            trc_one_fn one, const void *how);

/* The `many` function of a way with a scan. */
size_t trc_lines_scan(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *way);

/* The first lets the format parse the lines of `l`. The second writes what is wrong with a line
 * that it rejected with this state to `dst`; "" if the grammar shows it. */
size_t trc_lines_rows(const struct trc_format *f, const struct trc_lines *l, struct trc_batch *b);
void trc_lines_explain(const struct trc_format *f, const void *state, const uint8_t *s,
                       const uint8_t *e, char *dst, size_t room);

/* Opens a source of the rows of a text format. It owns `in` on success. */
struct trc_source *trc_lines_source(const struct trc_format *f, struct trc_in *in,
                                    const void *settings, struct trc_err *err);

/* Skips the byte order mark with which some programs begin a text, [p, e). */
const uint8_t *trc_lines_pass_mark(const uint8_t *p, const uint8_t *e);

/* Returns true if lines of which format `f` accepted `lines` rather belong to it than to `other`,
 * which accepted more: its grammar has more fields and covers the whole line, without '...'.
 * Otherwise a reduced trace would be taken for an extended din trace with comments. */
bool trc_lines_sees_more(const struct trc_format *f, uint64_t lines,
                         const struct trc_format *other);

/* Returns the bid of format `f`: its parser must accept each complete line of the head. If it does
 * not, but comes closer than probe->nearest, sets that. */
unsigned trc_lines_probe(const struct trc_format *f, const void *settings, struct trc_probe *probe);

#endif
