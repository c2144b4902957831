/* SPDX-License-Identifier: MIT
 *
 * Proposals for reading data that needs --from, with the rows that each would give.
 */
#ifndef TRC_FORMAT_READING_H
#define TRC_FORMAT_READING_H

#include "format/format.h"

/* Adds a proposal to *err: what the data would be, the argument of --from, and the first rows of
 * the `n` bytes at `p`. Omits proposals that cannot read these, and those for which there is no
 * room. */
void trc_reading_add(struct trc_err *err, const char *what, const char *from, const uint8_t *p,
                     size_t n);

#endif
