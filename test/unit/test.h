/* SPDX-License-Identifier: MIT
 *
 * The harness: a test program is a list of RUN(name), each a function that CHECKs. The first check
 * that fails ends the program, with the name, the place and the seed. TRC_TEST_SEED in the
 * environment replaces the seed. Exit status as meson understands it: 0 passed, 1 failed, 77
 * skipped.
 */
#ifndef TRC_TEST_UNIT_TEST_H
#define TRC_TEST_UNIT_TEST_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

static const char *test_name = "";
static uint64_t test_seed = 1;

#define CHECK(what) CHECK_SAY(what, "%s", "")

/* CHECK with the values that explain a failure, as for printf. */
#define CHECK_SAY(what, ...) \
	((what) ? (void)0 : test_fail(__FILE__, __LINE__, #what, __VA_ARGS__))

#define RUN(function) (test_name = #function, function())
#define SKIP(why) (printf("skipped: %s\n", why), exit(77))

TRC_PRINTF(4, 5)
static inline void
test_fail(const char *file, int line, const char *what, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "%s:%d: %s: %s ", file, line, test_name, what);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fprintf(stderr, " (TRC_TEST_SEED=%llu)\n", (unsigned long long)test_seed);
	exit(1);
}

/* True if memory is not what it is without a sanitizer. */
static inline bool
test_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	__has_feature(memory_sanitizer)
	return true;
#else
	return false;
#endif
#else
	return false;
#endif
}

static inline void
test_start(void)
{
	const char *seed = getenv("TRC_TEST_SEED");

	if (seed)
		test_seed = strtoull(seed, NULL, 10);
}

/* Of how many cases one is to be tried: all, or what TRC_TEST_STEP says where machines are slow. */
static inline size_t
test_step(void)
{
	const char *text = getenv("TRC_TEST_STEP");
	const long n = text ? atol(text) : 1;

	return n > 0 ? (size_t)n : 1;
}

/* test_start() for a program whose only argument is a folder; returns it. */
static inline const char *
test_start_in(int argc, char **argv)
{
	test_start();
	CHECK_SAY(argc == 2, "the argument is a folder");
	return argv[1];
}

#endif
