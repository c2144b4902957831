/* SPDX-License-Identifier: MIT
 * Columns that ops explain: instruction words, branches and registers in containers. */
#include "codec/growth/growth.h"
#include "codec/growth/op_columns.h"
#include "codec/growth/op_symbols.h"
#include "container_fixture.h"

enum { PROGRAM_ROWS = 60000, PROGRAM_OPS = 400, BLOCK = 20000 };

#define REFS (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE)

static struct trc_batch
make_rows(uint32_t have, unsigned tasks)
{
	const struct generate_program spec = { have, PROGRAM_ROWS, PROGRAM_OPS, tasks, 0, false };
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	return rows;
}

/* How many bytes rows take, which come back by one thread and by several, and from the middle. */
static size_t
bytes_of(const struct trc_batch *rows)
{
	struct generate_bytes bytes = container_blocks(rows, BLOCK);
	const size_t n = bytes.len, skip = rows->n / 2 + 77;
	const struct trc_batch rest = container_slice(rows, skip, rows->n - skip);
	struct container_got g;
	char why[128];

	container_holds(&bytes, "trc:threads=1", rows);
	container_holds(&bytes, "pipe:threads=3", rows);
	container_read_from(&bytes, "trc:threads=2", 100, skip, rest.n, &g);
	CHECK_MSG(g.ret == 0, "%s", g.err.text);
	CHECK_MSG(generate_same(&rest, &g.rows, rows->have, why, sizeof(why)), "%s", why);
	container_forget(&g);
	free(bytes.p);
	return n;
}

/* And without some of their columns. */
static size_t
bytes_without(const struct trc_batch *rows, uint32_t columns)
{
	struct trc_batch some = *rows;

	some.have &= ~columns;
#define COLUMN(NAME, field, ctype, doc)    \
	if (!(some.have & TRC_HAS_##NAME)) \
		some.field = NULL;
#include "batch/columns.def"
#undef COLUMN
	return bytes_of(&some);
}

/* Words are random here, so each costs what it has, but once. */
static void
what_belongs_to_an_instruction_is_stored_once(void)
{
	const uint32_t columns = TRC_HAS_INSN | TRC_HAS_BRANCH | TRC_HAS_REGS;

	for (unsigned tasks = 1; tasks <= 3; tasks += 2) {
		struct trc_batch rows = make_rows(REFS | TRC_HAS_TASK | columns, tasks);
		const size_t all = bytes_of(&rows), without = bytes_without(&rows, columns);

		CHECK_MSG(all - without < (size_t)tasks * PROGRAM_OPS * 9 + 300, "%zu of %zu",
		          all - without, all);
		trc_batch_release(&rows);
	}
}

/* Of one task, whose path shows it. */
static void
whether_a_branch_was_taken_follows_from_the_path(void)
{
	struct trc_batch rows = make_rows(REFS | TRC_HAS_BRANCH, 1);
	const size_t all = bytes_of(&rows), without = bytes_without(&rows, TRC_HAS_BRANCH);

	CHECK_MSG(all - without < 250, "%zu of %zu", all - without, all);
	trc_batch_release(&rows);
}

/* Code is written anew: from the middle on some instructions are others, for good. */
static void
code_that_changes_costs_each_change(void)
{
	struct trc_batch rows = make_rows(REFS | TRC_HAS_INSN, 1);
	const size_t before = bytes_of(&rows);
	size_t after;

	for (size_t i = BLOCK / 2; i < BLOCK; i++)
		if (rows.insn[i] && rows.addr[i] / 4 % 8 == 0)
			rows.insn[i] ^= 0x500;
	after = bytes_of(&rows);
	CHECK_MSG(after < before + PROGRAM_OPS / 8 * 12 + 200, "%zu, before %zu", after, before);
	trc_batch_release(&rows);
}

static void
single_values_that_are_others_cost_what_they_have(void)
{
	struct trc_batch rows = make_rows(REFS | TRC_HAS_INSN | TRC_HAS_REGS, 1);
	const size_t before = bytes_of(&rows);
	struct generator m = { test_seed };
	size_t after;

	for (size_t i = 0; i < 100; i++) {
		rows.insn[generate_below(&m, rows.n)] ^= generate_random(&m);
		rows.regs[generate_below(&m, rows.n)] ^= 1 + generate_below(&m, 4);
	}
	after = bytes_of(&rows);
	CHECK_MSG(after < before + 100 * 20 + 500, "%zu, before %zu", after, before);
	trc_batch_release(&rows);
}

/* Columns of which ops explain nothing are packed as all others are; so are those that begin so in
 * some blocks only. */
static void
columns_that_ops_do_not_explain_come_back(void)
{
	struct generator m = { test_seed };

	for (size_t block = 0; block <= 3; block += test_step() > TEST_STEP ? 3 : 1) {
		struct trc_batch rows = make_rows(REFS | TRC_HAS_INSN | TRC_HAS_BRANCH, 1);
		size_t bytes;

		for (size_t i = block % 3 * BLOCK; i < (block == 3 ? 3 : block % 3 + 1) * BLOCK;
		     i++)
			rows.insn[i] = generate_random(&m);
		bytes = bytes_of(&rows);
		CHECK_MSG(bytes < (block == 3 ? 3 : 1) * (BLOCK * 8 + BLOCK * 2), "%zu", bytes);
		trc_batch_release(&rows);
	}
}

/* Instructions that came as the last of a block have no edge there. */
static void
blocks_of_any_size_come_back(void)
{
	struct trc_batch rows = make_rows(REFS | TRC_HAS_PC | TRC_HAS_INSN | TRC_HAS_BRANCH, 2);
	struct generator m = { test_seed };

	const bool few = test_step() > TEST_STEP;
	const size_t times = test_step() == 1 ? 2 : 5, most = few ? 300 : 1400,
	             blocks = few ? 6 : 40;

	for (size_t block = 1; block < most; block = block * times + generate_below(&m, 3)) {
		const struct trc_batch some = container_slice(&rows, 1000, blocks * block + 1);
		struct generate_bytes bytes = container_blocks(&some, block);

		container_holds(&bytes, "trc:threads=2", &some);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

/* Several hundred edges leave one instruction, each with another value. */
static void
far_edges_have_values_of_their_own(void)
{
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_INSN, 8000);
	struct generator m = { test_seed };

	for (size_t i = 0; i < rows.n; i++) {
		rows.type[i] = TRC_FETCH;
		rows.addr[i] = i % 2 ? 4096 + 64 * generate_below(&m, 400) : 1024;
	}
	for (size_t i = 0; i + 1 < rows.n; i++)
		rows.insn[i] = i % 2 ? rows.addr[i] : rows.addr[i + 1];
	bytes_of(&rows);
	trc_batch_release(&rows);
}

/* Instructions of 1 to 15 bytes, or all of 4, whose sizes the trace lacks, as ChampSim's do. */
static struct trc_batch
make_lengths(size_t n, bool alike)
{
	enum { CODE = 3000 };
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, n);
	struct generator m = { test_seed };
	static uint64_t pc[CODE + 1];
	uint64_t at = 0x400000;
	size_t op = 0;

	for (size_t i = 0; i < CODE; i++) {
		const uint64_t length = 1 + generate_below(&m, 15);

		pc[i] = at += alike ? 4 : length;
	}
	for (size_t i = 0; i < n; i++) {
		rows.type[i] = TRC_FETCH;
		rows.addr[i] = pc[op];
		op = generate_below(&m, 40) == 0 ? op * 7 % CODE / (1 + i % 3) : (op + 1) % CODE;
	}
	return rows;
}

static void
lengths_that_the_trace_lacks_are_found(void)
{
	struct trc_batch rows = make_lengths(PROGRAM_ROWS, false);
	struct trc_batch four = make_lengths(PROGRAM_ROWS, true);
	const size_t bytes = bytes_of(&rows), alike = bytes_of(&four);

	for (size_t block = 1; block < 3000; block = block * (2 + test_step_most(9)) + 1) {
		const struct trc_batch some = container_slice(&rows, 0, 10 * block + 1);
		struct generate_bytes c = container_blocks(&some, block);

		container_holds(&c, "trc:threads=2", &some);
		free(c.p);
	}
	/* They are random: four bits each. */
	CHECK_MSG(bytes < alike + 3000 / 2 + 300, "%zu, %zu if all have 4 bytes", bytes, alike);
	trc_batch_release(&rows);
	trc_batch_release(&four);
}

/* Nor have they one where an instruction has no fetch. */
static void
references_without_a_fetch_have_no_length(void)
{
	struct trc_batch some = make_lengths(PROGRAM_ROWS / 4, false);
	struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_PC, some.n);

	for (size_t i = 0; i < rows.n; i++) {
		rows.type[i] = i % 9 ? TRC_FETCH : TRC_READ;
		rows.pc[i] = some.addr[i];
		rows.addr[i] = i % 9 ? some.addr[i] : UINT64_C(0x7f0000000000) + 8 * (i % 100);
	}
	bytes_of(&rows);
	trc_batch_release(&rows);
	trc_batch_release(&some);
}

/* A replayed hash table had blocks of half the rows with words as without, and a tenth more
 * bytes. */
static void
what_belongs_to_an_instruction_makes_blocks_no_shorter(void)
{
	static const uint8_t block_rows[] = { 0x80, 0x80, 0x80, 3 };
	const uint32_t columns[] = { 0, TRC_HAS_INSN,
		                     TRC_HAS_INSN | TRC_HAS_BRANCH | TRC_HAS_REGS };

	for (size_t i = 0; i < TRC_COUNT(columns); i++) {
		struct trc_batch rows = generate_zeros(REFS | columns[i], 3);
		struct generate_bytes bytes = container_blocks(&rows, 0);
		size_t at = 0;

		while (at < 40 && memcmp(bytes.p + at, block_rows, sizeof(block_rows)) != 0)
			at++;
		CHECK_MSG(at < 40, "columns %zu", i);
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

/* ---- programs ---- */

/* Makes a program longer, by instructions that follow each other and have random registers. */
static void
lengthen(struct trc_program *p, struct generator *m, size_t ops)
{
	struct trc_op_column *c = &p->column[0];
	const size_t first = p->ops, edges = p->edges;
	struct trc_err err;

	for (; p->ops < first + ops;) {
		const uint32_t op = (uint32_t)p->ops;

		CHECK(trc_program_add_op(p, 4 * (uint64_t)op, 0, &err) == 0);
		CHECK(op == 0 || trc_program_add_edge(p, op - 1, op, &err) == 0);
	}
	CHECK(trc_op_columns_room(p, &err) == 0);
	for (size_t i = first; i < p->ops; i++)
		c->of_op[i] = generate_random(m) & UINT64_C(0x3f00001f0000003f);
	for (size_t i = edges; i < p->edges; i++)
		c->of_edge[i] = c->of_op[p->edge[i].from];
}

static void
new_program(struct trc_program *p)
{
	struct trc_shape s = { .rows = 1, .type = { TRC_FETCH }, .size = { 4 } };
	struct trc_err err;

	*p = (struct trc_program){ 0 };
	trc_op_columns_add(p, TRC_COL_REGS, 8, true);
	CHECK(trc_shape_finish(&s) && trc_program_add_shape(p, &s, &err) == 0);
}

/* As where a block is still read by the program before. */
static void
a_program_grows_on_in_a_copy(void)
{
	enum { PARTS = 3, OPS = 200 };
	struct generator m = { test_seed };
	struct trc_program written, read[PARTS] = { { 0 } };
	struct trc_buf part = { 0 };
	struct trc_err err;

	new_program(&written);
	trc_op_columns_add(&read[0], TRC_COL_REGS, 8, true);
	for (size_t i = 0; i < PARTS; i++) {
		const struct trc_program *p = &read[i];

		part.n = 0;
		lengthen(&written, &m, OPS);
		CHECK(trc_growth_write(&written, NULL, &part, &err) == 0);
		CHECK(i == 0 || trc_program_go_on(&read[i], &read[i - 1], &err) == 0);
		CHECK_MSG(trc_growth_read(&read[i], part.p, part.n, &err) == 0, "%s", err.text);
		CHECK(p->ops == written.ops && p->column[0].ops == written.ops);
		CHECK(memcmp(p->column[0].of_op, written.column[0].of_op,
		             written.ops * sizeof(uint64_t)) == 0);
		CHECK(memcmp(p->column[0].of_edge, written.column[0].of_edge,
		             written.edges * sizeof(uint64_t)) == 0);
	}
	for (size_t i = 0; i < PARTS; i++)
		trc_program_release(&read[i]);
	trc_program_release(&written);
	trc_buf_release(&part);
}

/* ---- symbols ---- */

/* Codes symbols, most of which follow from the one before; with `costs`, adds up what each would
 * cost, in bits. */
static void
code_symbols(struct trc_buf *out, bool costs, double *bits)
{
	enum { SYMBOLS = 4000, BITS = 6 };
	const struct trc_predictor_row row = { .contexts = 3,
		                               .map_sets = 1,
		                               .mixers = { 2 << BITS, 1 << BITS, 1 },
		                               .apms = { 2 << BITS, 1 << BITS } };
	struct trc_predictors with = { 0 };
	struct trc_predictor p = { 0 };
	struct generator m = { test_seed };
	uint32_t before = 0;
	struct trc_err err;

	CHECK(trc_predictors_init(&with, 10, &err) == 0);
	CHECK(trc_predictor_init(&p, &with, 0, &row, &err) == 0);
	trc_rc_write(&with.rc, out);
	for (size_t i = 0; i < SYMBOLS; i++) {
		const struct trc_symbol s = { BITS, BITS, { i % 2, 0, 0 } };
		const uint32_t context[] = { before, trc_hash2(before, i % 2), 7 };
		const unsigned v = generate_below(&m, 4) ? before * 7 % 61 :
		                                           (unsigned)generate_below(&m, 64);
		const uint8_t some[] = { v / 2, v, v | 1 };
		unsigned cost[TRC_COUNT(some)];

		if (costs) {
			trc_symbol_costs(&p, &s, context, some, TRC_COUNT(some), cost);
			CHECK(cost[1] == trc_symbol_cost(&p, &s, context, v));
			*bits += cost[1] / 256.0;
		}
		CHECK(trc_symbol_code(&p, &s, context, v) == v);
		before = v;
	}
	CHECK(trc_rc_finish(&with.rc, &err) == 0);
	trc_predictor_release(&p);
	trc_predictors_release(&with);
}

static void
what_symbols_will_cost_is_known_before(void)
{
	struct trc_buf plain = { 0 }, looked = { 0 };
	double bits = 0;

	code_symbols(&plain, false, NULL);
	code_symbols(&looked, true, &bits);
	CHECK(plain.n == looked.n && memcmp(plain.p, looked.p, plain.n) == 0);
	/* Logarithms are straight lines. */
	CHECK_MSG(bits / 8 > 0.99 * (double)plain.n && bits / 8 < 1.12 * (double)plain.n,
	          "%.1f of %zu", bits / 8, plain.n);
	trc_buf_release(&plain);
	trc_buf_release(&looked);
}

int
main(void)
{
	test_start();
	RUN(a_program_grows_on_in_a_copy);
	RUN(what_symbols_will_cost_is_known_before);
	RUN(what_belongs_to_an_instruction_is_stored_once);
	RUN(whether_a_branch_was_taken_follows_from_the_path);
	RUN(code_that_changes_costs_each_change);
	RUN(single_values_that_are_others_cost_what_they_have);
	RUN(columns_that_ops_do_not_explain_come_back);
	RUN(blocks_of_any_size_come_back);
	RUN(far_edges_have_values_of_their_own);
	RUN(lengths_that_the_trace_lacks_are_found);
	RUN(references_without_a_fetch_have_no_length);
	RUN(what_belongs_to_an_instruction_makes_blocks_no_shorter);
	return 0;
}
