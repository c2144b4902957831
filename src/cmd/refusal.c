/* SPDX-License-Identifier: MIT
 * Explains a format that cannot hold a trace: lists everything that it lacks, and the command that
 * does what was asked for. With --for, does it. */
#include <stdio.h>
#include <string.h>

#include "cmd/annotate.h"
#include "cmd/conventions.h"
#include "cmd/job/job.h"

enum {
	TRIED = 1 << 16,      /* records on which a command is tried, at least */
	TRIED_MOST = 1 << 24, /* and at most, if a record far from the first was refused */
	ALL_TYPES = (1 << TRC_EVENT) - 1,
};

/* Collects the types of the first rows of an input; sets *whole if there are no other rows. */
static int
seen_types(struct trc_source *src, uint32_t *types, bool *whole, struct trc_err *err)
{
	enum trc_flow flow = TRC_FLOW_ROWS;
	struct trc_batch b;

	*types = 0;
	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, err))
		return -1;
	for (size_t n = 0; n < TRIED && flow == TRC_FLOW_ROWS; n += b.n) {
		flow = trc_source_next(src, &b, err);
		for (size_t i = 0; flow == TRC_FLOW_ROWS && b.type && i < b.n; i++)
			if (!trc_batch_is_event(&b, i))
				*types |= UINT32_C(1) << b.type[i];
	}
	trc_batch_release(&b);
	*whole = flow == TRC_FLOW_END;
	return flow == TRC_FLOW_FAILED ? -1 : 0;
}

/* Returns the types in the input: from the index of a container, or from the rows if these are few.
 * Otherwise returns the types that its format may have, and *sure is false. */
static uint32_t
input_types(const struct trc_job *job, const struct trc_settings *settings, bool *sure)
{
	const uint32_t may = job->types ? job->types : trc_fit_types(job->gives, NULL);
	const struct trc_index *index = NULL;
	struct trc_err none;
	struct trc_job own;
	uint32_t types;

	*sure = false;
	if (!job->again || !trc_job_of_files(job) || job->again(&own, settings, &none))
		return may;
	if (trc_source_index(own.src, &index, &none))
		index = NULL;
	*sure = index;
	types = trc_fit_types(job->gives, index);
	if (!index && seen_types(own.src, &types, sure, &none))
		*sure = false;
	trc_source_close(own.src);
	return *sure ? types : may;
}

/* Removes the types that the given options remove or convert. */
static uint32_t
left_types(const struct trc_settings *settings, uint32_t types)
{
	const struct trc_opt_list *drop = trc_settings_values(settings, "drop");

	for (size_t i = 0; i < drop->n; i++)
		for (const char *p = drop->word[i]; *p;) {
			const size_t len = strcspn(p, ",");
			const uint32_t one = trc_type_dropped(p, len);

			if (len == strlen("kernel") && memcmp(p, "kernel", len) == 0)
				types = (types | types >> TRC_KERNEL) & ALL_TYPES;
			types &= ~(one | one << TRC_KERNEL);
			p += len + (p[len] == ',');
		}
	if (trc_settings_named(settings, "split-modify"))
		types &= ~((UINT32_C(1) << TRC_MODIFY) | (UINT32_C(1) << TRC_MODIFY << TRC_KERNEL));
	return types;
}

static void
find_fit(const struct trc_job *job, const struct trc_format *format, const struct trc_job_out *out,
         struct trc_fit *fit)
{
	bool sure;
	uint32_t types = left_types(out->settings, input_types(job, out->settings, &sure));

	/* Pages of a reduced trace are read, written or deleted; those of a merge may also be
	 * fetched. */
	if (job->src->have & TRC_HAS_VPN && !(job->src->have & (TRC_HAS_ADDR | TRC_HAS_CPN)))
		types &= UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_WRITE |
		         UINT32_C(1) << TRC_INVALIDATE;

	trc_job_note_threads(job);
	trc_fit_find(fit, job->src, types, format, trc_format_arguments(out->to));
	fit->sure = sure;
}

static int
put(struct trc_buf *b, const char *text, struct trc_err *err)
{
	return trc_buf_put(b, text, strlen(text), err);
}

static void
note_losses(const struct trc_fit *fit, const char *name)
{
	struct trc_buf words = { 0 };
	struct trc_err none;

	if (trc_fit_words(fit, &words, &none) == 0 && words.n)
		fprintf(stderr, "note: for %s: %.*s\n", name, (int)words.n, (char *)words.p);
	trc_buf_release(&words);
}

/* Passes the first rows of the job to the sink. */
static int
try_rows(struct trc_job *job, struct trc_sink *sink, uint64_t rows, struct trc_err *err)
{
	enum trc_flow flow = TRC_FLOW_ROWS;
	struct trc_batch b;

	if (trc_batch_init(&b, job->src->have, TRC_BATCH_ROWS, err))
		return -1;
	for (uint64_t n = 0; n < rows && flow == TRC_FLOW_ROWS; n += b.n) {
		flow = trc_source_next(job->src, &b, err);
		if (flow == TRC_FLOW_ROWS && trc_sink_put(sink, &b, err))
			flow = TRC_FLOW_FAILED;
	}
	trc_batch_release(&b);
	return flow == TRC_FLOW_FAILED ? -1 : 0;
}

static int
try_fit(const struct trc_job *job, const struct trc_job_out *settings, const struct trc_fit *fit,
        const char *to, struct trc_err *err)
{
	const uint64_t rows = job->rows < TRIED_MOST ? job->rows + TRIED : TRIED_MOST;
	struct trc_job_out out = *settings;
	struct trc_sink *sink;
	struct trc_job again;
	int ret;

	out.quiet = true;
	out.to = to;
	out.preset = NULL;
	out.fit = fit;
	out.fitting = NULL;
	if (job->again(&again, out.settings, err))
		return -1;
	sink = trc_job_begin(&again, "/dev/null", fit->format, &out, err);
	ret = sink ? try_rows(&again, sink, rows, err) : -1;
	trc_sink_close(sink);
	trc_source_close(again.src);
	return ret;
}

/* Finds a fit that the first records pass: *fit, or else *fit without one more column. Sets *tried
 * if the input could be read again. */
static int
try_fits(const struct trc_job *job, const struct trc_job_out *out, const char *to,
         struct trc_fit *fit, bool *tried, struct trc_err *err)
{
	struct trc_err other = { 0 };

	*tried = job->again && trc_job_of_files(job);
	if (!*tried || try_fit(job, out, fit, to, err) == 0)
		return 0;
	for (int c = 0; c < TRC_COLUMNS && err->unfit; c++) {
		struct trc_fit less = *fit;

		if (!trc_fit_without(&less, job->src, (enum trc_column)c) ||
		    try_fit(job, out, &less, to, &other))
			continue;
		*fit = less;
		return 0;
	}
	return -1;
}

/* Appends a list option with its given values and the added ones. */
static int
put_list(struct trc_buf *b, const char *name, const struct trc_opt_list *given,
         const struct trc_buf *added, struct trc_err *err)
{
	struct trc_buf value = { 0 };
	int ret = 0;

	if (given->n == 0 && added->n == 0)
		return 0;
	for (size_t i = 0; i < given->n && ret == 0; i++)
		ret = put(&value, i ? "," : "", err) || put(&value, given->word[i], err);
	if (ret == 0 && added->n)
		ret = put(&value, value.n ? "," : "", err) ||
		      trc_buf_put(&value, added->p, added->n, err);
	if (ret == 0)
		ret = trc_buf_put_byte(&value, 0, err) || put(b, " --", err) || put(b, name, err) ||
		      trc_settings_word(b, (const char *)value.p, err);
	trc_buf_release(&value);
	return ret ? -1 : 0;
}

static int
put_lists(struct trc_buf *b, const struct trc_settings *settings, const struct trc_fit *fit,
          struct trc_err *err)
{
	struct trc_buf drops = { 0 }, fills = { 0 };
	int ret = trc_fit_drops(fit, &drops, err) || trc_fit_fills(fit, &fills, err);

	if (ret == 0)
		ret = put_list(b, "drop", trc_settings_values(settings, "drop"), &drops, err) ||
		      put_list(b, "fill", trc_settings_values(settings, "fill"), &fills, err);
	trc_buf_release(&drops);
	trc_buf_release(&fills);
	return ret ? -1 : 0;
}

/* Appends the words of the command that are not options. */
static int
put_words(struct trc_buf *b, const struct trc_settings *settings, struct trc_err *err)
{
	bool dashes = !trc_settings_named(settings, "record");

	if (!dashes && put(b, " --", err))
		return -1;
	for (size_t i = 0; settings->args && i < settings->args->n; i++) {
		const char *word = settings->args->word[i];

		if (dashes && word[0] == '-' && word[1]) {
			dashes = false;
			if (put(b, " --", err))
				return -1;
		}
		if (trc_settings_word(b, word, err))
			return -1;
	}
	return 0;
}

/* Appends the command as it was given, with the options that it needs in addition. */
static int
put_command(struct trc_buf *b, const struct trc_settings *settings, const struct trc_fit *fit,
            const char *to, struct trc_err *err)
{
	/* An output named by an option was moved to the last word. */
	static const char *const except[] = { "drop", "fill",   "split-modify", "to",
		                              "for",  "output", "stdout",       NULL };
	static const char *const some[] = { "drop", "fill", "split-modify", "to", "for", NULL };
	const bool named = trc_settings_takes(settings, &trc_conventions_opts_output);
	const bool split = fit->split_modify || trc_settings_named(settings, "split-modify");

	if (put(b, "trc ", err) || put(b, settings->command->name, err) ||
	    trc_settings_line(settings, named ? except : some, b, err) ||
	    (split && put(b, " --split-modify", err)) || put_lists(b, settings, fit, err))
		return -1;
	if ((fit->eased || trc_settings_named(settings, "to")) &&
	    (put(b, " --to", err) || trc_settings_word(b, to, err)))
		return -1;
	return put_words(b, settings, err);
}

/* Appends the lines below the message. */
static int
put_lines(struct trc_buf *b, const struct trc_fit *fit, const struct trc_settings *settings,
          const char *to, bool tried, struct trc_err *err)
{
	const struct trc_preset *p = NULL;

	while ((p = trc_preset_next(p)) && trc_format_named(p->to) != fit->format)
		;
	if (put(b, "in total, ", err) || trc_fit_words(fit, b, err) ||
	    put(b, "; this command", err) ||
	    (p && (put(b, ", or --for ", err) || put(b, p->name, err) || put(b, " alone,", err))) ||
	    put(b, tried ? " does it:\n  " : " may do it:\n  ", err) ||
	    put_command(b, settings, fit, to, err) || put(b, "\n", err) ||
	    trc_buf_put_byte(b, 0, err))
		return -1;
	return 0;
}

/* Formats the format with its arguments, as --to takes it. Returns `dst`. */
static const char *
name_format(const struct trc_fit *fit, char *dst, size_t room)
{
	snprintf(dst, room, "%s%s%s", fit->format->name, *fit->args ? ":" : "", fit->args);
	return dst;
}

void
trc_job_explain(const struct trc_job *job, const struct trc_format *format,
                const struct trc_job_out *out, struct trc_err *err)
{
	struct trc_buf lines = { 0 };
	struct trc_err other = { 0 };
	struct trc_fit fit;
	bool tried, fails;
	char to[128];

	if (out->preset)
		return; /* everything possible was done already */
	find_fit(job, format, out, &fit);
	name_format(&fit, to, sizeof(to));
	fails = !fit.never && try_fits(job, out, to, &fit, &tried, &other);
	if (fit.never || (fails && other.unfit && strcmp(other.text, err->text) != 0))
		snprintf(err->more, sizeof(err->more), "no option helps: %.900s\n",
		         fit.never ? fit.never : other.text);
	else if (!fails && trc_fit_any(&fit) &&
	         put_lines(&lines, &fit, out->settings, to, tried, &other) == 0 &&
	         lines.n <= sizeof(err->more))
		memcpy(err->more, lines.p, lines.n);
	trc_buf_release(&lines);
}

/* Appends --from as given, extended by the proposal. */
static int
put_from(struct trc_buf *b, const char *given, const char *from, struct trc_err *err)
{
	char words[512];

	if (*from == ',' && given && strchr(given, ':'))
		snprintf(words, sizeof(words), "%s%s", given, from);
	else if (*from == ',')
		snprintf(words, sizeof(words), "csv:%s", from + 1);
	else
		snprintf(words, sizeof(words), "%s", from);
	return put(b, " --from", err) || trc_settings_word(b, words, err) ? -1 : 0;
}

/* Appends one way to read the input: its command, and the first rows as it would read them. */
static int
put_reading(struct trc_buf *b, const struct trc_settings *settings, const struct trc_reading *r,
            struct trc_err *err)
{
	static const char *const named[] = { "from", "output", "stdout", NULL };
	static const char *const except[] = { "from", NULL };
	const bool output = trc_settings_takes(settings, &trc_conventions_opts_output);
	const struct trc_args *args = settings->args;
	const bool filtered = *r->filter;

	if (filtered && (!args || args->n != 1 || strcmp(*args->word, "-") == 0))
		return -1;
	if (put(b, "if ", err) || put(b, r->what, err) || put(b, ":\n  ", err) ||
	    (filtered &&
	     (put(b, r->filter, err) || put_words(b, settings, err) || put(b, " | ", err))) ||
	    put(b, "trc ", err) || put(b, settings->command->name, err) ||
	    put_from(b, trc_job_in(settings)->from, r->from, err) ||
	    trc_settings_line(settings, output ? named : except, b, err) ||
	    (filtered ? put(b, " -", err) : put_words(b, settings, err)) || put(b, "\n", err))
		return -1;
	for (const char *row = r->rows, *end; (end = strchr(row, '\n')); row = end + 1)
		if (put(b, "    ", err) || trc_buf_put(b, row, (size_t)(end + 1 - row), err))
			return -1;
	return 0;
}

void
trc_job_explain_from(const struct trc_settings *settings, struct trc_err *err)
{
	struct trc_buf b = { 0 };
	struct trc_err other = { 0 };
	size_t whole = 0;

	if (!trc_settings_takes(settings, &trc_job_opts_in))
		return;
	for (unsigned i = 0; i < err->readings; i++)
		if (put_reading(&b, settings, &err->reading[i], &other) == 0 &&
		    b.n < sizeof(err->more))
			whole = b.n;
	if (whole > 0) {
		memcpy(err->more, b.p, whole);
		err->more[whole] = 0;
	}
	trc_buf_release(&b);
}

/* Adds the branches and registers that the format holds, by instruction words. */
static int
annotate_for(struct trc_job *job, const struct trc_format *format, struct trc_err *err)
{
	const uint32_t lacks = format->holds & ~job->src->have & (TRC_HAS_BRANCH | TRC_HAS_REGS);
	const uint32_t more = ~format->holds & ~job->src->have & TRC_HAS_REGS;

	if (lacks == 0)
		return 0;
	if (trc_job_wrap(job, trc_annotate_own(job->src, err)))
		return -1;
	return more & job->src->have ?
	               trc_job_wrap(job, trc_stage_columns(job->src, more, 0, NULL, 0, err)) :
	               0;
}

int
trc_job_fit(struct trc_job *job, const struct trc_format *format, const struct trc_job_out *out,
            struct trc_err *err)
{
	struct trc_err other = { 0 };
	struct trc_fit fit;
	bool tried;

	if (!out->preset)
		return 0;
	trc_job_note_threads(job); /* before branches are annotated */
	if (annotate_for(job, format, err))
		return -1;
	find_fit(job, format, out, &fit);
	if (fit.never)
		return trc_fail(err, "for %s: %s", out->preset->name, fit.never);
	/* If this fails, writing fails as well, but after the records that can be written. */
	(void)try_fits(job, out, out->to, &fit, &tried, &other);
	if (!out->quiet && !out->noted)
		note_losses(&fit, out->preset->name);
	return trc_fit_wrap(&fit, &job->src, err);
}

int
trc_job_write(struct trc_job *job, const char *path, const struct trc_format *format,
              const struct trc_job_out *settings, struct trc_err *err)
{
	struct trc_job_out out = *settings;
	int ret;

	out.fitting = trc_job_fit;
	ret = trc_job_write_rows(job, path, format, &out, err);
	if (ret && err->unfit)
		trc_job_explain(job, format, settings, err);
	return ret;
}
