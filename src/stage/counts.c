/* SPDX-License-Identifier: MIT
 * The sink that counts what is in a trace. */
#include "stage/stage.h"

#include <stdlib.h>

/* The sink. */
struct counts_sink {
	struct trc_sink sink;
	struct trc_counts *counts;
	unsigned page_bits;
	struct trc_tally *counter;
};

static int
counts_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	return trc_tally_add(((struct counts_sink *)sink)->counter, b, err);
}

static int
counts_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct counts_sink *s = (struct counts_sink *)sink;

	(void)meta, (void)err;
	*s->counts = trc_tally_counts(s->counter);
	return 0;
}

static void
counts_close(struct trc_sink *sink)
{
	struct counts_sink *s = (struct counts_sink *)sink;

	trc_tally_close(s->counter);
	free(s);
}

static struct trc_sink *
counts_clone(struct trc_sink *sink, struct trc_err *err)
{
	const struct counts_sink *s = (const struct counts_sink *)sink;

	return trc_counts_sink(s->counts, s->page_bits, err);
}

static int
counts_absorb(struct trc_sink *sink, struct trc_sink *clone, struct trc_err *err)
{
	return trc_tally_join(((struct counts_sink *)sink)->counter,
	                      ((const struct counts_sink *)clone)->counter, err);
}

static void
counts_state(struct trc_sink *sink, struct trc_state *s)
{
	trc_tally_state(((struct counts_sink *)sink)->counter, s);
}

static const struct trc_apart apart = { counts_clone, counts_absorb, false };

struct trc_sink *
trc_counts_sink(struct trc_counts *counts, unsigned page_bits, struct trc_err *err)
{
	struct counts_sink *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = counts_put,
		                     .finish = counts_finish,
		                     .close = counts_close,
		                     .apart = &apart,
		                     .state = counts_state };
	s->counts = counts;
	s->page_bits = page_bits;
	s->counter = trc_tally_open(page_bits, 0, err);
	if (!s->counter) {
		free(s);
		return NULL;
	}
	return &s->sink;
}
