/* SPDX-License-Identifier: MIT
 *
 * Reads the selected frames of a file in order and groups them into packed blocks. It may run at
 * the same time as the caller of the source (read.c), who must not touch the struct trc_frames
 * meanwhile.
 */
#ifndef TRC_CONTAINER_FRAMES_H
#define TRC_CONTAINER_FRAMES_H

#include "container/directory.h"
#include "container/packed_block.h"
#include "container/sequence.h"

enum { TRC_IN_FLIGHT_MOST = 4 }; /* blocks unpacked at a time, memory permitting */

/* A demultiplexer like those of multimedia containers: it finds frames, seeks with the directory,
 * resynchronises after damage, and returns the frames block by block. */
struct trc_frames {
	struct trc_in *in;
	struct trc_read_settings set;
	struct trc_selection selection;
	struct trc_sequence sequence;

	/* Empty unless the file can be read from its end and the indexes lead to its start. */
	struct trc_directory directory;
	size_t part, joined; /* next block in the directory, and the index of its container in
	                      * directory.joined */

	bool was_repaired;               /* repair was tried */
	uint64_t repaired;               /* number of repaired sectors */
	const struct trc_patched *whole; /* the repaired file, which is read instead and maps
	                                  * offsets to those of the original */
	bool cut; /* the file begins or ends within a container, but all rows of that are present.
	           * Others may have been joined to it, so this is an error except in a salvage */
	struct trc_frame kept; /* found in the search for the header; valid if has_kept */
	bool has_kept;
	uint64_t vain; /* bytes that a salvage has spent on invalid frames */
	bool grown;    /* the last frame was a part of the program */
};

/* Reads the header of the first container. The caller has set `in`, and in `set` salvage, threads
 * and the memory limit. */
int trc_frames_begin(struct trc_frames *c, struct trc_err *err) TRC_MUST_USE;
void trc_frames_release(struct trc_frames *c);

/* Reads the directory, unless it was read before. */
int trc_frames_index(struct trc_frames *c, struct trc_err *err) TRC_MUST_USE;

/* Reads up to the end of the next selected block. */
enum trc_flow trc_frames_next(struct trc_frames *c, struct trc_packed_block *b,
                              struct trc_err *err);

/* In a salvage, records that block `b` is intact. A block for which this is not called becomes a
 * gap. */
int trc_frames_good(struct trc_frames *c, const struct trc_packed_block *b,
                    struct trc_err *err) TRC_MUST_USE;

#endif
