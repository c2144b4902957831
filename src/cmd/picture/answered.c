/* SPDX-License-Identifier: MIT */
#include "cmd/picture/answered.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/names/short_names.h"
#include "cmd/picture/beside.h"
#include "cmd/report.h"

/* Returns the answer that the picture shows. */
static const struct trc_answer *
drawn(const struct trc_answered *a)
{
	return a->drawn.columns ? &a->drawn : &a->answer;
}

static int
draw_text(const struct trc_answer *a, size_t i, struct trc_out *out, struct trc_err *err)
{
	const struct trc_answered *all = a->picture;

	(void)i;
	return trc_answer_draw(drawn(all), &all->plot, out, err);
}

/* Lets the text contain the picture as well, if it should. */
static void
set_picture(struct trc_answered *a)
{
	if (!a->plot.text)
		return;
	a->answer.picture = a;
	a->answer.draws = true;
	a->answer.draw = draw_text;
}

static int
put(struct trc_answered *a, struct trc_out *out, struct trc_err *err)
{
	set_picture(a);
	return trc_answer_put(&a->answer, out, err);
}

int
trc_answered_print(struct trc_answered *a, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = out ? put(a, out, err) : -1;

	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret || trc_answer_draw(drawn(a), &a->plot, NULL, err) ? -1 : 0;
}

/* ---- several traces ---- */

/* The groups of all traces, one trace after another, either of the answers or of what is drawn. */
struct all {
	struct trc_answered *const *a;
	bool drawn;
	const char *const *path;
	size_t n;
	char (*name)[TRC_SHORT_NAME_ROOM];

	/* The current group: its trace, its number in that trace, and the name of its curve. */
	size_t trace, group;
	char curve[2 * TRC_SHORT_NAME_ROOM];
};

static size_t
groups_of(const struct trc_answer *a)
{
	return a->several ? a->groups : 1;
}

static const struct trc_answer *
answer_of(const struct all *all, size_t t)
{
	return all->drawn ? drawn(all->a[t]) : &all->a[t]->answer;
}

/* Finds the trace that contains group `i` of all. */
static void
find_group(struct all *all, size_t i)
{
	size_t t = 0;

	for (; i >= groups_of(answer_of(all, t)); t++)
		i -= groups_of(answer_of(all, t));
	all->trace = t;
	all->group = i;
}

/* Adds the name of the trace as the first fact of a group, and to the name of its curve. */
static void
name_group(struct all *all, struct trc_answer_group *g)
{
	const char *own = g->name ? g->name : "", *path = all->path[all->trace];
	const struct trc_answer_fact input = { TRC_FACT(input, NULL, trc_word(path)) };

	snprintf(all->curve, sizeof(all->curve), "%s%s%s", all->name[all->trace], *own ? ", " : "",
	         own);
	g->name = all->curve;
	memmove(&g->fact[1], &g->fact[0], g->facts++ * sizeof(g->fact[0]));
	g->fact[0] = input;
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct all *all = of;
	const struct trc_answer *a;

	find_group(all, i);
	a = answer_of(all, all->trace);
	g->rows = a->rows;
	if (a->group && a->group(a->of, all->group, g, err))
		return -1;
	name_group(all, g);
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct all *all = of;
	const struct trc_answer *a = answer_of(all, all->trace);

	(void)i;
	cell[0] = trc_word(all->path[all->trace]);
	a->row(a->of, all->group, k, cell + 1);
}

/* Writes one answer after another, each with its name above. */
static int
put_texts(const struct all *all, struct trc_out *out, struct trc_err *err)
{
	for (size_t t = 0; t < all->n; t++)
		if ((t && trc_out_put(out, "\n", 1, err)) ||
		    trc_report_line(out, all->path[t], err) || trc_out_put(out, ":\n", 2, err) ||
		    put(all->a[t], out, err))
			return -1;
	return 0;
}

/* Returns the answer with the most columns; a trace that lacks some leaves them empty. */
static const struct trc_answer *
widest(const struct all *all)
{
	const struct trc_answer *best = NULL;
	size_t most = 0;

	for (size_t t = 0; t < all->n; t++) {
		const struct trc_answer *a = answer_of(all, t);
		size_t columns = 1;

		for (size_t i = 0; i < a->columns; i++)
			columns += !a->column[i].off;
		if (columns > most)
			best = a;
		most = columns > most ? columns : most;
	}
	return best;
}

/* Joins the answers into one. */
static void
join(struct trc_answered *joined, struct all *all)
{
	struct trc_answer *a = &joined->answer;

	*a = *widest(all);
	joined->column[0] = (struct trc_column_decl){ TRC_NAMED(input) };
	for (size_t i = 0; i < a->columns; i++)
		joined->column[i + 1] = a->column[i];
	a->groups = 0;
	for (size_t t = 0; t < all->n; t++)
		a->groups += groups_of(answer_of(all, t));
	a->several = true;
	a->column = joined->column;
	a->columns += a->columns > 0;
	a->of = all;
	a->group = describe;
	a->row = row;
}

static int
put_all(const struct all *all, const struct trc_answer *joined, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = -1;

	if (out)
		ret = joined->form == TRC_FORM_TEXT ? put_texts(all, out, err) :
		                                      trc_answer_put(joined, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}

static int
print(struct all *all, struct trc_err *err)
{
	struct all drawn = *all;
	struct trc_answered joined = { .plot = all->a[0]->plot }, picture;
	int ret;

	joined.plot.name = NULL;
	drawn.drawn = true;
	join(&joined, all);
	join(&picture, &drawn);
	joined.drawn = picture.answer;
	set_picture(&joined);
	ret = joined.answer.form == TRC_FORM_TEXT && trc_beside_can(&joined.answer) ?
	              trc_beside_print(&joined.answer, err) :
	              put_all(all, &joined.answer, err);
	return ret || trc_answer_draw(&picture.answer, &joined.plot, NULL, err) ? -1 : 0;
}

int
trc_answered_print_all(struct trc_answered *const *a, const char *const *path, size_t n,
                       struct trc_err *err)
{
	struct all all = { .a = a, .path = path, .n = n };
	int ret = -1;

	all.name = trc_alloc(n, sizeof(*all.name), err);
	if (all.name) {
		trc_short_names(path, n, all.name);
		ret = print(&all, err);
	}
	free(all.name);
	return ret;
}
