/* SPDX-License-Identifier: MIT
 * Relates traces by their rows, by their sources, and by their names without endings. */
#include "cmd/file/origin.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/map_find.h"
#include "base/text.h"
#include "format/registry.h"

/* ---- what a trace records ---- */

static bool
is_word(const struct trc_provenance_entry *e, const char *word)
{
	return strcmp(e->key, word) == 0;
}

static bool
has_text(const struct trc_provenance_entry *e, const char *text)
{
	const size_t len = strlen(text);

	for (size_t i = 0; i + len <= e->len; i++)
		if (memcmp(e->text + i, text, len) == 0)
			return true;
	return false;
}

/* Returns true if the command is encode without options: "1.0.0 encode". */
static bool
is_plain(const struct trc_provenance_entry *e)
{
	static const char name[] = " encode";
	const size_t len = strlen(name);

	return e->len > len && memcmp(e->text + e->len - len, name, len) == 0 &&
	       memchr(e->text, ' ', e->len) == e->text + e->len - len;
}

struct trc_origin
trc_origin_of(struct trc_view provenance)
{
	struct trc_origin origin = { .named = true, .same = true };
	struct trc_provenance_entry e;
	unsigned sources = 0;

	while (provenance.p < provenance.end && trc_provenance_next(&provenance, &e)) {
		sources += is_word(&e, "source");
		if (is_word(&e, "source"))
			snprintf(origin.format, sizeof(origin.format), "%.*s", (int)e.len,
			         (const char *)e.text);
		if (is_word(&e, "fingerprint"))
			origin.known = trc_field_hex((struct trc_field){ e.text, e.len },
			                             UINT64_MAX, &origin.fingerprint);
		if (is_word(&e, "trc")) {
			origin.named = origin.named && !has_text(&e, " --from ");
			origin.same = origin.same && is_plain(&e);
		}
	}
	origin.known = origin.known && sources == 1;
	origin.same = origin.same && origin.known;
	return origin;
}

/* ---- relations ---- */

/* The keys by which a trace is found. */
enum key { ROWS, ROWS_OF_DERIVED, ORIGIN, NAME, NAME_OF_DERIVED };

int
trc_origins_init(struct trc_origins *r, struct trc_err *err)
{
	return trc_map_init(&r->map, err);
}

void
trc_origins_release(struct trc_origins *r)
{
	trc_map_release(&r->map);
	free(r->all);
}

static const struct trc_origin_trace *
find_trace(const struct trc_origins *r, enum key by, uint64_t key)
{
	const struct trc_map_entry *e = trc_map_find(&r->map, by, key);

	return e->value == TRC_MAP_NONE ? NULL : &r->all[e->value];
}

static int
add(struct trc_origins *r, enum key by, uint64_t key, struct trc_err *err)
{
	return find_trace(r, by, key) ? 0 :
	                                trc_map_add(&r->map, by, key, (uint32_t)(r->n - 1), err);
}

/* Returns a hash of the name without the ending of its format. */
static uint64_t
name_of(const char *path)
{
	const struct trc_format *f;

	return XXH3_64bits(path, trc_format_stem(path, &f));
}

static bool
same_rows(const struct trc_origin_trace *a, const struct trc_origin_trace *b)
{
	return b && a->fingerprint == b->fingerprint && a->rows == b->rows && a->have == b->have;
}

static bool
made_of(const struct trc_origin_trace *made, const struct trc_origin_trace *of)
{
	return made->origin.known && made->origin.fingerprint == of->fingerprint;
}

/* Returns true if the names suggest that one was made from the other, but the fingerprints do not
 * agree. */
static bool
names_mislead(const struct trc_origin_trace *made, const struct trc_origin_trace *of)
{
	return made->origin.named && strcmp(made->origin.format, of->format) == 0 &&
	       !made_of(made, of);
}

static enum trc_origin_relation
relate_derived(const struct trc_origins *r, const struct trc_origin_trace *one,
               const struct trc_origin_trace **other)
{
	if (same_rows(one, *other = find_trace(r, ROWS_OF_DERIVED, one->fingerprint)))
		return TRC_ORIGIN_DUPLICATE;
	if (same_rows(one, *other = find_trace(r, ROWS, one->fingerprint)))
		return made_of(one, *other) ? TRC_ORIGIN_COPY : TRC_ORIGIN_DUPLICATE;
	if ((*other = find_trace(r, ROWS, one->origin.fingerprint)))
		return TRC_ORIGIN_DERIVED;
	*other = find_trace(r, NAME, name_of(one->path));
	return *other && names_mislead(one, *other) ? TRC_ORIGIN_NOT_DERIVED : TRC_ORIGIN_NONE;
}

static enum trc_origin_relation
relate(const struct trc_origins *r, const struct trc_origin_trace *one,
       const struct trc_origin_trace **other)
{
	if (one->origin.known)
		return relate_derived(r, one, other);
	if (same_rows(one, *other = find_trace(r, ROWS, one->fingerprint)))
		return TRC_ORIGIN_DUPLICATE;
	if (same_rows(one, *other = find_trace(r, ROWS_OF_DERIVED, one->fingerprint)))
		return made_of(*other, one) ? TRC_ORIGIN_ORIGINAL : TRC_ORIGIN_DUPLICATE;
	if ((*other = find_trace(r, ORIGIN, one->fingerprint)))
		return TRC_ORIGIN_SOURCE;
	*other = find_trace(r, NAME_OF_DERIVED, name_of(one->path));
	return *other && names_mislead(*other, one) ? TRC_ORIGIN_NOT_SOURCE : TRC_ORIGIN_NONE;
}

static int
remember(struct trc_origins *r, const struct trc_origin_trace *one, struct trc_err *err)
{
	const bool derived = one->origin.known;

	if (trc_grow(&r->all, &r->cap, r->n + 1, sizeof(*r->all), err))
		return -1;
	r->all[r->n++] = *one;
	if (add(r, derived ? ROWS_OF_DERIVED : ROWS, one->fingerprint, err) ||
	    add(r, derived ? NAME_OF_DERIVED : NAME, name_of(one->path), err))
		return -1;
	return derived ? add(r, ORIGIN, one->origin.fingerprint, err) : 0;
}

int
trc_origins_add(struct trc_origins *r, const struct trc_origin_trace *one,
                enum trc_origin_relation *relation, const char **path, struct trc_err *err)
{
	const struct trc_origin_trace *other = NULL;

	*relation = relate(r, one, &other);
	*path = *relation != TRC_ORIGIN_NONE ? other->path : NULL;
	return *relation == TRC_ORIGIN_DUPLICATE ? 0 : remember(r, one, err);
}
