/* SPDX-License-Identifier: MIT
 * Recognition runs each row's own parser or probe. */
#include "format/registry.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "format/lines.h"
#include "format/member.h"
#include "format/packets.h"
#include "format/print.h"
#include "format/records.h"
#include "format/foreign.h"

#define FAMILY(name) extern const struct trc_format trc_family_##name[];
#include "formats.def"
#undef FAMILY

static const struct trc_format *const family[] = {
#define FAMILY(name) trc_family_##name,
#include "formats.def"
#undef FAMILY
};

enum {
	PROBE_BYTES = 64 << 10, /* bytes that recognition looks at */
};

const struct trc_format *
trc_format_next(const struct trc_format *f)
{
	if (!f)
		return family[0];
	if (f[1].name)
		return f + 1;
	for (size_t i = 0; i + 1 < TRC_COUNT(family); i++)
		for (const struct trc_format *row = family[i]; row->name; row++)
			if (row == f)
				return family[i + 1];
	return NULL;
}

const struct trc_format *
trc_format_named(const char *name)
{
	const struct trc_format *f = NULL;
	const size_t len = strcspn(name, ":");

	while ((f = trc_format_next(f)))
		if (strlen(f->name) == len && memcmp(f->name, name, len) == 0)
			break;
	return f;
}

const char *
trc_format_arguments(const char *name)
{
	const char *colon = name ? strchr(name, ':') : NULL;

	return colon ? colon + 1 : NULL;
}

bool
trc_format_reads(const struct trc_format *f)
{
	return f->line || f->record || f->packet || f->member || f->source;
}

bool
trc_format_writes(const struct trc_format *f)
{
	return f->print || f->member || f->sink;
}

/* The length of a path without an ending, which may be NULL; `len` if it has another. */
static size_t
without(const char *path, size_t len, const char *ending)
{
	const size_t n = ending ? strlen(ending) : 0;

	return n > 0 && len > n && strncasecmp(path + len - n, ending, n) == 0 ? len - n : len;
}

/* The same for any of those that others give such files, with the packing or without. */
static size_t
without_known(const char *path, size_t len, const char *known)
{
	const size_t whole = strlen(path);

	for (size_t n; known && *known; known += n + (known[n] == ' ')) {
		char ending[32];
		size_t stem;

		n = strcspn(known, " ");
		snprintf(ending, sizeof(ending), "%.*s", (int)n, known);
		stem = without(path, len, ending);
		if (stem < len)
			return stem;
		stem = without(path, whole, ending);
		if (stem < whole)
			return stem;
	}
	return len;
}

size_t
trc_format_stem(const char *path, const struct trc_format **format)
{
	const size_t len = trc_packing_ending(path) ? (size_t)(strrchr(path, '.') - path) :
	                                              strlen(path);
	const struct trc_format *f = NULL;
	size_t stem = len;

	while ((f = trc_format_next(f))) {
		stem = without(path, len, f->ending);
		if (stem == len)
			stem = without_known(path, len, f->known);
		if (stem < len)
			break;
	}
	*format = f;
	return stem;
}

const struct trc_format *
trc_format_ending(const char *path)
{
	const struct trc_format *f;

	(void)trc_format_stem(path, &f);
	return f;
}

/* Whether a format of loads and stores would refuse a trace for its fetches. Traces of pages have
 * none: what fetched is a read there. */
static bool
is_data_only(const struct trc_format *f, uint32_t have)
{
	return f->print && have & TRC_HAS_ADDR && !trc_format_takes(f, NULL, have, TRC_FETCH) &&
	       trc_format_takes(f, NULL, have, TRC_READ);
}

const struct trc_format *
trc_format_plain(uint32_t have)
{
	const struct trc_format *f = NULL;

	while ((f = trc_format_next(f)))
		if (f->line && trc_format_writes(f) && (have & ~f->holds) == 0 &&
		    (f->needs & ~have) == 0 && !is_data_only(f, have))
			break;
	return f;
}

static unsigned
bid_of(const struct trc_format *f, struct trc_probe *probe)
{
	if (f->probe)
		return f->probe(probe->p, probe->n, probe->whole);
	if (f->line)
		return trc_lines_probe(f, probe);
	if (f->record)
		return trc_records_probe(f, probe);
	return f->member ? trc_member_probe(f, probe->p, probe->n) : 0;
}

/* The format that suggests what the data may be; NULL if none does. */
static const struct trc_format *
suggest(const struct trc_probe *probe, char *dst, size_t room)
{
	const struct trc_format *f = NULL;

	while ((f = trc_format_next(f)))
		if (f->suggest && f->suggest(probe->p, probe->n, dst, room))
			break;
	return f;
}

/* Notes what words might help. */
static void
propose(const struct trc_format *f, const struct trc_probe *probe, struct trc_err *err)
{
	if (f->propose && !f->propose(NULL, probe->p, probe->n, err->from, sizeof(err->from)))
		err->from[0] = 0;
}

/* Whether a text that format `best` takes whole is rather a damaged one of format `nearest`. */
static bool
is_damaged(const struct trc_format *best, const struct trc_lines_nearest *nearest)
{
	return best && best->line && nearest->format &&
	       trc_lines_sees_more(nearest->format, nearest->lines, best);
}

/* Whether the text ends within the line behind so many. */
static bool
is_unended(const struct trc_in *in, uint64_t lines)
{
	uint64_t n = 0;

	for (const uint8_t *p = in->p; p < in->end; p++)
		n += *p == '\n';
	return in->eof && in->p < in->end && in->end[-1] != '\n' && n == lines;
}

/* Whether the bytes are all such as file(1) finds in texts: then no format but text has made them.
 * One byte in nine is not among these, so of 64 bytes of other data all are once in 2,000. */
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

static const struct trc_format *
refuse(struct trc_err *err, const struct trc_in *in, const char *names,
       const struct trc_probe *probe)
{
	const struct trc_lines_nearest *nearest = &probe->nearest;
	const char *foreign = trc_foreign(probe->p, probe->n);
	const struct trc_format *f;
	char text[256];

	if (is_blank(probe)) {
		trc_fail(err, "%s: %s; say what it is with --from FORMAT", in->name,
		         probe->n ? "has blank lines only" : "is empty");
	} else if (*names) {
		trc_fail(err, "%s: could be any of%s; say which with --from FORMAT", in->name,
		         names);
	} else if (nearest->format) {
		trc_fail(err,
		         "%s:%llu: '%s' is no %s record as the lines before it are, expected "
		         "'%s'%s%s%s; or say what it is with --from FORMAT",
		         in->name, (unsigned long long)nearest->lines + 1, nearest->text,
		         nearest->format->name, nearest->format->line->grammar,
		         *nearest->why ? "; " : "", nearest->why,
		         is_unended(in, nearest->lines) ? TRC_LINES_UNENDED : "");
		snprintf(err->from, sizeof(err->from), "%s", nearest->from);
	} else if (foreign) {
		trc_fail(err, "%s: %s", in->name, foreign);
	} else if ((f = suggest(probe, text, sizeof(text)))) {
		trc_fail(err, "%s: %s", in->name, text);
		propose(f, probe, err);
	} else {
		trc_fail(err,
		         "%s: is no format that trc recognises ('trc help formats' has the list); "
		         "say which with --from FORMAT",
		         in->name);
	}
	return NULL;
}

const struct trc_format *
trc_format_recognise(struct trc_in *in, struct trc_err *err)
{
	const struct trc_format *f = NULL, *best = NULL;
	struct trc_probe probe = { 0 };
	unsigned best_bid = 0;
	char names[256] = "";
	bool no_trace, text;

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
		const unsigned bid = text && f->binary ? 0 : bid_of(f, &probe);

		/* A trace without records may be any of a family: the first, then. */
		if (bid == 0 || bid < best_bid || (bid == 1 && best))
			continue;
		if (bid > best_bid)
			names[0] = 0;
		best = bid > best_bid ? f : NULL;
		best_bid = bid;
		snprintf(names + strlen(names), sizeof(names) - strlen(names), " %s", f->name);
	}
	trc_batch_release(&probe.rows);
	if (is_damaged(best, &probe.nearest)) {
		best = NULL;
		names[0] = 0;
	}
	return best ? best : refuse(err, in, names, &probe);
}

static bool
has_argument(const struct trc_format_args *rows, const char *word, size_t len)
{
	for (size_t i = 0; rows && i < rows->opts; i++)
		if (strlen(rows->opt[i].name) == len && memcmp(rows->opt[i].name, word, len) == 0)
			return true;
	return false;
}

/* Refuses arguments for the other direction. */
static int
check_direction(const struct trc_format *f, const struct trc_format_args *rows, const char *args,
                struct trc_err *err)
{
	const bool reads = rows == f->from;

	for (const char *p = args; p && *p; p += strcspn(p, ","), p += *p == ',') {
		const size_t len = strcspn(p, ",=");

		if (!has_argument(rows, p, len) && has_argument(reads ? f->to : f->from, p, len))
			return trc_fail_as(err, TRC_USAGE, "%s: '%.*s' is for --%s, not for --%s",
			                   f->name, (int)len, p, reads ? "to" : "from",
			                   reads ? "from" : "to");
	}
	return 0;
}

static int
parse_args(const struct trc_format *f, const struct trc_format_args *rows, const char *args,
           unsigned char *settings, struct trc_err *err)
{
	memset(settings, 0, TRC_FORMAT_SETTINGS);
	if (rows == f->from && f->parse_from)
		return f->parse_from(args, settings, err);
	if (check_direction(f, rows, args, err) ||
	    trc_opt_parse_words(rows ? rows->opt : NULL, rows ? rows->opts : 0, f->name, args,
	                        settings, err))
		return -1;
	return rows == f->from && f->check_from ? f->check_from(settings, err) : 0;
}

struct trc_source *
trc_format_source(const struct trc_format *f, const char *args, struct trc_in *in,
                  struct trc_err *err)
{
	_Alignas(uint64_t) unsigned char settings[TRC_FORMAT_SETTINGS];

	if (parse_args(f, f->from, args, settings, err))
		return NULL;
	if (f->line)
		return trc_lines_source(f, in, settings, err);
	if (f->record)
		return trc_records_source(f, in, err);
	if (f->packet)
		return trc_packets_source(f, in, settings, err);
	if (f->member)
		return trc_member_source(f, in, settings, err);
	if (f->source)
		return f->source(in, settings, err);
	trc_fail_as(err, TRC_USAGE, "%s can be written, not read", f->name);
	return NULL;
}

static int
check_columns(const struct trc_format *f, uint32_t have, struct trc_err *err)
{
	const uint32_t lost = have & ~(f->holds | f->takes), missing = f->needs & ~have;
	const bool words = lost & TRC_HAS_INSN && f->holds & ~have & TRC_HAS_REGS;
	char names[128];

	if (lost)
		trc_fail(err, "%s cannot hold '%s'; --drop %s agrees to lose it%s", f->name,
		         trc_columns_text(lost, names, sizeof(names)), names,
		         words ? ", --annotate riscv tells branches and registers by the "
		                 "instruction words before" :
		                 "");
	else if (missing)
		trc_fail(err,
		         "%s needs '%s', which this trace does not have; "
		         "--fill COLUMN=VALUE supplies it",
		         f->name, trc_columns_text(missing, names, sizeof(names)));
	else
		return 0;
	err->unfit = true;
	return -1;
}

bool
trc_format_takes(const struct trc_format *f, const char *args, uint32_t have, uint8_t type)
{
	_Alignas(uint64_t) unsigned char settings[TRC_FORMAT_SETTINGS];
	struct trc_err none;

	if (f->member)
		return f->member->types >> type & 1;
	if (!f->print || parse_args(f, f->to, args, settings, &none))
		return true;
	return trc_print_takes(f, settings, have, type);
}

struct trc_sink *
trc_format_sink(const struct trc_format *f, const char *args, struct trc_out *out, uint32_t have,
                const struct trc_meta *meta, struct trc_err *err)
{
	_Alignas(uint64_t) unsigned char settings[TRC_FORMAT_SETTINGS];

	if (!trc_format_writes(f)) {
		trc_fail_as(err, TRC_USAGE, "%s can be read, not written", f->name);
		return NULL;
	}
	if (parse_args(f, f->to, args, settings, err) || check_columns(f, have, err))
		return NULL;
	if (f->print)
		return trc_print_sink(f, out, have, meta, settings, err);
	if (f->member)
		return trc_member_sink(f, out, have, settings, err);
	return f->sink(out, have, meta, settings, err);
}
