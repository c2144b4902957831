/* SPDX-License-Identifier: MIT
 *
 * The address traces of Brigham Young University (format 1.1), recorded on the bus of a P6: records
 * of 12 bytes without a header, little-endian.
 *
 *   0  physical address, 4 bytes
 *   4  request: 5 and 7 input and output, 8 and 9 fetch, 12 and 13 read, 14 write back, 15 write
 *   5  size, 1 to 32
 *   6  attribute: whether it can be cached; not kept
 *   7  processor
 *   8  ticks since the previous record, 4 bytes
 *
 * The request codes are those of the control byte in the university's older records. Times are
 * added up.
 */
#include "format/packets.h"

enum { RECORD = 12, SIZE_MOST = 32, PROCESSORS_LIKELY = 16, PROBE_BITS = 3 };

/* The state of the reader: the sum of the time differences. */
struct state {
	uint64_t time;
};

/* TRC_TYPES: an invalid request. */
static const uint8_t type_of[16] = {
	TRC_TYPES, TRC_TYPES, TRC_TYPES, TRC_TYPES, TRC_TYPES, TRC_READ, TRC_TYPES,     TRC_WRITE,
	TRC_FETCH, TRC_FETCH, TRC_TYPES, TRC_TYPES, TRC_READ,  TRC_READ, TRC_COPY_BACK, TRC_WRITE,
};

static bool
is_record(const uint8_t *p)
{
	return p[4] < 16 && type_of[p[4]] != TRC_TYPES && p[5] >= 1 && p[5] <= SIZE_MOST;
}

static int
parse(void *state, const uint8_t **at, const uint8_t *end, struct trc_batch *b, struct trc_err *err)
{
	struct state *s = state;
	const uint8_t *p = *at;

	for (; end - p >= RECORD && b->n < b->cap && is_record(p); p += RECORD, b->n++) {
		s->time += trc_le32(p + 8);
		b->type[b->n] = type_of[p[4]];
		b->addr[b->n] = trc_le32(p);
		b->size[b->n] = p[5];
		b->time[b->n] = s->time;
		b->task[b->n] = p[7];
	}
	*at = p;
	if (end - p >= RECORD && b->n < b->cap)
		return trc_fail(err, "not a byu record: request %u, size %u", p[4], p[5]);
	return 0;
}

static unsigned
probe(const uint8_t *p, size_t n, bool whole)
{
	const size_t records = n / RECORD;

	if (whole && n % RECORD != 0)
		return 0;
	for (size_t i = 0; i < records; i++, p += RECORD)
		if (!is_record(p) || p[7] >= PROCESSORS_LIKELY)
			return 0;
	return (unsigned)(records < TRC_BID_ROWS ? records : TRC_BID_ROWS) * PROBE_BITS;
}

const struct trc_format trc_family_byu[] = {
	{
	        .name = "byu",
	        .doc = "bus traces of Brigham Young University, 12-byte records",
	        .ending = ".byu",
	        .gives = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH | 1 << TRC_COPY_BACK,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME | TRC_HAS_TASK,
	        .binary = true,
	        .packet = TRC_ROW(trc_packet_format, .longest = RECORD, .rows = 1,
	                          .state = sizeof(struct state), .parse = parse),
	        .probe = probe,
	},
	{ .name = NULL },
};
