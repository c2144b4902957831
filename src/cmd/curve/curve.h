/* SPDX-License-Identifier: MIT
 *
 * Miss curves to be shown: their sizes and units, and the misses of a memory of a given size.
 * curve_print.h prints them as a table, CSV and JSON, curve_plot.h draws them.
 */
#ifndef TRC_CMD_CURVE_CURVE_H
#define TRC_CMD_CURVE_CURVE_H

#include "stage/simulate/mrc.h"

/* The curves of a trace, and how to show them. */
struct trc_curves {
	const char *name; /* of the trace */

	/* Names of this one, if several are compared: its path for several traces, its policy for
	 * several policies. `intervals`: one of them is a sample. */
	const char *input, *way;
	bool intervals;
	struct trc_mrc mrc;
	const char *policy; /* the replacement policy; NULL: LRU */
	const char *writes; /* the handling of writes; NULL: they allocate, and are written back */
	bool reads;         /* only reads count */
	bool requests;      /* misses are also counted by requests and by bytes */
	bool by_space;
	const char *unit; /* "page" or "line" */
	bool bytes;       /* it has 2^bits bytes; false: unknown */
	unsigned bits;
	bool first;      /* first references are misses */
	uint64_t from;   /* the smallest size to show: the curve is valid from there on */
	uint64_t sample; /* the trace is a sample of one page in `sample`; 1: of all pages */
	bool reduced;    /* the trace lacks some references */
	uint64_t refs;   /* number of references before the reduction; 0: unknown */

	/* Number of touches before the reduction; 0: as many as references, or unknown. */
	uint64_t touches;

	/* A reference here, or in a curve compared with this one, touches several pages. */
	bool wide;
	uint64_t warmup; /* length of the warm-up in records, */
	bool insns;      /* or in instructions if this is set */
	bool all;        /* show all sizes */

	/* Else show these sizes; NULL: a default choice. */
	const uint64_t *size;

	/* For each size, its share of the pages in billionths; 0: it was given as a number. */
	const uint64_t *share;
	size_t sizes;
};

/* Applies the properties of the trace, some of which are known only at its end, after `refs`
 * references were read. Sets c->from. Curves with too few pages in a sample are removed, with a
 * note unless `quiet`; fails if none are left. */
int trc_curves_take_meta(struct trc_curves *c, const struct trc_meta *meta, uint64_t refs,
                         bool quiet, struct trc_err *err) TRC_MUST_USE;

/* The misses of a memory. */
struct trc_curve_point {
	uint64_t pages;
	uint64_t bytes; /* 0: unknown */
	uint64_t misses, first, writebacks, missed_requests, missed_bytes;
	double ratio; /* misses / touches; negative: unknown */

	/* 95 % confidence intervals, if the trace is a sample */
	struct trc_replicates_interval misses_in, writebacks_in;
};

/* Returns the values of a curve at a memory of `pages` pages of the original trace. */
struct trc_curve_point trc_curve_at(const struct trc_curves *c, const struct trc_mrc_curve *curve,
                                    uint64_t pages);

/* Return the smallest and the largest size of interest. */
uint64_t trc_curve_least(const struct trc_curves *c);
uint64_t trc_curve_most(const struct trc_curves *c, const struct trc_mrc_curve *curve);

/* Returns the sizes to show, in an array to free(), and their number in *n: all sizes, or those
 * given, or powers of two and the sizes halfway between them. Returns NULL if it fails. */
uint64_t *trc_curve_sizes(const struct trc_curves *c, const struct trc_mrc_curve *curve, size_t *n,
                          struct trc_err *err) TRC_MUST_USE;

/* Returns the number of references of the trace; 0: unknown. */
uint64_t trc_curve_refs(const struct trc_curves *c, const struct trc_mrc_curve *curve);

/* Returns the number of touches of pages, the denominator of the miss ratio. It equals the number
 * of references if each touches one page. 0: unknown, for example if a reduced trace has references
 * to several pages, but not their number. */
uint64_t trc_curve_touches(const struct trc_curves *c, const struct trc_mrc_curve *curve);

/* Returns true if a reference in one of the curves touches several pages. */
bool trc_curves_wide(const struct trc_curves *c);

#endif
