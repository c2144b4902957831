/* SPDX-License-Identifier: MIT
 *
 * The contexts of the page-visit model: what is coded of a visit, row by row (visit_contexts.c is
 * the table). To add, drop or change a context, change its row there; codec/README.md
 * has what else belongs to it.
 */
#ifndef TRC_CODEC_COLUMN_VISIT_CONTEXTS_H
#define TRC_CODEC_COLUMN_VISIT_CONTEXTS_H

#include "codec/mixing/predictor.h"

/* What is coded of a visit; numbers first. */
enum trc_visit_row {
	TRC_VISIT_GAP,  /* number: how much the first clock advanced */
	TRC_VISIT_STEP, /* number: how far a new page is from the last new one */
	TRC_VISIT_LAG,  /* number: how much less the second clock did */
	TRC_VISIT_FAR,  /* number: a page that is neither new, a candidate, nor near */
	TRC_VISIT_KIND, /* number: the kind of visit */
	TRC_VISIT_NUMBERS,
	TRC_VISIT_NEW = TRC_VISIT_NUMBERS, /* is the page one that no visit had? */
	TRC_VISIT_CANDIDATE,               /* is it this candidate? */
	TRC_VISIT_NEAR,                    /* is it near (visit_model.h)? */
	TRC_VISIT_WALK,                    /* is it this page of those that are near? */
	TRC_VISIT_ROWS,
};

/* The contexts of a row as they are now, for the bit or number that is coded (our own). Set is what
 * the row has, and no more. */
struct trc_visit_set {
	uint32_t context[TRC_CONTEXTS];
	struct trc_select select;       /* of a bit */
	unsigned selector;              /* of a number, */
	uint32_t expected[TRC_EXPERTS]; /* and what experts expect of it */
};

/* A page that may be the one (our own): a candidate, or one that is near. */
struct trc_visit_candidate {
	uint32_t page;
	unsigned table, seen;  /* whose it is: successor table, its last (1) or other page (2) */
	unsigned tried;        /* before */
	unsigned agree;        /* how many tables have this page as their last */
	unsigned predicted_by; /* bits: which predictions of the visit history have it */
	unsigned depth;        /* in the order of last visits */
};

struct trc_visit_model;

extern const struct trc_predictor_row trc_visit_rows[TRC_VISIT_ROWS];

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

/* How many unseen pages a page is from the last one that was new, as a number. */
uint32_t trc_visit_step_to(const struct trc_visit_model *v, uint32_t page);

/* The contexts of successor tables. */
void trc_visit_successor_hashes(const struct trc_visit_model *v, uint32_t *hash);

#endif
