/* SPDX-License-Identifier: MIT
 * The codecs of the container by themselves: round trips, and readers that are given anything. */
#include <string.h>

#include "codec/flat.h"
#include "codec/guess.h"
#include "codec/recent.h"
#include "codec/refs.h"
#include "make.h"
#include "test.h"

enum { MOST = 20000, NOISE = 600 };

static void
fill_noise(struct make *m, uint8_t *p, size_t n)
{
	const uint64_t how = make_below(m, 3);

	for (size_t i = 0; i < n; i++)
		p[i] = how == 0	  ? (uint8_t)make_random(m) :
		       how == 1 ? (uint8_t)make_below(m, 3) :
				  (uint8_t)(make_random(m) >> make_below(m, 64));
}

static void
packed_streams_come_back(void)
{
	static const size_t len[] = { 0, 1, 2, 8, 100, 4095, 4096, 4097, MOST };
	static uint8_t raw[MOST];
	struct make m = { test_seed };
	struct trc_buf out = { 0 }, back = { 0 };
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(len); i++)
		for (int kind = TRC_PACK_BYTES; kind <= TRC_PACK_WORDS8; kind++) {
			const int level = (int)make_below(&m, 10);
			struct trc_view v;

			fill_noise(&m, raw, len[i]);
			out.n = 0;
			CHECK(trc_pack(raw, len[i], (enum trc_pack_kind)kind, level, &out, &err) ==
			      0);
			v = (struct trc_view){ out.p, out.p + out.n };
			CHECK_SAY(trc_unpack(&v, len[i], &back, &err) == 0, "%s", err.text);
			CHECK(v.p == v.end && back.n == len[i]);
			CHECK(len[i] == 0 || memcmp(back.p, raw, len[i]) == 0);
			v = (struct trc_view){ out.p, out.p + out.n };
			CHECK(len[i] == 0 || trc_unpack(&v, len[i] - 1, &back, &err) == -1);
		}
	trc_buf_release(&out);
	trc_buf_release(&back);
}

/* Slow methods take the place of a fast one where a byte is worth enough, and only there. */
static void
streams_are_packed_slowly_where_that_is_worth_it(void)
{
	static const uint64_t worth[] = { 0, 100, 10000, 1000000 };
	static uint8_t raw[MOST];
	struct make m = { test_seed };
	struct trc_buf out = { 0 }, back = { 0 };
	size_t last = SIZE_MAX, first = 0;
	struct trc_err err;

	/* What LZMA does not see: each byte is the one 7 before it, or nearly. */
	for (size_t i = 0; i < MOST; i++)
		raw[i] = i < 7 || make_below(&m, 16) == 0 ? (uint8_t)make_below(&m, 4) : raw[i - 7];
	for (size_t i = 0; i < TRC_COUNT(worth); i++) {
		struct trc_view v;

		out.n = 0;
		CHECK(trc_pack(raw, MOST, TRC_PACK_BYTES, 8, &out, &err) == 0);
		first = out.n;
		CHECK(trc_pack_slowly(raw, MOST, TRC_PACK_BYTES, 8,
		                      &(struct trc_patience){ worth[i], UINT64_MAX }, &out,
		                      &err) == 0);
		CHECK(out.n <= last && (worth[i] > 0 || out.n == first));
		last = out.n;
		v = (struct trc_view){ out.p, out.p + out.n };
		CHECK_SAY(trc_unpack(&v, MOST, &back, &err) == 0, "%s", err.text);
		CHECK(v.p == v.end && back.n == MOST && memcmp(back.p, raw, MOST) == 0);
	}
	CHECK(last < first);
	trc_buf_release(&out);
	trc_buf_release(&back);
}

/* Places in a table at random: their upper halves are nearly all the same. */
static void
halves_are_packed_apart_where_that_is_smaller(void)
{
	enum { HALVES = 8, AT = 3 /* bytes of the length of the stream */ };
	static uint8_t raw[MOST * 4];
	struct make m = { test_seed };
	struct trc_buf out = { 0 }, back = { 0 };
	struct trc_err err;
	struct trc_view v;

	for (size_t i = 0; i < sizeof(raw); i += 4) {
		raw[i + 1] = (uint8_t)(i / 4 % 97 == 0);
		trc_put_be16(raw + i + 2, (uint16_t)(0x2300 + 4 * make_below(&m, 256)));
	}
	CHECK(trc_pack(raw, sizeof(raw), TRC_PACK_WORDS4, 6, &out, &err) == 0);
	CHECK(out.p[AT] == HALVES);
	v = (struct trc_view){ out.p, out.p + out.n };
	CHECK_SAY(trc_unpack(&v, sizeof(raw), &back, &err) == 0, "%s", err.text);
	CHECK(back.n == sizeof(raw) && memcmp(back.p, raw, sizeof(raw)) == 0);
	trc_buf_release(&out);
	trc_buf_release(&back);
}

static void
columns_come_back(void)
{
	static const size_t len[] = { 1, 2, 3, 5, 255, 4096, 10007 };
	static uint64_t v[MOST], back[MOST];
	struct make m = { test_seed };
	struct trc_buf out = { 0 };
	struct trc_err err;

	for (unsigned how = 0; how < 8; how++)
		for (size_t i = 0; i < TRC_COUNT(len); i++) {
			struct trc_view view;

			for (size_t k = 0; k < len[i]; k++)
				v[k] = how == 0	  ? UINT64_MAX :
				       how == 1	  ? k * 8 :
				       how == 2	  ? make_random(&m) :
				       how == 3	  ? make_below(&m, 3) << 62 :
				       how == 4	  ? k * k * UINT64_C(1000003) :
				       how == 5	  ? make_below(&m, 300) * 77777 :
				       how == 6	  ? (k % 100 ? k : make_random(&m)) :
						    make_value(&m, k ? v[k - 1] : 0, 64);
			out.n = 0;
			CHECK(trc_flat_write(v, len[i], 1, &out, &err) == 0);
			view = (struct trc_view){ out.p, out.p + out.n };
			CHECK_SAY(trc_flat_read(&view, back, len[i], &err) == 0, "%u: %s", how,
				  err.text);
			CHECK(view.p == view.end && memcmp(v, back, len[i] * sizeof(*v)) == 0);
		}
	trc_buf_release(&out);
}

/* An index behind the table, and a value that says it stands where there is nothing. */
static void
columns_that_point_at_nothing_are_refused(void)
{
	static const struct {
		const char *p;
		size_t n;
		bool good;
	} column[] = {
		{ "\5\x8\0\x8\0\0\0\0\0\0\0\x9\2\0\2\0\0", 17, true },
		{ "\5\x8\0\x8\0\0\0\0\0\0\0\x9\2\0\2\0\1", 17, false },
		{ "\6\x8\0\x8\0\0\0\0\0\0\0\x9\4\0\4\0\0\1\0", 19, false },
		{ "\5\7\0\7\0\0\0\0\0\0\0\2\0\2\0\0", 16, false },
		{ "\7\2\0\2\xfe\xff\x8\0\x8\0\0\0\0\0\0\0\x9", 17, true },
		{ "\7\2\0\2\xff\xff\x8\0\x8\0\0\0\0\0\0\0\x9", 17, false },
		{ "\7\2\0\2\xfe\xff\0", 7, false },
	};

	for (size_t i = 0; i < TRC_COUNT(column); i++) {
		const uint8_t *p = (const uint8_t *)column[i].p;
		struct trc_view v = { p, p + column[i].n };
		uint64_t value[2] = { 0 };
		struct trc_err err = { 0 };
		const bool good = trc_flat_read(&v, value, 2, &err) == 0;

		CHECK_SAY(good == column[i].good, "%zu: %s", i, err.text);
		CHECK(!good || (v.p == v.end && value[1] == 9));
	}
}

/* Of columns of any form, a part comes back without the other values. */
static void
parts_of_columns_come_back(void)
{
	enum { N = 10007 };
	static const struct {
		size_t from, to;
	} part[] = {
		{ 0, 0 },     { 0, 1 },     { 0, 2 },    { 1, 2 },     { 0, 4096 },
		{ 4095, 4096 }, { 0, N - 1 }, { 0, N }, { 4096, N }, { N, N },
	};
	static uint64_t v[N], back[N + 1];
	struct make m = { test_seed };
	struct trc_buf out = { 0 };
	struct trc_err err;

	for (unsigned how = 0; how < 7; how++) {
		for (size_t k = 0; k < N; k++)
			v[k] = how == 0 ? 77 :
			       how == 1 ? k * 8 :
			       how == 2 ? make_random(&m) :
			       how == 3 ? make_below(&m, 300) * 77777 :
			       how == 4 ? k * k * UINT64_C(1000003) + make_below(&m, 3) :
			       how == 5 ? (make_below(&m, 40) ? k % 250 : make_random(&m)) :
			                  make_below(&m, 200) << 50;
		out.n = 0;
		CHECK(trc_flat_write(v, N, 6, &out, &err) == 0);
		for (size_t i = 0; i < TRC_COUNT(part); i++) {
			struct trc_view view = { out.p, out.p + out.n };
			const size_t from = part[i].from, to = part[i].to;

			memset(back, 0, sizeof(back));
			back[to] = 1234;
			CHECK_SAY(trc_flat_read_part(&view, back, N, from, to, &err) == 0, "%u: %s",
			          how, err.text);
			CHECK_SAY(view.p == view.end && back[to] == 1234 &&
			                  memcmp(v + from, back + from,
			                         (to - from) * sizeof(*v)) == 0,
			          "%u: %zu to %zu", how, from, to);
		}
	}
	trc_buf_release(&out);
}

/* What fits the sample in the middle of a column may not fit its ends. */
static void
columns_that_change_outside_their_sample_come_back(void)
{
	enum { ROWS = 1 << 18 };
	uint64_t *v = calloc(ROWS, sizeof(*v)), *back = calloc(ROWS, sizeof(*v));
	struct trc_buf out = { 0 };
	struct trc_view view;
	struct trc_err err;

	CHECK(v && back);
	v[0] = UINT64_MAX;
	v[ROWS - 1] = UINT64_C(1) << 40;
	CHECK(trc_flat_write(v, ROWS, 0, &out, &err) == 0);
	view = (struct trc_view){ out.p, out.p + out.n };
	CHECK_SAY(trc_flat_read(&view, back, ROWS, &err) == 0, "%s", err.text);
	CHECK(memcmp(v, back, ROWS * sizeof(*v)) == 0);
	trc_buf_release(&out);
	free(back);
	free(v);
}

/* Codes `n` bits, symbols and numbers as `m` gives them; when reading, checks that they come. */
static void
code_anything(struct trc_rc *rc, struct make *m, size_t n, bool check)
{
	struct trc_num *num = malloc(sizeof(*num));
	struct trc_bit bit = TRC_BIT_EVEN, tree[256];

	CHECK(num);
	trc_num_init(num, 1);
	for (size_t i = 0; i < TRC_COUNT(tree); i++)
		tree[i] = TRC_BIT_EVEN;
	for (size_t i = 0; i < n; i++) {
		const unsigned b = make_below(m, 50) == 0;
		const unsigned s = (unsigned)(make_below(m, 3) ? 7 : make_below(m, 256));
		const uint64_t v = make_value(m, i, 64);
		const unsigned got_b = trc_rc_bit(rc, &bit, rc->out ? b : 0);
		const unsigned got_s = trc_rc_tree(rc, tree, 8, rc->out ? s : 0);
		const uint64_t got_v = trc_rc_num(rc, num, rc->out ? v : 0);

		CHECK_SAY(!check || (b == got_b && s == got_s && v == got_v), "symbol %zu", i);
	}
	free(num);
}

static void
range_coded_numbers_come_back(void)
{
	static const size_t len[] = { 0, 1, 2, 100, MOST };
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(len); i++) {
		struct trc_buf out = { 0 };
		struct make m = { test_seed + i };
		struct trc_rc rc;

		trc_rc_write(&rc, &out);
		code_anything(&rc, &m, len[i], false);
		CHECK(trc_rc_finish(&rc, &err) == 0);
		m.state = test_seed + i;
		trc_rc_read(&rc, out.p, out.p + out.n);
		code_anything(&rc, &m, len[i], true);
		CHECK(trc_rc_ended(&rc));
		trc_buf_release(&out);
	}
}

/* What references were made to, and what reads them back. */
struct both {
	struct trc_refs_writer *writer;
	struct trc_refs_reader *reader;
	struct trc_program program;
	struct trc_refs refs;
	struct trc_buf growth;
};

static void
open_both(struct both *b)
{
	struct trc_err err;

	memset(b, 0, sizeof(*b));
	b->writer = trc_refs_writer_open(test_seed % 2, &err);
	b->reader = trc_refs_reader_open(&err);
	CHECK(b->writer && b->reader && trc_program_init(&b->program, &err) == 0);
}

static void
close_both(struct both *b)
{
	trc_refs_writer_close(b->writer);
	trc_refs_reader_close(b->reader);
	trc_program_release(&b->program);
	trc_refs_release(&b->refs);
	trc_buf_release(&b->growth);
}

/* Choices as they are told by the program. */
static void
tell_choices(struct both *b)
{
	struct trc_buf told = { 0 };
	struct trc_err err;

	CHECK(trc_refs_tell(b->writer, &told, &b->refs.told, &err) == 0);
	trc_buf_release(&b->refs.stream[TRC_REFS_CHOICE]);
	b->refs.stream[TRC_REFS_CHOICE] = told;
	b->refs.stream[TRC_REFS_FAR].n = 0;
}

/* Rows [from, from + n) there and back, `cut` at a time. Without fetches and pcs, these are
 * guessed. If they are odd in number, choices are told. */
static void
check_refs(struct both *b, const struct trc_batch *rows, size_t from, size_t n, size_t cut)
{
	static uint64_t guessed[MOST], pc[MOST];
	static uint8_t type[MOST];
	static uint64_t addr[MOST];
	static uint32_t size[MOST];
	struct trc_refs_rows some = { .type = rows->type + from,
		                      .addr = rows->addr + from,
		                      .size = rows->size ? rows->size + from : NULL,
		                      .pc = rows->pc ? rows->pc + from : NULL,
		                      .n = n };
	const struct trc_refs_old old = { b->program.slots, b->program.edges };
	struct trc_err err;
	size_t at = 0, got;

	if (!some.pc && !memchr(rows->type, TRC_FETCH, rows->n)) {
		trc_guess(&some, (enum trc_alike)(n % TRC_ALIKES), guessed);
		some.pc = guessed;
		some.guessed = true;
	}
	b->growth.n = 0;
	CHECK(trc_refs_write(b->writer, &some, &b->refs, &b->growth, &err) == 0);
	if (n % 2)
		tell_choices(b);
	CHECK_SAY(trc_program_read(&b->program, b->growth.p, b->growth.n, &err) == 0, "%s",
		  err.text);
	CHECK(b->program.ops == trc_refs_writer_ops(b->writer));
	CHECK_SAY(trc_refs_follow(b->reader, &b->program, old, &b->refs, &err) == 0, "%s",
		  err.text);
	CHECK_SAY(trc_refs_begin(b->reader, n, &err) == 0, "%s", err.text);
	while ((got = trc_refs_next(b->reader, type + at, addr + at, rows->size ? size + at : NULL,
				    rows->pc ? pc + at : NULL, cut < n - at ? cut : n - at)) > 0)
		at += got;
	CHECK(at == n);
	CHECK(memcmp(type, some.type, n * sizeof(*type)) == 0);
	CHECK(memcmp(addr, some.addr, n * sizeof(*addr)) == 0);
	CHECK(!rows->size || memcmp(size, some.size, n * sizeof(*size)) == 0);
	CHECK(!rows->pc || memcmp(pc, some.pc, n * sizeof(*pc)) == 0);
}

static void
check_refs_of(const struct trc_batch *rows)
{
	static const size_t cut[] = { 1, 3, 50, 4096 };
	struct both b;

	for (size_t i = 0; i < TRC_COUNT(cut); i++) {
		open_both(&b);
		for (size_t at = 0, n = 1; at < rows->n; at += n, n = n * 2 + 1) {
			n = n < rows->n - at ? n : rows->n - at;
			check_refs(&b, rows, at, n, cut[i]);
		}
		close_both(&b);
	}
}

/* Rows that go around four arrays in the same order, or in random order. */
static void
rows_are_alike_by_path_or_by_stream(void)
{
	static uint64_t addr[MOST], pc[MOST];
	static uint8_t type[MOST];
	const struct trc_refs_rows rows = { .type = type, .addr = addr, .n = MOST };
	struct make m = { test_seed };

	for (int random = 0; random < 2; random++) {
		uint64_t at[4] = { 1 << 28, 2 << 28, 3 << 28, 1 << 30 };
		enum trc_alike best;
		struct trc_err err;

		for (size_t i = 0; i < MOST; i++) {
			uint64_t *a = &at[random ? make_below(&m, 4) : i / 3 % 4];

			addr[i] = *a += 8;
		}
		CHECK_SAY(trc_guess_choose(&rows, 1, pc, &best, &err) == 0, "%s", err.text);
		CHECK(best == (random ? TRC_ALIKE_STREAM : TRC_ALIKE_PATH));
		trc_guess(&rows, TRC_ALIKE_STREAM, pc);
		for (size_t i = 16; i < MOST; i++)
			CHECK(random || i < 24 || pc[i] == pc[i - 12]);
	}
}

static void
references_come_back(void)
{
	static const uint32_t have[] = { TRC_HAS_TYPE | TRC_HAS_ADDR,
					 TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
					 TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_PC };

	for (size_t i = 0; i < TRC_COUNT(have); i++) {
		const struct make_program program[] = { { have[i], MOST, 300, 1, 0, false },
							{ have[i], MOST, 300, 7, 0, false },
							{ have[i], MOST, 30, 2, 9000, false },
							{ have[i], MOST, 300, 3, 0, true } };
		const struct make_spec any = { .have = have[i], .rows = 3000 };
		struct trc_batch rows;

		for (size_t k = 0; k < TRC_COUNT(program); k++) {
			make_program_rows(&rows, &program[k], test_seed);
			check_refs_of(&rows);
			trc_batch_release(&rows);
		}
		make_rows(&rows, &any, test_seed);
		for (size_t k = 0; rows.pc && k < rows.n; k++)
			if ((rows.type[k] & TRC_TYPE_MASK) == TRC_FETCH)
				rows.pc[k] = rows.addr[k];
		check_refs_of(&rows);
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
	struct make m = { test_seed };
	struct trc_batch rows = make_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, ROWS);
	uint64_t number = 0;
	struct both b;

	for (size_t i = 0; i < ROWS; i++) {
		const size_t k = i % (2 * LOOKUPS);

		if (k == 0)
			number = make_below(&m, 1 << 20);
		rows.type[i] = k % 2 ? TRC_READ : TRC_FETCH;
		rows.addr[i] = k % 2 ? ((k << 30) + (number << shift[k / 2])) : 4096 + 4 * k;
	}
	open_both(&b);
	check_refs(&b, &rows, 0, ROWS, 50);
	CHECK(b.refs.stream[TRC_REFS_LITERAL].n <= 4 * (ROWS / (2 * LOOKUPS) + LOOKUPS));
	close_both(&b);
	check_refs_of(&rows);
	trc_batch_release(&rows);
}

/* More edges than a byte can number, and more data references than an op can have. */
static void
wide_choices_and_long_ops_come_back(void)
{
	struct make m = { test_seed };
	struct trc_batch rows;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, TRC_HAS_TYPE | TRC_HAS_ADDR, MOST, &err) == 0);
	for (; rows.n < 8000; rows.n++) {
		rows.type[rows.n] = TRC_FETCH;
		rows.addr[rows.n] = rows.n % 2 ? 4096 : 8192 + 4 * make_below(&m, 700);
	}
	for (; rows.n < rows.cap; rows.n++) {
		rows.type[rows.n] = rows.n % 40 ? TRC_READ : TRC_FETCH;
		rows.addr[rows.n] = rows.n % 40 ? make_random(&m) : 64;
	}
	check_refs_of(&rows);
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
	const struct trc_refs_rows rows = { .type = type, .addr = addr, .pc = pc,
		                            .guessed = true, .n = FAR };
	const struct trc_refs_old none = { 0, 0 };
	struct make m = { test_seed };
	struct trc_err err;
	struct both b;
	size_t n = 0, got;

	for (size_t i = 0; i < FAR; i++)
		addr[i] = make_random(&m);
	open_both(&b);
	b.growth.n = 0;
	CHECK(trc_refs_write(b.writer, &rows, &b.refs, &b.growth, &err) == 0);
	CHECK(b.refs.stream[TRC_REFS_HIGH].n == 0);
	CHECK(b.refs.stream[TRC_REFS_LITERAL].n > FAR);
	CHECK(trc_program_read(&b.program, b.growth.p, b.growth.n, &err) == 0);
	CHECK_SAY(trc_refs_follow(b.reader, &b.program, none, &b.refs, &err) == 0 &&
	                  trc_refs_begin(b.reader, FAR, &err) == 0, "%s", err.text);
	while ((got = trc_refs_next(b.reader, NULL, back + n, NULL, NULL, FAR - n)) > 0)
		n += got;
	CHECK(n == FAR && memcmp(addr, back, sizeof(addr)) == 0);
	close_both(&b);
}

/* More places that are jumped to, and lines of constant addresses, than are remembered. */
static void
far_jumps_and_lines_come_back(void)
{
	enum { OPS = 3 * TRC_RECENT_MOST / 2 };
	static uint64_t data[OPS];
	struct make m = { test_seed };
	struct trc_batch rows;
	struct trc_err err;

	for (size_t i = 0; i < OPS; i++)
		data[i] = make_random(&m);
	CHECK(trc_batch_init(&rows, TRC_HAS_TYPE | TRC_HAS_ADDR, 2 * MOST, &err) == 0);
	for (size_t op = 0; rows.n + 2 <= MOST; op = op < OPS ? op + 1 : op) {
		const uint64_t which = op < OPS ? op : make_below(&m, OPS);

		rows.type[rows.n] = TRC_FETCH;
		rows.addr[rows.n++] = which * 1000003;
		rows.type[rows.n] = TRC_READ;
		rows.addr[rows.n++] = data[which];
	}
	check_refs_of(&rows);
	trc_batch_release(&rows);
}

static void
what_was_used_last_is_in_front(void)
{
	static struct trc_recent r;
	struct make m = { test_seed };

	for (uint32_t i = 0; i < 3 * TRC_RECENT_MOST; i++) {
		const uint32_t count = trc_recent_count(&r);

		CHECK(count == (i < TRC_RECENT_MOST ? i : TRC_RECENT_MOST));
		CHECK(trc_recent_find(&r, i) == count);
		trc_recent_add(&r, i);
		CHECK(trc_recent_at(&r, 0) == i && trc_recent_find(&r, i) == 0);
		if (i > 0 && i % 5 == 0) {
			const uint32_t at = (uint32_t)make_below(&m, count);
			const uint32_t item = trc_recent_at(&r, at);

			CHECK(trc_recent_use(&r, at) == item && trc_recent_at(&r, 0) == item);
			CHECK(at == 0 || trc_recent_at(&r, 1) == i);
		}
	}
}

/* Readers take any bytes: they fail, or give something. */
static void
noise_does_no_harm(void)
{
	static uint64_t v[MOST];
	static uint8_t noise[NOISE], type[MOST];
	struct make m = { test_seed };
	struct trc_buf raw = { 0 };
	struct trc_err err;

	for (int i = 0; i < 3000; i++) {
		const size_t n = make_below(&m, NOISE), told = i / 10 % 2;
		const struct trc_refs_old none = { 0, 0 };
		struct trc_program p = { 0 };
		struct trc_view view = { noise, noise + n };
		struct both b;

		fill_noise(&m, noise, n);
		(void)!trc_unpack(&view, MOST, &raw, &err);
		for (unsigned form = 0; n > 0 && form < 48; form += 16) {
			noise[0] = (uint8_t)(form + make_below(&m, 8));
			view.p = noise;
			(void)!trc_flat_read(&view, v, 1 + make_below(&m, 100), &err);
		}
		CHECK(trc_program_init(&p, &err) == 0);
		(void)!trc_program_read(&p, noise, n, &err);
		trc_program_release(&p);
		if (i % 10)
			continue;
		/* Noise in place of each stream. */
		open_both(&b);
		{
			const struct make_program spec = { TRC_HAS_TYPE | TRC_HAS_ADDR, 2000, 40,
							   1, 0, false };
			struct trc_batch rows;

			make_program_rows(&rows, &spec, test_seed);
			check_refs(&b, &rows, 0, rows.n - told, 100);
			trc_batch_release(&rows);
		}
		for (int s = 0; s < TRC_REFS_STREAMS; s++) {
			const struct trc_refs_old all = { b.program.slots, b.program.edges };
			struct trc_buf *stream = &b.refs.stream[s];

			for (uint64_t k = 1 + make_below(&m, 4); k > 0 && stream->n > 0; k--)
				stream->p[make_below(&m, stream->n)] = (uint8_t)make_random(&m);
			if (trc_refs_follow(b.reader, &b.program, i % 20 ? none : all, &b.refs,
					    &err) == 0 &&
			    trc_refs_begin(b.reader, 2000 - told, &err) == 0)
				while (trc_refs_next(b.reader, type, v, NULL, NULL, 999) > 0)
					;
		}
		close_both(&b);
	}
	trc_buf_release(&raw);
}

int
main(void)
{
	test_start();
	RUN(packed_streams_come_back);
	RUN(streams_are_packed_slowly_where_that_is_worth_it);
	RUN(halves_are_packed_apart_where_that_is_smaller);
	RUN(columns_come_back);
	RUN(parts_of_columns_come_back);
	RUN(columns_that_point_at_nothing_are_refused);
	RUN(columns_that_change_outside_their_sample_come_back);
	RUN(range_coded_numbers_come_back);
	RUN(rows_are_alike_by_path_or_by_stream);
	RUN(references_come_back);
	RUN(lookups_by_one_number_come_back);
	RUN(wide_choices_and_long_ops_come_back);
	RUN(addresses_that_are_all_far_come_back);
	RUN(far_jumps_and_lines_come_back);
	RUN(what_was_used_last_is_in_front);
	RUN(noise_does_no_harm);
	return 0;
}
