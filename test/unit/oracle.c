/* SPDX-License-Identifier: MIT
 * oracleGeneral: what is next, against its definition, over more blocks than one. */
#include <string.h>

#include "base/bytes.h"
#include "generate.h"
#include "test.h"

enum { RECORD = 24 };

/* `rows` requests for some of `objects` objects. */
static struct trc_batch
requests(size_t rows, uint64_t objects)
{
	struct trc_batch b = generate_zeros(TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME, rows);
	struct generator m = { test_seed };

	for (size_t i = 0; i < rows; i++) {
		b.addr[i] = generate_below(&m, objects) << 50 | 7;
		b.time[i] = i / 100;
		b.size[i] = 512;
	}
	return b;
}

/* The next request for the object of request `i` by looking for it, from 1; UINT64_MAX: none. */
static uint64_t
look(const struct trc_batch *b, size_t i)
{
	for (size_t k = i + 1; k < b->n; k++)
		if (b->addr[k] == b->addr[i])
			return k + 1;
	return UINT64_MAX;
}

static void
check_next(size_t rows, uint64_t objects)
{
	struct trc_batch b = requests(rows, objects);
	struct generate_bytes bytes;
	struct trc_err err;

	CHECK_MSG(generate_write_as("oracle", &b, 4096, NULL, &bytes, &err) == 0, "%s", err.text);
	CHECK(bytes.len == rows * RECORD);
	for (size_t i = 0; i < rows; i++)
		CHECK_MSG(trc_le64(bytes.p + RECORD * i + 16) == look(&b, i), "request %zu of %zu",
		          i + 1, rows);
	trc_batch_release(&b);
	free(bytes.p);
}

static void
what_is_next_is_next(void)
{
	check_next(1, 1);
	check_next(3000, 1);
	check_next(3000, 700);
	check_next((1 << 18) + 1, 64);
	check_next(3 * (1 << 18) + 17, 64);
}

static void
times_above_32_bits_are_refused(void)
{
	struct trc_batch b = requests(2, 1);
	struct generate_bytes bytes;
	struct trc_err err;

	b.time[1] = UINT64_C(1) << 32;
	CHECK(generate_write_as("oracle", &b, 4096, NULL, &bytes, &err) == -1);
	CHECK_MSG(strstr(err.text, "record 2") && strstr(err.text, "seconds"), "%s", err.text);
	trc_batch_release(&b);
}

/* Whether it was asked if the bytes are read so. */
static bool
asks(const struct trc_err *err, const char *from)
{
	unsigned i = 0;

	while (i < err->readings && strcmp(err->reading[i].from, from) != 0)
		i++;
	return i < err->readings;
}

/* Low addresses, of which every third could be the number of a next request, and records of a
 * bus. */
static void
other_records_are_not_taken_for_requests(void)
{
	enum { WORDS = 30000, BUS = 12 };
	static const char *const from[] = { "struct:<Q,addr", "byu" };
	struct generator m = { test_seed };
	uint8_t *p = calloc(WORDS, BUS);
	struct trc_err err;

	CHECK(p);
	for (size_t k = 0; k < 2; k++) {
		const size_t len = k ? WORDS * BUS : WORDS * 8;
		const struct trc_format *f;
		struct trc_in *in;

		for (size_t i = 0; i < WORDS; i++)
			if (k) {
				trc_put_le32(p + BUS * i,
				             1 << 24 | (uint32_t)generate_below(&m, 9999));
				memcpy(p + BUS * i + 4, "\14\4\0\0\7\0\0\0", 8);
			} else {
				trc_put_le64(p + 8 * i, 1 << 24 | generate_below(&m, 9999));
			}
		in = generate_in(p, len, 4096);
		f = trc_format_recognise(in, &err);
		CHECK_MSG(!f && asks(&err, from[k]), "%s", f ? f->name : err.text);
		trc_in_close(in);
	}
	free(p);
}

int
main(void)
{
	test_start();
	RUN(what_is_next_is_next);
	RUN(times_above_32_bits_are_refused);
	RUN(other_records_are_not_taken_for_requests);
	return 0;
}
