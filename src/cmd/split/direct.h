/* SPDX-License-Identifier: MIT
 *
 * Parts that are written while their trace comes, each by a sink of its own: for a trace that is
 * recorded, whose program runs beside. A sink keeps a block in memory, so only a few parts are; all
 * others are dealt to a spill (stage/deal.h).
 */
#ifndef TRC_CMD_SPLIT_DIRECT_H
#define TRC_CMD_SPLIT_DIRECT_H

#include "cmd/names/folder.h"
#include "cmd/split/split.h"

struct trc_split_direct;

/* What every part has; all of it must outlive them. */
struct trc_split_each {
	const struct trc_split *split;
	const struct trc_format *format;
	const struct trc_folder *folder;
	const struct trc_job *job; /* the trace */
	trc_split_fit fit;
};

/* False where options leave out or change rows of parts. */
bool trc_split_direct_can(const struct trc_split_each *each);

struct trc_split_direct *trc_split_direct_open(const struct trc_split_each *each,
                                               struct trc_err *err);
void trc_split_direct_close(struct trc_split_direct *d);

/* Rows [from, from + n) of part `key`; *taken false if that is a part for the spill. */
int trc_split_direct_put(struct trc_split_direct *d, uint64_t key, const struct trc_batch *b,
                         size_t from, size_t n, bool *taken, struct trc_err *err) TRC_MUST_USE;

/* Completes part `i` under the name `name` in the folder. */
int trc_split_direct_finish(struct trc_split_direct *d, size_t i, const char *name,
                            const struct trc_meta *meta, struct trc_err *err) TRC_MUST_USE;

size_t trc_split_direct_parts(const struct trc_split_direct *d);
uint64_t trc_split_direct_key(const struct trc_split_direct *d, size_t i);

#endif
