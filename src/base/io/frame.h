/* SPDX-License-Identifier: MIT
 *
 * Frames, of which containers consist. Each has checksums of its own, so it can be trusted without
 * its surroundings, and found again after damage. A small trace has only a few frames, most of them
 * short, so headers are short as well: magic, kind, bytes of payload, a number, a short checksum of
 * these, and a long one of everything (container/SPEC.md, "Frames"). The short checksum identifies
 * probable headers, and the long one covers every byte of the frame.
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
	uint64_t seed, sum;     /* of the payload, as stored in the header */
	uint64_t offset;        /* of the header in the data */
	size_t head;            /* size of the header in bytes */
	const uint8_t *payload; /* in the window of the input, until that moves */
};

enum trc_frame_found {
	TRC_FRAME_FAILED = -1, /* reading failed, or the payload is larger than allowed */
	TRC_FRAME_END,         /* end of the data */
	TRC_FRAME_GOOD,
	TRC_FRAME_CUT, /* the data ends within the frame */
	TRC_FRAME_BAD, /* no frame begins here, or a checksum does not match */
};

/* Returns the size of a frame in bytes. */
static inline uint64_t
trc_frame_bytes(const struct trc_frame *f)
{
	return f->head + f->len;
}

/* Writes a frame with this payload. */
int trc_frame_write(struct trc_out *out, uint8_t kind, uint64_t number,
                    const struct trc_buf *payload, struct trc_err *err) TRC_MUST_USE;

/* Appends a frame to `frame`. */
int trc_frame_put(struct trc_buf *frame, uint8_t kind, uint64_t number,
                  const struct trc_buf *payload, struct trc_err *err) TRC_MUST_USE;

/* Examines the next header without consuming it; returns TRC_FRAME_GOOD if its checksum matches. */
enum trc_frame_found trc_frame_peek(struct trc_in *in, struct trc_frame *f,
                                    struct trc_err *err) TRC_MUST_USE;

/* Reads a frame with at most `most` bytes of payload, and consumes it if it is good. */
enum trc_frame_found trc_frame_read(struct trc_in *in, uint64_t most, struct trc_frame *f,
                                    struct trc_err *err) TRC_MUST_USE;

/* Does the same during a search, when most headers may be false. *vain, initially 0, counts bytes
 * of payloads that were read in vain. If a frame would exceed the limit, TRC_FRAME_TRIES times the
 * bytes before it plus TRC_FRAME_VAIN, it counts as bad without being read. So the time is linear
 * in the size of any data. Accidental damage never reaches the limit, because its frames do not
 * overlap, so each is read in vain at most once. */
enum trc_frame_found trc_frame_try(struct trc_in *in, uint64_t most, uint64_t *vain,
                                   struct trc_frame *f, struct trc_err *err) TRC_MUST_USE;

/* Reads the frame at offset `at` of an input with random access, and its payload into `payload`.
 * Sets *good to false if there is no good frame with at most `most` bytes of payload. Fails only
 * without memory. */
int trc_frame_read_at(struct trc_in *in, uint64_t at, size_t most, struct trc_buf *payload,
                      struct trc_frame *f, bool *good, struct trc_err *err) TRC_MUST_USE;

/* Does the same for a frame of `kind` that ends at offset `end`. f->payload is in `payload`, but
 * not at its beginning. */
int trc_frame_read_before(struct trc_in *in, uint64_t end, uint8_t kind, size_t most,
                          struct trc_buf *payload, struct trc_frame *f, bool *good,
                          struct trc_err *err) TRC_MUST_USE;

/* Returns true if the `n` bytes at `p` begin with a header whose checksum matches; sets all of *f
 * but offset and payload. */
bool trc_frame_head(const uint8_t *p, size_t n, struct trc_frame *f);

/* Skips to the next header whose checksum matches, by at least one byte. *skipped is the number of
 * bytes skipped. If there is none, the window is empty. */
int trc_frame_search(struct trc_in *in, uint64_t *skipped, struct trc_err *err) TRC_MUST_USE;

/* Writes the header for a payload of `len` bytes to `head` and returns its size. */
size_t trc_frame_put_head(uint8_t head[TRC_FRAME_HEAD_MOST], uint8_t kind, uint64_t number,
                          const uint8_t *payload, size_t len);

/* For tests: updates the checksums of the frame at the start of the `n` bytes at `p`. Returns its
 * size; 0: no frame. */
size_t trc_frame_mend(uint8_t *p, size_t n);

#endif
