/* SPDX-License-Identifier: MIT
 *
 * Writes STF 1.5 as stf_lib reads it. Its header has the first pc; a branch that leads elsewhere
 * has its target; any other instruction that does not follow the previous one has its pc. The
 * records of an instruction come before its word, which is held back until the next instruction:
 * events, then accesses. An event is added if the mode of an instruction, kernel or user, changes
 * without one.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "format/stf/stf.h"

enum {
	MINOR = 5,
	FIELDS = 4, /* recognised for each event */
	PROCESS_BYTES = 13,
	EVENT_MOST = PROCESS_BYTES + 10 + FIELDS * 8,
	EVENTS = 16 * EVENT_MOST, /* limit for the events of an instruction */
	FIXED = 128,              /* limit for everything else that a row becomes */
	CONTAINS = STF_WIDE_EVENTS | 1 << 3 | 1 << 10, /* events and processes */
};

/* The state of the writer between rows. */
struct state {
	struct trc_stf_written written;
	uint64_t pc; /* of the pending instruction */
	uint32_t word, asid, task;
	uint16_t accesses;
	uint8_t bytes, type;  /* length and type of the pending instruction; 0: none */
	uint8_t kernel, mode; /* of the next instruction, and of the one after it */
	bool begun, caused;   /* the pending instruction has events */

	/* Events of the next instruction, with changes of process: records, the last task, and the
	 * last mode + 1; 0: none. */
	uint8_t event[EVENTS], changed;
	uint16_t n;
	uint32_t event_task;
};

static_assert(sizeof(struct state) <= TRC_FORMAT_STATE, "fits the state of a format");

static const struct trc_caveat modes = {
	.text = "instructions of another mode than the one before, written with an event",
	.rows = 1,
};

static uint8_t *
put(uint8_t *dst, uint8_t record, uint64_t v, unsigned bytes)
{
	*dst++ = record;
	trc_put_le64(dst, v);
	return dst + bytes;
}

static uint8_t *
header(const struct trc_meta *meta, uint32_t have, uint8_t *dst)
{
	struct trc_provenance_entry e;
	const bool narrow = trc_provenance_last(meta->provenance, "isa", &e) && e.len == 7 &&
	                    memcmp(e.text, "riscv32", 7) == 0;
	const bool named = trc_provenance_last(meta->provenance, "tracer", &e) && e.len < 256;

	(void)have;
	memcpy(dst, "\1STF", 4);
	dst = put(dst + 4, STF_VERSION, 1 | (uint64_t)MINOR << 32, 8);
	dst = put(dst, STF_ISA, 1, 2);
	dst = put(dst, STF_ENCODING, narrow ? 1 : 2, 2);
	dst = put(dst, STF_GENERATOR, named ? (uint64_t)e.len << 32 : 0, 6);
	if (named)
		memcpy(dst, e.text, e.len);
	dst += named ? e.len : 0;
	return put(dst, STF_FEATURES, CONTAINS, 8);
}

/* Returns true if a RISC-V instruction may lead elsewhere. */
static bool
branches(uint32_t word, unsigned bytes)
{
	const unsigned code = word & 0x7f, part = word >> 13;

	if (bytes == 4)
		return code == 0x63 || code == 0x67 || code == 0x6f;
	return ((word & 3) == 1 && (part == 1 || part >= 5)) ||
	       ((word & 3) == 2 && part == 4 && (word >> 2 & 31) == 0);
}

/* Writes the pending word, if there is one, before an instruction at `pc`; sets *led if it leads
 * there. */
static uint8_t *
put_word(struct state *s, uint8_t *dst, const uint64_t *pc, bool *led)
{
	*led = pc && s->bytes && *pc == s->pc + s->bytes;
	if (s->bytes == 0)
		return dst;
	if (pc && !*led && (s->caused || branches(s->word, s->bytes))) {
		dst = put(dst, s->caused ? STF_EVENT_TARGET : STF_TARGET, *pc, 8);
		*led = true;
	}
	dst = s->bytes == 4 ? put(dst, STF_WORD_4, s->word, 4) : put(dst, STF_WORD_2, s->word, 2);
	s->written.instructions++;
	s->written.next = *led ? *pc : s->pc + s->bytes;
	s->written.end = dst;
	s->kernel = s->mode;
	s->bytes = 0;
	s->accesses = 0;
	return dst;
}

static uint8_t *
put_process(uint8_t *dst, uint32_t asid, uint32_t task)
{
	dst = put(dst, STF_PROCESS, (uint64_t)asid << 32, 8);
	trc_put_le32(dst, task);
	return dst + 4;
}

/* Writes the mode of the instruction at `pc`, and of those that follow: that of the last event. If
 * no event shows the mode, one is added. */
static uint8_t *
put_mode(const struct trc_rows *r, uint8_t *dst, bool forced, uint8_t kernel)
{
	struct state *s = r->state;

	if (s->changed) {
		s->mode = s->changed - 1;
		s->kernel = forced ? s->mode : s->kernel;
	}
	s->changed = 0;
	if (s->kernel == kernel)
		return dst;
	s->kernel = s->mode = kernel;
	trc_caveat_add(r->caveat, &modes);
	dst = put(dst, STF_EVENT, STF_SPECIAL, 8);
	return put(dst, 1, kernel != 0, 8);
}

/* Writes all records before the instruction of row `i`; `led`: the previous one leads there. */
static uint8_t *
put_before(const struct trc_rows *r, size_t i, uint8_t *dst, bool led)
{
	struct state *s = r->state;
	const struct trc_batch *b = r->b;
	const uint32_t asid = b->asid ? b->asid[i] : 0, task = b->task ? b->task[i] : 0;
	const uint8_t kernel = b->type[i] & TRC_KERNEL;
	const uint8_t changed = s->changed ? s->changed - 1 : s->kernel;
	bool forced = !led || asid != s->asid || task != s->task;

	forced |= (forced ? changed : s->kernel) != kernel;
	if (forced)
		dst = put(dst, STF_FORCE_PC, b->addr[i], 8);
	if (!s->begun)
		*dst++ = STF_END_HEADER;
	s->begun = true;
	memcpy(dst, s->event, s->n);
	dst += s->n;
	s->caused = s->n > 0;
	s->n = 0;
	if (asid != s->asid || task != s->event_task)
		dst = put_process(dst, asid, task);
	s->asid = asid;
	s->task = s->event_task = task;
	return put_mode(r, dst, forced, kernel);
}

/* Processes an instruction, whose word becomes pending. */
static uint8_t *
put_fetch(const struct trc_rows *r, size_t i, uint8_t *dst, struct trc_err *err)
{
	struct state *s = r->state;
	const struct trc_batch *b = r->b;
	const uint32_t size = b->size[i];
	const uint64_t word = b->insn[i];
	const bool wide = (word & 3) == 3; /* for RISC-V; 0 is unknown */
	bool led;

	if (size != 4 && size != 2) {
		trc_fail(err, "stf cannot hold a fetch of %lu bytes, only of 2 or 4",
		         (unsigned long)size);
		return NULL;
	}
	if (word && (wide != (size == 4) || word >> 8 * size)) {
		trc_fail(err, "stf cannot hold the instruction word 0x%llx, which is not RISC-V",
		         (unsigned long long)word);
		return NULL;
	}
	dst = put_word(s, dst, &b->addr[i], &led);
	dst = put_before(r, i, dst, led);
	s->pc = b->addr[i];
	s->bytes = (uint8_t)size;
	s->type = b->type[i] & TRC_KERNEL;
	s->word = (uint32_t)word;
	return dst;
}

/* Writes a load or a store of the pending instruction. */
static uint8_t *
put_access(const struct trc_rows *r, size_t i, uint8_t *dst, struct trc_err *err)
{
	struct state *s = r->state;
	const struct trc_batch *b = r->b;
	const bool write = (b->type[i] & TRC_TYPE_MASK) == TRC_WRITE;

	if (s->bytes == 0 || s->accesses == STF_ACCESSES || (b->type[i] & TRC_KERNEL) != s->type ||
	    (b->asid && b->asid[i] != s->asid) || (b->task && b->task[i] != s->task) ||
	    b->size[i] > UINT16_MAX) {
		trc_fail(err,
		         "stf cannot hold a %s without a fetch of its task before it, or of more "
		         "than %d bytes",
		         write ? "write" : "read", UINT16_MAX);
		return NULL;
	}
	s->accesses++;
	dst = put(dst, STF_ACCESS, b->addr[i], 8);
	trc_put_le16(dst, (uint16_t)b->size[i]);
	trc_put_le16(dst + 2, 0);
	dst[4] = write ? 2 : 1;
	return dst + 5;
}

/* Processes an event such as "! fault 13 0x1000", which is held back until its instruction. */
static bool
take_event(struct state *s, const char *text, uint32_t task)
{
	const char *const name[] = { "! fault ", "! interrupt ", "! mode" };
	const uint64_t id[] = { 0, STF_INTERRUPT, STF_SPECIAL };
	uint8_t *dst = s->event + s->n;
	size_t k = 0, fields = 0;
	uint64_t field[FIELDS];
	char *p;

	while (k < TRC_COUNT(name) && strncmp(text, name[k], strlen(name[k])) != 0)
		k++;
	if (k == TRC_COUNT(name) || s->n + EVENT_MOST + 8 > EVENTS)
		return false;
	p = (char *)text + strlen(name[k]);
	field[0] = id[k] | (id[k] & STF_SPECIAL ? 0 : strtoul(p, &p, 10));
	if (task != s->event_task)
		dst = put_process(dst, s->asid, task);
	dst = put(dst, STF_EVENT, field[0], 8);
	while (*p == ' ' && fields < FIELDS)
		field[fields++] = strtoull(p, &p, 16);
	if (*p)
		return false;
	*dst++ = (uint8_t)fields;
	for (size_t i = 0; i < fields; i++, dst += 8)
		trc_put_le64(dst, field[i]);
	if (id[k] & STF_SPECIAL)
		s->changed = 1 + (fields && field[0] ? TRC_KERNEL : 0);
	s->event_task = task;
	s->n = (uint16_t)(dst - s->event);
	return true;
}

static uint8_t *
put_row(const struct trc_rows *r, size_t i, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	switch (b->type[i] & TRC_TYPE_MASK) {
	case TRC_FETCH: return put_fetch(r, i, dst, err);
	case TRC_READ:
	case TRC_WRITE: return put_access(r, i, dst, err);
	case TRC_EVENT:
		if (b->event &&
		    take_event(r->state, trc_batch_event(b, i), b->task ? b->task[i] : 0))
			return dst;
		trc_fail(err,
		         "stf cannot hold events other than faults, interrupts and modes, or more "
		         "than 15 for an instruction");
		return NULL;
	default: return trc_format_refuse_type("stf", b->type[i], err);
	}
}

static uint8_t *
print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	for (; dst && r->i < r->stop; r->i += dst != NULL)
		dst = put_row(r, r->i, dst, err);
	return dst;
}

/* Writes the last word, and events without an instruction. */
static uint8_t *
end(const struct trc_rows *r, const struct trc_meta *meta, uint8_t *dst)
{
	struct state *s = r->state;
	bool led;

	(void)meta;
	dst = put_word(s, dst, NULL, &led);
	if (!s->begun) {
		dst = put(dst, STF_FORCE_PC, 0, 8);
		*dst++ = STF_END_HEADER;
	}
	memcpy(dst, s->event, s->n);
	return dst + s->n;
}

const struct trc_print_format trc_stf_print = { print, EVENTS + FIXED, end };
const struct trc_line_more trc_stf_more = { .header = header };
