/* SPDX-License-Identifier: MIT
 * Count states: those of ZPAQ, numbered from 1. */
#include "codec/mixing/count_state.h"

#include "test.h"

static unsigned
after(const char *bits)
{
	unsigned s = TRC_COUNT_NEW;

	for (; *bits; bits++)
		s = trc_count_states()->next[*bits == '1'][s];
	return s;
}

static void
all_bytes_are_states(void)
{
	const struct trc_count_states *t = trc_count_states();
	bool met[TRC_COUNT_STATES] = { [TRC_COUNT_NEW] = true };
	unsigned n = 1;

	for (unsigned before = 0; before < n;) {
		before = n;
		for (unsigned s = 1; s < TRC_COUNT_STATES; s++)
			for (unsigned bit = 0; met[s] && bit < 2; bit++) {
				n += !met[t->next[bit][s]];
				met[t->next[bit][s]] = true;
			}
	}
	CHECK(!met[0]);
	CHECK(n > 200);
	for (unsigned s = 1; s < TRC_COUNT_STATES; s++)
		CHECK(t->p[s] > 0 && t->next[0][s] > 0 && t->next[1][s] > 0);
}

static void
bits_are_counted(void)
{
	const uint16_t *p = trc_count_states()->p;

	CHECK(p[TRC_COUNT_NEW] == 32768);
	CHECK(p[after("1")] == 65536 * 7 / 9);
	CHECK(p[after("0010")] == 65536 * 7 / 24);
	CHECK(p[after("01")] == 32768 && p[after("10")] == 32768 && after("01") != after("10"));
	/* Up to 48 of them; the other bit leaves 7. */
	CHECK(after("11111111111111111111") == after("111111111111111111111"));
	CHECK(p[after("111111111110")] == 65536 * 37 / 44);
}

int
main(void)
{
	RUN(all_bytes_are_states);
	RUN(bits_are_counted);
	return 0;
}
