/* SPDX-License-Identifier: MIT
 *
 * Requests: rows of address and size, as traces of block devices and of caches of objects have
 * them. No instruction made them, so addresses are predicted from each other (request_addresses.h),
 * and sizes from addresses: an object keeps its size (request_sizes.h). The model is ours; its
 * parts are predictors like lpaq1's (codec/mixing/predictor.h). SPEC.md has it ("Requests").
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
int trc_requests_write(const struct trc_requests *r, struct trc_buf *out,
                       struct trc_err *err) TRC_MUST_USE;

/* Fills in the first rows of `r`, whose arrays have room for all, from `in`, where all are. */
int trc_requests_read(struct trc_requests *r, struct trc_view *in, size_t first,
                      struct trc_err *err) TRC_MUST_USE;

/* Bytes that either takes, at most. */
size_t trc_requests_memory(size_t rows);

#endif
