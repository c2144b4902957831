/* SPDX-License-Identifier: MIT
 *
 * I/O requests: rows of address and size, as in traces of block devices and object caches. They are
 * not made by instructions, so addresses are predicted from each other (request_addresses.h), and
 * sizes from addresses, because an object keeps its size (request_sizes.h). The model is ours; its
 * parts are predictors like those of lpaq1 (codec/mixing/predictor.h). SPEC.md, "Requests",
 * specifies the format.
 */
#ifndef TRC_CODEC_COLUMN_REQUESTS_H
#define TRC_CODEC_COLUMN_REQUESTS_H

#include "base/buf.h"

/* The rows of requests; n > 0. */
struct trc_request_rows {
	size_t n;
	uint64_t *addr;
	uint32_t *size;
};

/* Returns true if rows look like I/O requests: most sizes are not those of an instruction's
 * access. */
bool trc_are_requests(const uint32_t *size, size_t n);

/* Appends the requests to `out`. */
int trc_requests_write(const struct trc_request_rows *r, struct trc_buf *out,
                       struct trc_err *err) TRC_MUST_USE;

/* Reads the first rows of `r`, whose arrays have room for all, from `in`, which contains all. */
int trc_requests_read(struct trc_request_rows *r, struct trc_view *in, size_t first,
                      struct trc_err *err) TRC_MUST_USE;

/* Returns the most bytes that reading or writing needs. */
size_t trc_requests_memory(size_t rows);

#endif
