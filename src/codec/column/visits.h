/* SPDX-License-Identifier: MIT
 *
 * Visits to pages and when they were, each as a whole: the time until it, the page, and the kind
 * of visit. Reduced traces are such; what they say beyond the page before is mostly in times: the
 * same program does the same again after as many references, with other visits dropped in between,
 * to the same pages or to the next ones of its arrays.
 *
 *   visits:  number of rows (LEB128); r (LEB128): what the trace may have been reduced for, the
 *            least d2 of any visit to a page that came twice before, 0 if there is none; at most
 *            the number of pages. Then, by the range coder of codec/entropy/range_coder.h, of each
 *            row: gap, page, kind, lag
 *
 * Decisions are those of codec/mixing/predictor.h, by panels of these numbers; the past is that of
 * codec/column/visit_history.h. Words: p1, p2, ... are the pages of the rows before, 65535 before
 * the first; a1, ... their gaps, k1, ... their kinds, 0 before the first; a, p, k those of this row
 * once they are known; H(x, y, ... z) is hash(x, hash(y, ... z)); bits(x) how many bits x has;
 * rough(x, n) is x if bits(x) <= n + 1, else 256 * bits(x) | x >> bits(x) - 1 - n; c = H(p1, 1), cc
 * = H(p2, c), ccc = H(p3, cc). The window is r, 256 at most, but 64 if r < 16. A page is near if it
 * came and its d1 < window. place(d) is d * 8 / window, 15 at most; place1 and place2 are those of
 * d1 and d2, place2 being 15 for a page that came once. ahead0 to ahead9 are what the sayings say,
 * 2^24 - 1 where there is none; one whose ahead is a `holds`. `right`, `near`, `fresh` are bits, at
 * first 0, the latest in bit 0: of each row that made an offer, whether the first was right; of
 * each row, once its page is known, whether that was near; of each row that panel 1 decides on,
 * whether its page was new. All count as soon as they are known. Where nothing is said, choice,
 * stage, selections and rows are 0. What is 2^24 - 1 or more is no hint.
 *
 * Gap: panel 0, a number. Contexts: 0, c, cc, H(p4, ccc), H(a1, c) + 1, H(a1, a2, cc) + 2, H(k1,
 *   near % 4, c), H(ahead3, 3), H(ahead0, c) + 3, H(ahead1, ahead2, 4), H(ahead2, c) + 4, H(p1 -
 *   p2, p2 - p3, 5). Hints: ahead0 to ahead9. Choice: how many of ahead1 to ahead9 equal ahead0, 3
 *   at most, + 4 * (right % 8).
 *
 * Page.  If some page did not come yet, panel 1 decides whether this is such. Contexts: fresh %
 *   16, H(bits(a), 1), H(p1, 2), H(p1, p2, 3), H(fresh % 256, 4), H(fresh % 4, w, 5); third weights
 *   and first row fresh % 16. The swept page is that of the first of sayings 5 to 9 that holds; w
 *   is 0 if there is none, 1 if it came, 2 if not.
 *   The new page is counted among those that did not come: the difference to how many of these are
 *   below the last new one (page 0 at first), d >= 0 as 2d, d < 0 as -2d - 1, is a number of panel
 *   2. Contexts: 0, H(rough(l, 0), 1), H(fresh % 4, 2), H(l, 3), l being that number the last time.
 *   Hints, the same of two pages, if there are such and they did not come: the swept page, and n1 +
 *   n1 - n2, n1 and n2 being the last new one and that before it, page 0 at first.
 *
 *   Others: there are 8 tables of entries, which hold pages and, once that of a row is known, be it
 *   new or not, learn it, as in codec/stream/ranking.h; 2^b entries each, b the least from 10 to 17
 *   that has 2^b >= N, or 17. Their contexts h0 to h7: H(a, cc) + 1, H(a, c) + 2, H(a + a1, p2, 3),
 *   H(a + a1 + a2, p3, 4), ccc, cc, c, H(p2, 5). x = h * 0x85ebca6b, x ^= x >> 14, x *= 0x9e3779b1:
 *   entry x >> 32 - b, check x | 1 (16 bits).
 *   Offered are the pages of sayings 0 to 9 that hold, as far as they came; then the last pages of
 *   entries 0 to 7, then the different ones; each page once, eight at most, none with d2 < r. With
 *   n offered before, entry e, seen = 1 for the last, 2 for the other (e = 8 and seen = 1 for a
 *   saying): panel 3, contexts of page o: H(o, 1), H(place1, place2, o, 2), H(o, h6), H(o, h7),
 *   H(o, h4), H(place1, place2, 2 * e + seen, n, 3), H(who, n, 4) with 2^k in who for each saying k
 *   that holds and has page o, H(o, a, 1), H(o, h3), H(o, h2), H(o, h1), H(o, h0). Inputs: for each
 *   entry, stretch of a probability, at first 32768, for it, n, and what it says of o: 0 if empty,
 *   else 1 + history * 3 + (0 if o is its last, 1 if its other, 2); these move.
 *   Stage n, 3 at most; agree = entries, none of them empty, that have o as their last; weights 16
 *   * n + agree + 128 * (right % 4), 18 * stage + 2 * e + seen - 1, n; rows 256 * n + 16 * place2 +
 *   agree, 8 * (16 * place1 + place2) + n.
 *
 *   If none was right, panel 4 decides whether the page is near. Contexts: H(right % 16, 0),
 *   H(bits(a), near % 8, 1), H(near % 64, 2), H(near % 1024, 3), c, H(bits(a), c) + 4, H(p2, c) +
 *   5; weights right % 16, near % 64; rows near % 256, right % 16.
 *
 *   If it is: each page, from the one that was visited last, `window` of them, that was not
 *   offered and has not d2 < r, is it right? Panel 5. With depth how many were visited later, t =
 *   depth * 64 / window, rank how many were asked here before, s how many visits before the last
 *   it had since it was not near (3 at most), g = bits(i - row of its last visit), u = bits(time
 *   from then to row i - 1 | 1), q = H(o, 1): contexts H(rank, 20 at most, s, 0), H(place2, s, t /
 *   4, 1), H(t, place2, 2), H(g, u, s, 3), q, H(s, place2, q) + 4, H(g, q) + 5, H(page before its
 *   last visit, 0 before row 0, q) + 6, H(p2, q) + 7, H(p1, q), H(H(a, 1), q) + 8, H(p2, p1, q) +
 *   9; weights 4 * (rank, at most 31) + s, 16 * place2 + t / 4, rank (at most 15); rows 16 * t +
 *   place2, 4 * (rank, at most 255) + s.
 *
 *   Else its bits, as many as the greatest page has, the highest first: panel 6, each context
 *   hashed with the bits so far behind a 1, `node`: 0, H(first offer or 65535, 3), H(p2, 4), c, f
 *   = H(f1, 2), H(bits(a), c) + 5, H(H(a, 1), 6), H(p1, f) + 7, H(p2, c) + 8, H(f2, f) + 9; f1, f2
 *   being the last pages that were not near, 0 at first. Weights: number of the bit, that of the
 *   lowest being 0, node if less than 1000, number of the bit; rows node % 2048, number of the bit.
 *
 * Kind: if there are several, its bits, as many as the greatest has: panel 7, contexts hashed with
 *   node: H(l, near, k1, 0), q, H(l, near, q) + 1, H(k1, k2, q) + 2, H(p1, q), H(k1, p1, q) + 3,
 *   H(p2, p1, q) + 4, H(l', l, 5), H(l', l, p - p1, 6); l is the kind of the last visit to p, l' of
 *   that to p - 1, 0 if none; q = H(p, 1), near 1 if p was. Weights 2 * l + near, p % 1024, number
 *   of the bit; rows 32 * node + 2 * l + near, node.
 *
 * Lag: if there is one, a number: panel 8. With z = bits(a), q = H(p, 1), w = H(p1, q); e1 = a *
 *   (sum of lags) / (sum of gaps), both halved when the latter is above 16384, 8 and 16 at first;
 *   e2 = a * lag / gap of the row of p's last visit (0 if there is none or its gap is 0), both
 *   rounded down, 2^24 - 1 at most. Contexts: H(z, 0), H(rough(e1, 3), rough(a, 1), 1),
 *   H(rough(e2, 3), rough(a, 1), 2), H(a / 8, 3), H(a, 4), H(z, w) + 5, H(a / 4, p1, 6), H(a, p1,
 *   7), H(a, q) + 8, H(a, w) + 9. Hints: e1, e2, the lags of sayings 0 to 7 that hold. Choice: z.
 */
#ifndef TRC_CODEC_COLUMN_VISITS_H
#define TRC_CODEC_COLUMN_VISITS_H

#include "base/buf.h"

enum {
	TRC_VISITS_PAGES = 65536,
	TRC_VISITS_KINDS = 16,
	TRC_VISITS_GAP = 0xffffff, /* the most that a gap or lag can be */
};

/* `n` > 0 rows. Pages are in an order in which neighbours tend to come together. */
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
