/* SPDX-License-Identifier: MIT */
#include "cmd/shard/plan.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cores.h"
#include "container/container.h"
#include "container/memory_plan.h"

enum {
	MIB = 1 << 20,
	PROCESS = 16 * MIB, /* without a trace */
	SPARE = 2 * MIB,    /* beside what a shard took here, and a quarter of that */
	NOTED = 256 * MIB,  /* more than that is for a note */
	LANES = 4,          /* blocks that are read at a time, at most */
};

enum { COLUMNS = 8 };

/* A line of the plan. */
struct line {
	uint64_t i, of;
	const struct trc_sliced *file; /* that it begins in; NULL: it has no rows */
	uint64_t at;                   /* its first record, or byte */
	uint64_t bytes, rows, memory;
	bool known;         /* the rows are */
	uint64_t row_pages; /* that one touches at most */
};

/* What reading blocks may take: as much as it is allowed, or less if that is enough for all tables
 * (container/memory_plan.h). */
static uint64_t
reading(const struct trc_slices *s)
{
	const uint64_t limit = s->in->memlimit ? s->in->memlimit : TRC_MEMORY_MOST;
	const int threads = trc_threads(s->in->threads);
	struct trc_err none = { 0 };
	uint64_t most = 0;

	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->file[i].parts; k++)
			most = s->file[i].part[k].rows > most ? s->file[i].part[k].rows : most;
	for (uint64_t need = MIB; most > 0 && need < limit; need += need / 4) {
		struct trc_memory_plan plan = { .limit = need,
			                        .in_flight = threads < LANES ? threads : LANES };
		const int wanted = plan.in_flight;

		if (trc_memory_plan_make(&plan, s->have, (size_t)most, &none) == 0 &&
		    plan.in_flight == wanted)
			return need + plan.programs;
	}
	return most ? limit : 0;
}

/* Bytes that a line has at least beside its address and its end, if that is the one number that
 * names a page: of each other field that its grammar asks for a blank or a comma, and a letter. */
static unsigned
beside_address(const struct trc_slices *s)
{
	unsigned least = UINT_MAX;

	if (s->have & (TRC_HAS_ASID | TRC_HAS_TASK))
		return 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct trc_line_format *line = s->file[i].format->line;
		const char *p = line && !line->first && line->rows <= 1 ? line->grammar : "";
		unsigned bytes = 0;

		for (; *p && *p != '[' && *p != '.'; p++)
			bytes += *p == ' ' || *p == ',' ? 2 : 0;
		least = bytes < least ? bytes : least;
	}
	return least;
}

/* The most pages that lines in so many bytes can name: each has a number of its own, of which there
 * are few short ones, and an end. Addresses with so many bytes in a page name fewer. */
static uint64_t
names_in(const struct trc_slices *s, uint64_t bytes, uint64_t unit)
{
	const bool alone = !(s->have & (TRC_HAS_VPN | TRC_HAS_ASID | TRC_HAS_TASK));
	const uint64_t page = !alone ? 1 : unit ? unit : UINT64_C(1) << TRC_COUNTS_PAGE_BITS;
	const unsigned beside = beside_address(s);
	uint64_t names = 0;

	for (unsigned digits = 1; digits <= 16; digits++) {
		const uint64_t all = digits < 16 ? UINT64_C(1) << 4 * digits : UINT64_MAX;
		const uint64_t most = all / page ? all / page : 1,
		               room = bytes / (digits + 1 + beside);
		const uint64_t n = room < most ? room : most;

		names += n;
		bytes -= n * (digits + 1 + beside);
	}
	return names;
}

/* Looks at the first rows. */
static int
look_at_rows(struct trc_source *src, uint64_t unit, uint64_t *pages, struct trc_err *err)
{
	struct trc_batch b;
	int ret = -1;

	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, err) == 0) {
		const enum trc_flow flow = trc_source_next(src, &b, err);

		ret = flow == TRC_FLOW_FAILED ? -1 : 0;
		for (size_t i = 0; i < b.n; i++) {
			const uint64_t in = b.addr[i] % unit,
			               n = b.size[i] ? (in + b.size[i] - 1) / unit + 1 : 1;

			*pages = n > *pages ? n : *pages;
		}
	}
	trc_batch_release(&b);
	return ret;
}

/* The most pages that a row touches: two of a reference, but requests for objects or blocks are
 * larger. Nobody knows how large before they are read, so it is what the first rows have. */
static int
find_row_pages(struct trc_slices *s, const struct trc_plan *plan, uint64_t *pages,
               struct trc_err *err)
{
	const uint64_t unit = plan->unit ? plan->unit : UINT64_C(1) << TRC_COUNTS_PAGE_BITS;
	struct trc_begun begun = { 0 };
	struct trc_place from, to;
	struct trc_job job;
	int ret;

	*pages = s->have & TRC_HAS_SIZE && !plan->single ? 2 : 1;
	if (*pages == 1 || !(s->have & TRC_HAS_ADDR) || plan->measure)
		return 0;
	if (trc_slices_cut(s, 0, 1, &from, err) || trc_slices_cut(s, 1, 1, &to, err) ||
	    trc_slices_open(&job, s, from, to, &begun, err))
		return -1;
	ret = look_at_rows(job.src, unit, pages, err);
	trc_source_close(job.src);
	trc_begun_release(&begun);
	return ret;
}

/* The most pages that its rows can touch, each so many; of all, at most these. */
static uint64_t
pages_of(const struct trc_slices *s, const struct line *l, const struct trc_plan *plan)
{
	const uint64_t unit = plan->unit;
	const uint64_t page = UINT64_C(1) << TRC_COUNTS_PAGE_BITS;
	const uint64_t rows = l->known ? l->rows : l->rows + names_in(s, l->bytes, unit);
	const uint64_t most = rows > UINT64_MAX / MIB / l->row_pages ? UINT64_MAX / MIB :
	                                                               rows * l->row_pages;
	uint64_t all = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (plan->unindexed || s->file[i].counts.pages == 0)
			return most;
		all += s->file[i].counts.pages * (unit && unit < page ? page / unit : 1);
	}
	return all < most ? all : most;
}

/* The most rows; none takes less than two bytes of text. */
static uint64_t
rows_of(const struct trc_slices *s, const struct line *l)
{
	return l->known ? l->rows : l->rows + l->bytes / (2 + beside_address(s));
}

/* By what it took here; other machines have other libraries. */
static int
measure_line(struct line *l, const struct trc_plan *plan, struct trc_err *err)
{
	struct trc_measured m;

	if (plan->measure(plan->arg, l->i, &m, err))
		return -1;
	/* A reduction counts records that it keeps. */
	if (!l->known && !plan->row_bytes) {
		l->rows = m.rows;
		l->known = true;
	}
	l->memory = m.memory + m.memory / 4 + SPARE;
	return 0;
}

static int
find_line(const struct trc_slices *s, struct line *l, const struct trc_plan *plan, uint64_t read,
          struct trc_err *err)
{
	struct trc_place from, to;

	if (trc_slices_cut(s, l->i - 1, l->of, &from, err) ||
	    trc_slices_cut(s, l->i, l->of, &to, err))
		return -1;
	trc_slices_measure(s, from, to, &l->bytes, &l->rows, &l->known);
	l->file = l->bytes ? &s->file[from.file] : NULL;
	l->at = from.at;
	if (l->bytes && plan->measure)
		return measure_line(l, plan, err);
	l->memory = PROCESS;
	if (l->bytes)
		l->memory += read + pages_of(s, l, plan) * plan->page_bytes +
		             rows_of(s, l) * plan->row_bytes;
	return 0;
}

/* Where a shard begins, for people: "a.trc, record 1"; a blank keeps it off the memory. */
static const char *
place_of(const struct line *l, char *dst, size_t room)
{
	const bool blocks = l->file && l->file->by == TRC_SLICE_BLOCKS;

	if (!l->file)
		snprintf(dst, room, " -, nothing: there are fewer places to cut");
	else
		snprintf(dst, room, " %s, %s %llu", l->file->path, blocks ? "record" : "byte",
		         (unsigned long long)l->at + blocks);
	return dst;
}

/* Memory is as sbatch takes it in text. */
static int
put_line(const struct trc_answer *a, const struct line *l, struct trc_out *out, struct trc_err *err)
{
	char place[4096 + 64], shard[48], memory[32];
	struct trc_value cell[COLUMNS];

	snprintf(shard, sizeof(shard), "%llu/%llu", (unsigned long long)l->i,
	         (unsigned long long)l->of);
	snprintf(memory, sizeof(memory), "%lluM",
	         (unsigned long long)((l->memory + MIB - 1) / MIB));
	TRC_VALUES(cell, trc_word(shard), l->known ? trc_count(l->rows) : trc_unknown(),
	           trc_count(l->bytes), trc_word(memory), trc_count(l->memory),
	           trc_word(l->file ? l->file->path : NULL), trc_count(l->at),
	           trc_word(place_of(l, place, sizeof(place))));
	return trc_answer_row(a, l->i - 1, cell, out, err);
}

int
trc_plan_print(struct trc_slices *s, const struct trc_plan *plan, struct trc_err *err)
{
	static const struct trc_column_decl column[COLUMNS] = {
		{ TRC_COLUMN(shard, "shard", -10) },
		{ TRC_COLUMN(records, "records", 14) },
		{ TRC_COLUMN(bytes, "bytes", 14) },
		{ .head = "memory", .width = 8 },
		{ TRC_NAMED(memory) },
		{ TRC_NAMED(file) },
		{ TRC_NAMED(from) },
		{ .head = " from", .width = -1 },
	};
	const struct trc_answer a = { .form = plan->form, TRC_TABLE(column) };
	const uint64_t read = reading(s);
	struct trc_out *out = trc_out_open("-", false, err);
	uint64_t most = 0, row_pages = 0;
	int ret = out ? find_row_pages(s, plan, &row_pages, err) : -1;

	if (ret == 0)
		ret = trc_answer_begin(&a, out, err);
	for (uint64_t i = 1; ret == 0 && i <= plan->of; i++) {
		struct line l = { .i = i, .of = plan->of, .row_pages = row_pages };

		ret = find_line(s, &l, plan, read, err);
		most = l.memory > most ? l.memory : most;
		if (ret == 0)
			ret = put_line(&a, &l, out, err);
	}
	if (ret == 0)
		ret = trc_answer_end(&a, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	if (ret == 0 && row_pages > 2 && !plan->quiet)
		fprintf(stderr,
		        "trc: note: memory is for references to %llu pages or lines at most, as the "
		        "first ones are; where larger ones come, --measure knows, which computes "
		        "each shard here\n",
		        (unsigned long long)row_pages);
	else if (ret == 0 && most > NOTED && !plan->measure && !plan->quiet)
		fprintf(stderr, "trc: note: memory is the most that such inputs can need, and "
		                "hardly any need it; --measure computes each shard here, and "
		                "tells what it took\n");
	return ret;
}
