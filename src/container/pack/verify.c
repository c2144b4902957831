/* SPDX-License-Identifier: MIT
 * Reads blocks back without a file. */
#include "container/pack/verify.h"

#include <stdlib.h>

#include "container/events.h"
#include "container/row_block.h"

/* A decoder in the loop of the encoder. */
struct trc_verifier {
	struct trc_packed_block packed;
	struct trc_program_versions versions;
	struct trc_row_block block;
	bool grown; /* the previous frame was a part of the program */
	struct trc_batch rows;
	struct trc_fingerprint fingerprint;
};

void
trc_verifier_close(struct trc_verifier *v)
{
	if (!v)
		return;
	trc_packed_block_release(&v->packed);
	trc_program_versions_release(&v->versions);
	trc_row_block_release(&v->block);
	trc_batch_release(&v->rows);
	trc_fingerprint_release(&v->fingerprint);
	free(v);
}

struct trc_verifier *
trc_verifier_open(uint32_t have, size_t block_rows, int threads, struct trc_err *err)
{
	struct trc_verifier *v = trc_alloc(1, sizeof(*v), err);

	if (!v)
		return NULL;
	v->packed.set = (struct trc_read_settings){
		.name = "what was packed",
		.have = have,
		.threads = threads,
		.plan = { .block_rows = block_rows,
		          .reader = SIZE_MAX / 2,
		          .tables = SIZE_MAX / 2 },
	};
	if (trc_batch_init(&v->rows, have, TRC_BATCH_ROWS, err) ||
	    trc_fingerprint_init(&v->fingerprint, have, err)) {
		trc_verifier_close(v);
		return NULL;
	}
	return v;
}

/* Reads all rows of the block as a reader would, and compares their fingerprint. */
static int
check_rows(struct trc_verifier *v, struct trc_err *err)
{
	struct trc_row_block *b = &v->block;
	struct trc_batch *to = &v->rows;

	trc_fingerprint_reset(&v->fingerprint);
	while (b->at < b->end) {
		trc_batch_clear(to);
		if (trc_row_block_take(b, to, &v->fingerprint) == 0)
			return trc_fail(err, "references end early");
		if (trc_batch_check(to, err) || trc_events_check(to, 0, err))
			return -1;
	}
	return trc_fingerprint_all(&v->fingerprint) == b->sections.fingerprint ?
	               0 :
	               trc_fail(err, "the rows read back differ from those packed");
}

/* Adds a frame, and reads the block back once its last frame is there. */
static int
check_frame(struct trc_verifier *v, const struct trc_frame *f, struct trc_err *err)
{
	if (trc_packed_block_add(&v->packed, f, 0, v->grown, err))
		return -1;
	v->grown = f->kind == TRC_KIND_PROGRAM;
	if (f->kind != TRC_KIND_BLOCK)
		return 0;
	if (trc_row_block_refs(&v->block, &v->packed, &v->versions, err) ||
	    trc_sections_read(&v->block.sections, &v->packed, err) ||
	    trc_row_block_finish(&v->block, &v->packed, err) || check_rows(v, err))
		return -1;
	trc_packed_block_clear(&v->packed);
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
	                "a block could not be read back (%s): this is a bug in trc, please report "
	                "it",
	                why.text);
}
