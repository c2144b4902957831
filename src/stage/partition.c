/* SPDX-License-Identifier: MIT */
#include "stage/partition.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map_find.h"
#include "base/io/spill.h"
#include "batch/packed.h"

enum {
	CHUNK = 256,        /* rows; the chunks of a thousand traces take about 20 MB */
	GATHERED = 1 << 20, /* bytes of chunks that are written together */
};

/* The position of a chunk in the file. */
struct chunk {
	uint64_t offset;
	uint32_t bytes, rows;
};

/* One of the traces to which rows are distributed. */
struct trace {
	uint64_t key;
	struct trc_batch rows; /* not in a chunk yet; capacity grows up to CHUNK */
	struct chunk *chunk;
	size_t chunks, chunk_cap;
};

/* A sink for many traces, whose chunks share one temporary file. */
struct trc_partition {
	int fd;
	uint32_t have;
	struct trc_map by_key; /* (upper half, lower half) -> trace */
	struct trace *trace;
	size_t traces, trace_cap;
	struct trc_buf gathered; /* chunks to be written at offset `written` */
	uint64_t written;
};

/* ---- writing ---- */

static int
flush(struct trc_partition *s, struct trc_err *err)
{
	if (trc_spill_write(s->fd, s->gathered.p, s->gathered.n, s->written, err))
		return -1;
	s->written += s->gathered.n;
	s->gathered.n = 0;
	return 0;
}

static int
end_chunk(struct trc_partition *s, struct trace *t, struct trc_err *err)
{
	const size_t start = s->gathered.n;
	struct chunk *c;

	if (trc_grow(&t->chunk, &t->chunk_cap, t->chunks + 1, sizeof(*t->chunk), err) ||
	    trc_batch_check(&t->rows, err) || trc_batch_pack(&t->rows, &s->gathered, err))
		return -1;
	c = &t->chunk[t->chunks++];
	c->offset = s->written + start;
	c->bytes = (uint32_t)(s->gathered.n - start);
	c->rows = (uint32_t)t->rows.n;
	trc_batch_clear(&t->rows);
	return s->gathered.n >= GATHERED ? flush(s, err) : 0;
}

static struct trace *
find_trace(struct trc_partition *s, uint64_t key, struct trc_err *err)
{
	const uint32_t at = trc_map_find(&s->by_key, 0, key)->value;

	if (at != TRC_MAP_NONE)
		return &s->trace[at];
	if (trc_grow(&s->trace, &s->trace_cap, s->traces + 1, sizeof(*s->trace), err) ||
	    trc_map_add(&s->by_key, 0, key, (uint32_t)s->traces, err))
		return NULL;
	s->trace[s->traces] = (struct trace){ .key = key };
	return &s->trace[s->traces++];
}

/* Makes room for a row. Begins with little, because most traces may have only a few rows. */
static int
make_room(struct trc_partition *s, struct trace *t, struct trc_err *err)
{
	struct trc_batch more;

	if (t->rows.n == CHUNK)
		return end_chunk(s, t, err);
	if (t->rows.n < t->rows.cap)
		return 0;
	if (trc_batch_init(&more, s->have, t->rows.cap ? CHUNK : 16, err))
		return -1;
	if (t->rows.n > 0)
		trc_batch_append(&more, &t->rows, 0, t->rows.n);
	trc_batch_release(&t->rows);
	t->rows = more;
	return 0;
}

int
trc_partition_put(struct trc_partition *s, uint64_t key, const struct trc_batch *b, size_t from,
                  size_t n, struct trc_err *err)
{
	struct trace *t = find_trace(s, key, err);

	while (t && n > 0) {
		size_t some;

		if (make_room(s, t, err))
			return -1;
		some = t->rows.cap - t->rows.n < n ? t->rows.cap - t->rows.n : n;
		trc_batch_append(&t->rows, b, from, some);
		from += some;
		n -= some;
	}
	return t ? 0 : -1;
}

int
trc_partition_finish(struct trc_partition *s, struct trc_err *err)
{
	for (size_t i = 0; i < s->traces; i++) {
		if (s->trace[i].rows.n > 0 && end_chunk(s, &s->trace[i], err))
			return -1;
		trc_batch_release(&s->trace[i].rows);
	}
	return flush(s, err);
}

size_t
trc_partition_traces(const struct trc_partition *s)
{
	return s->traces;
}

uint64_t
trc_partition_key(const struct trc_partition *s, size_t trace)
{
	return s->trace[trace].key;
}

struct trc_partition *
trc_partition_open(uint32_t have, struct trc_err *err)
{
	struct trc_partition *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->have = have;
	s->fd = trc_spill_open(err);
	if (s->fd < 0 || trc_map_init(&s->by_key, err)) {
		trc_partition_close(s);
		return NULL;
	}
	return s;
}

void
trc_partition_close(struct trc_partition *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->traces; i++) {
		trc_batch_release(&s->trace[i].rows);
		free(s->trace[i].chunk);
	}
	if (s->fd >= 0)
		close(s->fd);
	trc_map_release(&s->by_key);
	trc_buf_release(&s->gathered);
	free(s->trace);
	free(s);
}

/* ---- reading ---- */

/* A source that reads a trace back. */
struct spill_source {
	struct trc_source src;
	struct trc_partition *spill;
	const struct trace *trace;
	size_t next; /* chunk */
	struct trc_batch rows;
	size_t at;
	struct trc_buf packed;
};

static int
next_chunk(struct spill_source *s, struct trc_err *err)
{
	const struct chunk *c = &s->trace->chunk[s->next++];

	s->packed.n = 0;
	if (trc_buf_room(&s->packed, c->bytes, err) ||
	    trc_spill_read(s->spill->fd, s->packed.p, c->bytes, c->offset, err))
		return -1;
	s->packed.n = c->bytes;
	trc_batch_clear(&s->rows);
	s->at = 0;
	/* The data was packed here and is not hostile, but the disk may be faulty. */
	if (trc_batch_unpack(trc_buf_view(&s->packed), &s->rows, c->rows, err))
		return trc_err_in(err, "a temporary file");
	return 0;
}

static enum trc_flow
spill_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct spill_source *s = (struct spill_source *)src;

	while (b->n < b->cap) {
		size_t n = s->rows.n - s->at;

		if (n == 0 && s->next == s->trace->chunks)
			break;
		if (n == 0 && next_chunk(s, err))
			return TRC_FLOW_FAILED;
		n = s->rows.n - s->at;
		n = n < b->cap - b->n ? n : b->cap - b->n;
		trc_batch_append(b, &s->rows, s->at, n);
		s->at += n;
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
spill_close(struct trc_source *src)
{
	struct spill_source *s = (struct spill_source *)src;

	trc_batch_release(&s->rows);
	trc_buf_release(&s->packed);
	free(s);
}

struct trc_source *
trc_partition_source(struct trc_partition *s, size_t trace, struct trc_err *err)
{
	struct spill_source *x = trc_alloc(1, sizeof(*x), err);

	if (!x)
		return NULL;
	x->src = (struct trc_source){ .have = s->have, .next = spill_next, .close = spill_close };
	x->spill = s;
	x->trace = &s->trace[trace];
	if (trc_batch_init(&x->rows, s->have, CHUNK, err)) {
		free(x);
		return NULL;
	}
	return &x->src;
}
