/* SPDX-License-Identifier: MIT */
#include "container/pack/refs_streams.h"

#include "base/pool.h"

/* The arguments that the threads share. */
struct work {
	struct trc_refs_streams *s;
	const struct trc_refs_packing *how;
};

/* Packs the path with the model of the program. */
static int
pack_path(const struct work *w, struct trc_buf *out, struct trc_err *err)
{
	struct trc_buf *path = &w->s->path;
	size_t n;

	path->n = 0;
	if (trc_refs_write_path(w->how->writer, path, &n, err) || trc_buf_put_num(out, n, err))
		return -1;
	if (n == 0)
		return 0;
	return trc_buf_put_byte(out, TRC_PACK_PATH, err) || trc_buf_put_num(out, path->n, err) ||
	                       trc_buf_put(out, path->p, path->n, err) ?
	               -1 :
	               0;
}

static int
pack_stream(void *arg, size_t i, struct trc_err *err)
{
	const struct work *w = arg;
	struct trc_refs_streams *s = w->s;
	const int level = w->how->level;
	const struct trc_buf *stream = &s->refs.stream[i];
	const enum trc_pack_kind kind = trc_refs_kind(&s->refs, (enum trc_refs_stream)i);
	const bool path = i <= TRC_REFS_FAR && trc_pack_level(level) > TRC_PACK_FAST;
	struct trc_buf *out = &s->packed[i];

	if (s->budget.byte)
		return path ? 0 :
		              trc_pack_by_models(stream->p, stream->n, kind, level, &s->budget, out,
		                                 err);
	out->n = 0;
	if (!path)
		return trc_pack(stream->p, stream->n, kind, level, out, err);
	return i == TRC_REFS_PATH ? pack_path(w, out, err) : trc_buf_put_num(out, 0, err);
}

static int
pack_at_once(struct work *w, struct trc_err *err)
{
	return trc_pool_run(w->how->threads, pack_stream, w, TRC_REFS_EXCEPTION, err);
}

/* Returns how many nanoseconds saving a byte is worth: more, the larger its part of the block, and
 * less, the longer reading the growth of the program takes. */
static uint64_t
price_of_byte(uint64_t rows, uint64_t bytes, uint64_t growth, unsigned more)
{
	enum { ROWS = 16 }; /* rows that take as long as a byte of the program */

	return rows * more / bytes * rows / (rows + ROWS * growth) + 1;
}

int
trc_refs_streams_pack(struct trc_refs_streams *s, const struct trc_refs_packing *how,
                      struct trc_err *err)
{
	/* Picoseconds per reference that reading may take longer, to save one byte in a thousand,
	 * and in total for one stream. */
	static const struct {
		uint16_t byte, most;
	} more[] = {
		[2] = { 10, 1000 }, [3] = { 20, 2000 },   [4] = { 30, 3000 },   [5] = { 40, 5000 },
		[6] = { 53, 6000 }, [7] = { 150, 12000 }, [8] = { 600, 50000 }, [9] = { 0, 0 }
	};
	struct work w = { s, how };
	size_t bytes = how->growth;

	s->budget.byte = 0;
	if (pack_at_once(&w, err))
		return -1;
	for (int i = 0; i < TRC_REFS_EXCEPTION; i++)
		bytes += s->packed[i].n;
	if (how->level >= TRC_PACK_EXTREME || more[how->level].byte == 0)
		return 0;
	s->budget.byte = price_of_byte(how->rows, bytes, how->growth, more[how->level].byte);
	s->budget.most = (uint64_t)how->rows * more[how->level].most / 1000;
	return pack_at_once(&w, err);
}

int
trc_refs_streams_put(const struct trc_refs_streams *s, struct trc_buf *b, struct trc_err *err)
{
	for (int i = 0; i < TRC_REFS_EXCEPTION; i++)
		if (trc_buf_put(b, s->packed[i].p, s->packed[i].n, err))
			return -1;
	return 0;
}

void
trc_refs_streams_release(struct trc_refs_streams *s)
{
	trc_refs_release(&s->refs);
	trc_buf_release(&s->path);
	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		trc_buf_release(&s->packed[i]);
}
