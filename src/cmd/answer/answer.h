/* SPDX-License-Identifier: MIT
 *
 * Answers: tables whose columns are declared once. Text, CSV, JSON and the default picture follow
 * from the declaration, so names and values cannot differ between them, and a question does not
 * print.
 *
 *   value   a number, word, address, ... ; its column has a name of names.def in CSV and JSON, and
 *           a head in text
 *   fact    a value with its name, on a line of its own
 *   group   facts with rows below them, about one curve, cache or trace
 *
 * An answer without columns is the table name,value in CSV, and one object in JSON. With columns,
 * CSV has the rows, and JSON an object with the facts and an array "rows" of objects, each with all
 * columns of the CSV. With several groups, CSV has their rows one after another, and
 * JSON has an array "groups" of such objects; without columns, each row of CSV begins with the
 * first fact of its group.
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

/* Returns the form that the user chose; trc_answer_check() refuses --json with --csv. */
enum trc_form trc_answer_form(const struct trc_settings *settings);
int trc_answer_check(const struct trc_settings *settings, struct trc_err *err) TRC_MUST_USE;

enum trc_value_kind {
	TRC_VALUE_NONE,    /* an empty field in CSV, null in JSON; no line for a fact */
	TRC_VALUE_UNKNOWN, /* the same in CSV and JSON, but a fact is kept, and text shows "-" */
	TRC_VALUE_COUNT,
	TRC_VALUE_INTEGER, /* may be negative */
	TRC_VALUE_REAL,
	TRC_VALUE_LONG,    /* a real with 12 digits instead of 9 */
	TRC_VALUE_BYTES,   /* a count; text shows it like "48 KiB" */
	TRC_VALUE_ADDRESS, /* a string in JSON, whose numbers are exact only up to 2^53 */
	TRC_VALUE_HASH,
	TRC_VALUE_WORD,
	TRC_VALUE_YES, /* "yes" or "no"; true or false in JSON */
	TRC_VALUE_REST /* for text only: fills the rest of the line */
};

struct trc_value {
	enum trc_value_kind kind;
	bool blank; /* not shown in text */
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

/* Returns a count, or no value if it is 0. */
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

/* Returns part / whole, or 0 if `whole` is 0. */
static inline struct trc_value
trc_ratio(uint64_t part, uint64_t whole)
{
	return trc_real(whole ? (double)part / (double)whole : 0);
}

/* Returns a word, or no value for NULL. The text must outlive the row. */
static inline struct trc_value
trc_word(const char *s)
{
	return (struct trc_value){ .kind = s ? TRC_VALUE_WORD : TRC_VALUE_NONE, .s = s };
}

/* Hides a cell in text, so only CSV and JSON have it. */
static inline struct trc_value
trc_blank(struct trc_value c)
{
	c.blank = true;
	return c;
}

/* The declaration of a column, for all forms. */
struct trc_column_decl {
	enum trc_name name; /* in CSV and JSON; TRC_NAME_NONE: only in text */
	const char *head;   /* in text; NULL: only in CSV and JSON */
	int width;          /* minimum in text; negative: left-aligned */
	int digits;         /* of a real in text, after the decimal point */
	bool percent;       /* show a real as a percentage in text */
	const char *over;   /* a title above this column and the neighbours with the same title */
	bool key;           /* repeated in each part of a table that is too wide for one */
	bool off;           /* not in this answer */

	/* For a picture: `curve` is the name of the curve of these values; `across` marks the
	 * column of the x values of all curves; `curves` marks the column whose words are the names
	 * of curves. */
	const char *curve;
	bool across, curves;

	/* Marks a column that each trace has when traces are shown side by side. */
	bool beside;
};

/* Initializes two members of struct trc_answer with an array of columns. */
#define TRC_TABLE(array) .column = array, .columns = TRC_COUNT(array)

/* Declare a column by its name alone, or with its head and width in text. */
#define TRC_NAMED(n) .name = TRC_NAME_##n
#define TRC_COLUMN(n, text, columns) .name = TRC_NAME_##n, .head = text, .width = columns

enum { TRC_FACTS_MOST = 72 };

/* A named value on a line of its own. */
struct trc_answer_fact {
	enum trc_name name;
	const char *head; /* in text; "": the name itself; NULL: only in CSV and JSON */
	struct trc_value value;
	int width;        /* of the head; 0: the default of 26 */
	int digits;       /* of a real in text, after the decimal point */
	const char *more; /* printed after the value in text */

	const char *beside; /* its head when traces are shown side by side; NULL: not shown there */
};

#define TRC_FACT(n, text, v) .name = TRC_NAME_##n, .head = text, .value = v

/* A group: facts, then rows. */
struct trc_answer_group {
	struct trc_answer_fact fact[TRC_FACTS_MOST];
	size_t facts;
	size_t rows, most; /* `most`, if set, limits how many of the rows are printed */
	const char *name;  /* its name in a picture; NULL: none */

	/* For text only: printed before the facts, after the rows, and between facts and rows. */
	char title[512], below[320];
	const char *above;
	bool draws; /* a picture follows `above` */
};

/* An answer: its columns, and the functions that deliver its values. */
struct trc_answer {
	enum trc_form form;
	const struct trc_column_decl *column;
	size_t columns;
	const char *title; /* in text, printed first */
	bool draws;        /* a picture follows the title */
	size_t groups;     /* their number if `several`, else there is one */
	bool several;      /* there may be any number of groups */
	bool lines;        /* in JSON, each group is an object on a line of its own */
	bool fits;         /* in text, each column is as wide as its widest cell */
	uint64_t most;     /* maximum number of rows printed per group; 0: all */
	size_t rows;       /* their number if group() is NULL */
	void *of;          /* passed to the functions below; owned by the question */

	/* Fills in a group before its rows are asked for; NULL: there are only rows. */
	int (*group)(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err);

	/* Sets the cells of row `k` of group `i`, one for each column. */
	void (*row)(void *of, size_t i, size_t k, struct trc_value *cell);

	/* Draws the picture of group `i`, or of the whole answer. */
	int (*draw)(const struct trc_answer *a, size_t i, struct trc_out *out, struct trc_err *err);
	const void *picture; /* private data of draw() */

	/* Delivers facts whose names are not in names.def: returns pair `k`, or false after the
	 * last one. JSON has them as an array of objects called `list`. */
	const char *list;
	bool (*pair)(void *of, size_t k, const char **name, const char **value);
};

/* Add facts to a group, or set all of them, or all cells of a row, from a list of values. */
#define TRC_FACTS_ADD(g, ...)                                                              \
	(memcpy((g)->fact + (g)->facts, ((const struct trc_answer_fact[]){ __VA_ARGS__ }), \
	        sizeof((const struct trc_answer_fact[]){ __VA_ARGS__ })),                  \
	 (g)->facts += sizeof((const struct trc_answer_fact[]){ __VA_ARGS__ }) /           \
	               sizeof(struct trc_answer_fact))
#define TRC_FACTS(g, ...) ((g)->facts = 0, TRC_FACTS_ADD(g, __VA_ARGS__))
#define TRC_VALUES(dst, ...)                                     \
	memcpy(dst, ((const struct trc_value[]){ __VA_ARGS__ }), \
	       sizeof((const struct trc_value[]){ __VA_ARGS__ }))

/* Print an answer to `out`, or to standard output, which is then committed. */
int trc_answer_put(const struct trc_answer *a, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;
int trc_answer_print(const struct trc_answer *a, struct trc_err *err) TRC_MUST_USE;

/* Print a table row by row, when the rows are not known in advance. Of `a`, only `form`, the
 * columns and `lines` are used; with `lines`, each row is a JSON object on a line of its own. */
int trc_answer_begin(const struct trc_answer *a, struct trc_out *out,
                     struct trc_err *err) TRC_MUST_USE;
int trc_answer_row(const struct trc_answer *a, size_t k, const struct trc_value *cell,
                   struct trc_out *out, struct trc_err *err) TRC_MUST_USE;
int trc_answer_end(const struct trc_answer *a, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;

#endif
