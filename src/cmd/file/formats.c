/* SPDX-License-Identifier: MIT
 *
 * trc stat --formats: prints the table of formats known from papers for the user's own trace. The
 * input is read once to count it, and once per format, so it must be a file. The time of a format
 * is measured around its own calls, which excludes reading the input.
 */
#include "cmd/stat/stat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/io/spill.h"
#include "cmd/names/folder.h"
#include "cmd/job/inputs.h"
#include "cmd/job/progress.h"

static const struct trc_opts opts = TRC_OPTS_FLAG("formats",
                                                  "compare sizes and speeds of all formats");

/* A line of the table: the trace in one format and packing. */
struct form {
	const struct trc_format *format;
	const struct trc_packing *packing; /* NULL: plain */
	uint64_t bytes;
	double encode, decode;                             /* seconds */
	char why_not[sizeof(((struct trc_err *)0)->text)]; /* empty if it holds the trace */
};

/* The state of the question. */
struct trace {
	struct trc_query query;
	const char *path;
	const struct trc_job_in *in;
	struct trc_progress progress;
	struct trc_temporary dir; /* for the files that are written */
	uint64_t refs, rows;
	uint64_t dinero; /* bytes of the same references as dinero text; 0: impossible */
	struct form *form;
	size_t forms, cap;
};

/* A sink that counts references, and their bytes as dinero text. */
struct count_sink {
	struct trc_sink sink;
	struct trace *t;
};

static int
count_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct trace *t = ((struct count_sink *)sink)->t;

	(void)err;
	t->rows += b->n;
	for (size_t i = 0; i < b->n; i++) {
		const unsigned refs = b->type ? trc_type_refs(b->type[i]) : 1;
		const unsigned lines = refs > 1 ? refs : 1;

		t->refs += refs;
		if (b->type && b->addr)
			t->dinero += lines * (3 + 16 - (unsigned)trc_clz64(b->addr[i] | 1) / 4);
	}
	return 0;
}

static int
count(struct trace *t, struct trc_job *job, struct trc_err *err)
{
	struct count_sink sink = { { .put = count_put }, t };
	int ret;

	job->progress = &t->progress;
	ret = trc_job_pump(job, &sink.sink, false, err);
	job->progress = NULL;
	return ret;
}

/* A sink that measures the time that another one takes. */
struct timed_sink {
	struct trc_sink sink;
	struct trc_sink *inner;
	double spent;
};

static int
timed_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct timed_sink *s = (struct timed_sink *)sink;
	const double start = trc_progress_clock();
	const int ret = trc_sink_put(s->inner, b, err);

	s->spent += trc_progress_clock() - start;
	return ret;
}

static int
timed_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct timed_sink *s = (struct timed_sink *)sink;
	const double start = trc_progress_clock();
	const int ret = trc_sink_finish(s->inner, meta, err);

	s->spent += trc_progress_clock() - start;
	return ret;
}

static struct trc_sink *
open_sink(const struct form *f, const struct trc_job *job, const char *file, struct trc_err *err)
{
	struct trc_out *out = trc_out_open(file, true, err);
	struct trc_sink *sink = NULL;

	if (!out)
		return NULL;
	trc_out_no_sync(out); /* it is removed right away */
	if (!f->packing || trc_out_pack(out, f->packing, f->packing->level, err) == 0)
		sink = trc_format_sink(f->format, NULL, out, job->src->have, &job->src->meta, err);
	if (!sink)
		trc_out_close(out);
	return sink;
}

static int
encode(struct trace *t, struct form *f, const char *file, struct trc_err *err)
{
	struct timed_sink timed = { { .put = timed_put, .finish = timed_finish }, NULL, 0 };
	struct trc_job job;
	struct stat st;
	int ret = -1;

	if (trc_inputs_open(&job, &t->path, 1, t->in, true, err))
		return -1;
	job.progress = &t->progress;
	timed.inner = open_sink(f, &job, file, err);
	if (timed.inner)
		ret = trc_job_pump(&job, &timed.sink, false, err);
	trc_sink_close(timed.inner);
	trc_source_close(job.src);
	if (ret == 0 && stat(file, &st) != 0)
		ret = trc_fail_errno(err, errno, "cannot stat '%s'", file);
	if (ret == 0)
		f->bytes = (uint64_t)st.st_size;
	f->encode = timed.spent;
	return ret;
}

static int
pull(struct trc_source *src, struct trc_progress *progress, uint64_t *rows, struct trc_err *err)
{
	struct trc_batch b;
	enum trc_flow flow;

	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, err))
		return -1;
	while ((flow = trc_source_next(src, &b, err)) == TRC_FLOW_ROWS) {
		*rows += b.n;
		trc_progress_passed(progress, b.n);
	}
	trc_batch_release(&b);
	return flow == TRC_FLOW_END ? 0 : -1;
}

static int
decode(struct trace *t, struct form *f, const char *file, struct trc_err *err)
{
	const double start = trc_progress_clock();
	struct trc_in *in = trc_in_open(file, err);
	struct trc_source *src = in ? trc_format_source(f->format, NULL, in, err) : NULL;
	uint64_t rows = 0;
	int ret;

	if (!src) {
		trc_in_close(in);
		return -1;
	}
	ret = pull(src, &t->progress, &rows, err);
	trc_source_close(src);
	f->decode = trc_progress_clock() - start;
	if (ret == 0 && rows != t->rows)
		ret = trc_fail(err, "%s returns %llu records of %llu", f->format->name, (ull)rows,
		               (ull)t->rows);
	return ret;
}

/* Keeps the part of a refusal that fits a table: without the name of the format and the advice. */
static void
set_why_not(struct form *f, const char *text)
{
	const size_t len = strlen(f->format->name);

	if (strncmp(text, f->format->name, len) == 0 && text[len] == ' ')
		text += len + 1;
	snprintf(f->why_not, sizeof(f->why_not), "%.*s", (int)strcspn(text, ";"), text);
}

/* Measures one form. Fails only if going on makes no sense; the error of a format goes into its
 * line of the table. */
static int
measure(struct trace *t, struct form *f, struct trc_err *err)
{
	char *file = trc_folder_join(t->dir.path, f->format->name, err);
	int ret;

	if (!file)
		return -1;
	ret = encode(t, f, file, err);
	if (ret == 0)
		ret = decode(t, f, file, err);
	unlink(file);
	free(file);
	if (ret == 0 || err->code != TRC_FAILED)
		return ret;
	set_why_not(f, err->text);
	return 0;
}

static double
ratio_of(double a, double b)
{
	return b > 0 ? a / b : 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trace *t = of;
	const struct form *f = &t->form[k];
	const double refs = (double)t->refs, bytes = (double)f->bytes;
	const bool held = !*f->why_not;
	const struct trc_value rest = { .kind = TRC_VALUE_REST, .s = f->why_not };
	const struct trc_value ratio = t->dinero ? trc_real(ratio_of((double)t->dinero, bytes)) :
	                                           trc_unknown();

	(void)i;
	TRC_VALUES(cell, trc_word(f->format->name),
	           held ? trc_word(f->packing ? f->packing->name : "-") : rest,
	           trc_word(!held      ? NULL :
	                    f->packing ? f->packing->name :
	                                 "none"),
	           trc_count_if(held, f->bytes), trc_real_if(held, ratio_of(refs, bytes)),
	           held ? ratio : trc_none(), trc_real(ratio_of(refs / 1e6, f->encode)),
	           trc_real(ratio_of(refs / 1e6, f->decode)),
	           trc_real_if(held, ratio_of(refs, f->encode)),
	           trc_real_if(held, ratio_of(refs, f->decode)),
	           trc_word(held ? NULL : f->why_not));
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct trace *t = of;

	(void)i, (void)err;
	TRC_FACTS(g, { TRC_FACT(references, NULL, trc_count(t->refs)) },
	          { TRC_FACT(dinero_bytes, NULL, trc_count_some(t->dinero)) });
	g->rows = t->forms;
	return 0;
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	static const struct trc_column_decl column[] = {
		{ TRC_COLUMN(format, "format", -13) },
		{ .head = "", .width = -4 },
		{ TRC_NAMED(packing) },
		{ TRC_COLUMN(bytes, "bytes", 14) },
		{ TRC_COLUMN(references_per_byte, "refs/byte", 10), .digits = 2 },
		{ TRC_COLUMN(dinero_ratio, "din/bytes", 10), .digits = 2 },
		{ .head = "enc Mref/s", .width = 10, .digits = 1 },
		{ .head = "dec Mref/s", .width = 10, .digits = 1 },
		{ TRC_NAMED(encode_per_second) },
		{ TRC_NAMED(decode_per_second) },
		{ TRC_NAMED(why_not) },
	};

	(void)q, (void)job, (void)err;
	to->answer.column = column;
	to->answer.columns = TRC_COUNT(column);
	to->answer.group = describe;
	to->answer.row = row;
	return 0;
}

/* Measures a format plain, and if that works, packed with xz. */
static int
measure_both(struct trace *t, const struct trc_format *format, struct trc_err *err)
{
	const struct trc_packing *packing[] = { NULL, &trc_packing_xz };

	for (size_t i = 0; i < TRC_COUNT(packing); i++) {
		struct form *f;

		if (trc_grow(&t->form, &t->cap, t->forms + 1, sizeof(*t->form), err))
			return -1;
		f = &t->form[t->forms++];
		*f = (struct form){ .format = format, .packing = packing[i] };
		if (measure(t, f, err))
			return -1;
		if (*f->why_not)
			break;
	}
	return 0;
}

/* Returns the next format of the table: the first for NULL, NULL after the last. */
static const struct trc_format *
next_format(const struct trc_format *f)
{
	while ((f = trc_format_next(f)))
		if (trc_format_reads(f) && trc_format_writes(f) && !f->report)
			break;
	return f;
}

static int
measure_all(struct trace *t, struct trc_err *err)
{
	const struct trc_format *f = NULL;

	while ((f = next_format(f))) {
		if (measure_both(t, f, err))
			return -1;
		t->progress.step++;
	}
	return 0;
}

static int
make_dir(struct trace *t, struct trc_err *err)
{
	const char *tmp = trc_spill_folder();
	char *path;
	int ret, number;

	path = trc_folder_join(tmp, "trc-formats", err);
	if (!path)
		return -1;
	ret = trc_temporary_folder(&t->dir, path, true, err);
	number = errno;
	if (ret) {
		trc_temporary_close(&t->dir);
		if (err->code == TRC_SYSTEM)
			trc_fail_errno(err, number,
			               "cannot create a temporary folder in '%s'; set TMPDIR to "
			               "another place",
			               tmp);
	}
	free(path);
	return ret;
}

static void
begin_progress(struct trace *t, bool quiet)
{
	trc_progress_init(&t->progress, "records", quiet);
	t->progress.steps = "formats";
	for (const struct trc_format *f = NULL; (f = next_format(f));)
		t->progress.of_steps++;
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct trace *t = q;

	t->path = input;
	t->in = t->query.in;
	return trc_job_again(input, "--formats reads the input many times", err);
}

static int
know(void *q, struct trc_job *job, bool *known, struct trc_err *err)
{
	struct trace *t = q;
	int ret = -1;

	begin_progress(t, t->query.quiet);
	if (count(t, job, err) == 0 && make_dir(t, err) == 0) {
		ret = measure_all(t, err);
		trc_temporary_close(&t->dir);
	}
	trc_progress_end(&t->progress);
	*known = true;
	return ret;
}

static void
release(void *of)
{
	struct form **form = of;

	free(*form);
	*form = NULL;
}

const struct trc_action trc_stat_formats = {
	.name = "--formats",
	.takes = TRC_TAKES(&opts, TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct trace), .begin = begin, .know = know,
	                   .owns = { { offsetof(struct trace, form), release } }, .answer = answer,
	                   .alone = true),
	.no_shards = "sizes and speeds are measured on the whole trace; measure a part with "
	             "--limit"
};
