/* SPDX-License-Identifier: MIT
 * Batches: columns, appending, picking, names. */
#define _DEFAULT_SOURCE /* getrusage() */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "base/hugepages.h"
#include "batch/counts.h"
#include "generate.h"
#include "test.h"

static void
columns_are_there_or_null(void)
{
	struct generator m = { test_seed };
	struct trc_batch b;
	struct trc_err err;

	for (int round = 0; round < 300; round++) {
		uint32_t have = (uint32_t)generate_below(&m, TRC_HAS_ALL + 1);
		size_t cap = 1 + generate_below(&m, 70);

		CHECK(trc_batch_init(&b, have, cap, &err) == 0);
		CHECK(b.have == have && b.cap == cap && b.n == 0);
		for (int c = 0; c < TRC_COLUMNS; c++) {
			char *at = trc_batch_column(&b, (enum trc_column)c);

			CHECK(!at == !(have >> c & 1));
			CHECK(!at || (uintptr_t)at % 64 == 0);
			if (at) /* to the last byte, under the eyes of a sanitizer */
				memset(at, c, cap * trc_column[c].width);
		}
		for (int c = 0; c < TRC_COLUMNS; c++) {
			const char *at = trc_batch_column(&b, (enum trc_column)c);

			CHECK(!at || (at[0] == c && at[cap * trc_column[c].width - 1] == c));
		}
		trc_batch_release(&b);
		trc_batch_release(&b);
	}
}

static void
appending_and_picking_agree(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 200; round++) {
		struct generate_spec spec = { .have = (uint32_t)generate_below(&m, TRC_HAS_ALL + 1),
			                      .rows = 100 };
		size_t from = generate_below(&m, 50), n = generate_below(&m, 50);
		struct trc_batch src, a, b;
		uint32_t row[50];
		struct trc_err err;
		char why[128];

		generate_rows(&src, &spec, test_seed + (uint64_t)round);
		CHECK(trc_batch_init(&a, spec.have, 102, &err) == 0);
		CHECK(trc_batch_init(&b, spec.have, 102, &err) == 0);
		for (size_t i = 0; i < n; i++)
			row[i] = (uint32_t)(from + i);
		trc_batch_append(&a, &src, 0, 2);
		trc_batch_append(&b, &src, 0, 2);
		trc_batch_append(&a, &src, from, n);
		trc_batch_pick(&b, &src, row, n);
		CHECK(a.n == n + 2 && generate_same(&a, &b, spec.have, why, sizeof(why)));
		trc_batch_release(&src);
		trc_batch_release(&a);
		trc_batch_release(&b);
	}
}

static void
events_travel_with_their_rows(void)
{
	struct trc_batch a, b;
	uint32_t row[] = { 2, 0, 1 };
	struct trc_err err;

	CHECK(trc_batch_init(&a, TRC_HAS_EVENT, 3, &err) == 0);
	CHECK(trc_batch_init(&b, TRC_HAS_EVENT, 6, &err) == 0);
	a.n = 3;
	a.event[0] = 0;
	trc_batch_put_event(&a, 1, "S 1a", 4);
	trc_batch_put_event(&a, 2, "", 0);
	CHECK(!trc_batch_is_event(&a, 0) && trc_batch_is_event(&a, 1) && trc_batch_is_event(&a, 2));
	CHECK(strcmp(trc_batch_event(&a, 0), "") == 0 &&
	      strcmp(trc_batch_event(&a, 1), "S 1a") == 0);
	trc_batch_append(&b, &a, 0, 3);
	trc_batch_pick(&b, &a, row, 3);
	trc_batch_clear(&a);
	CHECK(a.n == 0 && b.n == 6 && !trc_batch_is_event(&b, 4));
	CHECK(strcmp(trc_batch_event(&b, 1), "S 1a") == 0 && trc_batch_is_event(&b, 3));
	CHECK(strcmp(trc_batch_event(&b, 5), "S 1a") == 0);
	/* A text that is lost is lost wherever its row goes, and reported. */
	a.text_lost = true;
	trc_batch_append(&b, &a, 0, 0);
	CHECK(trc_batch_check(&b, &err) && err.code == TRC_NO_MEMORY);
	trc_batch_clear(&b);
	CHECK(trc_batch_check(&b, &err) == 0);
	trc_batch_release(&a);
	trc_batch_release(&b);
}

static void
columns_have_names(void)
{
	char text[256], small[8];
	size_t len = 0;

	for (int c = 0; c < TRC_COLUMNS; c++) {
		const char *name = trc_column[c].name;

		CHECK(trc_column_bit(name, strlen(name)) == UINT32_C(1) << c);
		CHECK(trc_column_bit(name, strlen(name) - 1) != UINT32_C(1) << c);
		CHECK(strlen(trc_column[c].doc) + 15 <= 80);
		len += strlen(name) + 1;
	}
	CHECK(trc_column_bit("", 0) == 0 && trc_column_bit("addres", 6) == 0);
	CHECK(strlen(trc_columns_text(TRC_HAS_ALL, text, sizeof(text))) == len - 1);
	CHECK(strcmp(trc_columns_text(TRC_HAS_TYPE | TRC_HAS_VPN, text, 256), "type,vpn") == 0);
	CHECK(strcmp(trc_columns_text(0, text, sizeof(text)), "") == 0);
	CHECK(strlen(trc_columns_text(TRC_HAS_ALL, small, sizeof(small))) < sizeof(small));
}

static void
types_count_as_references(void)
{
	static const struct {
		uint8_t type;
		unsigned refs;
	} row[] = {
		{ TRC_READ, 1 },
		{ TRC_WRITE, 1 },
		{ TRC_FETCH, 1 },
		{ TRC_MODIFY, 2 },
		{ TRC_MISC, 1 },
		{ TRC_COPY_BACK, 0 },
		{ TRC_INVALIDATE, 0 },
		{ TRC_PREFETCH, 0 },
		{ TRC_KERNEL | TRC_WRITE, 1 },
		{ TRC_KERNEL | TRC_MODIFY, 2 },
		{ TRC_EVENT, 0 },
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++)
		CHECK_MSG(trc_type_refs(row[i].type) == row[i].refs, "type %d", row[i].type);
	for (int t = 0; t < TRC_TYPES; t++)
		CHECK(trc_type_name[t] && *trc_type_name[t]);
}

/* Counts rows in batches of up to `most` rows. */
static struct trc_counts
count_by(const struct trc_batch *rows, unsigned page_bits, size_t most)
{
	struct trc_err err;
	struct trc_tally *tally = trc_tally_open(page_bits, 0, &err);
	struct trc_counts counts;
	struct trc_batch b;

	CHECK(tally && trc_batch_init(&b, rows->have, most, &err) == 0);
	for (size_t at = 0; at < rows->n; at += b.n) {
		trc_batch_clear(&b);
		trc_batch_append(&b, rows, at, rows->n - at < most ? rows->n - at : most);
		CHECK(trc_tally_add(tally, &b, &err) == 0);
	}
	counts = trc_tally_counts(tally);
	trc_tally_close(tally);
	trc_batch_release(&b);
	return counts;
}

/* Of seven rows at most, each is looked at by itself; some end at the last address. */
static void
many_rows_are_counted_as_few(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 400; round++) {
		const uint32_t have = TRC_HAS_TYPE | TRC_HAS_ADDR | (round % 2 ? TRC_HAS_SIZE : 0);
		const unsigned bits = round % 3 ? TRC_COUNTS_PAGE_BITS :
		                                  (unsigned)generate_below(&m, 20);
		const uint64_t base = round % 5 ? generate_random(&m) : UINT64_MAX - 5000;
		const uint64_t apart = UINT64_C(1) << generate_below(&m, 40);
		struct trc_batch rows = generate_zeros(have, 1 + generate_below(&m, 3000));
		struct trc_counts few, many;

		for (size_t i = 0; i < rows.n; i++) {
			const uint64_t near = generate_below(&m, 200);

			rows.type[i] = (uint8_t)generate_below(&m, TRC_MODIFY + 1);
			rows.addr[i] = base + near +
			               (generate_below(&m, 30) ? 0 : generate_below(&m, apart));
			if (rows.size)
				rows.size[i] = (uint32_t)generate_below(&m, generate_below(&m, 50) ?
				                                                    9 :
				                                                    20000);
		}
		few = count_by(&rows, bits, 1 + generate_below(&m, 7));
		many = count_by(&rows, bits, 4096);
		CHECK_MSG(!trc_counts_differ(&few, &many), "round %d: %s", round,
		          trc_counts_differ(&few, &many));
		CHECK(few.distinct == many.distinct && few.pages == many.pages);
		trc_batch_release(&rows);
	}
}

/* The heap of large pages has all memory that there is room for, and calloc() cleared what it took
 * there: a thousand rows were encoded in 172 MiB. */
static void
rows_that_never_come_take_no_memory(void)
{
	struct rusage before, after;
	struct trc_batch b;
	struct trc_err err;

	if (test_sanitized())
		return;
#if defined(M_PERTURB)
	mallopt(M_PERTURB, 0);
#endif
	trc_hugepages_heap();
	CHECK(getrusage(RUSAGE_SELF, &before) == 0);
	CHECK(trc_batch_init_room(&b, TRC_HAS_ALL, 1 << 20, &err) == 0);
	CHECK(getrusage(RUSAGE_SELF, &after) == 0);
	CHECK(after.ru_maxrss - before.ru_maxrss < 8192);
	trc_batch_release(&b);
}

int
main(void)
{
	test_start();
	RUN(columns_are_there_or_null);
	RUN(appending_and_picking_agree);
	RUN(events_travel_with_their_rows);
	RUN(columns_have_names);
	RUN(types_count_as_references);
	RUN(many_rows_are_counted_as_few);
	RUN(rows_that_never_come_take_no_memory);
	return 0;
}
