/* SPDX-License-Identifier: MIT
 *
 * functions LIBRARY: sorts with a function of its own, and calls one of a library, to which it is
 * linked if SHARED is not defined, and opens LIBRARY, which is this file with SHARED defined.
 */
#include <stdio.h>

#ifdef SHARED
int SHARED(const int *value, int n);

int
SHARED(const int *value, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += value[i];
	return sum;
}
#else
#include <dlfcn.h>
#include <stdlib.h>

int early(const int *value, int n);

static int
by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int
main(int argc, char **argv)
{
	enum { N = 500 };
	int value[N];
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int (*late)(const int *value, int n);

	if (!library)
		return 1;
	*(void **)&late = dlsym(library, "late");
	for (int i = 0; i < N; i++)
		value[i] = i * 7919 % 1009;
	qsort(value, N, sizeof(*value), by_value);
	printf("%d\n", early(value, N) - (*late)(value, N) + value[0]);
	return dlclose(library);
}
#endif
