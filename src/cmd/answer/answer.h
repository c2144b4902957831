/* SPDX-License-Identifier: MIT
 *
 * Answers: tables whose columns are declared once. Text, CSV, JSON and the default picture follow
 * from the declaration, so names and values cannot differ between them, and a question does not
 * print.
 *
 *   value   a number, word, address, ... ; its column has a name of names.def in CSV and JSON, and
 *           a head in text
 *   fact    a value with its name, on a line of its own
 *   group   facts, and rows below them: what is known of one curve, cache or trace
 *
 * An answer without columns is the table name,value in CSV, and one object in JSON. With columns,
 * CSV has the rows, and JSON an object with the facts and an array "rows" of objects, each with all
 * columns of the CSV. Where there are several groups, CSV has their rows one after another, and
 * JSON has an array "groups" of such objects; without columns, each row of CSV begins with the first
 * fact of its group.
 */
#ifndef TRC_CMD_ANSWER_ANSWER_H
#define TRC_CMD_ANSWER_ANSWER_H

#include <stdint.h>

#include "base/io/out.h"
#include "base/opt.h"
#include "cmd/answer/name.h"

enum trc_form { TRC_FORM_TEXT, TRC_FORM_CSV, TRC_FORM_JSON };

struct trc_settings;
extern const struct trc_opts trc_answer_opts; /* --json and --csv */

/* The form that was asked for; trc_answer_check() refuses both. */
enum trc_form trc_answer_form(const struct trc_settings *all);
int trc_answer_check(const struct trc_settings *all, struct trc_err *err) TRC_MUST_USE;

enum trc_value_kind {
	TRC_VALUE_NONE,    /* an empty field, null; a fact that is left out */
	TRC_VALUE_UNKNOWN, /* the same, but a fact is there, and text has "-" */
	TRC_VALUE_COUNT,
	TRC_VALUE_INTEGER, /* may be negative */
	TRC_VALUE_REAL,
	TRC_VALUE_LONG,    /* a real of 12 digits, not 9 */
	TRC_VALUE_BYTES,   /* a count, in text like "48 KiB" */
	TRC_VALUE_ADDRESS, /* a string in JSON, where numbers end at 2^53 */
	TRC_VALUE_HASH,
	TRC_VALUE_WORD,
	TRC_VALUE_YES, /* yes or no, true or false */
	TRC_VALUE_REST /* text alone: takes the rest of the line */
};

struct trc_value {
	enum trc_value_kind kind;
	bool blank; /* not in text */
	union {
		uint64_t n;
		int64_t i;
		double v;
		const char *s;
	};
};

static inline struct trc_value
trc_none(void)
{
	return (struct trc_value){ .kind = TRC_VALUE_NONE };
}

static inline struct trc_value
trc_value(enum trc_value_kind kind, uint64_t n)
{
	return (struct trc_value){ .kind = kind, .n = n };
}

static inline struct trc_value
trc_unknown(void)
{
	return (struct trc_value){ .kind = TRC_VALUE_UNKNOWN };
}

static inline struct trc_value
trc_count(uint64_t n)
{
	return trc_value(TRC_VALUE_COUNT, n);
}

static inline struct trc_value
trc_integer(int64_t i)
{
	return (struct trc_value){ .kind = TRC_VALUE_INTEGER, .i = i };
}

static inline struct trc_value
trc_count_if(bool known, uint64_t n)
{
	return known ? trc_count(n) : trc_none();
}

/* None of 0. */
static inline struct trc_value
trc_count_some(uint64_t n)
{
	return trc_count_if(n > 0, n);
}

static inline struct trc_value
trc_yes(bool yes)
{
	return trc_value(TRC_VALUE_YES, yes);
}

static inline struct trc_value
trc_real(double v)
{
	return (struct trc_value){ .kind = TRC_VALUE_REAL, .v = v };
}

static inline struct trc_value
trc_real_if(bool known, double v)
{
	return known ? trc_real(v) : trc_none();
}

/* 0 of nothing. */
static inline struct trc_value
trc_ratio(uint64_t part, uint64_t whole)
{
	return trc_real(whole ? (double)part / (double)whole : 0);
}

/* NULL: unknown. The text outlives the row. */
static inline struct trc_value
trc_word(const char *s)
{
	return (struct trc_value){ .kind = s ? TRC_VALUE_WORD : TRC_VALUE_NONE, .s = s };
}

/* The cell for programs only. */
static inline struct trc_value
trc_blank(struct trc_value c)
{
	c.blank = true;
	return c;
}

struct trc_column_decl {
	enum trc_name name; /* in CSV and JSON; TRC_NAME_NONE: in text alone */
	const char *head;   /* in text; NULL: in CSV and JSON alone */
	int width;          /* at least, in text; negative: from the left */
	int digits;         /* of a real in text, after the point */
	bool percent;       /* of a real in text */
	const char *over;   /* above the heads of this one and its neighbours with the same text */
	bool key;           /* is repeated in each part of a table that is folded */
	bool off;           /* not in this answer */

	/* In a picture: what the curve of its values is called; its values are the places of all
	 * curves; its words are the names of curves. */
	const char *curve;
	bool across, curves;

	/* Where tables of several traces stand side by side, each has this column in it. */
	bool beside;
};

/* Members of struct trc_answer: the columns of an array. */
#define TRC_TABLE(array) .column = array, .columns = TRC_COUNT(array)

/* A column: its name, alone, or with its head and width. */
#define TRC_NAMED(n) .name = TRC_NAME_##n
#define TRC_COLUMN(n, text, columns) .name = TRC_NAME_##n, .head = text, .width = columns

enum { TRC_FACTS_MOST = 48 };

/* A value with its name. */
struct trc_answer_fact {
	enum trc_name name;
	const char *head; /* in text; "": the name; NULL: in CSV and JSON alone */
	struct trc_value value;
	int width;        /* of the head; 0: 26 */
	int digits;       /* of a real in text, after the point */
	const char *more; /* in text, after the value */

	const char *beside; /* its head where traces stand side by side; NULL: not there */
};

#define TRC_FACT(n, text, v) .name = TRC_NAME_##n, .head = text, .value = v

/* What is known of a group. */
struct trc_answer_group {
	struct trc_answer_fact fact[TRC_FACTS_MOST];
	size_t facts;
	size_t rows, most; /* of these, `most` are printed, if that is set and less */
	const char *name;  /* in a picture; NULL: it has none */

	/* In text alone: before the facts, between these and the rows, after the rows. */
	char title[512], below[320];
	const char *above;
	bool draws; /* a picture follows `above` */
};

struct trc_answer {
	enum trc_form form;
	const struct trc_column_decl *column;
	size_t columns;
	const char *title; /* in text, before all */
	bool draws;        /* a picture follows that */
	size_t groups;     /* without `several`, 1 */
	bool several;      /* there may be any number of them */
	bool lines;        /* in JSON, each is an object on a line of its own */
	bool fits;         /* columns of text are as wide as what is in them */
	uint64_t most;     /* rows of a group that are shown; 0: all */
	size_t rows;       /* without group() */
	void *of;          /* the question's */

	/* Looks at a group, whose rows row() has after that; NULL: there are rows alone. */
	int (*group)(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err);

	/* Sets the cells of row `k` of group `i`, one for each column. */
	void (*row)(void *of, size_t i, size_t k, struct trc_value *cell);

	/* The picture of a group that `draws`, or of all. */
	int (*draw)(const struct trc_answer *a, size_t i, struct trc_out *out, struct trc_err *err);
	const void *picture; /* of draw() */

	/* More facts, whose names are not ours: pair `k`, false after the last. In JSON they are
	 * an array `list` of objects. */
	const char *list;
	bool (*pair)(void *of, size_t k, const char **name, const char **value);
};

/* Sets the facts of a group, and the cells of a row: as many as there are. */
#define TRC_FACTS(g, ...)                                                       \
	(memcpy((g)->fact, ((const struct trc_answer_fact[]){ __VA_ARGS__ }),   \
	        sizeof((const struct trc_answer_fact[]){ __VA_ARGS__ })),       \
	 (g)->facts = sizeof((const struct trc_answer_fact[]){ __VA_ARGS__ }) / \
	              sizeof(struct trc_answer_fact))
#define TRC_VALUES(dst, ...)                                     \
	memcpy(dst, ((const struct trc_value[]){ __VA_ARGS__ }), \
	       sizeof((const struct trc_value[]){ __VA_ARGS__ }))

/* Prints an answer to `out`, or to standard output, which is committed. */
int trc_answer_put(const struct trc_answer *a, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;
int trc_answer_print(const struct trc_answer *a, struct trc_err *err) TRC_MUST_USE;

/* A table whose rows come one by one: a->column and a->form are used alone, and with `lines` each
 * row is an object of its own in JSON. */
int trc_answer_begin(const struct trc_answer *a, struct trc_out *out,
                     struct trc_err *err) TRC_MUST_USE;
int trc_answer_row(const struct trc_answer *a, size_t k, const struct trc_value *cell,
                   struct trc_out *out, struct trc_err *err) TRC_MUST_USE;
int trc_answer_end(const struct trc_answer *a, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;

#endif
