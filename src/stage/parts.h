/* SPDX-License-Identifier: MIT
 *
 * A trace worked on in parts, side by side: rows are read a part at a time, in order, by whichever
 * thread has nothing else to do, which then works on it; what came of the parts is taken in order.
 * So what comes out does not depend on the number of threads, as long as what is made of parts does
 * not depend on where they end.
 */
#ifndef TRC_STAGE_PARTS_H
#define TRC_STAGE_PARTS_H

#include "batch/flow.h"

/* A part: its rows, in batches that are the part's, and what came of it. */
struct trc_part {
	uint64_t number; /* from 0 */
	struct trc_batch *batch;
	size_t batches; /* with rows; there may be more, for parts to come */
	size_t room;
	struct trc_meta meta; /* of the source, when the part was read */
	void *result;         /* of the work; taken over by who takes the part */
};

/* Works on a part, on any thread. */
typedef int trc_part_fn(void *arg, struct trc_part *part, struct trc_err *err);

struct trc_parts;

/* Begins to read `from`, which must outlive it and is not to be touched until it is closed, in
 * parts of so many batches. `forget` frees a result that nobody took. */
struct trc_parts *trc_parts_open(struct trc_source *from, size_t batches, int threads,
                                 trc_part_fn *work, void (*forget)(void *result), void *arg,
                                 struct trc_err *err) TRC_MUST_USE;

/* The next part, which is valid until the next call; *part = NULL at the end. Fails as reading it
 * or working on it did, when all before it were taken. */
int trc_parts_next(struct trc_parts *p, struct trc_part **part, struct trc_err *err) TRC_MUST_USE;

/* Waits for what runs. */
void trc_parts_close(struct trc_parts *p);

/* A source of the rows of a part, which must outlive it; it takes them out. */
struct trc_source *trc_part_source(struct trc_part *part, uint32_t have,
                                   struct trc_err *err) TRC_MUST_USE;

#endif
