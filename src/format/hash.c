/* SPDX-License-Identifier: MIT
 *
 * A fingerprint of each column: XXH3 (64 bits) of its values in order, each little-endian at the
 * width of the column, whatever batches they came in. Traces are equal in a column if and, for all
 * practical purposes, only if its lines are equal.
 *
 *   rows 10000000
 *   type 0123456789abcdef
 *   ...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "format/format.h"

struct hash_sink {
	struct trc_sink sink;
	struct trc_out *out;
	uint64_t rows;
	XXH3_state_t *state[TRC_COLUMNS]; /* NULL for columns that are not there */
};

/* Hashes values in the order of bytes that all machines share. */
static void
update(XXH3_state_t *state, const uint8_t *value, size_t n, size_t width)
{
	const uint16_t probe = 1;
	uint8_t turned[8];

	if (width == 1 || *(const uint8_t *)&probe == 1) {
		XXH3_64bits_update(state, value, n * width);
		return;
	}
	for (size_t i = 0; i < n; i++, value += width) {
		for (size_t k = 0; k < width; k++)
			turned[k] = value[width - 1 - k];
		XXH3_64bits_update(state, turned, width);
	}
}

static int
hash_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct hash_sink *s = (struct hash_sink *)sink;

	(void)err;
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (s->state[c])
			update(s->state[c], trc_batch_column(b, (enum trc_column)c), b->n,
			       trc_column[c].width);
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
		if (!s->state[c])
			continue;
		snprintf(line, sizeof(line), "%s %016llx\n", trc_column[c].name,
		         (unsigned long long)XXH3_64bits_digest(s->state[c]));
		if (trc_out_put(s->out, line, strlen(line), err))
			return -1;
	}
	return trc_out_commit(s->out, err);
}

static void
free_states(struct hash_sink *s)
{
	for (int c = 0; c < TRC_COLUMNS; c++)
		XXH3_freeState(s->state[c]);
	free(s);
}

static void
hash_close(struct trc_sink *sink)
{
	struct hash_sink *s = (struct hash_sink *)sink;

	trc_out_close(s->out);
	free_states(s);
}

static struct trc_sink *
hash_open(struct trc_out *out, uint32_t have, const struct trc_meta *meta, const void *settings,
          struct trc_err *err)
{
	struct hash_sink *s = trc_alloc(1, sizeof(*s), err);

	(void)meta, (void)settings;
	if (!s)
		return NULL;
	for (int c = 0; c < TRC_COLUMNS; c++) {
		if (!(have >> c & 1))
			continue;
		s->state[c] = XXH3_createState();
		if (!s->state[c]) {
			free_states(s);
			trc_fail_as(err, TRC_NO_MEMORY, "no memory for the fingerprint");
			return NULL;
		}
		XXH3_64bits_reset(s->state[c]);
	}
	s->sink = (struct trc_sink){ hash_put, hash_finish, hash_close };
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
