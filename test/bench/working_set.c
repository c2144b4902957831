/* SPDX-License-Identifier: MIT
 *
 * working_set KIND REFS PAGES: so many references to so many pages of 4096 bytes, as 64-bit words
 * on standard output.
 *
 *   uniform  any page, with equal chances
 *   zipf     page k as often as 1 / k, anywhere among the others
 *   scan     one after the other, again and again
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 12, WORDS = 4096 };

static uint64_t
random64(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static uint64_t
page(char kind, uint64_t i, uint64_t pages, uint64_t *state)
{
	const uint64_t random = random64(state);
	uint64_t rank;

	if (kind == 's')
		return i % pages;
	if (kind == 'u')
		return random % pages;
	rank = (uint64_t)exp((double)(random >> 11) * 0x1p-53 * log((double)pages + 1)) - 1;
	return rank * UINT64_C(0x9e3779b97f4a7c15) % pages;
}

int
main(int argc, char **argv)
{
	static const char *const kinds[] = { "uniform", "zipf", "scan" };
	uint64_t word[WORDS], state = 1, refs, pages;
	bool known = false;

	for (int k = 0; argc == 4 && k < 3; k++)
		known = known || strcmp(argv[1], kinds[k]) == 0;
	refs = known ? strtoull(argv[2], NULL, 10) : 0;
	pages = known ? strtoull(argv[3], NULL, 10) : 0;
	if (refs == 0 || pages == 0) {
		fprintf(stderr, "usage: working_set uniform|zipf|scan REFS PAGES\n");
		return 2;
	}
	for (uint64_t i = 0; i < refs;) {
		size_t n = 0;

		for (; n < WORDS && i < refs; n++, i++)
			word[n] = page(*argv[1], i, pages, &state) << PAGE_BITS;
		if (fwrite(word, sizeof(*word), n, stdout) != n)
			return 1;
	}
	return fflush(stdout) ? 1 : 0;
}
