/* SPDX-License-Identifier: MIT
 *
 * The index of a container: its contents and the positions of its blocks. SPEC.md specifies it.
 */
#ifndef TRC_CONTAINER_INDEX_H
#define TRC_CONTAINER_INDEX_H

#include "base/buf.h"
#include "base/io/in.h"
#include "batch/index.h"

/* The blocks of a container, or of all containers in a file. A zeroed struct is empty; release
 * frees. */
struct trc_parts {
	struct trc_part *part;
	size_t n, cap;
};

void trc_parts_release(struct trc_parts *p);
int trc_parts_add(struct trc_parts *p, const struct trc_part *part,
                  struct trc_err *err) TRC_MUST_USE;

/* Finds the lowest and the highest of `n` times. */
void trc_times_range(const uint64_t *time, size_t n, uint64_t *first, uint64_t *last);

/* The contents of an index: statistics of the trace and of each block (a zone map), like the footer
 * of a columnar format. Rows and bytes of parts count from the start of the container. */
struct trc_contents {
	struct trc_meta meta; /* all but the format; the provenance points into the buffer that was
	                       * read */
	struct trc_counts counts;
	struct trc_parts parts;
};

/* Appends the contents of an index for a trace with the columns `have`. */
int trc_contents_write(struct trc_buf *b, const struct trc_contents *c, uint32_t have,
                       struct trc_err *err) TRC_MUST_USE;

/* Reads the index of `blocks` blocks that begins at byte `at` of its container, replacing the
 * contents of `c`. */
int trc_contents_read(struct trc_view *v, uint64_t at, uint64_t blocks, uint32_t have,
                      struct trc_contents *c, struct trc_err *err) TRC_MUST_USE;

#endif
