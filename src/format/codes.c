/* SPDX-License-Identifier: MIT */
#include "format/codes.h"

#include <string.h>
#include <strings.h>

const struct trc_coded trc_coded[TRC_CODED] = {
#define CODED(at, name, type, doc) [at] = { #name, type },
	TRC_CODED_TYPES(CODED)
#undef CODED
};

static struct trc_field
without_0x(struct trc_field f)
{
	if (trc_field_is_marked(f))
		return (struct trc_field){ f.p + 2, f.len - 2 };
	return f;
}

/* Returns true if a field, without 0x, is the code of `len` letters. */
static bool
is_code(struct trc_field f, const char *code, size_t len)
{
	const bool any = len > 0 && code[len - 1] == '*';

	return (any ? f.len >= len - 1 : f.len == len) &&
	       strncasecmp((const char *)f.p, code, len - any) == 0;
}

bool
trc_codes_next(const char **list, const char *e, struct trc_field *code)
{
	const char *p = *list, *colon;

	if (p > e)
		return false;
	if (e - p == 1 && *p == ':')
		e = p;
	colon = memchr(p, ':', (size_t)(e - p));
	*code = (struct trc_field){ (const uint8_t *)p, (size_t)((colon ? colon : e) - p) };
	*list = colon ? colon + 1 : e + 2;
	return true;
}

bool
trc_codes_find(const struct trc_codes *codes, struct trc_field f, uint8_t *type)
{
	const struct trc_field bare = without_0x(f);

	for (size_t i = 0; i < codes->n; i++) {
		const struct trc_type_code *c = &codes->code[i];

		if (is_code(bare, c->text, strnlen(c->text, TRC_CODE_LETTERS))) {
			*type = c->type;
			return true;
		}
	}
	return false;
}

bool
trc_codes_has(const char *list, struct trc_field f)
{
	const char *const e = list + strlen(list);
	struct trc_field code;

	while (trc_codes_next(&list, e, &code))
		if (is_code(f, (const char *)code.p, code.len))
			return true;
	return false;
}

/* Adds the codes of one type. Sets *wrong to one that is too long, a duplicate, or one too many. */
static bool
add(struct trc_codes *codes, const char *list, size_t len, uint8_t type, struct trc_field *wrong)
{
	const char *const e = list + len;
	const bool nothing = len == 1 && *list == ':';

	while (trc_codes_next(&list, e, wrong)) {
		const struct trc_field bare = without_0x(*wrong);
		uint8_t other;

		if (bare.len > TRC_CODE_LETTERS || (bare.len == 0 && !nothing) ||
		    codes->n == TRC_CODES_MOST || trc_codes_find(codes, bare, &other))
			return false;
		memcpy(codes->code[codes->n].text, bare.p, bare.len);
		codes->code[codes->n++].type = type;
	}
	return true;
}

int
trc_codes_take(struct trc_codes *codes, const struct trc_opt_field *given, const char *whose,
               struct trc_err *err)
{
	struct trc_field wrong;

	*codes = (struct trc_codes){ .n = 0 };
	for (size_t i = 0; i < TRC_CODED; i++)
		if (given[i].n &&
		    !add(codes, given[i].name, (size_t)given[i].n, trc_coded[i].type, &wrong))
			return trc_fail_as(err, TRC_USAGE,
			                   "%s: %s: '%.*s' is empty, longer than %d letters, a "
			                   "duplicate, or more than %d codes",
			                   whose, trc_coded[i].name, (int)wrong.len,
			                   (const char *)wrong.p, TRC_CODE_LETTERS, TRC_CODES_MOST);
	return 0;
}
