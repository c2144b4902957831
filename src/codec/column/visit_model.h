/* SPDX-License-Identifier: MIT
 *
 * The page-visit model: the state from which contexts are computed (visit_contexts.h), and the
 * coding of pages. For each visit the gap is coded, then the page, the kind and the lag, each with
 * its own predictor (codec/mixing/predictor.h), which has the expectations of the visit history
 * (visit_history.h) as expert inputs. The same code serves both directions. container/SPEC.md,
 * "Visits", specifies the format.
 */
#ifndef TRC_CODEC_COLUMN_VISIT_MODEL_H
#define TRC_CODEC_COLUMN_VISIT_MODEL_H

#include "codec/column/visit_contexts.h"
#include "codec/column/visit_history.h"
#include "codec/mixing/number.h"

enum {
	TRC_VISIT_SUCCESSORS = 8, /* number of tables */
	TRC_VISIT_CANDIDATES = 8, /* the most candidates tried for a visit */
	TRC_VISIT_RELATIONS = 1 + 3 * TRC_HISTORIES,
	TRC_VISIT_NOBODY = 0xffff, /* page before the first visit */
};

#define TRC_VISIT_UNKNOWN UINT32_MAX /* a page to be read, or an invalid one in the data */

/* The last page that occurred in a context, and the last different one: an entry of a Markov
 * predictor's table (D. Joseph, D. Grunwald, 1997) with a bit history of hits. */
struct trc_visit_successor {
	uint16_t last, other, check;
	uint8_t seen, history; /* seen: number of different pages, at most 2 */
};

/* The visit being coded and those before it, as contexts see them. */
struct trc_visit_now {
	uint32_t page[7], gap[5], kind[3]; /* [0]: this visit, as far as known; [1]: the one
	                                    * before */
	uint32_t lag;
	uint32_t bits;              /* number of bits of this gap */
	uint32_t by1, by2, by3;     /* hashes of the last one, two and three pages */
	uint32_t fault[2];          /* the last pages that were not near */
	unsigned fresh, near, hits; /* bits, the latest lowest: page was new, near, first
	                             * candidate */
	uint32_t step;              /* of the last new page */
};

/* The page-visit model (our own). */
struct trc_visit_model {
	struct trc_predictors with;
	struct trc_number_coder number[TRC_VISIT_NUMBERS];
	struct trc_predictor bit[TRC_VISIT_ROWS - TRC_VISIT_NUMBERS];
	struct trc_visit_history history;
	struct trc_visit_now now;
	uint32_t pages, kinds, r, window;
	bool lags;

	struct trc_visit_successor *table[TRC_VISIT_SUCCESSORS], *successor[TRC_VISIT_SUCCESSORS];
	uint32_t hash[TRC_VISIT_SUCCESSORS]; /* of the contexts of the successor tables */
	unsigned successor_shift;
	struct trc_counter relation[TRC_VISIT_SUCCESSORS][TRC_VISIT_CANDIDATES]
	                           [TRC_VISIT_RELATIONS];

	uint32_t *unseen; /* [pages + 1]: Fenwick tree of pages not visited yet */
	uint32_t unseen_pages;
	uint32_t step_from, step_by; /* the last new page, and its distance from the one before */
	uint8_t *last_kind;          /* of each page */
	uint64_t gaps, lags_of;      /* sums of recent gaps and lags */
};

static inline struct trc_predictor *
trc_visit_bit(struct trc_visit_model *v, enum trc_visit_row row)
{
	return &v->bit[row - TRC_VISIT_NUMBERS];
}

static inline bool
trc_visit_was_seen(const struct trc_visit_model *v, uint32_t page)
{
	return v->history.of[page].last != TRC_NO_ROW;
}

/* Codes the page of the current visit, whose gap is known: writes `page`, or reads and returns
 * it. */
uint32_t trc_visit_page(struct trc_visit_model *v, uint32_t page);

/* Updates the successor tables with the page of the visit. */
void trc_visit_learn(struct trc_visit_model *v, uint16_t page);

/* Returns true if the page is near: one of the `window` most recently visited. */
bool trc_visit_is_near(const struct trc_visit_model *v, uint32_t page);

#endif
