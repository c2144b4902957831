/* SPDX-License-Identifier: MIT
 * The predictor; the same code serves both directions. */
#include "codec/mixing/predictor.h"

#include <assert.h>
#include <stdlib.h>

#include "codec/mixing/mixer.h"

enum {
	SLOT_CELLS = 16,
	LINE_SLOTS = 4,
	CONTEXT_WEIGHTS = 7000, /* sum of the initial weights of contexts */
	EXPERT_WEIGHT = 1500,
	MAP_FIRST = 3, /* number of bits that the initial prediction of a history counts as */
	MAP_LIMIT = 255,
	CERTAIN = 16, /* least probability */
	SALTS = 16,   /* per predictor; at least the number of contexts */
};

/* A cache line of slots. The first cell of a slot is its check, 0 if the slot is empty. */
struct trc_slots {
	uint8_t slot[LINE_SLOTS][SLOT_CELLS];
};

static_assert(sizeof(struct trc_slots) == 64, "a line of the cache");
static_assert((int)TRC_CONTEXTS + (int)TRC_EXPERTS < (int)TRC_PREDICTOR_INPUTS, "inputs");
static_assert((int)TRC_PREDICTOR_INPUTS == 24, "trc_predictor_code() has a form by lanes");
static_assert((int)TRC_COUNT_NEW == (int)TRC_HISTORY_NEW, "new cells of both kinds are alike");
static_assert((int)TRC_COUNT_STATES == (int)TRC_HISTORIES, "maps of both kinds are alike");
static_assert((int)TRC_CONTEXTS <= (int)SALTS, "contexts of predictors have salts of their own");

/* ---- setting up ---- */

size_t
trc_predictors_memory(unsigned bits)
{
	return (((size_t)1 << bits) + 1) * sizeof(struct trc_slots);
}

int
trc_predictors_init(struct trc_predictors *d, unsigned bits, struct trc_err *err)
{
	d->logistic = trc_logistic();
	trc_history_init(d->next[0]);
	memcpy(d->next[1], trc_count_states()->next, sizeof(d->next[1]));
	memset(d->none, TRC_HISTORY_NEW, sizeof(d->none));
	d->shift = 32 - bits;
	d->memory = trc_alloc(((size_t)1 << bits) + 1, sizeof(*d->line), err);
	if (!d->memory)
		return -1;
	/* One extra line allows aligning them to cache lines. */
	d->line = (struct trc_slots *)(void *)((uint8_t *)d->memory +
	                                       (0 - (uintptr_t)d->memory) % sizeof(*d->line));
	return 0;
}

void
trc_predictors_release(struct trc_predictors *d)
{
	free(d->memory);
}

static int
lanes_of(const struct trc_predictor_row *r)
{
	return (r->contexts + r->experts) / 8 * 8 + 8;
}

static size_t
mixers_of(const struct trc_predictor_row *r, int i)
{
	return i < TRC_MIXERS - 1 ? r->mixers[i] : (size_t)r->mixers[i] * (r->contexts + 1u);
}

size_t
trc_predictor_memory(const struct trc_predictor_row *r)
{
	size_t n = 2 * (size_t)r->map_sets * r->contexts * TRC_HISTORIES;

	for (int i = 0; i < TRC_MIXERS; i++)
		n += mixers_of(r, i) * (size_t)lanes_of(r);
	return n * sizeof(int16_t) + (r->apms[0] + r->apms[1]) * sizeof(struct trc_apm);
}

static int16_t *
init_weights(struct trc_predictor *p, int16_t *w)
{
	const int from = p->row.contexts, to = from + p->row.experts;

	size_t n = 0;

	for (int i = 0; i < TRC_MIXERS; i++) {
		p->weight[i] = w + n;
		n += mixers_of(&p->row, i) * (size_t)p->lanes;
	}
	for (int lane = 0; lane < p->lanes; lane++)
		w[lane] = (int16_t)(lane >= from && lane < to ? EXPERT_WEIGHT :
		                                                CONTEXT_WEIGHTS / from);
	trc_repeat(w, (size_t)p->lanes * sizeof(*w), n * sizeof(*w));
	return w + n;
}

static unsigned
kind_of(unsigned context)
{
	return context % TRC_CELL_KINDS;
}

static void
init_maps(struct trc_counter *map, unsigned contexts, unsigned sets)
{
	const struct trc_count_states *states = trc_count_states();

	for (unsigned k = 0; k < contexts; k++)
		for (unsigned h = 0; h < TRC_HISTORIES; h++)
			map[k * TRC_HISTORIES + h] = trc_counter_of(
			        kind_of(k) ? states->p[h] : trc_history_p(h ? h : TRC_HISTORY_NEW),
			        MAP_FIRST);
	trc_repeat(map, contexts * TRC_HISTORIES * sizeof(*map),
	           (size_t)sets * contexts * TRC_HISTORIES * sizeof(*map));
}

int
trc_predictor_init(struct trc_predictor *p, struct trc_predictors *with, unsigned number,
                   const struct trc_predictor_row *row, struct trc_err *err)
{
	int16_t *w;

	if (row->contexts == 0 || row->contexts > TRC_CONTEXTS || row->experts > TRC_EXPERTS)
		return trc_fail(err, "a predictor cannot have %d contexts and %d experts",
		                row->contexts, row->experts);
	p->with = with;
	p->row = *row;
	p->salt = SALTS * number;
	p->lanes = lanes_of(row);
	p->memory = trc_alloc_room(1, trc_predictor_memory(row), err);
	if (!p->memory)
		return -1;
	p->map = p->memory;
	init_maps(p->map, row->contexts, row->map_sets);
	w = init_weights(p, (int16_t *)(p->map + row->map_sets * row->contexts * TRC_HISTORIES));
	p->apm[0] = (struct trc_apm *)(void *)w;
	p->apm[1] = p->apm[0] + row->apms[0];
	trc_apm_init(p->apm[0], (size_t)row->apms[0] + row->apms[1]);
	return 0;
}

void
trc_predictor_release(struct trc_predictor *p)
{
	free(p->memory);
}

/* ---- slots ---- */

static TRC_ALWAYS_INLINE uint32_t
spread(uint32_t v)
{
	v *= UINT32_C(0x85ebca6b);
	v ^= v >> 13;
	return v * UINT32_C(0x9e3779b1);
}

static TRC_ALWAYS_INLINE uint8_t
check_of(const struct trc_predictors *d, uint32_t x)
{
	const unsigned check = x >> (d->shift - 8) & 255;

	return (uint8_t)(check + (check == 0));
}

/* Returns the slot of a context in its line. A slot that is found is swapped with the one before
 * it; otherwise the first empty slot, or the last one, is replaced. */
static TRC_ALWAYS_INLINE uint8_t *
find_slot(struct trc_slots *line, uint8_t check)
{
	uint8_t(*slot)[SLOT_CELLS] = line->slot, other[SLOT_CELLS];
	int k = 0;

	while (slot[k][0] != check && slot[k][0] != 0 && k < LINE_SLOTS - 1)
		k++;
	if (slot[k][0] != check) {
		memset(slot[k], TRC_HISTORY_NEW, SLOT_CELLS);
		slot[k][0] = check;
	} else if (k > 0) {
		memcpy(other, slot[k - 1], SLOT_CELLS);
		memcpy(slot[k - 1], slot[k], SLOT_CELLS);
		memcpy(slot[k], other, SLOT_CELLS);
		k--;
	}
	return slot[k];
}

/* Returns the hash of context `k`, whose upper bits select a line. */
static TRC_ALWAYS_INLINE uint32_t
place_of(const struct trc_predictor *p, unsigned k, uint32_t context)
{
	return spread((context >> TRC_CELL_BITS) + (p->salt + k) * UINT32_C(0x3d4d51cb));
}

void
trc_predictor_find(struct trc_predictor *p, const uint32_t *context)
{
	const struct trc_predictors *d = p->with;
	uint32_t x[TRC_CONTEXTS];

	for (unsigned k = 0; k < p->row.contexts; k++) {
		x[k] = place_of(p, k, context[k]);
		TRC_PREFETCH(&d->line[x[k] >> d->shift]);
	}
	for (unsigned k = 0; k < p->row.contexts; k++)
		p->cell[k] = find_slot(&d->line[x[k] >> d->shift], check_of(d, x[k])) +
		             context[k] % SLOT_CELLS;
}

void
trc_predictor_find_path(struct trc_predictor *p, uint32_t path, const uint32_t *context)
{
	uint32_t by_path[TRC_CONTEXTS];

	for (unsigned k = 0; k < p->row.contexts; k++)
		by_path[k] = trc_context(trc_hash(path, context[k]), 0);
	trc_predictor_find(p, by_path);
}

/* Looks up the slot of a context without changing anything; returns `none` if there is none. */
static uint8_t *
look_up(struct trc_slots *line, uint8_t check, uint8_t *none)
{
	for (int k = 0; k < LINE_SLOTS; k++)
		if (line->slot[k][0] == check)
			return line->slot[k];
	return none;
}

void
trc_predictor_look(const struct trc_predictor *p, uint32_t path, const uint32_t *context,
                   struct trc_predictor *look)
{
	struct trc_predictors *d = p->with;

	*look = *p;
	for (unsigned k = 0; k < p->row.contexts; k++) {
		const uint32_t x = place_of(p, k, trc_context(trc_hash(path, context[k]), 0));

		look->cell[k] = look_up(&d->line[x >> d->shift], check_of(d, x), d->none);
	}
}

/* ---- bits ---- */

/* The intermediate results of a prediction that updating needs, as in lpaq1's predictor. */
struct predicted {
	struct trc_counter *map[TRC_CONTEXTS];
	int16_t *weight[TRC_MIXERS];
	uint16_t *apm[TRC_APMS];
	int y[TRC_MIXERS];
	int16_t input[TRC_PREDICTOR_INPUTS];
	int one; /* probability of a 1, in units of 1/65536 */
};

static int
rate_of(const struct trc_predictor *p)
{
	return p->coded < 2000    ? 16 :
	       p->coded < 20000   ? 12 :
	       p->coded < 200000  ? 8 :
	       p->coded < 1000000 ? 4 :
	                            2;
}

/* Sets the inputs; returns 1 + the last context whose cell is not new. */
static TRC_ALWAYS_INLINE unsigned
gather(const struct trc_predictor *p, struct predicted *restrict g, unsigned contexts, int lanes,
       unsigned node, unsigned map_set)
{
	const unsigned all = contexts + p->row.experts;
	struct trc_counter *map = p->map + map_set * contexts * TRC_HISTORIES;
	const int16_t *stretch = p->with->logistic->stretch;
	unsigned last = 0, k = 0;

	for (; k < contexts; k++, map += TRC_HISTORIES) {
		const unsigned cell = p->cell[k][node];

		g->map[k] = &map[cell];
		g->input[k] = stretch[trc_counter_p(map[cell]) / 16];
		last = cell != TRC_HISTORY_NEW ? k + 1 : last;
	}
	for (; k < all; k++)
		g->input[k] = p->expert[k - contexts];
	for (; k < (unsigned)lanes - 1; k++)
		g->input[k] = 0;
	g->input[k] = TRC_MIXER_BIAS;
	return last;
}

static TRC_ALWAYS_INLINE void
learn(struct trc_predictor *p, const struct predicted *restrict g, unsigned contexts, int lanes,
      unsigned node, unsigned bit)
{
	const struct trc_logistic *l = p->with->logistic;
	const int rate = rate_of(p);

	p->coded += p->coded < 1000000;
	for (int i = 0; i < TRC_MIXERS; i++)
		trc_mixer_learn(g->weight[i], g->input, lanes,
		                trc_mixer_error(trc_squash(l, g->y[i]), bit, rate));
	for (unsigned k = 0; k < contexts; k++) {
		uint8_t *cell = &p->cell[k][node];

		trc_counter_learn(g->map[k], bit, MAP_LIMIT);
		*cell = p->with->next[kind_of(k)][bit][*cell];
	}
	trc_apm_learn(g->apm[0], bit);
	trc_apm_learn(g->apm[1], bit);
}

static TRC_ALWAYS_INLINE void
predict(const struct trc_predictor *p, struct predicted *restrict g, unsigned contexts, int lanes,
        unsigned node, const struct trc_select *s)
{
	const struct trc_logistic *l = p->with->logistic;
	const unsigned last = gather(p, g, contexts, lanes, node, s->map_set);
	int y = 0, one;

	for (int i = 0; i < TRC_MIXERS; i++) {
		const size_t at = i < TRC_MIXERS - 1 ? s->mixer[i] :
		                                       s->mixer[i] * (contexts + 1u) + last;

		assert(s->mixer[i] < p->row.mixers[i]);
		g->weight[i] = p->weight[i] + at * (size_t)lanes;
		g->y[i] = trc_keep(trc_mixer_dot(g->weight[i], g->input, lanes) >> TRC_MIXER_BITS,
		                   -TRC_LOGISTIC_MOST, TRC_LOGISTIC_MOST);
		y += g->y[i];
	}
	y /= TRC_MIXERS;
	one = 2 * trc_squash(l, y);
	for (int i = 0; i < TRC_APMS; i++) {
		assert(s->apm[i] < p->row.apms[i]);
		one += trc_apm_p(&p->apm[i][s->apm[i]], y, &g->apm[i]);
	}
	g->one = trc_keep(one / 4, CERTAIN, 65536 - CERTAIN);
}

static TRC_ALWAYS_INLINE unsigned
code(struct trc_predictor *p, unsigned contexts, int lanes, unsigned node,
     const struct trc_select *s, unsigned bit)
{
	struct predicted g;

	predict(p, &g, contexts, lanes, node, s);
	bit = 1 ^ trc_rc_code(&p->with->rc, (uint32_t)g.one, 1 ^ bit);
	learn(p, &g, contexts, lanes, node, bit);
	return bit;
}

unsigned
trc_predictor_code(struct trc_predictor *p, unsigned node, const struct trc_select *s, unsigned bit)
{
	const unsigned contexts = p->row.contexts;

	/* Specialised for the numbers of contexts with which most bits are coded. */
	if (p->lanes == 16)
		return contexts == 8  ? code(p, 8, 16, node, s, bit) :
		       contexts == 9  ? code(p, 9, 16, node, s, bit) :
		       contexts == 12 ? code(p, 12, 16, node, s, bit) :
		                        code(p, contexts, 16, node, s, bit);
	return p->lanes == 8 ? code(p, contexts, 8, node, s, bit) :
	                       code(p, contexts, TRC_PREDICTOR_INPUTS, node, s, bit);
}

unsigned
trc_predictor_cost(const struct trc_predictor *look, unsigned node, const struct trc_select *s,
                   unsigned bit)
{
	struct predicted g;

	if (look->lanes == 16)
		predict(look, &g, look->row.contexts, 16, node, s);
	else
		predict(look, &g, look->row.contexts, look->lanes, node, s);
	return trc_cost_p((uint32_t)(bit ? g.one : 65536 - g.one));
}
