/* SPDX-License-Identifier: MIT
 *
 * Columns that depend on each other: when something happened, by one or two clocks, and what. The
 * time until the next page depends on the page and vice versa, so each row is coded as a whole: the
 * advance of the first clock (gap), how much less the second clock advanced (lag), and the
 * combination of the name columns (name), as fields or as a visit to a page
 * (codec/column/visits.h). container/SPEC.md, "Joint columns", specifies the format.
 */
#ifndef TRC_CODEC_COLUMN_JOINT_COLUMNS_H
#define TRC_CODEC_COLUMN_JOINT_COLUMNS_H

#include "codec/column/visits.h"

enum { TRC_JOINT_CLOCKS = 2, TRC_JOINT_NAMES = 8 };

/* Columns are numbered consecutively: first 1 or 2 clocks, then 1 to TRC_JOINT_NAMES names. */

/* Appends `n` > 0 rows to `out`. If there are too many distinct names, sets *fits to false and
 * appends nothing. */
int trc_joint_write(uint64_t *const *column, size_t clocks, size_t names, size_t n, int level,
                    struct trc_buf *out, bool *fits, struct trc_err *err) TRC_MUST_USE;

/* Rows that were unpacked. A zeroed struct is empty; trc_joint_release() frees. */
struct trc_joint_unpacked {
	struct trc_visits visits;
	struct trc_buf far;
	size_t clocks, names;
	bool typed; /* the first name column holds kinds */
	uint64_t kind[TRC_VISITS_KINDS];
	uint64_t *name[TRC_JOINT_NAMES]; /* values by name; a single allocation */
};

/* Reads `n` rows from `in`, of which only the first `first` must be valid; damage in these is
 * detected. */
int trc_joint_read(struct trc_joint_unpacked *r, struct trc_view *in, size_t clocks, size_t names,
                   size_t n, size_t first, struct trc_err *err) TRC_MUST_USE;
void trc_joint_release(struct trc_joint_unpacked *r);

/* Returns the most bytes that reading needs besides the rows of the block. */
size_t trc_joint_memory(size_t n);

/* Copies the values of a column. */
void trc_joint_column(const struct trc_joint_unpacked *r, size_t column, uint64_t *v);

#endif
