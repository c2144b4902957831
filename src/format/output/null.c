/* SPDX-License-Identifier: MIT
 *
 * Writes nothing: for timing, and for commands that print something about the trace while they
 * write one.
 *
 *   trc reduce --sad 64 --to null sort.lackey.xz
 */
#include <stdlib.h>

#include "format/format.h"

/* The sink, which drops all rows. */
struct null_sink {
	struct trc_sink sink;
	struct trc_out *out;
};

static int
null_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	(void)sink, (void)b, (void)err;
	return 0;
}

static int
null_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	(void)meta;
	return trc_out_commit(((struct null_sink *)sink)->out, err);
}

static void
null_close(struct trc_sink *sink)
{
	trc_out_close(((struct null_sink *)sink)->out);
	free(sink);
}

static struct trc_sink *
null_clone(struct trc_sink *sink, struct trc_err *err)
{
	struct null_sink *s = trc_alloc(1, sizeof(*s), err);

	if (s)
		s->sink = *sink;
	return s ? &s->sink : NULL;
}

static int
null_absorb(struct trc_sink *sink, struct trc_sink *clone, struct trc_err *err)
{
	(void)sink, (void)clone, (void)err;
	return 0;
}

static const struct trc_apart apart = { null_clone, null_absorb, false };

static struct trc_sink *
null_open(struct trc_out *out, uint32_t have, const struct trc_meta *meta, const void *settings,
          struct trc_err *err)
{
	struct null_sink *s = trc_alloc(1, sizeof(*s), err);

	(void)have, (void)meta, (void)settings;
	if (!s)
		return NULL;
	*s = (struct null_sink){ .sink = { .put = null_put,
		                           .finish = null_finish,
		                           .close = null_close,
		                           .apart = &apart },
		                 .out = out };
	return &s->sink;
}

const struct trc_format trc_family_null[] = {
	{
	        .name = "null",
	        .doc = "keeps nothing",
	        .holds = TRC_HAS_ALL,
	        .report = true,
	        .sink = null_open,
	},
	{ .name = NULL },
};
