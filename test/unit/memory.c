/* SPDX-License-Identifier: MIT
 *
 * Whole jobs, run again and again while the first, second, ... allocation of trc fails. Each ends
 * in TRC_NO_MEMORY or, beyond the last allocation, well; nothing leaks, and no file is left half
 * done. The linker puts these functions in the place of the C library's (see meson.build).
 */
#include <dirent.h>
#include <lzma.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "cmd/names/folder.h"
#include "generate.h"
#include "stage/simulate/cache/cache_ways.h"
#include "stage/phase/bbv.h"
#include "stage/phase/clusters.h"
#include "stage/phase/misses.h"
#include "stage/reduce/certify.h"
#include "stage/check.h"
#include "stage/simulate/cache/cache_sweep.h"
#include "stage/simulate/mrc.h"
#include "stage/stage.h"
#include "stage/reduce/strip.h"
#include "stage/simulate/ws.h"
#include "test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void __wrap_free(void *p);
char *__real_realpath(const char *path, char *resolved);
char *__wrap_realpath(const char *path, char *resolved);

static atomic_long left = -1; /* allocations until one fails; negative: none does */
static atomic_long live;      /* blocks that are not freed */

static atomic_bool exhausted; /* all fail */

static bool
fails(void)
{
	return atomic_fetch_sub(&left, 1) == 0 || exhausted;
}

void *
__wrap_malloc(size_t size)
{
	void *p = fails() ? NULL : __real_malloc(size);

	live += p != NULL;
	return p;
}

void *
__wrap_calloc(size_t n, size_t size)
{
	void *p = fails() ? NULL : __real_calloc(n, size);

	live += p != NULL;
	return p;
}

void *
__wrap_realloc(void *old, size_t size)
{
	void *p = fails() ? NULL : __real_realloc(old, size);

	live += p != NULL && old == NULL;
	return p;
}

void *
__wrap_aligned_alloc(size_t align, size_t size)
{
	void *p = fails() ? NULL : __real_aligned_alloc(align, size);

	live += p != NULL;
	return p;
}

void
__wrap_free(void *p)
{
	live -= p != NULL;
	__real_free(p);
}

/* Its block comes from inside the C library. */
char *
__wrap_realpath(const char *path, char *resolved)
{
	char *p = __real_realpath(path, resolved);

	live += p != NULL && resolved == NULL;
	return p;
}

/* Opens the input of a job. */
typedef struct trc_in *(*open_fn)(struct trc_err *err);

static char text[40000];
static size_t text_len;

static void
make_text(void)
{
	struct generator m = { test_seed };
	size_t at = 0;

	while (at < sizeof(text) - 40) {
		uint64_t page = generate_below(&m, 3) ? generate_below(&m, 9) :
		                                        generate_below(&m, 900);

		at += (size_t)snprintf(text + at, 40, "%s%08llx,%d\n",
		                       at % 2 ? " M " :
		                       at % 3 ? " S " :
		                                "I  ",
		                       (unsigned long long)(page << 12 | generate_below(&m, 4096)),
		                       (int)(1 << generate_below(&m, 5)));
	}
	text_len = at;
}

static struct trc_in *
open_memory(struct trc_err *err)
{
	struct trc_stream *s = trc_stream_memory(text, text_len, 7777, err);
	struct trc_in *in = s ? trc_in_stream(s, "made", err) : NULL;

	if (s && !in)
		trc_stream_close(s);
	return in;
}

static struct trc_in *
open_packed(struct trc_err *err)
{
	return trc_in_open(generate_path("packed"), err);
}

static struct trc_in *
open_container(struct trc_err *err)
{
	return trc_in_open(generate_path("container"), err);
}

/* Puts the stages of `trc reduce` around *src, which is always the outermost that there is. */
static int
wrap(struct trc_source **src, uint64_t *refs, struct trc_err *err)
{
	const struct trc_fill fill = { .column = TRC_COL_ASID, .value = 1 };
	static const struct trc_cache_shape shape = { .size = 4096, .ways = 1, .line = 64 };
	static const struct trc_reduction sad = { .r = 100 };
	static const struct trc_reduction olr = { .r = 90, .scope.by_space = true };
	static struct trc_sampled sampled;
	struct trc_source *stage[9];

	for (size_t i = 0; i < TRC_COUNT(stage); i++) {
		switch (i) {
		case 0: stage[i] = trc_stage_range(*src, 1, 100000, err); break;
		case 1: stage[i] = trc_stage_columns(*src, 0, 0, &fill, 1, err); break;
		case 2: stage[i] = trc_stage_split_modify(*src, err); break;
		case 3: stage[i] = trc_stage_strip(*src, &shape, 1, true, refs, err); break;
		case 4: stage[i] = trc_stage_page(*src, 12, refs, err); break;
		case 5: stage[i] = trc_stage_block(*src, err); break;
		case 6: stage[i] = trc_stage_sample(*src, 2, false, &sampled, err); break;
		case 7: stage[i] = trc_stage_drop(*src, &sad, err); break;
		default: stage[i] = trc_stage_olr(*src, &olr, err); break;
		}
		if (!stage[i])
			return -1;
		*src = stage[i];
	}
	return 0;
}

/* `format` may have arguments: its name and a colon before them. */
static int
write_to(struct trc_source *src, const char *format, struct trc_err *err)
{
	struct trc_out *out = trc_out_open(generate_path("reduced"), true, err);
	struct trc_sink *sink;
	int ret;

	if (!out)
		return -1;
	sink = trc_format_sink(trc_format_named(format), trc_format_arguments(format), out,
	                       src->have, &src->meta, err);
	if (!sink) {
		trc_out_close(out);
		return -1;
	}
	ret = trc_pump(src, sink, TRC_BATCH_ROWS, NULL, err);
	trc_sink_close(sink);
	return ret;
}

static int
count(struct trc_source *src, struct trc_err *err)
{
	struct trc_counts counts;
	struct trc_sink *sink = trc_counts_sink(&counts, 12, err);
	int ret = sink ? trc_pump(src, sink, TRC_BATCH_ROWS, NULL, err) : -1;

	trc_sink_close(sink);
	return ret;
}

static int
run_caches(struct trc_source *src, struct trc_err *err)
{
	static const struct trc_cache_shape shape[] = {
		{ 1024, 4, 16, TRC_CACHE_LRU, 1, TRC_CACHE_FETCHES, 0, { 0 } },
		{ 1024, 4, 16, TRC_CACHE_FIFO, 1, TRC_CACHE_DATA, 0, { 0 } },
		{ 4096, 64, 16, TRC_CACHE_RANDOM, 1, TRC_CACHE_UNIFIED, 0, { 0 } },
		{ 4096, 64, 64, TRC_CACHE_OPT, 1, TRC_CACHE_UNIFIED, 0, { 0 } },
	};
	struct trc_cache_counts counts[TRC_COUNT(shape)];
	struct trc_sink *sink = trc_cache_sink(shape, TRC_COUNT(shape), counts, err);
	int ret = sink ? trc_pump(src, sink, TRC_BATCH_ROWS, NULL, err) : -1;

	trc_sink_close(sink);
	return ret;
}

static int
check(struct trc_source *src, struct trc_err *err)
{
	struct trc_check check;
	struct trc_sink *sink = trc_check_sink(&check, false, err);
	int ret = sink ? trc_pump(src, sink, TRC_BATCH_ROWS, NULL, err) : -1;

	trc_sink_close(sink);
	return ret;
}

/* *src is always the outermost source. */
static int
measure_windows(struct trc_source **src, struct trc_err *err)
{
	uint64_t refs;
	struct trc_source *pages = trc_stage_page(*src, 8, &refs, err);
	struct trc_sink *sink;
	struct trc_ws ws;
	int ret;

	if (!pages)
		return -1;
	*src = pages;
	sink = trc_ws_sink(&ws, TRC_COL_RTIME, true, err);
	ret = sink ? trc_pump(pages, sink, TRC_BATCH_ROWS, NULL, err) : -1;
	trc_sink_close(sink);
	trc_ws_release(&ws);
	return ret;
}

/* One whole job: writes `format`, as it is where that has arguments and reduced otherwise, or
 * answers a question of stat. */
static int
job(open_fn open, const char *format, struct trc_err *err)
{
	struct trc_in *in = open(err);
	const struct trc_format *f = in ? trc_format_recognise(in, err) : NULL;
	const char *words = open == open_container ? "threads=1" : NULL;
	struct trc_source *src = f ? trc_format_source(f, words, in, err) : NULL;
	uint64_t refs;
	int ret = -1;

	if (!src) {
		trc_in_close(in);
		return -1;
	}
	CHECK_MSG(strcmp(f->name, words ? "trc" : "lackey") == 0, "taken for %s", f->name);
	if (strcmp(format, "counts") == 0)
		ret = count(src, err);
	else if (strcmp(format, "caches") == 0)
		ret = run_caches(src, err);
	else if (strcmp(format, "check") == 0)
		ret = check(src, err);
	else if (strcmp(format, "windows") == 0)
		ret = measure_windows(&src, err);
	else if (trc_format_arguments(format) || wrap(&src, &refs, err) == 0)
		ret = write_to(src, format, err);
	trc_source_close(src);
	return ret;
}

static size_t
files_in_folder(void)
{
	char folder[256];
	struct dirent *e;
	DIR *dir;
	size_t n = 0;

	snprintf(folder, sizeof(folder), "%s", generate_path("reduced"));
	*strrchr(folder, '/') = 0;
	dir = opendir(folder);
	CHECK(dir);
	while ((e = readdir(dir)))
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}

static void
run(open_fn open, const char *format)
{
	const bool writes = trc_format_named(format);
	struct generate_bytes want = { NULL, 0 }, got;
	size_t files;
	int ret = -1;

	if (writes) {
		struct trc_err err;

		CHECK_MSG(job(open, format, &err) == 0, "%s", err.text);
		want = generate_file_bytes(generate_path("reduced"));
		CHECK(want.len > 0);
		generate_file(generate_path("reduced"), "old", 3);
	}
	files = files_in_folder();
	for (long n = 0; ret != 0; n++) {
		struct trc_err err = { .code = TRC_OK };
		long before = live;

		CHECK(n < 1000);
		left = n;
		ret = job(open, format, &err);
		left = -1;
		CHECK_MSG(ret == 0 || err.code == TRC_NO_MEMORY, "allocation %ld: %s", n, err.text);
		CHECK_MSG(live == before, "allocation %ld: %ld blocks are left", n, live - before);
		CHECK_MSG(files_in_folder() == files, "allocation %ld", n);
		if (!writes)
			continue;
		got = generate_file_bytes(generate_path("reduced"));
		CHECK(ret == 0 ? got.len == want.len && memcmp(got.p, want.p, got.len) == 0 :
		                 got.len == 3 && memcmp(got.p, "old", 3) == 0);
		free(got.p);
	}
	free(want.p);
}

static void
reducing_ends_well_or_fails(void)
{
	run(open_memory, "sad");
	run(open_memory, "hash");
}

static void
questions_end_well_or_fail(void)
{
	run(open_memory, "counts");
	run(open_memory, "caches");
	run(open_memory, "check");
	run(open_memory, "windows");
}

/* The trace in memory as references to pages of a space. */
static struct trc_source *
open_pages(struct trc_err *err)
{
	const struct trc_fill fill = { .column = TRC_COL_ASID, .value = 1 };
	static uint64_t refs;
	struct trc_in *in = open_memory(err);
	struct trc_source *src, *stage;

	src = in ? trc_format_source(trc_format_named("lackey"), NULL, in, err) : NULL;
	if (!src) {
		trc_in_close(in);
		return NULL;
	}
	for (int i = 0; i < 2; i++) {
		stage = i == 0 ? trc_stage_columns(src, 0, 0, &fill, 1, err) :
		                 trc_stage_page(src, 12, &refs, err);
		if (!stage) {
			trc_source_close(src);
			return NULL;
		}
		src = stage;
	}
	return src;
}

static int
curves(struct trc_err *err)
{
	struct trc_source *src = open_pages(err);
	struct trc_mrc mrc = { 0 };
	struct trc_sink *sink = src ? trc_mrc_sink(&mrc, src->have, true, true, err) : NULL;
	const int ret = sink ? trc_pump(src, sink, TRC_BATCH_ROWS, NULL, err) : -1;

	trc_sink_close(sink);
	trc_mrc_release(&mrc);
	trc_source_close(src);
	return ret;
}

static int
policies(struct trc_err *err)
{
	int ret = 0;

	for (unsigned i = 0; trc_policy(i) && ret == 0; i++) {
		const struct trc_cache_shape shape = { 4096, 64,   16, i, 1, TRC_CACHE_UNIFIED,
			                               0,    { 0 } };
		struct trc_ways ways;

		ret = trc_ways_init(&ways, &shape, err);
		for (uint64_t line = 0; line < 200 && ret == 0; line++)
			(void)trc_ways_add(&ways, line, 0);
		trc_ways_release(&ways);
	}
	return ret;
}

static int
memories_of(unsigned policy, struct trc_err *err)
{
	static const uint64_t size[] = { 7, 3 };
	const struct trc_memories_shape shape = { policy, 1, size, TRC_COUNT(size) };
	struct trc_source *src = open_pages(err);
	struct trc_mrc mrc = { 0 };
	struct trc_sink *sink =
	        src ? trc_mrc_memories_sink(&mrc, src->have, true, false, &shape, err) : NULL;
	const int ret = sink ? trc_pump(src, sink, TRC_BATCH_ROWS, NULL, err) : -1;

	trc_sink_close(sink);
	trc_mrc_release(&mrc);
	trc_source_close(src);
	return ret;
}

static int
memories(struct trc_err *err)
{
	return memories_of(TRC_CACHE_FIFO, err);
}

static int
best_memories(struct trc_err *err)
{
	return memories_of(TRC_CACHE_OPT, err);
}

static int
best_curves(struct trc_err *err)
{
	struct trc_source *src = open_pages(err);
	struct trc_mrc mrc = { 0 };
	struct trc_sink *sink = src ? trc_mrc_opt_sink(&mrc, src->have, true, false, false, err) :
	                              NULL;
	const int ret = sink ? trc_pump(src, sink, TRC_BATCH_ROWS, NULL, err) : -1;

	trc_sink_close(sink);
	trc_mrc_release(&mrc);
	trc_source_close(src);
	return ret;
}

static int
certifies(struct trc_err *err)
{
	struct trc_source *a = open_pages(err), *b = a ? open_pages(err) : NULL;
	const struct trc_scope scope = { .by_space = true };
	struct trc_certificate c;
	struct trc_sink *sink = b ? trc_certify_sink(&c, b, 9, &scope, NULL, a->have, err) : NULL;
	const int ret = sink ? trc_pump(a, sink, TRC_BATCH_ROWS, NULL, err) : -1;

	trc_sink_close(sink);
	trc_source_close(a);
	trc_source_close(b);
	return ret;
}

/* Ranges that cut each other. */
static int
ranges(struct trc_err *err)
{
	struct trc_mrc_step *step = NULL;
	struct trc_mrc_ranges r;
	size_t steps;
	int ret = 0;

	trc_mrc_ranges_init(&r);
	for (uint64_t i = 0; i < 400 && ret == 0; i++)
		ret = trc_mrc_ranges_refer(&r, i % 2, i * i * 37 % 9000, 1 + i * 53 % 600, i % 3,
		                           err);
	ret = ret ? ret : trc_mrc_ranges_finish(&r, &step, &steps, err);
	free(step);
	trc_mrc_ranges_release(&r);
	return ret;
}

static void
refer(void *what, uint64_t first, uint64_t n)
{
	for (uint64_t i = first; i < first + n; i++)
		if (!trc_ways_use(what, i, 0))
			(void)!trc_ways_add(what, i, 0);
}

static int
sweeps(struct trc_err *err)
{
	const struct trc_cache_shape shape = { .size = 2048, .ways = 4, .line = 16 };
	struct trc_cache_counts count = { .filled = 0 };
	struct trc_ways ways;
	const struct trc_swept level = { &ways, &count, 4 };
	const struct trc_sweep s = { &level, 1, 0, 1 << 20, refer, &ways };
	const int ret = trc_ways_init(&ways, &shape, err) ? -1 : trc_cache_sweep(&s, err);

	trc_ways_release(&ways);
	return ret;
}

/* Who takes the vectors of a trace as points. */
struct phases {
	struct trc_bbv_taker taker;
	struct trc_phase_point point[64];
	size_t n;
};

static int
take_vector(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err)
{
	struct phases *p = (struct phases *)t;

	(void)err;
	if (p->n < TRC_COUNT(p->point))
		p->point[p->n++] = trc_phase_point_of(v->entry, v->n, 1);
	return 0;
}

static int
cluster(const struct phases *p, struct trc_err *err)
{
	struct trc_clusters c;
	uint32_t nearest[4];
	const int ret = trc_clusters_find(&c, p->point, p->n, 4, 1, nearest, err);

	trc_clusters_release(&c);
	return ret;
}

/* Basic-block vectors and misses of a trace, and clusters of the vectors. */
static int
find_phases(struct trc_err *err)
{
	static const uint64_t size[] = { 1, 4 };
	struct trc_in *in = open_memory(err);
	struct trc_source *src = in ? trc_format_source(trc_format_named("lackey"), NULL, in, err) :
	                              NULL;
	struct phases p = { .taker = { take_vector } };
	struct trc_misses *m = trc_alloc(1, sizeof(*m), err);
	struct trc_bbv v = { 0 };
	struct trc_batch b = { 0 };
	int ret = -1;

	if (src && m && trc_bbv_init(&v, src->have, 1, &p.taker, err) == 0 &&
	    trc_misses_init(m, 6, size, 2, err) == 0 &&
	    trc_batch_init(&b, src->have, 2, err) == 0) {
		while (trc_source_next(src, &b, err) == TRC_FLOW_ROWS &&
		       trc_bbv_put(&v, &b, err) == 0 && trc_misses_put(m, &b, 0, b.n, err) == 0)
			;
		if (err->code == TRC_OK && trc_bbv_end(&v, err) == 0 &&
		    trc_misses_settle(m, err) == 0)
			ret = cluster(&p, err);
	}
	trc_batch_release(&b);
	trc_bbv_release(&v);
	if (m)
		trc_misses_release(m);
	free(m);
	if (!src)
		trc_in_close(in);
	trc_source_close(src);
	return ret;
}

static void
measuring_ends_well_or_fails(void)
{
	int (*const measure[])(struct trc_err * err) = { curves,        best_curves, memories,
		                                         best_memories, policies,    certifies,
		                                         ranges,        sweeps,      find_phases };

	for (size_t i = 0; i < TRC_COUNT(measure); i++) {
		int ret = -1;

		for (long n = 0; ret != 0; n++) {
			struct trc_err err = { .code = TRC_OK };
			const long before = live;

			CHECK(n < 1000);
			left = n;
			ret = measure[i](&err);
			left = -1;
			CHECK_MSG(ret == 0 || err.code == TRC_NO_MEMORY, "allocation %ld: %s", n,
			          err.text);
			CHECK_MSG(live == before, "allocation %ld: %ld blocks are left", n,
			          live - before);
		}
	}
}

static void
unpacking_ends_well_or_fails(void)
{
	static uint8_t packed[sizeof(text)];
	size_t len = 0;

	CHECK(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (uint8_t *)text, text_len, packed,
	                              &len, sizeof(packed)) == LZMA_OK);
	generate_file(generate_path("packed"), packed, len);
	run(open_packed, "sad");
	run(open_packed, "counts");
}

/* Where no memory was left for the length of an empty stream, it was left out, and the container
 * was damaged. Without verification nobody saw it. */
static void
packing_an_empty_stream_ends_well_or_fails(void)
{
	run(open_memory, "trc:no-verify,threads=1");
	run(open_memory, "trc:threads=1");
	CHECK(rename(generate_path("reduced"), generate_path("container")) == 0);
	run(open_container, "sad");
	run(open_container, "counts");
}

/* What a split had written stayed behind where memory was used up for good: removing it needed
 * more. */
static void
half_done_output_is_removed_without_memory(void)
{
	const char *path = generate_path("half");
	struct trc_folder folder;
	struct trc_err err;
	char *deep;

	CHECK(trc_folder_open(&folder, path, &err) == 0);
	deep = trc_folder_path(&folder, "7/7.merge", &err);
	CHECK(deep);
	generate_file(deep, "x", 1);
	free(deep);
	for (int i = 0; i < 1000; i++) {
		char name[32];

		snprintf(name, sizeof(name), "a-part-of-a-long-name-%03d", i);
		deep = trc_folder_path(&folder, name, &err);
		CHECK(deep);
		generate_file(deep, "x", 1);
		free(deep);
	}
	deep = strdup(folder.part.path);
	exhausted = true;
	trc_folder_close(&folder);
	exhausted = false;
	CHECK(deep && access(deep, F_OK) != 0 && access(path, F_OK) != 0);
	free(deep);
}

/* Nobody closes what could not be opened. */
static void
a_folder_that_cannot_be_made_leaves_nothing(void)
{
	const long before = live;
	struct trc_folder folder;
	struct trc_err err;

	CHECK(trc_folder_open(&folder, "/no/such/folder/x", &err) == -1);
	CHECK(live == before);
}

int
main(void)
{
	test_start();
	make_text();
	RUN(reducing_ends_well_or_fails);
	RUN(questions_end_well_or_fail);
	RUN(measuring_ends_well_or_fails);
	RUN(unpacking_ends_well_or_fails);
	RUN(packing_an_empty_stream_ends_well_or_fails);
	RUN(half_done_output_is_removed_without_memory);
	RUN(a_folder_that_cannot_be_made_leaves_nothing);
	return 0;
}
