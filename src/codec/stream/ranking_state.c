/* SPDX-License-Identifier: MIT
 * Sets up rankers. */
#include "codec/stream/ranking_state.h"

#include <stdlib.h>

#include "base/once.h"

enum {
	/* The largest tables, in bits. Larger ones would cause cache misses. */
	ENTRY_BITS_MOST = 18,
	KEY_BITS_MOST = 17,
	FAR_BITS_MOST = 17,
	BITS_MOST = 20,
	ENTRY_BITS = 2, /* more than other tables */
	SYMBOLS = 4,    /* symbols per entry, for tables below the largest size */
	LINE = 64,      /* bytes of a cache line */
};

/* The numbers of entries of tables. */
struct sizes {
	size_t entries, keys, far;
};

static size_t
places(unsigned bits, unsigned most)
{
	return (size_t)1 << (bits < most ? bits : most);
}

/* Computes the sizes of tables that may be `more` bits larger. */
static struct sizes
sizes_of(size_t n, unsigned more)
{
	struct sizes s;
	const unsigned bits = trc_table_bits(n / SYMBOLS, BITS_MOST);

	s.entries = places(bits + ENTRY_BITS, ENTRY_BITS_MOST + more);
	s.keys = places(bits, KEY_BITS_MOST + more);
	s.far = places(bits, FAR_BITS_MOST + more);
	return s;
}

static size_t
bytes_of(const struct sizes *s)
{
	return LINE + s->entries * sizeof(trc_rank_entry) + s->keys * sizeof(uint32_t) +
	       FAR * s->far;
}

size_t
trc_rank_memory(size_t n)
{
	const struct sizes s = sizes_of(n, RANK_MORE);

	return bytes_of(&s) + sizeof(struct trc_ranker) + 65536 * sizeof(uint32_t) +
	       (sizeof(uint16_t) + sizeof(uint8_t)) * n;
}

/* Initialises the confidence in matches as in other streams with matches. */
static void
init_confidence(struct trc_ranker *r)
{
	for (unsigned h = 0; h < TRC_HISTORIES; h++) {
		const uint16_t p = trc_history_p(h);

		for (unsigned b = 0; b < CONFIDENCE_BUCKETS; b++) {
			const int x = trc_match_first(r->logistic,
			                              CONFIDENCE_MERGED * b + CONFIDENCE_MERGED / 2,
			                              p);

			for (unsigned k = 0; k < TRIED; k++)
				r->confidence.of[b][h][k] = trc_counter_of(
				        (uint32_t)trc_squash(r->logistic, x), CONFIDENCE_SEEN);
		}
	}
}

static int16_t
first_weight(const struct trc_logistic *l, unsigned p)
{
	return (int16_t)(trc_stretch(l, (uint16_t)p) * (1 << WEIGHT_BITS) * 3 / 10);
}

/* Initialises weights so that a history is trusted as much as a cell with this history. */
static void
init_weights(struct trc_ranker *r)
{
	const struct trc_logistic *l = r->logistic;

	for (unsigned h = 0; h < TRC_HISTORIES; h++) {
		const unsigned p = h > 1 ? trc_history_p(h) : 32768;
		const int16_t last = first_weight(l, p);
		const int16_t other = first_weight(l, (TRC_ONE - p) * 3 / 4);
		const int16_t none = first_weight(l, (TRC_ONE - p) / 2);

		for (int i = 0; i < CONTEXTS * OFFERS; i++) {
			int16_t *w = &r->offer.by_state[i % OFFERS][i / OFFERS][4 * h];

			w[0] = none;
			w[1] = w[3] = last;
			w[2] = other;
		}
		for (int i = 0; i < BITS * FAR; i++)
			r->bit.by_history[i / FAR][i % FAR][h] = last;
	}
}

static void
init_tables(struct trc_ranker *r)
{
	r->logistic = trc_logistic();
	init_confidence(r);
	r->confidence.by_shape[0] = trc_counter_of(BY_SHAPE_FIRST, 0);
	trc_repeat(r->confidence.by_shape, sizeof(r->confidence.by_shape[0]),
	           sizeof(r->confidence.by_shape));
	trc_bits_init(r->run.fails, sizeof(r->run.fails));
	trc_num_init(&r->run.right, 1);
	init_weights(r);
}

/* Returns the shift that turns a hash into an index of a table of `n` entries. */
static unsigned
shift_to(size_t n)
{
	return 32 - (unsigned)trc_ctz64(n);
}

/* Takes a table from the allocation. All sizes are multiples of a cache line. */
static void *
deal(uint8_t **from, size_t bytes)
{
	void *to = *from;

	*from += bytes;
	return to;
}

/* Allocates all tables at once. */
static int
make_tables(struct trc_ranker *r, size_t n, unsigned more, struct trc_err *err)
{
	const struct sizes s = sizes_of(n, more);
	uint8_t *at;

	r->table.memory = trc_alloc(bytes_of(&s), 1, err);
	if (!r->table.memory)
		return -1;
	at = r->table.memory;
	at += LINE - (uintptr_t)at % LINE;
	r->table.entry = deal(&at, s.entries * sizeof(*r->table.entry));
	r->table.entry_shift = shift_to(s.entries);
	r->table.place = deal(&at, s.keys * sizeof(*r->table.place));
	r->table.place_shift = shift_to(s.keys);
	for (int k = 0; k < FAR; k++) {
		uint8_t *line = deal(&at, s.far);

		r->bit.line[k] = (struct trc_rank_lines){ line, shift_to(s.far) + LINE_BITS };
		memset(line, NEW, s.far);
	}
	return 0;
}

/* The initial state, which is the same for all rankers. Making it takes longer than coding a short
 * stream, so it is made once. */
static struct trc_ranker made;
static struct trc_once once = TRC_ONCE;

static void
make_once(void)
{
	init_tables(&made);
}

struct trc_ranker *
trc_ranker_open(size_t n, unsigned more, struct trc_err *err)
{
	struct trc_ranker *r = trc_alloc_room(1, sizeof(*r), err);

	if (!r)
		return NULL;
	trc_once(&once, make_once);
	*r = made;
	r->x = trc_alloc_room(n + MATCH_LEAST, sizeof(*r->x), err);
	r->history = r->x ? trc_alloc_room(n, 1, err) : NULL;
	r->shape.seen = r->history ? trc_alloc(65536, sizeof(*r->shape.seen), err) : NULL;
	if (!r->shape.seen || make_tables(r, n, more, err)) {
		trc_ranker_close(r);
		return NULL;
	}
	memset(r->x, 0, MATCH_LEAST * sizeof(*r->x));
	r->history[0] = 0;
	return r;
}

void
trc_ranker_close(struct trc_ranker *r)
{
	if (!r)
		return;
	free(r->x);
	free(r->history);
	free(r->shape.seen);
	free(r->table.memory);
	free(r);
}
