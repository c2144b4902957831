/* SPDX-License-Identifier: MIT
 * The native container: what goes in comes out, whatever the batches, threads and levels; damage is
 * found wherever it is, and a salvage loses no more than what was damaged. */
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <xxhash.h>

#include "batch/index.h"
#include "format/trc.h"
#include "format/trc_pack.h"
#include "make.h"
#include "stage/stage.h"
#include "test.h"

enum { GAPS = 64, FRAMES = 4096 };

/* ---- writing and reading ---- */

/* `rows` as a container of blocks of `block` rows, in batches of `cut`. */
static struct make_bytes
write_with(const struct trc_batch *rows, struct trc_container_to to, size_t cut)
{
	const char *path = make_path("container");
	const struct trc_meta meta = { .format = "din", .page_bits = 12 };
	struct trc_source *src = make_source(rows, cut);
	struct trc_err err;
	struct trc_out *out = trc_out_open(path, true, &err);
	struct trc_sink *sink;

	CHECK(out);
	src->meta = meta;
	sink = trc_container_sink(out, rows->have, &meta, &to, &err);
	CHECK_SAY(sink && trc_pump(src, sink, cut, NULL, &err) == 0, "%s", err.text);
	trc_sink_close(sink);
	trc_source_close(src);
	return make_file_bytes(path);
}

static struct make_bytes
write_blocks(const struct trc_batch *rows, size_t block)
{
	const struct trc_container_to to = { .block_rows = block, .threads = 1 };

	return write_with(rows, to, 999);
}

/* What came of reading a container. */
struct got {
	int ret;
	struct trc_err err;
	struct trc_batch rows;
	struct trc_meta meta;
	struct trc_gap gap[GAPS];
	size_t gaps;
};

static void
forget(struct got *g)
{
	trc_batch_release(&g->rows);
}

/* Opens a container; "pipe:ARGUMENTS" one that can only be read from front to back. */
static struct trc_source *
open_as(const struct make_bytes *bytes, const char *how, struct trc_err *err)
{
	return make_container(bytes->p, bytes->len, trc_format_arguments(how),
	                      strncmp(how, "pipe", 4) == 0, err);
}

/* Reads the rows of a source, and closes it, into room for `most`; more than that are a failure of
 * the test. */
static void
read_source(struct trc_source *src, size_t cut, size_t most, struct got *g)
{
	enum trc_flow flow;
	struct trc_batch b;

	CHECK(trc_batch_init(&b, src->have, cut, &g->err) == 0 &&
	      trc_batch_init(&g->rows, src->have, most + 1, &g->err) == 0);
	while ((flow = trc_source_next(src, &b, &g->err)) == TRC_FLOW_ROWS) {
		CHECK_SAY(b.n <= g->rows.cap - g->rows.n, "more than %zu rows", most);
		trc_batch_append(&g->rows, &b, 0, b.n);
	}
	g->ret = flow == TRC_FLOW_END ? 0 : -1;
	g->meta = src->meta;
	CHECK(flow != TRC_FLOW_END || src->meta.gaps <= GAPS);
	for (size_t i = 0; flow == TRC_FLOW_END && i < src->meta.gaps; i++)
		g->gap[g->gaps++] = src->meta.gap[i];
	trc_batch_release(&b);
	trc_source_close(src);
}

/* Reads rows from `skip` on. */
static void
read_from(const struct make_bytes *bytes, const char *how, size_t cut, uint64_t skip, size_t most,
	  struct got *g)
{
	struct trc_source *src;

	memset(g, 0, sizeof(*g));
	g->ret = -1;
	src = open_as(bytes, how, &g->err);
	if (!src)
		return;
	CHECK(skip == 0 || src->skip(src, skip, &g->err) == 0);
	read_source(src, cut, most, g);
}

static void
read_as(const struct make_bytes *bytes, const char *how, size_t most, struct got *g)
{
	read_from(bytes, how, 997, 0, most, g);
}

/* Rows [from, from + n) of `rows`, for looking at. */
static struct trc_batch
slice(const struct trc_batch *rows, size_t from, size_t n)
{
	struct trc_batch s = *rows;

	s.n = s.cap = n;
#define COLUMN(NAME, field, ctype, doc) s.field = rows->field ? rows->field + from : NULL;
#include "batch/columns.def"
#undef COLUMN
	return s;
}

/* Ends the test unless `bytes` hold exactly `rows`. */
static void
check_holds(const struct make_bytes *bytes, const char *how, const struct trc_batch *rows)
{
	struct got g;
	char say[128];

	read_as(bytes, how, rows->n, &g);
	CHECK_SAY(g.ret == 0, "%s: %s", how, g.err.text);
	CHECK(g.gaps == 0 && g.rows.have == rows->have);
	CHECK_SAY(make_same(rows, &g.rows, rows->have, say, sizeof(say)), "%s: %s", how, say);
	forget(&g);
}

/* True if what came are `rows` without the gaps, and the gaps are in order. Of columns, only those
 * that were read count. */
static bool
is_all_but_gaps(const struct got *g, const struct trc_batch *rows, char *say, size_t room)
{
	size_t at = 0, from = 0;

	for (size_t i = 0; i <= g->gaps; i++) {
		const bool last = i == g->gaps || g->gap[i].rows == UINT64_MAX;
		const size_t to = i == g->gaps ? rows->n : (size_t)g->gap[i].first;
		const size_t n = last && i < g->gaps ? g->rows.n - at : to - from;
		const struct trc_batch want = slice(rows, from, n);
		struct trc_batch came;

		if (to < from || to > rows->n || n > rows->n - from || n > g->rows.n - at) {
			snprintf(say, room, "rows %zu to %zu are neither there nor missing", from,
				 to);
			return false;
		}
		came = slice(&g->rows, at, n);
		if (!make_same(&want, &came, rows->have, say, room))
			return false;
		at += n;
		if (last)
			break;
		from = to + (size_t)g->gap[i].rows;
	}
	snprintf(say, room, "%zu rows came, %zu belong to the trace", g->rows.n, at);
	return at == g->rows.n;
}

/* Of how many places one is tried: all, or what TRC_TEST_STEP says where machines are slow. */
static size_t
step(void)
{
	const char *text = getenv("TRC_TEST_STEP");
	const long n = text ? atol(text) : 1;

	return n > 0 ? (size_t)n : 1;
}

/* ---- frames ---- */

static size_t
find_frames(const struct make_bytes *bytes, struct trc_frame *f)
{
	size_t n = 0;

	for (size_t at = 0; at < bytes->len; at += TRC_FRAME_HEAD + (size_t)f[n++].len) {
		CHECK(n < FRAMES && trc_frame_head(bytes->p + at, bytes->len - at, &f[n]));
		f[n].offset = at;
	}
	return n;
}

/* The `nth` frame of a kind, from 0. */
static struct trc_frame
frame_of(const struct make_bytes *bytes, uint8_t kind, size_t nth)
{
	static struct trc_frame f[FRAMES];
	const size_t n = find_frames(bytes, f);

	for (size_t i = 0; i < n; i++)
		if (f[i].kind == kind && nth-- == 0)
			return f[i];
	CHECK_SAY(false, "no such frame %c", kind);
	return f[0];
}

static struct make_bytes
copy_of(const struct make_bytes *bytes)
{
	struct make_bytes c = { malloc(bytes->len + 1), bytes->len };

	CHECK(c.p);
	memcpy(c.p, bytes->p, bytes->len);
	return c;
}

static struct make_bytes
joined(const struct make_bytes *a, const struct make_bytes *b)
{
	struct make_bytes c = { malloc(a->len + b->len), a->len + b->len };

	CHECK(c.p);
	if (a->len > 0)
		memcpy(c.p, a->p, a->len);
	memcpy(c.p + a->len, b->p, b->len);
	return c;
}

/* `bytes` without [from, from + n). */
static struct make_bytes
without(const struct make_bytes *bytes, size_t from, size_t n)
{
	struct make_bytes c = copy_of(bytes);

	memmove(c.p + from, c.p + from + n, c.len - from - n);
	c.len -= n;
	return c;
}

/* Makes the checks of a frame right again. */
static void
mend(struct make_bytes *bytes, const struct trc_frame *f)
{
	uint8_t *head = bytes->p + f->offset;

	trc_put_le64(head + 16, XXH3_64bits(head + TRC_FRAME_HEAD, (size_t)f->len));
	trc_put_le32(head + 24, (uint32_t)XXH3_64bits(head, 24));
}

/* ---- round trips ---- */

static const uint32_t subset[] = {
	TRC_HAS_TYPE | TRC_HAS_ADDR,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME | TRC_HAS_ASID,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_PC,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_ASID | TRC_HAS_PC,
	TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME,
	TRC_HAS_VPN,
	TRC_HAS_ADDR,
	TRC_HAS_ALL,
};

static const struct make_program program[] = {
	{ .rows = 2003, .ops = 50, .tasks = 1 },
	{ .rows = 2003, .ops = 600, .tasks = 5 },
	{ .rows = 2003, .ops = 40, .tasks = 100 },
	{ .rows = 2003, .ops = 40, .tasks = 3, .wild = 1 },
	{ .rows = 2003, .ops = 40, .tasks = 3, .wild = 2500 },
	{ .rows = 2003, .ops = 50, .tasks = 1, .data = true },
	{ .rows = 2003, .ops = 200, .tasks = 7, .data = true, .wild = 1200 },
	{ .rows = 1, .ops = 1, .tasks = 1 },
};

static void
for_each_program(void (*check)(const struct trc_batch *rows))
{
	for (size_t i = 0; i < TRC_COUNT(subset); i++)
		for (size_t k = 0; k < TRC_COUNT(program); k++) {
			struct make_program spec = program[k];
			struct trc_batch rows;

			spec.have = subset[i];
			make_program_rows(&rows, &spec, test_seed);
			check(&rows);
			trc_batch_release(&rows);
		}
}

static void
check_blocks(const struct trc_batch *rows)
{
	static const size_t block[] = { 1 << 16, 1000, 90 };

	for (size_t i = 0; i < TRC_COUNT(block); i++) {
		struct make_bytes bytes = write_blocks(rows, block[i]);

		check_holds(&bytes, "trc", rows);
		free(bytes.p);
	}
}

static void
rows_come_back_whatever_they_are(void)
{
	for_each_program(check_blocks);
}

static void
check_wild_rows(const struct trc_batch *program_rows)
{
	const struct make_spec spec = { .have = program_rows->have, .rows = 3000 };
	struct make_bytes bytes;
	struct trc_batch rows;

	make_rows(&rows, &spec, test_seed);
	bytes = write_blocks(&rows, 1000);
	check_holds(&bytes, "trc", &rows);
	trc_batch_release(&rows);
	free(bytes.p);
}

static void
rows_of_extremes_come_back(void)
{
	for (uint64_t i = 0; i < TRC_COUNT(subset); i++) {
		struct trc_batch rows = { .have = subset[i] };

		check_wild_rows(&rows);
	}
}

static void
batches_and_threads_do_not_show(void)
{
	static const size_t cut[] = { 1, 2, 7, 4096 };
	static const uint64_t threads[] = { 1, 2, 8 };
	struct make_program spec = { TRC_HAS_ALL, 3001, 60, 4, 0, false };
	struct trc_batch rows;
	struct make_bytes first;

	make_program_rows(&rows, &spec, test_seed);
	first = write_blocks(&rows, 700);
	for (size_t i = 0; i < TRC_COUNT(cut); i++) {
		struct got g;
		char say[128];

		read_from(&first, "trc:threads=2", cut[i], 0, rows.n, &g);
		CHECK_SAY(g.ret == 0 && make_same(&rows, &g.rows, rows.have, say, sizeof(say)),
			  "batches of %zu", cut[i]);
		forget(&g);
		for (size_t k = 0; k < TRC_COUNT(threads); k++) {
			const struct trc_container_to to = { .block_rows = 700,
							     .threads = threads[k],
							     .no_verify = k == 1 };
			struct make_bytes bytes = write_with(&rows, to, cut[i]);

			CHECK_SAY(bytes.len == first.len &&
					  memcmp(bytes.p, first.p, first.len) == 0,
				  "batches of %zu, %d threads", cut[i], (int)threads[k]);
			free(bytes.p);
		}
	}
	free(first.p);
	trc_batch_release(&rows);
}

/* ---- rows in any order ---- */

struct row_watch {
	struct trc_watch watch;
	size_t rows;
};

static int
watch_rows(struct trc_watch *watch, size_t rows, struct trc_err *err)
{
	(void)err;
	((struct row_watch *)watch)->rows += rows;
	return 0;
}

/* Counts what a container holds, which does not mind the order of rows: several threads do. */
static int
count_as(const struct make_bytes *bytes, const char *how, struct trc_counts *counts,
	 struct trc_err *err)
{
	struct row_watch watch = { { watch_rows }, 0 };
	struct trc_source *src = open_as(bytes, how, err);
	struct trc_sink *sink = trc_counts_sink(counts, TRC_COUNTS_PAGE_BITS, err);
	const int ret = src && sink ? trc_pump(src, sink, 997, &watch.watch, err) : -1;

	CHECK(ret || watch.rows == counts->rows);
	trc_source_close(src);
	trc_sink_close(sink);
	return ret;
}

static void
check_counts(const struct make_bytes *bytes, const char *how, const struct trc_batch *rows)
{
	struct trc_counter *c;
	struct trc_counts want, got;
	struct trc_err err;

	c = trc_counter_open(TRC_COUNTS_PAGE_BITS, 0, &err);
	CHECK(c && trc_counter_add(c, rows, &err) == 0);
	want = trc_counter_counts(c);
	trc_counter_close(c);
	CHECK_SAY(count_as(bytes, how, &got, &err) == 0, "%s", err.text);
	CHECK_SAY(!trc_counts_differ(&want, &got), "%s: %s", how, trc_counts_differ(&want, &got));
}

/* A sink for rows in any order, with room for so many in it and its twins. */
struct full_sink {
	struct trc_sink sink;
	atomic_size_t *room;
};

static int
full_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	const size_t n = atomic_fetch_sub(((struct full_sink *)sink)->room, b->n);

	return n < b->n || n > SIZE_MAX / 2 ? trc_fail(err, "full") : 0;
}

static int
full_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	(void)sink, (void)meta, (void)err;
	return 0;
}

static int
full_join(struct trc_sink *sink, const struct trc_sink *twin, struct trc_err *err)
{
	(void)sink, (void)twin, (void)err;
	return 0;
}

static void
full_close(struct trc_sink *sink)
{
	free(sink);
}

static struct trc_sink *
full_twin(struct trc_sink *sink, struct trc_err *err)
{
	struct full_sink *s = trc_alloc(1, sizeof(*s), err);

	CHECK(s);
	*s = *(struct full_sink *)sink;
	return &s->sink;
}

/* Who waits for a block that another thread has is not left waiting. */
static void
a_full_sink_ends_all_threads(void)
{
	const struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 60000, 200, 1, 0, false };
	struct make_bytes bytes;
	struct trc_batch rows;

	make_program_rows(&rows, &spec, test_seed);
	bytes = write_blocks(&rows, 4000);
	for (size_t room = 0; room <= rows.n; room += room < 100 ? 50 : 3300) {
		atomic_size_t left = room;
		struct full_sink sink = { { .put = full_put,
			                    .finish = full_finish,
			                    .close = full_close,
			                    .twin = full_twin,
			                    .join = full_join },
			                  &left };
		struct trc_err err;
		struct trc_source *src = open_as(&bytes, "trc:threads=4", &err);

		CHECK(src && src->lanes == 4);
		CHECK(trc_pump(src, &sink.sink, 300, NULL, &err) == -1 || room == rows.n);
		CHECK(room == rows.n || strcmp(err.text, "full") == 0);
		trc_source_close(src);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Enough rows for blocks to be unpacked ahead of who reads them. */
static void
blocks_ahead_do_not_show(void)
{
	static const char *const how[] = { "trc:threads=1", "trc:threads=2", "trc:threads=3",
		                           "trc:threads=9" };
	const struct make_program spec[] = {
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 120000, 900, 1, 0, false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_TIME,
		  120000, 300, 3, 0, false },
		{ TRC_HAS_ALL, 60000, 60, 2, 50000, false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_PC, 60000, 300, 1, 0, true },
		{ TRC_HAS_ADDR | TRC_HAS_TASK, 60000, 300, 3, 0, true },
	};

	for (size_t i = 0; i < TRC_COUNT(spec); i++) {
		struct make_bytes bytes;
		struct trc_batch rows;

		make_program_rows(&rows, &spec[i], test_seed);
		bytes = write_blocks(&rows, 5000);
		for (size_t k = 0; k < TRC_COUNT(how); k++) {
			check_holds(&bytes, how[k], &rows);
			check_counts(&bytes, how[k], &rows);
		}
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

/* Spoils a byte in the middle of the `nth` frame. */
struct harm {
	size_t nth, frames;
};

static void
spoil(void *arg, uint8_t kind, struct trc_buf *payload)
{
	struct harm *h = arg;

	(void)kind;
	if (h->frames++ == h->nth)
		payload->p[payload->n / 2] ^= 0x10;
}

static int
pack_with_harm(const struct trc_batch *rows, struct harm *harm, bool verify, struct trc_err *err)
{
	struct trc_out *out = trc_out_open(make_path("harm"), true, err);
	const struct trc_pack_settings set = { .level = 6, .threads = 1, .verify = verify,
		                               .block_rows = rows->n, .harm = spoil,
		                               .harm_arg = harm };
	struct trc_block_packer *p = trc_block_packer_open(out, rows->have, &set, err);
	bool fresh;
	int ret;

	CHECK(out && p);
	ret = trc_block_packer_block(p, rows, 0, &fresh, err);
	trc_block_packer_close(p);
	trc_out_close(out);
	return ret;
}

/* Every frame is read back before it is written: the program, references, columns. */
static void
what_is_written_wrong_is_not_written(void)
{
	struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME,
				     2000, 60, 1, 0, false };
	struct harm harm = { .nth = SIZE_MAX };
	struct trc_batch rows;
	struct trc_err err;
	size_t frames;

	make_program_rows(&rows, &spec, test_seed);
	CHECK(pack_with_harm(&rows, &harm, true, &err) == 0);
	frames = harm.frames;
	CHECK(frames == 3);
	for (size_t i = 0; i < frames; i++) {
		harm = (struct harm){ .nth = i };
		CHECK_SAY(pack_with_harm(&rows, &harm, true, &err) == -1 &&
		                  strstr(err.text, "did not come back as it was"),
		          "frame %zu", i);
		harm = (struct harm){ .nth = i };
		CHECK(pack_with_harm(&rows, &harm, false, &err) == 0);
	}
	trc_batch_release(&rows);
}

static void
levels_decode_alike(void)
{
	struct make_program spec = { TRC_HAS_ALL, 5000, 300, 4, 3000, false };
	struct trc_batch rows;

	make_program_rows(&rows, &spec, test_seed);
	for (uint64_t level = 0; level <= 9; level++) {
		const struct trc_container_to to = { .level = 1 + level, .block_rows = 900 };
		struct make_bytes bytes = write_with(&rows, to, 4096);

		check_holds(&bytes, "trc", &rows);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

/* The trace of a program whose numbers of ops and edges are those of others, but not its code. */
static void
make_ring(struct trc_batch *b, uint64_t pc, size_t start)
{
	struct trc_err err;

	CHECK(trc_batch_init(b, TRC_HAS_TYPE | TRC_HAS_ADDR, 300, &err) == 0);
	for (; b->n < b->cap; b->n++) {
		b->type[b->n] = TRC_FETCH;
		b->addr[b->n] = pc + 4 * ((start + b->n) % 10);
	}
}

/* A program that begins anew is another, even if it has as many ops and edges. */
static void
programs_of_one_size_are_told_apart(void)
{
	struct trc_batch all, ring[5];
	struct make_bytes bytes = { NULL, 0 }, one, more;
	struct trc_err err;

	CHECK(trc_batch_init(&all, TRC_HAS_TYPE | TRC_HAS_ADDR, 1500, &err) == 0);
	for (size_t i = 0; i < TRC_COUNT(ring); i++) {
		make_ring(&ring[i], 4096 * (i + 1), i);
		trc_batch_append(&all, &ring[i], 0, ring[i].n);
		one = write_blocks(&ring[i], 1000);
		more = joined(&bytes, &one);
		free(bytes.p);
		free(one.p);
		bytes = more;
		trc_batch_release(&ring[i]);
	}
	check_holds(&bytes, "trc", &all);
	free(bytes.p);
	trc_batch_release(&all);
}

/* The same where the writer begins anew by itself, every 16 blocks. */
static void
programs_begin_anew_at_another_place(void)
{
	struct make_bytes bytes;
	struct trc_batch ring, rows;
	struct trc_err err;

	make_ring(&ring, 4096, 0);
	CHECK(trc_batch_init(&rows, ring.have, 1500, &err) == 0);
	for (int i = 0; i < 5; i++)
		trc_batch_append(&rows, &ring, 0, ring.n);
	bytes = write_blocks(&rows, 33);
	check_holds(&bytes, "trc", &rows);
	free(bytes.p);
	trc_batch_release(&rows);
	trc_batch_release(&ring);
}

static const char *const ways[] = { "trc", "trc:threads=1", "pipe" };

/* Ends the test unless skipping leaves out rows, and no others, wherever it leads. */
static void
check_skips(const struct make_bytes *bytes, const struct trc_batch *rows, size_t block)
{
	struct got g;
	char say[128];

	for (size_t at = 0; at <= rows->n; at += block)
		for (int k = 0; k < 5 * (int)TRC_COUNT(ways); k++) {
			const char *way = ways[k / 5];
			const size_t n = at + (size_t)(k % 5) - 2;
			struct trc_batch want;

			if (n > rows->n + 2)
				continue;
			want = n < rows->n ? slice(rows, n, rows->n - n) : slice(rows, 0, 0);
			read_from(bytes, way, 77, n, rows->n, &g);
			CHECK_SAY(g.ret == 0, "%s, skip %zu: %s", way, n, g.err.text);
			CHECK_SAY(make_same(&want, &g.rows, rows->have, say, sizeof(say)),
				  "%s, skip %zu: %s", way, n, say);
			forget(&g);
		}
	for (size_t i = 0; i < TRC_COUNT(ways); i++) {
		read_from(bytes, ways[i], 77, UINT64_MAX, rows->n, &g);
		CHECK(g.ret == 0 && g.rows.n == 0);
		forget(&g);
	}
}

static void
skipping_is_leaving_out(void)
{
	struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME | TRC_HAS_TASK,
				     3000, 60, 3, 1800, false };
	struct make_bytes once, bytes;
	struct trc_batch rows, some;
	struct trc_err err;

	make_program_rows(&some, &spec, test_seed);
	CHECK(trc_batch_init(&rows, some.have, 2 * some.n, &err) == 0);
	trc_batch_append(&rows, &some, 0, some.n);
	trc_batch_append(&rows, &some, 0, some.n);
	once = write_blocks(&some, 500);
	bytes = joined(&once, &once);
	check_skips(&bytes, &rows, 500);
	free(once.p);
	free(bytes.p);
	trc_batch_release(&rows);
	trc_batch_release(&some);
}

/* References that are passed over leave the slots of the part before them old. */
static void
skipped_references_make_slots_old(void)
{
	struct make m = { test_seed };
	struct make_bytes bytes;
	struct trc_batch rows;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, TRC_HAS_TYPE | TRC_HAS_ADDR, 4000, &err) == 0);
	for (; rows.n < rows.cap; rows.n++) {
		const bool fetch = rows.n % 2 == 0;

		rows.type[rows.n] = fetch ? TRC_FETCH : TRC_READ;
		rows.addr[rows.n] = fetch ? 4096 + rows.n % 10 : make_below(&m, 1 << 20);
	}
	/* Anew every 16 blocks: what is skipped to lies before and behind that. */
	bytes = write_blocks(&rows, 100);
	check_skips(&bytes, &rows, 100);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Times of blocks of 100 rows that overlap, jump, and run back. */
static void
make_times(struct trc_batch *b)
{
	struct make m = { test_seed };

	for (size_t i = 0; i < b->n; i++)
		b->time[i] = 1000 * (i / 100 * 7 % 20) + make_below(&m, 1500);
}

/* Rows within a time are those that are; where an index tells, others are not even read. */
static void
windows_of_time_are_exact(void)
{
	static const uint64_t window[][2] = { { 0, UINT64_MAX }, { 0, 0 },       { 500, 2300 },
					      { 7000, 7000 },    { 9000, 9999 }, { 19000, 19500 },
					      { 21000, 30000 } };
	struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME,
				     2000, 60, 1, 0, false };
	struct trc_batch rows, two, want;
	struct make_bytes once, bytes;
	struct trc_err err;

	make_program_rows(&rows, &spec, test_seed);
	make_times(&rows);
	once = write_blocks(&rows, 100);
	bytes = joined(&once, &once);
	CHECK(trc_batch_init(&two, rows.have, 2 * rows.n, &err) == 0);
	CHECK(trc_batch_init(&want, rows.have, 2 * rows.n, &err) == 0);
	trc_batch_append(&two, &rows, 0, rows.n);
	trc_batch_append(&two, &rows, 0, rows.n);
	for (size_t i = 0; i < TRC_COUNT(window) * TRC_COUNT(ways); i++) {
		const char *way = ways[i % TRC_COUNT(ways)];
		const uint64_t *w = window[i / TRC_COUNT(ways)];
		struct trc_source *src = open_as(&bytes, way, &err);
		struct got g = { .ret = -1 };
		char say[128];

		trc_batch_clear(&want);
		for (size_t k = 0; k < two.n; k++)
			if (two.time[k] >= w[0] && two.time[k] <= w[1])
				trc_batch_append(&want, &two, k, 1);
		CHECK(src && src->within(src, w[0], w[1], &err) == 0);
		read_source(src, 77, two.n, &g);
		CHECK_SAY(g.ret == 0, "%s: %s", way, g.err.text);
		CHECK(g.rows.n == two.n || (i % TRC_COUNT(ways) < 2 && w[1] - w[0] < UINT64_MAX));
		CHECK(g.rows.n < two.n || i % TRC_COUNT(ways) == 2 || want.n == two.n);
		forget(&g);
		src = open_as(&bytes, way, &err);
		src = trc_stage_times(src, w[0], w[1], &err);
		CHECK(src);
		read_source(src, 77, two.n, &g);
		CHECK(g.ret == 0);
		CHECK_SAY(make_same(&want, &g.rows, rows.have, say, sizeof(say)), "%s: %s", way,
			  say);
		forget(&g);
	}
	free(once.p);
	free(bytes.p);
	trc_batch_release(&want);
	trc_batch_release(&two);
	trc_batch_release(&rows);
}

/* Whoever reads a block sees that the index tells wrong times of it; its checksum is good. */
static void
an_index_that_lies_about_times_is_found(void)
{
	struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME,
				     2000, 60, 1, 0, false };
	struct trc_batch rows;
	struct make_bytes bytes;
	struct trc_frame index;
	struct trc_source *src;
	struct trc_err err;
	struct got g;

	make_program_rows(&rows, &spec, test_seed);
	make_times(&rows);
	bytes = write_blocks(&rows, 100);
	index = frame_of(&bytes, TRC_KIND_INDEX, 0);
	/* Last of all stands how far the times of the last block reach. */
	bytes.p[index.offset + TRC_FRAME_HEAD + index.len - 1] ^= 1;
	mend(&bytes, &index);
	for (int within = 0; within < 2; within++) {
		const struct trc_index *seen = NULL;

		src = open_as(&bytes, "trc", &err);
		CHECK(src && (within ? src->within(src, 1, UINT64_MAX, &err) :
		                       src->index(src, &seen, &err)) == 0);
		read_source(src, 77, rows.n, &g);
		CHECK(g.ret != 0 && strstr(g.err.text, "other times"));
		forget(&g);
	}
	/* Without an index, and in a salvage, all is there. */
	check_holds(&bytes, "pipe", &rows);
	src = open_as(&bytes, "trc:salvage", &err);
	CHECK(src && src->within(src, 0, UINT64_MAX, &err) == 0);
	read_source(src, 77, rows.n, &g);
	CHECK(g.ret == 0 && g.rows.n == rows.n);
	forget(&g);
	free(bytes.p);
	trc_batch_release(&rows);
}

static bool
same_counts(const struct trc_counts *a, const struct trc_counts *b)
{
	return a->rows == b->rows && a->refs == b->refs && a->by_kernel == b->by_kernel &&
	       memcmp(a->by_type, b->by_type, sizeof(a->by_type)) == 0 &&
	       a->addr_first == b->addr_first && a->addr_last == b->addr_last &&
	       a->time_first == b->time_first && a->time_last == b->time_last &&
	       a->distinct == b->distinct && a->pages == b->pages && a->spaces == b->spaces &&
	       a->tasks == b->tasks;
}

/* What there is, counted. */
static struct trc_counts
count_rows(const struct trc_batch *rows)
{
	struct trc_counter *c;
	struct trc_counts counts;
	struct trc_err err;

	c = trc_counter_open(TRC_COUNTS_PAGE_BITS, 0, &err);
	CHECK(c && trc_counter_add(c, rows, &err) == 0);
	counts = trc_counter_counts(c);
	trc_counter_close(c);
	return counts;
}

static void
check_index(const struct trc_batch *rows)
{
	struct make_bytes once = write_blocks(rows, 300), bytes = joined(&once, &once);
	struct trc_counts counts = count_rows(rows);
	const struct trc_index *index = NULL;
	struct trc_source *src;
	struct trc_err err;
	uint64_t at = 0;

	src = open_as(&once, "trc", &err);
	CHECK(src && src->index(src, &index, &err) == 0 && index);
	CHECK(same_counts(&index->counts, &counts));
	CHECK(strcmp(index->meta.format, "din") == 0 && index->meta.page_bits == 12);
	trc_source_close(src);
	src = open_as(&bytes, "trc", &err);
	CHECK(src && src->index(src, &index, &err) == 0 && index);
	CHECK(index->counts.rows == 2 * rows->n && !index->counts.distinct);
	CHECK(index->counts.refs == 2 * counts.refs);
	CHECK(index->counts.addr_last == counts.addr_last);
	for (size_t i = 0; i < index->parts; i++) {
		const struct trc_part *p = &index->part[i];

		CHECK(p->first == at && p->rows > 0 && p->rows <= 300);
		CHECK(i == 0 || p->at >= p[-1].at + p[-1].bytes);
		CHECK(p->at + p->bytes < bytes.len);
		at += p->rows;
	}
	CHECK(at == 2 * rows->n);
	trc_source_close(src);
	src = open_as(&bytes, "pipe", &err);
	CHECK(src && src->index(src, &index, &err) == 0 && !index);
	trc_source_close(src);
	free(once.p);
	free(bytes.p);
}

static void
indexes_tell_what_there_is(void)
{
	for_each_program(check_index);
}

static void
memory_beyond_the_limit_is_refused(void)
{
	struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 100, 60, 1, 0, false };
	struct make_bytes bytes;
	struct trc_batch rows;
	struct got g;

	make_program_rows(&rows, &spec, test_seed);
	bytes = write_blocks(&rows, 0);
	read_as(&bytes, "trc:memlimit=100MiB", rows.n, &g);
	CHECK_SAY(g.ret == -1 && strstr(g.err.text, "--memlimit raises it"), "%s", g.err.text);
	check_holds(&bytes, "trc:memlimit=1GiB", &rows);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* The largest program that a block may refer to has its limit, too. */
static void
large_programs_beyond_the_limit_are_refused(void)
{
	struct trc_batch rows = make_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, 100000);
	struct make m = { test_seed };
	struct make_bytes bytes;
	struct got g;

	for (size_t i = 0; i < rows.n; i++) {
		rows.type[i] = i % 2 ? TRC_READ : TRC_FETCH;
		rows.addr[i] = i % 2 ? make_below(&m, 1 << 20) : 4096 + i % 50000 * 2;
	}
	bytes = write_blocks(&rows, 100000);
	read_as(&bytes, "trc:memlimit=110MiB", rows.n, &g);
	CHECK_SAY(g.ret == -1 && strstr(g.err.text, "--memlimit raises it"), "%s", g.err.text);
	CHECK_SAY(strstr(g.err.text, "program needs"), "%s", g.err.text);
	forget(&g);
	check_holds(&bytes, "trc:memlimit=160MiB", &rows);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* A header of a few bytes that asks for the largest blocks of all columns. */
static void
what_is_refused_takes_no_memory(void)
{
	struct make_bytes bytes;
	struct trc_batch rows = make_zeros(TRC_HAS_ALL, 1);
	struct rusage before, after;
	struct trc_source *src;
	struct trc_err err;
	struct rlimit old, low;

	bytes = write_blocks(&rows, 0);
	CHECK(getrusage(RUSAGE_SELF, &before) == 0);
	src = open_as(&bytes, "trc:memlimit=64MiB", &err);
	CHECK_SAY(!src && strstr(err.text, "--memlimit raises it"), "%s", err.text);
	CHECK(getrusage(RUSAGE_SELF, &after) == 0);
	CHECK(after.ru_maxrss - before.ru_maxrss < 4096);
	/* Where there is no memory at all, that is what is said. */
	if (!test_sanitized()) {
		CHECK(getrlimit(RLIMIT_AS, &old) == 0);
		low = old;
		low.rlim_cur = 1 << 20;
		CHECK(setrlimit(RLIMIT_AS, &low) == 0);
		src = open_as(&bytes, "trc", &err);
		CHECK(setrlimit(RLIMIT_AS, &old) == 0);
		CHECK_SAY(src || err.code == TRC_NO_MEMORY, "%s", err.text);
		trc_source_close(src);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* A block as large as it can be, and what is behind it. */
static void
full_blocks_come_back(void)
{
	const size_t n = (size_t)TRC_BLOCK_MOST + 1;
	struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, n, 500, 1, 0, false };
	const struct trc_container_to to = { .level = 1 + 7, .no_verify = true };
	const struct trc_index *index = NULL;
	struct make_bytes bytes;
	struct trc_source *src;
	struct trc_batch rows, last;
	struct trc_err err;
	struct got g;
	char say[128];

	if (step() > 1)
		return;
	make_program_rows(&rows, &spec, test_seed);
	bytes = write_with(&rows, to, 4096);
	check_holds(&bytes, "trc", &rows);
	src = open_as(&bytes, "trc", &err);
	CHECK(src && src->index(src, &index, &err) == 0 && index && index->parts == 2);
	CHECK(index->part[0].rows == TRC_BLOCK_MOST && index->part[1].rows == 1);
	trc_source_close(src);
	last = slice(&rows, n - 3, 3);
	read_from(&bytes, "trc", 4096, n - 3, 3, &g);
	CHECK(g.ret == 0 && make_same(&last, &g.rows, rows.have, say, sizeof(say)));
	forget(&g);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* ---- damage ---- */

/* Three blocks of two tasks, small enough to try each bit. */
static struct make_bytes
make_small(struct trc_batch *rows)
{
	struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK,
				     90, 8, 2, 0, false };

	make_program_rows(rows, &spec, test_seed);
	return write_blocks(rows, 30);
}

/* Damaged bytes are refused; what came before are the first rows. A salvage tells what it lacks. */
static void
check_damage(const struct make_bytes *bytes, const struct trc_batch *rows, size_t place)
{
	struct trc_batch first;
	struct got g;
	char say[128] = "";

	read_as(bytes, "trc:threads=1", rows->n, &g);
	CHECK_SAY(g.ret == -1, "damage at %zu is not seen", place);
	first = slice(rows, 0, g.rows.n);
	CHECK_SAY(!g.rows.mem || (g.rows.have == rows->have &&
				  make_same(&first, &g.rows, rows->have, say, sizeof(say))),
		  "damage at %zu: %s", place, say);
	forget(&g);
	read_as(bytes, "trc:salvage,threads=1", rows->n, &g);
	CHECK_SAY(g.ret == -1 || is_all_but_gaps(&g, rows, say, sizeof(say)),
		  "salvage of damage at %zu: %s", place, say);
	forget(&g);
	/* Who skips does not see all damage, but gets no wrong rows. */
	read_from(bytes, "trc:threads=1", 997, rows->n / 2, rows->n, &g);
	first = slice(rows, rows->n / 2, g.rows.n);
	CHECK_SAY(g.ret == -1 || (g.rows.n == rows->n - rows->n / 2 &&
				  make_same(&first, &g.rows, rows->have, say, sizeof(say))),
		  "damage at %zu, skipping: %s", place, say);
	forget(&g);
}

/* Pages and their times, as a reduced trace has them: sections of rows and of columns. */
static struct make_bytes
make_small_pages(struct trc_batch *rows)
{
	const struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME |
						   TRC_HAS_RTIME | TRC_HAS_ASID | TRC_HAS_PC,
					   60, 8, 2, 0, false };
	const struct trc_container_to to = { .block_rows = 30, .threads = 1, .level = 1 };

	make_program_rows(rows, &spec, test_seed);
	return write_with(rows, to, 999);
}

static void
flip_bits(struct make_bytes bytes, struct trc_batch *rows, size_t every)
{
	for (size_t bit = 0; bit < 8 * bytes.len; bit += every) {
		bytes.p[bit / 8] ^= (uint8_t)(1 << bit % 8);
		check_damage(&bytes, rows, bit / 8);
		bytes.p[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	free(bytes.p);
	trc_batch_release(rows);
}

static void
each_bit_flip_is_found(void)
{
	struct trc_batch rows;

	flip_bits(make_small(&rows), &rows, step());
	flip_bits(make_small_pages(&rows), &rows, 3 * step());
}

static void
each_cut_is_found(void)
{
	struct trc_batch rows;
	const struct make_bytes bytes = make_small(&rows);

	for (size_t len = 0; len < bytes.len; len += step()) {
		const struct make_bytes cut = { bytes.p, len };

		check_damage(&cut, &rows, len);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Frames that are lost without a trace, one or several in a row. */
static void
each_lost_frame_is_found(void)
{
	static struct trc_frame f[FRAMES];
	struct trc_batch rows;
	struct make_bytes bytes = make_small(&rows);
	const size_t n = find_frames(&bytes, f);

	for (size_t from = 0; from < n; from++)
		for (size_t to = from + 1; to < n; to++) {
			struct make_bytes lost =
				without(&bytes, (size_t)f[from].offset,
					(size_t)(f[to].offset - f[from].offset));

			check_damage(&lost, &rows, (size_t)f[from].offset);
			free(lost.p);
		}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* What a salvage finds if a frame is damaged. */
static void
check_salvage(const struct make_bytes *bytes, const struct trc_batch *rows, uint8_t kind,
	      size_t nth, const struct trc_gap *gap, size_t gaps)
{
	const struct trc_frame f = frame_of(bytes, kind, nth);

	for (int way = 0; way < 3; way++) {
		struct make_bytes bad = copy_of(bytes);
		char say[128];
		struct got g;

		/* Its header, its last byte, all of it. */
		if (way == 0)
			bad.p[f.offset + 1] ^= 1;
		else if (way == 1)
			bad.p[f.offset + TRC_FRAME_HEAD + f.len - 1] ^= 0x80;
		else
			memset(bad.p + f.offset, 0xf5, TRC_FRAME_HEAD + (size_t)f.len);
		read_as(&bad, "trc:salvage", rows->n, &g);
		CHECK_SAY(g.ret == 0, "%c %zu: %s", kind, nth, g.err.text);
		CHECK_SAY(is_all_but_gaps(&g, rows, say, sizeof(say)), "%c %zu: %s", kind, nth,
			  say);
		CHECK_SAY(g.gaps == gaps, "%c %zu: %zu gaps", kind, nth, g.gaps);
		for (size_t i = 0; i < gaps; i++)
			CHECK_SAY(g.gap[i].first == gap[i].first && g.gap[i].rows == gap[i].rows,
				  "%c %zu: gap %zu at %d of %d", kind, nth, i, (int)g.gap[i].first,
				  (int)g.gap[i].rows);
		forget(&g);
		free(bad.p);
	}
}

static void
a_salvage_loses_what_is_damaged_and_no_more(void)
{
	struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
				     4000, 30, 1, 0, false };
	const struct trc_gap third = { 200, 100 };
	const struct trc_gap program_lost = { 0, 1600 };
	struct make_bytes bytes;
	struct trc_batch rows;

	make_program_rows(&rows, &spec, test_seed);
	bytes = write_blocks(&rows, 100);
	check_salvage(&bytes, &rows, TRC_KIND_TRACE, 0, NULL, 0);
	check_salvage(&bytes, &rows, TRC_KIND_BLOCK, 2, &third, 1);
	check_salvage(&bytes, &rows, TRC_KIND_REFS, 2, &third, 1);
	check_salvage(&bytes, &rows, TRC_KIND_REFS, 0, &(struct trc_gap){ 0, 100 }, 1);
	check_salvage(&bytes, &rows, TRC_KIND_BLOCK, 39, &(struct trc_gap){ 3900, 100 }, 1);
	check_salvage(&bytes, &rows, TRC_KIND_PROGRAM, 0, &program_lost, 1);
	check_salvage(&bytes, &rows, TRC_KIND_INDEX, 0, NULL, 0);
	check_salvage(&bytes, &rows, TRC_KIND_END, 0, NULL, 0);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Pages that loop, with other ways through now and then: a column that goes on from block to
 * block. */
static void
make_pages(struct trc_batch *rows, size_t n)
{
	struct make m = { test_seed };
	struct trc_err err;

	CHECK(trc_batch_init(rows, TRC_HAS_VPN, n, &err) == 0);
	for (size_t at = 0; rows->n < n; rows->n++) {
		rows->vpn[rows->n] = at * UINT64_C(0x9e3779b97f4a7c15) >> 12;
		at = make_below(&m, 3) ? (at + 1) % 9 : make_below(&m, 9);
	}
}

/* What goes on from what was lost is lost, too, up to where the pages begin anew; of a block that
 * was lost behind its pages, nothing else is. */
static void
pages_go_on_for_some_blocks(void)
{
	const struct trc_gap second = { 400, 2800 }, last = { 7800, 200 }, third = { 400, 200 };
	struct make_bytes bytes;
	struct trc_batch rows;

	make_pages(&rows, 8000);
	bytes = write_blocks(&rows, 200);
	check_holds(&bytes, "trc", &rows);
	check_holds(&bytes, "pipe", &rows);
	check_salvage(&bytes, &rows, TRC_KIND_TRACE, 0, NULL, 0);
	check_salvage(&bytes, &rows, TRC_KIND_PAGES, 2, &second, 1);
	check_salvage(&bytes, &rows, TRC_KIND_PAGES, 39, &last, 1);
	check_salvage(&bytes, &rows, TRC_KIND_BLOCK, 2, &third, 1);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Whoever skips reads the pages before, as far as what is wanted goes on from them. */
static void
skipped_pages_are_gone_on_from(void)
{
	static const uint64_t skip[] = {
		1, 199, 200, 1555, 3199, 3200, 3201, 7999, 8000, 9999, 10000,
	};
	static const char *const how[] = { "trc", "pipe" };
	struct trc_batch rows, some;
	struct make_bytes one, two, bytes;

	make_pages(&rows, 16000);
	rows.n = 8000;
	one = write_blocks(&rows, 200);
	some = slice(&rows, 0, 2200);
	two = write_blocks(&some, 200);
	bytes = joined(&one, &two);
	trc_batch_append(&rows, &some, 0, some.n);
	for (size_t i = 0; i < TRC_COUNT(skip); i++)
		for (size_t h = 0; h < TRC_COUNT(how); h++) {
			const struct trc_batch rest =
				slice(&rows, (size_t)skip[i], rows.n - (size_t)skip[i]);
			struct got g;

			read_from(&bytes, how[h], 333, skip[i], rows.n, &g);
			CHECK_SAY(g.ret == 0, "%s", g.err.text);
			CHECK_SAY(g.rows.n == rest.n &&
			                  memcmp(g.rows.vpn, rest.vpn,
			                         rest.n * sizeof(*rest.vpn)) == 0,
			          "%s from %d", how[h], (int)skip[i]);
			forget(&g);
		}
	free(one.p);
	free(two.p);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* More different pages than the table of a column that goes on has room for. */
static void
pages_begin_anew_where_there_are_too_many(void)
{
	struct make_bytes bytes;
	struct trc_batch rows;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, TRC_HAS_VPN, 200000, &err) == 0);
	for (; rows.n < rows.cap; rows.n++)
		rows.vpn[rows.n] = rows.n / 40000 * 30000 + rows.n % 40000 * rows.n % 30000;
	bytes = write_blocks(&rows, 40000);
	check_holds(&bytes, "trc", &rows);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Pages that lie about what they go on from, or come twice, or behind the last block. */
static void
pages_that_do_not_belong_are_refused(void)
{
	struct make_bytes bytes, lost;
	struct trc_frame pages;
	struct trc_batch rows;
	struct got g;

	make_pages(&rows, 2000);
	bytes = write_blocks(&rows, 200);
	pages = frame_of(&bytes, TRC_KIND_PAGES, 3);
	lost = without(&bytes, (size_t)pages.offset, TRC_FRAME_HEAD + (size_t)pages.len);
	read_as(&lost, "pipe", rows.n, &g);
	CHECK_SAY(g.ret == -1 && strstr(g.err.text, "pages of a block are damaged or missing"),
	          "%s", g.err.text);
	forget(&g);
	free(lost.p);
	/* Columns, the column, rows before: each in one byte, the last in two. */
	for (size_t at = 0; at < 4; at++) {
		struct make_bytes bad = copy_of(&bytes);

		bad.p[pages.offset + TRC_FRAME_HEAD + at] ^= 1;
		mend(&bad, &pages);
		read_as(&bad, "trc", rows.n, &g);
		CHECK_SAY(g.ret == -1, "byte %zu", at);
		forget(&g);
		free(bad.p);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* References that stand right behind a part of the program, and are lost, do not make those of the
 * next block unreadable: its slots are no longer new. */
static void
slots_are_new_but_once(void)
{
	const struct trc_gap first = { 0, 1000 };
	struct make m = { test_seed };
	struct make_bytes bytes;
	struct trc_batch rows;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, TRC_HAS_TYPE | TRC_HAS_ADDR, 8000, &err) == 0);
	for (; rows.n < rows.cap; rows.n++) {
		const bool fetch = rows.n % 2 == 0;

		rows.type[rows.n] = fetch ? TRC_FETCH : TRC_READ;
		rows.addr[rows.n] = fetch ? 4096 + rows.n % 10 : make_below(&m, 1 << 20);
	}
	bytes = write_blocks(&rows, 1000);
	check_salvage(&bytes, &rows, TRC_KIND_REFS, 0, &first, 1);
	check_salvage(&bytes, &rows, TRC_KIND_BLOCK, 0, &first, 1);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* References where they do not belong are damage, even behind the last block. */
static void
stray_references_are_refused(void)
{
	struct trc_batch rows;
	struct make_bytes bytes = make_small(&rows);
	const struct trc_frame refs = frame_of(&bytes, TRC_KIND_REFS, 0);
	const struct trc_frame end = frame_of(&bytes, TRC_KIND_END, 0);
	const size_t at = (size_t)end.offset, n = TRC_FRAME_HEAD + (size_t)refs.len;
	struct make_bytes bad = { malloc(bytes.len + n), bytes.len + n };
	struct trc_frame moved = end;
	struct got g;

	CHECK(bad.p);
	memcpy(bad.p, bytes.p, at);
	memcpy(bad.p + at, bytes.p + refs.offset, n);
	memcpy(bad.p + at + n, bytes.p + at, bytes.len - at);
	moved.offset += n;
	trc_put_le64(bad.p + moved.offset + TRC_FRAME_HEAD + 8, moved.offset);
	mend(&bad, &moved);
	read_as(&bad, "trc", rows.n, &g);
	CHECK_SAY(g.ret == -1 && strstr(g.err.text, "references of another block"), "%s",
		  g.err.text);
	forget(&g);
	free(bad.p);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Several containers in a file: what is lost at their borders shows, too. */
static void
borders_of_containers_are_watched(void)
{
	static struct trc_frame f[FRAMES];
	struct trc_batch some, few, rows;
	struct make_bytes one, two, bytes;
	struct trc_err err;
	size_t n;

	one = make_small(&some);
	CHECK(trc_batch_init(&rows, some.have, 2 * some.n, &err) == 0);
	few = slice(&some, 0, 50);
	two = write_blocks(&few, 30);
	trc_batch_append(&rows, &some, 0, some.n);
	trc_batch_append(&rows, &few, 0, few.n);
	bytes = joined(&one, &two);
	check_holds(&bytes, "trc", &rows);
	n = find_frames(&bytes, f);
	for (size_t from = 1; from < n; from++)
		for (size_t to = from + 1; to < n; to++) {
			const size_t at = (size_t)f[from].offset, end = (size_t)f[to].offset;
			struct make_bytes lost;
			struct got g;

			/* What is lost as a whole, between equal headers, was never there. */
			if (end - at == one.len)
				continue;
			lost = without(&bytes, at, end - at);
			read_as(&lost, "trc", rows.n, &g);
			CHECK_SAY(g.ret == -1, "frames %zu to %zu of %zu", from, to, n);
			forget(&g);
			read_as(&lost, "trc:salvage", rows.n, &g);
			/* Where an end fits by accident, rows may be missing without notice. */
			CHECK_SAY(g.ret == -1 || g.rows.n == rows.n || g.gaps > 0 ||
					  f[to].kind == TRC_KIND_INDEX ||
					  f[to].kind == TRC_KIND_END,
				  "salvage without frames %zu to %zu of %zu: %zu rows", from, to,
				  n, g.rows.n);
			forget(&g);
			free(lost.p);
		}
	free(bytes.p);
	free(one.p);
	free(two.p);
	trc_batch_release(&rows);
	trc_batch_release(&some);
}

/* Damage that takes all of a container, or more than its end, does not go unnoticed. */
static void
containers_do_not_vanish(void)
{
	struct trc_batch rows, two;
	struct make_bytes one = make_small(&rows), pair = joined(&one, &one);
	struct make_bytes three = joined(&pair, &one);
	struct trc_err err;
	struct got g;

	CHECK(trc_batch_init(&two, rows.have, 2 * rows.n, &err) == 0);
	trc_batch_append(&two, &rows, 0, rows.n);
	trc_batch_append(&two, &rows, 0, rows.n);
	memset(three.p + one.len, 0xf5, one.len);
	read_as(&three, "trc:salvage", two.n, &g);
	CHECK(g.ret == 0 && g.rows.n == two.n && g.gaps == 1);
	CHECK(g.gap[0].first == rows.n && g.gap[0].rows == TRC_GAP_UNKNOWN);
	forget(&g);
	/* Cut within the second, or within the index of the first. */
	pair.len = one.len + 9;
	read_as(&pair, "trc:salvage", two.n, &g);
	CHECK(g.ret == 0 && g.rows.n == rows.n && g.gaps == 1);
	CHECK(g.gap[0].first == rows.n && g.gap[0].rows == TRC_GAP_REST);
	forget(&g);
	pair.len = (size_t)frame_of(&one, TRC_KIND_INDEX, 0).offset + TRC_FRAME_HEAD;
	read_as(&pair, "trc:salvage", two.n, &g);
	CHECK(g.ret == 0 && g.rows.n == rows.n && g.gaps == 1);
	CHECK(g.gap[0].first == rows.n && g.gap[0].rows == TRC_GAP_REST);
	forget(&g);
	free(one.p);
	free(pair.p);
	free(three.p);
	trc_batch_release(&two);
	trc_batch_release(&rows);
}

/* Blocks of a later container may be larger than those that there was room for, if memory is. */
static void
later_containers_may_have_larger_blocks(void)
{
	const struct make_program spec = { TRC_HAS_ALL, 3000, 20, 2, 0, false };
	struct make_bytes small, large, bytes;
	struct trc_batch rows, both;
	struct trc_err err;
	struct got g;

	make_program_rows(&rows, &spec, test_seed);
	CHECK(trc_batch_init(&both, rows.have, 2 * rows.n, &err) == 0);
	trc_batch_append(&both, &rows, 0, rows.n);
	trc_batch_append(&both, &rows, 0, rows.n);
	small = write_blocks(&rows, 100);
	large = write_blocks(&rows, 3000);
	bytes = joined(&small, &large);
	check_holds(&bytes, "trc", &both);
	check_holds(&bytes, "trc:salvage", &both);
	free(bytes.p);
	free(large.p);
	large = write_blocks(&rows, 0);
	bytes = joined(&small, &large);
	check_holds(&bytes, "trc", &both);
	read_as(&bytes, "trc:memlimit=200MiB", both.n, &g);
	CHECK_SAY(g.ret == -1 && strstr(g.err.text, "--memlimit raises it"), "%s", g.err.text);
	CHECK(g.rows.n == rows.n);
	forget(&g);
	free(bytes.p);
	free(small.p);
	free(large.p);
	trc_batch_release(&both);
	trc_batch_release(&rows);
}

/* What cannot be one trace is refused where it begins. */
static void
containers_that_do_not_fit_are_refused(void)
{
	struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 300, 20, 1, 0, false };
	struct make_bytes one, two, bytes;
	struct trc_batch rows;
	struct got g;

	make_program_rows(&rows, &spec, test_seed);
	one = write_blocks(&rows, 100);
	trc_batch_release(&rows);
	spec.have |= TRC_HAS_SIZE;
	make_program_rows(&rows, &spec, test_seed);
	two = write_blocks(&rows, 100);
	trc_batch_release(&rows);
	bytes = joined(&one, &two);
	read_as(&bytes, "trc", 600, &g);
	CHECK_SAY(g.ret == -1 && strstr(g.err.text, "after 300 good records") &&
			  strstr(g.err.text, "columns 'type,addr,size', those before it 'type,addr'"),
		  "%s", g.err.text);
	forget(&g);
	free(bytes.p);
	free(one.p);
	free(two.p);
}

/* ---- payloads that lie ---- */

static void
mutate(struct make *m, struct make_bytes *bytes, const struct trc_frame *f)
{
	uint8_t *p = bytes->p + f->offset + TRC_FRAME_HEAD;
	static const uint8_t extreme[] = { 0, 1, 0x7f, 0x80, 0xff };

	for (uint64_t times = 1 + make_below(m, 3); times > 0 && f->len > 0; times--) {
		const uint64_t at = make_below(m, make_below(m, 2) ? f->len :
		                                                     (f->len < 12 ? f->len : 12));

		p[at] = make_below(m, 2) ? (uint8_t)make_random(m) :
					   extreme[make_below(m, TRC_COUNT(extreme))];
	}
	if (make_below(m, 8) == 0)
		bytes->p[f->offset + 8 + make_below(m, 8)] = (uint8_t)make_random(m);
	mend(bytes, f);
}

/* Blocks that are passed over leave the parts of the program, and the pages, that others go on
 * from: only those since these began anew count. */
static void
check_passing_over(const struct trc_batch *rows)
{
	const struct make_bytes once = write_blocks(rows, 40), twice = joined(&once, &once);
	const struct trc_batch last = slice(rows, rows->n - 100, 100);
	char say[128];
	struct got g;

	read_from(&twice, "pipe", 997, 2 * rows->n - 100, 100, &g);
	CHECK_SAY(g.ret == 0, "%s", g.err.text);
	CHECK_SAY(make_same(&last, &g.rows, rows->have, say, sizeof(say)), "%s", say);
	forget(&g);
	free(twice.p);
	free(once.p);
}

static void
many_blocks_are_passed_over_in_a_pipe(void)
{
	struct trc_batch rows = make_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, 60000);

	/* Each block has new instructions. */
	for (size_t k = 0; k < rows.n; k++) {
		rows.type[k] = TRC_FETCH;
		rows.addr[k] = 4 * k;
	}
	check_passing_over(&rows);
	trc_batch_release(&rows);
	make_pages(&rows, 60000);
	check_passing_over(&rows);
	trc_batch_release(&rows);
}

/* What is wrong and where does not depend on who sees it first. */
static void
threads_meet_the_same_lies(void)
{
	const struct make_program spec[] = {
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 60000, 200, 1, 0, false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_TIME,
		  60000, 80, 3, 0, false },
	};
	static struct trc_frame f[FRAMES];
	struct make m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(spec); i++) {
		struct make_bytes bytes;
		struct trc_batch rows;
		size_t frames;

		make_program_rows(&rows, &spec[i], test_seed);
		bytes = write_blocks(&rows, 4000);
		frames = find_frames(&bytes, f);
		for (int k = 0; k < 60; k++) {
			struct make_bytes bad = copy_of(&bytes);
			struct trc_counts counts;
			struct trc_err err = { 0 };
			struct got one, many;
			char say[128] = "";

			mutate(&m, &bad, &f[make_below(&m, frames)]);
			mutate(&m, &bad, &f[make_below(&m, frames)]);
			read_as(&bad, "trc:threads=1", rows.n, &one);
			read_as(&bad, "trc:threads=4", rows.n, &many);
			CHECK_SAY(one.ret == many.ret &&
					  (one.ret == 0 || !strcmp(one.err.text, many.err.text)),
				  "try %d: %s; %s", k, one.err.text, many.err.text);
			CHECK_SAY(one.rows.n == many.rows.n &&
					  (one.rows.n == 0 ||
			                   make_same(&one.rows, &many.rows, rows.have, say,
			                             sizeof(say))),
				  "try %d: %s", k, say);
			CHECK_SAY(count_as(&bad, "trc:threads=4", &counts, &err) == one.ret &&
			                  (one.ret == 0 || !strcmp(one.err.text, err.text)),
			          "try %d: %s; %s", k, one.err.text, err.text);
			forget(&one);
			forget(&many);
			free(bad.p);
		}
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

static void
payloads_that_lie_are_refused(void)
{
	struct make_program spec[] = {
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK,
		  1500, 80, 3, 0, false },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME, 1500, 80, 1, 900, false },
	};
	static struct trc_frame f[FRAMES];
	struct make m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(spec); i++) {
		struct trc_batch rows;
		struct make_bytes bytes;
		size_t frames;

		make_program_rows(&rows, &spec[i], test_seed);
		bytes = write_blocks(&rows, 500);
		frames = find_frames(&bytes, f);
		for (int k = 0; k < 1000; k++) {
			const struct trc_frame *at = &f[make_below(&m, frames)];
			struct make_bytes bad = copy_of(&bytes);
			char say[128] = "";
			struct got g;

			mutate(&m, &bad, at);
			read_as(&bad, k % 2 ? "trc:salvage,threads=1" : "trc:threads=1", rows.n,
				&g);
			if (g.ret == 0 && g.rows.have == rows.have && g.gaps == 0 &&
			    g.rows.n == rows.n)
				CHECK_SAY(make_same(&rows, &g.rows, rows.have, say, sizeof(say)),
					  "try %d, frame %c: %s", k, at->kind, say);
			CHECK_SAY(g.ret == -1 || k % 2 == 1 || g.rows.n == rows.n,
				  "try %d, frame %c: %zu rows", k, at->kind, g.rows.n);
			forget(&g);
			free(bad.p);
		}
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

/* A block ends early where the texts of its events would be too much. */
static void
many_texts_make_more_blocks(void)
{
	enum { ROWS_OF_TEXT = 2500 };
	static char text[TRC_EVENT_MOST];
	struct trc_batch rows = make_zeros(TRC_HAS_TYPE | TRC_HAS_EVENT, ROWS_OF_TEXT);
	struct make_bytes bytes;

	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < rows.n; i++) {
		rows.type[i] = TRC_EVENT;
		text[0] = (char)('a' + i % 26);
		trc_batch_put_event(&rows, i, text, sizeof(text));
	}
	bytes = make_round_trip("trc", "trc", &rows);
	free(bytes.p);
	trc_batch_release(&rows);
}

static bool
same_facts(const struct trc_meta *a, const struct trc_meta *b)
{
	return a->sad == b->sad && a->window == b->window && a->clock == b->clock &&
	       a->sets == b->sets && a->ways == b->ways && a->line == b->line &&
	       a->sample == b->sample && a->reduced == b->reduced;
}

/* Facts of a reduced trace are known when it is opened, and what its end says replaces them. */
static void
facts_of_a_reduction_come_back(void)
{
	static const struct trc_meta all[] = {
		{ .sad = 64, .reduced = TRC_LRU_ONLY | TRC_BY_SPACE | TRC_CANONICAL },
		{ .window = UINT64_MAX, .clock = TRC_COL_TIME, .sample = UINT64_MAX },
		{ .sets = 64, .ways = 8, .line = 64, .reduced = TRC_BEHIND_CACHE },
		{ .sad = 0 },
	};
	const struct make_program spec = { .have = TRC_HAS_VPN, .rows = 10, .ops = 5, .tasks = 1 };
	struct make_bytes bytes;
	struct trc_source *src;
	struct trc_batch rows, back;
	struct trc_meta meta;
	struct trc_err err;

	make_program_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i < TRC_COUNT(all); i++) {
		CHECK(make_write_as("trc", &rows, 7, &all[i], &bytes, &err) == 0);
		src = make_read_as("trc", bytes.p, bytes.len, 99, &err);
		CHECK(src && same_facts(&src->meta, &all[i]));
		CHECK(make_collect(src, 7, &back, &meta, &err) == 0);
		CHECK(same_facts(&meta, &all[i]));
		trc_batch_release(&back);
		free(bytes.p);
	}
	for (uint64_t clock = 0; clock < TRC_COLUMNS; clock++) {
		const struct trc_meta odd = { .window = 5, .clock = clock };
		const bool good = clock == TRC_COL_TIME || clock == TRC_COL_ITIME ||
		                  clock == TRC_COL_RTIME;

		CHECK(make_write_as("trc", &rows, 7, &odd, &bytes, &err) == 0);
		src = make_read_as("trc", bytes.p, bytes.len, 99, &err);
		CHECK_SAY((src != NULL) == good, "windows by %s", trc_column[clock].name);
		trc_source_close(src);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

/* A csv of them would have names from behind the end of a table. */
static void
strange_types_are_refused(void)
{
	static const uint8_t strange[] = { TRC_TYPES, 15, TRC_KERNEL | TRC_TYPES, 32, 255 };
	const struct trc_container_to to = { .block_rows = 100, .no_verify = true };

	for (size_t i = 0; i < TRC_COUNT(strange); i++) {
		struct trc_batch rows = make_zeros(TRC_HAS_TYPE | TRC_HAS_TIME, 100);
		struct make_bytes bytes;
		struct got got;

		rows.type[50] = strange[i];
		bytes = write_with(&rows, to, 999);
		read_from(&bytes, "trc", 64, 0, rows.n, &got);
		CHECK(got.ret < 0);
		CHECK_SAY(strstr(got.err.text, "type that there is not"), "%s", got.err.text);
		forget(&got);
		trc_batch_release(&rows);
		free(bytes.p);
	}
}

int
main(void)
{
	test_start();
	RUN(rows_come_back_whatever_they_are);
	RUN(rows_of_extremes_come_back);
	RUN(batches_and_threads_do_not_show);
	RUN(blocks_ahead_do_not_show);
	RUN(what_is_written_wrong_is_not_written);
	RUN(levels_decode_alike);
	RUN(programs_of_one_size_are_told_apart);
	RUN(programs_begin_anew_at_another_place);
	RUN(skipping_is_leaving_out);
	RUN(skipped_references_make_slots_old);
	RUN(windows_of_time_are_exact);
	RUN(an_index_that_lies_about_times_is_found);
	RUN(indexes_tell_what_there_is);
	RUN(memory_beyond_the_limit_is_refused);
	RUN(large_programs_beyond_the_limit_are_refused);
	RUN(what_is_refused_takes_no_memory);
	RUN(full_blocks_come_back);
	RUN(each_bit_flip_is_found);
	RUN(each_cut_is_found);
	RUN(each_lost_frame_is_found);
	RUN(a_salvage_loses_what_is_damaged_and_no_more);
	RUN(slots_are_new_but_once);
	RUN(pages_go_on_for_some_blocks);
	RUN(skipped_pages_are_gone_on_from);
	RUN(pages_begin_anew_where_there_are_too_many);
	RUN(pages_that_do_not_belong_are_refused);
	RUN(stray_references_are_refused);
	RUN(borders_of_containers_are_watched);
	RUN(containers_do_not_vanish);
	RUN(later_containers_may_have_larger_blocks);
	RUN(containers_that_do_not_fit_are_refused);
	RUN(payloads_that_lie_are_refused);
	RUN(a_full_sink_ends_all_threads);
	RUN(threads_meet_the_same_lies);
	RUN(many_blocks_are_passed_over_in_a_pipe);
	RUN(many_texts_make_more_blocks);
	RUN(strange_types_are_refused);
	RUN(facts_of_a_reduction_come_back);
	return 0;
}
