/* SPDX-License-Identifier: MIT
 *
 * work_guest KIND N: something to do for the processor: sorting, floating point or strings, of a
 * size that grows with N. Prints what came out, which is the same on every machine.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned state = 1;

static unsigned
random_number(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 8;
}

static int
by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void
sort(int *a, int n)
{
	unsigned long hash = 0;

	qsort(a, (size_t)n, sizeof(*a), by_value);
	for (int i = 0; i < n; i++)
		hash = hash * 31 + (unsigned long)a[i];
	printf("sorted %lx\n", hash);
}

static void
compute(const int *a, int n)
{
	double sum = 0;
	float low = 1;

	for (int k = 0; k < 20; k++)
		for (int i = 1; i < n; i++) {
			sum += sqrt(a[i] * 1.5 + k) / i;
			low = low * 0.999f + (float)a[i] / (float)(i + k);
		}
	printf("computed %.17g %.9g %.17g %.17g\n", sum, low, sin(sum), pow(sum, 0.3));
}

static void
text(const int *a, int n)
{
	unsigned long hash = 5381;
	char line[256];

	for (int i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "item %d %s %x %.3f", i, i & 1 ? "odd" : "even", a[i],
		         a[i] / 7.0);
		for (const char *p = line; *p; p++)
			hash = hash * 33 + (unsigned char)*p;
		if (strstr(line, "777"))
			hash ^= (unsigned long)i;
	}
	printf("written %lx\n", hash);
}

int
main(int argc, char **argv)
{
	const int n = argc > 2 ? atoi(argv[2]) : 2000;
	int *a = malloc((size_t)n * sizeof(*a));

	if (!a || argc < 2)
		return 1;
	for (int i = 0; i < n; i++)
		a[i] = (int)(random_number() % 1000000);
	switch (argv[1][0]) {
	case 's': sort(a, n); break;
	case 'f': compute(a, n); break;
	case 't': text(a, n); break;
	}
	free(a);
	return 0;
}
