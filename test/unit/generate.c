/* SPDX-License-Identifier: MIT
 * Made-up traces. */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch/event.h"
#include "test.h"

uint64_t
generate_random(struct generator *m)
{
	uint64_t z = m->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t
generate_below(struct generator *m, uint64_t n)
{
	return generate_random(m) % n;
}

uint64_t
generate_value(struct generator *m, uint64_t last, unsigned bits)
{
	/* clang-format off */
	static const uint64_t extreme[] = {
		0, 1, 9, 10, 15, 16, 127, 128, 255, 256, 4095, 4096, 65535, 65536, UINT32_MAX,
		UINT64_C(1) << 32, UINT64_C(1) << 63, (UINT64_C(1) << 63) - 1, UINT64_MAX,
		UINT64_MAX - 1,
	};
	/* clang-format on */
	uint64_t v;

	switch (generate_below(m, 8)) {
	case 0: v = extreme[generate_below(m, TRC_COUNT(extreme))]; break;
	case 1:
		v = generate_random(m); /* before the next, whatever the compiler */
		v >>= generate_below(m, 64);
		break;
	case 2: v = generate_below(m, 17); break;
	case 3: v = last - generate_below(m, 300); break;
	default: v = last + generate_below(m, 65); break;
	}
	return v & UINT64_MAX >> (64 - bits);
}

static void
store(const struct trc_batch *b, enum trc_column c, size_t i, uint64_t v)
{
	void *at = trc_batch_column(b, c);

	switch (trc_column[c].width) {
	case 1: ((uint8_t *)at)[i] = (uint8_t)v; break;
	case 4: ((uint32_t *)at)[i] = (uint32_t)v; break;
	default: ((uint64_t *)at)[i] = v; break;
	}
}

/* Events have a column for their text, and are of no user or kernel. */
static uint64_t
make_type(struct generator *m, const struct generate_spec *spec)
{
	const uint32_t types = spec->types;
	uint64_t type;

	do
		type = generate_below(m, 32);
	while ((types ? !(types >> type & 1) : (type & TRC_TYPE_MASK) >= TRC_TYPES) ||
	       ((type & TRC_TYPE_MASK) == TRC_EVENT &&
	        (type & TRC_KERNEL || !(spec->have & TRC_HAS_EVENT))));
	return type;
}

/* An event of a tag that is known, its ranges small, or an opaque one of any characters. */
static void
make_event(struct generator *m, struct trc_batch *b, size_t i)
{
	const struct trc_event_tag *row = trc_event_tag;
	char text[500];
	size_t len = 1, more = generate_below(m, 9) ? generate_below(m, 9) : generate_below(m, 200);

	for (uint64_t skip = generate_below(m, 30); skip > 0 && row->tag; skip--)
		row++;
	text[0] = row->tag ? row->tag : "!$%&*+~"[generate_below(m, 7)];
	for (size_t k = 0; row->tag && k < TRC_EVENT_FIELDS && row->field[k]; k++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, " %x",
		                        (unsigned)(k << 24 | generate_below(m, 1 << 24)));
	if (more > 0) {
		text[len++] = ' ';
		text[len++] = (char)('g' + generate_below(m, 20));
	}
	for (; more > 0; more--)
		text[len++] = (char)(' ' + generate_below(m, 90));
	trc_batch_put_event(b, i, text, len);
}

/* The next time after `last`, now and then by a jump: at most as many as do not reach the end. */
static uint64_t
make_forward(struct generator *m, enum trc_column c, uint64_t last, uint64_t v)
{
	const uint32_t times = TRC_HAS_TIME | TRC_HAS_ITIME | TRC_HAS_RTIME;

	if (times >> c & 1)
		return last +
		       (generate_below(m, 9) ? generate_below(m, 99) : generate_random(m) >> 20);
	return c == TRC_COL_ASID && v == 0 ? 1 : v;
}

void
generate_rows(struct trc_batch *b, const struct generate_spec *spec, uint64_t seed)
{
	struct generator m[TRC_COLUMNS]; /* one each, so that a new column changes no other */
	const uint32_t of_events = TRC_HAS_TYPE | TRC_HAS_TIME | TRC_HAS_TASK | TRC_HAS_ITIME |
	                           TRC_HAS_RTIME;
	uint64_t last[TRC_COLUMNS] = { 0 };
	struct trc_err err;

	if (trc_batch_init(b, spec->have, spec->rows, &err))
		abort();
	for (int c = 0; c < TRC_COLUMNS; c++)
		m[c] = (struct generator){ seed + ((uint64_t)c << 32) };
	for (; b->n < spec->rows; b->n++)
		for (int c = 0; c < TRC_COLUMNS; c++) {
			unsigned bits = spec->bits[c] ? spec->bits[c] :
			                                (unsigned)trc_column[c].width * 8;
			uint64_t v;

			if (!(spec->have >> c & 1))
				continue;
			if (c == TRC_COL_EVENT) {
				const bool some = generate_below(&m[c], 16) == 0;

				b->event[b->n] = 0;
				if (b->type ? b->type[b->n] == TRC_EVENT : some)
					make_event(&m[c], b, b->n);
				continue;
			}
			v = generate_value(&m[c], last[c], bits);
			if (c == TRC_COL_TYPE)
				v = make_type(&m[c], spec);
			if (spec->forward)
				v = make_forward(&m[c], (enum trc_column)c, last[c], v);
			last[c] = v;
			if (b->type && b->type[b->n] == TRC_EVENT && !(of_events >> c & 1))
				v = 0;
			store(b, (enum trc_column)c, b->n, v);
		}
	for (size_t i = 0; spec->within && b->size && i < b->n; i++)
		if (b->type && (b->type[i] & TRC_TYPE_MASK) == TRC_INVALIDATE)
			b->size[i] = 1;
		else if (trc_batch_past_end(b, i))
			b->size[i] = 0;
}

struct trc_batch
generate_zeros(uint32_t have, size_t n)
{
	struct trc_batch b;
	struct trc_err err;

	if (trc_batch_init(&b, have, n, &err))
		abort();
	b.n = n;
	return b;
}

/* A task: where it is in its code, and in what loop. An op is a fetch, and for some a load or store
 * whose address is fixed, goes on by a stride, or is anywhere in an array. */
struct task {
	uint64_t code, data;
	unsigned op, ops, loop, trips;
	bool fetched; /* and its data reference is to come */
	uint64_t passes;
};

static uint64_t
data_address(struct generator *m, const struct task *t)
{
	const uint64_t array = t->data + t->op * UINT64_C(4096);

	switch (t->op % 7) {
	case 1: return array;
	case 3: return array + 8 * t->passes;
	default: return array + 8 * generate_below(m, 64);
	}
}

/* Goes on to the next op: the one behind, or the first of a loop. */
static void
step(struct generator *m, struct task *t)
{
	t->fetched = false;
	t->passes++;
	if (t->trips > 0 && t->op - t->loop >= 5) {
		t->trips--;
		t->op = t->loop;
	} else if (++t->op == t->ops) {
		t->op = 0;
		t->trips = 0;
	}
	if (t->trips == 0 && t->op % 11 == 0) {
		t->loop = t->op;
		t->trips = (unsigned)generate_below(m, 30);
	}
}

/* The next reference of a task. */
static void
refer(struct generator *m, struct task *t, uint64_t value[TRC_COLUMNS])
{
	value[TRC_COL_PC] = t->code + 4 * t->op;
	value[TRC_COL_TYPE] = TRC_FETCH;
	value[TRC_COL_ADDR] = value[TRC_COL_PC];
	value[TRC_COL_SIZE] = 4;
	if (t->fetched) {
		value[TRC_COL_TYPE] = t->op % 7 == 5 ? TRC_WRITE : TRC_READ;
		value[TRC_COL_ADDR] = data_address(m, t);
		value[TRC_COL_SIZE] = 8;
	}
	if (!t->fetched && t->op % 2)
		t->fetched = true;
	else
		step(m, t);
}

/* What an instruction at `pc` is, but for whether it branched. */
static void
annotate(uint64_t value[TRC_COLUMNS])
{
	const bool fetch = value[TRC_COL_TYPE] == TRC_FETCH;
	const uint64_t word = (value[TRC_COL_PC] * 2654435761) & UINT32_MAX;
	const bool branches = value[TRC_COL_PC] / 4 % 5 == 4;

	value[TRC_COL_INSN] = fetch ? word : 0;
	value[TRC_COL_REGS] = fetch ? (word & 31) << 32 | (word >> 8 & 31) : 0;
	value[TRC_COL_BRANCH] = fetch && branches ? TRC_BRANCH | TRC_BRANCH_COND : 0;
}

/* Branches are taken where not the next instruction comes. */
static void
note_taken(struct trc_batch *b)
{
	for (size_t i = 0; b->branch && b->addr && i + 1 < b->n; i++) {
		size_t next = i + 1;

		while (next + 1 < b->n && b->type && b->type[next] != TRC_FETCH)
			next++;
		if (b->branch[i] && b->addr[next] != b->addr[i] + 4)
			b->branch[i] |= TRC_BRANCH_TAKEN;
	}
}

void
generate_program_rows(struct trc_batch *b, const struct generate_program *spec, uint64_t seed)
{
	enum { TASKS = 128 };
	struct generator m = { seed };
	struct task task[TASKS] = { 0 };
	uint64_t value[TRC_COLUMNS] = { 0 };
	unsigned now = 0;
	struct trc_err err;

	if (spec->tasks > TASKS || trc_batch_init(b, spec->have, spec->rows, &err))
		abort();
	for (unsigned i = 0; i < spec->tasks; i++) {
		task[i].code = UINT64_C(0x400000) + (generate_below(&m, 1000) << 20);
		task[i].data = UINT64_C(0x7f0000000000) + (generate_below(&m, 1000) << 30);
		task[i].ops = spec->ops;
	}
	for (; b->n < spec->rows; b->n++) {
		if (generate_below(&m, 20) == 0)
			now = (unsigned)generate_below(&m, spec->tasks);
		do
			refer(&m, &task[now], value);
		while (spec->data && value[TRC_COL_TYPE] == TRC_FETCH);
		value[TRC_COL_TASK] = 100 + now;
		value[TRC_COL_ASID] = 1 + now;
		value[TRC_COL_TIME] += 1 + generate_below(&m, 4);
		value[TRC_COL_ITIME] += value[TRC_COL_TYPE] == TRC_FETCH;
		value[TRC_COL_RTIME]++;
		if (spec->wild > 0 && b->n >= spec->wild) {
			value[TRC_COL_ADDR] = generate_random(&m);
			value[TRC_COL_TYPE] = generate_below(&m, 2);
		}
		value[TRC_COL_VPN] = value[TRC_COL_ADDR] >> 12;
		value[TRC_COL_CPN] = value[TRC_COL_VPN] % 512;
		annotate(value);
		for (int c = 0; c < TRC_COLUMNS; c++)
			if (spec->have >> c & 1)
				store(b, (enum trc_column)c, b->n, value[c]);
		if (b->event && generate_below(&m, 50) == 0) {
			b->type[b->n] = TRC_EVENT;
			make_event(&m, b, b->n);
		}
	}
	note_taken(b);
}

struct trc_batch
generate_lookups(uint32_t have, size_t n, uint64_t seed)
{
	enum { NODES = 300, OTHERS = 12 };
	struct trc_batch rows = generate_zeros(have, n);
	struct generator m = { seed };
	uint64_t node[NODES], has[NODES + OTHERS];
	size_t at = 0, what = 0;

	for (size_t i = 0; i < NODES + OTHERS; i++) {
		node[i % NODES] = generate_random(&m);
		has[i] = generate_random(&m);
	}
	for (size_t i = 0; i < n; i++) {
		const uint64_t pc = 4096 + 2 * (i / 2 % 2);

		if (i % 4 == 0) {
			at = generate_below(&m, NODES);
			what = generate_below(&m, 16) ? at : NODES + generate_below(&m, OTHERS);
		}
		rows.type[i] = i % 2 ? TRC_READ : TRC_FETCH;
		rows.addr[i] = i % 2 == 0 ? pc : i % 4 == 1 ? node[at] : has[what];
		if (rows.pc)
			rows.pc[i] = pc;
	}
	return rows;
}

struct rows_source {
	struct trc_source src;
	const struct trc_batch *rows;
	size_t at, most;
};

static enum trc_flow
rows_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct rows_source *s = (struct rows_source *)src;
	size_t n = s->rows->n - s->at;

	(void)err;
	if (b->have != src->have || b->n != 0 || b->cap == 0)
		abort();
	n = n < s->most ? n : s->most;
	n = n < b->cap ? n : b->cap;
	trc_batch_append(b, s->rows, s->at, n);
	s->at += n;
	return n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
rows_close(struct trc_source *src)
{
	free(src);
}

struct trc_source *
generate_source(const struct trc_batch *rows, size_t most)
{
	struct rows_source *s = calloc(1, sizeof(*s));

	if (!s)
		abort();
	s->src = (struct trc_source){ .have = rows->have, .next = rows_next, .close = rows_close };
	s->rows = rows;
	s->most = most;
	return &s->src;
}

/* Rows [from, to) of a source; the next is `at`. */
struct rows_slice {
	size_t from, at, to;
};

static enum trc_flow
rows_take(struct trc_source *src, size_t want, struct trc_slice *slice, struct trc_err *err)
{
	struct rows_source *s = (struct rows_source *)src;
	struct rows_slice *own = slice->own ? slice->own : malloc(sizeof(*own));

	(void)err;
	if (!own || want == 0)
		abort();
	own->from = own->at = s->at;
	s->at += want < s->rows->n - s->at ? want : s->rows->n - s->at;
	own->to = s->at;
	slice->own = own;
	slice->release = free;
	return own->from < own->to ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static enum trc_flow
rows_parse(struct trc_source *src, struct trc_slice *slice, struct trc_batch *b,
           struct trc_err *err)
{
	const struct rows_source *s = (const struct rows_source *)src;
	struct rows_slice *own = slice->own;
	size_t n;

	(void)err;
	if (slice->again)
		own->at = own->from;
	slice->again = false;
	n = own->to - own->at;
	n = n < s->most ? n : s->most;
	n = n < b->cap ? n : b->cap;
	trc_batch_append(b, s->rows, own->at, n);
	own->at += n;
	slice->lines = own->at - own->from;
	return n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

struct trc_source *
generate_pieces(const struct trc_batch *rows, size_t most)
{
	static const struct trc_sliceable slices = { .take = rows_take, .parse = rows_parse };
	struct trc_source *src = generate_source(rows, most);

	src->slices = &slices;
	return src;
}

size_t
generate_given(const struct trc_source *src)
{
	return ((const struct rows_source *)src)->at;
}

/* Doubles the room of `b`. */
static void
grow(struct trc_batch *b)
{
	struct trc_batch old = *b;
	struct trc_err err;

	if (trc_batch_init(b, old.have, 2 * old.cap, &err))
		abort();
	trc_batch_append(b, &old, 0, old.n);
	trc_batch_release(&old);
}

int
generate_collect(struct trc_source *src, size_t most, struct trc_batch *all, struct trc_meta *meta,
                 struct trc_err *err)
{
	enum trc_flow flow;
	struct trc_batch b;

	*all = (struct trc_batch){ 0 };
	if (!src)
		return -1;
	if (trc_batch_init(&b, src->have, most, err) || trc_batch_init(all, src->have, 256, err))
		abort();
	while ((flow = trc_source_next(src, &b, err)) == TRC_FLOW_ROWS) {
		while (all->cap - all->n < b.n)
			grow(all);
		trc_batch_append(all, &b, 0, b.n);
	}
	/* What has ended stays so. */
	if (flow == TRC_FLOW_END && trc_source_next(src, &b, err) != TRC_FLOW_END)
		abort();
	if (meta) {
		*meta = src->meta;
		meta->provenance = meta->copied = (struct trc_view){ 0 }; /* bytes of the source */
	}
	trc_batch_release(&b);
	trc_source_close(src);
	return flow == TRC_FLOW_END ? 0 : -1;
}

bool
generate_same(const struct trc_batch *a, const struct trc_batch *b, uint32_t have, char *why,
              size_t room)
{
	if (a->n != b->n) {
		snprintf(why, room, "%zu rows and %zu", a->n, b->n);
		return false;
	}
	for (int c = 0; c < TRC_COLUMNS; c++) {
		const char *x = trc_batch_column(a, (enum trc_column)c);
		const char *y = trc_batch_column(b, (enum trc_column)c);
		const size_t width = trc_column[c].width;

		if (!(have >> c & 1))
			continue;
		for (size_t i = 0; i < a->n && c == TRC_COL_EVENT; i++)
			if (strcmp(trc_batch_event(a, i), trc_batch_event(b, i)) != 0 ||
			    trc_batch_is_event(a, i) != trc_batch_is_event(b, i)) {
				snprintf(why, room, "event %zu of %zu: '%s', '%s'", i, a->n,
				         trc_batch_event(a, i), trc_batch_event(b, i));
				return false;
			}
		for (size_t i = 0; i < a->n && c != TRC_COL_EVENT; i++)
			if (!x || !y || memcmp(x + i * width, y + i * width, width) != 0) {
				snprintf(why, room, "%s differs in row %zu of %zu",
				         trc_column[c].name, i, a->n);
				return false;
			}
	}
	return true;
}

static char folder[128];
static char paths[16][192];
static size_t n_paths;

static void
remove_folder(void)
{
	for (size_t i = 0; i < n_paths; i++)
		unlink(paths[i]);
	rmdir(folder);
}

const char *
generate_path(const char *name)
{
	const char *base = getenv("TMPDIR");

	if (!*folder) {
		snprintf(folder, sizeof(folder), "%.90s/trc-test-XXXXXX", base ? base : "/tmp");
		if (!mkdtemp(folder))
			abort();
		atexit(remove_folder);
	}
	for (size_t i = 0; i < n_paths; i++)
		if (strcmp(strrchr(paths[i], '/') + 1, name) == 0)
			return paths[i];
	if (n_paths == TRC_COUNT(paths))
		abort();
	snprintf(paths[n_paths], sizeof(paths[0]), "%s/%s", folder, name);
	return paths[n_paths++];
}

struct generate_bytes
generate_file_bytes(const char *path)
{
	struct generate_bytes bytes = { NULL, 0 };
	FILE *f = fopen(path, "rb");
	size_t cap = 65536, got = 1;

	for (; f && got > 0; cap *= 2) {
		bytes.p = realloc(bytes.p, cap);
		if (!bytes.p)
			abort();
		got = fread(bytes.p + bytes.len, 1, cap - bytes.len, f);
		bytes.len += got;
	}
	if (f)
		fclose(f);
	return bytes;
}

static size_t
assemble(const struct generate_bytes *text, uint8_t *dst)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len; i++) {
		char byte[3] = { 0 };
		char *end;

		if (text->p[i] == '#')
			while (i + 1 < text->len && text->p[i] != '\n')
				i++;
		if (strchr(" \t\n", text->p[i]))
			continue;
		if (i + 1 == text->len)
			abort();
		memcpy(byte, text->p + i++, 2);
		dst[n++] = (uint8_t)strtoul(byte, &end, 16);
		if (*end)
			abort();
	}
	return n;
}

struct generate_bytes
generate_corpus_bytes(const char *path)
{
	struct generate_bytes bytes = generate_file_bytes(path);
	size_t len = strlen(path);

	if (len > 4 && strcmp(path + len - 4, ".hex") == 0)
		bytes.len = assemble(&bytes, bytes.p);
	return bytes;
}

void
generate_file(const char *path, const void *p, size_t len)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(p, 1, len, f) != len || fclose(f) != 0)
		abort();
}

static int
write_rows(const struct trc_format *f, const char *args, const struct trc_batch *rows, size_t most,
           const struct trc_meta *meta, struct generate_bytes *bytes, struct trc_err *err)
{
	static const struct trc_meta none;
	const char *path = generate_path("written");
	struct trc_source *src = generate_source(rows, most);
	struct trc_out *out = trc_out_open(path, true, err);
	struct trc_sink *sink;
	int ret = -1;

	if (!out)
		abort();
	src->meta = meta ? *meta : none;
	sink = trc_format_sink(f, args, out, rows->have, &src->meta, err);
	if (sink)
		ret = trc_pump(src, sink, TRC_BATCH_ROWS, NULL, err);
	else
		trc_out_close(out);
	trc_sink_close(sink);
	trc_source_close(src);
	if (ret == 0)
		*bytes = generate_file_bytes(path);
	return ret;
}

int
generate_write(const struct trc_format *f, const struct trc_batch *rows, size_t most,
               const struct trc_meta *meta, struct generate_bytes *bytes, struct trc_err *err)
{
	return write_rows(f, NULL, rows, most, meta, bytes, err);
}

int
generate_write_as(const char *name, const struct trc_batch *rows, size_t most,
                  const struct trc_meta *meta, struct generate_bytes *bytes, struct trc_err *err)
{
	return write_rows(trc_format_named(name), trc_format_arguments(name), rows, most, meta,
	                  bytes, err);
}

struct trc_in *
generate_in(const void *p, size_t len, size_t step)
{
	struct trc_err err;
	struct trc_stream *s = trc_stream_memory(p, len, step, &err);
	struct trc_in *in = s ? trc_in_stream(s, "made", &err) : NULL;

	if (!in)
		abort();
	return in;
}

static struct trc_source *
open_format(const struct trc_format *f, const char *args, struct trc_in *in, struct trc_err *err)
{
	struct trc_source *src = trc_format_source(f, args, in, err);

	if (!src)
		trc_in_close(in);
	return src;
}

struct trc_source *
generate_read(const struct trc_format *f, const void *p, size_t len, size_t step,
              struct trc_err *err)
{
	return open_format(f, f->example, generate_in(p, len, step), err);
}

struct trc_source *
generate_read_as(const char *name, const void *p, size_t len, size_t step, struct trc_err *err)
{
	return open_format(trc_format_named(name), trc_format_arguments(name),
	                   generate_in(p, len, step), err);
}

struct trc_source *
generate_container(const void *p, size_t len, const char *args, bool pipe, struct trc_err *err)
{
	struct trc_in *in = generate_in(p, len, 4096);

	if (pipe) {
		in->stream->skip = NULL;
		in->stream->read_at = NULL;
	}
	return open_format(trc_format_named("trc"), args, in, err);
}

struct generate_bytes
generate_round_trip(const char *to, const char *from, const struct trc_batch *rows)
{
	static const size_t step[] = { 4096, 7, 2, 1 };
	struct generate_bytes first = { NULL, 0 }, bytes;
	struct trc_batch back;
	struct trc_err err;
	char why[128];

	for (size_t i = 0; i < TRC_COUNT(step) && (i < 2 || rows->n < 100000);
	     i += test_step_most(2)) {
		CHECK_MSG(generate_write_as(to, rows, step[i], NULL, &bytes, &err) == 0, "%s: %s",
		          to, err.text);
		if (i == 0)
			first = bytes;
		CHECK_MSG(bytes.len == first.len && memcmp(bytes.p, first.p, bytes.len) == 0,
		          "%s, batches of %zu", to, step[i]);
		CHECK_MSG(generate_collect(generate_read_as(from, bytes.p, bytes.len, step[i],
		                                            &err),
		                           step[i], &back, NULL, &err) == 0,
		          "%s: %s", from, err.text);
		CHECK_MSG(back.have == rows->have &&
		                  generate_same(rows, &back, rows->have, why, sizeof(why)),
		          "%s, batches of %zu", to, step[i]);
		trc_batch_release(&back);
		if (i > 0)
			free(bytes.p);
	}
	return first;
}

bool
generate_asks(const struct trc_err *err, const struct trc_format *f)
{
	for (unsigned i = 0; i < err->readings; i++)
		if (strcmp(err->reading[i].from, f->name) == 0)
			return true;
	return false;
}
