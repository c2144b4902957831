/* SPDX-License-Identifier: MIT
 *
 * Distinguishes byte addresses from page numbers on lines with only one number.
 */
#ifndef TRC_FORMAT_TEXT_ADDR_H
#define TRC_FORMAT_TEXT_ADDR_H

#include "format/lines.h"

/* Returns true if the number of line `i` begins with 0x. */
bool trc_addr_marked(const struct trc_lines *l, size_t i);

/* Returns true if a number exceeds all page numbers of machines with pages of 4096 bytes. */
bool trc_addr_no_page(uint64_t v);

#endif
