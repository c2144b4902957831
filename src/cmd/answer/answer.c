/* SPDX-License-Identifier: MIT
 * Answers as CSV and JSON; text.c has them as text. */
#include "cmd/answer/answer.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/answer/text.h"
#include "cmd/job/settings.h"
#include "cmd/report.h"

struct settings {
	bool json, csv;
};

const struct trc_opts trc_answer_opts =
        TRC_OPTS(struct settings,
                 { 0, "json", NULL, "print JSON instead of text", TRC_OPT_FLAG, TRC_WORDS_NONE,
                   offsetof(struct settings, json) },
                 { 0, "csv", NULL, "print comma-separated values instead of text", TRC_OPT_FLAG,
                   TRC_WORDS_NONE, offsetof(struct settings, csv) });

enum trc_form
trc_answer_form(const struct trc_settings *settings)
{
	const struct settings *s = trc_settings_of(settings, &trc_answer_opts);

	return s->json ? TRC_FORM_JSON : s->csv ? TRC_FORM_CSV : TRC_FORM_TEXT;
}

int
trc_answer_check(const struct trc_settings *settings, struct trc_err *err)
{
	const struct settings *s = trc_settings_of(settings, &trc_answer_opts);

	return s->csv && s->json ?
	               trc_fail_as(err, TRC_USAGE, "--json and --csv exclude each other") :
	               0;
}

/* ---- values ---- */

static const char *
name_of(enum trc_name name)
{
	return trc_name_row[name].name;
}

/* Returns true if a column appears in CSV and JSON. */
static bool
named(const struct trc_column_decl *c)
{
	return c->name != TRC_NAME_NONE && !c->off;
}

static void
put_csv(struct trc_answer_out *o, const struct trc_value *c)
{
	char text[TRC_VALUE_ROOM];
	const char *value = trc_answer_value(c, text);

	if (c->kind == TRC_VALUE_WORD)
		trc_answer_write_as(o, value, trc_report_csv);
	else
		trc_answer_write(o, value);
}

static void
put_json(struct trc_answer_out *o, const char *before, enum trc_name name,
         const struct trc_value *c)
{
	char text[TRC_VALUE_ROOM];
	const char *value = trc_answer_value(c, text);
	const bool quoted = c->kind == TRC_VALUE_ADDRESS || c->kind == TRC_VALUE_HASH;

	trc_answer_write(o, before);
	trc_answer_write(o, "\"");
	trc_answer_write(o, name_of(name));
	trc_answer_write(o, quoted ? "\": \"" : "\": ");
	if (c->kind == TRC_VALUE_WORD)
		trc_answer_write_as(o, value, trc_report_json);
	else
		trc_answer_write(o, c->kind == TRC_VALUE_YES ? c->n ? "true" : "false" :
		                    *value                   ? value :
		                                               "null");
	trc_answer_write(o, quoted ? "\"" : "");
}

/* ---- rows ---- */

/* Writes the names of the columns if `cell` is NULL. */
static void
csv_row(struct trc_answer_out *o, const struct trc_answer *a, const struct trc_value *cell)
{
	const char *comma = "";

	for (size_t i = 0; i < a->columns; i++) {
		if (!named(&a->column[i]))
			continue;
		trc_answer_write(o, comma);
		if (cell)
			put_csv(o, &cell[i]);
		else
			trc_answer_write(o, name_of(a->column[i].name));
		comma = ",";
	}
	trc_answer_write(o, "\n");
}

static void
json_row(struct trc_answer_out *o, const struct trc_answer *a, const struct trc_value *cell)
{
	const char *comma = "{";

	for (size_t i = 0; i < a->columns; i++)
		if (named(&a->column[i])) {
			put_json(o, comma, a->column[i].name, &cell[i]);
			comma = ", ";
		}
	trc_answer_write(o, "}");
}

int
trc_answer_begin(const struct trc_answer *a, struct trc_out *out, struct trc_err *err)
{
	struct trc_answer_out o = { out, err, false };

	if (a->form == TRC_FORM_CSV)
		csv_row(&o, a, NULL);
	else if (a->form == TRC_FORM_TEXT)
		trc_text_line(&o, a, NULL, NULL);
	else if (!a->lines)
		trc_answer_write(&o, "{\"rows\": [");
	return o.failed ? -1 : 0;
}

int
trc_answer_row(const struct trc_answer *a, size_t k, const struct trc_value *cell,
               struct trc_out *out, struct trc_err *err)
{
	struct trc_answer_out o = { out, err, false };

	if (a->form == TRC_FORM_CSV) {
		csv_row(&o, a, cell);
	} else if (a->form == TRC_FORM_TEXT) {
		trc_text_line(&o, a, NULL, cell);
	} else {
		trc_answer_write(&o, a->lines ? "" : k ? ",\n  " : "\n  ");
		json_row(&o, a, cell);
		trc_answer_write(&o, a->lines ? "\n" : "");
	}
	return o.failed ? -1 : 0;
}

int
trc_answer_end(const struct trc_answer *a, struct trc_out *out, struct trc_err *err)
{
	return a->form == TRC_FORM_JSON && !a->lines ? trc_report(out, err, "]}\n") : 0;
}

/* ---- facts ---- */

/* Writes the head of a table of facts, or what begins each of its rows: if there are several
 * groups, the first fact of the group. */
static void
csv_facts_begin(struct trc_answer_out *o, const struct trc_answer *a,
                const struct trc_answer_group *g, bool heads)
{
	if (a->several && heads)
		trc_answer_write(o, name_of(g->fact[0].name));
	else if (a->several)
		put_csv(o, &g->fact[0].value);
	trc_answer_write(o, a->several ? "," : "");
	trc_answer_write(o, heads ? "name,value\n" : "");
}

static void
csv_facts(struct trc_answer_out *o, const struct trc_answer *a, size_t group,
          const struct trc_answer_group *g)
{
	const char *name, *value;

	if (group == 0)
		csv_facts_begin(o, a, g, true);
	for (size_t i = a->several; i < g->facts; i++) {
		if (g->fact[i].value.kind == TRC_VALUE_NONE)
			continue;
		csv_facts_begin(o, a, g, false);
		trc_answer_write(o, name_of(g->fact[i].name));
		trc_answer_write(o, ",");
		put_csv(o, &g->fact[i].value);
		trc_answer_write(o, "\n");
	}
	for (size_t k = 0; a->pair && a->pair(a->of, k, &name, &value); k++) {
		trc_answer_write_as(o, name, trc_report_csv);
		trc_answer_write(o, ",");
		trc_answer_write_as(o, value, trc_report_csv);
		trc_answer_write(o, "\n");
	}
}

/* Writes the pairs as an array of objects with one member each, because a name may occur twice. */
static void
json_list(struct trc_answer_out *o, const struct trc_answer *a, const char *comma)
{
	const char *name, *value;
	size_t k = 0;

	for (; a->pair(a->of, k, &name, &value); k++) {
		if (k == 0) {
			trc_answer_write(o, comma);
			trc_answer_write_as(o, a->list, trc_report_json);
		}
		trc_answer_write(o, k ? ", {" : ": [{");
		trc_answer_write_as(o, name, trc_report_json);
		trc_answer_write(o, ": ");
		trc_answer_write_as(o, value, trc_report_json);
		trc_answer_write(o, "}");
	}
	trc_answer_write(o, k ? "]" : "");
}

/* Writes the facts and returns what must precede the next member of the object. */
static const char *
json_facts(struct trc_answer_out *o, const struct trc_answer *a, const struct trc_answer_group *g)
{
	const char *comma = "{";

	for (size_t i = 0; i < g->facts; i++)
		if (g->fact[i].value.kind != TRC_VALUE_NONE) {
			put_json(o, comma, g->fact[i].name, &g->fact[i].value);
			comma = ", ";
		}
	if (a->pair)
		json_list(o, a, comma);
	return comma;
}

/* ---- groups ---- */

static void
csv_group(struct trc_answer_out *o, const struct trc_answer *a, size_t i,
          const struct trc_answer_group *g, struct trc_value *cell)
{
	if (a->columns == 0)
		csv_facts(o, a, i, g);
	for (size_t k = 0; k < g->rows && !o->failed; k++) {
		a->row(a->of, i, k, cell);
		csv_row(o, a, cell);
	}
}

static void
json_group(struct trc_answer_out *o, const struct trc_answer *a, size_t i,
           const struct trc_answer_group *g, struct trc_value *cell)
{
	const bool array = a->several && !a->lines;
	const char *comma;

	trc_answer_write(o, array && i ? ",\n" : "");
	comma = json_facts(o, a, g);
	if (a->columns) {
		trc_answer_write(o, comma);
		trc_answer_write(o, "\"rows\": [");
	}
	for (size_t k = 0; k < g->rows && !o->failed; k++) {
		a->row(a->of, i, k, cell);
		trc_answer_write(o, k ? "," : "");
		trc_answer_write(o, !a->lines ? "\n  " : k ? " " : "");
		json_row(o, a, cell);
	}
	trc_answer_write(o, a->columns ? "]}" : "}");
	trc_answer_write(o, array ? "" : "\n");
}

static void
put_group(struct trc_answer_out *o, const struct trc_answer *a, size_t i,
          struct trc_answer_group *g, struct trc_value *cell)
{
	memset(g, 0, sizeof(*g));
	g->rows = a->rows;
	g->most = SIZE_MAX;
	o->failed = o->failed || (a->group && a->group(a->of, i, g, o->err));
	g->rows = g->most < g->rows ? g->most : g->rows;
	g->rows = a->most && a->most < g->rows ? (size_t)a->most : g->rows;
	if (o->failed)
		return;
	if (a->form == TRC_FORM_CSV)
		csv_group(o, a, i, g, cell);
	else if (a->form == TRC_FORM_JSON)
		json_group(o, a, i, g, cell);
	else
		trc_text_group(o, a, i, g, cell);
}

int
trc_answer_put(const struct trc_answer *a, struct trc_out *out, struct trc_err *err)
{
	const bool text = a->form == TRC_FORM_TEXT;
	const bool array = a->form == TRC_FORM_JSON && a->several && !a->lines;
	struct trc_answer_group *g = trc_alloc(1, sizeof(*g), err);
	struct trc_value *cell = trc_alloc(a->columns + 1, sizeof(*cell), err);
	struct trc_answer_out o = { out, err, !g || !cell };

	if (a->form == TRC_FORM_CSV && a->columns)
		csv_row(&o, a, NULL);
	trc_answer_write(&o, array ? "{\"groups\": [\n" : text && a->title ? a->title : "");
	o.failed = o.failed || (text && a->draws && a->draw(a, 0, out, err));
	for (size_t i = 0; i < (a->several ? a->groups : 1) && !o.failed; i++)
		put_group(&o, a, i, g, cell);
	trc_answer_write(&o, array ? "]}\n" : "");
	free(cell);
	free(g);
	return o.failed ? -1 : 0;
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
