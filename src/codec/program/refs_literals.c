/* SPDX-License-Identifier: MIT
 * Collects literals, then writes them in the form that seems smaller, for all slots or slot by
 * slot. */
#include "codec/program/refs_literals.h"

#include <stdlib.h>

#include "base/map_find.h"

enum {
	HIGH_MOST = 65536, /* the most distinct upper parts of literals */
	FEW = 32,          /* with fewer literals a slot is not worth a trial */
	GAIN = 16,         /* a form of its own must save one part in this many of a slot */
};

void
trc_refs_trial_release(struct trc_refs_trial *t)
{
	trc_buf_release(&t->low);
	trc_buf_release(&t->packed);
}

int
trc_refs_try_lower(struct trc_refs_trial *t, const uint8_t *wide, size_t n, size_t *bytes,
                   struct trc_err *err)
{
	t->low.n = t->packed.n = 0;
	if (trc_buf_room(&t->low, 4 * n, err))
		return -1;
	for (size_t i = 0; i < n; i++)
		trc_buf_be32(&t->low, trc_be32(wide + 8 * i + 4));
	if (trc_pack(t->low.p, t->low.n, TRC_PACK_WORDS4, TRC_PACK_FAST, &t->packed, err))
		return -1;
	*bytes = t->packed.n;
	return 0;
}

void
trc_refs_literals_release(struct trc_refs_literals *l)
{
	trc_buf_release(&l->address);
	trc_buf_release(&l->residual);
	trc_refs_trial_release(&l->trial);
	free(l->end);
	*l = (struct trc_refs_literals){ 0 };
}

void
trc_refs_literals_clear(struct trc_refs_literals *l)
{
	l->address.n = l->residual.n = 0;
	l->slots = 0;
}

int
trc_refs_literals_room(struct trc_refs_literals *l, size_t n, struct trc_err *err)
{
	return trc_buf_room(&l->address, 8 * n, err) || trc_buf_room(&l->residual, 8 * n, err) ||
	                       trc_grow(&l->end, &l->end_cap, l->slots + 1, sizeof(*l->end), err) ?
	               -1 :
	               0;
}

void
trc_refs_literals_end(struct trc_refs_literals *l)
{
	l->end[l->slots++] = l->address.n / 8;
}

/* Splits 8-byte literals into an index of their upper 48 bits and the lower 16 bits. If there are
 * too many distinct upper parts, leaves `high` empty and the literals unchanged. */
static int
split_literals(const struct trc_buf *wide, struct trc_buf *high, struct trc_buf *low,
               struct trc_err *err)
{
	struct trc_map map;
	int ret = -1;

	high->n = low->n = 0;
	if (trc_map_init(&map, err))
		return -1;
	if (trc_buf_room(low, wide->n, err))
		goto out;
	for (size_t i = 0; i < wide->n; i += 8) {
		const uint64_t v = trc_be64(wide->p + i);
		uint32_t index = trc_map_find(&map, 0, v >> 16)->value;

		if (index == TRC_MAP_NONE) {
			index = (uint32_t)map.n;
			if (index == HIGH_MOST) {
				high->n = low->n = 0;
				ret = trc_buf_put(low, wide->p, wide->n, err);
				goto out;
			}
			if (trc_map_add(&map, 0, v >> 16, index, err) || trc_buf_room(high, 8, err))
				goto out;
			trc_buf_be64(high, v >> 16);
		}
		trc_put_be16(low->p + low->n, (uint16_t)index);
		trc_put_be16(low->p + low->n + 2, (uint16_t)v);
		low->n += 4;
	}
	ret = 0;
out:
	trc_map_release(&map);
	return ret;
}

/* Estimates the bytes that the literals need, by packing `most` of them from the middle with a fast
 * method. */
static int
literal_bytes(const struct trc_refs *refs, size_t most, struct trc_buf *scratch, size_t *n,
              struct trc_err *err)
{
	const struct trc_buf *high = &refs->stream[TRC_REFS_HIGH];
	const struct trc_buf *low = &refs->stream[TRC_REFS_LITERAL];
	const size_t width = high->n ? 4 : 8, all = low->n / width;
	const size_t some = all < most ? all : most;
	size_t table;

	scratch->n = 0;
	if (trc_pack(high->p, high->n, trc_refs_kind(refs, TRC_REFS_HIGH), TRC_PACK_FAST, scratch,
	             err))
		return -1;
	table = scratch->n;
	if (trc_pack(low->p + (all - some) / 2 * width, some * width,
	             trc_refs_kind(refs, TRC_REFS_LITERAL), TRC_PACK_FAST, scratch, err))
		return -1;
	*n = table + (size_t)((uint64_t)(scratch->n - table) * all / some);
	return 0;
}

/* Chooses the form, residuals or addresses, that seems smaller for all slots. */
static int
choose_form(struct trc_refs_literals *l, size_t sample, struct trc_refs *refs, struct trc_err *err)
{
	struct trc_buf *high = &refs->stream[TRC_REFS_HIGH];
	struct trc_buf *low = &refs->stream[TRC_REFS_LITERAL];
	size_t as_residual, as_address;

	if (split_literals(&l->residual, high, low, err) ||
	    literal_bytes(refs, sample, &l->trial.packed, &as_residual, err) ||
	    split_literals(&l->address, high, low, err) ||
	    literal_bytes(refs, sample, &l->trial.packed, &as_address, err))
		return -1;
	refs->absolute = as_address < as_residual;
	return 0;
}

/* Converts the literals of slots that gain by it to the other form, and records for each slot
 * whether it was converted. */
static int
choose_own_forms(struct trc_refs_literals *l, size_t each, struct trc_refs *refs,
                 struct trc_err *err)
{
	struct trc_buf *form = refs->absolute ? &l->address : &l->residual;
	const struct trc_buf *other = refs->absolute ? &l->residual : &l->address;
	struct trc_buf *own = &refs->stream[TRC_REFS_FORM];
	size_t from = 0, n, some, as_all, as_other;
	bool any = false;

	for (size_t i = 0; i < l->slots; from = l->end[i++]) {
		bool gains = false;

		n = l->end[i] - from;
		some = n < each ? n : each;
		if (n >= FEW) {
			if (trc_refs_try_lower(&l->trial, form->p + 8 * from, some, &as_all, err) ||
			    trc_refs_try_lower(&l->trial, other->p + 8 * from, some, &as_other,
			                       err))
				return -1;
			gains = as_other + as_other / GAIN < as_all;
		}
		if (gains)
			memcpy(form->p + 8 * from, other->p + 8 * from, 8 * n);
		any |= gains;
		if (trc_buf_put_byte(own, gains, err))
			return -1;
	}
	if (!any)
		own->n = 0;
	return 0;
}

int
trc_refs_literals_write(struct trc_refs_literals *l, size_t sample, size_t each,
                        struct trc_refs *refs, struct trc_err *err)
{
	if (l->address.n == 0)
		return 0;
	if (choose_form(l, sample, refs, err) || (each && choose_own_forms(l, each, refs, err)))
		return -1;
	/* Addresses were split last, so they are in the streams already. */
	if (refs->absolute && refs->stream[TRC_REFS_FORM].n == 0)
		return 0;
	return split_literals(refs->absolute ? &l->address : &l->residual,
	                      &refs->stream[TRC_REFS_HIGH], &refs->stream[TRC_REFS_LITERAL], err);
}
