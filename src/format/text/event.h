/* SPDX-License-Identifier: MIT
 *
 * Kernel events as lines, for the formats that have them:
 *
 *   TAG TIME FIELDS...       S 123456789abcdef0 1a
 *
 * The time becomes a column, and the rest is the text of the event. A tag is one character: not a
 * digit, not '#', and not the letter of a reference (r w i R W I).
 */
#ifndef TRC_FORMAT_TEXT_EVENT_H
#define TRC_FORMAT_TEXT_EVENT_H

#include "format/lines.h"

enum { TRC_EVENT_LINE = 32 }; /* bytes of a line besides the text */

/* Parses any line into row `n` of `b`. */
enum trc_line trc_event_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n);

/* Writes an explanation of what is wrong with a line to `dst`. */
void trc_event_explain(const uint8_t *s, const uint8_t *e, char *dst, size_t room);

/* Returns true if most events so far have known tags, and all times but at most one, or most, do
 * not decrease. Any letter may be the tag of an unknown event, so any three words are an event. For
 * formats that use the state of the format for nothing else. */
bool trc_event_likely(const struct trc_lines *l, const struct trc_batch *b);

/* Prints row `i`, which is an event. */
uint8_t *trc_event_print(uint8_t *dst, const struct trc_batch *b, size_t i);

#endif
