/* SPDX-License-Identifier: MIT
 * Sorts numbers in four threads, and merges what they give. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ITEMS = 300 };

static int item[THREADS][ITEMS];

static int
compare(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static void *
sort(void *arg)
{
	qsort(arg, ITEMS, sizeof(int), compare);
	return NULL;
}

int
main(void)
{
	pthread_t thread[THREADS];
	int at[THREADS] = { 0 }, last = -1;

	for (int i = 0; i < THREADS * ITEMS; i++)
		item[i % THREADS][i / THREADS] = (int)((i * 7919u + 13u) % (THREADS * ITEMS));
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, sort, item[i]))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int n = 0; n < THREADS * ITEMS; n++) {
		int least = -1;

		for (int i = 0; i < THREADS; i++)
			if (at[i] < ITEMS && (least < 0 || item[i][at[i]] < item[least][at[least]]))
				least = i;
		if (item[least][at[least]] <= last)
			return 1;
		last = item[least][at[least]++];
	}
	puts("sorted");
	return 0;
}
