/* SPDX-License-Identifier: MIT
 *
 * Frames: what containers are made of. Each carries checks of its own, so that it can be believed
 * without what stands around it, and found again behind damage. A small trace is a handful of
 * frames, most of them short, so a header is as short as its numbers: magic, kind, bytes of
 * payload, a number, a short check of these, and a sum of all (container/SPEC.md, "Frames"). The
 * short check finds places worth looking at, and the long one covers every byte of the frame.
 */
#ifndef TRC_BASE_IO_FRAME_H
#define TRC_BASE_IO_FRAME_H

#include "base/buf.h"
#include "base/io/in.h"
#include "base/io/out.h"

enum {
	TRC_FRAME_HEAD_LEAST = 15, /* bytes before the payload */
	TRC_FRAME_HEAD_MOST = 28,
	TRC_FRAME_TRIES = 4,
	TRC_FRAME_VAIN = 1 << 28,
};

/* A frame. */
struct trc_frame {
	uint8_t kind;
	uint64_t number, len;
	uint64_t seed, sum;     /* of the payload, as the header has it */
	uint64_t offset;        /* of the header, in the data */
	size_t head;            /* bytes of the header */
	const uint8_t *payload; /* in the window of the input, until it moves */
};

enum trc_frame_found {
	TRC_FRAME_FAILED = -1, /* reading failed, or the payload is larger than allowed */
	TRC_FRAME_END,         /* the data ends here */
	TRC_FRAME_GOOD,
	TRC_FRAME_CUT, /* the data ends inside the frame */
	TRC_FRAME_BAD, /* no frame begins here, or its checks do not hold */
};

/* All bytes of a frame. */
static inline uint64_t
trc_frame_bytes(const struct trc_frame *f)
{
	return f->head + f->len;
}

int trc_frame_write(struct trc_out *out, uint8_t kind, uint64_t number,
                    const struct trc_buf *payload, struct trc_err *err) TRC_MUST_USE;

/* Appends a frame to `frame`. */
int trc_frame_put(struct trc_buf *frame, uint8_t kind, uint64_t number,
                  const struct trc_buf *payload, struct trc_err *err) TRC_MUST_USE;

/* Looks at the header of the next frame without consuming anything: TRC_FRAME_GOOD if it holds. */
enum trc_frame_found trc_frame_peek(struct trc_in *in, struct trc_frame *f,
                                    struct trc_err *err) TRC_MUST_USE;

/* Reads a frame of at most `most` bytes of payload from the front of the window, and consumes it if
 * it is good. */
enum trc_frame_found trc_frame_read(struct trc_in *in, uint64_t most, struct trc_frame *f,
                                    struct trc_err *err) TRC_MUST_USE;

/* The same in a search, where most headers may be no frames: *vain, 0 at first, counts the bytes of
 * payloads that were read and did not hold. A frame that would take more than is left, of
 * TRC_FRAME_TRIES times the bytes before it and TRC_FRAME_VAIN, is bad without a look at it. So the
 * time is linear in the bytes whatever they are, and what is damaged by chance is never passed
 * over: its frames lie behind each other, and each is read in vain once. */
enum trc_frame_found trc_frame_try(struct trc_in *in, uint64_t most, uint64_t *vain,
                                   struct trc_frame *f, struct trc_err *err) TRC_MUST_USE;

/* Reads the whole frame at offset `at` of an input where any byte can be read: *good false if there
 * is none of at most `most` bytes of payload, which `payload` gets. Fails only without memory. */
int trc_frame_read_at(struct trc_in *in, uint64_t at, size_t most, struct trc_buf *payload,
                      struct trc_frame *f, bool *good, struct trc_err *err) TRC_MUST_USE;

/* The same of a frame of `kind` that ends at offset `end`. */
int trc_frame_read_before(struct trc_in *in, uint64_t end, uint8_t kind, size_t most,
                          struct trc_buf *payload, struct trc_frame *f, bool *good,
                          struct trc_err *err) TRC_MUST_USE;

/* True if a header with its check begins the `n` bytes at `p`; fills in all of *f but offset and
 * payload. */
bool trc_frame_head(const uint8_t *p, size_t n, struct trc_frame *f);

/* Skips to the next header whose check holds, at least one byte on. *skipped is how many bytes that
 * was; the window is at its end if there is none. */
int trc_frame_search(struct trc_in *in, uint64_t *skipped, struct trc_err *err) TRC_MUST_USE;

/* Puts the header of a payload of `len` bytes at `head`, and returns its bytes. */
size_t trc_frame_put_head(uint8_t head[TRC_FRAME_HEAD_MOST], uint8_t kind, uint64_t number,
                          const uint8_t *payload, size_t len);

/* For tests: gives the frame that begins the `n` bytes at `p` the checks that its bytes would have,
 * and returns all its bytes; 0 if there is none. */
size_t trc_frame_mend(uint8_t *p, size_t n);

#endif
