/* SPDX-License-Identifier: MIT
 *
 * How miss curves are shown: which sizes, in which units, as what. curve.c has the values, the
 * table, CSV and JSON, curve_plot.c the pictures.
 */
#ifndef TRC_CMD_STAT_CURVE_H
#define TRC_CMD_STAT_CURVE_H

#include "base/io/out.h"
#include "stage/simulate/mrc.h"

struct trc_curves {
	const char *name; /* of the trace */
	struct trc_mrc mrc;
	bool by_space;
	const char *unit; /* "page" or "line" */
	bool bytes;       /* it has 2^bits bytes; false: nobody knows */
	unsigned bits;
	bool first;      /* first references are misses */
	uint64_t from;   /* the smallest size that is shown, since the curve holds from there on */
	uint64_t sample; /* the trace has one page in so many; 1: all */
	bool reduced;    /* not all references are in the trace: */
	uint64_t refs;   /* so many were; 0: nobody knows */
	bool all;        /* show all sizes, or */
	const uint64_t *size; /* these, or if there are none a choice */
	size_t sizes;
};

/* What a memory of `pages` pages does. */
struct trc_curve_point {
	uint64_t pages;
	uint64_t bytes; /* 0: not known */
	uint64_t misses, first, writebacks;
	double ratio; /* of misses to references; below 0: not known */
};

struct trc_curve_point trc_curve_at(const struct trc_curves *c, const struct trc_mrc_curve *curve,
                                    uint64_t pages);

/* The smallest and the largest size of a curve that are of interest. */
uint64_t trc_curve_least(const struct trc_curves *c);
uint64_t trc_curve_most(const struct trc_curves *c, const struct trc_mrc_curve *curve);

/* References that the ratio is of; 0: not known. */
uint64_t trc_curve_refs(const struct trc_curves *c, const struct trc_mrc_curve *curve);

/* "48 KiB" or "1.5 GiB"; returns dst. */
char *trc_curve_bytes(uint64_t bytes, char *dst, size_t room);

int trc_curves_text(const struct trc_curves *c, struct trc_out *out,
                    struct trc_err *err) TRC_MUST_USE;
int trc_curves_csv(const struct trc_curves *c, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;
int trc_curves_json(const struct trc_curves *c, struct trc_out *out,
                    struct trc_err *err) TRC_MUST_USE;

/* One curve in the characters of a terminal, 80 columns wide. */
int trc_curve_plot(const struct trc_curves *c, const struct trc_mrc_curve *curve,
                   struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* All of them, the eight with most references if there are more, as SVG. */
int trc_curves_svg(const struct trc_curves *c, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;

#endif
