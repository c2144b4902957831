/* SPDX-License-Identifier: MIT
 *
 * How a group of frames is protected: it is cut into bands of as many bytes, the first with zeros
 * in front, and the bytes at the same place of all bands are a codeword
 * (container/frame/reed_solomon_bytes.h) with those of the bands of parity behind them. A burst
 * is a few errors of each codeword then, and errors that are scattered are in different ones.
 * SPEC.md specifies it.
 *
 * Frames of parity have these bands, and nothing else. All that a reader has to know is in the
 * number of the frame, which the check of its header covers: what a header stands before may be
 * damaged, and is repaired as all else.
 */
#ifndef TRC_CONTAINER_FRAME_BANDS_H
#define TRC_CONTAINER_FRAME_BANDS_H

#include "base/io/frame.h"
#include "container/frame/reed_solomon_bytes.h"

enum {
	TRC_BANDS_PERCENT = 2, /* of a container, in one burst, by default */
	TRC_BANDS_PERCENT_MOST = 50,
	TRC_BANDS_GROUP = 1 << 27, /* bytes from which on a group ends behind a block */
	TRC_BANDS_PARITY_LEAST = 4,
	TRC_BANDS_PARITY_MOST = 160,
};

/* How a group is divided. */
struct trc_bands {
	uint64_t bytes;  /* of the group, less than 2^32 */
	unsigned parity; /* bands of parity */
	bool last;       /* the container ends behind it */

	/* What follows from these: */
	unsigned data; /* bands */
	size_t band;   /* bytes of a band */
	unsigned frames;
};

/* Fills in what follows; false if there are no such bands. */
bool trc_bands_make(struct trc_bands *b);

/* Those that suffice for a burst of `percent` percent of a container of this one group. */
struct trc_bands trc_bands_choose(uint64_t bytes, unsigned percent, bool last);

/* From the header of a frame of parity, which is number *nth of its group; false if it is none. */
bool trc_bands_read(struct trc_bands *b, unsigned *nth, const struct trc_frame *f);

/* The number of frame `nth`, its first band of parity, bytes of all of these, and where it and they
 * begin, in bytes from the start of the group. `nth` is up to b->frames, where the group ends with
 * its parity. */
uint64_t trc_bands_number(const struct trc_bands *b, unsigned nth);
unsigned trc_bands_first(const struct trc_bands *b, unsigned nth);
size_t trc_bands_bytes(const struct trc_bands *b, unsigned nth);
uint64_t trc_bands_frame(const struct trc_bands *b, unsigned nth);
uint64_t trc_bands_payload(const struct trc_bands *b, unsigned nth);

/* Where band `i` begins, in bytes from the start of the group; those of parity follow the data. */
uint64_t trc_bands_at(const struct trc_bands *b, unsigned i);

/* Zeros in front of the group that belong to its first band. */
static inline size_t
trc_bands_before(const struct trc_bands *b)
{
	return (size_t)(b->data * (uint64_t)b->band - b->bytes);
}

/* Computes the bands of parity of a group. */
int trc_bands_parity(const struct trc_bands *b, const uint8_t *group, uint8_t *parity,
                     struct trc_err *err) TRC_MUST_USE;

#endif
