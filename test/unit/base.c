/* SPDX-License-Identifier: MIT
 * The base: text kernels, numbers, near words, the map, options, windowed input, output. */
#include <ctype.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/map.h"
#include "base/near.h"
#include "base/opt.h"
#include "base/pool.h"
#include "base/text.h"
#include "make.h"
#include "test.h"

/* Memory between pages that must not be touched. */
struct guarded {
	uint8_t *p;
	size_t len;
};

static struct guarded
guarded(size_t pages)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = open("/dev/zero", O_RDWR);
	uint8_t *p = mmap(NULL, (pages + 2) * page, PROT_NONE, MAP_PRIVATE, fd, 0);

	CHECK(p != MAP_FAILED);
	CHECK(mprotect(p + page, pages * page, PROT_READ | PROT_WRITE) == 0);
	close(fd);
	return (struct guarded){ p + page, pages * page };
}

static const struct trc_text_kernels *
portable(void)
{
	size_t n = 0;

	while (trc_text_kernels(n + 1))
		n++;
	return trc_text_kernels(n);
}

/* Lines in [0, len) of the end of `g`, the slack behind them counted. */
static uint8_t *
fill_lines(struct make *m, struct guarded g, size_t len, unsigned among)
{
	uint8_t *p = g.p + g.len - TRC_IN_SLACK - len;

	for (size_t i = 0; i < len; i++)
		p[i] = make_below(m, among) ? (uint8_t)make_random(m) : '\n';
	p[len - 1] = '\n';
	memset(p + len, '\n', TRC_IN_SLACK);
	return p;
}

static void
kernels_find_the_same_marks(void)
{
	static uint32_t want[9000 + TRC_LINES_SLACK], got[9000 + TRC_LINES_SLACK];
	const struct trc_text_kernels *k;
	struct guarded g = guarded(3);
	struct make m = { test_seed };

	for (int round = 0; round < 3000; round++) {
		size_t len = 1 + make_below(&m, round < 1000 ? 200 : 5000), n, count = 0;
		uint8_t *p = fill_lines(&m, g, len, 1 + (unsigned)make_below(&m, 90));
		size_t most = 1 + make_below(&m, round % 2 ? 70 : 6000);
		uint8_t c = round % 3 ? '\n' : ',';

		for (size_t i = 0; c == ',' && i < len; i++)
			p[i] = p[i] != '\n' && make_below(&m, 9) == 0 ? ',' : p[i];
		for (size_t i = 0; i < len && count < most; i++)
			if (p[i] == '\n' || p[i] == c)
				want[count++] = (uint32_t)i;
		for (size_t i = 0; (k = trc_text_kernels(i)); i++) {
			got[most + TRC_LINES_SLACK] = 0xdead;
			n = k->marks(p, p + len, c, got, most);
			CHECK_SAY(n == count, "%s: %zu marks, not %zu", k->name, n, count);
			CHECK_SAY(memcmp(want, got, n * sizeof(*got)) == 0, "%s", k->name);
			CHECK(got[most + TRC_LINES_SLACK] == 0xdead);
		}
	}
}

enum { FIELDS_MOST = 64 };

/* Puts fields of 0 to 255 digits, mostly up to 16, some of them bad, into `text`; returns how long
 * the text is. */
static size_t
make_fields(struct make *m, bool hex, uint8_t *text, uint32_t *end, uint8_t *len, size_t n)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const size_t usual = hex || make_below(m, 2) ? 16 : 20;
	uint8_t *p = text;

	for (size_t i = 0; i < n; i++) {
		/* What stands around a field must not count: digits, too. */
		for (size_t k = make_below(m, 4); k > 0; k--)
			*p++ = (uint8_t)make_random(m);
		len[i] = (uint8_t)(make_below(m, 20) ? 1 + make_below(m, usual) :
		                                     make_below(m, 256));
		for (size_t k = 0; k < len[i]; k++)
			*p++ = (uint8_t)digits[make_below(m, hex ? 22 : 10)];
		if (len[i] && make_below(m, 40) == 0)
			p[-1 - (ptrdiff_t)make_below(m, len[i])] = (uint8_t)make_random(m);
		end[i] = (uint32_t)(p - text);
	}
	return (size_t)(p - text);
}

static size_t
naive_hex(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	for (size_t i = 0; i < n; i++) {
		v[i] = 0;
		if (len[i] < 1 || len[i] > 16)
			return i;
		for (const uint8_t *p = text + end[i] - len[i]; p < text + end[i]; p++) {
			if (!isxdigit(*p))
				return i;
			v[i] = v[i] << 4 |
			       (unsigned)(isdigit(*p) ? *p - '0' : (*p | 32) - 'a' + 10);
		}
	}
	return n;
}

static size_t
naive_dec(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n, uint64_t *v)
{
	for (size_t i = 0; i < n; i++) {
		v[i] = 0;
		if (len[i] < 1 || len[i] > 20)
			return i;
		for (const uint8_t *p = text + end[i] - len[i]; p < text + end[i]; p++) {
			const unsigned digit = (unsigned)*p - '0';

			if (!isdigit(*p) || v[i] > (UINT64_MAX - digit) / 10)
				return i;
			v[i] = v[i] * 10 + digit;
		}
	}
	return n;
}

static void
kernels_read_the_same_numbers(void)
{
	static uint8_t text[FIELDS_MOST * 300];
	uint64_t want[FIELDS_MOST], got[FIELDS_MOST + 1];
	const struct trc_text_kernels *k;
	struct guarded g = guarded(6);
	uint32_t end[FIELDS_MOST];
	uint8_t len[FIELDS_MOST + 8];
	struct make m = { test_seed };

	for (int round = 0; round < 20000; round++) {
		const bool hex = round / 2 % 2;
		size_t n = make_below(&m, FIELDS_MOST + 1);
		size_t size = make_fields(&m, hex, text, end, len, n);
		/* The text at either end of what may be read: 16 bytes before, 64 behind. */
		uint8_t *p = round % 2 ? g.p + 16 : g.p + g.len - TRC_IN_SLACK - size;
		size_t good = (hex ? naive_hex : naive_dec)(text, end, len, n, want);

		memcpy(p, text, size);
		for (size_t i = 0; (k = trc_text_kernels(i)); i++) {
			got[n] = 0xdead;
			CHECK_SAY((hex ? k->hex : k->dec)(p, end, len, n, got) == good, "%s",
			          k->name);
			CHECK_SAY(memcmp(want, got, good * sizeof(*got)) == 0, "%s", k->name);
			CHECK(got[n] == 0xdead);
		}
	}
}

static void
kernels_judge_every_character(void)
{
	const struct trc_text_kernels *k;

	for (int c = 0; c < 256; c++)
		for (size_t i = 0; (k = trc_text_kernels(i)); i++)
			for (size_t at = 0; at < 8; at++) {
				uint8_t text[16 + 8 + TRC_IN_SLACK] = { 0 };
				uint32_t end[8];
				uint8_t len[16];
				uint64_t v[8];

				for (size_t f = 0; f < 8; f++) {
					text[16 + f] = f == at ? (uint8_t)c : '7';
					end[f] = (uint32_t)f + 1;
					len[f] = 1;
				}
				CHECK_SAY(k->hex(text + 16, end, len, 8, v) ==
				                  (isxdigit(c) ? 8 : at),
				          "%s: character %d", k->name, c);
				CHECK_SAY(k->dec(text + 16, end, len, 8, v) ==
				                  (isdigit(c) ? 8 : at),
				          "%s: character %d", k->name, c);
			}
}

static void
short_numbers_are_read_at_once(void)
{
	struct make m = { test_seed };

	for (int round = 0; round < 100000; round++) {
		uint8_t text[8 + 16];
		size_t len = make_below(&m, 10);
		uint8_t *e = text + 8 + len;
		uint32_t want = 0, v;
		bool good = len >= 1 && len <= 8;

		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = (uint8_t)('0' + make_below(&m, 10));
		if (make_below(&m, 2))
			text[make_below(&m, sizeof(text))] = (uint8_t)make_random(&m);
		for (const uint8_t *p = e - len; good && p < e; p++) {
			good = isdigit(*p);
			want = want * 10 + (*p - '0');
		}
		CHECK(trc_text_short_dec(e, len, &v) == good);
		CHECK(!good || v == want);
	}
}

static void
a_character_is_found_among_sixteen(void)
{
	uint8_t text[18];

	for (unsigned at = 0; at < 17; at++) {
		memset(text, 'x', sizeof(text));
		text[at] = text[17] = '\xfe';
		CHECK(trc_text_find(text, 0xfe) == at);
		text[16] = 0xfe;
		CHECK(trc_text_find(text, 0xfe) == at);
	}
}

static struct trc_field
field(const char *text)
{
	return (struct trc_field){ (const uint8_t *)text, strlen(text) };
}

static void
numbers_are_read_as_people_write_them(void)
{
	static const struct {
		const char *text;
		bool hex, dec;
		uint64_t hex_value, dec_value;
	} row[] = {
		{ "0", true, true, 0, 0 },
		{ "10", true, true, 16, 10 },
		{ "0x10", true, true, 16, 16 },
		{ "0XfF", true, true, 255, 255 },
		{ "ff", true, false, 255, 0 },
		{ "0x", false, false, 0, 0 },
		{ "x1", false, false, 0, 0 },
		{ "", false, false, 0, 0 },
		{ "-1", false, false, 0, 0 },
		{ "+1", false, false, 0, 0 },
		{ "1_0", false, false, 0, 0 },
		{ "0x0x1", false, false, 0, 0 },
		{ "ffffffffffffffff", true, false, UINT64_MAX, 0 },
		{ "0ffffffffffffffff", true, false, UINT64_MAX, 0 },
		{ "0x00ffffffffffffffff", true, true, UINT64_MAX, UINT64_MAX },
		{ "10000000000000000", false, true, 0, UINT64_C(10000000000000000) },
		{ "18446744073709551615", false, true, 0, UINT64_MAX },
		{ "18446744073709551616", false, false, 0, 0 },
		{ "00000000000000000000000000000000001", true, true, 1, 1 },
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		struct trc_field f = field(row[i].text);
		uint64_t v;

		CHECK_SAY(trc_field_hex(f, UINT64_MAX, &v) == row[i].hex, "'%s'", row[i].text);
		CHECK_SAY(!row[i].hex || v == row[i].hex_value, "'%s'", row[i].text);
		CHECK_SAY(trc_field_dec(f, UINT64_MAX, &v) == row[i].dec, "'%s'", row[i].text);
		CHECK_SAY(!row[i].dec || v == row[i].dec_value, "'%s'", row[i].text);
		CHECK(!row[i].hex || row[i].hex_value == 0 ||
		      !trc_field_hex(f, row[i].hex_value - 1, &v));
		CHECK(!row[i].dec || row[i].dec_value == 0 ||
		      !trc_field_dec(f, row[i].dec_value - 1, &v));
	}
}

static void
numbers_written_are_those_of_printf(void)
{
	struct make m = { test_seed };

	for (int round = 0; round < 50000; round++) {
		uint64_t v = make_value(&m, 1000, 64);
		uint8_t got[64];
		char want[64];

		snprintf(want, sizeof(want), "%llx", (unsigned long long)v);
		*trc_text_put_hex_portable(got, v) = 0;
		CHECK_SAY(strcmp((char *)got, want) == 0, "'%s' for '%s'", (char *)got, want);
		*trc_text_put_hex(got, v) = 0;
		CHECK_SAY(strcmp((char *)got, want) == 0, "'%s' for '%s'", (char *)got, want);
		*trc_text_put_dec(got, v) = 0;
		snprintf(want, sizeof(want), "%llu", (unsigned long long)v);
		CHECK_SAY(strcmp((char *)got, want) == 0, "'%s' for '%s'", (char *)got, want);
	}
}

static void
fields_are_what_blanks_separate(void)
{
	static const struct {
		const char *line;
		size_t n;
		const char *first;
	} row[] = {
		{ "", 0, NULL },          { " \t ", 0, NULL },      { "\r", 0, NULL },
		{ "a", 1, "a" },          { " a\r", 1, "a" },       { "a\rb", 1, "a\rb" },
		{ "a b", 2, "a" },        { "\ta \t b \r", 2, "a" }, { "a b c", 3, "a" },
		{ "a b c d", 3, "a" },
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		struct trc_field f = field(row[i].line), got[2];

		CHECK_SAY(trc_text_fields(f.p, f.p + f.len, got, 2) == row[i].n, "'%s'",
		          row[i].line);
		CHECK(row[i].n == 0 || trc_field_is(got[0], row[i].first));
	}
}

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
near_words_are_found(void)
{
	static const char *const known[] = { "encode", "decode", "reduce", "split", "replay", "formats",
		                            "from" };
	static const struct {
		const char *word, *best;
	} row[] = {
		{ "encode", "encode" }, { "ecnode", "encode" }, { "deocde", "decode" },
		{ "enc", "encode" },    { "reduc", "reduce" },  { "replays", "replay" },
		{ "form", "from" },     { "forma", "formats" }, { "for", "formats" },
		{ "plan", NULL },       { "", NULL },           { "zzz", NULL },
		{ "a-word-that-is-longer-than-any-known-one-could-be", NULL },
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		struct trc_near near = { .word = row[i].word };

		for (size_t k = 0; k < TRC_COUNT(known); k++)
			trc_near_offer(&near, known[k]);
		CHECK_SAY(row[i].best ? near.best && strcmp(near.best, row[i].best) == 0 :
		                        !near.best,
		          "'%s' for '%s'", near.best ? near.best : "nothing", row[i].word);
	}
}

/* The map against an array, with keys that are dense, sparse and extreme. */
static void
map_is_a_map(void)
{
	enum { KEYS = 3000 };
	static uint32_t model[KEYS];
	struct make m = { test_seed };
	struct trc_map map;
	struct trc_err err;
	size_t n = 0;

	CHECK(trc_map_init(&map, &err) == 0);
	memset(model, 0xff, sizeof(model));
	for (int round = 0; round < 200000; round++) {
		/* Grows, shrinks to little, grows again. */
		size_t most = round % 40000 < 25000 ? KEYS : 20;
		size_t key = make_below(&m, KEYS);
		uint32_t space = key % 3 == 0 ? UINT32_MAX : (uint32_t)key % 3;
		uint64_t page = key % 5 == 0 ? UINT64_MAX - key : key;
		struct trc_map_entry *e = trc_map_find(&map, space, page);

		CHECK(e->value == model[key]);
		if (model[key] != TRC_MAP_NONE && (n > most || make_below(&m, 2))) {
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
	CHECK(parse("-n5k -tx --bytes 4K --list a --list=b,c --text --flag", &s, &args, &err) == 0);
	CHECK(s.number == 5000 && s.bytes == 4096 && s.list.n == 2 && args.n == 0 && !s.flag);
	CHECK(strcmp(s.text, "--flag") == 0 && strcmp(s.list.word[1], "b,c") == 0);
	CHECK(parse("--help", &s, &args, &err) == 0 && args.help);
	CHECK(parse("-a x -h", &s, &args, &err) == 0 && args.help);
}

static void
options_asked_wrongly_are_explained(void)
{
	static const struct {
		const char *line, *say;
	} row[] = {
		{ "--flga", "did you mean --flag" }, { "--zzzzzz", "no option --zzzzzz" },
		{ "-z", "no option -z" },            { "--flag=1", "takes no value" },
		{ "--number", "needs a value" },     { "-n", "needs a value" },
		{ "--number x", "is no number" },    { "--number=", "is no number" },
		{ "--bytes 4X", "is no number" },    { "--number -1", "is no number" },
		{ "--number 18446744073709551616", "is too large" },
		{ "--bytes 18014398509481984k", "is too large" },
	};
	char many[400] = "";
	struct trc_args args;
	struct settings s;
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		CHECK_SAY(parse(row[i].line, &s, &args, &err) == -1, "'%s'", row[i].line);
		CHECK_SAY(err.code == TRC_USAGE && strstr(err.text, row[i].say), "'%s': %s",
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
		{ "4KB", true, 4000, 4096 },
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
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		uint64_t v;

		CHECK_SAY(trc_opt_number(row[i].text, false, &v) == row[i].ok, "'%s'", row[i].text);
		CHECK(!row[i].ok || v == row[i].thousand);
		CHECK_SAY(trc_opt_number(row[i].text, true, &v) == row[i].ok, "'%s'", row[i].text);
		CHECK(!row[i].ok || v == row[i].binary);
	}
}

/* Reads all of `in` by windows of `want` bytes and checks what comes, and where. */
static void
check_windows(const uint8_t *p, size_t len, size_t step, size_t want)
{
	struct trc_in *in = make_in(p, len, step);
	struct trc_err err;
	size_t at = 0;

	for (;;) {
		size_t n;

		CHECK(trc_in_fill(in, want, &err) == 0);
		n = (size_t)(in->end - in->p);
		CHECK(trc_in_offset(in) == at);
		CHECK_SAY(n >= want || n == len - at, "%zu bytes at %zu", n, at);
		CHECK(memcmp(in->p, p + at, n) == 0);
		if (n == 0)
			break;
		n = n < want ? n : want;
		in->p += n;
		at += n;
	}
	CHECK(at == len && in->eof);
	trc_in_close(in);
}

static void
windows_show_the_data(void)
{
	static const size_t step[] = { 1, 7, 4096, 65536, SIZE_MAX };
	static const size_t want[] = { 1, 18, 4096, 65537, 300000, 700000 };
	const size_t len = 600001;
	struct make m = { test_seed };
	uint8_t *p = malloc(len);

	CHECK(p);
	for (size_t i = 0; i < len; i++)
		p[i] = (uint8_t)make_random(&m);
	for (size_t i = 0; i < TRC_COUNT(step); i++)
		for (size_t k = i ? 0 : 3; k < TRC_COUNT(want); k++)
			check_windows(p, len, step[i], want[k]);
	for (size_t n = 0; n < 20; n++)
		check_windows(p, n, 7, 3);
	free(p);
}

/* Reads all lines and checks them against `p`, which has `len` bytes. */
static void
check_lines(const uint8_t *p, size_t len, size_t step)
{
	struct trc_in *in = make_in(p, len, step);
	const uint8_t *stop;
	struct trc_err err;
	size_t at = 0;

	for (;;) {
		size_t n;

		CHECK(trc_in_lines(in, &stop, &err) == 0);
		n = (size_t)(stop - in->p);
		if (n == 0)
			break;
		CHECK(trc_in_offset(in) == at && stop[-1] == '\n');
		CHECK(at + n <= len || (at + n == len + 1 && p[len - 1] != '\n'));
		CHECK(memcmp(in->p, p + at, at + n <= len ? n : n - 1) == 0);
		in->p += n;
		at += n;
	}
	CHECK(at == len || (at == len + 1 && p[len - 1] != '\n'));
	trc_in_close(in);
}

/* Lines whose ends stand around the places where the buffer fills, slides and grows. */
static void
lines_are_whole(void)
{
	static const size_t edge[] = { 1, 61, 65533, 262141, 524285, TRC_LINE_MOST - 2 };
	static const size_t step[] = { 7, 65536, SIZE_MAX };
	const size_t room = TRC_LINE_MOST + 1000;
	uint8_t *p = malloc(room);

	CHECK(p);
	for (size_t e = 0; e < TRC_COUNT(edge); e++)
		for (size_t len = edge[e]; len <= edge[e] + 3 && len <= TRC_LINE_MOST; len++)
			for (size_t s = edge[e] > 100000 ? 1 : 0; s < TRC_COUNT(step); s++) {
				memset(p, 'x', room);
				check_lines(p, len, step[s]);
				p[len - 1] = '\n';
				check_lines(p, len, step[s]);
				check_lines(p, len + 10, step[s]);
				p[len + 99] = '\n';
				check_lines(p, len + 100, step[s]);
			}
	for (size_t len = 0; len < 300; len++) {
		for (size_t i = 0; i < len; i++)
			p[i] = i % 7 % 5 % 3 ? 'x' : '\n';
		check_lines(p, len, 1);
	}
	free(p);
}

static void
endless_lines_are_refused(void)
{
	const size_t len = 3 << 20;
	uint8_t *p = malloc(len);
	const uint8_t *stop;
	struct trc_err err;
	struct trc_in *in;

	CHECK(p);
	memset(p, 'x', len);
	in = make_in(p, len, 65536);
	CHECK(trc_in_lines(in, &stop, &err) == -1 && strstr(err.text, "longer than 1 MiB"));
	trc_in_close(in);
	free(p);
}

static void
output_is_there_whole_or_not_at_all(void)
{
	static uint8_t big[TRC_OUT_ROOM + 5];
	const char *path = make_path("out");
	struct make_bytes got;
	struct trc_err err;
	struct trc_out *out = trc_out_open(path, false, &err);

	CHECK(out && trc_out_put(out, "abc", 3, &err) == 0);
	CHECK(trc_out_offset(out) == 3);
	trc_out_close(out);
	CHECK(access(path, F_OK) != 0);

	memset(big, 'x', sizeof(big));
	out = trc_out_open(path, false, &err);
	CHECK(out && trc_out_put(out, "abc", 3, &err) == 0);
	CHECK(trc_out_put(out, big, sizeof(big), &err) == 0);
	CHECK(trc_out_room(out, TRC_OUT_ROOM, &err) == 0 && out->end - out->p >= TRC_OUT_ROOM);
	CHECK(trc_out_offset(out) == 3 + sizeof(big));
	CHECK(access(path, F_OK) != 0);
	CHECK(trc_out_commit(out, &err) == 0);
	trc_out_close(out);
	got = make_file_bytes(path);
	CHECK(got.len == 3 + sizeof(big) && memcmp(got.p + 3, big, sizeof(big)) == 0);
	free(got.p);

	CHECK(!trc_out_open(path, false, &err) && strstr(err.text, "--force"));
	CHECK(!trc_out_open("/", true, &err) && strstr(err.text, "directory"));
	CHECK(!trc_out_open("/no/such/folder/x", true, &err));
}

static void
output_does_not_replace_what_came_meanwhile(void)
{
	const char *path = make_path("meanwhile");
	struct make_bytes got;
	struct trc_err err;
	struct trc_out *out = trc_out_open(path, false, &err);

	CHECK(out && trc_out_put(out, "new", 3, &err) == 0);
	make_file(path, "old", 3);
	CHECK(trc_out_commit(out, &err) == -1 && strstr(err.text, "exists"));
	trc_out_close(out);
	got = make_file_bytes(path);
	CHECK(got.len == 3 && memcmp(got.p, "old", 3) == 0);
	free(got.p);
}

static void
errors_say_where_first(void)
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
	size_t n, window, stop; /* done() says no at `stop` */
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
			struct items t = { .n = 1000, .window = window, .stop = SIZE_MAX,
				           .in_order = true, .in_window = true };

			trc_pool_ordered(threads, window, work_on, take, &t, t.n);
			CHECK(t.taken == t.n && t.begun == t.n && t.in_order && t.in_window);
			t = (struct items){ .n = 1000, .window = window, .stop = 10,
				            .in_order = true, .in_window = true };
			trc_pool_ordered(threads, window, work_on, take, &t, t.n);
			CHECK(t.taken == 11 && t.in_order && t.begun <= 11 + window);
			trc_pool_ordered(threads, window, work_on, take, &t, 0);
			CHECK(t.taken == 11);
		}
}

static void
utf8_is_told_from_other_bytes(void)
{
	static const char *const good[] = { "", "! syscall 231", "\x7f", "\xc2\x80", "\xdf\xbf",
		                            "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
		                            "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf" };
	static const char *const bad[] = {
		"\x80",             /* goes on with nothing before it */
		"\xc1\xbf",         /* more bytes than needed */
		"\xe0\x9f\xbf",     /* likewise */
		"\xf0\x8f\xbf\xbf", /* likewise */
		"\xed\xa0\x80",     /* half of a pair */
		"\xf4\x90\x80\x80", /* above the last */
		"\xf5\x80\x80\x80", /* likewise */
		"x\xc3",            /* ends too early */
		"\xe2\x82",         /* likewise */
		"\xff",
	};

	for (size_t i = 0; i < TRC_COUNT(good); i++)
		CHECK_SAY(trc_text_is_utf8(good[i]), "%zu", i);
	for (size_t i = 0; i < TRC_COUNT(bad); i++)
		CHECK_SAY(!trc_text_is_utf8(bad[i]), "%zu", i);
}

int
main(void)
{
	test_start();
	CHECK(strcmp(portable()->name, "portable") == 0);
	RUN(kernels_find_the_same_marks);
	RUN(kernels_read_the_same_numbers);
	RUN(kernels_judge_every_character);
	RUN(short_numbers_are_read_at_once);
	RUN(a_character_is_found_among_sixteen);
	RUN(numbers_are_read_as_people_write_them);
	RUN(numbers_written_are_those_of_printf);
	RUN(fields_are_what_blanks_separate);
	RUN(bytes_have_one_order);
	RUN(near_words_are_found);
	RUN(map_is_a_map);
	RUN(options_are_rows);
	RUN(options_asked_wrongly_are_explained);
	RUN(numbers_of_options_have_suffixes);
	RUN(windows_show_the_data);
	RUN(lines_are_whole);
	RUN(endless_lines_are_refused);
	RUN(utf8_is_told_from_other_bytes);
	RUN(output_is_there_whole_or_not_at_all);
	RUN(output_does_not_replace_what_came_meanwhile);
	RUN(errors_say_where_first);
	RUN(items_are_taken_in_their_order);
	return 0;
}
