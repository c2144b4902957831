/* SPDX-License-Identifier: MIT
 *
 * Checks that frames follow each other. Missing frames leave no trace in the others, but the number
 * of rows is recorded in blocks, in the index and at the end of each container.
 */
#ifndef TRC_CONTAINER_SEQUENCE_H
#define TRC_CONTAINER_SEQUENCE_H

#include "base/io/frame.h"
#include "container/header.h"
#include "container/index.h"

/* Rows that are missing; `gap` becomes part of the meta of the trace. */
struct trc_gaps {
	struct trc_gap *gap;
	size_t n, cap;
};

/* The container to which the current frames belong. */
struct trc_sequence_container {
	uint64_t start;      /* in the file; UINT64_MAX: its header is lost */
	uint64_t header_len; /* bytes of its header frame; 0: the header was not read */
	uint64_t base;       /* rows of the containers before it in the file */
	uint64_t after;      /* end of the container before it; UINT64_MAX: unknown */
	uint64_t index;      /* offset of its index; 0: not seen yet */
	uint64_t end;        /* its end, computed from its index if no row is missing; 0: unknown */
	size_t gaps_before;  /* gaps in the containers before it */
	bool first;          /* it is the first container */
	bool ended;          /* its end frame was the last frame */
	bool counted;        /* its index had the number of its rows */
	bool torn;           /* the data after the last frame was corrupt */
};

/* Sequence numbers as in a transport protocol: each block must begin with the next row. Missing
 * rows become gaps in a salvage, and are an error otherwise. */
struct trc_sequence {
	bool salvage;
	bool sound; /* of a salvage: see trc_repair() */
	uint32_t have;
	uint64_t rows; /* returned, skipped, or missing so far */
	struct trc_gaps gaps;
	struct trc_sequence_container in;
	struct trc_contents contents; /* of its index */
	bool lost;                    /* blocks cannot depend on earlier ones; cleared by the
	                               * caller */

	struct trc_buf copied; /* copied frames: see struct trc_meta */

	struct trc_meta header; /* of the first container */
	struct trc_meta meta;   /* of the containers read so far or, */
	bool indexed;           /* if indexed, of all, from the directory */
	struct trc_provenances provenances;
};

void trc_sequence_release(struct trc_sequence *s);

/* Begins with the first container; `header_len` is 0 if its header was not read. */
void trc_sequence_begin(struct trc_sequence *s, const struct trc_header *h, uint64_t header_len);

/* Checks any frame before it is parsed: it may belong to a new container whose header is lost. */
int trc_sequence_frame(struct trc_sequence *s, const struct trc_frame *f,
                       struct trc_err *err) TRC_MUST_USE;

/* trc_sequence_header() fails unless a header may come here; trc_sequence_next() then begins its
 * container at offset `start` of the file. */
int trc_sequence_header(struct trc_sequence *s, const struct trc_header *h,
                        struct trc_err *err) TRC_MUST_USE;
int trc_sequence_next(struct trc_sequence *s, uint64_t start, uint64_t header_len,
                      struct trc_err *err) TRC_MUST_USE;

/* Check an index frame and an end frame, and update the meta of the trace. */
int trc_sequence_index(struct trc_sequence *s, const struct trc_frame *f,
                       struct trc_err *err) TRC_MUST_USE;
int trc_sequence_end(struct trc_sequence *s, const struct trc_frame *f,
                     struct trc_err *err) TRC_MUST_USE;

/* Appends an unknown frame that may be copied to those of struct trc_meta; drops it if they are too
 * large. */
int trc_copied_add(struct trc_buf *copied, const struct trc_frame *f,
                   struct trc_err *err) TRC_MUST_USE;

/* Records that the rows of a block were read: the next rows or, in a salvage, rows after a gap. */
int trc_sequence_rows(struct trc_sequence *s, uint64_t first, uint64_t rows,
                      struct trc_err *err) TRC_MUST_USE;

/* Ends the trace at offset `at` of the file, which is the end of a container or, in a salvage, any
 * offset. Sets *cut if only the end of a container is missing. */
int trc_sequence_finish(struct trc_sequence *s, uint64_t at, bool *cut,
                        struct trc_err *err) TRC_MUST_USE;

/* Continues at another position in the file, after `rows` rows, in a container that begins at
 * offset `start` with row `base`; `ended` is true at the end of the file. */
void trc_sequence_seek(struct trc_sequence *s, uint64_t rows, uint64_t start, uint64_t base,
                       bool ended);

#endif
