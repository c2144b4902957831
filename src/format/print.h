/* SPDX-License-Identifier: MIT
 *
 * The driver that writes formats row by row, lines and records alike, and for line formats the
 * numbers in them.
 */
#ifndef TRC_FORMAT_PRINT_H
#define TRC_FORMAT_PRINT_H

#include "base/text.h"
#include "format/format.h"

/* Writes `before` and `v` in hexadecimal; 17 bytes at `dst` may be overwritten. */
static inline uint8_t *
trc_print_hex(uint8_t *dst, char before, uint64_t v)
{
	*dst++ = (uint8_t)before;
	return trc_text_put_hex(dst, v);
}

/* Whether a trace of the columns `have` can have a reference of this type, first or behind another
 * one, where it is printed as the format, by trying its printer with these settings. */
bool trc_print_takes(const struct trc_format *f, const void *settings, uint32_t have, uint8_t type);

struct trc_sink *trc_print_sink(const struct trc_format *f, struct trc_out *out, uint32_t have,
                                const struct trc_meta *meta, const void *settings,
                                struct trc_err *err);

#endif
