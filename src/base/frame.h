/* SPDX-License-Identifier: MIT
 *
 * Frames: what containers are made of. Each carries checks of its own, so that it can be believed
 * without what stands around it, and found again behind damage.
 *
 *   offset  bytes
 *   0       3      magic: f5 't' 'r'
 *   3       1      kind
 *   4       4      bytes of payload
 *   8       8      number: what it counts is the kind's business
 *   16      8      XXH3 (64 bits) of the payload
 *   24      4      the lower 32 bits of XXH3 of bytes 0 to 23
 *   28             payload
 *
 * Numbers are little-endian.
 */
#ifndef TRC_BASE_FRAME_H
#define TRC_BASE_FRAME_H

#include "base/buf.h"
#include "base/in.h"
#include "base/out.h"

enum { TRC_FRAME_HEAD = 28 };

struct trc_frame {
	uint8_t kind;
	uint64_t number, len;
	uint64_t hash;   /* of the payload, as the header has it */
	uint64_t offset; /* of the header, in the data */
	const uint8_t *payload; /* in the window of the input, until it moves */
};

enum trc_frame_found {
	TRC_FRAME_FAILED = -1, /* reading failed, or the payload is larger than allowed */
	TRC_FRAME_END,         /* the data ends here */
	TRC_FRAME_GOOD,
	TRC_FRAME_CUT,         /* the data ends inside the frame */
	TRC_FRAME_BAD,         /* no frame begins here, or its checks do not hold */
};

int trc_frame_write(struct trc_out *out, uint8_t kind, uint64_t number,
                    const struct trc_buf *payload, struct trc_err *err) TRC_MUST_USE;

/* Looks at the header of the next frame without consuming anything: TRC_FRAME_GOOD if it holds. */
enum trc_frame_found trc_frame_peek(struct trc_in *in, struct trc_frame *f,
                                    struct trc_err *err) TRC_MUST_USE;

/* Reads a frame of at most `most` bytes of payload from the front of the window, and consumes it if
 * it is good. */
enum trc_frame_found trc_frame_read(struct trc_in *in, uint64_t most, struct trc_frame *f,
                                    struct trc_err *err) TRC_MUST_USE;

/* Reads the whole frame at offset `at` of an input where any byte can be read: *good false if there
 * is none. `payload` gets its payload. Fails only without memory. */
int trc_frame_read_at(struct trc_in *in, uint64_t at, struct trc_buf *payload, struct trc_frame *f,
		      bool *good, struct trc_err *err) TRC_MUST_USE;

/* True if a header with its check begins the `n` bytes at `p`; fills in all of *f but offset and
 * payload. */
bool trc_frame_head(const uint8_t *p, size_t n, struct trc_frame *f);

/* Skips to the next header whose check holds, at least one byte on. *skipped is how many bytes that
 * was; the window is at its end if there is none. */
int trc_frame_search(struct trc_in *in, uint64_t *skipped, struct trc_err *err) TRC_MUST_USE;

#endif
