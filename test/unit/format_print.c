/* SPDX-License-Identifier: MIT
 * Rows that are printed apart and appended are those that one sink prints, in all formats but
 * those that are marked, whose rows depend on others. */
#include <string.h>

#include "batch/event.h"
#include "for_each_format.h"
#include "format/print.h"
#include "test.h"

enum { PIECE_MOST = 700 };

/* Appends what row `i` is printed as behind a state of zeros, or this one; false if it cannot. */
static bool
print_row(const struct trc_format *f, const struct trc_batch *rows, size_t i, void *state,
          struct trc_buf *dst)
{
	_Alignas(uint64_t) unsigned char none[TRC_FORMAT_STATE] = { 0 };
	_Alignas(uint64_t) static const unsigned char settings[TRC_FORMAT_SETTINGS];
	struct trc_rows r = { .b = rows,
		              .i = i,
		              .stop = i + 1,
		              .have = rows->have,
		              .state = state ? state : none,
		              .settings = settings };
	const size_t room = f->print->room + 2 * strlen(trc_batch_event(rows, i));
	struct trc_err err;
	uint8_t *end;

	CHECK(trc_buf_room(dst, room, &err) == 0);
	end = f->print->print(&r, dst->p + dst->n, &err);
	CHECK_MSG(end || !state, "%s: %s", f->name, err.text);
	dst->n = end ? (size_t)(end - dst->p) : dst->n;
	return end;
}

static void
check_mark(const struct trc_format *f, const struct trc_batch *rows)
{
	_Alignas(uint64_t) unsigned char state[TRC_FORMAT_STATE] = { 0 };
	struct trc_buf whole = { 0 }, parts = { 0 };
	bool same = true;

	if (!f->print)
		return;
	for (size_t i = 0; i < rows->n; i++) {
		(void)print_row(f, rows, i, state, &whole);
		same &= print_row(f, rows, i, NULL, &parts);
	}
	same = same && whole.n == parts.n && memcmp(whole.p, parts.p, whole.n) == 0;
	CHECK_MSG(
	        same != f->chained_print,
	        "%s: what it prints of a row depends %s; .chained_print in its row is to have that",
	        f->name, same ? "on that row alone" : "on rows before it");
	trc_buf_release(&whole);
	trc_buf_release(&parts);
}

static void
formats_whose_rows_depend_on_others_are_marked(void)
{
	for_each_format(check_mark);
}

/* Rows [from, from + n) as a batch of their own. */
static struct trc_batch
part_of(const struct trc_batch *rows, size_t from, size_t n)
{
	struct trc_batch b;
	struct trc_err err;

	CHECK(trc_batch_init(&b, rows->have, n, &err) == 0);
	trc_batch_append(&b, rows, from, n);
	return b;
}

/* Puts rows [from, from + n), or prints them in up to three parts, and appends that. */
static int
put_piece(struct trc_sink *sink, const struct trc_batch *rows, size_t from, size_t n,
          struct trc_err *err)
{
	const size_t parts = test_random() % 4;
	struct trc_sink *clone;
	int ret = 0;

	if (parts == 0) {
		struct trc_batch b = part_of(rows, from, n);

		ret = trc_sink_put(sink, &b, err);
		trc_batch_release(&b);
		return ret;
	}
	clone = sink->apart->clone(sink, err);
	CHECK(clone);
	for (size_t i = 0; i < parts && ret == 0; i++) {
		const size_t at = from + n * i / parts, stop = from + n * (i + 1) / parts;
		struct trc_batch b;

		if (at == stop)
			continue;
		b = part_of(rows, at, stop - at);
		ret = trc_sink_put(clone, &b, err);
		trc_batch_release(&b);
	}
	CHECK((sink->apart->absorb(sink, clone, err) == 0) == (ret == 0));
	trc_sink_close(clone);
	return ret;
}

/* Writes all rows in pieces; `apart`: or at once. */
static int
write_rows(const struct trc_format *f, const struct trc_batch *rows, bool apart,
           struct generate_bytes *bytes, struct trc_err *err)
{
	const struct trc_meta meta = { .page_bits = 12 };
	const char *path = generate_path("printed");
	struct trc_out *out = trc_out_open(path, true, err);
	struct trc_sink *sink = trc_format_sink(f, NULL, out, rows->have, &meta, err);
	int ret = 0;

	CHECK_MSG(sink, "%s: %s", f->name, err->text);
	if (!apart)
		ret = trc_sink_put(sink, rows, err);
	for (size_t n, i = 0; apart && i < rows->n && ret == 0; i += n) {
		n = 1 + test_random() % PIECE_MOST;
		n = n < rows->n - i ? n : rows->n - i;
		ret = put_piece(sink, rows, i, n, err);
	}
	ret = ret || trc_sink_finish(sink, &meta, err) ? -1 : 0;
	trc_sink_close(sink);
	if (ret == 0)
		*bytes = generate_file_bytes(path);
	return ret;
}

static bool
is_apart(const struct trc_format *f)
{
	return f->print && !f->chained_print;
}

static void
check_pieces(const struct trc_format *f, const struct trc_batch *rows)
{
	static const size_t n[] = { 0, 1, 20, FOR_EACH_ROWS };
	struct generate_bytes whole, parts;
	struct trc_batch some = *rows;
	struct trc_err err;

	for (size_t i = 0; is_apart(f) && i < TRC_COUNT(n); i++) {
		some.n = n[i];
		CHECK_MSG(write_rows(f, &some, false, &whole, &err) == 0, "%s: %s", f->name,
		          err.text);
		CHECK_MSG(write_rows(f, &some, true, &parts, &err) == 0, "%s: %s", f->name,
		          err.text);
		CHECK_MSG(whole.len == parts.len && memcmp(whole.p, parts.p, whole.len) == 0,
		          "%s, %zu rows", f->name, n[i]);
		free(whole.p);
		free(parts.p);
	}
}

static void
rows_printed_apart_are_those_of_one_sink(void)
{
	for_each_format(check_pieces);
}

/* A row of a type that the format cannot hold is named by its number among all. */
static void
check_refused(const struct trc_format *f, const struct trc_batch *rows)
{
	const size_t at = test_random() % rows->n;
	struct trc_err whole = { 0 }, parts = { 0 };
	struct generate_bytes none;
	uint8_t was;

	if (!is_apart(f) || !rows->type || trc_batch_is_event(rows, at))
		return;
	was = rows->type[at];
	for (uint8_t type = 0; type < TRC_KERNEL; type++) {
		if (type == TRC_EVENT || trc_format_takes(f, NULL, rows->have, type))
			continue;
		rows->type[at] = type;
		CHECK(write_rows(f, rows, false, &none, &whole));
		CHECK(write_rows(f, rows, true, &none, &parts));
		CHECK_MSG(strcmp(whole.text, parts.text) == 0 && whole.unfit == parts.unfit &&
		                  whole.code == parts.code,
		          "%s: '%s', and apart '%s'", f->name, whole.text, parts.text);
	}
	rows->type[at] = was;
}

static void
rows_that_cannot_be_printed_are_named_the_same(void)
{
	for_each_format(check_refused);
}

/* A format that is only written is tried by none of these. */
static void
what_prints_is_read_too(void)
{
	for (const struct trc_format *f = NULL; (f = trc_format_next(f));)
		CHECK_MSG(!f->print || trc_format_reads(f), "%s", f->name);
}

int
main(void)
{
	test_start();
	RUN(formats_whose_rows_depend_on_others_are_marked);
	RUN(rows_printed_apart_are_those_of_one_sink);
	RUN(rows_that_cannot_be_printed_are_named_the_same);
	RUN(what_prints_is_read_too);
	return 0;
}
