/* SPDX-License-Identifier: MIT
 *
 * Packets of gem5 by their shapes. Two packets of one length whose bytes are alike in their top
 * bits, which mark where numbers end, and in the tags between the numbers, have their fields in the
 * same places; a trace has a few dozen such shapes. So a packet is compared with one that was
 * parsed field by field before, and its numbers are taken from where they stood there: none waits
 * for the end of the one before it.
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
	unsigned there;                /* a bit for each field */
	uint16_t at[TRC_GEM5_FIELDS];  /* where the number begins, from where the packet does */
	uint16_t len[TRC_GEM5_FIELDS]; /* its bytes; 0: it is not there */
};

/* A shape, and how numbers come out of it. */
struct trc_gem5_shape {
	uint64_t key; /* of top bits */
	uint8_t len;  /* of the packet; 0: no shape */
	bool rests;   /* there is a number of more than 8 bytes */
	uint8_t at[TRC_GEM5_FIELDS];
	uint64_t bits[TRC_GEM5_FIELDS]; /* of a number in the 8 bytes from `at`, */
	uint16_t rest[TRC_GEM5_FIELDS]; /* and in the 2 behind those */
	uint64_t tag[8], tag_bits[8];   /* what stands where in the words of the packet */
};

enum { TRC_GEM5_SHAPES = 256 };

/* The shapes met so far: a direct-mapped cache of them. */
struct trc_gem5_shapes {
	const struct trc_gem5_kernel *kernel;
	uint8_t type[4][128]; /* by bits 8 (fetch) and 24 (prefetch) of the flags, and command */
	struct trc_gem5_shape shape[TRC_GEM5_SHAPES];
};

/* Begins without shapes; `type` is the caller's to fill. */
void trc_gem5_shapes_init(struct trc_gem5_shapes *s);

/* Parses packets of [*p, end) into rows as long as their shapes are known, they are whole and `b`
 * has room, and moves *p behind them. TRC_IN_SLACK bytes behind `end` may be read. */
void trc_gem5_shapes_parse(const struct trc_gem5_shapes *s, const uint8_t **p, const uint8_t *end,
                           struct trc_batch *b);

/* Notes the shape of packet `m`, parsed as `p` and good, for those that follow. */
void trc_gem5_shapes_learn(struct trc_gem5_shapes *s, struct trc_view m,
                           const struct trc_gem5_packet *p);

#endif
