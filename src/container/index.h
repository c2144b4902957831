/* SPDX-License-Identifier: MIT
 *
 * The index of a container: what is in it, and where its blocks are. SPEC.md specifies it.
 */
#ifndef TRC_CONTAINER_INDEX_H
#define TRC_CONTAINER_INDEX_H

#include "base/buf.h"
#include "base/io/in.h"
#include "batch/index.h"

/* The blocks of a container, or of all in a file. Zeroed memory is none; release frees. */
struct trc_parts {
	struct trc_part *part;
	size_t n, cap;
};

void trc_parts_release(struct trc_parts *p);
int trc_parts_add(struct trc_parts *p, const struct trc_part *part,
                  struct trc_err *err) TRC_MUST_USE;

/* The lowest and the highest of `n` times. */
void trc_times_range(const uint64_t *time, size_t n, uint64_t *first, uint64_t *last);

/* What an index has of its container: statistics of the trace, and of each block (a zone map), as
 * the footer of a columnar format has them. Rows and bytes of parts count from its start. */
struct trc_contents {
	struct trc_meta meta; /* all but the format; the provenance is in what was read */
	struct trc_counts counts;
	struct trc_parts parts;
};

int trc_contents_write(struct trc_buf *b, const struct trc_contents *c, uint32_t have,
                       struct trc_err *err) TRC_MUST_USE;

/* Reads the index of `blocks` blocks that begins at byte `at` of its container, in place of what
 * `c` held. */
int trc_contents_read(struct trc_view *v, uint64_t at, uint64_t blocks, uint32_t have,
                      struct trc_contents *c, struct trc_err *err) TRC_MUST_USE;

#endif
