/* SPDX-License-Identifier: MIT
 * Made-up rows for every format, such as it can hold. */
#ifndef TRC_TEST_UNIT_FOR_EACH_FORMAT_H
#define TRC_TEST_UNIT_FOR_EACH_FORMAT_H

#include "generate.h"

enum { FOR_EACH_ROWS = 5003 };

/* Runs `check` on made-up rows for each format that can be read and written, once with all columns
 * that it holds and once with those that it needs. */
typedef void for_each_check_fn(const struct trc_format *f, const struct trc_batch *rows);
void for_each_format(for_each_check_fn *check);

/* A format with fewer rows than this may be taken for another; 0 for most. */
size_t for_each_least_rows(const struct trc_format *f);

/* True if laws that take several passes leave a format to tests of its own: where machines are slow
 * the container, whose rows take more time than those of all others together. */
bool for_each_left_out(const struct trc_format *f);

#endif
