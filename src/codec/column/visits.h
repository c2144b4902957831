/* SPDX-License-Identifier: MIT
 *
 * Page visits: rows of gap, page, kind and lag, as in reduced traces, each coded as a whole by the
 * page-visit model (visit_model.h). The model is new; its parts are a predictor like that of lpaq1
 * (codec/mixing/predictor.h), experts that predict the next visit from visits at the same relative
 * time before (visit_history.h), and Markov tables of successors. container/SPEC.md, "Visits",
 * specifies it exactly; its predictors are named like enum trc_visit_row.
 */
#ifndef TRC_CODEC_COLUMN_VISITS_H
#define TRC_CODEC_COLUMN_VISITS_H

#include "base/buf.h"

enum {
	TRC_VISITS_PAGES = 65536,
	TRC_VISITS_KINDS = 16,
	TRC_VISITS_GAP = 0xffffff, /* the largest gap or lag */
};

/* Page visits (our own), n > 0. Pages should be numbered so that neighbours tend to be visited
 * together. */
struct trc_visits {
	size_t n;
	uint32_t *gap;  /* advance of the first clock */
	uint32_t *lag;  /* how much less the second clock advanced; NULL if there is none */
	uint16_t *page; /* less than `pages` */
	uint8_t *kind;  /* less than `kinds`; NULL if that is 1 */
	uint32_t pages, kinds;
};

/* Appends the visits to `out`. */
int trc_visits_write(const struct trc_visits *v, struct trc_buf *out,
                     struct trc_err *err) TRC_MUST_USE;

/* Reads the first `first` rows of `v`, all other members of which are set, from [p, p + len). */
int trc_visits_read(struct trc_visits *v, const uint8_t *p, size_t len, size_t first,
                    struct trc_err *err) TRC_MUST_USE;

/* Returns the most bytes that reading or writing needs. */
size_t trc_visits_memory(size_t rows);

#endif
