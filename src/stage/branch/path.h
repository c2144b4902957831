/* SPDX-License-Identifier: MIT
 *
 * Recognises branches by the path only. An instruction is a branch from the first time its task
 * went elsewhere than to the next address; one that is never taken is not recognised. On machines
 * whose calls store the return address, the data after a branch shows calls and returns: a return
 * loads from where the call stored, and leads to the address after the call. A zeroed struct may be
 * released.
 */
#ifndef TRC_STAGE_BRANCH_PATH_H
#define TRC_STAGE_BRANCH_PATH_H

#include "base/map.h"
#include "batch/batch.h"

/* Returns true if a task continues where it was after an event; after others, such as a signal, it
 * may not. */
bool trc_path_goes_on(const char *event);

/* The knowledge about an instruction so far. */
struct trc_path_insn {
	uint64_t target;  /* when it was first taken */
	uint64_t passed;  /* number of times that it was not taken */
	bool taken, many; /* it was taken; also to other targets */
	bool calls, returns;
};

/* A store by a branch that may be a call that did not return yet. */
struct trc_path_call {
	uint64_t next; /* address after the call */
	uint32_t insn; /* its index */
};

/* All instructions and calls. */
struct trc_branch_path {
	struct trc_path_insn *insn;
	size_t n, cap;
	struct trc_map at; /* space, address -> index in `insn` */
	struct trc_path_call *call;
	size_t calls, calls_cap;
	struct trc_map stored; /* space, address -> index in `call` */

	/* Number of times that branches were not taken before they were recognised. */
	uint64_t early;
};

int trc_path_init(struct trc_branch_path *p, struct trc_err *err) TRC_MUST_USE;
void trc_path_release(struct trc_branch_path *p);

/* Determines column branch of row `i`, a fetch after which its task fetched at *next; NULL:
 * unknown. An instruction that repeats itself, such as string instructions of x86, is not a branch.
 * The kind is one that the path has proved: conditional for instructions that were both taken and
 * not taken; return, and call for calls that returned; indirect for others with several targets.
 * The rows after `i`, up to the next fetch of its task, are its data. */
int trc_path_find(struct trc_branch_path *p, const struct trc_batch *b, size_t i,
                  const uint64_t *next, uint8_t *branch, struct trc_err *err) TRC_MUST_USE;

#endif
