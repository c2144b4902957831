/* SPDX-License-Identifier: MIT
 *
 * Miss curves that are to be shown: which sizes, in which units, and what a memory of one size
 * does. curve_print.h has the table, CSV and JSON, curve_plot.h the pictures.
 */
#ifndef TRC_CMD_CURVE_CURVE_H
#define TRC_CMD_CURVE_CURVE_H

#include "stage/simulate/mrc.h"

/* The curves of a trace, and how to show them. */
struct trc_curves {
	const char *name; /* of the trace */

	/* One of several that are compared: its path if there are several traces, its policy if
	 * there are several of them, and whether one of them is a sample. */
	const char *input, *way;
	bool intervals;
	struct trc_mrc mrc;
	const char *policy; /* what replaces pages; NULL: LRU */
	const char *writes; /* what writes do; NULL: they fill, and are written back */
	bool reads;         /* they alone count */
	bool requests;      /* misses are counted by requests and by bytes, too */
	bool by_space;
	const char *unit; /* "page" or "line" */
	bool bytes;       /* it has 2^bits bytes; false: not known */
	unsigned bits;
	bool first;       /* first references are misses */
	uint64_t from;    /* the smallest size that is shown, since the curve holds from there on */
	uint64_t sample;  /* the trace has one page in `sample`; 1: all */
	bool reduced;     /* not all references are in the trace: */
	uint64_t refs;    /* so many were; 0: not known */
	uint64_t touches; /* likewise; 0: as many, or not known */
	bool wide;        /* here, or in one that it is compared with, some are to several pages */
	uint64_t warmup;  /* records that do not count, */
	bool insns;       /* or instructions */
	bool all;         /* show all sizes, or */
	const uint64_t *size;  /* these sizes, or if there are none a choice of sizes; */
	const uint64_t *share; /* each is so many billionths of the pages; 0: as it was given */
	size_t sizes;
};

/* Takes the meta of the trace, of which some is known at its end, and `refs` references came: from
 * which size on its curves hold. Curves of too few pages in a sample are left out, with a
 * note unless `quiet`. Fails if none hold. */
int trc_curves_take_meta(struct trc_curves *c, const struct trc_meta *meta, uint64_t refs,
                         bool quiet, struct trc_err *err) TRC_MUST_USE;

/* What a memory of `pages` pages does. */
struct trc_curve_point {
	uint64_t pages;
	uint64_t bytes; /* 0: not known */
	uint64_t misses, first, writebacks, missed_requests, missed_bytes;
	double ratio; /* of misses to touches; below 0: not known */

	/* Of a sample: intervals of 95 %. */
	struct trc_replicates_interval misses_in, writebacks_in;
};

struct trc_curve_point trc_curve_at(const struct trc_curves *c, const struct trc_mrc_curve *curve,
                                    uint64_t pages);

/* The smallest and the largest size of a curve that are of interest. */
uint64_t trc_curve_least(const struct trc_curves *c);
uint64_t trc_curve_most(const struct trc_curves *c, const struct trc_mrc_curve *curve);

/* The sizes to show, in a new array: all, those given, or powers of two and halfway between. */
uint64_t *trc_curve_sizes(const struct trc_curves *c, const struct trc_mrc_curve *curve, size_t *n,
                          struct trc_err *err) TRC_MUST_USE;

/* References of the trace; 0: not known. */
uint64_t trc_curve_refs(const struct trc_curves *c, const struct trc_mrc_curve *curve);

/* Touches of pages, which misses are of, so that the ratio is of these: as many as references if
 * each is to one page. 0: not known, as of a trace that was reduced and has others, but not how
 * many of them there were. */
uint64_t trc_curve_touches(const struct trc_curves *c, const struct trc_mrc_curve *curve);

/* True if there is a reference to several pages in one of the curves. */
bool trc_curves_wide(const struct trc_curves *c);

#endif
