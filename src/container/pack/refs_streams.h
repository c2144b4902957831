/* SPDX-License-Identifier: MIT
 *
 * The streams of the references of one context, packed at once on all cores: by what is read fast;
 * then, since that shows how large the block is, slowly where that saves so much of it that it is
 * worth the time.
 */
#ifndef TRC_CONTAINER_REFS_STREAMS_H
#define TRC_CONTAINER_REFS_STREAMS_H

#include "codec/program/refs_writer.h"
#include "codec/stream/pack.h"

/* The references of one context, as streams. Zeroed memory is none. */
struct trc_refs_streams {
	struct trc_refs refs;

	/* Private. */
	struct trc_pack_budget budget; /* 0 for a byte: none yet */
	struct trc_buf path;           /* by the path model */
	struct trc_buf packed[TRC_REFS_STREAMS];
};

/* How they are packed. */
struct trc_refs_packing {
	struct trc_refs_writer *writer; /* which wrote s->refs */
	int level, threads;
	size_t rows;   /* how many there are */
	size_t growth; /* bytes by which the program grew for them */
};

/* Packs all streams but exceptions. */
int trc_refs_streams_pack(struct trc_refs_streams *s, const struct trc_refs_packing *how,
                          struct trc_err *err) TRC_MUST_USE;

/* Appends what was packed, in the order of SPEC.md, "R: references". */
int trc_refs_streams_put(const struct trc_refs_streams *s, struct trc_buf *b,
                         struct trc_err *err) TRC_MUST_USE;

void trc_refs_streams_release(struct trc_refs_streams *s);

#endif
