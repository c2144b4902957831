/* SPDX-License-Identifier: MIT
 *
 * OpenMP: loops that are dealt out as they are, and as threads come; a reduction, a critical
 * section, a barrier, tasks. openmp.c THREADS [SIDE].
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { TASKS = 20 };

static int side = 40;
static double *a, *b, *c;

static double
multiply(void)
{
	double sum = 0;

#pragma omp parallel for schedule(dynamic, 3)
	for (int i = 0; i < side * side; i++) {
		a[i] = i % 17 * .5;
		b[i] = i % 13 * .25;
	}
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < side; i++)
		for (int j = 0; j < side; j++) {
			for (int k = 0; k < side; k++)
				c[i * side + j] += a[i * side + k] * b[k * side + j];
			sum += c[i * side + j];
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
	side = argc > 2 ? atoi(argv[2]) : side;
	a = calloc((size_t)(side * side), sizeof(*a));
	b = calloc((size_t)(side * side), sizeof(*b));
	c = calloc((size_t)(side * side), sizeof(*c));
	printf("%f\n", multiply());
	printf("%d\n", count());
	return 0;
}
