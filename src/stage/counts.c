/* SPDX-License-Identifier: MIT
 * The sink that counts what is in a trace. */
#include "stage/stage.h"

#include <stdlib.h>

struct counts_sink {
	struct trc_sink sink;
	struct trc_counts *counts;
	struct trc_counter *counter;
};

static int
counts_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	return trc_counter_add(((struct counts_sink *)sink)->counter, b, err);
}

static int
counts_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct counts_sink *s = (struct counts_sink *)sink;

	(void)meta, (void)err;
	*s->counts = trc_counter_counts(s->counter);
	return 0;
}

static void
counts_close(struct trc_sink *sink)
{
	struct counts_sink *s = (struct counts_sink *)sink;

	trc_counter_close(s->counter);
	free(s);
}

struct trc_sink *
trc_counts_sink(struct trc_counts *counts, unsigned page_bits, struct trc_err *err)
{
	struct counts_sink *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ counts_put, counts_finish, counts_close };
	s->counts = counts;
	s->counter = trc_counter_open(page_bits, 0, err);
	if (!s->counter) {
		free(s);
		return NULL;
	}
	return &s->sink;
}
