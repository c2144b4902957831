/* SPDX-License-Identifier: MIT
 * Leads from paths and settings to a source and a sink; options.c has the options themselves. */
#include "cmd/job/job.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "batch/provenance.h"
#include "base/shown.h"
#include "base/suggest.h"
#include "cmd/job/salvage.h"
#include "cmd/names/folder.h"
#include "cmd/job/modules.h"
#include "cmd/names/recorded.h"
#include "machine/bus/bus.h"
#include "machine/bus/package.h"

/* Stages before an output, active if one of their options is given. */
#define STAGE(name) extern const struct trc_stage_row trc_stage_row_##name;
#include "stages.def"
#undef STAGE

static const struct trc_stage_row *const stage[] = {
#define STAGE(name) &trc_stage_row_##name,
#include "stages.def"
#undef STAGE
};

static struct trc_out *
create(const char *path, const struct trc_job_publish *how, bool over_input, struct trc_err *err)
{
	struct trc_out *out = how->force && over_input ? trc_out_open_over_input(path, err) :
	                                                 trc_out_open(path, how->force, err);

	if (out && how->no_sync)
		trc_out_no_sync(out);
	return out;
}

struct trc_out *
trc_job_create(const char *path, const struct trc_job_publish *how, struct trc_err *err)
{
	return create(path, how, false, err);
}

enum { WORDS_ROOM = 512, FEW_LINES = 20 };

/* Appends "WORD", or "WORD=NUMBER" unless `number` is NULL, to the arguments of a format. */
static void
add_word(char *words, const char *word, const uint64_t *number)
{
	const size_t n = strlen(words);
	const char *comma = n ? "," : "";

	if (number)
		snprintf(words + n, WORDS_ROOM - n, "%s%s=%llu", comma, word, (ull)*number);
	else
		snprintf(words + n, WORDS_ROOM - n, "%s%s", comma, word);
}

static int
begin_words(const struct trc_format *f, const char *given, char *words, struct trc_err *err)
{
	if (given && strlen(given) > WORDS_ROOM / 2)
		return trc_fail_as(err, TRC_USAGE,
		                   "%s: the arguments have %zu characters, which is too long",
		                   f->name, strlen(given));
	snprintf(words, WORDS_ROOM, "%s", given ? given : "");
	return 0;
}

bool
trc_job_is_container(const struct trc_format *f)
{
	return strcmp(f->name, "trc") == 0;
}

static int
refuse_option(const char *name, const struct trc_format *f, struct trc_err *err)
{
	return trc_fail_as(err, TRC_USAGE, "--%s is for containers (trc), not for %s", name,
	                   f->name);
}

static int
source_words(const struct trc_job_in *in, const struct trc_format *f, char *words,
             struct trc_err *err)
{
	if (begin_words(f, trc_format_arguments(in->from), words, err))
		return -1;
	if (!trc_job_is_container(f))
		return 0;
	if (in->salvage)
		add_word(words, "salvage", NULL);
	if (in->memlimit)
		add_word(words, "memlimit", &in->memlimit);
	if (in->threads)
		add_word(words, "threads", &in->threads);
	return 0;
}

/* Appends an option of the container with its value. */
static void
add_option(char *words, const struct trc_opt *o, const void *settings)
{
	uint64_t v;

	if (o->kind == TRC_OPT_FLAG) {
		add_word(words, o->name, NULL);
		return;
	}
	memcpy(&v, (const char *)settings + o->at, sizeof(v));
	v -= o->kind == TRC_OPT_LEVEL || o->kind == TRC_OPT_PERCENT;
	add_word(words, o->name, &v);
}

/* Chooses defaults for recordings. The recorded program waits for trc, so packing is fast unless
 * the user asks otherwise. Blocks are not verified either: a mismatch would end a recording that
 * cannot be repeated, and a later reader detects it by the fingerprint anyway. */
static void
add_recording(const struct trc_settings *settings, char *words)
{
	const uint64_t level = 1;

	if (!trc_settings_named(settings, "level") && !trc_settings_named(settings, "extreme"))
		add_word(words, "level", &level);
	if (!trc_settings_named(settings, "no-verify"))
		add_word(words, "no-verify", NULL);
}

static int
sink_words(const struct trc_job_out *out, const struct trc_format *f, uint64_t threads, char *words,
           struct trc_err *err)
{
	const struct trc_opts *const container[] = { &trc_job_opts_level, &trc_job_opts_container };
	const struct trc_opt *o = NULL;

	if (begin_words(f, trc_format_arguments(out->to), words, err))
		return -1;
	if (!trc_job_is_container(f) && trc_settings_given(out->settings, &trc_job_opts_note))
		return refuse_option("note", f, err);
	for (size_t i = 0; i < TRC_COUNT(container); i++)
		while ((o = trc_settings_next(out->settings, container[i], o))) {
			if (!trc_job_is_container(f))
				return refuse_option(o->name, f, err);
			add_option(words, o, trc_settings_of(out->settings, container[i]));
		}
	if (threads && trc_job_is_container(f))
		add_word(words, "threads", &threads);
	if (out->recording && trc_job_is_container(f))
		add_recording(out->settings, words);
	return 0;
}

struct trc_job_in
trc_job_in_for(const struct trc_job_out *out, const char *path)
{
	struct trc_job_in in = *trc_job_in(out->settings);
	struct trc_err none = { 0 };
	const struct trc_format *f = trc_job_format(out, path, NULL, &none);

	in.provenance = f && trc_job_is_container(f);
	return in;
}

/* Prints a line for each interpretation that the head of the input fits. */
static void
report_evidence(const char *name, const struct trc_evidence *evidence)
{
	for (const char *p = evidence->text, *end; (end = strchr(p, '\n')); p = end + 1) {
		char text[512];

		snprintf(text, sizeof(text), "%s: %.*s", name, (int)(end - p), p);
		trc_shown(text);
		fprintf(stderr, "trc: %s\n", text);
	}
}

/* Recognises the format. A file that only trc replay takes is not a trace, so it gets a message of
 * its own. With --salvage, a file that nothing else recognises is a container, because its
 * beginning may be lost. */
static const struct trc_format *
recognise(struct trc_in *in, const struct trc_job_in *settings, struct trc_err *err)
{
	struct trc_evidence evidence = { "" };
	const struct trc_format *f = trc_format_recognise_with(in, &evidence, err);
	const size_t n = (size_t)(in->end - in->p);

	if (settings->verbose)
		report_evidence(in->name, &evidence);
	if (f || err->code != TRC_FAILED)
		return f;
	if (trc_package_probe(in->p, n))
		trc_fail(err, "%s: is a package; to compute its trace, use trc replay run PKG OUT",
		         in->name);
	else if (trc_bus_probe(in->p, n))
		trc_fail(err,
		         "%s: is a bus trace; to compute its instruction trace, use trc replay "
		         "BUS OUT",
		         in->name);
	else if (settings->salvage && err->readings == 0)
		return trc_format_named("trc");
	return NULL;
}

static void
report_recognised(const struct trc_job *job, const char *name, const char *from)
{
	char columns[128], text[512];

	snprintf(text, sizeof(text), "%s: %s %s (%s), with %s", name,
	         from ? "read as" : "recognised as", job->format->name, job->format->doc,
	         trc_columns_text(job->src->have, columns, sizeof(columns)));
	trc_shown(text);
	fprintf(stderr, "trc: %s\n", text);
}

/* Keeps a note on what the columns do not hold as it stands, or on how the data is read if only its
 * content suggests that. */
static void
note_changes(struct trc_job *job, const struct trc_in *in, const char *words)
{
	const struct trc_format *f = job->format;
	const char *changes = *words && f->caution ? f->caution(words) : f->changes;

	if (*in->reading.what && !*words)
		snprintf(job->changes, sizeof(job->changes), "read as --from %s%s",
		         in->reading.from, in->reading.what + strcspn(in->reading.what, ";"));
	else
		snprintf(job->changes, sizeof(job->changes), "%s", changes ? changes : "");
}

/* Returns true if a text has so few lines that only their grammar identifies the format. */
static bool
has_few_lines(const struct trc_in *in)
{
	size_t lines = 0;

	for (const uint8_t *p = in->p; p < in->end && lines < FEW_LINES; p++)
		lines += *p == '\n';
	return in->eof && lines < FEW_LINES;
}

static int
open_source(struct trc_job *job, struct trc_in *in, const struct trc_job_in *settings,
            struct trc_err *err)
{
	const char *from = settings->from;
	char words[WORDS_ROOM];

	job->format = from ? trc_job_format_named(from, err) : recognise(in, settings, err);
	if (!job->format)
		return -1;
	in->salvages &=
	        !trc_job_is_container(job->format); /* the container's own reader salvages more */
	if (source_words(settings, job->format, words, err) ||
	    (settings->bytes && settings->bytes->from > 0 && trc_format_needs_line(job->format) &&
	     trc_in_keep_line(in, err)) ||
	    (settings->bytes && trc_in_between(in, settings->bytes->from, settings->bytes->to,
	                                       settings->bytes->sum, err)))
		return -1;
	if (settings->bytes)
		in->name = settings->bytes->name;
	job->seekable = trc_in_size(in) > 0;
	job->in = in;
	job->gives = job->format;
	job->guessed = !from && trc_format_ending(in->name) != job->format;
	job->few = job->guessed && has_few_lines(in);
	job->raw_at = &in->raw_at;
	job->raw_size = in->raw_size;
	job->src = trc_format_source(job->format, *words ? words : NULL, in, err);
	if (!job->src)
		return -1;
	job->file = job->src;
	note_changes(job, in, words);
	if (settings->verbose)
		report_recognised(job, in->name, from);
	if (job->format->line)
		snprintf(job->src->meta.format, sizeof(job->src->meta.format), "%s",
		         job->format->name);
	return 0;
}

int
trc_job_wrap(struct trc_job *job, struct trc_source *src)
{
	if (!src)
		return -1;
	job->src = src;
	return 0;
}

int
trc_job_drop(struct trc_job *job, uint32_t columns, struct trc_err *err)
{
	if (!(job->src->have & columns))
		return 0;
	return trc_job_wrap(job, trc_stage_columns(job->src, columns, 0, NULL, 0, err));
}

bool
trc_job_in_whole(const struct trc_job_in *in)
{
	return !in->skip && !in->limit && !in->from_time && !in->to_time &&
	       !trc_filter_any(&in->filter);
}

struct trc_job_in
trc_job_in_each(const struct trc_job_in *in)
{
	struct trc_job_in each = *in;

	each.skip = each.limit = each.from_time = each.to_time = 0;
	each.filter = (struct trc_filter){ 0 };
	return each;
}

int
trc_job_filter(struct trc_job *job, const struct trc_job_in *in, struct trc_err *err)
{
	return trc_filter_any(&in->filter) ?
	               trc_job_wrap(job, trc_stage_filter(job->src, &in->filter, err)) :
	               0;
}

int
trc_job_select(struct trc_job *job, const struct trc_job_in *in, struct trc_err *err)
{
	const uint64_t limit = in->limit ? in->limit : UINT64_MAX;

	if (in->to_time && in->to_time <= in->from_time)
		return trc_fail_as(err, TRC_USAGE, "--to-time: %llu is not after --from-time %llu",
		                   (ull)in->to_time, (ull)in->from_time);
	/* If instructions are identified by fetches, those before --from-time count as well, so the
	 * filter comes first. */
	job->follows = trc_filter_follows(&in->filter, job->src);
	if (job->follows && trc_job_filter(job, in, err))
		return -1;
	if ((in->from_time || in->to_time) &&
	    trc_job_wrap(job, trc_stage_times(job->src, in->from_time, in->to_time - 1, err)))
		return -1;
	if (!job->follows && trc_job_filter(job, in, err))
		return -1;
	if (!in->skip && !in->limit)
		return 0;
	if (trc_job_wrap(job, trc_stage_range(job->src, in->skip, limit, err)))
		return -1;
	job->range = in->skip ? job->src : NULL;
	job->skip = in->skip;
	job->named = in->named;
	return 0;
}

int
trc_job_open(struct trc_job *job, const char *path, const struct trc_job_in *settings,
             struct trc_err *err)
{
	struct trc_in *in;

	*job = (struct trc_job){ 0 };
	if (!settings->from && trc_recorded_refuse(path, err))
		return -1;
	in = trc_in_open(path, err);
	return in ? trc_job_open_in(job, in, settings, err) : -1;
}

/* Appends the modules that DynamoRIO lists next to the trace. */
static int
put_log(void *trace, struct trc_buf *list, struct trc_err *err)
{
	return trc_modules_put_log(list, trace, err);
}

int
trc_job_open_in(struct trc_job *job, struct trc_in *in, const struct trc_job_in *settings,
                struct trc_err *err)
{
	*job = (struct trc_job){ 0 };
	job->whole = trc_job_in_whole(settings) && !settings->salvage;
	job->threads = settings->threads;
	if ((settings->salvage && trc_in_salvage(in, err)) || open_source(job, in, settings, err)) {
		trc_in_close(in);
		return -1;
	}
	/* The provenance of a container is at its end and describes the whole, so a part of one
	 * waits for it. */
	job->src->meta_at_end |= settings->provenance && trc_job_is_container(job->format);
	if ((settings->salvage && !trc_job_is_container(job->format) &&
	     trc_job_wrap(job, trc_job_salvage(job->src, in, err))) ||
	    (job->src->fetched & TRC_FETCHED_OUTCOMES &&
	     trc_job_wrap(job, trc_stage_outcomes(job->src, NULL, err))) ||
	    (settings->provenance && strcmp(job->format->name, "drmemtrace") == 0 &&
	     trc_job_wrap(job, trc_modules_source(job->src, put_log, (void *)job->in->name, true,
	                                          err))) ||
	    (settings->provenance && !trc_job_is_container(job->format) &&
	     trc_job_wrap(job, trc_stage_origin(job->src, job->format->name, job->whole, err))) ||
	    trc_job_select(job, settings, err)) {
		trc_source_close(job->src);
		job->src = NULL;
		return -1;
	}
	return 0;
}

/* Refuses a name whose ending stands for a packing that cannot be written. */
static int
check_packing(const char *path, struct trc_err *err)
{
	static const char *const others[] = { "zip", "lz4", "lz",  "lzma", "lzo", "br",  "Z",
		                              "7z",  "rar", "tar", "tgz",  "txz", "bz3", "sz" };
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < TRC_COUNT(others); i++)
		if (strcmp(dot + 1, others[i]) == 0)
			return trc_fail_as(err, TRC_USAGE,
			                   "'%s': .%s files cannot be written; use .xz, .gz, .bz2 "
			                   "or .zst (containers, .trc, need no packing)",
			                   path, others[i]);
	return 0;
}

const struct trc_format *
trc_job_format(const struct trc_job_out *out, const char *path, const struct trc_format *otherwise,
               struct trc_err *err)
{
	const struct trc_format *f;

	if (check_packing(path, err))
		return NULL;
	if (out->to)
		return trc_job_format_named(out->to, err);
	f = trc_format_ending(path);
	if (!f)
		f = otherwise;
	if (!f && strcmp(path, "-") == 0)
		trc_fail_as(err, TRC_USAGE,
		            "the format for standard output is unknown; use --to FORMAT, like "
		            "--to trc, or name an OUTPUT");
	else if (!f && *path && path[strlen(path) - 1] != '/' && trc_folder_is(path))
		trc_fail_as(err, TRC_USAGE,
		            "'%s' is a folder; add a trailing slash to write a file for each input "
		            "into it",
		            path);
	else if (!f)
		trc_fail_as(err, TRC_USAGE,
		            "the name '%s' does not imply a format; use --to FORMAT", path);
	return f;
}

bool
trc_job_shapes(const struct trc_job_out *out)
{
	for (size_t i = 0; i < TRC_COUNT(stage); i++)
		if (trc_settings_given(out->settings, &stage[i]->opts))
			return true;
	return false;
}

void
trc_job_note_threads(const struct trc_job *job)
{
	struct trc_provenance_entry e;

	if (job->file && !(job->file->have & TRC_HAS_TASK) &&
	    trc_provenance_last(trc_source_provenance(job->file), "threads", &e))
		job->src->fetched |= TRC_FETCHED_MIXED;
}

int
trc_job_shape(struct trc_job *job, const struct trc_job_out *out, struct trc_err *err)
{
	if (trc_job_shapes(out))
		trc_job_note_threads(job);
	for (size_t i = 0; i < TRC_COUNT(stage); i++)
		if (stage[i] != out->done && trc_settings_given(out->settings, &stage[i]->opts) &&
		    trc_job_wrap(job,
		                 stage[i]->wrap(job->src,
		                                trc_settings_of(out->settings, &stage[i]->opts),
		                                err)))
			return -1;
	return 0;
}

/* Parses the value of --compress: "xz" or "xz:9". */
static int
parse_compress(const char *word, const struct trc_packing **row, int *level, struct trc_err *err)
{
	const size_t len = strcspn(word, ":");
	char name[64];
	struct trc_suggest suggest = { .word = name };
	uint64_t n;

	*row = trc_packing_named(word, len);
	if (!*row) {
		snprintf(name, sizeof(name), "%.*s", (int)(len < 60 ? len : 60), word);
		while ((*row = trc_packing_next(*row)))
			trc_suggest_offer(&suggest, (*row)->name);
		return trc_suggest_fail(&suggest, "", "; did you mean 'xz'?", err,
		                        "--compress: no '%s'", name);
	}
	*level = (*row)->level;
	if (!word[len])
		return 0;
	if (!trc_opt_number(word + len + 1, false, &n) || n < (uint64_t)(*row)->least ||
	    n > (uint64_t)(*row)->most)
		return trc_fail_as(err, TRC_USAGE, "--compress: %s has levels %d to %d",
		                   (*row)->name, (*row)->least, (*row)->most);
	*level = (int)n;
	return 0;
}

/* Packs `out` by the ending of its name or by --compress, which must not contradict it; .zstf is
 * packed by its format. */
static int
pack(struct trc_out *out, const char *path, const struct trc_format *format, const char *compress,
     struct trc_err *err)
{
	const struct trc_packing *named = trc_packing_ending(path), *row;
	int level;

	if (named && strcmp(named->name, format->name) == 0)
		named = NULL;
	row = named;
	level = named ? named->level : 0;
	if (compress && parse_compress(compress, &row, &level, err))
		return -1;
	if (named && named != row)
		return trc_fail_as(err, TRC_USAGE, "--compress: '%s' implies %s, not %s", path,
		                   named->name, row->name);
	return row ? trc_out_pack(out, row, level, err) : 0;
}

struct trc_sink *
trc_job_sink(const struct trc_job *job, const char *path, const struct trc_format *format,
             const struct trc_job_out *settings, struct trc_err *err)
{
	struct trc_sink *sink = NULL;
	struct trc_out *out;
	char words[WORDS_ROOM];

	if (sink_words(settings, format, job->threads, words, err))
		return NULL;
	out = create(path, &settings->publish, job->over_input, err);
	if (!out)
		return NULL;
	if ((format->binary || settings->compress) && trc_out_terminal(out))
		trc_fail_as(err, TRC_USAGE,
		            "%s is binary and cannot be written to a terminal; name an output "
		            "file or use a pipe",
		            settings->compress ? settings->compress : format->name);
	else if (pack(out, path, format, settings->compress, err) == 0)
		sink = trc_format_sink(format, *words ? words : NULL, out, job->src->have,
		                       &job->src->meta, err);
	if (!sink)
		trc_out_close(out);
	return sink;
}

bool
trc_job_of_files(const struct trc_job *job)
{
	struct stat st;

	for (size_t i = 0; i < job->inputs; i++)
		if (strcmp(job->input[i], "-") == 0 || stat(job->input[i], &st) ||
		    (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
			return false;
	return job->inputs > 0;
}

int
trc_job_again(const char *path, const char *again, struct trc_err *err)
{
	struct stat st;

	/* A name that does not exist passes; opening it then reports the reason. */
	if (strcmp(path, "-") == 0 ||
	    (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return trc_fail_as(err, TRC_USAGE, "%s, so it has to be a file", again);
	return 0;
}
