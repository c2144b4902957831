/* SPDX-License-Identifier: MIT */
#include "cmd/shard/plan.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "container/container.h"
#include "container/memory_plan.h"
#include "stage/profile/distinct.h"
#include "stage/simulate/object/requests.h"

enum {
	MIB = 1 << 20,
	PROCESS = 16 * MIB, /* of a process without a trace */
	SPARE = 2 * MIB,    /* added to what a shard took here, with a quarter of that */
	NOTED = 256 * MIB,  /* a note is printed if a shard needs more */
	LANES = 4,          /* most blocks that are read at a time */
};

enum { COLUMNS = 8 };

/* What the lines of all shards are computed from. */
struct lines {
	struct trc_slices *s;
	const struct trc_plan *plan;
	struct trc_planned *line;
	uint64_t of;
	uint64_t read;      /* memory for reading, in bytes */
	unsigned beside;    /* see beside_address() */
	uint64_t row_pages; /* most pages that a row touches */
	uint64_t pages;     /* most pages that all rows touch; UINT64_MAX: not known */
	uint64_t most;      /* most memory of a shard so far */
	uint64_t objects;   /* most objects of a shard, if they were counted; else 0 */
	const struct trc_planned *counts; /* the line whose objects are being counted */
};

/* Memory for reading blocks: the limit for all tables, or less if they are smaller
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

/* Least bytes of a line beside its address and line end, if the address alone names the page: each
 * other field that the grammar requires has a separator and a character. */
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

/* Most pages that lines in so many bytes can name. Each line holds a different number, of which few
 * are short, and a line end. If a page spans several addresses, lines name fewer. */
static uint64_t
names_in(const struct lines *l, uint64_t bytes)
{
	const struct trc_slices *s = l->s;
	const uint64_t unit = l->plan->unit;
	const bool alone = !(s->have & (TRC_HAS_VPN | TRC_HAS_ASID | TRC_HAS_TASK));
	const uint64_t page = !alone ? 1 : unit ? unit : UINT64_C(1) << TRC_COUNTS_PAGE_BITS;
	const unsigned beside = l->beside;
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

/* Reads the first rows to see how large they are. */
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

/* Most pages that a row touches. A reference touches two, but a request for an object or for blocks
 * may touch more. How many is unknown before all are read, so the first rows stand for all. */
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

/* Most pages of all files, as far as indices know. */
static uint64_t
pages_of_all(const struct trc_slices *s, const struct trc_plan *plan)
{
	const uint64_t page = UINT64_C(1) << TRC_COUNTS_PAGE_BITS, unit = plan->unit;
	uint64_t all = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (plan->unindexed || s->file[i].counts.pages == 0)
			return UINT64_MAX;
		all += s->file[i].counts.pages * (unit && unit < page ? page / unit : 1);
	}
	return all;
}

/* Most pages that the rows of a shard touch; never more than those of the whole trace. */
static uint64_t
pages_of(const struct lines *l, const struct trc_planned *p)
{
	const uint64_t rows = p->known ? p->rows : p->rows + names_in(l, p->bytes);
	const uint64_t most = rows > UINT64_MAX / MIB / l->row_pages ? UINT64_MAX / MIB :
	                                                               rows * l->row_pages;

	return l->pages < most ? l->pages : most;
}

/* Most rows of a shard; a row of text has at least two bytes. */
static uint64_t
rows_of(const struct lines *l, const struct trc_planned *p)
{
	return p->known ? p->rows : p->rows + p->bytes / (2 + l->beside);
}

/* The measured memory with some spare, since libraries of other machines differ. */
static int
measure_line(struct trc_planned *p, const struct trc_plan *plan, struct trc_err *err)
{
	struct trc_measured m;

	if (plan->measure(plan->arg, p->i, &m, err))
		return -1;
	/* A reduction counts the records that it keeps. */
	if (!p->known && !plan->row_bytes) {
		p->rows = m.rows;
		p->known = true;
	}
	p->memory = m.memory + m.memory / 4 + SPARE;
	return 0;
}

/* ---- objects ---- */

/* A sink that estimates the number of objects of a shard. */
struct count_sink {
	struct trc_sink sink;
	struct trc_distinct objects;
	struct trc_measured *m;
};

static int
count_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct count_sink *c = (struct count_sink *)sink;

	(void)err;
	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = trc_batch_type(b, i) & TRC_TYPE_MASK;

		trc_distinct_add(&c->objects,
		                 trc_requests_hash(b->asid ? b->asid[i] : 0, b->addr[i]));
		c->m->writes += type == TRC_WRITE || type == TRC_MODIFY;
		c->m->deletes += type == TRC_INVALIDATE;
	}
	c->m->rows += b->n;
	return 0;
}

/* Reads a shard. This happens in a child process, whose memory is that for reading. */
static int
count_objects(void *arg, struct trc_measured *m, struct trc_err *err)
{
	const struct lines *l = arg;
	struct count_sink c = { .sink = { .put = count_put }, .m = m };
	struct trc_begun begun = { 0 };
	struct trc_job job;
	int ret;

	if (trc_slices_open(&job, l->s, l->counts->from, l->counts->to, &begun, err))
		return -1;
	ret = trc_job_pump(&job, &c.sink, l->plan->quiet, err);
	trc_source_close(job.src);
	trc_begun_release(&begun);
	m->objects = trc_distinct_most(&c.objects);
	return ret;
}

/* Fills in the line of a shard whose memory depends on its objects. */
static int
count_line(struct lines *l, struct trc_planned *p, struct trc_err *err)
{
	const struct trc_plan *plan = l->plan;
	struct trc_measured m = { 0 };

	l->counts = p;
	if (trc_measure(count_objects, l, &m, err))
		return -1;
	l->objects = m.objects > l->objects ? m.objects : l->objects;
	p->rows = m.rows;
	p->known = true;
	p->memory = m.memory + m.memory / 4 +
	            (plan->footprint ?
	                     SPARE + plan->footprint(&(struct trc_footprint){
	                                     m.objects, m.writes, m.deletes, plan->saved }) :
	                     PROCESS + (m.objects + m.deletes) * plan->page_bytes +
	                             m.rows * plan->row_bytes);
	return 0;
}

/* ---- the lines ---- */

/* Fills in *p, of which the begin is known, and the begin of the *next. */
static int
find_line(struct lines *l, struct trc_planned *p, struct trc_planned *next, struct trc_err *err)
{
	const struct trc_plan *plan = l->plan;

	if (trc_slices_cut(l->s, p->i, l->of, &p->to, err))
		return -1;
	trc_slices_measure(l->s, p->from, p->to, &p->bytes, &p->rows, &p->known);
	*next = (struct trc_planned){ .i = p->i + 1,
		                      .from = p->to,
		                      .before = p->before + p->rows,
		                      .counted = p->counted && p->known };
	if (p->bytes && plan->measure)
		return measure_line(p, plan, err);
	if (p->bytes && plan->objects && l->s->have & TRC_HAS_ADDR)
		return count_line(l, p, err);
	p->memory = PROCESS;
	if (p->bytes)
		p->memory += l->read + pages_of(l, p) * plan->page_bytes +
		             rows_of(l, p) * plan->row_bytes;
	return 0;
}

static int
find_lines(struct lines *l, struct trc_err *err)
{
	l->read = reading(l->s);
	l->beside = beside_address(l->s);
	l->pages = pages_of_all(l->s, l->plan);
	if (find_row_pages(l->s, l->plan, &l->row_pages, err))
		return -1;
	l->line = trc_alloc((size_t)l->of + 1, sizeof(*l->line), err);
	if (!l->line)
		return -1;
	l->line[0] = (struct trc_planned){ .i = 1, .counted = true };
	for (uint64_t i = 0; i < l->of; i++) {
		if (find_line(l, &l->line[i], &l->line[i + 1], err))
			return -1;
		l->most = l->line[i].memory > l->most ? l->line[i].memory : l->most;
	}
	return 0;
}

/* ---- the table ---- */

/* Prints where a shard begins: "a.trc, record 1". A leading blank separates it from the memory. */
static const char *
place_of(const struct trc_planned *p, const struct trc_sliced *f, char *dst, size_t room)
{
	const bool blocks = f && f->by == TRC_SLICE_BLOCKS;

	if (!f)
		snprintf(dst, room, " -, nothing: there are fewer places to cut");
	else
		snprintf(dst, room, " %s, %s %llu", f->path, blocks ? "record" : "byte",
		         (ull)p->from.at + blocks);
	return dst;
}

/* Prints memory in the form that sbatch takes. */
static int
put_line(const struct trc_answer *a, const struct trc_planned *p, uint64_t of,
         const struct trc_slices *s, struct trc_out *out, struct trc_err *err)
{
	const struct trc_sliced *f = p->bytes ? trc_slices_at(s, p->from.file) : NULL;
	char place[4096 + 64], shard[48], memory[32];
	struct trc_value cell[COLUMNS];

	snprintf(shard, sizeof(shard), "%llu/%llu", (ull)p->i, (ull)of);
	snprintf(memory, sizeof(memory), "%lluM", (ull)((p->memory + MIB - 1) / MIB));
	TRC_VALUES(cell, trc_word(shard), p->known ? trc_count(p->rows) : trc_unknown(),
	           trc_count(p->bytes), trc_word(memory), trc_count(p->memory),
	           trc_word(f ? f->path : NULL), trc_count(p->from.at),
	           trc_word(place_of(p, f, place, sizeof(place))));
	return trc_answer_row(a, p->i - 1, cell, out, err);
}

/* Rows of the table, from lines that were computed or read from a plan file. */
static int
put_table(struct lines *l, struct trc_plan_file *file, enum trc_form form, struct trc_out *out,
          struct trc_err *err)
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
	const struct trc_answer a = { .form = form, TRC_TABLE(column) };
	const uint64_t of = file->head.of;
	int ret = trc_answer_begin(&a, out, err);

	for (uint64_t i = 1; ret == 0 && i <= of; i++) {
		struct trc_slices s = { .n = 0 };
		struct trc_planned p;

		ret = l ? 0 : trc_plan_read(file, i, &p, &s, err);
		if (ret == 0)
			ret = put_line(&a, l ? &l->line[i - 1] : &p, of, l ? l->s : &s, out, err);
		trc_slices_release(&s);
	}
	return ret ? ret : trc_answer_end(&a, out, err);
}

/* ---- the file ---- */

static int
write_plan(struct lines *l, struct trc_plan *plan, struct trc_out *out, struct trc_err *err)
{
	plan->file.memory = l->most;
	if (trc_plan_begin(&plan->file, out, plan->path, err))
		return -1;
	for (uint64_t i = 0; i < l->of; i++)
		if (trc_plan_put(&plan->file, &l->line[i], l->s, err))
			return -1;
	return trc_plan_end(&plan->file, err);
}

static void
note_memory(const struct lines *l, const struct trc_plan *plan)
{
	if (plan->quiet)
		return;
	if (l->objects)
		fprintf(stderr,
		        "trc: note: memory is for at most about %llu objects%s, counted by "
		        "reading the trace\n",
		        (ull)l->objects, l->of > 1 ? " in a shard" : "");
	else if (l->row_pages > 2)
		fprintf(stderr,
		        "trc: note: memory assumes that references span at most %llu pages or "
		        "lines, like the first ones; use --measure if larger ones follow\n",
		        (ull)l->row_pages);
	else if (l->most > NOTED && !plan->measure)
		fprintf(stderr, "trc: note: memory is an upper bound that few inputs reach; "
		                "--measure computes each shard here and measures it\n");
}

int
trc_plan_print(struct trc_slices *s, struct trc_plan *plan, struct trc_err *err)
{
	struct lines l = { .s = s, .plan = plan, .of = plan->file.head.of };
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = out ? find_lines(&l, err) : -1;

	if (ret == 0)
		ret = plan->path ? write_plan(&l, plan, out, err) :
		                   put_table(&l, &plan->file, plan->form, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	if (ret == 0)
		note_memory(&l, plan);
	free(l.line);
	return ret;
}

int
trc_plan_print_file(struct trc_plan_file *file, enum trc_form form, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = out ? put_table(NULL, file, form, out, err) : -1;

	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}
