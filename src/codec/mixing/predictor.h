/* SPDX-License-Identifier: MIT
 *
 * Binary decisions by many contexts, whose number each kind of decision chooses for itself: a
 * panel. Like codec/stream/context_mixing.h, but a decision is named by numbers instead of by bytes
 * of a stream. The words are those of codec/mixing/logistic.h.
 *
 * Cells.  All panels share 2^a lines of 10 cells, limit 127: the least a from 10 to 20 that has
 *   2^a >= 24 * N, N being the number of rows. Of context k with number v (32 bits) in panel m, s
 *   = spread(v + (16 * m + k) * 0x3d4d51cb), it is that cell of line s >> 32 - a which bears the
 *   check s | 1 (16 bits); else the first of the line that bears none, or else the first of those
 *   with the least n, is cleared and gets the check. Sums and products are modulo 2^32:
 *     hash(v, h): x = (h + v + 1) * 0x9e3779b1; x ^ x >> 15
 *     spread(x): x *= 0x85ebca6b; x ^= x >> 13; x * 0x9e3779b1
 *   All contexts of a decision are looked up, the first one first, before a cell is read. A cell
 *   that several of them have learns once for each.
 *
 * Decision.  A panel has up to 16 contexts, and history maps, one for each context and stage, 0 to
 *   3. Inputs: for each context, stretch of its cell's p (0 if n = 0), stretch of its map; then
 *   those that the decision brings, up to 10, as many as the panel says; the others 0; the last of
 *   40 is 256. Mixers are those of logistic.h, with as many weights, kept to -16000 to 16000, which
 *   are 1500 for what decisions bring and 8000 / (2 * contexts) for the others at first. There are
 *   three times 1024 of them: the decision selects one of each; the third one's number is 17 * what
 *   it says + 1 + the last context whose cell has n > 0 (0 for none). Their rate is 16 for the
 *   first 2000 decisions of the panel, 12 up to 20000, 8 up to 200000, 4 up to 1000000, then 2.
 *   y = (sum of the three) / 3 is refined twice, by rows of 2048 that the decision selects. The
 *   bit is coded by (2 * squash(y) + both) / 4, kept to 16 to 65520. Then all move and learn.
 *
 * Number.  v < 2^24, with contexts and a choice from 0 to 31: its number of bits k, 0 to 24, in 5
 *   bits, then the bits below its first, the highest first. Context numbers are hash(node,
 *   context): node is the bits of k so far behind a 1, or 2^18 * k + the bits of v so far, their
 *   first included. Selections, b being the number of the bit of k, 4 to 0, d how many bits of v
 *   came, less 1, c = choice mod 8:
 *     k: stage 0; weights node, 32 * c + node, b; rows 32 * choice + node, node
 *     v: stage 1 if d = 0, else 2; weights 32 + 24 * k + d, 256 + 32 * c + d, 5 + (d, at most 7);
 *        rows 1024 + 32 * k + (the bits so far if less than 32, else 0), 64 + 24 * k + d
 *
 * Hints.  Numbers that v may be, as many in each number of a panel as its decisions bring inputs;
 *   2^24 - 1 is no hint. As long as all bits so far were its own, a hint says its next one: its
 *   input is stretch of the p of a cell, negated if it says 0; else 0. The cells are those of
 *   logistic.h, with p = 57344 and n = 1 at first, limit 127, and learn whether what was said was
 *   right. There is one for each hint of the panel, trust and place. Trust is 4 * (of the last
 *   three numbers that had this hint, whether it was right: bits, at first 0, the latest in bit 0)
 *   + how many others say the same number, 3 at most; place is 4 - b in k, and 5 + (d, at most 6)
 *   in v.
 */
#ifndef TRC_CODEC_MIXING_PREDICTOR_H
#define TRC_CODEC_MIXING_PREDICTOR_H

#include "codec/mixing/apm.h"
#include "codec/mixing/state_map.h"

enum {
	TRC_PANEL_CONTEXTS = 16,
	TRC_PANEL_MORE = 10, /* inputs that a decision brings, hints of a number */
	TRC_PANEL_INPUTS = 40,
	TRC_PANEL_SELECT = 1024,
	TRC_PANEL_ROWS = 2048,
	TRC_PANEL_STAGES = 4,
	TRC_PANEL_LIMIT = 127, /* of cells */
	TRC_PANEL_TRUSTS = 32,
	TRC_PANEL_PLACES = 12,
};

/* A counter of 16 bits, and a bit history. */
struct trc_cell {
	uint16_t p;
	uint8_t n, history;
};

#define TRC_CELL_NEW ((struct trc_cell){ 32768, 0, 1 })

static inline void
trc_cell_learn(struct trc_cell *c, unsigned bit, unsigned most)
{
	const int step = trc_bit_step[c->n];

	c->p = (uint16_t)(c->p + ((((bit ? TRC_ONE : 0) - c->p) >> 1) * step >> 15));
	c->n = (uint8_t)(c->n + (c->n < most));
	c->history = (uint8_t)trc_history(c->history, bit);
}

/* What all panels of a stream share. */
struct trc_deciding {
	struct trc_rc rc;
	const struct trc_logistic *logistic;
	struct trc_cell_line *line;
	unsigned shift; /* of hashes to lines */
	void *memory;
};

struct trc_panel {
	struct trc_deciding *with;
	unsigned contexts, more;
	uint32_t salt; /* 16 * number of the panel */
	uint32_t coded;
	uint16_t map[TRC_PANEL_STAGES][TRC_PANEL_CONTEXTS][TRC_HISTORIES];
	int16_t weight[3][TRC_PANEL_SELECT][TRC_PANEL_INPUTS];
	struct trc_apm refined[2][TRC_PANEL_ROWS];
	uint8_t right[TRC_PANEL_MORE]; /* bits: was the hint the number, the latest lowest */
	struct trc_cell trust[TRC_PANEL_MORE][TRC_PANEL_TRUSTS][TRC_PANEL_PLACES];
};

/* What a decision selects, and the inputs that it brings. */
struct trc_select {
	unsigned stage, weight[3], row[2];
	int16_t input[TRC_PANEL_MORE];
};

#define TRC_NO_HINT UINT32_C(0xffffff)

int trc_deciding_init(struct trc_deciding *d, size_t rows, struct trc_err *err) TRC_MUST_USE;
/* Bytes that it takes. */
size_t trc_deciding_memory(size_t rows);
void trc_deciding_release(struct trc_deciding *d);

/* Prepares a panel, zeroed memory, whose decisions bring `more` inputs. */
void trc_panel_init(struct trc_panel *p, struct trc_deciding *with, unsigned number,
                    unsigned contexts, unsigned more);

static inline uint32_t
trc_hash(uint32_t v, uint32_t h)
{
	h = (h + v + 1) * UINT32_C(0x9e3779b1);
	return h ^ h >> 15;
}

/* Codes a bit: writes `bit`, or reads and returns it. */
unsigned trc_decide(struct trc_panel *p, const uint32_t *context, const struct trc_select *s,
                    unsigned bit);

/* Codes a number less than 2^24 in the same way, with `more` hints, none of which is above
 * TRC_NO_HINT. One that is read may be as large as 2^32 - 1. */
uint32_t trc_decide_number(struct trc_panel *p, const uint32_t *context, unsigned choice,
                           const uint32_t *hint, uint32_t v);

#endif
