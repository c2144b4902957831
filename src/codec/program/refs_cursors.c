/* SPDX-License-Identifier: MIT
 * Sets cursors from the streams of a block. All contents are checked here, so that nothing needs to
 * be checked when rows are produced. */
#include "codec/program/refs_cursors.h"

#include <stdlib.h>

/* The sources of the cursors, and how far each stream has been read. */
struct source {
	const struct trc_walk *walk;
	const struct trc_refs *refs;
	size_t old_slots;
	struct trc_view states, tokens, firsts, constants, literals;
	struct optional {
		struct trc_view bytes;
		bool there;
	} successors, forms;
	size_t entries; /* of the tables of slots so far */
};

/* Returns the bytes needed for slots and tables. */
static size_t
room(const struct trc_cursors *c, const struct trc_walk *w)
{
	return w->graph.program->slots * (sizeof(*c->count) + sizeof(*c->cursor)) +
	       c->entries * sizeof(*c->entry);
}

static int
count_slots(struct trc_cursors *c, const struct trc_walk *w, uint64_t rows, struct trc_err *err)
{
	const size_t slots = w->graph.program->slots;
	uint64_t sum = 0;

	c->entries = 0;
	if (trc_walk_check_memory(w, room(c, w), err) ||
	    trc_grow(&c->count, &c->count_cap, slots, sizeof(*c->count), err) ||
	    trc_grow(&c->cursor, &c->cursor_cap, slots, sizeof(*c->cursor), err))
		return -1;
	for (size_t i = 0; i < slots; i++)
		c->count[i] = 0;
	for (size_t i = 0; i < w->graph.runs; i++) {
		const struct trc_run *run = &w->graph.run[i];

		if (!w->graph.passed[i])
			continue;
		sum += (uint64_t)w->graph.passed[i] * run->rows;
		for (uint32_t k = 0; k < run->places; k++)
			c->count[w->template.place[run->place + k].slot] += w->graph.passed[i];
	}
	if (w->orders > 0) {
		const struct trc_run_place *tail = w->template.place +
		                                   w->graph.run[w->order[w->orders - 1]].place;

		for (uint32_t k = 0; k < w->tail_places; k++)
			c->count[tail[k].slot]++;
	}
	return sum + w->tail_rows == rows ? 0 : trc_refs_corrupt(err, "number of rows");
}

/* Fails unless the indices of upper bits are in their table. */
static int
check_literals(struct trc_cursors *c, const struct trc_refs *refs, struct trc_err *err)
{
	const struct trc_buf *high = &refs->stream[TRC_REFS_HIGH];
	const struct trc_buf *literal = &refs->stream[TRC_REFS_LITERAL];
	unsigned most = 0;

	c->wide = high->n == 0;
	if (high->n % 8 || literal->n % (c->wide ? 8 : 4))
		return trc_refs_corrupt(err, "literals");
	for (size_t i = 0; !c->wide && i < literal->n; i += 4) {
		unsigned index = trc_be16(literal->p + i);

		most = index > most ? index : most;
	}
	return c->wide || literal->n == 0 || most < high->n / 8 ? 0 :
	                                                          trc_refs_corrupt(err, "literals");
}

static bool
take_word(struct trc_view *v, uint64_t *word)
{
	const uint8_t *p = trc_view_bytes(v, 8);

	if (p)
		*word = trc_be64(p);
	return p;
}

/* Allocates the successor tables, which may have as many entries as `rows` rows allow. take_kind()
 * checks each byte. */
static int
make_tables(struct trc_cursors *c, const struct trc_walk *w, const struct trc_buf *tables,
            uint64_t rows, struct trc_err *err)
{
	struct trc_successor_table how;

	for (size_t i = 0; i < tables->n; i++) {
		trc_successor_from_byte(tables->p[i], &how);
		c->entries += trc_successor_entries(&how);
		if (c->entries > TRC_SUCCESSOR_MOST || c->entries > TRC_SUCCESSOR_ENTRIES * rows)
			return trc_refs_corrupt(err, "tables of slots");
	}
	if (trc_walk_check_memory(w, room(c, w), err) ||
	    trc_grow(&c->entry, &c->entry_cap, c->entries, sizeof(*c->entry), err))
		return -1;
	if (c->entries > 0)
		memset(c->entry, 0, c->entries * sizeof(*c->entry));
	return 0;
}

/* Opens a stream with a byte per varying slot, which is stored only if a byte is not 0. */
static struct optional
optional_stream(const struct trc_buf *b)
{
	struct optional o = { trc_buf_view(b), false };

	for (size_t i = 0; i < b->n; i++)
		o.there |= b->p[i] != 0;
	return o;
}

static bool
take_byte(struct optional *o, uint8_t *byte)
{
	const uint8_t *p = o->there ? trc_view_bytes(&o->bytes, 1) : NULL;

	*byte = p ? *p : 0;
	return p || !o->there;
}

/* Reads the kind of successor table of a varying slot, and the form of its literals. */
static int
take_kind(const struct trc_cursors *c, struct source *s, struct trc_other *o, struct trc_err *err)
{
	uint8_t how, form;

	if (!take_byte(&s->successors, &how) || !trc_successor_from_byte(how, &o->successor))
		return trc_refs_corrupt(err, "successor tables");
	if (o->successor.bits > 0)
		o->successor.entry = c->entry + s->entries;
	s->entries += trc_successor_entries(&o->successor);
	if (!take_byte(&s->forms, &form) || form > 1)
		return trc_refs_corrupt(err, "forms of literals");
	o->absolute = s->refs->absolute != form;
	return 0;
}

/* Reads the `n` tokens of a varying slot, and its literals. */
static int
take_tokens(struct source *s, struct trc_other *o, uint32_t n, bool wide, struct trc_err *err)
{
	size_t fresh = 0;
	unsigned bad = 0;

	o->token = trc_view_bytes(&s->tokens, n);
	if (!o->token)
		return trc_refs_corrupt(err, "tokens");
	for (size_t i = 0; i < n; i++) {
		fresh += o->token[i] == TRC_LAST_RESIDUALS;
		bad |= o->token[i] > TRC_LAST_RESIDUALS;
	}
	o->literal = trc_view_bytes(&s->literals, fresh * (wide ? 8 : 4));
	return !o->literal || bad ? trc_refs_corrupt(err, "literals") : 0;
}

static int
add_other(struct trc_cursors *c, const struct trc_walk *w, const struct trc_other *o,
          struct trc_cursor *cursor, struct trc_err *err)
{
	if (c->others == c->other_cap &&
	    trc_walk_check_memory(w, room(c, w) + 2 * c->others * sizeof(*o), err))
		return -1;
	if (trc_grow(&c->other, &c->other_cap, c->others + 1, sizeof(*o), err))
		return -1;
	cursor->base = 0;
	cursor->is_other = true;
	cursor->other = (uint32_t)c->others;
	c->other[c->others++] = *o;
	return 0;
}

/* Reads the state of slot `i`: its mode, whether it is constant, and its residual. */
static int
take_state(struct source *s, size_t i, struct trc_slot *slot, struct trc_err *err)
{
	const uint8_t *state;

	*slot = s->walk->graph.program->slot[i];
	if (i < s->old_slots) {
		state = trc_view_bytes(&s->states, 1);
		if (!state)
			return trc_refs_corrupt(err, "states");
		slot->constant = *state < TRC_STATE_VARIES;
		if (*state != 0 && *state != TRC_STATE_VARIES) {
			slot->mode = (uint8_t)(*state % TRC_STATE_VARIES - 1);
			if (*state >= 2 * TRC_STATE_VARIES)
				slot->mode = TRC_MODES;
			if (slot->constant && !take_word(&s->constants, &slot->residual))
				return trc_refs_corrupt(err, "states");
		}
	}
	if (!trc_slot_may_be(slot))
		return trc_refs_corrupt(err, "states");
	return 0;
}

/* Returns the data reference that is the base of a mode: -1 is the last one; 0 if there is none. */
static int8_t
base_of(unsigned mode)
{
	if (mode >= TRC_MODE_SCALED)
		return (int8_t)-trc_scaled[mode - TRC_MODE_SCALED].back;
	return (int8_t)(mode >= TRC_MODE_BACK ? (int)TRC_MODE_BACK - 1 - (int)mode : 0);
}

/* Sets the cursor of slot `i`, which has references. */
static int
set_cursor(struct trc_cursors *c, struct source *s, size_t i, struct trc_err *err)
{
	struct trc_cursor *cursor = &c->cursor[i];
	struct trc_other o = { .residuals = TRC_RESIDUAL_ORDER_NEW };
	struct trc_slot slot;

	if (take_state(s, i, &slot, err))
		return -1;
	o.base = base_of(slot.mode);
	*cursor = (struct trc_cursor){ .residual = slot.residual, .base = o.base };
	o.self = slot.mode == TRC_MODE_SELF;
	if (o.self && !take_word(&s->firsts, &o.last))
		return trc_refs_corrupt(err, "first addresses");
	if (slot.constant) {
		/* Start one constant step before the first address. */
		o.last -= slot.residual;
	} else {
		o.begins = o.self;
		if (slot.mode >= TRC_MODE_SCALED) {
			o.left = trc_scaled[slot.mode - TRC_MODE_SCALED].left;
			o.right = trc_scaled[slot.mode - TRC_MODE_SCALED].right;
		}
		if (take_kind(c, s, &o, err) ||
		    take_tokens(s, &o, c->count[i] - o.self, c->wide, err))
			return -1;
	}
	return o.self || !slot.constant ? add_other(c, s->walk, &o, cursor, err) : 0;
}

static bool
is_taken(const struct trc_view *v)
{
	return v->p == v->end;
}

static int
set_cursors(struct trc_cursors *c, const struct trc_walk *w, const struct trc_refs *refs,
            size_t old_slots, struct trc_err *err)
{
	struct source s = {
		.walk = w,
		.refs = refs,
		.old_slots = old_slots,
		.states = trc_buf_view(&refs->stream[TRC_REFS_STATE]),
		.successors = optional_stream(&refs->stream[TRC_REFS_SUCCESSOR]),
		.forms = optional_stream(&refs->stream[TRC_REFS_FORM]),
		.tokens = trc_buf_view(&refs->stream[TRC_REFS_TOKEN]),
		.firsts = trc_buf_view(&refs->stream[TRC_REFS_FIRST]),
		.constants = trc_buf_view(&refs->stream[TRC_REFS_CONSTANT]),
		.literals = trc_buf_view(&refs->stream[TRC_REFS_LITERAL]),
	};

	c->others = 0;
	for (size_t i = 0; i < w->graph.program->slots; i++)
		if (c->count[i] > 0 && set_cursor(c, &s, i, err))
			return -1;
	if (is_taken(&s.states) && is_taken(&s.successors.bytes) && is_taken(&s.forms.bytes) &&
	    is_taken(&s.tokens) && is_taken(&s.firsts) && is_taken(&s.constants) &&
	    is_taken(&s.literals))
		return 0;
	return trc_refs_corrupt(err, "something left over");
}

/* Copies the cursors of all runs in use to the order of their places. This saves a load per data
 * reference, and the memory is accessed sequentially. */
static int
set_stops(struct trc_cursors *c, const struct trc_walk *w, struct trc_err *err)
{
	const uint32_t last = w->orders > 0 ? w->order[w->orders - 1] : 0;

	if (trc_walk_check_memory(w,
	                          room(c, w) + c->others * sizeof(*c->other) +
	                                  w->template.places * sizeof(*c->stop),
	                          err) ||
	    /* Allocated even if there are no places, because runs point into it. */
	    trc_grow(&c->stop, &c->stop_cap, w->template.places + (size_t)1, sizeof(*c->stop), err))
		return -1;
	for (uint32_t i = 0; i < w->graph.runs; i++) {
		const struct trc_run *run = &w->graph.run[i];
		const uint32_t places = w->graph.passed[i] ? run->places :
		                        i == last          ? w->tail_places :
		                                             0;

		for (uint32_t k = run->place; k < run->place + places; k++) {
			c->stop[k] = c->cursor[w->template.place[k].slot];
			c->stop[k].row = (uint16_t)w->template.place[k].row;
		}
	}
	return 0;
}

int
trc_cursors_set(struct trc_cursors *c, const struct trc_walk *w, const struct trc_refs *refs,
                size_t old_slots, uint64_t rows, struct trc_err *err)
{
	if (count_slots(c, w, rows, err) || check_literals(c, refs, err) ||
	    make_tables(c, w, &refs->stream[TRC_REFS_SUCCESSOR], rows, err) ||
	    set_cursors(c, w, refs, old_slots, err) || set_stops(c, w, err))
		return -1;
	return 0;
}

void
trc_cursors_release(struct trc_cursors *c)
{
	free(c->count);
	free(c->cursor);
	free(c->stop);
	free(c->other);
	free(c->entry);
	*c = (struct trc_cursors){ 0 };
}
