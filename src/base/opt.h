/* SPDX-License-Identifier: MIT
 *
 * Options as rows: the same rows parse the command line, print the help and drive completion.
 */
#ifndef TRC_BASE_OPT_H
#define TRC_BASE_OPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/base.h"

enum trc_opt_kind {
	TRC_OPT_FLAG, /* bool */
	/* uint64_t; k, M, G are powers of 1000, as in 10k, 1.5M; byte units are refused. */
	TRC_OPT_NUMBER,
	TRC_OPT_COUNT, /* the same, from 1; a setting of 0 means not given */
	/* From 1; a number of records, or with a suffix i, as in 10Mi, of instructions
	 * (TRC_OPT_INSNS). */
	TRC_OPT_EXTENT,
	TRC_OPT_SKIP,    /* the same, from 0 */
	TRC_OPT_BYTES,   /* from 1; 4K, 4KB, 2M, 1G are powers of two */
	TRC_OPT_OFFSET,  /* the same, from 0 */
	TRC_OPT_PAGES,   /* struct trc_opt_pages */
	TRC_OPT_TEXT,    /* const char * */
	TRC_OPT_LIST,    /* struct trc_opt_list; can be repeated */
	TRC_OPT_LEVEL,   /* uint64_t: 1 + a level from 0 to 9; also given as -0 to -9 */
	TRC_OPT_PERCENT, /* uint64_t: 1 + a percentage from 0 to 100, with or without % */
	TRC_OPT_PART,    /* uint64_t N for one in N, given as 8, 1/8 or 12.5% */
	TRC_OPT_FIELD,   /* struct trc_opt_field; only in trc_opt_parse_words() */
	TRC_OPT_WORD,    /* the same, but any text is a word */
	TRC_OPT_CHOICE,  /* unsigned: 1 for the first word of `arg`, "big|little"; 0: not given */
	TRC_OPT_MAYBE,   /* unsigned: 1 for the flag alone, 2, ... with a word of `arg` */
};

/* Set in an extent that counts instructions. */
#define TRC_OPT_INSNS (UINT64_C(1) << 63)

enum trc_opt_words { /* what completion offers for the value */
	             TRC_WORDS_NONE,
	             TRC_WORDS_READ,      /* formats that can be read */
	             TRC_WORDS_WRITE,     /* formats that can be written */
	             TRC_WORDS_DROP,      /* columns, and types of records */
	             TRC_WORDS_TYPE,      /* types of records */
	             TRC_WORDS_FILL,      /* columns with values */
	             TRC_WORDS_PRESET,    /* programs for which traces are written */
	             TRC_WORDS_PACKING,   /* packings */
	             TRC_WORDS_POLICY,    /* replacement policies */
	             TRC_WORDS_CACHE,     /* the same, after SIZE:WAYS:LINE: */
	             TRC_WORDS_INCLUSION, /* inclusion of cache levels */
	             TRC_WORDS_FILE,      /* a file to read */
	             TRC_WORDS_OUTPUT,    /* a file to write */
};

/* The size of a memory: in pages without a unit, in bytes with one, like 64K. */
struct trc_opt_pages {
	uint64_t n; /* 0: not given */
	bool bytes;
};

/* A field of a table, by number (from 1) or by name: `n` characters at `name`, which point into the
 * parsed words. */
struct trc_opt_field {
	const char *name; /* NULL: by number */
	uint64_t n;       /* 0: not given */
};

enum { TRC_OPT_LIST_MOST = 32 };

/* The values of a repeatable option. */
struct trc_opt_list {
	const char *word[TRC_OPT_LIST_MOST];
	size_t n;
};

/* An option. */
struct trc_opt {
	char letter;      /* 0: none */
	const char *name; /* long name without dashes */
	const char *arg;  /* name of the value; NULL for a flag */
	const char *doc;
	enum trc_opt_kind kind;
	enum trc_opt_words words;
	size_t at; /* offset of the value in the settings */
};

/* The options of one owner (a stage, a question, or what several of them share), which alone reads
 * the settings that they fill. */
struct trc_opts {
	const struct trc_opt *row;
	size_t n;
	size_t size; /* bytes of the settings, which are zeroed before parsing */
	/* Owners that come before this one wherever it is taken; ends with NULL, or NULL: none. */
	const struct trc_opts *const *with;
};

/* Initializers: an owner of these rows, whose settings are a `type`; and an owner of one flag, with
 * a bool as its settings. */
#define TRC_OPTS(type, ...)                                                                       \
	{                                                                                         \
		(const struct trc_opt[]){ __VA_ARGS__ },                                          \
		        sizeof((const struct trc_opt[]){ __VA_ARGS__ }) / sizeof(struct trc_opt), \
		        sizeof(type), NULL                                                        \
	}
#define TRC_OPTS_FLAG(name, doc) \
	TRC_OPTS(bool, { 0, name, NULL, doc, TRC_OPT_FLAG, TRC_WORDS_NONE, 0 })

/* The options and positional words of one command line. */
struct trc_args {
	const char **word; /* positional words in order; needs room for all of argv */
	size_t n;
	bool help, version;
	bool brief;  /* -h, where --help shows more */
	bool *given; /* per row: whether it was given; NULL: not needed */

	/* Return a hint for an option of other programs, "-x" or "--name", or for a value that an option
	 * refuses and another program takes; NULL: no hints. */
	const char *(*foreign)(const char *word);
	const char *(*foreign_value)(const char *name, const char *value);
};

/* Parses argv[1..argc) into `settings`. --help, -h, --version and -V always work; "--" ends the
 * options; "-" is a positional word. */
int trc_opt_parse(const struct trc_opt *opt, size_t n, int argc, char **argv, void *settings,
                  struct trc_args *args, struct trc_err *err) TRC_MUST_USE;

/* Parses "NAME,NAME=VALUE,..." into `settings`; no row may be a text or a list. NULL means no
 * words. Messages call the words arguments of `whose`. */
int trc_opt_parse_words(const struct trc_opt *opt, size_t n, const char *whose, const char *words,
                        void *settings, struct trc_err *err) TRC_MUST_USE;

/* Prints one line per option, within 80 columns. */
void trc_opt_help(const struct trc_opt *opt, size_t n, FILE *f);

/* The result of parsing a number. */
enum trc_number_kind {
	TRC_NUMBER_WHOLE,
	TRC_NUMBER_NONE,   /* not a number */
	TRC_NUMBER_LARGE,  /* exceeds 64 bits */
	TRC_NUMBER_BROKEN, /* not whole: 0.5 */
	TRC_NUMBER_BYTES,  /* has a byte unit where something else is counted: 1KB, 64B */
};

/* Parses a decimal number with a suffix, a power of 1000, or of 1024 with `bytes`; or a hexadecimal
 * one after 0x. It may have a decimal point and an exponent, 1.5M or 1e6, if its value is whole. */
bool trc_opt_number(const char *text, bool bytes, uint64_t *v);
enum trc_number_kind trc_opt_number_kind(const char *text, bool bytes);

/* Parses an extent; its number must not have the highest bit. */
bool trc_opt_extent(const char *text, uint64_t *v);

/* Parses a fraction 1/N, given as 1/100, 0.01 or 1%; N must be whole. */
bool trc_opt_part(const char *text, uint64_t *one_in);

/* Parses a size in pages or bytes. */
bool trc_opt_pages(const char *text, struct trc_opt_pages *pages);

#endif
