/* SPDX-License-Identifier: MIT
 *
 * The output of mem_trace, a tool of NVIDIA's NVBit: a line for each memory instruction of a warp,
 * with the address of each lane.
 *
 *   MEMTRACE: CTX 0x56 - grid_launch_id 0 - CTA 0,0,0 - warp 1 - LDG.E - 0x7f 0x0
 *
 * Each lane is a row; a lane with address 0 is inactive. The opcode gives the type, and the size if
 * it is not 4 bytes: LDG.E.64 loads 8, .U8 one. ATOM and RED are modify. The task is 64 times the
 * number of the thread block (CTA) in its grid, plus the warp. That number follows from the grid
 * size in the line LAUNCH of the kernel; without that line it is x, if y and z are 0. Each launch
 * counts anew. Column itime counts these lines; --coalesce combines lanes into transactions.
 *
 * Address spaces: 0 is global memory, and also what LD, ST and ATOM access, since their memory is
 * unknown; 1 is constants, 2 + 2n the shared memory of block n, 3 + 2n the local memories of its
 * threads, which overlap. The format does not hold pcs, times, and lanes that access shared memory
 * at address 0. LDGSTS is refused, since its two lines look the same.
 */
#include "format/text/nvbit.h"

enum { WARPS = 64, CTAS = 1 << 26, LAUNCHES = 32, FIELDS = 15 + TRC_GPU_LANES };

/* ---- opcodes ---- */

static const struct {
	const char *name;
	uint8_t type;
	enum trc_gpu_memory memory;
} known[] = {
	{ "LDG", TRC_READ, TRC_GPU_GLOBAL },     { "STG", TRC_WRITE, TRC_GPU_GLOBAL },
	{ "LD", TRC_READ, TRC_GPU_GENERIC },     { "ST", TRC_WRITE, TRC_GPU_GENERIC },
	{ "LDS", TRC_READ, TRC_GPU_SHARED },     { "STS", TRC_WRITE, TRC_GPU_SHARED },
	{ "LDL", TRC_READ, TRC_GPU_LOCAL },      { "STL", TRC_WRITE, TRC_GPU_LOCAL },
	{ "LDSM", TRC_READ, TRC_GPU_SHARED },    { "STSM", TRC_WRITE, TRC_GPU_SHARED },
	{ "LDC", TRC_READ, TRC_GPU_CONSTANT },   { "LDGSTS", TRC_READ, TRC_GPU_GLOBAL },
	{ "ATOM", TRC_MODIFY, TRC_GPU_GENERIC }, { "ATOMG", TRC_MODIFY, TRC_GPU_GLOBAL },
	{ "ATOMS", TRC_MODIFY, TRC_GPU_SHARED }, { "RED", TRC_MODIFY, TRC_GPU_GENERIC },
	{ "REDG", TRC_MODIFY, TRC_GPU_GLOBAL },
};

/* Takes the next of the words separated by points; returns false at the end. */
static bool
next_part(struct trc_field *rest, struct trc_field *part)
{
	const uint8_t *point = rest->len ? memchr(rest->p, '.', rest->len) : NULL;

	*part = (struct trc_field){ rest->p, point ? (size_t)(point - rest->p) : rest->len };
	rest->p += part->len + (point ? 1 : 0);
	rest->len -= part->len + (point ? 1 : 0);
	return part->len > 0;
}

/* Returns the bytes of an element if this is a width: "64", "U8", "BF16x2"; else 0. */
static uint32_t
width_of(struct trc_field f)
{
	const uint8_t *p = f.p, *e = f.p + f.len;
	uint64_t bits, n = 1;

	while (p < e && p < f.p + 2 && *p >= 'A' && *p <= 'Z')
		p++;
	if (!trc_text_take_dec(&p, e, &bits) || bits < 8 || bits > 256 || (bits & (bits - 1)))
		return 0;
	if (p < e && (*p++ != 'x' || !trc_text_take_dec(&p, e, &n) || p < e || n == 0 || n > 8))
		return 0;
	return (uint32_t)(bits / 8 * n);
}

/* Sets the lanes for rows of matrices, each of 16 bytes: the addresses of 8, 16 or 32 lanes are
 * used. */
static void
set_matrices(struct trc_field rest, struct trc_gpu_op *op)
{
	struct trc_field part;

	op->size = 16;
	op->lanes = 8;
	while (next_part(&rest, &part))
		if (trc_field_is(part, "2") || trc_field_is(part, "4"))
			op->lanes = 8 * (unsigned)(part.p[0] - '0');
}

bool
trc_gpu_op(struct trc_field opcode, struct trc_gpu_op *op)
{
	struct trc_field rest = opcode, part;
	size_t i = 0;

	if (!next_part(&rest, &part))
		return false;
	while (i < TRC_COUNT(known) && !trc_field_is(part, known[i].name))
		i++;
	if (i == TRC_COUNT(known))
		return false;
	*op = (struct trc_gpu_op){ known[i].type, known[i].memory, 0, TRC_GPU_LANES,
		                   strcmp(known[i].name, "LDGSTS") == 0 };
	if (part.len == 4 && part.p[3] == 'M' && part.p[2] == 'S')
		set_matrices(rest, op);
	while (op->size == 0 && next_part(&rest, &part))
		op->size = width_of(part);
	op->size = op->size ? op->size : 4;
	return true;
}

/* ---- warps and lanes ---- */

bool
trc_gpu_take_three(struct trc_field f, uint64_t v[3])
{
	const uint8_t *p = f.p, *e = f.p + f.len;

	for (size_t i = 0; i < 3; i++)
		if ((i > 0 && (p == e || *p++ != ',')) || !trc_text_take_dec(&p, e, &v[i]) ||
		    v[i] > INT32_MAX)
			return false;
	return p == e;
}

bool
trc_gpu_cta(const struct trc_gpu_warp *w, uint32_t *cta)
{
	const uint64_t *grid = w->grid, *at = w->cta;
	uint64_t n = at[0];

	if (at[1] || at[2]) {
		if (!grid[0] || !grid[1] || at[0] >= grid[0] || at[1] >= grid[1] ||
		    at[1] + grid[1] * at[2] > CTAS / grid[0])
			return false;
		n += (at[1] + grid[1] * at[2]) * grid[0];
	}
	*cta = (uint32_t)n;
	return n < CTAS && w->warp < WARPS;
}

void
trc_gpu_put(struct trc_batch *b, const struct trc_gpu_op *op, enum trc_gpu_memory memory,
            uint64_t addr, uint32_t cta, uint64_t warp, uint64_t insn)
{
	const size_t n = b->n++;

	b->type[n] = op->type;
	b->addr[n] = addr;
	b->size[n] = op->size;
	b->itime[n] = insn;
	b->task[n] = cta * WARPS + (uint32_t)warp;
	b->asid[n] = memory == TRC_GPU_SHARED   ? 2 + 2 * cta :
	             memory == TRC_GPU_LOCAL    ? 3 + 2 * cta :
	             memory == TRC_GPU_CONSTANT ? 1 :
	                                          0;
}

/* ---- the text of mem_trace ---- */

/* The grid sizes in x and y of some launches, each at the index of its number modulo LAUNCHES. */
struct state {
	uint64_t insns; /* number so far */
	struct launch {
		uint64_t id, grid[2];
	} launch[LAUNCHES];
};

/* Finds the word after " - WORDS " in a message. */
static bool
find_value(const uint8_t *s, const uint8_t *e, const char *words, struct trc_field *f)
{
	s = trc_text_after(s, e, words);
	return s && trc_text_fields(s, e, f, 1) > 0;
}

/* Notes the grid size in the message of a launch. Messages have no rows. */
static void
note_launch(struct state *st, const uint8_t *s, const uint8_t *e)
{
	struct trc_field id, grid;
	struct launch launch;
	uint64_t three[3];

	if (!find_value(s, e, " - grid launch id ", &id) ||
	    !trc_field_dec(id, UINT64_MAX, &launch.id) ||
	    !find_value(s, e, " - grid size ", &grid) || !trc_gpu_take_three(grid, three))
		return;
	launch.grid[0] = three[0];
	launch.grid[1] = three[1];
	st->launch[launch.id % LAUNCHES] = launch;
}

/* Returns true for other lines of NVBit and mem_trace: rulers, a banner, settings, and messages. */
static bool
is_own_line(const struct trc_field *field, size_t fields)
{
	return fields == 0 || trc_field_is(field[0], "NVBit") ||
	       (field[0].len > 4 && memcmp(field[0].p, "-----", 5) == 0) ||
	       (fields > 1 && trc_field_is(field[1], "="));
}

/* Parses the fields of a line up to the addresses. Returns their number; 0 if it is another
 * line. */
static size_t
take_head(const struct state *st, const struct trc_field *f, size_t fields, struct trc_gpu_warp *w)
{
	const struct launch *launch;
	uint64_t ctx, id;

	if (fields < 16 || !trc_field_is(f[0], "MEMTRACE:") || !trc_field_is(f[1], "CTX") ||
	    !trc_field_hex(f[2], UINT64_MAX, &ctx) || !trc_field_is(f[4], "grid_launch_id") ||
	    !trc_field_dec(f[5], UINT64_MAX, &id) || !trc_field_is(f[7], "CTA") ||
	    !trc_gpu_take_three(f[8], w->cta) || !trc_field_is(f[10], "warp") ||
	    !trc_field_dec(f[11], UINT32_MAX, &w->warp))
		return 0;
	for (size_t i = 3; i < 15; i += i < 12 ? 3 : 2)
		if (!trc_field_is(f[i], "-"))
			return 0;
	launch = &st->launch[id % LAUNCHES];
	w->grid[0] = launch->id == id ? launch->grid[0] : 0;
	w->grid[1] = launch->id == id ? launch->grid[1] : 0;
	return 15;
}

/* Parses a line. Returns NULL, or what is wrong with it. */
static const char *
take_line(void *state, const uint8_t *s, const uint8_t *e, struct trc_batch *b)
{
	struct trc_field f[FIELDS];
	const size_t fields = trc_text_fields(s, e, f, FIELDS);
	struct state *st = state;
	struct trc_gpu_warp w;
	struct trc_gpu_op op;
	uint64_t addr;
	uint32_t cta;

	if (is_own_line(f, fields) && !find_value(s, e, "MEMTRACE:", f))
		return NULL;
	if (!trc_field_is(f[0], "MEMTRACE:"))
		return "'grep ^MEMTRACE:' removes other output";
	if (fields < 5 || !trc_field_is(f[4], "grid_launch_id")) {
		if (find_value(s, e, " - CTA ", f))
			return "";
		note_launch(st, s, e);
		return NULL;
	}
	if (fields > FIELDS || !take_head(st, f, fields, &w))
		return "";
	if (!trc_gpu_op(f[13], &op) || op.copies)
		return "what the lanes do there is unknown";
	if (!trc_gpu_cta(&w, &cta))
		return "the number of this block is unknown, or too large for a task";
	st->insns++;
	for (size_t i = 15; i < fields; i++) {
		if (!trc_field_hex(f[i], UINT64_MAX, &addr))
			return "";
		if (addr && i - 15 < op.lanes)
			trc_gpu_put(b, &op, op.memory, addr, cta, w.warp, st->insns);
	}
	return NULL;
}

const struct trc_format trc_family_nvbit[] = {
	{
	        .name = "nvbit",
	        .doc = "text of NVBit's tool mem_trace, of NVIDIA's GPUs",
	        .ending = ".nvbit",
	        .gives = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_MODIFY,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK | TRC_HAS_ASID |
	                 TRC_HAS_ITIME,
	        .chained = true,
	        .changes = "a lane at address 0 counts as inactive, in shared memory, too",
	        TRC_LINES("MEMTRACE: CTX N - grid_launch_id N - CTA X,Y,Z - warp N - OPCODE "
	                  "- ADDRESS...",
	                  .rows = TRC_GPU_LANES),
	        .more = TRC_ROW(trc_line_more, .take = take_line,
	                        .state_size = sizeof(struct state)),
	},
	{ .name = NULL },
};
