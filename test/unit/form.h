/* SPDX-License-Identifier: MIT
 *
 * Rows to the bytes of a format and back, in memory as far as the test sees.
 */
#ifndef TRC_TEST_UNIT_FORM_H
#define TRC_TEST_UNIT_FORM_H

#include <string.h>
#include <unistd.h>

#include "format/format.h"
#include "test.h"

struct form {
	uint8_t *p;
	size_t len;
};

/* Writes `rows`, `step` at a time; -1 if the format refuses. free(form->p) afterwards. */
static inline int
form_write(struct form *form, const char *name, const struct trc_batch *rows, size_t step,
           struct trc_err *err)
{
	const struct trc_meta meta = { 0 };
	char path[64];
	struct trc_out *out;
	struct trc_sink *sink;
	struct trc_batch b;
	int ret = 0;
	FILE *f;

	snprintf(path, sizeof(path), "form-%ld.tmp", (long)getpid());
	out = trc_out_open(path, true, err);
	CHECK(out);
	sink = trc_format_sink(trc_format_named(name), trc_format_arguments(name), out, rows->have,
	                       &meta, err);
	if (!sink) {
		trc_out_close(out);
		return -1;
	}
	CHECK(trc_batch_init(&b, rows->have, step, err) == 0);
	for (size_t i = 0; ret == 0 && i < rows->n; i += b.n) {
		b.n = 0;
		trc_batch_append(&b, rows, i, rows->n - i < step ? rows->n - i : step);
		ret = trc_sink_put(sink, &b, err);
	}
	if (ret == 0)
		ret = trc_sink_finish(sink, &meta, err);
	trc_sink_close(sink);
	trc_batch_release(&b);
	if (ret)
		return -1;
	f = fopen(path, "rb");
	CHECK(f && fseek(f, 0, SEEK_END) == 0);
	form->len = (size_t)ftell(f);
	rewind(f);
	form->p = malloc(form->len + 1);
	CHECK(form->p && fread(form->p, 1, form->len, f) == form->len);
	fclose(f);
	unlink(path);
	return 0;
}

/* Reads them again, `step` rows and bytes at a time; `rows` has room for all that come. */
static inline int
form_read(const void *p, size_t len, const char *name, struct trc_batch *rows, uint32_t *have,
          size_t step, struct trc_err *err)
{
	struct trc_in *in = trc_in_stream(trc_stream_memory(p, len, step, err), "x", err);
	struct trc_source *src;
	struct trc_batch b;
	enum trc_flow flow;

	CHECK(in);
	src = trc_format_source(trc_format_named(name), trc_format_arguments(name), in, err);
	if (!src) {
		trc_in_close(in);
		return -1;
	}
	*have = src->have;
	CHECK(trc_batch_init(&b, src->have, step, err) == 0);
	rows->n = 0;
	while ((flow = trc_source_next(src, &b, err)) == TRC_FLOW_ROWS)
		if (rows->n + b.n <= rows->cap) {
			const uint32_t all = rows->have;

			rows->have &= b.have;
			trc_batch_append(rows, &b, 0, b.n);
			rows->have = all;
		}
	trc_batch_release(&b);
	trc_source_close(src);
	return flow == TRC_FLOW_END ? 0 : -1;
}

static inline bool
form_same(const struct trc_batch *a, const struct trc_batch *b)
{
	bool same = a->n == b->n;

#define COLUMN(NAME, field, type, doc)                            \
	if (same && a->have & TRC_HAS_##NAME)                     \
		same = b->have & TRC_HAS_##NAME &&                \
		       memcmp(a->field, b->field, a->n * sizeof(type)) == 0;
#include "batch/columns.def"
#undef COLUMN
	return same;
}

/* The same rows come back, and the same bytes are written, whatever the batches. Returns the
 * bytes. */
static inline struct form
form_round_trip(const char *to, const char *from, const struct trc_batch *rows)
{
	static const size_t step[] = { 4096, 7, 2, 1 };
	struct trc_err err = { 0 };
	struct trc_batch back;
	struct form first = { NULL, 0 };
	uint32_t have;

	CHECK(trc_batch_init(&back, rows->have, rows->n + 1, &err) == 0);
	for (size_t i = 0; i < TRC_COUNT(step) && (i < 2 || rows->n < 100000); i++) {
		struct form form;

		CHECK_SAY(form_write(&form, to, rows, step[i], &err) == 0, "%s: %s", to, err.text);
		if (i == 0)
			first = form;
		CHECK_SAY(form.len == first.len && memcmp(form.p, first.p, form.len) == 0, "%s", to);
		CHECK_SAY(form_read(form.p, form.len, from, &back, &have, step[i], &err) == 0,
		          "%s: %s", from, err.text);
		CHECK_SAY(have == rows->have && form_same(rows, &back), "%s step %zu", to, step[i]);
		if (i > 0)
			free(form.p);
	}
	trc_batch_release(&back);
	return first;
}

/* splitmix64 */
static inline uint64_t
form_random(void)
{
	uint64_t z = test_seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

#endif
