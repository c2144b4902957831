/* SPDX-License-Identifier: MIT
 *
 * Error messages about invalid packed data. Frames are parsed only if their checksums hold, so the
 * bytes are as they were written and were not damaged by a disk.
 */
#ifndef TRC_CODEC_ENTROPY_CORRUPT_H
#define TRC_CODEC_ENTROPY_CORRUPT_H

#include <stdio.h>

#include "base/base.h"

/* Fails with `what`, such as "a stream is damaged", and an explanation; returns -1. */
static inline int
trc_corrupt(struct trc_err *err, const char *what)
{
	return trc_fail(err,
	                "%s; its checksum holds, so another version of trc may have written it",
	                what);
}

/* Does the same, naming a part of the block, such as "tokens". */
static inline int
trc_corrupt_in(struct trc_err *err, const char *what, const char *part)
{
	char text[128];

	snprintf(text, sizeof(text), "%s (%s)", what, part);
	return trc_corrupt(err, text);
}

#endif
