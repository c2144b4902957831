/* SPDX-License-Identifier: MIT */
#include "cmd/stat/cache_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/geometry.h"

static struct trc_cache_report_line
line_of(const struct trc_cache_counts *k, enum trc_type t)
{
	return (struct trc_cache_report_line){ trc_type_name[t],  k->refs[t],
		                               k->misses[t],      k->evictions[t],
		                               k->writebacks[t],  k->prefetches[t],
		                               k->prefetched[t],  k->useful[t],
		                               t != TRC_COPY_BACK };
}

/* Sets the nonzero lines of one cache; the last line is their sum. */
static size_t
lines_of(const struct trc_cache_counts *k, struct trc_cache_report_line *line)
{
	static const enum trc_type order[] = { TRC_FETCH, TRC_READ, TRC_WRITE, TRC_MISC,
		                               TRC_COPY_BACK };
	struct trc_cache_report_line all = { .name = "all",
		                             .writebacks = k->writebacks_end,
		                             .referred = true };
	size_t n = 0;

	for (size_t i = 0; i < TRC_COUNT(order); i++) {
		const enum trc_type t = order[i];

		if (k->refs[t] || k->writebacks[t])
			line[n++] = line_of(k, t);
		all.refs += k->refs[t];
		all.misses += k->misses[t];
		all.evictions += k->evictions[t];
		all.writebacks += k->writebacks[t];
		all.prefetches += k->prefetches[t];
		all.prefetched += k->prefetched[t];
		all.useful += k->useful[t];
	}
	line[n++] = (struct trc_cache_report_line){ .name = "end",
		                                    .writebacks = k->writebacks_end };
	line[n++] = all;
	return n;
}

size_t
trc_cache_report_at(const struct trc_cache_report *r, size_t i)
{
	return i + 1 - (i > 0 && r->shape[0].part != TRC_CACHE_UNIFIED);
}

const char *
trc_cache_report_part(const struct trc_cache_report *r, size_t i)
{
	static const char *const name[] = { [TRC_CACHE_UNIFIED] = "unified",
		                            [TRC_CACHE_FETCHES] = "fetches",
		                            [TRC_CACHE_DATA] = "data" };
	static const char *const by_size[] = { [TRC_CACHE_UNIFIED] = "unified",
		                               [TRC_CACHE_FETCHES] = "small pages",
		                               [TRC_CACHE_DATA] = "huge pages" };

	return (r->tlb && r->tlb->by_size ? by_size : name)[r->shape[i].part];
}

/* Returns the bytes written to the level below. */
static uint64_t
bytes_down(const struct trc_cache_shape *s, const struct trc_cache_counts *k, uint64_t writebacks)
{
	return (writebacks + k->victims) * s->line;
}

/* Returns the name of a TLB's line: stage/simulate/cache/tlb.h has the meaning of types. */
static const char *
look_up_name(const struct trc_cache_report *r, const struct trc_cache_report_line *l)
{
	const bool fetch = strcmp(l->name, trc_type_name[TRC_FETCH]) == 0;
	const bool read = strcmp(l->name, trc_type_name[TRC_READ]) == 0;

	if (r->tlb->by_size && (fetch || read))
		return fetch ? "small pages" : "huge pages";
	return strcmp(l->name, trc_type_name[TRC_MISC]) == 0 ? trc_type_name[TRC_WRITE] : l->name;
}

/* TLBs have entries, and no write-backs. */
static void
take_lines(struct trc_cache_report *r, size_t i)
{
	const size_t all = lines_of(&r->count[i], r->line);

	r->lines = 0;
	for (size_t k = 0; k < all; k++)
		if (!r->tlb || r->line[k].referred)
			r->line[r->lines++] = r->line[k];
	for (size_t k = 0; r->tlb && k < r->lines; k++)
		r->line[k].name = look_up_name(r, &r->line[k]);
}

/* If the trace was reduced, adds the number of references of the original. */
static void
add_original(uint64_t original, struct trc_answer_group *g)
{
	const size_t n = strlen(g->below);

	if (original)
		snprintf(g->below + n, sizeof(g->below) - n,
		         "the trace was reduced: of the %llu references of the original, it lacks "
		         "hits\n",
		         (ull)original);
}

static void
set_sentences(const struct trc_cache_report *r, size_t i, struct trc_answer_group *g)
{
	const struct trc_cache_shape *s = &r->shape[i];
	const struct trc_cache_counts *k = &r->count[i];
	const char *fetches = s->prefetch.how ? r->prefetcher[i] : "";
	char related[160] = "", shape[96];

	if (r->tlb)
		snprintf(shape, sizeof(shape), "%llu entries, %llu ways", (ull)(s->size / s->line),
		         (ull)s->ways);
	else
		snprintf(shape, sizeof(shape), "%llu bytes, %llu ways, lines of %llu bytes",
		         (ull)s->size, (ull)s->ways, (ull)s->line);
	snprintf(g->title, sizeof(g->title), "%slevel %zu %s: %s, %s%s%s%s%s\n", i ? "\n" : "",
	         trc_cache_report_at(r, i), trc_cache_report_part(r, i), shape,
	         trc_policy(s->policy)->name, s->inclusion ? ", " : "",
	         s->inclusion ? trc_geometry_inclusions[s->inclusion] : "", *fetches ? ", " : "",
	         fetches);
	if (r->related)
		snprintf(related, sizeof(related),
		         "clean victims to an exclusive level %llu, lines invalidated by an "
		         "inclusive one %llu\n",
		         (ull)k->victims, (ull)k->invalidated);
	if (!r->tlb)
		snprintf(g->below, sizeof(g->below), "%sbytes from below %llu, to below %llu\n",
		         related, (ull)(k->filled * s->line),
		         (ull)bytes_down(s, k, r->line[r->lines - 1].writebacks));
	if (i + 1 == r->n)
		add_original(r->original, g);
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct trc_cache_report *r = of;
	const struct trc_cache_shape *s = &r->shape[i];
	const struct trc_cache_counts *k = &r->count[i];
	const bool tlb = r->tlb;

	(void)err;
	take_lines(r, i);
	(void)trc_geometry_prefetch(&s->prefetch, r->prefetcher[i], sizeof(r->prefetcher[i]));
	set_sentences(r, i, g);
	g->rows = r->lines;
	TRC_FACTS(g, { TRC_FACT(level, NULL, trc_count(trc_cache_report_at(r, i))) },
	          { TRC_FACT(part, NULL, trc_word(trc_cache_report_part(r, i))) },
	          { TRC_FACT(size, NULL, tlb ? trc_none() : trc_count(s->size)) },
	          { TRC_FACT(entries, NULL, !tlb ? trc_none() : trc_count(s->size / s->line)) },
	          { TRC_FACT(ways, NULL, trc_count(s->ways)) },
	          { TRC_FACT(line, NULL, tlb ? trc_none() : trc_count(s->line)) },
	          { TRC_FACT(policy, NULL, trc_word(trc_policy(s->policy)->name)) },
	          { TRC_FACT(bytes_from_below, NULL,
	                     tlb ? trc_none() : trc_count(k->filled * s->line)) },
	          { TRC_FACT(bytes_to_below, NULL,
	                     tlb ? trc_none() :
	                           trc_count(bytes_down(s, k, r->line[r->lines - 1].writebacks))) },
	          { TRC_FACT(inclusion, NULL,
	                     trc_word(r->related || r->tlb ? trc_geometry_inclusions[s->inclusion] :
	                                                     NULL)) },
	          { TRC_FACT(victims, NULL,
	                     tlb ? trc_none() : trc_count_if(r->related, k->victims)) },
	          { TRC_FACT(invalidated, NULL,
	                     tlb ? trc_none() : trc_count_if(r->related, k->invalidated)) },
	          { TRC_FACT(original_references, NULL, trc_count_some(r->original)) });
	return 0;
}

/* The last row has counts that are not split by type. */
static void
row(void *of, size_t i, size_t j, struct trc_value *cell)
{
	const struct trc_cache_report *r = of;
	const struct trc_cache_shape *s = &r->shape[i];
	const struct trc_cache_counts *k = &r->count[i];
	const struct trc_cache_report_line *l = &r->line[j];
	const bool last = j + 1 == r->lines;
	struct trc_value counts[] = { trc_count(l->refs), trc_count(l->refs - l->misses),
		                      trc_count(l->misses), trc_ratio(l->misses, l->refs) };

	for (size_t c = 0; c < TRC_COUNT(counts); c++)
		counts[c].blank = !l->referred;
	TRC_VALUES(cell, trc_count(trc_cache_report_at(r, i)),
	           trc_word(trc_cache_report_part(r, i)), trc_count(s->size),
	           trc_count(s->size / s->line), trc_count(s->ways), trc_count(s->line),
	           trc_word(trc_policy(s->policy)->name), trc_word(l->name), counts[0], counts[1],
	           counts[2], counts[3], trc_count(l->writebacks), trc_count(l->evictions),
	           trc_word(trc_geometry_inclusions[s->inclusion]),
	           trc_count(last ? k->victims : 0), trc_count(last ? k->invalidated : 0),
	           s->prefetch.how ? trc_word(r->prefetcher[i]) : trc_none(),
	           trc_count(l->prefetches), trc_count(l->prefetched), trc_count(l->useful));
}

void
trc_cache_report_answer(struct trc_cache_report *r, struct trc_answered *a)
{
	const bool tlb = r->tlb, related = r->related && !tlb;

	TRC_ANSWERED_TABLE(
	        a, { TRC_NAMED(level) }, { TRC_NAMED(part) }, { TRC_NAMED(size), .off = tlb },
	        { TRC_NAMED(entries), .off = !tlb }, { TRC_NAMED(ways) },
	        { TRC_NAMED(line), .off = tlb }, { TRC_NAMED(policy) },
	        { TRC_COLUMN(type, "", tlb ? -11 : -10), .key = true },
	        { TRC_COLUMN(references, tlb ? "look-ups" : "references", tlb ? 14 : 13) },
	        { TRC_COLUMN(hits, "hits", tlb ? 14 : 13) },
	        { TRC_COLUMN(misses, "misses", tlb ? 14 : 11) },
	        { TRC_COLUMN(miss_ratio, "miss ratio", 11), .digits = 6 },
	        { TRC_COLUMN(writebacks, "write-backs", 12), .off = tlb },
	        { TRC_COLUMN(evictions, "evictions", 11), .off = tlb },
	        { TRC_NAMED(inclusion), .off = !related }, { TRC_NAMED(victims), .off = !related },
	        { TRC_NAMED(invalidated), .off = !related },
	        { TRC_NAMED(prefetcher), .off = !r->prefetches },
	        { TRC_COLUMN(prefetches, "prefetches", 11), .off = !r->prefetches },
	        { TRC_COLUMN(prefetched, "prefetched", 11), .off = !r->prefetches },
	        { TRC_COLUMN(useful, "useful", 11), .off = !r->prefetches });
	a->answer.several = true;
	a->answer.groups = r->n;
	a->answer.of = r;
	a->answer.group = describe;
	a->answer.row = row;
}

/* ---- caches side by side ---- */

int
trc_family_parse(struct trc_family *f, const char *word, struct trc_err *err)
{
	size_t cap = 0;

	if (trc_geometry_family(word, &f->shape, &f->n, &cap, err))
		return -1;
	f->totals = trc_alloc(f->n, sizeof(*f->totals), err);
	f->now = f->totals ? trc_alloc(f->n, sizeof(*f->now), err) : NULL;
	f->name = f->now ? trc_alloc(f->n, sizeof(*f->name), err) : NULL;
	f->names = f->name ? trc_alloc(f->n, sizeof(*f->names), err) : NULL;
	for (size_t i = 0; f->names && i < f->n; i++)
		f->names[i] = trc_geometry_text(&f->shape[i], f->name[i], sizeof(f->name[i]));
	return f->names ? 0 : -1;
}

void
trc_family_release(void *of)
{
	struct trc_family *f = of;

	free(f->shape);
	free(f->totals);
	free(f->now);
	free(f->name);
	free(f->names);
	*f = (struct trc_family){ .n = 0 };
}

static int
describe_family(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct trc_family *f = of;

	(void)i, (void)err;
	g->rows = f->n;
	add_original(f->original, g);
	TRC_FACTS(g, { TRC_FACT(original_references, NULL, trc_count_some(f->original)) });
	return 0;
}

static void
family_row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	struct trc_family *f = of;
	const struct trc_cache_shape *s = &f->shape[k];
	const struct trc_cache_totals *t = &f->totals[k];
	const char *prefetcher = trc_geometry_prefetch(&s->prefetch, f->prefetcher,
	                                               sizeof(f->prefetcher));

	(void)i;
	TRC_VALUES(cell, trc_value(TRC_VALUE_BYTES, s->size), trc_count(s->ways),
	           trc_count(s->line), trc_word(trc_policy(s->policy)->name), trc_count(t->refs),
	           trc_count(t->refs - t->misses), trc_count(t->misses),
	           trc_ratio(t->misses, t->refs), trc_count(t->writebacks), trc_count(t->evictions),
	           prefetcher ? trc_word(prefetcher) : trc_none(), trc_count(t->prefetches),
	           trc_count(t->prefetched), trc_count(t->useful));
}

void
trc_family_answer(struct trc_family *f, struct trc_answered *a)
{
	TRC_ANSWERED_TABLE(
	        a, { TRC_COLUMN(size, "size", 8), .key = true },
	        { TRC_COLUMN(ways, "ways", 6), .key = true },
	        { TRC_COLUMN(line, "line", 5), .key = true },
	        { TRC_COLUMN(policy, "policy", 7), .key = true }, { TRC_NAMED(references) },
	        { TRC_NAMED(hits) }, { TRC_COLUMN(misses, "misses", 12) },
	        { TRC_COLUMN(miss_ratio, "miss ratio", 11), .digits = 6 },
	        { TRC_COLUMN(writebacks, "write-backs", 12) },
	        { TRC_COLUMN(evictions, "evictions", 12) },
	        { TRC_COLUMN(prefetcher, "  prefetcher", -18), .off = !f->prefetches, .key = true },
	        { TRC_COLUMN(prefetches, "prefetches", 12), .off = !f->prefetches },
	        { TRC_COLUMN(prefetched, "prefetched", 12), .off = !f->prefetches },
	        { TRC_COLUMN(useful, "useful", 12), .off = !f->prefetches });
	a->answer.of = f;
	a->answer.group = describe_family;
	a->answer.row = family_row;
}
