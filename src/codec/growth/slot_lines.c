/* SPDX-License-Identifier: MIT
 * Constant addresses by lines; the same code serves both directions. */
#include "codec/growth/slot_lines.h"

#include <string.h>

enum {
	IN_LINE = (1 << TRC_LINE_BITS) - 1,
	NEW_LINE = 0, /* escape; otherwise 1 + the number of lines used since */
};

void
trc_lines_init(struct trc_line_models *l)
{
	trc_bits_init(l, offsetof(struct trc_line_models, last_new));
	l->last_new = l->used.n = 0;
	memset(l->held, 0, sizeof(l->held));
}

static size_t
hash(uint64_t line)
{
	return (size_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TRC_LINE_HASH_BITS));
}

/* Returns the index of a remembered line, or the number of lines if there is none. */
static uint32_t
find_line(const struct trc_line_models *l, uint64_t line)
{
	const uint32_t lines = trc_move_to_front_count(&l->used);
	uint32_t i = l->held[hash(line)] ? 0 : lines;

	while (i < lines && l->at[i] != line)
		i++;
	return i;
}

static void
add_line(struct trc_line_models *l, uint64_t line)
{
	const uint32_t lines = trc_move_to_front_count(&l->used);
	const uint32_t i = lines < TRC_MOVE_TO_FRONT_MOST ?
	                           lines :
	                           trc_move_to_front_at(&l->used, lines - 1);

	if (i < lines)
		l->held[hash(l->at[i])]--;
	l->held[hash(line)]++;
	trc_move_to_front_add(&l->used, i);
	l->at[i] = l->last_new = line;
	trc_bits_init(l->in[i], sizeof(l->in[i]));
}

static TRC_ALWAYS_INLINE uint64_t
code(struct trc_rc *rc, bool writes, struct trc_line_models *l, uint64_t a)
{
	const uint32_t lines = trc_move_to_front_count(&l->used);
	uint64_t line = a >> TRC_LINE_BITS, rank = NEW_LINE;
	uint32_t i = writes ? find_line(l, line) : lines;
	unsigned in = a & IN_LINE;

	if (i < lines)
		rank = 1 + trc_move_to_front_find(&l->used, i);
	rank = trc_rc_code_num(rc, writes, &l->rank, rank);
	if (rank == NEW_LINE || rank > lines) {
		line = l->last_new + trc_unzigzag(trc_rc_code_num(rc, writes, &l->far,
		                                                  trc_zigzag(line - l->last_new)));
		in = trc_rc_code_fair_tree(rc, writes, l->in_new, TRC_LINE_BITS, in);
		add_line(l, line);
	} else {
		i = trc_move_to_front_use(&l->used, (uint32_t)rank - 1);
		line = l->at[i];
		in = trc_rc_code_fair_tree(rc, writes, l->in[i], TRC_LINE_BITS, in);
	}
	return line << TRC_LINE_BITS | in;
}

uint64_t
trc_lines_code(struct trc_rc *rc, struct trc_line_models *l, uint64_t a)
{
	return rc->out ? code(rc, true, l, a) : code(rc, false, l, a);
}

unsigned
trc_lines_cost(struct trc_line_models *l, uint64_t a)
{
	const uint64_t line = a >> TRC_LINE_BITS;
	const uint32_t i = find_line(l, line);

	if (i < trc_move_to_front_count(&l->used))
		return trc_cost_num(&l->rank, 1 + trc_move_to_front_find(&l->used, i), NULL) +
		       trc_cost_tree(l->in[i], TRC_LINE_BITS, a & IN_LINE);
	return trc_cost_num(&l->rank, NEW_LINE, NULL) +
	       trc_cost_num(&l->far, trc_zigzag(line - l->last_new), NULL) +
	       trc_cost_tree(l->in_new, TRC_LINE_BITS, a & IN_LINE);
}
