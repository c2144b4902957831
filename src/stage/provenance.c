/* SPDX-License-Identifier: MIT
 * Sources that add entries to a provenance. A command that changes no records is not repeated if
 * the previous entry is the same command, so a container that is encoded again stays the same. */
#include "stage/provenance.h"

#include <string.h>

#include "batch/fingerprint.h"
#include "stage/wrap.h"

/* A source around another, with a list of its own. */
struct stage {
	struct trc_wrap wrap;
	struct trc_buf list;

	/* For an origin: */
	const char *format;
	bool wanted; /* add the fingerprint */
	struct trc_fingerprint fingerprint;

	/* For a step: */
	struct trc_provenance_step step;
	struct trc_view known; /* if `fixed` */
	bool fixed;
};

/* Returns true if the last step is this command; notes are not steps. */
static bool
ends_with(struct trc_view list, const struct trc_buf *command)
{
	struct trc_provenance_entry e;
	bool does = false;

	while (list.p < list.end && trc_provenance_next(&list, &e))
		if (strcmp(e.key, "note") != 0)
			does = strcmp(e.key, "trc") == 0 && e.len == command->n &&
			       memcmp(e.text, command->p, e.len) == 0;
	return does;
}

static int
put_step(struct trc_buf *list, const struct trc_provenance_step *step, struct trc_err *err)
{
	if (step->plain && ends_with(trc_buf_view(list), &step->command))
		return 0;
	return trc_provenance_put(list, "trc", step->command.p, step->command.n, err);
}

static int
put_notes(struct trc_buf *list, const struct trc_opt_list *notes, struct trc_err *err)
{
	for (size_t i = 0; i < notes->n; i++) {
		const size_t len = strlen(notes->word[i]);

		if (list->n + len + sizeof("note") + 4 > TRC_PROVENANCE_MOST)
			return trc_fail(err,
			                "--note: no space is left; the trace has %zu bytes of "
			                "provenance, and the limit is %d",
			                list->n, TRC_PROVENANCE_MOST);
		if (trc_provenance_put(list, "note", notes->word[i], len, err))
			return -1;
	}
	return 0;
}

/* Writes the entries of an origin; `end` is true after the last row. */
static int
put_beginning(struct stage *s, struct trc_view before, bool end, struct trc_err *err)
{
	char text[24];

	if (trc_provenance_text(&s->list, "source", s->format, err))
		return -1;
	if (end && s->wanted) {
		snprintf(text, sizeof(text), "%016llx", (ull)trc_fingerprint_all(&s->fingerprint));
		if (trc_provenance_text(&s->list, "fingerprint", text, err))
			return -1;
	}
	return before.p < before.end ?
	               trc_buf_put(&s->list, before.p, (size_t)(before.end - before.p), err) :
	               0;
}

/* Sets the meta of the source; `end` is true after the last row. */
static int
take_meta(struct stage *s, bool end, struct trc_err *err)
{
	const struct trc_view before = s->fixed ? s->known : s->wrap.from->meta.provenance;
	int ret = 0;

	if (!end || !s->fixed)
		s->list.n = 0;
	if (end && s->fixed)
		; /* the list does not change */
	else if (s->format)
		ret = put_beginning(s, before, end, err);
	else
		ret = trc_buf_put(&s->list, before.p, (size_t)(before.end - before.p), err) ||
		                      put_step(&s->list, &s->step, err) ||
		                      put_notes(&s->list, s->step.notes, err) ?
		              -1 :
		              0;
	s->wrap.src.meta = s->wrap.from->meta;
	s->wrap.src.meta.provenance = trc_buf_view(&s->list);
	return ret;
}

/* ---- the sources ---- */

static enum trc_flow
stage_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct stage *s = (struct stage *)src;
	const enum trc_flow flow = trc_source_next(s->wrap.from, b, err);

	if (flow == TRC_FLOW_ROWS && s->wanted)
		trc_fingerprint_update(&s->fingerprint, b, 0, b->n);
	return flow == TRC_FLOW_END && take_meta(s, true, err) ? TRC_FLOW_FAILED : flow;
}

static void
stage_close(struct trc_source *src)
{
	struct stage *s = (struct stage *)src;

	trc_fingerprint_release(&s->fingerprint);
	trc_buf_release(&s->list);
	trc_buf_release(&s->step.command);
	trc_wrap_close(src);
}

static struct stage *
stage_open(struct trc_source *from, struct trc_err *err)
{
	struct stage *s = trc_wrap_pass(sizeof(*s), from, stage_next, err);

	if (s)
		s->wrap.src.close = stage_close;
	return s;
}

struct trc_source *
trc_stage_origin(struct trc_source *from, const char *format, bool fingerprint, struct trc_err *err)
{
	struct stage *s = stage_open(from, err);

	if (!s)
		return NULL;
	s->format = format;
	s->wanted = fingerprint;
	if ((fingerprint && trc_fingerprint_init(&s->fingerprint, from->have, err)) ||
	    take_meta(s, false, err))
		return trc_wrap_fail(&s->wrap.src);
	return &s->wrap.src;
}

struct trc_source *
trc_stage_step(struct trc_source *from, const struct trc_provenance_step *step,
               const struct trc_view *known, struct trc_err *err)
{
	struct stage *s = stage_open(from, err);

	if (!s)
		return NULL;
	s->step.notes = step->notes;
	s->step.plain = step->plain;
	s->fixed = known;
	s->known = known ? *known : (struct trc_view){ 0 };
	if (trc_buf_put(&s->step.command, step->command.p, step->command.n, err) ||
	    take_meta(s, false, err))
		return trc_wrap_fail(&s->wrap.src);
	return &s->wrap.src;
}
