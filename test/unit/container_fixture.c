/* SPDX-License-Identifier: MIT */
#include "container_fixture.h"

#include <xxhash.h>

#include "stage/stage.h"

struct generate_bytes
container_write(const struct trc_batch *rows, struct trc_container_to to, size_t cut)
{
	const struct trc_meta meta = { .format = "din", .page_bits = 12 };

	return container_write_meta(rows, to, cut, &meta);
}

struct generate_bytes
container_write_meta(const struct trc_batch *rows, struct trc_container_to to, size_t cut,
                     const struct trc_meta *meta)
{
	const char *path = generate_path("container");
	struct trc_source *src = generate_source(rows, cut);
	struct trc_err err;
	struct trc_out *out = trc_out_open(path, true, &err);
	struct trc_sink *sink;

	CHECK(out);
	src->meta = *meta;
	sink = trc_container_sink(out, rows->have, meta, &to, &err);
	CHECK_MSG(sink && trc_pump(src, sink, cut, NULL, &err) == 0, "%s", err.text);
	trc_sink_close(sink);
	trc_source_close(src);
	return generate_file_bytes(path);
}

struct generate_bytes
container_blocks(const struct trc_batch *rows, size_t block)
{
	const struct trc_container_to to = { .block_rows = block, .threads = 1, .parity = 1 };

	return container_write(rows, to, 999);
}

void
container_forget(struct container_got *g)
{
	trc_batch_release(&g->rows);
}

struct trc_source *
container_open(const struct generate_bytes *bytes, const char *how, struct trc_err *err)
{
	return generate_container(bytes->p, bytes->len, trc_format_arguments(how),
	                          strncmp(how, "pipe", 4) == 0, err);
}

void
container_read_source(struct trc_source *src, size_t cut, size_t most, struct container_got *g)
{
	enum trc_flow flow;
	struct trc_batch b;

	CHECK(trc_batch_init(&b, src->have, cut, &g->err) == 0 &&
	      trc_batch_init(&g->rows, src->have, most + 1, &g->err) == 0);
	while ((flow = trc_source_next(src, &b, &g->err)) == TRC_FLOW_ROWS) {
		CHECK_MSG(b.n <= g->rows.cap - g->rows.n, "more than %zu rows", most);
		trc_batch_append(&g->rows, &b, 0, b.n);
	}
	g->ret = flow == TRC_FLOW_END ? 0 : -1;
	g->meta = src->meta;
	CHECK(flow != TRC_FLOW_END || src->meta.gaps <= CONTAINER_GAPS);
	for (size_t i = 0; flow == TRC_FLOW_END && i < src->meta.gaps; i++)
		g->gap[g->gaps++] = src->meta.gap[i];
	trc_batch_release(&b);
	trc_source_close(src);
}

void
container_read_from(const struct generate_bytes *bytes, const char *how, size_t cut, uint64_t skip,
                    size_t most, struct container_got *g)
{
	struct trc_source *src;

	memset(g, 0, sizeof(*g));
	g->ret = -1;
	src = container_open(bytes, how, &g->err);
	if (!src)
		return;
	CHECK(skip == 0 || src->seek->skip(src, skip, &g->err) == 0);
	container_read_source(src, cut, most, g);
}

void
container_read(const struct generate_bytes *bytes, const char *how, size_t most,
               struct container_got *g)
{
	container_read_from(bytes, how, 997, 0, most, g);
}

struct trc_batch
container_slice(const struct trc_batch *rows, size_t from, size_t n)
{
	struct trc_batch s = *rows;

	s.n = s.cap = n;
#define COLUMN(NAME, field, ctype, doc) s.field = rows->field ? rows->field + from : NULL;
#include "batch/columns.def"
#undef COLUMN
	return s;
}

void
container_holds(const struct generate_bytes *bytes, const char *how, const struct trc_batch *rows)
{
	struct container_got g;
	char why[128];

	container_read(bytes, how, rows->n, &g);
	CHECK_MSG(g.ret == 0, "%s: %s", how, g.err.text);
	CHECK(g.gaps == 0 && g.rows.have == rows->have);
	CHECK_MSG(generate_same(rows, &g.rows, rows->have, why, sizeof(why)), "%s: %s", how, why);
	container_forget(&g);
}

bool
container_all_but_gaps(const struct container_got *g, const struct trc_batch *rows, char *why,
                       size_t room)
{
	size_t at = 0, from = 0;

	for (size_t i = 0; i <= g->gaps; i++) {
		const bool last = i == g->gaps || g->gap[i].rows == UINT64_MAX;
		const size_t to = i == g->gaps ? rows->n : (size_t)g->gap[i].first;
		const size_t n = last && i < g->gaps ? g->rows.n - at : to - from;
		const struct trc_batch want = container_slice(rows, from, n);
		struct trc_batch came;

		if (to < from || to > rows->n || n > rows->n - from || n > g->rows.n - at) {
			snprintf(why, room, "rows %zu to %zu are neither there nor missing", from,
			         to);
			return false;
		}
		came = container_slice(&g->rows, at, n);
		if (!generate_same(&want, &came, rows->have, why, room))
			return false;
		at += n;
		if (last)
			break;
		from = to + (size_t)g->gap[i].rows;
	}
	snprintf(why, room, "%zu rows came, %zu belong to the trace", g->rows.n, at);
	return at == g->rows.n;
}

size_t
container_frames(const struct generate_bytes *bytes, struct trc_frame *f)
{
	size_t n = 0;

	for (size_t at = 0; at < bytes->len; at += (size_t)trc_frame_bytes(&f[n++])) {
		CHECK(n < CONTAINER_FRAMES &&
		      trc_frame_head(bytes->p + at, bytes->len - at, &f[n]));
		f[n].offset = at;
	}
	return n;
}

struct trc_frame
container_frame(const struct generate_bytes *bytes, uint8_t kind, size_t nth)
{
	static struct trc_frame f[CONTAINER_FRAMES];
	const size_t n = container_frames(bytes, f);

	for (size_t i = 0; i < n; i++)
		if (f[i].kind == kind && nth-- == 0)
			return f[i];
	CHECK_MSG(false, "no such frame %c", kind);
	return f[0];
}

struct generate_bytes
container_copy(const struct generate_bytes *bytes)
{
	struct generate_bytes c = { malloc(bytes->len + 1), bytes->len };

	CHECK(c.p);
	memcpy(c.p, bytes->p, bytes->len);
	return c;
}

struct generate_bytes
container_join(const struct generate_bytes *a, const struct generate_bytes *b)
{
	struct generate_bytes c = { malloc(a->len + b->len), a->len + b->len };

	CHECK(c.p);
	if (a->len > 0)
		memcpy(c.p, a->p, a->len);
	memcpy(c.p + a->len, b->p, b->len);
	return c;
}

struct generate_bytes
container_without(const struct generate_bytes *bytes, size_t from, size_t n)
{
	return container_replace(bytes, from, n, NULL, 0);
}

struct generate_bytes
container_replace(const struct generate_bytes *bytes, size_t at, size_t less, const uint8_t *with,
                  size_t n)
{
	struct generate_bytes r = { malloc(bytes->len + n + 1), 0 };

	CHECK(r.p);
	less = less < bytes->len - at ? less : bytes->len - at;
	memcpy(r.p, bytes->p, at);
	if (n > 0)
		memcpy(r.p + at, with, n);
	memcpy(r.p + at + n, bytes->p + at + less, bytes->len - at - less);
	r.len = bytes->len + n - less;
	return r;
}

void
container_is_repaired(const struct generate_bytes *bytes, const struct trc_batch *rows,
                      const char *what, size_t place, bool cut)
{
	struct container_got g;
	char why[128] = "";

	container_read(bytes, "trc:threads=1", rows->n, &g);
	CHECK_MSG(g.ret == 0 || (cut && strstr(g.err.text, "was cut")), "%s at %zu: %s", what,
	          place, g.err.text);
	CHECK_MSG(g.rows.n == rows->n && generate_same(rows, &g.rows, rows->have, why, sizeof(why)),
	          "%s at %zu: %s", what, place, why);
	container_forget(&g);
}

void
container_flips_are_repaired(const struct generate_bytes *bytes, const struct trc_batch *rows)
{
	for (size_t bit = 0; bit < 8 * bytes->len; bit += test_step()) {
		bytes->p[bit / 8] ^= (uint8_t)(1 << bit % 8);
		container_is_repaired(bytes, rows, "flip", bit / 8, false);
		bytes->p[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
}

void
container_joined_are_repaired(const struct generate_bytes *one, const struct trc_batch *rows)
{
	const struct generate_bytes bytes = container_join(one, one);
	struct trc_batch twice;

	CHECK(trc_batch_init(&twice, rows->have, 2 * rows->n, &(struct trc_err){ 0 }) == 0);
	trc_batch_append(&twice, rows, 0, rows->n);
	trc_batch_append(&twice, rows, 0, rows->n);
	for (size_t at = 0; at < bytes.len; at += 3 * test_step()) {
		struct generate_bytes harmed = container_copy(&bytes);

		harmed.p[at] ^= 0x10;
		harmed.p[(at + one->len) % bytes.len] ^= 0x08;
		container_is_repaired(&harmed, &twice, "two flips", at, false);
		free(harmed.p);
	}
	free(bytes.p);
	trc_batch_release(&twice);
}

void
container_mend(struct generate_bytes *bytes, const struct trc_frame *f)
{
	CHECK(trc_frame_mend(bytes->p + f->offset, bytes->len - (size_t)f->offset) > 0);
}

void
container_put(struct generate_bytes *bytes, struct trc_frame *f, const uint8_t *payload, size_t len)
{
	const struct trc_buf content = { .p = (uint8_t *)(uintptr_t)payload, .n = len };
	struct trc_buf frame = { 0 };
	struct generate_bytes r;
	struct trc_err err;

	CHECK(trc_frame_put(&frame, f->kind, f->number, &content, &err) == 0);
	r = container_replace(bytes, (size_t)f->offset, (size_t)trc_frame_bytes(f), frame.p,
	                      frame.n);
	f->head = frame.n - len;
	f->len = len;
	trc_buf_release(&frame);
	free(bytes->p);
	*bytes = r;
}

void
container_number(struct generate_bytes *bytes, struct trc_frame *f, uint64_t number)
{
	f->number = number;
	container_put(bytes, f, bytes->p + f->offset + f->head, (size_t)f->len);
}

void
container_end(struct generate_bytes *bytes, struct trc_frame *f, uint64_t index)
{
	const struct trc_end end = { f->offset - index, f->offset, f->number };
	struct trc_buf payload = { 0 };
	struct trc_err err;

	CHECK(trc_end_write(&payload, &end, &err) == 0);
	container_put(bytes, f, payload.p, payload.n);
	trc_buf_release(&payload);
}

const uint32_t container_subset[CONTAINER_SUBSETS] = {
	TRC_HAS_TYPE | TRC_HAS_ADDR,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME | TRC_HAS_ASID,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_PC,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_ASID | TRC_HAS_PC,
	TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME,
	TRC_HAS_VPN,
	TRC_HAS_ADDR,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_PC | TRC_HAS_INSN | TRC_HAS_BRANCH,
	TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_BRANCH | TRC_HAS_REGS,
	TRC_HAS_ALL,
};

static const struct generate_program program[] = {
	{ .rows = 2003, .ops = 50, .tasks = 1 },
	{ .rows = 2003, .ops = 600, .tasks = 5 },
	{ .rows = 2003, .ops = 40, .tasks = 100 },
	{ .rows = 2003, .ops = 40, .tasks = 3, .wild = 1 },
	{ .rows = 2003, .ops = 40, .tasks = 3, .wild = 2500 },
	{ .rows = 2003, .ops = 50, .tasks = 1, .data = true },
	{ .rows = 2003, .ops = 200, .tasks = 7, .data = true, .wild = 1200 },
	{ .rows = 1, .ops = 1, .tasks = 1 },
};

void
container_each_program(void (*check)(const struct trc_batch *rows))
{
	for (size_t i = 0; i < CONTAINER_SUBSETS; i++)
		for (size_t k = 0; k < TRC_COUNT(program); k++) {
			struct generate_program spec = program[k];
			struct trc_batch rows;

			if ((5 * i + k) % test_step_most(3))
				continue;
			spec.have = container_subset[i];
			generate_program_rows(&rows, &spec, test_seed);
			check(&rows);
			trc_batch_release(&rows);
		}
}

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

int
container_count(const struct generate_bytes *bytes, const char *how, struct trc_counts *counts,
                struct trc_err *err)
{
	struct row_watch watch = { { watch_rows }, 0 };
	struct trc_source *src = container_open(bytes, how, err);
	struct trc_sink *sink = trc_counts_sink(counts, TRC_COUNTS_PAGE_BITS, err);
	const int ret = src && sink ? trc_pump(src, sink, 997, &watch.watch, err) : -1;

	CHECK(ret || watch.rows == counts->rows);
	trc_source_close(src);
	trc_sink_close(sink);
	return ret;
}

struct generate_bytes
container_small(struct trc_batch *rows)
{
	struct generate_program spec = {
		TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK, 90, 8, 2, 0, false
	};

	generate_program_rows(rows, &spec, test_seed);
	return container_blocks(rows, 30);
}

void
container_salvage(const struct generate_bytes *bytes, const struct trc_batch *rows, uint8_t kind,
                  size_t nth, const struct trc_gap *gap, size_t gaps)
{
	const struct trc_frame f = container_frame(bytes, kind, nth);

	for (int way = 0; way < 3; way++) {
		struct generate_bytes bad = container_copy(bytes);
		char why[128];
		struct container_got g;

		/* Its header, its last byte, all of it. */
		if (way == 0)
			bad.p[f.offset + 1] ^= 1;
		else if (way == 1)
			bad.p[f.offset + trc_frame_bytes(&f) - 1] ^= 0x80;
		else
			memset(bad.p + f.offset, 0xf5, (size_t)trc_frame_bytes(&f));
		container_read(&bad, "trc:salvage", rows->n, &g);
		CHECK_MSG(g.ret == 0, "%c %zu: %s", kind, nth, g.err.text);
		CHECK_MSG(container_all_but_gaps(&g, rows, why, sizeof(why)), "%c %zu: %s", kind,
		          nth, why);
		CHECK_MSG(g.gaps == gaps, "%c %zu: %zu gaps", kind, nth, g.gaps);
		for (size_t i = 0; i < gaps; i++)
			CHECK_MSG(g.gap[i].first == gap[i].first && g.gap[i].rows == gap[i].rows,
			          "%c %zu: gap %zu at %d of %d", kind, nth, i, (int)g.gap[i].first,
			          (int)g.gap[i].rows);
		container_forget(&g);
		free(bad.p);
	}
}

void
container_pages(struct trc_batch *rows, size_t n)
{
	struct generator m = { test_seed };
	struct trc_err err;

	CHECK(trc_batch_init(rows, TRC_HAS_VPN, n, &err) == 0);
	for (size_t at = 0; rows->n < n; rows->n++) {
		rows->vpn[rows->n] = at * UINT64_C(0x9e3779b97f4a7c15) >> 12;
		at = generate_below(&m, 3) ? (at + 1) % 9 : generate_below(&m, 9);
	}
}
