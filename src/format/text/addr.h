/* SPDX-License-Identifier: MIT
 *
 * Distinguishes byte addresses from page numbers on lines with only one number.
 */
#ifndef TRC_FORMAT_TEXT_ADDR_H
#define TRC_FORMAT_TEXT_ADDR_H

#include "format/lines.h"

/* Returns true if the number of line `i` begins with 0x. */
bool trc_addr_marked(const struct trc_lines *l, size_t i);

/* Scans lines of only hexadecimal digits, as "%lx" prints them. */
size_t trc_addr_scan(const struct trc_lines *l, size_t from, struct trc_batch *b,
                     struct trc_number_fields *hex);

/* Returns true if a number exceeds all page numbers of machines with pages of 4096 bytes. */
bool trc_addr_no_page(uint64_t v);

#endif
