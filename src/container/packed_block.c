/* SPDX-License-Identifier: MIT
 * The frames of a block, and the streams in them. */
#include "container/packed_block.h"

#include <stdlib.h>

#include "base/pool.h"
#include "container/container.h"
#include "container/header.h"

void
trc_packed_block_clear(struct trc_packed_block *b)
{
	b->frames = 0;
	b->bytes.n = 0;
}

void
trc_packed_block_release(struct trc_packed_block *b)
{
	free(b->frame);
	trc_buf_release(&b->bytes);
	trc_refs_release(&b->refs.refs);
}

/* ---- frames ---- */

/* Drops skipped parts of the program that a reset, in a frame of `kind`, makes unnecessary. Until
 * then they are kept, because the next block may need them. */
static void
drop_needless(struct trc_packed_block *b, uint8_t kind)
{
	const bool lost = b->frames > 0 && b->frame[0].kind == TRC_KIND_TRACE;

	for (size_t i = lost; i < b->frames; i++)
		if (b->frame[i].kind != kind)
			return;
	b->frames = lost;
	b->bytes.n = 0;
}

int
trc_packed_block_add(struct trc_packed_block *b, const struct trc_frame *f, uint64_t base,
                     bool grown, struct trc_err *err)
{
	struct trc_block_frame to = { .kind = TRC_KIND_TRACE };

	if (!f)
		trc_packed_block_clear(b);
	else if (f->kind == TRC_KIND_PROGRAM && trc_program_resets(f->payload, f->len))
		drop_needless(b, f->kind);
	if (trc_grow(&b->frame, &b->frame_cap, b->frames + 1, sizeof(to), err))
		return -1;
	if (f) {
		to = (struct trc_block_frame){ .kind = f->kind,
			                       .grown = grown,
			                       .number = f->number,
			                       .offset = f->offset,
			                       .first = base + trc_frame_first(f),
			                       .rows = trc_frame_rows(f),
			                       .at = b->bytes.n,
			                       .len = (size_t)f->len };
		if (trc_buf_put(&b->bytes, f->payload, to.len, err))
			return -1;
	}
	b->frame[b->frames++] = to;
	return 0;
}

struct trc_view
trc_packed_block_payload(const struct trc_packed_block *b, const struct trc_block_frame *f)
{
	return (struct trc_view){ b->bytes.p + f->at, b->bytes.p + f->at + f->len };
}

int
trc_packed_block_fail(const struct trc_packed_block *b, const struct trc_block_frame *f,
                      struct trc_err *err)
{
	trc_err_needs(err, b->set.needs);
	return trc_err_in(err, "%s: at byte %llu, after %llu good records", b->set.name,
	                  (ull)f->offset, (ull)b->range.before);
}

int
trc_packed_block_program(struct trc_packed_block *b, struct trc_program_versions *v,
                         struct trc_err *err)
{
	for (size_t i = 0; b->single && i < b->frames; i++) {
		const struct trc_block_frame *f = &b->frame[i];

		if (f->kind == TRC_KIND_TRACE)
			trc_program_versions_lose(v);
		else if (f->kind == TRC_KIND_PROGRAM &&
		         trc_program_versions_add(v, trc_packed_block_payload(b, f), f->number,
		                                  b->set.have, err))
			return trc_packed_block_fail(b, f, err);
	}
	b->version = v->newest;
	return 0;
}

/* ---- references ---- */

static int
fail_refs(struct trc_err *err)
{
	return trc_fail(err, "the references of a block are damaged");
}

/* Locates the streams. Together they may claim no more bytes than their rows can need. */
static int
take_streams(struct trc_packed_refs *p, struct trc_view *v, int streams, struct trc_err *err)
{
	size_t budget = TRC_STREAMS_MOST((size_t)p->rows);

	p->packed[TRC_REFS_EXCEPTION] = (struct trc_packed){ 0 };
	for (int i = 0; i < streams; i++) {
		if (trc_packed_take(v, budget, &p->packed[i], err))
			return -1;
		budget -= p->packed[i].n;
		if (p->packed[i].method == TRC_PACK_PATH && i != TRC_REFS_PATH)
			return fail_refs(err);
	}
	p->refs.branches = p->packed[TRC_REFS_PATH].method == TRC_PACK_PATH ?
	                           p->packed[TRC_REFS_PATH].n :
	                           0;
	return 0;
}

static int
take_refs(struct trc_packed_block *b, const struct trc_block_frame *f, struct trc_err *err)
{
	struct trc_view v = trc_packed_block_payload(b, f);
	struct trc_packed_refs *p = &b->refs;
	const uint8_t *form = trc_view_bytes(&v, 1);
	uint64_t first, ops;

	if (!form || *form & ~(TRC_REFS_ABSOLUTE | TRC_REFS_EXCEPTIONS) ||
	    !trc_view_num(&v, &p->rows) || p->rows == 0 || p->rows > f->rows ||
	    f->rows > b->set.plan.block_rows || !trc_view_num(&v, &p->generation) ||
	    !trc_view_num(&v, &first) || first > UINT32_MAX || !trc_view_num(&v, &ops) ||
	    ops > p->rows || (b->set.have & TRC_HAS_ADDR) == 0)
		return fail_refs(err);
	p->refs.absolute = *form & TRC_REFS_ABSOLUTE;
	p->refs.first = (uint32_t)first;
	p->refs.ops = ops;
	return take_streams(p, &v,
	                    *form & TRC_REFS_EXCEPTIONS ? TRC_REFS_STREAMS : TRC_REFS_EXCEPTION,
	                    err);
}

/* Completes a block. It is single if the frame before its last one is its only frame with
 * references. Other blocks are read frame by frame, and so are all blocks in a salvage, which
 * leaves out frames. */
int
trc_packed_block_complete(struct trc_packed_block *b, struct trc_err *err)
{
	const struct trc_block_frame *refs = b->frames >= 2 ? trc_packed_block_refs(b) : NULL;
	size_t contexts = 0;

	b->grows = b->single = false;
	for (size_t i = 0; i < b->frames; i++) {
		contexts += b->frame[i].kind == TRC_KIND_REFS;
		b->grows |= b->frame[i].kind == TRC_KIND_PROGRAM;
	}
	if (b->set.salvage || contexts != 1 || refs->kind != TRC_KIND_REFS)
		return 0;
	b->single = true;
	return take_refs(b, refs, err) ? trc_packed_block_fail(b, refs, err) : 0;
}

static int
unpack_stream(void *arg, size_t i, struct trc_err *err)
{
	struct trc_packed_refs *p = arg;

	return trc_packed_unpack(&p->packed[i], &p->refs.stream[i], err);
}

int
trc_packed_block_unpack(struct trc_packed_block *b, size_t stream, struct trc_err *err)
{
	if (unpack_stream(&b->refs, stream, err))
		return trc_packed_block_fail(b, trc_packed_block_refs(b), err);
	return 0;
}

/* Returns how many threads can unpack streams with the memory planned for tables. */
static int
threads_for(const struct trc_packed_block *b)
{
	const size_t threads = (size_t)trc_threads_for(b->set.threads, b->refs.rows);
	size_t most = 1, fit;

	for (int i = 0; i < TRC_REFS_STREAMS; i++) {
		const size_t bytes = trc_packed_memory(&b->refs.packed[i]);

		most = bytes > most ? bytes : most;
	}
	fit = b->set.plan.tables / most;
	return fit < 1 ? 1 : (int)(fit < threads ? fit : threads);
}

int
trc_packed_block_unpack_frame(struct trc_packed_block *b, const struct trc_block_frame *f,
                              struct trc_err *err)
{
	if (take_refs(b, f, err))
		return -1;
	return trc_pool_run(threads_for(b), unpack_stream, &b->refs, TRC_REFS_STREAMS, err);
}
