/* SPDX-License-Identifier: MIT
 * What visits are made of: numbers that experts expect, and what the visit history predicts. */
#include <stdlib.h>
#include <string.h>

#include "codec/mixing/number.h"
#include "codec/column/visit_history.h"
#include "test.h"

enum { NUMBERS = 1000, EXPERTS = 3 };

/* Numbers, and what experts expect of each. */
struct numbers {
	uint32_t v[NUMBERS], expected[NUMBERS][EXPERTS];
};

static uint32_t
random_number(void)
{
	return (uint32_t)(test_random() % (TRC_NUMBER_NONE + 1)) >> test_random() % 24;
}

/* Writes numbers to `bytes`, or compares what is read from these. */
static void
code_numbers(const struct numbers *n, struct trc_buf *bytes, bool writes)
{
	static const struct trc_predictor_row row = { 2, EXPERTS, TRC_NUMBER_ROW };
	struct trc_number_coder *number = calloc(1, sizeof(*number));
	struct trc_predictors with = { 0 };
	struct trc_err err = { 0 };

	CHECK(number && trc_predictors_init(&with, 12, &err) == 0);
	CHECK(trc_number_init(number, &with, 0, &row, &err) == 0);
	if (writes)
		trc_rc_write(&with.rc, bytes);
	else
		trc_rc_read(&with.rc, bytes->p, bytes->p + bytes->n);
	for (size_t i = 0; i < NUMBERS; i++) {
		const uint32_t context[] = { 0, (uint32_t)i % 7 };
		const uint32_t v = trc_number_code(number, context, i % 32, n->expected[i],
		                                   writes ? n->v[i] : 0);

		CHECK(v == n->v[i]);
	}
	if (writes)
		CHECK(trc_rc_finish(&with.rc, &err) == 0);
	else
		CHECK(trc_rc_ended(&with.rc));
	trc_number_release(number);
	trc_predictors_release(&with);
	free(number);
}

/* Checks that numbers come back; returns their bytes. */
static size_t
bytes_of(const struct numbers *n)
{
	struct trc_buf bytes = { 0 };
	size_t all;

	code_numbers(n, &bytes, true);
	code_numbers(n, &bytes, false);
	all = bytes.n;
	trc_buf_release(&bytes);
	return all;
}

static void
numbers_come_back_whatever_is_expected(void)
{
	static struct numbers n;

	for (size_t i = 0; i < NUMBERS; i++) {
		n.v[i] = i % 50 ? random_number() : i % 100 ? TRC_NUMBER_NONE : 0;
		for (int k = 0; k < EXPERTS; k++)
			n.expected[i][k] = test_random() % 3 ? random_number() :
			                   test_random() % 2 ? n.v[i] :
			                                       TRC_NUMBER_NONE;
	}
	bytes_of(&n);
}

static void
right_experts_save_all_but_a_few_bytes(void)
{
	static struct numbers none, right, wrong;
	size_t bytes;

	for (size_t i = 0; i < NUMBERS; i++) {
		none.v[i] = right.v[i] = wrong.v[i] = random_number() % TRC_NUMBER_NONE;
		for (int k = 0; k < EXPERTS; k++) {
			none.expected[i][k] = right.expected[i][k] = TRC_NUMBER_NONE;
			wrong.expected[i][k] = random_number();
		}
		right.expected[i][1] = right.v[i];
	}
	bytes = bytes_of(&none);
	CHECK(bytes_of(&right) < bytes / 20);
	CHECK(bytes_of(&wrong) < bytes + bytes / 20);
}

/* Pages and kinds are numbers of so many bits, whatever these are. */
static void
numbers_of_known_bits_come_back(void)
{
	static const struct trc_predictor_row row = { 1, 0, TRC_NUMBER_ROW };
	struct trc_buf bytes = { 0 };
	struct trc_err err = { 0 };

	for (int reads = 0; reads < 2; reads++) {
		struct trc_number_coder *number = calloc(1, sizeof(*number));
		struct trc_predictors with = { 0 };

		CHECK(number && trc_predictors_init(&with, 10, &err) == 0);
		CHECK(trc_number_init(number, &with, 0, &row, &err) == 0);
		if (reads)
			trc_rc_read(&with.rc, bytes.p, bytes.p + bytes.n);
		else
			trc_rc_write(&with.rc, &bytes);
		for (uint32_t i = 0; i < NUMBERS; i++) {
			const unsigned bits = i % 17;
			const uint32_t v = (i * UINT32_C(0x9e3779b1)) & ((1u << bits) - 1);

			CHECK(trc_number_code_bits(number, &i, i % 32, bits, reads ? 0 : v) == v);
		}
		CHECK(reads ? trc_rc_ended(&with.rc) : trc_rc_finish(&with.rc, &err) == 0);
		trc_number_release(number);
		trc_predictors_release(&with);
		free(number);
	}
	trc_buf_release(&bytes);
}

/* In the release build, too, a model's table cannot ask for more than a predictor has places for:
 * what it wrote could not be read. */
static void
a_row_with_too_much_is_refused(void)
{
	static const struct trc_predictor_row row[] = {
		{ TRC_CONTEXTS + 1, 0, TRC_NUMBER_ROW },
		{ 1, TRC_EXPERTS + 1, TRC_NUMBER_ROW },
		{ 0, 1, TRC_NUMBER_ROW },
	};
	struct trc_predictors with = { 0 };

	for (size_t k = 0; k < TRC_COUNT(row); k++) {
		struct trc_number_coder *number = calloc(1, sizeof(*number));
		struct trc_err err = { 0 };

		CHECK(number && trc_number_init(number, &with, 0, &row[k], &err) == -1);
		CHECK(strstr(err.text, "a predictor cannot have"));
		trc_number_release(number);
		free(number);
	}
}

enum { TURNS = 10, PAGES = 30 };

/* Two arrays are swept, a page of each in a turn. */
static void
a_sweep_is_predicted_one_page_further(void)
{
	struct trc_visit_history past = { 0 };
	struct trc_err err = { 0 };

	CHECK(trc_visit_history_init(&past, 2 * TURNS, PAGES, &err) == 0);
	for (uint32_t i = 0; i < 2 * TURNS; i++) {
		const uint32_t turn = i / 2, page = i % 2 ? PAGES - TURNS + turn : turn;
		const uint32_t gap = i % 2 ? 700 : 50, lag = gap / 3;

		trc_visit_history_predict(&past);
		for (int k = 0; k <= 2 && i >= 4; k++) {
			const struct trc_visit_prediction *s =
			        &past.prediction[TRC_HISTORY_OF_SHIFT + k];

			CHECK_MSG(s->gap == gap, "%d of row %u: %u", k, i, s->gap);
			CHECK(s->lag == lag && s->page == page);
		}
		for (int k = 0; k < TRC_HISTORY_OF_SHIFT; k++)
			CHECK(past.prediction[k].gap == TRC_HISTORY_NEVER);
		trc_visit_history_add(&past, gap, lag, page);
	}
	trc_visit_history_release(&past);
}

/* Behind the last page there is none, whatever was swept. */
static void
no_page_is_predicted_behind_the_last(void)
{
	struct trc_visit_history past = { 0 };
	struct trc_err err = { 0 };

	CHECK(trc_visit_history_init(&past, 100, 3, &err) == 0);
	for (uint32_t i = 0; i < 100; i++) {
		trc_visit_history_predict(&past);
		for (int k = 0; k < TRC_HISTORY_PREDICTIONS; k++)
			CHECK(past.prediction[k].page < 3 ||
			      past.prediction[k].page == TRC_NO_PAGE);
		trc_visit_history_add(&past, (uint32_t)test_random() % 4, 0,
		                      (uint32_t)test_random() % 3);
	}
	trc_visit_history_release(&past);
}

int
main(void)
{
	test_start();
	RUN(numbers_come_back_whatever_is_expected);
	RUN(right_experts_save_all_but_a_few_bytes);
	RUN(numbers_of_known_bits_come_back);
	RUN(a_row_with_too_much_is_refused);
	RUN(a_sweep_is_predicted_one_page_further);
	RUN(no_page_is_predicted_behind_the_last);
	return 0;
}
