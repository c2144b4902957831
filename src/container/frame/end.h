/* SPDX-License-Identifier: MIT
 *
 * The last frame of a container. SPEC.md specifies it.
 */
#ifndef TRC_CONTAINER_FRAME_END_H
#define TRC_CONTAINER_FRAME_END_H

#include "base/buf.h"

/* A trailer, from which a file is read backwards: bytes from the index to the end frame, and from
 * the start of the container. */
struct trc_end {
	uint64_t index, start;
};

enum { TRC_END_MOST = 2 * TRC_NUM_MOST }; /* bytes of its payload */

int trc_end_write(struct trc_buf *b, const struct trc_end *end, struct trc_err *err) TRC_MUST_USE;

/* False for what is no end. */
bool trc_end_read(struct trc_view v, struct trc_end *end);

#endif
