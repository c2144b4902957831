/* SPDX-License-Identifier: MIT
 * PDATS, PDATS II and Mache: the paper's Table 3 byte for byte, members, and bad input. */
#include <string.h>

#include "format/member.h"
#include "generate.h"
#include "test.h"

enum { HEADER = 24, TYPE_ADDR = TRC_HAS_TYPE | TRC_HAS_ADDR };

static const char *const names[] = { "pdats", "pdats2", "mache" };

static struct generator m;

/* All rows in `p`, which comes `step` bytes at a time, pulled `step` at a time. */
static int
read_all(const char *name, const uint8_t *p, size_t len, size_t step, struct trc_batch *back,
         struct trc_err *err)
{
	return generate_collect(generate_read_as(name, p, len, step, err), step, back, NULL, err);
}

/* The input of Table 3: the begin of the DLX trace of tex. */
static struct trc_batch
table3(void)
{
	static const struct {
		uint8_t type;
		uint32_t addr;
	} row[] = {
		{ 2, 0x430d70 },   { 2, 0x430d74 }, { 2, 0x415130 },   { 0, 0x1000acac },
		{ 2, 0x415134 },   { 2, 0x415138 }, { 2, 0x41513c },   { 2, 0x415140 },
		{ 2, 0x430c20 },   { 2, 0x430c24 }, { 1, 0x7fff00ac }, { 2, 0x430c28 },
		{ 1, 0x7fff00a8 }, { 2, 0x430c2c }, { 1, 0x7fff00a4 }, { 2, 0x430c30 },
		{ 1, 0x7fff009c }, { 2, 0x430c34 }, { 1, 0x7fff00a0 }, { 2, 0x430c38 },
		{ 1, 0x7fff0098 }, { 2, 0x430c3c }, { 2, 0x430c40 },   { 2, 0x430c44 },
		{ 2, 0x430c48 },   { 2, 0x430c4c }, { 2, 0x430c50 },   { 2, 0x430c54 },
		{ 2, 0x430c58 },
	};
	struct trc_batch b = generate_zeros(TYPE_ADDR, TRC_COUNT(row));

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		b.type[i] = row[i].type;
		b.addr[i] = row[i].addr;
	}
	return b;
}

/* Bytes written as hexadecimal, '|' between records. */
static size_t
bytes_of(const char *hex, uint8_t *dst)
{
	size_t n = 0;

	for (; *hex; hex += *hex == '|' ? 1 : 2) {
		unsigned byte;

		if (*hex == '|')
			continue;
		CHECK(sscanf(hex, "%2x", &byte) == 1);
		dst[n++] = (uint8_t)byte;
	}
	return n;
}

/* Its records, of 5 1 5 5 2 5 1 5 1 2 1 2 1 2 1 2 1 2 2 bytes and 5 3 5 1 3 5 1 1 1 1 1 1. */
static const char table3_pdats[] = "6200430d70|02|62fffe43bc|601000acac|8203|620001bae0|02|"
                                   "617fff00ac|02|21fc|02|21fc|02|21f8|02|2104|02|21f8|8207";
static const char table3_pdats2[] = "e10010c35c|c090ef|3b1000acac|80|c16eb8|7d7fff00ac|55|55|65|4d|"
                                    "67|84";
static const char table3_mache[] = "1a700d43|0a04|1abc43fe|04acac0010|0a04|0a04|0a04|0a04|1ae0ba01|"
                                   "0a04|05ac00ff7f|0a04|09fc|0a04|09fc|0a04|09f8|0a04|0904|0a04|"
                                   "09f8|0a04|0a04|0a04|0a04|0a04|0a04|0a04|0a04";

static void
check_table3(const char *to, const char *from, const char *hex, size_t len, const char *head)
{
	struct trc_batch rows = table3();
	struct generate_bytes bytes = generate_round_trip(to, from, &rows);
	uint8_t want[256];

	CHECK(bytes_of(hex, want) == len);
	CHECK(bytes.len == HEADER + len && memcmp(bytes.p + HEADER, want, len) == 0);
	CHECK(bytes_of(head, want) == 8 && memcmp(bytes.p, want, 8) == 0);
	CHECK(trc_le64(bytes.p + 8) == 29 && trc_le64(bytes.p + 16) == len);
	free(bytes.p);
	trc_batch_release(&rows);
}

static void
table_3_of_the_paper(void)
{
	check_table3("pdats", "pdats", table3_pdats, 46, "5044543101000424");
	check_table3("pdats2", "pdats2", table3_pdats2, 28, "5044543201000424");
	check_table3("mache", "mache", table3_mache, 70, "4d41434801040000");
}

/* Table 1 of the paper, read literally, has the short +4 for all types: row 19 takes a byte
 * then. */
static void
stride_all_shortens_row_19(void)
{
	struct trc_batch rows = table3();
	struct generate_bytes bytes = generate_round_trip("pdats:stride-all", "pdats", &rows);

	CHECK(bytes.len == HEADER + 45);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* A program of a kind: fetches in runs, data near three places. */
static struct trc_batch
program(uint32_t have, size_t n, uint64_t space, unsigned stride)
{
	struct trc_batch b = generate_zeros(have, n);
	uint64_t pc = generate_random(&m);
	uint64_t place[3] = { generate_random(&m), generate_random(&m), generate_random(&m) };

	for (size_t i = 0; i < n; i++) {
		const uint64_t r = generate_random(&m);
		uint64_t *at = &place[r % 3];

		if (r >> 8 & 1) {
			if (r >> 9 & 7)
				pc += stride;
			else
				pc = r >> 12 & 1 ? generate_random(&m) : pc - (r >> 13 & 4095);
			pc = (pc & space) / stride * stride;
			b.type[i] = TRC_FETCH;
			b.addr[i] = pc;
		} else {
			*at += (uint64_t)((int64_t)generate_random(&m) >> (r >> 9 & 63));
			b.type[i] = r >> 16 & 1;
			b.addr[i] = *at &= space;
		}
		if (have & TRC_HAS_TIME) {
			b.type[i] |= r >> 20 & 7 ? 0 : TRC_KERNEL;
			b.time[i] = (i ? b.time[i - 1] : 0) +
			            (r >> 24 & 7 ? r >> 27 & 3 :
			                           generate_random(&m) >> (r >> 32 & 63));
		}
	}
	return b;
}

static void
every_width_and_stride_comes_back(void)
{
	static const uint64_t space[] = { UINT32_MAX, UINT64_MAX, (UINT64_C(1) << 40) - 1 };

	for (unsigned stride = 1; stride <= 8; stride *= 2)
		for (size_t s = 0; s < TRC_COUNT(space); s++)
			for (size_t f = 0; f < TRC_COUNT(names); f++) {
				struct trc_batch rows = program(TYPE_ADDR, 3000, space[s], stride);
				struct generate_bytes bytes = generate_round_trip(names[f],
				                                                  names[f], &rows);

				CHECK((bytes.p[5] & 1) == (s > 0));
				if (f == 1)
					CHECK(bytes.p[6] == stride);
				free(bytes.p);
				trc_batch_release(&rows);
			}
}

static void
times_and_the_supervisor_come_back(void)
{
	struct trc_batch rows = program(TYPE_ADDR | TRC_HAS_TIME, 5000, UINT64_MAX, 4);
	struct generate_bytes bytes = generate_round_trip("pdats", "pdats", &rows);

	CHECK(bytes.p[5] == 3);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Runs around the largest counts of a record, 256 references in PDATS, 32 and 4 in PDATS II, also
 * over the end of the address space. */
static void
long_runs_come_back(void)
{
	static const uint32_t base[] = { 0x40000000, 0xffffff00 };

	for (size_t n = 1; n < 600; n += n % 32 == 1 ? 30 : 1)
		for (size_t k = 0; k < 6; k++) {
			struct trc_batch rows = generate_zeros(TYPE_ADDR, n + 1);
			struct generate_bytes bytes;

			rows.type[0] = TRC_READ;
			rows.addr[0] = 0x80000000;
			for (size_t i = 1; i <= n; i++) {
				rows.type[i] = TRC_FETCH;
				rows.addr[i] = (uint32_t)(base[k / 3] + 4 * i);
			}
			bytes = generate_round_trip(names[k % 3], names[k % 3], &rows);
			/* The read, the first fetch, and runs with a count but for a single one. */
			if (k == 0)
				CHECK(bytes.len == HEADER + 5u + 5 + (n - 1) / 256 * 2 +
				                           ((n - 1) % 256 > 1 ? 2 : (n - 1) % 256));
			free(bytes.p);
			trc_batch_release(&rows);
		}
}

/* What the first 64 Ki references did not announce begins another member, and is exact. */
static void
surprises_begin_a_member(void)
{
	enum { N = 150000, AT = 100001 };

	for (size_t f = 0; f < TRC_COUNT(names); f++) {
		struct trc_batch rows = program(TYPE_ADDR, N, UINT32_MAX, 4);
		struct generate_bytes bytes = generate_round_trip(names[f], names[f], &rows);

		CHECK(trc_le64(bytes.p + 8) == N);
		free(bytes.p);
		rows.type[AT] = TRC_FETCH;
		rows.addr[AT] |= 1; /* no multiple of 4 */
		bytes = generate_round_trip(names[f], names[f], &rows);
		CHECK(trc_le64(bytes.p + 8) == (f == 1 ? AT : N));
		free(bytes.p);
		rows.addr[AT] += UINT64_C(1) << 32;
		bytes = generate_round_trip(names[f], names[f], &rows);
		CHECK(trc_le64(bytes.p + 8) == AT);
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

static void
an_empty_trace_is_a_member(void)
{
	for (size_t f = 0; f < TRC_COUNT(names); f++) {
		struct trc_batch rows = generate_zeros(TYPE_ADDR, 0);
		struct generate_bytes bytes = generate_round_trip(names[f], names[f], &rows);

		CHECK(bytes.len == HEADER);
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

/* Files after one another are a file. */
static void
members_concatenate(void)
{
	for (size_t f = 0; f < TRC_COUNT(names); f++) {
		struct trc_batch rows = program(TYPE_ADDR, 500, UINT64_MAX, 4);
		struct generate_bytes bytes = generate_round_trip(names[f], names[f], &rows);
		uint8_t *twice = malloc(2 * bytes.len);
		struct trc_batch back;
		struct trc_err err;

		CHECK(twice);
		memcpy(twice, bytes.p, bytes.len);
		memcpy(twice + bytes.len, bytes.p, bytes.len);
		CHECK(read_all(names[f], twice, 2 * bytes.len, 64, &back, &err) == 0);
		CHECK(back.n == 1000 && memcmp(back.addr + 500, rows.addr, 4000) == 0);
		free(twice);
		free(bytes.p);
		trc_batch_release(&rows);
		trc_batch_release(&back);
	}
}

/* Reads bytes that must not be a trace; the message must contain `why`. */
static void
refused(const char *name, const uint8_t *p, size_t len, const char *why)
{
	struct trc_batch back;
	struct trc_err err;

	CHECK_MSG(read_all(name, p, len, 4096, &back, &err) == -1, "%s %zu", name, len);
	CHECK_MSG(strstr(err.text, why), "%s %zu: '%s' lacks '%s'", name, len, err.text, why);
	trc_batch_release(&back);
}

static void
every_cut_is_an_error(void)
{
	for (size_t f = 0; f < TRC_COUNT(names); f++) {
		struct trc_batch rows = table3();
		struct generate_bytes bytes = generate_round_trip(names[f], names[f], &rows);

		for (size_t len = 0; len < bytes.len; len++)
			refused(names[f], bytes.p, len, "byte ");
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

/* `bytes` with a header byte changed by `by`. */
static void
refused_with(const char *name, struct generate_bytes bytes, size_t at, int by, const char *why)
{
	bytes.p[at] = (uint8_t)(bytes.p[at] + by);
	refused(name, bytes.p, bytes.len, why);
	bytes.p[at] = (uint8_t)(bytes.p[at] - by);
}

static void
headers_that_lie_are_errors(void)
{
	for (size_t f = 0; f < TRC_COUNT(names); f++) {
		struct trc_batch rows = table3();
		struct generate_bytes bytes = generate_round_trip(names[f], names[f], &rows);

		refused_with(names[f], bytes, 0, 1, "byte 0: this is not a");
		refused_with(names[f], bytes, 4, 1, "byte 0: this is not a");
		refused_with(names[f], bytes, 5, 8, "byte 0: this is not a");
		refused_with(names[f], bytes, 6, 1, "byte 0: this is not a");
		refused_with(names[f], bytes, 7, 1, "byte 0: this is not a");
		refused_with(names[f], bytes, 8, 1, "references too early");
		refused_with(names[f], bytes, 8, -1,
		             f == 2 ? "follow the last reference" : "holds more references");
		refused_with(names[f], bytes, 16, 1, "missing");
		refused_with(names[f], bytes, 16, -1, "byte ");
		refused_with(names[f], bytes, 8, -6,
		             f == 1 ? "holds more" :
		             f == 2 ? "follow the last reference" :
		                      "holds more");
		bytes.p = realloc(bytes.p, bytes.len + 1);
		CHECK(bytes.p);
		bytes.p[bytes.len++] = 0;
		refused(names[f], bytes.p, bytes.len, "too few bytes for a header");
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

static void
records_that_are_none_are_errors(void)
{
	static const struct {
		const char *name, *hex, *why;
	} bad[] = {
		{ "pdats:raw", "02|03", "byte 1: this is not a pdats record" },
		{ "pdats:raw", "02|02|07", "byte 2: this is not a pdats record" },
		{ "pdats:raw", "0a05",
		  "byte 0: this is not a pdats record" }, /* a time, in a file of none */
		{ "pdats:raw", "02|82", "byte 1: the record that begins here is truncated" },
		{ "pdats:raw", "02|a203", "byte 1: the record that begins here is truncated" },
		{ "pdats:raw,times", "02|12ff",
		  "byte 1: the record that begins here is truncated" },
		{ "pdats2:raw", "84|e1001122", "byte 1: the record that begins here is truncated" },
		{ "pdats2:raw", "39|1122", "byte 0: the record that begins here is truncated" },
		{ "mache:raw", "0a04|03", "byte 2: this is not a mache record" },
		{ "mache:raw", "0a04|42",
		  "byte 2: this is not a mache record" }, /* 8 bytes of difference */
		{ "mache:raw", "0e04", "byte 0: this is not a mache record" },
		{ "mache:raw", "0a04|0401", "byte 2: the record that begins here is truncated" },
		{ "pdats:raw,skip=5", "02|02", "is shorter than the 5 bytes to skip" },
		{ "pdats:raw,bits=64,widths=124", "02", "widths" },
		{ "pdats:skip=5", "02", "raw" },
		{ "mache:raw,stride=4", "02", "no argument 'stride'" },
		{ "pdats:raw,endian=bug", "02", "big|little" },
	};

	for (size_t i = 0; i < TRC_COUNT(bad); i++) {
		uint8_t p[64];

		refused(bad[i].name, p, bytes_of(bad[i].hex, p), bad[i].why);
	}
}

/* Records without a header, in the forms that only such files have. */
static void
raw_records_are_read(void)
{
	static const struct {
		const char *name, *hex;
		uint64_t addr[4];
	} good[] = {
		{ "pdats:raw,skip=3", "ffffff|4200c0|8202", { 0xc0, 0xc4, 0xc8, 0xcc } },
		{ "pdats:raw,endian=little,stride=2", "42c000|8202", { 0xc0, 0xc2, 0xc4, 0xc6 } },
		{ "pdats:raw,bits=64,widths=148",
		  "42ffffffc0|a20101|620000000000000041",
		  { UINT64_MAX - 63, UINT64_MAX - 62, UINT64_MAX - 61, 3 } },
		{ "pdats2:raw,stride=1", "a110|08|14", { 0x10, 0x11, 4, UINT32_MAX - 3 } },
		{ "pdats2:raw,endian=little,bits=64",
		  "c1ff7f|380000000001000000",
		  { 0x1fffc, 0x20000, 0x100000000, 0 } },
		{ "mache:raw,bits=64,endian=big",
		  "3a00112233445566|0a11|06"
		  "0600000000000000",
		  { 0x00112233445566, 0x00112233445577, 0x0600000000000000, 0 } },
	};

	for (size_t i = 0; i < TRC_COUNT(good); i++) {
		struct trc_batch back;
		struct trc_err err;
		uint8_t p[64];
		size_t n = bytes_of(good[i].hex, p);

		CHECK_MSG(read_all(good[i].name, p, n, 3, &back, &err) == 0, "%s", err.text);
		for (size_t k = 0; k < back.n; k++)
			CHECK_MSG(back.addr[k] == good[i].addr[k], "%s %zu: %llx", good[i].name, k,
			          (unsigned long long)back.addr[k]);
		CHECK(back.n >= 3);
		trc_batch_release(&back);
	}
}

/* Counts of all ones: the records go on to the end of the file. */
static void
unknown_counts_are_read(void)
{
	for (size_t f = 0; f < TRC_COUNT(names); f++) {
		struct trc_batch rows = table3(), back;
		struct generate_bytes bytes = generate_round_trip(names[f], names[f], &rows);
		struct trc_err err;
		char why[128];

		memset(bytes.p + 8, 0xff, 16);
		CHECK(read_all(names[f], bytes.p, bytes.len, 5, &back, &err) == 0);
		CHECK_MSG(generate_same(&rows, &back, TYPE_ADDR, why, sizeof(why)), "%s", why);
		free(bytes.p);
		trc_batch_release(&rows);
		trc_batch_release(&back);
	}
}

static void
refuses(const char *name, uint32_t have, uint8_t type, const char *why)
{
	struct trc_batch rows = generate_zeros(have, 3);
	struct trc_err err;
	struct generate_bytes bytes;

	rows.type[1] = type;
	CHECK(generate_write_as(name, &rows, 2, NULL, &bytes, &err) == -1);
	CHECK_MSG(strstr(err.text, why), "%s", err.text);
	trc_batch_release(&rows);
}

static void
what_cannot_be_held_is_named(void)
{
	refuses("pdats2", TYPE_ADDR, TRC_KERNEL | TRC_FETCH,
	        "record 2: pdats2 cannot hold a kernel");
	refuses("mache", TYPE_ADDR, TRC_KERNEL, "record 2: mache cannot hold a kernel read");
	refuses("pdats", TYPE_ADDR, TRC_MODIFY, "record 2: pdats cannot hold a modify");
	refuses("pdats", TYPE_ADDR, TRC_MISC, "record 2: pdats cannot hold a misc");
	refuses("pdats2", TYPE_ADDR | TRC_HAS_TIME, 0, "'time'");
	refuses("mache", TYPE_ADDR | TRC_HAS_TIME, 0, "'time'");
	refuses("pdats", TYPE_ADDR | TRC_HAS_SIZE, 0, "'size'");
}

/* Any bytes are read to an end or an error, and damage to a file is found or leaves as many
 * rows. */
static void
any_bytes_are_survived(void)
{
	static const char *const raw[] = { "pdats:raw",
		                           "pdats:raw,bits=64,times",
		                           "pdats2:raw,bits=64",
		                           "mache:raw",
		                           "pdats",
		                           "pdats2",
		                           "mache" };

	for (int round = 0; round < 300; round++) {
		struct trc_batch rows = program(TYPE_ADDR, 50, UINT32_MAX, 4);
		struct trc_batch back;
		struct trc_err err;
		uint8_t p[256];

		for (size_t i = 0; i < sizeof(p); i++)
			p[i] = (uint8_t)generate_random(&m);
		for (size_t i = 0; i < TRC_COUNT(raw); i++) {
			(void)!read_all(raw[i], p, sizeof(p), 100, &back, &err);
			trc_batch_release(&back);
		}
		for (size_t f = 0; f < TRC_COUNT(names); f++) {
			struct generate_bytes bytes;

			CHECK(generate_write_as(names[f], &rows, 64, NULL, &bytes, &err) == 0);
			bytes.p[generate_random(&m) % bytes.len] ^=
			        (uint8_t)(1 << generate_random(&m) % 8);
			if (read_all(names[f], bytes.p, bytes.len, 9, &back, &err) == 0)
				CHECK(back.n == rows.n);
			trc_batch_release(&back);
			free(bytes.p);
		}
		trc_batch_release(&rows);
	}
}

int
main(void)
{
	test_start();
	m.state = test_seed;
	RUN(table_3_of_the_paper);
	RUN(stride_all_shortens_row_19);
	RUN(every_width_and_stride_comes_back);
	RUN(times_and_the_supervisor_come_back);
	RUN(long_runs_come_back);
	RUN(surprises_begin_a_member);
	RUN(an_empty_trace_is_a_member);
	RUN(members_concatenate);
	RUN(every_cut_is_an_error);
	RUN(headers_that_lie_are_errors);
	RUN(records_that_are_none_are_errors);
	RUN(raw_records_are_read);
	RUN(unknown_counts_are_read);
	RUN(what_cannot_be_held_is_named);
	RUN(any_bytes_are_survived);
	return 0;
}
