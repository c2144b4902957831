/* SPDX-License-Identifier: MIT
 *
 * Whether text that one format takes may be meant otherwise: decimal or hexadecimal numbers, a size
 * or another thing, a field that the format would pass over. What is counted has its odds beside
 * it.
 */
#ifndef TRC_FORMAT_DOUBT_H
#define TRC_FORMAT_DOUBT_H

#include "format/lines.h"

/* Puts into `dst` why text that format `f` takes may be meant otherwise; false if it is not. */
bool trc_doubt(const struct trc_format *f, const struct trc_probe *probe, char *dst, size_t room);

#endif
