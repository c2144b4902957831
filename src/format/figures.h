/* SPDX-License-Identifier: MIT
 *
 * What is counted of the fields of a text, for doubt.c to weigh: each field by itself, and how
 * types, addresses and sizes go together.
 */
#ifndef TRC_FORMAT_FIGURES_H
#define TRC_FORMAT_FIGURES_H

#include "format/lines.h"

enum {
	TRC_FIGURES_FIELDS = 8,  /* that are looked at */
	TRC_FIGURES_VALUES = 64, /* different ones that are kept */
	TRC_FIGURES_LABELS = 6,  /* of din */
	TRC_FIGURES_BITS = 7,    /* of sizes and alignments, up to 64 bytes */
};

/* Lines by the size, if it is a power of two, and by the zeros that the address ends in. */
typedef size_t trc_figures_sizes[TRC_FIGURES_BITS][TRC_FIGURES_BITS];

/* Of a field, over the lines that have it. */
struct trc_field_figures {
	size_t lines, numbers;
	size_t digits;              /* low ones of numbers unlike the one before */
	bool marked, letters, wide; /* 0x; a to f; a number above 9 */
	bool padded;                /* a zero in front of a number */
	size_t falls;               /* lines with less than the line before */
	size_t powers, zeros;       /* lines with a power of two; with 0 */
	uint64_t last, most, bits;  /* bits that some number has */

	/* Numbers that are addresses of code and heap, of libraries, and of the stack in programs
	 * of 32 bits on Linux; and that are none of these. */
	size_t process[3], elsewhere;
	struct trc_field text; /* of the last */
	uint64_t value[TRC_FIGURES_VALUES];
	size_t seen[TRC_FIGURES_VALUES]; /* lines with each */
	size_t values;                   /* different ones, and no more than are kept */
};

struct trc_figures {
	struct trc_field_figures field[TRC_FIGURES_FIELDS];
	size_t lines, least, most; /* records; fields that all of them have; that some have */
	bool described;            /* a comment is one that trc writes */
	size_t label[TRC_FIGURES_LABELS];
	size_t requests; /* lines with R, W, read or write before the address, as those of disks */

	/* Lines whose first number came before, with the same second one, or another. */
	size_t same, other;
	uint64_t beside[TRC_FIGURES_VALUES];

	/* Fetches, the highest, and the lowest other address; fetches after another one, up to 16
	 * bytes on, and where that one ended; others after a fetch, and within a page of it. */
	size_t code;
	uint64_t fetched, lowest;
	size_t fetches, near, next, data, amid;

	trc_figures_sizes size;
};

/* No disk has a sector of this number. */
#define TRC_FIGURES_NO_SECTOR (UINT64_C(1) << 40)

void trc_figures_note_size(trc_figures_sizes sizes, uint64_t addr, uint64_t size);

/* Bits by which sizes show: a size divides its address, but for an eighth of the lines in which any
 * number there, such as a thread, would not. By the odds of the latter, which are the share of all
 * lines whose addresses it divides; so 0 where all sizes divide all addresses. */
unsigned trc_figures_align(trc_figures_sizes sizes);

/* Counts the lines of the head; numbers are of this base. Addresses and sizes are in the fields
 * `addr` and `size`, from 0; -1: there are none. */
void trc_figures_count(struct trc_figures *n, const struct trc_probe *probe, unsigned base,
                       int addr, int size);

/* Lines of the head whose size has several digits, which may be decimal or hexadecimal. */
struct trc_figures_several {
	size_t lines;
	size_t decimal, hex; /* only such are sizes of instructions, up to 15, or powers of two */
	size_t both;         /* 10 */
	size_t letters;      /* or 0x */
};

/* Counts them. Sizes are in the field `at`, from 0, which is below TRC_FIGURES_FIELDS. */
void trc_figures_count_several(struct trc_figures_several *n, const struct trc_probe *probe,
                               int at);

#endif
