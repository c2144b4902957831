/* SPDX-License-Identifier: MIT
 *
 * References as ops of a program, written and read back.
 */
#ifndef TRC_TEST_UNIT_ROUND_TRIP_H
#define TRC_TEST_UNIT_ROUND_TRIP_H

#include "codec/growth/growth.h"
#include "codec/program/refs_reader.h"
#include "codec/program/refs_writer.h"
#include "generate.h"
#include "test.h"

enum { ROUND_TRIP_ROWS = 20000 }; /* of a block, at most */

/* What references were made to, and what reads them back. */
struct round_trip {
	struct trc_refs_writer *writer;
	struct trc_refs_reader *reader;
	struct trc_program program;
	struct trc_refs refs;
	struct trc_buf growth;
};

/* `fast` is the writer's. */
void round_trip_open(struct round_trip *b, bool fast);
void round_trip_close(struct round_trip *b);

/* Rows [from, from + n) there and back, `cut` at a time. Without fetches and pcs, these are
 * inferred. If the rows are odd in number, branches are coded by the path model. */
void round_trip_check(struct round_trip *b, const struct trc_batch *rows, size_t from, size_t n,
                      size_t cut);

/* All rows, in blocks that become larger, cut in several ways. */
void round_trip_check_blocks(const struct trc_batch *rows, bool fast);

#endif
