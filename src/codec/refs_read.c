/* SPDX-License-Identifier: MIT
 *
 * Choices back into references.
 *
 * Beginning a block walks the choices (refs_walk.h). Through the number of times that each run was
 * passed, it is known where in the streams each slot begins. Then rows come out a run at a time:
 * three copies, and an addition for each data reference.
 */
#include "codec/refs.h"

#include <stdlib.h>

#include "codec/refs_walk.h"

enum { DATA_ROOM = 16384 };

/* Of slots: constant to another address, constant, or more than that. */
enum { BACK, ABSOLUTE, OTHER };

/* How the addresses of a slot come out in this block: as little as can be, since each data
 * reference needs one, and large programs have many. */
struct cursor {
	uint64_t residual; /* of a constant slot */
	uint32_t other;    /* its place among the others */
	uint16_t row;      /* of one that stands for a place: in its run */
	uint8_t back;      /* how far back the base is */
	uint8_t kind;
};

_Static_assert(TRC_RUN_ROWS <= UINT16_MAX, "a row of a run has 16 bits");

/* What a slot of mode self, or one that varies, has beside. */
struct other {
	const uint8_t *token, *literal; /* its next; NULL: it is constant */
	uint64_t last;    /* of mode self: the base */
	bool self, begins; /* mode self: `last` is the next address itself */
	uint8_t left, right; /* by how much the base is shifted */
	uint64_t order;   /* bytes: indices of residuals, that of the latest lowest */
	uint64_t residual[TRC_MTF];
};

struct trc_refs_reader {
	struct trc_walk walk;
	const struct trc_refs *refs;
	size_t old_slots; /* before the growth of the block */
	size_t at; /* runs in its order that came out */

	uint32_t *count; /* references of each slot, right if their sum is */
	struct cursor *cursor; /* of each slot */
	struct cursor *stop;   /* that of each place, in the order in which they are needed */
	struct other *other;
	size_t count_cap, cursor_cap, stop_cap, others, other_cap;
	bool wide;       /* literals of 8 bytes */

	/* Addresses of data references, the last TRC_BACK before `data_at` in use. */
	uint64_t *data;
	size_t data_at;

	/* Rows of a run that the caller had no room for. */
	uint8_t *spill_type;
	uint64_t *spill_addr;
	uint32_t *spill_size;
	uint64_t *spill_pc;
	size_t spill_at, spill_n;
};

struct trc_refs_reader *
trc_refs_reader_open(struct trc_err *err)
{
	struct trc_refs_reader *r = trc_alloc(1, sizeof(*r), err);

	if (!r)
		return NULL;
	r->spill_type = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill_type), err);
	r->spill_addr = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill_addr), err);
	r->spill_size = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill_size), err);
	r->spill_pc = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill_pc), err);
	r->data = trc_alloc(TRC_BACK + DATA_ROOM, sizeof(*r->data), err);
	if (!r->spill_type || !r->spill_addr || !r->spill_size || !r->spill_pc || !r->data) {
		trc_refs_reader_close(r);
		return NULL;
	}
	return r;
}

void
trc_refs_reader_close(struct trc_refs_reader *r)
{
	if (!r)
		return;
	trc_walk_release(&r->walk);
	free(r->count);
	free(r->cursor);
	free(r->stop);
	free(r->other);
	free(r->data);
	free(r->spill_type);
	free(r->spill_addr);
	free(r->spill_size);
	free(r->spill_pc);
	free(r);
}

void
trc_refs_reader_limit(struct trc_refs_reader *r, size_t most)
{
	r->walk.most = most;
}

/* ---- slots ---- */

/* Bytes that are needed for each slot. */
static size_t
slot_room(const struct trc_refs_reader *r)
{
	return r->walk.program->slots * (sizeof(*r->count) + sizeof(*r->cursor));
}

static int
count_slots(struct trc_refs_reader *r, uint64_t rows, struct trc_err *err)
{
	const struct trc_walk *w = &r->walk;
	const size_t slots = w->program->slots;
	uint64_t sum = 0;

	if (trc_walk_room(w, slot_room(r), err) ||
	    trc_grow(&r->count, &r->count_cap, slots, sizeof(*r->count), err) ||
	    trc_grow(&r->cursor, &r->cursor_cap, slots, sizeof(*r->cursor), err))
		return -1;
	for (size_t i = 0; i < slots; i++)
		r->count[i] = 0;
	for (size_t i = 0; i < w->runs; i++) {
		const struct trc_run *run = &w->run[i];

		if (!w->passed[i])
			continue;
		sum += (uint64_t)w->passed[i] * run->rows;
		for (uint32_t k = 0; k < run->places; k++)
			r->count[w->place[run->place + k].slot] += w->passed[i];
	}
	if (w->orders > 0) {
		const struct trc_place *tail = w->place + w->run[w->order[w->orders - 1]].place;

		for (uint32_t k = 0; k < w->tail_places; k++)
			r->count[tail[k].slot]++;
	}
	return sum + w->tail_rows == rows ? 0 : trc_refs_damaged(err, "number of rows");
}

static bool
take_word(struct trc_view *v, uint64_t *word)
{
	const uint8_t *p = trc_view_bytes(v, 8);

	if (p)
		*word = trc_be64(p);
	return p;
}

/* Takes the tokens of a slot that varies and its literals. */
static int
take_tokens(const struct trc_refs_reader *r, struct other *o, uint32_t n, struct trc_view *tokens,
            struct trc_view *literals, struct trc_err *err)
{
	size_t fresh = 0;
	unsigned bad = 0;

	o->token = trc_view_bytes(tokens, n);
	if (!o->token)
		return trc_refs_damaged(err, "tokens");
	for (size_t i = 0; i < n; i++) {
		fresh += o->token[i] == TRC_MTF;
		bad |= o->token[i] > TRC_MTF;
	}
	o->literal = trc_view_bytes(literals, fresh * (r->wide ? 8 : 4));
	return !o->literal || bad ? trc_refs_damaged(err, "literals") : 0;
}

static int
add_other(struct trc_refs_reader *r, const struct other *o, struct cursor *c, struct trc_err *err)
{
	if (r->others == r->other_cap &&
	    trc_walk_room(&r->walk, slot_room(r) + 2 * r->others * sizeof(*o), err))
		return -1;
	if (trc_grow(&r->other, &r->other_cap, r->others + 1, sizeof(*o), err))
		return -1;
	c->kind = OTHER;
	c->other = (uint32_t)r->others;
	r->other[r->others++] = *o;
	return 0;
}

/* What the streams say of slot `i`: mode, and whether it is constant, with what residual. */
static int
take_state(const struct trc_refs_reader *r, size_t i, bool is_new, struct trc_view *states,
           struct trc_view *constants, struct trc_slot *slot, struct trc_err *err)
{
	const uint8_t *state;

	*slot = r->walk.program->slot[i];
	if (!is_new) {
		state = trc_view_bytes(states, 1);
		if (!state)
			return trc_refs_damaged(err, "states");
		slot->constant = *state < TRC_STATE_VARIES;
		if (*state != 0 && *state != TRC_STATE_VARIES) {
			slot->mode = (uint8_t)(*state % TRC_STATE_VARIES - 1);
			if (*state >= 2 * TRC_STATE_VARIES)
				slot->mode = TRC_MODES;
			if (slot->constant && !take_word(constants, &slot->residual))
				return trc_refs_damaged(err, "states");
		}
	}
	if (slot->mode >= (slot->constant ? TRC_MODE_SCALED : TRC_MODES))
		return trc_refs_damaged(err, "states");
	return 0;
}

/* How far back the base of a mode is; 0: it is no data reference. */
static uint8_t
back_of(unsigned mode)
{
	if (mode >= TRC_MODE_SCALED)
		return trc_scaled[mode - TRC_MODE_SCALED].back;
	return (uint8_t)(mode >= TRC_MODE_BACK ? mode - TRC_MODE_BACK + 1 : 0);
}

static int
set_cursors(struct trc_refs_reader *r, struct trc_err *err)
{
	struct trc_view states = trc_buf_view(&r->refs->stream[TRC_REFS_STATE]);
	struct trc_view tokens = trc_buf_view(&r->refs->stream[TRC_REFS_TOKEN]);
	struct trc_view firsts = trc_buf_view(&r->refs->stream[TRC_REFS_FIRST]);
	struct trc_view constants = trc_buf_view(&r->refs->stream[TRC_REFS_CONSTANT]);
	struct trc_view literals = trc_buf_view(&r->refs->stream[TRC_REFS_LITERAL]);

	r->others = 0;
	for (size_t i = 0; i < r->walk.program->slots; i++) {
		struct cursor *c = &r->cursor[i];
		struct other o = { .order = UINT64_C(0x0706050403020100) };
		struct trc_slot slot;

		if (r->count[i] == 0)
			continue;
		if (take_state(r, i, i >= r->old_slots, &states, &constants, &slot, err))
			return -1;
		*c = (struct cursor){ .residual = slot.residual, .back = back_of(slot.mode) };
		c->kind = c->back ? BACK : ABSOLUTE;
		o.self = slot.mode == TRC_MODE_SELF;
		if (o.self && !take_word(&firsts, &o.last))
			return trc_refs_damaged(err, "first addresses");
		if (slot.constant) {
			/* A constant step before the first address leads to it. */
			o.last -= slot.residual;
		} else {
			o.begins = o.self;
			if (slot.mode >= TRC_MODE_SCALED) {
				o.left = trc_scaled[slot.mode - TRC_MODE_SCALED].left;
				o.right = trc_scaled[slot.mode - TRC_MODE_SCALED].right;
			}
			if (take_tokens(r, &o, r->count[i] - o.self, &tokens, &literals, err))
				return -1;
		}
		if ((o.self || !slot.constant) && add_other(r, &o, c, err))
			return -1;
	}
	if (states.p != states.end || tokens.p != tokens.end || firsts.p != firsts.end ||
	    constants.p != constants.end || literals.p != literals.end)
		return trc_refs_damaged(err, "something left over");
	return 0;
}

/* Puts the cursors of the runs that come out where their places are: one load less for each data
 * reference, of memory that comes in by itself. */
static int
set_stops(struct trc_refs_reader *r, struct trc_err *err)
{
	const struct trc_walk *w = &r->walk;
	const uint32_t last = w->orders > 0 ? w->order[w->orders - 1] : 0;

	if (trc_walk_room(w, slot_room(r) + r->others * sizeof(*r->other) +
	                             w->places * sizeof(*r->stop), err) ||
	    /* An array even where there are no places: runs point into it. */
	    trc_grow(&r->stop, &r->stop_cap, w->places + (size_t)1, sizeof(*r->stop), err))
		return -1;
	for (uint32_t i = 0; i < w->runs; i++) {
		const struct trc_run *run = &w->run[i];
		const uint32_t places = w->passed[i] ? run->places : i == last ? w->tail_places : 0;

		for (uint32_t k = run->place; k < run->place + places; k++) {
			r->stop[k] = r->cursor[w->place[k].slot];
			r->stop[k].row = (uint16_t)w->place[k].row;
		}
	}
	return 0;
}

/* Indices of the upper bits must be in their table. */
static int
check_literals(struct trc_refs_reader *r, struct trc_err *err)
{
	const struct trc_buf *high = &r->refs->stream[TRC_REFS_HIGH];
	const struct trc_buf *literal = &r->refs->stream[TRC_REFS_LITERAL];
	unsigned most = 0;

	r->wide = high->n == 0;
	if (high->n % 8 || literal->n % (r->wide ? 8 : 4))
		return trc_refs_damaged(err, "literals");
	for (size_t i = 0; !r->wide && i < literal->n; i += 4) {
		unsigned index = trc_be16(literal->p + i);

		most = index > most ? index : most;
	}
	return r->wide || literal->n == 0 || most < high->n / 8 ? 0 : trc_refs_damaged(err, "literals");
}

int
trc_refs_follow(struct trc_refs_reader *r, const struct trc_program *p, struct trc_refs_old old,
                const struct trc_refs *refs, struct trc_err *err)
{
	r->refs = refs;
	r->old_slots = old.slots;
	return trc_walk(&r->walk, p, old.edges, refs, err);
}

int
trc_refs_begin(struct trc_refs_reader *r, uint64_t rows, struct trc_err *err)
{
	r->at = r->spill_at = r->spill_n = 0;
	r->data_at = TRC_BACK;
	memset(r->data, 0, TRC_BACK * sizeof(*r->data));
	if (count_slots(r, rows, err) || check_literals(r, err))
		return -1;
	return set_cursors(r, err) || set_stops(r, err) ? -1 : 0;
}

/* ---- rows ---- */

static uint64_t
literal(const struct trc_refs_reader *r, struct other *v, uint64_t base)
{
	const uint8_t *high = r->refs->stream[TRC_REFS_HIGH].p;
	uint64_t a;

	if (r->wide) {
		a = trc_be64(v->literal);
		v->literal += 8;
	} else {
		a = trc_be64(high + 8 * (size_t)trc_be16(v->literal)) << 16;
		a |= trc_be16(v->literal + 2);
		v->literal += 4;
	}
	return r->refs->absolute ? a - base : a;
}

/* The next residual of a varying slot. Which of those it had is hard to foresee, so it moves to the
 * front without a branch. */
static TRC_ALWAYS_INLINE uint64_t
vary(const struct trc_refs_reader *r, struct other *v, uint64_t base)
{
	/* By token: where its index is, and the bytes that change, up to that. */
	static const uint8_t shift[TRC_MTF + 1] = { 0, 8, 16, 24, 32, 40, 48, 56, 56 };
	static const uint64_t moved[TRC_MTF + 1] = {
		0xff,           0xffff,           0xffffff,   0xffffffff, 0xffffffffff,
		0xffffffffffff, 0xffffffffffffff, UINT64_MAX, UINT64_MAX,
	};
	unsigned at;
	uint64_t index;

	if (TRC_UNLIKELY(v->begins)) {
		v->begins = false;
		return 0;
	}
	at = *v->token++;
	if (TRC_UNLIKELY(at == TRC_MTF))
		v->residual[v->order >> 56] = literal(r, v, base);
	index = (uint8_t)(v->order >> shift[at]);
	v->order = (v->order ^ ((v->order ^ v->order << 8) & moved[at])) | index;
	return v->residual[index];
}

/* The address of a slot that has more than a constant difference. */
static inline uint64_t
next_other(const struct trc_refs_reader *r, const struct cursor *c, const uint64_t *data)
{
	struct other *o = &r->other[c->other];
	uint64_t a = c->back ? data[-(ptrdiff_t)c->back] : o->last;

	if (o->token) {
		a = a << o->left >> o->right;
		a += vary(r, o, a);
	} else {
		a += c->residual;
	}
	if (o->self)
		o->last = a;
	return a;
}

static TRC_ALWAYS_INLINE uint64_t
next_address(const struct trc_refs_reader *r, const struct cursor *c, const uint64_t *data)
{
	if (TRC_LIKELY(c->kind == BACK))
		return data[-(ptrdiff_t)c->back] + c->residual;
	return c->kind == ABSOLUTE ? c->residual : next_other(r, c, data);
}

/* Copies `n` bytes, and up to TRC_RUN_SLACK - 1 more where that is allowed. */
static inline void
copy(void *dst, const void *src, size_t n, bool slack)
{
	if (!slack) {
		memcpy(dst, src, n);
		return;
	}
	for (size_t i = 0; i < n; i += TRC_RUN_SLACK)
		memcpy((char *)dst + i, (const char *)src + i, TRC_RUN_SLACK);
}

static inline void
put_sizes(const struct trc_refs_reader *r, const struct trc_run *run, uint32_t rows, uint32_t *size,
          bool slack)
{
	if (r->walk.sized)
		copy(size, r->walk.size + run->row, rows * sizeof(*size), slack);
	else
		memset(size, 0, rows * sizeof(*size));
}

/* A run that comes out; of the last only a part may belong to the block. */
struct part {
	const struct trc_run *run;
	uint32_t rows, places;
};

static inline struct part
next_part(const struct trc_refs_reader *r)
{
	const struct trc_walk *w = &r->walk;
	const struct trc_run *run = &w->run[w->order[r->at]];

	if (r->at + 1 == w->orders)
		return (struct part){ run, w->tail_rows, w->tail_places };
	return (struct part){ run, run->rows, run->places };
}

/* Finds the addresses of the data references of a run, which later ones lead on from; `put`, a
 * constant: and puts them at `addr`. */
static TRC_ALWAYS_INLINE void
put_data(struct trc_refs_reader *r, const struct part *part, uint64_t *addr, bool put)
{
	const struct cursor *stop = r->stop + part->run->place;
	uint64_t *data;

	if (r->data_at + part->places > TRC_BACK + DATA_ROOM) {
		memmove(r->data, r->data + r->data_at - TRC_BACK, TRC_BACK * sizeof(*r->data));
		r->data_at = TRC_BACK;
	}
	data = r->data + r->data_at;
	for (uint32_t k = 0; k < part->places; k++, data++) {
		*data = next_address(r, &stop[k], data);
		if (put)
			addr[stop[k].row] = *data;
	}
	r->data_at += part->places;
}

/* Puts the rows of a run. */
static TRC_ALWAYS_INLINE void
put_run(struct trc_refs_reader *r, const struct part *part, uint8_t *type, uint64_t *addr,
        uint32_t *size, uint64_t *pc, bool slack)
{
	const struct trc_run *run = part->run;
	const uint32_t rows = part->rows;

	if (type)
		copy(type, r->walk.type + run->row, rows * sizeof(*type), slack);
	copy(addr, r->walk.addr + run->row, rows * sizeof(*addr), slack);
	if (size)
		put_sizes(r, run, rows, size, slack);
	if (pc)
		copy(pc, r->walk.addr + run->row, rows * sizeof(*pc), slack);
	put_data(r, part, addr, true);
}

/* Keeps the rows of a run that the caller has no room for; the first `at` of them are out. */
static TRC_NO_INLINE void
spill_run(struct trc_refs_reader *r, const struct part *part, size_t at)
{
	put_run(r, part, r->spill_type, r->spill_addr, r->spill_size, r->spill_pc, true);
	r->spill_at = at;
	r->spill_n = part->rows;
}

/* Gives rows of a run that did not fit. */
static size_t
take_spill(struct trc_refs_reader *r, uint8_t *type, uint64_t *addr, uint32_t *size, uint64_t *pc,
           size_t n)
{
	const size_t left = r->spill_n - r->spill_at;

	n = n < left ? n : left;
	if (type)
		memcpy(type, r->spill_type + r->spill_at, n * sizeof(*type));
	memcpy(addr, r->spill_addr + r->spill_at, n * sizeof(*addr));
	if (size)
		memcpy(size, r->spill_size + r->spill_at, n * sizeof(*size));
	if (pc)
		memcpy(pc, r->spill_pc + r->spill_at, n * sizeof(*pc));
	r->spill_at += n;
	return n;
}

size_t
trc_refs_next(struct trc_refs_reader *r, uint8_t *type, uint64_t *addr, uint32_t *size,
              uint64_t *pc, size_t n)
{
	size_t done = take_spill(r, type, addr, size, pc, n);

	for (; r->at < r->walk.orders && done < n; r->at++) {
		const struct part part = next_part(r);

		if (part.rows > n - done) {
			if (done > 0)
				break;
			spill_run(r, &part, 0);
			r->at++;
			return take_spill(r, type, addr, size, pc, n);
		}
		put_run(r, &part, type ? type + done : NULL, addr + done, size ? size + done : NULL,
		        pc ? pc + done : NULL, n - done >= part.rows + TRC_RUN_SLACK);
		done += part.rows;
	}
	return done;
}

void
trc_refs_skip(struct trc_refs_reader *r, uint64_t n)
{
	const size_t left = r->spill_n - r->spill_at, kept = n < left ? (size_t)n : left;

	r->spill_at += kept;
	n -= kept;
	for (; r->at < r->walk.orders && n > 0; r->at++) {
		const struct part part = next_part(r);

		if (part.rows > n) {
			spill_run(r, &part, (size_t)n);
			n = 0;
		} else {
			put_data(r, &part, NULL, false);
			n -= part.rows;
		}
	}
}
