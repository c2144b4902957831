/* SPDX-License-Identifier: MIT
 * Choices by those before them: one code for both directions, compiled for each. */
#include "codec/program/path.h"

#include "codec/program/path_state.h"

/* ---- what is decided ---- */

/* What an edge is offered by. */
struct offer {
	uint32_t choice;
	uint32_t *trust;  /* NULL: it is not the match's */
	unsigned refused; /* before it */
	unsigned state, record;
};

/* Teaches what decided. */
static TRC_ALWAYS_INLINE void
teach(struct trc_path_model *c, uint32_t *const cell[2], const struct offer *o,
      int16_t *const weight[2], trc_lanes input, int p, bool right)
{
	for (int k = 0; k < 2; k++)
		trc_path_model_learn(c, cell[k], right);
	if (o->trust)
		trc_path_model_learn(c, o->trust, right);
	for (int k = 0; k < 2; k++)
		trc_lanes_learn(weight[k], input, trc_mixer_error(p, right, RATE));
}

/* Codes whether what is offered is right. */
static TRC_ALWAYS_INLINE bool
decide(struct trc_path_model *c, bool writes, struct decider *d, const struct offer *o, bool right)
{
	const struct trc_logistic *l = c->logistic;
	const uint32_t v = d->base + o->choice;
	uint32_t *const cell[2] = { &d->cell[(2 * d->did + o->choice) % LOCAL],
		                    &c->line[((c->hash[0] >> 32) + v) % LINE] };
	int16_t *const weight[2] = { c->by_state[o->refused][o->state],
		                     c->by_record[o->refused][o->record] };
	const trc_lanes input = trc_lanes_three(l->stretch[*cell[0] >> 20],
	                                        l->stretch[*cell[1] >> 20],
	                                        o->trust ? l->stretch[*o->trust >> 20] : 0);
	const int y = trc_lanes_y2(trc_lanes_load(weight[0]), trc_lanes_load(weight[1]), input);
	const int p = trc_squash(l, trc_keep(y, -CERTAIN, CERTAIN));

	right = trc_rc_code_p1(&c->rc, writes, p, right);
	if (right)
		teach(c, cell, o, weight, input, p, true);
	else
		teach(c, cell, o, weight, input, p, false);
	return right;
}

/* ---- a choice ---- */

/* Whether the next new edge, which is the decider's, is taken. */
static bool
code_fresh(struct trc_path_model *c, const struct decider *d, bool taken)
{
	const unsigned n = c->refused;
	const unsigned often = n < 4 ? n : n < 16 ? 4 : n < 64 ? 5 : n < 256 ? 6 : 7;
	const unsigned known = d->known < RECENT ? d->known - 1 : RECENT - 1;

	return trc_rc_bit(&c->rc, &c->fresh[often][known][c->took], taken);
}

/* The only edge that is known and was not refused. */
static uint32_t
last_left(const struct decider *d, const uint32_t *refused, unsigned n)
{
	uint64_t sum = (uint64_t)d->known * (d->known - 1) / 2;

	for (unsigned k = 0; k < n; k++)
		sum -= refused[k];
	return (uint32_t)sum;
}

/* Which of several edges that are known is taken. */
static TRC_ALWAYS_INLINE uint32_t
code_known(struct trc_path_model *c, bool writes, struct decider *d, bool wrong, uint32_t choice)
{
	const uint32_t past = c->past[BEFORE + c->at];
	const uint32_t match = c->at ? trc_past_number(past) - d->base : TRC_NONE;
	const unsigned other = c->at ? OTHER : NO_MATCH, none = c->at ? OTHER_RECORD : NO_RECORD;
	uint32_t refused[1 + RECENT];
	unsigned n = 0;

	if (c->at && !wrong) {
		const unsigned g = trc_path_model_grade(c), record = trc_past_record(past);
		const struct offer o = { match, &c->trust[g][record], 0, 1 + g, record };

		if (decide(c, writes, d, &o, choice == match))
			return match;
	}
	if (c->at)
		refused[n++] = match;
	for (int k = 0; k < RECENT && n + 1 < d->known; k++) {
		const struct offer o = { d->recent[k], NULL, n < REFUSED ? n : REFUSED - 1, other,
			                 none };

		if (o.choice >= d->known || o.choice == match)
			continue;
		if (decide(c, writes, d, &o, choice == o.choice))
			return o.choice;
		refused[n++] = o.choice;
	}
	if (n + 1 >= d->known)
		return last_left(d, refused, n);
	return d->known - 1 - (uint32_t)trc_rc_num(&c->rc, &c->far, d->known - 1 - choice);
}

/* What the decider did last. */
static inline void
use_recent(struct decider *d, uint32_t choice)
{
	int k = 0;

	d->did = d->did << 1 | (choice != 0);
	if (TRC_LIKELY(d->recent[0] == choice))
		return;
	while (k < RECENT - 1 && d->recent[k] != choice)
		k++;
	for (; k > 0; k--)
		d->recent[k] = d->recent[k - 1];
	d->recent[0] = choice;
}

/* Learns from a choice that no run told. */
static TRC_ALWAYS_INLINE void
note_choice(struct trc_path_model *c, struct decider *d, uint32_t choice, bool offered)
{
	const uint32_t v = d->base + choice, past = c->past[BEFORE + c->at];
	unsigned record = 1;

	for (int k = 0; k < ORDERS; k++)
		*c->note[k] = (uint32_t)c->i | trc_path_model_check(c, k);
	trc_path_model_hash(c, v);
	if (c->at) {
		const bool right = trc_past_number(past) == v;

		record = trc_history(trc_past_record(past), right);
		c->at = right ? c->at + 1 : 0;
		c->len = right ? c->len + 1 : 0;
	}
	c->past[BEFORE + c->i] = trc_past(v, record);
	c->took = choice == d->known;
	c->refused += offered;
	if (c->took) {
		d->known++;
		d->next = c->program->edge[d->next].next;
		c->next = trc_path_model_edge(c->program, (size_t)c->next + 1);
		c->refused = 0;
	}
	use_recent(d, choice);
	c->i++;
	trc_path_model_lines(c);
}

/* Codes a choice; TRC_NONE if what is read makes no sense. */
static TRC_ALWAYS_INLINE uint32_t
code_choice(struct trc_path_model *c, bool writes, struct decider *d, uint32_t choice)
{
	const uint32_t *x = c->past + BEFORE;
	bool wrong, offered, fresh;

	if (c->ran) {
		trc_path_model_rehash(c);
		c->ran = c->took = false;
	}
	if (!c->wrong) {
		if (c->len < RENEW && (c->at == 0 || c->len % 4 == 3))
			trc_path_model_match(c);
		if (c->at && trc_past_number(x[c->at]) - d->base >= d->edges)
			c->at = c->len = 0;
		if (c->len >= RUN && trc_past_record(x[c->at]) == ALWAYS &&
		    c->trust[trc_path_model_grade(c)][ALWAYS] >= TRUSTED) {
			trc_path_model_run(c, writes);
			if (c->i < c->ready)
				return trc_past_number(x[c->i++]) - d->base;
		}
	}
	wrong = c->wrong;
	c->wrong = false;
	offered = d->next == c->next && c->next != TRC_NONE;
	fresh = offered && (d->known == 0 || code_fresh(c, d, choice == d->known));
	if (fresh)
		choice = d->known;
	else if (d->known > 1)
		choice = code_known(c, writes, d, wrong, choice);
	else
		choice = wrong ? TRC_NONE : 0;
	if (choice >= d->known + fresh)
		return TRC_NONE;
	note_choice(c, d, choice, offered);
	return choice;
}

/* ---- both directions ---- */

/* Numbers all choices of a way. */
static int
number_choices(struct trc_path_model *c, const struct trc_path_stream *way, struct trc_err *err)
{
	const struct trc_program *p = way->program;
	struct trc_view far = way->far;
	uint32_t *x = c->past + BEFORE;
	size_t n = 0;

	if (trc_grow(&c->order, &c->order_cap, c->n, sizeof(*c->order), err))
		return -1;
	for (size_t i = 0; i + 1 < way->ops; i++) {
		uint64_t choice = way->edge[i];

		if (p->op[way->op[i]].edges < 2)
			continue;
		if (choice == TRC_PATH_FAR && !trc_view_num(&far, &choice))
			return trc_fail(err, "a far choice is missing");
		c->order[n] = trc_path_branch_op(c, way->op[i], err);
		if (c->order[n] == TRC_NONE)
			return -1;
		x[n] = trc_past(c->decider[c->order[n]].base + (uint32_t)choice, 0);
		n++;
	}
	return 0;
}

int
trc_path_write(struct trc_path_model *c, const struct trc_path_stream *way, struct trc_buf *out,
               size_t *n, struct trc_err *err)
{
	*n = 0;
	for (size_t i = 0; i + 1 < way->ops; i++)
		*n += way->program->op[way->op[i]].edges >= 2;
	if (*n == 0)
		return 0;
	if (trc_path_model_begin(c, way->program, way->old_edges, *n, err) ||
	    number_choices(c, way, err))
		return -1;
	trc_rc_write(&c->rc, out);
	while (c->i < *n) {
		struct decider *d = &c->decider[c->order[c->i]];

		code_choice(c, true, d, trc_past_number(c->past[BEFORE + c->i]) - d->base);
		c->i = c->i < c->ready ? c->ready : c->i;
	}
	return trc_rc_finish(&c->rc, err);
}

int
trc_path_begin(struct trc_path_model *c, const struct trc_program *program, size_t old_edges,
               const uint8_t *p, size_t len, size_t n, struct trc_err *err)
{
	trc_rc_read(&c->rc, p, p + len);
	return trc_path_model_begin(c, program, old_edges, n, err);
}

static TRC_NO_INLINE uint32_t
read_choice(struct trc_path_model *c, struct decider *d)
{
	if (c->i == c->n || trc_rc_overrun(&c->rc))
		return TRC_NONE;
	return code_choice(c, false, d, 0);
}

uint32_t
trc_path_next(struct trc_path_model *c, uint32_t decider)
{
	struct decider *d = &c->decider[decider];

	if (c->i < c->ready)
		return trc_past_number(c->past[BEFORE + c->i++]) - d->base;
	return read_choice(c, d);
}

bool
trc_path_ended(const struct trc_path_model *c)
{
	return c->i == c->n && !c->wrong && trc_rc_ended(&c->rc);
}
