/* SPDX-License-Identifier: MIT
 *
 * Tokens by context mixing with few inputs: numbers of 0 to 8, by which the last residuals of a
 * slot come again (codec/program/refs.h). A seventh smaller than LZMA, 9 to 35 ns a token. The
 * words are those of codec/mixing/logistic.h.
 *
 *   token stream:  flags and runs by the range coder of codec/entropy/range_coder.h
 *
 * A flag is yes or no; with p being the probability of yes, it is a bit, 0 if yes, coded with p,
 * kept to 16 to 65520, as the probability of a 0. What follows is for the token at place i of N. h
 * is a number of 64 bits, at first 0: each token moves it up by 4 bits and is added.
 *
 * Hash.  a is the least from 10 to 15 that has 2^a >= N, or 15. The hash of the last o tokens is
 *   the upper half of (h * 2^(64 - 4o)) * 0x9e3779b97f4a7c15, both products modulo 2^64; its upper
 *   a bits are their key.
 *
 * Match.  That of codec/mixing/match_model.h, which is looked for behind each token, by the hash of
 *   the last 12, if the length is 0; then the place behind is noted. A match has 12 tokens or more.
 *
 * Run.  Where the length is 200 or more: how many tokens from here on are as expected, by the
 *   models of a number of codec/entropy/range_coder.h. They leave all else as it is but h, the
 *   histories of their places, which are 255, and the place of the match. Unless they were the
 *   last, the length is then 199, misses are 0, and the next token, which is known not to be the
 *   expected one, is coded as "Else".
 *
 * Sure.  Else, where the length is 12 or more and the history of the match's place 255: a flag
 *   whether the token is the expected one; each bucket of a length has a counter, limit 255, at
 *   first n = 16. If yes, the place's history is 255, and the token is done. If no, it is known not
 *   to be the expected one, and coded as "Else".
 *
 * Else  the token is coded by flags for 0, 8, 1, 2, ... 6 in turn, which are numbered 0 to 7, until
 *   one is yes; if none is, it is 7. That for the expected token is left out if the token is known
 *   not to be that. The contexts are the last o tokens, for each o of order[] in tokens.c. Each has
 *   slots, by these tokens themselves if 4 * o < 15, else by their key; a slot has a history for
 *   each flag, at first 1, which notes a yes as 1. Each context and flag has a state map, n = 80
 *   (state_map.h). The match takes part in flags up to that for the expected token, unless it is
 *   known to be wrong. It has a stretch to be right, which moves likewise, for each history of its
 *   place, bucket / 2 rounded down, and whether it expects a yes.
 *   Inputs 0 to 3: what the maps have; 4: what the match has, negated if it expects a no, 0 if it
 *   takes no part; 7: 256; the others 0. The pair of mixers (codec/mixing/mixer.h) is of rate 6,
 *   its weights 2500 for inputs 0 to 4 at first and else 0. One is selected by the flag and the
 *   token before, 0 if there is none; the other by the flag and 0 if the match takes no part, else
 *   1 + its bucket, and 31 more if it expects a yes. y is kept to -2048 to 2047. Coded with
 *   squash(y).
 *
 * What a match has at first is that of match_model.h: of bucket 2j + 1 where it is for both 2j and
 * 2j + 1, of history 255 where something is sure.
 */
#ifndef TRC_CODEC_STREAM_TOKENS_H
#define TRC_CODEC_STREAM_TOKENS_H

#include "base/buf.h"

enum { TRC_TOKEN_MOST = 8 };

/* Bytes that reading or writing `n` tokens may take. */
size_t trc_tokens_memory(size_t n);

/* Appends the `n` > 0 tokens at `raw`, none above TRC_TOKEN_MOST, to `out`. */
int trc_tokens_write(const uint8_t *raw, size_t n, struct trc_buf *out,
                     struct trc_err *err) TRC_MUST_USE;

/* Reads `n` tokens from the stream [p, p + len), which must hold them and no more. */
int trc_tokens_read(const uint8_t *p, size_t len, uint8_t *raw, size_t n,
                    struct trc_err *err) TRC_MUST_USE;

#endif
