/* SPDX-License-Identifier: MIT
 * Recognition answers right, or asks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "generate.h"
#include "test.h"

enum { TEXTS = 5000, ROOM = 80 << 10 };

/* The format of some bytes, in a file of this name; or NULL with *err set. */
static const struct trc_format *
recognise(const void *p, size_t len, const char *name, struct trc_err *err)
{
	struct trc_in *in = generate_in(p, len, SIZE_MAX);
	const struct trc_format *f;

	in->name = name;
	f = trc_format_recognise(in, err);
	trc_in_close(in);
	return f;
}

/* One of the words of a list with bars between. */
static size_t
put_word(struct generator *m, char *dst, const char *list)
{
	size_t n = 1, len;

	for (const char *p = list; *p; p++)
		n += *p == '|';
	for (n = generate_below(m, n); n > 0; list += *list == '|')
		n -= list[strcspn(list, "|")] == '|', list += strcspn(list, "|");
	len = strcspn(list, "|");
	memcpy(dst, list, len);
	return len;
}

/* A number of a field, which is written in one way in all lines. */
static size_t
put_number(struct generator *m, char *dst, unsigned way)
{
	static const char *const as[] = { "%llu",   "%llx", "0x%llx",    "%08llx",
		                          "%06llu", "%llX", "0x%012llx", "%llu.5" };
	const unsigned bits = 1 + way / 8 % 44;

	return (size_t)sprintf(dst, as[way % 8],
	                       (unsigned long long)(generate_random(m) >> (64 - bits)));
}

/* A text as people make them: a header or none, then lines of as many fields. */
static size_t
make_text(struct generator *m, char *dst, size_t most)
{
	static const char *const separators[] = { " ", ",", "\t", ";", " ,", "  ", ", " };
	static const char *const ends[] = { "\n", "\r\n" };
	static const char *const words[] = {
		"r|w",        "R|W", "l|s",   "L|S",     "I|D",     "LD|ST", "read|write",
		"load|store", "0|1", "0|1|2", "i|r|w",   "get|set", "#",     "|",
		"i",          "l",   "lba",   "latency", "|||x|yy", "28|2a", "<|>",
	};
	const char *by = separators[generate_below(m, 7)], *end = ends[generate_below(m, 2)];
	const unsigned fields = 1 + (unsigned)generate_below(m, 5);
	const uint64_t lines = generate_below(m, 4) ? 1 + generate_below(m, 60) : 5000;
	unsigned way[8];
	size_t n = 0;

	for (unsigned k = 0; k < fields; k++)
		way[k] = (unsigned)generate_random(m) >> 1;
	if (generate_below(m, 3) == 0) {
		n += put_word(m, dst + n, "lba|lpn|latency|length|,addr|<key|L|w|i|R|timestamp");
		n += (size_t)sprintf(dst + n, "%s%s%s", by, fields > 1 ? "size" : "", end);
	}
	for (uint64_t i = 0; i < lines && n + 200 < most; i++) {
		for (unsigned k = 0; k < fields; k++) {
			n += k ? (size_t)sprintf(dst + n, "%s", by) : 0;
			n += way[k] % 3 == 0 ? put_word(m, dst + n, words[way[k] / 3 % 21]) :
			                       put_number(m, dst + n, way[k] / 3);
		}
		n += (size_t)sprintf(dst + n, "%s", end);
	}
	return n;
}

/* Csv that began with l, of lines of a multiple of 4 bytes, was read as pixie32, r 000e64 as
 * laplace-bin, and what was longer than the head of a file more often. */
static void
text_is_never_read_as_binary(void)
{
	struct generator m = { test_seed };
	char *text = malloc(ROOM);
	struct trc_err err;

	CHECK(text);
	for (int i = 0; i < TEXTS; i += (int)test_step_most(50)) {
		const size_t len = make_text(&m, text, ROOM);
		const struct trc_format *f = recognise(text, len, "data.txt", &err);

		CHECK_MSG(!f || !f->binary, "text %d is read as %s: %.40s", i, f->name, text);
	}
	free(text);
}

/* Puts a field of a struct, an integer of so many bytes, as these have them. */
static void
put_field(struct generator *m, uint8_t *p, unsigned bytes, unsigned way, size_t i, bool big)
{
	const uint64_t v = way == 0 ? UINT64_C(1700000000) + i / 3 :
	                   way == 1 ? generate_below(m, 100000) * 512 :
	                   way == 2 ? generate_below(m, 300) :
	                   way == 3 ? 4096u << generate_below(m, 3) :
	                   way == 4 ? generate_below(m, 2) :
	                   way == 5 ? i :
	                              generate_random(m) >> 20;

	for (unsigned k = 0; k < bytes; k++)
		p[big ? bytes - 1 - k : k] = (uint8_t)(v >> 8 * k);
}

/* Structs were read as u64 or champsim, with a half or three times their records. */
static void
structs_are_asked_about(void)
{
	static const char *const layouts[] = { "I",    "Q",    "IQI",    "QI",        "II",
		                               "QQQ",  "QQ",   "QQI",    "IQIQ",      "QIIQ",
		                               "IIII", "BQI",  "QQBB",   "III",       "HIQ",
		                               "IIQ",  "IQIB", "IQIBHQ", "QIIQQQQQQ", "QQQQQQQQ" };
	enum { RECORDS = 1500, LARGEST = 64 };
	struct generator m = { test_seed };
	static uint8_t p[RECORDS * LARGEST];
	struct trc_err err;

	for (int k = 0; k < 3000; k += (int)test_step_most(50)) {
		const char *layout = layouts[generate_below(&m, TRC_COUNT(layouts))];
		const size_t records = generate_below(&m, 2) ? RECORDS : 1 + generate_below(&m, 40);
		const bool big = generate_below(&m, 4) == 0;
		const struct trc_format *f;
		unsigned way[16];
		size_t n = 0;

		for (size_t c = 0; layout[c]; c++)
			way[c] = (unsigned)generate_below(&m, 7);
		for (size_t i = 0; i < records; i++)
			for (size_t c = 0; layout[c]; c++) {
				const unsigned bytes = layout[c] == 'Q' ? 8 :
				                       layout[c] == 'I' ? 4 :
				                       layout[c] == 'H' ? 2 :
				                                          1;

				put_field(&m, p + n, bytes, way[c], i, big);
				n += bytes;
			}
		f = recognise(p, n, "data.bin", &err);
		CHECK_MSG(!f, "%zu structs %s are read as %s", records, layout, f->name);
	}
}

/* Requests that have -2 for none, that count from 0, or that are cut from more, were addresses. */
static void
requests_are_known_by_what_is_next(void)
{
	enum { REQUESTS = 900, OBJECTS = 300, SIZE = 24 };
	struct generator m = { test_seed };
	static uint8_t p[REQUESTS * SIZE];
	uint64_t next[OBJECTS];
	struct trc_err err;

	for (unsigned way = 0; way < 4; way++) {
		const uint64_t none = way == 1 ? UINT64_MAX - 1 : UINT64_MAX, first = way != 2;
		const size_t cut = way == 3 ? 600 : REQUESTS;
		const struct trc_format *f;

		for (size_t k = 0; k < OBJECTS; k++)
			next[k] = none;
		for (size_t i = REQUESTS; i-- > 0;) {
			const uint64_t object = generate_below(&m, OBJECTS);

			trc_put_le32(p + SIZE * i, (uint32_t)i / 9);
			trc_put_le64(p + SIZE * i + 4, object << 30 | 0xac6);
			trc_put_le32(p + SIZE * i + 12, 104);
			trc_put_le64(p + SIZE * i + 16, next[object]);
			next[object] = i + first;
		}
		f = recognise(p, cut * SIZE, "data.bin", &err);
		CHECK_MSG(f == trc_format_named("oracle"), "way %u: %s", way, err.text);
		p[SIZE + 4] ^= 1; /* another object than that of the first */
		trc_put_le64(p + 16, 1 + first);
		f = recognise(p, cut * SIZE, "data.bin", &err);
		CHECK_MSG(!f, "way %u is read as %s", way, f->name);
	}
}

/* Nothing shows that words are addresses but the name. */
static void
endings_decide_what_bytes_leave_open(void)
{
	struct generator m = { test_seed };
	uint8_t p[800];
	struct trc_err err;

	for (size_t i = 0; i < sizeof(p); i += 8)
		trc_put_le64(p + i, 0x400000 + generate_below(&m, 9999));
	CHECK(!recognise(p, sizeof(p), "data.bin", &err));
	CHECK(generate_asks(&err, trc_format_named("u64")));
	CHECK_MSG(strcmp(err.reading[0].rows, "") != 0, "rows are shown");
	CHECK(recognise(p, sizeof(p), "data.u64", &err) == trc_format_named("u64"));
	CHECK(recognise(p, sizeof(p), "data.u64.zst", &err) == trc_format_named("u64"));
	p[7] = 1; /* which no address has */
	CHECK(!recognise(p, sizeof(p), "data.u64", &err));
}

/* A blank line was a trace of msr without requests. */
static void
blank_lines_are_no_trace(void)
{
	static const char *const blank[] = { "\n", "\r\n", " \n\t\n", " " };
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(blank); i++) {
		CHECK(!recognise(blank[i], strlen(blank[i]), "data.txt", &err));
		CHECK_MSG(strstr(err.text, "blank lines"), "%s", err.text);
	}
}

/* `l 0x1fffff50 1` has no tag of an event. */
static void
messages_are_of_formats_that_are_likely(void)
{
	static const char text[] = "l 0x2ffff150 1\ns 0x2ffff158 1\nl 0x2ffff160 4\n";
	struct trc_err err;

	CHECK(!recognise(text, strlen(text), "data.txt", &err));
	CHECK_MSG(!strstr(err.text, "laplace-kernel"), "%s", err.text);
}

int
main(void)
{
	test_start();
	RUN(text_is_never_read_as_binary);
	RUN(structs_are_asked_about);
	RUN(requests_are_known_by_what_is_next);
	RUN(endings_decide_what_bytes_leave_open);
	RUN(blank_lines_are_no_trace);
	RUN(messages_are_of_formats_that_are_likely);
}
