/* SPDX-License-Identifier: MIT
 *
 * Containers, by a mutator that knows frames: it changes payloads, numbers and the order of frames,
 * and then makes the checks of all of them right, so that what is behind the checks is reached.
 *
 * The first byte says how rows are asked for, the second how many are skipped. Whatever the bytes
 * are, reading from a pipe and from a file gives the same, and a salvage of what is good gives it
 * all.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "../unit/make.h"
#include "base/frame.h"

enum { ROWS_MOST = 100000 };

struct outcome {
	uint64_t rows, sum;
	size_t gaps;
	enum trc_flow end;
};

static uint64_t
sum_of(const struct trc_batch *b, uint64_t row)
{
	uint64_t sum = 0;

	for (int c = 0; c < TRC_COLUMNS; c++) {
		const uint8_t *at = trc_batch_column(b, (enum trc_column)c);

		/* Where the text of an event stands depends on the batch. */
		for (size_t i = 0; at && c != TRC_COL_EVENT && i < b->n * trc_column[c].width; i++)
			sum += (at[i] + 1u) * (i % trc_column[c].width * 251 + (unsigned)c + row);
	}
	return sum;
}

static struct outcome
read_all(const uint8_t *p, size_t len, const char *args, bool pipe, uint64_t skip)
{
	struct outcome o = { 0, 0, 0, TRC_FLOW_FAILED };
	struct trc_err err = { TRC_OK, "" };
	struct trc_source *src = make_container(p, len, args, pipe, &err);
	const struct trc_index *index;
	struct trc_batch b;

	if (!src) {
		if (err.code != TRC_FAILED || !*err.text)
			abort();
		return o;
	}
	if (trc_batch_init(&b, src->have, 77, &err) || src->index(src, &index, &err) ||
	    (skip && src->skip(src, skip, &err)))
		abort();
	o.end = TRC_FLOW_ROWS;
	while (o.rows < ROWS_MOST && (o.end = trc_source_next(src, &b, &err)) == TRC_FLOW_ROWS) {
		o.sum += sum_of(&b, 1);
		o.rows += b.n;
	}
	if (o.end == TRC_FLOW_FAILED && (err.code != TRC_FAILED || !*err.text))
		abort();
	o.gaps = o.end == TRC_FLOW_END ? src->meta.gaps : 0;
	trc_batch_release(&b);
	trc_source_close(src);
	return o;
}

static bool
same(const struct outcome *a, const struct outcome *b)
{
	return a->end != TRC_FLOW_END || b->end != TRC_FLOW_END ||
	       (a->rows == b->rows && a->sum == b->sum);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	struct outcome whole, salvaged, file, pipe;
	uint64_t skip;

	if (len < 2)
		return 0;
	skip = p[1];
	p += 2;
	len -= 2;
	whole = read_all(p, len, "threads=1,memlimit=4G", true, 0);
	salvaged = read_all(p, len, "threads=1,memlimit=4G,salvage", false, 0);
	if (whole.end == TRC_FLOW_END && (salvaged.gaps > 0 || !same(&whole, &salvaged)))
		abort();
	file = read_all(p, len, "threads=1,memlimit=4G", false, skip);
	pipe = read_all(p, len, "threads=1,memlimit=4G", true, skip);
	if (!same(&file, &pipe))
		abort();
	return 0;
}

#ifdef TRC_FUZZ_ENGINE

enum { HOW = 2, FRAMES_MOST = 256 };

struct frames {
	struct trc_frame f[FRAMES_MOST];
	size_t n;
};

size_t LLVMFuzzerMutate(uint8_t *p, size_t len, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t len, size_t most, unsigned seed);

static void
mend(uint8_t *head)
{
	const size_t n = trc_le32(head + 4);

	trc_put_le64(head + 16, XXH3_64bits(head + TRC_FRAME_HEAD, n));
	trc_put_le32(head + 24, (uint32_t)XXH3_64bits(head, 24));
}

/* Frames that stand one behind the other from the start on. */
static void
find(struct frames *fs, const uint8_t *p, size_t len)
{
	size_t at = 0;

	for (fs->n = 0; fs->n < FRAMES_MOST; at += TRC_FRAME_HEAD + (size_t)fs->f[fs->n++].len) {
		if (!trc_frame_head(p + at, len - at, &fs->f[fs->n]) ||
		    fs->f[fs->n].len > len - at - TRC_FRAME_HEAD)
			break;
		fs->f[fs->n].offset = at;
	}
}

/* Makes the ends lead to the indexes before them. */
static void
mend_ends(const struct frames *fs, uint8_t *p)
{
	uint64_t start = 0, index = 0;

	for (size_t i = 0; i < fs->n; i++) {
		const struct trc_frame *f = &fs->f[i];
		uint8_t *head = p + f->offset;

		if (f->kind == 'T')
			start = f->offset;
		if (f->kind == 'I')
			index = f->offset;
		if (f->kind != 'E' || f->len < 16)
			continue;
		trc_put_le64(head + TRC_FRAME_HEAD, index - start);
		trc_put_le64(head + TRC_FRAME_HEAD + 8, f->offset - start);
		mend(head);
	}
}

/* Changes the payload of a frame, which may grow or shrink. */
static size_t
mutate_payload(const struct trc_frame *f, uint8_t *p, size_t len, size_t most)
{
	uint8_t *head = p + f->offset, *payload = head + TRC_FRAME_HEAD;
	const size_t behind = len - (size_t)(f->offset + TRC_FRAME_HEAD + f->len);
	const size_t room = (size_t)f->len + (most - len < 64 ? most - len : 64);
	uint8_t *copy = malloc(room + 1);
	size_t n;

	if (!copy)
		abort();
	memcpy(copy, payload, (size_t)f->len);
	n = LLVMFuzzerMutate(copy, (size_t)f->len, room);
	memmove(payload + n, payload + f->len, behind);
	memcpy(payload, copy, n);
	free(copy);
	trc_put_le32(head + 4, (uint32_t)n);
	mend(head);
	return len - (size_t)f->len + n;
}

/* Puts a copy of frame `from` in front of frame `to`, or takes `from` away. */
static size_t
move_frame(const struct trc_frame *from, const struct trc_frame *to, bool away, uint8_t *p,
	   size_t len, size_t most)
{
	const size_t n = TRC_FRAME_HEAD + (size_t)from->len, at = (size_t)from->offset;
	uint8_t *copy;

	if (away) {
		memmove(p + at, p + at + n, len - at - n);
		return len - n;
	}
	if (n > most - len)
		return len;
	copy = malloc(n);
	if (!copy)
		abort();
	memcpy(copy, p + at, n);
	memmove(p + to->offset + n, p + to->offset, len - (size_t)to->offset);
	memcpy(p + to->offset, copy, n);
	free(copy);
	return len + n;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *p, size_t len, size_t most, unsigned seed)
{
	struct make m = { seed };
	const struct trc_frame *f;
	struct frames fs;
	uint64_t what;

	if (len > HOW)
		find(&fs, p + HOW, len - HOW);
	if (len <= HOW || fs.n == 0 || make_below(&m, 16) == 0)
		return LLVMFuzzerMutate(p, len, most);
	f = &fs.f[make_below(&m, fs.n)];
	what = make_below(&m, 8);
	p[make_below(&m, HOW)] = (uint8_t)make_random(&m);
	if (what == 0) {
		uint8_t *head = p + HOW + f->offset;

		/* Its kind, or its number. */
		if (make_below(&m, 4) == 0)
			head[3] = (uint8_t)"TPRBIE?"[make_below(&m, 7)];
		else
			LLVMFuzzerMutate(head + 8, 8, 8);
		mend(head);
	} else if (what == 1) {
		len = HOW + move_frame(f, &fs.f[make_below(&m, fs.n)], make_below(&m, 2),
				       p + HOW, len - HOW, most - HOW);
	} else {
		len = HOW + mutate_payload(f, p + HOW, len - HOW, most - HOW);
	}
	if (make_below(&m, 2)) {
		find(&fs, p + HOW, len - HOW);
		mend_ends(&fs, p + HOW);
	}
	return len;
}

#endif
