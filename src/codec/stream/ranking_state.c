/* SPDX-License-Identifier: MIT
 * Setting up a ranker. */
#include "codec/stream/ranking_state.h"

#include <stdlib.h>

#include "base/once.h"

enum {
	/* Of tables, at most. Whatever is larger is waited for. */
	ENTRY_BITS_MOST = 18,
	KEY_BITS_MOST = 17,
	FAR_BITS_MOST = 17,
	BITS_MOST = 20,
	ENTRY_BITS = 2, /* more than other tables */
	SYMBOLS = 4,    /* to a place of a table of any size */
	LINE = 64,      /* bytes, of the cache */
};

/* Places of tables. */
struct sizes {
	size_t entries, keys, far;
};

static size_t
places(unsigned bits, unsigned most)
{
	return (size_t)1 << (bits < most ? bits : most);
}

/* Of tables that may be `more` bits larger. */
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

static unsigned
grade_of(unsigned len)
{
	return len < 16           ? len / 4 :
	       len < 32           ? 4 + (len - 16) / 8 :
	       len < 64           ? 6 :
	       len < MATCH_GRADED ? 7 :
	                            8;
}

/* At first a match is wrong once in `part`, or as often as its record says, if that is more; less
 * often if it was right since. */
static uint32_t
first_trust(uint32_t part, unsigned record)
{
	enum { SEEN = 4, ONE = 1 << TRUST_BITS };
	uint32_t n = 0, wrong = 0, since = 0, miss = 0;

	for (unsigned v = record; v > 1; v >>= 1, n++) {
		wrong += !(v & 1);
		since += wrong == 0;
	}
	if (wrong > 0)
		miss = ONE / ((n + 1) * (4 + since)) * 2 * (2 * wrong + 1);
	return (ONE - (miss > ONE / part ? miss : ONE / part)) << 10 | SEEN;
}

static void
fill_trust(uint32_t trust[TRIED], uint32_t v)
{
	for (int k = 0; k < TRIED; k++)
		trust[k] = v;
}

/* How far a match is trusted at first, the longer the more. */
static void
init_trust(struct trc_ranker *r)
{
	static const uint8_t part[MATCH_GRADES] = { 2, 3, 4, 6, 10, 20, 50, 80, 100 };

	for (int g = 0; g < MATCH_GRADES; g++)
		for (unsigned h = 0; h < TRC_HISTORIES; h++)
			fill_trust(r->trust[g][h], first_trust(part[g], h));
	for (int k = 0; k < TRUST_STEPS; k++)
		r->step[k] = (uint16_t)(131072 / (2 * k + 3));
}

static int16_t
first_weight(const struct trc_logistic *l, unsigned p)
{
	return (int16_t)(trc_stretch(l, (uint16_t)p) * (1 << WEIGHT_BITS) * 3 / 10);
}

/* At first a history is believed as far as a cell that saw it. */
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
			int16_t *w = &r->by_state[i % OFFERS][i / OFFERS][4 * h];

			w[0] = none;
			w[1] = w[3] = last;
			w[2] = other;
		}
		for (int i = 0; i < BITS * FAR; i++)
			r->by_far[i / FAR][i % FAR][h] = last;
	}
}

static void
init_tables(struct trc_ranker *r)
{
	r->logistic = trc_logistic();
	for (unsigned len = 0; len <= MATCH_GRADED; len++)
		r->grade[len] = (uint8_t)grade_of(len);
	init_trust(r);
	r->went[0] = 65535 & ~15u;
	trc_repeat(r->went, sizeof(r->went[0]), sizeof(r->went));
	trc_num_init(r->gap, RUNS);
	init_weights(r);
}

/* How far a hash has to be shifted to be a place of a table. */
static unsigned
shift_to(size_t n)
{
	return 32 - (unsigned)trc_ctz64(n);
}

/* Takes a table. All sizes are whole lines of the cache. */
static void *
deal(uint8_t **from, size_t bytes)
{
	void *to = *from;

	*from += bytes;
	return to;
}

/* All tables in one. */
static int
make_tables(struct trc_ranker *r, size_t n, unsigned more, struct trc_err *err)
{
	const struct sizes s = sizes_of(n, more);
	uint8_t *at;

	r->tables = trc_alloc(bytes_of(&s), 1, err);
	if (!r->tables)
		return -1;
	at = r->tables;
	at += LINE - (uintptr_t)at % LINE;
	r->entry = deal(&at, s.entries * sizeof(*r->entry));
	r->entry_shift = shift_to(s.entries);
	r->noted = deal(&at, s.keys * sizeof(*r->noted));
	r->shift = shift_to(s.keys);
	for (int k = 0; k < FAR; k++) {
		uint8_t *line = deal(&at, s.far);

		r->far[k] = (struct trc_rank_lines){ line, shift_to(s.far) + LINE_BITS };
		memset(line, NEW, s.far);
	}
	return 0;
}

/* What is the same in all rankers takes longer to make than to code a short stream, so it is made
 * once. */
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
	r->record = r->x ? trc_alloc_room(n, 1, err) : NULL;
	r->seen = r->record ? trc_alloc(65536, sizeof(*r->seen), err) : NULL;
	if (!r->seen || make_tables(r, n, more, err)) {
		trc_ranker_close(r);
		return NULL;
	}
	memset(r->x, 0, MATCH_LEAST * sizeof(*r->x));
	r->record[0] = 0;
	return r;
}

void
trc_ranker_close(struct trc_ranker *r)
{
	if (!r)
		return;
	free(r->x);
	free(r->record);
	free(r->seen);
	free(r->gone);
	free(r->tables);
	free(r);
}
