/* SPDX-License-Identifier: MIT
 * Slots with a successor table: which have one, what stands in the stream, and what a reader makes
 * of it. */
#include "codec/program/successor_search.h"

#include <string.h>

#include "round_trip.h"

enum { HAVE = TRC_HAS_TYPE | TRC_HAS_ADDR };

/* How many entries the table of a slot has by the stream of a block; 0: none. */
static size_t
entries_of(const struct round_trip *b, size_t slot)
{
	const struct trc_buf *successor = &b->refs.stream[TRC_REFS_SUCCESSOR];
	struct trc_successor_table byte = { 0 };

	CHECK(successor->n == 0 ||
	      (slot < successor->n && trc_successor_from_byte(successor->p[slot], &byte)));
	return trc_successor_entries(&byte);
}

/* Opens, and checks all rows as one block. */
static void
open_checked(struct round_trip *b, const struct trc_batch *rows, bool fast)
{
	round_trip_open(b, fast);
	round_trip_check(b, rows, 0, rows->n, 50);
}

static void
fill_random(struct generator *m, uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = generate_random(m);
}

static void
what_nodes_have_is_predicted(void)
{
	enum { ROWS = 10000, NODES = 300 };
	struct trc_batch rows = generate_lookups(HAVE, ROWS, test_seed);
	struct round_trip b;

	open_checked(&b, &rows, false);
	CHECK(b.refs.stream[TRC_REFS_SUCCESSOR].n == 2);
	CHECK(entries_of(&b, 0) == 0);
	CHECK(entries_of(&b, 1) > 3 * NODES && entries_of(&b, 1) < 8 * NODES);
	CHECK((b.refs.stream[TRC_REFS_SUCCESSOR].p[1] - 1) / TRC_SUCCESSOR_SIZES == 1);
	CHECK(b.refs.stream[TRC_REFS_LITERAL].n <= 4 * (ROWS / 4 + 800));
	round_trip_check(&b, &rows, 0, 20, 50); /* in which it is not worth it */
	CHECK(b.refs.stream[TRC_REFS_SUCCESSOR].n == 0);
	round_trip_close(&b);
	round_trip_check_blocks(&rows, false);
	trc_batch_release(&rows);
}

/* Ways from any node of a tree to its root: the parent follows from the slot's own address, since
 * any number of other loads come between. */
static void
parents_are_predicted(void)
{
	enum { ROWS = 10000, NODES = 64 };
	struct trc_batch rows = generate_zeros(HAVE, ROWS);
	uint64_t node[NODES], at = 0;
	struct generator m = { test_seed };
	struct round_trip b;

	fill_random(&m, node, NODES);
	for (size_t i = 0; i < ROWS; i += 2) {
		const bool other = i > 0 && generate_below(&m, 2);

		if (!other)
			at = at > 1 ? at / 2 : generate_below(&m, NODES);
		rows.type[i] = TRC_FETCH;
		rows.addr[i] = other ? 4100 : 4096;
		rows.addr[i + 1] = other ? generate_random(&m) : node[at];
	}
	open_checked(&b, &rows, false);
	CHECK(entries_of(&b, 0) > 0);
	CHECK((b.refs.stream[TRC_REFS_SUCCESSOR].p[0] - 1) / TRC_SUCCESSOR_SIZES ==
	      TRC_SUCCESSOR_SELF);
	round_trip_close(&b);
	trc_batch_release(&rows);
}

/* A list that is walked around, but for a jump now and then: each address follows from the one
 * before it, which coders of literals see, too. */
static void
what_packs_well_has_no_table(void)
{
	enum { ROWS = 5000, NODES = 20 };
	struct trc_batch rows = generate_zeros(HAVE, ROWS);
	uint64_t node[NODES], at = 0;
	struct generator m = { test_seed };
	struct round_trip b;

	fill_random(&m, node, NODES);
	for (size_t i = 0; i < ROWS; i += 2) {
		at = generate_below(&m, 8) ? (at + 1) % NODES : generate_below(&m, NODES);
		rows.type[i] = TRC_FETCH;
		rows.addr[i] = 4096;
		rows.addr[i + 1] = node[at];
	}
	open_checked(&b, &rows, false);
	CHECK(b.refs.stream[TRC_REFS_SUCCESSOR].n == 0);
	round_trip_close(&b);
	trc_batch_release(&rows);
}

/* Other loads may come between that of a node and that of what it has. */
static void
keys_may_be_far_back(void)
{
	enum { LOOKUPS = 500, NODES = 60 };

	for (size_t back = 1; back <= TRC_BACK; back += back == 2 ? TRC_BACK - 2 : 1) {
		struct trc_batch rows = generate_zeros(HAVE, 2 * LOOKUPS * (back + 1));
		uint64_t node[NODES], has[NODES];
		struct generator m = { test_seed };
		size_t at = 0;
		struct round_trip b;

		fill_random(&m, node, NODES);
		fill_random(&m, has, NODES);
		for (size_t i = 0; i < rows.n; i += 2) {
			const size_t k = i / 2 % (back + 1);

			if (k == 0)
				at = generate_below(&m, NODES);
			rows.type[i] = TRC_FETCH;
			rows.addr[i] = 4096 + 4 * k;
			rows.addr[i + 1] = k == 0    ? node[at] :
			                   k == back ? has[at] :
			                               generate_random(&m);
		}
		open_checked(&b, &rows, false);
		CHECK(entries_of(&b, back) > 0);
		CHECK((b.refs.stream[TRC_REFS_SUCCESSOR].p[back] - 1u) / TRC_SUCCESSOR_SIZES ==
		      back);
		round_trip_close(&b);
		trc_batch_release(&rows);
	}
}

/* A node has eight things, each in a table that is as large as any: four tables may be so large. */
static void
tables_are_no_more_than_fit(void)
{
	enum { LOOKUPS = 30000, NODES = 15000, THINGS = 8, ROWS = LOOKUPS * (THINGS + 2) };
	static const struct trc_refs_old none = { 0, 0 };
	struct trc_batch rows = generate_zeros(HAVE, ROWS);
	const struct trc_refs_rows all = { .type = rows.type, .addr = rows.addr, .n = ROWS };
	struct generator m = { test_seed };
	struct trc_err err;
	size_t sum = 0;
	struct round_trip b;

	for (size_t i = 0; i < ROWS; i += THINGS + 2) {
		const uint64_t at = generate_below(&m, NODES);

		rows.type[i] = TRC_FETCH;
		rows.addr[i] = 4096;
		for (size_t k = 1; k < THINGS + 2; k++) {
			struct generator thing = { (uint64_t)k << 32 | at };

			rows.addr[i + k] = generate_random(&thing) >> 24;
		}
	}
	round_trip_open(&b, false);
	CHECK(trc_refs_write(b.writer, &all, &b.refs, &err) == 0 &&
	      trc_refs_write_growth(b.writer, &b.growth, &err) == 0);
	for (size_t k = 0; k < THINGS + 1; k++)
		sum += entries_of(&b, k);
	CHECK_MSG(sum == TRC_SUCCESSOR_MOST, "%zu", sum);
	b.program.lengths = trc_refs_writer_lengths(b.writer);
	CHECK(trc_growth_read(&b.program, b.growth.p, b.growth.n, &err) == 0);
	CHECK_MSG(trc_refs_follow(b.reader, &b.program, none, &b.refs, &err) == 0 &&
	                  trc_refs_begin(b.reader, ROWS, &err) == 0,
	          "%s", err.text);
	round_trip_close(&b);
	trc_batch_release(&rows);
}

/* The last of three loads is of what lies behind the second, for some nodes that the first may
 * load, and of what the node has for the others. Without a table, it follows the second. */
static void
a_slot_with_a_table_may_follow_another(void)
{
	enum { ROWS = 12000, NODES = 300 };
	struct trc_batch rows = generate_zeros(HAVE, ROWS);
	uint64_t node[NODES], has[NODES];
	struct generator m = { test_seed };
	struct round_trip b;

	for (size_t i = 0; i < NODES; i++) {
		node[i] = generate_below(&m, 1 << 20);
		has[i] = generate_below(&m, 1 << 20);
	}
	for (size_t i = 0; i < ROWS; i += 4) {
		const size_t at = generate_below(&m, NODES);

		rows.type[i] = TRC_FETCH;
		rows.addr[i] = 4096;
		rows.addr[i + 1] = node[at];
		rows.addr[i + 2] = node[generate_below(&m, 64)];
		rows.addr[i + 3] = at % 5 < 2 ? rows.addr[i + 2] + 8 : has[at];
	}
	for (int fast = 0; fast < 2; fast++) {
		open_checked(&b, &rows, fast);
		CHECK(b.program.slot[2].mode == (fast ? TRC_MODE_BACK : TRC_MODE_ABSOLUTE));
		CHECK(b.refs.stream[TRC_REFS_SUCCESSOR].n == (fast ? 0 : 3));
		round_trip_close(&b);
	}
	trc_batch_release(&rows);
}

/* How far the second of two loads steps on from where it was depends on what the first one has. */
static void
steps_are_predicted(void)
{
	enum { ROWS = 10000, NODES = 300 };
	struct trc_batch rows = generate_zeros(HAVE, ROWS);
	struct generator m = { test_seed };
	uint64_t node[NODES], step[NODES], place = 1 << 30;
	size_t at = 0;
	struct round_trip b;

	for (size_t i = 0; i < NODES; i++) {
		node[i] = generate_below(&m, 1 << 20);
		step[i] = generate_below(&m, 1 << 8);
	}
	for (size_t i = 0; i < ROWS; i += 2) {
		at = i % 4 ? at : generate_below(&m, NODES);
		place += i % 4 ? step[at] : 0;
		rows.type[i] = TRC_FETCH;
		rows.addr[i] = 4096 + i % 4;
		rows.addr[i + 1] = i % 4 ? place : node[at];
	}
	open_checked(&b, &rows, false);
	CHECK(b.program.slot[1].mode == TRC_MODE_SELF && entries_of(&b, 1) > 0);
	round_trip_close(&b);
	round_trip_check_blocks(&rows, false);
	trc_batch_release(&rows);
}

/* The first address of a slot that steps is by itself: nothing reads what came before it, which
 * would be far from all data here. */
static void
a_slot_that_steps_begins_with_its_second_reference(void)
{
	enum { STEPS = 3000, NODES = 300 };
	static uint64_t data[TRC_BACK + 2 * STEPS];
	static uint32_t event[1 + STEPS] = { UINT32_C(1) << 28 };
	const struct trc_slot_refs refs = { data + TRC_BACK, event + 1, STEPS, STEPS };
	struct trc_successor_search search = { .left = TRC_SUCCESSOR_MOST };
	struct generator m = { test_seed };
	uint64_t node[NODES], place = 1 << 30;
	unsigned mode = TRC_MODE_SELF;
	struct trc_successor_table chosen;
	struct trc_err err;

	fill_random(&m, node, NODES);
	for (size_t i = 0; i < STEPS; i++) {
		const size_t at = generate_below(&m, NODES);

		data[TRC_BACK + 2 * i] = node[at];
		data[TRC_BACK + 2 * i + 1] = place += node[at] % 256;
		event[1 + i] = (uint32_t)(2 * i + 1);
	}
	CHECK_MSG(trc_successor_choose(&search, &refs, STEPS, &mode, &chosen, &err) == 0, "%s",
	          err.text);
	CHECK(chosen.bits > 0 && chosen.key == 1 && mode == TRC_MODE_SELF);
	trc_successor_search_release(&search);
}

/* Each kind of table has a byte, and the other bytes are none. */
static void
tables_are_stored_as_a_byte(void)
{
	for (unsigned byte = 0; byte < 256; byte++) {
		struct trc_successor_table r;

		CHECK(trc_successor_from_byte((uint8_t)byte, &r) == (byte <= 17 * 13));
		if (byte > 17 * 13)
			continue;
		CHECK(byte == 0 ? r.bits == 0 : byte == 1u + 13 * r.key + r.bits - 4);
		CHECK(byte == 0 || (r.bits >= 4 && r.bits <= 16));
		CHECK(trc_successor_byte(&r) == byte);
	}
}

/* The data reference k before the j-th of all, 0 if there is none. */
static uint64_t
before(const uint64_t *addr, size_t j, size_t k)
{
	return j >= k ? addr[j - k] : 0;
}

/* What a slot remembers by the definition (codec/program/refs.h, codec/program/successor_table.h).
 *  */
struct defined {
	uint64_t key[1 << TRC_SUCCESSOR_BITS_MOST], residual[1 << TRC_SUCCESSOR_BITS_MOST];
	uint64_t last[TRC_LAST_RESIDUALS + 1];
	size_t lasts;
};

/* The token of a reference; without bits, the slot has no table. */
static uint8_t
token_of(struct defined *d, unsigned bits, uint64_t key, uint64_t v)
{
	const size_t at = bits ? (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits)) : 0;
	const bool has = bits && d->key[at] == key, right = has && d->residual[at] == v;
	size_t place = 0;

	d->key[at] = key;
	d->residual[at] = v;
	if (right)
		return 0;
	while (place < d->lasts && d->last[place] != v)
		place++;
	if (place == d->lasts)
		place = TRC_LAST_RESIDUALS;
	d->lasts += place == TRC_LAST_RESIDUALS && d->lasts < TRC_LAST_RESIDUALS;
	memmove(d->last + 1, d->last, place * sizeof(*d->last));
	d->last[0] = v;
	return (uint8_t)(place + (has && place < TRC_LAST_RESIDUALS));
}

/* Appends the tokens and, if `literal`, the literals of a slot, which is `slot` of two that take
 * turns and makes every second of all data references. */
static void
put_slot(const struct round_trip *b, size_t slot, const uint64_t *addr, size_t n,
         struct trc_buf *token, struct trc_buf *literal)
{
	static struct defined d;
	const unsigned byte = b->refs.stream[TRC_REFS_SUCCESSOR].p[slot], back = (byte - 1) / 13;
	const unsigned mode = b->program.slot[slot].mode;
	const struct trc_scaled *s = mode < TRC_MODE_SCALED ? NULL :
	                                                      &trc_scaled[mode - TRC_MODE_SCALED];
	uint8_t bytes[8];
	struct trc_err err;

	memset(&d, 0, sizeof(d));
	for (size_t j = slot + (mode == TRC_MODE_SELF ? 2 : 0); j < n; j += 2) {
		const uint64_t base = mode == TRC_MODE_ABSOLUTE ? 0 :
		                      mode == TRC_MODE_SELF     ? before(addr, j, 2) :
		                      s ? before(addr, j, s->back) << s->left >> s->right :
		                          before(addr, j, mode - TRC_MODE_BACK + 1);
		const uint8_t t = token_of(&d, byte ? 4 + (byte - 1) % 13 : 0,
		                           before(addr, j, byte && back ? back : 2),
		                           addr[j] - base);

		CHECK(trc_buf_put_byte(token, t, &err) == 0);
		trc_put_be64(bytes, b->refs.absolute ? addr[j] : addr[j] - base);
		if (literal && t == TRC_LAST_RESIDUALS)
			CHECK(trc_buf_put(literal, bytes, sizeof(bytes), &err) == 0);
	}
}

static void
tokens_are_as_defined(void)
{
	enum { ROWS = 10000 };
	static uint64_t data[ROWS / 2];
	struct trc_batch rows = generate_lookups(HAVE, ROWS, test_seed);
	struct trc_buf token = { 0 };
	size_t predicted = 0;
	struct round_trip b;

	for (size_t i = 0; i < ROWS / 2; i++)
		data[i] = rows.addr[2 * i + 1];
	round_trip_open(&b, false);
	round_trip_check(&b, &rows, 0, ROWS, 999);
	for (size_t slot = 0; slot < 2; slot++)
		put_slot(&b, slot, data, ROWS / 2, &token, NULL);
	CHECK(token.n == b.refs.stream[TRC_REFS_TOKEN].n);
	CHECK(memcmp(token.p, b.refs.stream[TRC_REFS_TOKEN].p, token.n) == 0);
	for (size_t i = token.n - ROWS / 4; i < token.n; i++)
		predicted += token.p[i] == 0;
	CHECK(predicted > ROWS / 8);
	trc_buf_release(&token);
	round_trip_close(&b);
	trc_batch_release(&rows);
}

/* Checks that the writer makes these tokens of a slot of two; returns how many. */
static size_t
check_tokens(const struct round_trip *b, size_t slot, const uint64_t *data, size_t n,
             const uint8_t *token)
{
	static struct trc_successor_entry table[1 << TRC_SUCCESSOR_BITS_MOST];
	static uint32_t event[ROUND_TRIP_ROWS];
	const unsigned mode = b->program.slot[slot].mode;
	const struct trc_slot_refs r = { data, event, n / 2, n };
	struct trc_last_residuals mtf = { .n = 0 };
	struct trc_successor_table successor;
	size_t j;

	CHECK(trc_successor_from_byte(b->refs.stream[TRC_REFS_SUCCESSOR].p[slot], &successor));
	memset(table, 0, sizeof(table));
	successor.entry = table;
	for (j = 0; j < r.n; j++)
		event[j] = (uint32_t)(2 * j + slot);
	for (j = mode == TRC_MODE_SELF; j < r.n; j++) {
		const uint64_t v = trc_residual(&r, j, mode);

		CHECK(trc_successor_token(&successor, &r, j, v, &mtf) == *token++);
	}
	return r.n - (mode == TRC_MODE_SELF);
}

/* Reads the block again as two slots of any modes have it, with tables of any keys. Before `data`
 * stand as many zeros as any key is back. */
static void
check_tables(struct round_trip *b, const uint64_t *data, size_t n, struct generator *m)
{
	static uint64_t addr[ROUND_TRIP_ROWS];
	const struct trc_refs_old none = { 0, 0 };
	struct trc_buf *stream = b->refs.stream;
	struct trc_err err;
	uint8_t first[8];

	for (int s = TRC_REFS_STATE; s < TRC_REFS_STREAMS; s++)
		stream[s].n = 0;
	b->refs.absolute = generate_below(m, 2);
	for (size_t slot = 0; slot < 2; slot++) {
		const uint64_t bits = 4 * generate_below(m, 4);
		const uint8_t byte = (uint8_t)(bits ? 1 + 13 * generate_below(m, 17) + bits - 4 :
		                                      0);

		b->program.slot[slot].mode = (uint8_t)generate_below(m, TRC_MODES);
		trc_put_be64(first, data[slot]);
		CHECK(b->program.slot[slot].mode != TRC_MODE_SELF ||
		      trc_buf_put(&stream[TRC_REFS_FIRST], first, sizeof(first), &err) == 0);
		CHECK(trc_buf_put_byte(&stream[TRC_REFS_SUCCESSOR], byte, &err) == 0);
	}
	for (size_t slot = 0, at = 0; slot < 2; slot++) {
		put_slot(b, slot, data, n, &stream[TRC_REFS_TOKEN], &stream[TRC_REFS_LITERAL]);
		at += check_tokens(b, slot, data, n, stream[TRC_REFS_TOKEN].p + at);
		CHECK(at == stream[TRC_REFS_TOKEN].n);
	}
	if (stream[TRC_REFS_SUCCESSOR].p[0] == 0 && stream[TRC_REFS_SUCCESSOR].p[1] == 0)
		stream[TRC_REFS_SUCCESSOR].n = 0;
	CHECK(trc_refs_follow(b->reader, &b->program, none, &b->refs, &err) == 0);
	CHECK_MSG(trc_refs_begin(b->reader, 2 * n, &err) == 0, "%s", err.text);
	CHECK(trc_refs_next(b->reader, NULL, addr, NULL, NULL, 2 * n) == 2 * n);
	for (size_t i = 0; i < n; i++)
		CHECK(addr[2 * i + 1] == data[i]);
}

/* Two slots that refer to any of a few addresses, 0 being one: they meet the same keys again and
 * again, often with another residual than the last time. */
static void
any_slot_may_have_any_key(void)
{
	enum { DATA = 1000, PLACES = 12, WAYS = 400 };
	struct trc_batch rows = generate_zeros(HAVE, 2 * DATA);
	uint64_t all[TRC_BACK + DATA] = { 0 }, *data = all + TRC_BACK, place[PLACES] = { 0 };
	struct generator m = { test_seed };
	struct round_trip b;

	for (size_t i = 1; i < PLACES; i++)
		place[i] = generate_random(&m);
	for (size_t i = 0; i < DATA; i++) {
		data[i] = place[generate_below(&m, PLACES)];
		rows.type[2 * i] = TRC_FETCH;
		rows.addr[2 * i] = 4096 + 4 * (i % 2);
		rows.addr[2 * i + 1] = data[i];
	}
	round_trip_open(&b, true);
	round_trip_check(&b, &rows, 0, 2 * DATA, 999);
	for (int i = 0; i < WAYS; i++)
		check_tables(&b, data, DATA, &m);
	round_trip_close(&b);
	trc_batch_release(&rows);
}

/* Begins with a block of `n` rows, in which five slots take turns that vary. */
static void
open_wild(struct round_trip *b, size_t n)
{
	struct trc_batch rows = generate_zeros(HAVE, n);
	const struct trc_refs_rows all = { .type = rows.type, .addr = rows.addr, .n = n };
	struct generator m = { test_seed };
	struct trc_err err;

	for (size_t i = 0; i < n; i++) {
		rows.type[i] = i % 2 ? TRC_READ : TRC_FETCH;
		rows.addr[i] = i % 2 ? generate_random(&m) : 4096 + 2 * (i % 10);
	}
	round_trip_open(b, true);
	CHECK(trc_refs_write(b->writer, &all, &b->refs, &err) == 0 &&
	      trc_refs_write_growth(b->writer, &b->growth, &err) == 0);
	b->program.lengths = trc_refs_writer_lengths(b->writer);
	CHECK(trc_growth_read(&b->program, b->growth.p, b->growth.n, &err) == 0);
	trc_batch_release(&rows);
}

/* Whether a reader takes tables of so many bits for the first slots of that, 0 being none; if not,
 * its message contains `why`. */
static bool
takes_tables(struct round_trip *b, size_t n, const uint8_t *bits, size_t slots, const char *why)
{
	struct trc_buf *successor = &b->refs.stream[TRC_REFS_SUCCESSOR];
	const struct trc_refs_old none = { 0, 0 };
	struct trc_err err;

	successor->n = 0;
	for (size_t i = 0; i < slots; i++)
		CHECK(trc_buf_put_byte(successor, bits[i] ? 1u + bits[i] - 4 : 0, &err) == 0);
	CHECK(trc_refs_follow(b->reader, &b->program, none, &b->refs, &err) == 0);
	if (trc_refs_begin(b->reader, n, &err) == 0)
		return true;
	CHECK_MSG(strstr(err.text, why), "%s", err.text);
	return false;
}

/* They have 8 entries for each row, and 2^18, at most, and are part of what a reader may take. */
static void
tables_that_do_not_fit_are_refused(void)
{
	enum { FEW = 128, MANY = 40000 };
	static const uint8_t all[] = { 0, 9, 0, 8, 8 }, more[] = { 4, 9, 0, 8, 8 };
	static const uint8_t most[] = { 16, 16, 0, 16, 16 }, above[] = { 16, 16, 4, 16, 16 };
	struct round_trip b;

	open_wild(&b, FEW);
	CHECK(takes_tables(&b, FEW, all, 5, ""));
	CHECK(!takes_tables(&b, FEW, all, 4, "successor tables"));
	CHECK(!takes_tables(&b, FEW, more, 5, "tables"));
	round_trip_close(&b);
	open_wild(&b, MANY);
	CHECK(takes_tables(&b, MANY, most, 5, ""));
	CHECK(!takes_tables(&b, MANY, above, 5, "tables"));
	trc_refs_reader_limit(b.reader, 4 << 20);
	CHECK(takes_tables(&b, MANY, NULL, 0, ""));
	CHECK(!takes_tables(&b, MANY, most, 5, "memory"));
	round_trip_close(&b);
}

int
main(void)
{
	test_start();
	RUN(what_nodes_have_is_predicted);
	RUN(parents_are_predicted);
	RUN(what_packs_well_has_no_table);
	RUN(keys_may_be_far_back);
	RUN(tables_are_no_more_than_fit);
	RUN(a_slot_with_a_table_may_follow_another);
	RUN(steps_are_predicted);
	RUN(a_slot_that_steps_begins_with_its_second_reference);
	RUN(tables_are_stored_as_a_byte);
	RUN(tokens_are_as_defined);
	RUN(any_slot_may_have_any_key);
	RUN(tables_that_do_not_fit_are_refused);
	return 0;
}
