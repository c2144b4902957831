/* SPDX-License-Identifier: MIT
 *
 * OpenMP: loops that are dealt out as they are, and as threads come; a reduction, a critical
 * section, a barrier, tasks. openmp.c THREADS.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 40, TASKS = 20 };

static double a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];

static double
multiply(void)
{
	double sum = 0;

#pragma omp parallel for schedule(dynamic, 3)
	for (int i = 0; i < SIDE * SIDE; i++) {
		a[i / SIDE][i % SIDE] = i % 17 * .5;
		b[i / SIDE][i % SIDE] = i % 13 * .25;
	}
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			for (int k = 0; k < SIDE; k++)
				c[i][j] += a[i][k] * b[k][j];
			sum += c[i][j];
		}
	return sum;
}

static int
count(void)
{
	int all = 0;

#pragma omp parallel
	{
#pragma omp critical
		all++;
#pragma omp barrier
#pragma omp single
		for (int i = 0; i < TASKS; i++)
#pragma omp task
		{
#pragma omp atomic
			all += i;
		}
	}
	return all;
}

int
main(int argc, char **argv)
{
	omp_set_num_threads(argc > 1 ? atoi(argv[1]) : 4);
	printf("%f\n", multiply());
	printf("%d\n", count());
	return 0;
}
