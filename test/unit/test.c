/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <dirent.h>
#include <stdarg.h>
#include <string.h>

const char *test_name = "";
uint64_t test_seed = 1;

void
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

uint64_t
test_random(void)
{
	test_seed = test_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return test_seed >> 33;
}

uint64_t
test_sum(uint64_t sum, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sum = (sum + p[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return sum;
}

bool
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

void
test_start(void)
{
	const char *seed = getenv("TRC_TEST_SEED");

	if (seed)
		test_seed = strtoull(seed, NULL, 10);
}

size_t
test_step(void)
{
	const char *text = getenv("TRC_TEST_STEP");
	const long n = text ? atol(text) : TEST_STEP;

	return n > 0 ? (size_t)n : TEST_STEP;
}

size_t
test_step_most(size_t most)
{
	enum { FEW = 20, FEWER = 5 };
	const size_t step = test_step(), at_most = step > FEW ? FEWER * most : most;

	return step < at_most ? step : at_most;
}

bool
test_is_elsewhere(void)
{
	return test_step() > 100;
}

const char *
test_start_in(int argc, char **argv)
{
	test_start();
	CHECK_MSG(argc == 2, "the argument is a folder");
	return argv[1];
}

size_t
test_each_file(const char *folder, const char *part, void (*check)(const char *path))
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	size_t n = 0;

	CHECK_MSG(dir, "no folder %s", folder);
	while ((e = readdir(dir))) {
		char path[4096];

		if (e->d_name[0] == '.' || !strstr(e->d_name, part))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		check(path);
		n++;
	}
	closedir(dir);
	return n;
}
