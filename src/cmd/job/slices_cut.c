/* SPDX-License-Identifier: MIT
 * Finds where files are cut, and how much is between two cuts. */
#include "cmd/job/slices.h"

#include <string.h>

enum {
	ROW_WEIGHT = 8,     /* bytes of text that take as long as a row of a container */
	PROGRAM_SHARE = 16, /* reading a program costs 1/16 of reading the rows that it precedes */
	STEP = 4096,        /* bytes searched at a time for the end of a line */
};

/* Estimates the work of reading a file, in bytes of text. */
static uint64_t
weight_of(const struct trc_sliced *f)
{
	return f->by == TRC_SLICE_BLOCKS ? f->rows * ROW_WEIGHT : f->size;
}

uint64_t
trc_slices_weight(const struct trc_slices *s)
{
	return s->n ? s->file[s->n - 1].ahead + weight_of(&s->file[s->n - 1]) : 0;
}

/* Returns i / of of `whole`, rounded down, without overflow of the product. */
static uint64_t
share(uint64_t whole, uint64_t i, uint64_t of)
{
	return whole / of * i + whole % of * i / of;
}

uint64_t
trc_sliced_end(const struct trc_sliced *f)
{
	switch (f->by) {
	case TRC_SLICE_BLOCKS: return f->rows;
	case TRC_SLICE_LINES:
	case TRC_SLICE_RECORDS: return f->size;
	default: return 1;
	}
}

/* Returns the cost in rows of beginning at a block: its distance from the wanted row, plus a share
 * of the rows between the start of its program and the block. */
static uint64_t
cost_of(const struct trc_sliced *f, size_t part, uint64_t row)
{
	const uint64_t first = f->part[part].first;
	size_t fresh = part;

	while (fresh > 0 && !f->part[fresh].fresh)
		fresh--;
	return (first > row ? first - row : row - first) +
	       (first - f->part[fresh].first) / PROGRAM_SHARE;
}

/* Returns the first block that begins at `row` or after it, or f->parts if there is none. */
static size_t
block_at(const struct trc_sliced *f, uint64_t row)
{
	size_t from = 0, to = f->parts;

	while (from < to) {
		const size_t middle = from + (to - from) / 2;

		if (f->part[middle].first < row)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Returns the row of the best block for a cut near `row`; the end of the file counts as a block. A
 * block costs at least its distance, so only blocks nearer than the best cost so far are
 * examined. */
static uint64_t
cut_blocks(const struct trc_sliced *f, uint64_t row)
{
	uint64_t least = f->rows - row, best = f->rows, reach = least;
	const size_t near = block_at(f, row);

	if (near < f->parts && cost_of(f, near, row) < reach)
		reach = cost_of(f, near, row);
	if (near > 0 && cost_of(f, near - 1, row) < reach)
		reach = cost_of(f, near - 1, row);
	for (size_t i = block_at(f, row > reach ? row - reach : 0);
	     i < f->parts && f->part[i].first <= row + reach; i++) {
		const uint64_t cost = cost_of(f, i, row);

		if (cost < least) {
			least = cost;
			best = f->part[i].first;
		}
	}
	return best;
}

/* Finds the end of the line that contains byte `at` - 1. */
static int
cut_lines(const struct trc_sliced *f, uint64_t at, uint64_t *line, struct trc_err *err)
{
	uint64_t size, from = at - 1;
	struct trc_stream *s = trc_stream_file(f->path, &size, err);
	uint8_t bytes[STEP];

	*line = f->size;
	for (bool found = false; s && !found && from < f->size; from += STEP) {
		const size_t n = f->size - from < STEP ? (size_t)(f->size - from) : STEP;
		const uint8_t *end;

		if (!s->read_at || !s->read_at(s, from, bytes, n)) {
			trc_stream_close(s);
			return trc_fail(err, "%s: cannot read the line at byte %llu", f->path,
			                (ull)at);
		}
		end = memchr(bytes, '\n', n);
		found = end;
		if (end)
			*line = from + (uint64_t)(end - bytes) + 1;
	}
	if (!s)
		return trc_err_in(err, "%s", f->path);
	trc_stream_close(s);
	return 0;
}

static int
cut_file(const struct trc_sliced *f, uint64_t weight, uint64_t *at, struct trc_err *err)
{
	*at = weight;
	if (weight == 0)
		return 0;
	switch (f->by) {
	/* A file that cannot be cut belongs to the side that has most of it. */
	case TRC_SLICE_FILES: *at = 2 * weight >= weight_of(f); return 0;
	case TRC_SLICE_BLOCKS: *at = cut_blocks(f, weight / ROW_WEIGHT); return 0;
	case TRC_SLICE_RECORDS: *at = weight / f->unit * f->unit; return 0;
	default: return cut_lines(f, weight, at, err);
	}
}

/* Returns the file in which this weight of the whole trace is reached, or s->n if it is in none. */
static uint64_t
file_at(const struct trc_slices *s, uint64_t weight)
{
	size_t from = 0, to = s->n;

	while (from < to) {
		const size_t middle = from + (to - from) / 2;

		if (s->file[middle].ahead + weight_of(&s->file[middle]) <= weight)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

int
trc_slices_cut(const struct trc_slices *s, uint64_t i, uint64_t of, struct trc_place *place,
               struct trc_err *err)
{
	const uint64_t weight = share(trc_slices_weight(s), i, of);
	const struct trc_sliced *f;

	*place = (struct trc_place){ i ? s->n : 0, 0 };
	if (i == 0 || i == of)
		return 0;
	place->file = file_at(s, weight);
	if (place->file == s->n)
		return 0;
	f = &s->file[place->file];
	if (cut_file(f, weight - f->ahead, &place->at, err))
		return -1;
	if (place->at == trc_sliced_end(f))
		*place = (struct trc_place){ place->file + 1, 0 };
	return 0;
}

void
trc_slices_measure(const struct trc_slices *s, struct trc_place from, struct trc_place to,
                   uint64_t *bytes, uint64_t *rows, bool *known)
{
	*bytes = *rows = 0;
	*known = true;
	for (uint64_t i = from.file; i < s->first + s->n && i <= to.file; i++) {
		const struct trc_sliced *f = trc_slices_at(s, i);
		const uint64_t first = i == from.file ? from.at : 0;
		const uint64_t end = i == to.file ? to.at : trc_sliced_end(f);

		if (first == end)
			continue;
		if (f->by != TRC_SLICE_BLOCKS) {
			*bytes += f->by == TRC_SLICE_FILES ? f->size : end - first;
			*known &= f->by == TRC_SLICE_RECORDS;
			*rows += f->by == TRC_SLICE_RECORDS ? (end - first) / f->unit : 0;
			continue;
		}
		*rows += end - first;
		for (size_t k = 0; k < f->parts; k++)
			if (f->part[k].first >= first && f->part[k].first < end)
				*bytes += f->part[k].bytes;
	}
}
