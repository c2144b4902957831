/* SPDX-License-Identifier: MIT
 * References as ops of a program, and back: whatever programs do, and readers that are given
 * anything. */
#include <string.h>

#include "round_trip.h"
#include "codec/program/inference.h"
#include "codec/program/successor_search.h"
#include "codec/entropy/move_to_front.h"
#include "codec/program/refs_literals.h"

enum { MOST = ROUND_TRIP_ROWS };

/* Rows that go around four arrays in the same order, or in random order. */
static void
rows_are_alike_by_path_or_by_stream(void)
{
	static uint64_t addr[MOST], pc[MOST];
	static uint8_t type[MOST];
	const struct trc_refs_rows rows = { .type = type, .addr = addr, .n = MOST };
	struct generator m = { test_seed };

	for (int random = 0; random < 2; random++) {
		uint64_t at[4] = { 1 << 28, 2 << 28, 3 << 28, 1 << 30 };
		enum trc_inference_kind best;
		struct trc_err err;

		for (size_t i = 0; i < MOST; i++) {
			uint64_t *a = &at[random ? generate_below(&m, 4) : i / 3 % 4];

			addr[i] = *a += 8;
		}
		CHECK_MSG(trc_infer_instructions(&rows, 1, pc, &best, &err) == 0, "%s", err.text);
		CHECK(best == (random ? TRC_INFER_BY_STREAM : TRC_INFER_BY_PATH));
		trc_inference(&rows, TRC_INFER_BY_STREAM, pc);
		for (size_t i = 16; i < MOST; i++)
			CHECK(random || i < 24 || pc[i] == pc[i - 12]);
	}
}

/* Leaves so many bytes behind on the stack, for whoever does not set what it reads. */
static TRC_NO_INLINE void
leave_behind(int byte)
{
	volatile uint8_t stack[4096];

	for (size_t i = 0; i < sizeof(stack); i++)
		stack[i] = (uint8_t)byte;
}

/* A stream that was never met was near where the first begins, 64 KiB on, and had any name. */
static void
streams_have_names_of_their_own(void)
{
	static const uint8_t type[4];
	static const uint64_t addr[4] = { 1 << 20, (1 << 20) + (1 << 16) + 8, (1 << 20) + 8,
		                          (1 << 20) + (1 << 16) + 16 };
	const struct trc_refs_rows rows = { .type = type, .addr = addr, .n = 4 };
	uint64_t pc[2][4];

	for (int i = 0; i < 2; i++) {
		leave_behind(i ? 0xff : 0x55);
		trc_inference(&rows, TRC_INFER_BY_STREAM, pc[i]);
	}
	CHECK(memcmp(pc[0], pc[1], sizeof(pc[0])) == 0);
	CHECK(pc[0][0] != pc[0][1]);
	CHECK(pc[0][0] == pc[0][2] && pc[0][1] == pc[0][3]);
}

static void
references_come_back(void)
{
	static const uint32_t have[] = { TRC_HAS_TYPE | TRC_HAS_ADDR,
		                         TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
		                         TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_PC };

	for (size_t i = 0; i < TRC_COUNT(have); i++) {
		const struct generate_program program[] = { { have[i], MOST, 300, 1, 0, false },
			                                    { have[i], MOST, 300, 7, 0, false },
			                                    { have[i], MOST, 30, 2, 9000, false },
			                                    { have[i], MOST, 300, 3, 0, true } };
		const struct generate_spec any = { .have = have[i], .rows = 3000 };
		struct trc_batch rows;

		for (size_t k = 0; k < TRC_COUNT(program); k++) {
			generate_program_rows(&rows, &program[k], test_seed);
			round_trip_check_blocks(&rows, test_seed % 2);
			trc_batch_release(&rows);
		}
		generate_rows(&rows, &any, test_seed);
		for (size_t k = 0; rows.pc && k < rows.n; k++)
			if ((rows.type[k] & TRC_TYPE_MASK) == TRC_FETCH)
				rows.pc[k] = rows.addr[k];
		round_trip_check_blocks(&rows, test_seed % 2);
		trc_batch_release(&rows);
	}
}

/* Arrays of elements of several sizes, looked up by one random number: only the first lookup is
 * news. */
static void
lookups_by_one_number_come_back(void)
{
	enum { ROWS = 8000, LOOKUPS = 4 };
	static const unsigned shift[LOOKUPS] = { 2, 1, 3, 2 };
	struct generator m = { test_seed };
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, ROWS);
	uint64_t number = 0;
	struct round_trip b;

	for (size_t i = 0; i < ROWS; i++) {
		const size_t k = i % (2 * LOOKUPS);

		if (k == 0)
			number = generate_below(&m, 1 << 20);
		rows.type[i] = k % 2 ? TRC_READ : TRC_FETCH;
		rows.addr[i] = k % 2 ? ((k << 30) + (number << shift[k / 2])) : 4096 + 4 * k;
	}
	round_trip_open(&b, test_seed % 2);
	round_trip_check(&b, &rows, 0, ROWS, 50);
	CHECK(b.refs.stream[TRC_REFS_LITERAL].n <= 4 * (ROWS / (2 * LOOKUPS) + LOOKUPS));
	round_trip_close(&b);
	round_trip_check_blocks(&rows, test_seed % 2);
	trc_batch_release(&rows);
}

/* A loop that goes to places that are all new. Close to them it reads one of a few fields; and it
 * reads the first field or, less often, one of a few tables. So there are addresses and differences
 * that come again. */
static struct trc_batch
make_fields(size_t n)
{
	enum { FIELDS = 40 };
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, n);
	struct generator m = { test_seed };
	uint64_t field[FIELDS], table[FIELDS];
	uint64_t place = 0;

	for (size_t i = 0; i < FIELDS; i++) {
		field[i] = generate_below(&m, 1 << 8);
		table[i] = generate_below(&m, 1 << 30);
	}
	for (size_t i = 0; i < n; i++) {
		const size_t k = i % 6, one = generate_below(&m, FIELDS);

		if (k == 0)
			place = generate_below(&m, 1 << 30);
		rows.type[i] = k % 2 ? TRC_READ : TRC_FETCH;
		rows.addr[i] = k % 2 == 0            ? 4096 + 2 * k :
		               k == 1                ? place :
		               k == 3                ? place + field[one] :
		               generate_below(&m, 4) ? place + field[0] :
		                                       table[one];
	}
	return rows;
}

/* Fields are stored as differences, tables by addresses. */
static void
each_slot_has_its_form_of_literals(void)
{
	enum { ROWS = 12000 };
	struct trc_batch rows = make_fields(ROWS);
	const struct trc_buf *form;
	struct round_trip b;

	round_trip_open(&b, false);
	round_trip_check(&b, &rows, 0, ROWS, 50);
	form = &b.refs.stream[TRC_REFS_FORM];
	CHECK(form->n == 3 && form->p[1] != form->p[2]);
	round_trip_close(&b);
	round_trip_check_blocks(&rows, false);
	trc_batch_release(&rows);
}

/* Half a million addresses of 30 bits, or residuals of 14: what a sample of them takes was
 * multiplied by their number in 32 bits, where a size has no more. */
static void
many_literals_have_the_same_form_on_all_machines(void)
{
	enum { LITERALS = 600000, SAMPLE = 2048 };
	struct trc_refs_literals literals = { 0 };
	struct trc_refs refs = { .absolute = true };
	struct generator m = { test_seed };
	struct trc_err err;

	CHECK(trc_refs_literals_room(&literals, LITERALS, &err) == 0);
	for (size_t i = 0; i < LITERALS; i++) {
		const uint64_t v = generate_random(&m);

		trc_refs_literals_add(&literals, v >> 34, v >> 50);
	}
	trc_refs_literals_end(&literals);
	CHECK_MSG(trc_refs_literals_write(&literals, SAMPLE, 0, &refs, &err) == 0, "%s", err.text);
	CHECK(!refs.absolute);
	trc_refs_literals_release(&literals);
	trc_refs_release(&refs);
}

/* More edges than a byte can number, and more data references than an op can have. */
static void
wide_branches_and_long_ops_come_back(void)
{
	struct generator m = { test_seed };
	struct trc_batch rows;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, TRC_HAS_TYPE | TRC_HAS_ADDR, MOST, &err) == 0);
	for (; rows.n < 8000; rows.n++) {
		rows.type[rows.n] = TRC_FETCH;
		rows.addr[rows.n] = rows.n % 2 ? 4096 : 8192 + 4 * generate_below(&m, 700);
	}
	for (; rows.n < rows.cap; rows.n++) {
		rows.type[rows.n] = rows.n % 40 ? TRC_READ : TRC_FETCH;
		rows.addr[rows.n] = rows.n % 40 ? generate_random(&m) : 64;
	}
	round_trip_check_blocks(&rows, test_seed % 2);
	trc_batch_release(&rows);
}

/* More places far from each other than a table has room for. */
static void
addresses_that_are_all_far_come_back(void)
{
	enum { FAR = 4 * MOST };
	static uint64_t addr[FAR], back[FAR];
	static const uint8_t type[FAR];
	static const uint64_t pc[FAR];
	const struct trc_refs_rows rows = {
		.type = type, .addr = addr, .pc = pc, .inferred = true, .n = FAR
	};
	const struct trc_refs_old none = { 0, 0 };
	struct generator m = { test_seed };
	struct trc_err err;
	struct round_trip b;
	size_t n = 0, got;

	for (size_t i = 0; i < FAR; i++)
		addr[i] = generate_random(&m);
	round_trip_open(&b, test_seed % 2);
	b.growth.n = 0;
	CHECK(trc_refs_write(b.writer, &rows, &b.refs, &err) == 0 &&
	      trc_refs_write_growth(b.writer, &b.growth, &err) == 0);
	CHECK(b.refs.stream[TRC_REFS_HIGH].n == 0);
	CHECK(b.refs.stream[TRC_REFS_LITERAL].n > FAR);
	b.program.lengths = trc_refs_writer_lengths(b.writer);
	CHECK(trc_growth_read(&b.program, b.growth.p, b.growth.n, &err) == 0);
	CHECK_MSG(trc_refs_follow(b.reader, &b.program, none, &b.refs, &err) == 0 &&
	                  trc_refs_begin(b.reader, FAR, &err) == 0,
	          "%s", err.text);
	while ((got = trc_refs_next(b.reader, NULL, back + n, NULL, NULL, FAR - n)) > 0)
		n += got;
	CHECK(n == FAR && memcmp(addr, back, sizeof(addr)) == 0);
	round_trip_close(&b);
}

/* More places that are jumped to, and lines of constant addresses, than are remembered. */
static void
far_jumps_and_lines_come_back(void)
{
	enum { OPS = 3 * TRC_MOVE_TO_FRONT_MOST / 2 };
	static uint64_t data[OPS];
	struct generator m = { test_seed };
	struct trc_batch rows;
	struct trc_err err;

	for (size_t i = 0; i < OPS; i++)
		data[i] = generate_random(&m);
	CHECK(trc_batch_init(&rows, TRC_HAS_TYPE | TRC_HAS_ADDR, 2 * MOST, &err) == 0);
	for (size_t op = 0; rows.n + 2 <= MOST; op = op < OPS ? op + 1 : op) {
		const uint64_t which = op < OPS ? op : generate_below(&m, OPS);

		rows.type[rows.n] = TRC_FETCH;
		rows.addr[rows.n++] = which * 1000003;
		rows.type[rows.n] = TRC_READ;
		rows.addr[rows.n++] = data[which];
	}
	round_trip_check_blocks(&rows, test_seed % 2);
	trc_batch_release(&rows);
}

/* Readers take any bytes in place of a stream: they fail, or give something. */
static void
damaged_streams_do_no_harm(void)
{
	const struct generate_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 2000, 40, 1, 0, false };
	static uint64_t addr[MOST];
	static uint8_t type[MOST];
	struct trc_batch rows[2] = { 0 };
	struct generator m = { test_seed };
	struct trc_err err;

	generate_program_rows(&rows[0], &spec, test_seed);
	rows[1] = generate_lookups(TRC_HAS_TYPE | TRC_HAS_ADDR, 2000, test_seed);
	for (size_t i = 0; i < 300; i += test_step_most(9)) {
		const size_t branches = i % 2;
		struct round_trip b;

		round_trip_open(&b, false);
		round_trip_check(&b, &rows[i / 2 % 2], 0, 2000 - branches, 100);
		for (int s = 0; s < TRC_REFS_STREAMS; s++) {
			const struct trc_refs_old none = { 0, 0 };
			const struct trc_refs_old all = { b.program.slots, b.program.edges };
			struct trc_buf *stream = &b.refs.stream[s];

			for (uint64_t k = 1 + generate_below(&m, 4); k > 0 && stream->n > 0; k--)
				stream->p[generate_below(&m, stream->n)] =
				        (uint8_t)generate_random(&m);
			if (trc_refs_follow(b.reader, &b.program, branches ? none : all, &b.refs,
			                    &err) == 0 &&
			    trc_refs_begin(b.reader, 2000 - branches, &err) == 0)
				while (trc_refs_next(b.reader, type, addr, NULL, NULL, 999) > 0)
					;
		}
		round_trip_close(&b);
	}
	trc_batch_release(&rows[0]);
	trc_batch_release(&rows[1]);
}

/* By turns the loop of make_fields() and one of loads from an address that changes once in the
 * middle, from an array, from anywhere, and from what goes with that: so each stream has something
 * of the second half. */
static struct trc_batch
make_loads(size_t n)
{
	enum { PLACES = 100 };
	struct trc_batch rows = make_fields(n);
	struct generator m = { test_seed };
	uint64_t lies[2][PLACES];
	size_t at = 0;

	for (size_t i = 0; i < 2 * PLACES; i++)
		lies[i / PLACES][i % PLACES] = generate_below(&m, 1 << 20) << 12;
	for (size_t i = 0; i < n; i++) {
		const size_t k = i % 8;

		if (i / 24 % 2 == 0)
			continue;
		if (k == 0)
			at = generate_below(&m, PLACES);
		rows.type[i] = k % 2 ? TRC_READ : TRC_FETCH;
		rows.addr[i] = k % 2 == 0 ? 8192 + 4 * k :
		               k == 1     ? (i < n / 2 ? 1 << 16 : 1 << 18) :
		               k == 3     ? (1 << 20) + 4 * i :
		                            lies[k == 7][at];
	}
	return rows;
}

/* Streams of which each is whole, and that do not belong together. */
static void
streams_that_do_not_fit_are_refused(void)
{
	enum how { CUT, MORE, WRONG, HUGE, ZERO };
	static const struct {
		enum trc_refs_stream stream;
		enum how how;
		size_t n; /* bytes that are cut, or more */
		const char *why;
	} lie[] = {
		{ TRC_REFS_STATE, CUT, 1, "states" },
		{ TRC_REFS_STATE, WRONG, 0, "states" },
		{ TRC_REFS_STATE, MORE, 1, "something left over" },
		{ TRC_REFS_SUCCESSOR, WRONG, 0, "successor tables" },
		{ TRC_REFS_SUCCESSOR, ZERO, 0, "something left over" },
		{ TRC_REFS_SUCCESSOR, HUGE, 0, "tables" },
		{ TRC_REFS_SUCCESSOR, MORE, 1, "something left over" },
		{ TRC_REFS_FORM, CUT, 1, "forms of literals" },
		{ TRC_REFS_FORM, WRONG, 0, "forms of literals" },
		{ TRC_REFS_FORM, MORE, 1, "something left over" },
		{ TRC_REFS_FORM, ZERO, 0, "something left over" },
		{ TRC_REFS_TOKEN, CUT, 1, "tokens" },
		{ TRC_REFS_TOKEN, WRONG, 0, "literals" },
		{ TRC_REFS_TOKEN, MORE, 1, "something left over" },
		{ TRC_REFS_FIRST, CUT, 8, "first addresses" },
		{ TRC_REFS_FIRST, MORE, 8, "something left over" },
		{ TRC_REFS_CONSTANT, CUT, 8, "states" },
		{ TRC_REFS_CONSTANT, MORE, 8, "something left over" },
		{ TRC_REFS_HIGH, MORE, 1, "literals" },
		{ TRC_REFS_HIGH, WRONG, 0, "literals" },
		{ TRC_REFS_LITERAL, CUT, 4, "literals" },
		{ TRC_REFS_LITERAL, CUT, 1, "literals" },
		{ TRC_REFS_LITERAL, MORE, 4, "something left over" },
	};
	enum { HALF = 3000 };
	struct trc_batch rows = make_loads(2 * HALF);
	struct trc_refs_old old;
	struct trc_err err;
	struct round_trip b;

	round_trip_open(&b, false);
	round_trip_check(&b, &rows, 0, HALF, 999);
	old = (struct trc_refs_old){ b.program.slots, b.program.edges };
	round_trip_check(&b, &rows, HALF, HALF, 999);
	CHECK(trc_refs_begin(b.reader, HALF + 1, &err) == -1 && strstr(err.text, "number of rows"));
	for (size_t i = 0; i < TRC_COUNT(lie); i++) {
		struct trc_buf *stream = &b.refs.stream[lie[i].stream], was = *stream, bad = { 0 };

		CHECK_MSG(was.n > 0 && was.n >= lie[i].n, "%zu", i);
		CHECK(trc_buf_put(&bad, was.p, was.n, &err) == 0);
		if (lie[i].how == CUT)
			bad.n -= lie[i].n;
		else if (lie[i].how == MORE)
			CHECK(trc_buf_put(&bad, "\0\0\0\0\0\0\0", lie[i].n, &err) == 0);
		else if (lie[i].how == ZERO)
			memset(bad.p, 0, bad.n);
		else if (lie[i].stream == TRC_REFS_HIGH)
			bad.n = 8; /* of a table, the first alone */
		else
			bad.p[0] = lie[i].how == HUGE ? TRC_SUCCESSOR_SIZES : 0xff;
		*stream = bad;
		CHECK_MSG(trc_refs_follow(b.reader, &b.program, old, &b.refs, &err) == 0, "%zu: %s",
		          i, err.text);
		CHECK_MSG(trc_refs_begin(b.reader, HALF, &err) == -1, "%zu", i);
		CHECK_MSG(strstr(err.text, lie[i].why), "%zu: %s", i, err.text);
		*stream = was;
		trc_buf_release(&bad);
	}
	round_trip_close(&b);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(rows_are_alike_by_path_or_by_stream);
	RUN(streams_have_names_of_their_own);
	RUN(references_come_back);
	RUN(lookups_by_one_number_come_back);
	RUN(each_slot_has_its_form_of_literals);
	RUN(many_literals_have_the_same_form_on_all_machines);
	RUN(wide_branches_and_long_ops_come_back);
	RUN(addresses_that_are_all_far_come_back);
	RUN(far_jumps_and_lines_come_back);
	RUN(damaged_streams_do_no_harm);
	RUN(streams_that_do_not_fit_are_refused);
	return 0;
}
