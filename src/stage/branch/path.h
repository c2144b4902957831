/* SPDX-License-Identifier: MIT
 *
 * Instructions that branch, by the path alone: one is a branch from when its task first went
 * elsewhere than behind it; one that is never taken is not seen. On machines whose calls store
 * where they return to, the data behind a branch shows calls and returns: a return loads from where
 * the call stored, and leads behind it. Zeroed memory may be released.
 */
#ifndef TRC_STAGE_BRANCH_PATH_H
#define TRC_STAGE_BRANCH_PATH_H

#include "base/map.h"
#include "batch/batch.h"

/* Whether a task goes on where it was behind an event: behind others, as a signal, it may not. */
bool trc_path_goes_on(const char *event);

/* What is known of an instruction so far. */
struct trc_path_insn {
	uint64_t target;  /* of the first time that it was taken */
	uint64_t passed;  /* times that it was not */
	bool taken, many; /* it was; and to other targets */
	bool calls, returns;
};

/* Where a branch stored: of a call that did not return yet, maybe. */
struct trc_path_call {
	uint64_t next; /* the address behind it */
	uint32_t insn; /* its place */
};

/* All of them. */
struct trc_path {
	struct trc_path_insn *insn;
	size_t n, cap;
	struct trc_map at; /* space, address -> place of `insn` */
	struct trc_path_call *call;
	size_t calls, calls_cap;
	struct trc_map stored; /* space, address -> place of `call` */
	uint64_t early; /* times that branches were passed before they were known to be any */
};

int trc_path_init(struct trc_path *p, struct trc_err *err) TRC_MUST_USE;
void trc_path_release(struct trc_path *p);

/* Finds column branch of row `i`, a fetch behind which its task fetched at *next; NULL: nobody
 * knows. What repeats itself, as string instructions of x86 do, does not branch. A kind is one that
 * the path has proved: of those that were both taken and passed, conditional; of returns, and calls
 * that returned; of others with several targets, indirect. Rows behind `i`, up to the next fetch of
 * its task, are its data. */
int trc_path_find(struct trc_path *p, const struct trc_batch *b, size_t i, const uint64_t *next,
                  uint8_t *branch, struct trc_err *err) TRC_MUST_USE;

#endif
