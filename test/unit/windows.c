/* SPDX-License-Identifier: MIT
 *
 * windows FOLDER: checkpoints of packages, over all bus traces of the folder. The law is that any
 * window of a replay, wherever it begins, has the rows that the whole replay has there.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/in.h"
#include "codec/stream/pack.h"
#include "generate.h"
#include "machine/bus/extract.h"
#include "machine/bus/prune.h"
#include "machine/bus/replay.h"

enum {
	HAVE = TRC_HART_HAS | TRC_HAS_INSN | TRC_HAS_TASK,
	WINDOWS = 30,
	LONGEST = 3000,
	EVENTS = 10,
	CHANGES = 500
};
#define MEMORY (UINT64_C(1) << 30)

static const struct trc_marker_how each_400 = { 400, 6, true };

static struct generator m;

/* A package, and all of its rows. */
struct whole {
	struct trc_package p;
	struct trc_batch rows;
	size_t *first; /* the row of each instruction, and the end */
};

static void
extract(const char *path, struct trc_package *p)
{
	struct trc_extract_counts counts;
	struct trc_err err;
	struct trc_in *in = trc_in_open(path, &err);
	struct trc_bus *bus = in ? trc_bus_open(in, &err) : NULL;

	CHECK_MSG(bus && trc_extract(bus, p, NULL, &counts, &err) == 0, "%s: %s", path, err.text);
	trc_bus_close(bus);
}

static void
replay_whole(struct whole *w)
{
	const struct trc_replay_how how = { .memory = MEMORY };
	struct trc_replay_report report;
	struct trc_meta meta;
	struct trc_err err;
	uint64_t n = 0;

	CHECK_MSG(generate_collect(trc_replay_source(&w->p, &how, HAVE, &report, &err),
	                           TRC_BATCH_ROWS, &w->rows, &meta, &err) == 0,
	          "%s", err.text);
	CHECK(report.ended && report.count == w->p.count && report.digest);
	w->first = calloc((size_t)w->p.count + 1, sizeof(*w->first));
	CHECK(w->first);
	for (size_t i = 0; i < w->rows.n; i++)
		if ((w->rows.type[i] & TRC_TYPE_MASK) == TRC_FETCH)
			w->first[n++] = i;
	CHECK(n == w->p.count);
	w->first[n] = w->rows.n;
}

static void
release_whole(struct whole *w)
{
	trc_batch_release(&w->rows);
	trc_package_release(&w->p);
	free(w->first);
}

/* The package as a file, and read again; how many bytes that are. */
static size_t
through_a_file(struct trc_package *p)
{
	const char *path = generate_path("package");
	struct trc_err err;
	struct trc_out *out = trc_out_open_over_input(path, &err);
	struct generate_bytes bytes;
	struct trc_in *in;

	CHECK(out && trc_package_write(p, TRC_PACKAGE_LEVEL, out, &err) == 0);
	trc_out_close(out);
	trc_package_release(p);
	in = trc_in_open(path, &err);
	CHECK_MSG(in && trc_package_read(p, in, MEMORY, &err) == 0, "%s", err.text);
	trc_in_close(in);
	bytes = generate_file_bytes(path);
	free(bytes.p);
	return bytes.len;
}

static bool
same_rows(const struct trc_batch *all, size_t from, const struct trc_batch *b)
{
	return from + b->n <= all->n && memcmp(all->type + from, b->type, b->n) == 0 &&
	       memcmp(all->addr + from, b->addr, 8 * b->n) == 0 &&
	       memcmp(all->size + from, b->size, 4 * b->n) == 0 &&
	       memcmp(all->task + from, b->task, 4 * b->n) == 0 &&
	       memcmp(all->insn + from, b->insn, 8 * b->n) == 0;
}

/* One window of `p`, whose rows are those of `w`. */
static void
check_window(const struct whole *w, const struct trc_package *p, uint64_t skip, uint64_t limit)
{
	const struct trc_replay_how how = { .skip = skip, .limit = limit, .memory = MEMORY };
	const uint64_t begin = skip < p->count ? skip : p->count;
	const bool whole = limit == 0 || limit >= p->count - begin;
	const uint64_t end = whole ? p->count : begin + limit;
	struct trc_replay_report r;
	struct trc_batch rows;
	struct trc_meta meta;
	struct trc_err err;

	CHECK_MSG(generate_collect(trc_replay_source(p, &how, HAVE, &r, &err),
	                           1 + generate_below(&m, TRC_BATCH_ROWS), &rows, &meta, &err) == 0,
	          "%llu, %llu: %s", (unsigned long long)skip, (unsigned long long)limit, err.text);
	CHECK_MSG(rows.n == w->first[end] - w->first[begin] &&
	                  same_rows(&w->rows, w->first[begin], &rows),
	          "%llu, %llu: other rows", (unsigned long long)skip, (unsigned long long)limit);
	CHECK(r.count == end && r.ended == whole && r.digest == whole);
	CHECK(r.from <= begin);
	for (size_t i = 0; i < p->checkpoints.n; i++) /* it began at none earlier than it could */
		CHECK(p->checkpoints.c[i].count <= r.from || p->checkpoints.c[i].count > skip);
	trc_batch_release(&rows);
}

/* Windows that begin just before, at and just behind `count`. */
static void
check_around(const struct whole *w, const struct trc_package *p, uint64_t count)
{
	for (uint64_t at = count ? count - 1 : 0; at <= count + 1; at++)
		check_window(w, p, at, 1 + generate_below(&m, LONGEST));
}

static void
check_windows(const struct whole *w, const struct trc_package *p)
{
	const size_t marks = p->checkpoints.n;
	struct trc_events_at at;
	struct trc_bus_record r;
	struct trc_err err;

	check_window(w, p, 0, 1);
	check_window(w, p, p->count - 1, 0);
	check_window(w, p, p->count, 0);
	check_window(w, p, p->count + 7, 7);
	check_window(w, p, generate_below(&m, p->count), 0);
	for (size_t i = 0; i < WINDOWS; i += test_step_most(6))
		check_window(w, p, generate_below(&m, p->count), 1 + generate_below(&m, LONGEST));
	for (size_t i = 0; i < marks; i += 1 + marks * test_step_most(6) / EVENTS)
		check_around(w, p, p->checkpoints.c[i].count);
	trc_events_begin(&p->events, &at);
	while (trc_events_next(&at, &r, &err) == TRC_FLOW_ROWS)
		if (generate_below(&m, p->events.n) < EVENTS / test_step_most(6))
			check_around(w, p, r.count);
}

/* The counts of some events, at which there will be checkpoints too. */
static uint64_t
at_an_event(const struct trc_package *p)
{
	uint64_t left = generate_below(&m, p->events.n), count = 0;
	struct trc_events_at at;
	struct trc_bus_record r;
	struct trc_err err;

	trc_events_begin(&p->events, &at);
	while (trc_events_next(&at, &r, &err) == TRC_FLOW_ROWS && (left-- > 0 || count == 0))
		count = r.count;
	return count ? count : 1;
}

static void
check_trace(const char *path)
{
	uint64_t every[4];
	struct whole w = { 0 };

	printf("%s\n", path);
	extract(path, &w.p);
	replay_whole(&w);
	every[0] = w.p.count / 29 + 1;
	every[1] = w.p.count;
	every[2] = w.p.count / 3 + generate_below(&m, w.p.count);
	every[3] = at_an_event(&w.p);
	if (every[3] < w.p.count / 200)
		every[3] *= w.p.count / 200 / every[3] + 1; /* not thousands of them */
	for (size_t i = 0; i < TRC_COUNT(every); i += test_step_most(4)) {
		struct trc_replay_report report;
		struct trc_package p;
		struct trc_err err;

		if (i % 2) {
			extract(path, &p);
			CHECK_MSG(trc_replay_mark(&p, &(struct trc_marker_how){ every[i], 6, true },
			                          MEMORY, NULL, &report, &err) == 0,
			          "%s", err.text);
		} else {
			const struct trc_prune_how how = { .memory = MEMORY,
				                           .every = every[i],
				                           .beside = true };

			CHECK_MSG(trc_prune(&w.p, &how, &p, &err) == 0, "%s", err.text);
		}
		CHECK(p.checkpoints.n == p.count / every[i]);
		through_a_file(&p);
		CHECK(p.checkpoints.n == p.count / every[i]);
		check_windows(&w, &p);
		trc_package_release(&p);
	}
	release_whole(&w);
}

static const char *folder;

static void
each_window_has_the_rows_of_the_whole(void)
{
	CHECK(test_each_file(folder, ".bus", check_trace) >= 2);
}

static void
check_size(const char *path)
{
	const struct trc_prune_how how = { .memory = MEMORY, .level = TRC_PACKAGE_LEVEL };
	struct trc_package p, small;
	struct trc_err err;
	size_t size;

	extract(path, &p);
	CHECK_MSG(trc_prune(&p, &how, &small, &err) == 0, "%s", err.text);
	size = through_a_file(&p);
	CHECK(through_a_file(&small) <= size);
	trc_package_release(&small);
	trc_package_release(&p);
}

static void
pruned_packages_are_not_larger(void)
{
	CHECK(test_each_file(folder, ".bus", check_size) >= 2);
}

static void
a_checkpoint_of_another_moment_is_no_proof(void)
{
	const struct trc_replay_how how = { .skip = 1300, .memory = MEMORY };
	struct trc_replay_report report;
	struct trc_checkpoint *c;
	struct trc_package p;
	char path[4096];
	struct trc_buf other;
	struct trc_err err;

	snprintf(path, sizeof(path), "%s/sort.bus", folder);
	extract(path, &p);
	CHECK(trc_replay_mark(&p, &each_400, MEMORY, NULL, &report, &err) == 0);
	CHECK(trc_replay_all(&p, &how, &report, &err) == 0 && report.from == 1200);
	CHECK(report.truths == 1 && report.truth_to == p.count && report.digest);
	c = p.checkpoints.c;
	other = c[0].packed;
	c[0].packed = c[2].packed;
	c[2].packed = other;
	CHECK(trc_replay_all(&p, &how, &report, &err) < 0);
	trc_package_release(&p);
}

static void
a_checkpoint_that_cannot_be_unpacked_is_named(void)
{
	const struct trc_replay_how how = { .skip = 1300, .memory = MEMORY };
	struct trc_replay_report report;
	struct trc_package p;
	char path[4096];
	struct trc_err err;

	snprintf(path, sizeof(path), "%s/sort.bus", folder);
	extract(path, &p);
	CHECK(trc_replay_mark(&p, &each_400, MEMORY, NULL, &report, &err) == 0);
	p.checkpoints.c[2].packed.n -= 3;
	CHECK(trc_replay_all(&p, &how, &report, &err) < 0);
	CHECK_MSG(strstr(err.text, "checkpoint after instruction 1200 is damaged"), "%s", err.text);
	trc_package_release(&p);
}

/* Changes bytes of what is packed in a checkpoint, in its numbers, runs or bytes. */
static void
change_content(struct trc_buf *packed)
{
	struct trc_view v = trc_buf_view(packed);
	struct trc_buf raw = { 0 }, other = { 0 };
	const uint64_t which = generate_below(&m, 3);
	struct trc_err err;

	for (uint64_t i = 0; i < 3; i++) {
		CHECK(trc_unpack(&v, 1 << 24, &raw, &err) == 0);
		for (uint64_t k = generate_below(&m, 4); i == which && raw.n > 0 && k > 0; k--)
			raw.p[generate_below(&m, raw.n)] = (uint8_t)generate_value(&m, 0, 8);
		if (i == which && raw.n > 0 && generate_below(&m, 8) == 0)
			raw.n--;
		CHECK(trc_pack(raw.p, raw.n, TRC_PACK_BYTES, 1, &other, &err) == 0);
	}
	trc_buf_release(packed);
	trc_buf_release(&raw);
	*packed = other;
}

static void
checkpoints_of_any_content_do_no_harm(void)
{
	const struct trc_replay_how how = { .skip = 1300, .limit = 500, .memory = 4 << 20 };
	struct trc_replay_report report;
	struct trc_package p;
	char path[4096];
	struct trc_err err;
	size_t refused = 0;

	snprintf(path, sizeof(path), "%s/sort.bus", folder);
	extract(path, &p);
	CHECK(trc_replay_mark(&p, &each_400, MEMORY, NULL, &report, &err) == 0);
	for (size_t i = 0; i < CHANGES; i += test_step()) {
		struct trc_buf *packed = &p.checkpoints.c[1 + i % 2].packed, was = { 0 };

		CHECK(trc_buf_put(&was, packed->p, packed->n, &err) == 0);
		change_content(packed);
		err = (struct trc_err){ 0 };
		if (trc_replay_all(&p, &how, &report, &err)) {
			CHECK(err.code != TRC_OK && *err.text);
			refused++;
		}
		trc_buf_release(packed);
		*packed = was;
	}
	CHECK(refused > CHANGES / test_step() / 10);
	CHECK_MSG(trc_replay_all(&p, &how, &report, &err) == 0, "%s", err.text);
	trc_package_release(&p);
}

int
main(int argc, char **argv)
{
	folder = test_start_in(argc, argv);
	m.state = test_seed;
	RUN(a_checkpoint_of_another_moment_is_no_proof);
	RUN(a_checkpoint_that_cannot_be_unpacked_is_named);
	RUN(checkpoints_of_any_content_do_no_harm);
	RUN(pruned_packages_are_not_larger);
	RUN(each_window_has_the_rows_of_the_whole);
	return 0;
}
