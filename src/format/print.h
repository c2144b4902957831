/* SPDX-License-Identifier: MIT
 *
 * The driver that writes formats row by row, lines and records alike, and the printing of numbers
 * in lines.
 */
#ifndef TRC_FORMAT_PRINT_H
#define TRC_FORMAT_PRINT_H

#include "base/text.h"
#include "format/format.h"

/* Prints `before` and `v` in hexadecimal; 17 bytes at `dst` may be overwritten. */
static inline uint8_t *
trc_print_hex(uint8_t *dst, char before, uint64_t v)
{
	*dst++ = (uint8_t)before;
	return trc_text_put_hex(dst, v);
}

/* Returns true if a reference of this type can be printed in the format, as the first or after
 * another one, in a trace of the columns `have`, by trying its printer with these settings. */
bool trc_print_takes(const struct trc_format *f, const void *settings, uint32_t have, uint8_t type);

/* Opens a sink that prints rows in this format. It owns `out` on success. */
struct trc_sink *trc_print_sink(const struct trc_format *f, struct trc_out *out, uint32_t have,
                                const struct trc_meta *meta, const void *settings,
                                struct trc_err *err);

#endif
