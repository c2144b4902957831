/* SPDX-License-Identifier: MIT
 * Laws of the stages, and the sink that counts, on made-up rows; SAD has a file of its own. */
#include "batch/page_merge.h"
#include "stage/filter.h"
#include "stage/stage.h"
#include "stage/provenance.h"
#include "stage/reduce/strip.h"

#include <string.h>

#include "generate.h"
#include "test.h"

enum { ROWS = 5000, PAGE_BITS = 12 };

static const size_t cuts[] = { 1, 2, 7, 4096 };
static uint64_t refs;

/* Every stage, opened as the commands do; `neutral`: it changes nothing. */
static struct trc_source *
open_range_all(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_range(from, 0, UINT64_MAX, err);
}

static struct trc_source *
open_range(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_range(from, 1234, 2345, err);
}

static struct trc_source *
open_types(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_filter(from, &(struct trc_filter){ .only = "read,event" }, err);
}

static struct trc_source *
open_values(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_filter(from,
	                        &(struct trc_filter){ .addr = "-0x7fffffffffffffff", .task = "0" },
	                        err);
}

static struct trc_source *
open_filter_all(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_filter(from, &(struct trc_filter){ .pc = "0-", .space = "0-" }, err);
}

static struct trc_source *
open_times(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_times(from, UINT64_MAX / 4, UINT64_MAX / 2, err);
}

static struct trc_source *
open_times_of_filter(struct trc_source *from, struct trc_err *err)
{
	struct trc_source *filter = open_types(from, err);

	return filter ? open_times(filter, err) : NULL;
}

static struct trc_source *
open_origin(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_origin(from, "din", true, err);
}

static struct trc_source *
open_step(struct trc_source *from, struct trc_err *err)
{
	static const struct trc_opt_list notes = { { "a=b" }, 1 };
	static uint8_t command[] = "1 encode";
	const struct trc_provenance_step step = { .command = { command, 8, 8 }, .notes = &notes };

	return trc_stage_step(from, &step, NULL, err);
}

static struct trc_source *
open_columns_none(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_columns(from, 0, 0, NULL, 0, err);
}

static struct trc_source *
open_columns(struct trc_source *from, struct trc_err *err)
{
	const struct trc_fill fill[] = { { .column = TRC_COL_ASID, .value = 7 },
		                         { .column = TRC_COL_VPN, .value = UINT64_MAX } };

	return trc_stage_columns(from, TRC_HAS_SIZE | TRC_HAS_TASK, TRC_DROP_KERNEL, fill, 2, err);
}

static struct trc_source *
open_page(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_page(from, PAGE_BITS, &refs, err);
}

static struct trc_source *
open_sad(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_drop(from, &(const struct trc_reduction){ .r = 20 }, err);
}

static struct trc_source *
open_no_stores(struct trc_source *from, struct trc_err *err)
{
	const struct trc_fill fill = { TRC_COL_RTIME, 0, TRC_FILL_CLOCK, TRC_COL_RTIME };

	return trc_stage_columns(from, 0, 1 << TRC_WRITE | 1 << TRC_MODIFY, &fill, 1, err);
}

static struct trc_source *
open_no_events(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_columns(from, TRC_HAS_EVENT, 0, NULL, 0, err);
}

static struct trc_source *
open_windows(struct trc_source *from, struct trc_err *err)
{
	const struct trc_reduction how = { .r = 20, .window = 50, .clock = TRC_COL_RTIME };

	return trc_stage_drop(from, &how, err);
}

static struct trc_source *
open_spaces(struct trc_source *from, struct trc_err *err)
{
	const struct trc_reduction how = { .r = 10, .scope.by_space = true };

	return trc_stage_drop(from, &how, err);
}

static struct trc_source *
open_olr(struct trc_source *from, struct trc_err *err)
{
	const struct trc_reduction how = { .r = 20 };

	return trc_stage_olr(from, &how, err);
}

static struct trc_source *
open_olr_spaces(struct trc_source *from, struct trc_err *err)
{
	const struct trc_reduction how = { .r = 10, .scope.by_space = true };

	return trc_stage_olr(from, &how, err);
}

static struct trc_source *
open_strip(struct trc_source *from, struct trc_err *err)
{
	const struct trc_cache_shape shape = { .size = 4096, .ways = 1, .line = 64 };

	return trc_stage_strip(from, &shape, 1, false, &refs, err);
}

static struct trc_source *
open_behind(struct trc_source *from, struct trc_err *err)
{
	const struct trc_cache_shape shape = { .size = 4096, .ways = 4, .line = 64 };

	return trc_stage_strip(from, &shape, 1, true, &refs, err);
}

static struct trc_sampled sampled;

static struct trc_source *
open_sample(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_sample(from, 3, false, &sampled, err);
}

static struct trc_source *
open_sample_all(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_sample(from, 1, true, &sampled, err);
}

/* Odd words are branches to where they stand, the others jumps. */
static struct trc_annotation
annotate(uint64_t word)
{
	struct trc_annotation a = { .regs = word % 1000, .len = 4 };

	if (word)
		a.branch = TRC_BRANCH |
		           (word & 1 ? TRC_BRANCH_COND : TRC_BRANCH_TAKEN | TRC_BRANCH_JUMP);
	return a;
}

static struct trc_source *
open_annotate(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_annotate(from, annotate, 0, err);
}

static struct trc_source *
open_outcomes(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_outcomes(from, NULL, err);
}

#define PAGED (TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME)

/* The stages with options, by the list in src/meson.build. */
#define STAGE(name) extern const struct trc_stage_row trc_stage_row_##name;
#include "stages.def"
#undef STAGE

static struct optional {
	const char *name;
	const struct trc_stage_row *row;
	bool tried;
} optional[] = {
#define STAGE(name) { #name, &trc_stage_row_##name, false },
#include "stages.def"
#undef STAGE
};

/* Opens a stage by its options, as a command does. */
static struct trc_source *
open_by_option(const struct trc_stage_row *row, const char *words, struct trc_source *from,
               struct trc_err *err)
{
	_Alignas(uint64_t) unsigned char settings[1024] = { 0 };
	const char *word[16];
	char text[256], *argv[16] = { text };
	struct trc_args args = { .word = word };
	int argc = 1;

	for (size_t i = 0; i < TRC_COUNT(optional); i++)
		optional[i].tried |= optional[i].row == row;
	CHECK(row->opts.size <= sizeof(settings));
	snprintf(text, sizeof(text), "%s", words);
	for (char *p = strtok(text, " "); p; p = strtok(NULL, " "))
		argv[argc++] = p;
	CHECK_MSG(trc_opt_parse(row->opts.row, row->opts.n, argc, argv, settings, &args, err) == 0,
	          "%s: %s", words, err->text);
	return row->wrap(from, settings, err);
}

static struct trc_source *
open_split_by_option(struct trc_source *from, struct trc_err *err)
{
	return open_by_option(&trc_stage_row_modify, "--split-modify", from, err);
}

static struct trc_source *
open_columns_by_option(struct trc_source *from, struct trc_err *err)
{
	return open_by_option(&trc_stage_row_columns,
	                      "--drop size,kernel --drop vpn --fill vpn=7 --fill size=4K", from,
	                      err);
}

static struct trc_source *
open_clocks_by_option(struct trc_source *from, struct trc_err *err)
{
	return open_by_option(&trc_stage_row_columns,
	                      "--drop itime --fill time=itime,itime=every:3,rtime=rtime", from,
	                      err);
}

static struct trc_source *
open_fetches_by_option(struct trc_source *from, struct trc_err *err)
{
	return open_by_option(&trc_stage_row_columns, "--fill pc=fetch", from, err);
}

static struct trc_source *
open_path_by_option(struct trc_source *from, struct trc_err *err)
{
	return open_by_option(&trc_stage_row_columns, "--drop size --fill branch=path,asid=3", from,
	                      err);
}

static struct trc_source *
open_filter_by_fetches(struct trc_source *from, struct trc_err *err)
{
	return trc_stage_filter(from, &(struct trc_filter){ .pc = "-0x7fffffffffffffff" }, err);
}

static struct trc_source *
open_annotate_by_option(struct trc_source *from, struct trc_err *err)
{
	return open_by_option(&trc_stage_row_annotate, "--annotate riscv", from, err);
}

/* Lanes of a byte, all of one time. */
static struct trc_source *
open_coalesce_by_option(struct trc_source *from, struct trc_err *err)
{
	const struct trc_fill fill[] = { { .column = TRC_COL_SIZE, .value = 1 },
		                         { .column = TRC_COL_ITIME, .value = 9 } };
	struct trc_source *lanes = trc_stage_columns(from, 0, 0, fill, 2, err);

	return lanes ? open_by_option(&trc_stage_row_coalesce, "--coalesce 64", lanes, err) : NULL;
}

/* The events of made-up rows are no markers, so no page has a physical one. */
static struct trc_source *
open_physical_by_option(struct trc_source *from, struct trc_err *err)
{
	return open_by_option(&trc_stage_row_physical, "--v2p markers --unmapped keep", from, err);
}

static struct trc_source *
open_physical_drop_by_option(struct trc_source *from, struct trc_err *err)
{
	return open_by_option(&trc_stage_row_physical, "--v2p markers --unmapped drop", from, err);
}

static const struct stage {
	const char *name;
	struct trc_source *(*open)(struct trc_source *from, struct trc_err *err);
	bool neutral;
	uint32_t have; /* of the rows that it is tried on */
} stage[] = {
	{ "range(all)", open_range_all, true, TRC_HAS_ALL },
	{ "range", open_range, false, TRC_HAS_ALL },
	{ "origin", open_origin, true, TRC_HAS_ALL },
	{ "step", open_step, true, TRC_HAS_ALL },
	{ "columns(none)", open_columns_none, true, TRC_HAS_ALL },
	{ "columns", open_columns, false, TRC_HAS_ALL & ~TRC_HAS_VPN },
	{ "modify", trc_stage_split_modify, false, TRC_HAS_ALL },
	{ "modify without types", trc_stage_split_modify, true, TRC_HAS_ADDR },
	{ "page of addresses", open_page, false, TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE },
	{ "page of bare addresses", open_page, false, TRC_HAS_ADDR | TRC_HAS_TASK },
	{ "page of pages", open_page, false, TRC_HAS_VPN },
	{ "block", trc_stage_block, false, PAGED | TRC_HAS_ASID | TRC_HAS_TASK | TRC_HAS_CPN },
	{ "sad", open_sad, false, PAGED | TRC_HAS_ASID | TRC_HAS_TASK | TRC_HAS_CPN },
	{ "page with events", open_page, false,
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_EVENT },
	{ "block with events", trc_stage_block, false, PAGED | TRC_HAS_ASID | TRC_HAS_EVENT },
	{ "sad with events", open_sad, false, PAGED | TRC_HAS_ASID | TRC_HAS_EVENT },
	{ "columns without stores", open_no_stores, false,
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_EVENT },
	{ "columns without events", open_no_events, false, TRC_HAS_ALL },
	{ "sad with windows", open_windows, false, PAGED | TRC_HAS_ASID },
	{ "sad by spaces", open_spaces, false, PAGED | TRC_HAS_ASID },
	{ "olr", open_olr, false, PAGED | TRC_HAS_ASID | TRC_HAS_TASK | TRC_HAS_CPN },
	{ "olr by spaces", open_olr_spaces, false, PAGED | TRC_HAS_ASID },
	{ "olr with events", open_olr, false, PAGED | TRC_HAS_ASID | TRC_HAS_EVENT },
	{ "sample with events", open_sample, false, PAGED | TRC_HAS_ASID | TRC_HAS_EVENT },
	{ "strip", open_strip, false, TRC_HAS_ALL },
	{ "strip of bare addresses", open_strip, false, TRC_HAS_ADDR },
	{ "behind", open_behind, false, TRC_HAS_ALL },
	{ "sample", open_sample, false, PAGED | TRC_HAS_ASID | TRC_HAS_TASK },
	{ "annotate", open_annotate, false,
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_INSN | TRC_HAS_EVENT },
	{ "annotate again", open_annotate, false, TRC_HAS_ALL },
	{ "outcomes", open_outcomes, false,
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK | TRC_HAS_BRANCH |
	          TRC_HAS_EVENT },
	{ "sample(all)", open_sample_all, true, PAGED | TRC_HAS_CPN },
	{ "times", open_times, false, TRC_HAS_ALL & ~TRC_HAS_EVENT },
	{ "times of a filter", open_times_of_filter, false, TRC_HAS_ALL & ~TRC_HAS_EVENT },
	{ "filter by type", open_types, false, TRC_HAS_ALL },
	{ "filter by value", open_values, false, TRC_HAS_ALL },
	{ "filter(all)", open_filter_all, true, TRC_HAS_ALL },
	{ "split by option", open_split_by_option, false, TRC_HAS_ALL },
	{ "columns by option", open_columns_by_option, false, TRC_HAS_ALL },
	{ "clocks by option", open_clocks_by_option, false,
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_ITIME | TRC_HAS_EVENT },
	{ "fetches by option", open_fetches_by_option, false,
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_EVENT },
	{ "path by option", open_path_by_option, false,
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK | TRC_HAS_EVENT },
	{ "filter by fetches", open_filter_by_fetches, false,
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_EVENT },
	{ "physical by option", open_physical_by_option, true,
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK | TRC_HAS_EVENT },
	{ "physical by option, dropped", open_physical_drop_by_option, false,
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK | TRC_HAS_EVENT },
	{ "coalesce by option", open_coalesce_by_option, false, TRC_HAS_ALL },
	{ "annotate by option", open_annotate_by_option, false,
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_INSN },
};

/* The stage of that name. */
static const struct stage *
named(const char *name)
{
	for (size_t i = 0; i < TRC_COUNT(stage); i++)
		if (strcmp(stage[i].name, name) == 0)
			return &stage[i];
	test_fail(__FILE__, __LINE__, "named", "stage[] has no '%s'", name);
}

/* Rows with few pages, so that neighbours and repetitions occur, and sizes that cross pages. */
static void
rows_for(const struct stage *s, struct trc_batch *rows)
{
	struct generate_spec spec = { .have = s->have, .rows = ROWS };

	spec.bits[TRC_COL_SIZE] = 14;
	spec.bits[TRC_COL_VPN] = 5;
	spec.bits[TRC_COL_ASID] = spec.bits[TRC_COL_TASK] = 1;
	spec.forward = s->open == open_windows;
	spec.within = true;
	spec.bits[TRC_COL_ADDR] = s->open == open_annotate ? 2 : 0;
	spec.types = s->have & TRC_HAS_ITIME && s->have != TRC_HAS_ALL ? 3 : 0;
	if (spec.types && s->have & TRC_HAS_EVENT)
		spec.types |= 1 << TRC_EVENT;
	generate_rows(rows, &spec, test_seed);
}

static void
run(const struct stage *s, const struct trc_batch *rows, size_t give, size_t most,
    struct trc_batch *all)
{
	struct trc_err err;
	struct trc_source *src = s->open(generate_source(rows, give), &err);

	CHECK_MSG(src, "%s: %s", s->name, err.text);
	CHECK(generate_collect(src, most, all, NULL, &err) == 0);
}

static void
neutral_stages_change_nothing(void)
{
	struct trc_batch rows, all;
	char why[128];

	for (size_t i = 0; i < TRC_COUNT(stage); i++) {
		if (!stage[i].neutral)
			continue;
		rows_for(&stage[i], &rows);
		run(&stage[i], &rows, 4096, 4096, &all);
		CHECK(all.have == rows.have);
		CHECK_MSG(generate_same(&rows, &all, rows.have, why, sizeof(why)), "%s: %s",
		          stage[i].name, why);
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

static void
cuts_do_not_matter(void)
{
	const size_t step = test_step() > TEST_STEP ? 3 : 1;
	struct trc_batch rows, want, all;
	char why[128];

	for (size_t i = 0; i < TRC_COUNT(stage); i++) {
		rows_for(&stage[i], &rows);
		run(&stage[i], &rows, 4096, 4096, &want);
		for (size_t k = 0; k < TRC_COUNT(cuts) * TRC_COUNT(cuts); k += step) {
			run(&stage[i], &rows, cuts[k / TRC_COUNT(cuts)], cuts[k % TRC_COUNT(cuts)],
			    &all);
			CHECK_MSG(generate_same(&want, &all, want.have, why, sizeof(why)), "%s: %s",
			          stage[i].name, why);
			trc_batch_release(&all);
		}
		trc_batch_release(&rows);
		trc_batch_release(&want);
	}
}

static void
nothing_in_nothing_out(void)
{
	struct trc_batch rows, all;

	for (size_t i = 0; i < TRC_COUNT(stage); i++) {
		rows_for(&stage[i], &rows);
		rows.n = 0;
		run(&stage[i], &rows, 4096, 7, &all);
		CHECK(all.n == 0);
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

/* Rows, what is known when they have ended, and how that was. */
struct outcome {
	struct trc_batch rows;
	struct trc_meta meta;
	struct trc_err err;
	enum trc_flow flow;
};

/* Appends the next rows of `src`, or of a slice of it, to `all`. */
static enum trc_flow
append_next(struct trc_source *src, struct trc_slice *slice, size_t most, struct trc_batch *all,
            struct trc_err *err)
{
	enum trc_flow flow;
	struct trc_batch b;

	CHECK(trc_batch_init(&b, src->have, most, err) == 0);
	flow = slice ? trc_source_parse(src, slice, &b, err) : trc_source_next(src, &b, err);
	trc_batch_append(all, &b, 0, b.n);
	trc_batch_release(&b);
	return flow;
}

/* Opens a stage whose source has a meta that is another behind its first rows. */
static struct trc_source *
open_pieces(const struct stage *s, const struct trc_batch *rows, size_t most,
            struct trc_source **from, struct outcome *o)
{
	struct trc_source *src;

	*from = generate_pieces(rows, most);
	(*from)->meta = (struct trc_meta){ .totals = true, .refs = rows->n };
	src = s->open(*from, &o->err);
	CHECK_MSG(src, "%s: %s", s->name, o->err.text);
	o->rows = generate_zeros(src->have, 2 * ROWS);
	o->rows.n = 0;
	return src;
}

static void
collect_rows(const struct stage *s, const struct trc_batch *rows, const struct trc_meta *late,
             struct outcome *o)
{
	struct trc_source *from, *src = open_pieces(s, rows, 4096, &from, o);

	do {
		o->flow = append_next(src, NULL, 4096, &o->rows, &o->err);
		from->meta = *late;
	} while (o->flow == TRC_FLOW_ROWS);
	o->meta = src->meta;
	trc_source_close(src);
}

/* Makes the rows of `n` slices by turns, some of them again; *lines that they are made of. */
static void
make_by_turns(struct trc_source *src, struct trc_slice *slice, size_t n, struct generator *m,
              struct outcome *o, uint64_t *lines)
{
	struct trc_batch part[4];
	bool ended[4] = { false };

	for (size_t i = 0; i < n; i++) {
		part[i] = generate_zeros(src->have, 2 * ROWS);
		part[i].n = 0;
	}
	for (size_t left = n; left > 0;) {
		const size_t i = generate_below(m, n);
		enum trc_flow flow;

		if (ended[i])
			continue;
		if (generate_below(m, 8) == 0) {
			slice[i].again = true;
			trc_batch_clear(&part[i]);
		}
		flow = append_next(src, &slice[i], 1 + generate_below(m, 500), &part[i], &o->err);
		CHECK(flow != TRC_FLOW_FAILED);
		ended[i] = flow == TRC_FLOW_END;
		left -= ended[i];
	}
	for (size_t i = 0; i < n; i++) {
		trc_batch_append(&o->rows, &part[i], 0, part[i].n);
		trc_batch_release(&part[i]);
		*lines += slice[i].lines;
	}
}

/* Behind some rows that next() gives, slices of random sizes. */
static void
collect_pieces(const struct stage *s, const struct trc_batch *rows, const struct trc_meta *late,
               struct generator *m, struct outcome *o)
{
	struct trc_source *from, *src = open_pieces(s, rows, 1 + generate_below(m, 300), &from, o);
	struct trc_slice slice[4] = { { 0 } };
	uint64_t lines;
	size_t n;

	for (n = generate_below(m, 4); n > 0; n--)
		CHECK(append_next(src, NULL, 100, &o->rows, &o->err) == TRC_FLOW_ROWS);
	lines = generate_given(from);
	do {
		for (n = 0; n < 4; n++) {
			o->flow = trc_source_take(src, 1 + generate_below(m, 700), &slice[n],
			                          &o->err);
			from->meta = *late;
			if (o->flow != TRC_FLOW_ROWS)
				break;
		}
		make_by_turns(src, slice, n, m, o, &lines);
	} while (n == 4);
	CHECK(lines == rows->n);
	o->meta = src->meta;
	for (size_t i = 0; i < 4; i++)
		trc_slice_release(&slice[i]);
	trc_source_close(src);
}

static void
check_pieces(const struct stage *s, const struct trc_batch *rows, const struct trc_meta *late)
{
	struct generator m = { test_seed };
	struct outcome want, got;
	char why[128];

	collect_rows(s, rows, late, &want);
	for (int k = 0; k < 10; k++) {
		collect_pieces(s, rows, late, &m, &got);
		CHECK(got.flow == want.flow);
		CHECK(got.flow != TRC_FLOW_FAILED || !strcmp(got.err.text, want.err.text));
		CHECK_MSG(generate_same(&want.rows, &got.rows, want.rows.have, why, sizeof(why)),
		          "%s: %s", s->name, why);
		CHECK(got.meta.totals == want.meta.totals && got.meta.refs == want.meta.refs &&
		      trc_guarantee_same(&got.meta.guarantee, &want.meta.guarantee));
		trc_batch_release(&got.rows);
	}
	trc_batch_release(&want.rows);
}

/* Each of its rows depends on one row alone. */
static bool
is_of_rows(const struct stage *s)
{
	return s->open == open_types || s->open == open_values || s->open == open_filter_all ||
	       s->open == open_times || s->open == open_times_of_filter;
}

/* Also where the trace was reduced, and that is known late. */
static void
pieces_are_the_rows_of_one_pass(void)
{
	const struct trc_meta late[] = { { .totals = true, .refs = ROWS },
		                         { .totals = true, .refs = 2, .guarantee.sad = 1 } };

	for (size_t i = 0; i < TRC_COUNT(stage); i++) {
		struct trc_batch rows;
		struct trc_source *from, *src;
		struct trc_err err;

		rows_for(&stage[i], &rows);
		from = generate_pieces(&rows, 1);
		src = stage[i].open(from, &err);
		CHECK_MSG(src == from || (src && src->slices != NULL) == is_of_rows(&stage[i]),
		          "%s: trc_wrap_pieces() is for stages that treat each row by itself, and "
		          "is_of_rows() has these",
		          stage[i].name);
		trc_source_close(src);
		for (size_t k = 0; is_of_rows(&stage[i]) && k < TRC_COUNT(late); k++)
			check_pieces(&stage[i], &rows, &late[k]);
		trc_batch_release(&rows);
	}
}

static uint64_t
refs_of(const struct trc_batch *b)
{
	uint64_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += !trc_batch_is_event(b, i);
	return n;
}

/* One that keeps every third reference once left a reduced trace the guarantee of the whole. */
static void
lost_references_are_not_guaranteed(void)
{
	const struct trc_guarantee before = { .sad = 1 };

	for (size_t i = 0; i < TRC_COUNT(stage); i++) {
		struct trc_batch rows, all;
		struct trc_source *from, *src;
		struct trc_meta meta;
		struct trc_err err;

		rows_for(&stage[i], &rows);
		from = generate_source(&rows, 100);
		from->meta.guarantee = before;
		from->meta.totals = true;
		from->meta.refs = refs_of(&rows);
		src = stage[i].open(from, &err);
		if (!src || generate_collect(src, 100, &all, &meta, &err)) {
			CHECK_MSG(err.code != TRC_OK, "%s", stage[i].name);
			if (!src)
				trc_source_close(from);
			else
				trc_batch_release(&all);
			trc_batch_release(&rows);
			continue;
		}
		CHECK_MSG(refs_of(&all) >= refs_of(&rows) || !meta.totals ||
		                  !trc_guarantee_same(&meta.guarantee, &before),
		          "%s loses references and keeps what was guaranteed with them; call "
		          "trc_meta_filtered(&src->meta) when it opens, or refuse a reduced trace",
		          stage[i].name);
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

static void
events_pass_in_order(void)
{
	struct trc_batch rows, all;

	for (size_t i = 0; i < TRC_COUNT(stage); i++) {
		const struct stage *s = &stage[i];
		size_t k = 0;

		if (!(s->have & TRC_HAS_EVENT) || s->open == open_range)
			continue;
		rows_for(s, &rows);
		run(s, &rows, 7, 100, &all);
		CHECK(!!(all.have & TRC_HAS_EVENT) == (s->open != open_no_events));
		for (size_t row = 0; row < rows.n && all.event; row++) {
			if (!trc_batch_is_event(&rows, row))
				continue;
			while (k < all.n && !trc_batch_is_event(&all, k))
				k++;
			CHECK(k < all.n && all.type[k] == TRC_EVENT);
			CHECK_MSG(!strcmp(trc_batch_event(&rows, row), trc_batch_event(&all, k)),
			          "%s: row %zu is row %zu", s->name, row, k);
			CHECK(!rows.rtime || rows.rtime[row] == all.rtime[k]);
			k++;
		}
		for (; k < all.n; k++)
			CHECK(!trc_batch_is_event(&all, k) && all.type[k] != TRC_EVENT);
		trc_batch_release(&rows);
		trc_batch_release(&all);
	}
}

/* An event changes nothing of what is kept of the references around it. */
static void
sad_keeps_the_same_around_events(void)
{
	const struct stage *with = named("sad with events");
	struct trc_batch rows, all, bare, want;
	struct trc_err err;
	char why[128];

	rows_for(with, &rows);
	run(with, &rows, 4096, 4096, &all);
	CHECK(generate_collect(open_no_events(generate_source(&all, 4096), &err), 4096, &bare, NULL,
	                       &err) == 0);
	CHECK(generate_collect(open_sad(open_no_events(generate_source(&rows, 4096), &err), &err),
	                       4096, &want, NULL, &err) == 0);
	CHECK_MSG(generate_same(&want, &bare, want.have, why, sizeof(why)), "%s", why);
	trc_batch_release(&rows);
	trc_batch_release(&all);
	trc_batch_release(&bare);
	trc_batch_release(&want);
}

static void
a_range_is_a_slice(void)
{
	struct generate_spec spec = { .have = TRC_HAS_ADDR | TRC_HAS_TYPE, .rows = ROWS };
	static const uint64_t at[] = {
		0, 1, 4095, 4096, 4097, ROWS - 1, ROWS, ROWS + 1, UINT64_MAX
	};
	struct trc_batch rows, all;

	generate_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i < TRC_COUNT(at) * TRC_COUNT(at); i++) {
		uint64_t skip = at[i / TRC_COUNT(at)], limit = at[i % TRC_COUNT(at)];
		uint64_t left = skip < ROWS ? ROWS - skip : 0;
		struct trc_err err;
		struct trc_source *src = trc_stage_range(generate_source(&rows, 1000), skip, limit,
		                                         &err);

		CHECK(src && generate_collect(src, 300, &all, NULL, &err) == 0);
		CHECK(all.n == (left < limit ? left : limit));
		CHECK(all.n == 0 || memcmp(all.addr, rows.addr + skip, all.n * 8) == 0);
		trc_batch_release(&all);
	}
	trc_batch_release(&rows);
}

/* What is skipped past the end of a trace is known when it ends. */
static void
a_range_knows_when_it_is_beyond(void)
{
	struct generate_spec spec = { .have = TRC_HAS_ADDR, .rows = ROWS };
	static const uint64_t skip[] = { 0, 1, ROWS - 1, ROWS, ROWS + 1, UINT64_MAX };
	struct trc_batch rows, b;
	struct trc_err err;

	generate_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i < TRC_COUNT(skip); i++) {
		struct trc_source *src = trc_stage_range(generate_source(&rows, 1000), skip[i], 1,
		                                         &err);
		uint64_t has;

		CHECK(src && trc_batch_init(&b, src->have, 300, &err) == 0);
		while (trc_source_next(src, &b, &err) == TRC_FLOW_ROWS)
			;
		CHECK(trc_stage_range_beyond(src, &has) == (skip[i] >= ROWS));
		CHECK(skip[i] < ROWS || has == ROWS);
		trc_batch_release(&b);
		trc_source_close(src);
	}
	trc_batch_release(&rows);
}

static void
columns_are_lost_and_supplied(void)
{
	struct trc_batch rows, all;
	char why[128];

	rows_for(named("columns"), &rows);
	run(named("columns"), &rows, 4096, 100, &all);
	CHECK(all.have == (TRC_HAS_ALL & ~(TRC_HAS_SIZE | TRC_HAS_TASK)));
	CHECK_MSG(generate_same(&rows, &all,
	                        TRC_HAS_ADDR | TRC_HAS_TIME | TRC_HAS_PC | TRC_HAS_ITIME |
	                                TRC_HAS_RTIME | TRC_HAS_CPN | TRC_HAS_INSN,
	                        why, sizeof(why)),
	          "%s", why);
	for (size_t i = 0; i < all.n; i++) {
		CHECK(all.asid[i] == 7 && all.vpn[i] == UINT64_MAX);
		CHECK(all.type[i] == (rows.type[i] & TRC_TYPE_MASK));
	}
	trc_batch_release(&rows);
	trc_batch_release(&all);
}

/* Instructions of up to 32 lanes: neighbours, strided, anywhere, some at the same place. */
static void
make_lanes(struct trc_batch *b, struct generator *m)
{
	for (size_t i = 0, insn = 0; i < b->n; insn++) {
		const uint64_t base = generate_below(m, 5000), stride = generate_below(m, 40);
		const uint32_t size = UINT32_C(1) << generate_below(m, 8);
		size_t lanes = 1 + generate_below(m, 32);

		for (; lanes > 0 && i < b->n; lanes--, i++) {
			b->itime[i] = insn / 2; /* of two warps */
			b->task[i] = insn % 2;
			b->type[i] = insn % 3 == 0 ? TRC_MODIFY : TRC_READ;
			b->asid[i] = (uint32_t)generate_below(m, 20) == 0;
			b->size[i] = size;
			b->pc[i] = i; /* shows which lane a segment is of */
			b->addr[i] = stride == 39 ? generate_below(m, 5000) : base + lanes * stride;
		}
	}
}

/* The segments of an instruction, byte by byte. */
static void
lanes_become_the_segments_that_they_touch(void)
{
	const uint32_t have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK |
	                      TRC_HAS_ASID | TRC_HAS_PC | TRC_HAS_ITIME;
	struct trc_batch rows = generate_zeros(have, ROWS), all;
	struct generator m = { test_seed };
	struct trc_err err;

	make_lanes(&rows, &m);
	for (unsigned size = 32; size <= 128; size *= 2) {
		size_t k = 0, first = 0; /* row of `all`, of its instruction */

		CHECK(generate_collect(trc_stage_coalesce(generate_source(&rows, 100), size, &err),
		                       7, &all, NULL, &err) == 0);
		for (size_t i = 0; i < rows.n; i++) {
			if (i > 0 && (rows.itime[i] != rows.itime[i - 1] ||
			              rows.task[i] != rows.task[i - 1]))
				first = k;
			for (uint64_t at = rows.addr[i]; at < rows.addr[i] + rows.size[i]; at++) {
				size_t j = first;

				while (j < k && (all.addr[j] != at / size * size ||
				                 all.asid[j] != rows.asid[i]))
					j++;
				if (j < k)
					continue;
				CHECK(k < all.n && all.addr[k] == at / size * size);
				CHECK(all.size[k] == size && all.pc[k] == rows.pc[i]);
				CHECK(all.type[k] == rows.type[i] && all.asid[k] == rows.asid[i]);
				k++;
			}
		}
		CHECK(k == all.n);
		trc_batch_release(&all);
	}
	trc_batch_release(&rows);
}

static void
a_modify_is_a_load_and_a_store(void)
{
	struct generate_spec spec = { .have = TRC_HAS_ALL, .rows = ROWS };
	struct trc_batch rows, all;
	struct trc_err err;
	size_t k = 0;

	generate_rows(&rows, &spec, test_seed);
	CHECK(generate_collect(trc_stage_split_modify(generate_source(&rows, 4096), &err), 7, &all,
	                       NULL, &err) == 0);
	for (size_t i = 0; i < rows.n; i++) {
		const uint8_t kernel = rows.type[i] & TRC_KERNEL;
		const bool modify = (rows.type[i] & TRC_TYPE_MASK) == TRC_MODIFY;

		CHECK(all.type[k] == (modify ? kernel | TRC_READ : rows.type[i]));
		CHECK(all.addr[k] == rows.addr[i] && all.insn[k] == rows.insn[i]);
		k++;
		if (!modify)
			continue;
		CHECK(all.type[k] == (kernel | TRC_WRITE));
		CHECK(all.addr[k] == rows.addr[i] && all.insn[k] == rows.insn[i]);
		k++;
	}
	CHECK(k == all.n);
	trc_batch_release(&rows);
	trc_batch_release(&all);
}

static void
blocks_are_runs_of_one_page(void)
{
	struct trc_batch rows, all;
	size_t k = 0;

	rows_for(named("block"), &rows);
	run(named("block"), &rows, 7, 7, &all);
	for (size_t i = 0, next; i < rows.n; i = next, k++) {
		uint8_t type = 0;

		for (next = i; next < rows.n && rows.vpn[next] == rows.vpn[i] &&
		               rows.asid[next] == rows.asid[i] && rows.task[next] == rows.task[i];
		     next++)
			type |= rows.type[next];
		CHECK(k < all.n && all.type[k] == type && all.vpn[k] == rows.vpn[i]);
		CHECK(all.rtime[k] == rows.rtime[i] && all.itime[k] == rows.itime[i]);
		CHECK(all.asid[k] == rows.asid[i] && all.cpn[k] == rows.cpn[i]);
	}
	CHECK(k == all.n);
	trc_batch_release(&rows);
	trc_batch_release(&all);
}

static struct trc_source *
open_merged(struct trc_source *from, struct trc_err *err)
{
	from = trc_stage_page_merged(from, 6, &refs, err);
	return from ? trc_stage_block(from, err) : NULL;
}

static struct trc_source *
open_blocked(struct trc_source *from, struct trc_err *err)
{
	from = trc_stage_page(from, 6, &refs, err);
	return from ? trc_stage_block(from, err) : NULL;
}

/* Short references within pages, and any that cross them: as runs of rows that are looked at
 * together, and as rows that are not. */
static void
pages_merged_early_are_as_blocked_ones(void)
{
	static const struct {
		uint32_t have, types;
		uint8_t size; /* bits */
	} kind[] = {
		{ TRC_HAS_TYPE | TRC_HAS_ADDR, 7, 0 },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 7, 1 },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 7, 2 },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 7, 7 },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 0, 9 },
		{ TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK, 7, 1 },
		{ TRC_HAS_ADDR, 0, 0 },
	};
	char why[128];

	for (size_t i = 0; i < TRC_COUNT(kind); i++) {
		struct generate_spec spec = {
			.have = kind[i].have, .rows = ROWS, .types = kind[i].types, .within = true
		};
		struct trc_batch rows, want, all;

		spec.bits[TRC_COL_ADDR] = 8;
		spec.bits[TRC_COL_SIZE] = kind[i].size;
		spec.bits[TRC_COL_TASK] = 1;
		generate_rows(&rows, &spec, test_seed);
		run(&(struct stage){ "blocked", open_blocked, false, 0 }, &rows, 4096, 4096, &want);
		run(&(struct stage){ "merged", open_merged, false, 0 }, &rows, 1000, 4096, &all);
		CHECK_MSG(generate_same(&want, &all, want.have, why, sizeof(why)), "%zu: %s", i,
		          why);
		trc_batch_release(&rows);
		trc_batch_release(&want);
		trc_batch_release(&all);
	}
}

/* Such a reference was taken for one to page 0, too. */
static void
references_past_the_last_address_are_refused(void)
{
	const uint32_t have = TRC_HAS_ADDR | TRC_HAS_SIZE;
	struct trc_batch rows, all;
	uint64_t count;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, have, 1, &err) == 0);
	rows.n = 1;
	for (unsigned bits = 0; bits < 64; bits++)
		for (uint32_t size = 0; size < 4; size++) {
			const bool past = size > 1;

			rows.addr[0] = UINT64_MAX;
			rows.size[0] = size;
			CHECK(generate_collect(trc_stage_page(generate_source(&rows, 1), bits,
			                                      &count, &err),
			                       9, &all, NULL, &err) == (past ? -1 : 0));
			CHECK(past ? strstr(err.text, "past the last address") != NULL :
			             all.n == 1 && all.vpn[0] == UINT64_MAX >> bits);
			trc_batch_release(&all);
		}
	trc_batch_release(&rows);
}

static void
pages_keep_their_times_and_totals(void)
{
	struct generate_spec spec = { .have = PAGED | TRC_HAS_TIME | TRC_HAS_ASID,
		                      .rows = 100,
		                      .types = 3 };
	struct trc_source *src;
	struct trc_batch rows, all;
	struct trc_meta meta;
	struct trc_err err;
	char why[128];

	generate_rows(&rows, &spec, test_seed);
	src = generate_source(&rows, 7);
	src->meta = (struct trc_meta){ .totals = true, .refs = 10, .insns = 5, .last_time = 3 };
	CHECK(generate_collect(trc_stage_page(src, 12, &refs, &err), 3, &all, &meta, &err) == 0);
	CHECK_MSG(generate_same(&rows, &all, rows.have, why, sizeof(why)), "%s", why);
	CHECK(meta.totals && meta.refs == 10 && meta.insns == 5 && meta.last_time == 3);
	trc_batch_release(&all);
	src = generate_source(&rows, 7);
	CHECK(generate_collect(trc_stage_page(src, 12, &refs, &err), 3, &all, &meta, &err) == 0);
	CHECK(!meta.totals);
	trc_batch_release(&all);
	trc_batch_release(&rows);
}

/* The trailer of a SAD trace has the size of its pages, when the stage is long open. */
static void
pages_keep_their_size(void)
{
	static const struct {
		uint32_t known, asked, left; /* left 0: refused */
	} row[] = { { 0, 12, 12 }, { 16, 0, 16 }, { 16, 16, 16 }, { 16, 12, 0 } };
	struct generate_spec spec = { .have = PAGED, .rows = 10, .types = 3 };
	struct trc_batch rows, all;
	struct trc_meta meta;
	struct trc_err err;

	generate_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		struct trc_source *src = generate_source(&rows, 7);
		int ret;

		src->meta.page_bits = row[i].known;
		ret = generate_collect(trc_stage_page(src, row[i].asked, &refs, &err), 3, &all,
		                       &meta, &err);
		CHECK((ret == 0) == (row[i].left > 0));
		CHECK(ret == 0 ? meta.page_bits == row[i].left : err.code == TRC_USAGE);
		trc_batch_release(&all);
	}
	trc_batch_release(&rows);
}

static void
traces_of_neither_addresses_nor_pages_have_none(void)
{
	struct generate_spec spec = { .have = TRC_HAS_TYPE, .rows = 1 };
	struct trc_source *src;
	struct trc_batch rows;
	struct trc_err err;

	generate_rows(&rows, &spec, test_seed);
	src = generate_source(&rows, 1);
	CHECK(!trc_stage_page(src, 12, &refs, &err) && strstr(err.text, "neither"));
	trc_source_close(src);
	trc_batch_release(&rows);
}

/* How many different values there are, in the most obvious way. */
static uint64_t
distinct(const uint32_t *v, size_t n)
{
	uint64_t count = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (v[k] != v[i])
			k++;
		count += k == i;
	}
	return count;
}

static void
check_counts(const struct trc_counts *got, const struct trc_counts *want, size_t rows)
{
	CHECK(got->rows == rows && got->refs == want->refs);
	CHECK(memcmp(got->by_type, want->by_type, sizeof(got->by_type)) == 0);
	CHECK(got->by_kernel == want->by_kernel && got->pages == want->pages);
	CHECK(got->spaces == want->spaces && got->tasks == want->tasks);
	CHECK(got->addr_first == want->addr_first && got->addr_last == want->addr_last);
	CHECK(got->time_first == want->time_first && got->time_last == want->time_last);
}

/* Counts every other batch by a sink of its own, which the first one takes over, or its state. */
static void
count_in_two(struct trc_batch *rows, size_t cut, bool saved, struct trc_counts *got)
{
	struct trc_source *src = generate_source(rows, cut);
	const struct trc_meta meta = { .rows = rows->n };
	struct trc_counts other;
	struct trc_sink *sink[2];
	struct trc_buf state = { 0 };
	struct trc_batch b;
	struct trc_err err;

	CHECK(trc_batch_init(&b, src->have, 4096, &err) == 0);
	CHECK((sink[0] = trc_counts_sink(got, PAGE_BITS, &err)));
	CHECK((sink[1] = trc_counts_sink(&other, PAGE_BITS, &err)));
	for (size_t k = 0; trc_source_next(src, &b, &err) == TRC_FLOW_ROWS; k++)
		CHECK(trc_sink_put(sink[k % 2], &b, &err) == 0);
	if (saved) {
		CHECK(trc_sink_save(sink[1], &state, &err) == 0);
		CHECK(trc_sink_append(sink[0], trc_buf_view(&state), &err) == 0);
	} else {
		CHECK(sink[0]->apart->absorb(sink[0], sink[1], &err) == 0);
	}
	CHECK(trc_sink_finish(sink[0], &meta, &err) == 0);
	trc_buf_release(&state);
	trc_batch_release(&b);
	trc_sink_close(sink[0]);
	trc_sink_close(sink[1]);
	trc_source_close(src);
}

static void
counts_are_right(void)
{
	struct generate_spec spec = { .have = TRC_HAS_ALL & ~TRC_HAS_VPN, .rows = 3000 };
	struct trc_counts got, want = { .addr_first = UINT64_MAX, .time_first = UINT64_MAX };
	static uint32_t page[3000], space[3000], task[3000];
	size_t n = 0;
	struct trc_batch rows;
	struct trc_err err;

	spec.bits[TRC_COL_ADDR] = 32;
	spec.bits[TRC_COL_ASID] = 9;
	generate_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i < rows.n; i++) {
		rows.size[i] = rows.size[i] % 2;
		rows.asid[i] = i % 3 ? rows.asid[i] : 0;
		want.by_type[rows.type[i] & TRC_TYPE_MASK]++;
		want.by_kernel += rows.type[i] >= TRC_KERNEL;
		want.refs += trc_type_refs(rows.type[i]);
		want.time_first = rows.time[i] < want.time_first ? rows.time[i] : want.time_first;
		want.time_last = rows.time[i] > want.time_last ? rows.time[i] : want.time_last;
		if (rows.type[i] == TRC_EVENT)
			continue;
		space[n] = rows.asid[i];
		task[n] = rows.task[i];
		page[n++] = (uint32_t)(rows.addr[i] >> PAGE_BITS << 9 | rows.asid[i]);
		want.addr_first = rows.addr[i] < want.addr_first ? rows.addr[i] : want.addr_first;
		want.addr_last = rows.addr[i] > want.addr_last ? rows.addr[i] : want.addr_last;
	}
	CHECK(n < rows.n);
	want.pages = distinct(page, n);
	want.spaces = distinct(space, n);
	want.tasks = distinct(task, n);
	for (size_t i = 0; i < TRC_COUNT(cuts); i++) {
		struct trc_source *src = generate_source(&rows, cuts[i]);
		struct trc_sink *sink = trc_counts_sink(&got, PAGE_BITS, &err);

		CHECK(sink && trc_pump(src, sink, 4096, NULL, &err) == 0);
		check_counts(&got, &want, rows.n);
		trc_sink_close(sink);
		trc_source_close(src);
		for (int saved = 0; saved < 2; saved++) {
			count_in_two(&rows, cuts[i], saved, &got);
			check_counts(&got, &want, rows.n);
		}
	}
	trc_batch_release(&rows);
}

/* Merges rows of a few pages by each form of the kernel, and one by one. */
static void
all_forms_merge_the_same_rows(void)
{
	enum { MOST = 300 };
	struct generator m = { test_seed };
	trc_page_merge_fn *form;

	for (int round = 0; round < 1000; round++) {
		const size_t n = generate_below(&m, MOST + 1), pages = 1 + generate_below(&m, 3);
		uint64_t page[MOST], want[3][MOST], got[3][MOST + 1];
		uint8_t from[MOST], type[MOST] = { 0 }, to[MOST + 1];
		struct trc_page_merge all = { .insns = 5, .refs = 7 };
		size_t runs = 0;

		for (size_t i = 0; i < n; i++) {
			const bool same = i > 0 && generate_below(&m, 4) > pages;

			page[i] = same ? page[i - 1] : generate_below(&m, pages);
			from[i] = (uint8_t)(generate_below(&m, 4) | (generate_random(&m) & 16));
			all.insns += (from[i] & TRC_TYPE_MASK) == TRC_FETCH;
			all.refs++;
			if (i == 0 || page[i] != page[i - 1]) {
				want[0][runs] = page[i];
				want[1][runs] = all.insns;
				want[2][runs] = all.refs;
				type[runs++] = TRC_READ;
			}
			if ((from[i] & TRC_TYPE_MASK) == TRC_WRITE)
				type[runs - 1] = TRC_WRITE;
		}
		for (size_t i = 0; (form = trc_page_merge_form(i)); i++) {
			struct trc_page_merge one = {
				from, got[0], got[0], got[1], got[2], to, 5, 7
			};

			memcpy(got[0], page, n * sizeof(*page));
			got[0][n] = got[1][n] = got[2][n] = to[n] = 0xad;
			CHECK(form(&one, n) == runs && one.insns == all.insns &&
			      one.refs == all.refs && memcmp(to, type, runs) == 0 && to[n] == 0xad);
			for (size_t k = 0; k < 3; k++)
				CHECK(memcmp(got[k], want[k], runs * sizeof(*page)) == 0 &&
				      got[k][n] == 0xad);
			one = (struct trc_page_merge){
				.from = from, .page = page, .vpn = got[1], .type = to
			};
			CHECK(form(&one, n) == runs && memcmp(to, type, runs) == 0 &&
			      memcmp(got[1], want[0], runs * sizeof(*page)) == 0);
		}
	}
}

/* Behind the laws, which open all rows. */
static void
every_stage_with_options_was_tried(void)
{
	for (size_t i = 0; i < TRC_COUNT(optional); i++)
		CHECK_MSG(optional[i].tried,
		          "%s of optional_stages in src/meson.build was not tried; open "
		          "trc_stage_row_%s in a row of stage[] of test/unit/stage.c",
		          optional[i].name, optional[i].name);
}

int
main(void)
{
	test_start();
	RUN(neutral_stages_change_nothing);
	RUN(cuts_do_not_matter);
	RUN(nothing_in_nothing_out);
	RUN(pieces_are_the_rows_of_one_pass);
	RUN(lost_references_are_not_guaranteed);
	RUN(events_pass_in_order);
	RUN(sad_keeps_the_same_around_events);
	RUN(a_range_is_a_slice);
	RUN(a_range_knows_when_it_is_beyond);
	RUN(columns_are_lost_and_supplied);
	RUN(lanes_become_the_segments_that_they_touch);
	RUN(a_modify_is_a_load_and_a_store);
	RUN(blocks_are_runs_of_one_page);
	RUN(pages_merged_early_are_as_blocked_ones);
	RUN(references_past_the_last_address_are_refused);
	RUN(pages_keep_their_times_and_totals);
	RUN(pages_keep_their_size);
	RUN(traces_of_neither_addresses_nor_pages_have_none);
	RUN(counts_are_right);
	RUN(all_forms_merge_the_same_rows);
	RUN(every_stage_with_options_was_tried);
	return 0;
}
