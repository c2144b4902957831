/* SPDX-License-Identifier: MIT
 *
 * Data that is not a trace, but has a known beginning: archives, compressions that trc does not
 * support, texts of other systems. So the message about such a file can be more helpful.
 */
#ifndef TRC_FORMAT_FOREIGN_H
#define TRC_FORMAT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns what a file that begins with the `n` bytes at `p` is, "is ..."; NULL if that is unknown.
 * It examines few bytes, and a trace may begin with the same ones: use it for data that no format
 * accepts. */
const char *trc_foreign(const uint8_t *p, size_t n);

/* Does the same by the ending of a file's name. */
const char *trc_foreign_name(const char *name);

/* Returns true for UTF-16 text, whose words could be numbers of 8 bytes. */
bool trc_foreign_utf16(const uint8_t *p, size_t n);

/* Does the same as trc_foreign() for texts whose lines cannot be found, and which would be read as
 * fewer. */
const char *trc_foreign_lines(const uint8_t *p, size_t n);

#endif
