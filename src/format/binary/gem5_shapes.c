/* SPDX-License-Identifier: MIT
 *
 * Shapes of packets: looked up by a hash of their top bits, and compared.
 */
#include "format/binary/gem5_shapes.h"

#include <assert.h>

#include "base/bytes.h"
#include "base/io/in.h"

#if defined(__GNUC__) && defined(__x86_64__) && !defined(TRC_NO_SIMD)
#include <immintrin.h>
#define WITH_WIDE 1
#else
#define WITH_WIDE 0
#endif

enum { WORDS = 8, LEN_MOST = 8 * WORDS };

static_assert((int)LEN_MOST <= (int)TRC_IN_SLACK, "all words of a packet can be read");
static_assert(sizeof(((struct trc_gem5_shape *)0)->tag) == LEN_MOST, "tags of all words");

#define TOPS UINT64_C(0x8080808080808080)

/* The functions that depend on the processor. */
struct trc_gem5_kernel {
	uint64_t (*key)(const uint8_t *p, unsigned len);
	void (*parse)(const struct trc_gem5_shapes *s, const uint8_t **p, const uint8_t *end,
	              struct trc_batch *b);
};

static TRC_ALWAYS_INLINE size_t
slot_of(uint64_t key, unsigned len)
{
	return (key + len) * UINT64_C(0x9e3779b97f4a7c15) >> 56;
}

/* The parts of a kernel: the top bits of a packet; whether its tags match a shape; and these bits
 * of 8 bytes, seven in each, packed together. */
typedef uint64_t key_fn(const uint8_t *p, unsigned len);
typedef bool match_fn(const struct trc_gem5_shape *s, const uint8_t *p);
typedef uint64_t number_fn(const uint8_t *p, uint64_t bits);

static TRC_ALWAYS_INLINE uint64_t
field(const struct trc_gem5_shape *s, const uint8_t *p, enum trc_gem5_field i, number_fn *number)
{
	const uint64_t v = number(p + s->at[i], s->bits[i]);
	uint64_t rest;

	if (TRC_LIKELY(!s->rests))
		return v;
	rest = trc_le16(p + s->at[i] + 8) & s->rest[i];
	return v | rest << 56 | rest >> 8 << 63;
}

/* Parses packets up to the first one with an unknown shape. */
static TRC_ALWAYS_INLINE void
parse_known(const struct trc_gem5_shapes *s, const uint8_t **at, const uint8_t *end,
            struct trc_batch *b, key_fn *key_of, match_fn *match, number_fn *number)
{
	uint64_t *const addr = b->addr, *const time = b->time, *const pc = b->pc;
	uint32_t *const size = b->size;
	uint8_t *const type = b->type;
	const size_t cap = b->cap;
	const uint8_t *p = *at;
	size_t n = b->n;

	for (; n < cap && p < end; n++) {
		const unsigned len = *p;
		const struct trc_gem5_shape *f;
		uint64_t key, flags;

		/* Length 0 marks an unused shape. */
		if (len == 0 || len > LEN_MOST || end - p <= (ptrdiff_t)len)
			break;
		key = key_of(p + 1, len);
		f = &s->shape[slot_of(key, len)];
		if (f->key != key || f->len != len || !match(f, p + 1))
			break;
		p++;
		flags = number(p + f->at[TRC_GEM5_FLAGS], f->bits[TRC_GEM5_FLAGS]);
		type[n] = s->type[(flags >> 8 & 1) | (flags >> 23 & 2)][p[f->at[TRC_GEM5_COMMAND]]];
		addr[n] = field(f, p, TRC_GEM5_ADDR, number);
		size[n] = (uint32_t)number(p + f->at[TRC_GEM5_SIZE], f->bits[TRC_GEM5_SIZE]);
		time[n] = field(f, p, TRC_GEM5_TICK, number);
		if (pc)
			pc[n] = field(f, p, TRC_GEM5_PC, number);
		p += len;
	}
	b->n = n;
	*at = p;
}

/* For any processor. The top bits of a word are 8 bits apart; those of the other words are
 * interleaved. */
static TRC_ALWAYS_INLINE uint64_t
key_portable(const uint8_t *p, unsigned len)
{
	uint64_t tops = 0;
	unsigned i = 0;

	for (; i < len / 8; i++)
		tops |= (trc_le64(p + 8 * i) & TOPS) >> i;
	return tops | (trc_le64(p + 8 * i) & TOPS & ((UINT64_C(1) << 8 * (len % 8)) - 1)) >> i;
}

static TRC_ALWAYS_INLINE bool
match_portable(const struct trc_gem5_shape *s, const uint8_t *p)
{
	uint64_t wrong = 0;

	for (unsigned i = 0; i < WORDS && 8 * i < s->len; i++)
		wrong |= (trc_le64(p + 8 * i) & s->tag_bits[i]) ^ s->tag[i];
	return !wrong;
}

static TRC_ALWAYS_INLINE uint64_t
number_portable(const uint8_t *p, uint64_t bits)
{
	uint64_t v = trc_le64(p) & bits;

	v = (v & UINT64_C(0x007f007f007f007f)) | (v & UINT64_C(0x7f007f007f007f00)) >> 1;
	v = (v & UINT64_C(0x00003fff00003fff)) | (v & UINT64_C(0x3fff00003fff0000)) >> 2;
	return (v & UINT64_C(0x000000000fffffff)) | (v & UINT64_C(0x0fffffff00000000)) >> 4;
}

static void
parse_portable(const struct trc_gem5_shapes *s, const uint8_t **p, const uint8_t *end,
               struct trc_batch *b)
{
	parse_known(s, p, end, b, key_portable, match_portable, number_portable);
}

static const struct trc_gem5_kernel portable = { key_portable, parse_portable };

#if WITH_WIDE
#define WIDE "avx2,bmi2"

TRC_TARGET(WIDE)
static inline uint64_t
key_wide(const uint8_t *p, unsigned len)
{
	uint64_t tops = (uint32_t)_mm256_movemask_epi8(_mm256_loadu_si256((const __m256i *)p));

	if (len > 32)
		tops |= (uint64_t)(uint32_t)_mm256_movemask_epi8(
		                _mm256_loadu_si256((const __m256i *)(p + 32)))
		        << 32;
	return _bzhi_u64(tops, len);
}

TRC_TARGET(WIDE)
static inline bool
match_wide(const struct trc_gem5_shape *s, const uint8_t *p)
{
	__m256i wrong = _mm256_setzero_si256();

	for (unsigned i = 0; i < WORDS && 8 * i < s->len; i += 4) {
		const __m256i v = _mm256_loadu_si256((const __m256i *)(p + 8 * i));
		const __m256i bits = _mm256_loadu_si256((const __m256i *)(s->tag_bits + i));
		const __m256i tags = _mm256_loadu_si256((const __m256i *)(s->tag + i));

		wrong = _mm256_or_si256(wrong, _mm256_xor_si256(_mm256_and_si256(v, bits), tags));
	}
	return _mm256_testz_si256(wrong, wrong);
}

TRC_TARGET(WIDE)
static inline uint64_t
number_wide(const uint8_t *p, uint64_t bits)
{
	return _pext_u64(trc_le64(p), bits);
}

TRC_TARGET(WIDE)
static void
parse_wide(const struct trc_gem5_shapes *s, const uint8_t **p, const uint8_t *end,
           struct trc_batch *b)
{
	parse_known(s, p, end, b, key_wide, match_wide, number_wide);
}

static const struct trc_gem5_kernel wide = { key_wide, parse_wide };
#endif

static const struct trc_gem5_kernel *
choose_kernel(void)
{
#if WITH_WIDE
	/* On these `pext` is slow. */
	const bool slow = __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2");

	if (!slow && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
		return &wide;
#endif
	return &portable;
}

void
trc_gem5_shapes_init(struct trc_gem5_shapes *s)
{
	s->kernel = choose_kernel();
	for (size_t i = 0; i < TRC_COUNT(s->shape); i++)
		s->shape[i].len = 0;
}

void
trc_gem5_shapes_parse(const struct trc_gem5_shapes *s, const uint8_t **p, const uint8_t *end,
                      struct trc_batch *b)
{
	s->kernel->parse(s, p, end, b);
}

/* Adds field `i` to the shape. */
static void
add_field(struct trc_gem5_shape *s, unsigned i, unsigned at, unsigned len)
{
	const unsigned tag = at - 1, last = at + len - 1;

	s->at[i] = (uint8_t)at;
	s->bits[i] = ~TOPS & (len < 8 ? (UINT64_C(1) << 8 * len) - 1 : UINT64_MAX);
	s->rest[i] = len < 9 ? 0 : len < 10 ? 0x7f : 0x17f;
	s->rests |= len > 8;
	s->tag[tag / 8] |= (uint64_t)i << 3 << 8 * (tag % 8);
	s->tag_bits[tag / 8] |= UINT64_C(0xff) << 8 * (tag % 8);
	if (len == 10) /* in the last byte only one bit may be set, since a number has 64 bits */
		s->tag_bits[last / 8] |= UINT64_C(0xfe) << 8 * (last % 8);
}

void
trc_gem5_shapes_learn(struct trc_gem5_shapes *s, struct trc_view m, const struct trc_gem5_packet *p)
{
	const size_t len = (size_t)(m.end - m.p);
	struct trc_gem5_shape shape = { .len = (uint8_t)len };
	size_t total = 0;

	if (len > LEN_MOST || p->len[TRC_GEM5_COMMAND] != 1 || p->len[TRC_GEM5_SIZE] > 4 ||
	    p->len[TRC_GEM5_FLAGS] > 8)
		return;
	for (unsigned i = 1; i < TRC_GEM5_FIELDS; i++) {
		if (p->len[i] == 0)
			continue;
		add_field(&shape, i, p->at[i], p->len[i]);
		total += 1u + p->len[i];
	}
	/* The packet has unknown fields, or a field twice. */
	if (total != len)
		return;
	shape.key = s->kernel->key(m.p, shape.len);
	s->shape[slot_of(shape.key, shape.len)] = shape;
}
