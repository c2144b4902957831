/* SPDX-License-Identifier: MIT
 *
 * The last frame of a container. SPEC.md specifies it.
 */
#ifndef TRC_CONTAINER_FRAME_END_H
#define TRC_CONTAINER_FRAME_END_H

#include "base/buf.h"

/* A trailer, from which a file is read backwards: bytes from the index to the end frame, and from
 * the start of the container; and the rows of the container, which is the number of the frame, too:
 * they are the last 8 bytes, where file(1) looks for them. */
struct trc_end {
	uint64_t index, start, rows;
};

enum { TRC_END_MOST = 2 * TRC_NUM_MOST + 8 }; /* bytes of its payload */

int trc_end_write(struct trc_buf *b, const struct trc_end *end, struct trc_err *err) TRC_MUST_USE;

/* From the payload of a frame with the number `rows`; false for what is no end. */
bool trc_end_read(struct trc_view v, uint64_t rows, struct trc_end *end);

#endif
