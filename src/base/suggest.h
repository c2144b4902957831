/* SPDX-License-Identifier: MIT
 *
 * Finds the known word closest to an unknown one, for "did you mean".
 */
#ifndef TRC_BASE_SUGGEST_H
#define TRC_BASE_SUGGEST_H

#include "base/base.h"

/* The state of the search. */
struct trc_suggest {
	const char *word; /* the unknown word */
	const char *best; /* the closest so far; NULL: none is close enough */
	int distance;     /* in half letters */
};

/* Considers a known word. Initialize *suggest with { .word = ... }. */
void trc_suggest_offer(struct trc_suggest *suggest, const char *known);

/* Fails with TRC_USAGE: the formatted message, followed by "did you mean" the closest word, or by
 * `otherwise` if there is none. If `dashes` is not "", it precedes the word; else the word is
 * quoted. */
TRC_PRINTF(5, 6)
int trc_suggest_fail(const struct trc_suggest *suggest, const char *dashes, const char *otherwise,
                     struct trc_err *err, const char *fmt, ...);

#endif
