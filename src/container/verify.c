/* SPDX-License-Identifier: MIT
 * Blocks through the code that reads them, without a file. */
#include "container/verify.h"

#include <stdio.h>
#include <stdlib.h>

#include "container/unpack.h"

struct trc_verifier {
	struct trc_raw raw;
	struct trc_growing growing;
	struct trc_block block;
	bool grown; /* the last frame was a part of the program */
	struct trc_batch rows;
	struct trc_fingerprint digest;
};

void
trc_verifier_close(struct trc_verifier *v)
{
	if (!v)
		return;
	trc_raw_release(&v->raw);
	trc_growing_release(&v->growing);
	trc_block_release(&v->block);
	trc_batch_release(&v->rows);
	trc_fingerprint_release(&v->digest);
	free(v);
}

struct trc_verifier *
trc_verifier_open(uint32_t have, size_t block_rows, int threads, struct trc_err *err)
{
	struct trc_verifier *v = trc_alloc(1, sizeof(*v), err);

	if (!v)
		return NULL;
	v->raw = (struct trc_raw){
		.name = "what was packed",
		.have = have,
		.threads = threads,
		.room = { block_rows, SIZE_MAX / 2, SIZE_MAX / 2 },
	};
	if (trc_batch_init(&v->rows, have, TRC_BATCH_ROWS, err) ||
	    trc_fingerprint_init(&v->digest, have, err)) {
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

	trc_fingerprint_reset(&v->digest);
	while (b->at < b->rows) {
		trc_batch_clear(to);
		if (trc_block_take(b, to, &v->digest) == 0)
			return trc_fail(err, "references end early");
		if (trc_batch_check(to, err))
			return -1;
	}
	return trc_fingerprint_all(&v->digest) == b->digest ?
	               0 :
	               trc_fail(err, "other rows come out than went in");
}

/* A block is read when its last frame is there. */
static int
check_frame(struct trc_verifier *v, const struct trc_frame *f, struct trc_err *err)
{
	if (trc_raw_add(&v->raw, f, 0, v->grown, err))
		return -1;
	v->grown = f->kind == TRC_KIND_PROGRAM;
	if (f->kind != TRC_KIND_BLOCK)
		return 0;
	if (trc_block_refs(&v->growing, &v->raw, &v->block, err) ||
	    trc_block_sections(&v->raw, &v->block, err) ||
	    trc_block_finish(&v->raw, &v->block, err) || check_rows(v, err))
		return -1;
	trc_raw_clear(&v->raw);
	return 0;
}

int
trc_verifier_frame(struct trc_verifier *v, uint8_t kind, uint64_t number,
                   const struct trc_buf *payload, struct trc_err *err)
{
	const struct trc_frame f = {
		.kind = kind, .number = number, .len = payload->n, .payload = payload->p
	};
	struct trc_err why = { 0 };

	if (check_frame(v, &f, &why) == 0)
		return 0;
	if (why.code == TRC_NO_MEMORY)
		return trc_fail_as(err, TRC_NO_MEMORY, "%s", why.text);
	return trc_fail(err,
	                "a block did not come back as it was (%s): a fault of trc, please "
	                "report it",
	                why.text);
}
