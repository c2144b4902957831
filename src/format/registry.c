/* SPDX-License-Identifier: MIT
 *
 * The list of formats, and opening them.
 */
#include "format/registry.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "format/lines.h"
#include "format/member.h"
#include "format/packets.h"
#include "format/print.h"
#include "format/records.h"

#define FAMILY(name) extern const struct trc_format trc_family_##name[];
#include "formats.def"
#undef FAMILY

static const struct trc_format *const family[] = {
#define FAMILY(name) trc_family_##name,
#include "formats.def"
#undef FAMILY
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

/* Returns true if the first `len` bytes of a path end with `ending`, which may be NULL, and sets
 * *stem to the length without it. */
static bool
ends(const char *path, size_t len, const char *ending, size_t *stem)
{
	const size_t n = ending ? strlen(ending) : 0;

	if (n == 0 || len <= n || strncasecmp(path + len - n, ending, n) != 0)
		return false;
	*stem = len - n;
	return true;
}

/* Does the same for the other known endings of such files, with or without that of a packing. */
static bool
ends_known(const char *path, size_t len, const char *known, size_t *stem)
{
	for (size_t n; known && *known; known += n + (known[n] == ' ')) {
		char ending[32];

		n = strcspn(known, " ");
		snprintf(ending, sizeof(ending), "%.*s", (int)n, known);
		if (ends(path, len, ending, stem) || ends(path, strlen(path), ending, stem))
			return true;
	}
	return false;
}

size_t
trc_format_stem(const char *path, const struct trc_format **format)
{
	const size_t len = trc_packing_ending(path) ? (size_t)(strrchr(path, '.') - path) :
	                                              strlen(path);
	const struct trc_format *f = NULL;
	size_t stem = len;

	while ((f = trc_format_next(f)))
		if (ends(path, len, f->ending, &stem) ||
		    ends(path, strlen(path), f->ending, &stem) ||
		    ends_known(path, len, f->known, &stem))
			break;
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

/* Returns true if a format of loads and stores would refuse a trace because of its fetches. Traces
 * of pages have none: fetches are reads there. */
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

static bool
has_argument(const struct trc_format_args *rows, const char *word, size_t len)
{
	for (size_t i = 0; rows && i < rows->opts; i++)
		if (strlen(rows->opt[i].name) == len && memcmp(rows->opt[i].name, word, len) == 0)
			return true;
	return false;
}

/* Refuses arguments of the other direction. */
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

int
trc_format_settings(const struct trc_format *f, const char *args, void *settings,
                    struct trc_err *err)
{
	const struct trc_format *as = f->as ? trc_format_named(f->as) : f;

	if (f->as && args && *args)
		return trc_fail_as(err, TRC_USAGE, "%s takes no arguments; %s does, and %s is %s",
		                   f->name, as->name, f->name, f->as);
	return parse_args(as, as->from, f->as ? trc_format_arguments(f->as) : args, settings, err);
}

struct trc_source *
trc_format_source(const struct trc_format *f, const char *args, struct trc_in *in,
                  struct trc_err *err)
{
	_Alignas(uint64_t) unsigned char settings[TRC_FORMAT_SETTINGS];

	if (!args && *in->reading.from && trc_format_named(in->reading.from) == f)
		args = trc_format_arguments(in->reading.from);
	if (trc_format_settings(f, args, settings, err))
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
	trc_fail_as(err, TRC_USAGE,
	            trc_packing_named(f->name, strlen(f->name)) ?
	                    ".%s files are unpacked without --from; omit it, or name the format "
	                    "inside" :
	                    "%s can be written, but not read",
	            f->name);
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
		         words ? ", --annotate finds branches and registers by the "
		                 "instruction words before" :
		                 "");
	else if (missing)
		trc_fail(err,
		         "%s needs '%s', which this trace lacks; --fill COLUMN=VALUE supplies it",
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
	if (f->sink && f->writes)
		return f->writes >> type & 1;
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
		trc_fail_as(err, TRC_USAGE, "%s can be read, but not written", f->name);
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
