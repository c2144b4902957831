/* SPDX-License-Identifier: MIT
 *
 * Blocks of a container, made ready on several threads: while the rows of one come out, the next
 * are read and unpacked. Who waits for a block works on it, too.
 */
#ifndef TRC_FORMAT_TRC_AHEAD_H
#define TRC_FORMAT_TRC_AHEAD_H

#include "format/trc_frames.h"

struct trc_ahead;

/* The frames, which have begun, stay the caller's; nobody else touches them until the last block
 * was taken or `a` is closed. */
struct trc_ahead *trc_ahead_open(struct trc_frames *frames, struct trc_err *err) TRC_MUST_USE;
void trc_ahead_close(struct trc_ahead *a);

/* Gives the next block, and takes back the one before. */
enum trc_flow trc_ahead_next(struct trc_ahead *a, struct trc_block **block,
                             struct trc_err *err) TRC_MUST_USE;

/* Says that rows are wanted: from now on, the blocks behind the one that was given are begun before
 * anybody asks for them. */
void trc_ahead_go(struct trc_ahead *a);

#endif
