/* SPDX-License-Identifier: MIT
 *
 * The log of QEMU's plugin execlog: a line for each instruction, with its loads and stores:
 * processor, pc, opcode, disassembly, and for each load and store its address and, in whole
 * systems, the device.
 *
 *   0, 0xffffffff80200000, 0x13, "nop"
 *   0, 0x80001000, 0x6398, "ld a4,0(a5)", load, 0x80003000, RAM
 *
 * Each line becomes the fetch, with the opcode as instruction word, and the loads and stores.
 * Addresses are physical in whole systems, and virtual in single programs. --annotate riscv and
 * aarch64 add branches, registers and sizes. The format does not hold sizes or times.
 */
#include "format/lines.h"

enum { ACCESSES = 127 }; /* limit for an instruction */

/* Takes the next word between commas, without surrounding blanks; returns false at the end. */
static bool
next_word(const uint8_t **s, const uint8_t *e, struct trc_field *f)
{
	const uint8_t *stop = *s;

	if (stop >= e)
		return false;
	while (stop < e && *stop != ',')
		stop++;
	f->p = trc_text_pass(*s, stop, TRC_TEXT_BLANKS);
	f->len = (size_t)(trc_text_trim(f->p, stop, TRC_TEXT_BLANKS | TRC_TEXT_RETURN) - f->p);
	*s = stop + 1;
	return true;
}

/* Moves *s past the comma after the quoted disassembly, which may itself have commas. */
static bool
pass_disassembly(const uint8_t **s, const uint8_t *e)
{
	const uint8_t *const p = trc_text_pass(*s, e, TRC_TEXT_BLANKS);

	if (p == e || *p != '"')
		return false;
	while (e > p + 1 && e[-1] != '"')
		e--;
	if (e == p + 1)
		return false;
	*s = e + 1;
	return true;
}

static bool
put(struct trc_batch *b, uint8_t type, struct trc_field addr, uint32_t cpu, uint64_t insn)
{
	b->type[b->n] = type;
	b->task[b->n] = cpu;
	b->insn[b->n] = insn;
	return trc_field_hex(addr, UINT64_MAX, &b->addr[b->n++]);
}

static bool
parse_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b)
{
	const size_t n = b->n;
	struct trc_field word, addr;
	uint64_t cpu, opcode;

	if (e > s && e[-1] == '\r')
		e--;
	if (!next_word(&s, e, &word) || word.len == 0)
		return s >= e; /* a blank line */
	if (!trc_field_dec(word, UINT32_MAX, &cpu) || !next_word(&s, e, &addr) ||
	    !next_word(&s, e, &word) || !trc_field_hex(word, UINT64_MAX, &opcode) ||
	    !pass_disassembly(&s, e) || !put(b, TRC_FETCH, addr, (uint32_t)cpu, opcode))
		return false;
	while (next_word(&s, e, &word)) {
		const bool store = trc_field_is(word, "store");

		if (!store && !trc_field_is(word, "load"))
			continue; /* the device of the previous access */
		if (b->n - n > ACCESSES || !next_word(&s, e, &addr) ||
		    !put(b, store ? TRC_WRITE : TRC_READ, addr, (uint32_t)cpu, 0))
			return false;
	}
	return true;
}

/* Lines as QEMU writes them: 0x before numbers, and one blank after each comma. Of the disassembly
 * only the positions of its quotes matter; a kernel finds them for many lines. */

enum { ROWS = 1024, MARKS = 4 * TRC_LINES_AT_ONCE };

/* The positions of the numbers of some rows: the address and, for a fetch, the opcode, which is
 * repeated for the loads and stores. */
struct row_fields {
	uint32_t addr_end[ROWS], insn_end[ROWS];
	uint8_t addr_len[ROWS + 8], insn_len[ROWS + 8];
	uint32_t begin[TRC_LINES_AT_ONCE + 1]; /* first row of each line */
};

/* Scans the beginning of a line at `s`, up to its quote, which must be at `quote`, as row `r`. */
static TRC_ALWAYS_INLINE bool
scan_head(const struct trc_lines *l, const uint8_t *s, const uint8_t *quote, struct row_fields *f,
          size_t r, uint32_t *cpu)
{
	const unsigned cpu_len = trc_text_find(s, ',');
	const uint8_t *pc = s + cpu_len + 4; /* after ", 0x" */
	const unsigned pc_len = trc_text_find(pc, ',');
	const uint8_t *insn = pc + pc_len + 4;
	const unsigned insn_len = trc_text_find(insn, ',');
	const uint32_t before = ',' | ' ' << 8 | '0' << 16 | (uint32_t)'x' << 24;

	f->addr_end[r] = (uint32_t)(pc + pc_len - l->text);
	f->addr_len[r] = (uint8_t)pc_len;
	f->insn_end[r] = (uint32_t)(insn + insn_len - l->text);
	f->insn_len[r] = (uint8_t)insn_len;
	return ((unsigned)(trc_le32(pc - 4) == before) & (unsigned)(trc_le32(insn - 4) == before) &
	        (unsigned)(insn + insn_len + 2 == quote)) &&
	       trc_le16(quote - 2) == (',' | ' ' << 8) &&
	       trc_text_short_dec(s + cpu_len, cpu_len, cpu);
}

/* Scans the loads and stores after the disassembly, [p, e), as rows from `r` on. Returns the next
 * row; 0 if they are in another form, or too many. */
static TRC_ALWAYS_INLINE size_t
scan_accesses(const struct trc_lines *l, const uint8_t *p, const uint8_t *e, struct row_fields *f,
              size_t r, uint8_t *type)
{
	const uint32_t load = 'l' | 'o' << 8 | 'a' << 16 | (uint32_t)'d' << 24;
	const uint32_t stor = 's' | 't' << 8 | 'o' << 16 | (uint32_t)'r' << 24;
	const size_t most = r + ACCESSES < ROWS ? r + ACCESSES : ROWS;
	const size_t fetch = r - 1;

	while (p < e) {
		const uint32_t word = trc_le32(p + 2);
		const uint8_t *at = p + (word == load ? 10 : 11);
		unsigned len;

		if (trc_le16(p) != (',' | ' ' << 8) || p[2] <= ' ')
			return 0;
		if (word != load && word != stor) { /* the device of the previous access */
			const uint8_t *next = memchr(p + 2, ',', (size_t)(e - p) - 2);

			p = next ? next : e;
			continue;
		}
		len = trc_text_find(at, ',');
		len = (size_t)(e - at) < len ? (unsigned)(e - at) : len;
		if (r == most || (word == stor && p[6] != 'e') || at >= e ||
		    trc_le32(at - 4) != (',' | ' ' << 8 | '0' << 16 | (uint32_t)'x' << 24))
			return 0;
		type[r] = word == stor ? TRC_WRITE : TRC_READ;
		f->addr_end[r] = (uint32_t)(at + len - l->text);
		f->addr_len[r] = (uint8_t)len;
		f->insn_end[r] = f->insn_end[fetch];
		f->insn_len[r] = f->insn_len[fetch];
		r++;
		p = at + len;
	}
	return r;
}

static size_t
scan(const struct trc_lines *l, size_t from, struct trc_batch *b, struct row_fields *f)
{
	const uint32_t *eol = l->eol + from;
	const size_t room = b->cap - b->n;
	uint32_t start = trc_line_start(l, from), mark[MARKS + TRC_LINES_SLACK];
	const uint8_t *text = l->text + start;
	const size_t marks = trc_text_kernels(0)->marks(text, l->text + eol[l->n - from - 1] + 1,
	                                                '"', mark, MARKS);
	uint8_t *type = b->type + b->n;
	size_t r = 0, m = 0, k;

	for (k = 0; k < l->n - from; k++, start = eol[k - 1] + 1) {
		const uint8_t *s = l->text + start, *e = l->text + eol[k];
		const size_t first = m;
		uint32_t cpu;

		/* Two quotes, more if the disassembly contains some, and the end of the line. */
		while (m < marks && text + mark[m] < e)
			m++;
		if (r + 1 + ACCESSES > room || r == ROWS || m == marks || m - first < 2 ||
		    !scan_head(l, s, text + mark[first], f, r, &cpu))
			break;
		type[r] = TRC_FETCH;
		f->begin[k] = (uint32_t)r;
		r = scan_accesses(l, text + mark[m - 1] + 1, e, f, r + 1, type);
		m++;
		if (r == 0) {
			r = f->begin[k];
			break;
		}
		for (size_t i = f->begin[k]; i < r; i++)
			b->task[b->n + i] = cpu;
	}
	f->begin[k] = (uint32_t)r;
	return k;
}

static size_t
many(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *how)
{
	const struct trc_text_kernels *kernels = trc_text_kernels(0);
	uint64_t *const insn = b->insn + b->n;
	struct row_fields f;
	size_t k = scan(l, from, b, &f), rows = f.begin[k], i;

	(void)how;
	rows = kernels->hex(l->text, f.addr_end, f.addr_len, rows, b->addr + b->n);
	rows = kernels->hex(l->text, f.insn_end, f.insn_len, rows, insn);
	while (f.begin[k] > rows)
		k--;
	rows = f.begin[k];
	for (i = 0; i < rows; i++)
		insn[i] = b->type[b->n + i] == TRC_FETCH ? insn[i] : 0;
	b->n += rows;
	return k;
}

static bool
one(const struct trc_lines *l, size_t i, struct trc_batch *b, const void *how)
{
	const size_t n = b->n;

	(void)how;
	if (parse_line(l->text + trc_line_start(l, i), l->text + l->eol[i], b))
		return true;
	b->n = n;
	return false;
}

static size_t
parse(const struct trc_lines *l, struct trc_batch *b)
{
	return trc_lines_parse_many(l, b, many, one, NULL);
}

const struct trc_format trc_family_execlog[] = {
	{
	        .name = "execlog",
	        .doc = "log of QEMU's plugin execlog",
	        .ending = ".execlog",
	        .gives = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_INSN,
	        TRC_LINES("CPU, PC, OPCODE, \"DISASSEMBLY\"[, load|store, ADDRESS[, DEVICE]]...",
	                  .parse = parse, .rows = 1 + ACCESSES),
	},
	{ .name = NULL },
};
