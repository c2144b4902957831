/* SPDX-License-Identifier: MIT
 * Binary decisions by many contexts: one code for both directions. */
#include "codec/mixing/predictor.h"

#include <assert.h>
#include <stdlib.h>

#include "codec/mixing/mixer.h"

enum {
	WEIGHTS = 8000, /* sum of those for contexts at first */
	MORE_WEIGHT = 1500,
	LINE_CELLS = 10,
	LINE_BITS_MOST = 20,
	LINES_A_ROW = 24,
	CERTAIN = 16, /* least probability */
};

static_assert((int)TRC_BIT_SLOW >= (int)TRC_PANEL_LIMIT, "steps for every count");
static_assert(2 * (int)TRC_PANEL_CONTEXTS + 1 <= (int)TRC_PANEL_INPUTS, "inputs of the mixers");

/* How far hints are trusted at first. */
#define TRUSTED ((struct trc_cell){ 57344, 1, 1 })

/* A line of the cache. */
struct trc_cell_line {
	uint16_t check[LINE_CELLS]; /* 0: no cell */
	uint32_t none;
	struct trc_cell cell[LINE_CELLS];
};

static_assert(sizeof(struct trc_cell_line) == 64, "a line of the cache");

static unsigned
line_bits(size_t rows)
{
	return trc_table_bits(LINES_A_ROW * rows, LINE_BITS_MOST);
}

size_t
trc_deciding_memory(size_t rows)
{
	return (((size_t)1 << line_bits(rows)) + 1) * sizeof(struct trc_cell_line);
}

int
trc_deciding_init(struct trc_deciding *d, size_t rows, struct trc_err *err)
{
	const unsigned bits = line_bits(rows);

	d->logistic = trc_logistic();
	d->shift = 32 - bits;
	d->memory = trc_alloc(((size_t)1 << bits) + 1, sizeof(*d->line), err);
	if (!d->memory)
		return -1;
	/* One line more than needed lets them begin with one of the cache. */
	d->line = (struct trc_cell_line *)(void *)((uint8_t *)d->memory +
	                                           (0 - (uintptr_t)d->memory) % sizeof(*d->line));
	return 0;
}

void
trc_deciding_release(struct trc_deciding *d)
{
	free(d->memory);
}

static void
init_weights(struct trc_panel *p)
{
	const int from = 2 * (int)p->contexts, to = from + (int)p->more;

	for (int i = 0; i < 3 * TRC_PANEL_SELECT; i++)
		for (int k = 0; k < TRC_PANEL_INPUTS; k++)
			p->weight[i / TRC_PANEL_SELECT][i % TRC_PANEL_SELECT][k] =
			        (int16_t)(k >= from && k < to ? MORE_WEIGHT : WEIGHTS / from);
}

void
trc_panel_init(struct trc_panel *p, struct trc_deciding *with, unsigned number, unsigned contexts,
               unsigned more)
{
	assert(contexts <= TRC_PANEL_CONTEXTS && more <= TRC_PANEL_MORE &&
	       2 * contexts + more < TRC_PANEL_INPUTS);
	p->with = with;
	p->contexts = contexts;
	p->more = more;
	p->salt = 16 * number;
	for (int s = 0; s < TRC_PANEL_STAGES; s++)
		for (unsigned k = 0; k < contexts; k++)
			for (unsigned h = 0; h < TRC_HISTORIES; h++)
				p->map[s][k][h] = trc_history_p(h ? h : 1);
	init_weights(p);
	trc_apm_init(p->refined[0], 2 * TRC_PANEL_ROWS);
	for (unsigned i = 0; i < more; i++)
		for (int k = 0; k < TRC_PANEL_TRUSTS * TRC_PANEL_PLACES; k++)
			p->trust[i][k / TRC_PANEL_PLACES][k % TRC_PANEL_PLACES] = TRUSTED;
}

static inline uint32_t
spread(uint32_t v)
{
	v *= UINT32_C(0x85ebca6b);
	v ^= v >> 13;
	return v * UINT32_C(0x9e3779b1);
}

/* The cell of a number that was spread. One that is new takes the place of none, or else of the one
 * that learnt least. */
static inline struct trc_cell *
find_cell(const struct trc_deciding *d, uint32_t v)
{
	struct trc_cell_line *line = &d->line[v >> d->shift];
	const uint16_t check = (uint16_t)(v | 1);
	int at = 0;

	for (int k = 0; k < LINE_CELLS; k++)
		if (line->check[k] == check)
			return &line->cell[k];
	for (int k = 0; k < LINE_CELLS; k++) {
		if (line->check[k] == 0) {
			at = k;
			break;
		}
		if (line->cell[k].n < line->cell[at].n)
			at = k;
	}
	line->check[at] = check;
	line->cell[at] = TRC_CELL_NEW;
	return &line->cell[at];
}

static inline int
rate_of(const struct trc_panel *p)
{
	return p->coded < 2000    ? 16 :
	       p->coded < 20000   ? 12 :
	       p->coded < 200000  ? 8 :
	       p->coded < 1000000 ? 4 :
	                            2;
}

/* What predicting leaves for learning. */
struct guess {
	struct trc_cell *cell[TRC_PANEL_CONTEXTS];
	uint16_t *map[TRC_PANEL_CONTEXTS], *knot[2];
	int16_t *weight[3];
	int y[3];
	int16_t input[TRC_PANEL_INPUTS];
};

/* Finds cells and inputs; returns 1 + the last context that has seen this before. */
static inline unsigned
gather(struct trc_panel *p, struct guess *g, const uint32_t *context, const struct trc_select *s)
{
	const struct trc_deciding *d = p->with;
	uint32_t v[TRC_PANEL_CONTEXTS];
	unsigned last = 0;

	for (unsigned k = 0; k < p->contexts; k++) {
		v[k] = spread(context[k] + (p->salt + k) * UINT32_C(0x3d4d51cb));
		TRC_PREFETCH(&d->line[v[k] >> d->shift]);
	}
	for (unsigned k = 0; k < p->contexts; k++)
		g->cell[k] = find_cell(d, v[k]);
	memset(g->input, 0, sizeof(g->input));
	for (unsigned k = 0; k < p->contexts; k++) {
		const struct trc_cell *c = g->cell[k];

		g->map[k] = &p->map[s->stage][k][c->history];
		g->input[2 * k] = c->n ? trc_stretch(d->logistic, c->p) : 0;
		g->input[2 * k + 1] = trc_stretch(d->logistic, *g->map[k]);
		last = c->n ? k + 1 : last;
	}
	memcpy(&g->input[2 * p->contexts], s->input, p->more * sizeof(*s->input));
	g->input[TRC_PANEL_INPUTS - 1] = TRC_MIXER_BIAS;
	return last;
}

static void
learn(struct trc_panel *p, struct guess *g, unsigned bit)
{
	const int rate = rate_of(p);

	p->coded += p->coded < 1000000;
	for (int i = 0; i < 3; i++)
		trc_mixer_learn(g->weight[i], g->input, TRC_PANEL_INPUTS,
		                trc_mixer_error(trc_squash(p->with->logistic, g->y[i]), bit, rate));
	for (unsigned k = 0; k < p->contexts; k++) {
		trc_move(g->map[k], bit, TRC_MOVE);
		trc_cell_learn(g->cell[k], bit, TRC_PANEL_LIMIT);
	}
	trc_move(g->knot[0], bit, TRC_MOVE);
	trc_move(g->knot[1], bit, TRC_MOVE);
}

unsigned
trc_decide(struct trc_panel *p, const uint32_t *context, const struct trc_select *s, unsigned bit)
{
	const struct trc_logistic *l = p->with->logistic;
	struct guess g;
	const unsigned last = gather(p, &g, context, s);
	int sum = 0, one;

	for (int i = 0; i < 3; i++) {
		const unsigned third = (TRC_PANEL_CONTEXTS + 1) * s->weight[2] + last;
		const unsigned select = i < 2 ? s->weight[i] : third;

		assert(select < TRC_PANEL_SELECT);
		g.weight[i] = p->weight[i][select];
		g.y[i] = trc_keep(trc_mixer_dot(g.weight[i], g.input, TRC_PANEL_INPUTS) >>
		                          TRC_MIXER_BITS,
		                  -TRC_LOGISTIC_MOST, TRC_LOGISTIC_MOST);
		sum += g.y[i];
	}
	sum /= 3;
	assert(s->row[0] < TRC_PANEL_ROWS && s->row[1] < TRC_PANEL_ROWS);
	one = 2 * trc_squash(l, sum) + trc_apm_p(&p->refined[0][s->row[0]], sum, &g.knot[0]) +
	      trc_apm_p(&p->refined[1][s->row[1]], sum, &g.knot[1]);
	one = trc_keep(one / 4, CERTAIN, 65536 - CERTAIN);
	bit = 1 ^ trc_rc_code(&p->with->rc, (uint32_t)one, 1 ^ bit);
	learn(p, &g, bit);
	return bit;
}
