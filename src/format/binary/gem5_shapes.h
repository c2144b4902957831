/* SPDX-License-Identifier: MIT
 *
 * Packets of gem5 by shape. If two packets have the same length, equal top bits in all bytes, which
 * mark the ends of numbers, and equal tags between the numbers, their fields are at the same
 * positions. A trace has a few dozen of these shapes. So a packet is compared with one that was
 * parsed field by field before, and its numbers are read from the known positions: none waits for
 * the end of the previous one.
 */
#ifndef TRC_FORMAT_BINARY_GEM5_SHAPES_H
#define TRC_FORMAT_BINARY_GEM5_SHAPES_H

#include "base/buf.h"
#include "batch/batch.h"

enum trc_gem5_field {
	TRC_GEM5_TICK = 1,
	TRC_GEM5_COMMAND,
	TRC_GEM5_ADDR,
	TRC_GEM5_SIZE,
	TRC_GEM5_FLAGS,
	TRC_GEM5_PACKET,
	TRC_GEM5_PC,
	TRC_GEM5_FIELDS
};

/* A packet parsed field by field. */
struct trc_gem5_packet {
	uint64_t value[TRC_GEM5_FIELDS];
	unsigned there;               /* a bit for each field that is present */
	uint16_t at[TRC_GEM5_FIELDS]; /* position of the number, from the beginning of the packet */
	uint16_t len[TRC_GEM5_FIELDS]; /* its bytes; 0: not present */
};

/* A shape, and how its numbers are extracted. */
struct trc_gem5_shape {
	uint64_t key; /* top bits */
	uint8_t len;  /* of the packet; 0: unused */
	bool rests;   /* it has a number of more than 8 bytes */
	uint8_t at[TRC_GEM5_FIELDS];
	uint64_t bits[TRC_GEM5_FIELDS]; /* the bits of a number in the 8 bytes from `at` */
	uint16_t rest[TRC_GEM5_FIELDS]; /* and in the 2 bytes after those */
	uint64_t tag[8], tag_bits[8];   /* the tags, and their bits, in the words of the packet */
};

enum { TRC_GEM5_SHAPES = 256 };

/* The known shapes: a direct-mapped cache. */
struct trc_gem5_shapes {
	const struct trc_gem5_kernel *kernel;
	uint8_t type[4][128]; /* by bits 8 (fetch) and 24 (prefetch) of the flags, and command */
	struct trc_gem5_shape shape[TRC_GEM5_SHAPES];
};

/* Initialises without shapes; the caller fills `type`. */
void trc_gem5_shapes_init(struct trc_gem5_shapes *s);

/* Parses packets of [*p, end) into rows while their shapes are known, they are complete and `b` has
 * room; moves *p past them. Up to TRC_IN_SLACK bytes after `end` may be read. */
void trc_gem5_shapes_parse(const struct trc_gem5_shapes *s, const uint8_t **p, const uint8_t *end,
                           struct trc_batch *b);

/* Stores the shape of packet `m`, which was parsed as `p` and is valid, for later packets. */
void trc_gem5_shapes_learn(struct trc_gem5_shapes *s, struct trc_view m,
                           const struct trc_gem5_packet *p);

#endif
