/* SPDX-License-Identifier: MIT
 *
 * Kernel events as lines, for the formats that have them:
 *
 *   TAG TIME FIELDS...       S 123456789abcdef0 1a
 *
 * The time goes into its column, the rest is the text of the event. Tags are one character, no
 * digit, no '#' and no letter of a reference (r w i R W I).
 */
#ifndef TRC_FORMAT_TEXT_EVENT_H
#define TRC_FORMAT_TEXT_EVENT_H

#include "format/lines.h"

enum { TRC_EVENT_LINE = 32 }; /* bytes of a line besides the text */

/* Parses any one line into row `n` of `b`. */
enum trc_line trc_event_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n);

/* Puts into `dst` what is wrong with a line. */
void trc_event_explain(const uint8_t *s, const uint8_t *e, char *dst, size_t room);

/* Whether most events so far have tags that are known, and most times, or all but one, are not
   before those in front of them: any letter may be the tag of what is opaque, so three words are an
   event. For formats that keep nothing else from line to line. */
bool trc_event_likely(const struct trc_lines *l, const struct trc_batch *b);

/* Writes row `i`, which is an event. */
uint8_t *trc_event_print(uint8_t *dst, const struct trc_batch *b, size_t i);

#endif
