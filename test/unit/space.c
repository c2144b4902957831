/* SPDX-License-Identifier: MIT
 * Address spaces against their definition, page by page; merging, dealing, and tables of pages. */
#include "stage/space/space.h"

#include <stdarg.h>
#include <string.h>

#include "generate.h"
#include "stage/space/ranges.h"
#include "stage/partition.h"
#include "stage/stage.h"
#include "test.h"

enum { PAGES = 80, SPACES = 4, FILES = 3, BITS = 4, PAGE = 1 << BITS };

/* The definition: each page of each space by itself. */
struct page {
	int mapped; /* 0: not; 1: anonymous; 2 + f: of object f */
	uint64_t index;
	uint32_t number; /* 0: none yet */
};

static struct page page[SPACES][PAGES];
static uint32_t object[FILES + 1][3 * PAGES]; /* files, then shared memory */
static uint32_t numbers;

static uint32_t *
object_page(const struct page *p)
{
	return &object[p->mapped - 2][p->index];
}

static uint32_t
touch(struct page *p)
{
	if (p->number == 0) {
		p->number = p->mapped < 2 || *object_page(p) == 0 ? ++numbers : *object_page(p);
		if (p->mapped >= 2)
			*object_page(p) = p->number;
	}
	return p->number;
}

/* An event at random, on the model and on what is tested. */
struct range {
	uint64_t first, n;
};

static struct range
make_range(struct generator *m)
{
	const uint64_t first = generate_below(m, PAGES - 1);

	return (struct range){ first, 1 + generate_below(m, PAGES - first) };
}

static void
apply_event(struct trc_spaces *s, const char *fmt, ...)
{
	struct trc_err err;
	char text[200];
	uint32_t task;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	CHECK_MSG(trc_spaces_event(s, text, &task, &err) == 0, "%s: %s", text, err.text);
}

static void
map_pages(struct trc_spaces *s, struct generator *m, unsigned x)
{
	const struct range r = make_range(m);
	const int kind = (int)generate_below(m, FILES + 2);
	const uint64_t index = kind < FILES ? generate_below(m, PAGES) : 0;

	if (kind < FILES)
		apply_event(s, "M %x %llx %llx %x 8 1 %llx name", x,
		            (unsigned long long)r.first * PAGE, (unsigned long long)r.n * PAGE,
		            kind, (unsigned long long)index * PAGE);
	else if (kind == FILES)
		apply_event(s, "s %x %llx %llx 5", x, (unsigned long long)r.first * PAGE,
		            (unsigned long long)r.n * PAGE);
	else
		apply_event(s, "m %x %llx %llx", x, (unsigned long long)r.first * PAGE,
		            (unsigned long long)r.n * PAGE);
	for (uint64_t i = 0; i < r.n; i++)
		page[x][r.first + i] = (struct page){
			.mapped = kind <= FILES ? 2 + kind : 1,
			.index = kind <= FILES ? index + i : 0,
		};
}

static void
unmap_pages(struct trc_spaces *s, struct generator *m, unsigned x)
{
	const struct range r = make_range(m);

	apply_event(s, "U %x %llx %llx", x, (unsigned long long)r.first * PAGE,
	            (unsigned long long)r.n * PAGE);
	memset(&page[x][r.first], 0, r.n * sizeof(struct page));
}

static void
duplicate(struct trc_spaces *s, struct generator *m, unsigned x)
{
	const struct range r = make_range(m);
	const unsigned y = (x + 1) % SPACES;

	apply_event(s, "D %x %x %llx %llx", 50 + x, 50 + y, (unsigned long long)r.first * PAGE,
	            (unsigned long long)(r.first + r.n) * PAGE);
	memcpy(&page[y][r.first], &page[x][r.first], r.n * sizeof(struct page));
}

static void
remap(struct trc_spaces *s, struct generator *m, unsigned x)
{
	const struct range from = make_range(m), to = make_range(m);
	struct page old[PAGES] = { { 0 } };
	uint64_t kept = from.n < to.n ? from.n : to.n;

	/* What grows goes on like its end; here that is anonymous. What does not, does not go on:
	 * a hole at its end became a part of the file before. */
	for (uint64_t i = 0; i < from.n && to.n > from.n; i++)
		if (page[x][from.first + i].mapped > 1)
			return;
	for (uint64_t i = 0; i < kept; i++)
		old[i] = page[x][from.first + i];
	apply_event(s, "@ %x %llx %llx %llx %llx", x, (unsigned long long)to.first * PAGE,
	            (unsigned long long)to.n * PAGE, (unsigned long long)from.first * PAGE,
	            (unsigned long long)from.n * PAGE);
	memset(&page[x][from.first], 0, from.n * sizeof(struct page));
	for (uint64_t i = 0; i < to.n; i++)
		page[x][to.first + i] = i < kept ? old[i] : (struct page){ .mapped = 1 };
}

static void
truncate_or_delete(struct trc_spaces *s, struct generator *m)
{
	const int f = (int)generate_below(m, FILES);
	const uint64_t end = generate_below(m, 2 * PAGES);

	apply_event(s, "t %x 8 1 %llx", f, (unsigned long long)end * PAGE);
	memset(&object[f][end], 0, (3 * PAGES - end) * sizeof(object[f][0]));
	for (unsigned x = 0; x < SPACES; x++)
		for (unsigned i = 0; i < PAGES; i++)
			if (page[x][i].mapped == 2 + f && page[x][i].index >= end)
				page[x][i].number = 0;
}

static void
read_file(struct trc_spaces *s, struct generator *m)
{
	const int f = (int)generate_below(m, FILES);
	const uint64_t most = generate_below(m, 3) == 0 ? 2 * PAGES : 9;
	const uint64_t from = generate_below(m, PAGES * PAGE), n = generate_below(m, most * PAGE);

	apply_event(s, "%c 1 %x 8 1 %llx %llx name", generate_below(m, 2) ? '<' : '>', f,
	            (unsigned long long)from, (unsigned long long)n);
	for (uint64_t i = from / PAGE; n > 0 && i <= (from + n - 1) / PAGE; i++)
		if (object[f][i] == 0)
			object[f][i] = ++numbers;
}

static void
event(struct trc_spaces *s, struct generator *m)
{
	const unsigned x = (unsigned)generate_below(m, SPACES);
	const unsigned i = (unsigned)generate_below(m, PAGES);

	switch (generate_below(m, 9)) {
	case 0:
	case 1: map_pages(s, m, x); break;
	case 2: unmap_pages(s, m, x); break;
	case 3: duplicate(s, m, x); break;
	case 4: remap(s, m, x); break;
	case 5: truncate_or_delete(s, m); break;
	case 6: read_file(s, m); break;
	case 7:
		apply_event(s, "C %x %llx", x, (unsigned long long)i * PAGE + 3);
		/* Its number is handed out when it is touched, here at once. */
		page[x][i].number = ++numbers;
		break;
	default:
		if (generate_below(m, 9) == 0) {
			apply_event(s, "u %x", 50 + x);
			memset(page[x], 0, sizeof(page[x]));
		}
	}
}

static void
spaces_follow_their_definition(void)
{
	struct generator m = { test_seed };
	struct trc_err err;

	for (int round = 0; round < 60; round++) {
		struct trc_spaces *s = trc_spaces_open(BITS, &err);

		CHECK(s);
		memset(page, 0, sizeof(page));
		memset(object, 0, sizeof(object));
		numbers = 0;
		for (unsigned x = 0; x < SPACES; x++)
			apply_event(s, "A %x %x", x, 50 + x);
		for (int step = 0; step < 3000; step++) {
			const unsigned x = (unsigned)generate_below(&m, SPACES);
			const unsigned i = (unsigned)generate_below(&m, PAGES);
			const uint32_t before = numbers;
			uint32_t got, want;

			if (generate_below(&m, 12) == 0) {
				event(s, &m);
				/* Pages of their own are touched at once, for the model. */
				for (unsigned y = 0; y < SPACES; y++)
					for (unsigned k = 0; k < PAGES; k++)
						if (page[y][k].number > before)
							(void)!trc_spaces_translate(s, 50 + y, k,
							                            false, &err);
				continue;
			}
			want = touch(&page[x][i]);
			got = trc_spaces_page(s, trc_spaces_recent(s), 50 + x, i, false, &err);
			CHECK_MSG(got == want, "page %x of space %x is %u, not %u", i, x, got,
			          want);
		}
		trc_spaces_close(s);
	}
}

static void
a_deleted_file_comes_again_as_another(void)
{
	struct trc_err err;
	struct trc_spaces *s = trc_spaces_open(12, &err);

	CHECK(s);
	apply_event(s, "A 1 1");
	apply_event(s, "M 1 1000 2000 7 8 1 0 old");
	apply_event(s, "s 1 5000 2000 3");
	CHECK(trc_spaces_translate(s, 1, 1, false, &err) == 1);
	CHECK(trc_spaces_translate(s, 1, 5, false, &err) == 2);
	apply_event(s, "- 7 8 1");
	apply_event(s, "- 9 9 9");
	apply_event(s, "/ 1 3");
	apply_event(s, "M 1 3000 2000 7 8 1 0 new");
	apply_event(s, "s 1 8000 2000 3");
	CHECK(trc_spaces_translate(s, 1, 3, false, &err) == 3);
	CHECK(trc_spaces_translate(s, 1, 8, false, &err) == 4);
	/* Who has the old one mapped keeps it, pages that were not touched included. */
	apply_event(s, "D 1 2 0 10000");
	CHECK(trc_spaces_translate(s, 2, 1, false, &err) == 1);
	CHECK(trc_spaces_translate(s, 2, 2, false, &err) == 5);
	CHECK(trc_spaces_translate(s, 1, 2, false, &err) == 5);
	CHECK(trc_spaces_translate(s, 1, 4, false, &err) == 6);
	trc_spaces_close(s);
}

/* Each line has a million pages, and there is no memory for all of them. */
static void
long_reads_take_little(void)
{
	enum { LINES = 4000, FILE_PAGES = 1 << 20 };
	struct trc_err err;
	struct trc_spaces *s = trc_spaces_open(12, &err);

	CHECK(s);
	apply_event(s, "A 1 1");
	apply_event(s, "M 1 0 100000000 7 8 1 0 mapped");
	CHECK(trc_spaces_translate(s, 1, 5, false, &err) == 1);
	for (int i = 0; i < LINES; i++)
		apply_event(s, "< 1 %x 8 1 0 %x", 7 + i, 0xffffffff);
	/* All but the page that was there have the next numbers, in the order of their lines. */
	for (unsigned i = 0; i < FILE_PAGES; i += i < 10 ? 1 : 99999)
		CHECK(trc_spaces_translate(s, 1, i, false, &err) == (i < 5  ? i + 2 :
		                                                     i == 5 ? 1 :
		                                                              i + 1));
	apply_event(s, "M 1 0 1000 8 8 1 fffff000 second");
	CHECK(trc_spaces_translate(s, 1, 0, false, &err) == 2 * FILE_PAGES);
	/* What is read again is passed over at once; what was cut off, is numbered anew. */
	for (int i = 0; i < LINES; i++)
		apply_event(s, "> 1 7 8 1 %x %x", i * 4096, 0x7fffffff);
	apply_event(s, "M 1 0 1000 6 8 1 0 another");
	CHECK(trc_spaces_translate(s, 1, 0, false, &err) == LINES * (unsigned)FILE_PAGES + 1);
	apply_event(s, "t 7 8 1 fff00000");
	apply_event(s, "< 1 7 8 1 ffe00000 1fffff");
	apply_event(s, "M 1 0 200000 7 8 1 ffe00000 again");
	CHECK(trc_spaces_translate(s, 1, 0xff, false, &err) == FILE_PAGES - 0x100);
	CHECK(trc_spaces_translate(s, 1, 0x100, false, &err) == LINES * (unsigned)FILE_PAGES + 2);
	trc_spaces_close(s);
}

/* A space is another when all its tasks are gone; what is the kernel's is so in all. */
static void
processes_come_and_go(void)
{
	struct trc_err err;
	struct trc_spaces *s = trc_spaces_open(12, &err);

	CHECK(s);
	apply_event(s, "A 1 a");
	apply_event(s, "F 2 1");
	CHECK(trc_spaces_process(s, 1) == 1 && trc_spaces_process(s, 2) == 1);
	CHECK(trc_spaces_translate(s, 10, 5, false, &err) == 1);
	CHECK(trc_spaces_translate(s, 10, 99, true, &err) == 2);
	CHECK(trc_spaces_translate(s, 11, 99, true, &err) == 2);
	CHECK(trc_spaces_translate(s, 11, 99, false, &err) == 3);
	CHECK(trc_spaces_translate(s, 10, 5, true, &err) == 1);
	/* One made by vfork leaves the space of its parent as it was. */
	apply_event(s, "F 3 1");
	apply_event(s, "X 3 1 2 3 name");
	apply_event(s, "A 3 b");
	CHECK(trc_spaces_process(s, 3) == 3);
	CHECK(trc_spaces_translate(s, 10, 5, false, &err) == 1);
	apply_event(s, "T 1");
	CHECK(trc_spaces_translate(s, 10, 5, false, &err) == 1);
	apply_event(s, "T 2");
	apply_event(s, "A 9 a");
	CHECK(trc_spaces_process(s, 9) == 9 && trc_spaces_process(s, 2) == 1);
	CHECK(trc_spaces_translate(s, 10, 5, false, &err) == 4);
	trc_spaces_close(s);
}

/* Pages that were copied on write, far from each other, and get numbers when they are forked. */
static void
copied_pages_are_numbered_in_their_order(void)
{
	enum { COPIES = 200 };
	struct trc_err err;
	struct trc_spaces *s = trc_spaces_open(12, &err);

	CHECK(s);
	apply_event(s, "A 1 1");
	apply_event(s, "m 1 0 100000000");
	for (unsigned i = 0; i < COPIES; i++)
		apply_event(s, "C 1 %x", (i * 77 % COPIES) << 20);
	apply_event(s, "D 1 2 0 ffffffff");
	for (unsigned i = 0; i < COPIES; i++)
		CHECK(trc_spaces_translate(s, 2, i << 8, false, &err) == i + 1);
	trc_spaces_close(s);
}

/* 2 exits, and comes again as a thread; then, untold of its end, as a process. What is anonymous in
 * the space of the first is not the last's, though the space has the same number. */
static void
a_pid_that_comes_again_is_another_task(void)
{
	const uint64_t second = UINT64_C(1) << 32 | 2, third = UINT64_C(2) << 32 | 2;
	struct trc_err err;
	struct trc_spaces *s = trc_spaces_open(12, &err);

	CHECK(s);
	apply_event(s, "A 1 a");
	apply_event(s, "F 2 1");
	apply_event(s, "A 2 b");
	CHECK(trc_spaces_translate(s, 11, 5, false, &err) == 1);
	apply_event(s, "T 2");
	apply_event(s, "F 2 1");
	CHECK(trc_spaces_process(s, 2) == 2 && trc_spaces_process(s, second) == 1);
	apply_event(s, "F 2 1");
	apply_event(s, "A 2 b");
	CHECK(trc_spaces_process(s, second) == 1 && trc_spaces_process(s, third) == third);
	CHECK(trc_spaces_translate(s, 11, 5, false, &err) == 2);
	trc_spaces_close(s);
}

/* Ten thousand mappings, none of which is the last one looked for. */
static void
many_mappings_are_distinguished(void)
{
	enum { MAPPINGS = 10000 };
	struct generator m = { test_seed };
	struct trc_ranges r = { 0 };
	struct trc_err err;

	for (uint32_t i = 0; i < MAPPINGS; i++) {
		const uint32_t k = i * 7919u % MAPPINGS;
		const struct trc_range x = { 10 * (uint64_t)k, 10 * (uint64_t)k + 4, 1 + k, 0 };

		CHECK(trc_ranges_put(&r, x, &err) == 0);
	}
	CHECK(r.n == MAPPINGS);
	for (int i = 0; i < 10000; i++) {
		const uint64_t at = generate_below(&m, 10 * MAPPINGS);
		const struct trc_range *x = trc_ranges_find(&r, at);

		CHECK((x != NULL) == (at % 10 < 5) && (!x || x->object == 1 + at / 10));
	}
	trc_ranges_release(&r);
}

/* ---- merging and dealing ---- */

static void
what_is_dealt_merges_back(void)
{
	static const size_t cuts[] = { 1, 7, 4096 };
	const struct generate_program spec = {
		.have = TRC_HAS_ALL, .rows = 9000, .ops = 40, .tasks = 100
	};
	struct trc_merging from[128];
	struct trc_batch rows, all;
	struct trc_err err;
	char why[300];

	generate_program_rows(&rows, &spec, test_seed);
	for (size_t cut = 0; cut < TRC_COUNT(cuts); cut++) {
		struct trc_partition *s = trc_partition_open(rows.have, &err);
		uint64_t n = 0;

		CHECK_MSG(s, "%s", err.text);
		for (size_t i = 0; i < rows.n; i++)
			CHECK(trc_partition_put(s, rows.task[i], &rows, i, 1, &err) == 0);
		CHECK(trc_partition_finish(s, &err) == 0);
		CHECK(trc_partition_traces(s) > 64 && trc_partition_traces(s) <= TRC_COUNT(from));
		for (size_t i = 0; i < trc_partition_traces(s); i++) {
			CHECK(generate_collect(trc_partition_source(s, i, &err), cuts[cut], &all,
			                       NULL, &err) == 0);
			for (size_t k = 0; k < all.n; k++)
				CHECK(all.task[k] == trc_partition_key(s, i));
			n += all.n;
			trc_batch_release(&all);
		}
		CHECK(n == rows.n);
		for (enum trc_column clock = TRC_COL_TIME; clock <= TRC_COL_RTIME; clock++) {
			if (clock != TRC_COL_TIME && clock != TRC_COL_RTIME)
				continue;
			for (size_t i = 0; i < trc_partition_traces(s); i++)
				from[i] = (struct trc_merging){ trc_partition_source(s, i, &err),
					                        "part", cuts[cut] };
			CHECK(generate_collect(trc_stage_merge(from, trc_partition_traces(s), clock,
			                                       &err),
			                       cuts[cut], &all, NULL, &err) == 0);
			CHECK_MSG(generate_same(&rows, &all, rows.have, why, sizeof(why)), "%s",
			          why);
			trc_batch_release(&all);
		}
		trc_partition_close(s);
	}
	trc_batch_release(&rows);
}

static void
events_come_before_references_of_their_time(void)
{
	struct trc_batch refs = generate_zeros(TRC_HAS_TYPE | TRC_HAS_TIME | TRC_HAS_ADDR, 3);
	struct trc_batch events = generate_zeros(TRC_HAS_TYPE | TRC_HAS_TIME | TRC_HAS_EVENT, 3),
	                 all;
	struct trc_merging from[2];
	struct trc_err err;

	for (size_t i = 0; i < 3; i++) {
		refs.time[i] = 5 + i;
		events.time[i] = 5;
		events.type[i] = TRC_EVENT;
		trc_batch_put_event(&events, i, "S 1", 3);
	}
	events.time[2] = 7;
	from[0] = (struct trc_merging){ generate_source(&refs, 7), "refs", 7 };
	from[1] = (struct trc_merging){ generate_source(&events, 7), "events", 7 };
	CHECK(generate_collect(trc_stage_merge(from, 2, TRC_COL_TIME, &err), 4, &all, NULL, &err) ==
	      0);
	CHECK(all.n == 6 && trc_batch_is_event(&all, 0) && trc_batch_is_event(&all, 1));
	CHECK(!trc_batch_is_event(&all, 2) && !trc_batch_is_event(&all, 3));
	CHECK(trc_batch_is_event(&all, 4) && all.time[5] == 7 && all.addr[4] == 0);
	trc_batch_release(&all);
	/* What is out of order, or is not there, cannot be merged. */
	events.time[2] = 4;
	from[0] = (struct trc_merging){ generate_source(&refs, 7), "refs", 7 };
	from[1] = (struct trc_merging){ generate_source(&events, 7), "events", 7 };
	CHECK(generate_collect(trc_stage_merge(from, 2, TRC_COL_TIME, &err), 4, &all, NULL, &err) !=
	      0);
	CHECK_MSG(strstr(err.text, "events: record 3 has time 0x4"), "%s", err.text);
	trc_batch_release(&all);
	from[0] = (struct trc_merging){ generate_source(&refs, 7), "refs", 7 };
	CHECK(!trc_stage_merge(from, 1, TRC_COL_RTIME, &err) && strstr(err.text, "'rtime'"));
	trc_source_close(from[0].src);
	trc_batch_release(&refs);
	trc_batch_release(&events);
}

/* However batches are cut, and in as many parts as there are pages. */
static void
references_across_pages_are_split(void)
{
	static const size_t cuts[] = { 1, 2, 7, 4096 };
	const uint32_t have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME |
	                      TRC_HAS_ASID;
	struct generate_spec spec = { .have = have, .rows = 600, .forward = true, .within = true };
	struct trc_batch rows, want, all;
	struct trc_err err;
	char why[128];

	spec.bits[TRC_COL_SIZE] = 8;
	spec.bits[TRC_COL_ASID] = 2;
	generate_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i <= TRC_COUNT(cuts); i++) {
		struct trc_spaces *s = trc_spaces_open(5, &err);
		struct trc_source *src;
		size_t k = 0;

		apply_event(s, "S 1");
		src = trc_stage_canonical(generate_source(&rows, i ? cuts[i - 1] : 99), 5, s, &err);
		CHECK(generate_collect(src, i ? cuts[TRC_COUNT(cuts) - i] : 99, i ? &all : &want,
		                       NULL, &err) == 0);
		if (i > 0) {
			CHECK_MSG(generate_same(&want, &all, want.have, why, sizeof(why)), "%s",
			          why);
			trc_batch_release(&all);
			trc_spaces_close(s);
			continue;
		}
		for (size_t row = 0; row < rows.n; row++) {
			const uint64_t size = rows.size[row] ? rows.size[row] : 1;

			for (uint64_t at = 0, part; at < size; at += part, k++) {
				part = 32 - ((rows.addr[row] + at) & 31);
				part = part < size - at ? part : size - at;
				CHECK(k < want.n && want.addr[k] == rows.addr[row] + at);
				CHECK(want.size[k] == (rows.size[row] ? part : 0));
				CHECK(want.vpn[k] == want.addr[k] >> 5 && want.cpn[k] > 0);
			}
		}
		CHECK(k == want.n);
		trc_spaces_close(s);
	}
	trc_batch_release(&rows);
	trc_batch_release(&want);
}

int
main(void)
{
	test_start();
	RUN(spaces_follow_their_definition);
	RUN(a_deleted_file_comes_again_as_another);
	RUN(long_reads_take_little);
	RUN(copied_pages_are_numbered_in_their_order);
	RUN(processes_come_and_go);
	RUN(a_pid_that_comes_again_is_another_task);
	RUN(many_mappings_are_distinguished);
	RUN(what_is_dealt_merges_back);
	RUN(events_come_before_references_of_their_time);
	RUN(references_across_pages_are_split);
	return 0;
}
