/* SPDX-License-Identifier: MIT
 *
 * The messages about packed bytes that make no sense. Frames are read only if their sums hold: so
 * the bytes are as they were written, and no disk damaged them.
 */
#ifndef TRC_CODEC_ENTROPY_CORRUPT_H
#define TRC_CODEC_ENTROPY_CORRUPT_H

#include <stdio.h>

#include "base/base.h"

/* Fails for `what`, "a stream is damaged", with what that means; returns -1. */
static inline int
trc_corrupt(struct trc_err *err, const char *what)
{
	return trc_fail(err,
	                "%s; its checksum holds, so another version of trc may have written it",
	                what);
}

/* The same for a part of the block that is named: "tokens". */
static inline int
trc_corrupt_in(struct trc_err *err, const char *what, const char *part)
{
	char text[128];

	snprintf(text, sizeof(text), "%s (%s)", what, part);
	return trc_corrupt(err, text);
}

#endif
