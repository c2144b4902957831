/* SPDX-License-Identifier: MIT
 *
 * Formats: rows that can make a source from bytes and a sink to bytes.
 *
 * A format, or a close family of formats, is one file that exports an array of rows,
 * `trc_family_NAME`, and one word in the list in meson.build. What follows by itself: --from and
 * --to, help, completion, recognition, the round-trip, batch-cut and fuzz tests, the benchmark.
 */
#ifndef TRC_FORMAT_FORMAT_H
#define TRC_FORMAT_FORMAT_H

#include "base/io/in.h"
#include "base/opt.h"
#include "base/io/out.h"
#include "batch/flow.h"

struct trc_format;
struct trc_layout; /* a table that is known by name: csv/layout.h */
struct trc_lines;
struct trc_member_format; /* how records behind a header are read and written: member.h */

/* Bytes that a format may keep from line to line when it reads, and from row to row when it writes:
 * zeroed before the first. */
enum { TRC_FORMAT_STATE = 2816 };

/* How lines are read; lines.c drives it. */
struct trc_line_format {
	const char *grammar; /* of a line, a word for each field: "LABEL ADDRESS" */

	/* Parses the lines of `l` and appends their rows to `b`, which has room for one row each,
	 * and for all of the first. Returns how many lines were good: fewer than l->n if the next
	 * is not of this grammar, or if `b` has no longer room for `rows`. */
	size_t (*parse)(const struct trc_lines *l, struct trc_batch *b);

	size_t rows; /* of a line, at most; 0: one */

	/* Sets *have to the columns of a trace of format `f` by its first line [s, e), for formats
	 * where they differ; parse gets the line, too. Returns false if it begins no such trace.
	 * NULL: the columns are those that the format holds. */
	bool (*first)(const struct trc_format *f, void *state, const void *settings,
	              const uint8_t *s, const uint8_t *e, uint32_t *have);
};

/* How binary records of one size are read; records.c drives it. */
struct trc_record_format {
	size_t size;   /* bytes of a record */
	unsigned bits; /* that parsing one checks, for recognition */

	/* Parses `n` records at `p` and appends a row for each to `b`, which has room for them all.
	 * Returns how many were good. */
	size_t (*parse)(const uint8_t *p, size_t n, struct trc_batch *b);
};

/* How binary records of several lengths are read, or of which one is several rows; packets.c drives
 * it. */
struct trc_packet_format {
	size_t longest; /* bytes of a record, at most */
	size_t rows;    /* of a record, at most */
	size_t state;   /* bytes that parse keeps, zeroed before the first record */

	/* Looks at the head of the data, consumes a header if there is one, and sets src->have and
	 * what else it finds there. NULL: there is none, and the columns are those that the format
	 * holds. */
	int (*begin)(void *state, struct trc_in *in, const void *settings, struct trc_source *src,
	             struct trc_err *err);

	/* Parses whole records of [*p, end) as long as `b` has room for `rows` more, and moves *p
	 * behind the last of them. -1: the record at *p is bad, and *err has the reason. */
	int (*parse)(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
	             struct trc_err *err);

	/* When all is read: fails if something is missing. NULL: nothing can be. */
	int (*end)(void *state, struct trc_err *err);

	void (*release)(void *state); /* of what it allocated; NULL: nothing */
};

/* Rows to write: [i, stop) of a batch. */
struct trc_rows {
	const struct trc_batch *b;
	size_t i, stop;
	uint64_t before;           /* rows of the batches before this one */
	uint32_t have;             /* columns of the trace */
	void *state;               /* what the format keeps from row to row */
	struct trc_caveat *caveat; /* of the sink: what was not written as it stands */
	const void *settings;      /* of its arguments */
};

/* How rows are written one by one, as lines or as records; print.c drives it. */
struct trc_print_format {
	/* Writes the rows of `r` at `dst`, at most `room` bytes each and twice those of the text of
	 * an event, and returns behind the last; NULL, with *err set and r->i on the row, if a
	 * value cannot be written. */
	uint8_t *(*print)(struct trc_rows *r, uint8_t *dst, struct trc_err *err);
	size_t room;

	/* Writes what follows the last row, at most 1024 bytes; NULL for nothing. `r` is without
	 * rows. */
	uint8_t *(*trailer)(const struct trc_rows *r, const struct trc_meta *meta, uint8_t *dst);
};

/* What few formats of lines need besides. */
struct trc_line_more {
	/* Looks at the first line [s, e) for properties of the whole trace, and for what parse has
	 * to know of it, in `state`; parse gets it, too. NULL: nothing. */
	void (*head)(void *state, const uint8_t *s, const uint8_t *e, struct trc_meta *meta);

	/* Whether the line [s, e) stands before the first record; what it has of how the trace was
	 * recorded goes into *entry, whose key is "" else. NULL: as origin.h has it. */
	bool (*origin)(const uint8_t *s, const uint8_t *e, struct trc_provenance_entry *entry);

	/* Bits of recognition that the fields of a line suggest and its parser does not check. */
	unsigned loose;

	/* Whether lines of the head and their rows are such as these traces have, where the grammar
	 * alone is too weak; NULL: they are. */
	bool (*likely)(const struct trc_lines *l, const struct trc_batch *b);

	/* Puts into `dst` what is wrong with a line that parse, with this state, did not take; ""
	 * if the grammar shows it. NULL: it always does. */
	void (*explain)(const void *state, const uint8_t *s, const uint8_t *e, char *dst,
	                size_t room);

	/* Writes what comes before the first row of these columns, at most 1024 bytes; NULL for
	 * nothing. */
	uint8_t *(*header)(const struct trc_meta *meta, uint32_t have, uint8_t *dst);

	/* Instead of the parse of its lines: appends the rows of the line [s, e). Returns NULL, or
	 * what is wrong with it, "" if the grammar shows that; then its rows, and what it changed
	 * of the first `state_size` bytes of the state, count as not there. */
	const char *(*take)(void *state, const uint8_t *s, const uint8_t *e, struct trc_batch *b);
	size_t state_size;

	size_t settings; /* so many bytes of the settings are what the state begins as */
};

/* What may follow the name of a format after a colon, "raw,skip=24": rows like those of options. */
struct trc_format_args {
	const struct trc_opt *opt;
	size_t opts;
};

enum { TRC_FORMAT_SETTINGS = 576 }; /* bytes of the settings that rows fill, at most */

/* The row of a format. What it does not have is 0 or NULL. */
struct trc_format {
	const char *name;
	const char *doc;     /* one line for help */
	const char *ending;  /* of file names: ".din"; NULL for none */
	const char *known;   /* others that files of this format have, ".a .b.xz", with that of a
	                      * packing if no other file has it; NULL for none */
	uint32_t holds;      /* columns it can keep */
	uint32_t needs;      /* columns without which it cannot be written */
	uint32_t takes;      /* columns it can be written from beside those it holds: they go into
	                     * others, as a pc into the address of a fetch */
	uint32_t wants;      /* columns that readers of what is written expect */
	const char *without; /* a sentence for users if one of these is missing; NULL: none */
	const char *eases;   /* arguments with which more traces can be written, "count,unfiltered";
	                    * NULL: none */
	uint32_t gives;      /* of a format that is only read: a bit for each value of the type
	                    * column that may come, 0: any; else these are what can be written */
	uint32_t writes;     /* the same for what `sink` takes anywhere in a trace; 0: any */
	bool binary;         /* not for a terminal */
	bool piped;          /* and yet for pipes: trc decode writes it, too */
	bool unshown;        /* a text that it reads may be another: it is proposed alone */
	bool report;         /* describes a trace instead of holding one: written only */
	bool chained;  /* what a line means may depend on lines before it, besides the first: who
	                      * reads from the middle would read something else */
	unsigned base; /* of numbers without 0x, 16 or 10, where text of others may look the same;
	                      * 0: it does not */
	bool threads; /* a trace is a folder of files with a thread each, merged in order of time */
	bool chained_print; /* what is printed of a row may depend on rows before it */

	/* One way of reading, one of writing; those of the row itself take over `in` or `out` when
	 * they succeed. */
	const struct trc_line_format *line;
	const struct trc_record_format *record;
	const struct trc_packet_format *packet;
	struct trc_source *(*source)(struct trc_in *in, const void *settings, struct trc_err *err);
	const struct trc_member_format *member; /* both */
	const struct trc_print_format *print;
	const struct trc_line_more *more; /* for `line` and `print`; NULL: nothing */
	struct trc_sink *(*sink)(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
	                         const void *settings, struct trc_err *err);

	/* The arguments that reading and writing take; NULL for none. `settings` above are zeroed,
	 * then filled by these rows. */
	const struct trc_format_args *from, *to;

	/* What it is read as, "csv:time=1,addr=2"; it takes no arguments itself. NULL: no other. */
	const char *as;
	const struct trc_layout *layout; /* of a table, how it shows; NULL: it is none */

	/* Instead of `from`, for arguments that are no rows: fills in the settings, or fails as
	 * wrong usage. `args` is NULL if there are none. NULL: they are rows. */
	int (*parse_from)(const char *args, void *settings, struct trc_err *err);
	const char *example; /* arguments without which it is not read; NULL: it needs none */

	/* Fails as wrong usage if what arguments of `from` set does not go together; NULL: it
	 * does. */
	int (*check_from)(const void *settings, struct trc_err *err);

	/* How sure the row is that `n` bytes at `p`, the head of the data, are of this format: 0 if
	 * they cannot be, else about the number of bits checked, at most TRC_BID_MOST. `whole`: the
	 * data ends there. NULL for lines and records that are tried on their own parser. */
	unsigned (*probe)(const uint8_t *p, size_t n, bool whole);

	/* A sentence for users where the content alone showed the format, if it could be something
	 * else; and one where the columns do not hold what stands in the file. NULL: none. */
	const char *doubt, *changes;

	/* The like of `changes` where arguments make it so, which are not NULL; NULL: it is not so.
	 * NULL: never. */
	const char *(*caution)(const char *args);

	/* For data that nothing recognises: what it may be, though this format does not read it; a
	 * sentence in `dst`, or false. NULL: never. */
	bool (*suggest)(const uint8_t *p, size_t n, char *dst, size_t room);

	/* Fills in *r: the words of --from with which it might be read, and what they leave out;
	 * or, for a line that is not read with this state, such as are to be added to them:
	 * ",WORDS". False if it has none. `state` or `p` is NULL. NULL: never. */
	bool (*propose)(const void *state, const uint8_t *p, size_t n, struct trc_reading *r);
};

enum {
	TRC_BID_MOST = 1000,
	TRC_BID_ROWS = 16, /* that count: of two formats that fit all rows, the stricter one wins */
};

/* True if the first line of such a trace has a meaning for those behind it. */
bool trc_format_needs_line(const struct trc_format *f);

/* For writers: "FORMAT cannot hold a WHAT reference"; returns NULL. */
uint8_t *trc_format_refuse_type(const char *format, uint8_t type, struct trc_err *err);

#endif
