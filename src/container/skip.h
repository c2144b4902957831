/* SPDX-License-Identifier: MIT
 *
 * Blocks of a container that nobody wants are passed over, not read: by an index with one jump to
 * where the program begins anew before the next that is wanted, in a pipe by the headers of frames.
 * frames.c calls this; it calls nothing there.
 */
#ifndef TRC_CONTAINER_SKIP_H
#define TRC_CONTAINER_SKIP_H

#include "container/container.h"

struct trc_frames;

/* Passes over blocks that are not wanted, up to a frame that has to be read. */
int trc_skip_blocks(struct trc_frames *c, struct trc_err *err) TRC_MUST_USE;

/* True if a frame is of the block that comes next, also by the index. */
bool trc_skip_is_next(const struct trc_frames *c, const struct trc_frame *f);

#endif
