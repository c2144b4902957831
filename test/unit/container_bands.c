/* SPDX-License-Identifier: MIT
 * Parity of bands repairs what it promises to: flipped bits that are scattered, and a burst of 2
 * % of a container, overwritten with anything, missing or too much, wherever it is. */
#include "container_fixture.h"

#include "container/frame/reed_solomon_bytes.h"
#include "container/frame/bands.h"

/* ---- the code ---- */

enum { SYMBOLS = 60, PARITY = 9 };
enum { EACH = 3 };   /* of so many places one is tried */
enum { BEGIN = 64 }; /* bytes, at most, that show where a container begins */

static void
put_parity(const struct trc_rs8 *c, uint8_t *word)
{
	uint8_t factor[TRC_RS8_MOST + 1] = { 1 };
	uint64_t sum[2] = { 0 };

	for (unsigned i = c->n - c->k; i-- > 0;) {
		trc_rs8_parity_before(c, factor);
		trc_rs8_add(c, &sum[0], word + i, 1, factor);
		trc_rs8_add(c, &sum[1], word + i, 1, factor + TRC_RS8_LANES);
	}
	for (unsigned j = 0; j < c->k; j++)
		word[c->n - c->k + j] = (uint8_t)(sum[j / 8] >> 8 * (j % 8));
}

static void
get_syndrome(const struct trc_rs8 *c, const uint8_t *word, uint8_t *syndrome)
{
	memset(syndrome, 0, c->k);
	for (unsigned i = 0; i < c->n; i++) {
		uint8_t factor[TRC_RS8_MOST + 1] = { 0 };

		trc_rs8_syndrome_factors(c, i, factor);
		for (unsigned r = 0; r < c->k; r += TRC_RS8_LANES) {
			uint64_t sum = 0;

			trc_rs8_add(c, &sum, word + i, 1, factor + r);
			for (unsigned j = 0; j < 8 && r + j < c->k; j++)
				syndrome[r + j] ^= (uint8_t)(sum >> 8 * j);
		}
	}
}

/* The field is that of the specification, and the last symbols the remainder of those before
 * them. */
static void
code_is_as_specified(void)
{
	uint8_t word[3] = { 1 }, syndrome[2], example[] = "12345----";
	struct trc_rs8 c;

	trc_rs8_init(&c, 3, 2);
	CHECK(c.exp[7] == 0x80 && c.exp[8] == 0x1d && c.exp[254] == 0x8e);
	put_parity(&c, word); /* (x + 1) * (x + 2) */
	CHECK(word[1] == 3 && word[2] == 2);
	get_syndrome(&c, word, syndrome);
	CHECK(syndrome[0] == 0 && syndrome[1] == 0);
	trc_rs8_init(&c, sizeof(example) - 1, 4);
	put_parity(&c, example);
	CHECK(memcmp(example + 5, "\xa0\x43\xeb\x39", 4) == 0);
}

/* Any e errors and l symbols that are known to be lost, with 2 * e + l up to the parity. */
static void
errors_and_losses_are_corrected(void)
{
	struct generator m = { test_seed };
	struct trc_rs8 c;

	trc_rs8_init(&c, SYMBOLS, PARITY);
	for (unsigned try = 0; try < 3000; try++) {
		const unsigned lost = (unsigned)generate_below(&m, PARITY + 1);
		const unsigned n = lost + (unsigned)generate_below(&m, (PARITY - lost) / 2 + 1);
		uint8_t word[SYMBOLS], was[SYMBOLS], syndrome[PARITY];
		struct trc_rs8_errors errors;

		for (unsigned i = 0; i < SYMBOLS; i++)
			word[i] = (uint8_t)generate_random(&m);
		put_parity(&c, word);
		memcpy(was, word, sizeof(was));
		for (unsigned e = 0; e < n; e++) {
			const unsigned i = (unsigned)generate_below(&m, SYMBOLS);
			bool again = false;

			for (unsigned b = 0; b < e && b < lost; b++)
				again |= errors.at[b] == i;
			if (e < lost && again) {
				e--;
				continue;
			}
			word[i] ^= (uint8_t)generate_random(&m);
			if (e < lost)
				errors.at[e] = (uint8_t)i;
		}
		get_syndrome(&c, word, syndrome);
		CHECK(trc_rs8_correct(&c, syndrome, lost, &errors));
		for (unsigned e = 0; e < errors.n; e++)
			word[errors.at[e]] ^= errors.value[e];
		CHECK(memcmp(word, was, sizeof(was)) == 0);
	}
}

/* ---- containers ---- */

static struct generate_bytes
make_rows(struct trc_batch *rows, unsigned percent, size_t n)
{
	const struct generate_program spec = { TRC_REFS_COLUMNS | TRC_HAS_TIME, n, 8, 2, 0, false };
	const struct trc_container_to to = {
		.block_rows = n / 3, .threads = 1, .level = 1, .parity = 1 + percent
	};

	generate_program_rows(rows, &spec, test_seed);
	return container_write(rows, to, 999);
}

static struct generate_bytes
make(struct trc_batch *rows, unsigned percent)
{
	return make_rows(rows, percent, 90);
}

static struct trc_bands
bands_of(const struct generate_bytes *bytes)
{
	const struct trc_frame f = container_frame(bytes, TRC_KIND_BANDS, 0);
	struct trc_bands b;
	unsigned nth;

	CHECK(trc_bands_read(&b, &nth, &f) && nth == 0 && b.bytes == f.offset);
	return b;
}

static void
each_flip_is_repaired(void)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = make(&rows, 2);

	container_flips_are_repaired(&bytes, &rows);
	free(bytes.p);
	trc_batch_release(&rows);
}

/* `bytes` with `n` others at `at` in place of `less` bytes: of chance, zeros, or inverted. */
static struct generate_bytes
replace(const struct generate_bytes *bytes, size_t at, size_t less, size_t n, unsigned way)
{
	struct generator m = { test_seed + at };
	uint8_t *others = malloc(n + 1);
	struct generate_bytes r;

	CHECK(others);
	for (size_t i = 0; i < n; i++)
		others[i] = way == 0            ? (uint8_t)generate_random(&m) :
		            way == 1            ? 0 :
		            at + i < bytes->len ? (uint8_t)~bytes->p[at + i] :
		                                  0xff;
	r = container_replace(bytes, at, less, others, n);
	free(others);
	return r;
}

/* A burst of as many percent as parity is for, whatever it leaves, from the first byte to the last;
 * `n` are the rows of the trace. */
static void
bursts_are_repaired(unsigned percent, size_t n, size_t step)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = make_rows(&rows, percent, n);
	const size_t burst = bytes.len * percent / 100;
	const size_t end = (size_t)container_frame(&bytes, TRC_KIND_END, 0).offset;

	for (unsigned way = 0; way < 3; way++)
		for (size_t at = 0; at + burst <= bytes.len; at += test_step() * step) {
			const struct generate_bytes harmed = replace(&bytes, at, burst, burst, way);

			container_is_repaired(&harmed, &rows, "burst", at, at + burst > end);
			free(harmed.p);
		}
	free(bytes.p);
	trc_batch_release(&rows);
}

static void
each_burst_is_repaired(void)
{
	bursts_are_repaired(2, 90, 1);
	bursts_are_repaired(2, 900, 17);
	bursts_are_repaired(1, 90, 5);
	bursts_are_repaired(20, 90, 7);
	bursts_are_repaired(50, 90, 11);
}

/* Two bands that are missing, or too many. Bytes that were put before the second band, or behind
 * the last, could be those of another container, of which nothing may be lost. */
static void
moved_bytes_are_repaired(void)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = make(&rows, 2);
	const struct trc_bands b = bands_of(&bytes);
	const size_t end = (size_t)container_frame(&bytes, TRC_KIND_END, 0).offset;

	for (size_t at = 0; at < bytes.len; at += EACH * test_step()) {
		const size_t n = 2 * b.band < bytes.len - at ? 2 * b.band : bytes.len - at;
		struct generate_bytes harmed = replace(&bytes, at, n, 0, 0);

		container_is_repaired(&harmed, &rows, "cut", at,
		                      at < b.band + BEGIN || at + n > end);
		free(harmed.p);
		if (at < b.band + BEGIN || at >= b.bytes)
			continue;
		harmed = replace(&bytes, at, 0, n, 0);
		container_is_repaired(&harmed, &rows, "put", at, false);
		free(harmed.p);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* As many bits as there are codewords for: one in each, wherever. */
static void
scattered_flips_are_repaired(void)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = make_rows(&rows, 2, 900);
	const struct trc_bands b = bands_of(&bytes);
	struct generator m = { test_seed };

	for (size_t try = 0; try < 100 / test_step() + 1; try++) {
		struct generate_bytes harmed = container_copy(&bytes);

		for (size_t p = 0; p < b.band; p++) {
			const unsigned i = (unsigned)generate_below(&m, b.data + b.parity);

			if (i > 0)
				harmed.p[trc_bands_at(&b, i) + p] ^= 1 << generate_below(&m, 8);
		}
		container_is_repaired(&harmed, &rows, "scattered", try, false);
		free(harmed.p);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Containers that are joined are repaired each by its own parity. */
static void
joined_are_repaired(void)
{
	struct trc_batch rows;
	const struct generate_bytes one = make(&rows, 2);

	container_joined_are_repaired(&one, &rows);
	free(one.p);
	trc_batch_release(&rows);
}

/* What remains of a container before another, which begins alike, is never taken for bytes of that:
 * the first would be gone, and nobody would know. */
static void
remains_are_noticed(void)
{
	struct trc_batch rows;
	const struct generate_bytes one = make(&rows, 2), two = container_join(&one, &one);
	struct container_got g;

	for (size_t left = 1; left < one.len; left += 2 * test_step())
		for (size_t gone = 0; gone <= 20; gone += 20) {
			const struct generate_bytes harmed =
			        container_without(&two, left, one.len - left + gone);

			/* Then the second has its beginning from the first. */
			if (left == gone) {
				free(harmed.p);
				continue;
			}
			container_read(&harmed, "trc:threads=1", 2 * rows.n, &g);
			CHECK_MSG(g.ret == -1, "%zu bytes, then %zu are gone", left, gone);
			container_forget(&g);
			container_read(&harmed, "trc:salvage,threads=1", 2 * rows.n, &g);
			CHECK_MSG(g.ret == -1 || g.gaps > 0 || g.meta.cut || g.rows.n > rows.n,
			          "salvage of %zu bytes, %zu gone", left, gone);
			container_forget(&g);
			free(harmed.p);
		}
	free(one.p);
	free(two.p);
	trc_batch_release(&rows);
}

/* A byte too many, or too few, leaves a salvage nothing to miss, wherever it is. */
static void
salvage_of_what_was_repaired_is_whole(void)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = make(&rows, 2);
	const size_t end = (size_t)container_frame(&bytes, TRC_KIND_END, 0).offset;

	for (size_t at = bands_of(&bytes).band + BEGIN; at < end; at += EACH * test_step())
		for (size_t more = 0; more < 2; more++) {
			struct generate_bytes harmed = replace(&bytes, at, 1 - more, more, 0);
			struct container_got g;

			container_read(&harmed, "trc:salvage,threads=1", rows.n, &g);
			CHECK_MSG(g.ret == 0 && g.rows.n == rows.n && g.gaps == 0 && !g.meta.cut,
			          "at %zu, %zu more", at, more);
			container_forget(&g);
			free(harmed.p);
		}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* A message names the place in the file, also behind bytes that were missing and are repaired. */
static void
place_is_that_in_the_file(void)
{
	struct trc_batch rows, again;
	const struct generate_bytes one = make(&rows, 2), other = make(&again, 0);
	const size_t index = (size_t)container_frame(&other, TRC_KIND_INDEX, 0).offset;
	const struct generate_bytes cut = container_without(&other, index, other.len - index);
	const struct generate_bytes fewer = container_without(&one, one.len / 2, 5);
	const struct generate_bytes bytes = container_join(&fewer, &cut);
	struct container_got g;
	char place[64];

	snprintf(place, sizeof(place), "without its end frame at byte %zu,", bytes.len);
	container_read(&bytes, "trc:threads=1", 2 * rows.n, &g);
	CHECK_MSG(g.ret == -1 && strstr(g.err.text, place), "%s: %s", place, g.err.text);
	container_forget(&g);
	free(one.p);
	free(other.p);
	free(cut.p);
	free(fewer.p);
	free(bytes.p);
	trc_batch_release(&rows);
	trc_batch_release(&again);
}

/* What is beyond parity is refused; a salvage has all blocks that the damage did not touch, whose
 * bytes no codeword that went wrong may change. */
static void
more_is_refused(void)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = make_rows(&rows, 2, 900);
	const struct trc_frame block = container_frame(&bytes, TRC_KIND_BLOCK, 1);
	const size_t n = bytes.len / 8, before = (size_t)(block.offset + trc_frame_bytes(&block));
	struct container_got g;
	char why[128] = "";

	for (size_t at = 0; at + n < bytes.len; at += 7 * test_step()) {
		const struct generate_bytes harmed = replace(&bytes, at, n, n, 0);

		container_read(&harmed, "trc:threads=1", rows.n, &g);
		CHECK_MSG(g.ret == -1 || at + n > bands_of(&bytes).bytes, "%zu bytes at %zu", n,
		          at);
		container_forget(&g);
		container_read(&harmed, "trc:salvage,threads=1", rows.n, &g);
		CHECK_MSG(g.ret == -1 || container_all_but_gaps(&g, &rows, why, sizeof(why)),
		          "salvage of %zu bytes at %zu: %s", n, at, why);
		CHECK_MSG(at < before || (g.ret == 0 && g.rows.n >= 600),
		          "salvage of %zu bytes at %zu", n, at);
		container_forget(&g);
		free(harmed.p);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Of headers that no writer made: sizes beyond the file, and frames that are none of the group. */
static void
strange_headers_are_passed_over(void)
{
	struct trc_batch rows;
	const struct generate_bytes bytes = make(&rows, 2);
	const struct trc_bands b = bands_of(&bytes);
	struct generator m = { test_seed };

	for (size_t try = 0; try < 500 / test_step() + 1; try++) {
		struct generate_bytes harmed = container_copy(&bytes);
		struct trc_frame f = container_frame(&harmed, TRC_KIND_BANDS,
		                                     (size_t)generate_below(&m, b.frames));
		struct container_got g;

		harmed.p[generate_below(&m, b.bytes)] ^= 1;
		container_number(&harmed, &f, f.number ^ 1ull << generate_below(&m, 52));
		container_read(&harmed, "trc:threads=1", rows.n, &g);
		CHECK(g.ret == -1 || g.rows.n == rows.n);
		container_forget(&g);
		free(harmed.p);
	}
	free(bytes.p);
	trc_batch_release(&rows);
}

/* Shapes are what the specification has, and their frames read as such. */
static void
shapes_are_as_specified(void)
{
	for (uint64_t bytes = 100; bytes < UINT32_MAX / 2; bytes += bytes / 3)
		for (unsigned percent = 1; percent <= TRC_BANDS_PERCENT_MOST; percent++) {
			const struct trc_bands b = trc_bands_choose(bytes, percent, percent & 1);
			const uint64_t all = trc_bands_frame(&b, b.frames);

			CHECK(b.data + b.parity <= TRC_RS8_MOST && b.data > 0);
			CHECK(b.data * (uint64_t)b.band >= bytes && trc_bands_before(&b) < b.band);
			CHECK_MSG((b.parity - 2) * (uint64_t)b.band * 100 >= all * percent,
			          "%u %% of %llu bytes", percent, (unsigned long long)bytes);
			for (unsigned nth = 0; nth < b.frames; nth++) {
				struct trc_bands read;
				unsigned is;
				const struct trc_frame f = {
					.kind = TRC_KIND_BANDS,
					.number = trc_bands_number(&b, nth),
					.len = trc_bands_frame(&b, nth + 1) -
					       trc_bands_payload(&b, nth),
				};

				CHECK(trc_bands_read(&read, &is, &f) && is == nth);
				CHECK(read.bytes == b.bytes && read.parity == b.parity &&
				      read.last == b.last && read.data == b.data &&
				      read.band == b.band && read.frames == b.frames);
			}
		}
}

int
main(void)
{
	test_start();
	RUN(code_is_as_specified);
	RUN(errors_and_losses_are_corrected);
	RUN(shapes_are_as_specified);
	RUN(each_flip_is_repaired);
	RUN(each_burst_is_repaired);
	RUN(moved_bytes_are_repaired);
	RUN(scattered_flips_are_repaired);
	RUN(joined_are_repaired);
	RUN(remains_are_noticed);
	RUN(salvage_of_what_was_repaired_is_whole);
	RUN(place_is_that_in_the_file);
	RUN(more_is_refused);
	RUN(strange_headers_are_passed_over);
	return 0;
}
