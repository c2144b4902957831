/* SPDX-License-Identifier: MIT
 *
 * What is wrong with rows is found, and nothing else: sound traces have no fault, and one that is
 * planted is the one that is reported, at its row, however the batches are cut.
 */
#include "stage/check.h"

#include <string.h>

#include "generate.h"
#include "stage/stage.h"
#include "test.h"

enum { ROWS = 3000 };

static void
check_rows(const struct trc_batch *rows, const struct trc_meta *meta, size_t most, bool trailer,
           struct trc_check *check)
{
	struct trc_source *src = generate_source(rows, most);
	struct trc_err err = { 0 };
	struct trc_sink *sink = trc_check_sink(check, trailer, &err);

	CHECK_MSG(sink, "%s", err.text);
	src->meta = *meta;
	CHECK(trc_pump(src, sink, most, NULL, &err) == 0);
	trc_sink_close(sink);
	trc_source_close(src);
}

static uint64_t
faults(const struct trc_check *check)
{
	uint64_t n = 0;

	for (int i = 0; i < TRC_FAULTS; i++)
		n += check->fault[i].rows;
	return n;
}

static void
check_sound(const struct trc_batch *rows, const struct trc_meta *meta)
{
	struct trc_check check;

	check_rows(rows, meta, TRC_BATCH_ROWS, false, &check);
	for (int i = 0; i < TRC_FAULTS; i++)
		CHECK_MSG(check.fault[i].rows == 0, "record %llu: %s",
		          (unsigned long long)check.fault[i].first,
		          trc_fault_text((enum trc_fault)i));
	CHECK(check.rows == rows->n);
}

/* The references of a program. */
static struct trc_batch
program(void)
{
	const struct generate_program spec = { .have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
		                               .rows = ROWS,
		                               .ops = 2000,
		                               .tasks = 1 };
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	return rows;
}

/* The same, reduced for memories of `r` pages as `trc reduce` does; r = 0: only blocked. */
static struct trc_batch
reduced(uint64_t r, struct trc_meta *meta)
{
	const struct trc_reduction how = { .r = r };
	struct trc_batch rows = program(), all;
	struct trc_err err = { 0 };
	uint64_t refs;
	struct trc_source *src = trc_stage_page(generate_source(&rows, 100), 12, &refs, &err);

	src = src ? trc_stage_block(src, &err) : NULL;
	if (r > 0)
		src = src ? trc_stage_drop(src, &how, &err) : NULL;
	src = src ? trc_stage_block(src, &err) : NULL;
	CHECK_MSG(generate_collect(src, 100, &all, meta, &err) == 0, "%s", err.text);
	meta->rows = all.n;
	trc_batch_release(&rows);
	return all;
}

static void
sound_traces_have_no_fault(void)
{
	const struct trc_meta none = { 0 };
	struct trc_batch rows = program();
	struct trc_meta meta;

	check_sound(&rows, &none);
	trc_batch_release(&rows);
	for (uint64_t r = 0; r < 30; r = 2 * r + 1) {
		rows = reduced(r, &meta);
		CHECK(rows.n > 10 && (r == 0) == (meta.guarantee.sad == 0));
		check_sound(&rows, &meta);
		trc_batch_release(&rows);
	}
}

static void
sad_drops_nothing_of_what_it_left(void)
{
	struct trc_batch rows, again;
	struct trc_err err = { 0 };
	struct trc_meta meta;

	for (uint64_t r = 1; r < 30; r = 2 * r + 1) {
		const struct trc_reduction how = { .r = r };

		rows = reduced(r, &meta);
		CHECK(generate_collect(trc_stage_drop(generate_source(&rows, 7), &how, &err), 100,
		                       &again, NULL, &err) == 0);
		CHECK(again.n == rows.n);
		trc_batch_release(&again);
		trc_batch_release(&rows);
	}
}

/* ---- planted faults: each changes row `i` of a program, or of a reduced trace ---- */

static void
plant_type(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)meta;
	b->type[i] = TRC_TYPES;
}

static void
plant_event(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)meta;
	b->type[i] = TRC_EVENT;
}

static void
plant_size(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)meta;
	b->size[i] = 0;
}

static void
plant_large(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)meta;
	b->size[i] = 65537;
}

static void
plant_end(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)meta;
	b->addr[i] = UINT64_MAX;
	b->size[i] = 2;
}

static void
plant_page(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)meta;
	b->vpn[i] = UINT64_C(1) << 52;
}

static void
plant_rtime(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)meta;
	b->rtime[i] = b->rtime[i - 1] - 1;
	b->itime[i] = b->itime[i - 1];
}

static void
plant_itime(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)meta;
	for (size_t k = i; k < b->n; k++)
		b->itime[k] = b->itime[i - 1] - 1;
}

static void
plant_fetches(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	for (size_t k = 0; k < i; k++)
		b->itime[k] = 0;
	for (size_t k = i; k < b->n; k++)
		b->itime[k] = b->rtime[k];
	meta->insns = meta->refs;
}

static void
plant_twice(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	meta->guarantee.window = meta->guarantee.sad;
	meta->guarantee.sad = 0;
	b->vpn[i] = b->vpn[i - 1];
	b->rtime[i] = b->rtime[i - 1];
	b->itime[i] = b->itime[i - 1];
}

static void
plant_fetch(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)meta;
	b->type[i] = TRC_FETCH;
}

static void
plant_neighbour(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)meta;
	b->vpn[i] = b->vpn[i - 1];
	if (b->vpn[i + 1] == b->vpn[i])
		b->vpn[i + 1]++;
}

static void
plant_rows(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)b, (void)i;
	meta->rows++;
}

static void
plant_totals(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)i;
	meta->refs = b->rtime[b->n - 1] - 1;
}

static void
plant_no_trailer(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)b, (void)i;
	*meta = (struct trc_meta){ 0 };
}

static void
plant_none(struct trc_batch *b, struct trc_meta *meta, size_t i)
{
	(void)meta, (void)i;
	b->n = 0;
}

static const struct {
	enum trc_fault fault;
	bool reduced, row, warns;
	void (*plant)(struct trc_batch *b, struct trc_meta *meta, size_t i);
} planted[] = {
	{ TRC_FAULT_TYPE, false, true, false, plant_type },
	{ TRC_FAULT_TYPE, false, true, false, plant_event },
	{ TRC_FAULT_SIZE, false, true, true, plant_size },
	{ TRC_FAULT_LARGE, false, true, true, plant_large },
	{ TRC_FAULT_END, false, true, false, plant_end },
	{ TRC_FAULT_PAGE, true, true, false, plant_page },
	{ TRC_FAULT_RTIME, true, true, false, plant_rtime },
	{ TRC_FAULT_ITIME, true, true, false, plant_itime },
	{ TRC_FAULT_FETCHES, true, true, false, plant_fetches },
	{ TRC_FAULT_TWICE, true, true, false, plant_twice },
	{ TRC_FAULT_REDUCED, true, true, false, plant_fetch },
	{ TRC_FAULT_NEIGHBOURS, true, true, true, plant_neighbour },
	{ TRC_FAULT_ROWS, true, false, false, plant_rows },
	{ TRC_FAULT_TOTALS, true, false, false, plant_totals },
	{ TRC_FAULT_NO_TRAILER, true, false, true, plant_no_trailer },
	{ TRC_FAULT_NONE, false, false, true, plant_none },
};

/* Faults of a row are planted at one that the batches of some cut begin with, and beside it. */
static void
planted_faults_are_found(void)
{
	static const size_t cuts[] = { 1, 2, 7, 64, 4096 };

	for (size_t p = 0; p < TRC_COUNT(planted); p++)
		for (size_t i = 63; i < 66; i++) {
			const enum trc_fault fault = planted[p].fault;
			struct trc_meta meta = { 0 };
			struct trc_batch rows = planted[p].reduced ? reduced(3, &meta) : program();
			struct trc_check want, check;

			CHECK(rows.n > 100);
			planted[p].plant(&rows, &meta, i);
			check_rows(&rows, &meta, 4096, true, &want);
			CHECK_MSG(want.fault[fault].rows == 1, "%s: %llu", trc_fault_text(fault),
			          (unsigned long long)want.fault[fault].rows);
			CHECK_MSG(!planted[p].row || want.fault[fault].first == i + 1,
			          "%s: %llu, not %zu", trc_fault_text(fault),
			          (unsigned long long)want.fault[fault].first, i + 1);
			CHECK(trc_fault_warns(&want, fault) == planted[p].warns);
			for (size_t c = 0; c < TRC_COUNT(cuts); c++) {
				check_rows(&rows, &meta, cuts[c], true, &check);
				CHECK(memcmp(&want, &check, sizeof(want)) == 0);
			}
			trc_batch_release(&rows);
		}
}

/* Times that run backwards are odd in a trace, wrong in a reduced one. */
static void
times_of_traces_as_they_are_may_run_backwards(void)
{
	const struct trc_meta none = { 0 };
	struct trc_batch b = generate_zeros(TRC_HAS_ADDR | TRC_HAS_TIME | TRC_HAS_RTIME, 3);
	struct trc_check check;

	b.time[0] = b.rtime[0] = 5;
	b.time[2] = b.rtime[2] = 9;
	check_rows(&b, &none, 4096, false, &check);
	CHECK(check.fault[TRC_FAULT_CYCLES].rows == 1 && check.fault[TRC_FAULT_CYCLES].first == 2);
	CHECK(check.fault[TRC_FAULT_RTIME].rows == 1 && faults(&check) == 2);
	CHECK(trc_fault_warns(&check, TRC_FAULT_CYCLES));
	CHECK(trc_fault_warns(&check, TRC_FAULT_RTIME));
	trc_batch_release(&b);
}

int
main(void)
{
	test_start();
	RUN(sound_traces_have_no_fault);
	RUN(sad_drops_nothing_of_what_it_left);
	RUN(planted_faults_are_found);
	RUN(times_of_traces_as_they_are_may_run_backwards);
	return 0;
}
