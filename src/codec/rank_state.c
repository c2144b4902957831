/* SPDX-License-Identifier: MIT
 * Setting up a ranker, and carrying it from one stream to the next. */
#include "codec/rank_state.h"

#include <stdlib.h>

enum {
	WEIGHT = 2867,
	LIKELY_WEIGHT = 2000,
	FAR_WEIGHT = 1802,
	KEY_BITS_MOST = 18,
	CELL_BITS_MOST = 17,
	WIDE_BITS_MOST = 19, /* of the judges that know most */
	BITS_MOST = 20,
	SYMBOLS = 4, /* of the first stream to an entry, of tables of any size */
	LINE = 64,   /* bytes, of the cache */
};

/* Of tables of entries, at most. Whatever is larger is waited for. */
static const unsigned entry_bits_most[CONTEXTS] = { 12, 14, 17, 17, 16 };

/* Places of tables. */
struct sizes {
	size_t entries[CONTEXTS], keys, far, judge[JUDGES];
};

static size_t
places(unsigned bits, unsigned most)
{
	return (size_t)1 << (bits < most ? bits : most);
}

static struct sizes
sizes_of(size_t n)
{
	struct sizes s;
	const unsigned bits = trc_table_bits(n / SYMBOLS, BITS_MOST);

	for (int k = 0; k < CONTEXTS; k++)
		s.entries[k] = places(bits, entry_bits_most[k]);
	s.keys = places(bits, KEY_BITS_MOST);
	s.far = places(bits, CELL_BITS_MOST);
	for (int k = 0; k < JUDGES; k++)
		s.judge[k] = places(bits, k < JUDGES - WIDE_JUDGES ? CELL_BITS_MOST :
							     WIDE_BITS_MOST);
	return s;
}

static size_t
bytes_of(const struct sizes *s)
{
	size_t n = LINE + MATCH_ORDERS * s->keys * sizeof(uint32_t) +
	           FAR * s->far * sizeof(struct trc_cell);

	for (int k = 0; k < CONTEXTS; k++)
		n += s->entries[k] * sizeof(struct trc_rank_entry);
	for (int k = 0; k < JUDGES; k++)
		n += s->judge[k] * sizeof(uint16_t);
	return n;
}

size_t
trc_ranker_memory(size_t n)
{
	const struct sizes s = sizes_of(TRC_RANK_MOST);

	return bytes_of(&s) + sizeof(struct trc_ranker) +
	       (sizeof(uint16_t) + sizeof(uint8_t)) * ((size_t)RANK_KEPT + n);
}

static void
fill(uint16_t *p, size_t n, uint16_t v)
{
	p[0] = v;
	for (size_t have = 1; have < n; have *= 2)
		memcpy(p + have, p, (have < n - have ? have : n - have) * sizeof(*p));
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

	for (int g = 0; g < MATCH_GRADES; g++) {
		for (unsigned h = 0; h < TRC_HISTORIES; h++)
			fill_trust(r->trust[g][0][h], first_trust(part[g], h));
		for (unsigned m = 1; m < MISSES; m++)
			memcpy(r->trust[g][m], r->trust[g][0], sizeof(r->trust[g][0]));
	}
	for (int k = 0; k < TRUST_STEPS; k++)
		r->step[k] = (uint16_t)(131072 / (2 * k + 3));
}

static void
init_tables(struct trc_ranker *r)
{
	trc_logistic_init(&r->logistic);
	for (unsigned len = 0; len <= MATCH_GRADED; len++) {
		r->grade[len] = (uint8_t)grade_of(len);
		r->fine[len] = (uint8_t)trc_grade(len);
	}
	init_trust(r);
	for (unsigned h = 0; h < TRC_COUNT(r->history); h++)
		r->history[h] = h < 2 ? 1 : (uint8_t)trc_history(h / 2, h % 2);
	trc_num_init(r->gap, RUNS);
	fill((uint16_t *)&r->by_grade[0][0][0], sizeof(r->by_grade) / 2, LIKELY_WEIGHT);
	fill((uint16_t *)&r->by_record[0][0], sizeof(r->by_record) / 2, LIKELY_WEIGHT);
	for (int k = 0; k < TRC_HISTORIES; k++)
		memcpy(r->likely_row[k], r->logistic.row, sizeof(r->logistic.row));
	fill(&r->map[0][0][0], sizeof(r->map) / 2, 32768);
	fill(&r->match_map[0][0], sizeof(r->match_map) / 2, 32768);
	fill((uint16_t *)&r->by_offer[0][0], sizeof(r->by_offer) / 2, WEIGHT);
	fill((uint16_t *)&r->by_match[0][0][0], sizeof(r->by_match) / 2, WEIGHT);
	fill((uint16_t *)&r->far_weight[0][0], sizeof(r->far_weight) / 2, FAR_WEIGHT);
	for (int k = 0; k < FAR; k++)
		memcpy(r->far_map[k], r->logistic.map, sizeof(r->far_map[k]));
	for (int i = 0; i < OFFERS * MATCH_STATES; i++)
		memcpy(r->refined[i / MATCH_STATES][i % MATCH_STATES], r->logistic.row,
		       sizeof(r->logistic.row));
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
make_tables(struct trc_ranker *r, size_t n, struct trc_err *err)
{
	const struct sizes s = sizes_of(n);
	const struct trc_cell new = TRC_CELL_NEW;
	uint8_t *at;

	r->tables = trc_alloc(bytes_of(&s), 1, err);
	if (!r->tables)
		return -1;
	at = r->tables;
	at += LINE - (uintptr_t)at % LINE;
	for (int k = 0; k < CONTEXTS; k++) {
		r->table[k] = deal(&at, s.entries[k] * sizeof(*r->table[k]));
		r->table_shift[k] = shift_to(s.entries[k]);
	}
	for (int k = 0; k < MATCH_ORDERS; k++)
		r->noted[k] = deal(&at, s.keys * sizeof(*r->noted[k]));
	r->shift = shift_to(s.keys);
	for (int k = 0; k < FAR; k++) {
		struct trc_cell *c = deal(&at, s.far * sizeof(*c));

		r->far[k] = (struct trc_rank_cells){ c, shift_to(s.far) + LINE_BITS };
		for (size_t i = 0; i < s.far; i++)
			c[i] = new;
	}
	for (int k = 0; k < JUDGES; k++) {
		uint16_t *c = deal(&at, s.judge[k] * sizeof(*c));

		r->judge[k] = (struct trc_rank_judge){ c, shift_to(s.judge[k]) + LINE_BITS };
		fill(c, s.judge[k], 32768);
	}
	return 0;
}

struct trc_ranker *
trc_ranker_open(size_t n, struct trc_err *err)
{
	struct trc_ranker *r = trc_alloc(1, sizeof(*r), err);

	if (!r)
		return NULL;
	if (make_tables(r, n, err)) {
		trc_ranker_close(r);
		return NULL;
	}
	init_tables(r);
	return r;
}

void
trc_ranker_close(struct trc_ranker *r)
{
	if (!r)
		return;
	free(r->x);
	free(r->record);
	free(r->gone);
	free(r->tables);
	free(r);
}

/* Forgets all but the symbols that are kept, and what was noted of them. */
static void
forget(struct trc_ranker *r)
{
	const size_t gone = r->i - RANK_KEPT;

	memmove(r->x + MATCH_LEAST, r->x + MATCH_LEAST + gone, RANK_KEPT * sizeof(*r->x));
	memmove(r->record, r->record + gone, RANK_KEPT);
	for (int o = 0; o < MATCH_ORDERS; o++)
		for (size_t k = 0; k < (size_t)1 << (32 - r->shift); k++) {
			uint32_t *note = &r->noted[o][k];

			*note = (*note & (RANK_PLACES - 1)) > gone ? *note - (uint32_t)gone : 0;
		}
	if (r->match.at > gone)
		r->match.at -= gone;
	else
		r->match = (struct trc_rank_match){ 0 };
	r->i = RANK_KEPT;
}

/* Makes room for symbols and their records. Mappings grow without being copied. */
static int
make_room(struct trc_ranker *r, size_t n, struct trc_err *err)
{
	const bool first = r->x == NULL;

	if (trc_grow(&r->x, &r->x_cap, n + MATCH_LEAST, sizeof(*r->x), err) ||
	    trc_grow(&r->record, &r->record_cap, n, 1, err))
		return -1;
	if (first)
		memset(r->x, 0, MATCH_LEAST * sizeof(*r->x));
	return 0;
}

int
trc_rank_begin(struct trc_ranker *r, size_t n, struct trc_err *err)
{
	if (r->i > RANK_KEPT)
		forget(r);
	if (n > TRC_RANK_MOST)
		return trc_fail(err, "a ranked stream of %zu symbols, %d are the most", n,
		                TRC_RANK_MOST);
	return make_room(r, r->i + n, err);
}
