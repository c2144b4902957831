/* SPDX-License-Identifier: MIT
 *
 * Writes the memory traces of DynamoRIO, version 7, as its tools read them: the rules come from
 * their reader (clients/drcachesim/reader) and from tools/invariant_checker.cpp.
 *
 * The type of an instruction depends on the next fetch, so entries from the last fetch on are held
 * back in a buffer. If the next fetch is not where the last instruction leads, a new window begins:
 * this is how these traces represent gaps.
 */
#include "format/binary/drmemtrace_write.h"

#include <stdlib.h>
#include <string.h>

enum { ROW_MOST = 24 * ENTRY, ENCODED_MOST = 8, INSTRUCTION_MOST = 15 };
enum { PREFIX = 0x66, NOP = 0x90 }; /* of x86 */

/* The arguments of the writer. */
struct settings {
	bool task, insn, pad, event;
};

static const struct trc_caveat foreign = {
	.text = "kernel events of other tracers, which are dropped",
	.rows = 1,
};

static const struct trc_caveat untaken = {
	.text = "branches with unknown outcome, written as not taken",
	.rows = 1,
};

static const struct trc_caveat unkind = {
	.text = "branches of unknown kind, written as conditional ones if the path jumps",
	.rows = 1,
};

static const struct trc_caveat padded = {
	.text = "instructions of more than 8 bytes, written with zeros after these",
	.rows = 1,
};

static const struct trc_caveat nops = {
	.text = "instructions without their word, written as nops",
	.rows = 1,
};

static const struct trc_caveat untimed = {
	.text = "times after the first, which are dropped",
	.rows = 1,
};

/* ---- the next fetch ---- */

/* Changes the type of the last instruction's entry. */
static void
retype(struct trc_drmemtrace_writer *s, unsigned type)
{
	s->type = type;
	trc_put_le16(s->buf.p + s->at, (uint16_t)type);
}

/* Decides the type of the last instruction, given the next fetch, 0 if that is unknown. */
static void
decide_type(struct trc_drmemtrace_writer *s, uint64_t next)
{
	const bool jumps = next && next != s->fall;

	if (!s->waits)
		return;
	s->waits = false;
	s->next = 0;
	if (s->type == INSTR && s->by_path && jumps && !trc_drmemtrace_filtered(s))
		retype(s, TAKEN_JUMP);
	if (s->type == CONDITIONAL_JUMP && s->version >= VERSION_OF_BRANCHES &&
	    !trc_drmemtrace_filtered(s)) {
		if (!next)
			trc_caveat_add(s->sink.caveat, &untaken);
		retype(s, jumps ? TAKEN_JUMP : UNTAKEN_JUMP);
	}
	if (s->type == INDIRECT_JUMP || s->type == INDIRECT_CALL || s->type == RETURN) {
		s->next = next ? next : s->fall;
		trc_put_le64(s->buf.p + s->at - ENTRY + 4, s->next);
	} else if (s->type == INSTR || s->type == UNTAKEN_JUMP) {
		s->next = s->fall;
	}
	s->branches = s->type != INSTR;
}

/* Begins a window if the next fetch is not where the last instruction leads. */
static void
end_flow(struct trc_drmemtrace_writer *s, uint64_t next)
{
	decide_type(s, next);
	s->next = 0;
	s->branches = false;
}

/* ---- columns ---- */

/* Writes the time of what follows. DynamoRIO does not allow a timestamp between a branch and its
 * target, or one that decreases; Scarab none between an instruction and its data, which need not
 * follow it. */
static void
put_time(struct trc_drmemtrace_writer *s, uint64_t time, bool again)
{
	const bool branches = s->branches || (s->waits && (s->type != INSTR || s->by_path));

	if (!(s->have & TRC_HAS_TIME))
		time = s->time;
	if (s->pads && time != s->stamp && s->have & TRC_HAS_TIME)
		trc_caveat_add(s->sink.caveat, &untimed);
	if (s->pads)
		return;
	if ((!branches || trc_drmemtrace_filtered(s)) &&
	    (time > s->stamp || (again && time == s->stamp))) {
		trc_drmemtrace_marker(s, TIMESTAMP, time);
		s->stamp = time;
	} else if (time != s->time) {
		trc_drmemtrace_marker(s, OWN_TIME, time);
	}
	s->time = time;
}

static int
put_task(struct trc_drmemtrace_writer *s, uint32_t task, struct trc_err *err)
{
	s->exited = false;
	if (task == s->task)
		return 0;
	if (!s->core)
		return trc_fail(err,
		                "drmemtrace cannot hold a second task, %lu, in a file; 'trc split "
		                "--by task --to drmemtrace' writes a file for each, and --to "
		                "drmemtrace:task one file with all tasks taking turns",
		                (unsigned long)task);
	end_flow(s, 0);
	s->task = task;
	s->has_process = false;
	trc_drmemtrace_put(s, THREAD, 4, trc_drmemtrace_number(task));
	return 0;
}

static void
put_process(struct trc_drmemtrace_writer *s, uint32_t asid)
{
	if (s->has_process && s->asid == asid)
		return;
	s->has_process = true;
	s->asid = asid;
	trc_drmemtrace_put(s, PROCESS, 4, trc_drmemtrace_number(asid));
}

/* ---- rows ---- */

/* Writes all bytes of an instruction: its word and zeros, or, for 0, a nop with prefixes. */
static int
put_padded(struct trc_drmemtrace_writer *s, uint64_t pc, uint32_t size, uint64_t word,
           struct trc_err *err)
{
	uint8_t byte[2 * ENCODED_MOST] = { 0 };

	if (word == 0) {
		memset(byte, PREFIX, size - 1);
		byte[size - 1] = NOP;
	} else {
		trc_put_le64(byte, word);
	}
	if (size > ENCODED_MOST || word == 0)
		trc_caveat_add(s->sink.caveat, word ? &padded : &nops);
	word = trc_le64(byte);
	if (trc_insns_get(&s->insns, pc) == word)
		return 0;
	trc_drmemtrace_put(s, ENCODING, size < ENCODED_MOST ? size : ENCODED_MOST, word);
	if (size > ENCODED_MOST)
		trc_drmemtrace_put(s, ENCODING, size - ENCODED_MOST, trc_le64(byte + ENCODED_MOST));
	return trc_insns_put(&s->insns, pc, word, err);
}

/* Writes the instruction word, unless it is the last one written for this address. */
static int
put_encoding(struct trc_drmemtrace_writer *s, uint64_t pc, uint32_t size, uint64_t word,
             struct trc_err *err)
{
	if (s->regdeps)
		return trc_fail(err, "drmemtrace cannot hold words of REGDEPS, which are not the "
		                     "whole encoding; use --drop insn");
	if (s->pads && s->strange)
		return trc_fail(err, "Scarab decodes words of x86-64 only; use --drop insn");
	if (s->pads && size > 0 && size <= INSTRUCTION_MOST &&
	    (size >= ENCODED_MOST || word >> 8 * size == 0))
		return put_padded(s, pc, size, word, err);
	if (word == 0)
		return trc_fail(err, "drmemtrace cannot hold a fetch without its instruction word "
		                     "if others have one; use --drop insn");
	if (size > ENCODED_MOST || (size < ENCODED_MOST && word >> 8 * size))
		return trc_fail(err,
		                "drmemtrace cannot hold a word of %llx for an instruction of %lu "
		                "bytes; use --drop insn",
		                (unsigned long long)word, (unsigned long)size);
	if (trc_insns_get(&s->insns, pc) == word)
		return 0;
	trc_drmemtrace_put(s, ENCODING, size, word);
	return trc_insns_put(&s->insns, pc, word, err);
}

static int
put_fetch(struct trc_drmemtrace_writer *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const uint64_t pc = b->addr[i], time = b->time ? b->time[i] : 0;
	const uint8_t branch = b->branch ? b->branch[i] : 0;
	const bool kindless = branch && !(branch & TRC_BRANCH_KIND);
	const unsigned type = trc_drmemtrace_fetch(kindless ? 0 : branch);

	if (type == 0)
		return trc_fail(err, "drmemtrace cannot hold a branch of %u", branch);
	if (b->pc && b->pc[i] != pc)
		return trc_fail(err, "drmemtrace requires the pc of a fetch to be its address");
	decide_type(s, pc);
	if (s->next_user && !s->kernel) {
		s->next = s->next_user;
		s->next_user = 0;
		s->branches = false;
	}
	if (s->next && s->next != pc && !trc_drmemtrace_filtered(s)) {
		trc_drmemtrace_marker(s, OWN_QUIET, 0);
		trc_drmemtrace_marker(s, WINDOW, ++s->window);
	}
	put_time(s, time, s->time == time && s->stamp < time);
	s->hold = s->buf.n;
	if (s->have & TRC_HAS_INSN && put_encoding(s, pc, b->size[i], b->insn[i], err))
		return -1;
	if (type == INDIRECT_JUMP || type == INDIRECT_CALL || type == RETURN)
		trc_drmemtrace_marker(s, BRANCH_TARGET, 0);
	if (kindless)
		trc_caveat_add(s->sink.caveat, &unkind);
	s->waits = true;
	s->at = s->buf.n;
	s->type = type;
	s->by_path = kindless || !(s->have & TRC_HAS_BRANCH);
	s->fall = pc + b->size[i];
	s->pc = pc;
	s->fetches++;
	trc_drmemtrace_put(s, type, b->size[i], pc);
	return 0;
}

/* Writes a flush of data or instructions; long ones need two entries. */
static void
put_flush(struct trc_drmemtrace_writer *s, unsigned type, uint64_t addr, uint64_t size)
{
	trc_drmemtrace_put(s, type, size <= UINT16_MAX ? (unsigned)size : 0, addr);
	if (size > UINT16_MAX)
		trc_drmemtrace_put(s, type + 1, 0, addr + size);
}

/* Writes a load, store, prefetch or invalidate. */
static int
put_data(struct trc_drmemtrace_writer *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const uint8_t type = b->type[i] & TRC_TYPE_MASK;

	if ((b->branch && b->branch[i]) || (b->insn && b->insn[i]))
		return trc_fail(err, "drmemtrace cannot hold a branch or word of a load or store");
	put_time(s, b->time ? b->time[i] : 0, false);
	if (b->pc && b->pc[i] != s->pc) {
		s->pc = b->pc[i];
		if (trc_drmemtrace_filtered(s))
			trc_drmemtrace_put(s, INSTR, 0, s->pc);
		else
			trc_drmemtrace_marker(s, OWN_PC, s->pc);
	}
	if (type == TRC_INVALIDATE)
		put_flush(s, DATA_FLUSH, b->addr[i], b->size[i]);
	else
		trc_drmemtrace_put(s, type == TRC_PREFETCH ? PREFETCH_FIRST : type, b->size[i],
		                   b->addr[i]);
	return 0;
}

static int
put_reference(struct trc_drmemtrace_writer *s, const struct trc_batch *b, size_t i,
              struct trc_err *err)
{
	const uint8_t type = b->type[i] & TRC_TYPE_MASK;

	if (b->type[i] >> 5 || !(DRMEMTRACE_TYPES >> type & 1)) {
		trc_format_refuse_type("drmemtrace", b->type[i], err);
		return -1;
	}
	if (b->type[i] & TRC_KERNEL && !s->kernel)
		return trc_fail(err, "drmemtrace cannot hold a kernel reference outside a system "
		                     "call or switch; use --drop kernel");
	if (type == TRC_INVALIDATE ?
	            b->size[i] == 0 :
	            b->size[i] > UINT16_MAX || (type == TRC_FETCH && b->size[i] == 0))
		return trc_fail(err, "drmemtrace cannot hold a size of %lu there",
		                (unsigned long)b->size[i]);
	put_process(s, b->asid ? b->asid[i] : 1);
	trc_drmemtrace_settle(s, type == TRC_FETCH);
	return type == TRC_FETCH ? put_fetch(s, b, i, err) : put_data(s, b, i, err);
}

/* Updates the expected next fetch after a marker. */
static void
follow_marker(struct trc_drmemtrace_writer *s, struct entry *e)
{
	switch (e->marker) {
	case KERNEL_EVENT:
	case HARDWARE_EVENT: end_flow(s, e->v); break;
	case KERNEL_XFER:
	case HARDWARE_RETURN: end_flow(s, 0); break;
	case WINDOW:
		end_flow(s, 0);
		s->window = e->v;
		break;
	case SYSCALL_START:
	case SWITCH_START:
		decide_type(s, 0);
		s->next_user = s->next;
		end_flow(s, 0);
		s->kernel = true;
		break;
	case SYSCALL_END:
	case SWITCH_END: s->kernel = false; break;
	case FILETYPE:
		s->regdeps = e->v & REGDEPS;
		trc_drmemtrace_leave_words(s);
		e->v &= ~(uint64_t)(ENCODINGS | REGDEPS);
		e->v |= s->have & TRC_HAS_INSN ? ENCODINGS : 0;
		s->filetype = e->v;
		break;
	default: break;
	}
}

static int
put_event(struct trc_drmemtrace_writer *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	struct entry e;

	if (!trc_drmemtrace_entry(trc_batch_event(b, i), &e))
		return trc_fail(err,
		                "drmemtrace cannot hold a kernel event other than its own; use "
		                "--drop event");
	if (e.type == MARKER)
		follow_marker(s, &e);
	else
		put_process(s, s->has_process ? s->asid : 1);
	put_time(s, b->time ? b->time[i] : 0, e.type == MARKER && e.marker == CPU);
	if (e.type == MARKER) {
		trc_drmemtrace_marker(s, e.marker, e.v);
	} else if (e.type == THREAD_EXIT) {
		end_flow(s, 0);
		s->exited = true;
		trc_drmemtrace_put(s, THREAD_EXIT, 0, e.v);
	} else {
		put_flush(s, INSTR_FLUSH, e.v, e.size);
	}
	return 0;
}

/* Returns true for an event that DynamoRIO does not have. */
static bool
is_foreign(const struct trc_batch *b, size_t i)
{
	struct entry e;

	return trc_batch_is_event(b, i) && !trc_drmemtrace_entry(trc_batch_event(b, i), &e);
}

static int
put_row(struct trc_drmemtrace_writer *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	if (s->leaves && is_foreign(b, i)) {
		trc_caveat_add(s->sink.caveat, &foreign);
		return 0;
	}
	if (!s->begun)
		trc_drmemtrace_begin(s, b, i);
	if (b->task && put_task(s, b->task[i], err))
		return -1;
	return trc_batch_is_event(b, i) ? put_event(s, b, i, err) : put_reference(s, b, i, err);
}

/* ---- the sink ---- */

/* Writes the entries that are not held back. */
static int
flush(struct trc_drmemtrace_writer *s, struct trc_err *err)
{
	const size_t n = s->filetype_at ? 0 : s->waits ? s->hold : s->buf.n;

	if (trc_out_put(s->out, s->buf.p, n, err))
		return -1;
	memmove(s->buf.p, s->buf.p + n, s->buf.n - n);
	s->buf.n -= n;
	s->hold -= n;
	s->at -= n;
	return 0;
}

static int
sink_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct trc_drmemtrace_writer *s = (struct trc_drmemtrace_writer *)sink;

	for (size_t i = 0; i < b->n; i++) {
		if (trc_buf_room(&s->buf, ROW_MOST, err))
			return -1;
		if (put_row(s, b, i, err)) {
			err->unfit = true;
			return trc_err_in(err, "record %llu",
			                  (unsigned long long)(s->rows + i + 1));
		}
	}
	s->rows += b->n;
	return b->n ? flush(s, err) : 0;
}

static int
sink_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct trc_drmemtrace_writer *s = (struct trc_drmemtrace_writer *)sink;

	(void)meta;
	if (trc_buf_room(&s->buf, ROW_MOST, err))
		return -1;
	if (!s->begun)
		trc_drmemtrace_begin(s, NULL, 0);
	put_process(s, s->has_process ? s->asid : 1);
	trc_drmemtrace_settle(s, false);
	end_flow(s, 0);
	if (s->made_up && trc_drmemtrace_filtered(s)) {
		trc_drmemtrace_marker(s, OWN_QUIET, 0);
		trc_drmemtrace_marker(s, INSTRUCTION_COUNT, s->fetches);
	}
	if (!s->exited) {
		trc_drmemtrace_marker(s, OWN_QUIET, 0);
		trc_drmemtrace_put(s, THREAD_EXIT, 0, trc_drmemtrace_number(s->task));
	}
	trc_drmemtrace_put(s, FOOTER, 0, 0);
	return flush(s, err) ? -1 : trc_out_commit(s->out, err);
}

static void
sink_close(struct trc_sink *sink)
{
	struct trc_drmemtrace_writer *s = (struct trc_drmemtrace_writer *)sink;

	trc_out_close(s->out);
	trc_buf_release(&s->buf);
	trc_buf_release(&s->meta);
	trc_insns_release(&s->insns);
	free(s);
}

struct trc_sink *
trc_drmemtrace_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
                    const void *settings, struct trc_err *err)
{
	const struct settings *set = settings;
	struct trc_drmemtrace_writer *s = trc_alloc(1, sizeof(*s), err);
	const struct trc_view list = meta ? meta->provenance : (struct trc_view){ NULL, NULL };

	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = sink_put, .finish = sink_finish, .close = sink_close };
	s->have = set->insn ? have & ~(uint32_t)TRC_HAS_INSN : have;
	s->core = set->task;
	s->leaves = set->event;
	s->pads = set->pad;
	if ((s->have & TRC_HAS_INSN && trc_insns_init(&s->insns, err)) ||
	    (list.p < list.end &&
	     trc_buf_put(&s->meta, list.p, (size_t)(list.end - list.p), err))) {
		sink_close(&s->sink);
		return NULL;
	}
	s->out = out;
	return &s->sink;
}

static const struct trc_opt opts[] = {
	{ 0, "task", NULL, "several tasks become one file, taking turns on one processor",
	  TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, task) },
	{ 0, "insn", NULL, "instruction words are dropped", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct settings, insn) },
	{ 0, "pad", NULL, "for Scarab: words are completed by zeros, or nops, and times dropped",
	  TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, pad) },
	{ 0, "event", NULL, "kernel events of other tracers are dropped", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct settings, event) },
};

const struct trc_format_args trc_drmemtrace_to = { opts, TRC_COUNT(opts) };
