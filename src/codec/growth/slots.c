/* SPDX-License-Identifier: MIT
 * Codes slots, and chooses the cheapest mode of each. */
#include "codec/growth/slots.h"

#include <limits.h>

#include "codec/entropy/range_coder.h"

void
trc_slot_models_init(struct trc_slot_models *m)
{
	trc_bits_init(m, offsetof(struct trc_slot_models, lines));
	trc_lines_init(&m->lines);
	memset(m->made, 0, sizeof(m->made));
	memset(&m->last, 0, sizeof(m->last));
	m->jumped = false;
}

/* The facts about a slot. */
struct place {
	uint32_t shape;
	bool store;
	unsigned kind; /* of residuals */
};

bool
trc_slot_is_store(const struct trc_shape *s, uint32_t row)
{
	return (s->type[row] & TRC_ROW_TYPE) != TRC_ROW_READ;
}

unsigned
trc_slot_kind(const struct trc_shape *s, uint32_t shape, uint32_t row)
{
	const uint32_t size = s->size[row];
	const unsigned by_size = size == 0 ? 0 : size < 4 ? 1 : size == 4 ? 2 : size == 8 ? 3 : 4;

	return shape < TRC_SHAPE_KINDS ? shape : TRC_SHAPE_KINDS + by_size;
}

static struct place
place_of(const struct trc_shape *s, uint32_t shape, uint32_t row)
{
	return (struct place){ shape, trc_slot_is_store(s, row), trc_slot_kind(s, shape, row) };
}

static struct trc_bit *
mode_models(struct trc_slot_models *m, const struct place *p)
{
	const unsigned most = TRC_MODE_KINDS - 1;

	return m->mode[p->store][m->last.store][m->jumped][p->shape == m->last.shape]
	              [m->last.mode < most ? m->last.mode : most];
}

static struct trc_bit *
constant_model(struct trc_slot_models *m, const struct place *p, unsigned mode)
{
	return &m->constant[p->store][m->last.constant][m->jumped][mode];
}

static struct trc_num *
residual_models(struct trc_slot_models *m, const struct place *p, unsigned mode)
{
	const unsigned most = TRC_RESIDUALS - 1, i = mode < most ? mode : most;
	struct trc_num *models = &m->residual[p->store][p->kind][i];

	trc_bits_first(models->len, sizeof(*models), &m->made[p->store][p->kind][i]);
	return models;
}

/* ---- slots ---- */

uint64_t
trc_slot_residual(const struct trc_slot_modes *w, unsigned mode)
{
	return mode == TRC_MODE_ABSOLUTE ? *w->at : *w->at - *(w->at - (mode - TRC_MODE_BACK + 1));
}

/* Gives a slot the cheapest mode. */
static void
choose(struct trc_slot_models *m, const struct place *p, const struct trc_slot_modes *w,
       struct trc_slot *slot)
{
	struct trc_num_costs shared = { .of = NULL }; /* for modes without models of their own */
	unsigned least = UINT_MAX;

	for (unsigned left = w->modes; left; left &= left - 1) {
		const unsigned mode = (unsigned)trc_ctz64(left);
		const uint64_t residual = trc_slot_residual(w, mode);
		unsigned cost = trc_cost_tree(mode_models(m, p), TRC_MODE_BITS, mode) +
		                trc_cost_bit(constant_model(m, p, mode), 0);

		if (cost < least)
			cost += mode == TRC_MODE_ABSOLUTE ?
			                trc_lines_cost(&m->lines, residual) :
			                trc_cost_num(residual_models(m, p, mode),
			                             trc_zigzag(residual),
			                             mode < TRC_RESIDUALS - 1 ? NULL : &shared);
		if (cost < least) {
			least = cost;
			*slot = (struct trc_slot){ residual, (uint8_t)mode, true };
		}
	}
}

/* Codes an address with a function call; keeps `rc` in registers. */
static TRC_ALWAYS_INLINE uint64_t
code_address(struct trc_rc *rc, bool writes, struct trc_line_models *l, uint64_t a)
{
	struct trc_rc copy = *rc;

	if (writes)
		return trc_lines_code(rc, l, a);
	a = trc_lines_code(&copy, l, a);
	*rc = copy;
	return a;
}

static TRC_ALWAYS_INLINE void
code_slot(struct trc_rc *rc, bool writes, struct trc_slot_models *m, const struct place *p,
          struct trc_slot *s)
{
	s->mode = (uint8_t)trc_rc_code_tree(rc, writes, mode_models(m, p), TRC_MODE_BITS, s->mode);
	if (s->mode >= TRC_MODES)
		s->mode = TRC_MODE_ABSOLUTE;
	s->constant = !trc_rc_code_bit(rc, writes, constant_model(m, p, s->mode), !s->constant);
	if (s->constant && s->mode == TRC_MODE_ABSOLUTE)
		s->residual = code_address(rc, writes, &m->lines, s->residual);
	else if (s->constant)
		s->residual = trc_unzigzag(trc_rc_code_num(
		        rc, writes, residual_models(m, p, s->mode), trc_zigzag(s->residual)));
	m->last.mode = s->mode;
	m->last.constant = s->constant;
	m->last.store = p->store;
	m->last.shape = p->shape;
	m->jumped = false;
}

static TRC_ALWAYS_INLINE int
code_slots(struct trc_program *p, struct trc_slot_models *m, struct trc_rc *rc, bool writes,
           size_t first, const struct trc_slot_modes *modes, struct trc_err *err)
{
	for (size_t i = first; i < p->ops; i++) {
		const struct trc_op *op = &p->op[i];
		const struct trc_shape *shape = &p->shape[op->shape];

		m->jumped |= i > 0 && op->pc != trc_op_end(p, (uint32_t)i - 1);
		for (uint32_t k = 0; k < shape->data; k++) {
			const struct place place = place_of(shape, op->shape, shape->fetch + k);
			struct trc_slot *slot = &p->slot[op->slot + k];

			if (writes && modes)
				choose(m, &place, &modes[op->slot + k - p->coded.slots], slot);
			code_slot(rc, writes, m, &place, slot);
			if (!trc_slot_may_be(slot))
				return trc_program_corrupt(err, "a slot");
		}
		if (trc_rc_overrun(rc) > 0)
			return trc_program_corrupt(err, "it ends early");
	}
	return 0;
}

int
trc_slots_code(struct trc_program *p, struct trc_slot_models *m, struct trc_rc *rc, size_t first,
               const struct trc_slot_modes *modes, struct trc_err *err)
{
	struct trc_rc copy = *rc;
	int failed;

	if (rc->out)
		return code_slots(p, m, rc, true, first, modes, err);
	failed = code_slots(p, m, &copy, false, first, NULL, err);
	*rc = copy;
	return failed;
}
