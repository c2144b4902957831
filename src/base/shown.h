/* SPDX-License-Identifier: MIT
 *
 * Makes text safe for a terminal: file names may contain any bytes, and terminals obey some of
 * them.
 */
#ifndef TRC_BASE_SHOWN_H
#define TRC_BASE_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the bytes of the UTF-8 character at `s`; 0 if it is invalid. Surrogates and overlong
 * forms are invalid (RFC 3629). */
size_t trc_shown_utf8(const char *s);

/* Returns the code point of the character of `len` bytes at `s`. */
unsigned trc_shown_point(const char *s, size_t len);

/* Returns true if the valid UTF-8 character at `s` is a control character (C0, DEL or C1), or one
 * that reorders or hides text: direction marks, line separators, invisible characters, a byte order
 * mark. */
bool trc_shown_control(const char *s);

/* Replaces each control character of `text` by '?', and each byte that is not valid UTF-8. */
void trc_shown(char *text);

#endif
