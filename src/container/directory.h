/* SPDX-License-Identifier: MIT
 *
 * The directory of a file, built from the indexes of all its containers: where containers and their
 * blocks are, and which blocks can be skipped because none of their rows is selected.
 */
#ifndef TRC_CONTAINER_DIRECTORY_H
#define TRC_CONTAINER_DIRECTORY_H

#include "base/io/in.h"
#include "container/index.h"

/* One container of a file, like a member of a gzip file. */
struct trc_joined {
	uint64_t start, index, end; /* offsets in the file: of the container, its index frame, its
	                             * end frame */
	uint64_t first;             /* its first row, counted in the whole trace */
	size_t block_rows;
};

/* A central directory like that at the end of an archive: the index of a whole file, which may
 * consist of joined containers. A zeroed struct is empty; release frees. */
struct trc_directory {
	struct trc_index index; /* its array of parts belongs to `parts` */
	struct trc_parts parts;
	struct trc_joined *joined;
	size_t n, cap;
	struct trc_provenances provenances;
	struct trc_buf copied; /* copied frames that precede the indexes, for index.meta */
};

void trc_directory_release(struct trc_directory *f);

/* Reads the indexes of all containers, starting from the end of the file; the window of `in` does
 * not move. Sets *found to false unless they lead to the start of the file, in order, with frames
 * of at most `most` bytes and the columns `have`; the file must then be read sequentially. Fails
 * only if out of memory. */
int trc_directory_read(struct trc_directory *f, struct trc_in *in, uint32_t have, size_t most,
                       bool *found, struct trc_err *err) TRC_MUST_USE;

/* Predicates that are pushed down to blocks: a range of rows and a range of times, which is
 * compared with the lowest and highest time of each block (a zone map). The reader may leave out
 * rows that are not selected, but need not. */
struct trc_selection {
	bool some;                      /* not all rows are selected */
	bool timed;                     /* the trace has times */
	uint64_t from, to;              /* the rows [from, to) are selected */
	uint64_t time_first, time_last; /* blocks without a time in this range are not selected */
};

/* Returns true if one of the `rows` rows from `first` on may be selected; `part` is their block in
 * the index, or NULL. */
bool trc_selection_meets(const struct trc_selection *s, uint64_t first, uint64_t rows,
                         const struct trc_part *part);

/* Returns the part at which to continue reading if part `here` comes next: the last one, up to the
 * next selected part, that depends on nothing before it (a keyframe), or parts->n if no more are
 * selected. Returns `here` if nothing can be skipped. */
size_t trc_selection_seek(const struct trc_selection *s, const struct trc_parts *parts,
                          size_t here);

#endif
