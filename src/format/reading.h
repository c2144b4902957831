/* SPDX-License-Identifier: MIT
 *
 * Ways to read data that needs --from, with the rows that each would give.
 */
#ifndef TRC_FORMAT_READING_H
#define TRC_FORMAT_READING_H

#include "format/format.h"

/* Adds a way to read data to *err: what the data is then, what --from has to be, and the first rows
 * of the `n` bytes at `p`. Leaves out what cannot read these, and what there is no room for. */
void trc_reading_add(struct trc_err *err, const char *what, const char *from, const uint8_t *p,
                     size_t n);

#endif
