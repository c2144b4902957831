/* SPDX-License-Identifier: MIT */
#include "for_each_format.h"

#include <string.h>

#include "test.h"

enum { FORMATS = 256 }; /* at most */

/* Makes any rows into instructions: a fetch, its loads, its stores. */
static void
fit_instructions(struct trc_batch *b)
{
	const uint64_t cond = UINT64_C(0x191a0000001a); /* writes 26; reads 26 and 25 */
	unsigned loads = 0, stores = 0;

	for (size_t i = 0; i < b->n; i++) {
		uint8_t type = (uint8_t)((b->addr[i] >> 2) % 3); /* any */

		if (i == 0 || (type == TRC_READ && (stores || ++loads > 4)) ||
		    (type == TRC_WRITE && ++stores > 2))
			type = TRC_FETCH;
		if (type == TRC_FETCH)
			loads = stores = 0;
		b->type[i] = type;
		b->addr[i] = (b->addr[i] & UINT64_MAX >> 17) | 1;
		if (!b->regs)
			continue;
		b->regs[i] &= type == TRC_FETCH ? ~UINT64_C(0xffff0000) : 0;
		b->branch[i] &= type == TRC_FETCH ? TRC_BRANCH | TRC_BRANCH_TAKEN : 0;
		if (b->branch[i] & TRC_BRANCH) {
			b->regs[i] = b->addr[i] & 2 ? cond : 0;
			b->branch[i] |= b->addr[i] & 2 ? TRC_BRANCH_COND : 0;
		}
		if (b->asid)
			b->asid[i] = type == TRC_FETCH ? b->asid[i] & 0xffff : b->asid[i - 1];
	}
}

/* Times of 32 bits. */
static void
fit_seconds(struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		b->time[i] &= UINT32_MAX;
}

/* Sizes that are none only where that stands for the whole cache. */
static void
fit_sizes(struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		b->size[i] %= 65;
		b->size[i] += b->size[i] == 0;
		if (i == 0)
			b->type[i] = TRC_FETCH;
	}
}

/* Loads, each an instruction, and stores that belong to the load before. */
static void
fit_loads(struct trc_batch *b)
{
	uint64_t itime = 0;

	for (size_t i = 0; i < b->n; i++) {
		const bool store = i > 0 && b->type[i - 1] == TRC_READ && b->addr[i] & 4;

		b->type[i] = store ? TRC_WRITE : TRC_READ;
		b->addr[i] |= 65536;
		itime += store ? 0 : 1 + b->addr[i] % 100;
		if (b->itime)
			b->itime[i] = itime;
	}
}

/* Lines of 64 bytes in a memory of 2^54. */
static void
fit_places(struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		b->addr[i] &= (UINT64_C(1) << 54) - 64;
}

static void
fit_addresses(struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		b->addr[i] |= 1;
}

/* Pages of a machine. */
static void
fit_pages(struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		b->vpn[i] &= UINT64_MAX >> 20;
}

/* One task; sizes, words, and branches whose outcome is known, that instructions have. */
static void
fit_entries(struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const bool fetch = b->type[i] == TRC_FETCH;

		b->size[i] = fetch ? 1 + b->size[i] % 8 : b->size[i] | 1;
		if (!b->task)
			continue;
		b->task[i] = b->task[0];
		b->pc[i] = fetch ? b->addr[i] : b->pc[i];
		b->insn[i] = fetch ? 1 + b->insn[i] % 255 : 0;
		b->branch[i] = fetch && b->branch[i] & 1 ? TRC_BRANCH | TRC_BRANCH_COND : 0;
		if (b->branch[i] && b->insn[i] & 2)
			b->branch[i] |= TRC_BRANCH_TAKEN;
	}
}

/* Instructions of RISC-V, with their words, and what they read and write, of a task each. */
static void
fit_words(struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const bool fetch = i == 0 || b->addr[i] & 4, narrow = b->addr[i] & 2;

		b->type[i] = fetch ? TRC_FETCH : narrow ? TRC_READ : TRC_WRITE;
		b->size[i] = fetch ? (narrow ? 2 : 4) : b->size[i] & UINT16_MAX;
		b->insn[i] = !fetch ? 0 :
		             narrow ? b->insn[i] & 0xfffc :
		                      (b->insn[i] & UINT32_MAX) | 3;
		if (!b->event)
			continue;
		b->event[i] = 0;
		b->asid[i] = fetch ? b->asid[i] : b->asid[i - 1];
		b->task[i] = fetch ? b->task[i] : b->task[i - 1];
	}
}

/* Where a format holds less than its columns could. */
static const struct limits {
	const char *name;
	bool forward; /* times do not go back, and no space is 0 */
	unsigned addr_bits, size_bits;
	void (*fit)(struct trc_batch *rows);
	size_t least_rows; /* with fewer rows it may be taken for another */
	uint32_t asks;     /* columns that are needed where no argument agrees to go without */
} limits[] = {
	{ "laplace-bin", false, 32, 8, NULL, 0, 0 },
	{ "laplace-diff", true, 0, 0, NULL, 0, 0 },
	{ "sad-diff", true, 0, 0, NULL, 0, 0 },
	{ "drmemtrace", false, 0, 16, fit_entries, 0, 0 },
	{ "laplace-kernel", true, 0, 0, NULL, 21, 0 }, /* most tags are to be known */
	{ "champsim", false, 0, 0, fit_instructions, 0, 0 },
	{ "cloudsuite", false, 0, 0, fit_instructions, 0, 0 },
	{ "dinero-bin", false, 32, 16, fit_sizes, 0, 0 },
	{ "ramulator-inst", false, 0, 0, fit_loads, 300, TRC_HAS_ITIME },
	{ "ramulator2-ls", false, 63, 0, NULL, 0, 0 },
	{ "ramulator2-rw", false, 0, 0, fit_places, 0, 0 },
	{ "oracle", false, 0, 0, fit_seconds, 0, 0 },
	{ "addr-hex", false, 0, 0, NULL, 21, 0 },
	{ "page", false, 0, 0, fit_pages, 0, 0 },
	{ "stf", false, 0, 16, fit_words, 0, 0 },
	{ "u64", false, 56, 0, fit_addresses, 0, 0 },
	{ NULL, false, 0, 0, NULL, 0, 0 },
};

static const struct limits *
limits_of(const struct trc_format *f)
{
	const struct limits *l = limits;

	while (l->name && strcmp(l->name, f->name) != 0)
		l++;
	return l;
}

/* Which types a format can write, by trying. */
static uint32_t
find_types(const struct trc_format *f, struct generate_spec spec)
{
	const struct limits *l = limits_of(f);
	struct generate_bytes bytes;
	struct trc_batch b;
	struct trc_err err;
	uint32_t types = 0;

	spec.rows = 1;
	for (unsigned type = 0; spec.have & TRC_HAS_TYPE && type < 32; type++) {
		spec.types = UINT32_C(1) << type;
		if ((type & TRC_TYPE_MASK) >= TRC_TYPES || type == (TRC_EVENT | TRC_KERNEL) ||
		    (type == TRC_EVENT && !(spec.have & TRC_HAS_EVENT)))
			continue;
		generate_rows(&b, &spec, test_seed);
		if (l->fit)
			l->fit(&b);
		b.type[0] = (uint8_t)type;
		if (generate_write(f, &b, 1, NULL, &bytes, &err) == 0) {
			types |= spec.types;
			free(bytes.p);
		} else {
			CHECK_MSG(strstr(err.text, "cannot hold "), "%s", err.text);
		}
		trc_batch_release(&b);
	}
	return types;
}

/* What rows of `f` with these columns look like; *types are kept, since asking for them takes two
 * dozen files. */
static struct generate_spec
spec_of(const struct trc_format *f, uint32_t have, uint32_t *types)
{
	struct generate_spec spec = { .have = have, .rows = FOR_EACH_ROWS };
	const struct limits *l = limits_of(f);

	spec.forward = l->forward;
	spec.bits[TRC_COL_ADDR] = l->addr_bits;
	spec.bits[TRC_COL_SIZE] = l->size_bits;
	if (!*types)
		*types = find_types(f, spec);
	spec.types = *types;
	return spec;
}

size_t
for_each_least_rows(const struct trc_format *f)
{
	return limits_of(f)->least_rows;
}

bool
for_each_left_out(const struct trc_format *f)
{
	return test_step() > TEST_STEP && strcmp(f->name, "trc") == 0;
}

void
for_each_format(for_each_check_fn *check)
{
	static uint32_t types[FORMATS][2];
	const struct trc_format *f = NULL;
	struct trc_batch rows;

	for (size_t at = 0; (f = trc_format_next(f)); at++) {
		const uint32_t have[2] = { f->holds, f->needs | limits_of(f)->asks };

		CHECK(at < FORMATS);
		if (!trc_format_reads(f) || !trc_format_writes(f))
			continue;
		for (int i = 0; i < 2; i++) {
			struct generate_spec spec;

			/* Lines without a field are blank. */
			if (i == 1 && (have[1] == have[0] || (have[1] == 0 && f->line)))
				continue;
			spec = spec_of(f, have[i], &types[at][i]);
			generate_rows(&rows, &spec, test_seed);
			if (limits_of(f)->fit)
				limits_of(f)->fit(&rows);
			check(f, &rows);
			trc_batch_release(&rows);
		}
	}
}
