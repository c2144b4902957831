/* SPDX-License-Identifier: MIT
 *
 * Scales of axes: the position of a value, and which values have ticks with which labels. Linear
 * scales have ticks at 1, 2 or 5 times a power of ten (P. S. Heckbert, "Nice numbers for graph
 * labels", Graphics Gems, 1990); logarithmic ones at powers of ten, and at 2 and 5 times these if
 * they are few; sizes at powers of two, or at multiples of one.
 */
#ifndef TRC_CMD_PICTURE_SCALE_H
#define TRC_CMD_PICTURE_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum trc_unit {
	TRC_UNIT_NUMBER, /* 1500 is "1.5k" */
	TRC_UNIT_COUNT,  /* the same for whole numbers */
	TRC_UNIT_PART,   /* 0.25 is "25 %" */
	TRC_UNIT_SIZE,   /* 4096 is "4096", but from five digits on "16Ki" */
};

enum { TRC_TICKS_MOST = 24, TRC_TICK_ROOM = 32 };

struct trc_tick {
	double value;
	char label[TRC_TICK_ROOM];
};

struct trc_scale {
	double from, to; /* from < to, and from > 0 if logarithmic */
	bool log;
	double zero; /* on a logarithmic scale, smaller values stand for 0; or 0: no tick for 0 */
	struct trc_tick tick[TRC_TICKS_MOST];
	size_t ticks;
};

/* Makes a scale for values from `least` to `most` with about `ticks` ticks. A linear scale begins
 * at 0 if 0 is near. With `loose`, it always begins at 0 or below, and has ticks at both ends. */
void trc_scale_make(struct trc_scale *s, double least, double most, bool log, bool loose,
                    enum trc_unit unit, unsigned ticks);

/* Adds a tick for 0 to a logarithmic scale, below all others. */
void trc_scale_zero(struct trc_scale *s, enum trc_unit unit);

/* Sets the values of small ticks without labels, between the decades of a logarithmic scale that
 * has ticks only at these; returns how many. */
enum { TRC_SMALL_TICKS_MOST = 160 };
size_t trc_scale_between(const struct trc_scale *s, double value[TRC_SMALL_TICKS_MOST]);

/* Returns the position of `v` on the scale, from 0 to 1; values outside are clamped. */
double trc_scale_place(const struct trc_scale *s, double v);

/* Returns the value at a position, the inverse of trc_scale_place(). */
double trc_scale_value(const struct trc_scale *s, double place);

/* Formats a value in few characters; returns `dst`. */
char *trc_scale_label(double v, enum trc_unit unit, char dst[TRC_TICK_ROOM]);

/* Formats a size as "48 KiB" or "1.5 GiB"; returns `dst`. */
char *trc_scale_bytes(double bytes, char dst[TRC_TICK_ROOM]);

#endif
