/* SPDX-License-Identifier: MIT
 *
 * Memory is dealt out before it is taken: what the tables of reading need at most follows from a
 * header, and what is left below the limit is for the programs that blocks are read by.
 */
#ifndef TRC_FORMAT_TRC_ROOM_H
#define TRC_FORMAT_TRC_ROOM_H

#include "format/trc_frames.h"

/* Makes room in `c` for blocks of `rows` rows, laying out fewer at a time where that helps; refuses
 * what may need more memory than there may be. */
int trc_room_make(struct trc_frames *c, size_t rows, struct trc_err *err) TRC_MUST_USE;

#endif
