/* SPDX-License-Identifier: MIT
 *
 * Data that is no trace, but is known by how it begins: archives, packings that trc does not
 * unpack, texts of other systems. So the message about such a file can name what to do with it.
 */
#ifndef TRC_FORMAT_FOREIGN_H
#define TRC_FORMAT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the `n` bytes at `p`, which begin a file, are, "is ..."; NULL if that is not known. It looks
 * at few bytes, and a trace may begin with the same: it is for data that no format takes. */
const char *trc_foreign(const char *name, const uint8_t *p, size_t n);

/* True for text in UTF-16, whose words could be numbers of 8 bytes. */
bool trc_foreign_utf16(const uint8_t *p, size_t n);

#endif
