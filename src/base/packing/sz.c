/* SPDX-License-Identifier: MIT
 * Unpacks .sz: framed Snappy (google/snappy, framing_format.txt), in which DynamoRIO wrote traces.
 * It consists of chunks with a kind, a length of 3 bytes, and for data, a checksum and at most 64
 * KiB. */
#include "base/io/packing.h"

#include <string.h>

#include "base/bytes.h"
#include "base/packing/snappy.h"

enum {
	DATA_MOST = 65536,   /* maximum unpacked bytes of a chunk */
	PACKED_MOST = 76490, /* maximum packed bytes, by the format */
	HEAD = 4,
	SUM = 4,

	PACKED = 0, /* kinds of chunks */
	PLAIN = 1,
	PADDING = 0xfe, /* other skippable kinds are refused: one bit away from data */
	BEGIN = 0xff,
};

static const char begin[] = "sNaPpY";

struct sz {
	uint8_t head[HEAD], packed[SUM + PACKED_MOST], data[DATA_MOST];
	size_t head_n, packed_n; /* bytes of the current chunk read so far */
	size_t at, n;            /* data[at..n) has to be delivered */
	uint64_t pass;           /* bytes of a chunk to skip */
	uint32_t table[256];     /* for the checksum */
	bool begun;
};

/* CRC-32C, with the polynomial 0x1edc6f41, lowest bit first. */
static void
fill_table(uint32_t table[256])
{
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int k = 0; k < 8; k++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0x82f63b78 : 0);
	}
}

/* Returns the masked checksum that chunks have: rotated, plus a constant. */
static uint32_t
checksum(const uint32_t table[256], const uint8_t *p, size_t n)
{
	uint32_t sum = UINT32_MAX;

	for (size_t i = 0; i < n; i++)
		sum = sum >> 8 ^ table[(sum ^ p[i]) & 0xff];
	sum = ~sum;
	return (sum >> 15 | sum << 17) + 0xa282ead8;
}

static bool
sz_open(struct trc_unpacker *u)
{
	fill_table(((struct sz *)u->state)->table);
	return true;
}

static size_t
length_of(const struct sz *s)
{
	return s->head[1] | (size_t)s->head[2] << 8 | (size_t)s->head[3] << 16;
}

/* Unpacks a complete chunk of data; returns false if it is damaged. */
static bool
take_data(struct sz *s)
{
	struct trc_view v = { s->packed + SUM, s->packed + s->packed_n };
	uint64_t n = s->packed_n - SUM;

	if (s->head[0] == PACKED && !trc_snappy_length(&v, &n))
		return false;
	if (n > DATA_MOST)
		return false;
	if (s->head[0] == PLAIN)
		memcpy(s->data, v.p, (size_t)n);
	else if (!trc_snappy_unpack(&v, s->data, (size_t)n))
		return false;
	s->at = 0;
	s->n = (size_t)n;
	return trc_le32(s->packed) == checksum(s->table, s->data, s->n);
}

/* Returns true if the head is not of a chunk but of trailing zeros, as tapes add them. */
static bool
is_zero(const struct sz *s)
{
	return s->head_n == HEAD && trc_le32(s->head) == 0;
}

/* Begins a chunk after its head was read; returns false if it is not allowed here. */
static bool
begin_chunk(struct sz *s)
{
	const size_t n = length_of(s);

	if (s->head[0] == BEGIN)
		return n == sizeof(begin) - 1;
	if (s->head[0] == PADDING)
		s->pass = n;
	return s->begun && (s->head[0] == PADDING ||
	                    (s->head[0] <= PLAIN && n >= SUM && n <= sizeof(s->packed)));
}

/* Finishes a chunk that was read completely. */
static bool
end_chunk(struct sz *s)
{
	bool good = true;

	if (s->head[0] == BEGIN)
		s->begun = good = memcmp(s->packed, begin, sizeof(begin) - 1) == 0;
	else if (s->head[0] <= PLAIN)
		good = take_data(s);
	s->head_n = s->packed_n = 0;
	return good;
}

/* Reads more of a chunk; sets *whole if it is complete. */
static bool
take_chunk(struct trc_unpacker *u, struct sz *s, bool *whole)
{
	const bool begun = s->head_n == HEAD;

	*whole = false;
	if (!trc_unpack_collect(u, s->head, &s->head_n, HEAD))
		return true;
	if (!begun && !begin_chunk(s))
		return false;
	*whole = s->head[0] == PADDING ||
	         trc_unpack_collect(u, s->packed, &s->packed_n, length_of(s));
	return !*whole || end_chunk(s);
}

static enum trc_step
sz_step(struct trc_unpacker *u, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct sz *s = u->state;
	bool whole = true;

	while (s->at == s->n && whole) {
		if (trc_unpack_pass(u, &s->pass, err))
			return TRC_STEP_FAILED;
		if (s->pass > 0)
			break;
		if (s->head_n == 0 && u->ended && u->at == u->len)
			return TRC_STEP_MEMBER;
		if (!take_chunk(u, s, &whole)) {
			if (s->begun && is_zero(s))
				return TRC_STEP_MEMBER;
			return TRC_STEP_DAMAGED;
		}
	}
	*got = s->n - s->at < cap ? s->n - s->at : cap;
	memcpy(dst, s->data + s->at, *got);
	s->at += *got;
	return TRC_STEP_MORE;
}

const struct trc_packing trc_packing_sz = {
	.name = "sz",
	.program = "snzip",
	.magic = { BEGIN, 6, 0, 0, 's', 'N' },
	.magic_len = 6,
	.unpacks_only = true,
	.unpack_room = sizeof(struct sz),
	.unpack_open = sz_open,
	.unpack_step = sz_step,
};
