/* SPDX-License-Identifier: MIT
 * Text: kernels, each of which does what the portable one does; numbers, fields. */
#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "generate.h"
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
fill_lines(struct generator *m, struct guarded g, size_t len, unsigned among)
{
	uint8_t *p = g.p + g.len - TRC_IN_SLACK - len;

	for (size_t i = 0; i < len; i++)
		p[i] = generate_below(m, among) ? (uint8_t)generate_random(m) : '\n';
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
	struct generator m = { test_seed };

	for (int round = 0; round < 3000; round++) {
		size_t len = 1 + generate_below(&m, round < 1000 ? 200 : 5000), n, count = 0;
		uint8_t *p = fill_lines(&m, g, len, 1 + (unsigned)generate_below(&m, 90));
		size_t most = 1 + generate_below(&m, round % 2 ? 70 : 6000);
		uint8_t c = round % 3 ? '\n' : ',';

		for (size_t i = 0; c == ',' && i < len; i++)
			p[i] = p[i] != '\n' && generate_below(&m, 9) == 0 ? ',' : p[i];
		for (size_t i = 0; i < len && count < most; i++)
			if (p[i] == '\n' || p[i] == c)
				want[count++] = (uint32_t)i;
		for (size_t i = 0; (k = trc_text_kernels(i)); i++) {
			got[most + TRC_LINES_SLACK] = 0xdead;
			n = k->marks(p, p + len, c, got, most);
			CHECK_MSG(n == count, "%s: %zu marks, not %zu", k->name, n, count);
			CHECK_MSG(memcmp(want, got, n * sizeof(*got)) == 0, "%s", k->name);
			CHECK(got[most + TRC_LINES_SLACK] == 0xdead);
		}
	}
}

static void
kernels_find_the_same_words(void)
{
	static uint32_t want[9000 + TRC_LINES_SLACK], got[9000 + TRC_LINES_SLACK];
	static const char *const sets[] = { "", " \t", " \t,;:|=[]\r" };
	const struct trc_text_kernels *k;
	struct guarded g = guarded(3);
	struct generator m = { test_seed };

	for (int round = 0; round < 3000; round++) {
		const char *between = sets[round % 3];
		size_t len = 1 + generate_below(&m, round < 1000 ? 200 : 5000), n, count = 0;
		uint8_t *p = fill_lines(&m, g, len, 1 + (unsigned)generate_below(&m, 90));
		size_t most = 1 + generate_below(&m, round % 2 ? 70 : 6000);
		bool before = true;

		for (size_t i = 0; *between && i + 1 < len; i++)
			if (generate_below(&m, 3) == 0)
				p[i] = (uint8_t)between[generate_below(&m, strlen(between))];
		for (size_t i = 0; i < len && count < most; i++) {
			const bool now = p[i] == '\n' || (p[i] && strchr(between, p[i]));

			if (now != before)
				want[count++] = (uint32_t)i;
			before = now;
		}
		for (size_t i = 0; (k = trc_text_kernels(i)); i++) {
			got[most + TRC_LINES_SLACK] = 0xdead;
			n = k->edges(p, p + len, between, got, most);
			CHECK_MSG(n == count, "%s: %zu edges, not %zu", k->name, n, count);
			CHECK_MSG(memcmp(want, got, n * sizeof(*got)) == 0, "%s", k->name);
			CHECK(got[most + TRC_LINES_SLACK] == 0xdead);
		}
	}
}

enum { FIELDS_MOST = 64 };

/* Puts fields of 0 to 255 digits, mostly up to 16, some of them bad, into `text`; returns how long
 * the text is. */
static size_t
make_fields(struct generator *m, bool hex, uint8_t *text, uint32_t *end, uint8_t *len, size_t n)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const size_t usual = hex || generate_below(m, 2) ? 16 : 20;
	uint8_t *p = text;

	for (size_t i = 0; i < n; i++) {
		/* What stands around a field must not count: digits, too. */
		for (size_t k = generate_below(m, 4); k > 0; k--)
			*p++ = (uint8_t)generate_random(m);
		len[i] = (uint8_t)(generate_below(m, 20) ? 1 + generate_below(m, usual) :
		                                           generate_below(m, 256));
		for (size_t k = 0; k < len[i]; k++)
			*p++ = (uint8_t)digits[generate_below(m, hex ? 22 : 10)];
		if (len[i] && generate_below(m, 40) == 0)
			p[-1 - (ptrdiff_t)generate_below(m, len[i])] = (uint8_t)generate_random(m);
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
	struct generator m = { test_seed };

	for (int round = 0; round < 20000; round++) {
		const bool hex = round / 2 % 2;
		size_t n = generate_below(&m, FIELDS_MOST + 1);
		size_t size = make_fields(&m, hex, text, end, len, n);
		/* The text at either end of what may be read: 16 bytes before, 64 behind. */
		uint8_t *p = round % 2 ? g.p + 16 : g.p + g.len - TRC_IN_SLACK - size;
		size_t good = (hex ? naive_hex : naive_dec)(text, end, len, n, want);

		memcpy(p, text, size);
		for (size_t i = 0; (k = trc_text_kernels(i)); i++) {
			got[n] = 0xdead;
			CHECK_MSG((hex ? k->hex : k->dec)(p, end, len, n, got) == good, "%s",
			          k->name);
			CHECK_MSG(memcmp(want, got, good * sizeof(*got)) == 0, "%s", k->name);
			CHECK(got[n] == 0xdead);
		}
	}
}

/* Reads a line as kernels for labels do; returns whether it is in their form. */
static bool
naive_labelled(const uint8_t *p, const uint8_t *e, const struct trc_text_labels *labels,
               uint8_t *meaning, uint64_t *v, uint32_t *size)
{
	const bool two = labels->digits == 2 && e - p > 3 && e[-3] == ' ';
	const size_t tail = labels->digits ? 2 + two : 0;
	const uint32_t len = (uint32_t)(e - p);
	uint64_t wide = 0;

	if (len < 3 + tail || len > 18 || p[0] != labels->text[p[0] & 15] || p[1] != ' ')
		return false;
	*meaning = labels->meaning[p[0] & 15];
	if (tail && (e[-(ptrdiff_t)tail] != ' ' ||
	             !(labels->decimal ? naive_dec : naive_hex)(
	                     p, &len, (const uint8_t[]){ (uint8_t)(tail - 1) }, 1, &wide)))
		return false;
	*size = (uint32_t)wide;
	return naive_hex(p, (const uint32_t[]){ len - (uint32_t)tail },
	                 (const uint8_t[]){ (uint8_t)(len - tail - 2) }, 1, v);
}

/* Puts lines of a label, a number and maybe a size into `text`, few of them in another form;
 * returns how many bytes. */
static size_t
make_labelled(struct generator *m, const struct trc_text_labels *labels, uint8_t *text,
              uint32_t *eol, size_t n)
{
	static const char digit[] = "0123456789abcdefABCDEF";
	uint8_t *p = text;

	for (size_t i = 0; i < n; i++) {
		uint8_t *const line = p;
		const size_t digits = generate_below(m, 90) ?
		                              1 + generate_below(m, labels->digits ? 13 : 16) :
		                              generate_below(m, 300);

		do
			*p = labels->text[generate_below(m, 16)];
		while (*p < ' ');
		*++p = ' ';
		for (size_t k = 0; k < digits; k++)
			*++p = (uint8_t)digit[generate_below(m, 22)];
		p++;
		if (labels->digits) {
			*p++ = ' ';
			for (size_t k = generate_below(m, labels->digits); k < labels->digits; k++)
				*p++ = (uint8_t)digit[generate_below(m, labels->decimal ? 10 : 22)];
		}
		if (generate_below(m, 60) == 0)
			line[generate_below(m, (size_t)(p - line))] =
			        (uint8_t)(generate_below(m, 3) ? generate_random(m) : ' ');
		eol[i] = (uint32_t)(p - text);
		*p++ = '\n';
	}
	return (size_t)(p - text);
}

static void
kernels_read_lines_with_labels_as_fields(void)
{
	static const struct trc_text_labels all[] = {
		{ .text = "012345", .meaning = { 7, 0, 9, 4, 2, 30 } },
		{ .text = "012345", .meaning = { 7, 0, 9, 4, 2, 30 }, .digits = 2 },
		{ .text = { 1, 0, 'r', 'c', 0, 0, 0, 'w' },
		  .meaning = { 0, 0, 3, 1, 0, 0, 0, 2 },
		  .digits = 1,
		  .decimal = true },
		{ .text = { 1, 0, 'r', 'c', 0, 0, 0, 'w' },
		  .meaning = { 0, 0, 3, 1, 0, 0, 0, 2 },
		  .digits = 2,
		  .decimal = true },
	};
	static uint8_t text[FIELDS_MOST * 310];
	uint8_t meant[FIELDS_MOST], meaning[FIELDS_MOST + 1];
	uint64_t want[FIELDS_MOST], got[FIELDS_MOST + 1];
	uint32_t eol[FIELDS_MOST], sizes[FIELDS_MOST] = { 0 }, size[FIELDS_MOST + 1];
	const struct trc_text_kernels *k;
	struct guarded g = guarded(6);
	struct generator m = { test_seed };

	for (int round = 0; round < 20000; round++) {
		const struct trc_text_labels *labels = &all[generate_below(&m, TRC_COUNT(all))];
		const size_t n = generate_below(&m, FIELDS_MOST + 1);
		const size_t bytes = make_labelled(&m, labels, text, eol, n);
		uint8_t *p = round % 2 ? g.p + 16 : g.p + g.len - TRC_IN_SLACK - bytes;
		size_t good = 0, from;

		while (good < n &&
		       naive_labelled(text + (good ? eol[good - 1] + 1 : 0), text + eol[good],
		                      labels, &meant[good], &want[good], &sizes[good]))
			good++;
		good = good / 4 * 4;
		from = good ? 4 * generate_below(&m, good / 4) : 0;
		memcpy(p, text, bytes);
		for (size_t i = 0; (k = trc_text_kernels(i)); i++) {
			if (!k->labelled)
				continue;
			got[n - from] = size[n - from] = meaning[n - from] = 0xad;
			CHECK_MSG(k->labelled(p, eol + from, from ? eol[from - 1] + 1 : 0, n - from,
			                      labels, meaning, got, size) == good - from,
			          "%s", k->name);
			for (size_t j = from; j < good; j++)
				CHECK(got[j - from] == want[j] && meaning[j - from] == meant[j] &&
				      (!labels->digits || size[j - from] == sizes[j]));
			CHECK(got[n - from] == 0xad && meaning[n - from] == 0xad &&
			      size[n - from] == 0xad);
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
				CHECK_MSG(k->hex(text + 16, end, len, 8, v) ==
				                  (isxdigit(c) ? 8 : at),
				          "%s: character %d", k->name, c);
				CHECK_MSG(k->dec(text + 16, end, len, 8, v) ==
				                  (isdigit(c) ? 8 : at),
				          "%s: character %d", k->name, c);
			}
}

static void
short_numbers_are_read_at_once(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 100000; round++) {
		uint8_t text[8 + 16];
		size_t len = generate_below(&m, 10);
		uint8_t *e = text + 8 + len;
		uint32_t want = 0, v = 0;
		bool good = len >= 1 && len <= 8;

		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = (uint8_t)('0' + generate_below(&m, 10));
		if (generate_below(&m, 2))
			text[generate_below(&m, sizeof(text))] = (uint8_t)generate_random(&m);
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

static void
utf8_is_distinguished_from_other_bytes(void)
{
	static const char *const good[] = { "",
		                            "! syscall 231",
		                            "\x7f",
		                            "\xc2\x80",
		                            "\xdf\xbf",
		                            "\xe0\xa0\x80",
		                            "\xed\x9f\xbf",
		                            "\xee\x80\x80",
		                            "\xf0\x90\x80\x80",
		                            "\xf4\x8f\xbf\xbf" };
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
		CHECK_MSG(trc_text_is_utf8(good[i]), "%zu", i);
	for (size_t i = 0; i < TRC_COUNT(bad); i++)
		CHECK_MSG(!trc_text_is_utf8(bad[i]), "%zu", i);
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

		CHECK_MSG(trc_field_hex(f, UINT64_MAX, &v) == row[i].hex, "'%s'", row[i].text);
		CHECK_MSG(!row[i].hex || v == row[i].hex_value, "'%s'", row[i].text);
		CHECK_MSG(trc_field_dec(f, UINT64_MAX, &v) == row[i].dec, "'%s'", row[i].text);
		CHECK_MSG(!row[i].dec || v == row[i].dec_value, "'%s'", row[i].text);
		CHECK(!row[i].hex || row[i].hex_value == 0 ||
		      !trc_field_hex(f, row[i].hex_value - 1, &v));
		CHECK(!row[i].dec || row[i].dec_value == 0 ||
		      !trc_field_dec(f, row[i].dec_value - 1, &v));
	}
}

static void
numbers_written_are_those_of_printf(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 50000; round++) {
		uint64_t v = generate_value(&m, 1000, 64);
		uint8_t got[64];
		char want[64];

		snprintf(want, sizeof(want), "%llx", (unsigned long long)v);
		*trc_text_put_hex_portable(got, v) = 0;
		CHECK_MSG(strcmp((char *)got, want) == 0, "'%s' for '%s'", (char *)got, want);
		*trc_text_put_hex(got, v) = 0;
		CHECK_MSG(strcmp((char *)got, want) == 0, "'%s' for '%s'", (char *)got, want);
		*trc_text_put_dec(got, v) = 0;
		snprintf(want, sizeof(want), "%llu", (unsigned long long)v);
		CHECK_MSG(strcmp((char *)got, want) == 0, "'%s' for '%s'", (char *)got, want);
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
		{ "", 0, NULL },       { " \t ", 0, NULL },       { "\r", 0, NULL },
		{ "a", 1, "a" },       { " a\r", 1, "a" },        { "a\rb", 1, "a\rb" },
		{ "a b", 2, "a" },     { "\ta \t b \r", 2, "a" }, { "a b c", 3, "a" },
		{ "a b c d", 3, "a" },
	};

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		struct trc_field f = field(row[i].line), got[2];

		CHECK_MSG(trc_text_fields(f.p, f.p + f.len, got, 2) == row[i].n, "'%s'",
		          row[i].line);
		CHECK(row[i].n == 0 || trc_field_is(got[0], row[i].first));
	}
}

int
main(void)
{
	test_start();
	CHECK(strcmp(portable()->name, "portable") == 0);
	RUN(kernels_find_the_same_marks);
	RUN(kernels_find_the_same_words);
	RUN(kernels_read_the_same_numbers);
	RUN(kernels_read_lines_with_labels_as_fields);
	RUN(kernels_judge_every_character);
	RUN(short_numbers_are_read_at_once);
	RUN(a_character_is_found_among_sixteen);
	RUN(numbers_are_read_as_people_write_them);
	RUN(numbers_written_are_those_of_printf);
	RUN(fields_are_what_blanks_separate);
	RUN(utf8_is_distinguished_from_other_bytes);
	return 0;
}
