/* SPDX-License-Identifier: MIT
 *
 * The known word that is nearest to one that is not known, for "did you mean".
 */
#ifndef TRC_BASE_NEAR_H
#define TRC_BASE_NEAR_H

struct trc_near {
	const char *word; /* what was given */
	const char *best; /* the nearest so far; NULL if none is near */
	int distance;     /* in half letters */
};

/* Offers a known word. Start with { .word = ... } and read .best at the end. */
void trc_near_offer(struct trc_near *near, const char *known);

#endif
