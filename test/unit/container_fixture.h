/* SPDX-License-Identifier: MIT
 *
 * What the tests of containers share: writing and reading them, what came of it, and their frames.
 * Bytes that are returned are the caller's to free.
 */
#ifndef TRC_TEST_UNIT_CONTAINER_FIXTURE_H
#define TRC_TEST_UNIT_CONTAINER_FIXTURE_H

#include <string.h>

#include "batch/index.h"
#include "container/frame/end.h"
#include "container/container.h"
#include "container/header.h"
#include "container/index.h"
#include "generate.h"
#include "test.h"

enum { CONTAINER_GAPS = 64, CONTAINER_FRAMES = 4096, CONTAINER_SUBSETS = 12 };

/* `rows` as a container, in batches of `cut`; with this meta; or of blocks of `block` rows, by one
 * thread. */
struct generate_bytes container_write(const struct trc_batch *rows, struct trc_container_to to,
                                      size_t cut);
struct generate_bytes container_write_meta(const struct trc_batch *rows, struct trc_container_to to,
                                           size_t cut, const struct trc_meta *meta);
struct generate_bytes container_blocks(const struct trc_batch *rows, size_t block);

/* What came of reading a container. */
struct container_got {
	int ret;
	struct trc_err err;
	struct trc_batch rows;
	struct trc_meta meta;
	struct trc_gap gap[CONTAINER_GAPS];
	size_t gaps;
};

void container_forget(struct container_got *g);

/* Opens a container; "pipe:ARGUMENTS" one that can only be read from front to back. */
struct trc_source *container_open(const struct generate_bytes *bytes, const char *how,
                                  struct trc_err *err);

/* Reads the rows of a source, and closes it, into room for `most`; more than that are a failure of
 * the test. */
void container_read_source(struct trc_source *src, size_t cut, size_t most,
                           struct container_got *g);

/* Opens a container and reads its rows, all of them or from `skip` on. */
void container_read(const struct generate_bytes *bytes, const char *how, size_t most,
                    struct container_got *g);
void container_read_from(const struct generate_bytes *bytes, const char *how, size_t cut,
                         uint64_t skip, size_t most, struct container_got *g);

/* Counts what a container holds. The order of rows does not matter, so several threads do. */
int container_count(const struct generate_bytes *bytes, const char *how, struct trc_counts *counts,
                    struct trc_err *err);

/* Rows [from, from + n) of `rows`, for looking at. */
struct trc_batch container_slice(const struct trc_batch *rows, size_t from, size_t n);

/* Ends the test unless `bytes` hold exactly `rows`. */
void container_holds(const struct generate_bytes *bytes, const char *how,
                     const struct trc_batch *rows);

/* True if what came are `rows` without the gaps, and the gaps are in order. Of columns, only those
 * that were read count. */
bool container_all_but_gaps(const struct container_got *g, const struct trc_batch *rows, char *why,
                            size_t room);

/* Ends the test unless a salvage lacks exactly the gaps, if frame `nth` of `kind` is damaged. */
void container_salvage(const struct generate_bytes *bytes, const struct trc_batch *rows,
                       uint8_t kind, size_t nth, const struct trc_gap *gap, size_t gaps);

/* All frames, in an array of CONTAINER_FRAMES; returns how many. The `nth` of a kind, from 0. */
size_t container_frames(const struct generate_bytes *bytes, struct trc_frame *f);
struct trc_frame container_frame(const struct generate_bytes *bytes, uint8_t kind, size_t nth);

struct generate_bytes container_copy(const struct generate_bytes *bytes);
struct generate_bytes container_join(const struct generate_bytes *a,
                                     const struct generate_bytes *b);

/* `bytes` without [from, from + n). */
struct generate_bytes container_without(const struct generate_bytes *bytes, size_t from, size_t n);

/* `bytes` with the `n` at `with` in place of `less` of those at `at`, or of all that are left. */
struct generate_bytes container_replace(const struct generate_bytes *bytes, size_t at, size_t less,
                                        const uint8_t *with, size_t n);

/* Ends the test unless damage, `what` at `place`, is repaired: all `rows` come. If the start or the
 * end of the file is gone, so may be others that were joined: then it may fail as `cut`. */
void container_is_repaired(const struct generate_bytes *bytes, const struct trc_batch *rows,
                           const char *what, size_t place, bool cut);

/* Tries each flipped bit of a container, and a flip in each of two that are joined. */
void container_flips_are_repaired(const struct generate_bytes *bytes, const struct trc_batch *rows);
void container_joined_are_repaired(const struct generate_bytes *one, const struct trc_batch *rows);

/* Makes the checks of a frame right again. */
void container_mend(struct generate_bytes *bytes, const struct trc_frame *f);

/* Puts a frame, of the kind and number of `f` and with this payload, in its place. */
void container_put(struct generate_bytes *bytes, struct trc_frame *f, const uint8_t *payload,
                   size_t len);

/* Gives a frame another number; makes the end of the only container lead to an index elsewhere. */
void container_number(struct generate_bytes *bytes, struct trc_frame *f, uint64_t number);
void container_end(struct generate_bytes *bytes, struct trc_frame *f, uint64_t index);

/* Columns that a trace may have; and calls `check` with rows of several programs in each. */
extern const uint32_t container_subset[CONTAINER_SUBSETS];
void container_each_program(void (*check)(const struct trc_batch *rows));

/* Three blocks of two tasks, small enough to try each bit. */
struct generate_bytes container_small(struct trc_batch *rows);

/* Pages that loop, with other ways through now and then: a column that goes on from block to
 * block. */
void container_pages(struct trc_batch *rows, size_t n);

#endif
