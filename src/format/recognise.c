/* SPDX-License-Identifier: MIT
 *
 * Recognises the format of data: each row's own parser or probe examines the head of the data, and
 * the highest bid wins. In this order:
 *
 * 1. Text is never of a binary format. 2. A binary format wins by a magic number, or by relations
 * between its records. If the data
 *    could be other structs as well, trc asks.
 * 3. The ending of the name decides between formats that fit, never against the content.
 */
#include "format/registry.h"

#include <stdio.h>
#include <string.h>

#include "format/doubt.h"
#include "format/filter.h"
#include "format/foreign.h"
#include "format/lines.h"
#include "format/member.h"
#include "format/reading.h"
#include "format/records.h"

enum {
	PROBE_BYTES = 64 << 10, /* bytes examined by recognition */
	SURE = 64,              /* below this many bits, a binary format is a guess */
	ONLY_NAMED = 1,         /* a bid that only counts for a file with the ending */
	BY_CHANCE_MOST = 2,     /* lines that may be a record of any format, such as a count, */
	BY_CHANCE_OF = 16,      /* the least of all lines then */
};

/* Binary formats that fit the bytes, but are not certain; the likelier first. */
struct guesses {
	const struct trc_format *format[TRC_READINGS];
	unsigned bid[TRC_READINGS];
	size_t n;
};

/* Returns the format whose ending a name has, or NULL. A name that ends in .trace.xz may be any
 * trace, so the ending of a packing does not count. */
static const struct trc_format *
find_named(const char *name)
{
	const size_t len = trc_packing_ending(name) ? (size_t)(strrchr(name, '.') - name) :
	                                              strlen(name);
	char path[256];

	snprintf(path, sizeof(path), "%.*s", (int)len, name + (len > 255 ? len - 255 : 0));
	return trc_format_ending(path);
}

static unsigned
bid_of(const struct trc_format *f, struct trc_probe *probe)
{
	_Alignas(uint64_t) unsigned char settings[TRC_FORMAT_SETTINGS];
	struct trc_err none;

	if (f->probe)
		return f->probe(probe->p, probe->n, probe->whole);
	if (f->line)
		return trc_format_settings(f, NULL, settings, &none) ?
		               0 :
		               trc_lines_probe(f, settings, probe);
	if (f->record)
		return trc_records_probe(f, probe);
	return f->member ? trc_member_probe(f, probe->p, probe->n) : 0;
}

/* Returns the format that suggests what the data may be; NULL if none does. */
static const struct trc_format *
suggest(const struct trc_probe *probe, char *dst, size_t room)
{
	const struct trc_format *f = NULL;

	while ((f = trc_format_next(f)))
		if (f->suggest && f->suggest(probe->p, probe->n, dst, room))
			break;
	return f;
}

/* Returns how many bytes of the head are complete lines. */
static size_t
whole_lines(const struct trc_probe *probe)
{
	size_t n = probe->n;

	while (!probe->whole && n > 0 && probe->p[n - 1] != '\n')
		n--;
	return n;
}

/* Asks a format what it proposes, unless it was the last one that was asked. The head is the same
 * for the whole recognition, and tables take long to examine. */
static const struct trc_proposals *
proposals_of(const struct trc_format *f, const struct trc_probe *probe)
{
	struct trc_proposals *const last = probe->proposals;
	const size_t n = f->binary ? probe->n : whole_lines(probe);

	if (last->f != f)
		last->n = f->propose ? f->propose(probe->p, n, last->reading) : 0;
	last->f = f;
	return last;
}

/* Adds up to `most` proposals of format `f`, with some more arguments; NULL: none. */
static void
propose(const struct trc_format *f, const char *more, unsigned most, const struct trc_probe *probe,
        struct trc_err *err)
{
	const size_t n = f && f->binary ? probe->n : whole_lines(probe);
	const struct trc_proposals *const all = f ? proposals_of(f, probe) : NULL;

	for (unsigned i = 0; all && i < all->n && i < most; i++) {
		struct trc_reading r = all->reading[i];

		strncat(r.from, more, sizeof(r.from) - strlen(r.from) - 1);
		trc_reading_add(err, r.what, r.from, probe->p, n);
	}
}

/* Returns true if a text that format `best` accepts completely is rather a damaged one of format
 * `nearest`. */
static bool
is_damaged(const struct trc_format *best, const struct trc_lines_nearest *nearest)
{
	return best && best->line && nearest->format &&
	       trc_lines_sees_more(nearest->format, nearest->lines, best);
}

/* Returns true if the text ends within the line after `lines` lines. */
static bool
is_unended(const struct trc_in *in, uint64_t lines)
{
	uint64_t n = 0;

	for (const uint8_t *p = in->p; p < in->end; p++)
		n += *p == '\n';
	return in->eof && in->p < in->end && in->end[-1] != '\n' && n == lines;
}

/* Returns true if all bytes are those that file(1) allows in texts: then only text formats are
 * considered. One byte value in nine is not among these, so in 64 bytes of other data all are by
 * chance once in 2,000. */
static bool
is_text(const uint8_t *p, size_t n)
{
	unsigned others = 0;

	for (size_t i = 0; i < n; i++)
		others |= (p[i] < '\a') | ((p[i] > '\r') & (p[i] < 26)) |
		          ((p[i] > 27) & (p[i] < ' ')) | (p[i] == 127);
	return n > 0 && !others;
}

static bool
is_blank(const struct trc_probe *probe)
{
	size_t i = 0;

	while (i < probe->n && strchr(" \t\r\n", probe->p[i]) && probe->p[i])
		i++;
	return probe->whole && i == probe->n;
}

/* Proposes a format for the first `n` bytes. */
static void
propose_format(const struct trc_format *f, const struct trc_probe *probe, size_t n,
               struct trc_err *err)
{
	char what[sizeof(err->reading->what)];

	snprintf(what, sizeof(what), "this is %s, %s", f->name, f->doc);
	trc_reading_add(err, what, f->name, probe->p, n);
}

/* Proposes the formats that fit these bytes but are not certain; returns false if there are
 * none. */
static bool
ask(struct trc_err *err, const struct trc_in *in, const struct guesses *guesses,
    const struct trc_probe *probe)
{
	trc_fail(err,
	         "%s: the format cannot be recognised; use --from FORMAT (for any records, see "
	         "'trc help struct'), or a name with an extension",
	         in->name);
	if (!is_text(probe->p, probe->n))
		propose(trc_format_named("struct"), "", TRC_READINGS, probe, err);
	for (size_t i = 0; i < guesses->n; i++)
		propose_format(guesses->format[i], probe, probe->n, err);
	return err->readings > 0;
}

/* Proposes tables that fit the text, from the one at *at on, up to `most` proposals. */
static void
propose_candidates(const struct trc_probe *probe, size_t *at, unsigned most, struct trc_err *err)
{
	for (; *at < probe->candidates && err->readings < most; (*at)++)
		propose_format(probe->candidate[*at], probe, whole_lines(probe), err);
}

/* Proposes tables and, at the latest as the last, the arguments that `f` proposes, with some
 * more. */
static void
propose_tables(const struct trc_format *f, const char *more, const struct trc_probe *probe,
               struct trc_err *err)
{
	size_t at = 0;

	propose_candidates(probe, &at, TRC_READINGS - 1, err);
	propose(f, more, TRC_READINGS, probe, err);
	propose_candidates(probe, &at, TRC_READINGS, err);
}

static const struct trc_format *recognise(struct trc_in *in, bool part,
                                          struct trc_evidence *evidence, struct trc_err *err);

static const struct trc_format *
recognise_part(struct trc_in *in, struct trc_err *err)
{
	return recognise(in, true, NULL, err);
}

/* Proposes what a filter of the shell makes of the file, if that is text, and not packed. */
static void
propose_filtered(void (*filter)(const struct trc_filter_look *look, struct trc_err *err),
                 const struct trc_in *in, const struct trc_probe *probe, struct trc_err *err)
{
	const struct trc_filter_look look = { in->name, probe, recognise_part };

	if (err->readings == 0 && !probe->part && trc_in_size(in) > 0 &&
	    is_text(probe->p, probe->n))
		filter(&look, err);
}

/* Proposes what grep leaves of a text with sections, which begin as this line, or the first one. */
static void
propose_sections(const struct trc_in *in, const char *line, const struct trc_probe *probe,
                 struct trc_err *err)
{
	const struct trc_filter_look look = { in->name, probe, recognise_part };

	if (!probe->part && trc_in_size(in) > 0 && is_text(probe->p, probe->n))
		trc_filter_sections(&look, line, err);
}

/* Proposes a list of numbers, or else tables. */
static void
propose_lists(const struct trc_format *f, const struct trc_in *in, const struct trc_probe *probe,
              struct trc_err *err)
{
	propose_filtered(trc_filter_split, in, probe, err);
	if (err->readings == 0)
		propose_sections(in, NULL, probe, err);
	if (err->readings == 0)
		propose_tables(f, "", probe, err);
}

/* Returns true if few of many lines are of the nearest format: of few, the next one is damaged. */
static bool
is_by_chance(const struct trc_probe *probe)
{
	size_t lines = 0;

	for (size_t i = 0; i < probe->n; i++)
		lines += probe->p[i] == '\n';
	return probe->nearest.lines <= BY_CHANCE_MOST && lines >= BY_CHANCE_OF;
}

/* Proposes how to read a text whose first lines are of the nearest format. */
static void
propose_after(const struct trc_in *in, const struct trc_probe *probe, struct trc_err *err)
{
	const struct trc_lines_nearest *nearest = &probe->nearest;
	const struct trc_format *csv = trc_format_named("csv");
	const bool by_chance = nearest->format != csv && is_by_chance(probe);

	if (*nearest->reading.from)
		trc_err_reading(err, nearest->reading.what, nearest->reading.from);
	else
		propose_sections(in, nearest->text, probe, err);
	if (err->readings == 0 && nearest->format->base && nearest->format != find_named(in->name))
		propose_tables(csv, "", probe, err);
	if (err->readings == 0 && by_chance)
		propose(csv, "", TRC_READINGS, probe, err);
	if (by_chance)
		propose_filtered(trc_filter_pass, in, probe, err);
}

static const struct trc_format *
refuse(struct trc_err *err, const struct trc_in *in, const char *names,
       const struct guesses *guesses, const struct trc_probe *probe)
{
	const struct trc_lines_nearest *nearest = &probe->nearest;
	const char *named = trc_foreign_name(in->name);
	const char *foreign = named ? named : trc_foreign(probe->p, probe->n);
	const struct trc_format *f;
	char text[256];

	if (is_blank(probe)) {
		trc_fail(err, "%s: %s; use --from FORMAT", in->name,
		         probe->n ? "has only blank lines" : "is empty");
	} else if (*names) {
		trc_fail(err, "%s: could be any of%s; choose one with --from FORMAT", in->name,
		         names);
	} else if (!foreign && (!nearest->format || nearest->format->base) &&
	           trc_filter_logs(in->name, !probe->part && trc_in_size(in) > 0, probe->p,
	                           whole_lines(probe), err)) {
		return NULL;
	} else if (nearest->format && !named) {
		trc_fail(err,
		         "%s:%llu: '%s' is not a valid %s record, unlike the lines before it; "
		         "expected '%s'%s%s%s; or use --from FORMAT",
		         in->name, (unsigned long long)nearest->lines + 1, nearest->text,
		         nearest->format->name, nearest->format->line->grammar,
		         *nearest->why ? "; " : "", nearest->why,
		         is_unended(in, nearest->lines) ? TRC_LINES_UNENDED : "");
		propose_after(in, probe, err);
	} else if (foreign) {
		trc_fail(err, "%s: %s", in->name, foreign);
	} else if ((f = suggest(probe, text, sizeof(text)))) {
		trc_fail(err, "%s: %s", in->name, text);
		propose_lists(f, in, probe, err);
	} else if (!ask(err, in, guesses, probe)) {
		trc_fail(err,
		         "%s: the format is not recognised ('trc help formats' lists formats%s); "
		         "use --from FORMAT",
		         in->name,
		         is_text(probe->p, probe->n) ? "" : ", see 'trc help struct' for records");
		propose_lists(trc_format_named("csv"), in, probe, err);
	}
	if (!nearest->format && !foreign)
		propose_filtered(trc_filter_pass, in, probe, err);
	return NULL;
}

/* Returns true if csv with these arguments accepts all lines of the head. */
static bool
reads_all(const struct trc_reading *r, const struct trc_probe *head)
{
	struct trc_probe probe = *head;
	_Alignas(uint64_t) unsigned char settings[TRC_FORMAT_SETTINGS];
	const struct trc_format *f = trc_format_named(r->from);
	struct trc_err none;

	return trc_format_settings(f, trc_format_arguments(r->from), settings, &none) == 0 &&
	       trc_lines_probe(f, settings, &probe) > 0;
}

/* Returns the format of a text that is a table which can be read in one way only: in->reading. */
static const struct trc_format *
find_table(struct trc_in *in, const struct trc_probe *probe, struct trc_evidence *evidence)
{
	const struct trc_format *csv = trc_format_named("csv");
	const struct trc_proposals *const all = csv ? proposals_of(csv, probe) : NULL;
	const struct trc_reading *const first = all ? all->reading : NULL;

	if (!all || all->n == 0 || !first->sure || !reads_all(first, probe))
		return NULL;
	trc_evidence_add(evidence, false, csv, first->from);
	in->reading = *first;
	return csv;
}

/* Proposes what is equally likely. */
static void
propose_rivals(const struct trc_doubt *doubt, const struct trc_probe *probe, struct trc_err *err)
{
	char from[sizeof(err->reading->from)];

	for (size_t i = 0; i < TRC_RIVALS && doubt->from[i]; i++) {
		snprintf(from, sizeof(from),
		         strchr(doubt->from[i], '=') && !strchr(doubt->from[i], ':') ?
		                 "csv:%s,separator=blank%s" :
		                 "%s",
		         doubt->from[i], doubt->hex ? ",hex" : "");
		trc_reading_add(err, doubt->what[i], from, probe->p, whole_lines(probe));
	}
}

/* Notes the formats that take all of the head as `f` does, for their bids were less. */
static void
propose_others(const struct trc_format *f, const struct trc_probe *probe, struct trc_err *err)
{
	char what[sizeof(err->reading->what)];

	for (size_t i = 0; i < probe->takers; i++) {
		const struct trc_format *other = probe->taker[i];

		snprintf(what, sizeof(what), "this is %s, %s", other->name, other->line->grammar);
		if (other != f)
			trc_reading_add(err, what, other->name, probe->p, whole_lines(probe));
	}
}

/* Proposes all possible readings of a doubtful text, the likeliest first. */
static void
propose_doubted(const struct trc_format *f, const struct trc_doubt *doubt, const char *what,
                const struct trc_in *in, const struct trc_probe *probe, struct trc_err *err)
{
	const struct trc_format *csv = trc_format_named("csv");

	if (doubt->part)
		propose_filtered(trc_filter_split, in, probe, err);
	if (err->readings > 0)
		return;
	if (!doubt->later)
		trc_reading_add(err, what, f->name, probe->p, whole_lines(probe));
	else if (doubt->part)
		propose_tables(csv, "", probe, err);
	else if (doubt->base)
		propose(csv, "", 1, probe, err);
	propose_rivals(doubt, probe, err);
	err->reading[0].sure = doubt->sure && err->readings == 1;
	if (doubt->later)
		trc_reading_add(err, what, f->name, probe->p, whole_lines(probe));
	propose_others(f, probe, err);
	propose_tables(csv, doubt->base && f->base == 10 ? ",hex" : "", probe, err);
}

/* Asks about a text that may mean something else than format `f`; returns false if it is
 * certain. */
static bool
is_doubted(const struct trc_format *f, struct trc_in *in, const struct trc_probe *probe,
           struct trc_evidence *evidence, struct trc_err *err)
{
	char what[sizeof(err->reading->what)];
	struct trc_doubt doubt;

	if (!trc_doubt(f, probe, &doubt, evidence)) {
		snprintf(in->reading.from, sizeof(in->reading.from), "%s",
		         doubt.from[0] ? doubt.from[0] : "");
		return false;
	}
	if (doubt.part && trc_filter_logs(in->name, !probe->part && trc_in_size(in) > 0, probe->p,
	                                  whole_lines(probe), err))
		return true;
	trc_fail(err,
	         "%s: could be %s, but %s; choose with --from FORMAT, or by the extension of its "
	         "name",
	         in->name, f->name, doubt.why);
	snprintf(what, sizeof(what), "this is %s, %s%s", f->name, f->line->grammar,
	         f->base == 10 ? ", decimal" :
	         f->base == 16 ? ", hexadecimal" :
	                         "");
	propose_doubted(f, &doubt, what, in, probe, err);
	return true;
}

static void
add_guess(struct guesses *g, const struct trc_format *f, unsigned bid)
{
	size_t i = g->n < TRC_READINGS ? g->n++ : TRC_READINGS - 1;

	for (; i > 0 && bid > g->bid[i - 1]; i--) {
		g->format[i] = g->format[i - 1];
		g->bid[i] = g->bid[i - 1];
	}
	g->format[i] = f;
	g->bid[i] = bid;
}

/* The result of all bids for the data. */
struct bids {
	const struct trc_format *best, *named; /* NULL: none, or several: `names` */
	unsigned most;
	char names[256];
	struct guesses guesses;
};

static void
take_bid(struct bids *b, const struct trc_format *f, unsigned bid)
{
	if (bid > 0 && f == b->named && (b->most < SURE || !f->binary))
		bid = TRC_BID_MOST + 1;
	/* A trace without records may be any of a family; then the first one counts. */
	if (bid == 0 || bid < b->most || (bid == 1 && b->best))
		return;
	if (f->binary && bid < SURE) {
		if (bid > ONLY_NAMED)
			add_guess(&b->guesses, f, bid);
		return;
	}
	if (bid > b->most)
		b->names[0] = 0;
	b->best = bid > b->most ? f : NULL;
	b->most = bid;
	snprintf(b->names + strlen(b->names), sizeof(b->names) - strlen(b->names), " %s", f->name);
}

/* Returns true if a binary format is certain; the many text formats need not be tried then. */
static bool
is_binary(const struct bids *b)
{
	return b->best && b->best->binary && b->most >= SURE;
}

/* Records that the head is of this format, if it is. */
static void
note_bid(const struct trc_format *f, unsigned bid, bool named, struct trc_evidence *evidence)
{
	char text[80];

	if (bid == 0)
		return;
	snprintf(text, sizeof(text), "the head fits, by %u bits%s", bid,
	         named ? ", and its ending" : "");
	trc_evidence_add(evidence, false, f, text);
}

/* Returns the format with the best bid, if nothing speaks against it; else a table that is certain;
 * else NULL, with proposals. */
static const struct trc_format *
choose_format(struct trc_in *in, const struct bids *b, const struct trc_probe *probe, bool text,
              struct trc_evidence *evidence, struct trc_err *err)
{
	const bool plain = b->best && (!b->best->line || b->best == b->named);
	const bool doubted = b->best && !plain && is_doubted(b->best, in, probe, evidence, err);
	const struct trc_format *table;

	if (b->best && !doubted)
		return b->best;
	table = text && (doubted || !*b->names) ? find_table(in, probe, evidence) : NULL;
	if (!table && doubted && err->readings > 0 && err->reading[0].sure) {
		in->reading = err->reading[0];
		return trc_format_named(in->reading.from);
	}
	if (!table && !doubted)
		return refuse(err, in, b->names, &b->guesses, probe);
	return table;
}

static const struct trc_format *
recognise(struct trc_in *in, bool part, struct trc_evidence *evidence, struct trc_err *err)
{
	struct bids b = { .named = find_named(in->name) };
	const struct trc_format *f = NULL;
	struct trc_proposals proposals = { .f = NULL };
	struct trc_probe probe = { .part = part, .proposals = &proposals };
	bool no_trace, text;
	unsigned bid;

	if (trc_in_fill(in, PROBE_BYTES, err) ||
	    trc_batch_init(&probe.rows, TRC_HAS_ALL, TRC_PROBE_ROWS, err)) {
		trc_err_in(err, "%s", in->name);
		return NULL;
	}
	probe.p = in->p;
	probe.n = (size_t)(in->end - in->p);
	probe.whole = in->eof && probe.n <= PROBE_BYTES;
	probe.n = probe.n < PROBE_BYTES ? probe.n : PROBE_BYTES;
	no_trace = is_blank(&probe) || trc_foreign_utf16(probe.p, probe.n);
	text = is_text(probe.p, probe.n);
	while (!no_trace && (f = trc_format_next(f))) {
		probe.named = f == b.named;
		bid = (f->binary ? text : is_binary(&b)) ? 0 : bid_of(f, &probe);
		if (bid > 1 && f->line && probe.takers < TRC_READINGS)
			probe.taker[probe.takers++] = f;
		note_bid(f, bid, f == b.named, evidence);
		take_bid(&b, f, bid);
	}
	if (is_damaged(b.best, &probe.nearest)) {
		b.best = NULL;
		b.names[0] = 0;
	}
	f = choose_format(in, &b, &probe, text && !no_trace, evidence, err);
	trc_batch_release(&probe.rows);
	return f;
}

const struct trc_format *
trc_format_recognise_with(struct trc_in *in, struct trc_evidence *evidence, struct trc_err *err)
{
	return recognise(in, false, evidence, err);
}

const struct trc_format *
trc_format_recognise(struct trc_in *in, struct trc_err *err)
{
	return recognise(in, false, NULL, err);
}
