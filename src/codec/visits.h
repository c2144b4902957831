/* SPDX-License-Identifier: MIT
 *
 * Visits to pages and when they were, each as a whole: the time until it, the page, and the kind of
 * visit. Reduced traces are such; what they say beyond the page before is mostly in times: the same
 * program does the same again after as many references, with other visits dropped in between.
 */
#ifndef TRC_CODEC_VISITS_H
#define TRC_CODEC_VISITS_H

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

/* Fills in the rows of `v`, all else of which is set, from [p, p + len). */
int trc_visits_read(struct trc_visits *v, const uint8_t *p, size_t len,
                    struct trc_err *err) TRC_MUST_USE;

/* Bytes that either takes, at most. */
size_t trc_visits_memory(size_t rows);

#endif
