/* SPDX-License-Identifier: MIT
 *
 * Snappy (google/snappy, format_description.txt): a length, then literals and copies of earlier
 * output.
 */
#ifndef TRC_BASE_PACKING_SNAPPY_H
#define TRC_BASE_PACKING_SNAPPY_H

#include "base/buf.h"

enum { TRC_SNAPPY_RATIO = 22 /* maximum ratio of unpacked to packed size: three bytes copy 64 */ };

/* Reads the length to which the rest of `v` unpacks. */
bool trc_snappy_length(struct trc_view *v, uint64_t *len) TRC_MUST_USE;

/* Unpacks the rest of `v` to `dst`; returns false unless it is exactly `want` bytes. */
bool trc_snappy_unpack(struct trc_view *v, uint8_t *dst, size_t want) TRC_MUST_USE;

#endif
