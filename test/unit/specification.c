/* SPDX-License-Identifier: MIT
 * The tables and examples of coders that src/container/SPEC.md prints are those of the code: a
 * reader that was written from the text reads what this one writes. */
#include <ctype.h>
#include <lzma.h>
#include <string.h>

#include "base/bytes.h"
#include "codec/column/requests.h"
#include "codec/column/visits.h"
#include "codec/mixing/count_state.h"
#include "codec/mixing/match_model.h"
#include "codec/mixing/number.h"
#include "codec/program/path.h"
#include "codec/stream/context_mixing.h"
#include "codec/stream/literals.h"
#include "codec/stream/ranking.h"
#include "codec/stream/tokens.h"
#include "test.h"

enum { TEXT_MOST = 1 << 20, VALUES_MOST = 1 << 14 };

static char text[TEXT_MOST]; /* without white space */

static void
read_text(const char *folder)
{
	char path[4096];
	FILE *file;
	size_t n = 0;
	int c;

	snprintf(path, sizeof(path), "%s/SPEC.md", folder);
	file = fopen(path, "r");
	CHECK_MSG(file, "%s", path);
	while ((c = getc(file)) != EOF && n < sizeof(text) - 1)
		if (!isspace(c))
			text[n++] = (char)c;
	fclose(file);
}

/* ---- tables ---- */

static void
check_sum(const char *table, const uint8_t *p, size_t n)
{
	char sum[16];

	snprintf(sum, sizeof(sum), "%08x", lzma_crc32(p, n, 0));
	CHECK_MSG(strstr(text, sum), "%s has sum %s", table, sum);
}

/* Of numbers of 16 bits, little-endian. */
static void
check_numbers(const char *table, const void *numbers, size_t n)
{
	static uint8_t bytes[2 * VALUES_MOST];
	const uint16_t *v = numbers;

	for (size_t i = 0; i < n; i++)
		trc_put_le16(bytes + 2 * i, v[i]);
	check_sum(table, bytes, 2 * n);
}

static void
the_logistic_scale_is_printed(void)
{
	const struct trc_logistic *l = trc_logistic();
	char all[512];
	size_t n = 0;

	for (int x = 0; x < TRC_LOGISTIC_MOST; x += 64)
		n += (size_t)snprintf(all + n, sizeof(all) - n, "%d", trc_squash(l, x));
	snprintf(all + n, sizeof(all) - n, "65536");
	CHECK_MSG(strstr(text, all), "%s", all);
	check_numbers("squash", l->squash, TRC_COUNT(l->squash));
	check_numbers("stretch", l->stretch, TRC_COUNT(l->stretch));
}

static void
states_and_maps_have_their_sums(void)
{
	static struct trc_state_moves moves;
	static int16_t expect[TRC_MATCH_BUCKETS * TRC_HISTORIES];
	uint16_t first[TRC_HISTORIES];
	int16_t map[TRC_HISTORIES];

	for (unsigned h = 0; h < TRC_HISTORIES; h++) {
		first[h] = trc_history_p(h);
		for (unsigned b = 0; b < TRC_MATCH_BUCKETS; b++)
			expect[b * TRC_HISTORIES + h] = trc_match_first(trc_logistic(), b,
			                                                first[h]);
	}
	check_numbers("first", first, TRC_HISTORIES);
	check_numbers("expect", expect, TRC_COUNT(expect));
	check_sum("next", trc_count_states()->next[0], sizeof(trc_count_states()->next));
	check_numbers("count_first", trc_count_states()->p, TRC_COUNT_STATES);
	trc_state_map_init(map);
	check_numbers("state map", map, TRC_HISTORIES);
	for (int n = 32; n <= 80; n += 80 - 32) {
		trc_state_moves_init(&moves, n);
		check_numbers("up and down", moves.to, sizeof(moves.to) / sizeof(int16_t));
	}
}

/* ---- examples ---- */

static unsigned
value(unsigned i)
{
	return i % 37 * (i % 37) % 61 + (i % 331 == 330);
}

/* That what was written stands in the text. */
static void
check_hex(const char *what, struct trc_buf *out)
{
	char hex[2048];

	CHECK(2 * out->n < sizeof(hex));
	for (size_t i = 0; i < out->n; i++)
		snprintf(hex + 2 * i, 3, "%02x", out->p[i]);
	CHECK_MSG(strstr(text, hex), "%s is %s", what, hex);
	trc_buf_release(out);
}

/* Puts values as fields, each value multiplied. */
static size_t
make_fields(uint8_t *raw, unsigned n, unsigned width, unsigned by, unsigned modulo)
{
	for (unsigned i = 0; i < n * width; i++)
		raw[i] = (uint8_t)(value(i / width) % modulo * by >> 8 * (width - 1 - i % width));
	return (size_t)n * width;
}

static void
streams_of_each_method_are_printed(void)
{
	static uint8_t raw[VALUES_MOST];
	struct trc_buf out = { 0 };
	struct trc_err err;

	CHECK(trc_mix_write(raw, make_fields(raw, 200, 1, 1, 99), TRC_MIX_1, &out, &err) == 0);
	check_hex("mixing of bytes", &out);
	CHECK(trc_mix_write(raw, make_fields(raw, 200, 4, 1000, 99), TRC_MIX_4, &out, &err) == 0);
	check_hex("mixing of fields", &out);
	CHECK(trc_rank_write(raw, make_fields(raw, 1000, 1, 1, 99), 1, 6, &out, &err) == 0);
	check_hex("ranking of bytes", &out);
	CHECK(trc_rank_write(raw, make_fields(raw, 1000, 2, 300, 99), 2, 6, &out, &err) == 0);
	check_hex("ranking of pairs", &out);
	CHECK(trc_tokens_write(raw, make_fields(raw, 1000, 1, 1, 9), &out, &err) == 0);
	check_hex("tokens", &out);
	CHECK(trc_literals_write(raw, make_fields(raw, 200, 4, 1000, 99), &out, &err) == 0);
	check_hex("literals", &out);
}

static void
numbers_of_both_kinds_are_printed(void)
{
	static struct trc_num model;
	static struct trc_predictors with;
	static struct trc_number_coder number;
	const struct trc_predictor_row row = { .contexts = 2, .experts = 1, TRC_NUMBER_ROW };
	struct trc_buf out = { 0 };
	struct trc_rc rc;
	struct trc_err err;

	trc_num_init(&model, 1);
	trc_rc_write(&rc, &out);
	for (uint64_t i = 0; i < 40; i++)
		trc_rc_num(&rc, &model, i * i * i * i * i * i * i % 1000003);
	CHECK(trc_rc_finish(&rc, &err) == 0);
	check_hex("numbers", &out);
	CHECK(trc_predictors_init(&with, 10, &err) == 0);
	CHECK(trc_number_init(&number, &with, 0, &row, &err) == 0);
	trc_rc_write(&with.rc, &out);
	for (unsigned i = 0, last = 0; i < 200; last = value(i++)) {
		const uint32_t context[] = { 0, last }, expected[] = { value(i + 1) };

		trc_number_code(&number, context, i % 32, expected, value(i));
	}
	CHECK(trc_rc_finish(&with.rc, &err) == 0);
	check_hex("predicted numbers", &out);
	trc_number_release(&number);
	trc_predictors_release(&with);
}

static void
visits_are_printed(void)
{
	enum { ROWS = 200 };
	static uint32_t gap[ROWS], lag[ROWS];
	static uint16_t page[ROWS];
	static uint8_t kind[ROWS];
	const struct trc_visits v = { ROWS, gap, lag, page, kind, .pages = 90, .kinds = 3 };
	struct trc_buf out = { 0 };
	struct trc_err err;

	for (unsigned i = 0; i < ROWS; i++) {
		gap[i] = 1 + value(i + 3) % 12;
		lag[i] = value(i + 7) % 3;
		page[i] = (uint16_t)(i % 5 ? value(i) : i * i * i % 101 % 90);
		kind[i] = (uint8_t)(value(i + 1) % 3);
	}
	CHECK(trc_visits_write(&v, &out, &err) == 0);
	check_hex("visits", &out);
}

/* Branches at three ops, which each lead to all three; to the last by edges that are new. */
static void
a_path_is_printed(void)
{
	enum { N = 2000, OPS = 3 };
	static struct trc_path_run run[N + 1] = { { 1, 0 } };
	static uint8_t edge[N + 1];
	struct trc_program p = { 0 };
	struct trc_shape shape = { .rows = 1, .type = { 2 } };
	struct trc_path path = { &p, OPS * (OPS - 1), run, edge, NULL, N + 1, { 0 } };
	struct trc_buf out = { 0 };
	struct trc_path_model *model;
	struct trc_err err;
	size_t branches;

	CHECK(trc_shape_finish(&shape) && trc_program_add_shape(&p, &shape, &err) == 0);
	for (uint32_t i = 0; i < OPS; i++)
		CHECK(trc_program_add_op(&p, i, 0, &err) == 0);
	for (uint32_t i = 0; i < OPS * OPS; i++)
		CHECK(trc_program_add_edge(&p, i / 2 < OPS ? i / 2 : i % OPS,
		                           i / 2 < OPS ? i % 2 : OPS - 1, &err) == 0);
	for (unsigned i = 0; i < N; i++) {
		edge[i] = value(i) % OPS;
		run[i + 1] = (struct trc_path_run){ i + 2, edge[i] };
	}
	model = trc_path_model_open(&err);
	CHECK(model && trc_path_write(model, &path, &out, &branches, &err) == 0);
	CHECK(branches == N);
	check_hex("a path", &out);
	trc_path_model_close(model);
	trc_program_release(&p);
}

static void
requests_are_printed(void)
{
	enum { ROWS = 200 };
	static uint64_t addr[ROWS];
	static uint32_t size[ROWS];
	const struct trc_request_rows r = { ROWS, addr, size };
	struct trc_buf out = { 0 };
	struct trc_err err;

	for (unsigned i = 0; i < ROWS; i++) {
		addr[i] = i % 3 ? 1000000007ull * value(i) : 8 * i;
		size[i] = 512 * (1 + (i % 5 ? value(i) % 4 : value(i)));
	}
	CHECK(trc_requests_write(&r, &out, &err) == 0);
	check_hex("requests", &out);
}

int
main(int argc, char **argv)
{
	read_text(test_start_in(argc, argv));
	RUN(the_logistic_scale_is_printed);
	RUN(states_and_maps_have_their_sums);
	RUN(streams_of_each_method_are_printed);
	RUN(numbers_of_both_kinds_are_printed);
	RUN(a_path_is_printed);
	RUN(visits_are_printed);
	RUN(requests_are_printed);
	return 0;
}
