/* SPDX-License-Identifier: MIT
 *
 * The last frame of a container. SPEC.md specifies it.
 */
#ifndef TRC_CONTAINER_FRAME_END_H
#define TRC_CONTAINER_FRAME_END_H

#include "base/buf.h"

/* A trailer, from which a file is read backwards: the distances in bytes from the end frame to the
 * index and to the start of the container, and the rows of the container. The rows are also the
 * number of the frame; here they are the last 8 bytes, where file(1) finds them. */
struct trc_end {
	uint64_t index, start, rows;
};

enum { TRC_END_MOST = 2 * TRC_NUM_MOST + 8 }; /* bytes of the payload */

int trc_end_write(struct trc_buf *b, const struct trc_end *end, struct trc_err *err) TRC_MUST_USE;

/* Parses the payload of a frame whose number is `rows`; returns false if it is not a valid end. */
bool trc_end_read(struct trc_view v, uint64_t rows, struct trc_end *end);

#endif
