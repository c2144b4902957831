/* SPDX-License-Identifier: MIT
 *
 * How a group of frames is protected. The group is cut into bands of equal size, with zeros before
 * the first byte to fill the first band; the bytes at the same offset of all bands form a codeword
 * (container/frame/reed_solomon_bytes.h) with those of the parity bands, which follow. So a burst
 * causes only a few errors in each codeword, and scattered errors hit different codewords. SPEC.md
 * specifies it.
 *
 * Parity frames contain these bands and nothing else. All that a reader must know is in the number
 * of the frame, which the checksum of the frame's header covers: the payload after a header may be
 * damaged, and is repaired like everything else.
 */
#ifndef TRC_CONTAINER_FRAME_BANDS_H
#define TRC_CONTAINER_FRAME_BANDS_H

#include "base/io/frame.h"
#include "container/frame/reed_solomon_bytes.h"

enum {
	TRC_BANDS_PERCENT = 2, /* of a container that may be lost in one burst, by default */
	TRC_BANDS_PERCENT_MOST = 50,
	TRC_BANDS_GROUP = 1 << 27, /* bytes; a group ends after the block that reaches this size */
	TRC_BANDS_PARITY_LEAST = 4,
	TRC_BANDS_PARITY_MOST = 160,
};

/* The layout of a group. */
struct trc_bands {
	uint64_t bytes;  /* of the group, less than 2^32 */
	unsigned parity; /* bands of parity */
	bool last;       /* the container ends after the group */

	/* Derived from these: */
	unsigned data; /* number of data bands */
	size_t band;   /* bytes of a band */
	unsigned frames;
};

/* Computes the derived members; returns false if there is no such layout. */
bool trc_bands_make(struct trc_bands *b);

/* Chooses a layout that survives a burst of `percent` percent of a container that consists of this
 * one group. */
struct trc_bands trc_bands_choose(uint64_t bytes, unsigned percent, bool last);

/* Reads the layout from the header of a parity frame, which is number *nth of its group; returns
 * false if the frame is not a parity frame. */
bool trc_bands_read(struct trc_bands *b, unsigned *nth, const struct trc_frame *f);

/* Return, for parity frame `nth`: its number, its first parity band, the bytes of all its bands,
 * and the offsets of the frame and of its payload from the start of the group. `nth` may be
 * b->frames, for the end of the group and its parity. */
uint64_t trc_bands_number(const struct trc_bands *b, unsigned nth);
unsigned trc_bands_first(const struct trc_bands *b, unsigned nth);
size_t trc_bands_bytes(const struct trc_bands *b, unsigned nth);
uint64_t trc_bands_frame(const struct trc_bands *b, unsigned nth);
uint64_t trc_bands_payload(const struct trc_bands *b, unsigned nth);

/* Returns the offset of band `i` from the start of the group; parity bands follow the data
 * bands. */
uint64_t trc_bands_at(const struct trc_bands *b, unsigned i);

/* Returns the number of zeros before the group that belong to its first band. */
static inline size_t
trc_bands_before(const struct trc_bands *b)
{
	return (size_t)(b->data * (uint64_t)b->band - b->bytes);
}

/* Computes the parity bands of a group. */
int trc_bands_parity(const struct trc_bands *b, const uint8_t *group, uint8_t *parity,
                     struct trc_err *err) TRC_MUST_USE;

#endif
