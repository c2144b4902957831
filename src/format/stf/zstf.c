/* SPDX-License-Identifier: MIT
 *
 * Writes .zstf as stf_lib does, packed so that readers can begin at a chunk: "ZSTF", the
 * instructions per chunk (8 bytes), the offset of the index (8), the chunks, and their index: its
 * length (8), and for each its offset, the pc of its first instruction, 0 for the first chunk, and
 * its bytes before packing (8 each). A chunk is a zstd frame and ends with the word of an
 * instruction.
 */
#include <stdlib.h>

#include "base/io/packing.h"
#include "format/stf/stf.h"

enum { CHUNK = 100000 /* instructions, as stf_lib has it */, INDEX_AT = 12, HEADER_ROOM = 1024 };

/* The sink; `data` and `start` belong to the chunk that is being gathered. */
struct zstf {
	struct trc_sink sink;
	struct trc_out *out;
	struct trc_packer *packer;
	struct trc_buf data, packed, index;
	uint64_t start, chunks, rows;
	uint32_t have;
	_Alignas(uint64_t) unsigned char state[TRC_FORMAT_STATE]; /* of trc_stf_print */
};

/* Writes the first `n` bytes of the data as a chunk. */
static int
put_chunk(struct zstf *s, size_t n, struct trc_err *err)
{
	s->packed.n = 0;
	if (trc_buf_room(&s->index, 24, err) ||
	    trc_pack_whole(s->packer, s->data.p, n, &s->packed, err))
		return -1;
	trc_put_le64(s->index.p + s->index.n, trc_out_offset(s->out));
	trc_put_le64(s->index.p + s->index.n + 8, s->start);
	trc_put_le64(s->index.p + s->index.n + 16, n);
	s->index.n += 24;
	s->chunks++;
	s->data.n -= n;
	memmove(s->data.p, s->data.p + n, s->data.n);
	return trc_out_put(s->out, s->packed.p, s->packed.n, err);
}

/* Appends a row to the data; what ends a chunk comes before an instruction. */
static int
put_row(struct zstf *s, struct trc_rows *r, struct trc_err *err)
{
	const struct trc_stf_written *w = (const struct trc_stf_written *)s->state;
	const uint64_t before = w->instructions;
	uint8_t *end;

	if (trc_buf_room(&s->data, trc_stf_print.room, err))
		return -1;
	r->stop = r->i + 1;
	end = trc_stf_print.print(r, s->data.p + s->data.n, err);
	if (!end) {
		err->unfit = true;
		return trc_err_in(err, "record %llu", (unsigned long long)(s->rows + r->i + 1));
	}
	s->data.n = (size_t)(end - s->data.p);
	if (w->instructions == before || w->instructions % CHUNK != 0)
		return 0;
	if (put_chunk(s, (size_t)(w->end - s->data.p), err))
		return -1;
	s->start = w->next;
	return 0;
}

static int
put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct zstf *s = (struct zstf *)sink;
	struct trc_rows r = {
		.b = b, .have = s->have, .state = s->state, .caveat = s->sink.caveat
	};

	while (r.i < b->n)
		if (put_row(s, &r, err))
			return -1;
	s->rows += b->n;
	return 0;
}

static int
finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct zstf *s = (struct zstf *)sink;
	const struct trc_rows none = { .state = s->state };
	uint8_t index_at[8], chunks[8];

	if (trc_buf_room(&s->data, trc_stf_print.room, err))
		return -1;
	s->data.n = (size_t)(trc_stf_print.trailer(&none, meta, s->data.p + s->data.n) - s->data.p);
	if (s->data.n && put_chunk(s, s->data.n, err))
		return -1;
	trc_put_le64(index_at, trc_out_offset(s->out));
	trc_put_le64(chunks, s->chunks);
	if (trc_out_put(s->out, chunks, 8, err) ||
	    trc_out_put(s->out, s->index.p, s->index.n, err) || trc_out_flush(s->out, err) ||
	    trc_out_rewrite(s->out, INDEX_AT, index_at, 8, err))
		return -1;
	return trc_out_commit(s->out, err);
}

static void
release(struct zstf *s)
{
	trc_pack_close(s->packer);
	trc_buf_release(&s->data);
	trc_buf_release(&s->packed);
	trc_buf_release(&s->index);
	free(s);
}

static void
close_sink(struct trc_sink *sink)
{
	trc_out_close(((struct zstf *)sink)->out);
	release((struct zstf *)sink);
}

/* Writes the header of the file, and gathers that of STF. */
static int
begin(struct zstf *s, struct trc_out *out, const struct trc_meta *meta, struct trc_err *err)
{
	uint8_t head[20] = { 'Z', 'S', 'T', 'F' };

	if (!trc_out_rewritable(out))
		return trc_fail_as(err, TRC_USAGE,
		                   "zstf is packed already, and its header is completed at the "
		                   "end, so it needs a file without --compress; for %s, use --to "
		                   "stf",
		                   out->name);
	s->packer = trc_pack_open(&trc_packing_zst, trc_packing_zst.level, err);
	if (!s->packer || trc_buf_room(&s->data, HEADER_ROOM, err))
		return -1;
	s->data.n = (size_t)(trc_stf_more.header(meta, s->have, s->data.p) - s->data.p);
	trc_put_le64(head + 4, CHUNK);
	return trc_out_put(out, head, sizeof(head), err);
}

struct trc_sink *
trc_zstf_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta, const void *settings,
              struct trc_err *err)
{
	struct zstf *s = trc_alloc(1, sizeof(*s), err);

	(void)settings;
	if (!s)
		return NULL;
	s->have = have;
	if (begin(s, out, meta, err)) {
		release(s);
		return NULL;
	}
	s->sink = (struct trc_sink){ .put = put, .finish = finish, .close = close_sink };
	s->out = out;
	return &s->sink;
}
