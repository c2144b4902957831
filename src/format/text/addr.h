/* SPDX-License-Identifier: MIT
 *
 * Byte addresses among numbers of pages, where a line has nothing else.
 */
#ifndef TRC_FORMAT_TEXT_ADDR_H
#define TRC_FORMAT_TEXT_ADDR_H

#include "format/lines.h"

/* Whether the number of line `i` has 0x in front. */
bool trc_addr_marked(const struct trc_lines *l, size_t i);

/* True for a number that is beyond those of all pages of 4096 bytes that machines have. */
bool trc_addr_no_page(uint64_t v);

#endif
