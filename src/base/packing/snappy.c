/* SPDX-License-Identifier: MIT */
#include "base/packing/snappy.h"

#include <string.h>

bool
trc_snappy_length(struct trc_view *v, uint64_t *len)
{
	return trc_view_num(v, len);
}

/* Reads an `n`-byte little-endian number. */
static bool
take_number(struct trc_view *v, unsigned n, size_t *number)
{
	const uint8_t *p = trc_view_bytes(v, n);

	*number = 0;
	for (unsigned i = 0; p && i < n; i++)
		*number |= (size_t)p[i] << 8 * i;
	return p;
}

/* Copies earlier output. The source may overlap the destination, which then repeats. */
static void
copy_back(uint8_t *dst, size_t back, size_t n)
{
	const uint8_t *from = dst - back;

	if (back >= n)
		memcpy(dst, from, n);
	else
		for (size_t i = 0; i < n; i++)
			dst[i] = from[i];
}

bool
trc_snappy_unpack(struct trc_view *v, uint8_t *start, size_t want)
{
	uint8_t *dst = start, *const end = start + want;

	while (v->p < v->end) {
		const unsigned tag = *v->p++, kind = tag & 3;
		size_t n = (tag >> 2) + 1, back = 0;
		const uint8_t *bytes;

		if (kind == 0) {
			if (n > 60 && (!take_number(v, (unsigned)n - 60, &n) || ++n == 0))
				return false;
			if (n > (size_t)(end - dst) || !(bytes = trc_view_bytes(v, n)))
				return false;
			memcpy(dst, bytes, n);
			dst += n;
			continue;
		}
		if (!take_number(v, kind == 3 ? 4 : kind, &back))
			return false;
		if (kind == 1) {
			n = (tag >> 2 & 7) + 4;
			back |= (size_t)(tag >> 5) << 8;
		}
		if (back == 0 || back > (size_t)(dst - start) || n > (size_t)(end - dst))
			return false;
		copy_back(dst, back, n);
		dst += n;
	}
	return dst == end;
}
