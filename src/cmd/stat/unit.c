/* SPDX-License-Identifier: MIT
 *
 * The options that several questions take, and the unit of --mrc and --ws: pages, or lines.
 */
#include "cmd/stat/stat.h"

#include <stdio.h>
#include <string.h>

#include "batch/provenance.h"

const struct trc_opts trc_stat_opts_page_size =
        TRC_OPTS(uint64_t, { 0, "page-size", "BYTES", "page size (default 4096)", TRC_OPT_BYTES,
                             TRC_WORDS_NONE, 0 });
const struct trc_opts trc_stat_opts_line_size = TRC_OPTS(
        uint64_t, { 0, "line-size", "BYTES", "count cache lines of this size instead of pages",
                    TRC_OPT_BYTES, TRC_WORDS_NONE, 0 });
const struct trc_opts trc_stat_opts_by_space =
        TRC_OPTS_FLAG("by-space", "simulate a separate memory for each address space");
const struct trc_opts trc_stat_opts_objects =
        TRC_OPTS_FLAG("objects", "count requested objects instead of their pages");
const struct trc_opts trc_stat_opts_quiet = TRC_OPTS(
        bool, { 'q', "quiet", NULL, "do not show progress", TRC_OPT_FLAG, TRC_WORDS_NONE, 0 });

static bool
flag(const struct trc_settings *settings, const struct trc_opts *owner)
{
	return *(const bool *)trc_settings_of(settings, owner);
}

struct trc_stat
trc_stat_of(const struct trc_settings *settings)
{
	return (struct trc_stat){
		.in = trc_job_in(settings),
		.page_size = *(const uint64_t *)trc_settings_of(settings, &trc_stat_opts_page_size),
		.line_size = *(const uint64_t *)trc_settings_of(settings, &trc_stat_opts_line_size),
		.objects = flag(settings, &trc_stat_opts_objects),
		.by_space = flag(settings, &trc_stat_opts_by_space),
		.form = trc_answer_form(settings),
		.quiet = flag(settings, &trc_stat_opts_quiet),
	};
}

void
trc_stat_begin(struct trc_stat *s, struct trc_query *query)
{
	*s = trc_stat_of(query->settings);
	query->unit = s->objects ? 1 : s->line_size ? s->line_size : s->page_size;
	query->single = query->objects = s->objects;
}

int
trc_stat_objects(const struct trc_stat *s, struct trc_job *job, struct trc_err *err)
{
	return s->objects ? trc_job_drop(job, TRC_HAS_SIZE, err) : 0;
}

const struct trc_format *
trc_stat_requests(const struct trc_job *job)
{
	const struct trc_format *f = job->format;
	struct trc_view list = trc_source_provenance(job->file ? job->file : job->src);
	struct trc_provenance_entry e;
	char name[32];

	if (!f || !trc_job_is_container(f))
		list.p = list.end;
	while (list.p < list.end && trc_provenance_next(&list, &e)) {
		snprintf(name, sizeof(name), "%.*s", (int)e.len, (const char *)e.text);
		f = strcmp(e.key, "source") == 0 ? trc_format_named(name) : f;
	}
	return f && (f->objects || f->blocks) && job->src->have & TRC_HAS_ADDR ? f : NULL;
}

void
trc_stat_note_requests(const struct trc_stat *s, const struct trc_job *job, bool blocks,
                       const char *instead)
{
	const struct trc_format *f;

	if (s->quiet || s->objects || s->page_size || s->line_size || !job->inputs)
		return;
	f = trc_stat_requests(job);
	if (!f || (f->blocks && !blocks))
		return;
	fprintf(stderr, "note: %s holds requests for %s; pages are counted here, %s\n", f->name,
	        f->blocks ? "blocks" : "objects", instead);
}

static int
check_objects(const struct trc_stat *s, const struct trc_source *src, struct trc_err *err)
{
	if (s->line_size || s->page_size)
		return trc_fail_as(err, TRC_USAGE,
		                   "--objects: objects have no page size, so --%s "
		                   "has no effect",
		                   s->line_size ? "line-size" : "page-size");
	if (!(src->have & TRC_HAS_ADDR))
		return trc_fail(err, "--objects: the trace has pages, not addresses of objects");
	if (s->by_space && !(src->have & TRC_HAS_ASID))
		return trc_fail(err, "--by-space: the trace has no address spaces");
	return 0;
}

int
trc_stat_unit(const struct trc_stat *s, const struct trc_source *src, struct trc_stat_unit *unit,
              struct trc_err *err)
{
	const char *option = s->line_size ? "--line-size" : "--page-size";
	const uint64_t given = s->line_size ? s->line_size : s->page_size;
	const bool pages = src->have & TRC_HAS_VPN;
	const uint32_t own = src->meta.page_bits;

	if (s->objects) {
		*unit = (struct trc_stat_unit){ "object", 0, false };
		return check_objects(s, src, err);
	}
	*unit = (struct trc_stat_unit){ s->line_size ? "line" : "page", own, given || !pages };
	if (s->line_size && s->page_size)
		return trc_fail_as(err, TRC_USAGE,
		                   "--line-size and --page-size exclude each "
		                   "other");
	if (s->line_size && pages)
		return trc_fail_as(err, TRC_USAGE,
		                   "--line-size: the trace has pages, not addresses");
	if (s->by_space && !(src->have & TRC_HAS_ASID))
		return trc_fail(err, "--by-space: the trace has no address spaces");
	if (!unit->known)
		return 0;
	if (given & (given - 1))
		return trc_fail_as(err, TRC_USAGE, "%s: %llu is not a power of two", option,
		                   (ull)given);
	if (trc_job_page_bits(given ? given : TRC_STAT_PAGE_SIZE, &unit->bits, err))
		return -1;
	if (given && own && unit->bits != own)
		return trc_fail_as(err, TRC_USAGE, "%s: the trace has pages of %llu bytes", option,
		                   1ull << own);
	return 0;
}

/* ---- writes, and what counts ---- */

const struct trc_opts trc_stat_opts_count = TRC_OPTS(
        unsigned, { 0, "count", "read", "read all records; read: with --mrc, count only reads",
                    TRC_OPT_MAYBE, TRC_WORDS_NONE, 0 });
const struct trc_opts trc_stat_opts_writes = TRC_OPTS(unsigned,
                                                      { 0, "writes", "back|through|around|none",
                                                        "with --mrc: what writes do (default back)",
                                                        TRC_OPT_CHOICE, TRC_WORDS_NONE, 0 });

enum trc_object_writes
trc_stat_writes(const struct trc_settings *settings)
{
	const unsigned given = *(const unsigned *)trc_settings_of(settings, &trc_stat_opts_writes);

	return given ? given - 1 : TRC_WRITES_BACK;
}

const char *
trc_stat_writes_name(enum trc_object_writes writes)
{
	static const char *const name[] = { NULL, "through", "around", "none" };

	return name[writes];
}

int
trc_stat_count_reads(const struct trc_settings *settings, bool *reads, struct trc_err *err)
{
	const unsigned given = *(const unsigned *)trc_settings_of(settings, &trc_stat_opts_count);

	*reads = given > 1;
	if (given == 1)
		return trc_fail_as(err, TRC_USAGE,
		                   "--count: --mrc always reads the trace; --count read counts "
		                   "only reads");
	return 0;
}
