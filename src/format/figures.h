/* SPDX-License-Identifier: MIT
 *
 * Statistics of the fields of a text, which doubt.c evaluates: of each field, and of relations
 * between types, addresses and sizes.
 */
#ifndef TRC_FORMAT_FIGURES_H
#define TRC_FORMAT_FIGURES_H

#include "format/lines.h"

enum {
	TRC_FIGURES_FIELDS = 8,  /* fields examined */
	TRC_FIGURES_VALUES = 64, /* different values stored */
	TRC_FIGURES_LABELS = 6,  /* labels of din */
	TRC_FIGURES_BITS = 7,    /* for sizes and alignments, up to 64 bytes */
};

/* Number of lines by the size, if it is a power of two, and by the trailing zeros of the
 * address. */
typedef size_t trc_figures_sizes[TRC_FIGURES_BITS][TRC_FIGURES_BITS];

/* The statistics of a field, over the lines that have it. */
struct trc_field_figures {
	size_t lines, numbers;
	size_t digits;              /* low digits that differ from those of the previous number */
	bool marked, letters, wide; /* 0x; a to f, but for e alone; a number above 9 */
	bool bare, unmarked;        /* a number above 9 without 0x: no letters; letters */
	bool padded;                /* leading zeros */
	bool above;                 /* a digit that is not binary */
	size_t falls;               /* lines with a lower number than the line before */
	size_t powers, zeros;       /* lines with a power of two; with 0 */
	uint64_t last, most, bits;  /* set in some number */

	/* Numbers that are addresses of code and heap, of libraries, and of the stack in 32-bit
	 * programs on Linux; and all others. */
	size_t process[3], elsewhere;
	struct trc_field text; /* in the last line */
	uint64_t value[TRC_FIGURES_VALUES];
	size_t seen[TRC_FIGURES_VALUES]; /* lines with each value */
	size_t values;                   /* number of different values, up to the limit */
};

struct trc_figures {
	struct trc_field_figures field[TRC_FIGURES_FIELDS];

	/* Records; fields that all of them have; fields that some have. */
	size_t lines, least, most;
	bool described; /* there is a comment as trc writes it */
	size_t label[TRC_FIGURES_LABELS];
	size_t requests; /* lines with R, W, read or write before the address */

	/* A bit for each letter that is a type, in lower and in upper case. */
	uint32_t lower, upper;

	/* Lines whose first number occurred before, with the same second number, or another one. */
	size_t same, other;
	uint64_t companion[TRC_FIGURES_VALUES];

	/* Fetches, the highest, and the lowest other address; fetches after another fetch, at most
	 * 16 bytes after it, and exactly where it ended; others after a fetch, and those within a
	 * page of it. */
	size_t code;
	uint64_t fetched, lowest;
	size_t fetches, near, next, data, amid;

	trc_figures_sizes size;
};

/* No disk has a sector with this number. */
#define TRC_FIGURES_NO_SECTOR (UINT64_C(1) << 40)

/* Counts how many low zeros an address has, by a size that is a power of two. */
void trc_figures_note_size(trc_figures_sizes sizes, uint64_t addr, uint64_t size);

/* Returns the evidence, in bits, that a field is a size: a size divides its address, in all but an
 * eighth of the lines in which an unrelated number, such as a thread, would not. An unrelated
 * number divides as many addresses as it does on average over all lines; so the result is 0 if all
 * sizes divide all addresses. */
unsigned trc_figures_align(trc_figures_sizes sizes);

/* Counts the lines of the head, with numbers in this base. Addresses and sizes are in the fields
 * `addr` and `size`, from 0; -1: there are none. */
void trc_figures_count(struct trc_figures *n, const struct trc_probe *probe, unsigned base,
                       int addr, int size);

/* Lines of the head whose size has several digits, which may be decimal or hexadecimal. */
struct trc_figures_several {
	size_t lines;

	/* Only in this base the sizes are possible: up to 15 for instructions, or powers of two. */
	size_t decimal, hex;
	size_t both;    /* 10 */
	size_t letters; /* with letters or 0x */
};

/* Counts them. Sizes are in field `at`, from 0, which is below TRC_FIGURES_FIELDS. */
void trc_figures_count_several(struct trc_figures_several *n, const struct trc_probe *probe,
                               int at);

#endif
