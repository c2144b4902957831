/* SPDX-License-Identifier: MIT
 *
 * The sections of a block: the columns that are not references, the fingerprint, and the link to
 * the references. Every claim of a section is checked before it is used.
 */
#ifndef TRC_CONTAINER_SECTIONS_H
#define TRC_CONTAINER_SECTIONS_H

#include "container/block_refs.h"

/* The column chunks of a row group, stored column by column. */
struct trc_sections {
	uint32_t trace; /* columns of the trace */
	uint64_t needs; /* struct trc_header */
	uint64_t first, rows;
	uint64_t begin, end;  /* rows to return; the others need not be valid */
	uint64_t fingerprint; /* of all rows, according to the file */
	struct trc_refs_section refs;
	uint32_t have;           /* columns present in `column` */
	struct trc_batch column; /* always has `rows` rows; its `n` is not used */
	uint64_t *wide;          /* scratch space for the values of a column */
	size_t wide_cap;
};

void trc_sections_release(struct trc_sections *s);

/* Turns the bytes after `start` into a section, whose kind is the byte at `start`, for writing. */
int trc_section_end(struct trc_buf *b, size_t start, struct trc_err *err) TRC_MUST_USE;

/* Unpacks the columns of a block. */
int trc_sections_read(struct trc_sections *s, const struct trc_packed_block *from,
                      struct trc_err *err) TRC_MUST_USE;

#endif
