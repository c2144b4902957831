/* SPDX-License-Identifier: MIT
 *
 * What references are counted by: pages, lines, instructions, tasks, spaces or types, numbered as
 * they come. Zeroed memory may be released.
 */
#ifndef TRC_STAGE_PROFILE_KEYS_H
#define TRC_STAGE_PROFILE_KEYS_H

#include "base/map.h"
#include "batch/flow.h"
#include "stage/last_fetch.h"

enum trc_hot_by {
	TRC_HOT_PAGE, /* or line: 2^bits bytes of a space */
	TRC_HOT_PC,   /* an instruction: by column pc, else by the fetch before a reference */
	TRC_HOT_TASK,
	TRC_HOT_SPACE,
	TRC_HOT_TYPE,
};

/* One of them. In a part of a trace, the instruction of references in front of the first fetch of
 * their task is open: it is what was fetched last in front of the part. */
struct trc_key {
	uint32_t space; /* of a page or an instruction */
	uint64_t key;   /* page, address of the instruction, ...; if it is open, the task */
	bool open;
};

/* All of them by number. */
struct trc_keys {
	struct trc_key *key;
	size_t n, cap;
	bool part; /* set by who gives rows: they are of a part of a trace */

	/* Private. */
	size_t recent; /* the last that was found */
	enum trc_hot_by by;
	unsigned bits;
	struct trc_map map;  /* space and key -> number */
	struct trc_map open; /* the same of open keys */
	struct trc_last_fetch pcs;
};

/* For a trace of the columns `have`; pages have their own number, whatever `bits`. Fails if the
 * trace lacks what is counted by. Release what init left, also when it failed. */
int trc_keys_init(struct trc_keys *k, uint32_t have, enum trc_hot_by by, unsigned bits,
                  struct trc_err *err) TRC_MUST_USE;
void trc_keys_release(void *k);

/* The number of a key; a new one is k->n - 1. */
int trc_keys_find(struct trc_keys *k, struct trc_key key, size_t *number,
                  struct trc_err *err) TRC_MUST_USE;

/* All keys, in order of their numbers. Of a state that is read, *number, to be freed in any case,
 * has the number here of each of its *n keys, what is known here of those that are open. */
void trc_keys_state(struct trc_keys *k, struct trc_state *s, uint32_t **number, size_t *n);

/* Nothing was in front of the parts: what is open was before any fetch, which is instruction 0. If
 * that is there already, one key *gone has to be added to that, *to; 1: so it is, and there may be
 * more; 0: there are no more. */
int trc_keys_end(struct trc_keys *k, size_t *gone, size_t *to, struct trc_err *err) TRC_MUST_USE;

/* The number of the key of row `i`, which is a reference of `type`; a new one is k->n - 1. */
int trc_keys_number(struct trc_keys *k, const struct trc_batch *b, size_t i, uint8_t type,
                    size_t *number, struct trc_err *err) TRC_MUST_USE;

#endif
