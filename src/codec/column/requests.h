/* SPDX-License-Identifier: MIT
 *
 * Requests: rows of address and size, as traces of block devices and of caches of objects have
 * them. No instruction made them, so addresses are predicted from each other (request_addresses.h),
 * and sizes from addresses: an object keeps its size. The model is ours; its parts are predictors
 * like lpaq1's (codec/mixing/predictor.h).
 *
 *   requests:  parts of 2^19 rows, the last of those that are left; each stands alone:
 *   part:      bits (1 byte): how many the greatest address has, at least 1; unit (1 byte): log2 of
 *              how many bytes of size an address counts, 16 at most; far sizes, 4 bytes each, most
 *              significant first: a packed stream (codec/stream/pack.h); number of bytes, and
 *              these: by the range coder of codec/entropy/range_coder.h, of each row: address, size
 *
 * Predictors are numbered: 0 candidates, 1 bits of addresses, 2 sameness, 3 sizes; they share 2^a
 * lines, the least a from 10 to 20 with 2^a >= 24 * rows of the part.
 *
 * Words.  addr[j] and size[j] are those of the row j before the one that is coded, [0] being that
 *   itself; before the first row they are 0. H is trc_hash(); W(x, h) = H(the upper 32 bits of x,
 *   H(the lower ones, h)); B(x) is x shifted right by 9 - unit, not at all if unit > 9: about
 *   blocks. An address is known if a row before had it; its last size is that of the last such row.
 *   hits are bits, at first 0, the latest in bit 0: of each row, whether its address was that of a
 *   candidate.
 *
 * Size.  If the address is known, a bit: is it the last size? Contexts are W(addr[0], 0), H(last
 *   size, 1) and H(the last such bits, up to eight of them, 2), the lower four bits of each being 1
 *   (cell 1). Mixers, map sets and APMs are all 0. If not, a number, 2^24 - 1 if the size is that
 *   or more: then it is the next of far sizes. next is 1 if addr[0] is addr[1] and size[1] behind
 *   it, in units; a is how far addr[0] is behind addr[1]. Its selector is 4 * (is the address
 *   known) + 2 * next + (hits mod 2), its contexts are 0, H(size[1], next), H(size[1], H(size[2],
 *   next)), H(addr[0] mod 8, H(next, 3)), W(B(addr[0]) / 8, 4), W(B(addr[0]) / 1024, H(size[1],
 *   5)), W(a, H(size[1], 6)), H(size[1], H(size[2], H(size[3], 7))), W(addr[0], 8).
 */
#ifndef TRC_CODEC_COLUMN_REQUESTS_H
#define TRC_CODEC_COLUMN_REQUESTS_H

#include "base/buf.h"

/* Requests (our own): `n` > 0 rows. */
struct trc_requests {
	size_t n;
	uint64_t *addr;
	uint32_t *size;
};

/* True if rows look like requests: most sizes are none that an instruction has. */
bool trc_are_requests(const uint32_t *size, size_t n);

/* Appends the requests to `out`. */
int trc_requests_write(const struct trc_requests *r, int level, struct trc_buf *out,
                       struct trc_err *err) TRC_MUST_USE;

/* Fills in the first rows of `r`, whose arrays have room for all, from `in`, where all are. */
int trc_requests_read(struct trc_requests *r, struct trc_view *in, size_t first,
                      struct trc_err *err) TRC_MUST_USE;

/* Bytes that either takes, at most. */
size_t trc_requests_memory(size_t rows);

#endif
