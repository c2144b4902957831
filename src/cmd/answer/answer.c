/* SPDX-License-Identifier: MIT
 * Answers as CSV and JSON; text.c has them as text. */
#include "cmd/answer/answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/answer/text.h"
#include "cmd/job/settings.h"
#include "cmd/report.h"

struct settings {
	bool json, csv;
};

static const struct trc_opt options[] = {
	{ 0, "json", NULL, "one JSON object instead of text", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct settings, json) },
	{ 0, "csv", NULL, "comma-separated values instead of text", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct settings, csv) },
};

const struct trc_opts trc_answer_opts = { options, TRC_COUNT(options), sizeof(struct settings),
	                                  NULL };

enum trc_form
trc_answer_form(const struct trc_settings *all)
{
	const struct settings *s = trc_settings_of(all, &trc_answer_opts);

	return s->json ? TRC_FORM_JSON : s->csv ? TRC_FORM_CSV : TRC_FORM_TEXT;
}

int
trc_answer_check(const struct trc_settings *all, struct trc_err *err)
{
	const struct settings *s = trc_settings_of(all, &trc_answer_opts);

	return s->csv && s->json ?
	               trc_fail_as(err, TRC_USAGE, "--json and --csv: one form at a time") :
	               0;
}

/* ---- cells ---- */

static const char *
name_of(enum trc_name name)
{
	return trc_name_row[name].name;
}

/* Whether a column stands in CSV and JSON. */
static bool
named(const struct trc_column_decl *c)
{
	return c->name != TRC_NAME_NONE && !c->off;
}

/* The value as both forms have it, but for quotes; returns dst, or a word. */
static const char *
value_of(const struct trc_value *c, char dst[TRC_VALUE_ROOM])
{
	*dst = 0;
	switch (c->kind) {
	case TRC_VALUE_COUNT:
	case TRC_VALUE_BYTES: snprintf(dst, TRC_VALUE_ROOM, "%" PRIu64, c->n); break;
	case TRC_VALUE_INTEGER: snprintf(dst, TRC_VALUE_ROOM, "%" PRId64, c->i); break;
	case TRC_VALUE_REAL: snprintf(dst, TRC_VALUE_ROOM, "%.9g", c->v); break;
	case TRC_VALUE_LONG: snprintf(dst, TRC_VALUE_ROOM, "%.12g", c->v); break;
	case TRC_VALUE_ADDRESS: snprintf(dst, TRC_VALUE_ROOM, "0x%" PRIx64, c->n); break;
	case TRC_VALUE_HASH: snprintf(dst, TRC_VALUE_ROOM, "%016" PRIx64, c->n); break;
	case TRC_VALUE_WORD: return c->s;
	case TRC_VALUE_YES: return c->n ? "yes" : "no";
	case TRC_VALUE_NONE:
	case TRC_VALUE_UNKNOWN:
	case TRC_VALUE_REST: break;
	}
	return dst;
}

static int
put_csv(const struct trc_value *c, struct trc_out *out, struct trc_err *err)
{
	char text[TRC_VALUE_ROOM];

	return trc_report_csv(out, value_of(c, text), err);
}

static int
put_json(const struct trc_value *c, struct trc_out *out, struct trc_err *err)
{
	char text[TRC_VALUE_ROOM];
	const char *value = value_of(c, text);

	switch (c->kind) {
	case TRC_VALUE_NONE:
	case TRC_VALUE_UNKNOWN:
	case TRC_VALUE_REST: value = "null"; break;
	case TRC_VALUE_YES: value = c->n ? "true" : "false"; break;
	case TRC_VALUE_ADDRESS:
	case TRC_VALUE_HASH:
	case TRC_VALUE_WORD: return trc_report_json(out, value, err);
	default: break;
	}
	return trc_out_put(out, value, strlen(value), err);
}

/* ---- rows ---- */

static int
csv_head(const struct trc_answer *a, struct trc_out *out, struct trc_err *err)
{
	const char *comma = "";

	for (size_t i = 0; i < a->columns; i++) {
		if (!named(&a->column[i]))
			continue;
		if (trc_report(out, err, "%s%s", comma, name_of(a->column[i].name)))
			return -1;
		comma = ",";
	}
	return trc_out_put(out, "\n", 1, err);
}

static int
csv_row(const struct trc_answer *a, const struct trc_value *cell, struct trc_out *out,
        struct trc_err *err)
{
	bool first = true;

	for (size_t i = 0; i < a->columns; i++) {
		if (!named(&a->column[i]))
			continue;
		if ((!first && trc_out_put(out, ",", 1, err)) || put_csv(&cell[i], out, err))
			return -1;
		first = false;
	}
	return trc_out_put(out, "\n", 1, err);
}

static int
json_row(const struct trc_answer *a, const struct trc_value *cell, struct trc_out *out,
         struct trc_err *err)
{
	const char *comma = "{";

	for (size_t i = 0; i < a->columns; i++) {
		if (!named(&a->column[i]))
			continue;
		if (trc_report(out, err, "%s\"%s\": ", comma, name_of(a->column[i].name)) ||
		    put_json(&cell[i], out, err))
			return -1;
		comma = ", ";
	}
	return trc_out_put(out, "}", 1, err);
}

int
trc_answer_begin(const struct trc_answer *a, struct trc_out *out, struct trc_err *err)
{
	switch (a->form) {
	case TRC_FORM_CSV: return csv_head(a, out, err);
	case TRC_FORM_JSON: return a->lines ? 0 : trc_report(out, err, "{\"rows\": [");
	case TRC_FORM_TEXT: break;
	}
	return trc_text_head(a, NULL, out, err);
}

int
trc_answer_row(const struct trc_answer *a, size_t k, const struct trc_value *cell,
               struct trc_out *out, struct trc_err *err)
{
	switch (a->form) {
	case TRC_FORM_CSV: return csv_row(a, cell, out, err);
	case TRC_FORM_JSON:
		if (!a->lines && trc_report(out, err, k ? ",\n  " : "\n  "))
			return -1;
		return json_row(a, cell, out, err) || (a->lines && trc_out_put(out, "\n", 1, err)) ?
		               -1 :
		               0;
	case TRC_FORM_TEXT: break;
	}
	return trc_text_row(a, NULL, cell, out, err);
}

int
trc_answer_end(const struct trc_answer *a, struct trc_out *out, struct trc_err *err)
{
	return a->form == TRC_FORM_JSON && !a->lines ? trc_report(out, err, "]}\n") : 0;
}

/* ---- facts ---- */

static int
csv_facts(const struct trc_answer *a, const struct trc_answer_group *g, struct trc_out *out,
          struct trc_err *err)
{
	const char *name, *value;

	if (trc_report(out, err, "name,value\n"))
		return -1;
	for (size_t i = 0; i < g->facts; i++)
		if (g->fact[i].value.kind != TRC_VALUE_NONE &&
		    (trc_report(out, err, "%s,", name_of(g->fact[i].name)) ||
		     put_csv(&g->fact[i].value, out, err) || trc_out_put(out, "\n", 1, err)))
			return -1;
	for (size_t k = 0; a->pair && a->pair(a->of, k, &name, &value); k++)
		if (trc_report_csv(out, name, err) || trc_out_put(out, ",", 1, err) ||
		    trc_report_csv(out, value, err) || trc_out_put(out, "\n", 1, err))
			return -1;
	return 0;
}

/* The pairs, each an object of its own, since names may come again. */
static int
json_list(const struct trc_answer *a, const char *comma, struct trc_out *out, struct trc_err *err)
{
	const char *name, *value;
	size_t k = 0;

	for (; a->pair(a->of, k, &name, &value); k++)
		if ((k == 0 && trc_report(out, err, "%s\"%s\": [", comma, a->list)) ||
		    trc_report(out, err, k ? ", {" : "{") || trc_report_json(out, name, err) ||
		    trc_report(out, err, ": ") || trc_report_json(out, value, err) ||
		    trc_report(out, err, "}"))
			return -1;
	return k ? trc_report(out, err, "]") : 0;
}

/* Sets what has to stand in front of the next member. */
static int
json_facts(const struct trc_answer *a, const struct trc_answer_group *g, const char **comma,
           struct trc_out *out, struct trc_err *err)
{
	*comma = "{";
	for (size_t i = 0; i < g->facts; i++) {
		if (g->fact[i].value.kind == TRC_VALUE_NONE)
			continue;
		if (trc_report(out, err, "%s\"%s\": ", *comma, name_of(g->fact[i].name)) ||
		    put_json(&g->fact[i].value, out, err))
			return -1;
		*comma = ", ";
	}
	return a->pair ? json_list(a, *comma, out, err) : 0;
}

/* ---- groups ---- */

static size_t
rows_of(const struct trc_answer *a, const struct trc_answer_group *g)
{
	return a->most && a->most < g->rows ? (size_t)a->most : g->rows;
}

static int
csv_group(const struct trc_answer *a, size_t i, const struct trc_answer_group *g,
          struct trc_value *cell, struct trc_out *out, struct trc_err *err)
{
	if (a->columns == 0)
		return csv_facts(a, g, out, err);
	for (size_t k = 0; k < rows_of(a, g); k++) {
		a->row(a->of, i, k, cell);
		if (csv_row(a, cell, out, err))
			return -1;
	}
	return 0;
}

static int
json_group(const struct trc_answer *a, size_t i, const struct trc_answer_group *g,
           struct trc_value *cell, struct trc_out *out, struct trc_err *err)
{
	const char *comma;

	if (json_facts(a, g, &comma, out, err))
		return -1;
	if (a->columns == 0)
		return trc_report(out, err, "}");
	if (trc_report(out, err, "%s\"rows\": [", comma))
		return -1;
	for (size_t k = 0; k < rows_of(a, g); k++) {
		a->row(a->of, i, k, cell);
		if (trc_report(out, err, "%s%s", k ? "," : "",
		               !a->lines ? "\n  " :
		               k         ? " " :
		                           "") ||
		    json_row(a, cell, out, err))
			return -1;
	}
	return trc_report(out, err, "]}");
}

static int
put_group(const struct trc_answer *a, size_t i, struct trc_answer_group *g, struct trc_value *cell,
          struct trc_out *out, struct trc_err *err)
{
	const char *newline = a->several && !a->lines ? "" : "\n";

	memset(g, 0, sizeof(*g));
	g->rows = a->rows;
	if (a->group && a->group(a->of, i, g, err))
		return -1;
	switch (a->form) {
	case TRC_FORM_CSV: return csv_group(a, i, g, cell, out, err);
	case TRC_FORM_JSON:
		return (!*newline && i && trc_report(out, err, ",\n")) ||
		                       json_group(a, i, g, cell, out, err) ||
		                       trc_report(out, err, "%s", newline) ?
		               -1 :
		               0;
	case TRC_FORM_TEXT: break;
	}
	g->rows = rows_of(a, g);
	return trc_text_group(a, i, g, cell, out, err);
}

int
trc_answer_put(const struct trc_answer *a, struct trc_out *out, struct trc_err *err)
{
	const bool json = a->form == TRC_FORM_JSON && a->several && !a->lines;
	struct trc_answer_group *g = trc_alloc(1, sizeof(*g), err);
	struct trc_value *cell = trc_alloc(a->columns + 1, sizeof(*cell), err);
	int ret = g && cell ? 0 : -1;

	if (ret == 0 && a->form == TRC_FORM_CSV && a->columns)
		ret = csv_head(a, out, err);
	if (ret == 0 && json)
		ret = trc_report(out, err, "{\"groups\": [\n");
	if (ret == 0 && a->form == TRC_FORM_TEXT && a->title)
		ret = trc_report(out, err, "%s", a->title);
	if (ret == 0 && a->form == TRC_FORM_TEXT && a->draws)
		ret = a->draw(a->of, 0, out, err);
	for (size_t i = 0; ret == 0 && i < (a->several ? a->groups : 1); i++)
		ret = put_group(a, i, g, cell, out, err);
	if (ret == 0 && json)
		ret = trc_report(out, err, "]}\n");
	free(cell);
	free(g);
	return ret;
}

int
trc_answer_print(const struct trc_answer *a, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = out ? trc_answer_put(a, out, err) : -1;

	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}
