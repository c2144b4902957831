/* SPDX-License-Identifier: MIT
 *
 * Columns that depend on each other: when something happened, by one clock or two, and what. The
 * time until the next page depends on which it is, and the other way around, so each row is coded
 * as a whole: how much the first clock advanced (gap), how much less the second one did (lag), and
 * what the name columns are together (name), by fields or as a visit to a page
 * (codec/column/visits.h). container/SPEC.md, "Joint columns", has the form.
 */
#ifndef TRC_CODEC_COLUMN_JOINT_COLUMNS_H
#define TRC_CODEC_COLUMN_JOINT_COLUMNS_H

#include "codec/column/visits.h"

enum { TRC_JOINT_CLOCKS = 2, TRC_JOINT_NAMES = 8 };

/* Columns are numbered through: first the clocks, 1 or 2, then the names, 1 to TRC_JOINT_NAMES. */

/* Appends `n` > 0 rows to `out`; *fits false, and nothing appended, if there are too many names. */
int trc_joint_write(uint64_t *const *column, size_t clocks, size_t names, size_t n, int level,
                    struct trc_buf *out, bool *fits, struct trc_err *err) TRC_MUST_USE;

/* Rows that were unpacked. Zeroed memory is none; trc_joint_release() frees. */
struct trc_joint_unpacked {
	struct trc_visits visits;
	struct trc_buf far;
	size_t clocks, names;
	bool typed; /* the first name column is of kinds */
	uint64_t kind[TRC_VISITS_KINDS];
	uint64_t *name[TRC_JOINT_NAMES]; /* values by name; one allocation */
};

/* Takes `n` rows from `in`, of which no more than the first need be right. Damage of these is found
 * here. */
int trc_joint_read(struct trc_joint_unpacked *r, struct trc_view *in, size_t clocks, size_t names,
                   size_t n, size_t first, struct trc_err *err) TRC_MUST_USE;
void trc_joint_release(struct trc_joint_unpacked *r);

/* Bytes that reading takes besides the rows of the block, at most. */
size_t trc_joint_memory(size_t n);

/* The values of a column. */
void trc_joint_column(const struct trc_joint_unpacked *r, size_t column, uint64_t *v);

#endif
