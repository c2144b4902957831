/* SPDX-License-Identifier: MIT
 * Where the same way was gone before, and how far it is the same. */
#include "codec/choices_state.h"

void
trc_chooser_rehash(struct trc_chooser *c)
{
	enum { LONGEST = 16 };

	c->hash[0] = c->hash[1] = 0;
	for (size_t k = BEFORE + c->i - LONGEST; k < BEFORE + c->i; k++)
		trc_chooser_hash(c, c->number[k]);
	trc_chooser_lines(c);
}

/* How many choices the match may be right for in one go. */
static size_t
longest_run(const struct trc_chooser *c)
{
	const size_t left = c->n - c->i, most = c->len < left ? c->len : left, gap = c->i - c->at;
	const size_t till = gap < most ? gap : most;
	const uint8_t *record = c->record + c->at;
	size_t m = 0;

	while (m + 8 <= till && trc_le64(record + m) == UINT64_MAX)
		m += 8;
	while (m < till && record[m] == ALWAYS)
		m++;
	return m == gap ? most : m;
}

void
trc_chooser_run(struct trc_chooser *c, bool writes)
{
	uint32_t *x = c->number + BEFORE;
	const size_t m = longest_run(c);
	size_t n = m;

	for (n = 0; writes && n < m && x[c->at + n] == x[c->i + n];)
		n++;
	if (trc_rc_bit(&c->rc, &c->fails[63 - trc_clz64(m)], n < m)) {
		n = (size_t)trc_rc_num(&c->rc, &c->right, n);
		n = n < m ? n : m - 1;
		c->wrong = true;
	} else {
		n = m;
	}
	for (size_t k = 0; !writes && k < n; k++)
		x[c->i + k] = x[c->at + k];
	memset(c->record + c->i, ALWAYS, n);
	c->ready = c->i + n;
	c->at += n;
	c->len += n;
	c->ran = n > 0;
	trc_chooser_learn(c, &c->trust[trc_chooser_grade(c)][ALWAYS], !c->wrong);
}
