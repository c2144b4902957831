/* SPDX-License-Identifier: MIT
 * Blocks through the code that reads them, without a file. */
#include "format/trc_verify.h"

#include <stdio.h>
#include <stdlib.h>

#include "format/digest.h"
#include "format/trc_unpack.h"

struct trc_verifier {
	struct trc_blocks shared;
	struct trc_block block;
	bool grown;   /* a part of the program came since the last references */
	size_t slots; /* of the program before that part */
	struct trc_batch rows;
	struct trc_digest digest;
};

void
trc_verifier_close(struct trc_verifier *v)
{
	if (!v)
		return;
	trc_block_release(&v->block);
	trc_program_release(&v->shared.program);
	trc_block_pages_forget(&v->shared);
	free(v->shared.wide);
	trc_batch_release(&v->rows);
	trc_digest_release(&v->digest);
	free(v);
}

struct trc_verifier *
trc_verifier_open(uint32_t have, size_t block_rows, int threads, struct trc_err *err)
{
	struct trc_verifier *v = trc_alloc(1, sizeof(*v), err);

	if (!v)
		return NULL;
	v->shared = (struct trc_blocks){
		.have = have,
		.threads = threads,
		.block_rows = block_rows,
		.reader = SIZE_MAX / 2,
		.tables = SIZE_MAX / 2,
		.wide = trc_alloc(block_rows, sizeof(*v->shared.wide), err),
	};
	if (!v->shared.wide || trc_batch_init(&v->rows, have, TRC_BATCH_ROWS, err) ||
	    trc_digest_init(&v->digest, have, err)) {
		trc_verifier_close(v);
		return NULL;
	}
	return v;
}

/* All rows of the block, as a reader hands them out. */
static int
check_rows(struct trc_verifier *v, struct trc_err *err)
{
	struct trc_block *b = &v->block;
	struct trc_batch *to = &v->rows;

	trc_digest_reset(&v->digest);
	for (b->at = 0; b->at < b->rows; b->at += to->n) {
		size_t n = b->rows - b->at < to->cap ? (size_t)(b->rows - b->at) : to->cap;

		trc_batch_clear(to);
		if (b->contexts)
			n = trc_block_next(b, to->type, to->addr, to->size, n);
		if (n == 0)
			return trc_fail(err, "references end early");
		trc_batch_copy(to, &b->column, b->flat, (size_t)b->at, n);
		trc_digest_update(&v->digest, to, 0, n);
		to->n = n;
		if (trc_batch_check(to, err))
			return -1;
	}
	return trc_digest_all(&v->digest) == b->digest ?
	               0 :
	               trc_fail(err, "other rows come out than went in");
}

static int
check_block(struct trc_verifier *v, const struct trc_frame *f, struct trc_err *err)
{
	struct trc_view in = { f->payload, f->payload + f->len };
	struct trc_block *b = &v->block;
	const uint8_t *digest;
	uint32_t have;

	if (b->first != f->number >> TRC_ROW_BITS)
		b->contexts = 0;
	b->first = f->number >> TRC_ROW_BITS;
	b->rows = f->number & ((1u << TRC_ROW_BITS) - 1);
	if (trc_block_columns(&in, &have, err))
		return -1;
	digest = trc_view_bytes(&in, 8);
	if (!digest || have != v->shared.have)
		return trc_fail(err, "the head of the block is damaged");
	b->digest = trc_le64(digest);
	if (trc_block_sections(&v->shared, b, &in, err) || check_rows(v, err))
		return -1;
	b->contexts = 0;
	return 0;
}

static int
check_frame(struct trc_verifier *v, const struct trc_frame *f, struct trc_err *err)
{
	const uint64_t first = f->number >> TRC_ROW_BITS;
	size_t slots = v->shared.program.slots;

	if (f->kind == TRC_KIND_PROGRAM) {
		v->grown = true;
		v->slots = f->len > 0 && f->payload[0] & 1 ? 0 : slots;
		return trc_block_program(&v->shared, f, err);
	}
	if (f->kind == TRC_KIND_PAGES)
		return trc_block_pages(&v->shared, &v->block, f, first, err);
	if (f->kind == TRC_KIND_BLOCK)
		return check_block(v, f, err);
	slots = v->grown ? v->slots : slots;
	v->grown = false;
	return trc_block_refs(&v->shared, &v->block, f, first, slots, err);
}

int
trc_verifier_frame(struct trc_verifier *v, uint8_t kind, uint64_t number,
                   const struct trc_buf *payload, struct trc_err *err)
{
	const struct trc_frame f = { .kind = kind, .number = number, .len = payload->n,
		                     .payload = payload->p };
	struct trc_err why = { 0 };

	if (check_frame(v, &f, &why) == 0)
		return 0;
	if (why.code == TRC_NO_MEMORY)
		return trc_fail_as(err, TRC_NO_MEMORY, "%s", why.text);
	return trc_fail(err, "a block did not come back as it was (%s): a fault of trc, please "
			     "report it", why.text);
}
