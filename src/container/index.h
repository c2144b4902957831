/* SPDX-License-Identifier: MIT
 *
 * What stands at the two ends of a container: its header and its index. SPEC.md specifies both.
 */
#ifndef TRC_CONTAINER_INDEX_H
#define TRC_CONTAINER_INDEX_H

#include "base/buf.h"
#include "base/io/in.h"
#include "batch/index.h"

/* Where an end leads: bytes from the index to it, and from the start of the container. */
struct trc_end {
	uint64_t index, start;
};

enum { TRC_END_MOST = 2 * TRC_NUM_MOST }; /* bytes of its payload */

int trc_end_write(struct trc_buf *b, const struct trc_end *end, struct trc_err *err) TRC_MUST_USE;

/* False for what is no end. */
bool trc_end_read(struct trc_view v, struct trc_end *end);

struct trc_header {
	uint32_t have;
	size_t block_rows;    /* no block has more */
	struct trc_meta meta; /* what is known before the first row */
};

int trc_header_write(struct trc_buf *b, const struct trc_header *h,
                     struct trc_err *err) TRC_MUST_USE;
int trc_header_read(struct trc_view *v, struct trc_header *h, struct trc_err *err) TRC_MUST_USE;

/* The blocks of a container, or of all in a file. Zeroed memory is none; release frees. */
struct trc_parts {
	struct trc_part *part;
	size_t n, cap;
};

void trc_parts_release(struct trc_parts *p);
int trc_parts_add(struct trc_parts *p, const struct trc_part *part,
                  struct trc_err *err) TRC_MUST_USE;

/* What an index tells of its container. Rows and bytes of parts count from its start. */
struct trc_contents {
	struct trc_meta meta; /* all but the format */
	struct trc_counts counts;
	struct trc_parts parts;
};

int trc_contents_write(struct trc_buf *b, const struct trc_contents *c, uint32_t have,
                       struct trc_err *err) TRC_MUST_USE;

/* Reads the index of `blocks` blocks that begins at byte `at` of its container, in place of what
 * `c` held. */
int trc_contents_read(struct trc_view *v, uint64_t at, uint64_t blocks, uint32_t have,
                      struct trc_contents *c, struct trc_err *err) TRC_MUST_USE;

/* True if one trace can be made of two, as far as their headers tell, or their indexes. */
bool trc_meta_alike(const struct trc_meta *a, const struct trc_meta *b);

/* What is known of two traces, the second behind the first, whose format stands. */
void trc_meta_join(struct trc_meta *meta, const struct trc_meta *next);

/* One container of a file. */
struct trc_joined {
	uint64_t start, index, end; /* offsets in the file: its own, of its index and end frames */
	uint64_t first;             /* row of the trace */
	size_t block_rows;
};

/* The index of a file, which may be containers joined. Zeroed memory is none; release frees. */
struct trc_file_index {
	struct trc_index index; /* its parts are those of `parts` */
	struct trc_parts parts;
	struct trc_joined *joined;
	size_t n, cap;
};

void trc_file_index_release(struct trc_file_index *f);

/* Reads the indexes of all containers, beginning at the end of the file; the window stays where it
 * is. *found is false if they do not lead, all in order, in frames of at most `most` bytes and for
 * traces of the columns `have`, to the start of the file: then the file has to be read through.
 * Fails only without memory. */
int trc_file_index_read(struct trc_file_index *f, struct trc_in *in, uint32_t have, size_t most,
                        bool *found, struct trc_err *err) TRC_MUST_USE;

#endif
