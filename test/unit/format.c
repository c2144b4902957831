/* SPDX-License-Identifier: MIT
 * Laws that hold for every registered format, and examples of what each reads. */
#include <string.h>

#include <xxhash.h>

#include "base/bytes.h"
#include "format/digest.h"
#include "format/lines.h"
#include "make.h"
#include "stage/stage.h"
#include "test.h"

enum { ROWS = 5003 };

static const size_t cuts[] = { 2, 7, 4096 };

/* Makes any rows into instructions: a fetch, its loads, its stores. */
static void
fit_instructions(struct trc_batch *b)
{
	const uint64_t cond = UINT64_C(0x191a0000001a); /* writes 26; reads 26 and 25 */
	unsigned loads = 0, stores = 0;

	for (size_t i = 0; i < b->n; i++) {
		uint8_t type = (uint8_t)((b->addr[i] >> 2) % 3); /* any */

		if (i == 0 || (type == TRC_READ && (stores || ++loads > 4)) ||
		    (type == TRC_WRITE && ++stores > 2))
			type = TRC_FETCH;
		if (type == TRC_FETCH)
			loads = stores = 0;
		b->type[i] = type;
		b->addr[i] = (b->addr[i] & UINT64_MAX >> 17) | 1;
		if (!b->regs)
			continue;
		b->regs[i] &= type == TRC_FETCH ? ~UINT64_C(0xffff0000) : 0;
		b->branch[i] &= type == TRC_FETCH ? TRC_BRANCH | TRC_BRANCH_TAKEN : 0;
		if (b->branch[i] & TRC_BRANCH) {
			b->regs[i] = b->addr[i] & 2 ? cond : 0;
			b->branch[i] |= b->addr[i] & 2 ? TRC_BRANCH_COND : 0;
		}
		if (b->asid)
			b->asid[i] = type == TRC_FETCH ? b->asid[i] & 0xffff : b->asid[i - 1];
	}
}

/* Times of 32 bits. */
static void
fit_seconds(struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		b->time[i] &= UINT32_MAX;
}

/* Sizes that are none only where that says the whole cache. */
static void
fit_sizes(struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		b->size[i] %= 65;
		b->size[i] += b->size[i] == 0;
		if (i == 0)
			b->type[i] = TRC_FETCH;
	}
}

/* Loads, each an instruction, and stores that belong to the load before. */
static void
fit_loads(struct trc_batch *b)
{
	uint64_t itime = 0;

	for (size_t i = 0; i < b->n; i++) {
		const bool store = i > 0 && b->type[i - 1] == TRC_READ && b->addr[i] & 4;

		b->type[i] = store ? TRC_WRITE : TRC_READ;
		b->addr[i] |= 65536;
		itime += store ? 0 : 1 + b->addr[i] % 100;
		if (b->itime)
			b->itime[i] = itime;
	}
}

/* Lines of 64 bytes in a memory of 2^54. */
static void
fit_places(struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		b->addr[i] &= (UINT64_C(1) << 54) - 64;
}

static void
fit_addresses(struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		b->addr[i] |= 1;
}

/* Where a format holds less than its columns could. */
static const struct limits {
	const char *name;
	bool forward; /* times do not go back, and no space is 0 */
	unsigned addr_bits, size_bits;
	void (*fit)(struct trc_batch *rows);
	size_t shy; /* with fewer rows it may be taken for another */
} limits[] = {
	{ "laplace-bin", false, 32, 8, NULL, 0 },
	{ "laplace-diff", true, 0, 0, NULL, 0 },
	{ "sad-diff", true, 0, 0, NULL, 0 },
	{ "champsim", false, 0, 0, fit_instructions, 0 },
	{ "cloudsuite", false, 0, 0, fit_instructions, 0 },
	{ "dinero-bin", false, 32, 16, fit_sizes, 0 },
	{ "ramulator-inst", false, 0, 0, fit_loads, 300 },
	{ "ramulator2-ls", false, 63, 0, NULL, 0 },
	{ "ramulator2-rw", false, 0, 0, fit_places, 0 },
	{ "oracle", false, 0, 0, fit_seconds, 0 },
	{ "u64", false, 56, 0, fit_addresses, 0 },
	{ NULL, false, 0, 0, NULL, 0 },
};

static const struct limits *
limits_of(const struct trc_format *f)
{
	const struct limits *l = limits;

	while (l->name && strcmp(l->name, f->name) != 0)
		l++;
	return l;
}

static struct make_spec
spec_of(const struct trc_format *f, uint32_t have)
{
	struct make_spec spec = { .have = have, .rows = 1 };
	const struct limits *l = limits_of(f);
	struct make_bytes bytes;
	struct trc_batch b;
	struct trc_err err;
	uint32_t types = 0;

	spec.forward = l->forward;
	spec.bits[TRC_COL_ADDR] = l->addr_bits;
	spec.bits[TRC_COL_SIZE] = l->size_bits;
	/* Which types it can write, it says itself. */
	for (unsigned type = 0; have & TRC_HAS_TYPE && type < 32; type++) {
		spec.types = UINT32_C(1) << type;
		if ((type & TRC_TYPE_MASK) >= TRC_TYPES || type == (TRC_EVENT | TRC_KERNEL) ||
		    (type == TRC_EVENT && !(have & TRC_HAS_EVENT)))
			continue;
		make_rows(&b, &spec, test_seed);
		if (l->fit)
			l->fit(&b);
		b.type[0] = (uint8_t)type;
		if (make_write(f, &b, 1, NULL, &bytes, &err) == 0) {
			types |= spec.types;
			free(bytes.p);
		} else {
			CHECK_SAY(strstr(err.text, "cannot hold a"), "%s", err.text);
		}
		trc_batch_release(&b);
	}
	spec.types = types;
	spec.rows = ROWS;
	return spec;
}

/* Reads `bytes` back and compares them with the rows that they were made of. */
static void
check_reading(const struct trc_format *f, const struct trc_batch *rows,
              const struct make_bytes *bytes, size_t step, size_t pull)
{
	struct trc_batch back;
	struct trc_err err;
	char say[128];

	CHECK_SAY(make_collect(make_read(f, bytes->p, bytes->len, step, &err), pull, &back, NULL,
	                       &err) == 0,
	          "%s: %s", f->name, err.text);
	CHECK_SAY(make_same(rows, &back, rows->have, say, sizeof(say)), "%s: %s", f->name, say);
	CHECK((back.have & ~f->holds) == 0);
	trc_batch_release(&back);
}

/* Runs `check` on made-up rows for each format that can be read and written, once with all columns
 * that it holds and once with those that it needs. */
static void
for_each_format(void (*check)(const struct trc_format *f, const struct trc_batch *rows))
{
	const struct trc_format *f = NULL;
	struct trc_batch rows;

	while ((f = trc_format_next(f))) {
		const uint32_t have[2] = { f->holds, f->needs };

		if (!trc_format_reads(f) || !trc_format_writes(f))
			continue;
		for (int i = 0; i < 2; i++) {
			struct make_spec spec = spec_of(f, have[i]);

			/* Lines without a field are blank. */
			if (i == 1 && (have[1] == have[0] || (have[1] == 0 && f->line)))
				continue;
			make_rows(&rows, &spec, test_seed);
			if (limits_of(f)->fit)
				limits_of(f)->fit(&rows);
			check(f, &rows);
			trc_batch_release(&rows);
		}
	}
}

static void
check_reads_back(const struct trc_format *f, const struct trc_batch *rows)
{
	static const size_t n[] = { 0, 1, 2, 257, 4095, 4096, 4097 };
	struct trc_batch some = *rows;
	struct make_bytes bytes;
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(n); i++) {
		some.n = n[i];
		CHECK_SAY(make_write(f, &some, 4096, NULL, &bytes, &err) == 0, "%s: %s", f->name,
		          err.text);
		check_reading(f, &some, &bytes, SIZE_MAX, 4096);
		free(bytes.p);
	}
}

static void
what_is_written_reads_back(void)
{
	for_each_format(check_reads_back);
}

static void
check_cuts(const struct trc_format *f, const struct trc_batch *rows)
{
	static const size_t step[] = { 1, 7, 65536 };
	struct make_bytes first, bytes;
	struct trc_err err;

	CHECK(make_write(f, rows, 4096, NULL, &first, &err) == 0);
	for (size_t i = 0; i < TRC_COUNT(cuts); i++) {
		CHECK(make_write(f, rows, cuts[i], NULL, &bytes, &err) == 0);
		CHECK_SAY(bytes.len == first.len && memcmp(bytes.p, first.p, first.len) == 0,
		          "%s, batches of %zu", f->name, cuts[i]);
		free(bytes.p);
		for (size_t k = 0; k < TRC_COUNT(step); k++)
			check_reading(f, rows, &first, step[k], cuts[i]);
	}
	free(first.p);
}

static void
cuts_do_not_matter(void)
{
	for_each_format(check_cuts);
}

static void
check_recognised(const struct trc_format *f, const struct trc_batch *rows)
{
	static const size_t n[] = { 1, 20, 300, ROWS };
	const struct trc_meta meta = { .page_bits = 12 };
	struct trc_batch some = *rows;
	struct make_bytes bytes;
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(n); i++) {
		const struct trc_format *found;
		struct trc_in *in;

		some.n = n[i];
		CHECK(make_write(f, &some, 4096, &meta, &bytes, &err) == 0);
		in = make_in(bytes.p, bytes.len, 65536);
		found = trc_format_recognise(in, &err);
		CHECK_SAY(found == f || n[i] < limits_of(f)->shy ||
		                  (!found && strstr(err.text, "could be any of") &&
		                   strstr(err.text, f->name)),
		          "%s, %zu rows: %s", f->name, n[i], found ? found->name : err.text);
		CHECK(trc_in_offset(in) == 0);
		trc_in_close(in);
		free(bytes.p);
	}
}

static void
what_is_written_is_recognised(void)
{
	for_each_format(check_recognised);
}

/* Extended din takes anything behind its three fields, so it takes these two formats, too. */
static void
strict_formats_win_over_loose_ones(void)
{
	static const char *const name[] = { "sad", "laplace" };

	for (size_t i = 0; i < TRC_COUNT(name); i++) {
		const struct trc_format *f = trc_format_named(name[i]);
		struct make_spec spec = { .have = f->holds, .rows = ROWS, .types = 3 };
		struct make_bytes bytes;
		struct trc_batch rows;
		struct trc_err err;
		struct trc_in *in;

		spec.bits[TRC_COL_ITIME] = 30;
		make_rows(&rows, &spec, test_seed);
		CHECK(make_write(f, &rows, 4096, NULL, &bytes, &err) == 0);
		in = make_in(bytes.p, bytes.len, 65536);
		CHECK_SAY(trc_format_recognise(in, &err) == f, "%s", err.text);
		trc_in_close(in);
		free(bytes.p);
		trc_batch_release(&rows);
	}
}

/* Decoding what was encoded, and encoding it again, gives the same bytes. */
static void
check_canonical(const struct trc_format *f, const struct trc_batch *rows)
{
	struct make_bytes once, twice;
	struct trc_meta meta;
	struct trc_batch back;
	struct trc_err err;

	CHECK(make_write(f, rows, 4096, NULL, &once, &err) == 0);
	CHECK(make_collect(make_read(f, once.p, once.len, 4096, &err), 4096, &back, &meta, &err) ==
	      0);
	CHECK(make_write(f, &back, 4096, &meta, &twice, &err) == 0);
	CHECK_SAY(once.len == twice.len && memcmp(once.p, twice.p, once.len) == 0, "%s", f->name);
	trc_batch_release(&back);
	free(once.p);
	free(twice.p);
}

static void
canonical_text_stays_as_it_is(void)
{
	for_each_format(check_canonical);
}

enum style { CRLF, BLANK_LINES, NO_LAST_NEWLINE, WIDE_BLANKS, STYLES };

static size_t
restyle(enum style style, const struct make_bytes *from, uint8_t *dst)
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
	struct make_bytes bytes;
	struct trc_batch back;
	struct trc_err err;
	char say[128];
	uint8_t *text;

	if (!f->line)
		return;
	CHECK(make_write(f, rows, 4096, NULL, &bytes, &err) == 0);
	text = malloc(2 * bytes.len);
	CHECK(text);
	for (int style = 0; style < STYLES; style++) {
		/* The text of an event stays as it is. */
		if (style == WIDE_BLANKS && rows->event)
			continue;
		size_t len = restyle((enum style)style, &bytes, text);
		struct trc_in *in = make_in(text, len, 65536);
		struct trc_source *src;

		if (f->line)
			(void)!trc_format_recognise(in, &err);
		src = trc_format_source(f, NULL, in, &err);
		CHECK(src);
		CHECK_SAY(make_collect(src, 4096, &back, NULL, &err) == 0, "%s, style %d: %s",
		          f->name, style, err.text);
		CHECK_SAY(make_same(rows, &back, rows->have, say, sizeof(say)), "%s, style %d: %s",
		          f->name, style, say);
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
check_both_ways(const char *name, const struct make_bytes *text, uint8_t *other)
{
	const size_t len = restyle(CRLF, text, other);
	struct trc_err err = { 0 }, err2 = { 0 };
	struct trc_batch a, b;
	struct trc_source *src;
	char say[128];
	int ret, ret2;

	src = make_read_as(name, text->p, text->len, 65536, &err);
	ret = make_collect(src, 4096, &a, NULL, &err);
	src = make_read_as(name, other, len, 65536, &err2);
	ret2 = make_collect(src, 4096, &b, NULL, &err2);
	CHECK_SAY(ret == ret2 && strcmp(err.text, err2.text) == 0, "%s: '%s' and '%s'", name,
	          err.text, err2.text);
	CHECK_SAY(make_same(&a, &b, a.have, say, sizeof(say)), "%s: %s", name, say);
	trc_batch_release(&a);
	trc_batch_release(&b);
}

/* Changes characters of `text` at random, not its last, and looks whether lines are read the same
 * with others and alone. */
static void
check_odd_lines(const char *name, struct make_bytes *text)
{
	static const char odd[] = "\n  \t\",,:;x00112233445566778899aAfFrRwWiI-";
	uint8_t *saved = malloc(text->len), *other = malloc(2 * text->len);
	struct make m = { test_seed };

	CHECK(saved && other);
	memcpy(saved, text->p, text->len);
	for (int round = 0; round < 150; round++) {
		for (size_t k = make_below(&m, 4); k > 0; k--)
			text->p[make_below(&m, text->len - 1)] =
			        (uint8_t)odd[make_below(&m, sizeof(odd) - 1)];
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
	struct make_bytes bytes;
	struct trc_err err;

	if (!f->line)
		return;
	some.n = some.n < 700 ? some.n : 700;
	CHECK(make_write(f, &some, 4096, NULL, &bytes, &err) == 0);
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
		{ "execlog", { "0, 0x10554, 0x22000ef, \"022000ef   jal     ra,34\"\n",
		               "12, 0x1057a, 0x6398, \"ld   a4,0(a5)\", load, 0x4000800fe0\n",
		               "1, 0x1057c, 0xe398, \"str \"x\"\", store, 0x80001000, RAM, load, 0x1\n",
		               "0, 0xa12, 0xf8012400, \"nop\"\n" } },
		{ "dramsim3", { "0x2000D5C0 READ  30\n", "0x1FF96FC0 WRITE   160\n",
		                "0x2000D600 READ  1650000000000000001\n", "0x0 READ 1\n" } },
		{ "ramulator-inst", { "3 20734016 R\n", "18 140733836203136 W\n",
		                      "3 20734016 18446744073709551615\n", "0 18446744073709551615\n" } },
		{ "ramulator2-rw", { "R 0,0,1,1024,16\n", "W 0,1,15,1048575,4095\n",
		                     "R 0,0,0,0,0\n", "R 0,0,0,0,7\n" } },
		{ "csv:time=2,size=4,addr=5", { "1,5633898,2a,512,42932745\n",
		                                "1,5633899,28,4096,18446744073709551615,9\n",
		                                "1,\"5,6\",\"2a,\",512,429\n", "1,56,28,4,429\n" } },
		{ "csv:addr=3,size=1", { "0x10,,0x42932745,a,b\n", "16,7,0x429,a,b\n",
		                         "0x8,\"7\",0x42,,\n", "0x1,7,0x429327ffffff,a,b\n" } },
		{ "csv:event=1", { "\n", "x\n", "\"y\"\n", ",\n" } },
		{ "csv:type=1,vpn=2", { "w,1\n", "read,0x2\n", "Fetch,3\n", "kernel-write,99\n" } },
	};
	struct make m = { test_seed };

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		struct make_bytes bytes = { malloc(700 * 80), 0 };

		CHECK(bytes.p);
		/* Mostly lines of one form. */
		for (size_t n = 0; n < 700; n++) {
			const size_t k = make_below(&m, 9) ? n / 350 : make_below(&m, 4);
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
		CHECK_SAY(count[0] < 10 * l.n, "one of %zu: %zu", count[1], count[0]);
	}
}

/* A line that is no record, in the middle of a text, is named by its number. */
static void
check_bad_line(const struct trc_format *f, const struct trc_batch *rows)
{
	static const char bad[] = "\x80?? no record of any kind\n";
	struct trc_batch back, some = *rows;
	struct make_bytes bytes;
	char want[64];
	struct trc_err err;
	uint8_t *text;

	if (!f->line)
		return;
	some.n = 5000;
	CHECK(make_write(f, &some, 4096, NULL, &bytes, &err) == 0);
	text = malloc(bytes.len + sizeof(bad));
	CHECK(text);
	for (size_t line = 1, at = 0; at < bytes.len; line++) {
		if (line == 1 || line == 2 || line == 4096 || line == 4097 || line == 5000) {
			memcpy(text, bytes.p, at);
			memcpy(text + at, bad, sizeof(bad) - 1);
			memcpy(text + at + sizeof(bad) - 1, bytes.p + at, bytes.len - at);
			CHECK(make_collect(make_read(f, text, bytes.len + sizeof(bad) - 1, 4096,
			                             &err),
			                   4096, &back, NULL, &err) == -1);
			snprintf(want, sizeof(want), "made:%zu: ", line);
			CHECK_SAY(strstr(err.text, want) == err.text && strstr(err.text, f->name),
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

/* A file of records cut anywhere is an error, but where a record ends. */
static void
check_cut_record(const struct trc_format *f, const struct trc_batch *rows)
{
	struct trc_batch back, some = *rows;
	struct make_bytes bytes;
	struct trc_err err;

	if (!f->record)
		return;
	some.n = 5;
	CHECK(make_write(f, &some, 4096, NULL, &bytes, &err) == 0);
	CHECK(bytes.len == 5 * f->record->size);
	for (size_t len = 0; len < bytes.len; len++) {
		struct trc_source *src = make_read(f, bytes.p, len, 4096, &err);
		int ret = make_collect(src, 2, &back, NULL, &err);

		CHECK((ret == 0) == (len % f->record->size == 0));
		CHECK(ret == 0 || strstr(err.text, "cut short"));
		trc_batch_release(&back);
	}
	free(bytes.p);
}

static void
cut_records_are_refused(void)
{
	for_each_format(check_cut_record);
}

static void
columns_that_do_not_fit_are_refused(void)
{
	const struct trc_format *f = NULL;

	while ((f = trc_format_next(f))) {
		struct make_spec all = { .have = TRC_HAS_ALL, .rows = 1 };
		struct make_spec none = { .have = 0, .rows = 1 };
		struct make_bytes bytes;
		struct trc_batch b;
		struct trc_err err;

		if (!trc_format_writes(f))
			continue;
		CHECK((f->needs & ~f->holds) == 0);
		make_rows(&b, &all, test_seed);
		if (f->holds != TRC_HAS_ALL) {
			CHECK(make_write(f, &b, 1, NULL, &bytes, &err) == -1);
			CHECK_SAY(strstr(err.text, "cannot hold '"), "%s", err.text);
		}
		trc_batch_release(&b);
		make_rows(&b, &none, test_seed);
		if (f->needs) {
			CHECK(make_write(f, &b, 1, NULL, &bytes, &err) == -1);
			CHECK_SAY(strstr(err.text, "needs '"), "%s", err.text);
		}
		trc_batch_release(&b);
	}
}

static void
names_and_endings_find_their_rows(void)
{
	const struct trc_format *f = NULL, *g;
	char path[64];

	while ((f = trc_format_next(f))) {
		CHECK(trc_format_named(f->name) == f);
		CHECK_SAY(f->doc && strlen(f->doc) + 17 <= 80, "%s", f->name);
		CHECK_SAY(trc_format_reads(f) || trc_format_writes(f), "%s", f->name);
		CHECK_SAY(!f->report || !trc_format_reads(f), "%s", f->name);
		CHECK_SAY(!!f->line + !!f->record + !!f->packet + !!f->member + !!f->source <= 1,
		          "%s", f->name);
		for (g = trc_format_next(f); g; g = trc_format_next(g))
			CHECK_SAY(!f->ending || !g->ending || strcmp(f->ending, g->ending) != 0,
			          "%s and %s", f->name, g->name);
		if (!f->ending)
			continue;
		snprintf(path, sizeof(path), "x/y%s", f->ending);
		CHECK(trc_format_ending(path) == f);
		CHECK(trc_format_ending(f->ending) == NULL);
	}
	CHECK(!trc_format_named("no such format"));
}

/* One text, and what it reads as, in all columns of its format. */
static const struct example {
	const char *format, *text;
	size_t rows; /* 0: it is refused */
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
	ret = make_collect(make_read(f, x->text, strlen(x->text), 1, &err), 2, &b, NULL, &err);
	i = x->rows - 1;
	CHECK_SAY((ret == 0) == (x->rows > 0), "%s: '%s'", x->format, x->text);
	CHECK_SAY(ret || (b.n == x->rows && (!b.type || b.type[i] == x->type) &&
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
		{ .page_bits = 12, .sad = 64, .totals = true, .refs = 10000000, .insns = 7412345 },
		{ .page_bits = 63, .sad = UINT64_MAX, .totals = true, .refs = UINT64_MAX,
		  .insns = UINT64_MAX, .last_time = UINT64_MAX },
		{ .totals = false },
		{ .page_bits = 13, .totals = true, .refs = 1, .last_time = 1 },
		{ .sad = 8, .reduced = TRC_LRU_ONLY | TRC_BY_SPACE, .sample = 100 },
		{ .window = UINT64_MAX, .clock = TRC_COL_TIME, .reduced = TRC_CANONICAL,
		  .sample = UINT64_MAX },
		{ .window = 1, .clock = TRC_COL_RTIME },
		{ .reduced = TRC_MERGED },
		{ .window = 2, .clock = TRC_COL_ITIME, .sad = 3 },
	};
	const struct trc_format *f = trc_format_named("sad");
	struct make_spec spec = { .have = f->holds, .rows = 3, .types = 3 };
	struct trc_batch rows, back;
	struct make_bytes bytes;
	struct trc_meta meta;
	struct trc_err err;

	make_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i < TRC_COUNT(all); i++) {
		CHECK(make_write(f, &rows, 2, &all[i], &bytes, &err) == 0);
		CHECK(make_collect(make_read(f, bytes.p, bytes.len, 7, &err), 2, &back, &meta,
		                   &err) == 0);
		CHECK(meta.page_bits == all[i].page_bits && meta.sad == all[i].sad &&
		      meta.totals == all[i].totals && meta.window == all[i].window &&
		      meta.clock == all[i].clock && meta.reduced == all[i].reduced &&
		      meta.sample == all[i].sample);
		CHECK(!meta.totals || (meta.refs == all[i].refs && meta.insns == all[i].insns &&
		                       meta.last_time == all[i].last_time));
		trc_batch_release(&back);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

/* The fingerprint is the same on every machine and for all batches; that of these rows is known. */
static void
fingerprints_are_the_same_everywhere(void)
{
	static const char want[] =
		"rows 9999\n"
		"type c3f094fdb3de9540\n"
		"addr bef6f41e18ad1ec1\n"
		"size 2a7158d4cec8e05a\n"
		"time a28f529c96369de7\n"
		"asid 7f48a988ee30736c\n"
		"task 103eeef37024fa48\n"
		"pc f7d8d9fe5b8b487a\n"
		"itime de8812d871fb81c8\n"
		"rtime f2ac7217ca4b7d61\n"
		"vpn 5ef3b3c2825d3496\n"
		"cpn cf3b4141f63a7864\n"
		"insn 375367d2da6fce53\n"
		"branch 6d9bb6c4ee960cbe\n"
		"regs 651e9e067b9a3ff4\n"
		"event 73fbd7e60cde5c22\n";
	struct make_spec spec = { .have = TRC_HAS_ALL, .rows = 9999 };
	struct make_bytes bytes;
	struct trc_batch rows;
	struct trc_err err;

	make_rows(&rows, &spec, 1);
	for (size_t i = 0; i < TRC_COUNT(cuts); i++) {
		CHECK(make_write(trc_format_named("hash"), &rows, cuts[i], NULL, &bytes, &err) == 0);
		CHECK_SAY(bytes.len == strlen(want) && memcmp(bytes.p, want, bytes.len) == 0,
		          "batches of %zu:\n%.*s", cuts[i], (int)bytes.len, bytes.p);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

/* The vectors of this processor or none: this program runs in both forms. */
static void
fingerprints_are_those_of_the_library(void)
{
	const struct make_spec spec = { .have = TRC_HAS_TYPE | TRC_HAS_ADDR, .rows = ROWS };
	struct trc_digest digest;
	struct trc_batch rows;
	struct trc_err err;

	make_rows(&rows, &spec, test_seed);
	CHECK(trc_digest_init(&digest, spec.have, &err) == 0);
	for (size_t step = 1; step < ROWS; step = step * 7 + 1) {
		trc_digest_reset(&digest);
		for (size_t at = 0; at < ROWS; at += step)
			trc_digest_update(&digest, &rows, at, step < ROWS - at ? step : ROWS - at);
		CHECK(trc_digest_column(&digest, TRC_COL_TYPE) == XXH3_64bits(rows.type, ROWS));
		for (size_t i = 0; i < ROWS; i++)
			trc_put_le64((uint8_t *)&rows.addr[i], rows.addr[i]);
		CHECK(trc_digest_column(&digest, TRC_COL_ADDR) ==
		      XXH3_64bits(rows.addr, ROWS * sizeof(*rows.addr)));
		for (size_t i = 0; i < ROWS; i++)
			rows.addr[i] = trc_le64((const uint8_t *)&rows.addr[i]);
	}
	trc_digest_release(&digest);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	RUN(fingerprints_are_those_of_the_library);
	RUN(names_and_endings_find_their_rows);
	RUN(columns_that_do_not_fit_are_refused);
	RUN(examples_read_as_they_should);
	RUN(what_is_written_reads_back);
	RUN(cuts_do_not_matter);
	RUN(canonical_text_stays_as_it_is);
	RUN(text_is_taken_as_people_write_it);
	RUN(lines_are_read_the_same_alone);
	RUN(odd_lines_do_not_make_others_be_looked_at_again_and_again);
	RUN(bad_lines_are_named);
	RUN(cut_records_are_refused);
	RUN(what_is_written_is_recognised);
	RUN(strict_formats_win_over_loose_ones);
	RUN(totals_of_sad_come_back);
	RUN(fingerprints_are_the_same_everywhere);
	return 0;
}
