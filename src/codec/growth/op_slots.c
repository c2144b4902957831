/* SPDX-License-Identifier: MIT
 * Slots of programs with columns; the same code serves both directions. */
#include "codec/growth/op_slots.h"

#include <limits.h>

#include "codec/growth/op_models.h"
#include "codec/growth/op_symbols.h"

enum {
	FAR = TRC_BACK + 1,            /* this many slots back or more */
	KIND_BITS = TRC_MODE_BITS + 1, /* a mode, and whether the slot varies */
	SIZE_BITS = 4,
	BYTE_BITS = 8,
	RESIDUAL_BYTES = 8,
	BASES_MATCH = 3, /* bases that select models of residuals */
	NO_MATCH = BASES_MATCH,
};

static const struct trc_predictor_row mode_row = {
	.contexts = 9,
	.map_sets = 1,
	.mixers = { 2 << KIND_BITS, (FAR + 1) << KIND_BITS, 1 },
	.apms = { 2 << KIND_BITS, (FAR + 1) << KIND_BITS },
};

static const struct trc_predictor_row size_row = {
	.contexts = 8,
	.map_sets = 1,
	.mixers = { 1 << SIZE_BITS, (NO_MATCH + 1) << SIZE_BITS, 1 },
	.apms = { 1 << SIZE_BITS, (NO_MATCH + 1) << SIZE_BITS },
};

static const struct trc_predictor_row byte_row = {
	.contexts = 8,
	.map_sets = 1,
	.mixers = { RESIDUAL_BYTES << BYTE_BITS, RESIDUAL_BYTES << BYTE_BITS, RESIDUAL_BYTES },
	.apms = { RESIDUAL_BYTES << BYTE_BITS, RESIDUAL_BYTES << BYTE_BITS },
};

int
trc_op_slot_models_init(struct trc_op_slot_models *m, struct trc_predictors *with, unsigned number,
                        struct trc_err *err)
{
	trc_lines_init(&m->lines);
	if (trc_predictor_init(&m->mode, with, number, &mode_row, err) ||
	    trc_predictor_init(&m->size, with, number + 1, &size_row, err) ||
	    trc_predictor_init(&m->byte, with, number + 2, &byte_row, err))
		return -1;
	return 0;
}

void
trc_op_slot_models_release(struct trc_op_slot_models *m)
{
	trc_predictor_release(&m->mode);
	trc_predictor_release(&m->size);
	trc_predictor_release(&m->byte);
}

/* ---- facts about a slot ---- */

struct facts {
	uint64_t value; /* of its op */
	uint32_t shape, length;
	uint32_t k; /* number of the slot in its op */
	unsigned kind;
	bool store, jumped;
	uint8_t base[TRC_BASES];
	unsigned far[TRC_BASES]; /* slots back to the last one with this base; 0: no base */
	unsigned written;        /* bit i: base i was written since then */
};

static void
find_facts(const struct trc_program *p, const struct trc_op_slot_models *m, uint32_t op, uint32_t k,
           struct facts *f)
{
	const struct trc_op *o = &p->op[op];
	const struct trc_shape *shape = &p->shape[o->shape];
	const uint32_t row = shape->fetch + k;

	*f = (struct facts){
		.value = p->column[0].of_op[op],
		.shape = o->shape,
		.length = o->length,
		.k = k,
		.kind = trc_slot_kind(shape, o->shape, row),
		.store = trc_slot_is_store(shape, row),
		.jumped = m->jumped,
	};
	for (unsigned i = 0; i < TRC_BASES; i++) {
		const uint8_t base = (uint8_t)(f->value >> (32 + 8 * i));
		const uint32_t used = m->used[base], far = m->slots + 1 - used;

		f->base[i] = base;
		f->far[i] = base == 0 ? 0 : used == 0 || far > FAR ? FAR : far;
		f->written |= (unsigned)m->written[base] << i;
	}
}

static void
note_slot(struct trc_op_slot_models *m, const struct facts *f, const struct trc_slot *s)
{
	const bool differs = s->constant && s->mode != TRC_MODE_ABSOLUTE;

	m->seen[m->slots++ % TRC_SLOTS_SEEN] = (struct trc_slot_seen){
		f->value, differs ? s->residual : 0, f->shape, f->length, s->mode, f->store
	};
	for (unsigned i = 0; i < TRC_BASES; i++) {
		m->used[f->base[i]] = m->slots;
		m->written[f->base[i]] = false;
	}
	m->jumped = false;
}

/* Returns the slot `back` slots back. */
static const struct trc_slot_seen *
seen(const struct trc_op_slot_models *m, unsigned back)
{
	return &m->seen[(m->slots - back) % TRC_SLOTS_SEEN];
}

/* Returns how many slots back the base of a mode is; 0 if it has none. */
static unsigned
back_of(unsigned mode)
{
	return mode >= TRC_MODE_BACK && mode < TRC_MODE_SCALED ? mode - TRC_MODE_BACK + 1 : 0;
}

/* Returns the first base that the slot `back` slots back has as well, or NO_MATCH. */
static unsigned
match_of(const struct facts *f, unsigned back)
{
	unsigned i = 0;

	while (i < BASES_MATCH && f->far[i] != back)
		i++;
	return back ? i : NO_MATCH;
}

/* ---- modes and residuals ---- */

/* Computes the contexts of a mode, and returns its symbol. */
static struct trc_symbol
mode_symbol(const struct trc_op_slot_models *m, const struct facts *f, uint32_t *context)
{
	const unsigned mode1 = seen(m, 1)->mode;
	const uint32_t all = trc_hash_value(f->value), all1 = trc_hash_value(seen(m, 1)->value);
	const uint32_t place = trc_hash2(f->shape, f->k);
	const uint32_t far = trc_hash3(f->far[0], f->far[1], f->far[2]);

	context[0] = trc_hash3(place, f->length, f->far[0]);
	context[1] = trc_hash3(f->base[0], f->far[0], f->written);
	context[2] = trc_hash2(all, f->k);
	context[3] = trc_hash3(place, mode1, f->jumped);
	context[4] = trc_hash3(far, f->written, f->store);
	context[5] = trc_hash2(far, place);
	context[6] = trc_hash3(all, all1, mode1);
	context[7] = trc_hash3(all, far, f->written);
	context[8] = trc_hash3(all, f->length, mode1);
	return (struct trc_symbol){ KIND_BITS, KIND_BITS, { f->store, f->far[0], 0 } };
}

/* Codes a mode, and whether the slot varies. */
static unsigned
code_mode(struct trc_op_slot_models *m, const struct facts *f, unsigned kind)
{
	uint32_t context[TRC_CONTEXTS];
	const struct trc_symbol s = mode_symbol(m, f, context);

	return trc_symbol_code(&m->mode, &s, context, kind);
}

/* Computes the contexts of a residual for a mode, without its bytes. */
static void
residual_contexts(const struct trc_op_slot_models *m, const struct facts *f, unsigned mode,
                  uint32_t *context)
{
	const struct trc_slot_seen none = { 0 };
	const unsigned back = back_of(mode), match = match_of(f, back);
	const struct trc_slot_seen *from = back ? seen(m, back) : &none;
	const uint32_t base = match < NO_MATCH ? f->base[match] : 0;
	const uint32_t written = match < NO_MATCH ? f->written >> match & 1 : 2;
	const uint32_t all = trc_hash_value(f->value), lengths = trc_hash2(f->length, from->length);
	const uint32_t place = trc_hash2(f->shape, f->k);
	const uint32_t last = trc_hash_value(seen(m, 1)->residual);

	context[0] = trc_hash3(lengths, match, trc_hash3(place, from->shape, written));
	context[1] = trc_hash2(all, mode);
	context[2] = trc_hash3(all, trc_hash_value(from->value), match);
	context[3] = trc_hash3(f->length, from->length, match);
	context[4] = trc_hash3(f->kind, f->store, mode < TRC_RESIDUALS ? mode : TRC_RESIDUALS - 1);
	context[5] = trc_hash3(base, trc_hash2(match, written), f->kind);
	context[6] = trc_hash3(match, place, from->shape);
	context[7] = trc_hash3((uint32_t)(f->value >> 32), (uint32_t)(from->value >> 32), last);
}

/* Returns the symbol of byte `j` of a residual of `size` bytes. */
static struct trc_symbol
byte_symbol(unsigned j, unsigned size)
{
	return (struct trc_symbol){ BYTE_BITS, BYTE_BITS, { j, size - 1, j } };
}

/* Extends the contexts for byte `j`, given the bytes above it. */
static void
byte_contexts(const uint32_t *context, unsigned j, uint64_t known, uint32_t *with)
{
	for (unsigned k = 0; k < byte_row.contexts; k++)
		with[k] = trc_hash3(context[k], j, trc_hash_value(known));
}

static uint64_t
code_residual(struct trc_op_slot_models *m, const struct facts *f, unsigned mode, uint64_t residual)
{
	const unsigned match = match_of(f, back_of(mode));
	const uint64_t z = trc_zigzag(residual);
	const struct trc_symbol by_match = { SIZE_BITS, SIZE_BITS, { 0, match, 0 } };
	uint32_t context[TRC_CONTEXTS], with[TRC_CONTEXTS];
	uint64_t known = 0;
	unsigned size;

	residual_contexts(m, f, mode, context);
	size = trc_symbol_code(&m->size, &by_match, context, trc_value_bytes(z));
	size = size < RESIDUAL_BYTES ? size : RESIDUAL_BYTES;
	for (unsigned j = size; j-- > 0;) {
		const struct trc_symbol s = byte_symbol(j, size);

		byte_contexts(context, j, known, with);
		known = known << 8 | trc_symbol_code(&m->byte, &s, with, z >> 8 * j & 255);
	}
	return trc_unzigzag(known);
}

/* ---- choosing ---- */

/* Returns the cost of a residual as code_residual() codes it; stops at `most`. */
static unsigned
cost_residual(struct trc_op_slot_models *m, const struct facts *f, unsigned mode, uint64_t residual,
              unsigned most)
{
	const unsigned match = match_of(f, back_of(mode));
	const uint64_t z = trc_zigzag(residual);
	const struct trc_symbol by_match = { SIZE_BITS, SIZE_BITS, { 0, match, 0 } };
	const unsigned size = trc_value_bytes(z);
	uint32_t context[TRC_CONTEXTS], with[TRC_CONTEXTS];
	uint64_t known = 0;
	unsigned cost;

	residual_contexts(m, f, mode, context);
	cost = trc_symbol_cost(&m->size, &by_match, context, size);
	for (unsigned j = size; j-- > 0 && cost < most;) {
		const struct trc_symbol s = byte_symbol(j, size);

		byte_contexts(context, j, known, with);
		known = known << 8 | (z >> 8 * j & 255);
		cost += trc_symbol_cost(&m->byte, &s, with, known & 255);
	}
	return cost;
}

/* The modes that a slot may have: the cost of each without its residual, and a usual lower bound of
 * the cost with it. */
struct candidates {
	uint8_t kind[TRC_MODES];
	unsigned cost[TRC_MODES], least[TRC_MODES];
	size_t n;
};

static void
find_candidates(const struct trc_op_slot_models *m, const struct facts *f,
                const struct trc_slot_modes *w, struct candidates *c)
{
	enum { BYTE = 512 };
	uint32_t context[TRC_CONTEXTS];
	const struct trc_symbol s = mode_symbol(m, f, context);

	c->n = 0;
	for (uint32_t modes = w->modes; modes; modes &= modes - 1)
		c->kind[c->n++] = (uint8_t)(2 * trc_ctz64(modes));
	trc_symbol_costs(&m->mode, &s, context, c->kind, c->n, c->cost);
	for (size_t i = 0; i < c->n; i++) {
		const uint64_t z = trc_zigzag(trc_slot_residual(w, c->kind[i] / 2));

		c->least[i] = c->cost[i] + BYTE * trc_value_bytes(z);
	}
}

/* Returns the candidate that seems cheapest. */
static size_t
cheapest(const struct candidates *c)
{
	size_t best = 0;

	for (size_t i = 1; i < c->n; i++)
		best = c->least[i] < c->least[best] ? i : best;
	return best;
}

static void
drop_candidate(struct candidates *c, size_t i)
{
	c->kind[i] = c->kind[--c->n];
	c->cost[i] = c->cost[c->n];
	c->least[i] = c->least[c->n];
}

/* Gives a slot the cheapest mode. */
static void
choose(struct trc_op_slot_models *m, const struct facts *f, const struct trc_slot_modes *w,
       struct trc_slot *slot)
{
	unsigned least = UINT_MAX;
	struct candidates c;

	/* With a single mode there is no choice. */
	if ((w->modes & (w->modes - 1)) == 0)
		return;
	for (find_candidates(m, f, w, &c); c.n > 0;) {
		const size_t i = cheapest(&c);
		const unsigned mode = c.kind[i] / 2;
		const uint64_t residual = trc_slot_residual(w, mode);
		unsigned cost = c.cost[i];

		if (c.least[i] >= least)
			break;
		drop_candidate(&c, i);
		cost += mode == TRC_MODE_ABSOLUTE ?
		                trc_lines_cost(&m->lines, residual) :
		                cost_residual(m, f, mode, residual, least - cost);
		if (cost >= least)
			continue;
		least = cost;
		*slot = (struct trc_slot){ residual, (uint8_t)mode, true };
	}
}

/* ---- slots ---- */

static void
code_slot(struct trc_op_slot_models *m, struct trc_rc *rc, const struct facts *f,
          const struct trc_slot_modes *modes, struct trc_slot *s)
{
	unsigned kind;

	if (rc->out && modes)
		choose(m, f, modes, s);
	kind = code_mode(m, f, s->mode * 2u + !s->constant);
	s->mode = (uint8_t)(kind / 2 < TRC_MODES ? kind / 2 : TRC_MODE_ABSOLUTE);
	s->constant = kind % 2 == 0;
	if (s->constant)
		s->residual = s->mode == TRC_MODE_ABSOLUTE ?
		                      trc_lines_code(rc, &m->lines, s->residual) :
		                      code_residual(m, f, s->mode, s->residual);
	note_slot(m, f, s);
}

int
trc_op_slots_code(struct trc_program *p, struct trc_op_models *all, size_t first,
                  const struct trc_slot_modes *modes, struct trc_err *err)
{
	struct trc_op_slot_models *m = &all->slots;
	struct trc_rc *rc = &all->with.rc;

	for (uint32_t i = (uint32_t)first; i < p->ops; i++) {
		const struct trc_op *op = &p->op[i];
		const uint64_t value = p->column[0].of_op[i];
		struct facts f;

		m->jumped |= i > 0 && op->pc != trc_op_end(p, i - 1);
		for (uint32_t k = 0; k < p->shape[op->shape].data; k++) {
			const uint32_t slot = op->slot + k;

			find_facts(p, m, i, k, &f);
			code_slot(m, rc, &f, modes ? &modes[slot - p->coded.slots] : NULL,
			          &p->slot[slot]);
			if (!trc_slot_may_be(&p->slot[slot]))
				return trc_program_corrupt(err, "a slot");
		}
		m->written[value & 255] = m->written[value >> 8 & 255] = true;
		if (trc_rc_overrun(rc) > 0)
			return trc_program_corrupt(err, "it ends early");
	}
	return 0;
}
