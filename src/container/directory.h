/* SPDX-License-Identifier: MIT
 *
 * The directory of a file: where its containers and their blocks are, from the indexes of all; and
 * which blocks need not be read for the rows that are selected.
 */
#ifndef TRC_CONTAINER_DIRECTORY_H
#define TRC_CONTAINER_DIRECTORY_H

#include "base/io/in.h"
#include "container/index.h"

/* One container of a file (a member, as of gzip). */
struct trc_joined {
	uint64_t start, index, end; /* offsets in the file: its own, of its index and end frames */
	uint64_t first;             /* row of the trace */
	size_t block_rows;
};

/* A central directory, as archives have it at their end: the index of a file, which may be
 * containers joined. Zeroed memory is none; release frees. */
struct trc_directory {
	struct trc_index index; /* its parts are those of `parts` */
	struct trc_parts parts;
	struct trc_joined *joined;
	size_t n, cap;
	struct trc_provenances provenances;
	struct trc_buf copied; /* frames before the indexes, for the meta of the index */
};

void trc_directory_release(struct trc_directory *f);

/* Reads the indexes of all containers, beginning at the end of the file; the window stays where it
 * is. *found is false if they do not lead, all in order, in frames of at most `most` bytes and for
 * traces of the columns `have`, to the start of the file: then the file has to be read through.
 * Fails only without memory. */
int trc_directory_read(struct trc_directory *f, struct trc_in *in, uint32_t have, size_t most,
                       bool *found, struct trc_err *err) TRC_MUST_USE;

/* Predicates pushed down to the blocks: a range of rows, and one of times, which is compared with
 * the lowest and highest of each block (a zone map). Rows that are not selected may be left out. */
struct trc_selection {
	bool some;                      /* not all are */
	bool timed;                     /* the trace has times */
	uint64_t from, to;              /* rows before the one and from the other on are not */
	uint64_t time_first, time_last; /* blocks with no time in between are not */
};

/* True if one of the `rows` rows from `first` on may be selected; `part` is their block in the
 * index, or NULL. */
bool trc_selection_meets(const struct trc_selection *s, uint64_t first, uint64_t rows,
                         const struct trc_part *part);

/* Where to go on reading from part `here`, which comes next: at the last part, up to the next one
 * that is selected, that needs nothing before it (a keyframe), or behind all; `here` if there is
 * nothing to skip. */
size_t trc_selection_seek(const struct trc_selection *s, const struct trc_parts *parts,
                          size_t here);

#endif
