/* SPDX-License-Identifier: MIT
 *
 * Containers, by a mutator that parses frames and packed streams (frames.h).
 *
 * The first byte is how many threads read and how many rows are read at a time, the second how many
 * are skipped. Whatever the bytes are, reading from a pipe and from a file gives the same, as do
 * one thread and two, and a salvage of what is good gives it all.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "frames.h"

enum { HOW = 2, ROWS_MOST = 100000 };

struct outcome {
	uint64_t rows, sum;
	size_t gaps;
	enum trc_flow end;
};

static void
check(bool good)
{
	if (!good)
		abort();
}

/* What rows hold and where they stand, the first being `row`. */
static uint64_t
sum_of(const struct trc_batch *b, uint64_t row)
{
	uint64_t sum = 0;

	for (int c = 0; c < TRC_COLUMNS; c++) {
		const uint8_t *at = trc_batch_column(b, (enum trc_column)c);
		const size_t width = trc_column[c].width;

		/* Where the text of an event stands depends on the batch. */
		for (size_t i = 0; at && c != TRC_COL_EVENT && i < b->n * width; i++)
			sum += (at[i] + 1u) *
			       (i % width * 251 + (unsigned)c + (row + i / width) * 65537);
	}
	return sum;
}

/* How a container is read. */
struct how {
	unsigned threads;
	size_t cut; /* rows of a batch */
	uint64_t skip;
	bool salvage, pipe;
};

static struct outcome
read_all(const uint8_t *p, size_t len, struct how how)
{
	struct outcome o = { 0, 0, 0, TRC_FLOW_FAILED };
	struct trc_err err = { .code = TRC_OK };
	const struct trc_index *index;
	struct trc_source *src;
	struct trc_batch b;
	char args[64];

	snprintf(args, sizeof(args), "threads=%u,memlimit=4G%s", how.threads,
	         how.salvage ? ",salvage" : "");
	src = generate_container(p, len, args, how.pipe, &err);
	if (!src) {
		check(err.code == TRC_FAILED && *err.text);
		return o;
	}
	check(trc_batch_init(&b, src->have, how.cut, &err) == 0 &&
	      trc_source_index(src, &index, &err) == 0 &&
	      (how.skip == 0 || src->seek->skip(src, how.skip, &err) == 0));
	o.end = TRC_FLOW_ROWS;
	while (o.rows < ROWS_MOST && (o.end = trc_source_next(src, &b, &err)) == TRC_FLOW_ROWS) {
		o.sum += sum_of(&b, o.rows);
		o.rows += b.n;
	}
	check(o.end != TRC_FLOW_FAILED || (err.code == TRC_FAILED && *err.text));
	o.gaps = o.end == TRC_FLOW_END ? src->meta.gaps : 0;
	trc_batch_release(&b);
	trc_source_close(src);
	return o;
}

static bool
same(const struct outcome *a, const struct outcome *b)
{
	return a->rows == b->rows && a->sum == b->sum;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	struct how how = { .threads = 1, .pipe = true };
	struct outcome whole, salvaged, file, pipe;

	if (len < HOW)
		return 0;
	how.cut = 1 + p[0] / 2 * 5u;
	whole = read_all(p + HOW, len - HOW, how);
	how.pipe = false;
	how.salvage = true;
	how.threads = 1 + p[0] % 2;
	salvaged = read_all(p + HOW, len - HOW, how);
	how.salvage = false;
	how.skip = p[1];
	file = read_all(p + HOW, len - HOW, how);
	how.pipe = true;
	pipe = read_all(p + HOW, len - HOW, how);
	if (whole.end == TRC_FLOW_END) {
		check(salvaged.end == TRC_FLOW_END && salvaged.gaps == 0);
		check(same(&whole, &salvaged));
		check(pipe.end == TRC_FLOW_END);
		check(pipe.rows == (whole.rows > how.skip ? whole.rows - how.skip : 0));
	}
	/* A wrong index shows where it is used, damage before the first row that is wanted where it
	 * is read. */
	if (file.end == TRC_FLOW_END && pipe.end == TRC_FLOW_END)
		check(same(&file, &pipe));
	return 0;
}

#ifdef TRC_FUZZ_ENGINE

size_t LLVMFuzzerMutate(uint8_t *p, size_t len, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t len, size_t most, unsigned seed);

size_t
LLVMFuzzerCustomMutator(uint8_t *p, size_t len, size_t most, unsigned seed)
{
	struct generator m = { seed };

	if (len <= HOW || generate_below(&m, 64) == 0)
		return LLVMFuzzerMutate(p, len, most);
	if (generate_below(&m, 16) == 0)
		p[generate_below(&m, HOW)] = (uint8_t)generate_random(&m);
	return HOW + frames_mutate(p + HOW, len - HOW, most - HOW, &m, LLVMFuzzerMutate);
}

#endif
