/* SPDX-License-Identifier: MIT
 *
 * Kernel traces of Accel-Sim, versions 3 to 5, as its tracer and post-traces-processing write them
 * and its trace_parser.cc reads them: a header, then the instructions of each thread block (CTA)
 * and warp.
 *
 *   -grid dim = (2,2,1)
 *   -shmem base_addr = 0x00007f5c50000000
 *   -accelsim tracer version = 3
 *   #BEGIN_TB
 *   thread block = 1,0,0
 *   warp = 3
 *   insts = 2
 *   0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0
 *   0010 00000100 1 R2 LDG.E.64.SYS 1 R4 8 1 0x7f5c60000000 8
 *   #END_TB
 *
 * An instruction has: the source line, with '-enable lineinfo = 1'; pc; mask of active lanes;
 * registers written; opcode; registers read; bytes per lane, 0 if it does not access memory. Then
 * follow 0 and the address of each active lane; or 1, the first address and the stride; or 2, the
 * first address and each difference; and from version 5 on, an immediate.
 *
 * Each active lane of a memory instruction is a row. Type and size follow from the opcode; LDGSTS
 * loads. The task is 64 times the number of the block in the grid, plus the warp. There are no
 * fetches, since pcs count from the beginning of the kernel; column pc has them, and itime counts
 * instructions. Address spaces: 0 is global memory, 1 constants, 2 + 2n the shared memory of block
 * n, 3 + 2n the local memories of its threads, which overlap. If the header gives the windows of
 * the last two, addresses in a window belong to that memory, and count from its beginning.
 * --coalesce combines lanes into transactions. The format does not hold times and the order of
 * warps. Raw traces, .tracez and version 6 are refused.
 */
#include <stdio.h>

#include "format/text/nvbit.h"

enum {
	OLDEST = 3,
	NEWEST = 5,
	REGISTERS = 16,                              /* limit of those read or written */
	FIELDS = 24 + 2 * REGISTERS + TRC_GPU_LANES, /* limit for an instruction */
	WINDOW = 1 << 24,                            /* bytes of a window of generic addresses */
	HOLDS = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK | TRC_HAS_ASID |
	        TRC_HAS_PC | TRC_HAS_ITIME
};

enum place { BEFORE, BLOCK, WARP };

struct state {
	struct trc_gpu_warp at;
	uint64_t place;
	uint64_t version, lineinfo; /* 0 if the header has none */
	uint64_t shared, local;     /* addresses of their windows; 0: unknown */
	uint64_t left, insns;       /* remaining instructions of the warp; instructions so far */
};

/* The remaining words of an instruction. */
struct words {
	const struct trc_field *at, *end;
};

static bool
take_number(struct words *w, bool hex, uint64_t max, uint64_t *v)
{
	return w->at < w->end && (hex ? trc_field_hex : trc_field_dec)(*w->at++, max, v);
}

/* Parses a decimal number with a sign. */
static bool
take_signed(struct words *w, uint64_t *v)
{
	const bool minus = w->at < w->end && w->at->p[0] == '-';
	const struct trc_field f = w->at < w->end ? *w->at++ : (const struct trc_field){ NULL, 0 };

	if (!f.p || !trc_field_dec((struct trc_field){ f.p + minus, f.len - minus },
	                           (uint64_t)INT64_MAX + 1, v))
		return false;
	*v = minus ? 0 - *v : *v;
	return true;
}

/* Skips the number of registers, and the registers. */
static bool
pass_registers(struct words *w)
{
	uint64_t n;

	if (!take_number(w, false, REGISTERS, &n) || (uint64_t)(w->end - w->at) < n)
		return false;
	for (; n > 0; n--, w->at++)
		if (w->at->p[0] != 'R' && w->at->p[0] != 'U' && w->at->p[0] != 'P')
			return false;
	return true;
}

/* Parses the address of each lane of `mask`. Returns NULL, or what is wrong. */
static const char *
take_addresses(struct words *w, uint32_t mask, uint64_t addr[TRC_GPU_LANES])
{
	const uint32_t run = mask >> (mask ? trc_ctz64(mask) : 0);
	uint64_t form, base = 0, step = 0;
	bool first = true;

	if (!take_number(w, false, 2, &form) ||
	    (form > 0 && !take_number(w, true, UINT64_MAX, &base)) ||
	    (form == 1 && !take_signed(w, &step)))
		return "";
	if (form == 1 && (run & (run + 1)))
		return "one difference, but a mask with gaps";
	for (size_t i = 0; i < TRC_GPU_LANES; i++) {
		if (!(mask >> i & 1))
			continue;
		if (form == 0 ? !take_number(w, true, UINT64_MAX, &base) :
		                form == 2 && !first && !take_signed(w, &step))
			return "there are fewer addresses than lanes";
		base += first || form == 0 ? 0 : step;
		addr[i] = base;
		first = false;
	}
	return NULL;
}

/* Returns the memory of an address; an address in a window becomes an offset in it. */
static enum trc_gpu_memory
memory_of(const struct state *st, const struct trc_gpu_op *op, uint64_t *addr)
{
	const bool generic = op->memory == TRC_GPU_GENERIC;

	if ((generic || op->memory == TRC_GPU_SHARED) && st->shared &&
	    *addr - st->shared < WINDOW) {
		*addr -= st->shared;
		return TRC_GPU_SHARED;
	}
	if ((generic || op->memory == TRC_GPU_LOCAL) && st->local && *addr - st->local < WINDOW) {
		*addr -= st->local;
		return TRC_GPU_LOCAL;
	}
	return generic ? TRC_GPU_GLOBAL : op->memory;
}

static const char *
put_lanes(const struct state *st, struct words *w, uint64_t pc, uint32_t mask,
          struct trc_field opcode, struct trc_batch *b)
{
	uint64_t addr[TRC_GPU_LANES];
	enum trc_gpu_memory memory;
	struct trc_gpu_op op;
	const char *why;
	uint32_t cta;

	if (!trc_gpu_op(opcode, &op))
		return "what the lanes do there is unknown";
	why = take_addresses(w, mask, addr);
	if (why)
		return why;
	if (!trc_gpu_cta(&st->at, &cta))
		return "the block is not in the grid, or its number is too large for a task";
	for (size_t i = 0; i < op.lanes; i++) {
		if (!(mask >> i & 1))
			continue;
		memory = memory_of(st, &op, &addr[i]);
		b->pc[b->n] = pc;
		trc_gpu_put(b, &op, memory, addr[i], cta, st->at.warp, st->insns);
	}
	return NULL;
}

/* Parses an instruction. Returns NULL, or what is wrong. */
static const char *
take_insn(struct state *st, struct words w, struct trc_batch *b)
{
	struct trc_field opcode;
	uint64_t line, pc, mask, width;
	const char *why;

	if (st->place != WARP)
		return "an instruction without block and warp; convert raw traces to .traceg with "
		       "post-traces-processing";
	st->insns++;
	if (st->left == 0)
		return "the warp has more instructions than its 'insts'";
	if ((st->lineinfo && !take_number(&w, false, UINT32_MAX, &line)) ||
	    !take_number(&w, true, UINT64_MAX, &pc) || !take_number(&w, true, UINT32_MAX, &mask) ||
	    !pass_registers(&w) || w.at == w.end)
		return "";
	opcode = *w.at++;
	if (opcode.p[0] < 'A' || opcode.p[0] > 'Z' || !pass_registers(&w))
		return "";
	/* HGMMA and the like have another number, and no addresses. */
	if (opcode.len > 4 && memcmp(opcode.p + 1, "GMMA", 4) == 0)
		return st->left--, NULL;
	if (!take_number(&w, false, 4096, &width))
		return "";
	why = width ? put_lanes(st, &w, pc, (uint32_t)mask, opcode, b) : NULL;
	st->left--;
	return why ? why : w.end - w.at > 1 ? "" : NULL;
}

/* Returns true if the line [s, e) has `name` and " = "; sets *value to the rest. */
static bool
has_value(const uint8_t *s, const uint8_t *e, const char *name, struct trc_field *value)
{
	return trc_text_begins(s, e, name) && trc_text_fields(s + strlen(name), e, value, 1) == 1;
}

/* Parses a line of the header. */
static const char *
take_header(struct state *st, const uint8_t *s, const uint8_t *e)
{
	struct trc_field f;
	uint64_t three[3];

	if (st->place != BEFORE)
		return "a header within a kernel";
	if (has_value(s, e, "-grid dim = ", &f)) {
		if (f.len < 2 ||
		    !trc_gpu_take_three((struct trc_field){ f.p + 1, f.len - 2 }, three))
			return "";
		st->at.grid[0] = three[0];
		st->at.grid[1] = three[1];
	} else if (has_value(s, e, "-accelsim tracer version = ", &f)) {
		if (!trc_field_dec(f, UINT32_MAX, &st->version) || st->version < OLDEST ||
		    st->version > NEWEST)
			return "only versions 3 to 5 are supported";
	} else if (has_value(s, e, "-enable lineinfo = ", &f)) {
		return trc_field_dec(f, 1, &st->lineinfo) ? NULL : "";
	} else if (has_value(s, e, "-shmem base_addr = ", &f)) {
		return trc_field_hex(f, UINT64_MAX, &st->shared) ? NULL : "";
	} else if (has_value(s, e, "-local mem base_addr = ", &f)) {
		return trc_field_hex(f, UINT64_MAX, &st->local) ? NULL : "";
	}
	return NULL;
}

/* Parses a line that begins or ends a block or a warp; sets *is to false if it is another line. */
static const char *
take_mark(struct state *st, const uint8_t *s, const uint8_t *e, bool *is)
{
	const bool ends = trc_text_begins(s, e, "#END_TB");
	struct trc_field f;

	*is = true;
	if (has_value(s, e, "insts = ", &f))
		return st->place == WARP && trc_field_dec(f, UINT64_MAX, &st->left) ? NULL : "";
	if (ends || has_value(s, e, "warp = ", &f)) {
		if (st->left)
			return "the previous warp has fewer instructions than its 'insts'";
		if (ends ? st->place == BEFORE :
		           st->place == BEFORE || !trc_field_dec(f, UINT32_MAX, &st->at.warp))
			return "";
		st->place = ends ? BEFORE : WARP;
		return NULL;
	}
	if (has_value(s, e, "thread block = ", &f)) {
		if (st->place != BEFORE || !trc_gpu_take_three(f, st->at.cta))
			return "";
		if (st->version == 0)
			return "no tracer version before it";
		st->place = BLOCK;
		return NULL;
	}
	*is = false;
	return NULL;
}

static const char *
take_line(void *state, const uint8_t *s, const uint8_t *e, struct trc_batch *b)
{
	struct trc_field f[FIELDS];
	const size_t fields = trc_text_fields(s, e, f, FIELDS);
	struct state *st = state;
	const char *why;
	bool mark;

	if (fields == 0)
		return NULL;
	if (*s == '-')
		return take_header(st, s, e);
	why = take_mark(st, s, e, &mark);
	if (mark || *s == '#')
		return why;
	if (fields > FIELDS)
		return "";
	return take_insn(st, (struct words){ f, f + fields }, b);
}

/* Recognises a header of another version, and raw traces of the tracer. */
static bool
suggest(const uint8_t *p, size_t n, char *dst, size_t room)
{
	const uint8_t *const e = p + n, *eol;
	struct state st = { .place = BEFORE };

	for (; p < e && (eol = memchr(p, '\n', (size_t)(e - p))); p = eol + 1) {
		const char *why = *p == '-' ? take_header(&st, p, eol) : NULL;

		if (st.version && (why || (*p >= '0' && *p <= '9'))) {
			snprintf(dst, room, "is a trace of Accel-Sim, but %s",
			         why ? why :
			               "raw; convert it to .traceg with its "
			               "post-traces-processing");
			return true;
		}
		if (why || !strchr("-#\r\n", *p))
			return false;
	}
	return false;
}

const struct trc_format trc_family_traceg[] = {
	{
	        .name = "traceg",
	        .doc = "trace of a kernel for Accel-Sim",
	        .ending = ".traceg",
	        .gives = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_MODIFY,
	        .holds = HOLDS,
	        .chained = true,
	        TRC_LINES("PC MASK N [REGISTER]... OPCODE N [REGISTER]... WIDTH [FORM "
	                  "ADDRESS...]",
	                  .rows = TRC_GPU_LANES),
	        .more = TRC_ROW(trc_line_more, .take = take_line,
	                        .state_size = sizeof(struct state)),
	        .suggest = suggest,
	},
	{ .name = NULL },
};
