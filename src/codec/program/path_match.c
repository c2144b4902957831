/* SPDX-License-Identifier: MIT
 * Finds where the same path was taken before, and how far it is the same. */
#include "codec/program/path_match.h"

#include <stdlib.h>

enum {
	NOTE_BITS = 16, /* the largest tables, in bits */
	SEEN = 6,       /* initial count of confidence counters */
	RENEW = 16,     /* shorter matches are replaced by new ones */
	RUN = 32,       /* the least length of a match for a run */
	SURE = 64900,   /* the least confidence for a run */
};

/* The orders, the longest first: the number of preceding branches that are the same. */
static const uint8_t order_len[TRC_PATH_ORDERS] = { 16, 4 };
static const uint64_t order_factor[TRC_PATH_ORDERS] = { UINT64_C(0x9e3779b97f4a7c15) << 4,
	                                                UINT64_C(0x9e3779b97f4a7c15) << 16 };

/* Computes the positions of the hashes in the tables. */
static inline void
find_places(struct trc_path_match *m)
{
	for (int k = 0; k < TRC_PATH_ORDERS; k++) {
		m->place[k] = m->noted + ((size_t)k << m->bits) + (m->hash[k] >> (64 - m->bits));
		TRC_PREFETCH(m->place[k]);
	}
}

static inline void
hash(struct trc_path_match *m, uint32_t number)
{
	for (int k = 0; k < TRC_PATH_ORDERS; k++)
		m->hash[k] = (m->hash[k] + number) * order_factor[k];
}

/* Returns a check that distinguishes hashes with the same position. */
static inline uint32_t
check(const struct trc_path_match *m, int k)
{
	return (uint32_t)(m->hash[k] >> 32);
}

size_t
trc_path_match_memory(size_t n)
{
	return (n + TRC_PATH_BEFORE) * sizeof(uint32_t) +
	       (TRC_PATH_ORDERS * sizeof(uint32_t) << trc_table_bits(n, NOTE_BITS));
}

int
trc_path_match_begin(struct trc_path_match *m, size_t n, struct trc_err *err)
{
	const unsigned bits = trc_table_bits(n, NOTE_BITS);
	const size_t places = (size_t)TRC_PATH_ORDERS << bits;
	const struct trc_logistic *l = trc_logistic();

	if (trc_grow(&m->past, &m->past_cap, n + TRC_PATH_BEFORE, sizeof(*m->past), err) ||
	    trc_grow(&m->noted, &m->noted_cap, places, sizeof(*m->noted), err))
		return -1;
	memset(m->past, 0, TRC_PATH_BEFORE * sizeof(*m->past));
	memset(m->noted, 0, places * sizeof(*m->noted));
	/* These are not even, because a path that never branches differently would otherwise never
	 * begin a run, as no predictions are made. */
	for (unsigned h = 0; h < TRC_HISTORIES; h++) {
		const uint16_t p = trc_history_p(h);

		for (unsigned b = 0; b < TRC_MATCH_BUCKETS; b++)
			m->confidence[b][h] = trc_counter_of(
			        (uint32_t)trc_squash(l, trc_match_first(l, b, p)), SEEN);
	}
	m->bits = bits;
	m->n = n;
	m->i = m->at = m->len = 0;
	m->hash[0] = m->hash[1] = 0;
	find_places(m);
	return 0;
}

void
trc_path_match_release(struct trc_path_match *m)
{
	free(m->past);
	free(m->noted);
}

void
trc_path_match_find(struct trc_path_match *m, uint32_t first, uint32_t edges)
{
	if (m->len < RENEW && (m->at == 0 || m->len % 4 == 3)) {
		for (int k = 0; k < TRC_PATH_ORDERS && order_len[k] > m->len; k++) {
			const uint32_t q = trc_match_noted(*m->place[k], check(m, k));

			if (q == 0)
				continue;
			m->len = order_len[k];
			m->at = q;
		}
	}
	if (m->at && trc_path_at(m, m->at) - first >= edges)
		m->at = m->len = 0;
}

void
trc_path_match_add(struct trc_path_match *m, uint32_t number)
{
	const uint32_t past = m->past[TRC_PATH_BEFORE + m->at];
	unsigned history = TRC_HISTORY_NEW;

	for (int k = 0; k < TRC_PATH_ORDERS; k++)
		*m->place[k] = trc_match_note(m->i, check(m, k));
	hash(m, number);
	if (m->at) {
		const bool right = trc_path_number(past) == number;

		history = trc_history(past % TRC_HISTORIES, right);
		m->at = right ? m->at + 1 : 0;
		m->len = right ? m->len + 1 : 0;
	}
	m->past[TRC_PATH_BEFORE + m->i++] = number << TRC_PATH_HISTORY_BITS | history;
	find_places(m);
}

/* ---- runs ---- */

size_t
trc_path_match_certain(const struct trc_path_match *m)
{
	const uint32_t *past = m->past + TRC_PATH_BEFORE + m->at;
	const size_t left = m->n - m->i, most = m->len < left ? m->len : left, gap = m->i - m->at;
	size_t n = 0;

	if (m->len < RUN || *past % TRC_HISTORIES != TRC_MATCH_ALWAYS ||
	    trc_counter_p(m->confidence[trc_path_match_bucket(m)][TRC_MATCH_ALWAYS]) < SURE)
		return 0;
	while (n < gap && n < most && past[n] % TRC_HISTORIES == TRC_MATCH_ALWAYS)
		n++;
	return n == gap ? most : n;
}

void
trc_path_match_run(struct trc_path_match *m, size_t n)
{
	uint32_t *x = m->past + TRC_PATH_BEFORE + m->i;
	const uint32_t *match = m->past + TRC_PATH_BEFORE + m->at;

	/* Histories are copied as well; all are TRC_MATCH_ALWAYS. The regions may overlap. */
	for (size_t k = 0; k < n; k++)
		x[k] = match[k];
	m->at += n;
	m->len += n;
}

void
trc_path_match_rehash(struct trc_path_match *m)
{
	m->hash[0] = m->hash[1] = 0;
	for (size_t k = TRC_PATH_BEFORE + m->i - order_len[0]; k < TRC_PATH_BEFORE + m->i; k++)
		hash(m, trc_path_number(m->past[k]));
	find_places(m);
}
