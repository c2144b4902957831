/* SPDX-License-Identifier: MIT
 * Where the same way was gone before, and how far it is the same. */
#include "codec/program/path_state.h"

void
trc_path_model_rehash(struct trc_path_model *c)
{
	c->hash[0] = c->hash[1] = 0;
	for (size_t k = BEFORE + c->i - order_len[0]; k < BEFORE + c->i; k++)
		trc_path_model_hash(c, trc_past_number(c->past[k]));
	trc_path_model_lines(c);
}

/* How many of the choices from `x` on have a record without a miss, `most` or fewer. */
static size_t
always_right(const uint32_t *x, size_t most)
{
	size_t n = 0;

	while (n < most && trc_past_record(x[n]) == ALWAYS)
		n++;
	return n;
}

/* How many choices the match may be right for in one go. */
static size_t
longest_run(const struct trc_path_model *c)
{
	const size_t left = c->n - c->i, most = c->len < left ? c->len : left, gap = c->i - c->at;
	const size_t m = always_right(c->past + BEFORE + c->at, gap < most ? gap : most);

	return m == gap ? most : m;
}

void
trc_path_model_run(struct trc_path_model *c, bool writes)
{
	uint32_t *x = c->past + BEFORE + c->i;
	const uint32_t *match = c->past + BEFORE + c->at;
	const size_t m = longest_run(c);
	size_t n = 0;

	while (writes && n < m && trc_past_number(match[n]) == trc_past_number(x[n]))
		n++;
	if (trc_rc_bit(&c->rc, &c->fails[63 - trc_clz64(m)], n < m)) {
		n = (size_t)trc_rc_num(&c->rc, &c->right, n);
		n = n < m ? n : m - 1;
		c->wrong = true;
	} else {
		n = m;
	}
	/* With their records, which are ALWAYS. */
	for (size_t k = 0; k < n; k++)
		x[k] = match[k];
	c->ready = c->i + n;
	c->at += n;
	c->len += n;
	c->ran = n > 0;
	trc_path_model_learn(c, &c->trust[trc_path_model_grade(c)][ALWAYS], !c->wrong);
}
