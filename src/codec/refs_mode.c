/* SPDX-License-Identifier: MIT
 * Modes by estimated cost, in bits. */
#include "codec/refs_mode.h"

enum { SAMPLE = 3000 }; /* references of a slot that decide its mode */

static bool
is_constant(const struct trc_slot_refs *r, unsigned mode)
{
	const size_t first = mode == TRC_MODE_SELF;

	for (size_t j = first + 1; j < r->n; j++)
		if (trc_residual(r, j, mode) != trc_residual(r, first, mode))
			return false;
	return true;
}

static unsigned
bits(uint64_t v)
{
	return 64 - (unsigned)trc_clz64(v);
}

unsigned
trc_mtf_find(struct trc_mtf *m, uint64_t v)
{
	unsigned at = 0;

	while (at < m->n && m->last[at] != v)
		at++;
	const unsigned found = at < m->n ? at : TRC_MTF;

	if (at == m->n && m->n < TRC_MTF)
		m->n++;
	for (unsigned k = at < TRC_MTF ? at : TRC_MTF - 1; k > 0; k--)
		m->last[k] = m->last[k - 1];
	m->last[0] = v;
	return found;
}

/* What the references of a varying slot cost in a mode; ends at `most`. */
static double
cost_varying(const struct trc_slot_refs *r, unsigned mode, double most)
{
	struct trc_mtf mtf = { .n = 0 };
	double cost = mode == TRC_MODE_SELF ? 20.6 : mode == TRC_MODE_ABSOLUTE ? 0.5 : 0.1;

	for (size_t j = mode == TRC_MODE_SELF; j < r->n && cost < most; j++) {
		uint64_t v = trc_residual(r, j, mode);
		unsigned at = trc_mtf_find(&mtf, v);

		if (at == 0)
			cost += 0.04;
		else if (at < TRC_MTF)
			cost += 2 + 0.3 * at;
		else
			cost += mode == TRC_MODE_ABSOLUTE ? 18 : 6 + 0.5 * bits(trc_zigzag(v) | 1);
	}
	return cost;
}

/* What saying the residual of a new constant slot costs. */
static double
cost_constant(const struct trc_slot_refs *r, unsigned mode, uint64_t last_absolute)
{
	if (mode == TRC_MODE_ABSOLUTE)
		return 4 + 1.2 * bits(trc_zigzag(r->data[r->event[0]] - last_absolute));
	return 1 + bits(trc_zigzag(trc_residual(r, 0, mode))) + 0.2 * mode;
}

/* For a slot whose residual is constant in no mode but self, if that. `mode` is worth `bits_kept`
 * more than others. */
static struct trc_decision
decide_varying(const struct trc_slot_refs *r, unsigned mode, double bits_kept)
{
	struct trc_slot_refs sample = *r;
	struct trc_decision best = { mode, false, 0 };
	double least;

	if (r->n > 1 && is_constant(r, TRC_MODE_SELF))
		return (struct trc_decision){ TRC_MODE_SELF, true,
			                      trc_residual(r, 1, TRC_MODE_SELF) };
	sample.n = r->n < SAMPLE ? r->n : SAMPLE;
	least = cost_varying(&sample, mode, 1e300) - bits_kept;
	for (mode = 0; mode < TRC_MODES; mode++) {
		const double cost = cost_varying(&sample, mode, least);

		if (cost < least) {
			least = cost;
			best.mode = mode;
		}
	}
	return best;
}

struct trc_decision
trc_decide_new(const struct trc_slot_refs *r, uint64_t last_absolute)
{
	struct trc_decision best = { 0 };
	double least = 1e300;

	for (unsigned mode = 0; mode < TRC_MODES; mode++) {
		double cost;

		if (mode == TRC_MODE_SELF || !is_constant(r, mode))
			continue;
		cost = cost_constant(r, mode, last_absolute);
		if (cost < least) {
			least = cost;
			best = (struct trc_decision){ mode, true, trc_residual(r, 0, mode) };
		}
	}
	return best.constant ? best : decide_varying(r, TRC_MODE_ABSOLUTE, 0);
}

struct trc_decision
trc_decide_old(const struct trc_slot_refs *r, const struct trc_slot *slot)
{
	struct trc_decision best = { slot->mode, false, 0 };

	/* As before, if that holds. */
	if (is_constant(r, slot->mode)) {
		const bool self = slot->mode == TRC_MODE_SELF;

		best.constant = true;
		best.residual = self && r->n < 2 ? slot->residual :
		                                   trc_residual(r, self, slot->mode);
		if (slot->constant && best.residual == slot->residual)
			return best;
	}
	for (unsigned mode = TRC_MODE_BACK; mode < TRC_MODES && !best.constant; mode++)
		if (is_constant(r, mode))
			best = (struct trc_decision){ mode, true, trc_residual(r, 0, mode) };
	if (!best.constant && is_constant(r, TRC_MODE_ABSOLUTE))
		best = (struct trc_decision){ TRC_MODE_ABSOLUTE, true,
			                      trc_residual(r, 0, TRC_MODE_ABSOLUTE) };
	return best.constant ? best : decide_varying(r, slot->mode, 4);
}
