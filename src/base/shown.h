/* SPDX-License-Identifier: MIT
 *
 * What may go to a terminal: names of files have any bytes, and a terminal obeys some of them.
 */
#ifndef TRC_BASE_SHOWN_H
#define TRC_BASE_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the UTF-8 character at `s`; 0 if there is none. Surrogates and overlong forms are none
 * (RFC 3629). */
size_t trc_shown_utf8(const char *s);

/* The code point of the character of `len` bytes at `s`. */
unsigned trc_shown_point(const char *s, size_t len);

/* True if the character at `s`, of UTF-8, is a control character, C0, DEL or C1, or one that orders
 * or hides what stands around it: marks of direction, separators of lines, a mark of byte order. */
bool trc_shown_control(const char *s);

/* Replaces each control character of `text` by '?', and each byte that is of no UTF-8. */
void trc_shown(char *text);

#endif
