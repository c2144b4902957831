/* SPDX-License-Identifier: MIT */
#include "base/state.h"

#include "base/numbers.h"

int
trc_state_fail(struct trc_err *err)
{
	return trc_fail(err, "the state of the rows is damaged");
}

void
trc_state_damaged(struct trc_state *s)
{
	if (!s->failed)
		(void)trc_state_fail(s->err);
	s->failed = true;
}

void
trc_state_num(struct trc_state *s, uint64_t *v)
{
	if (s->writes && !s->failed) {
		s->failed = trc_buf_put_num(s->to, *v, s->err) != 0;
	} else if (!s->writes && (s->failed || !trc_view_num(s->from, v))) {
		*v = 0;
		trc_state_damaged(s);
	}
}

void
trc_state_most(struct trc_state *s, uint64_t *v, uint64_t most)
{
	trc_state_num(s, v);
	if (*v > most) {
		*v = 0;
		trc_state_damaged(s);
	}
}

void
trc_state_u32(struct trc_state *s, uint32_t *v)
{
	uint64_t wide = *v;

	trc_state_most(s, &wide, UINT32_MAX);
	*v = (uint32_t)wide;
}

void
trc_state_flag(struct trc_state *s, bool *v)
{
	uint64_t wide = *v;

	trc_state_most(s, &wide, 1);
	*v = wide;
}

void
trc_state_near(struct trc_state *s, uint64_t *v, uint64_t base)
{
	uint64_t more = trc_zigzag(*v - base);

	trc_state_num(s, &more);
	if (!s->writes)
		*v = base + trc_unzigzag(more);
}

void
trc_state_sum(struct trc_state *s, uint64_t *v)
{
	uint64_t more = *v;

	trc_state_num(s, &more);
	if (!s->writes)
		*v += more;
}

void
trc_state_each(struct trc_state *s, uint64_t *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		trc_state_num(s, v[i]);
}

void
trc_state_count(struct trc_state *s, size_t *n, uint64_t most)
{
	uint64_t wide = *n;

	trc_state_most(s, &wide, most);
	*n = (size_t)wide;
	if (!s->writes && wide > trc_numbers_most(s->from)) {
		*n = 0;
		trc_state_damaged(s);
	}
}

void
trc_state_bytes(struct trc_state *s, struct trc_buf *b)
{
	struct trc_view bytes;

	if (s->failed)
		return;
	if (s->writes)
		s->failed = trc_buf_put_counted(s->to, b->p, b->n, s->err) != 0;
	else if (!trc_view_counted(s->from, UINT64_MAX, &bytes))
		trc_state_damaged(s);
	else if (bytes.p < bytes.end)
		s->failed = trc_buf_put(b, bytes.p, (size_t)(bytes.end - bytes.p), s->err) != 0;
}

void *
trc_state_room(struct trc_state *s, size_t n, size_t size)
{
	void *room = s->failed ? NULL : trc_alloc_room(n + 1, size, s->err);

	s->failed |= !room;
	return room;
}

/* ---- arrays ---- */

static void
gather(uint64_t *v, const struct trc_strided *a, size_t from, size_t n)
{
	const uint8_t *p = (const uint8_t *)a->first + from * a->step;

	if (a->width == 8)
		for (size_t i = 0; i < n; i++, p += a->step)
			v[i] = *(const uint64_t *)p;
	else if (a->width == 4)
		for (size_t i = 0; i < n; i++, p += a->step)
			v[i] = *(const uint32_t *)p;
	else
		for (size_t i = 0; i < n; i++, p += a->step)
			v[i] = *p;
}

static void
scatter(const uint64_t *v, const struct trc_strided *a, size_t from, size_t n, bool sum)
{
	uint8_t *p = (uint8_t *)a->first + from * a->step;

	if (a->width == 8)
		for (size_t i = 0; i < n; i++, p += a->step)
			*(uint64_t *)p = v[i] + (sum ? *(const uint64_t *)p : 0);
	else if (a->width == 4)
		for (size_t i = 0; i < n; i++, p += a->step)
			*(uint32_t *)p = (uint32_t)v[i];
	else
		for (size_t i = 0; i < n; i++, p += a->step)
			*p = (uint8_t)v[i];
}

/* fold() converts numbers to what is stored, unfold() back; *last is the number before v[0]. */
static void
fold(uint64_t *v, size_t n, unsigned how, uint64_t *last)
{
	for (size_t i = 0; how & TRC_STATE_DELTA && i < n; i++) {
		const uint64_t now = v[i];

		v[i] = now - *last;
		*last = now;
	}
	for (size_t i = 0; how & TRC_STATE_SIGNED && i < n; i++)
		v[i] = trc_zigzag(v[i]);
}

static void
unfold(uint64_t *v, size_t n, unsigned how, uint64_t *last)
{
	for (size_t i = 0; how & TRC_STATE_SIGNED && i < n; i++)
		v[i] = trc_unzigzag(v[i]);
	for (size_t i = 0; how & TRC_STATE_DELTA && i < n; i++)
		v[i] = *last += v[i];
}

static bool
is_above(const uint64_t *v, size_t n, uint64_t most)
{
	bool above = false;

	for (size_t i = 0; i < n; i++)
		above |= v[i] > most;
	return above;
}

void
trc_state_array(struct trc_state *s, struct trc_strided a, size_t n, unsigned how, uint64_t most)
{
	uint64_t v[TRC_NUMBERS_BLOCK], last = 0;

	for (size_t from = 0, part; from < n && !s->failed; from += part) {
		part = n - from < TRC_NUMBERS_BLOCK ? n - from : TRC_NUMBERS_BLOCK;
		if (s->writes) {
			gather(v, &a, from, part);
			fold(v, part, how, &last);
			s->failed = trc_numbers_put(s->to, v, part, s->err) != 0;
			continue;
		}
		if (!trc_numbers_get(s->from, v, part)) {
			trc_state_damaged(s);
			return;
		}
		unfold(v, part, how, &last);
		if (most < UINT64_MAX && is_above(v, part, most))
			trc_state_damaged(s);
		scatter(v, &a, from, part, how & TRC_STATE_SUM);
	}
}

void
trc_state_structs(struct trc_state *s, void *first, size_t size, size_t n)
{
	for (size_t i = 0; n > 0 && !s->failed && i < size / sizeof(uint64_t); i++)
		trc_state_array(s, TRC_STRIDED((uint64_t *)first + i, size), n, 0, UINT64_MAX);
}
