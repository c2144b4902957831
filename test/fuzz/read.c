/* SPDX-License-Identifier: MIT
 *
 * Any bytes through recognition, every reader and every unpacker. The first byte is how many of the
 * others come at a time and how many rows are read at a time; that must not change what is read.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "../unit/generate.h"
#include "base/io/packing.h"

enum { ROWS_MOST = 200000, UNPACKED_MOST = 1 << 20 };

/* A sum over all rows, and how reading ended. */
struct outcome {
	uint64_t rows, sum;
	enum trc_flow end;
};

static uint64_t
sum_of(const struct trc_batch *b)
{
	uint64_t sum = 0;

	for (int c = 0; c < TRC_COLUMNS; c++) {
		const uint8_t *at = trc_batch_column(b, (enum trc_column)c);

		/* Where a text is in its batch does not count. */
		for (size_t i = 0; c == TRC_COL_EVENT && at && i < b->n; i++)
			for (const char *text = trc_batch_event(b, i); *text; text++)
				sum = sum + (unsigned char)*text * UINT64_C(1021);
		for (size_t i = 0; c != TRC_COL_EVENT && at && i < b->n * trc_column[c].width; i++)
			sum += (at[i] + 1u) * (i % trc_column[c].width * 251 + (unsigned)c + 1);
	}
	return sum;
}

/* A failure is a sentence, ended in its room. */
static void
check_sentence(const struct trc_err *err)
{
	if (err->code != TRC_FAILED || !memchr(err->text, 0, sizeof(err->text)) || !*err->text)
		abort();
}

static struct outcome
read_all(const struct trc_format *f, const uint8_t *p, size_t len, size_t step, size_t rows)
{
	struct outcome o = { 0, 0, TRC_FLOW_FAILED };
	struct trc_batch b;
	struct trc_err err;
	struct trc_source *src = generate_read(f, p, len, step, &err);

	if (!src) {
		check_sentence(&err);
		return o;
	}
	if (trc_batch_init(&b, src->have, rows, &err))
		abort();
	o.end = TRC_FLOW_ROWS;
	while (o.rows < ROWS_MOST && (o.end = trc_source_next(src, &b, &err)) == TRC_FLOW_ROWS) {
		o.rows += b.n;
		o.sum += sum_of(&b);
	}
	if (o.end == TRC_FLOW_FAILED)
		check_sentence(&err);
	trc_batch_release(&b);
	trc_source_close(src);
	return o;
}

static void
read_as(const struct trc_format *f, const uint8_t *p, size_t len, size_t step, size_t rows)
{
	struct outcome whole = read_all(f, p, len, SIZE_MAX, 1);
	struct outcome parts = read_all(f, p, len, step, rows);

	/* Rows before a failure may be lost with their batch. */
	if (whole.end != parts.end ||
	    (whole.end == TRC_FLOW_END && (whole.rows != parts.rows || whole.sum != parts.sum)))
		abort();
}

static void
recognise(const uint8_t *p, size_t len, size_t step)
{
	struct trc_in *in = generate_in(p, len, step);
	const struct trc_format *f;
	struct trc_err err;

	f = trc_format_recognise(in, &err);
	if (trc_in_offset(in) != 0 || (!f && !*err.text))
		abort();
	trc_in_close(in);
}

/* `file` is of an archive, as in base/io/packing.h. */
static void
unpack(const uint8_t *p, size_t len, size_t step, const char *file)
{
	static uint8_t room[4096];
	const struct trc_packing *row = trc_packing_of(p, len);
	struct trc_stream *inner, *s;
	struct trc_err err;
	size_t got = 1, head = len < TRC_PACKING_HEAD ? len : TRC_PACKING_HEAD;

	if (!row)
		return;
	inner = trc_stream_memory(p + head, len - head, step, &err);
	s = inner ? trc_unpack_open(row, inner, p, head, file, &err) : NULL;
	if (!s) {
		trc_stream_close(inner);
		return;
	}
	for (size_t total = 0; got > 0 && total < UNPACKED_MOST; total += got)
		if (s->read(s, room, sizeof(room), &got, &err))
			break;
	trc_stream_close(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	static const size_t step[] = { 1, 2, 3, 7, 64, 4096, 65536, SIZE_MAX };
	static const size_t rows[] = { 1, 2, 7, 4096 };
	const struct trc_format *f = NULL;
	unsigned how;

	if (len == 0)
		return 0;
	how = *p++;
	len--;
	unpack(p, len, step[how % 8], NULL);
	unpack(p, len, step[how % 8], "");
	unpack(p, len, step[how % 8], "a.din");
	recognise(p, len, step[how % 8]);
	while ((f = trc_format_next(f)))
		if (trc_format_reads(f))
			read_as(f, p, len, step[how % 8], rows[how / 8 % 4]);
	return 0;
}
