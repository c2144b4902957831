/* SPDX-License-Identifier: MIT
 *
 * What the tests of containers share: writing and reading them, what came of it, and their frames.
 * Bytes that are returned are the caller's to free.
 */
#ifndef TRC_TEST_UNIT_CONTAINER_FIXTURE_H
#define TRC_TEST_UNIT_CONTAINER_FIXTURE_H

#include <string.h>

#include "batch/index.h"
#include "container/container.h"
#include "container/index.h"
#include "generate.h"
#include "test.h"

enum { CRATE_GAPS = 64, CRATE_FRAMES = 4096, CRATE_SUBSETS = 10 };

/* `rows` as a container, in batches of `cut`; or of blocks of `block` rows, by one thread. */
struct make_bytes crate_write(const struct trc_batch *rows, struct trc_container_to to, size_t cut);
struct make_bytes crate_blocks(const struct trc_batch *rows, size_t block);

/* What came of reading a container. */
struct crate_got {
	int ret;
	struct trc_err err;
	struct trc_batch rows;
	struct trc_meta meta;
	struct trc_gap gap[CRATE_GAPS];
	size_t gaps;
};

void crate_forget(struct crate_got *g);

/* Opens a container; "pipe:ARGUMENTS" one that can only be read from front to back. */
struct trc_source *crate_open(const struct make_bytes *bytes, const char *how, struct trc_err *err);

/* Reads the rows of a source, and closes it, into room for `most`; more than that are a failure of
 * the test. */
void crate_read_source(struct trc_source *src, size_t cut, size_t most, struct crate_got *g);

/* Opens a container and reads its rows, all of them or from `skip` on. */
void crate_read(const struct make_bytes *bytes, const char *how, size_t most, struct crate_got *g);
void crate_read_from(const struct make_bytes *bytes, const char *how, size_t cut, uint64_t skip,
                     size_t most, struct crate_got *g);

/* Counts what a container holds, which does not mind the order of rows: several threads do. */
int crate_count(const struct make_bytes *bytes, const char *how, struct trc_counts *counts,
                struct trc_err *err);

/* Rows [from, from + n) of `rows`, for looking at. */
struct trc_batch crate_slice(const struct trc_batch *rows, size_t from, size_t n);

/* Ends the test unless `bytes` hold exactly `rows`. */
void crate_holds(const struct make_bytes *bytes, const char *how, const struct trc_batch *rows);

/* True if what came are `rows` without the gaps, and the gaps are in order. Of columns, only those
 * that were read count. */
bool crate_all_but_gaps(const struct crate_got *g, const struct trc_batch *rows, char *say,
                        size_t room);

/* Ends the test unless a salvage lacks exactly the gaps, if frame `nth` of `kind` is damaged. */
void crate_salvage(const struct make_bytes *bytes, const struct trc_batch *rows, uint8_t kind,
                   size_t nth, const struct trc_gap *gap, size_t gaps);

/* All frames, in an array of CRATE_FRAMES; returns how many. The `nth` of a kind, from 0. */
size_t crate_frames(const struct make_bytes *bytes, struct trc_frame *f);
struct trc_frame crate_frame(const struct make_bytes *bytes, uint8_t kind, size_t nth);

struct make_bytes crate_copy(const struct make_bytes *bytes);
struct make_bytes crate_join(const struct make_bytes *a, const struct make_bytes *b);

/* `bytes` without [from, from + n). */
struct make_bytes crate_without(const struct make_bytes *bytes, size_t from, size_t n);

/* Makes the checks of a frame right again. */
void crate_mend(struct make_bytes *bytes, const struct trc_frame *f);

/* Puts a frame, of the kind and number of `f` and with this payload, in its place. */
void crate_put(struct make_bytes *bytes, struct trc_frame *f, const uint8_t *payload, size_t len);

/* Gives a frame another number; makes an end lead elsewhere. */
void crate_number(struct make_bytes *bytes, struct trc_frame *f, uint64_t number);
void crate_end(struct make_bytes *bytes, struct trc_frame *f, struct trc_end end);

/* Columns that a trace may have; and calls `check` with rows of several programs in each. */
extern const uint32_t crate_subset[CRATE_SUBSETS];
void crate_each_program(void (*check)(const struct trc_batch *rows));

/* Three blocks of two tasks, small enough to try each bit. */
struct make_bytes crate_small(struct trc_batch *rows);

/* Pages that loop, with other ways through now and then: a column that goes on from block to
 * block. */
void crate_pages(struct trc_batch *rows, size_t n);

#endif
