/* SPDX-License-Identifier: MIT
 *
 * The references of a block: the columns type, addr, size and pc of its rows. They are stored in
 * one frame per context, which is a task or, if the trace has no tasks, an address space.
 */
#ifndef TRC_CONTAINER_BLOCK_REFS_H
#define TRC_CONTAINER_BLOCK_REFS_H

#include "batch/batch.h"
#include "container/container.h"
#include "container/packed_block.h"

/* The references of one context of a block, or of all its rows. */
struct trc_refs_context {
	uint32_t key; /* the task or space */
	uint64_t rows;
	size_t at; /* the next row in `gathered` to be copied out */
};

/* The references of a block, merged from the contexts by which they are partitioned. A single
 * context is read row by row as rows are wanted; several contexts are read one after another into
 * `gathered`, because a reader for each would need the memory of a program each. */
struct trc_block_refs {
	struct trc_refs_context context[TRC_CONTEXTS_MOST];
	size_t contexts;
	uint64_t first, rows; /* of the block, according to its first R frame */
	struct trc_refs_reader *reader;
	struct trc_batch gathered; /* rows of several contexts; also the columns that ops explain */
	uint32_t by_op;            /* the columns that ops explain */
	const uint32_t *key;       /* key of each row; NULL if there is one context */
};

/* The section by which a block refers to its references. */
struct trc_refs_section {
	bool present, pcs; /* pcs: the references include pc */
	uint32_t by_op;    /* columns that ops explain */
	uint64_t keys;     /* number of contexts, with the key of each */
	uint32_t key[TRC_CONTEXTS_MOST];
};

void trc_block_refs_release(struct trc_block_refs *r);

/* Drops all references and prepares for the block that begins with row `first`. */
void trc_block_refs_clear(struct trc_block_refs *r, uint64_t first);

/* Reads the path of one more context, that of frame `f`, through the program. */
int trc_block_refs_follow(struct trc_block_refs *r, const struct trc_program_version *v,
                          const struct trc_packed_block *from, const struct trc_block_frame *f,
                          struct trc_err *err) TRC_MUST_USE;

/* Begins reading the references of that context, once all its streams are unpacked, and adds the
 * context to those of the block. */
int trc_block_refs_begin(struct trc_block_refs *r, const struct trc_packed_block *from,
                         struct trc_err *err) TRC_MUST_USE;

/* Unpacks frame `f` of a block that is not single, then follows its path and begins its
 * references. */
int trc_block_refs_add(struct trc_block_refs *r, const struct trc_program_version *v,
                       struct trc_packed_block *from, const struct trc_block_frame *f,
                       struct trc_err *err) TRC_MUST_USE;

/* Fails unless the contexts together form the block that begins with row `first` and has `n` rows,
 * whose other columns are `rows`. */
int trc_block_refs_check(struct trc_block_refs *r, const struct trc_refs_section *s, uint64_t first,
                         const struct trc_batch *rows, uint64_t n,
                         struct trc_err *err) TRC_MUST_USE;

/* Writes the references of up to `n` rows, the first being row `row` of the block, after the last
 * row of `to`. Returns the number of rows; the caller adds it to to->n. */
size_t trc_block_refs_take(struct trc_block_refs *r, uint64_t row, bool pcs, struct trc_batch *to,
                           size_t n);

/* Skips the references of the first `n` rows. */
void trc_block_refs_skip(struct trc_block_refs *r, uint64_t n);

/* ---- writing ---- */

/* The rows of one task or space. */
struct trc_context {
	uint32_t key;
	size_t n;
	size_t at; /* first row in `sorted` */
};

/* The rows of a block partitioned by key. A zeroed struct is empty. */
struct trc_contexts {
	struct trc_context context[TRC_CONTEXTS_MOST];
	size_t n;
	struct trc_batch sorted; /* the references by context, if there are several contexts */
};

void trc_contexts_release(struct trc_contexts *c);

/* Counts the rows of each context. Uses one context for all rows if the rows have no keys, too many
 * keys, or one key in nearly every row. */
void trc_contexts_find(struct trc_contexts *c, const struct trc_batch *rows);

/* Sorts the references by context into `sorted`; `have` gives the columns of the trace. */
int trc_contexts_sort(struct trc_contexts *c, const struct trc_batch *rows, uint32_t have,
                      struct trc_err *err) TRC_MUST_USE;

#endif
