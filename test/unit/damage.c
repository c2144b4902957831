/* SPDX-License-Identifier: MIT
 *
 * damage FOLDER: bus traces of the folder with a record lost, changed or out of its place. Each is
 * refused, or reported by a replay that compares all it can; or what is computed of it is the same
 * trace. A wrong trace is never called verified.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/in.h"
#include "generate.h"
#include "machine/bus/extract.h"
#include "machine/bus/replay.h"
#include "machine/bus/truth.h"

enum { DAMAGES = 150, MEMORY = 1 << 28 };

static struct generator m;
static const char *folder;

/* A bus trace in memory. */
struct recording {
	struct trc_bus_head head;
	struct trc_bus_record *r;
	size_t n, cap;
};

static struct trc_bus *
open_bus(const char *path, struct trc_err *err)
{
	struct trc_in *in = trc_in_open(path, err);
	struct trc_bus *bus = in ? trc_bus_open(in, err) : NULL;

	CHECK_MSG(bus, "%s", err->text);
	return bus;
}

static void
load(const char *name, struct recording *rec)
{
	struct trc_bus_record r;
	struct trc_bus *bus;
	struct trc_err err;
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	bus = open_bus(path, &err);
	*rec = (struct recording){ .head = *trc_bus_head(bus) };
	while (trc_bus_next(bus, &r, &err) == TRC_FLOW_ROWS) {
		uint8_t *data = malloc(r.len + 1);

		CHECK(data && trc_grow(&rec->r, &rec->cap, rec->n + 1, sizeof(*rec->r), &err) == 0);
		if (r.len)
			memcpy(data, r.data, r.len);
		r.data = data;
		rec->r[rec->n++] = r;
	}
	trc_bus_close(bus);
}

static void
release(struct recording *rec)
{
	for (size_t i = 0; i < rec->n; i++)
		free((void *)(uintptr_t)rec->r[i].data);
	free(rec->r);
}

/* Writes all records but number `without`. */
static const char *
write_without(const struct recording *rec, size_t without)
{
	const char *path = generate_path("damaged.bus");
	struct trc_bus_writer *w;
	struct trc_err err;
	struct trc_out *out = trc_out_open_over_input(path, &err);

	CHECK(out);
	w = trc_bus_create(out, &rec->head, false, &err);
	CHECK(w);
	for (size_t i = 0; i < rec->n; i++)
		CHECK_MSG(i == without || trc_bus_put(w, &rec->r[i], &err) == 0, "%s", err.text);
	CHECK(trc_bus_commit(w, &err) == 0);
	trc_bus_abandon(w);
	return path;
}

/* The hash of the trace that a bus trace gives: 0, or -1 with the reason in *err. */
static int
compute(const char *path, uint64_t *hash, struct trc_err *err)
{
	struct trc_replay_how how = { .memory = MEMORY };
	struct trc_extract_counts counts;
	struct trc_replay_report report;
	struct trc_bus *bus = open_bus(path, err);
	enum trc_flow flow = TRC_FLOW_FAILED;
	struct trc_batch b = { 0 };
	struct trc_source *src;
	struct trc_package p;
	uint64_t rows = 0;
	int ret = trc_extract(bus, &p, NULL, &counts, err);

	trc_bus_close(bus);
	if (ret)
		return -1;
	how.against = open_bus(path, err);
	*hash = 0;
	src = trc_replay_source(&p, &how, TRC_HART_HAS, &report, err);
	if (src) {
		CHECK(trc_batch_init(&b, TRC_HART_HAS, TRC_BATCH_ROWS, err) == 0);
		while ((flow = trc_source_next(src, &b, err)) == TRC_FLOW_ROWS)
			*hash += trc_truth_rows(&b, 0, &rows);
		trc_batch_release(&b);
		trc_source_close(src);
	}
	trc_bus_close(how.against);
	trc_package_release(&p);
	return flow == TRC_FLOW_END ? 0 : -1;
}

/* Changes the content of a record; false if it has nothing to be changed. */
static bool
flip(struct trc_bus_record *r)
{
	uint8_t *data = (uint8_t *)(uintptr_t)r->data;

	if (r->len > 0)
		data[generate_below(&m, r->len)] ^= (uint8_t)(1 << generate_below(&m, 8));
	else if (r->type == TRC_BUS_INTERRUPT || r->type == TRC_BUS_CALL)
		r->value ^= UINT64_C(4) << generate_below(&m, 20);
	else
		return false;
	return true;
}

static void
check_damage(const char *name)
{
	struct recording rec;
	uint64_t whole, hash;
	struct trc_err err;
	size_t found = 0;
	const size_t step = test_step_most(4); /* of three kinds */

	load(name, &rec);
	CHECK_MSG(compute(write_without(&rec, SIZE_MAX), &whole, &err) == 0, "%s", err.text);
	for (size_t i = 0; i < DAMAGES; i += step) {
		const size_t at = (size_t)generate_below(&m, rec.n), next = (at + 1) % rec.n;
		struct trc_bus_record was = rec.r[at], other = rec.r[next];
		uint8_t copy[1 << 16];
		int ret;

		if (was.len)
			memcpy(copy, was.data, was.len);
		if (i % 3 == 0) {
			ret = compute(write_without(&rec, at), &hash, &err);
		} else if (i % 3 == 1) {
			if (!flip(&rec.r[at]))
				continue;
			ret = compute(write_without(&rec, SIZE_MAX), &hash, &err);
		} else {
			if (next == 0 || other.type == TRC_BUS_END)
				continue;
			rec.r[at] = other;
			rec.r[next] = was;
			rec.r[at].count = was.count;
			rec.r[next].count = other.count;
			ret = compute(write_without(&rec, SIZE_MAX), &hash, &err);
		}
		if (ret)
			found++;
		CHECK_MSG(ret ? *err.text != 0 : hash == whole,
		          "%s: record %zu (%c), damage %zu: another trace is called verified", name,
		          at, (int)was.type, i % 3);
		rec.r[at] = was;
		rec.r[next] = other;
		if (was.len)
			memcpy((uint8_t *)(uintptr_t)was.data, copy, was.len);
	}
	CHECK_MSG(found > 0 && found >= DAMAGES / 4 / step, "%s: only %zu damages were found", name,
	          found);
	release(&rec);
}

static void
damage_to_a_program_is_found_or_does_no_harm(void)
{
	check_damage("sort.bus");
}

static void
damage_to_a_system_is_found_or_does_no_harm(void)
{
	check_damage("kernel.bus.xz");
}

/* Loses the first record of a type behind the middle: the message names an instruction. */
static void
lose(struct recording *rec, enum trc_bus_type type, const char *message)
{
	size_t at = rec->n / 2;
	struct trc_err err;
	uint64_t hash;

	while (rec->r[at].type != type)
		CHECK(++at < rec->n);
	CHECK(compute(write_without(rec, at), &hash, &err) < 0);
	CHECK_MSG(strstr(err.text, message) && strstr(err.text, "instruction "), "%s", err.text);
}

static void
what_is_lost_is_named(void)
{
	struct recording rec;

	load("kernel.bus.xz", &rec);
	lose(&rec, TRC_BUS_INTERRUPT, "");
	lose(&rec, TRC_BUS_OUTPUT, "a write to a device");
	lose(&rec, TRC_BUS_INPUT, "a read of a device");
	release(&rec);
}

int
main(int argc, char **argv)
{
	folder = test_start_in(argc, argv);
	m.state = test_seed;
	RUN(what_is_lost_is_named);
	RUN(damage_to_a_program_is_found_or_does_no_harm);
	RUN(damage_to_a_system_is_found_or_does_no_harm);
	return 0;
}
