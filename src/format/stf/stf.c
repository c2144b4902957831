/* SPDX-License-Identifier: MIT
 *
 * The Simulation Tracing Format, versions 1.2 to 1.x (Sparcians' stf_spec and stf_lib), as Dromajo,
 * Spike and Pegasus write it for RISC-V: plain, or as .zstf in zstd frames. A record is a byte, its
 * number, and fields at fixed offsets, little-endian; "STF", the version and properties of the
 * trace come first. The records of an instruction come before its word:
 *
 *   8    hardware thread, process, thread (4 bytes each)
 *   9    pc (8) of what follows
 *   31   target (8) of a taken branch; 101 of an event
 *   60   address (8), size (2), attributes (2), 1 load, 2 store (1)
 *   100  event (8, before 1.5 4), number of its fields (1), these (8 each)
 *   240  word (4); 241 (2)
 *
 * An instruction becomes its events, "! fault 13 0x1000", "! interrupt 7", "! mode 0x0", its fetch,
 * with its word, and its loads and stores. After a change to a mode other than 0, user mode,
 * everything is the kernel's: from the next instruction on, or from this one at the beginning of
 * the trace or where a pc is set. The process is the asid, the thread the task; if both are 0, the
 * hardware thread is the task. --annotate riscv adds branches and registers. Values of registers
 * and memory, page table walks, micro-ops, and accesses by other bus masters are not kept. Traces
 * of transactions, which have no instructions, are refused. Version 1.5 is written, and only for
 * RISC-V words.
 */
#include <stdio.h>
#include <stdlib.h>

#include "format/stf/stf.h"

enum {
	FIELDS = 4, /* kept for each event */
	LONGEST = 10 + 255 * 8,
	HEAD = 4096, /* bytes examined before the first record */
};

/* The length of a record: a fixed number of bytes, and as many units as the number at
 * `count_at`. */
static const struct layout {
	uint8_t bytes; /* with the number of the record; 0: there is no such record */
	uint8_t count_at, count_bytes, unit;
} layout[256] = {
	[STF_IDENTIFIER] = { 4, 0, 0, 0 },
	[STF_VERSION] = { 9, 0, 0, 0 },
	[3] = { 5, 1, 4, 1 }, /* a comment */
	[STF_ISA] = { 3, 0, 0, 0 },
	[STF_ENCODING] = { 3, 0, 0, 0 },
	[STF_GENERATOR] = { 7, 5, 2, 1 },
	[STF_FEATURES] = { 9, 0, 0, 0 },
	[STF_PROCESS] = { 13, 0, 0, 0 },
	[STF_FORCE_PC] = { 9, 0, 0, 0 },
	[STF_VECTORS] = { 5, 0, 0, 0 },
	[13] = { 5, 1, 4, 1 }, /* extensions */
	[STF_END_HEADER] = { 1, 0, 0, 0 },
	[STF_TARGET] = { 9, 0, 0, 0 },
	[STF_REGISTER] = { 12, 0, 0, 0 },
	[41] = { 3, 0, 0, 0 },    /* a register becomes ready */
	[50] = { 22, 21, 1, 16 }, /* a page table walk */
	[STF_ACCESS] = { 14, 0, 0, 0 },
	[61] = { 9, 0, 0, 0 }, /* a value */
	[STF_MASTER_ACCESS] = { 18, 0, 0, 0 },
	[63] = { 9, 0, 0, 0 },
	[STF_EVENT] = { 10, 9, 1, 8 },
	[STF_EVENT_TARGET] = { 9, 0, 0, 0 },
	[230] = { 6, 0, 0, 0 }, /* a micro-op */
	[STF_WORD_4] = { 5, 0, 0, 0 },
	[STF_WORD_2] = { 3, 0, 0, 0 },
};

static const struct layout event_32 = { 6, 5, 1, 8 };

enum { VECTOR = 3 };

/* The state of the reader. */
struct state {
	struct trc_source *src;
	struct trc_buf origin;
	uint64_t skip; /* bytes of a record to skip */
	uint64_t pc, target;
	bool taken, forced, begun, narrow_events;
	bool headed;                 /* the header has ended */
	bool open;                   /* records wait for the word of their instruction */
	uint32_t asid, task, vector; /* bytes of a vector register */
	uint8_t kernel, mode;        /* of this instruction, and of the next */
	size_t accesses;
	struct access {
		uint64_t addr;
		uint16_t size;
		uint8_t type;
	} access[STF_ACCESSES];
};

static const struct trc_caveat masters = {
	.text = "accesses by other bus masters are skipped",
	.rows = 1,
};

static uint64_t
number(const uint8_t *p, unsigned bytes)
{
	return bytes == 1 ? *p : bytes == 2 ? trc_le16(p) : bytes == 4 ? trc_le32(p) : trc_le64(p);
}

static void
put(const struct state *s, struct trc_batch *b, uint8_t type, uint64_t addr, uint32_t size,
    uint32_t word)
{
	const size_t n = b->n++;

	b->type[n] = type | s->kernel;
	b->addr[n] = addr;
	b->size[n] = size;
	b->asid[n] = s->asid;
	b->task[n] = s->task;
	b->insn[n] = word;
	b->event[n] = 0;
}

/* Processes the word, which comes after all other records of the instruction. */
static void
take_word(struct state *s, uint32_t word, unsigned bytes, struct trc_batch *b)
{
	put(s, b, TRC_FETCH, s->pc, bytes, word);
	for (size_t i = 0; i < s->accesses; i++)
		put(s, b, s->access[i].type, s->access[i].addr, s->access[i].size, 0);
	s->pc = s->taken ? s->target : s->pc + bytes;
	s->taken = s->forced = false;
	s->begun = true;
	s->open = false;
	s->accesses = 0;
	s->kernel = s->mode;
}

static int
take_access(struct state *s, const uint8_t *p, struct trc_err *err)
{
	if (p[12] != 1 && p[12] != 2)
		return trc_fail(err, "an access is neither a load nor a store, but %u", p[12]);
	if (s->accesses == STF_ACCESSES)
		return trc_fail(err, "an instruction has more than %d accesses", STF_ACCESSES);
	s->access[s->accesses++] = (struct access){ trc_le64(p), trc_le16(p + 8),
		                                    p[12] == 1 ? TRC_READ : TRC_WRITE };
	return 0;
}

/* Processes a fault, an interrupt, or a change of mode, which comes before its instruction. */
static void
take_event(struct state *s, const uint8_t *p, struct trc_batch *b)
{
	const uint64_t id = s->narrow_events ? (uint64_t)trc_le32(p) << 32 : trc_le64(p);
	const char *what = id & STF_INTERRUPT ? "interrupt" : id & STF_SPECIAL ? "mode" : "fault";
	const uint8_t *field = p + (s->narrow_events ? 4 : 8);
	const unsigned fields = *field++;
	char text[160];
	int n = snprintf(text, sizeof(text), "! %s", what);

	if (!(id & STF_SPECIAL))
		n += snprintf(text + n, sizeof(text) - (size_t)n, " %lu",
		              (unsigned long)(trc_le32(p) & ~(UINT32_C(3) << 30)));
	for (unsigned i = 0; i < fields && i < FIELDS; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " 0x%llx",
		              (unsigned long long)trc_le64(field + 8 * (size_t)i));
	put(s, b, TRC_EVENT, 0, 0, 0);
	b->type[b->n - 1] = TRC_EVENT;
	b->asid[b->n - 1] = 0;
	trc_batch_put_event(b, b->n - 1, text, (size_t)n);
	if (!(id & STF_SPECIAL))
		return;
	s->mode = fields && trc_le64(field) ? TRC_KERNEL : 0;
	if (s->forced || !s->begun)
		s->kernel = s->mode;
}

/* Processes a record after its number; its `bytes` are complete. */
static int
take_record(struct state *s, unsigned record, const uint8_t *p, struct trc_batch *b,
            struct trc_err *err)
{
	s->open |= record >= STF_TARGET && record < STF_MASTER_ACCESS;
	switch (record) {
	case STF_FEATURES: s->narrow_events = !(trc_le64(p) & STF_WIDE_EVENTS); return 0;
	case STF_PROCESS:
		s->asid = trc_le32(p + 4);
		s->task = trc_le32(p + 8);
		if (!s->asid && !s->task)
			s->task = trc_le32(p);
		return 0;
	case STF_END_HEADER: s->headed = true; return 0;
	case STF_FORCE_PC:
		s->pc = trc_le64(p);
		s->forced = true;
		return 0;
	case STF_VECTORS: s->vector = trc_le32(p) / 64 * 8 + (trc_le32(p) % 64 ? 8 : 0); return 0;
	case STF_TARGET:
	case STF_EVENT_TARGET:
		s->target = trc_le64(p);
		s->taken = true;
		return 0;
	case STF_REGISTER:
		s->skip = (p[2] & 15) == VECTOR && s->vector > 8 ? s->vector - 8 : 0;
		return 0;
	case STF_ACCESS: return take_access(s, p, err);
	case STF_MASTER_ACCESS: trc_caveat_add(s->src->meta.caveat, &masters); return 0;
	case STF_EVENT: take_event(s, p, b); return 0;
	case STF_WORD_4: take_word(s, trc_le32(p), 4, b); return 0;
	case STF_WORD_2: take_word(s, trc_le16(p), 2, b); return 0;
	default: return 0;
	}
}

static const struct layout *
layout_of(const struct state *s, unsigned record)
{
	return record == STF_EVENT && s->narrow_events ? &event_32 : &layout[record];
}

/* Returns the bytes of the record at `p` that can be skipped, given its first ones. */
static uint64_t
rest_of(const struct layout *l, const uint8_t *p)
{
	return l->count_bytes ? number(p + l->count_at, l->count_bytes) * l->unit : 0;
}

static int
parse(void *state, const uint8_t **at, const uint8_t *end, struct trc_batch *b, struct trc_err *err)
{
	struct state *s = state;

	for (;;) {
		const uint64_t there = (uint64_t)(end - *at);
		const uint64_t pass = there < s->skip ? there : s->skip;
		const struct layout *l;
		size_t left;

		*at += pass;
		s->skip -= pass;
		left = (size_t)(end - *at);
		if (left == 0 || b->cap - b->n < 1 + STF_ACCESSES)
			break;
		l = layout_of(s, **at);
		if (l->bytes == 0)
			return trc_fail(err, "record %u is unknown in an STF instruction trace",
			                **at);
		if (left < l->bytes || (**at == STF_EVENT && left < l->bytes + rest_of(l, *at)))
			break;
		s->skip = rest_of(l, *at);
		if (take_record(s, **at, *at + 1, b, err))
			return -1;
		*at += l->bytes;
	}
	return 0;
}

/* Reads the properties of the recording in the `n` bytes at `p`, the head of the data. */
static int
take_origin(struct state *s, const uint8_t *p, size_t n, struct trc_err *err)
{
	const uint8_t *const e = p + n;
	char text[300];

	while (p < e && layout[*p].bytes && (size_t)(e - p) >= layout[*p].bytes) {
		const struct layout *l = &layout[*p];
		const uint64_t rest = rest_of(l, p);

		if ((uint64_t)(e - p) < l->bytes + rest || *p == STF_END_HEADER)
			break;
		snprintf(text, sizeof(text), "%.*s", *p == STF_GENERATOR ? (int)rest : 0,
		         p + l->bytes);
		if (*p == STF_GENERATOR && *text &&
		    trc_provenance_text(&s->origin, "tracer", text, err))
			return -1;
		if (*p == STF_ENCODING && (p[1] == 1 || p[1] == 2) &&
		    trc_provenance_text(&s->origin, "isa", p[1] == 1 ? "riscv32" : "riscv64", err))
			return -1;
		p += l->bytes + rest;
	}
	return trc_provenance_text(&s->origin, "addresses", "virtual", err);
}

static unsigned
probe(const uint8_t *p, size_t n, bool whole)
{
	(void)whole;
	return n >= 13 && memcmp(p, "\1STF\2", 5) == 0 ? TRC_BID_MOST / 2 : 0;
}

static int
begin(void *state, struct trc_in *in, const void *settings, struct trc_source *src,
      struct trc_err *err)
{
	struct state *s = state;
	size_t n;

	(void)settings;
	if (trc_in_fill(in, HEAD, err))
		return trc_err_in(err, "%s", in->name);
	n = (size_t)(in->end - in->p);
	if (!probe(in->p, n, false))
		return trc_fail(err, "%s: does not begin with the records \"STF\" and version",
		                in->name);
	if (trc_le32(in->p + 5) != 1 || trc_le32(in->p + 9) < 2)
		return trc_fail(err,
		                "%s: STF version %lu.%lu is not supported; expected 1.2 or "
		                "later",
		                in->name, (unsigned long)trc_le32(in->p + 5),
		                (unsigned long)trc_le32(in->p + 9));
	s->src = src;
	if (take_origin(s, in->p, n < HEAD ? n : HEAD, err))
		return -1;
	src->meta.provenance = trc_buf_view(&s->origin);
	return 0;
}

static int
end(void *state, struct trc_err *err)
{
	const struct state *s = state;

	if (s->open || s->skip > 0)
		return trc_fail(err, "the data ends before the word of an instruction");
	return s->headed ? 0 : trc_fail(err, "the data ends in the header");
}

static void
release(void *state)
{
	trc_buf_release(&((struct state *)state)->origin);
}

enum {
	GIVEN = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH,
	TYPES = GIVEN | GIVEN << TRC_KERNEL,
	HOLDS = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_ASID | TRC_HAS_TASK |
	        TRC_HAS_INSN | TRC_HAS_EVENT,
	NEEDS = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_INSN,
};

const struct trc_format trc_family_stf[] = {
	{
	        .name = "stf",
	        .doc = "instructions of RISC-V (Dromajo, Pegasus), plain or .zstf",
	        .ending = ".stf",
	        .gives = TYPES,
	        .holds = HOLDS,
	        .needs = NEEDS,
	        .binary = true,
	        .packet = TRC_ROW(trc_packet_format, .longest = LONGEST, .rows = 1 + STF_ACCESSES,
	                          .state = sizeof(struct state), .begin = begin, .parse = parse,
	                          .end = end, .release = release),
	        .more = &trc_stf_more,
	        .print = &trc_stf_print,
	        .chained_print = true,
	        .probe = probe,
	},
	{
	        .name = "zstf",
	        .doc = "the same, packed in chunks; read as stf",
	        .ending = ".zstf", /* which is also that of a packing */
	        .writes = TYPES | 1U << TRC_EVENT,
	        .holds = HOLDS,
	        .needs = NEEDS,
	        .binary = true,
	        .sink = trc_zstf_sink,
	},
	{ .name = NULL },
};
