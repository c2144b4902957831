/* SPDX-License-Identifier: MIT
 *
 * The difference codings of Laplace ("Laplace: Trace Reduction", Lossless reduction): lines
 *
 *   LETTER NUMBER... SIGN MAGNITUDE        w 2 2 0 - d32
 *
 * where each number is the difference from the line before, and SIGN and MAGNITUDE are that of an
 * address or page. The address space is written when it changes, and otherwise 0, so a change to
 * space 0 cannot be written. Times never decrease. All values start at 0; a difference of 0 has the
 * sign +.
 */
#ifndef TRC_FORMAT_TEXT_DIFF_H
#define TRC_FORMAT_TEXT_DIFF_H

#include "format/lines.h"
#include "format/print.h"

enum { TRC_DIFF_NUMBERS = 5 }; /* maximum per line, including the magnitude */

/* Stores a line in row `n` of `b`; returns false if a number is out of range. */
typedef bool (*trc_diff_fn)(void *state, struct trc_batch *b, size_t n, uint8_t letter,
                            const uint64_t *number, bool minus);

/* Implements parse for lines of `numbers` numbers. Skips blank lines and lines that begin with
 * '#'. */
size_t trc_diff_parse(const struct trc_lines *l, struct trc_batch *b, unsigned numbers,
                      trc_diff_fn take);

/* Increases *last by `difference`; returns false on overflow. */
static inline bool
trc_diff_forward(uint64_t *last, uint64_t difference)
{
	*last += difference;
	return *last >= difference;
}

/* Moves *last by a magnitude in the direction of its sign; returns false on overflow. */
static inline bool
trc_diff_move(uint64_t *last, uint64_t magnitude, bool minus)
{
	const uint64_t from = *last;

	*last = minus ? from - magnitude : from + magnitude;
	return minus ? magnitude <= from : *last >= from;
}

/* Sets *last to the space that `number` stands for. */
static inline bool
trc_diff_space(uint32_t *last, uint64_t number)
{
	if (number != 0)
		*last = (uint32_t)number;
	return number <= UINT32_MAX;
}

/* Prints a difference with its sign. Up to 40 bytes at `dst` may be overwritten. */
static inline uint8_t *
trc_diff_print_move(uint8_t *dst, uint64_t *last, uint64_t to)
{
	const bool minus = to < *last;

	*dst++ = ' ';
	*dst++ = minus ? '-' : '+';
	dst = trc_print_hex(dst, ' ', minus ? *last - to : to - *last);
	*last = to;
	return dst;
}

/* Fail for a row that cannot be printed: a time decreased, or the space became 0. Both return
 * NULL. */
uint8_t *trc_diff_refuse_time(const char *column, uint64_t last, uint64_t time,
                              struct trc_err *err);
uint8_t *trc_diff_refuse_space(uint32_t last, struct trc_err *err);

#endif
