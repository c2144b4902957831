/* SPDX-License-Identifier: MIT
 *
 * The keys by which references are counted: pages, lines, instructions, tasks, spaces or types,
 * numbered in order of appearance. A zeroed struct can be released.
 */
#ifndef TRC_STAGE_PROFILE_KEYS_H
#define TRC_STAGE_PROFILE_KEYS_H

#include "base/map.h"
#include "batch/flow.h"
#include "stage/last_fetch.h"

enum trc_hot_by {
	TRC_HOT_PAGE, /* or a line: 2^bits bytes of a space */
	TRC_HOT_PC,   /* an instruction, from column pc or else from the fetch before a reference */
	TRC_HOT_TASK,
	TRC_HOT_SPACE,
	TRC_HOT_TYPE,
};

/* A key. In a part of a trace, the instruction of references before the first fetch of their task
 * is open: it is the last fetch before the part. */
struct trc_key {
	uint32_t space; /* of a page or an instruction */
	uint64_t key;   /* page, address of the instruction, ...; for an open key, the task */
	bool open;
};

/* All keys, by number. */
struct trc_keys {
	struct trc_key *key;
	size_t n, cap;
	bool part; /* set by the caller: rows are from a part of a trace */

	/* Private. */
	size_t recent; /* number of the key found last */
	enum trc_hot_by by;
	unsigned bits;
	struct trc_map map;  /* space and key -> number */
	struct trc_map open; /* the same for open keys */
	struct trc_last_fetch pcs;
};

/* Initialises keys for a trace with the columns `have`; a trace of pages is counted by its own
 * pages, whatever `bits`. Fails if the trace lacks what is counted by. Must be released even if it
 * failed. */
int trc_keys_init(struct trc_keys *k, uint32_t have, enum trc_hot_by by, unsigned bits,
                  struct trc_err *err) TRC_MUST_USE;
void trc_keys_release(void *k);

/* Finds the number of a key, adding the key if necessary; a new one has the number k->n - 1. */
int trc_keys_find(struct trc_keys *k, struct trc_key key, size_t *number,
                  struct trc_err *err) TRC_MUST_USE;

/* Reads or writes all keys, in order of their numbers. When reading, *number is an array, to be
 * freed in any case, with the numbers here of the *n keys read; open keys are resolved if
 * possible. */
void trc_keys_state(struct trc_keys *k, struct trc_state *s, uint32_t **number, size_t *n);

/* Ends a trace whose parts are complete: keys that are still open precede any fetch and become
 * instruction 0. Returns 1 if that existed already; the caller must then add key *gone to key *to
 * and call again. Returns 0 if there are no more. */
int trc_keys_end(struct trc_keys *k, size_t *gone, size_t *to, struct trc_err *err) TRC_MUST_USE;

/* Finds the number of the key of row `i`, which is a reference of `type`; a new one has the number
 * k->n - 1. */
int trc_keys_number(struct trc_keys *k, const struct trc_batch *b, size_t i, uint8_t type,
                    size_t *number, struct trc_err *err) TRC_MUST_USE;

#endif
