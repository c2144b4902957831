/* SPDX-License-Identifier: MIT
 *
 * An output that collects frames into groups and writes the parity of each group after it
 * (bands.h).
 */
#ifndef TRC_CONTAINER_FRAME_PROTECTED_H
#define TRC_CONTAINER_FRAME_PROTECTED_H

#include "base/buf.h"
#include "base/io/out.h"

/* The state of the output: set `out` and `percent`, zero the rest. */
struct trc_protected_out {
	struct trc_out *out;
	unsigned percent; /* 0: no parity; groups are not collected */
	struct trc_buf group;
};

void trc_protected_release(struct trc_protected_out *p);

/* Writes a frame and adds it to the group. */
int trc_protected_frame(struct trc_protected_out *p, uint8_t kind, uint64_t number,
                        const struct trc_buf *payload, struct trc_err *err) TRC_MUST_USE;

/* Ends the group with its parity, if it has reached TRC_BANDS_GROUP bytes or is the last. */
int trc_protected_end(struct trc_protected_out *p, bool last, struct trc_err *err) TRC_MUST_USE;

#endif
