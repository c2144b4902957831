/* SPDX-License-Identifier: MIT
 * Errors by value, and allocations whose failure is one. */
#include "base/base.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hugepages.h"

static void
set_text(struct trc_err *err, enum trc_code code, const char *fmt, va_list args)
{
	err->code = code;
	err->unfit = false;
	err->status = 0;
	err->more[0] = 0;
	err->from[0] = 0;
	vsnprintf(err->text, sizeof(err->text), fmt, args);
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
	va_list args;
	size_t len;

	va_start(args, fmt);
	set_text(err, number == EPIPE ? TRC_PIPE : TRC_SYSTEM, fmt, args);
	va_end(args);
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %s", strerror(number));
	return -1;
}

int
trc_err_in(struct trc_err *err, const char *fmt, ...)
{
	char what[sizeof(err->text)];
	va_list args;
	size_t len;

	memcpy(what, err->text, sizeof(what));
	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %.900s", what);
	return -1;
}

static void
fail_memory(struct trc_err *err, size_t n, size_t size)
{
	trc_fail_as(err, TRC_NO_MEMORY, "no memory for %zu items of %zu bytes", n, size);
}

/* What an allocation of `n` items gave, or why it gave nothing. */
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
	return allocated(calloc(n ? n : 1, size), n, size, err);
}

void *
trc_alloc_room(size_t n, size_t size, struct trc_err *err)
{
	return allocated(n > SIZE_MAX / size ? NULL : malloc(n ? n * size : 1), n, size, err);
}

int
trc_grow_more(void *mem, size_t *cap, size_t need, size_t size, struct trc_err *err)
{
	void *old, *new;
	size_t n = *cap ? *cap : 64;

	while (n < need && n <= SIZE_MAX / 2)
		n *= 2;
	/* The pointer is copied in and out since any kind of pointer may stand at `mem`. */
	memcpy(&old, mem, sizeof(old));
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

char *
trc_strdup(const char *s, struct trc_err *err)
{
	size_t len = strlen(s) + 1;
	char *copy = trc_alloc(len, 1, err);

	return copy ? memcpy(copy, s, len) : NULL;
}
