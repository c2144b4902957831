/* SPDX-License-Identifier: MIT
 *
 * The packet traces of gem5 (its src/proto/packet.proto), as CommMonitor writes and TrafficGen
 * replays them: the word gem5, then messages of protobuf, each after its length as a varint.
 *
 *   header  1 source (text), 2 version, 3 ticks a second, 4 names of requestors (messages)
 *   packet  1 tick, 2 command, 3 address, 4 size, 5 flags, 6 packet, 7 pc
 *
 * The fields of packets are varints; all but the first two are optional. Commands are numbered as
 * in gem5's MemCmd, flags as in its Request. Commands become the nearest type, all others misc;
 * packet numbers and other flags are not kept. Whether a trace has pcs is determined from its
 * beginning, or given: --from gem5:pc.
 */
#include "format/binary/gem5_shapes.h"
#include "format/print.h"

enum { MESSAGE_MOST = 4096, HEADER_MOST = 32 << 10, LOOK = 64 << 10 };

enum { READ_REQ = 1, WRITE_REQ = 4, WRITEBACK_DIRTY = 7, CLEAN_EVICT = 10, SOFT_PF_REQ = 11 };

#define INST_FETCH UINT64_C(0x100)
#define PREFETCH UINT64_C(0x1000000)

static const char magic[] = "gem5";

/* By command; responses, upgrades and all higher commands are misc. */
static const uint8_t type_of_command[28] = {
	TRC_MISC,      TRC_READ,      TRC_MISC,       TRC_MISC,      /* ReadReq */
	TRC_WRITE,     TRC_MISC,      TRC_MISC,       TRC_COPY_BACK, /* WriteReq, WritebackDirty */
	TRC_COPY_BACK, TRC_COPY_BACK, TRC_INVALIDATE, TRC_PREFETCH, /* WritebackClean, WriteClean */
	TRC_PREFETCH,  TRC_PREFETCH,  TRC_MISC,       TRC_MISC,     /* SoftPFExReq, HardPFReq */
	TRC_WRITE,     TRC_MISC,      TRC_MISC,       TRC_MISC,     /* WriteLineReq */
	TRC_MISC,      TRC_MISC,      TRC_READ,       TRC_MISC,     /* ReadExReq */
	TRC_READ,      TRC_READ,      TRC_READ,       TRC_WRITE,    /* up to StoreCondReq */
};

/* The state of the reader. */
struct state {
	bool pc;
	struct trc_gem5_shapes shapes;
	struct trc_buf origin; /* provenance of the recording */
};

/* The arguments of the reader. */
struct settings {
	bool pc;
};

/* Parses the next field of a message: its number, its wire type, and its value if it is a number,
 * else the number of its bytes, which end at v->p. */
static bool
next_field(struct trc_view *v, unsigned *number, unsigned *wire, uint64_t *value)
{
	uint64_t tag;

	if (!trc_view_num(v, &tag) || tag >> 3 == 0 || tag >> 3 > UINT16_MAX)
		return false;
	*number = (unsigned)(tag >> 3);
	*wire = tag & 7;
	*value = 0;
	switch (*wire) {
	case 0: return trc_view_num(v, value);
	case 1: return trc_view_bytes(v, 8);
	case 2:
		return trc_view_num(v, value) && *value <= (size_t)(v->end - v->p) &&
		       trc_view_bytes(v, (size_t)*value);
	case 5: return trc_view_bytes(v, 4);
	default: return false;
	}
}

/* Parses a packet field by field. */
static bool
parse_packet(struct trc_view v, struct trc_gem5_packet *p)
{
	const uint8_t *start = v.p;

	*p = (struct trc_gem5_packet){ 0 };
	while (v.p < v.end) {
		const uint8_t *at = v.p + 1;
		unsigned number, wire;
		uint64_t value;

		if (!next_field(&v, &number, &wire, &value) ||
		    (number < TRC_GEM5_FIELDS && wire != 0))
			return false;
		if (number >= TRC_GEM5_FIELDS)
			continue;
		p->there |= 1u << number;
		p->value[number] = value;
		p->at[number] = (uint16_t)(at - start);
		p->len[number] = (uint16_t)(v.p - at);
	}
	return p->there >> TRC_GEM5_TICK & 1 && p->there >> TRC_GEM5_COMMAND & 1;
}

static uint8_t
type_of(uint64_t command, uint64_t flags)
{
	const uint8_t type = command < TRC_COUNT(type_of_command) ? type_of_command[command] :
	                                                            TRC_MISC;

	if (type == TRC_READ && flags & PREFETCH)
		return TRC_PREFETCH;
	return type == TRC_READ && flags & INST_FETCH ? TRC_FETCH : type;
}

/* Finds the message at the front of `v`: returns 1 and sets *m, 0 if it is incomplete, -1 if it is
 * invalid. */
static int
next_message(struct trc_view *v, size_t most, struct trc_view *m)
{
	struct trc_view at = *v;
	uint64_t len;

	if (!trc_view_num(&at, &len))
		return v->end - v->p >= 10 ? -1 : 0;
	if (len > most)
		return -1;
	if (len > (size_t)(at.end - at.p))
		return 0;
	*m = (struct trc_view){ at.p, at.p + len };
	v->p = m->end;
	return 1;
}

/* Returns true if the message is the header of a packet trace: in gem5's instruction traces the
 * fourth field is a number. */
static bool
packet_header(struct trc_view m)
{
	unsigned number, wire;
	uint64_t value;

	while (m.p < m.end) {
		if (!next_field(&m, &number, &wire, &value))
			return false;
		if ((number == 1 || number == 4) != (wire == 2))
			return false;
	}
	return true;
}

/* Adds the name of the recorder, and the unit of times. Traces written by trc have neither. */
static int
take_origin(struct trc_buf *list, struct trc_view m, struct trc_err *err)
{
	unsigned number, wire;
	uint64_t value;
	char ticks[24];

	while (m.p < m.end && next_field(&m, &number, &wire, &value)) {
		snprintf(ticks, sizeof(ticks), "%llu", (unsigned long long)value);
		if (number == 1 && value == 3 && memcmp(m.p - 3, "trc", 3) == 0)
			return 0;
		if (number == 1 &&
		    trc_provenance_put(list, "tracer", m.p - value, (size_t)value, err))
			return -1;
		if (number == 3 && trc_provenance_text(list, "ticks-per-second", ticks, err))
			return -1;
	}
	return trc_provenance_text(list, "addresses", "physical", err);
}

/* Returns true if one of the packets in `v` has a pc. */
static bool
any_pc(struct trc_view v)
{
	struct trc_view m;
	struct trc_gem5_packet p;

	while (next_message(&v, MESSAGE_MOST, &m) == 1 && parse_packet(m, &p))
		if (p.there >> TRC_GEM5_PC & 1)
			return true;
	return false;
}

static int
begin(void *state, struct trc_in *in, const void *settings, struct trc_source *src,
      struct trc_err *err)
{
	const struct settings *set = settings;
	struct state *s = state;
	struct trc_view v, m;
	int found;

	if (trc_in_fill(in, LOOK, err))
		return trc_err_in(err, "%s", in->name);
	v = (struct trc_view){ in->p, in->end };
	if (v.end - v.p < 4 || memcmp(v.p, magic, 4) != 0)
		return trc_fail(err, "%s: does not begin with '%s'", in->name, magic);
	v.p += 4;
	found = next_message(&v, HEADER_MOST, &m);
	if (found != 1)
		return trc_fail(err, "%s: %s", in->name,
		                found ? "the header is longer than any gem5 writes" :
		                        "the header is truncated");
	if (!packet_header(m))
		return trc_fail(err,
		                "%s: not a packet trace of gem5 (instruction traces are not "
		                "supported)",
		                in->name);
	if (take_origin(&s->origin, m, err))
		return -1;
	src->meta.provenance = trc_buf_view(&s->origin);
	in->p = v.p;
	trc_gem5_shapes_init(&s->shapes);
	for (unsigned k = 0; k < TRC_COUNT(s->shapes.type[0]); k++) {
		s->shapes.type[0][k] = type_of(k, 0);
		s->shapes.type[1][k] = type_of(k, INST_FETCH);
		s->shapes.type[2][k] = s->shapes.type[3][k] = type_of(k, PREFETCH);
	}
	s->pc = set->pc || any_pc(v);
	if (!s->pc)
		src->have &= ~(uint32_t)TRC_HAS_PC;
	return 0;
}

static int
put(const struct state *s, const struct trc_gem5_packet *p, struct trc_batch *b,
    struct trc_err *err)
{
	const size_t n = b->n;

	if (p->value[TRC_GEM5_SIZE] > UINT32_MAX)
		return trc_fail(err, "a size of %llu", (unsigned long long)p->value[TRC_GEM5_SIZE]);
	if (p->there >> TRC_GEM5_PC & 1 && !s->pc)
		return trc_fail(
		        err,
		        "this packet has a pc, but earlier ones have none; use --from gem5:pc");
	b->type[n] = type_of(p->value[TRC_GEM5_COMMAND], p->value[TRC_GEM5_FLAGS]);
	b->addr[n] = p->value[TRC_GEM5_ADDR];
	b->size[n] = (uint32_t)p->value[TRC_GEM5_SIZE];
	b->time[n] = p->value[TRC_GEM5_TICK];
	if (s->pc)
		b->pc[n] = p->value[TRC_GEM5_PC];
	b->n++;
	return 0;
}

static int
parse(void *state, const uint8_t **at, const uint8_t *end, struct trc_batch *b, struct trc_err *err)
{
	struct state *s = state;
	struct trc_view v = { *at, end }, m;
	struct trc_gem5_packet p;
	int found = 1;

	while (b->n < b->cap) {
		trc_gem5_shapes_parse(&s->shapes, &v.p, end, b);
		*at = v.p;
		if (b->n == b->cap)
			break;
		found = v.p < v.end ? next_message(&v, MESSAGE_MOST, &m) : 0;
		if (found != 1)
			break;
		if (!parse_packet(m, &p))
			return trc_fail(err, "the message of %zu bytes here is not a packet",
			                (size_t)(m.end - m.p));
		if (put(s, &p, b, err))
			return -1;
		trc_gem5_shapes_learn(&s->shapes, m, &p);
	}
	*at = v.p;
	return found < 0 ? trc_fail(err, "the message here is longer than any packet") : 0;
}

static void
release(void *state)
{
	trc_buf_release(&((struct state *)state)->origin);
}

static unsigned
probe(const uint8_t *p, size_t n, bool whole)
{
	(void)whole;
	return n >= 4 && memcmp(p, magic, 4) == 0 ? TRC_BID_MOST : 0;
}

static uint8_t *
put_num(uint8_t *dst, uint64_t v)
{
	for (; v >= 128; v >>= 7)
		*dst++ = (uint8_t)(v | 128);
	*dst++ = (uint8_t)v;
	return dst;
}

static uint8_t *
put_field(uint8_t *dst, enum trc_gem5_field field, uint64_t v)
{
	*dst++ = (uint8_t)(field << 3);
	return put_num(dst, v);
}

/* Prints "trc", version 0, and a tick of a picosecond, as in gem5. */
static uint8_t *
header(const struct trc_meta *meta, uint32_t have, uint8_t *dst)
{
	static const uint8_t source[] = { 1 << 3 | 2, 3, 't', 'r', 'c', 2 << 3, 0 };
	uint8_t message[32], *end = message;

	(void)meta, (void)have;
	memcpy(end, source, sizeof(source));
	end = put_field(end + sizeof(source), 3, UINT64_C(1000000000000));
	memcpy(dst, magic, 4);
	dst = put_num(dst + 4, (uint64_t)(end - message));
	memcpy(dst, message, (size_t)(end - message));
	return dst + (end - message);
}

/* 0: none. */
static const uint8_t command_of_type[TRC_KERNEL] = {
	[TRC_READ] = READ_REQ,          [TRC_FETCH] = READ_REQ,
	[TRC_WRITE] = WRITE_REQ,        [TRC_COPY_BACK] = WRITEBACK_DIRTY,
	[TRC_INVALIDATE] = CLEAN_EVICT, [TRC_PREFETCH] = SOFT_PF_REQ,
};

static uint8_t *
print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	for (; r->i < r->stop; r->i++) {
		const size_t i = r->i;
		const uint8_t type = b->type[i];
		uint8_t *const len = dst++;

		if (type >= TRC_KERNEL || !command_of_type[type])
			return trc_format_refuse_type("gem5", type, err);
		dst = put_field(dst, TRC_GEM5_TICK, b->time[i]);
		dst = put_field(dst, TRC_GEM5_COMMAND, command_of_type[type]);
		dst = put_field(dst, TRC_GEM5_ADDR, b->addr[i]);
		dst = put_field(dst, TRC_GEM5_SIZE, b->size[i]);
		if (type == TRC_FETCH)
			dst = put_field(dst, TRC_GEM5_FLAGS, INST_FETCH);
		if (b->pc)
			dst = put_field(dst, TRC_GEM5_PC, b->pc[i]);
		*len = (uint8_t)(dst - len - 1); /* below 128 */
	}
	return dst;
}

#define NEEDED (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME)

static const struct trc_opt opts[] = {
	{ 0, "pc", NULL, "packets have pcs, though the first ones lack them", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct settings, pc) },
};

static const struct trc_format_args from = { opts, TRC_COUNT(opts) };

const struct trc_format trc_family_gem5[] = {
	{
	        .name = "gem5",
	        .doc = "packet traces of gem5",
	        .ending = ".gem5",
	        .holds = NEEDED | TRC_HAS_PC,
	        .needs = NEEDED,
	        .binary = true,
	        .packet = TRC_ROW(trc_packet_format, .longest = MESSAGE_MOST + 10, .rows = 1,
	                          .state = sizeof(struct state), .begin = begin, .parse = parse,
	                          .release = release),
	        .print = &(const struct trc_print_format){ print, 96, NULL },
	        .more = &(const struct trc_line_more){ .header = header },
	        .from = &from,
	        .probe = probe,
	},
	{ .name = NULL },
};
