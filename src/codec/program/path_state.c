/* SPDX-License-Identifier: MIT
 * What choices are told by, and how it begins. */
#include "codec/program/path_state.h"

#include <stdlib.h>

#include "codec/mixing/match_model.h"

struct trc_path_model *
trc_path_model_open(struct trc_err *err)
{
	struct trc_path_model *c = trc_alloc(1, sizeof(*c), err);

	if (!c)
		return NULL;
	c->logistic = trc_logistic();
	for (unsigned n = 0; n < TRC_COUNT(c->step); n++)
		c->step[n] = (struct trc_path_step){ (int32_t)(16384 / (2 * n + 3)),
			                             n < CELL_MOST };
	return c;
}

void
trc_path_model_close(struct trc_path_model *c)
{
	if (!c)
		return;
	free(c->past);
	free(c->decider);
	free(c->of_op);
	free(c->cell);
	free(c->noted[0]);
	free(c->order);
	free(c);
}

size_t
trc_path_model_memory(const struct trc_program *p, size_t n)
{
	const size_t deciders = p->ops < n ? p->ops : n;

	/* What grows one by one may have twice the room. */
	return sizeof(struct trc_path_model) + (n + BEFORE) * sizeof(uint32_t) +
	       2 * deciders * sizeof(struct decider) + p->ops * sizeof(uint32_t) +
	       (sizeof(uint32_t) << trc_table_bits(n, CELL_BITS)) +
	       (ORDERS * sizeof(uint32_t) << trc_table_bits(n, NOTE_BITS));
}

/* ---- begin ---- */

static void
init_models(struct trc_path_model *c)
{
	c->cell[0] = CELL_NEW;
	trc_repeat(c->cell, sizeof(c->cell[0]), sizeof(c->cell[0]) << (64 - c->cell_shift));
	memset(c->noted[0], 0, ORDERS * sizeof(*c->noted[0]) << (64 - c->note_shift));
	/* Not even: a way that never forks again would run never, since nothing is decided. */
	for (unsigned r = 0; r < TRC_HISTORIES; r++) {
		const uint16_t p = trc_history_p(r);

		for (unsigned g = 0; g < TRC_MATCH_BUCKETS; g++)
			c->trust[g][r] = (uint32_t)trc_squash(c->logistic,
			                                      trc_match_first(c->logistic, g, p))
			                         << 16 |
			                 TRUST_SEEN;
	}
	for (int k = 0; k < WEIGHTS; k++)
		c->by_state[0][0][k] = c->by_record[0][0][k] = WEIGHT;
	trc_repeat(c->by_state, sizeof(c->by_state[0][0]), sizeof(c->by_state));
	trc_repeat(c->by_record, sizeof(c->by_record[0][0]), sizeof(c->by_record));
	trc_bits_init(c->fails, sizeof(c->fails));
	trc_bits_init(c->fresh, sizeof(c->fresh));
	trc_num_init(&c->right, 1);
	trc_num_init(&c->far, 1);
}

uint32_t
trc_path_model_edge(const struct trc_program *p, size_t e)
{
	while (e < p->edges && p->op[p->edge[e].from].edges < 2)
		e++;
	return e < p->edges ? (uint32_t)e : TRC_NONE;
}

int
trc_path_model_begin(struct trc_path_model *c, const struct trc_program *p, size_t old_edges,
                     size_t n, struct trc_err *err)
{
	const unsigned cells = trc_table_bits(n, CELL_BITS), notes = trc_table_bits(n, NOTE_BITS);

	if (trc_grow(&c->past, &c->past_cap, n + BEFORE, sizeof(*c->past), err) ||
	    trc_grow(&c->of_op, &c->of_op_cap, p->ops, sizeof(*c->of_op), err) ||
	    trc_grow(&c->cell, &c->cell_cap, (size_t)1 << cells, sizeof(*c->cell), err) ||
	    trc_grow(&c->noted[0], &c->noted_cap, (size_t)ORDERS << notes, sizeof(*c->noted[0]),
	             err))
		return -1;
	memset(c->past, 0, BEFORE * sizeof(*c->past));
	if (p->ops > 0)
		memset(c->of_op, 0, p->ops * sizeof(*c->of_op));
	c->noted[1] = c->noted[0] + ((size_t)1 << notes);
	c->cell_shift = 64 - cells;
	c->note_shift = 64 - notes;
	init_models(c);
	c->program = p;
	c->n = n;
	c->i = c->ready = c->at = c->len = c->deciders = 0;
	c->numbers = 1;
	c->next = trc_path_model_edge(p, old_edges);
	c->refused = 0;
	c->took = c->ran = c->wrong = false;
	c->hash[0] = c->hash[1] = 0;
	trc_path_model_lines(c);
	return 0;
}

uint32_t
trc_path_branch_op(struct trc_path_model *c, uint32_t id, struct trc_err *err)
{
	const struct trc_program *p = c->program;
	struct decider d = { .base = c->numbers,
		             .edges = p->op[id].edges,
		             .next = p->op[id].edge,
		             .recent = { 0, 1, 2 } };

	if (c->of_op[id])
		return c->of_op[id] - 1;
	if (trc_grow(&c->decider, &c->decider_cap, c->deciders + 1, sizeof(d), err))
		return TRC_NONE;
	/* New edges are the last of an op. None is behind c->next that is known now. */
	for (; d.next < c->next; d.known++)
		d.next = p->edge[d.next].next;
	for (int k = 0; k < LOCAL; k++)
		d.cell[k] = CELL_NEW;
	c->numbers += d.edges;
	c->decider[c->deciders++] = d;
	c->of_op[id] = (uint32_t)c->deciders;
	return (uint32_t)c->deciders - 1;
}
