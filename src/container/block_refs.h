/* SPDX-License-Identifier: MIT
 *
 * The references of a block: type, addr, size and pc of its rows, from the frames that hold them by
 * context, which is a task or, if the trace has no tasks, a space.
 */
#ifndef TRC_CONTAINER_BLOCK_REFS_H
#define TRC_CONTAINER_BLOCK_REFS_H

#include "batch/batch.h"
#include "container/container.h"
#include "container/packed_block.h"

/* The references of one context of a block, or of all of it. */
struct trc_refs_context {
	uint32_t key; /* the task or space */
	uint64_t rows;
	size_t at; /* in `gathered`, of the next that comes out */
};

/* Rows partitioned by key, put back into one order: those of a single context come out of the
 * reader; several are read one after the other and gathered: a reader for each would take the
 * memory of a program each. */
struct trc_block_refs {
	struct trc_refs_context context[TRC_CONTEXTS_MOST];
	size_t contexts;
	uint64_t first, rows; /* of the block, as its first R frame has them */
	struct trc_refs_reader *reader;
	struct trc_batch gathered; /* and the columns that ops explain, of any */
	uint32_t by_op;            /* which these are */
	const uint32_t *key;       /* of each row, if there are several contexts */
};

/* The section by which a block refers to its references. */
struct trc_refs_section {
	bool present, pcs; /* pcs, too */
	uint32_t by_op;    /* columns that ops explain */
	uint64_t keys;     /* contexts, and the key of each */
	uint32_t key[TRC_CONTEXTS_MOST];
};

void trc_block_refs_release(struct trc_block_refs *r);

/* Drops all references, before those of the block that begins with row `first`. */
void trc_block_refs_clear(struct trc_block_refs *r, uint64_t first);

/* Follows the path through the program of one more context, that of frame `f`. */
int trc_block_refs_follow(struct trc_block_refs *r, const struct trc_program_version *v,
                          const struct trc_packed_block *from, const struct trc_block_frame *f,
                          struct trc_err *err) TRC_MUST_USE;

/* Then, when all its streams are unpacked, begins its references, and counts it as good. */
int trc_block_refs_begin(struct trc_block_refs *r, const struct trc_packed_block *from,
                         struct trc_err *err) TRC_MUST_USE;

/* Follow and begin in one, for frame `f` of a block that is not single. */
int trc_block_refs_add(struct trc_block_refs *r, const struct trc_program_version *v,
                       struct trc_packed_block *from, const struct trc_block_frame *f,
                       struct trc_err *err) TRC_MUST_USE;

/* Makes sure that the contexts make up the block that begins with row `first` and has the other
 * columns `rows`, of which there are `n`. */
int trc_block_refs_check(struct trc_block_refs *r, const struct trc_refs_section *s, uint64_t first,
                         const struct trc_batch *rows, uint64_t n,
                         struct trc_err *err) TRC_MUST_USE;

/* Puts references of up to `n` rows behind those of `to`, the first being row `row` of the block;
 * returns how many. */
size_t trc_block_refs_take(struct trc_block_refs *r, uint64_t row, bool pcs, struct trc_batch *to,
                           size_t n);

/* Leaves out the references of the first `n` rows. */
void trc_block_refs_skip(struct trc_block_refs *r, uint64_t n);

/* ---- writing ---- */

/* The rows of one task or space. */
struct trc_context {
	uint32_t key;
	size_t n;
	size_t at; /* where they are gathered */
};

/* Rows partitioned by key. Zeroed memory is none. */
struct trc_contexts {
	struct trc_context context[TRC_CONTEXTS_MOST];
	size_t n;
	struct trc_batch sorted; /* the references by context, if there are several */
};

void trc_contexts_release(struct trc_contexts *c);

/* Counts the rows of each context. One context stands for all rows where there are none, too many,
 * or hardly any rows outside of one. */
void trc_contexts_find(struct trc_contexts *c, const struct trc_batch *rows);

/* Gathers the references of several contexts; `have` are the columns of the trace. */
int trc_contexts_sort(struct trc_contexts *c, const struct trc_batch *rows, uint32_t have,
                      struct trc_err *err) TRC_MUST_USE;

#endif
