/* SPDX-License-Identifier: MIT
 * Where a trace came from: lists of entries, by themselves and in containers. */
#include "batch/provenance.h"

#include "container_fixture.h"

static struct trc_view
list_of(struct trc_buf *list, const char *key, const char *text)
{
	struct trc_err err;

	CHECK(trc_provenance_text(list, key, text, &err) == 0);
	return trc_buf_view(list);
}

static void
entries_come_back_in_order(void)
{
	struct trc_buf list = { 0 };
	struct trc_provenance_entry e;
	struct trc_view v;

	list_of(&list, "source", "din");
	list_of(&list, "later-key-7", "");
	v = list_of(&list, "note", "a=b");
	CHECK(trc_provenance_good(v));
	CHECK(trc_provenance_next(&v, &e) && strcmp(e.key, "source") == 0 && e.len == 3);
	CHECK(trc_provenance_next(&v, &e) && strcmp(e.key, "later-key-7") == 0 && e.len == 0);
	CHECK(trc_provenance_next(&v, &e) && memcmp(e.text, "a=b", 3) == 0);
	CHECK(v.p == v.end && !trc_provenance_next(&v, &e));
	trc_buf_release(&list);
}

static void
lists_that_cannot_be_are_refused(void)
{
	static const char *const bad[] = { "\1",     "\0\0",   "\1A\0",         "\1a",
		                           "\1a\2b", "\41a\0", "\1a\377\377\3", "\1a\0\1" };

	for (size_t i = 0; i < TRC_COUNT(bad); i++) {
		const uint8_t *p = (const uint8_t *)bad[i];
		const size_t n = bad[i][0] ? strlen(bad[i]) + (strcmp(bad[i], "\1A") == 0) : 2;

		CHECK_MSG(!trc_provenance_good((struct trc_view){ p, p + n }), "list %zu", i);
	}
}

/* Room ends for what is added, never for what is there. */
static void
limits_hold(void)
{
	static char text[TRC_PROVENANCE_TEXT_MOST + 99];
	struct trc_provenances all = { 0 };
	struct trc_buf list = { 0 };
	struct trc_provenance_entry e;
	struct trc_view v;
	struct trc_err err;

	memset(text, 'x', sizeof(text) - 1);
	for (int i = 0; i < 20; i++)
		v = list_of(&list, "note", text);
	CHECK(trc_provenance_good(v) && list.n > TRC_PROVENANCE_MOST - sizeof(text));
	CHECK(trc_provenance_last(v, "note", &e) && e.len == TRC_PROVENANCE_TEXT_MOST);
	for (int i = 0; i < 99; i++) {
		list.n = 0;
		text[0] = (char)i;
		list_of(&list, "note", text);
		CHECK(trc_provenances_add(&all, trc_buf_view(&list), &err) == 0);
	}
	CHECK(trc_provenances_view(&all, &v, &err) == 0 && trc_provenance_good(v));
	CHECK(trc_provenance_last(v, "joined", &e) && e.len == 2 && memcmp(e.text, "99", 2) == 0);
	CHECK(trc_provenance_last(v, "left-out", &e));
	trc_provenances_release(&all);
	trc_buf_release(&list);
}

static void
traces_of_one_origin_have_one_list(void)
{
	struct trc_buf a = { 0 }, b = { 0 };
	struct trc_provenances all = { 0 };
	struct trc_view v, one = list_of(&a, "source", "din"), other = list_of(&b, "source", "csv");
	struct trc_provenance_entry e;
	struct trc_err err;

	CHECK(trc_provenances_view(&all, &v, &err) == 0 && v.p == v.end);
	for (int i = 0; i < 3; i++) {
		CHECK(trc_provenances_add(&all, one, &err) == 0);
		CHECK(trc_provenances_view(&all, &v, &err) == 0);
		CHECK(v.end - v.p == one.end - one.p && memcmp(v.p, one.p, a.n) == 0);
	}
	CHECK(trc_provenances_add(&all, other, &err) == 0);
	CHECK(trc_provenances_view(&all, &v, &err) == 0);
	CHECK(trc_provenance_last(v, "joined", &e) && e.text[0] == '2');
	CHECK(trc_provenances_add(&all, (struct trc_view){ 0 }, &err) == 0);
	CHECK(trc_provenances_view(&all, &v, &err) == 0 && trc_provenance_good(v));
	CHECK(trc_provenance_last(v, "joined", &e) && e.text[0] == '3');
	trc_provenances_reset(&all);
	CHECK(trc_provenances_add(&all, (struct trc_view){ 0 }, &err) == 0);
	CHECK(trc_provenances_view(&all, &v, &err) == 0 && v.p == v.end);
	trc_provenances_release(&all);
	trc_buf_release(&a);
	trc_buf_release(&b);
}

/* From front to back, and from the index; with others behind it. */
static void
containers_have_it(void)
{
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, 10);
	struct trc_buf list = { 0 };
	const struct trc_meta meta = { .provenance = list_of(&list, "note", "a=b") };
	const struct trc_index *index;
	struct trc_source *src;
	struct generate_bytes bytes;
	struct trc_batch b;
	struct trc_err err;

	CHECK(generate_write_as("trc", &rows, 7, &meta, &bytes, &err) == 0);
	src = generate_read_as("trc", bytes.p, bytes.len, 99, &err);
	CHECK(src && trc_source_index(src, &index, &err) == 0);
	if (index) {
		const struct trc_view v = index->meta.provenance;

		CHECK((size_t)(v.end - v.p) == list.n && memcmp(v.p, list.p, list.n) == 0);
	}
	CHECK(trc_batch_init(&b, src->have, 99, &err) == 0);
	while (trc_source_next(src, &b, &err) == TRC_FLOW_ROWS)
		;
	CHECK((size_t)(src->meta.provenance.end - src->meta.provenance.p) == list.n);
	CHECK(memcmp(src->meta.provenance.p, list.p, list.n) == 0);
	trc_source_close(src);
	trc_batch_release(&b);
	free(bytes.p);
	trc_buf_release(&list);
	trc_batch_release(&rows);
}

/* An index whose sums hold, with any other byte in it, is refused, or has a list that is good. */
static void
damage_does_no_harm(void)
{
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, 10);
	struct trc_buf list = { 0 };
	const struct trc_meta meta = { .provenance = list_of(&list, "note", "a=b") };
	struct generate_bytes bytes;
	struct trc_frame f;
	struct trc_err err;

	CHECK(generate_write_as("trc", &rows, 7, &meta, &bytes, &err) == 0);
	f = container_frame(&bytes, TRC_KIND_INDEX, 0);
	for (size_t i = 0; i < f.len; i++)
		for (unsigned value = 0; value < 256; value += i < 2 ? 1 : 7) {
			uint8_t payload[256];
			struct trc_view v = { payload, payload + f.len };
			struct trc_contents c = { 0 };

			CHECK(f.len <= sizeof(payload));
			memcpy(payload, bytes.p + f.offset + f.head, f.len);
			payload[i] = (uint8_t)value;
			if (trc_contents_read(&v, f.offset, f.number, rows.have, &c, &err) == 0)
				CHECK(trc_provenance_good(c.meta.provenance));
			trc_parts_release(&c.parts);
		}
	free(bytes.p);
	trc_buf_release(&list);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(entries_come_back_in_order);
	RUN(lists_that_cannot_be_are_refused);
	RUN(limits_hold);
	RUN(traces_of_one_origin_have_one_list);
	RUN(containers_have_it);
	RUN(damage_does_no_harm);
	return 0;
}
