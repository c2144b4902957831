/* SPDX-License-Identifier: MIT
 * Errors by value, and allocations that report failure as an error. */
#include "base/base.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hugepages.h"

/* Bytes of a message before it is shortened: it has file names, of which the longest have 4096. */
enum { WHOLE = 8192 };

/* Copies a message into the error. If it is too long, keeps its beginning, which has the position,
 * and its end, which has the reason. */
static void
put_text(struct trc_err *err, const char *whole)
{
	const size_t room = sizeof(err->text), len = strlen(whole), half = (room - 4) / 2;

	if (len < room)
		memcpy(err->text, whole, len + 1);
	else
		snprintf(err->text, room, "%.*s...%s", (int)half, whole, whole + len - half);
}

static void
set_text(struct trc_err *err, enum trc_code code, const char *fmt, va_list args)
{
	char whole[WHOLE];

	err->code = code;
	err->unfit = false;
	err->status = 0;
	err->more[0] = 0;
	err->readings = 0;
	vsnprintf(whole, sizeof(whole), fmt, args);
	put_text(err, whole);
}

int
trc_fail(struct trc_err *err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set_text(err, TRC_FAILED, fmt, args);
	va_end(args);
	return -1;
}

int
trc_fail_as(struct trc_err *err, enum trc_code code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set_text(err, code, fmt, args);
	va_end(args);
	return -1;
}

int
trc_fail_errno(struct trc_err *err, int number, const char *fmt, ...)
{
	char whole[WHOLE];
	va_list args;

	va_start(args, fmt);
	set_text(err, number == EPIPE ? TRC_PIPE : TRC_SYSTEM, fmt, args);
	va_end(args);
	snprintf(whole, sizeof(whole), "%s: %s", err->text, strerror(number));
	put_text(err, whole);
	return -1;
}

void
trc_err_reading(struct trc_err *err, const char *what, const char *from)
{
	struct trc_reading *r = &err->reading[err->readings];

	if (err->readings == TRC_READINGS)
		return;
	snprintf(r->what, sizeof(r->what), "%s", what);
	snprintf(r->from, sizeof(r->from), "%s", from);
	r->rows[0] = r->filter[0] = 0;
	err->readings++;
}

int
trc_err_in(struct trc_err *err, const char *fmt, ...)
{
	char whole[WHOLE];
	va_list args;
	size_t len;

	va_start(args, fmt);
	vsnprintf(whole, sizeof(whole) / 2, fmt, args);
	va_end(args);
	len = strlen(whole);
	snprintf(whole + len, sizeof(whole) - len, ": %s", err->text);
	put_text(err, whole);
	return -1;
}

static void
fail_memory(struct trc_err *err, size_t n, size_t size)
{
	trc_fail_as(err, TRC_NO_MEMORY, "not enough memory for %zu items of %zu bytes", n, size);
}

/* Returns `mem`, a new allocation of `n` items, after reporting a failure. */
static void *
allocated(void *mem, size_t n, size_t size, struct trc_err *err)
{
	if (!mem)
		fail_memory(err, n, size);
	else
		trc_hugepages_advise(mem, n * size);
	return mem;
}

void *
trc_alloc(size_t n, size_t size, struct trc_err *err)
{
	trc_hugepages_expect(n * size);
	return allocated(calloc(n ? n : 1, size), n, size, err);
}

void *
trc_alloc_room(size_t n, size_t size, struct trc_err *err)
{
	trc_hugepages_expect(n * size);
	return allocated(n > SIZE_MAX / size ? NULL : malloc(n ? n * size : 1), n, size, err);
}

/* Adds to a room until it is at least `need`: doubles it, or adds a part if it has more than
 * `large` bytes. */
static size_t
grown(size_t n, size_t need, size_t size, size_t large, size_t part)
{
	n = n ? n : 64;
	while (n < need && n <= SIZE_MAX / 2)
		n += n > large / size ? n / part : n;
	return n;
}

enum { LARGE = 64 << 20, PART = 4 };

size_t
trc_grown(size_t need, size_t size)
{
	return grown(0, need, size, LARGE, PART);
}

static int
grow(void *mem, size_t *cap, size_t need, size_t size, size_t large, size_t part,
     struct trc_err *err)
{
	const size_t n = grown(*cap, need, size, large, part);
	void *old, *new;

	/* memcpy() accesses the pointer because `mem` may point to any type of pointer. */
	memcpy(&old, mem, sizeof(old));
	trc_hugepages_expect(n * size);
	new = n < need || n > SIZE_MAX / size ? NULL : realloc(old, n * size);
	if (!new) {
		fail_memory(err, need, size);
		return -1;
	}
	trc_hugepages_advise(new, n * size);
	memcpy(mem, &new, sizeof(new));
	*cap = n;
	return 0;
}

int
trc_grow_more(void *mem, size_t *cap, size_t need, size_t size, struct trc_err *err)
{
	return grow(mem, cap, need, size, LARGE, PART, err);
}

int
trc_grow_tight(void *mem, size_t *cap, size_t need, size_t size, struct trc_err *err)
{
	return need <= *cap ? 0 : grow(mem, cap, need, size, 16 << 20, 8, err);
}

int
trc_grow_zeros(void *mem, size_t *cap, size_t need, size_t size, struct trc_err *err)
{
	const size_t old = *cap;
	char *p;

	if (need <= old)
		return 0;
	if (trc_grow_more(mem, cap, need, size, err))
		return -1;
	memcpy(&p, mem, sizeof(p));
	memset(p + old * size, 0, (*cap - old) * size);
	return 0;
}

char *
trc_strdup(const char *s, struct trc_err *err)
{
	size_t len = strlen(s) + 1;
	char *copy = trc_alloc(len, 1, err);

	return copy ? memcpy(copy, s, len) : NULL;
}
