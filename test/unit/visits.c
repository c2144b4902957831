/* SPDX-License-Identifier: MIT
 * What visits are made of: numbers that hints foretell, and what the past says of the next row. */
#include <stdlib.h>

#include "codec/mixing/predictor.h"
#include "codec/column/visit_history.h"
#include "test.h"

enum { NUMBERS = 1000, HINTS = 3 };

/* Numbers, and hints of each. */
struct numbers {
	uint32_t v[NUMBERS], hint[NUMBERS][HINTS];
};

static uint32_t
random_number(void)
{
	return (uint32_t)(test_random() % (TRC_NO_HINT + 1)) >> test_random() % 24;
}

/* Writes numbers to `bytes`, or compares what is read from these. */
static void
code_numbers(const struct numbers *n, struct trc_buf *bytes, bool writes)
{
	struct trc_panel *p = calloc(1, sizeof(*p));
	struct trc_deciding with = { 0 };
	struct trc_err err = { 0 };

	CHECK(p && trc_deciding_init(&with, NUMBERS, &err) == 0);
	trc_panel_init(p, &with, 0, 2, HINTS);
	if (writes)
		trc_rc_write(&with.rc, bytes);
	else
		trc_rc_read(&with.rc, bytes->p, bytes->p + bytes->n);
	for (size_t i = 0; i < NUMBERS; i++) {
		const uint32_t context[] = { 0, (uint32_t)i % 7 };
		const uint32_t v = trc_decide_number(p, context, i % 32, n->hint[i],
		                                     writes ? n->v[i] : 0);

		CHECK(v == n->v[i]);
	}
	if (writes)
		CHECK(trc_rc_finish(&with.rc, &err) == 0);
	else
		CHECK(trc_rc_ended(&with.rc));
	trc_deciding_release(&with);
	free(p);
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
numbers_come_back_whatever_hints_are(void)
{
	static struct numbers n;

	for (size_t i = 0; i < NUMBERS; i++) {
		n.v[i] = i % 50 ? random_number() : i % 100 ? TRC_NO_HINT : 0;
		for (int k = 0; k < HINTS; k++)
			n.hint[i][k] = test_random() % 3 ? random_number() :
			               test_random() % 2 ? n.v[i] :
			                                   TRC_NO_HINT;
	}
	bytes_of(&n);
}

static void
hints_that_are_right_save_all_but_a_few_bytes(void)
{
	static struct numbers none, right, wrong;
	size_t bytes;

	for (size_t i = 0; i < NUMBERS; i++) {
		none.v[i] = right.v[i] = wrong.v[i] = random_number() % TRC_NO_HINT;
		for (int k = 0; k < HINTS; k++) {
			none.hint[i][k] = right.hint[i][k] = TRC_NO_HINT;
			wrong.hint[i][k] = random_number();
		}
		right.hint[i][1] = right.v[i];
	}
	bytes = bytes_of(&none);
	CHECK(bytes_of(&right) < bytes / 20);
	CHECK(bytes_of(&wrong) < bytes + bytes / 20);
}

enum { TURNS = 10, PAGES = 30 };

/* Two arrays are swept, a page of each in a turn. */
static void
a_sweep_is_said_to_come_one_page_further(void)
{
	struct trc_past past = { 0 };
	struct trc_err err = { 0 };

	CHECK(trc_past_init(&past, 2 * TURNS, PAGES, &err) == 0);
	for (uint32_t i = 0; i < 2 * TURNS; i++) {
		const uint32_t turn = i / 2, page = i % 2 ? PAGES - TURNS + turn : turn;
		const uint32_t gap = i % 2 ? 700 : 50, lag = gap / 3;

		trc_past_look(&past);
		for (int k = 0; k <= 2 && i >= 4; k++) {
			const struct trc_saying *s = &past.saying[TRC_PAST_OF_SHIFT + k];

			CHECK_MSG(s->ahead == gap, "%d of row %u: %u", k, i, s->ahead);
			CHECK(s->lag == lag && s->page == page);
		}
		for (int k = 0; k < TRC_PAST_OF_SHIFT; k++)
			CHECK(past.saying[k].ahead == TRC_PAST_NEVER);
		trc_past_add(&past, gap, lag, page);
	}
	trc_past_release(&past);
}

/* Behind the last page there is none, whatever was swept. */
static void
no_page_is_said_behind_the_last(void)
{
	struct trc_past past = { 0 };
	struct trc_err err = { 0 };

	CHECK(trc_past_init(&past, 100, 3, &err) == 0);
	for (uint32_t i = 0; i < 100; i++) {
		trc_past_look(&past);
		for (int k = 0; k < TRC_PAST_SAYINGS; k++)
			CHECK(past.saying[k].page < 3 || past.saying[k].page == TRC_NO_PAGE);
		trc_past_add(&past, (uint32_t)test_random() % 4, 0, (uint32_t)test_random() % 3);
	}
	trc_past_release(&past);
}

int
main(void)
{
	test_start();
	RUN(numbers_come_back_whatever_hints_are);
	RUN(hints_that_are_right_save_all_but_a_few_bytes);
	RUN(a_sweep_is_said_to_come_one_page_further);
	RUN(no_page_is_said_behind_the_last);
	return 0;
}
