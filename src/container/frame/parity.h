/* SPDX-License-Identifier: MIT
 *
 * Forward error correction as used up to trc 1.1. The frames of a container form groups, and each
 * group is followed by its parity frames, from which as many lost sectors can be recomputed as
 * there are parity frames. SPEC.md specifies both; reed_solomon.h implements the code.
 *
 * Each parity frame is self-contained: it records where its group begins, how the group is divided,
 * and a checksum of each sector, which shows which sectors are damaged or have moved.
 */
#ifndef TRC_CONTAINER_FRAME_PARITY_H
#define TRC_CONTAINER_FRAME_PARITY_H

#include "base/buf.h"
#include "base/io/frame.h"

enum { TRC_PARITY_SUM = 2 }; /* bytes of a checksum */

/* The layout of a group. */
struct trc_parity_shape {
	uint64_t bytes;      /* of the group */
	size_t sector;       /* bytes of a sector, an even number */
	size_t sectors;      /* of data: bytes / sector, rounded up */
	size_t parity;       /* parity sectors, one per frame */
	bool last;           /* the container ends after the group */
	const uint8_t *sums; /* low bits of XXH3 of each data sector, little-endian */
};

/* Return where sector `i` begins in the group, and its number of bytes. The first sector is the
 * short one and is padded with zeros at its end. So damage of the size of a sector hits at most two
 * sectors anywhere, including the end of the group, where the parity begins. */
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

/* Returns the checksum of a sector without its padding. */
uint16_t trc_parity_sum(const uint8_t *sector, size_t n);

/* Appends to `frame` parity frame `j`, which begins `back` bytes after the start of its group. */
int trc_parity_frame_write(struct trc_buf *frame, const struct trc_parity_shape *shape, size_t j,
                           uint64_t back, const uint8_t *parity, struct trc_err *err) TRC_MUST_USE;

/* Parses the payload of a parity frame: the layout of its group, how many bytes before the header
 * of the frame the group begins, and the parity. Returns false if it is invalid. */
bool trc_parity_frame_read(const struct trc_frame *f, struct trc_parity_shape *shape,
                           uint64_t *back, const uint8_t **parity);

#endif
