/* SPDX-License-Identifier: MIT
 *
 * Do frames follow each other? Whole frames that are missing leave no trace in those that are
 * there, but rows are counted: in blocks, in the index and at the end of each container.
 */
#ifndef TRC_CONTAINER_SEQUENCE_H
#define TRC_CONTAINER_SEQUENCE_H

#include "base/io/frame.h"
#include "container/header.h"
#include "container/index.h"

/* Rows that are missing; `gap` is for the meta of the trace. */
struct trc_gaps {
	struct trc_gap *gap;
	size_t n, cap;
};

/* The container that frames are in. */
struct trc_sequence_container {
	uint64_t start;      /* in the file; UINT64_MAX: its header is lost */
	uint64_t header_len; /* bytes of its header frame; 0: it was not read */
	uint64_t base;       /* rows of the containers before it in the file */
	uint64_t after;      /* where the one before it ended; UINT64_MAX: not known */
	uint64_t index;      /* where its index is; 0: not seen yet */
	uint64_t end;        /* behind its end, by its index and all rows before; 0: not known */
	size_t gaps_before;  /* in the containers before it */
	bool first;          /* there is none before it */
	bool ended;          /* the last frame was its end */
	bool counted;        /* its index had the number of its rows */
	bool torn;           /* what stood behind the last frame was corrupt */
};

/* Sequence numbers, as in a transport protocol: the next row is what a block has to begin with. In
 * a salvage those that are left out become gaps; else they are errors. */
struct trc_sequence {
	bool salvage;
	bool sound; /* of a salvage: as trc_repair() has it */
	uint32_t have;
	uint64_t rows; /* that came, were skipped, or are missing */
	struct trc_gaps gaps;
	struct trc_sequence_container in;
	struct trc_contents contents; /* of its index */
	bool lost;                    /* blocks can go on from none before: the caller clears it */

	struct trc_buf copied; /* frames: struct trc_meta */

	struct trc_meta header; /* of the first container */
	struct trc_meta meta;   /* of the containers so far, or */
	bool indexed;           /* of all, from a directory */
	struct trc_provenances provenances;
};

void trc_sequence_release(struct trc_sequence *s);

/* Begins with the first container; `header_len` is 0 if its header was not read. */
void trc_sequence_begin(struct trc_sequence *s, const struct trc_header *h, uint64_t header_len);

/* Takes note of any frame, before it is looked at: a container may have begun without a header. */
int trc_sequence_frame(struct trc_sequence *s, const struct trc_frame *f,
                       struct trc_err *err) TRC_MUST_USE;

/* Makes sure that a header may follow; then its container begins, at `start` in the file. */
int trc_sequence_header(struct trc_sequence *s, const struct trc_header *h,
                        struct trc_err *err) TRC_MUST_USE;
int trc_sequence_next(struct trc_sequence *s, uint64_t start, uint64_t header_len,
                      struct trc_err *err) TRC_MUST_USE;

/* Takes an index, an end. */
int trc_sequence_index(struct trc_sequence *s, const struct trc_frame *f,
                       struct trc_err *err) TRC_MUST_USE;
int trc_sequence_end(struct trc_sequence *s, const struct trc_frame *f,
                     struct trc_err *err) TRC_MUST_USE;

/* Appends a frame that is not known and may be copied to those of struct trc_meta. */
int trc_copied_add(struct trc_buf *copied, const struct trc_frame *f,
                   struct trc_err *err) TRC_MUST_USE;

/* Rows of a block came: the next ones or, in a salvage, some behind what is missing. */
int trc_sequence_rows(struct trc_sequence *s, uint64_t first, uint64_t rows,
                      struct trc_err *err) TRC_MUST_USE;

/* The file has ended at offset `at`, behind the end of a container or, in a salvage, anywhere. Sets
 * *cut if nothing but the end of a container is missing. */
int trc_sequence_finish(struct trc_sequence *s, uint64_t at, bool *cut,
                        struct trc_err *err) TRC_MUST_USE;

/* Goes on elsewhere in the file, where `rows` rows are before it, in a container that starts at
 * `start` with row `base`; `ended` at the end of the file. */
void trc_sequence_seek(struct trc_sequence *s, uint64_t rows, uint64_t start, uint64_t base,
                       bool ended);

#endif
