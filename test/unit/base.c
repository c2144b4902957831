/* SPDX-License-Identifier: MIT
 * The base: bytes, near words, the map, options, errors, work in order. */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_getaffinity() */
#endif
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/cores.h"
#include "base/map_find.h"
#include "base/suggest.h"
#include "base/opt.h"
#include "base/pool.h"
#include "generate.h"
#include "test.h"

static void
bytes_have_one_order(void)
{
	const uint8_t p[9] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	uint8_t q[9] = { 0 };

	CHECK(trc_le16(p + 1) == 0x0201 && trc_be16(p + 1) == 0x0102);
	CHECK(trc_le32(p + 1) == 0x04030201 && trc_be32(p + 1) == 0x01020304);
	CHECK(trc_le64(p + 1) == UINT64_C(0x0807060504030201));
	CHECK(trc_be64(p + 1) == UINT64_C(0x0102030405060708));
	trc_put_le64(q + 1, trc_le64(p + 1));
	CHECK(memcmp(p, q, 9) == 0);
	for (int i = 0; i < 64; i++) {
		CHECK(trc_clz64(UINT64_C(1) << i) == 63 - i && trc_ctz64(UINT64_C(1) << i) == i);
		CHECK(trc_clz64(UINT64_MAX >> i) == i && trc_ctz64(UINT64_MAX << i) == i);
	}
	CHECK(trc_clz64(0) == 64);
}

static void
nearest_words_are_found(void)
{
	static const char *const known[] = { "encode", "decode",  "reduce", "split",
		                             "replay", "formats", "from" };
	static const struct {
		const char *word, *best;
	} row[] = {
		{ "encode", "encode" },
		{ "ecnode", "encode" },
		{ "deocde", "decode" },
		{ "enc", "encode" },
		{ "reduc", "reduce" },
		{ "replays", "replay" },
		{ "form", "from" },
		{ "forma", "formats" },
		{ "for", "formats" },
		{ "plan", NULL },
		{ "plot", NULL },
		{ "FROM", "from" },
		{ "", NULL },
		{ "zzz", NULL },
		{ "a-word-that-is-longer-than-any-known-one-could-be", NULL },
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		struct trc_suggest suggest = { .word = row[i].word };

		for (size_t k = 0; k < TRC_COUNT(known); k++)
			trc_suggest_offer(&suggest, known[k]);
		CHECK_MSG(row[i].best ? suggest.best && strcmp(suggest.best, row[i].best) == 0 :
		                        !suggest.best,
		          "'%s' for '%s'", suggest.best ? suggest.best : "nothing", row[i].word);
	}
}

/* The map against an array, with keys that are dense, sparse and extreme. */
static void
map_is_a_map(void)
{
	enum { KEYS = 3000 };
	static uint32_t model[KEYS];
	struct generator m = { test_seed };
	struct trc_map map;
	struct trc_err err;
	size_t n = 0;

	CHECK(trc_map_init(&map, &err) == 0);
	memset(model, 0xff, sizeof(model));
	for (int round = 0; round < 200000; round++) {
		/* Grows, shrinks to little, grows again. */
		size_t most = round % 40000 < 25000 ? KEYS : 20;
		size_t key = generate_below(&m, KEYS);
		uint32_t space = key % 3 == 0 ? UINT32_MAX : (uint32_t)key % 3;
		uint64_t page = key % 5 == 0 ? UINT64_MAX - key : key;
		struct trc_map_entry *e = trc_map_find(&map, space, page);

		CHECK(e->value == model[key]);
		if (model[key] != TRC_MAP_NONE && (n > most || generate_below(&m, 2))) {
			trc_map_remove(&map, space, page);
			model[key] = TRC_MAP_NONE;
			n--;
		} else if (model[key] == TRC_MAP_NONE && n < most) {
			model[key] = (uint32_t)round;
			CHECK(trc_map_add(&map, space, page, model[key], &err) == 0);
			n++;
		}
		CHECK(map.n == n);
	}
	trc_map_release(&map);
	trc_map_release(&map);
}

struct settings {
	bool flag, other;
	uint64_t number, bytes;
	const char *text;
	struct trc_opt_list list;
};

static const struct trc_opt opts[] = {
	{ 'a', "flag", NULL, "", TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, flag) },
	{ 'b', "other", NULL, "", TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, other) },
	{ 'n', "number", "N", "", TRC_OPT_NUMBER, TRC_WORDS_NONE,
	  offsetof(struct settings, number) },
	{ 0, "bytes", "N", "", TRC_OPT_BYTES, TRC_WORDS_NONE, offsetof(struct settings, bytes) },
	{ 't', "text", "WORD", "", TRC_OPT_TEXT, TRC_WORDS_NONE, offsetof(struct settings, text) },
	{ 0, "list", "WORD", "", TRC_OPT_LIST, TRC_WORDS_NONE, offsetof(struct settings, list) },
};

static int
parse(const char *line, struct settings *s, struct trc_args *args, struct trc_err *err)
{
	static char copy[512];
	static char *argv[64];
	static const char *word[64];
	int argc = 1;

	snprintf(copy, sizeof(copy), "%s", line);
	*s = (struct settings){ 0 };
	*args = (struct trc_args){ .word = word };
	argv[0] = copy;
	for (char *p = strtok(copy, " "); p; p = strtok(NULL, " "))
		argv[argc++] = p;
	return trc_opt_parse(opts, TRC_COUNT(opts), argc, argv, s, args, err);
}

static void
options_are_rows(void)
{
	struct trc_args args;
	struct settings s;
	struct trc_err err;

	CHECK(parse("-abn 5 x --text=y - -- -z", &s, &args, &err) == 0);
	CHECK(s.flag && s.other && s.number == 5 && strcmp(s.text, "y") == 0);
	CHECK(args.n == 3 && strcmp(args.word[1], "-") == 0 && strcmp(args.word[2], "-z") == 0);
	CHECK(parse("-n5k -tx --bytes 4K --list a --list=b,c --text=--flag", &s, &args, &err) == 0);
	CHECK(s.number == 5000 && s.bytes == 4096 && s.list.n == 2 && args.n == 0 && !s.flag);
	CHECK(strcmp(s.text, "--flag") == 0 && strcmp(s.list.word[1], "b,c") == 0);
	CHECK(parse("--help", &s, &args, &err) == 0 && args.help);
	CHECK(parse("-a x -h", &s, &args, &err) == 0 && args.help);
}

static void
wrong_options_are_explained(void)
{
	static const struct {
		const char *line, *why;
	} row[] = {
		{ "--flga", "did you mean --flag" },
		{ "--zzzzzz", "unknown option --zzzzzz" },
		{ "-z", "unknown option -z" },
		{ "--flag=1", "takes no value" },
		{ "--number", "needs a value" },
		{ "-n", "needs a value" },
		{ "--text --flag", "needs a value" },
		{ "-t -a", "needs a value" },
		{ "--number x", "is not a number" },
		{ "--number=", "is not a number" },
		{ "--bytes 4X", "is not a number" },
		{ "--number -1", "is not a number" },
		{ "--number 18446744073709551616", "is too large" },
		{ "--bytes 18014398509481984k", "is too large" },
	};
	char many[400] = "";
	struct trc_args args;
	struct settings s;
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		CHECK_MSG(parse(row[i].line, &s, &args, &err) == -1, "'%s'", row[i].line);
		CHECK_MSG(err.code == TRC_USAGE && strstr(err.text, row[i].why), "'%s': %s",
		          row[i].line, err.text);
	}
	for (int i = 0; i <= TRC_OPT_LIST_MOST; i++)
		strcat(many, "--list=x ");
	CHECK(parse(many, &s, &args, &err) == -1 && strstr(err.text, "more than 32 times"));
}

static void
numbers_of_options_have_suffixes(void)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t thousand, binary;
	} row[] = {
		{ "0", true, 0, 0 },
		{ "64", true, 64, 64 },
		{ "10k", true, 10000, 10240 },
		{ "2M", true, 2000000, 2097152 },
		{ "1G", true, 1000000000, 1073741824 },
		{ "1t", true, UINT64_C(1000000000000), UINT64_C(1099511627776) },
		{ "18446744073709551615", true, UINT64_MAX, UINT64_MAX },
		{ "", false, 0, 0 },
		{ "k", false, 0, 0 },
		{ "1kk", false, 0, 0 },
		{ "0x10", true, 16, 16 },
		{ "0XfFffFFFFffffffff", true, UINT64_MAX, UINT64_MAX },
		{ "0x", false, 0, 0 },
		{ "0x1G", false, 0, 0 },
		{ "0x10000000000000000", false, 0, 0 },
		{ " 1", false, 0, 0 },
		{ "1 ", false, 0, 0 },
		{ "20000000t", false, 0, 0 },
		{ "1e6", true, 1000000, 1000000 },
		{ "1E+3", true, 1000, 1000 },
		{ "1.5e3", true, 1500, 1500 },
		{ "2.50e1", true, 25, 25 },
		{ "0e99", true, 0, 0 },
		{ "0.25e2k", true, 25000, 25600 },
		{ "18446744073709.551615e6", true, UINT64_MAX, UINT64_MAX },
		{ "18446744073709.551616e6", false, 0, 0 },
		{ "184467440737095516150e0", false, 0, 0 },
		{ "1e20", false, 0, 0 },
		{ "1e4000000000", false, 0, 0 },
		{ "0.5", false, 0, 0 },
		{ "1e", false, 0, 0 },
		{ "e6", false, 0, 0 },
		{ "1e-3", false, 0, 0 },
		{ "1.", false, 0, 0 },
		{ ".", false, 0, 0 },
		{ "1.2.3", false, 0, 0 },
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		uint64_t v;

		CHECK_MSG(trc_opt_number(row[i].text, false, &v) == row[i].ok, "'%s'", row[i].text);
		CHECK(!row[i].ok || v == row[i].thousand);
		CHECK_MSG(trc_opt_number(row[i].text, true, &v) == row[i].ok, "'%s'", row[i].text);
		CHECK(!row[i].ok || v == row[i].binary);
	}
}

/* "--limit 1KB" were 1000 records. */
static void
a_unit_of_bytes_is_refused_where_none_are_counted(void)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} row[] = {
		{ "4KB", 4096 },  { "4kb", 4096 },
		{ "1KiB", 1024 }, { "1kIb", 1024 },
		{ "64B", 64 },    { "1.5MB", 1572864 },
		{ "0B", 0 },      { "2tIb", UINT64_C(2) << 40 },
	};
	struct trc_args args;
	struct settings s;
	struct trc_err err;
	uint64_t v;
	char line[64];

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		CHECK_MSG(trc_opt_number(row[i].text, true, &v) && v == row[i].bytes, "'%s'",
		          row[i].text);
		CHECK_MSG(!trc_opt_number(row[i].text, false, &v), "'%s'", row[i].text);
		CHECK(trc_opt_number_kind(row[i].text, false) == TRC_NUMBER_BYTES);
		snprintf(line, sizeof(line), "--number %s", row[i].text);
		CHECK(parse(line, &s, &args, &err) == -1 && err.code == TRC_USAGE);
		CHECK_MSG(strstr(err.text, "is in bytes, but this counts"), "%s", err.text);
	}
	CHECK(trc_opt_number_kind("1.0001KB", false) == TRC_NUMBER_BYTES);
	CHECK(trc_opt_number_kind("4b", false) == TRC_NUMBER_NONE);
	CHECK(parse("--bytes 4KB", &s, &args, &err) == 0 && s.bytes == 4096);
}

static void
numbers_with_a_point_are_whole_or_refused(void)
{
	uint64_t v;

	CHECK(trc_opt_number("1.5k", false, &v) && v == 1500);
	CHECK(trc_opt_number("1.5K", true, &v) && v == 1536);
	CHECK(trc_opt_number("0.001G", false, &v) && v == 1000000);
	CHECK(trc_opt_number("16777215.9999999999990905052982270717620849609375T", true, &v) ==
	      false);
	CHECK(trc_opt_number_kind("1.5", false) == TRC_NUMBER_BROKEN);
	CHECK(trc_opt_number_kind("0.001G", true) == TRC_NUMBER_BROKEN);
	CHECK(trc_opt_number_kind("1e20", false) == TRC_NUMBER_LARGE);
	CHECK(trc_opt_number_kind("99999999999999999999k", true) == TRC_NUMBER_LARGE);
	CHECK(trc_opt_number_kind("1Ki", false) == TRC_NUMBER_NONE);
}

static void
parts_are_one_in_so_many(void)
{
	static const struct {
		const char *text;
		uint64_t one_in; /* 0: refused */
	} row[] = {
		{ "1/100", 100 },
		{ "1/1e3", 1000 },
		{ "0.01", 100 },
		{ "1%", 100 },
		{ "10%", 10 },
		{ "2.5%", 40 },
		{ ".5", 2 },
		{ "1", 1 },
		{ "100%", 1 },
		{ "0.1%", 1000 },
		{ "1e0%", 100 },
		{ "2", 0 },
		{ "30%", 0 },
		{ "0", 0 },
		{ "0%", 0 },
		{ "1/0", 0 },
		{ "2/3", 0 },
		{ "", 0 },
		{ "%", 0 },
		{ "10%%", 0 },
		{ "0.1 ", 0 },
		{ "1e-30", 0 },
		{ "0.00000000000000000000001", 0 },
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		uint64_t v = 0;
		const bool ok = trc_opt_part(row[i].text, &v);

		CHECK_MSG(ok == (row[i].one_in > 0), "'%s'", row[i].text);
		CHECK_MSG(!ok || v == row[i].one_in, "'%s'", row[i].text);
	}
}

static void
sizes_of_memories_are_pages_or_bytes(void)
{
	static const struct {
		const char *text;
		bool ok, bytes;
		uint64_t n;
	} row[] = {
		{ "64", true, false, 64 },     { "0x40", true, false, 64 },
		{ "64K", true, true, 65536 },  { "64KiB", true, true, 65536 },
		{ "4096B", true, true, 4096 }, { "0", true, false, 0 },
		{ "0xB", true, false, 11 },    { "1e3", true, false, 1000 },
		{ "1.5K", true, true, 1536 },  { "64b", false, false, 0 },
		{ "", false, false, 0 },       { "B", false, false, 0 },
		{ "64BB", false, false, 0 },   { "99999999999T", false, false, 0 },
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		struct trc_opt_pages pages;

		CHECK_MSG(trc_opt_pages(row[i].text, &pages) == row[i].ok, "'%s'", row[i].text);
		CHECK(!row[i].ok || (pages.n == row[i].n && pages.bytes == row[i].bytes));
	}
}

static void
errors_begin_with_the_place(void)
{
	struct trc_err err;

	CHECK(trc_fail(&err, "record %d is bad", 7) == -1 && err.code == TRC_FAILED);
	CHECK(trc_err_in(&err, "'%s'", "x.din") == -1);
	CHECK(strcmp(err.text, "'x.din': record 7 is bad") == 0 && err.code == TRC_FAILED);
	CHECK(trc_fail_errno(&err, 2, "cannot open") == -1 && strstr(err.text, "cannot open: "));
	for (int i = 0; i < 2000; i++)
		trc_err_in(&err, "a name that fills the room of the sentence, in time");
	CHECK(strlen(err.text) < sizeof(err.text));
}

/* What is done to items in order while several threads work on them. */
struct items {
	size_t n, window, stop; /* done() returns false at `stop` */
	atomic_size_t begun, taken;
	size_t square[TRC_POOL_WINDOW];
	bool in_order, in_window;
};

static void
work_on(void *arg, size_t i)
{
	struct items *t = arg;

	if (i >= atomic_load(&t->taken) + t->window)
		t->in_window = false;
	atomic_fetch_add(&t->begun, 1);
	t->square[i % t->window] = i * i;
}

static bool
take(void *arg, size_t i)
{
	struct items *t = arg;

	if (i != atomic_load(&t->taken) || t->square[i % t->window] != i * i)
		t->in_order = false;
	atomic_fetch_add(&t->taken, 1);
	return i != t->stop;
}

static void
items_are_taken_in_their_order(void)
{
	for (int threads = 1; threads <= 5; threads++)
		for (size_t window = 1; window <= TRC_POOL_WINDOW; window *= 4) {
			struct items t = { .n = 1000,
				           .window = window,
				           .stop = SIZE_MAX,
				           .in_order = true,
				           .in_window = true };

			trc_pool_ordered(threads, window, work_on, take, &t, t.n);
			CHECK(t.taken == t.n && t.begun == t.n && t.in_order && t.in_window);
			t = (struct items){ .n = 1000,
				            .window = window,
				            .stop = 10,
				            .in_order = true,
				            .in_window = true };
			trc_pool_ordered(threads, window, work_on, take, &t, t.n);
			CHECK(t.taken == 11 && t.in_order && t.begun <= 11 + window);
			trc_pool_ordered(threads, window, work_on, take, &t, 0);
			CHECK(t.taken == 11);
		}
}

/* Fails for every item from the one that it is given on. */
static int
fail_from(void *arg, size_t i, struct trc_err *err)
{
	const size_t *from = arg;

	return i < *from ? 0 : trc_fail(err, "item %zu", i);
}

static void
a_pool_fails_as_its_first_item_that_failed(void)
{
	for (int threads = 1; threads <= 8; threads++) {
		struct trc_err err = { 0 };
		size_t from = 17;

		CHECK(trc_pool_run(threads, fail_from, &from, 100, &err) == -1);
		CHECK(strcmp(err.text, "item 17") == 0);
		from = 100;
		CHECK(trc_pool_run(threads, fail_from, &from, 100, &err) == 0);
	}
}

#if defined(__linux__)
/* All processors of the machine were counted, whatever taskset(1) allowed. */
static void
processors_are_those_that_are_allowed(void)
{
	cpu_set_t was, one;

	CHECK(sched_getaffinity(0, sizeof(was), &was) == 0);
	CPU_ZERO(&one);
	for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
		if (CPU_ISSET(i, &was))
			CPU_SET(i, &one);
	CHECK(sched_setaffinity(0, sizeof(one), &one) == 0);
	CHECK(trc_cores() == 1 && trc_threads(0) == 1 && trc_threads(3) == 3);
	CHECK(trc_threads(UINT64_MAX) == TRC_THREADS_MOST);
	CHECK(sched_setaffinity(0, sizeof(was), &was) == 0);
}

/* Comes to an end when this thread is allowed what its starter is. */
static int
wait_for_processors(void *arg, size_t i, struct trc_err *err)
{
	const cpu_set_t *want = arg;
	cpu_set_t is;

	(void)i, (void)err;
	do
		CHECK(sched_getaffinity(0, sizeof(is), &is) == 0);
	while (!CPU_EQUAL(&is, want));
	return 0;
}

static void
threads_may_run_where_their_starter_may(void)
{
	struct trc_err err;
	cpu_set_t want;

	CHECK(sched_getaffinity(0, sizeof(want), &want) == 0);
	CHECK(trc_pool_run(4, wait_for_processors, &want, 100, &err) == 0);
}
#endif

/* Bytes come back that stand behind their number, and no others. */
static void
counted_bytes_are_all_there(void)
{
	static const size_t len[] = { 0, 1, 127, 128, 300 };
	struct trc_buf b = { 0 };
	uint8_t bytes[300];
	struct trc_view v, got;
	struct trc_err err;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	for (size_t i = 0; i < TRC_COUNT(len); i++) {
		b.n = 0;
		CHECK(trc_buf_put_counted(&b, bytes, len[i], &err) == 0);
		v = trc_buf_view(&b);
		CHECK(trc_view_counted(&v, len[i], &got) && v.p == v.end);
		CHECK((size_t)(got.end - got.p) == len[i] && memcmp(got.p, bytes, len[i]) == 0);
		v = trc_buf_view(&b);
		CHECK(len[i] == 0 || !trc_view_counted(&v, len[i] - 1, &got));
		for (size_t cut = 0; cut < b.n; cut++) {
			v = (struct trc_view){ b.p, b.p + cut };
			CHECK(!trc_view_counted(&v, UINT64_MAX, &got));
		}
	}
	b.n = 0;
	CHECK(trc_buf_put_num(&b, UINT64_MAX, &err) == 0);
	v = trc_buf_view(&b);
	CHECK(!trc_view_counted(&v, UINT64_MAX, &got));
	trc_buf_release(&b);
}

int
main(void)
{
	test_start();
	RUN(bytes_have_one_order);
	RUN(counted_bytes_are_all_there);
	RUN(nearest_words_are_found);
	RUN(map_is_a_map);
	RUN(options_are_rows);
	RUN(wrong_options_are_explained);
	RUN(numbers_of_options_have_suffixes);
	RUN(a_unit_of_bytes_is_refused_where_none_are_counted);
	RUN(numbers_with_a_point_are_whole_or_refused);
	RUN(parts_are_one_in_so_many);
	RUN(sizes_of_memories_are_pages_or_bytes);
	RUN(errors_begin_with_the_place);
	RUN(items_are_taken_in_their_order);
	RUN(a_pool_fails_as_its_first_item_that_failed);
#if defined(__linux__)
	RUN(processors_are_those_that_are_allowed);
	RUN(threads_may_run_where_their_starter_may);
#endif
	return 0;
}
