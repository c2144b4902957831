/* SPDX-License-Identifier: MIT
 *
 * The binary format of dineroIV (-informat b): records of 8 bytes without a header, little-endian.
 *
 *   0  address, 4 bytes
 *   4  size, 2 bytes
 *   6  type, one of the labels of din, 0 to 5
 *   7  padding
 *
 * The format does not hold addresses above 32 bits, times and address spaces.
 */
#include "format/records.h"

enum { RECORD = 8, LABELS = 6, SIZE_LIKELY = 64, PROBE_BITS = 3 };

static const uint8_t type_of_label[LABELS] = { TRC_READ, TRC_WRITE,     TRC_FETCH,
	                                       TRC_MISC, TRC_COPY_BACK, TRC_INVALIDATE };

static size_t
parse(const uint8_t *p, size_t n, struct trc_batch *b)
{
	size_t i;

	for (i = 0; i < n && p[6] < LABELS; i++, p += RECORD, b->n++) {
		b->type[b->n] = type_of_label[p[6]];
		b->addr[b->n] = trc_le32(p);
		b->size[b->n] = trc_le16(p + 4);
	}
	return i;
}

static int
label_of(uint8_t type)
{
	int label = 0;

	while (label < LABELS && type_of_label[label] != type)
		label++;
	return label;
}

static uint8_t *
print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	for (size_t i = r->i; i < r->stop; i++, dst += RECORD) {
		const int label = label_of(b->type[i]);

		r->i = i;
		if (label == LABELS)
			return trc_format_refuse_type("dinero-bin", b->type[i], err);
		if (b->addr[i] > UINT32_MAX || b->size[i] > UINT16_MAX) {
			trc_fail(err,
			         b->addr[i] > UINT32_MAX ?
			                 "addr %llx does not fit the 32 bits of dinero-bin; xdin "
			                 "(text) holds it" :
			                 "size %llu does not fit the two bytes of dinero-bin; xdin "
			                 "(text) holds it",
			         b->addr[i] > UINT32_MAX ? (unsigned long long)b->addr[i] :
			                                   (unsigned long long)b->size[i]);
			return NULL;
		}
		trc_put_le32(dst, (uint32_t)b->addr[i]);
		trc_put_le16(dst + 4, (uint16_t)b->size[i]);
		dst[6] = (uint8_t)label;
		dst[7] = 0;
	}
	return dst;
}

/* Sizes are small, and are 0 only if that stands for the whole cache. */
static unsigned
probe(const uint8_t *p, size_t n, bool whole)
{
	const size_t records = n / RECORD;
	bool reads_only = true;

	if (whole && n % RECORD != 0)
		return 0;
	for (size_t i = 0; i < records; i++, p += RECORD) {
		const unsigned size = trc_le16(p + 4);

		if (p[6] >= LABELS || p[7] || size > SIZE_LIKELY || (size == 0 && p[6] < 4))
			return 0;
		reads_only &= p[6] == 0;
	}
	/* Addresses of 8 bytes may look like records that are all reads. */
	return (unsigned)(records < TRC_BID_ROWS ? records : TRC_BID_ROWS) *
	       (reads_only ? 1 : PROBE_BITS);
}

#define HELD (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE)

const struct trc_format trc_family_din_bin[] = {
	{
	        .name = "dinero-bin",
	        .doc = "dineroIV, 8-byte records",
	        .ending = ".dinero-bin",
	        .holds = HELD,
	        .needs = HELD,
	        .binary = true,
	        .record = &(const struct trc_record_format){ RECORD, PROBE_BITS, parse },
	        .print = &(const struct trc_print_format){ print, RECORD, NULL },
	        .probe = probe,
	},
	{ .name = NULL },
};
