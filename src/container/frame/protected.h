/* SPDX-License-Identifier: MIT
 *
 * An output of frames that are gathered into groups, each with its parity behind it (bands.h).
 */
#ifndef TRC_CONTAINER_FRAME_PROTECTED_H
#define TRC_CONTAINER_FRAME_PROTECTED_H

#include "base/buf.h"
#include "base/io/out.h"

/* Zeroed but for `out` and `percent`. */
struct trc_protected_out {
	struct trc_out *out;
	unsigned percent; /* 0: nothing is gathered */
	struct trc_buf group;
};

void trc_protected_release(struct trc_protected_out *p);

/* Writes a frame of the group. */
int trc_protected_frame(struct trc_protected_out *p, uint8_t kind, uint64_t number,
                        const struct trc_buf *payload, struct trc_err *err) TRC_MUST_USE;

/* Ends the group with its parity: if it has TRC_BANDS_GROUP bytes, or is the last. */
int trc_protected_end(struct trc_protected_out *p, bool last, struct trc_err *err) TRC_MUST_USE;

#endif
