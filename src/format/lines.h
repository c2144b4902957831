/* SPDX-License-Identifier: MIT
 *
 * The driver that reads line-oriented formats. It finds whole lines a batch at a time, so that the
 * loop of a format sees where each line begins and ends before it looks at it: lines then do not
 * wait for each other in the processor.
 */
#ifndef TRC_FORMAT_LINES_H
#define TRC_FORMAT_LINES_H

#include "base/text.h"
#include "format/probe.h"

/* Lines to parse. Line i is text [i ? eol[i - 1] + 1 : 0, eol[i]), its newline not counted. */
struct trc_lines {
	const uint8_t *text;
	const uint32_t *eol;
	size_t n, rows;        /* how many lines, rows that one may have */
	struct trc_meta *meta; /* for comments that describe the trace */
	void *state;           /* what the format keeps from line to line */

	/* Rows of the first line that went into batches before, of formats where a line may have
	 * more rows than a batch; NULL: those for which there is no room are lost. */
	uint64_t *given;
};

/* The end of a message about a bad line that is the last, and has no newline. */
#define TRC_LINES_UNENDED                                                                        \
	"; the text ends within this line, so it seems truncated; --salvage recovers the lines " \
	"before it"

/* Where line `i` begins, an offset in the text. */
static inline uint32_t
trc_line_start(const struct trc_lines *l, size_t i)
{
	return i ? l->eol[i - 1] + 1 : 0;
}

/* What the parser of one line that is not in canonical form found. */
enum trc_line {
	TRC_LINE_BAD,
	TRC_LINE_SKIP, /* blank, or a comment */
	TRC_LINE_ROW,
};

/* Parses any one line [s, e) into row `n` of `b`. */
typedef enum trc_line (*trc_line_fn)(const uint8_t *s, const uint8_t *e, struct trc_batch *b,
                                     size_t n);

/* Lines that are parsed at once, at most. */
enum { TRC_LINES_AT_ONCE = 512 };

/* Where a number of each line is: its length, and its end as an offset in the text. */
struct trc_number_fields {
	uint32_t end[TRC_LINES_AT_ONCE];
	uint8_t len[TRC_LINES_AT_ONCE + 8];
};

/* Looks at the lines [from, l->n), at most TRC_LINES_AT_ONCE, as long as they are in canonical
 * form: puts into rows b->n, b->n + 1, ... all but the numbers that are left to kernels, and puts
 * into field[0], field[1] where those are. Returns how many. */
typedef size_t (*trc_scan_fn)(const struct trc_lines *l, size_t from, struct trc_batch *b,
                              struct trc_number_fields *field);

enum { TRC_LINES_NUMBERS = 3 };

/* The column that such a number goes into, of 8 or of 4 bytes; NULL in both: there is none. */
struct trc_number {
	bool hex;
	uint64_t *column;
	uint32_t *column4;
};

/* How lines of one row each are parsed: those in canonical form by a scan and kernels, others by
 * `one`. */
struct trc_lines_way {
	trc_scan_fn scan;
	trc_line_fn one;
	struct trc_number number[TRC_LINES_NUMBERS]; /* that field[k] is */
};

/* Appends the rows of the lines [from, l->n), at most TRC_LINES_AT_ONCE, as long as they are in
 * canonical form. Returns how many. */
typedef size_t (*trc_many_fn)(const struct trc_lines *l, size_t from, struct trc_batch *b,
                              const void *how);

/* Appends the rows of line `i`, in any form; false if it is bad. */
typedef bool (*trc_one_fn)(const struct trc_lines *l, size_t i, struct trc_batch *b,
                           const void *how);

/* Copies `n` numbers into a column of 4 bytes; returns how many of the first fit. */
size_t trc_lines_narrow(const uint64_t *v, size_t n, uint32_t *v4);

/* Appends the row of line `i`; false if it is bad. */
bool trc_lines_parse_one(const struct trc_lines *l, size_t i, struct trc_batch *b, trc_line_fn one);

/* The body of a format's parse: line by line; lines in canonical form many at a time; by a scan and
 * kernels; or so with one long hexadecimal field, which goes into `column`. */
size_t trc_lines_parse(const struct trc_lines *l, struct trc_batch *b, trc_line_fn one);
size_t trc_lines_parse_many(const struct trc_lines *l, struct trc_batch *b, trc_many_fn many,
                            trc_one_fn one, const void *how);
size_t trc_lines_parse_scan(const struct trc_lines *l, struct trc_batch *b,
                            const struct trc_lines_way *way);

/* What the scan of a way takes, as trc_lines_parse_many() asks for it. */
size_t trc_lines_scan(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *way);
size_t trc_lines_parse_hex(const struct trc_lines *l, struct trc_batch *b, uint64_t *column,
                           trc_scan_fn scan, trc_line_fn one);

/* Has the format parse the lines of `l`; and puts into `dst` what is wrong with a line that it did
 * not take with this state, "" if the grammar shows it. */
size_t trc_lines_rows(const struct trc_format *f, const struct trc_lines *l, struct trc_batch *b);
void trc_lines_explain(const struct trc_format *f, const void *state, const uint8_t *s,
                       const uint8_t *e, char *dst, size_t room);

struct trc_source *trc_lines_source(const struct trc_format *f, struct trc_in *in,
                                    const void *settings, struct trc_err *err);

/* Behind the byte order mark that some programs begin a text, [p, e), with. */
const uint8_t *trc_lines_pass_mark(const uint8_t *p, const uint8_t *e);

/* True if lines of which format `f` took so many are rather of it than of `other`, which took more:
 * its grammar has more fields and covers all of the line, without '...'. A reduced trace would be
 * taken for an extended din trace with comments. */
bool trc_lines_sees_more(const struct trc_format *f, uint64_t lines,
                         const struct trc_format *other);

/* How sure we are of format `f`: its parser must take every whole line of the head. If it does not,
 * but is nearer to it than head->near, that is set. */
unsigned trc_lines_probe(const struct trc_format *f, const void *settings, struct trc_probe *probe);

#endif
