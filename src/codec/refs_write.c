/* SPDX-License-Identifier: MIT
 *
 * References into choices: which op each instruction is, which edge led to the next, and how each
 * address follows from others.
 */
#include "codec/refs.h"

#include <stdlib.h>

#include "base/map.h"
#include "codec/pack.h"
#include "codec/refs_mode.h"

enum { HIGH_MOST = 65536 }; /* upper halves that literals are told by */

struct trc_refs_writer {
	struct trc_program program;
	/* Content to number; for edges, (from, to) to ordinal. */
	struct trc_map shape_map, op_map, edge_map;
	struct hot {
		uint32_t to, ordinal;
	} *hot;                            /* for each op: the edge it took last */
	size_t hot_cap;

	/* Of the block. */
	uint32_t *op, *ordinal; /* each op, and the ordinal of the edge it left by */
	size_t ops, op_cap, ordinal_cap;
	uint64_t *data;         /* addresses of data references, behind TRC_BACK zeros */
	uint32_t *slot;         /* of each */
	size_t n, data_cap, slot_cap;
	uint32_t *event, *start; /* data references sorted by slot; where each slot's begin */
	size_t event_cap, start_cap;
	struct trc_buf absolute, residual; /* literals in both forms, 8 bytes each */
	struct trc_buf scratch;
};

void
trc_refs_release(struct trc_refs *r)
{
	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		trc_buf_release(&r->stream[i]);
}

struct trc_refs_writer *
trc_refs_writer_open(struct trc_err *err)
{
	struct trc_refs_writer *w = trc_alloc(1, sizeof(*w), err);

	if (w && (trc_program_init(&w->program, err) || trc_map_init(&w->shape_map, err) ||
	          trc_map_init(&w->op_map, err) || trc_map_init(&w->edge_map, err))) {
		trc_refs_writer_close(w);
		return NULL;
	}
	return w;
}

void
trc_refs_writer_close(struct trc_refs_writer *w)
{
	if (!w)
		return;
	trc_program_release(&w->program);
	trc_map_release(&w->shape_map);
	trc_map_release(&w->op_map);
	trc_map_release(&w->edge_map);
	free(w->hot);
	free(w->op);
	free(w->ordinal);
	free(w->data);
	free(w->slot);
	free(w->event);
	free(w->start);
	trc_buf_release(&w->absolute);
	trc_buf_release(&w->residual);
	trc_buf_release(&w->scratch);
	free(w);
}

size_t
trc_refs_writer_ops(const struct trc_refs_writer *w)
{
	return w->program.ops;
}

bool
trc_refs_writer_fits(const struct trc_refs_writer *w)
{
	return w->program.ops <= TRC_PROGRAM_MOST && w->program.shapes <= TRC_SHAPES_MOST &&
	       w->program.edges <= TRC_EDGES_MOST;
}

/* ---- which op each instruction is ---- */

static bool
is_fetch(uint8_t type)
{
	return (type & 15) == 2;
}

/* How many rows from row `i` on are one op. */
static size_t
rows_of_op(const struct trc_refs_rows *r, size_t i)
{
	size_t start = i + is_fetch(r->type[i]), k = start;

	while (k < r->n && k - start < TRC_SHAPE_DATA && !is_fetch(r->type[k]))
		k++;
	return k - i;
}

/* True if the op is what stands at row `i`. Most rows are settled here: the op that followed last
 * time follows again. */
static inline bool
op_matches(const struct trc_program *p, uint32_t id, uint64_t pc, const struct trc_refs_rows *r,
           size_t i)
{
	const struct trc_shape *s = &p->shape[p->op[id].shape];
	const size_t n = s->rows;

	if (p->op[id].pc != (s->fetch ? r->addr[i] : pc) || i + n > r->n)
		return false;
	if (i + n < r->n && s->data < TRC_SHAPE_DATA && !is_fetch(r->type[i + n]))
		return false;
	for (size_t k = 0; k < n; k++)
		if (s->type[k] != r->type[i + k] || (r->size && s->size[k] != r->size[i + k]))
			return false;
	return true;
}

/* The number of the shape of rows [i, i + n), new if it has to be; TRC_NONE without memory. */
static uint32_t
find_shape(struct trc_refs_writer *w, const struct trc_refs_rows *r, size_t i, size_t n,
           struct trc_err *err)
{
	struct trc_shape s = { .rows = (uint8_t)n };
	struct trc_map_entry *e;
	uint64_t hash;

	for (size_t k = 0; k < n; k++) {
		s.type[k] = r->type[i + k];
		s.size[k] = r->size ? r->size[i + k] : 0;
	}
	trc_shape_finish(&s);
	/* Content decides; where two hash alike, the second takes the next hash. */
	for (hash = XXH3_64bits(&s, sizeof(s));; hash++) {
		e = trc_map_find(&w->shape_map, 0, hash);
		if (e->value == TRC_MAP_NONE)
			break;
		if (memcmp(&w->program.shape[e->value], &s, sizeof(s)) == 0)
			return e->value;
	}
	if (trc_map_add(&w->shape_map, 0, hash, (uint32_t)w->program.shapes, err) ||
	    trc_program_add_shape(&w->program, &s, err))
		return TRC_NONE;
	return (uint32_t)w->program.shapes - 1;
}

static uint32_t
find_op(struct trc_refs_writer *w, uint64_t pc, const struct trc_refs_rows *r, size_t i,
        struct trc_err *err)
{
	const uint32_t shape = find_shape(w, r, i, rows_of_op(r, i), err);
	struct trc_map_entry *e;

	if (shape == TRC_NONE)
		return TRC_NONE;
	e = trc_map_find(&w->op_map, shape, pc);
	if (e->value != TRC_MAP_NONE)
		return e->value;
	if (trc_map_add(&w->op_map, shape, pc, (uint32_t)w->program.ops, err) ||
	    trc_program_add_op(&w->program, pc, shape, err) ||
	    trc_grow(&w->hot, &w->hot_cap, w->program.ops, sizeof(*w->hot), err))
		return TRC_NONE;
	w->hot[w->program.ops - 1] = (struct hot){ TRC_NONE, 0 };
	return (uint32_t)w->program.ops - 1;
}

/* The ordinal of the edge between two ops, new if it has to be; TRC_NONE without memory. */
static uint32_t
find_edge(struct trc_refs_writer *w, uint32_t from, uint32_t to, struct trc_err *err)
{
	struct trc_map_entry *e = trc_map_find(&w->edge_map, from, to);
	const uint32_t ordinal = w->program.op[from].edges;

	if (e->value != TRC_MAP_NONE)
		return e->value;
	if (trc_map_add(&w->edge_map, from, to, ordinal, err) ||
	    trc_program_add_edge(&w->program, from, to, err))
		return TRC_NONE;
	return ordinal;
}

static int
grow_block(struct trc_refs_writer *w, size_t rows, struct trc_err *err)
{
	return trc_grow(&w->op, &w->op_cap, rows, sizeof(*w->op), err) ||
	                       trc_grow(&w->ordinal, &w->ordinal_cap, rows, sizeof(*w->ordinal),
	                                err) ||
	                       trc_grow(&w->data, &w->data_cap, rows + TRC_BACK,
	                                sizeof(*w->data), err) ||
	                       trc_grow(&w->slot, &w->slot_cap, rows, sizeof(*w->slot), err) ||
	                       trc_grow(&w->event, &w->event_cap, rows, sizeof(*w->event), err) ?
	               -1 :
	               0;
}

/* Finds the ops of the block, the edges between them, and the data references with their slots. */
static int
find_ops(struct trc_refs_writer *w, const struct trc_refs_rows *r, struct trc_err *err)
{
	const struct trc_program *p = &w->program;
	uint32_t last = TRC_NONE;
	uint64_t pc = 0;

	w->ops = w->n = 0;
	memset(w->data, 0, TRC_BACK * sizeof(*w->data));
	for (size_t i = 0; i < r->n;) {
		struct hot hot = last == TRC_NONE ? (struct hot){ TRC_NONE, 0 } : w->hot[last];
		uint32_t id = hot.to;
		const struct trc_shape *s;

		pc = is_fetch(r->type[i]) ? r->addr[i] : pc;
		if (TRC_UNLIKELY(id == TRC_NONE || !op_matches(p, id, pc, r, i))) {
			id = find_op(w, pc, r, i, err);
			if (id == TRC_NONE)
				return -1;
			if (last != TRC_NONE) {
				hot = (struct hot){ id, find_edge(w, last, id, err) };
				if (hot.ordinal == TRC_NONE)
					return -1;
				w->hot[last] = hot;
			}
		}
		if (last != TRC_NONE)
			w->ordinal[w->ops - 1] = hot.ordinal;
		w->op[w->ops++] = id;
		s = &p->shape[p->op[id].shape];
		for (size_t k = 0; k < s->data; k++) {
			w->data[TRC_BACK + w->n] = r->addr[i + s->fetch + k];
			w->slot[w->n++] = p->op[id].slot + (uint32_t)k;
		}
		i += s->rows;
		last = id;
	}
	return 0;
}

static int
write_choices(const struct trc_refs_writer *w, struct trc_refs *refs, struct trc_err *err)
{
	struct trc_buf *choice = &refs->stream[TRC_REFS_CHOICE];

	if (trc_buf_room(choice, w->ops, err))
		return -1;
	for (size_t i = 0; i + 1 < w->ops; i++) {
		if (w->program.op[w->op[i]].edges < 2)
			continue;
		trc_buf_byte(choice, w->ordinal[i] < TRC_CHOICE_FAR ? (uint8_t)w->ordinal[i] :
		                                                      TRC_CHOICE_FAR);
		if (w->ordinal[i] >= TRC_CHOICE_FAR &&
		    trc_buf_put_num(&refs->stream[TRC_REFS_FAR], w->ordinal[i], err))
			return -1;
	}
	return 0;
}

/* ---- how each address follows from others ---- */

/* Sorts the data references by slot, keeping their order. */
static int
sort_by_slot(struct trc_refs_writer *w, struct trc_err *err)
{
	const size_t slots = w->program.slots;
	uint32_t sum = 0;

	if (trc_grow(&w->start, &w->start_cap, slots + 1, sizeof(*w->start), err))
		return -1;
	memset(w->start, 0, (slots + 1) * sizeof(*w->start));
	for (size_t i = 0; i < w->n; i++)
		w->start[w->slot[i]]++;
	for (size_t s = 0; s <= slots; s++) {
		uint32_t count = w->start[s];

		w->start[s] = sum;
		sum += count;
	}
	for (size_t i = 0; i < w->n; i++)
		w->event[w->start[w->slot[i]]++] = (uint32_t)i;
	/* Each start has moved to the end of its slot, which is the start of the next. */
	memmove(w->start + 1, w->start, slots * sizeof(*w->start));
	w->start[0] = 0;
	return 0;
}

static void
put_be64(struct trc_buf *b, uint64_t v)
{
	trc_put_be64(b->p + b->n, v);
	b->n += 8;
}

static int
write_varying(struct trc_refs_writer *w, struct trc_refs *refs, const struct trc_slot_refs *r,
              unsigned mode, struct trc_err *err)
{
	struct trc_buf *token = &refs->stream[TRC_REFS_TOKEN];
	struct trc_mtf mtf = { .n = 0 };

	if (trc_buf_room(token, r->n, err) || trc_buf_room(&w->absolute, 8 * r->n, err) ||
	    trc_buf_room(&w->residual, 8 * r->n, err))
		return -1;
	for (size_t j = mode == TRC_MODE_SELF; j < r->n; j++) {
		uint64_t v = trc_residual(r, j, mode);
		unsigned at = trc_mtf_find(&mtf, v);

		trc_buf_byte(token, (uint8_t)at);
		if (at == TRC_MTF) {
			put_be64(&w->absolute, r->data[r->event[j]]);
			put_be64(&w->residual, v);
		}
	}
	return 0;
}

static int
write_slot(struct trc_refs_writer *w, struct trc_refs *refs, size_t i, uint64_t *last_absolute,
           struct trc_err *err)
{
	struct trc_program *p = &w->program;
	const bool is_new = i >= p->coded_slots;
	const struct trc_slot_refs r = { w->data + TRC_BACK, w->event + w->start[i],
		                         w->start[i + 1] - w->start[i] };
	struct trc_slot *slot = &p->slot[i];
	struct trc_decision d;

	if (r.n == 0)
		return 0;
	if (trc_buf_room(&refs->stream[TRC_REFS_FIRST], 8, err) ||
	    trc_buf_room(&refs->stream[TRC_REFS_STATE], 1, err) ||
	    trc_buf_room(&refs->stream[TRC_REFS_CONSTANT], 8, err))
		return -1;
	d = is_new ? trc_decide_new(&r, *last_absolute) : trc_decide_old(&r, slot);
	if (d.mode == TRC_MODE_SELF)
		put_be64(&refs->stream[TRC_REFS_FIRST], r.data[r.event[0]]);
	if (is_new) {
		*slot = (struct trc_slot){ d.residual, (uint8_t)d.mode, d.constant };
		if (d.constant && d.mode == TRC_MODE_ABSOLUTE)
			*last_absolute = d.residual;
	} else if (!d.constant) {
		trc_buf_byte(&refs->stream[TRC_REFS_STATE],
		             (uint8_t)(d.mode == slot->mode ? TRC_STATE_VARIES :
		                                              TRC_STATE_VARIES + 1 + d.mode));
	} else if (d.mode == slot->mode && slot->constant && d.residual == slot->residual) {
		trc_buf_byte(&refs->stream[TRC_REFS_STATE], 0);
	} else {
		trc_buf_byte(&refs->stream[TRC_REFS_STATE], (uint8_t)(1 + d.mode));
		put_be64(&refs->stream[TRC_REFS_CONSTANT], d.residual);
	}
	return d.constant ? 0 : write_varying(w, refs, &r, d.mode, err);
}

/* ---- literals ---- */

/* Splits 8-byte literals into indices of their upper 48 bits and the lower 16. Leaves `high` empty
 * and the literals as they are if there are too many different ones. */
static int
split_literals(const struct trc_buf *wide, struct trc_buf *high, struct trc_buf *low,
               struct trc_err *err)
{
	struct trc_map map;
	int ret = -1;

	high->n = low->n = 0;
	if (trc_map_init(&map, err))
		return -1;
	if (trc_buf_room(low, wide->n, err))
		goto out;
	for (size_t i = 0; i < wide->n; i += 8) {
		const uint64_t v = trc_be64(wide->p + i);
		uint32_t index = trc_map_find(&map, 0, v >> 16)->value;

		if (index == TRC_MAP_NONE) {
			index = (uint32_t)map.n;
			if (index == HIGH_MOST) {
				high->n = low->n = 0;
				ret = trc_buf_put(low, wide->p, wide->n, err);
				goto out;
			}
			if (trc_map_add(&map, 0, v >> 16, index, err) ||
			    trc_buf_room(high, 8, err))
				goto out;
			put_be64(high, v >> 16);
		}
		trc_put_be16(low->p + low->n, (uint16_t)index);
		trc_put_be16(low->p + low->n + 2, (uint16_t)v);
		low->n += 4;
	}
	ret = 0;
out:
	trc_map_release(&map);
	return ret;
}

/* About how many bytes the literals take, by packing those in the middle fast. */
static int
literal_bytes(const struct trc_refs *refs, struct trc_buf *scratch, size_t *n, struct trc_err *err)
{
	enum { FAST = 1, LITERALS = 16384 };
	const struct trc_buf *high = &refs->stream[TRC_REFS_HIGH];
	const struct trc_buf *low = &refs->stream[TRC_REFS_LITERAL];
	const size_t width = high->n ? 4 : 8, all = low->n / width;
	const size_t some = all < LITERALS ? all : LITERALS;
	size_t table;

	scratch->n = 0;
	if (trc_pack(high->p, high->n, TRC_PACK_WORDS8, FAST, scratch, err))
		return -1;
	table = scratch->n;
	if (trc_pack(low->p + (all - some) / 2 * width, some * width,
	             high->n ? TRC_PACK_WORDS4 : TRC_PACK_WORDS8, FAST, scratch, err))
		return -1;
	*n = table + (scratch->n - table) * all / some;
	return 0;
}

/* Takes the form, residuals or addresses, that looks smaller. */
static int
write_literals(struct trc_refs_writer *w, struct trc_refs *refs, struct trc_err *err)
{
	struct trc_buf *high = &refs->stream[TRC_REFS_HIGH];
	struct trc_buf *low = &refs->stream[TRC_REFS_LITERAL];
	size_t as_residual, as_address;

	if (w->residual.n == 0)
		return 0;
	if (split_literals(&w->residual, high, low, err) ||
	    literal_bytes(refs, &w->scratch, &as_residual, err) ||
	    split_literals(&w->absolute, high, low, err) ||
	    literal_bytes(refs, &w->scratch, &as_address, err))
		return -1;
	refs->absolute = as_address < as_residual;
	return refs->absolute ? 0 : split_literals(&w->residual, high, low, err);
}

static void
clear(struct trc_refs_writer *w, struct trc_refs *refs)
{
	refs->absolute = false;
	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		refs->stream[i].n = 0;
	w->absolute.n = w->residual.n = 0;
}

int
trc_refs_write(struct trc_refs_writer *w, const struct trc_refs_rows *rows, struct trc_refs *refs,
               struct trc_buf *growth, struct trc_err *err)
{
	uint64_t last_absolute = 0;

	clear(w, refs);
	if (grow_block(w, rows->n, err) || find_ops(w, rows, err) || sort_by_slot(w, err) ||
	    write_choices(w, refs, err))
		return -1;
	refs->first = w->ops ? w->op[0] : 0;
	refs->ops = w->ops;
	for (size_t i = 0; i < w->program.slots; i++)
		if (write_slot(w, refs, i, &last_absolute, err))
			return -1;
	if (write_literals(w, refs, err))
		return -1;
	return trc_program_write(&w->program, growth, err);
}
