/* SPDX-License-Identifier: MIT
 *
 * A text, and records of one size, worked on in chunks, by any number of threads, are the rows that
 * one reader has of them, with the same message where they are damaged: parts of files that threads
 * read themselves, bytes that are copied for them, and batches that are read by turns.
 */
#include <string.h>
#include <unistd.h>

#include "base/io/part.h"
#include "generate.h"
#include "stage/chunks.h"
#include "stage/filter.h"
#include "test.h"

/* Text of `lines` lines as people write din: carriage returns, comments, blank lines, a mark in
 * front, a line longer than a window, no newline at the end. */
static struct generate_bytes
make_text(struct generator *m, size_t lines)
{
	static const char *const end[] = { "\n", "\r\n", " \n", "\n\n", "\n# 0 zz\n" };
	struct generate_bytes text = { malloc(40 * lines + 300000), 0 };
	const size_t longest = generate_below(m, 2) ? generate_below(m, lines + 1) : lines;
	const bool mark = generate_below(m, 2), open = generate_below(m, 2);
	char *p = (char *)text.p;

	CHECK(p);
	if (mark)
		p += sprintf(p, "\xef\xbb\xbf");
	for (size_t i = 0; i < lines; i++) {
		if (i == longest) {
			*p++ = '#';
			memset(p, 'x', 200000);
			p += 200000;
			*p++ = '\n';
		}
		p += sprintf(p, "%u %llx%s", (unsigned)generate_below(m, 3),
		             (unsigned long long)generate_random(m) >> generate_below(m, 64),
		             end[generate_below(m, 20) ? 0 : generate_below(m, TRC_COUNT(end))]);
	}
	text.len = (size_t)(p - (char *)text.p) - (lines > 0 && open);
	return text;
}

/* A reader of the text: of a file, or of a pipe, of which nothing can be read again. With `addr`
 * rows are chosen. */
static struct trc_source *
open_text(const char *format, const char *addr, struct generate_bytes text, bool pipe)
{
	struct trc_in *in = generate_in(text.p, text.len, 1 + text.len / 7);
	struct trc_source *src;
	struct trc_err err;

	if (pipe) {
		trc_in_inner(in)->skip = NULL;
		trc_in_inner(in)->read_at = NULL;
	}
	src = trc_format_source(trc_format_named(format), NULL, in, &err);
	CHECK_MSG(src, "%s", err.text);
	if (addr)
		src = trc_stage_filter(src, &(const struct trc_filter){ .addr = addr }, &err);
	CHECK(src && src->slices && src->slices->copies == (pipe || text.len == 0));
	return src;
}

/* What came, and how it ended. */
struct outcome {
	struct trc_batch rows;
	struct trc_err err;
	int ret;
};

static void
append(struct outcome *o, const struct trc_batch *b)
{
	CHECK(o->rows.n + b->n <= o->rows.cap);
	trc_batch_append(&o->rows, b, 0, b->n);
}

static void
read_all(struct trc_source *src, struct outcome *o)
{
	enum trc_flow flow;
	struct trc_batch b;

	CHECK(trc_batch_init(&b, src->have, 1000, &o->err) == 0);
	while ((flow = trc_source_next(src, &b, &o->err)) == TRC_FLOW_ROWS)
		append(o, &b);
	o->ret = flow == TRC_FLOW_END ? 0 : -1;
	trc_batch_release(&b);
	trc_source_close(src);
}

/* Keeps the rows of a chunk. */
static int
keep(void *arg, struct trc_chunk *chunk, struct trc_err *err)
{
	const uint32_t *have = arg;
	struct trc_source *src = trc_chunk_source(chunk, *have, err);
	struct trc_batches *list = trc_alloc(1, sizeof(*list), err);
	enum trc_flow flow = TRC_FLOW_ROWS;
	uint64_t rows = 0;

	chunk->result = list;
	while (list && src && flow == TRC_FLOW_ROWS) {
		struct trc_batch *b = trc_batches_next(list, *have, err);

		flow = b ? trc_source_next(src, b, err) : TRC_FLOW_FAILED;
		list->n += flow == TRC_FLOW_ROWS;
		rows += b ? b->n : 0;
	}
	trc_source_close(src);
	CHECK(chunk->rows == rows);
	return flow == TRC_FLOW_END ? 0 : -1;
}

static void
forget(void *result)
{
	trc_batches_release(result);
	free(result);
}

static void
read_chunks(struct trc_source *src, size_t batches, uint64_t numbered, int threads,
            struct outcome *o)
{
	const struct trc_chunk_sizes sizes = { batches, batches, false, numbered };
	struct trc_chunks *chunks;
	struct trc_chunk *chunk;

	chunks = trc_chunks_open(src, sizes, threads, keep, forget, &src->have, &o->err);
	CHECK(chunks);
	while ((o->ret = trc_chunks_next(chunks, &chunk, &o->err)) == 0 && chunk) {
		const struct trc_batches *list = chunk->result;

		CHECK(o->rows.n < numbered ? chunk->before == o->rows.n :
		                             chunk->before >= numbered);
		for (size_t i = 0; i < list->n; i++)
			append(o, &list->batch[i]);
		forget(chunk->result);
		chunk->result = NULL;
	}
	trc_chunks_close(chunks);
	trc_source_close(src);
}

static struct outcome
outcome_of(const struct trc_source *src, size_t most)
{
	struct outcome o = { .rows = generate_zeros(src->have, most + 1) };

	o.rows.n = 0;
	return o;
}

/* With any number of threads, of files and of pipes. */
static void
check_rows(const char *format, const char *addr, struct generate_bytes text, size_t lines)
{
	static const uint64_t numbered[] = { 0, 1, 10000, UINT64_MAX };
	struct trc_source *src = open_text(format, addr, text, false);
	struct outcome one = outcome_of(src, lines);
	char why[256];

	read_all(src, &one);
	for (int threads = 1; threads <= 4; threads++)
		for (int pipe = 0; pipe <= 1; pipe++) {
			struct outcome all;

			src = open_text(format, addr, text, pipe);
			all = outcome_of(src, lines);
			read_chunks(src, 1 + (size_t)threads % 3, numbered[(threads + pipe) % 4],
			            threads, &all);
			CHECK(all.ret == one.ret);
			CHECK_MSG(all.ret ? strcmp(all.err.text, one.err.text) == 0 :
			                    all.rows.n == one.rows.n &&
			                            generate_same(&all.rows, &one.rows,
			                                          one.rows.have, why, sizeof(why)),
			          "%d threads: %s, not %s", threads, all.ret ? all.err.text : why,
			          one.ret ? one.err.text : "as one");
			trc_batch_release(&all.rows);
		}
	trc_batch_release(&one.rows);
}

/* All rows; many, few, and none of them. */
static void
check_text(const char *format, struct generate_bytes text, size_t lines)
{
	static const char *const addr[] = { NULL, "4096-", "0x123-0x1ff", "0xfffffffffffffffe" };

	for (size_t i = 0; i < TRC_COUNT(addr); i++)
		check_rows(format, addr[i], text, lines);
}

static void
all_threads_have_the_rows_of_one(void)
{
	static const size_t lines[] = { 0, 1, 4096, 4097, 30000, 80000 };
	struct generator m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(lines); i++) {
		struct generate_bytes text = make_text(&m, lines[i]);

		check_text("din", text, lines[i]);
		free(text.p);
	}
}

/* In the first batch, anywhere, and in what is copied at the end. */
static void
all_threads_name_the_line_that_is_bad(void)
{
	const size_t lines = 60000;
	struct generator m = { test_seed };

	for (size_t i = 0; i < 7; i++) {
		struct generate_bytes text = make_text(&m, lines);
		size_t at = i == 0 ? 100 : i < 3 ? text.len - 2 : generate_below(&m, text.len);

		text.len -= i == 1 && text.p[text.len - 1] == '\n';
		while (at > 0 && text.p[at - 1] != '\n')
			at--;
		text.p[at] = 'z';
		check_text("din", text, lines);
		free(text.p);
	}
}

/* Sound, with a byte changed, and cut short. */
static void
all_threads_have_the_records_of_one(void)
{
	static const char *const format[] = { "laplace-bin", "u64" };
	const size_t rows = 60000;
	struct generator m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(format); i++) {
		const struct trc_format *f = trc_format_named(format[i]);
		struct generate_bytes bytes;
		struct trc_batch made;
		struct trc_err err;

		generate_rows(&made,
		              &(const struct generate_spec){
		                      .have = f->holds,
		                      .rows = rows,
		                      .types = 1u << TRC_READ | 1u << TRC_WRITE,
		                      .bits = { [TRC_COL_ADDR] = 32, [TRC_COL_SIZE] = 8 } },
		              i);
		CHECK_MSG(generate_write(f, &made, 1000, NULL, &bytes, &err) == 0, "%s", err.text);
		check_text(format[i], bytes, rows);
		for (int k = 0; k < 3; k++) {
			bytes.p[generate_below(&m, bytes.len)] ^= 0xff;
			check_text(format[i], bytes, rows);
		}
		bytes.len -= 1 + generate_below(&m, bytes.len / 2);
		check_text(format[i], bytes, rows);
		trc_batch_release(&made);
		free(bytes.p);
	}
}

/* ---- parts ---- */

static const char *
write_text(struct generate_bytes text, const char *name)
{
	generate_file(generate_path(name), text.p, text.len);
	return generate_path(name);
}

/* Reads a part: the same bytes each time. */
static size_t
check_part(struct trc_in *part, const uint8_t *p, size_t len)
{
	const uint8_t *stop;
	struct trc_err err;
	size_t n = 0, all;

	for (int twice = 0; twice < 2; twice++) {
		for (all = n, n = 0;; part->p = stop) {
			CHECK_MSG(trc_in_lines(part, &stop, &err) == 0, "%s", err.text);
			if (stop == part->p)
				break;
			n += (size_t)(stop - part->p);
			CHECK(n <= len + 1 && memcmp(part->p, p + n - (size_t)(stop - part->p),
			                             (size_t)(stop - part->p) - (n > len)) == 0);
		}
		CHECK(twice == 0 || n == all);
		trc_part_again(part);
	}
	return n;
}

static void
parts_are_the_lines_of_a_file(void)
{
	struct generator m = { test_seed };
	struct generate_bytes text = make_text(&m, 40000);
	struct trc_in *in, *part;
	struct trc_err err;
	size_t at = 0, n;

	in = trc_in_open(write_text(text, "parts"), &err);
	part = in ? trc_part_open(in, &err) : NULL;
	CHECK(part && trc_part_left(in) == text.len);
	do {
		CHECK(trc_part_take(part, 1 + generate_below(&m, 100000), &err) == 0);
		n = check_part(part, text.p + at, text.len - at);
		at += n;
		CHECK(trc_part_left(in) == (at < text.len ? text.len - at : 0));
	} while (n > 0);
	CHECK(at == text.len + (text.p[text.len - 1] != '\n'));
	trc_in_close(part);
	trc_in_close(in);
	free(text.p);
}

static void
a_part_of_a_file_that_shrinks_is_refused(void)
{
	struct generator m = { test_seed };
	struct generate_bytes text = make_text(&m, 40000);
	const char *path = write_text(text, "parts");
	struct trc_in *in, *part;
	const uint8_t *stop;
	struct trc_err err;
	char why[128];
	int ret = 0;

	in = trc_in_open(path, &err);
	part = in ? trc_part_open(in, &err) : NULL;
	CHECK(part && trc_part_take(part, text.len - 50000, &err) == 0);
	CHECK(truncate(path, 100001) == 0);
	while (ret == 0 && (ret = trc_in_lines(part, &stop, &err)) == 0 && part->p < stop)
		part->p = stop;
	snprintf(why, sizeof(why), "was truncated to 100001 of %zu bytes", text.len);
	CHECK_MSG(ret == -1 && strstr(err.text, why), "%s", err.text);
	/* Nobody is to read what is left of it again. */
	CHECK(err.code == TRC_SYSTEM);
	trc_in_close(part);
	trc_in_close(in);
	free(text.p);
}

/* What was added by the time that its end is reached is read, too: a line that was half there is
 * one. */
static void
a_file_that_grows_is_read_to_its_end(void)
{
	static const char first[] = "0 10\n0 2", more[] = "0\n0 30\n";
	struct trc_in *in, *part;
	const uint8_t *stop;
	struct trc_err err;
	FILE *f;

	generate_file(generate_path("parts"), first, strlen(first));
	in = trc_in_open(generate_path("parts"), &err);
	part = in ? trc_part_open(in, &err) : NULL;
	CHECK(part && trc_part_take(part, 1, &err) == 0);
	CHECK(check_part(part, (const uint8_t *)first, 5) == 5);
	f = fopen(generate_path("parts"), "a");
	CHECK(f && fputs(more, f) >= 0 && fclose(f) == 0);
	CHECK(trc_part_take(part, 1, &err) == 0);
	CHECK(trc_in_lines(part, &stop, &err) == 0 && stop - part->p == 10 &&
	      memcmp(part->p, "0 20\n0 30\n", 10) == 0);
	trc_in_close(part);
	trc_in_close(in);
}

int
main(void)
{
	test_start();
	RUN(all_threads_have_the_rows_of_one);
	RUN(all_threads_name_the_line_that_is_bad);
	RUN(all_threads_have_the_records_of_one);
	RUN(parts_are_the_lines_of_a_file);
	RUN(a_part_of_a_file_that_shrinks_is_refused);
	RUN(a_file_that_grows_is_read_to_its_end);
	return 0;
}
