/* SPDX-License-Identifier: MIT */
#include "cmd/shard/plan_text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
put(struct trc_text_lines *t, const char *s, size_t n)
{
	t->failed |= t->failed || trc_buf_put(t->to, s, n, t->err) != 0;
}

void
trc_text_mark(struct trc_text_lines *t, const char *s)
{
	const size_t n = strlen(s);

	if (t->writes) {
		put(t, s, n);
		return;
	}
	t->failed |= (size_t)(t->from.end - t->from.p) < n || memcmp(t->from.p, s, n) != 0;
	t->from.p += t->failed ? 0 : n;
}

void
trc_text_padded(struct trc_text_lines *t, const char *key, unsigned digits, uint64_t *v)
{
	const uint8_t *begin;
	char text[32];

	trc_text_mark(t, key);
	if (t->writes) {
		put(t, text, (size_t)snprintf(text, sizeof(text), "%0*llu", (int)digits, (ull)*v));
		return;
	}
	*v = 0;
	for (begin = t->from.p; !t->failed && t->from.p < t->from.end; t->from.p++) {
		const unsigned digit = *t->from.p - (unsigned)'0';

		if (digit > 9)
			break;
		t->failed = *v > (UINT64_MAX - digit) / 10;
		*v = *v * 10 + digit;
	}
	t->failed |= t->from.p - begin < (ptrdiff_t)digits;
}

void
trc_text_num(struct trc_text_lines *t, const char *key, uint64_t *v)
{
	trc_text_padded(t, key, 1, v);
}

void
trc_text_flag(struct trc_text_lines *t, const char *key, bool *v)
{
	uint64_t n = *v;

	trc_text_num(t, key, &n);
	*v = n > 0;
}

void
trc_text_maybe(struct trc_text_lines *t, const char *key, bool *known, uint64_t *v)
{
	if (!t->writes && !t->failed) {
		const size_t n = strlen(key);

		*known = (size_t)(t->from.end - t->from.p) <= n || t->from.p[n] != '-';
	}
	if (*known) {
		trc_text_num(t, key, v);
		return;
	}
	trc_text_mark(t, key);
	trc_text_mark(t, "-");
}

void
trc_text_hash(struct trc_text_lines *t, const char *key, uint64_t *v)
{
	enum { DIGITS = 16 };
	char text[DIGITS + 1];

	trc_text_mark(t, key);
	if (t->writes) {
		snprintf(text, sizeof(text), "%016llx", (ull)*v);
		put(t, text, DIGITS);
		return;
	}
	*v = 0;
	t->failed |= t->from.end - t->from.p < DIGITS;
	if (t->failed)
		return;
	memcpy(text, t->from.p, DIGITS);
	text[DIGITS] = 0;
	t->failed = strspn(text, "0123456789abcdef") != DIGITS;
	*v = strtoull(text, NULL, 16);
	t->from.p += DIGITS;
}

void
trc_text_rest(struct trc_text_lines *t, const char *key, char **text)
{
	const uint8_t *end;

	trc_text_mark(t, key);
	if (t->writes) {
		if (!t->failed && strchr(*text, '\n'))
			t->failed = trc_fail(t->err, "'%s': a plan cannot hold a line feed",
			                     *text) != 0;
		put(t, *text, strlen(*text));
		trc_text_mark(t, "\n");
		return;
	}
	end = t->failed ? NULL : memchr(t->from.p, '\n', (size_t)(t->from.end - t->from.p));
	t->failed |= !end || memchr(t->from.p, 0, (size_t)(end - t->from.p));
	if (t->failed)
		return;
	*text = trc_alloc(1, (size_t)(end - t->from.p) + 1, t->err);
	t->failed = !*text;
	if (*text)
		memcpy(*text, t->from.p, (size_t)(end - t->from.p));
	t->from.p = end + 1;
}
