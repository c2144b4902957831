/* SPDX-License-Identifier: MIT
 * The sink for fingerprints of columns that can be had from parts. */
#include "stage/stage.h"

#include <stdlib.h>

#include "batch/fingerprint_part.h"

/* The sink. */
struct fingerprints_sink {
	struct trc_sink sink;
	struct trc_fingerprints *answer;
	struct trc_fingerprint_part part;
};

static int
fingerprints_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	return trc_fingerprint_part_add(&((struct fingerprints_sink *)sink)->part, b, err);
}

static int
fingerprints_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	const struct fingerprints_sink *s = (const struct fingerprints_sink *)sink;

	(void)meta, (void)err;
	s->answer->rows = s->part.rows;
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (s->part.have >> c & 1)
			s->answer->column[c] = trc_fingerprint_part_column(&s->part,
			                                                   (enum trc_column)c);
	s->answer->all = trc_fingerprint_part_all(&s->part);
	return 0;
}

static int
fingerprints_save(struct trc_sink *sink, struct trc_buf *state, struct trc_err *err)
{
	return trc_fingerprint_part_save(&((const struct fingerprints_sink *)sink)->part, state,
	                                 err);
}

static int
fingerprints_append(struct trc_sink *sink, struct trc_view *state, struct trc_err *err)
{
	return trc_fingerprint_part_append(&((struct fingerprints_sink *)sink)->part, state, err);
}

static void
fingerprints_close(struct trc_sink *sink)
{
	trc_fingerprint_part_release(&((struct fingerprints_sink *)sink)->part);
	free(sink);
}

struct trc_sink *
trc_fingerprints_sink(struct trc_fingerprints *answer, uint32_t have, uint64_t before,
                      struct trc_err *err)
{
	struct fingerprints_sink *s = trc_alloc(1, sizeof(*s), err);

	*answer = (struct trc_fingerprints){ 0 };
	if (!s)
		return NULL;
	if (trc_fingerprint_part_init(&s->part, have, before, err)) {
		free(s);
		return NULL;
	}
	s->sink = (struct trc_sink){ .put = fingerprints_put,
		                     .finish = fingerprints_finish,
		                     .close = fingerprints_close,
		                     .save = fingerprints_save,
		                     .append = fingerprints_append };
	s->answer = answer;
	return &s->sink;
}
