/* SPDX-License-Identifier: MIT
 * What later versions may add: frames, sections, facts and columns of each class that a reader does
 * not know. It passes over what it may, copies what it may, and stops at all else with a sentence
 * that names the file, the place and the version that can go on. */
#include "container_fixture.h"
#include "stage/stage.h"

enum { STOP = 'A', PASS = 'o', COPY = 'z', ROWS = 300 };

static const struct generate_program spec = {
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME, ROWS, 40, 1, 0, false
};

/* Makes the payload of the first frame of `kind` this one, with the bytes behind it. */
static void
append(struct generate_bytes *bytes, uint8_t kind, const void *more, size_t n)
{
	struct trc_frame f = container_frame(bytes, kind, 0);
	struct trc_buf b = { 0 };
	struct trc_err err;

	CHECK(trc_buf_put(&b, bytes->p + f.offset + f.head, (size_t)f.len, &err) == 0 &&
	      trc_buf_put(&b, more, n, &err) == 0);
	container_put(bytes, &f, b.p, b.n);
	trc_buf_release(&b);
}

/* A container of `rows` with a frame of `kind` before its first block's references. */
static struct generate_bytes
with_frame(const struct generate_bytes *bytes, uint8_t kind, const char *text)
{
	const struct trc_frame f = container_frame(bytes, TRC_KIND_REFS, 0);
	const struct trc_buf payload = { (uint8_t *)(uintptr_t)text, strlen(text), 0 };
	struct trc_buf frame = { 0 };
	struct generate_bytes more;
	struct trc_err err;

	CHECK(trc_frame_put(&frame, kind, 7, &payload, &err) == 0);
	more = container_replace(bytes, (size_t)f.offset, 0, frame.p, frame.n);
	trc_buf_release(&frame);
	return more;
}

/* Checks that reading from a pipe fails with `why`, or that all rows come if it is NULL, and only
 * then it shows that the index is not that of what was put before it. */
static void
check(struct generate_bytes bytes, const struct trc_batch *rows, const char *why)
{
	static const char *const how[] = { "pipe:threads=1", "pipe:threads=4" };
	char differ[128] = "";
	struct container_got g;

	for (size_t i = 0; i < TRC_COUNT(how); i++) {
		container_read(&bytes, how[i], rows->n, &g);
		if (why)
			CHECK_MSG(g.ret == -1 && strstr(g.err.text, why), "'%s' instead of '%s'",
			          g.err.text, why);
		else
			CHECK_MSG(g.ret == 0 || strstr(g.err.text, "the index does not match") ||
			                  strstr(g.err.text, "does not lead to the index"),
			          "%s", g.err.text);
		if (!why)
			CHECK_MSG(generate_same(rows, &g.rows, rows->have, differ, sizeof(differ)),
			          "%s", differ);
		container_forget(&g);
	}
	free(bytes.p);
}

/* The version that a container needs: 3.14. */
static const uint8_t needs[] = { TRC_FACT_NEEDS, 0x8e, 0x80, 0x0c };

static void
frames_by_class(void)
{
	struct trc_batch rows;
	struct generate_bytes bytes;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, ROWS);
	check(with_frame(&bytes, PASS, "of no use"), &rows, NULL);
	check(with_frame(&bytes, COPY, "of use"), &rows, NULL);
	check(with_frame(&bytes, STOP, "needed"), &rows,
	      "after 0 good records: a frame of kind 65 is unknown to this trc; read it with a "
	      "later trc");
	append(&bytes, TRC_KIND_TRACE, needs, sizeof(needs));
	check(with_frame(&bytes, STOP, "needed"), &rows,
	      "good records: a frame of kind 65 is unknown to this trc; read it with trc 3.14");
	free(bytes.p);
	trc_batch_release(&rows);
}

static void
sections_by_class(void)
{
	static const uint8_t kind[] = { 1 << 5, 1 << 5 | 1 << 4, 31, 64, 95, 96 };
	struct trc_batch rows;
	struct generate_bytes bytes;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, ROWS);
	for (size_t i = 0; i < 2 * TRC_COUNT(kind); i++) {
		const uint8_t k = kind[i / 2], section[] = { k, 3, 'a', 'b', 'c' };
		struct generate_bytes more = container_copy(&bytes);
		char why[128];

		snprintf(why, sizeof(why),
		         "good records: a section of kind %u is unknown to this trc; read it "
		         "with %s",
		         k, i % 2 ? "trc 3.14 or later" : "a later trc");
		append(&more, TRC_KIND_BLOCK, section, sizeof(section));
		if (i % 2)
			append(&more, TRC_KIND_TRACE, needs, sizeof(needs));
		check(more, &rows, k & TRC_MAY_PASS ? NULL : why);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* The byte of a block that has the form of its first packed column. */
static uint8_t *
form_in(struct generate_bytes *bytes, const struct trc_frame *block)
{
	uint8_t *p = bytes->p + block->offset + block->head;
	struct trc_view v = { p, p + block->len };
	uint64_t n;

	CHECK(trc_view_num(&v, &n) && trc_view_bytes(&v, 8));
	for (uint8_t kind = 0; kind != TRC_SECTION_COLUMN; v.p += n) {
		kind = *v.p++;
		CHECK(trc_view_num(&v, &n) && v.p < v.end);
		if (kind == TRC_SECTION_COLUMN)
			return p + (v.p - p) + 1;
	}
	return NULL;
}

/* A way to pack a column that this trc does not have. */
static void
ways_to_pack_by_version(void)
{
	static const uint8_t earlier[] = { TRC_FACT_NEEDS, 1 };
	struct trc_batch rows;
	struct generate_bytes bytes;
	struct container_got g;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, ROWS);
	for (int i = 0; i < 3; i++) {
		struct generate_bytes bad = container_copy(&bytes);
		const struct trc_frame block = container_frame(&bad, TRC_KIND_BLOCK, 0);

		*form_in(&bad, &block) = 0xee;
		container_mend(&bad, &block);
		if (i > 0)
			append(&bad, TRC_KIND_TRACE, i > 1 ? needs : earlier,
			       i > 1 ? sizeof(needs) : sizeof(earlier));
		container_read(&bad, "pipe:threads=1", rows.n, &g);
		CHECK_MSG(g.ret == -1 && !strstr(g.err.text, "; read it with") == (i < 2) &&
		                  (i < 2 || strstr(g.err.text, "; read it with trc 3.14 or later")),
		          "%s", g.err.text);
		container_forget(&g);
		free(bad.p);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Sets bit `column` in the columns of all frames that have them. */
static void
add_column(struct generate_bytes *bytes, unsigned column)
{
	static const uint8_t kind[] = { TRC_KIND_TRACE, TRC_KIND_PROGRAM, TRC_KIND_BLOCK };

	for (size_t i = 0; i < TRC_COUNT(kind); i++) {
		struct trc_frame f = container_frame(bytes, kind[i], 0);
		const uint8_t *p = bytes->p + f.offset + f.head, *end = p + f.len;
		struct trc_view v = { p + (kind[i] == TRC_KIND_PROGRAM), end };
		struct trc_buf b = { 0 };
		struct trc_err err;
		uint64_t columns;

		CHECK(trc_buf_put(&b, p, (size_t)(v.p - p), &err) == 0 &&
		      trc_view_num(&v, &columns) &&
		      trc_buf_put_num(&b, columns | 1ull << column, &err) == 0 &&
		      trc_buf_put(&b, v.p, (size_t)(end - v.p), &err) == 0);
		container_put(bytes, &f, b.p, b.n);
		trc_buf_release(&b);
	}
}

static void
columns_by_class(void)
{
	struct trc_batch rows;
	struct generate_bytes bytes;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, ROWS);
	for (unsigned column = 16; column < 64; column += 5) {
		const uint8_t section[] = { TRC_SECTION_COLUMN, 3, (uint8_t)column, 99, 99 };
		struct generate_bytes more = container_copy(&bytes);
		char why[128];

		snprintf(why, sizeof(why),
		         ": a column of number %u is unknown to this trc; read it with trc 3.14",
		         column);
		append(&more, TRC_KIND_BLOCK, section, sizeof(section));
		append(&more, TRC_KIND_TRACE, needs, sizeof(needs));
		add_column(&more, column);
		if (column & TRC_MAY_PASS) {
			check(more, &rows, NULL);
		} else {
			struct trc_err err;

			CHECK(!container_open(&more, "pipe:threads=1", &err) &&
			      strstr(err.text, why));
			free(more.p);
		}
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Facts stand in the header, and in the index, which replaces those. */
static void
facts_by_class(void)
{
	static const uint8_t fact[] = { 9, 31, 64, 32, 40, 48 };
	static const uint8_t kind[] = { TRC_KIND_TRACE, TRC_KIND_INDEX };
	struct trc_batch rows;
	struct generate_bytes bytes;

	generate_program_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, ROWS);
	for (size_t i = 0; i < TRC_COUNT(fact) * TRC_COUNT(kind); i++) {
		const uint8_t number = fact[i / 2], more[] = { number, 5 };
		struct generate_bytes bad = container_copy(&bytes);
		struct trc_source *src;
		struct trc_err err = { 0 };
		char why[128];

		snprintf(why, sizeof(why),
		         ": a fact of number %u is unknown to this trc; read it with trc 3.14",
		         number);
		append(&bad, kind[i % 2], more, sizeof(more));
		append(&bad, kind[i % 2], needs, sizeof(needs));
		src = container_open(&bad, "pipe:threads=1", &err);
		if (number & TRC_MAY_PASS || i % 2) {
			CHECK_MSG(src, "%s", err.text);
			trc_source_close(src);
			check(bad, &rows, number & TRC_MAY_PASS ? NULL : why);
		} else {
			CHECK_MSG(!src && strstr(err.text, why), "%s", err.text);
			free(bad.p);
		}
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Writes a container of blocks of 100 rows, with parity; closes the source. */
static struct generate_bytes
write_from(struct trc_source *src)
{
	const struct trc_container_to to = { .block_rows = 100, .threads = 1, .parity = 3 };
	const char *path = generate_path("again");
	struct trc_err err = { 0 };
	struct trc_out *out = trc_out_open(path, true, &err);
	struct trc_sink *sink = out ? trc_container_sink(out, src->have, &src->meta, &to, &err) :
	                              NULL;

	CHECK_MSG(sink && trc_pump(src, sink, 99, NULL, &err) == 0, "%s", err.text);
	trc_sink_close(sink);
	trc_source_close(src);
	return generate_file_bytes(path);
}

static size_t
frames_of(const struct generate_bytes *bytes, uint8_t kind)
{
	static struct trc_frame f[CONTAINER_FRAMES];
	size_t found = 0;

	for (size_t n = container_frames(bytes, f); n > 0; n--)
		found += f[n - 1].kind == kind;
	return found;
}

/* The index, and all that leads somewhere, hold for what was copied, too. */
static void
check_copy(const struct generate_bytes *bytes, const struct trc_batch *rows)
{
	const struct trc_batch last = container_slice(rows, 250, 50);
	struct container_got g;
	char why[128] = "";

	container_holds(bytes, "trc", rows);
	container_holds(bytes, "pipe", rows);
	container_read_from(bytes, "trc:threads=1", 99, 250, rows->n, &g);
	CHECK_MSG(g.ret == 0 && generate_same(&last, &g.rows, rows->have, why, sizeof(why)), "%s%s",
	          g.err.text, why);
	container_forget(&g);
	container_read(bytes, "trc:salvage", rows->n, &g);
	CHECK(g.ret == 0 && g.gaps == 0 && g.rows.n == rows->n);
	container_forget(&g);
}

/* Rows that are left out, at the start or the end, take no frames with them; only a pipe is not
 * read on behind the last row that is wanted. */
static void
a_part_has_what_may_be_copied(const struct generate_bytes *bytes, const char *how)
{
	for (int limited = 0; limited < 2 - (how[0] == 'p'); limited++) {
		struct trc_err err = { 0 };
		struct trc_source *src = container_open(bytes, how, &err);
		struct generate_bytes part;

		CHECK_MSG(src, "%s", err.text);
		src = trc_stage_range(src, limited ? 0 : 250, limited ? 10 : UINT64_MAX, &err);
		CHECK_MSG(src, "%s", err.text);
		part = write_from(src);
		CHECK_MSG(frames_of(&part, COPY) == 2, "%s %d: %zu", how, limited,
		          frames_of(&part, COPY));
		free(part.p);
	}
}

static void
what_may_be_copied_is_copied(void)
{
	static const uint8_t frame[] = { COPY, 7, 3, 'u', 's', 'e', PASS, 8, 1, '-', COPY, 9, 0 };
	struct trc_batch rows;
	struct trc_source *src;
	struct generate_bytes one, two, three;
	struct trc_frame f;
	struct trc_err err;

	generate_program_rows(&rows, &spec, test_seed);
	src = generate_source(&rows, 99);
	src->meta.copied = (struct trc_view){ frame, frame + sizeof(frame) };
	src->meta.fact[0] = (struct trc_fact){ 48, 5 };
	src->meta.fact[1] = (struct trc_fact){ 32, 6 };
	src->meta.fact[2] = (struct trc_fact){ 63, 7 };
	src->meta.facts = 3;
	one = write_from(src);
	check_copy(&one, &rows);
	CHECK(frames_of(&one, COPY) == 2 && frames_of(&one, PASS) == 1);
	two = write_from(container_open(&one, "pipe:threads=1", &err));
	check_copy(&two, &rows);
	CHECK(frames_of(&two, COPY) == 2 && frames_of(&two, PASS) == 0);
	a_part_has_what_may_be_copied(&two, "pipe:threads=1");
	a_part_has_what_may_be_copied(&two, "trc:threads=1");
	f = container_frame(&two, COPY, 0);
	CHECK(f.number == 7 && f.len == 3 && !memcmp(two.p + f.offset + f.head, "use", 3));
	src = container_open(&two, "trc:threads=1", &err);
	CHECK(src && src->meta.facts == 2);
	CHECK(src->meta.fact[0].number == 48 && src->meta.fact[0].value == 5);
	CHECK(src->meta.fact[1].number == 63 && src->meta.fact[1].value == 7);
	three = write_from(src);
	CHECK(three.len == two.len && memcmp(three.p, two.p, two.len) == 0);
	free(one.p);
	free(two.p);
	free(three.p);
	trc_batch_release(&rows);
}

int
main(void)
{
	frames_by_class();
	sections_by_class();
	ways_to_pack_by_version();
	facts_by_class();
	columns_by_class();
	what_may_be_copied_is_copied();
	return 0;
}
