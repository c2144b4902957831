/* SPDX-License-Identifier: MIT
 *
 * Counts the misses of LRU memories of several sizes on demand: for a part of a trace alone, or
 * warmed up by the rows before it. References and misses are defined as for a miss curve
 * (stage/simulate/mrc.h): a modify is a load and a store; a reference that crosses lines touches
 * each of them but counts once; first references miss, and so do first references after a delete.
 */
#ifndef TRC_STAGE_PHASE_MISSES_H
#define TRC_STAGE_PHASE_MISSES_H

#include "batch/batch.h"
#include "stage/simulate/pages.h"
#include "stage/simulate/policy/holes.h"
#include "stage/simulate/stack.h"

enum { TRC_MISSES_SIZES = 16, TRC_MISSES_RUN = 1024 };

/* The counts. */
struct trc_misses_count {
	uint64_t refs, insns;
	uint64_t touches; /* of lines; misses count these */
	uint64_t misses[TRC_MISSES_SIZES];
};

struct trc_misses {
	struct trc_misses_count count; /* the caller may zero it at any time */

	/* Private. */
	unsigned bits;
	uint64_t size[TRC_MISSES_SIZES];
	size_t sizes;
	struct trc_pages lines;
	struct trc_stack stack;
	struct trc_holes holes;
	uint64_t line[TRC_MISSES_RUN];
	uint32_t space[TRC_MISSES_RUN];
	size_t n; /* number of waiting lines */
};

/* Initialises memories of size[0 .. n) lines of 2^bits bytes; n is at most TRC_MISSES_SIZES. Must
 * be released even if it failed. */
int trc_misses_init(struct trc_misses *m, unsigned bits, const uint64_t *size, size_t n,
                    struct trc_err *err) TRC_MUST_USE;
void trc_misses_release(struct trc_misses *m);

/* Counts rows [from, to) of a batch with types and addresses. */
int trc_misses_put(struct trc_misses *m, const struct trc_batch *b, size_t from, size_t to,
                   struct trc_err *err) TRC_MUST_USE;

/* Counts the waiting lines, so that `count` is complete. */
int trc_misses_settle(struct trc_misses *m, struct trc_err *err) TRC_MUST_USE;

#endif
