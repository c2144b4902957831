/* SPDX-License-Identifier: MIT
 * Recognition answers right, or asks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "generate.h"
#include "test.h"

enum { TEXTS = 10000, ROOM = 80 << 10 };

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
	const uint64_t lines = generate_below(m, 32) ? 1 + generate_below(m, 60) : 5000;
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

/* A big-endian 1 is command 0 of version 1, and was read as vscsi1. */
static void
ones_are_no_commands(void)
{
	uint8_t p[4 * 48] = { 0 };
	struct trc_err err;

	for (size_t i = 3; i < sizeof(p); i += 4)
		p[i] = 1;
	CHECK(!recognise(p, sizeof(p), "data.bin", &err));
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

/* Decimal numbers were read as hexadecimal, instructions as counts or sizes, times as labels, and
 * fields were passed over. What is asked names what reads it. */
static void
two_readings_are_asked_about(void)
{
	static const struct {
		const char *lines, *from;
	} asked[] = {
		{ "R 7919 8\nW 15838 8\nR 23757 16\n", "csv:type=1,addr=2,size=3,separator=blank" },
		{ "1 647736 4096\n0 97176 4096\n1 337568 8192\n",
		  "csv:type=1,read=0,write=1,addr=2,size=3,separator=blank" },
		{ "0 12345 8\n0 99345 8\n1 12345 16\n", "webcachesim" },
		{ "0 4892 syslogd 904265560 8 W 6 0\n0 4892 syslogd 904265568 8 W 6 0\n", NULL },
		{ "R 0x4012ab 0x7ffe1000\nW 0x4012b0 0x7ffe1008\n",
		  "csv:type=1,pc=2,addr=3,separator=blank" },
		{ "0x4012ab 0x7ffe1000\n0x4012b0 0x7ffe1008\n", "csv:pc=1,addr=2,separator=blank" },
		{ "R 40012998\nW 40012988\nR 40008390\n", "op-addr" },
		{ "1 81920000\n2 91110000\n3 81920000\n4 81980000\n5 81920000\n6 70000000\n"
		  "7 81920000\n8 81920064\n",
		  "csv:time=1,addr=2,separator=blank" },
		{ "r 7fff1a2c 16\nw 7fff1a3c 32\nr 7fff1bbc 16\n",
		  "csv:type=1,addr=2,size=3,hex,separator=blank" },
		{ "r 7fff1a2c 16453\nw 7fff1a3c 16454\n", NULL },
		{ "1234 62298656\n1235 71298112\n1234 62298656\n1299 81222144\n", NULL },
		{ "16 78227488\n512 71298112\n8 622986561\n64 81222144\n4 78227488\n4096 91122144\n",
		  "csv:addr=1,size=2,separator=blank" },
		{ "8 0x5792766\n4 0x5792766\n64 0x1792766\n", NULL },
		{ "R 4096\nW 512\nR 4096\nR 512\nW 4096\nR 1024\nW 512\nR 1024\n", NULL },
		{ "R 1234 400ea2 28506caa 8073aa68\nW 1235 400eb2 185061aa 8074aa68\n", NULL },
		{ "123456 R\n987654 W\n", "csv:type=2,addr=1,separator=blank" },
		{ "0 1000\n1 200c\n", "csv:time=1,addr=2,separator=blank,hex" },
		{ "0 0x100c\n1 0x200c\n0 0x100d\n", "csv:task=1,addr=2,separator=blank" },
		{ "2 0x100c\n0 0x20000\n2 0x5\n",
		  "csv:coded,type=1,read=0,write=1,ignore=2,addr=2,separator=blank" },
		{ "0 100c\n3 200c\n4 100d\n", "psu" },
		{ "l 0x7f00 4\ns 0x7f08 8\n", "csv:type=1,addr=2,size=3,separator=blank" },
		{ "R 7fffffff7fe8 8\nW 7fffff815838 8\n",
		  "csv:type=1,addr=2,task=3,separator=blank,hex" },
		{ "R 256 4\nW 512 8\nR 1024 4\n",
		  "csv:type=1,addr=2*512,size=3*512,separator=blank" },
		{ "R 12345678\nW 12345680\n", "csv:type=1,addr=2*512,separator=blank" },
		{ "R 7fe9 8\nW 15838 9\n", "csv:type=1,addr=2,time=3,separator=blank,hex" },
		{ "R 81925632\nW 27713408\nR 91182974\nR 44918273\nW 73649182\nR 12873645\n"
		  "R 55647382\nR 81726354\n",
		  "csv:type=1,addr=2*512,separator=blank" },
		{ "r 1 4 0 100\nW 2 4 0 10c\n", NULL },
		{ "0x1000 READ 64\n0x2000 WRITE 64\n0x3000 READ 32\n", NULL },
		{ "1024\n4096\n2048\n", "csv:addr=1" },
		/* No operation of twitter's, opcode of spc's, type of msr's, comment of lirs. */
		{ "8,71,0,1007,790,R,0\n9,72,0,1007,790,Write,0\n", NULL },
		{ "16,1,22881,Write,7.36\n16,1,22881,Read,7.38\n", NULL },
		{ "128166372003061629,a,1,R,512,512,9\n128166372003061729,a,1,W,512,512,9\n",
		  NULL },
		/* Sizes first, disks last, sizes in sectors; offsets, latencies as sizes. */
		{ "0,8192,20941264,W,0.551706\n1,4096,20939840,R,0.554041\n", NULL },
		{ "20941264,0,8192,W,0.551706\n20939840,1,4096,R,0.554041\n", NULL },
		{ "0,20941264,16,W,0.551706\n1,20939840,8,R,0.554041\n", NULL },
		{ "419,W,16384,8792731648,1577808144360767\n", NULL },
		{ "8731648,W,419,16384,1577808144360767\n", NULL },
		{ "128166372003061629,hm,1,Read,32768,383496192,1331\n", NULL },
		{ "128166372003061629,hm,1,Read,383496192,1331,32768\n", NULL },
		{ "block\n77\n79\n78\n", NULL },
		{ "1538323200000001\n1538323200000002\n", "csv:addr=1" },
	};
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(asked); i++) {
		const char *p = asked[i].lines;
		const struct trc_format *f = recognise(p, strlen(p), "data.txt", &err);
		bool found = !asked[i].from;

		CHECK_MSG(!f, "'%.20s' is read as %s", p, f->name);
		for (unsigned k = 0; k < err.readings; k++)
			found |= !asked[i].from || strcmp(err.reading[k].from, asked[i].from) == 0;
		CHECK_MSG(found, "'%.20s': %s, and then --from %s", p, err.text,
		          err.readings ? err.reading[err.readings - 1].from : "");
	}
}

/* What would pass over fields was proposed first, and what has them last. */
static void
the_likeliest_is_proposed_first(void)
{
	static const struct {
		const char *lines, *from;
	} first[] = {
		{ "0 1 45\n0 2 510\n0 3 35\n", "webcachesim" },
		{ "2 0x100c\n0 0x20000\n2 0x5\n",
		  "csv:coded,type=1,read=0,write=1,ignore=2,addr=2,separator=blank" },
	};
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(first); i++) {
		CHECK(!recognise(first[i].lines, strlen(first[i].lines), "data.txt", &err));
		CHECK_MSG(strcmp(err.reading[0].from, first[i].from) == 0, "%s",
		          err.reading[0].from);
	}
}

/* And these are plain: by a letter, by their name, or by the digits that all of them have. */
static void
one_reading_is_read(void)
{
	static const struct {
		const char *lines, *name, *format;
	} plain[] = {
		{ "R 7919 8\nW 15838 8\n", "data.xdin", "xdin" },
		{ "R 7fe9 8\nW 15838 10\n", "data.xdin", "xdin" },
		{ "0 1000\n1 2000\n", "data.din", "din" },
		{ "0 100c the first\n1 2000\n", "data.din", "din" },
		{ "R 140733836203136\nW 140733836203008\nR 140733911827344\nR 140733744918273\n"
		  "W 140733873649182\nR 140733812873645\nW 140733812976111\nR 140733812873645\n",
		  "data.txt", "pinatrace-addr" },
		{ "3 20734016\n1 20846400\n6 20734208\n8 20841280 20841280\n0 20734144\n"
		  "2 20918976 20734016\n",
		  "data.txt", "ramulator-inst" },
		{ " L 10,1\n S 18,1\n", "data.txt", "lackey" },
		{ "8a1\n8a2\n", "data.txt", "page" },
		/* No program writes anything else so, however few lines there are. */
		{ "R 0x1f400\nW 0x1f408\n", "data.txt", "pinatrace-addr" },
		{ "w 7f0\nw ff0\nr 1024\n", "data.txt", "op-addr" },
		{ "write 1f400\nread 1f408\nread fadecade\n", "data.txt", "op-addr" },
		{ "1f400 R\n1f408 W\n", "data.txt", "ramulator-dram" },
		{ "0001000 R\n0002000 W\n", "data.txt", "ramulator-dram" },
		{ "0 100c\n1 200c\n0 100d\n", "data.txt", "din" },
		{ "0 b3a38000\n0 b3a38010\n", "data.txt", "din" },
		{ "0 00100000\n3 00100000\n1 00200000\n9\n", "data.txt", "psu" },
		{ "l 0xaa40 1\ns 0xf231 6\n", "data.txt", "jhu" },
		{ "i 7f81ce2206b0 3\nw 7fff5a8487d8 8\n", "data.txt", "xdin" },
		{ " L 0,1 1\n S a,1 22\n", "data.txt", "csapp" },
	};
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(plain); i++) {
		const char *p = plain[i].lines;
		const struct trc_format *f = recognise(p, strlen(p), plain[i].name, &err);

		CHECK_MSG(f && strcmp(f->name, plain[i].format) == 0, "'%.20s' is %s", p,
		          f ? f->name : err.text);
	}
}

/* Proposals dropped tid, pc and io_offset without a word, and made addresses of block numbers. */
static void
proposals_use_all_names_and_name_the_rest(void)
{
	static const struct {
		const char *lines, *from, *what;
	} tables[] = {
		{ "timestamp,tid,pc,address,rw,size,y\n1,5,0x400000,0x7fff0000,R,8,3\n"
		  "2,5,0x400000,0x7fff0000,R,8,4\n",
		  "csv:time=timestamp,addr=address,size=size,type=rw,task=tid,pc=pc",
		  "these are its fields; left out: y" },
		{ "op_time,block_id,io_offset,io_size,op,op_count\n1,7,0,4096,GET,2\n"
		  "2,8,4096,100,GET_TEMP,1\n",
		  "csv:time=op_time,addr=block_id,size=io_size,type=op,read=GET_TEMP",
		  "these are its fields; left out: io_offset, op_count" },
		{ "block,rw\n3,r\n4,w\n", "csv:addr=block*512,type=rw", "these are its fields" },
		{ ",type,address\n1,read,4096\n0,read,8192\n", "csv:addr=address,type=type",
		  "these are its fields; left out: field 1" },
		{ "l 0x10040 4 9\ns 0x10080 4 8\n", "csv:type=1,addr=2,size=3,separator=blank",
		  "these are its fields; left out: field 4" },
	};
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(tables); i++) {
		CHECK(!recognise(tables[i].lines, strlen(tables[i].lines), "data.txt", &err));
		CHECK_MSG(err.readings == 1 && strcmp(err.reading->from, tables[i].from) == 0 &&
		                  strcmp(err.reading->what, tables[i].what) == 0,
		          "%s: %s", err.readings ? err.reading->what : "",
		          err.readings ? err.reading->from : err.text);
	}
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
	RUN(ones_are_no_commands);
	RUN(requests_are_known_by_what_is_next);
	RUN(endings_decide_what_bytes_leave_open);
	RUN(two_readings_are_asked_about);
	RUN(the_likeliest_is_proposed_first);
	RUN(one_reading_is_read);
	RUN(proposals_use_all_names_and_name_the_rest);
	RUN(blank_lines_are_no_trace);
	RUN(messages_are_of_formats_that_are_likely);
}
