/* SPDX-License-Identifier: MIT
 *
 * The sections of a block: its columns that are no references, its fingerprint, and how it refers
 * to its references. Whatever a section claims is checked before it is believed.
 */
#ifndef TRC_CONTAINER_SECTIONS_H
#define TRC_CONTAINER_SECTIONS_H

#include "container/block_refs.h"

/* The column chunks of a row group, laid out column by column. */
struct trc_sections {
	uint32_t trace; /* its columns */
	uint64_t needs; /* struct trc_header */
	uint64_t first, rows;
	uint64_t begin, end;  /* rows that come out; the others need not be right */
	uint64_t fingerprint; /* of all rows, as the file has it */
	struct trc_refs_section refs;
	uint32_t have;           /* columns that are in `column` */
	struct trc_batch column; /* it has `rows` rows, whatever its `n` is */
	uint64_t *wide;          /* for a column as numbers */
	size_t wide_cap;
};

void trc_sections_release(struct trc_sections *s);

/* Writing: makes the bytes behind `start` a section, the kind of which is the byte there. */
int trc_section_end(struct trc_buf *b, size_t start, struct trc_err *err) TRC_MUST_USE;

/* Unpacks the columns of a block. */
int trc_sections_read(struct trc_sections *s, const struct trc_packed_block *from,
                      struct trc_err *err) TRC_MUST_USE;

#endif
