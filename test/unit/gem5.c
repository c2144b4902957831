/* SPDX-License-Identifier: MIT
 * Packets of gem5: whatever fields they have, in whatever order and length, those of a shape that
 * came before are read as if each were the first. */
#include <string.h>

#include "base/bytes.h"
#include "generate.h"
#include "test.h"

enum { PACKETS = 20000, PACKET_MOST = 128, KINDS = 40 };

enum { TICK = 1, COMMAND, ADDR, SIZE, FLAGS, PACKET, PC, UNKNOWN, FIELDS };

/* What packets of a kind have: the fields in order, and how long their numbers are. */
struct kind {
	unsigned n, field[FIELDS + 1], bits[FIELDS + 1], more[FIELDS + 1];
};

static struct kind
make_kind(struct generator *m)
{
	static const unsigned most[FIELDS] = { 0, 64, 9, 64, 32, 64, 64, 64, 64 };
	struct kind k = { 0 };

	for (unsigned f = TICK; f <= PC; f++)
		if (f <= COMMAND || generate_below(m, 4))
			k.field[k.n++] = f;
	if (generate_below(m, 4) == 0)
		k.field[k.n++] = generate_below(m, 2) ? UNKNOWN :
		                                        1 + (unsigned)generate_below(m, PC);
	if (generate_below(m, 4) == 0) {
		const unsigned a = (unsigned)generate_below(m, k.n), f = k.field[0];

		k.field[0] = k.field[a];
		k.field[a] = f;
	}
	for (unsigned i = 0; i < k.n; i++) {
		k.bits[i] = 1 + (unsigned)generate_below(m, most[k.field[i]]);
		/* A number with a needless last byte, or a tag that has one. */
		k.more[i] = generate_below(m, 12) == 0 ? 1 + (unsigned)generate_below(m, 2) : 0;
		k.more[i] = k.more[i] == 1 && k.bits[i] > 56 ? 0 : k.more[i];
	}
	return k;
}

static uint8_t *
put_num(uint8_t *dst, uint64_t v, bool more)
{
	for (; v >= 128; v >>= 7)
		*dst++ = (uint8_t)(v | 128);
	*dst++ = (uint8_t)(v | (more ? 128 : 0));
	if (more)
		*dst++ = 0;
	return dst;
}

/* Puts a packet at `dst`, and its values into `value`. */
static uint8_t *
make_packet(struct generator *m, const struct kind *k, uint8_t *dst, uint64_t value[FIELDS])
{
	uint8_t message[PACKET_MOST], *end = message;

	memset(value, 0, FIELDS * sizeof(*value));
	for (unsigned i = 0; i < k->n; i++) {
		uint64_t v = generate_random(m) >> (64 - k->bits[i]);

		if (k->field[i] < FIELDS && k->field[i] != UNKNOWN)
			value[k->field[i]] = v;
		end = put_num(end, k->field[i] << 3, k->more[i] == 2);
		end = put_num(end, v, k->more[i] == 1);
	}
	*dst++ = (uint8_t)(end - message);
	memcpy(dst, message, (size_t)(end - message));
	return dst + (end - message);
}

static uint8_t
type_of(uint64_t command, uint64_t flags)
{
	static const uint8_t type[] = { 4, 0, 4, 4, 1, 4, 4, 5, 5, 5, 6, 7, 7, 7,
		                        4, 4, 1, 4, 4, 4, 4, 4, 0, 4, 0, 0, 0, 1 };
	const uint8_t t = command < sizeof(type) ? type[command] : TRC_MISC;

	return t != TRC_READ   ? t :
	       flags >> 24 & 1 ? TRC_PREFETCH :
	       flags >> 8 & 1  ? TRC_FETCH :
	                         TRC_READ;
}

static const uint8_t header[] = { 'g', 'e', 'm', '5', 3, 1 << 3 | 2, 1, 'x' };

static void
packets_of_known_shapes_are_read_like_others(void)
{
	struct generator m = { test_seed };
	uint8_t *const p = malloc(sizeof(header) + PACKETS * PACKET_MOST), *end = p;
	uint64_t(*const value)[FIELDS] = malloc(PACKETS * sizeof(*value));
	struct kind kind[KINDS];
	struct trc_batch rows;
	struct trc_err err;

	CHECK(p && value);
	memcpy(end, header, sizeof(header));
	end += sizeof(header);
	for (size_t i = 0; i < KINDS; i++)
		kind[i] = make_kind(&m);
	for (size_t i = 0; i < PACKETS; i++)
		end = make_packet(&m, &kind[generate_below(&m, KINDS)], end, value[i]);
	for (size_t pull = 1; pull < 5000; pull = pull * 9 + 1) {
		CHECK_MSG(generate_collect(generate_read_as("gem5:pc", p, (size_t)(end - p), 777,
		                                            &err),
		                           pull, &rows, NULL, &err) == 0,
		          "%s", err.text);
		CHECK(rows.n == PACKETS);
		for (size_t i = 0; i < PACKETS; i++) {
			const uint64_t *v = value[i];

			CHECK_MSG(rows.addr[i] == v[ADDR] && rows.size[i] == v[SIZE] &&
			                  rows.time[i] == v[TICK] && rows.pc[i] == v[PC],
			          "packet %zu", i);
			CHECK(rows.type[i] == type_of(v[COMMAND], v[FLAGS]));
		}
		trc_batch_release(&rows);
	}
	free(value);
	free(p);
}

/* The same bytes again, but for a number of more than 64 bits. */
static void
a_bad_packet_of_a_known_shape_is_refused(void)
{
	static const uint8_t packet[] = { 15,  1 << 3, 1,   2 << 3, 1,   3 << 3, 255, 255,
		                          255, 255,    255, 255,    255, 255,    255, 1 };
	uint8_t p[sizeof(header) + 4 * sizeof(packet)], *at = p + sizeof(header);
	struct trc_batch rows;
	struct trc_err err;

	memcpy(p, header, sizeof(header));
	for (int i = 0; i < 4; i++, at += sizeof(packet))
		memcpy(at, packet, sizeof(packet));
	CHECK(generate_collect(generate_read_as("gem5", p, sizeof(p), 777, &err), 3, &rows, NULL,
	                       &err) == 0);
	CHECK(rows.n == 4 && rows.addr[3] == UINT64_MAX);
	trc_batch_release(&rows);
	at[-1] = 2;
	CHECK(generate_collect(generate_read_as("gem5", p, sizeof(p), 777, &err), 3, &rows, NULL,
	                       &err));
	trc_batch_release(&rows);
	CHECK_MSG(strstr(err.text, "byte 56: the message of 15 bytes here"), "%s", err.text);
}

/* The places of shapes that are not known yet look like it. */
static void
a_packet_of_no_bytes_is_refused(void)
{
	static const uint8_t packets[] = { 4, 1 << 3, 1, 2 << 3, 1, 0, 153, 1, 1, 1 };
	uint8_t p[sizeof(header) + sizeof(packets)];
	struct trc_batch rows;
	struct trc_err err;

	memcpy(p, header, sizeof(header));
	memcpy(p + sizeof(header), packets, sizeof(packets));
	CHECK(generate_collect(generate_read_as("gem5", p, sizeof(p), 777, &err), 3, &rows, NULL,
	                       &err));
	trc_batch_release(&rows);
	CHECK_MSG(strstr(err.text, "byte 13: the message of 0 bytes here"), "%s", err.text);
}

int
main(void)
{
	test_start();
	RUN(packets_of_known_shapes_are_read_like_others);
	RUN(a_bad_packet_of_a_known_shape_is_refused);
	RUN(a_packet_of_no_bytes_is_refused);
	return 0;
}
