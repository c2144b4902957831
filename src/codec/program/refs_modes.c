/* SPDX-License-Identifier: MIT
 * Chooses modes by estimated cost in bits. */
#include "codec/program/refs_modes.h"

#include <limits.h>

enum {
	PIECE = 64, /* references of a slot that are examined together */
	POOR = 600, /* cost per reference above which a mode is poor */
	ALL = (1 << TRC_MODE_SCALED) - 1,
	SELF = 1 << TRC_MODE_SELF,
	ABSOLUTE = 1 << TRC_MODE_ABSOLUTE,
};

/* Returns true if references [from, to) have the same residual as the first one. */
static bool
is_constant(const struct trc_slot_refs *r, unsigned mode, size_t from, size_t to)
{
	const size_t first = mode == TRC_MODE_SELF;
	uint64_t residual;

	if (to <= first)
		return true;
	residual = trc_residual(r, first, mode);
	for (size_t j = from > first ? from : first + 1; j < to; j++)
		if (trc_residual(r, j, mode) != residual)
			return false;
	return true;
}

/* Returns the modes among `modes` (bit m: mode m) in which the residual is constant. References are
 * examined piece by piece in all remaining modes, while they are in the cache. */
static unsigned
constant_modes(const struct trc_slot_refs *r, unsigned modes)
{
	for (size_t to, from = 0; from < r->n && modes; from = to) {
		to = r->n - from < PIECE ? r->n : from + PIECE;
		for (unsigned left = modes; left; left &= left - 1)
			if (!is_constant(r, (unsigned)trc_ctz64(left), from, to))
				modes &= ~(left & -left);
	}
	return modes;
}

static unsigned
bits(uint64_t v)
{
	return 64 - (unsigned)trc_clz64(v);
}

/* Returns the cost of the references of a varying slot in a mode, in hundredths of a bit; stops at
 * `most`. */
static int32_t
cost_varying(const struct trc_slot_refs *r, size_t n, unsigned mode, int32_t most)
{
	struct trc_last_residuals mtf = { .n = 0 };
	int32_t cost = mode == TRC_MODE_SELF ? 2060 : mode == TRC_MODE_ABSOLUTE ? 50 : 10;

	for (size_t j = mode == TRC_MODE_SELF; j < n && cost < most; j++) {
		uint64_t v = trc_residual(r, j, mode);
		unsigned at = trc_last_residuals_find(&mtf, v);

		if (at == 0)
			cost += 4;
		else if (at < TRC_LAST_RESIDUALS)
			cost += 200 + 30 * (int32_t)at;
		else
			cost += mode == TRC_MODE_ABSOLUTE ?
			                1500 :
			                1000 + 50 * (int32_t)bits(trc_zigzag(v) | 1);
	}
	return cost;
}

/* Chooses for a slot whose residual is constant in no mode, except perhaps self. The mode `kept`
 * may cost `worth` more than others. Scaled modes are examined only if no other mode is good. */
static struct trc_mode_choice
choose_varying(const struct trc_slot_refs *r, unsigned kept, int32_t worth)
{
	const size_t n = r->n < r->sample ? r->n : r->sample;
	struct trc_mode_choice best = { kept, false, 0 };
	int32_t least;

	if (r->n > 1 && constant_modes(r, SELF))
		return (struct trc_mode_choice){ TRC_MODE_SELF, true,
			                         trc_residual(r, 1, TRC_MODE_SELF) };
	least = cost_varying(r, n, kept, INT32_MAX) - worth;
	for (unsigned mode = 0; mode < TRC_MODES; mode++) {
		int32_t cost;

		if (mode >= TRC_MODE_SCALED && least <= POOR * (int32_t)n)
			break;
		cost = mode == kept ? least : cost_varying(r, n, mode, least);
		if (cost < least) {
			least = cost;
			best.mode = mode;
		}
	}
	return best;
}

struct trc_mode_choice
trc_mode_for_new(const struct trc_slot_refs *r, uint32_t *modes)
{
	unsigned mode;

	*modes = constant_modes(r, ALL & ~SELF);
	if (*modes == 0)
		return choose_varying(r, TRC_MODE_ABSOLUTE, 0);
	mode = (unsigned)trc_ctz64(*modes);
	return (struct trc_mode_choice){ mode, true, trc_residual(r, 0, mode) };
}

struct trc_mode_choice
trc_mode_shortest(const struct trc_slot_refs *r, uint32_t modes)
{
	enum { ADDRESS = 10 }; /* bits of an address whose line is usually known */
	struct trc_mode_choice best = { TRC_MODE_ABSOLUTE, true, 0 };
	unsigned least = UINT_MAX;

	for (; modes; modes &= modes - 1) {
		const unsigned mode = (unsigned)trc_ctz64(modes);
		const uint64_t residual = trc_residual(r, 0, mode);
		const unsigned cost = mode == TRC_MODE_ABSOLUTE ? ADDRESS :
		                                                  bits(trc_zigzag(residual));

		if (cost < least) {
			least = cost;
			best.mode = mode;
			best.residual = residual;
		}
	}
	return best;
}

struct trc_mode_choice
trc_mode_for_old(const struct trc_slot_refs *r, const struct trc_slot *slot)
{
	const bool self = slot->mode == TRC_MODE_SELF;
	const unsigned old = slot->mode < TRC_MODE_SCALED ? 1u << slot->mode : 0;
	const unsigned constant = constant_modes(r, (ALL & ~SELF) | old);
	struct trc_mode_choice best = { slot->mode, false, 0 };
	unsigned mode = TRC_MODE_ABSOLUTE;

	/* Keep the mode if it still holds. */
	if (constant & old) {
		best.constant = true;
		best.residual = self && r->n < 2 ? slot->residual :
		                                   trc_residual(r, self, slot->mode);
		return best;
	}
	if (constant == 0)
		return choose_varying(r, slot->mode, 400);
	if (constant & ~ABSOLUTE)
		mode = (unsigned)trc_ctz64(constant & ~ABSOLUTE);
	return (struct trc_mode_choice){ mode, true, trc_residual(r, 0, mode) };
}
