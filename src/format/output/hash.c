/* SPDX-License-Identifier: MIT
 *
 * A fingerprint of each column. Traces, in whatever formats, have the same column exactly if their
 * lines for it are equal, for all practical purposes.
 *
 *   rows 10000000
 *   type 0123456789abcdef
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/fingerprint.h"
#include "format/format.h"

/* The sink: computes a fingerprint of the rows, and prints it at the end. */
struct hash_sink {
	struct trc_sink sink;
	struct trc_out *out;
	uint64_t rows;
	struct trc_fingerprint fingerprint;
};

static int
hash_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct hash_sink *s = (struct hash_sink *)sink;

	(void)err;
	trc_fingerprint_update(&s->fingerprint, b, 0, b->n);
	s->rows += b->n;
	return 0;
}

static int
hash_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct hash_sink *s = (struct hash_sink *)sink;
	char line[64];

	(void)meta;
	snprintf(line, sizeof(line), "rows %llu\n", (unsigned long long)s->rows);
	if (trc_out_put(s->out, line, strlen(line), err))
		return -1;
	for (int c = 0; c < TRC_COLUMNS; c++) {
		if (!s->fingerprint.state[c])
			continue;
		snprintf(line, sizeof(line), "%s %016llx\n", trc_column[c].name,
		         (unsigned long long)trc_fingerprint_column(&s->fingerprint,
		                                                    (enum trc_column)c));
		if (trc_out_put(s->out, line, strlen(line), err))
			return -1;
	}
	return trc_out_commit(s->out, err);
}

static void
hash_close(struct trc_sink *sink)
{
	struct hash_sink *s = (struct hash_sink *)sink;

	trc_out_close(s->out);
	trc_fingerprint_release(&s->fingerprint);
	free(s);
}

static struct trc_sink *
hash_open(struct trc_out *out, uint32_t have, const struct trc_meta *meta, const void *settings,
          struct trc_err *err)
{
	struct hash_sink *s = trc_alloc(1, sizeof(*s), err);

	(void)meta, (void)settings;
	if (!s)
		return NULL;
	if (trc_fingerprint_init(&s->fingerprint, have, err)) {
		free(s);
		return NULL;
	}
	s->sink = (struct trc_sink){ .put = hash_put, .finish = hash_finish, .close = hash_close };
	s->out = out;
	return &s->sink;
}

const struct trc_format trc_family_hash[] = {
	{
	        .name = "hash",
	        .doc = "a fingerprint of each column",
	        .ending = ".hash",
	        .holds = TRC_HAS_ALL,
	        .report = true,
	        .sink = hash_open,
	},
	{ .name = NULL },
};
