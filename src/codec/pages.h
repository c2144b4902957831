/* SPDX-License-Identifier: MIT
 *
 * A column of few different values, such as pages, that goes on from block to block: what was
 * learnt of the blocks before helps with the next.
 *
 *   paged column:  packed stream (codec/pack.h) of the values that are new, 8 bytes each, the most
 *                  significant first, in order of first appearance; length (LEB128) of the ranked
 *                  stream, and that: indices of 2 bytes in the table of all values so far. It goes
 *                  on from those of the blocks before (codec/rank.h)
 *
 * The table has at most 65536 values. A column that begins anew has an empty one, and a ranker that
 * learnt nothing.
 */
#ifndef TRC_CODEC_PAGES_H
#define TRC_CODEC_PAGES_H

#include "base/buf.h"

struct trc_pages;

/* Bytes that reading one may take, with blocks of `n` values at most. */
size_t trc_pages_memory(size_t n);

/* Begins anew. */
struct trc_pages *trc_pages_open(struct trc_err *err) TRC_MUST_USE;
void trc_pages_close(struct trc_pages *p);

/* Appends `n` > 0 values to `out` as a paged column. If they would be too many for the table, *fits
 * is false. Then, and after an error, and the same for reading, all that can be done is to
 * close. */
int trc_pages_write(struct trc_pages *p, const uint64_t *v, size_t n, int level,
                    struct trc_buf *out, bool *fits, struct trc_err *err) TRC_MUST_USE;

/* Takes `n` values from `in`. */
int trc_pages_read(struct trc_pages *p, struct trc_view *in, uint64_t *v, size_t n,
                   struct trc_err *err) TRC_MUST_USE;

#endif
