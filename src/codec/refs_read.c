/* SPDX-License-Identifier: MIT
 *
 * Choices back into references.
 *
 * Beginning a block walks the choices. What lies between two choices is always the same and is laid
 * out once, as a run: its types, sizes and fetch addresses in the columns that they will be copied
 * to, and the places in them that data addresses go to. The walk leaves the order of the runs and,
 * through the number of times that each was passed, where in the streams each slot begins. Then
 * rows come out a run at a time: three copies, and an addition for each data reference.
 */
#include "codec/refs.h"

#include <stdlib.h>

enum {
	MTF = 8,
	FAR = 255,
	STATE_VARIES = 32,
	RUN_OPS = 48,   /* ops of a run at most: what keeps overlapping runs small */
	COPY = 32,      /* bytes at a time; templates and rows have so much slack */
	UNSEEN = 0,
};

/* Between two choices. Rows are [row, row + rows) of the templates. */
struct run {
	uint32_t row, rows;
	uint32_t place, places; /* of its data references */
	uint32_t ops, first, last; /* how many; the first and the last of them */
	uint32_t next, edges;   /* runs that may follow; if `edges` is 1 it is no choice */
};

/* Where a data reference of a run goes, and which slot's it is. */
struct place {
	uint32_t row; /* in the run */
	uint32_t slot;
};

/* How the addresses of a slot come out in this block. */
struct cursor {
	uint64_t residual;    /* of a constant slot */
	uint64_t last;        /* of mode self */
	const uint8_t *token; /* of a varying slot; NULL: constant */
	const uint8_t *literal;
	uint64_t follow;      /* all ones in mode self, where `last` follows the addresses */
	uint8_t back;         /* how far back the base is; 0: `last` is */
	bool begins;          /* varying, mode self: `last` is the next address itself */
	uint64_t mtf[MTF];
};

struct trc_refs_reader {
	const struct trc_program *program;
	const struct trc_refs *refs;
	uint64_t rows; /* left */
	uint64_t version; /* of the program that the runs were made for */

	/* Runs and their templates. */
	struct run *run;
	uint32_t *run_of_op; /* 1 + number of the run that begins with it; UNSEEN */
	uint32_t *next;      /* for each edge of a run: 1 + the number of the run; UNSEEN */
	uint8_t *type;
	uint64_t *addr;
	uint32_t *size;
	struct place *place;
	size_t runs, nexts, row, places;
	size_t run_cap, run_of_op_cap, next_cap, type_cap, addr_cap, size_cap, place_cap;

	/* The block. */
	uint32_t *order, *passed; /* runs in order; how often each was passed */
	size_t orders, at, order_cap, passed_cap;
	uint32_t tail;            /* ops of the last run in order that belong to the block */
	uint32_t tail_rows, tail_places;
	uint64_t *count;          /* references of each slot */
	struct cursor *cursor;
	size_t count_cap, cursor_cap;
	bool wide;                /* literals of 8 bytes */

	/* Addresses of data references, the last TRC_BACK before `data_at` in use. */
	uint64_t *data;
	size_t data_at, data_cap;

	/* Rows of a run that the caller had no room for. */
	uint8_t *spill_type;
	uint64_t *spill_addr;
	uint32_t *spill_size;
	size_t spill_at, spill_n;
};

enum { RUN_ROWS = RUN_OPS * TRC_SHAPE_ROWS, DATA_ROOM = 16384 };

struct trc_refs_reader *
trc_refs_reader_open(struct trc_err *err)
{
	struct trc_refs_reader *r = trc_alloc(1, sizeof(*r), err);

	if (!r)
		return NULL;
	r->spill_type = trc_alloc(RUN_ROWS + COPY, sizeof(*r->spill_type), err);
	r->spill_addr = trc_alloc(RUN_ROWS + COPY, sizeof(*r->spill_addr), err);
	r->spill_size = trc_alloc(RUN_ROWS + COPY, sizeof(*r->spill_size), err);
	r->data = trc_alloc(TRC_BACK + DATA_ROOM, sizeof(*r->data), err);
	if (!r->spill_type || !r->spill_addr || !r->spill_size || !r->data) {
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
	free(r->run);
	free(r->run_of_op);
	free(r->next);
	free(r->type);
	free(r->addr);
	free(r->size);
	free(r->place);
	free(r->order);
	free(r->passed);
	free(r->count);
	free(r->cursor);
	free(r->data);
	free(r->spill_type);
	free(r->spill_addr);
	free(r->spill_size);
	free(r);
}

static int
damaged(struct trc_err *err, const char *what)
{
	return trc_fail(err, "the references of a block are damaged (%s)", what);
}

/* ---- runs ---- */

/* Lays out the rows of an op at the end of the templates. Places have room for one more, so that
 * there are some even where no op has data. */
static int
lay_op(struct trc_refs_reader *r, struct run *run, const struct trc_op *op, struct trc_err *err)
{
	const struct trc_shape *s = &r->program->shape[op->shape];

	if (trc_grow(&r->type, &r->type_cap, r->row + s->rows + COPY, sizeof(*r->type), err) ||
	    trc_grow(&r->addr, &r->addr_cap, r->row + s->rows + COPY, sizeof(*r->addr), err) ||
	    trc_grow(&r->size, &r->size_cap, r->row + s->rows + COPY, sizeof(*r->size), err) ||
	    trc_grow(&r->place, &r->place_cap, r->places + s->data + 1, sizeof(*r->place), err))
		return -1;
	for (uint32_t i = 0; i < s->rows; i++, r->row++) {
		r->type[r->row] = s->type[i];
		r->size[r->row] = s->size[i];
		r->addr[r->row] = op->pc;
		if (i >= s->fetch)
			r->place[r->places++] = (struct place){ (uint32_t)r->row - run->row,
				                                op->slot + i - s->fetch };
	}
	return 0;
}

/* Makes the run that begins with op `id` and ends at the next choice. */
static int
make_run(struct trc_refs_reader *r, uint32_t id, struct trc_err *err)
{
	const struct trc_program *p = r->program;
	struct run run = { .row = (uint32_t)r->row, .place = (uint32_t)r->places, .first = id };

	for (;;) {
		if (lay_op(r, &run, &p->op[id], err))
			return -1;
		run.last = id;
		if (++run.ops == RUN_OPS || p->op[id].edges != 1)
			break;
		id = p->edge[p->op[id].edge].to;
	}
	run.rows = (uint32_t)r->row - run.row;
	run.places = (uint32_t)r->places - run.place;
	run.edges = p->op[run.last].edges;
	run.next = (uint32_t)r->nexts;
	if (r->row > UINT32_MAX / 2)
		return damaged(err, "too many runs");
	if (trc_grow(&r->run, &r->run_cap, r->runs + 1, sizeof(*r->run), err) ||
	    trc_grow(&r->passed, &r->passed_cap, r->runs + 1, sizeof(*r->passed), err) ||
	    trc_grow(&r->next, &r->next_cap, r->nexts + run.edges, sizeof(*r->next), err))
		return -1;
	for (uint32_t i = 0; i < run.edges; i++)
		r->next[r->nexts++] = UNSEEN;
	r->passed[r->runs] = 0;
	r->run[r->runs++] = run;
	r->run_of_op[run.first] = (uint32_t)r->runs;
	return 0;
}

/* 1 + the number of the run that begins with op `id`; 0 if there is no memory. */
static uint32_t
find_run(struct trc_refs_reader *r, uint32_t id, struct trc_err *err)
{
	if (r->run_of_op[id] == UNSEEN && make_run(r, id, err))
		return 0;
	return r->run_of_op[id];
}

/* The same for the run that follows by edge `choice`. */
static uint32_t
follow(struct trc_refs_reader *r, const struct run *run, uint32_t choice, struct trc_err *err)
{
	const struct trc_program *p = r->program;
	const uint32_t place = run->next + choice;
	uint32_t edge = p->op[run->last].edge;

	for (uint32_t i = 0; i < choice; i++)
		edge = p->edge[edge].next;
	const uint32_t found = find_run(r, p->edge[edge].to, err);

	if (found)
		r->next[place] = found;
	return found;
}

/* Runs hold as long as the program neither grows nor begins anew. */
static int
renew_runs(struct trc_refs_reader *r, const struct trc_program *p, struct trc_err *err)
{
	if (r->program == p && r->version == p->version) {
		if (r->runs > 0)
			memset(r->passed, 0, r->runs * sizeof(*r->passed));
		return 0;
	}
	r->program = p;
	r->version = p->version;
	r->runs = r->nexts = r->row = r->places = 0;
	if (trc_grow(&r->run_of_op, &r->run_of_op_cap, p->ops, sizeof(*r->run_of_op), err))
		return -1;
	if (p->ops > 0)
		memset(r->run_of_op, 0, p->ops * sizeof(*r->run_of_op));
	return 0;
}

/* ---- the walk ---- */

static int
read_choice(const struct run *run, struct trc_view *choices, struct trc_view *far, uint32_t *choice,
            struct trc_err *err)
{
	uint64_t number;

	*choice = 0;
	if (run->edges == 1)
		return 0;
	if (choices->p == choices->end)
		return damaged(err, "choices");
	*choice = *choices->p++;
	if (*choice == FAR) {
		if (!trc_view_num(far, &number) || number > UINT32_MAX)
			return damaged(err, "far choices");
		*choice = (uint32_t)number;
	}
	return *choice < run->edges ? 0 : damaged(err, "a choice");
}

static struct trc_view
view_of(const struct trc_refs *refs, enum trc_refs_stream s)
{
	const struct trc_buf *b = &refs->stream[s];

	return (struct trc_view){ b->p, b->n ? b->p + b->n : b->p };
}

/* Follows the choices from the first op to the last; leaves `order`, `passed` and `tail`. */
static int
walk(struct trc_refs_reader *r, struct trc_err *err)
{
	struct trc_view choices = view_of(r->refs, TRC_REFS_CHOICE);
	struct trc_view far = view_of(r->refs, TRC_REFS_FAR);
	uint64_t left = r->refs->ops;
	uint32_t found;

	r->orders = 0;
	r->tail = 0;
	if (left == 0)
		return 0;
	if (r->refs->first >= r->program->ops)
		return damaged(err, "first op");
	found = find_run(r, r->refs->first, err);
	for (;;) {
		const struct run *run;
		uint32_t choice;

		if (!found)
			return -1;
		run = &r->run[found - 1];
		if (r->orders == r->order_cap &&
		    trc_grow(&r->order, &r->order_cap, r->orders + 1, sizeof(*r->order), err))
			return -1;
		r->order[r->orders++] = found - 1;
		if (left <= run->ops)
			break;
		r->passed[found - 1]++;
		left -= run->ops;
		if (run->edges == 0)
			return damaged(err, "an op without an edge");
		if (read_choice(run, &choices, &far, &choice, err))
			return -1;
		found = r->next[run->next + choice];
		if (TRC_UNLIKELY(found == UNSEEN))
			found = follow(r, run, choice, err);
	}
	r->tail = (uint32_t)left;
	return choices.p == choices.end && far.p == far.end ? 0 : damaged(err, "choices left over");
}

/* Rows and places of the part of the last run that belongs to the block. */
static void
measure_tail(struct trc_refs_reader *r)
{
	const struct trc_program *p = r->program;
	uint32_t id;

	r->tail_rows = r->tail_places = 0;
	if (r->orders == 0)
		return;
	id = r->run[r->order[r->orders - 1]].first;
	for (uint32_t i = 0; i < r->tail; i++) {
		const struct trc_shape *s = &p->shape[p->op[id].shape];

		r->tail_rows += s->rows;
		r->tail_places += s->data;
		if (i + 1 < r->tail)
			id = p->edge[p->op[id].edge].to;
	}
}

/* ---- slots ---- */

static int
count_slots(struct trc_refs_reader *r, uint64_t rows, struct trc_err *err)
{
	const size_t slots = r->program->slots;
	uint64_t sum = 0;

	if (trc_grow(&r->count, &r->count_cap, slots, sizeof(*r->count), err) ||
	    trc_grow(&r->cursor, &r->cursor_cap, slots, sizeof(*r->cursor), err))
		return -1;
	if (slots > 0)
		memset(r->count, 0, slots * sizeof(*r->count));
	for (size_t i = 0; i < r->runs; i++) {
		const struct run *run = &r->run[i];

		if (!r->passed[i])
			continue;
		sum += (uint64_t)r->passed[i] * run->rows;
		for (uint32_t k = 0; k < run->places; k++)
			r->count[r->place[run->place + k].slot] += r->passed[i];
	}
	measure_tail(r);
	for (uint32_t k = 0; k < r->tail_places; k++)
		r->count[r->place[r->run[r->order[r->orders - 1]].place + k].slot]++;
	return sum + r->tail_rows == rows ? 0 : damaged(err, "number of rows");
}

static bool
take_word(struct trc_view *v, uint64_t *word)
{
	const uint8_t *p = trc_view_bytes(v, 8);

	if (p)
		*word = trc_be64(p);
	return p;
}

/* Takes the tokens of a slot and its literals. */
static int
take_tokens(const struct trc_refs_reader *r, struct cursor *c, uint64_t n, struct trc_view *tokens,
            struct trc_view *literals, struct trc_err *err)
{
	size_t fresh = 0;
	unsigned bad = 0;

	c->token = n <= SIZE_MAX ? trc_view_bytes(tokens, (size_t)n) : NULL;
	if (!c->token)
		return damaged(err, "tokens");
	for (size_t i = 0; i < n; i++) {
		fresh += c->token[i] == MTF;
		bad |= c->token[i] > MTF;
	}
	c->literal = trc_view_bytes(literals, fresh * (r->wide ? 8 : 4));
	return c->literal && !bad ? 0 : damaged(err, "literals");
}

/* What the streams say of slot `i`: mode, and whether it is constant, with what residual. */
static int
take_state(const struct trc_refs_reader *r, size_t i, bool is_new, struct trc_view *states,
           struct trc_view *constants, struct trc_slot *slot, struct trc_err *err)
{
	const uint8_t *state;

	*slot = r->program->slot[i];
	if (is_new)
		return 0;
	state = trc_view_bytes(states, 1);
	if (!state)
		return damaged(err, "states");
	slot->constant = *state < STATE_VARIES;
	if (*state == 0 || *state == STATE_VARIES)
		return 0;
	slot->mode = (uint8_t)(slot->constant ? *state - 1 : *state - STATE_VARIES - 1);
	if (slot->mode >= TRC_MODES || (slot->constant && !take_word(constants, &slot->residual)))
		return damaged(err, "states");
	return 0;
}

static int
set_cursors(struct trc_refs_reader *r, size_t new_slots, struct trc_err *err)
{
	struct trc_view states = view_of(r->refs, TRC_REFS_STATE);
	struct trc_view tokens = view_of(r->refs, TRC_REFS_TOKEN);
	struct trc_view firsts = view_of(r->refs, TRC_REFS_FIRST);
	struct trc_view constants = view_of(r->refs, TRC_REFS_CONSTANT);
	struct trc_view literals = view_of(r->refs, TRC_REFS_LITERAL);

	for (size_t i = 0; i < r->program->slots; i++) {
		struct cursor *c = &r->cursor[i];
		struct trc_slot slot;

		if (r->count[i] == 0)
			continue;
		if (take_state(r, i, i >= new_slots, &states, &constants, &slot, err))
			return -1;
		memset(c, 0, sizeof(*c));
		c->residual = slot.residual;
		c->back = (uint8_t)(slot.mode >= TRC_MODE_BACK ? slot.mode - TRC_MODE_BACK + 1 : 0);
		if (slot.mode == TRC_MODE_SELF) {
			if (!take_word(&firsts, &c->last))
				return damaged(err, "first addresses");
			c->follow = UINT64_MAX;
			c->begins = true;
			/* A constant step before the first address leads to it. */
			if (slot.constant)
				c->last -= c->residual;
		}
		if (!slot.constant &&
		    take_tokens(r, c, r->count[i] - c->begins, &tokens, &literals, err))
			return -1;
	}
	if (states.p != states.end || tokens.p != tokens.end || firsts.p != firsts.end ||
	    constants.p != constants.end || literals.p != literals.end)
		return damaged(err, "something left over");
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
		return damaged(err, "literals");
	for (size_t i = 0; !r->wide && i < literal->n; i += 4) {
		unsigned index = trc_be16(literal->p + i);

		most = index > most ? index : most;
	}
	return r->wide || literal->n == 0 || most < high->n / 8 ? 0 : damaged(err, "literals");
}

int
trc_refs_begin(struct trc_refs_reader *r, const struct trc_program *p, size_t new_slots,
               const struct trc_refs *refs, uint64_t rows, struct trc_err *err)
{
	r->refs = refs;
	r->at = r->spill_at = r->spill_n = 0;
	r->data_at = TRC_BACK;
	memset(r->data, 0, TRC_BACK * sizeof(*r->data));
	if (renew_runs(r, p, err) || walk(r, err) || count_slots(r, rows, err) ||
	    check_literals(r, err))
		return -1;
	return set_cursors(r, new_slots, err);
}

/* ---- rows ---- */

static uint64_t
literal(const struct trc_refs_reader *r, struct cursor *c, uint64_t base)
{
	const uint8_t *high = r->refs->stream[TRC_REFS_HIGH].p;
	uint64_t v;

	if (r->wide) {
		v = trc_be64(c->literal);
		c->literal += 8;
	} else {
		v = trc_be64(high + 8 * (size_t)trc_be16(c->literal)) << 16;
		v |= trc_be16(c->literal + 2);
		c->literal += 4;
	}
	return r->refs->absolute ? v - base : v;
}

/* The next residual of a varying slot. */
static uint64_t
vary(const struct trc_refs_reader *r, struct cursor *c, uint64_t base)
{
	unsigned at = *c->token++;
	uint64_t v;

	if (TRC_LIKELY(at == 0))
		return c->mtf[0];
	if (at < MTF) {
		v = c->mtf[at];
	} else {
		v = literal(r, c, base);
		at = MTF - 1;
	}
	for (; at > 0; at--)
		c->mtf[at] = c->mtf[at - 1];
	return c->mtf[0] = v;
}

static inline uint64_t
next_address(const struct trc_refs_reader *r, struct cursor *c, const uint64_t *data)
{
	const uint64_t base = c->back ? data[-(ptrdiff_t)c->back] : c->last;
	uint64_t a;

	if (TRC_LIKELY(!c->token))
		a = base + c->residual;
	else if (TRC_UNLIKELY(c->begins))
		a = base, c->begins = false;
	else
		a = base + vary(r, c, base);
	c->last = a & c->follow;
	return a;
}

/* Copies `n` bytes, and up to COPY - 1 more where that is allowed. */
static inline void
copy(void *dst, const void *src, size_t n, bool slack)
{
	if (!slack) {
		memcpy(dst, src, n);
		return;
	}
	for (size_t i = 0; i < n; i += COPY)
		memcpy((char *)dst + i, (const char *)src + i, COPY);
}

/* Puts the rows of a run, of which only the first `rows` and `places` count. */
static inline void
put_run(struct trc_refs_reader *r, const struct run *run, uint32_t rows, uint32_t places,
        uint8_t *type, uint64_t *addr, uint32_t *size, bool slack)
{
	const struct place *place = r->place + run->place;
	uint64_t *data;

	copy(type, r->type + run->row, rows * sizeof(*type), slack);
	copy(addr, r->addr + run->row, rows * sizeof(*addr), slack);
	if (size)
		copy(size, r->size + run->row, rows * sizeof(*size), slack);
	if (r->data_at + places > TRC_BACK + DATA_ROOM) {
		memmove(r->data, r->data + r->data_at - TRC_BACK, TRC_BACK * sizeof(*r->data));
		r->data_at = TRC_BACK;
	}
	data = r->data + r->data_at;
	for (uint32_t k = 0; k < places; k++, data++)
		addr[place[k].row] = *data = next_address(r, &r->cursor[place[k].slot], data);
	r->data_at += places;
}

/* Gives rows of a run that did not fit. */
static size_t
take_spill(struct trc_refs_reader *r, uint8_t *type, uint64_t *addr, uint32_t *size, size_t n)
{
	const size_t left = r->spill_n - r->spill_at;

	n = n < left ? n : left;
	memcpy(type, r->spill_type + r->spill_at, n * sizeof(*type));
	memcpy(addr, r->spill_addr + r->spill_at, n * sizeof(*addr));
	if (size)
		memcpy(size, r->spill_size + r->spill_at, n * sizeof(*size));
	r->spill_at += n;
	return n;
}

size_t
trc_refs_next(struct trc_refs_reader *r, uint8_t *type, uint64_t *addr, uint32_t *size, size_t n)
{
	size_t done = take_spill(r, type, addr, size, n);

	while (r->at < r->orders && done < n) {
		const struct run *run = &r->run[r->order[r->at]];
		const bool tail = r->at + 1 == r->orders;
		const uint32_t rows = tail ? r->tail_rows : run->rows;
		const uint32_t places = tail ? r->tail_places : run->places;

		if (rows > n - done) {
			if (done > 0)
				break;
			put_run(r, run, rows, places, r->spill_type, r->spill_addr, r->spill_size,
			        true);
			r->at++;
			r->spill_at = 0;
			r->spill_n = rows;
			return take_spill(r, type, addr, size, n);
		}
		put_run(r, run, rows, places, type + done, addr + done, size ? size + done : NULL,
		        n - done >= rows + COPY);
		done += rows;
		r->at++;
	}
	return done;
}
