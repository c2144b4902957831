/* SPDX-License-Identifier: MIT
 *
 * Page visits: rows of gap, page, kind and lag, as reduced traces have them, each coded as a whole
 * by the page-visit model (visit_model.h). The model is new; its parts are a predictor like lpaq1's
 * (codec/mixing/predictor.h), experts that predict what comes next from what came at the same time
 * before (visit_history.h), and Markov tables of successors. Its contexts are a table:
 * visit_contexts.c, which with the words below has them exactly.
 *
 *   visits:  number of rows (LEB128); r (LEB128): what the trace may have been reduced for, the
 *            least d2 of any visit to a page that came twice before, 0 if there is none; at most
 *            the number of pages. Then, by the range coder of codec/entropy/range_coder.h, of each
 *            row: gap, page, kind, lag
 *
 * Predictors are numbered as enum trc_visit_row; they share 2^a lines, the least a from 10 to 20
 * with 2^a >= 24 * rows.
 *
 * Words.  page[j], gap[j], kind[j] are those of the row j before the one that is coded, [0] being
 *   that itself; before the first row pages are 65535, all else 0. by1 = H(page[1], 1), by2 =
 *   H(page[2], by1), by3 = H(page[3], by2), H being trc_hash(). bits(x) is how many bits x has. The
 *   window is r, 256 at most, but 64 if r < 16. A page is near (in memory, if this has the pages of
 *   the window) if it came and its d1 < window; fault[0] and [1] are the last pages that were not
 *   near, 0 at first. hits, near and fresh are bits, at first 0, the latest in bit 0: of each row
 *   with candidates, if the first was right; of each row, once its page is known, whether that was
 *   near; of each row that could be new, whether it was. A prediction of the visit history holds if
 *   its gap is that of the row.
 *
 * Gap: a number, by row GAP.
 *
 * Page.  1. If some page did not come yet, row NEW: is this such? The swept page is that of the
 *      first of predictions 5 to 9 that holds. If it is new, row STEP: the page that is coded is
 *      counted among those that did not come; the difference to how many of these are below the
 *      last new one (page 0 at first), d >= 0 as 2d, d < 0 as -2d - 1, is a number.
 *   2. Candidates are the pages of predictions 0 to 9 that hold, as far as they came; then the last
 *      pages of successor tables 0 to 7, then the different ones; each page once, eight at most,
 *      none with d2 < r; row CANDIDATE for each until one is right. There are 8 tables with 2^b
 *      entries each, b the least from 10 to 17 with 2^b >= rows, or 17; x = hash * 0x85ebca6b, x ^=
 *      x >> 14, x *= 0x9e3779b1: entry x >> 32 - b, check x | 1 (16 bits). Once a row's page is
 *      known, be it new or not, each entry learns it, as in codec/stream/ranking.h. Experts are
 *      counters (limit 127), one for each table, number of candidates before, and relation: 0 if
 *      the entry is empty, else 1 + 3 * history + (0 if the page is its last, 1 if its other, 2).
 *   3. If none was right, row NEAR: is the page near? If it is, each page from the one that was
 *      visited last, `window` of them, that was no candidate and has not d2 < r: row WALK.
 *   4. Else row FAR: the page, in as many bits as the greatest page has.
 *
 * Kind, if there are several: row KIND, in as many bits as the greatest has.
 * Lag, if there is one: a number, by row LAG. Sums of gaps and lags `lately` are 16 and 8 at first,
 *   both halved when that of gaps is above 16384.
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
