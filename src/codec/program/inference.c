/* SPDX-License-Identifier: MIT
 *
 * By path, the name of an instruction is a hash of the last rows: of their types, their sizes and
 * the approximate locations of their addresses. More rows distinguish more instructions, but take
 * longer to reach the same name where two paths join. The data of mips-gcc, x86-sqlite and
 * mips-bzip2, in kB: 12 rows give 591, 150 and 198; 16 rows give 496, 154 and 199, and 512, 159 and
 * 199 with regions of a 16th.
 *
 * By stream, the name is the number of a stream. This suits references whose path does not recur:
 * four streams in random order need a third, quicksort three quarters. Programs need a fifth to two
 * thirds more.
 */
#include "codec/program/inference.h"

#include "codec/program/refs_writer.h"

enum {
	ROWS = 16,
	REGION_BITS = 24,

	STREAMS = 32,
	NEAR = 1 << 16, /* bytes between references of one stream */
};

#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

static uint64_t
scramble(uint64_t h)
{
	h ^= h >> 32;
	h *= MULTIPLIER;
	return h ^ h >> 29;
}

static uint64_t
form_of(const struct trc_refs_rows *r, size_t i)
{
	return r->type[i] + (r->size ? (uint64_t)r->size[i] << 8 : 0);
}

static uint64_t
look(const struct trc_refs_rows *r, size_t i)
{
	return scramble((r->addr[i] >> REGION_BITS) * MULTIPLIER + form_of(r, i) + 1);
}

static void
infer_by_path(const struct trc_refs_rows *rows, uint64_t *pc)
{
	uint64_t seen[ROWS] = { 0 }, sum = 0, leaving = 1;

	for (int k = 0; k < ROWS; k++)
		leaving *= MULTIPLIER;
	for (size_t i = 0; i < rows->n; i++) {
		uint64_t *s = &seen[i % ROWS];

		sum = sum * MULTIPLIER - leaving * *s;
		*s = look(rows, i);
		sum += *s;
		pc[i] = scramble(sum);
	}
}

/* The known streams, most recently used first: the address of the last reference of each, and its
 * name. */
struct streams {
	uint64_t last[STREAMS], name[STREAMS];
	size_t n;
	uint64_t names; /* number of names given so far */
};

/* Returns the index of the stream whose last reference is nearest; s->n if none is near. */
static size_t
nearest(const struct streams *s, uint64_t addr)
{
	uint64_t least = NEAR;
	size_t best = s->n;

	for (size_t k = 0; k < s->n; k++) {
		const uint64_t d = addr - s->last[k], distance = d >> 63 ? 0 - d : d;

		if (distance < least) {
			least = distance;
			best = k;
		}
	}
	return best;
}

/* Adds a reference to the nearest stream, or begins a new one, replacing the least recently used if
 * there is no room. Returns its name. */
static uint64_t
meet(struct streams *s, uint64_t addr)
{
	size_t at = nearest(s, addr);
	const uint64_t name = at < s->n ? s->name[at] : ++s->names;

	if (at == STREAMS)
		at--;
	else if (at == s->n)
		s->n++;
	memmove(s->last + 1, s->last, at * sizeof(*s->last));
	memmove(s->name + 1, s->name, at * sizeof(*s->name));
	s->last[0] = addr;
	s->name[0] = name;
	return name;
}

static void
infer_by_stream(const struct trc_refs_rows *rows, uint64_t *pc)
{
	struct streams streams;

	streams.n = streams.names = 0;
	for (size_t i = 0; i < rows->n; i++)
		pc[i] = scramble(meet(&streams, rows->addr[i]) * MULTIPLIER + form_of(rows, i));
}

void
trc_inference(const struct trc_refs_rows *rows, enum trc_inference_kind alike, uint64_t *pc)
{
	if (alike == TRC_INFER_BY_STREAM)
		infer_by_stream(rows, pc);
	else
		infer_by_path(rows, pc);
}

/* Measures the bytes that the rows need; SIZE_MAX if they have too many instructions for a
 * program. */
static int
measure(const struct trc_refs_rows *rows, int level, struct trc_refs *refs, struct trc_buf *buf,
        size_t *bytes, struct trc_err *err)
{
	struct trc_refs_writer *w = trc_refs_writer_open(true, err);
	int ret;

	if (!w)
		return -1;
	buf->n = 0;
	ret = trc_refs_write(w, rows, refs, err) || trc_refs_write_growth(w, buf, err) ? -1 : 0;
	for (int i = 0; i < TRC_REFS_STREAMS && ret == 0; i++)
		ret = trc_pack(refs->stream[i].p, refs->stream[i].n,
		               trc_refs_kind(refs, (enum trc_refs_stream)i), level, buf, err);
	*bytes = trc_refs_writer_fits(w) ? buf->n : SIZE_MAX;
	trc_refs_writer_close(w);
	return ret;
}

int
trc_infer_instructions(const struct trc_refs_rows *rows, int level, uint64_t *pc,
                       enum trc_inference_kind *best, struct trc_err *err)
{
	enum { MOST = 1 << 18, GOOD = 4 /* rows per byte: streams are rarely better */ };
	const size_t n = rows->n < MOST ? rows->n : MOST, at = (rows->n - n) / 2;
	const struct trc_refs_rows some = { .type = rows->type + at,
		                            .addr = rows->addr + at,
		                            .size = rows->size ? rows->size + at : NULL,
		                            .pc = pc,
		                            .inferred = true,
		                            .n = n };
	struct trc_refs refs = { 0 };
	struct trc_buf buf = { 0 };
	size_t least = SIZE_MAX, bytes;
	int ret = 0;

	*best = TRC_INFER_BY_PATH;
	for (int k = 0; k < TRC_INFERENCES && ret == 0 && least > n / GOOD; k++) {
		trc_inference(&some, (enum trc_inference_kind)k, pc);
		ret = measure(&some, level, &refs, &buf, &bytes, err);
		if (ret == 0 && bytes < least) {
			least = bytes;
			*best = (enum trc_inference_kind)k;
		}
	}
	trc_refs_release(&refs);
	trc_buf_release(&buf);
	return ret;
}
