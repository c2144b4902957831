/* SPDX-License-Identifier: MIT
 *
 * Writes parts while their trace is read, each to its own sink. This is for a trace that is being
 * recorded, so that writing keeps up with the program. A sink holds a block in memory, so this is
 * done for a few parts only; rows of others are partitioned by a spill (stage/partition.h).
 */
#ifndef TRC_CMD_SPLIT_DIRECT_H
#define TRC_CMD_SPLIT_DIRECT_H

#include "cmd/names/folder.h"
#include "cmd/split/split.h"

struct trc_split_direct;

/* The settings of all parts; all of them must outlive the parts. */
struct trc_split_each {
	const struct trc_split *split;
	const struct trc_format *format;
	const struct trc_folder *folder;
	const struct trc_job *job; /* the trace */
	trc_split_fit fit;
};

/* Returns false if options filter or change the rows of parts. */
bool trc_split_direct_can(const struct trc_split_each *each);

struct trc_split_direct *trc_split_direct_open(const struct trc_split_each *each,
                                               struct trc_err *err);
void trc_split_direct_close(struct trc_split_direct *d);

/* Adds rows [from, from + n) to part `key`; sets *taken to false if the part belongs to the
 * spill. */
int trc_split_direct_put(struct trc_split_direct *d, uint64_t key, const struct trc_batch *b,
                         size_t from, size_t n, bool *taken, struct trc_err *err) TRC_MUST_USE;

/* Completes part `i` as file `name` in the folder. */
int trc_split_direct_finish(struct trc_split_direct *d, size_t i, const char *name,
                            const struct trc_meta *meta, struct trc_err *err) TRC_MUST_USE;

/* Return the number of parts, and the key of part `i`. */
size_t trc_split_direct_parts(const struct trc_split_direct *d);
uint64_t trc_split_direct_key(const struct trc_split_direct *d, size_t i);

#endif
