/* SPDX-License-Identifier: MIT
 *
 * What codes visits to pages (codec/column/visits.h has the form): its state, and the coding of
 * pages. As all of it, that is one code for both directions.
 */
#ifndef TRC_CODEC_COLUMN_VISIT_MODEL_H
#define TRC_CODEC_COLUMN_VISIT_MODEL_H

#include "codec/mixing/predictor.h"
#include "codec/column/visit_history.h"

enum {
	TRC_VISIT_ENTRIES = 8,
	TRC_VISIT_OFFERS = 8,
	TRC_VISIT_WORDS = 1 + 3 * TRC_HISTORIES, /* what an entry can say of a page */
	TRC_VISIT_NOBODY = 0xffff,               /* before the first row */
};

#define TRC_VISIT_UNKNOWN UINT32_MAX /* a page to be read, or one that data says and cannot be */

/* What is decided; each has a panel. */
enum trc_visit_ask {
	TRC_ASK_GAP,
	TRC_ASK_FRESH,
	TRC_ASK_STEP,
	TRC_ASK_OFFER,
	TRC_ASK_NEAR,
	TRC_ASK_WALK,
	TRC_ASK_FAR,
	TRC_ASK_KIND,
	TRC_ASK_LAG,
	TRC_ASKS,
};

/* The last page that came in a context, and the last different one. */
struct trc_visit_entry {
	uint16_t last, other, check;
	uint8_t seen, history; /* seen: how many different pages, 2 at most */
};

/* The row that is coded, and those before it: [0] is the last. */
struct trc_visit_now {
	uint32_t gap, page, kind, lag;
	uint32_t hash_gap, bits; /* of this row's gap */
	uint32_t p[6], g[4], k[2], l[1];
	bool near; /* the page was in memory */
};

struct trc_visit_model {
	struct trc_deciding with;
	struct trc_panel panel[TRC_ASKS]; /* by what is decided */
	struct trc_past past;
	struct trc_visit_now now;
	uint32_t pages, kinds, r, window;
	bool lags;

	struct trc_visit_entry *table[TRC_VISIT_ENTRIES], *entry[TRC_VISIT_ENTRIES];
	uint32_t hash[TRC_VISIT_ENTRIES]; /* of the contexts of the entries */
	unsigned entry_shift;
	uint16_t word[TRC_VISIT_ENTRIES][TRC_VISIT_OFFERS][TRC_VISIT_WORDS];
	unsigned right; /* bits: was the first offer right, the latest lowest */

	uint32_t *unseen; /* [pages + 1]: sums: pages that no row had */
	uint32_t unseen_pages;
	uint32_t step_from, step_by, last_step; /* the last new page, and how far it was */
	uint32_t fresh, near;   /* bits: was the page new, in memory; the latest lowest */
	uint32_t fault[2];      /* the last pages that were not in memory */
	uint8_t *last_kind;     /* of each page */
	uint64_t gaps, lags_of; /* sums of what came lately */
};

static inline uint32_t
trc_visit_bits(uint32_t v)
{
	return 64 - (uint32_t)trc_clz64(v);
}

/* The number of bits of `v` and the `n` bits below its first. */
static inline uint32_t
trc_visit_rough(uint32_t v, unsigned n)
{
	const uint32_t k = trc_visit_bits(v);

	return k <= n + 1 ? v : k << 8 | (v >> (k - 1 - n));
}

/* Codes the page of the row that is coded, whose gap is known: writes `page`, or reads and returns
 * it. */
uint32_t trc_visit_page(struct trc_visit_model *v, uint32_t page);

/* Teaches the contexts that offered pages which one it was. */
void trc_visit_learn(struct trc_visit_model *v, uint16_t page);

/* Whether the page is one of those in memory, which were visited last. */
bool trc_visit_is_near(const struct trc_visit_model *v, uint32_t page);

#endif
