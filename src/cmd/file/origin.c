/* SPDX-License-Identifier: MIT
 * Relates traces by their rows, by their sources, and by their names without endings. */
#include "cmd/file/related.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "format/registry.h"

/* ---- claims ---- */

static bool
is_word(const struct trc_provenance_entry *e, const char *word)
{
	return strcmp(e->key, word) == 0;
}

static bool
has(const struct trc_provenance_entry *e, const char *text)
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

struct trc_claim
trc_claim_of(struct trc_view provenance)
{
	struct trc_claim claim = { .named = true, .same = true };
	struct trc_provenance_entry e;
	unsigned sources = 0;

	while (provenance.p < provenance.end && trc_provenance_next(&provenance, &e)) {
		sources += is_word(&e, "source");
		if (is_word(&e, "source"))
			snprintf(claim.format, sizeof(claim.format), "%.*s", (int)e.len,
			         (const char *)e.text);
		if (is_word(&e, "fingerprint"))
			claim.known = trc_field_hex((struct trc_field){ e.text, e.len }, UINT64_MAX,
			                            &claim.fingerprint);
		if (is_word(&e, "trc")) {
			claim.named = claim.named && !has(&e, " --from ");
			claim.same = claim.same && is_plain(&e);
		}
	}
	claim.known = claim.known && sources == 1;
	claim.same = claim.same && claim.known;
	return claim;
}

/* ---- relatives ---- */

/* The keys by which a trace is found. */
enum key { ROWS, ROWS_OF_CLAIMANT, CLAIM, NAME, NAME_OF_CLAIMANT };

int
trc_relatives_init(struct trc_relatives *r, struct trc_err *err)
{
	return trc_map_init(&r->map, err);
}

void
trc_relatives_release(struct trc_relatives *r)
{
	trc_map_release(&r->map);
	free(r->all);
}

static const struct trc_relative *
find(const struct trc_relatives *r, enum key by, uint64_t key)
{
	const struct trc_map_entry *e = trc_map_find(&r->map, by, key);

	return e->value == TRC_MAP_NONE ? NULL : &r->all[e->value];
}

static int
add(struct trc_relatives *r, enum key by, uint64_t key, struct trc_err *err)
{
	return find(r, by, key) ? 0 : trc_map_add(&r->map, by, key, (uint32_t)(r->n - 1), err);
}

/* Returns a hash of the name without the ending of its format. */
static uint64_t
name_of(const char *path)
{
	const struct trc_format *f;

	return XXH3_64bits(path, trc_format_stem(path, &f));
}

static bool
same_rows(const struct trc_relative *a, const struct trc_relative *b)
{
	return b && a->fingerprint == b->fingerprint && a->rows == b->rows && a->have == b->have;
}

static bool
made_of(const struct trc_relative *made, const struct trc_relative *of)
{
	return made->claim.known && made->claim.fingerprint == of->fingerprint;
}

/* Returns true if the names suggest that one was made from the other, but the fingerprints do not
 * agree. */
static bool
names_lie(const struct trc_relative *made, const struct trc_relative *of)
{
	return made->claim.named && strcmp(made->claim.format, of->format) == 0 &&
	       !made_of(made, of);
}

static enum trc_kin
relate_claimant(const struct trc_relatives *r, const struct trc_relative *one,
                const struct trc_relative **other)
{
	if (same_rows(one, *other = find(r, ROWS_OF_CLAIMANT, one->fingerprint)))
		return TRC_KIN_TWIN;
	if (same_rows(one, *other = find(r, ROWS, one->fingerprint)))
		return made_of(one, *other) ? TRC_KIN_COPY : TRC_KIN_TWIN;
	if ((*other = find(r, ROWS, one->claim.fingerprint)))
		return TRC_KIN_CHILD;
	*other = find(r, NAME, name_of(one->path));
	return *other && names_lie(one, *other) ? TRC_KIN_NO_CHILD : TRC_KIN_NONE;
}

static enum trc_kin
relate(const struct trc_relatives *r, const struct trc_relative *one,
       const struct trc_relative **other)
{
	if (one->claim.known)
		return relate_claimant(r, one, other);
	if (same_rows(one, *other = find(r, ROWS, one->fingerprint)))
		return TRC_KIN_TWIN;
	if (same_rows(one, *other = find(r, ROWS_OF_CLAIMANT, one->fingerprint)))
		return made_of(*other, one) ? TRC_KIN_ORIGINAL : TRC_KIN_TWIN;
	if ((*other = find(r, CLAIM, one->fingerprint)))
		return TRC_KIN_SOURCE;
	*other = find(r, NAME_OF_CLAIMANT, name_of(one->path));
	return *other && names_lie(*other, one) ? TRC_KIN_NO_SOURCE : TRC_KIN_NONE;
}

static int
remember(struct trc_relatives *r, const struct trc_relative *one, struct trc_err *err)
{
	const bool claims = one->claim.known;

	if (trc_grow(&r->all, &r->cap, r->n + 1, sizeof(*r->all), err))
		return -1;
	r->all[r->n++] = *one;
	if (add(r, claims ? ROWS_OF_CLAIMANT : ROWS, one->fingerprint, err) ||
	    add(r, claims ? NAME_OF_CLAIMANT : NAME, name_of(one->path), err))
		return -1;
	return claims ? add(r, CLAIM, one->claim.fingerprint, err) : 0;
}

int
trc_relatives_add(struct trc_relatives *r, const struct trc_relative *one, enum trc_kin *kin,
                  const char **path, struct trc_err *err)
{
	const struct trc_relative *other = NULL;

	*kin = relate(r, one, &other);
	*path = *kin != TRC_KIN_NONE ? other->path : NULL;
	return *kin == TRC_KIN_TWIN ? 0 : remember(r, one, err);
}
