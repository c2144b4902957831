/* SPDX-License-Identifier: MIT */
#include "cmd/file/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/shown.h"
#include "cmd/report.h"
#include "cmd/stat/stat.h"
#include "format/registry.h"

const struct trc_opts trc_stat_opts_finding =
        TRC_OPTS(struct trc_finding_form,
                 { 0, "strict", NULL, "with --check: treat warnings as errors", TRC_OPT_FLAG,
                   TRC_WORDS_NONE, offsetof(struct trc_finding_form, strict) },
                 { 0, "tap", NULL, "with --check: print TAP (Test Anything Protocol)", TRC_OPT_FLAG,
                   TRC_WORDS_NONE, offsetof(struct trc_finding_form, tap) });

/* ---- what is checked ---- */

/* Returns false if other traces influenced the reduction, as when spaces were reduced separately to
 * save memory. */
bool
trc_check_again(const struct trc_guarantee *p, uint32_t have, struct trc_reduction *how)
{
	const bool clock = p->clock == TRC_COL_RTIME || p->clock == TRC_COL_ITIME ||
	                   p->clock == TRC_COL_TIME;

	*how = (struct trc_reduction){ .r = p->sad,
		                       .window = p->window,
		                       .clock = p->clock,
		                       .lru_only = p->reduced & TRC_LRU_ONLY,
		                       .scope.canonical = p->reduced & TRC_CANONICAL };
	return have & TRC_HAS_VPN && (p->sad || p->window) &&
	       (!p->window || (clock && have >> p->clock & 1)) &&
	       (!how->scope.canonical || have & TRC_HAS_CPN) &&
	       (!how->lru_only || (p->sad && !p->window)) &&
	       !(p->reduced & (TRC_BY_SPACE | TRC_BELOW_CACHE)) && !p->sets;
}

void
trc_finding_dropped(struct trc_finding *v, uint64_t rows)
{
	if (rows < v->rows)
		trc_finding_note(v, TRC_OUTCOME_WRONG,
		                 "reducing it again would drop %llu of its records",
		                 (ull)(v->rows - rows));
}

/* Returns a given option of the input that leaves out rows or columns, or NULL. */
static const char *
not_whole(const struct trc_settings *settings)
{
	static const char *const whole[] = { "from", "memlimit", "threads", "verbose" };
	const struct trc_opt *o = NULL;

	while ((o = trc_settings_next(settings, &trc_job_opts_in, o))) {
		size_t k = 0;

		while (k < TRC_COUNT(whole) && strcmp(whole[k], o->name) != 0)
			k++;
		if (k == TRC_COUNT(whole))
			return o->name;
	}
	return NULL;
}

int
trc_check_usage(const struct trc_settings *settings, struct trc_err *err)
{
	const struct trc_finding_form *form = trc_settings_of(settings, &trc_stat_opts_finding);
	const struct trc_stat s = trc_stat_of(settings);
	const char *option = not_whole(settings);

	if (option)
		return trc_fail_as(err, TRC_USAGE, "--check is for whole traces, without --%s",
		                   option);
	if (form->tap && s.form != TRC_FORM_TEXT)
		return trc_fail_as(err, TRC_USAGE, "--tap and --%s exclude each other",
		                   s.form == TRC_FORM_JSON ? "json" : "csv");
	return s.in->from && !trc_job_format_named(s.in->from, err) ? -1 : 0;
}

/* ---- findings ---- */

void
trc_finding_note(struct trc_finding *v, enum trc_outcome outcome, const char *fmt, ...)
{
	const size_t len = strlen(v->why);
	va_list args;

	snprintf(v->why + len, sizeof(v->why) - len, "%s%s", len ? "; " : "",
	         outcome == TRC_OUTCOME_ODD && v->outcome == TRC_OUTCOME_WRONG ? "warning: " : "");
	va_start(args, fmt);
	vsnprintf(v->why + strlen(v->why), sizeof(v->why) - strlen(v->why), fmt, args);
	va_end(args);
	v->outcome = v->outcome > outcome ? v->outcome : outcome;
}

void
trc_finding_fault(struct trc_finding *v, enum trc_outcome outcome, const char *whom,
                  const char *what, uint64_t n, uint64_t first)
{
	char where[64] = "";

	if (first && n == 1)
		snprintf(where, sizeof(where), "record %llu: ", (ull)first);
	else if (first)
		snprintf(where, sizeof(where), "record %llu and %llu more: ", (ull)first,
		         (ull)n - 1);
	trc_finding_note(v, outcome, "%s%s%s", whom, where, what);
}

static void
note_faults(struct trc_finding *v, const struct trc_check *check, bool warns)
{
	const enum trc_outcome outcome = warns ? TRC_OUTCOME_ODD : TRC_OUTCOME_WRONG;

	for (int i = 0; i < TRC_FAULTS; i++) {
		const enum trc_fault fault = (enum trc_fault)i;

		if (check->fault[i].rows && trc_fault_warns(check, fault) == warns)
			trc_finding_fault(v, outcome, "", trc_fault_text(fault),
			                  check->fault[i].rows, check->fault[i].first);
	}
}

void
trc_finding_counts(struct trc_finding *v, const struct trc_counts *index,
                   const struct trc_counts *counts)
{
	const char *what = trc_counts_differ(index, counts);

	if (what)
		trc_finding_note(v, TRC_OUTCOME_WRONG, "the index does not match the number of %s",
		                 what);
}

void
trc_finding_rows(struct trc_finding *v, const struct trc_check *check, uint64_t repaired)
{
	note_faults(v, check, false);
	if (v->origin.same && v->origin.fingerprint != v->fingerprint)
		trc_finding_note(v, TRC_OUTCOME_WRONG,
		                 "its records differ from its source, by the fingerprint of the "
		                 "source");
	if (repaired)
		trc_finding_note(v, TRC_OUTCOME_ODD, "%llu damaged sectors, which can be repaired",
		                 (ull)repaired);
}

void
trc_finding_end(struct trc_finding *v, const struct trc_check *check, const char *path, bool given,
                bool unended)
{
	const struct trc_format *named = given ? NULL : trc_format_ending(path);
	const bool binary = trc_format_named(v->format)->binary;

	if (named && strcmp(named->name, v->format) != 0)
		trc_finding_note(v, TRC_OUTCOME_ODD, "its name suggests %s, its content %s",
		                 named->name, v->format);
	if (unended)
		trc_finding_note(
		        v, TRC_OUTCOME_ODD, "%s",
		        binary ? "the footer at its end is missing, so it may be truncated" :
		                 "the last line has no newline, so the text may be "
		                 "truncated");
	note_faults(v, check, true);
}

/* ---- reports ---- */

/* Returns the reason without the file name, which is printed before it. With a position in the
 * file, that is ":3: ..."; *before is what to print between. */
static const char *
why_of(const struct trc_finding *v, const char *path, const char **before)
{
	const size_t len = strlen(path);

	*before = ": ";
	if (strncmp(v->why, path, len) != 0 || v->why[len] != ':')
		return v->why;
	*before = "";
	return v->why + len;
}

static int
report_text(const struct trc_finding *v, const char *path, struct trc_out *out, struct trc_err *err)
{
	static const char *const word[] = { "ok  ", "warn", "FAIL", "skip" };
	const char *before, *why = why_of(v, path, &before);

	if (trc_report(out, err, "%s ", word[v->outcome]) || trc_report_line(out, path, err))
		return -1;
	if (*why && (trc_report(out, err, "%s", before) || trc_report_line(out, why, err)))
		return -1;
	return trc_report(out, err, "\n");
}

/* Prints the Test Anything Protocol, in which an unescaped '#' in a name would begin a
 * directive. */
static int
report_tap(const struct trc_finding *v, const char *path, size_t i, struct trc_out *out,
           struct trc_err *err)
{
	const char *before, *why = why_of(v, path, &before);

	if (trc_report(out, err, "%sok %zu - ", v->outcome == TRC_OUTCOME_WRONG ? "not " : "",
	               i + 1))
		return -1;
	for (size_t len; *path; path += len) {
		char part[8];

		len = trc_shown_utf8(path);
		len = len ? len : 1;
		snprintf(part, sizeof(part), "%.*s", (int)len, path);
		if ((*part == '#' && trc_report(out, err, "\\")) || trc_report_line(out, part, err))
			return -1;
	}
	if (v->outcome == TRC_OUTCOME_NO_TRACE && trc_report(out, err, " # SKIP no trace"))
		return -1;
	if (trc_report(out, err, "\n"))
		return -1;
	if (!*why)
		return 0;
	if (trc_report(out, err, "# ") || trc_report_line(out, why + strspn(why, ": "), err))
		return -1;
	return trc_report(out, err, "\n");
}

static const struct trc_column_decl column[] = {
	{ TRC_NAMED(file) },    { TRC_NAMED(result) },      { TRC_NAMED(format) },
	{ TRC_NAMED(records) }, { TRC_NAMED(fingerprint) }, { TRC_NAMED(why) },
};

static struct trc_answer
answer_of(enum trc_form form)
{
	return (struct trc_answer){ .form = form, TRC_TABLE(column), .lines = true };
}

/* Prints a row of CSV, or a JSON object on a line. */
static int
report_row(const struct trc_finding *v, const char *path, enum trc_form form, struct trc_out *out,
           struct trc_err *err)
{
	static const char *const word[] = { "ok", "warn", "fail", "skip" };
	const struct trc_answer answer = answer_of(form);
	const struct trc_value cell[] = {
		trc_word(path),
		trc_word(word[v->outcome]),
		trc_word(v->format),
		trc_count_if(v->format, v->rows),
		v->whole ? trc_value(TRC_VALUE_HASH, v->fingerprint) : trc_none(),
		trc_word(*v->why ? v->why : NULL),
	};

	return trc_answer_row(&answer, 0, cell, out, err);
}

int
trc_finding_begin(size_t n, bool tap, enum trc_form form, struct trc_out *out, struct trc_err *err)
{
	const struct trc_answer answer = answer_of(form);

	return tap ? trc_report(out, err, "TAP version 13\n1..%zu\n", n) :
	             trc_answer_begin(&answer, out, err);
}

int
trc_finding_fail(size_t wrong, size_t traces, struct trc_err *err)
{
	return wrong ? trc_fail(err, "%zu of %zu traces failed the check", wrong, traces) : 0;
}

int
trc_finding_print(const struct trc_finding *v, const char *path, size_t i, bool tap,
                  enum trc_form form, struct trc_out *out, struct trc_err *err)
{
	if (tap)
		return report_tap(v, path, i, out, err);
	return form == TRC_FORM_TEXT ? report_text(v, path, out, err) :
	                               report_row(v, path, form, out, err);
}
