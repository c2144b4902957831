/* SPDX-License-Identifier: MIT */
#include "round_trip.h"

#include <string.h>

#include "codec/program/inference.h"

void
round_trip_open(struct round_trip *b, bool fast)
{
	struct trc_err err;

	memset(b, 0, sizeof(*b));
	b->writer = trc_refs_writer_open(fast, &err);
	b->reader = trc_refs_reader_open(&err);
	CHECK(b->writer && b->reader);
}

void
round_trip_close(struct round_trip *b)
{
	trc_refs_writer_close(b->writer);
	trc_refs_reader_close(b->reader);
	trc_program_release(&b->program);
	trc_refs_release(&b->refs);
	trc_buf_release(&b->growth);
}

/* Branches as the path model codes them. */
static void
code_path(struct round_trip *b)
{
	struct trc_buf path = { 0 };
	struct trc_err err;

	CHECK(trc_refs_write_path(b->writer, &path, &b->refs.branches, &err) == 0);
	trc_buf_release(&b->refs.stream[TRC_REFS_PATH]);
	b->refs.stream[TRC_REFS_PATH] = path;
	b->refs.stream[TRC_REFS_FAR].n = 0;
}

void
round_trip_check(struct round_trip *b, const struct trc_batch *rows, size_t from, size_t n,
                 size_t cut)
{
	static uint64_t inferred[ROUND_TRIP_ROWS], pc[ROUND_TRIP_ROWS];
	static uint8_t type[ROUND_TRIP_ROWS];
	static uint64_t addr[ROUND_TRIP_ROWS];
	static uint32_t size[ROUND_TRIP_ROWS];
	struct trc_refs_rows some = { .type = rows->type + from,
		                      .addr = rows->addr + from,
		                      .size = rows->size ? rows->size + from : NULL,
		                      .pc = rows->pc ? rows->pc + from : NULL,
		                      .n = n };
	const struct trc_refs_old old = { b->program.slots, b->program.edges };
	struct trc_err err;
	size_t at = 0, got;

	if (!some.pc && !memchr(rows->type, TRC_FETCH, rows->n)) {
		trc_inference(&some, (enum trc_inference_kind)(n % TRC_INFERENCES), inferred);
		some.pc = inferred;
		some.inferred = true;
	}
	b->growth.n = 0;
	CHECK(trc_refs_write(b->writer, &some, &b->refs, &err) == 0 &&
	      trc_refs_write_growth(b->writer, &b->growth, &err) == 0);
	if (n % 2)
		code_path(b);
	b->program.lengths = trc_refs_writer_lengths(b->writer);
	CHECK_MSG(trc_growth_read(&b->program, b->growth.p, b->growth.n, &err) == 0, "%s",
	          err.text);
	CHECK(b->program.ops == trc_refs_writer_ops(b->writer));
	CHECK_MSG(trc_refs_follow(b->reader, &b->program, old, &b->refs, &err) == 0, "%s",
	          err.text);
	CHECK_MSG(trc_refs_begin(b->reader, n, &err) == 0, "%s", err.text);
	while ((got = trc_refs_next(b->reader, type + at, addr + at, rows->size ? size + at : NULL,
	                            rows->pc ? pc + at : NULL, cut < n - at ? cut : n - at)) > 0)
		at += got;
	CHECK(at == n);
	CHECK(memcmp(type, some.type, n * sizeof(*type)) == 0);
	CHECK(memcmp(addr, some.addr, n * sizeof(*addr)) == 0);
	CHECK(!rows->size || memcmp(size, some.size, n * sizeof(*size)) == 0);
	CHECK(!rows->pc || memcmp(pc, some.pc, n * sizeof(*pc)) == 0);
}

void
round_trip_check_blocks(const struct trc_batch *rows, bool fast)
{
	static const size_t cut[] = { 1, 3, 50, 4096 };
	struct round_trip b;

	for (size_t i = 0; i < TRC_COUNT(cut); i++) {
		round_trip_open(&b, fast);
		for (size_t at = 0, n = 1; at < rows->n; at += n, n = n * 2 + 1) {
			n = n < rows->n - at ? n : rows->n - at;
			round_trip_check(&b, rows, at, n, cut[i]);
		}
		round_trip_close(&b);
	}
}
