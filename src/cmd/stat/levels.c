/* SPDX-License-Identifier: MIT */
#include "cmd/stat/levels.h"

#include <string.h>

#include "cmd/geometry.h"
#include "cmd/report.h"

/* A line of one cache: of a type, of what the end copied back, or of all. */
struct line {
	const char *name;
	uint64_t refs, misses, writebacks;
	bool referred; /* the first two mean something */
};

enum { LINES_MOST = TRC_TYPES + 2 };

static double
miss_ratio(const struct line *l)
{
	return l->refs ? (double)l->misses / (double)l->refs : 0;
}

/* The lines of one cache that are not all 0; the last is of all. */
static size_t
lines_of(const struct trc_cache_counts *k, struct line *line)
{
	static const enum trc_type order[] = { TRC_FETCH, TRC_READ, TRC_WRITE, TRC_MISC,
		                               TRC_COPY_BACK };
	struct line all = { "all", 0, 0, k->writebacks_end, true };
	size_t n = 0;

	for (size_t i = 0; i < TRC_COUNT(order); i++) {
		const enum trc_type t = order[i];

		if (k->refs[t] || k->writebacks[t])
			line[n++] = (struct line){ trc_type_name[t], k->refs[t], k->misses[t],
				                   k->writebacks[t], t != TRC_COPY_BACK };
		all.refs += k->refs[t];
		all.misses += k->misses[t];
		all.writebacks += k->writebacks[t];
	}
	line[n++] = (struct line){ "end", 0, 0, k->writebacks_end, false };
	line[n++] = all;
	return n;
}

size_t
trc_levels_at(const struct trc_levels *r, size_t i)
{
	return i + 1 - (i > 0 && r->shape[0].part != TRC_CACHE_UNIFIED);
}

const char *
trc_levels_part(const struct trc_levels *r, size_t i)
{
	static const char *const name[] = { [TRC_CACHE_UNIFIED] = "unified",
		                            [TRC_CACHE_FETCHES] = "fetches",
		                            [TRC_CACHE_DATA] = "data" };
	static const char *const by_size[] = { [TRC_CACHE_UNIFIED] = "unified",
		                               [TRC_CACHE_FETCHES] = "small pages",
		                               [TRC_CACHE_DATA] = "huge pages" };

	return (r->tlb && r->tlb->by_size ? by_size : name)[r->shape[i].part];
}

/* What went to the level below. */
static uint64_t
bytes_down(const struct trc_cache_shape *s, const struct trc_cache_counts *k, uint64_t writebacks)
{
	return (writebacks + k->victims) * s->line;
}

static int
print_text(const struct trc_levels *r, size_t i, struct trc_err *err)
{
	const struct trc_cache_shape *s = &r->shape[i];
	const struct trc_cache_counts *k = &r->count[i];
	struct line line[LINES_MOST];
	const size_t n = lines_of(k, line);

	if (trc_report(r->out, err,
	               "%slevel %zu %s: %llu bytes, %llu ways, lines of %llu bytes, %s%s%s\n",
	               i ? "\n" : "", trc_levels_at(r, i), trc_levels_part(r, i),
	               (unsigned long long)s->size, (unsigned long long)s->ways,
	               (unsigned long long)s->line, trc_policy(s->policy)->name,
	               s->inclusion ? ", " : "",
	               s->inclusion ? trc_geometry_inclusions[s->inclusion] : "") ||
	    trc_report(r->out, err, "%-10s %14s %14s %14s %11s %12s\n", "", "references", "hits",
	               "misses", "miss ratio", "write-backs"))
		return -1;
	for (size_t j = 0; j < n; j++) {
		const struct line *l = &line[j];

		if (l->referred ?
		            trc_report(r->out, err, "%-10s %14llu %14llu %14llu %11.6f %12llu\n",
		                       l->name, (unsigned long long)l->refs,
		                       (unsigned long long)(l->refs - l->misses),
		                       (unsigned long long)l->misses, miss_ratio(l),
		                       (unsigned long long)l->writebacks) :
		            trc_report(r->out, err, "%-10s %69llu\n", l->name,
		                       (unsigned long long)l->writebacks))
			return -1;
	}
	if (r->related &&
	    trc_report(r->out, err,
	               "clean victims to an exclusive level %llu, lines invalidated by an "
	               "inclusive one %llu\n",
	               (unsigned long long)k->victims, (unsigned long long)k->invalidated))
		return -1;
	return trc_report(r->out, err, "bytes from below %llu, to below %llu\n",
	                  (unsigned long long)(k->filled * s->line),
	                  (unsigned long long)bytes_down(s, k, line[n - 1].writebacks));
}

/* What is of all types together stands in the last row, counted in `k`; NULL: in another. */
static int
csv_related(const struct trc_levels *r, const struct trc_cache_shape *s,
            const struct trc_cache_counts *k, struct trc_err *err)
{
	if (!r->related)
		return 0;
	return trc_report(r->out, err, ",%s,%llu,%llu", trc_geometry_inclusions[s->inclusion],
	                  (unsigned long long)(k ? k->victims : 0),
	                  (unsigned long long)(k ? k->invalidated : 0));
}

static int
print_csv(const struct trc_levels *r, size_t i, struct trc_err *err)
{
	const struct trc_cache_shape *s = &r->shape[i];
	const struct trc_cache_counts *k = &r->count[i];
	struct line line[LINES_MOST];
	const size_t n = lines_of(k, line);

	if (i == 0 && trc_report(r->out, err,
	                         "level,part,size,ways,line,policy,type,references,hits,"
	                         "misses,miss_ratio,writebacks%s\n",
	                         r->related ? ",inclusion,victims,invalidated" : ""))
		return -1;
	for (size_t j = 0; j < n; j++) {
		const struct line *l = &line[j];

		if (trc_report(r->out, err, "%zu,%s,%llu,%llu,%llu,%s,%s,%llu,%llu,%llu,%.9g,%llu",
		               trc_levels_at(r, i), trc_levels_part(r, i),
		               (unsigned long long)s->size, (unsigned long long)s->ways,
		               (unsigned long long)s->line, trc_policy(s->policy)->name, l->name,
		               (unsigned long long)l->refs,
		               (unsigned long long)(l->refs - l->misses),
		               (unsigned long long)l->misses, miss_ratio(l),
		               (unsigned long long)l->writebacks) ||
		    csv_related(r, s, j + 1 == n ? k : NULL, err) || trc_report(r->out, err, "\n"))
			return -1;
	}
	return 0;
}

static int
print_json(const struct trc_levels *r, size_t i, struct trc_err *err)
{
	const struct trc_cache_shape *s = &r->shape[i];
	const struct trc_cache_counts *k = &r->count[i];
	struct line line[LINES_MOST];
	const size_t n = lines_of(k, line);

	if (trc_report(r->out, err,
	               "%s{\"level\": %zu, \"part\": \"%s\", \"size\": %llu, \"ways\": %llu, "
	               "\"line\": %llu, \"policy\": \"%s\", \"bytes_from_below\": %llu, "
	               "\"bytes_to_below\": %llu",
	               i ? ",\n " : "{\"caches\": [", trc_levels_at(r, i), trc_levels_part(r, i),
	               (unsigned long long)s->size, (unsigned long long)s->ways,
	               (unsigned long long)s->line, trc_policy(s->policy)->name,
	               (unsigned long long)(k->filled * s->line),
	               (unsigned long long)bytes_down(s, k, line[n - 1].writebacks)))
		return -1;
	if (r->related &&
	    trc_report(r->out, err,
	               ", \"inclusion\": \"%s\", \"victims\": %llu, \"invalidated\": %llu",
	               trc_geometry_inclusions[s->inclusion], (unsigned long long)k->victims,
	               (unsigned long long)k->invalidated))
		return -1;
	for (size_t j = 0; j < n; j++) {
		const struct line *l = &line[j];

		if (l->referred ? trc_report(r->out, err,
		                             ",\n  \"%s\": {\"references\": %llu, \"hits\": %llu, "
		                             "\"misses\": %llu, \"writebacks\": %llu}",
		                             l->name, (unsigned long long)l->refs,
		                             (unsigned long long)(l->refs - l->misses),
		                             (unsigned long long)l->misses,
		                             (unsigned long long)l->writebacks) :
		                  trc_report(r->out, err, ",\n  \"%s\": {\"writebacks\": %llu}",
		                             l->name, (unsigned long long)l->writebacks))
			return -1;
	}
	return trc_report(r->out, err, "}");
}

/* ---- TLBs: entries, and no write-backs ---- */

/* The name of a line: what stage/simulate/cache/tlb.h has types stand for. */
static const char *
look_up_name(const struct trc_levels *r, const struct line *l)
{
	const bool fetch = strcmp(l->name, trc_type_name[TRC_FETCH]) == 0;
	const bool read = strcmp(l->name, trc_type_name[TRC_READ]) == 0;

	if (r->tlb->by_size && (fetch || read))
		return fetch ? "small pages" : "huge pages";
	return strcmp(l->name, trc_type_name[TRC_MISC]) == 0 ? trc_type_name[TRC_WRITE] : l->name;
}

static int
tlb_line(const struct trc_levels *r, const struct trc_stat *s, size_t i, const struct line *l,
         struct trc_err *err)
{
	const struct trc_cache_shape *shape = &r->shape[i];
	const char *name = look_up_name(r, l);

	if (s->csv)
		return trc_report(r->out, err, "%zu,%s,%llu,%llu,%s,%s,%llu,%llu,%llu,%.9g\n",
		                  trc_levels_at(r, i), trc_levels_part(r, i),
		                  (unsigned long long)(shape->size / shape->line),
		                  (unsigned long long)shape->ways, trc_policy(shape->policy)->name,
		                  name, (unsigned long long)l->refs,
		                  (unsigned long long)(l->refs - l->misses),
		                  (unsigned long long)l->misses, miss_ratio(l));
	if (s->json)
		return trc_report(r->out, err,
		                  ",\n  \"%s\": {\"references\": %llu, \"hits\": %llu, "
		                  "\"misses\": %llu}",
		                  name, (unsigned long long)l->refs,
		                  (unsigned long long)(l->refs - l->misses),
		                  (unsigned long long)l->misses);
	return trc_report(r->out, err, "%-11s %14llu %14llu %14llu %11.6f\n", name,
	                  (unsigned long long)l->refs, (unsigned long long)(l->refs - l->misses),
	                  (unsigned long long)l->misses, miss_ratio(l));
}

static int
tlb_head(const struct trc_levels *r, const struct trc_stat *s, size_t i, struct trc_err *err)
{
	const struct trc_cache_shape *shape = &r->shape[i];
	const char *inclusion = trc_geometry_inclusions[shape->inclusion];
	const unsigned long long entries = shape->size / shape->line, ways = shape->ways;

	if (s->csv)
		return i ? 0 :
		           trc_report(r->out, err,
		                      "level,part,entries,ways,policy,type,references,hits,misses,"
		                      "miss_ratio\n");
	if (s->json)
		return trc_report(r->out, err,
		                  "%s{\"level\": %zu, \"part\": \"%s\", \"entries\": %llu, "
		                  "\"ways\": %llu, \"policy\": \"%s\", \"inclusion\": \"%s\"",
		                  i ? ",\n " : "{\"tlbs\": [", trc_levels_at(r, i),
		                  trc_levels_part(r, i), entries, ways,
		                  trc_policy(shape->policy)->name, inclusion);
	return trc_report(r->out, err,
	                  "%slevel %zu %s: %llu entries, %llu ways, %s%s%s\n"
	                  "%-11s %14s %14s %14s %11s\n",
	                  i ? "\n" : "", trc_levels_at(r, i), trc_levels_part(r, i), entries, ways,
	                  trc_policy(shape->policy)->name, shape->inclusion ? ", " : "",
	                  shape->inclusion ? inclusion : "", "", "look-ups", "hits", "misses",
	                  "miss ratio");
}

static int
print_tlb(const struct trc_levels *r, const struct trc_stat *s, size_t i, struct trc_err *err)
{
	struct line line[LINES_MOST];
	const size_t n = lines_of(&r->count[i], line);

	if (tlb_head(r, s, i, err))
		return -1;
	for (size_t k = 0; k < n; k++)
		if (line[k].referred && tlb_line(r, s, i, &line[k], err))
			return -1;
	return s->json ? trc_report(r->out, err, "}") : 0;
}

/* ---- both ---- */

/* The lines behind all levels. */
static int
print_end(const struct trc_levels *r, const struct trc_stat *s, struct trc_err *err)
{
	const unsigned long long original = r->original;

	if (s->csv)
		return 0;
	if (!s->json)
		return original ? trc_report(r->out, err,
		                             "the trace was reduced: of the %llu references "
		                             "of the original it lacks what hits\n",
		                             original) :
		                  0;
	if (trc_report(r->out, err, "]") ||
	    (original && trc_report(r->out, err, ",\n \"original_references\": %llu", original)))
		return -1;
	return trc_report(r->out, err, "}\n");
}

int
trc_levels_print(const struct trc_levels *r, const struct trc_stat *s, struct trc_err *err)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->tlb ? print_tlb(r, s, i, err) :
		             (s->json ? print_json :
		              s->csv  ? print_csv :
		                        print_text)(r, i, err))
			return -1;
	return print_end(r, s, err);
}
