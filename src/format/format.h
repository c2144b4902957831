/* SPDX-License-Identifier: MIT
 *
 * Formats: rows that make a source from bytes and a sink to bytes.
 *
 * A format, or a family of related formats, is one file that exports an array of rows,
 * `trc_family_NAME`, and one word in the list in meson.build. Everything else follows: --from and
 * --to, help, completion, recognition, the round-trip, batch-cut and fuzz tests, the benchmark.
 */
#ifndef TRC_FORMAT_FORMAT_H
#define TRC_FORMAT_FORMAT_H

#include "base/io/in.h"
#include "base/opt.h"
#include "base/io/out.h"
#include "batch/flow.h"

struct trc_format;
struct trc_layout; /* a table known by name: csv/layout.h */
struct trc_lines;
struct trc_number_fields; /* of lines.h */
struct trc_member_format; /* reads and writes records after a header: member.h */

/* Bytes of state of a format between lines when reading, and between rows when writing: zeroed at
 * the beginning. */
enum { TRC_FORMAT_STATE = 2816 };

/* The result of parsing one line. */
enum trc_line {
	TRC_LINE_BAD,
	TRC_LINE_SKIP, /* blank, or a comment */
	TRC_LINE_ROW,
};

/* Parses any line [s, e) into row `n` of `b`. */
typedef enum trc_line (*trc_line_fn)(const uint8_t *s, const uint8_t *e, struct trc_batch *b,
                                     size_t n);

/* Scans the lines [from, l->n), at most TRC_LINES_AT_ONCE, while they are in canonical form. Stores
 * everything in rows b->n, b->n + 1, ... except the numbers that kernels will parse, whose
 * positions it stores in field[0], field[1], ... Returns the number of lines. */
typedef size_t (*trc_scan_fn)(const struct trc_lines *l, size_t from, struct trc_batch *b,
                              struct trc_number_fields *field);

/* Appends the rows of the lines [from, l->n), at most TRC_LINES_AT_ONCE, while they are in
 * canonical form. Returns the number of lines. */
typedef size_t (*trc_many_fn)(const struct trc_lines *l, size_t from, struct trc_batch *b,
                              const void *how);

enum { TRC_LINES_NUMBERS = 3 };

/* How to parse lines of one row each: those in canonical form by a scan and kernels for the numbers
 * in field[0], field[1], ...; others by `one`. */
struct trc_lines_way {
	trc_line_fn one;
	trc_scan_fn scan; /* NULL: `one` parses all lines */
	struct trc_number {
		enum trc_column column; /* TRC_COL_TYPE: none */
		unsigned base;          /* 10 or 16 */
	} number[TRC_LINES_NUMBERS];
};

/* How to read lines; lines.c is the driver. */
struct trc_line_format {
	const char *grammar; /* of a line, a word for each field: "LABEL ADDRESS" */

	/* Parses the lines of `l` and appends their rows to `b`, which has room for one row per
	 * line, and for all rows of the first line. Returns the number of valid lines: fewer than
	 * l->n if the next line does not match the grammar, or if `b` has no room for `rows` more
	 * rows. NULL: lines are parsed in the way below, or by `take` of trc_line_more. */
	size_t (*parse)(const struct trc_lines *l, struct trc_batch *b);
	struct trc_lines_way way;
	trc_many_fn many; /* instead of the scan; NULL: the scan */

	size_t rows; /* maximum rows per line; 0: one */

	/* Sets *have to the columns of a trace of format `f`, given its first line [s, e), for
	 * formats in which they vary; parse gets the line, too. Returns false if no trace begins
	 * with this line. NULL: the columns are those that the format holds. */
	bool (*first)(const struct trc_format *f, void *state, const void *settings,
	              const uint8_t *s, const uint8_t *e, uint32_t *have);
};

/* A struct within the row of a format: TRC_ROW(trc_line_more, .head = head). */
#define TRC_ROW(type, ...)   \
	&(const struct type) \
	{                    \
		__VA_ARGS__  \
	}

/* The member `line` of a format: the grammar, and more members. */
#define TRC_LINES(words, ...) .line = TRC_ROW(trc_line_format, .grammar = words, __VA_ARGS__)

/* How to read binary records of one size; records.c is the driver. */
struct trc_record_format {
	size_t size;   /* of a record, in bytes */
	unsigned bits; /* checked by parsing a record, for recognition */

	/* Parses `n` records at `p` and appends a row for each to `b`, which has room for all of
	 * them. Returns the number of valid records. */
	size_t (*parse)(const uint8_t *p, size_t n, struct trc_batch *b);
};

/* How to read binary records of several lengths, or with several rows each; packets.c is the
 * driver. */
struct trc_packet_format {
	size_t longest; /* maximum bytes of a record */
	size_t rows;    /* maximum rows of a record */
	size_t state;   /* bytes of state of parse, zeroed before the first record */

	/* Examines the head of the data, consumes a header if there is one, and sets src->have and
	 * other properties. NULL: there is no header, and the columns are those that the format
	 * holds. */
	int (*begin)(void *state, struct trc_in *in, const void *settings, struct trc_source *src,
	             struct trc_err *err);

	/* Parses complete records of [*p, end) while `b` has room for `rows` more, and moves *p
	 * past the last of them. Returns -1 if the record at *p is invalid, with the reason in
	 * *err. */
	int (*parse)(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
	             struct trc_err *err);

	/* Called at the end of the data: fails if something is missing. NULL: nothing can be. */
	int (*end)(void *state, struct trc_err *err);

	void (*release)(void *state); /* frees what the state owns; NULL: nothing */
};

/* Rows to write: [i, stop) of a batch. */
struct trc_rows {
	const struct trc_batch *b;
	size_t i, stop;
	uint64_t before;           /* rows of earlier batches */
	uint32_t have;             /* of the trace */
	void *state;               /* of the format, between rows */
	struct trc_caveat *caveat; /* of the sink: values that were changed */
	const void *settings;      /* from its arguments */
};

/* How to write rows one by one, as lines or as records; print.c is the driver. */
struct trc_print_format {
	/* Writes the rows of `r` at `dst`, at most `room` bytes each plus twice the text of an
	 * event, and returns the end. If a value cannot be written, returns NULL, with *err set and
	 * r->i at the row. */
	uint8_t *(*print)(struct trc_rows *r, uint8_t *dst, struct trc_err *err);
	size_t room;

	/* Writes what follows the last row, at most 1024 bytes; NULL: nothing. `r` has no rows. */
	uint8_t *(*trailer)(const struct trc_rows *r, const struct trc_meta *meta, uint8_t *dst);
};

/* Further members that few line formats need. */
struct trc_line_more {
	/* Examines the first line [s, e) for properties of the whole trace, and for those that
	 * parse needs, which it stores in `state`; parse gets the line, too. NULL: nothing. */
	void (*head)(void *state, const uint8_t *s, const uint8_t *e, struct trc_meta *meta);

	/* Returns true if the line [s, e) comes before the first record, and sets *entry to what it
	 * records about the trace; its key is "" otherwise. NULL: as in origin.h. */
	bool (*origin)(const uint8_t *s, const uint8_t *e, struct trc_provenance_entry *entry);

	/* Subtracted from the bid: bits that the fields of a line suggest, but the parser does not
	 * check. */
	unsigned loose;

	/* Returns true if lines of the head and their rows are typical of these traces, if the
	 * grammar alone is too weak. NULL: always. */
	bool (*likely)(const struct trc_lines *l, const struct trc_batch *b);

	/* Returns true if the head, though likely() was not sure, may be such a trace at all, as
	 * far as this state has seen it; NULL: it may. */
	bool (*possible)(const void *state);

	/* Writes what is wrong with a line that parse, with this state, rejected to `dst`; "" if
	 * the grammar shows it. NULL: it always does. */
	void (*explain)(const void *state, const uint8_t *s, const uint8_t *e, char *dst,
	                size_t room);

	/* Writes what comes before the first row of these columns, at most 1024 bytes; NULL:
	 * nothing. */
	uint8_t *(*header)(const struct trc_meta *meta, uint32_t have, uint8_t *dst);

	/* Used instead of the parse function: appends the rows of the line [s, e). Returns NULL, or
	 * what is wrong with it, "" if the grammar shows it; then its rows, and its changes to the
	 * first `state_size` bytes of the state, are discarded. */
	const char *(*take)(void *state, const uint8_t *s, const uint8_t *e, struct trc_batch *b);
	size_t state_size;

	size_t settings; /* the state begins with this many bytes of the settings */
};

/* Arguments after the name of a format and a colon, "raw,skip=24": rows like those of options. */
struct trc_format_args {
	const struct trc_opt *opt;
	size_t opts;
};

enum { TRC_FORMAT_SETTINGS = 576 }; /* maximum bytes of the settings that rows fill */

/* The row of a format. Unused members are 0 or NULL. */
struct trc_format {
	const char *name;
	const char *doc;    /* one line for help */
	const char *ending; /* of file names: ".din"; NULL: none */

	/* Other endings of files of this format, ".a .b.xz", including that of a packing if no
	 * other files have it; NULL: none. */
	const char *known;
	uint32_t holds; /* columns it can store */
	uint32_t needs; /* columns without which it cannot be written */

	/* Columns it can also be written from: they go into others, like a pc into the address of a
	 * fetch. */
	uint32_t takes;
	uint32_t wants;      /* columns that readers of the written files expect */
	const char *without; /* a sentence for users if one of these is missing; NULL: none */

	/* Arguments with which more traces can be written, "count,unfiltered"; NULL: none. */
	const char *eases;

	/* For a format that is only read: a bit for each value of the type column that may occur,
	 * 0: any; otherwise those that can be written. */
	uint32_t gives;
	uint32_t writes; /* the same for what `sink` accepts anywhere in a trace; 0: any */
	bool binary;     /* not for a terminal */
	bool piped;      /* nevertheless for pipes: trc decode writes it, too */
	bool unshown;    /* a text that it accepts may be something else: it is only proposed */
	bool objects;    /* addresses name objects, so pages mean little */
	bool blocks;     /* rows are requests for blocks of disks or files */
	bool report;     /* describes a trace, which it does not hold: written only */

	/* A line may depend on earlier lines other than the first, so reading cannot begin in the
	 * middle. */
	bool chained;

	uint64_t second; /* number of units of column time in a second; 0: unknown */

	/* Base of numbers without 0x, 16 or 10, if texts of other formats may look the same; 0:
	 * they do not. */
	unsigned base;
	bool threads; /* a trace is a folder with a file per thread, merged in order of time */
	bool chained_print; /* the output for a row may depend on earlier rows */

	/* One way of reading, one of writing; `source` and `sink` take over `in` or `out` if they
	 * succeed. */
	const struct trc_line_format *line;
	const struct trc_record_format *record;
	const struct trc_packet_format *packet;
	struct trc_source *(*source)(struct trc_in *in, const void *settings, struct trc_err *err);
	const struct trc_member_format *member; /* for both directions */
	const struct trc_print_format *print;

	/* For `line` and `print`; NULL: nothing. */
	const struct trc_line_more *more;
	struct trc_sink *(*sink)(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
	                         const void *settings, struct trc_err *err);

	/* The arguments for reading and writing; NULL: none. `settings` are zeroed, then filled by
	 * these rows. */
	const struct trc_format_args *from, *to;

	/* The format and arguments that it stands for, "csv:time=1,addr=2"; it has no arguments
	 * itself. NULL: none. */
	const char *as;

	/* Of a table, how it is recognised; NULL: it is not a table. */
	const struct trc_layout *layout;

	/* Used instead of `from`, for arguments that are not rows: fills the settings, or fails as
	 * wrong usage. `args` is NULL if there are none. NULL: they are rows. */
	int (*parse_from)(const char *args, void *settings, struct trc_err *err);
	const char *example; /* arguments that it needs to be read, for examples; NULL: none */

	/* Fails as wrong usage if arguments of `from` contradict each other; NULL: they cannot. */
	int (*check_from)(const void *settings, struct trc_err *err);

	/* Returns the bid of the format for the `n` bytes at `p`, the head of the data: 0 if they
	 * cannot be of this format, else approximately the number of bits checked, at most
	 * TRC_BID_MOST. `whole`: the data ends there. NULL for lines and records, which are tried
	 * with their own parser. */
	unsigned (*probe)(const uint8_t *p, size_t n, bool whole);

	/* A sentence for users if only the content shows the format, and could be something else;
	 * and one if the columns differ from what is in the file. NULL: none. */
	const char *doubt, *changes;

	/* Like `changes`, for these arguments, which are not NULL; returns NULL if nothing changes.
	 * NULL: never. */
	const char *(*caution)(const char *args);

	/* For data that no format recognises: writes what it may be, though this format does not
	 * read it, to `dst`, or returns false. NULL: never. */
	bool (*suggest)(const uint8_t *p, size_t n, char *dst, size_t room);

	/* Sets r[0], r[1], ... to the arguments of --from with which data that begins with these
	 * `n` bytes might be read, the likeliest first, and to what these leave out. Returns how
	 * many. NULL: none. */
	unsigned (*propose)(const uint8_t *p, size_t n, struct trc_reading r[TRC_READINGS]);

	/* Sets *r to the arguments to add, ",WORDS", for a line that cannot be read with this state;
	 * returns false if none would help. NULL: never. */
	bool (*amend)(const void *state, struct trc_reading *r);
};

enum {
	TRC_BID_MOST = 1000,
	/* Rows that count: if two formats accept all rows, the stricter one wins. */
	TRC_BID_ROWS = 16,
};

/* Returns true if later lines depend on the first line of such a trace. */
bool trc_format_needs_line(const struct trc_format *f);

/* For writers: fails with "FORMAT cannot hold a WHAT reference"; returns NULL. */
uint8_t *trc_format_refuse_type(const char *format, uint8_t type, struct trc_err *err);

#endif
