/* SPDX-License-Identifier: MIT
 *
 * Bare addresses, 8 bytes each, little-endian, as PARDA and many scripts use them:
 *
 *   70 ab 01 04 00 00 00 00   0x401ab70
 *
 * Nothing marks the format. So without its ending or --from, trc asks about it if every word could
 * be an address of today's 64-bit machines.
 */
#include "format/records.h"

static size_t
parse(const uint8_t *p, size_t n, struct trc_batch *b)
{
	for (size_t i = 0; i < n; i++)
		b->addr[b->n + i] = trc_le64(p + 8 * i);
	b->n += n;
	return n;
}

static uint8_t *
print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	(void)err;
	for (size_t i = r->i; i < r->stop; i++, dst += 8)
		trc_put_le64(dst, r->b->addr[i]);
	return dst;
}

/* Addresses have at most 57 bits, with all higher bits equal; at most half of the words are 0. */
static unsigned
probe(const uint8_t *p, size_t n, bool whole)
{
	const size_t words = n / 8;
	size_t zeros = 0;

	if (whole && n % 8 != 0)
		return 0;
	for (size_t i = 0; i < words; i++) {
		const uint64_t v = trc_le64(p + 8 * i);

		if (v >> 56 != 0 && v >> 56 != 0xff)
			return 0;
		zeros += v == 0;
	}
	if (zeros > words / 2)
		return 0;
	return (unsigned)(words < TRC_BID_ROWS ? words : TRC_BID_ROWS);
}

const struct trc_format trc_family_u64[] = {
	{
	        .name = "u64",
	        .doc = "bare addresses, 8 bytes each",
	        .ending = ".u64",
	        .holds = TRC_HAS_ADDR,
	        .needs = TRC_HAS_ADDR,
	        .binary = true,
	        .record = &(const struct trc_record_format){ 8, 1, parse },
	        .print = &(const struct trc_print_format){ print, 8, NULL },
	        .probe = probe,
	},
	{ .name = NULL },
};
