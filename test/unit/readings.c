/* SPDX-License-Identifier: MIT
 * Texts of which is known what each field is, as people make them: what is read of them is that,
 * or they are asked about. Short ones were guessed at, and `size address` became instructions,
 * `cpu address` loads and stores, `R address time` sizes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "test.h"

enum { TEXTS = 16000, ROOM = 64 << 10, LINES = 400 };

/* Sectors of the largest disk. */
#define DISK (UINT64_C(1) << 36)

/* The fields of a line, a letter each:
 *
 *   L R W         l r w          M READ WRITE   m read write   D LD ST       i r w i   e l s
 *   0 0 is read   1 1 is read    2 a label of din
 *   A address     B sector       K key          P instruction  N number of the line
 *   S size        s 8            O of an object b of a request C sectors
 *   T time        c processor    t thread       d disk         y latency, which nothing holds
 *   g instructions without loads
 *
 * What no program was found to write is not among them (format/doubt.c): counts and latencies
 * before R or W and an address, anything but instructions behind l or s, TdBC and 0 for a read. */
static const char *const truths[] = {
	"A",     "LA",    "lA",    "MA",     "DA",     "0A",     "1A",     "cA",   "tA",    "dA",
	"SA",    "sA",    "OA",    "bA",     "TA",     "NA",     "PA",     "AS",   "AO",    "Ab",
	"AL",    "Al",    "BL",    "LB",     "lB",     "MB",     "mB",     "0B",   "1B",    "dB",
	"KO",    "TK",    "LK",    "LT",     "gA",     "yA",     "LAS",    "lAS",  "LAs",   "lAs",
	"LAT",   "lAT",   "LAt",   "lAt",    "LAc",    "lAO",    "LAb",    "LBC",  "LBb",   "lBC",
	"LPA",   "lPA",   "LAy",   "0AS",    "0BC",    "1BC",    "0Bb",    "1Bb",  "0Kb",   "TKO",
	"TKb",   "TAS",   "NAS",   "dBC",    "cAS",    "tAS",    "OKO",    "SAL",  "cAL",   "TAL",
	"tAL",   "PAL",   "gAL",   "AMT",    "AMS",    "AmS",    "Amb",    "AMy",  "BMC",   "AmT",
	"LTASd", "lTSdA", "lTAbt", "LTdBC",  "LtPAS",  "lytAS",  "iAS",    "iASt", "2A",    "2AS",
	"T0BC",  "TdBCL", "0TKO",  "LTBCyd", "lyyydA", "yyyyyA", "lTyNcA", "KKK",  "OOO",   "AAA",
	"PAA",   "gAA",   "cLA",   "tLA",    "TLA",    "NLA",    "SLA",    "cLAS", "TLAS",  "TLASs",
	"LAg",   "eAg",   "cLB",   "dLB",    "TLB",    "TB",     "TlBC",   "LBs",  "TdBC1",
};

struct text {
	char *p;
	size_t n;
	struct trc_batch rows;
	uint32_t known; /* columns whose values are known */
	bool dropped;   /* nothing holds a field */
};

static uint64_t
below(struct generator *m, uint64_t n)
{
	return generate_below(m, n);
}

/* How the numbers of a text are. */
struct look {
	const char *addr, *number, *by, *end;
	uint64_t region, step, unit, time, kinds;
	bool sweep;
};

static struct look
choose_look(struct generator *m, const char *truth)
{
	static const char *const as[] = { "%llu", "%llx", "0x%llx", "%08llx", "%llX", "%012llx" };
	static const char *const by[] = { " ", " ", "\t", "  ", ",", ";", ", " };
	static const char *const ends[] = { "\n", "\n", "\r\n" };
	static const uint64_t units[] = { 1, 4, 8, 8, 64, 512, 4096 };
	struct look k = { .addr = as[below(m, 6)],
		          .by = by[below(m, 7)],
		          .end = ends[below(m, 3)] };

	/* Nor anything but labels before hexadecimal numbers without 0x. */
	if (strlen(truth) == 2 && strchr("1ctdygSsObTN", *truth) && strchr(k.addr, 'u') == NULL)
		k.addr = "0x%llx";
	k.number = below(m, 2) ? "%llu" : k.addr;
	k.region = below(m, UINT64_C(1) << (12 + below(m, 36)));
	k.unit = units[below(m, 7)];
	k.step = UINT64_C(1) << below(m, 12);
	k.time = below(m, UINT64_C(1) << below(m, 40));
	k.kinds = 1 + below(m, 8);
	k.sweep = below(m, 4) == 0;
	return k;
}

static void
set(struct text *t, enum trc_column c, size_t i, uint64_t v)
{
	t->known |= UINT32_C(1) << c;
	switch (c) {
	case TRC_COL_TYPE: t->rows.type[i] = (uint8_t)v; break;
	case TRC_COL_ADDR: t->rows.addr[i] = v; break;
	case TRC_COL_SIZE: t->rows.size[i] = (uint32_t)v; break;
	case TRC_COL_TIME: t->rows.time[i] = v; break;
	case TRC_COL_TASK: t->rows.task[i] = (uint32_t)v; break;
	case TRC_COL_ASID: t->rows.asid[i] = (uint32_t)v; break;
	case TRC_COL_PC: t->rows.pc[i] = v; break;
	default: t->rows.itime[i] = v; break;
	}
}

static void
put_word(struct text *t, size_t i, unsigned type, const char *words)
{
	for (; type > 0; type--)
		words += strcspn(words, " ") + 1;
	t->n += (size_t)sprintf(t->p + t->n, "%.*s", (int)strcspn(words, " "), words);
	(void)i;
}

static void
put_number(struct text *t, const char *as, uint64_t v)
{
	t->n += (size_t)sprintf(t->p + t->n, as, (unsigned long long)v);
}

/* A type, which is a word or a number. */
static bool
put_type(struct generator *m, struct text *t, char kind, size_t i)
{
	static const char kinds[] = "LlMmDi012e";
	static const char *const words[] = { "R W",   "r w", "READ WRITE", "read write", "LD ST",
		                             "r w i", "0 1", "1 0",        "0 1 2",      "l s" };
	const char *at = strchr(kinds, kind);
	const unsigned type = (unsigned)below(m, kind == 'i' || kind == '2' ? 3 : 2);

	if (!at)
		return false;
	set(t, TRC_COL_TYPE, i, type);
	put_word(t, i, type, words[at - kinds]);
	return true;
}

static uint64_t
address(struct generator *m, const struct look *k, size_t i)
{
	return k->sweep ? k->region + i * k->step : k->region + below(m, 1 << 20) * k->unit;
}

/* A sector; blocks of disks are one, or eight and more. */
static uint64_t
sector(struct generator *m, const struct look *k, size_t i)
{
	struct look disk = *k;

	disk.unit = k->unit == 4 ? 8 : k->unit;
	return address(m, &disk, i) % DISK;
}

static void
put_place(struct generator *m, struct text *t, const struct look *k, char kind, size_t i)
{
	const uint64_t v = kind == 'B' ? sector(m, k, i) : address(m, k, i);

	/* Nobody prints sectors in hexadecimal, or how many. */
	put_number(t, kind == 'B' ? "%llu" : k->addr, v);
	if (kind == 'P' || strchr("A", kind) == NULL)
		set(t, kind == 'P' ? TRC_COL_PC : TRC_COL_ADDR, i, kind == 'B' ? v * 512 : v);
	else if (!(t->known >> TRC_COL_ADDR & 1) || i > 0)
		set(t, TRC_COL_ADDR, i, v);
}

static void
put_size(struct generator *m, struct text *t, const struct look *k, char kind, size_t i)
{
	const uint64_t v = kind == 'S' ? UINT64_C(1) << below(m, 5) :
	                   kind == 's' ? 8 :
	                   kind == 'O' ? 1 + below(m, 1 << 20) :
	                   kind == 'b' ? UINT64_C(512) << below(m, 8) :
	                                 UINT64_C(8) << below(m, 6);

	put_number(t, kind == 'C' ? "%llu" : k->number, v);
	set(t, TRC_COL_SIZE, i, kind == 'C' ? v * 512 : v);
}

static void
put_other(struct generator *m, struct text *t, struct look *k, char kind, size_t i)
{
	uint64_t v = kind == 'y' ? below(m, 100 << below(m, 10)) : below(m, k->kinds);

	if (kind == 'T')
		v = k->time += below(m, 3) * below(m, 1 << 12);
	if (kind == 'N')
		v = i;
	if (kind == 'g')
		v = below(m, 4) ? below(m, 8) : below(m, 600);
	/* Nor times, or numbers of lines. */
	put_number(t, strchr("gTN", kind) ? "%llu" : k->number, v);
	if (kind == 'y')
		t->dropped = true;
	else
		set(t,
		    kind == 'T' || kind == 'N' ? TRC_COL_TIME :
		    kind == 'd'                ? TRC_COL_ASID :
		    kind == 'g'                ? TRC_COL_ITIME :
		                                 TRC_COL_TASK,
		    i, v);
}

static void
make_text(struct generator *m, struct text *t, const char *truth, size_t lines)
{
	struct look k = choose_look(m, truth);

	t->n = t->known = 0;
	t->dropped = false;
	t->rows.n = lines;
	for (size_t i = 0; i < lines && t->n + 300 < ROOM; i++) {
		for (const char *f = truth; *f; f++) {
			t->n += f > truth ? (size_t)sprintf(t->p + t->n, "%s", k.by) : 0;
			if (put_type(m, t, *f, i))
				continue;
			if (strchr("ABKP", *f))
				put_place(m, t, &k, *f, i);
			else if (strchr("SsObC", *f))
				put_size(m, t, &k, *f, i);
			else
				put_other(m, t, &k, *f, i);
		}
		t->n += (size_t)sprintf(t->p + t->n, "%s", k.end);
	}
}

static const struct trc_format *
recognise(const struct text *t, struct trc_reading *r, struct trc_err *err)
{
	struct trc_in *in = generate_in(t->p, t->n, SIZE_MAX);
	const struct trc_format *f;

	in->name = "data.txt";
	f = trc_format_recognise(in, err);
	*r = in->reading;
	trc_in_close(in);
	return f;
}

/* The columns that are known and have one value in all lines. */
static uint32_t
constants(const struct text *t)
{
	uint32_t same = 0;

	for (int c = 0; c < TRC_COLUMNS; c++) {
		const size_t width = trc_column[c].width;
		const char *at = t->known >> c & 1 ? trc_batch_column(&t->rows, c) : NULL;

		same |= (uint32_t)(at && memcmp(at, at + width, (t->rows.n - 1) * width) == 0) << c;
	}
	return same;
}

/* What is read otherwise than it is meant; NULL: nothing. */
static const char *
differs(const struct text *t, const struct trc_format *f, const struct trc_reading *r)
{
	/* Counts of instructions are those between loads. */
	const uint32_t loads = t->known & TRC_HAS_ITIME ? TRC_HAS_TYPE & ~t->known : 0;
	struct trc_batch rows;
	struct trc_meta meta;
	struct trc_err err;
	const char *what = NULL;
	struct trc_in *in = generate_in(t->p, t->n, SIZE_MAX);
	uint32_t have;
	char why[128];

	in->reading = *r;
	if (generate_collect(trc_format_source(f, NULL, in, &err), 4096, &rows, &meta, &err))
		return "it cannot be read";
	have = rows.have & ~loads;
	/* What is the same in all lines is named in a note. */
	if (t->dropped || t->known & ~have & ~(*r->from ? constants(t) : 0) & ~TRC_HAS_ITIME)
		what = "a field is dropped";
	else if (have & ~t->known)
		what = "a column is made up";
	else if (t->rows.n != rows.n ||
	         !generate_same(&t->rows, &rows, t->known & have & ~TRC_HAS_ITIME, why,
	                        sizeof(why)))
		what = "values differ";
	trc_batch_release(&rows);
	return what;
}

static void
what_is_read_is_what_is_meant(void)
{
	struct generator m = { test_seed };
	struct text t = { .p = malloc(ROOM) };
	struct trc_err err;

	CHECK(t.p);
	t.rows = generate_zeros(TRC_HAS_ALL & ~TRC_HAS_EVENT, LINES);
	for (size_t i = 0; i < TEXTS; i += test_step_most(20)) {
		const char *truth = truths[below(&m, TRC_COUNT(truths))];
		const struct trc_format *f;
		struct trc_reading r;
		const char *what;

		make_text(&m, &t, truth, below(&m, 10) ? 1 + below(&m, 50) : LINES);
		f = recognise(&t, &r, &err);
		/* Pages are read with a note that they may be addresses. */
		what = f && !f->doubt ? differs(&t, f, &r) : NULL;
		CHECK_MSG(!what, "text %zu, %s of %zu lines, is read as %s: %s\n%.300s", i, truth,
		          t.rows.n, *r.from ? r.from : f->name, what, t.p);
	}
	trc_batch_release(&t.rows);
	free(t.p);
}

/* Puts lines of a program: fetches that go on, and loads and stores elsewhere. */
static void
put_program(struct generator *m, struct text *t, size_t lines, const char *fetch,
            const char *const data[2])
{
	uint64_t pc = 0x400000 + below(m, 1 << 20) * 4;

	t->n = 0;
	for (size_t i = 0; i < lines; i++) {
		const bool jumps = below(m, 8) == 0;

		if (below(m, 3)) {
			pc = jumps ? 0x400000 + below(m, 1 << 14) * 4 : pc + 4;
			put_number(t, fetch, pc);
			continue;
		}
		put_number(t, data[below(m, 2)],
		           (below(m, 2) ? 0x7ffe0000 : 0x10000000) + below(m, 1 << 12) * 8);
	}
}

/* And what shows is not asked about: traces of programs, of fifty lines and more. */
static void
programs_are_read(void)
{
	static const struct {
		const char *format, *fetch, *data[2];
	} kinds[] = {
		{ "din", "2 %llx\n", { "0 %llx\n", "1 %llx\n" } },
		{ "din", "2 0x%llx\n", { "0 0x%llx\n", "1 0x%llx\n" } },
		{ "xdin", "i %llx 4\n", { "r %llx 8\n", "w %llx 4\n" } },
		{ "xdin", "I 0x%llx 4\n", { "R 0x%llx 4\n", "W 0x%llx 1\n" } },
		{ "lackey", "I  %08llx,4\n", { " L %08llx,8\n", " S %08llx,4\n" } },
	};
	struct generator m = { test_seed };
	struct text t = { .p = malloc(ROOM) };
	struct trc_err err;

	CHECK(t.p);
	for (int i = 0; i < 500; i++) {
		const size_t k = below(&m, TRC_COUNT(kinds));
		const struct trc_format *f;
		struct trc_reading r;

		put_program(&m, &t, 50 + below(&m, 1000), kinds[k].fetch, kinds[k].data);
		f = recognise(&t, &r, &err);
		CHECK_MSG(f == trc_format_named(kinds[k].format), "%s: %s\n%.400s", kinds[k].format,
		          f ? f->name : err.text, t.p);
	}
	free(t.p);
}

/* Nor are loads and stores of a program of 32 bits, the addresses of which could be sectors. */
static void
words_of_four_bytes_are_read(void)
{
	static const char *const kinds[][2] = { { "R %llx\n", "op-addr" },
		                                { "write 0x%llx\n", "op-addr" },
		                                { "W 0x%llx\n", "pinatrace-addr" } };
	struct generator m = { test_seed };
	struct text t = { .p = malloc(ROOM) };
	struct trc_err err;

	CHECK(t.p);
	for (int i = 0; i < 300; i++) {
		const char *const *kind = kinds[i % 3];
		const struct trc_format *f;
		struct trc_reading r;

		t.n = 0;
		for (uint64_t n = 50 + below(&m, 1000); n > 0; n--)
			put_number(&t, kind[0], 0xa0000000 + below(&m, 1 << 20) * 4);
		f = recognise(&t, &r, &err);
		CHECK_MSG(f == trc_format_named(kind[1]), "%s\n%.400s", f ? f->name : err.text,
		          t.p);
	}
	free(t.p);
}

int
main(void)
{
	test_start();
	RUN(programs_are_read);
	RUN(words_of_four_bytes_are_read);
	RUN(what_is_read_is_what_is_meant);
}
