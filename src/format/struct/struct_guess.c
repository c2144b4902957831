/* SPDX-License-Identifier: MIT
 *
 * Recognises data that may be numbers of one size, such as keys.
 */
#include "format/struct/struct.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/numbers.h"

enum {
	REPEATS = 12,    /* least number of recurring numbers; 64 KiB of random data have fewer */
	USUAL = 4,       /* a number that is one in four is padding */
	BYTES = 1 << 16, /* examined */
};

/* Returns how many of the numbers of `width` bytes occurred before; 0 if one of them is
 * everywhere. */
static size_t
count_repeats(const uint8_t *p, size_t n, size_t width)
{
	static const size_t most = BYTES / 4;
	uint64_t *v = calloc(most, sizeof(*v));
	size_t repeats = 0, run = 0, longest = 0, k = n / width < most ? n / width : most;

	for (size_t i = 0; v && i < k; i++)
		v[i] = width == 4 ? trc_le32(p + 4 * i) : trc_le64(p + 8 * i);
	if (v)
		trc_numbers_sort(v, k);
	for (size_t i = 1; v && i < k; i++) {
		run = v[i] == v[i - 1] ? run + 1 : 0;
		repeats += run > 0;
		longest = run > longest ? run : longest;
	}
	free(v);
	return longest * USUAL > k ? 0 : repeats;
}

/* Returns true if the first byte of numbers changes less often than the last. */
static bool
begins_high(const uint8_t *p, size_t n, size_t width)
{
	size_t first = 0, last = 0;

	for (size_t i = width; i + width <= n; i += width) {
		first += p[i] != p[i - width];
		last += p[i + width - 1] != p[i - 1];
	}
	return first < last;
}

unsigned
trc_struct_guess(const uint8_t *p, size_t n, struct trc_reading r[TRC_READINGS])
{
	const size_t four = count_repeats(p, n, 4), eight = count_repeats(p, n, 8);
	const bool wide = eight >= REPEATS && four <= 2 * eight + REPEATS;
	const size_t width = wide ? 8 : 4;
	const char *const order = begins_high(p, n, width) ? "><" : "<>";

	if ((wide ? eight : four) < REPEATS || n % width)
		return 0;
	for (unsigned i = 0; i < 2; i++) {
		r[i] = (struct trc_reading){ .sure = false };
		snprintf(r[i].what, sizeof(r[i].what), "these are keys of %zu bits", width * 8);
		snprintf(r[i].from, sizeof(r[i].from), "struct:%c%c,addr", order[i],
		         wide ? 'Q' : 'I');
	}
	return 2;
}
