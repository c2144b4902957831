/* SPDX-License-Identifier: MIT
 *
 * The streams of the references of one context. They are packed in parallel, first with methods
 * that are fast to read; since that shows the size of the block, they are then packed with slow
 * methods if these save enough to be worth the time.
 */
#ifndef TRC_CONTAINER_REFS_STREAMS_H
#define TRC_CONTAINER_REFS_STREAMS_H

#include "codec/program/refs_writer.h"
#include "codec/stream/pack.h"

/* The references of one context, as streams. A zeroed struct is empty. */
struct trc_refs_streams {
	struct trc_refs refs;

	/* Private. */
	struct trc_pack_budget budget; /* byte is 0 before the first pass */
	struct trc_buf path;           /* packed with the path model */
	struct trc_buf packed[TRC_REFS_STREAMS];
};

/* The parameters of packing the streams. */
struct trc_refs_packing {
	struct trc_refs_writer *writer; /* the writer of s->refs */
	int level, threads;
	size_t rows;   /* number of references */
	size_t growth; /* bytes by which the program grew for them */
};

/* Packs all streams except the exceptions. */
int trc_refs_streams_pack(struct trc_refs_streams *s, const struct trc_refs_packing *how,
                          struct trc_err *err) TRC_MUST_USE;

/* Appends the packed streams in the order of SPEC.md, "R: references". */
int trc_refs_streams_put(const struct trc_refs_streams *s, struct trc_buf *b,
                         struct trc_err *err) TRC_MUST_USE;

void trc_refs_streams_release(struct trc_refs_streams *s);

#endif
