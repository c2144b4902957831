/* SPDX-License-Identifier: MIT
 *
 * Scales of axes: where a value stands, and which values are marked with which words. Linear ones
 * are marked at 1, 2 or 5 times a power of ten (P. S. Heckbert, "Nice numbers for graph labels",
 * Graphics Gems, 1990); logarithmic ones at powers of ten, and at 2 and 5 times these if they are
 * few; those of sizes at powers of two, or at multiples of one.
 */
#ifndef TRC_CMD_PICTURE_SCALE_H
#define TRC_CMD_PICTURE_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum trc_unit {
	TRC_UNIT_NUMBER, /* 1500 is "1.5k" */
	TRC_UNIT_COUNT,  /* the same of what is whole */
	TRC_UNIT_PART,   /* 0.25 is "25 %" */
	TRC_UNIT_SIZE,   /* 4096 is "4096", and "4Ki" from five digits on */
};

enum { TRC_TICKS_MOST = 24, TRC_TICK_ROOM = 32 };

struct trc_tick {
	double value;
	char label[TRC_TICK_ROOM];
};

struct trc_scale {
	double from, to; /* from < to, and above 0 if it is logarithmic */
	bool log;
	double zero; /* of a logarithmic one: what is below stands for 0; or 0 */
	struct trc_tick tick[TRC_TICKS_MOST];
	size_t ticks;
};

/* Makes the scale for values of `least` to `most`, of which about `ticks` are marked. A linear one
 * begins at 0 if that is near; with `loose` in any case, and it reaches to marks at both ends. */
void trc_scale_make(struct trc_scale *s, double least, double most, bool log, bool loose,
                    enum trc_unit unit, unsigned ticks);

/* Gives a logarithmic scale a mark of 0, below all others. */
void trc_scale_zero(struct trc_scale *s, enum trc_unit unit);

/* Values for small marks without words, between the decades of a logarithmic scale that has these
 * alone; returns how many. */
enum { TRC_SMALL_TICKS_MOST = 160 };
size_t trc_scale_between(const struct trc_scale *s, double value[TRC_SMALL_TICKS_MOST]);

/* Where `v` stands: 0 at the beginning, 1 at the end, not beyond these. */
double trc_scale_place(const struct trc_scale *s, double v);

/* The other way. */
double trc_scale_value(const struct trc_scale *s, double place);

/* A value in few characters; returns dst. */
char *trc_scale_label(double v, enum trc_unit unit, char dst[TRC_TICK_ROOM]);

/* "48 KiB" or "1.5 GiB"; returns dst. */
char *trc_scale_bytes(double bytes, char dst[TRC_TICK_ROOM]);

#endif
