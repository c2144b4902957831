/* SPDX-License-Identifier: MIT
 * Rows of reduced traces, as visits or by fields: what comes out is what went in; damage is an
 * error, or other rows of the same number. */
#include <string.h>

#include "base/bytes.h"
#include "codec/column/column.h"
#include "codec/stream/pack.h"
#include "codec/column/joint_columns.h"
#include "codec/column/visits.h"
#include "test.h"

enum { ROWS = 3000, ROW_COLUMNS = 5 };

/* What a section of rows begins with. */
enum { FIELDS, TYPED, PLAIN, FORMS };

static uint64_t rows[ROW_COLUMNS][80000];

/* Two clocks and three names; now and then a clock leaps, or goes back. */
static void
generate_rows(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t step = test_random() % 50 ? test_random() % 300 :
		                      test_random() % 2  ? test_random() << 20 :
		                                           0 - test_random();

		rows[0][i] = (i ? rows[0][i - 1] : UINT64_MAX - 9) + step;
		rows[1][i] = (i ? rows[1][i - 1] : 0) + (test_random() % 9 ? step : step / 2);
		rows[2][i] = test_random() % 2;
		rows[3][i] = i / 500;
		rows[4][i] = test_random() % 9 ? i / 3 % 100 : UINT64_MAX - test_random() % 90;
	}
}

/* Visits as reductions leave them: phases that repeat, of which some visits are dropped. */
static void
make_reduced(size_t n)
{
	uint64_t time = 0;

	for (size_t i = 0, k = 0; i < n; k++) {
		const uint64_t step = k * 37 % 100;

		time += step;
		if (test_random() % 8 == 0)
			continue;
		rows[0][i] = time;
		rows[1][i] = time * 3 / 4;
		rows[2][i] = k % 5 == 0;
		rows[3][i] = 1;
		rows[4][i++] = 1000 + k * k % 60 + test_random() % 50 / 49;
	}
}

/* A loop sweeps five arrays, a page of each in a turn, and then again. */
static void
make_swept(size_t n)
{
	static const uint64_t gap[] = { 1836, 2, 3015, 11, 70215 };
	uint64_t time = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t array = i % TRC_COUNT(gap), turn = i / TRC_COUNT(gap);

		time += gap[array];
		rows[0][i] = time;
		rows[1][i] = time - time / 3;
		rows[2][i] = array % 2;
		rows[3][i] = 1;
		rows[4][i] = 5000 * array + turn % 200;
	}
}

static void (*const row_maker[])(size_t n) = { generate_rows, make_reduced, make_swept };

/* Reads rows and compares as far as `n` goes; -1 if they are refused. */
static int
read_rows(const struct trc_buf *packed, size_t clocks, size_t names, size_t n, bool compare)
{
	static uint64_t v[ROWS];
	struct trc_view in = { packed->p, packed->p + packed->n };
	struct trc_joint_unpacked r = { 0 };
	struct trc_err err = { 0 };
	const int ret = trc_joint_read(&r, &in, clocks, names, n, n, &err);

	for (size_t k = 0; ret == 0 && k < clocks + names; k++) {
		trc_joint_column(&r, k, v);
		CHECK(!compare || memcmp(v, rows[k + 2 - clocks], n * sizeof(*v)) == 0);
	}
	CHECK(ret == 0 || err.text[0]);
	trc_joint_release(&r);
	return ret;
}

/* The first of rows come back without the others. */
static void
first_rows_come_back(void)
{
	static const size_t first[] = { 0, 1, 100, ROWS - 1 };
	uint64_t *const column[] = { rows[0], rows[1], rows[2], rows[3], rows[4] };
	static uint64_t v[ROWS];
	struct trc_buf out = { 0 };
	struct trc_err err = { 0 };
	bool fits;

	generate_rows(ROWS);
	CHECK(trc_joint_write(column, 2, 3, ROWS, 6, &out, &fits, &err) == 0 && fits);
	for (size_t i = 0; i < TRC_COUNT(first); i++) {
		struct trc_view in = { out.p, out.p + out.n };
		struct trc_joint_unpacked r = { 0 };

		CHECK(trc_joint_read(&r, &in, 2, 3, ROWS, first[i], &err) == 0);
		for (size_t k = 0; k < 5; k++) {
			trc_joint_column(&r, k, v);
			CHECK(memcmp(v, column[k], first[i] * sizeof(*v)) == 0);
		}
		trc_joint_release(&r);
	}
	trc_buf_release(&out);
}

static void
rows_come_back(void)
{
	static const size_t len[] = { 1, 2, 127, 128, ROWS };
	struct trc_buf out = { 0 };
	struct trc_err err = { 0 };
	bool fits;

	for (int level = 0; level <= 9; level += 3)
		for (size_t l = 0; l < TRC_COUNT(row_maker) * TRC_COUNT(len); l++)
			for (size_t clocks = 1; clocks <= 2; clocks++) {
				const size_t n = len[l / TRC_COUNT(row_maker)];
				uint64_t *const column[] = { rows[2 - clocks], rows[3 - clocks],
					                     rows[4 - clocks], rows[5 - clocks],
					                     rows[4] };

				row_maker[l % TRC_COUNT(row_maker)](n);
				out.n = 0;
				CHECK(trc_joint_write(column, clocks, 3, n, level, &out, &fits,
				                      &err) == 0 &&
				      fits);
				CHECK(read_rows(&out, clocks, 3, n, true) == 0);
				CHECK(read_rows(&out, clocks, 3, n - 1, false) == -1);
			}
	trc_buf_release(&out);
}

/* Rows, `gap` behind each other, are fields and come back. */
static void
are_fields(size_t n, uint64_t gap)
{
	uint64_t *clock = calloc(3 * n, sizeof(*clock)), *name = clock + n, *again = name + n;
	uint64_t *const column[] = { clock, name };
	struct trc_joint_unpacked r = { 0 };
	struct trc_view in;
	struct trc_buf out = { 0 };
	struct trc_err err = { 0 };
	bool fits;

	CHECK(clock);
	for (size_t i = 0; i < n; i++) {
		clock[i] = gap * i;
		name[i] = i % 5;
	}
	CHECK(trc_joint_write(column, 1, 1, n, 6, &out, &fits, &err) == 0 && fits);
	CHECK(out.p[0] == FIELDS);
	in = trc_buf_view(&out);
	CHECK(trc_joint_read(&r, &in, 1, 1, n, n, &err) == 0);
	for (size_t k = 0; k < 2; k++) {
		trc_joint_column(&r, k, again);
		CHECK(memcmp(again, column[k], n * sizeof(*again)) == 0);
	}
	trc_joint_release(&r);
	trc_buf_release(&out);
	free(clock);
}

/* Visits are for reduced traces: millions would take seconds. */
static void
many_rows_are_fields(void)
{
	are_fields((1 << 19) + 1, 3);
}

/* So would some hundred thousand rows that were never reduced. */
static void
rows_right_behind_each_other_are_fields(void)
{
	are_fields(5000, 1);
}

/* The first of the names is no kind if it has many values, or is the only one. */
static void
rows_without_kinds_come_back(void)
{
	uint64_t *const column[] = { rows[0], rows[4], rows[2] };
	struct trc_buf out = { 0 };
	struct trc_err err = { 0 };
	bool fits;

	for (size_t names = 1; names <= 2; names++) {
		struct trc_view in;
		struct trc_joint_unpacked r = { 0 };
		static uint64_t v[ROWS];

		generate_rows(ROWS);
		out.n = 0;
		CHECK(trc_joint_write(column, 1, names, ROWS, 6, &out, &fits, &err) == 0 && fits);
		in = (struct trc_view){ out.p, out.p + out.n };
		CHECK(trc_joint_read(&r, &in, 1, names, ROWS, ROWS, &err) == 0 && !r.typed);
		for (size_t k = 0; k <= names; k++) {
			trc_joint_column(&r, k, v);
			CHECK(memcmp(v, column[k], sizeof(v)) == 0);
		}
		trc_joint_release(&r);
	}
	trc_buf_release(&out);
}

/* Each turn of a sweep is new in its pages alone, which follow those of the turn before. */
static void
sweeps_are_foreseen(void)
{
	uint64_t *const column[] = { rows[0], rows[1], rows[2], rows[3], rows[4] };
	struct trc_buf out = { 0 };
	struct trc_err err = { 0 };
	size_t turns[2];
	bool fits;

	for (size_t k = 0; k < 2; k++) {
		make_swept(500);
		out.n = 0;
		CHECK(trc_joint_write(column, 2, 3, 250 * (k + 1), 6, &out, &fits, &err) == 0);
		CHECK(fits);
		turns[k] = out.n;
	}
	CHECK_MSG(turns[1] - turns[0] < 20, "%zu, %zu", turns[0], turns[1]);
	trc_buf_release(&out);
}

/* The bytes of rows are part of the format, as those of streams are. */
static void
bytes_of_rows_stay(void)
{
	uint64_t *const column[] = { rows[0], rows[1], rows[2], rows[3], rows[4] };
	static const uint64_t expected[] = { UINT64_C(0x4a047870c7163d82),
		                             UINT64_C(0x8f087fc82f3914e2),
		                             UINT64_C(0xdad52383e12cab62) };
	struct trc_buf out = { 0 };
	struct trc_err err = { 0 };
	const uint64_t seed = test_seed;
	bool fits;

	for (size_t m = 0; m < TRC_COUNT(row_maker); m++) {
		uint64_t sum;

		test_seed = 7;
		row_maker[m](ROWS);
		out.n = 0;
		CHECK(trc_joint_write(column, 2, 3, ROWS, 6, &out, &fits, &err) == 0 && fits);
		sum = test_sum(0, out.p, out.n);
		CHECK_MSG(sum == expected[m], "%zu: 0x%016llx", m, (unsigned long long)sum);
	}
	test_seed = seed;
	trc_buf_release(&out);
}

static void
damaged_rows_are_bounded(void)
{
	uint64_t *const column[] = { rows[0], rows[1], rows[2], rows[3], rows[4] };
	struct trc_buf out = { 0 };
	struct trc_err err = { 0 };
	bool fits;

	for (size_t k = 0; k < 300; k += test_step_most(5)) {
		row_maker[k % TRC_COUNT(row_maker)](500);
		out.n = 0;
		CHECK(trc_joint_write(column, 2, 3, 500, k % 7, &out, &fits, &err) == 0 && fits);
		for (uint64_t times = test_random() % 3 + 1; times > 0; times--)
			out.p[test_random() % out.n] = (uint8_t)test_random();
		if (k % 3 == 0)
			out.n = test_random() % out.n;
		(void)read_rows(&out, 2, 3, 500, false);
	}
	trc_buf_release(&out);
}

static void
too_many_names_do_not_fit(void)
{
	uint64_t *const column[] = { rows[0], rows[4] };
	struct trc_buf out = { 0 };
	struct trc_err err = { 0 };
	bool fits;

	for (size_t i = 0; i < TRC_COUNT(rows[4]); i++)
		rows[4][i] = i * 4096;
	CHECK(trc_joint_write(column, 1, 1, TRC_COUNT(rows[4]), 1, &out, &fits, &err) == 0);
	CHECK(!fits && out.n == 0);
	trc_buf_release(&out);
}

/* ---- rows that cannot be ---- */

/* The front of a section: its form, a kind where there are such, names, values that are far. */
struct front {
	uint8_t form;
	int kinds; /* -1: not stored */
	uint64_t names, far;
};

static void
put_front(struct trc_buf *out, const struct front *f)
{
	static const uint64_t value[8];
	struct trc_err err;

	out->n = 0;
	CHECK(trc_buf_put(out, &f->form, 1, &err) == 0);
	if (f->kinds >= 0)
		CHECK(trc_buf_put_num(out, (uint64_t)f->kinds, &err) == 0);
	if (f->kinds > 0)
		CHECK(trc_column_write(value, 1, 1, out, &err) == 0);
	CHECK(trc_buf_put_num(out, f->names, &err) == 0);
	for (int k = 0; k < 2 && f->names && f->names < TRC_COUNT(value); k++)
		CHECK(trc_column_write(value, (size_t)f->names, 1, out, &err) == 0);
	CHECK(trc_pack((const uint8_t *)value, 8 * f->far, TRC_PACK_WORDS8, 1, out, &err) == 0);
}

/* A trace of four rows with these clocks, and two names. */
static void
is_refused(const struct trc_buf *out, size_t clocks, const char *what)
{
	struct trc_view in = trc_buf_view(out);
	struct trc_joint_unpacked r = { 0 };
	struct trc_err err = { 0 };

	CHECK_MSG(trc_joint_read(&r, &in, clocks, 2, 4, 4, &err) == -1, "%s", what);
	CHECK_MSG(strstr(err.text, "rows of a block are damaged"), "%s: %s", what, err.text);
	trc_joint_release(&r);
}

static void
fronts_that_cannot_be_are_refused(void)
{
	static const struct {
		const char *what;
		struct front front;
	} lie[] = {
		{ "a form that there is not", { FORMS, -1, 1, 0 } },
		{ "no kind", { TYPED, 0, 1, 0 } },
		{ "more kinds than a byte has", { TYPED, TRC_VISITS_KINDS + 1, 1, 0 } },
		{ "no name", { FIELDS, -1, 0, 0 } },
		{ "more names than rows", { FIELDS, -1, 5, 0 } },
		{ "visits that are not there", { PLAIN, -1, 1, 0 } },
	};
	struct trc_buf out = { 0 };

	for (size_t i = 0; i < TRC_COUNT(lie); i++) {
		put_front(&out, &lie[i].front);
		is_refused(&out, 1, lie[i].what);
	}
	trc_buf_release(&out);
}

static void
fields_that_cannot_be_are_refused(void)
{
	static const struct {
		const char *what;
		size_t clocks, rows;
		uint64_t far, field; /* of the last row; the others are 0 */
	} lie[] = {
		{ "too few rows", 1, 3, 0, 0 },
		{ "a name that there is not", 1, 4, 0, 1 },
		{ "how far the second clock is behind, where there is none", 1, 4, 0, 1 << 16 },
		{ "a far value that is not there", 1, 4, 0, UINT64_C(0xffffff) << 40 },
		{ "one of the second clock", 2, 4, 0, UINT64_C(0xffffff) << 16 },
		{ "a far value that no row has", 1, 4, 1, 0 },
		{ "two for a row that has one", 2, 4, 2, UINT64_C(0xffffff) << 40 },
	};
	struct trc_buf out = { 0 };
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(lie); i++) {
		const struct front front = { FIELDS, -1, 1, lie[i].far };
		uint8_t row[4 * 8] = { 0 };

		put_front(&out, &front);
		trc_put_be64(row + 8 * (lie[i].rows - 1), lie[i].field);
		CHECK(trc_pack(row, 8 * lie[i].rows, TRC_PACK_BYTES, 1, &out, &err) == 0);
		is_refused(&out, lie[i].clocks, lie[i].what);
	}
	trc_buf_release(&out);
}

int
main(void)
{
	test_start();
	RUN(first_rows_come_back);
	RUN(rows_come_back);
	RUN(rows_without_kinds_come_back);
	RUN(many_rows_are_fields);
	RUN(rows_right_behind_each_other_are_fields);
	RUN(sweeps_are_foreseen);
	RUN(bytes_of_rows_stay);
	RUN(damaged_rows_are_bounded);
	RUN(too_many_names_do_not_fit);
	RUN(fronts_that_cannot_be_are_refused);
	RUN(fields_that_cannot_be_are_refused);
	return 0;
}
