/* SPDX-License-Identifier: MIT
 * Formats of text: laws of lines, whoever wrote them, and examples of what is read. */
#include <string.h>

#include "for_each_format.h"
#include "format/lines.h"
#include "test.h"

enum style { CRLF, BLANK_LINES, NO_LAST_NEWLINE, WIDE_BLANKS, STYLES };

static size_t
restyle(enum style style, const struct generate_bytes *from, uint8_t *dst)
{
	uint8_t *p = dst;

	for (size_t i = 0; i < from->len; i++) {
		uint8_t c = from->p[i];

		if (c == '\n' && style == CRLF)
			*p++ = '\r';
		if (c == '\n' && style == NO_LAST_NEWLINE && i + 1 == from->len)
			break;
		*p++ = c;
		if (c == '\n' && style == BLANK_LINES)
			*p++ = '\n';
		if (c == ' ' && style == WIDE_BLANKS)
			*p++ = '\t';
	}
	return (size_t)(p - dst);
}

static void
check_styles(const struct trc_format *f, const struct trc_batch *rows)
{
	struct generate_bytes bytes;
	struct trc_batch back;
	struct trc_err err;
	char why[128];
	uint8_t *text;

	if (!f->line)
		return;
	CHECK(generate_write(f, rows, 4096, NULL, &bytes, &err) == 0);
	text = malloc(2 * bytes.len);
	CHECK(text);
	for (int style = 0; style < STYLES; style++) {
		/* The text of an event stays as it is. */
		if (style == WIDE_BLANKS && rows->event)
			continue;
		size_t len = restyle((enum style)style, &bytes, text);
		struct trc_in *in = generate_in(text, len, 65536);
		struct trc_source *src;

		if (f->line)
			(void)!trc_format_recognise(in, &err);
		src = trc_format_source(f, NULL, in, &err);
		CHECK(src);
		CHECK_MSG(generate_collect(src, 4096, &back, NULL, &err) == 0, "%s, style %d: %s",
		          f->name, style, err.text);
		CHECK_MSG(generate_same(rows, &back, rows->have, why, sizeof(why)),
		          "%s, style %d: %s", f->name, style, why);
		trc_batch_release(&back);
	}
	free(text);
	free(bytes.p);
}

static void
text_is_taken_as_people_write_it(void)
{
	for_each_format(check_styles);
}

/* Reads `text` as it is and with a carriage return at the end of each line, which makes lines be
 * parsed one by one: checks that rows are the same, and refusals. */
static void
check_both_ways(const char *name, const struct generate_bytes *text, uint8_t *other)
{
	const size_t len = restyle(CRLF, text, other);
	struct trc_err err = { 0 }, err2 = { 0 };
	struct trc_batch a, b;
	struct trc_source *src;
	char why[128];
	int ret, ret2;

	src = generate_read_as(name, text->p, text->len, 65536, &err);
	ret = generate_collect(src, 4096, &a, NULL, &err);
	src = generate_read_as(name, other, len, 65536, &err2);
	ret2 = generate_collect(src, 4096, &b, NULL, &err2);
	CHECK_MSG(ret == ret2 && strcmp(err.text, err2.text) == 0, "%s: '%s' and '%s'", name,
	          err.text, err2.text);
	CHECK_MSG(generate_same(&a, &b, a.have, why, sizeof(why)), "%s: %s", name, why);
	trc_batch_release(&a);
	trc_batch_release(&b);
}

/* Changes characters of `text` at random, not its last, and looks whether lines are read the same
 * with others and alone. */
static void
check_odd_lines(const char *name, struct generate_bytes *text)
{
	static const char odd[] = "\n  \t\",,:;x00112233445566778899aAfFrRwWiI-";
	uint8_t *saved = malloc(text->len), *other = malloc(2 * text->len);
	struct generator m = { test_seed };

	CHECK(saved && other);
	memcpy(saved, text->p, text->len);
	for (size_t round = 0; round < 150; round += test_step_most(2)) {
		for (size_t k = generate_below(&m, 4); k > 0; k--)
			text->p[generate_below(&m, text->len - 1)] =
			        (uint8_t)odd[generate_below(&m, sizeof(odd) - 1)];
		check_both_ways(name, text, other);
		memcpy(text->p, saved, text->len);
	}
	free(saved);
	free(other);
}

static void
check_lines_alone(const struct trc_format *f, const struct trc_batch *rows)
{
	struct trc_batch some = *rows;
	struct generate_bytes bytes;
	struct trc_err err;

	if (!f->line)
		return;
	some.n = some.n < 700 ? some.n : 700;
	CHECK(generate_write(f, &some, 4096, NULL, &bytes, &err) == 0);
	if (bytes.len > 0)
		check_odd_lines(f->name, &bytes);
	free(bytes.p);
}

/* Those that are not written here, or not so. */
static void
check_examples_alone(void)
{
	static const struct {
		const char *name, *line[4];
	} row[] = {
		{ "execlog",
		  { "0, 0x10554, 0x22000ef, \"022000ef   jal     ra,34\"\n",
		    "12, 0x1057a, 0x6398, \"ld   a4,0(a5)\", load, 0x4000800fe0\n",
		    "1, 0x1057c, 0xe398, \"str \"x\"\", store, 0x80001000, RAM, load, 0x1\n",
		    "0, 0xa12, 0xf8012400, \"nop\"\n" } },
		{ "dramsim3",
		  { "0x2000D5C0 READ  30\n", "0x1FF96FC0 WRITE   160\n",
		    "0x2000D600 READ  1650000000000000001\n", "0x0 READ 1\n" } },
		{ "ramulator-inst",
		  { "3 20734016 R\n", "18 140733836203136 W\n", "3 20734016 18446744073709551615\n",
		    "0 18446744073709551615\n" } },
		{ "ramulator2-rw",
		  { "R 0,0,1,1024,16\n", "W 0,1,15,1048575,4095\n", "R 0,0,0,0,0\n",
		    "R 0,0,0,0,7\n" } },
		{ "csv:time=2,size=4,addr=5",
		  { "1,5633898,2a,512,42932745\n", "1,5633899,28,4096,18446744073709551615,9\n",
		    "1,\"5,6\",\"2a,\",512,429\n", "1,56,28,4,429\n" } },
		{ "csv:addr=3,size=1",
		  { "0x10,,0x42932745,a,b\n", "16,7,0x429,a,b\n", "0x8,\"7\",0x42,,\n",
		    "0x1,7,0x429327ffffff,a,b\n" } },
		{ "csv:event=1", { "\n", "x\n", "\"y\"\n", ",\n" } },
		{ "csv:type=1,vpn=2", { "w,1\n", "read,0x2\n", "Fetch,3\n", "kernel-write,99\n" } },
	};
	struct generator m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		struct generate_bytes bytes = { malloc(700 * 80), 0 };

		CHECK(bytes.p);
		/* Mostly lines of one form. */
		for (size_t n = 0; n < 700; n++) {
			const size_t k = generate_below(&m, 9) ? n / 350 : generate_below(&m, 4);
			const char *line = row[i].line[k];

			memcpy(bytes.p + bytes.len, line, strlen(line));
			bytes.len += strlen(line);
		}
		check_odd_lines(row[i].name, &bytes);
		free(bytes.p);
	}
}

static void
lines_are_read_the_same_alone(void)
{
	for_each_format(check_lines_alone);
	check_examples_alone();
}

/* Takes lines up to the first odd one, having looked at all, as kernels may; counts in how[0] how
 * many were looked at. Every how[1]-th line is odd. */
static size_t
take_many(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *how)
{
	size_t *const count = l->state, n = 0;

	(void)how;
	count[0] += l->n - from;
	while (from + n < l->n && (from + n) % count[1] != count[1] - 1)
		n++;
	b->n += n;
	return n;
}

static bool
take_one(const struct trc_lines *l, size_t i, struct trc_batch *b, const void *how)
{
	(void)l, (void)i, (void)how;
	b->n++;
	return true;
}

static void
odd_lines_do_not_make_others_be_looked_at_again_and_again(void)
{
	struct trc_batch b = { .cap = TRC_BATCH_ROWS };
	size_t count[2];

	for (count[1] = 1; count[1] < 3000; count[1] += 1 + count[1] / 8) {
		const struct trc_lines l = { .n = TRC_BATCH_ROWS, .rows = 1, .state = count };

		b.n = count[0] = 0;
		CHECK(trc_lines_parse_many(&l, &b, take_many, take_one, NULL) == l.n);
		CHECK(b.n == l.n);
		CHECK_MSG(count[0] < 10 * l.n, "one of %zu: %zu", count[1], count[0]);
	}
}

/* A line that is no record, in the middle of a text, is named by its number. */
static void
check_bad_line(const struct trc_format *f, const struct trc_batch *rows)
{
	static const char bad[] = "\x80?? no record of any kind\n";
	struct trc_batch back, some = *rows;
	struct generate_bytes bytes;
	char want[64];
	struct trc_err err;
	uint8_t *text;

	if (!f->line)
		return;
	some.n = 5000;
	CHECK(generate_write(f, &some, 4096, NULL, &bytes, &err) == 0);
	text = malloc(bytes.len + sizeof(bad));
	CHECK(text);
	for (size_t line = 1, at = 0; at < bytes.len; line++) {
		if (line == 1 || line == 2 || line == 4096 || line == 4097 || line == 5000) {
			memcpy(text, bytes.p, at);
			memcpy(text + at, bad, sizeof(bad) - 1);
			memcpy(text + at + sizeof(bad) - 1, bytes.p + at, bytes.len - at);
			CHECK(generate_collect(generate_read(f, text, bytes.len + sizeof(bad) - 1,
			                                     4096, &err),
			                       4096, &back, NULL, &err) == -1);
			snprintf(want, sizeof(want), "made:%zu: ", line);
			CHECK_MSG(strstr(err.text, want) == err.text && strstr(err.text, f->name),
			          "%s: %s", f->name, err.text);
			trc_batch_release(&back);
		}
		at = (size_t)((uint8_t *)memchr(bytes.p + at, '\n', bytes.len - at) - bytes.p) + 1;
	}
	free(text);
	free(bytes.p);
}

static void
bad_lines_are_named(void)
{
	for_each_format(check_bad_line);
}

/* One text, and what it reads as, in all columns of its format. */
static const struct example {
	const char *format, *text;
	size_t rows;                                              /* 0: it is refused */
	uint64_t type, addr, size, time, asid, itime, rtime, vpn; /* of the last row */
} example[] = {
	{ "din", "2 400100\n", 1, TRC_FETCH, 0x400100, 0, 0, 0, 0, 0, 0 },
	{ "din", "0 0xAbC a comment\n", 1, TRC_READ, 0xabc, 0, 0, 0, 0, 0, 0 },
	{ "din", " \t1\t7ffffffff000 \r\n", 1, TRC_WRITE, 0x7ffffffff000, 0, 0, 0, 0, 0, 0 },
	{ "din", "0 1\n3 ffffffffffffffff", 2, TRC_MISC, UINT64_MAX, 0, 0, 0, 0, 0, 0 },
	{ "din", "4 8", 1, TRC_COPY_BACK, 8, 0, 0, 0, 0, 0, 0 },
	{ "din", "5 8", 1, TRC_INVALIDATE, 8, 0, 0, 0, 0, 0, 0 },
	{ "din", "6 8", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "din", "0", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "din", "0 ", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "din", "0 10000000000000000", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "din", "0 12g", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "xdin", "r 10 4", 1, TRC_READ, 16, 4, 0, 0, 0, 0, 0 },
	{ "xdin", "W 0X10 ffffffff and more\n", 1, TRC_WRITE, 16, UINT32_MAX, 0, 0, 0, 0, 0 },
	{ "xdin", "i 10 100000000", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "xdin", "x 10 1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "xdin", "rr 10 1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "xdin", "r 10", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "lackey", "I  04001234,3\n", 1, TRC_FETCH, 0x4001234, 3, 0, 0, 0, 0, 0 },
	{ "lackey", " L 10,1\n", 1, TRC_READ, 16, 1, 0, 0, 0, 0, 0 },
	{ "lackey", "==1== words\n--1-- words\n**1** words\n S 1ffeffe7d8,16\n==1== end\n", 1,
	  TRC_WRITE, 0x1ffeffe7d8, 16, 0, 0, 0, 0, 0 },
	{ "lackey", " M 0421c7cc,128", 1, TRC_MODIFY, 0x421c7cc, 128, 0, 0, 0, 0, 0 },
	{ "lackey", " M FFFFFFFFFFFFFFFF,4294967295\r\n", 1, TRC_MODIFY, UINT64_MAX, UINT32_MAX, 0,
	  0, 0, 0, 0 },
	{ "lackey", " L 10,", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "lackey", " L ,1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "lackey", " L 10 1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "lackey", " L 10,4294967296", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "lackey", " L 10,a", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "lackey", " X 10,1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "laplace", "r 123456789abcdef0 4 9f8e7 9a8b7c6d\n", 1, TRC_READ, 0x9a8b7c6d, 4,
	  UINT64_C(0x123456789abcdef0), 0x9f8e7, 0, 0, 0 },
	{ "laplace", "I  0x1\t1  0  FFFFFFFFFFFFFFFF", 1, TRC_KERNEL | TRC_FETCH, UINT64_MAX, 1, 1,
	  0, 0, 0, 0 },
	{ "laplace", "m 1 1 1 1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "laplace", "r 1 1 1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "laplace", "r 1 1 1 1 1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "laplace", "r 1 1 100000000 1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "sad", "r 123456789abcdef0 1bd8ef123 2ca4563118 9f8e7 800a3\n", 1, TRC_READ, 0, 0,
	  UINT64_C(0x123456789abcdef0), 0x9f8e7, UINT64_C(0x1bd8ef123), UINT64_C(0x2ca4563118),
	  0x800a3 },
	{ "sad", "# words\nw 1 2 3 4 5\n# trc sad r=8\n", 1, TRC_WRITE, 0, 0, 1, 4, 2, 3, 5 },
	{ "sad", "i 1 2 3 4 5", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "sad", "r 1 2 3 4", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "sad", "r 1 2 3 4 5 6", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "page", "12f\n0x77F46\n", 2, 0, 0, 0, 0, 0, 0, 0, 0x77f46 },
	{ "page", "1 2", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "page", "x", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "csv", "addr\n16\n0x20", 2, 0, 32, 0, 0, 0, 0, 0, 0 },
	{ "csv", "vpn,type\r\n0X7,Kernel-Fetch\r\n", 1, TRC_KERNEL | TRC_FETCH, 0, 0, 0, 0, 0, 0,
	  7 },
	{ "csv", "size,type\n1,w", 1, TRC_WRITE, 0, 1, 0, 0, 0, 0, 0 },
	{ "csv", "size,type\n1,", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "csv", "size,type\n1,kernel-", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "csv", "size\n-1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "csv", "size,\n1,1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "csv", "addresses\n1", 0, 0, 0, 0, 0, 0, 0, 0, 0 },
};

static void
check_example(const struct example *x)
{
	const struct trc_format *f = trc_format_named(x->format);
	struct trc_batch b;
	struct trc_err err;
	size_t i;
	int ret;

	CHECK(f);
	ret = generate_collect(generate_read(f, x->text, strlen(x->text), 1, &err), 2, &b, NULL,
	                       &err);
	i = x->rows - 1;
	CHECK_MSG((ret == 0) == (x->rows > 0), "%s: '%s'", x->format, x->text);
	CHECK_MSG(ret || (b.n == x->rows && (!b.type || b.type[i] == x->type) &&
	                  (!b.addr || b.addr[i] == x->addr) && (!b.size || b.size[i] == x->size) &&
	                  (!b.time || b.time[i] == x->time) && (!b.asid || b.asid[i] == x->asid) &&
	                  (!b.itime || b.itime[i] == x->itime) &&
	                  (!b.rtime || b.rtime[i] == x->rtime) && (!b.vpn || b.vpn[i] == x->vpn)),
	          "%s: '%s'", x->format, x->text);
	trc_batch_release(&b);
}

static void
examples_read_as_they_should(void)
{
	for (size_t i = 0; i < TRC_COUNT(example); i++)
		check_example(&example[i]);
}

static void
totals_of_sad_come_back(void)
{
	static const struct trc_meta all[] = {
		{ .page_bits = 12,
		  .guarantee = { .sad = 64 },
		  .totals = true,
		  .refs = 10000000,
		  .insns = 7412345 },
		{ .page_bits = 63,
		  .guarantee = { .sad = UINT64_MAX },
		  .totals = true,
		  .refs = UINT64_MAX,
		  .insns = UINT64_MAX,
		  .last_time = UINT64_MAX },
		{ .totals = false },
		{ .page_bits = 13, .totals = true, .refs = 1, .last_time = 1 },
		{ .guarantee = { .sad = 8,
		                 .reduced = TRC_LRU_ONLY | TRC_BY_SPACE,
		                 .sample = 100 } },
		{ .guarantee = { .window = UINT64_MAX,
		                 .clock = TRC_COL_TIME,
		                 .reduced = TRC_CANONICAL,
		                 .sample = UINT64_MAX } },
		{ .guarantee = { .window = 1, .clock = TRC_COL_RTIME } },
		{ .guarantee = { .reduced = TRC_MERGED } },
		{ .guarantee = { .window = 2, .clock = TRC_COL_ITIME, .sad = 3 } },
	};
	const struct trc_format *f = trc_format_named("sad");
	struct generate_spec spec = { .have = f->holds, .rows = 3, .types = 3 };
	struct trc_batch rows, back;
	struct generate_bytes bytes;
	struct trc_meta meta;
	struct trc_err err;

	generate_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i < TRC_COUNT(all); i++) {
		CHECK(generate_write(f, &rows, 2, &all[i], &bytes, &err) == 0);
		CHECK(generate_collect(generate_read(f, bytes.p, bytes.len, 7, &err), 2, &back,
		                       &meta, &err) == 0);
		CHECK(meta.page_bits == all[i].page_bits && meta.totals == all[i].totals &&
		      trc_guarantee_same(&meta.guarantee, &all[i].guarantee));
		CHECK(!meta.totals || (meta.refs == all[i].refs && meta.insns == all[i].insns &&
		                       meta.last_time == all[i].last_time));
		trc_batch_release(&back);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(examples_read_as_they_should);
	RUN(text_is_taken_as_people_write_it);
	RUN(lines_are_read_the_same_alone);
	RUN(odd_lines_do_not_make_others_be_looked_at_again_and_again);
	RUN(bad_lines_are_named);
	RUN(totals_of_sad_come_back);
	return 0;
}
