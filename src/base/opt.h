/* SPDX-License-Identifier: MIT
 *
 * An option is a row: the same rows parse the command line, print the help and answer completion.
 */
#ifndef TRC_BASE_OPT_H
#define TRC_BASE_OPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/base.h"

enum trc_opt_kind {
	TRC_OPT_FLAG,    /* bool */
	TRC_OPT_NUMBER,  /* uint64_t; 10k, 1.5M, 1G are thousands, millions, thousand millions; a
	                  * unit of bytes, as in 10KB, is refused: no bytes are counted */
	TRC_OPT_COUNT,   /* the same, from 1: 0 in the settings means that it was not given */
	TRC_OPT_EXTENT,  /* from 1; a number of records, or with an i behind it, 10Mi, of
	                  * instructions: with TRC_OPT_INSNS */
	TRC_OPT_SKIP,    /* the same, from 0 */
	TRC_OPT_BYTES,   /* from 1; 4K, 4KB, 2M, 1G are powers of two */
	TRC_OPT_OFFSET,  /* the same, from 0 */
	TRC_OPT_PAGES,   /* struct trc_opt_pages */
	TRC_OPT_TEXT,    /* const char * */
	TRC_OPT_LIST,    /* struct trc_opt_list; may be given several times */
	TRC_OPT_LEVEL,   /* uint64_t: 1 + a level of 0 to 9, which may also be given as -0 to -9 */
	TRC_OPT_PERCENT, /* uint64_t: 1 + a percentage of 0 to 100, with or without its sign */
	TRC_OPT_PART,    /* uint64_t: one in so many, 8, 1/8 or 12.5% */
	TRC_OPT_FIELD,   /* struct trc_opt_field; in trc_opt_parse_words() alone */
	TRC_OPT_WORD,    /* the same, a word whatever it is */
	TRC_OPT_CHOICE, /* unsigned: 1 for the first of the words of `arg`, "big|little"; 0 for none */
};

/* The highest bit of an extent: it is of instructions. */
#define TRC_OPT_INSNS (UINT64_C(1) << 63)

enum trc_opt_words { /* what completion offers for the argument */
	             TRC_WORDS_NONE,
	             TRC_WORDS_READ,      /* formats that can be read */
	             TRC_WORDS_WRITE,     /* formats that can be written */
	             TRC_WORDS_DROP,      /* columns, and types of records */
	             TRC_WORDS_TYPE,      /* types of records */
	             TRC_WORDS_FILL,      /* columns with their values */
	             TRC_WORDS_PRESET,    /* programs that traces are for */
	             TRC_WORDS_PACKING,   /* general compressions */
	             TRC_WORDS_POLICY,    /* how memories replace pages */
	             TRC_WORDS_CACHE,     /* the same, behind SIZE:WAYS:LINE: */
	             TRC_WORDS_INCLUSION, /* what levels of caches are */
	             TRC_WORDS_FILE,      /* a file that is read */
	             TRC_WORDS_OUTPUT,    /* a file that is written */
};

/* The size of a memory: a bare number of pages, or with a unit, like 64K, bytes. */
struct trc_opt_pages {
	uint64_t n; /* 0: not given */
	bool bytes;
};

/* A field of a table, by its number from 1 or by its name: `n` characters at `name`, which are
 * those of the words that were parsed. */
struct trc_opt_field {
	const char *name; /* NULL: by its number */
	uint64_t n;       /* 0: not given */
};

enum { TRC_OPT_LIST_MOST = 32 };

/* The values of an option that may be given several times. */
struct trc_opt_list {
	const char *word[TRC_OPT_LIST_MOST];
	size_t n;
};

/* The row of an option. */
struct trc_opt {
	char letter;      /* 0: none */
	const char *name; /* the long one, without dashes */
	const char *arg;  /* what the argument is called; NULL for a flag */
	const char *doc;
	enum trc_opt_kind kind;
	enum trc_opt_words words;
	size_t at; /* offsetof the value in the settings */
};

/* Rows of one owner, which alone reads the settings that they fill: a stage, a question, or what
 * several of them have in common. */
struct trc_opts {
	const struct trc_opt *row;
	size_t n;
	size_t size; /* bytes of the settings; all zeros before the rows fill them */
	const struct trc_opts *const
	        *with; /* owners that come before this one wherever it is taken,
	                                     * NULL behind the last; NULL: none */
};

/* Options and positional words of one command line. */
struct trc_args {
	const char **word; /* positional, in order; room for all of argv */
	size_t n;
	bool help, version;
	bool *given; /* of each row, whether it occurred; NULL: nobody asks */

	/* What does here what an option does elsewhere, "-x" or "--name"; NULL: nobody asks. */
	const char *(*foreign)(const char *word);
};

/* Parses argv[1..argc) by the `n` rows into `settings`. --help, -h, --version and -V are understood
 * everywhere; "--" ends the options; "-" is a positional word. */
int trc_opt_parse(const struct trc_opt *opt, size_t n, int argc, char **argv, void *settings,
                  struct trc_args *args, struct trc_err *err) TRC_MUST_USE;

/* Parses "NAME,NAME=VALUE,..." by the `n` rows into `settings`; none of them is text or a list.
 * NULL is no words. `whose` names what they belong to in messages. */
int trc_opt_parse_words(const struct trc_opt *opt, size_t n, const char *whose, const char *words,
                        void *settings, struct trc_err *err) TRC_MUST_USE;

/* Prints one line an option, within 80 columns. */
void trc_opt_help(const struct trc_opt *opt, size_t n, FILE *f);

/* What a word is as a number. */
enum trc_number_kind {
	TRC_NUMBER_WHOLE,
	TRC_NUMBER_NONE,   /* it is none */
	TRC_NUMBER_LARGE,  /* it has more than 64 bits */
	TRC_NUMBER_BROKEN, /* it is not whole: 0.5 */
	TRC_NUMBER_BYTES,  /* it has a unit of bytes, where something else is counted: 1KB, 64B */
};

/* A decimal number with a suffix, of thousands or with `bytes` of 1024s; or a hexadecimal one after
 * 0x. It may have a decimal point and an exponent, 1.5M or 1e6, if it is whole. */
bool trc_opt_number(const char *text, bool bytes, uint64_t *v);
enum trc_number_kind trc_opt_number_kind(const char *text, bool bytes);

/* An extent, of which no number has the highest bit. */
bool trc_opt_extent(const char *text, uint64_t *v);

/* A part of a whole, 1/100, 0.01 or 1%, as the number of such parts that it has, which must be
 * whole. */
bool trc_opt_part(const char *text, uint64_t *one_in);

/* A size in pages or bytes. */
bool trc_opt_pages(const char *text, struct trc_opt_pages *pages);

#endif
