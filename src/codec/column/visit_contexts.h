/* SPDX-License-Identifier: MIT
 *
 * The contexts of the page-visit model: what is coded for a visit, row by row (the table is in
 * visit_contexts.c). To add, remove or change a context, edit its row there; codec/README.md lists
 * what else must be changed.
 */
#ifndef TRC_CODEC_COLUMN_VISIT_CONTEXTS_H
#define TRC_CODEC_COLUMN_VISIT_CONTEXTS_H

#include "codec/mixing/predictor.h"

/* What is coded for a visit; numbers come first. */
enum trc_visit_row {
	TRC_VISIT_GAP,  /* number: advance of the first clock */
	TRC_VISIT_STEP, /* number: distance of a new page from the last new one */
	TRC_VISIT_LAG,  /* number: how much less the second clock advanced */
	TRC_VISIT_FAR,  /* number: a page that is not new, not a candidate, and not near */
	TRC_VISIT_KIND, /* number: the kind of visit */
	TRC_VISIT_NUMBERS,
	TRC_VISIT_NEW = TRC_VISIT_NUMBERS, /* bit: the page was not visited before */
	TRC_VISIT_CANDIDATE,               /* bit: the page is this candidate */
	TRC_VISIT_NEAR,                    /* bit: the page is near (visit_model.h) */
	TRC_VISIT_WALK,                    /* bit: the page is this one of the near pages */
	TRC_VISIT_ROWS,
};

/* The current contexts of a row, for the bit or number to be coded (our own). Only those that the
 * row has are set. */
struct trc_visit_set {
	uint32_t context[TRC_CONTEXTS];
	struct trc_select select;       /* for a bit */
	unsigned selector;              /* for a number */
	uint32_t expected[TRC_EXPERTS]; /* for a number: the values that experts expect */
};

/* A page that may be right (our own): a candidate or a near page. */
struct trc_visit_candidate {
	uint32_t page;
	unsigned table, seen;  /* its successor table; 1: its last page, 2: its other page */
	unsigned tried;        /* number of pages tried before */
	unsigned agree;        /* number of tables with this page as their last */
	unsigned predicted_by; /* bits: predictions of the visit history with this page */
	unsigned depth;        /* position in the order of last visits */
};

struct trc_visit_model;

extern const struct trc_predictor_row trc_visit_rows[TRC_VISIT_ROWS];

/* Set the contexts of the gap, step, lag, new page or candidate of the next visit. */
void trc_visit_gap_set(const struct trc_visit_model *v, struct trc_visit_set *s);
void trc_visit_step_set(const struct trc_visit_model *v, struct trc_visit_set *s);
void trc_visit_lag_set(const struct trc_visit_model *v, struct trc_visit_set *s);
void trc_visit_new_set(const struct trc_visit_model *v, struct trc_visit_set *s);
void trc_visit_candidate_set(const struct trc_visit_model *v, const struct trc_visit_candidate *c,
                             struct trc_visit_set *s);
void trc_visit_near_set(const struct trc_visit_model *v, struct trc_visit_set *s);
void trc_visit_walk_set(const struct trc_visit_model *v, const struct trc_visit_candidate *c,
                        struct trc_visit_set *s);
void trc_visit_far_set(const struct trc_visit_model *v, struct trc_visit_set *s);
void trc_visit_kind_set(const struct trc_visit_model *v, struct trc_visit_set *s);

/* Returns the distance of a page from the last new one, in unseen pages, as a signed number in
 * zigzag form. */
uint32_t trc_visit_step_to(const struct trc_visit_model *v, uint32_t page);

/* Computes the contexts of the successor tables. */
void trc_visit_successor_hashes(const struct trc_visit_model *v, uint32_t *hash);

#endif
