/* SPDX-License-Identifier: MIT
 * Pumps an opened input into a sink or an output, shows progress, and reports losses at the end. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cores.h"
#include "base/io/reads.h"
#include "base/shown.h"
#include "batch/index.h"
#include "cmd/names/folder.h"
#include "cmd/job/job.h"
#include "cmd/job/pump_chunks.h"
#include "cmd/names/manifest.h"

static void
gap_text(const struct trc_gap *g, char *dst, size_t room)
{
	const unsigned long long first = g->first + 1;
	size_t len;

	if (g->rows == TRC_GAP_REST)
		snprintf(dst, room, "%llu and all after", first);
	else if (g->rows == TRC_GAP_UNKNOWN && g->first == 0)
		snprintf(dst, room, "an unknown number at the start");
	else if (g->rows == TRC_GAP_UNKNOWN)
		snprintf(dst, room, "an unknown number after %llu", first - 1);
	else
		snprintf(dst, room, "%llu to %llu", first, first + g->rows - 1);
	len = strlen(dst);
	if (g->of)
		snprintf(dst + len, room - len, " of %s", g->of);
}

/* Fails with the gaps in a salvaged trace, if there are any. */
static int
report_gaps(const struct trc_meta *meta, struct trc_err *err)
{
	size_t len;

	if (meta->gaps == 0)
		return 0;
	trc_fail(err, "salvaged all records except:");
	for (size_t i = 0; i < meta->gaps; i++) {
		char gap[160];

		len = strlen(err->text);
		if (len + sizeof(gap) + 32 > sizeof(err->text)) {
			snprintf(err->text + len, sizeof(err->text) - len, ", and %zu gaps more",
			         meta->gaps - i);
			break;
		}
		gap_text(&meta->gap[i], gap, sizeof(gap));
		snprintf(err->text + len, sizeof(err->text) - len, "%s %s", i ? "," : "", gap);
	}
	return -1;
}

static void
report_repair(const struct trc_job *job, bool quiet)
{
	const struct trc_meta *meta = &job->src->meta;
	const char *name = job->in ? job->in->name : "the input";

	if (meta->repaired && !quiet)
		fprintf(stderr,
		        "trc: note: repaired damaged sectors of the input: %llu; rewrite it while "
		        "that is possible\n",
		        (ull)meta->repaired);
	if (meta->cut)
		fprintf(stderr, "trc: note: the input was cut; any traces joined to it are lost\n");
	if (meta->unended & TRC_UNENDED_SHORT && !quiet)
		fprintf(stderr,
		        "note: %s: the last line has no newline and is shorter than the lines before "
		        "it, so the text may be truncated\n",
		        name);
}

/* Notes that --skip exceeds the trace. A number with a digit too many leaves no records, which is
 * not an error. */
static void
report_beyond(const struct trc_job *job)
{
	const bool insns = job->skip & TRC_OPT_INSNS;
	const unsigned long long skip = job->skip & ~TRC_OPT_INSNS;
	uint64_t rows;
	char which[512] = "the trace";

	if (!job->range || !trc_stage_range_beyond(job->range, &rows))
		return;
	if (job->named && job->inputs)
		snprintf(which, sizeof(which), "'%s'", job->input[0]);
	trc_shown(which);
	if (rows)
		fprintf(stderr, "note: --skip %llu%s: %s has only %llu %s%s\n", skip,
		        insns ? "i" : "", which, (ull)rows, insns ? "instruction" : "record",
		        rows == 1 ? "" : "s");
	else
		fprintf(stderr, "note: --skip %llu%s: %s has no records after these\n", skip,
		        insns ? "i" : "", which);
}

/* Counts the rows that a job pumps. */
struct pumping {
	struct trc_watch watch;
	struct trc_job *job;
};

static int
pumping_batch(struct trc_watch *w, size_t rows, struct trc_err *err)
{
	struct trc_job *job = ((struct pumping *)w)->job;

	(void)err;
	job->rows += rows;
	if (!job->progress->at_source)
		trc_progress_passed(job->progress, rows);
	return 0;
}

/* Returns the number of rows in a container according to its index, or 0 if it is unknown. The
 * container is opened a second time, because a reader that starts with the index reports other
 * damage first. */
static uint64_t
rows_by_index(const char *path)
{
	const struct trc_job_in in = { .from = "trc" };
	const struct trc_index *index = NULL;
	struct trc_err err = { 0 };
	struct trc_job job;
	uint64_t rows = 0;

	if (trc_job_open(&job, path, &in, &err))
		return 0;
	if (trc_source_index(job.src, &index, &err) == 0 && index)
		rows = index->counts.rows;
	trc_source_close(job.src);
	return rows;
}

void
trc_job_measure(const struct trc_job *job, struct trc_progress *p)
{
	if (!job->format || !trc_job_is_container(job->format)) {
		p->raw_at = job->raw_at;
		p->raw_size = job->raw_size;
		p->packed = !job->seekable;
	} else if (p->wanted && job->whole && job->raw_size && job->inputs == 1) {
		p->of = rows_by_index(job->input[0]);
	}
}

void
trc_job_begin_progress(struct trc_job *job, struct trc_progress *p, bool quiet)
{
	trc_progress_init(p, "records", quiet);
	trc_job_measure(job, p);
	job->progress = p;
}

int
trc_job_report(const struct trc_job *job, bool quiet, struct trc_err *err)
{
	if (job->gives_cut && job->file->meta.cut)
		return trc_meta_fail_cut(job->input[0], job->rows, err);
	report_repair(job, quiet);
	if (!quiet || job->named)
		report_beyond(job);
	return report_gaps(&job->src->meta, err);
}

void
trc_job_note(struct trc_job *job, bool quiet)
{
	const struct trc_format *f = job->format;

	if (quiet || job->noted)
		return;
	if (job->follows)
		fprintf(stderr, "note: --pc: the trace has no 'pc'; using the last fetch of each "
		                "task\n");
	job->noted = true;
	if (!f)
		return;
	if (f->doubt && job->guessed)
		fprintf(stderr, "note: recognised as %s: %s\n", f->name, f->doubt);
	else if (f->base && f->line && job->few && !*job->changes)
		fprintf(stderr, "note: recognised by few lines as %s: %s; --from says otherwise\n",
		        f->name, f->line->grammar);
	if (*job->changes)
		fprintf(stderr, "note: %s: %s\n", f->name, job->changes);
}

/* Returns true if starting threads takes longer than they save: for a small text, whose source
 * knows how much is left. A small container may have many rows. */
static bool
is_small(const struct trc_job *job)
{
	enum { WORTH_THREADS = 8 << 20 }; /* bytes */
	struct stat st;

	return job->file && job->file->slices && job->file->slices->left && job->inputs == 1 &&
	       stat(job->input[0], &st) == 0 && st.st_size <= WORTH_THREADS;
}

int
trc_job_threads(const struct trc_job *job)
{
	return job->threads == 0 && is_small(job) ? 1 : trc_threads(job->threads);
}

int
trc_job_pump(struct trc_job *job, struct trc_sink *sink, bool quiet, struct trc_err *err)
{
	struct pumping pumping = { { pumping_batch }, job };
	const int threads = trc_job_threads(job);
	struct trc_progress own;
	int ret;

	trc_job_note(job, quiet);
	if (!job->progress)
		trc_job_begin_progress(job, &own, quiet);
	/* Uses all cores where that may be faster. It requires files: a signal wakes only one
	 * thread, which then must be the one that waits for data from a pipe. */
	if (trc_pump_has_chunks(job->src, sink) && threads > 1 && trc_job_of_files(job))
		ret = trc_pump_chunks(job->src, sink, threads, &pumping.watch, err);
	else
		ret = trc_pump(job->src, sink, TRC_BATCH_ROWS, &pumping.watch, err);
	if (job->progress == &own) {
		trc_progress_end(&own);
		job->progress = NULL;
	}
	return ret ? ret : trc_job_report(job, quiet, err);
}

bool
trc_job_quiet(const struct trc_job_out *out, const char *path, const struct trc_format *format)
{
	return out->quiet || out->recording ||
	       (strcmp(path, "-") == 0 && !format->report && isatty(STDOUT_FILENO));
}

/* Returns what would be lost of an input if the output replaced it, or NULL for nothing. A
 * container rewritten as a container keeps everything; other formats may hold unknown data besides
 * records. */
static const char *
what_is_lost(const struct trc_job *job, const struct trc_format *format,
             const struct trc_job_out *out)
{
	static const char *const leaves_out[] = { "from",    "skip",     "limit", "from-time",
		                                  "to-time", "salvage",  "drop",  "split-modify",
		                                  "only",    "addr",     "pc",    "task",
		                                  "space",   "coalesce", "v2p" };

	if (out->loses || !job->inputs)
		return out->loses ? out->loses : "everything in it";
	if (job->inputs > 1 ||
	    (job->inputs && (trc_folder_is(job->input[0]) || trc_manifest_is(job->input[0]))))
		return "which records were its own";
	for (size_t i = 0; i < TRC_COUNT(leaves_out); i++)
		if (trc_settings_named(out->settings, leaves_out[i]))
			return "what the options filter out";
	if (job->format && !trc_job_is_container(job->format))
		return "anything it has besides records";
	return trc_job_is_container(format) ? NULL : "what the new format cannot hold";
}

/* Refuses an output that is also an input, unless everything in that input goes into it. */
static int
check_inputs(struct trc_job *job, const char *path, const struct trc_format *format,
             const struct trc_job_out *out, struct trc_err *err)
{
	const char *what = what_is_lost(job, format, out);

	job->over_input = !what && job->inputs && trc_reads_same(path, job->input[0]);
	return job->over_input ? 0 : trc_reads_check(path, what, err);
}

/* Drops columns that were computed for a format that wants them, if this format does not. */
static int
lose_spare(struct trc_job *job, const struct trc_format *f, struct trc_err *err)
{
	return trc_job_drop(job, job->src->spare & ~(f->wants | f->needs), err);
}

struct trc_sink *
trc_job_begin(struct trc_job *job, const char *path, const struct trc_format *format,
              const struct trc_job_out *out, struct trc_err *err)
{
	if (check_inputs(job, path, format, out, err) || trc_job_shape(job, out, err) ||
	    (out->fit && trc_fit_wrap(out->fit, &job->src, err)) ||
	    (out->fitting && out->fitting(job, format, out, err)) || lose_spare(job, format, err) ||
	    trc_job_step(job, format, out, NULL, err))
		return NULL;
	return trc_job_sink(job, path, format, out, err);
}

/* Prints each caveat that concerns the columns `holds`, with its number of rows. */
static void
note_caveats(const char *name, const struct trc_caveat *caveat, uint32_t holds)
{
	for (size_t i = 0; i < TRC_CAVEATS; i++)
		if (caveat[i].rows && (!caveat[i].columns || caveat[i].columns & holds))
			fprintf(stderr, "note: %s: %s: %llu\n", name, caveat[i].text,
			        (ull)caveat[i].rows);
}

int
trc_job_write_rows(struct trc_job *job, const char *path, const struct trc_format *format,
                   const struct trc_job_out *out, struct trc_err *err)
{
	struct trc_sink *sink = trc_job_begin(job, path, format, out, err);
	int ret;

	if (!sink)
		return -1;
	job->gives_cut = job->file && job->file->seek && job->file->seek->give_cut &&
	                 !job->over_input && !trc_job_in(out->settings)->salvage;
	if (job->gives_cut)
		job->file->seek->give_cut(job->file);
	if (format->without && format->wants & ~job->src->have && !out->quiet)
		fprintf(stderr, "note: %s: %s\n", format->name, format->without);
	ret = trc_job_pump(job, sink, trc_job_quiet(out, path, format), err);
	if (ret == 0 && !out->quiet) {
		note_caveats(job->gives ? job->gives->name : "input", job->src->meta.caveat,
		             job->src->have & format->holds);
		note_caveats(format->name, sink->caveat, format->holds);
	}
	trc_sink_close(sink);
	return ret;
}

/* ---- what became of it ---- */

/* Returns the size of a regular file in bytes, or 0 for anything else. */
static uint64_t
bytes_of(const char *path)
{
	struct stat st;
	const int failed = strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, &st) : stat(path, &st);

	return !failed && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

/* Returns the bytes of all inputs, 0: unknown. A packed input counts unpacked. */
static uint64_t
input_bytes(const struct trc_job *job)
{
	uint64_t sum = 0;

	if (job->in && !trc_job_is_container(job->format))
		return trc_in_offset(job->in);
	for (size_t i = 0; i < job->inputs; i++) {
		const uint64_t bytes = strcmp(job->input[i], "-") == 0 ? 0 :
		                                                         bytes_of(job->input[i]);

		if (!bytes)
			return 0;
		sum += bytes;
	}
	return sum;
}

/* Formats a number for people: "138 kB". */
static const char *
scaled(double v, const char *unit, char *dst, size_t room)
{
	static const char *const prefix[] = { "", "k", "M", "G", "T" };
	size_t i = 0;

	for (; v >= 999.5 && i + 1 < TRC_COUNT(prefix); i++)
		v /= 1000;
	snprintf(dst, room, v < 9.95 && i > 0 ? "%.1f %s%s" : "%.0f %s%s", v, prefix[i], unit);
	return dst;
}

/* Formats a ratio as "1550 : 1" or "1 : 23.4". */
static const char *
ratio(uint64_t in, uint64_t out, char *dst, size_t room)
{
	const double r = in > out ? (double)in / (double)out : (double)out / (double)in;

	snprintf(dst, room, in > out ? "%.*f : 1" : "1 : %.*f", r < 99.5, r);
	return dst;
}

void
trc_job_summary(const struct trc_job *job, const char *path, const struct trc_job_out *out,
                double start)
{
	const bool standard = strcmp(path, "-") == 0;
	const double seconds = trc_progress_clock() - start;
	const uint64_t in = input_bytes(job), written = bytes_of(path);
	char from[32], to[32], text[32];

	if (out->quiet ||
	    (!trc_job_in(out->settings)->verbose && (standard || !trc_progress_seen())))
		return;
	if (in && written)
		fprintf(stderr, "%s -> %s, %s, ", scaled((double)in, "B", from, sizeof(from)),
		        scaled((double)written, "B", to, sizeof(to)),
		        ratio(in, written, text, sizeof(text)));
	fprintf(stderr, "%.*f M records/s\n",
	        (double)job->rows<9.95e6 * seconds, seconds> 0 ? (double)job->rows / 1e6 / seconds :
	                                                         0);
}
