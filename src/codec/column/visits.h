/* SPDX-License-Identifier: MIT
 *
 * Page visits: rows of gap, page, kind and lag, as reduced traces have them, each coded as a whole
 * by the page-visit model (visit_model.h). The model is new; its parts are a predictor like lpaq1's
 * (codec/mixing/predictor.h), experts that predict what comes next from what came at the same time
 * before (visit_history.h), and Markov tables of successors. container/SPEC.md, "Visits", has it to
 * the bit; the names of its predictors are those of enum trc_visit_row.
 */
#ifndef TRC_CODEC_COLUMN_VISITS_H
#define TRC_CODEC_COLUMN_VISITS_H

#include "base/buf.h"

enum {
	TRC_VISITS_PAGES = 65536,
	TRC_VISITS_KINDS = 16,
	TRC_VISITS_GAP = 0xffffff, /* the most that a gap or lag can be */
};

/* Page visits (our own): `n` > 0 rows. Pages are numbered so that neighbours tend to come
 * together. */
struct trc_visits {
	size_t n;
	uint32_t *gap;  /* how much a first clock advanced */
	uint32_t *lag;  /* how much less a second clock did; NULL if there is none */
	uint16_t *page; /* less than `pages` */
	uint8_t *kind;  /* less than `kinds`; NULL if that is 1 */
	uint32_t pages, kinds;
};

/* Appends the visits to `out`. */
int trc_visits_write(const struct trc_visits *v, struct trc_buf *out,
                     struct trc_err *err) TRC_MUST_USE;

/* Fills in the first rows of `v`, all else of which is set, from [p, p + len). */
int trc_visits_read(struct trc_visits *v, const uint8_t *p, size_t len, size_t first,
                    struct trc_err *err) TRC_MUST_USE;

/* Bytes that either takes, at most. */
size_t trc_visits_memory(size_t rows);

#endif
