/* SPDX-License-Identifier: MIT
 *
 * Forward error correction: the frames of a container are gathered into groups, and behind each
 * group stand its parity frames, from which as many of its sectors can be computed anew. SPEC.md
 * specifies both; base/reed_solomon.h has the code.
 *
 * Each parity frame stands for itself: it has where its group begins, how that is divided, and a
 * sum of each sector, which shows which of them are damaged, or have moved.
 */
#ifndef TRC_CONTAINER_FRAME_PARITY_H
#define TRC_CONTAINER_FRAME_PARITY_H

#include "base/buf.h"
#include "base/io/frame.h"

enum { TRC_PARITY_SUM = 2 }; /* bytes of a sum */

/* How a group is divided. */
struct trc_parity_shape {
	uint64_t bytes;      /* of the group */
	size_t sector;       /* bytes of a sector, an even number */
	size_t sectors;      /* of data: bytes / sector, rounded up */
	size_t parity;       /* sectors of parity, one a frame */
	bool last;           /* the container ends behind it */
	const uint8_t *sums; /* lower bits of XXH3 of each sector of data, little-endian */
};

/* Where sector `i` begins in the group, and how many bytes it has there. The first is what is left
 * of the others, filled with zeros behind: so a sector's worth of damage is in two anywhere, also
 * where the group ends and its parity begins. */
static inline uint64_t
trc_parity_sector_at(const struct trc_parity_shape *s, size_t i)
{
	return i ? s->bytes - (uint64_t)(s->sectors - i) * s->sector : 0;
}

static inline size_t
trc_parity_sector_bytes(const struct trc_parity_shape *s, size_t i)
{
	return i ? s->sector : (size_t)(s->bytes - (uint64_t)(s->sectors - 1) * s->sector);
}

/* The sum of a sector, without what it is filled with. */
uint16_t trc_parity_sum(const uint8_t *sector, size_t n);

/* Appends parity frame `j`, which begins `back` bytes behind the start of its group, to `frame`. */
int trc_parity_frame_write(struct trc_buf *frame, const struct trc_parity_shape *shape, size_t j,
                           uint64_t back, const uint8_t *parity, struct trc_err *err) TRC_MUST_USE;

/* Reads the payload of one: what it protects, how many bytes before its header that begins, and its
 * parity. False if it makes no sense. */
bool trc_parity_frame_read(const struct trc_frame *f, struct trc_parity_shape *shape,
                           uint64_t *back, const uint8_t **parity);

#endif
