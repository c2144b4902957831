/* SPDX-License-Identifier: MIT
 *
 * The known word that is nearest to one that is not known, for "did you mean".
 */
#ifndef TRC_BASE_SUGGEST_H
#define TRC_BASE_SUGGEST_H

#include "base/base.h"

/* The search for the nearest word. */
struct trc_suggest {
	const char *word; /* what was given */
	const char *best; /* the nearest so far; NULL if none is near */
	int distance;     /* in half letters */
};

/* Offers a known word. Start with { .word = ... }. */
void trc_suggest_offer(struct trc_suggest *suggest, const char *known);

/* Fails as wrong usage: the message formatted by `fmt`, then "did you mean" the nearest word, or
 * `otherwise` if there is none. Words that begin with `dashes` are not quoted; "" quotes. */
TRC_PRINTF(5, 6)
int trc_suggest_fail(const struct trc_suggest *suggest, const char *dashes, const char *otherwise,
                     struct trc_err *err, const char *fmt, ...);

#endif
