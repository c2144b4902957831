/* SPDX-License-Identifier: MIT */
#include "machine/bus/event_columns.h"

#include <stdlib.h>

#include "base/map_find.h"
#include "codec/column/column.h"

enum {
	CHUNK = 1 << 20,      /* events that are packed together */
	TABLE_MOST = 1 << 16, /* most distinct events in a table */
	TABLE_SURE = 64, /* if events repeat this often on average, a table is certainly smaller */
	TYPES = 32,      /* lower bits of the letter of a type */
	PLACES = 3,      /* key, address, length */
};

/* The forms of the places of a chunk: the place of each event, or a table and indices. */
enum form { EACH, TABLE, FORMS };

/* The values of a type: of its field; of registers of devices with one byte; with more bytes. */
enum value { FIELD, BYTE, WIDE, VALUES };

/* A column of numbers; `at` is the index of the next one to read. */
struct column {
	uint64_t *v;
	size_t n, cap, at;
};

/* The place of an event: its type, count and fields except for the value. It is likely to repeat.
 * Fields that the type does not have are 0. */
struct place {
	uint64_t type, count;
	uint64_t number[PLACES]; /* in the order of trc_bus_fields() */
};

/* Places as columns. */
struct places {
	struct column type, count, number[TYPES][PLACES];
};

/* A chunk of events. */
struct chunk {
	struct places each, table;
	struct place *place; /* the entries of the table */
	size_t places, places_cap;
	struct column index;
	struct trc_map map; /* hash of a place -> index of its entry */
	bool repeats;       /* a table is used */
	struct column value[TYPES][VALUES];
	uint64_t len[TYPES]; /* data length of the last event of each type */
};

static int
damaged(struct trc_err *err)
{
	return trc_fail(err, "the list of events is damaged");
}

static bool
is_device(uint64_t type)
{
	return type == TRC_BUS_INPUT || type == TRC_BUS_OUTPUT;
}

/* Returns which value of a device an event has; VALUES: none. */
static enum value
value_of(const struct place *p)
{
	const uint64_t len = p->number[1];

	return !is_device(p->type) || len == 0 || len > 8 ? VALUES : len == 1 ? BYTE : WIDE;
}

/* ---- columns ---- */

static int
add(struct column *c, uint64_t v, struct trc_err *err)
{
	if (c->n == c->cap && trc_grow(&c->v, &c->cap, c->n + 1, sizeof(*c->v), err))
		return -1;
	c->v[c->n++] = v;
	return 0;
}

static int
put(const struct column *c, int level, struct trc_buf *out, struct trc_err *err)
{
	return c->n ? trc_column_write_narrow(c->v, c->n, level, out, err) : 0;
}

static int
unpack_column(struct column *c, size_t n, struct trc_view *from, struct trc_err *err)
{
	c->n = c->at = 0;
	if (n > 0 && (trc_grow(&c->v, &c->cap, n, sizeof(*c->v), err) ||
	              trc_column_read(from, c->v, n, err)))
		return -1;
	c->n = n;
	return 0;
}

static void
empty_places(struct places *p)
{
	p->type.n = p->count.n = 0;
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned i = 0; i < PLACES; i++)
			p->number[t][i].n = p->number[t][i].at = 0;
}

static void
release_places(struct places *p)
{
	free(p->type.v);
	free(p->count.v);
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned i = 0; i < PLACES; i++)
			free(p->number[t][i].v);
}

/* Returns the number of fields of a type in its place. */
static unsigned
places_of(uint64_t type)
{
	unsigned n = 0;

	for (const char *field = trc_bus_fields((unsigned)type); *field; field++)
		n += *field != 'v';
	return n;
}

static int
add_place(struct places *to, const struct place *p, struct trc_err *err)
{
	if (add(&to->type, p->type, err) || add(&to->count, p->count, err))
		return -1;
	for (unsigned i = 0; i < places_of(p->type); i++)
		if (add(&to->number[p->type % TYPES][i], p->number[i], err))
			return -1;
	return 0;
}

static int
put_places(const struct places *p, int level, struct trc_buf *out, struct trc_err *err)
{
	if (put(&p->type, level, out, err) || put(&p->count, level, out, err))
		return -1;
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned i = 0; i < PLACES; i++)
			if (put(&p->number[t][i], level, out, err))
				return -1;
	return 0;
}

static int
take_places(struct places *p, size_t n, struct trc_view *from, struct trc_err *err)
{
	size_t has[TYPES] = { 0 };

	empty_places(p);
	if (unpack_column(&p->type, n, from, err) || unpack_column(&p->count, n, from, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const uint64_t type = p->type.v[i];

		if (type > UINT8_MAX || !trc_bus_fields((unsigned)type))
			return damaged(err);
		has[type % TYPES]++;
	}
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned i = 0; has[t] && i < places_of('@' + t); i++)
			if (unpack_column(&p->number[t][i], has[t], from, err))
				return -1;
	return 0;
}

static struct place
next_place(struct places *from, size_t i)
{
	struct place p = { from->type.v[i], from->count.v[i], { 0 } };

	for (unsigned k = 0; k < places_of(p.type); k++) {
		struct column *c = &from->number[p.type % TYPES][k];

		p.number[k] = c->v[c->at++];
	}
	return p;
}

/* ---- addresses ---- */

/* An address is stored as the difference to the start of the last event's data, but 0 if it is the
 * end of that data. So both reused buffers and consecutive parts of a file repeat. Differences
 * below that of the end are incremented by 1 to leave 0 free. */
static uint64_t
address_from_end(uint64_t difference, uint64_t len)
{
	const uint64_t v = trc_zigzag(trc_unzigzag(difference) + len), end = trc_zigzag(len);

	return v == end ? 0 : v + (v < end);
}

static uint64_t
address_to_end(uint64_t v, uint64_t len)
{
	const uint64_t end = trc_zigzag(len);

	return trc_zigzag(trc_unzigzag(v == 0 ? end : v - (v <= end)) - len);
}

/* ---- writing ---- */

static uint64_t
hash_of(const struct place *p)
{
	uint64_t h = p->type ^ p->count << 8;

	for (unsigned i = 0; i < PLACES; i++) {
		h = (h ^ p->number[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h;
}

/* Adds the index of a place to the column, unless there are too many places for a table. */
static int
add_index(struct chunk *c, const struct place *p, struct trc_err *err)
{
	const uint64_t hash = hash_of(p);
	uint32_t i = trc_map_find(&c->map, 0, hash)->value;

	if (i == TRC_MAP_NONE) {
		i = (uint32_t)c->places;
		if (trc_map_add(&c->map, 0, hash, i, err) || add_place(&c->table, p, err) ||
		    trc_grow(&c->place, &c->places_cap, c->places + 1, sizeof(*p), err))
			return -1;
		c->place[c->places++] = *p;
	}
	c->repeats = c->places <= TABLE_MOST && memcmp(&c->place[i], p, sizeof(*p)) == 0;
	return add(&c->index, i, err);
}

static int
add_value(struct chunk *c, const struct place *p, struct trc_view *values, struct trc_err *err)
{
	struct column *to = c->value[p->type % TYPES];
	const enum value which = value_of(p);
	const uint8_t *byte;
	uint64_t v;

	if (which == VALUES)
		return 0;
	if (which == WIDE)
		return trc_view_num(values, &v) ? add(&to[WIDE], v, err) : damaged(err);
	byte = trc_view_bytes(values, 1);
	return byte ? add(&to[BYTE], *byte, err) : damaged(err);
}

/* Splits the fields of an event: the place into *p, the value into its column. */
static int
add_fields(struct chunk *c, struct trc_view *stream, struct place *p, struct trc_err *err)
{
	const unsigned t = p->type % TYPES;
	uint64_t v, len = 0;
	unsigned n = 0;

	for (const char *field = trc_bus_fields((unsigned)p->type); *field; field++) {
		if (!trc_view_num(&stream[TRC_EVENTS_FIELDS], &v))
			return damaged(err);
		if (*field == 'v') {
			if (add(&c->value[t][FIELD], v, err))
				return -1;
			continue;
		}
		p->number[n++] = *field == 'a' ? address_from_end(v, c->len[t]) : v;
		len = *field == 'd' ? v : len;
	}
	c->len[t] = len;
	return add_value(c, p, &stream[TRC_EVENTS_VALUES], err);
}

static int
add_event(struct chunk *c, struct trc_view *stream, struct trc_err *err)
{
	const uint8_t *type = trc_view_bytes(&stream[TRC_EVENTS_TYPES], 1);
	struct place p = { 0 };

	if (!type || !trc_bus_fields(*type) || !trc_view_num(&stream[TRC_EVENTS_COUNTS], &p.count))
		return damaged(err);
	p.type = *type;
	if (add_fields(c, stream, &p, err) || add_place(&c->each, &p, err))
		return -1;
	return c->repeats ? add_index(c, &p, err) : 0;
}

static int
put_form(const struct chunk *c, enum form form, int level, struct trc_buf *out, struct trc_err *err)
{
	if (trc_buf_put_byte(out, form, err))
		return -1;
	if (form == EACH)
		return put_places(&c->each, level, out, err);
	return trc_buf_put_num(out, c->places, err) || put_places(&c->table, level, out, err) ||
	                       put(&c->index, level, out, err) ?
	               -1 :
	               0;
}

/* Appends the places in the smaller form. If it is not clear which one that is, both are tried. */
static int
put_smaller(const struct chunk *c, int level, struct trc_buf *out, struct trc_err *err)
{
	const bool sure = c->repeats && c->places <= c->each.type.n / TABLE_SURE;
	const size_t start = out->n;
	struct trc_buf each = { 0 };
	int ret = 0;

	if (c->repeats)
		ret = put_form(c, TABLE, level, out, err);
	if (ret || sure)
		return ret;
	ret = put_form(c, EACH, level, &each, err);
	if (ret == 0 && (!c->repeats || each.n < out->n - start)) {
		out->n = start;
		ret = trc_buf_put(out, each.p, each.n, err);
	}
	trc_buf_release(&each);
	return ret;
}

static int
put_chunk(const struct chunk *c, int level, struct trc_buf *out, struct trc_err *err)
{
	if (put_smaller(c, level, out, err))
		return -1;
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned i = 0; i < VALUES; i++)
			if (put(&c->value[t][i], level, out, err))
				return -1;
	return 0;
}

static int
empty_chunk(struct chunk *c, struct trc_err *err)
{
	empty_places(&c->each);
	empty_places(&c->table);
	c->places = c->index.n = 0;
	c->repeats = true;
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned i = 0; i < VALUES; i++)
			c->value[t][i].n = c->value[t][i].at = 0;
	trc_map_release(&c->map);
	return trc_map_init(&c->map, err);
}

static void
close_chunk(struct chunk *c)
{
	if (!c)
		return;
	release_places(&c->each);
	release_places(&c->table);
	trc_map_release(&c->map);
	free(c->place);
	free(c->index.v);
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned i = 0; i < VALUES; i++)
			free(c->value[t][i].v);
	free(c);
}

int
trc_event_columns_pack(const struct trc_events *e, int level, struct trc_buf *out,
                       struct trc_err *err)
{
	struct chunk *c = trc_alloc(1, sizeof(*c), err);
	struct trc_view stream[TRC_EVENTS_STREAMS];
	int ret = c ? 0 : -1;

	for (int i = 0; i < TRC_EVENTS_STREAMS; i++)
		stream[i] = trc_buf_view(&e->stream[i]);
	for (uint64_t left = e->n; left > 0 && ret == 0;) {
		ret = empty_chunk(c, err);
		for (; left > 0 && c->each.type.n < CHUNK && ret == 0; left--)
			ret = add_event(c, stream, err);
		if (ret == 0)
			ret = put_chunk(c, level, out, err);
	}
	close_chunk(c);
	return ret;
}

/* ---- reading ---- */

static int
take_table(struct chunk *c, size_t n, struct trc_view *from, struct trc_err *err)
{
	uint64_t places;

	if (!trc_view_num(from, &places) || places == 0 || places > TABLE_MOST)
		return damaged(err);
	if (take_places(&c->table, (size_t)places, from, err) ||
	    unpack_column(&c->index, n, from, err) ||
	    trc_grow(&c->place, &c->places_cap, (size_t)places, sizeof(*c->place), err))
		return -1;
	for (size_t i = 0; i < places; i++)
		c->place[i] = next_place(&c->table, i);
	c->places = (size_t)places;
	for (size_t i = 0; i < n; i++)
		if (c->index.v[i] >= places)
			return damaged(err);
	return 0;
}

static int
take_form(struct chunk *c, size_t n, struct trc_view *from, struct trc_err *err)
{
	const uint8_t *form = trc_view_bytes(from, 1);

	if (!form || *form >= FORMS)
		return damaged(err);
	c->repeats = *form == TABLE;
	return c->repeats ? take_table(c, n, from, err) : take_places(&c->each, n, from, err);
}

/* Returns the place of event `i` of the chunk; events must be read in order. */
static struct place
place_at(struct chunk *c, size_t i)
{
	return c->repeats ? c->place[c->index.v[i]] : next_place(&c->each, i);
}

static bool
has_field(const struct place *p)
{
	return strchr(trc_bus_fields((unsigned)p->type), 'v');
}

static int
take_values(struct chunk *c, size_t n, struct trc_view *from, struct trc_err *err)
{
	size_t has[TYPES][VALUES + 1] = { { 0 } };

	for (size_t i = 0; i < n; i++) {
		const struct place p = place_at(c, i);

		has[p.type % TYPES][FIELD] += has_field(&p);
		has[p.type % TYPES][value_of(&p)]++;
	}
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned i = 0; i < PLACES; i++)
			c->each.number[t][i].at = 0;
	for (unsigned t = 0; t < TYPES; t++)
		for (unsigned i = 0; i < VALUES; i++)
			if (unpack_column(&c->value[t][i], has[t][i], from, err))
				return -1;
	return 0;
}

static int
put_value(struct chunk *c, const struct place *p, struct trc_buf *values, struct trc_err *err)
{
	const enum value which = value_of(p);
	struct column *from;

	if (which == VALUES)
		return 0;
	from = &c->value[p->type % TYPES][which];
	if (which == WIDE)
		return trc_buf_put_num(values, from->v[from->at++], err);
	if (from->v[from->at] > UINT8_MAX)
		return damaged(err);
	return trc_buf_put_byte(values, (unsigned)from->v[from->at++], err);
}

static int
put_fields(struct chunk *c, const struct place *p, struct trc_buf *fields, struct trc_err *err)
{
	const unsigned t = p->type % TYPES;
	struct column *value = &c->value[t][FIELD];
	uint64_t len = 0;
	unsigned n = 0;

	for (const char *field = trc_bus_fields((unsigned)p->type); *field; field++) {
		uint64_t v = *field == 'v' ? value->v[value->at++] : p->number[n++];

		if (*field == 'a')
			v = address_to_end(v, c->len[t]);
		if (trc_buf_put_num(fields, v, err))
			return -1;
		len = *field == 'd' ? v : len;
	}
	c->len[t] = len;
	return 0;
}

static int
put_events(struct chunk *c, size_t n, struct trc_events *e, struct trc_err *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct place p = place_at(c, i);

		if (trc_buf_put_byte(&e->stream[TRC_EVENTS_TYPES], (unsigned)p.type, err) ||
		    trc_buf_put_num(&e->stream[TRC_EVENTS_COUNTS], p.count, err) ||
		    put_fields(c, &p, &e->stream[TRC_EVENTS_FIELDS], err) ||
		    put_value(c, &p, &e->stream[TRC_EVENTS_VALUES], err))
			return -1;
	}
	return 0;
}

/* Limits the memory: a few bytes may unpack to very many events. */
static int
check_room(const struct trc_events *e, uint64_t most, struct trc_err *err)
{
	uint64_t bytes = 0;

	for (int i = 0; i < TRC_EVENTS_STREAMS; i++)
		bytes += e->stream[i].n;
	if (bytes <= most)
		return 0;
	return trc_fail(err, "the list of events needs more memory than --memory allows");
}

int
trc_event_columns_unpack(struct trc_events *e, struct trc_view *v, uint64_t most,
                         struct trc_err *err)
{
	struct chunk *c = trc_alloc(1, sizeof(*c), err);
	int ret = c ? 0 : -1;

	for (uint64_t left = e->n, n; left > 0 && ret == 0; left -= n) {
		n = left < CHUNK ? left : CHUNK;
		ret = take_form(c, (size_t)n, v, err) || take_values(c, (size_t)n, v, err) ||
		      put_events(c, (size_t)n, e, err) || check_room(e, most, err);
	}
	close_chunk(c);
	return ret ? -1 : 0;
}
