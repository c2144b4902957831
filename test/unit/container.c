/* SPDX-License-Identifier: MIT
 * The native container: what goes in comes out, whatever the columns and levels. */
#include "container_fixture.h"
#include "container/pack/block_packer.h"

static void
check_blocks(const struct trc_batch *rows)
{
	const size_t block[] = { 1 << 16, 1000, test_step() > TEST_STEP ? 500 : 90 };
	static size_t turn; /* each has its turn where not all are tried */

	for (size_t i = turn++ % test_step_most(TRC_COUNT(block)); i < TRC_COUNT(block);
	     i += test_step_most(TRC_COUNT(block))) {
		struct generate_bytes bytes = container_blocks(rows, block[i]);

		container_holds(&bytes, "trc", rows);
		free(bytes.p);
	}
}

static void
rows_come_back_whatever_they_are(void)
{
	container_each_program(check_blocks);
}

static void
check_wild_rows(const struct trc_batch *program_rows)
{
	const struct generate_spec spec = { .have = program_rows->have, .rows = 3000 };
	struct generate_bytes bytes;
	struct trc_batch rows;

	generate_rows(&rows, &spec, test_seed);
	bytes = container_blocks(&rows, 1000);
	container_holds(&bytes, "trc", &rows);
	trc_batch_release(&rows);
	free(bytes.p);
}

static void
rows_of_extremes_come_back(void)
{
	for (uint64_t i = 0; i < CONTAINER_SUBSETS; i += test_step_most(3)) {
		struct trc_batch rows = { .have = container_subset[i] };

		check_wild_rows(&rows);
	}
}

/* Spoils a byte in the middle of the `nth` frame. */
struct harm {
	size_t nth, frames;
};

static void
spoil(void *arg, uint8_t kind, struct trc_buf *payload)
{
	struct harm *h = arg;

	(void)kind;
	if (h->frames++ == h->nth)
		payload->p[payload->n / 2] ^= 0x10;
}

static int
pack_with_harm(const struct trc_batch *rows, struct harm *harm, bool verify, struct trc_err *err)
{
	struct trc_out *out = trc_out_open(generate_path("harm"), true, err);
	const struct trc_block_packer_settings set = { .level = 6,
		                                       .threads = 1,
		                                       .verify = verify,
		                                       .block_rows = rows->n,
		                                       .harm = spoil,
		                                       .harm_arg = harm };
	struct trc_protected_out frames = { .out = out };
	struct trc_block_packer *p = trc_block_packer_open(&frames, rows->have, &set, err);
	bool fresh;
	int ret;

	CHECK(out && p);
	ret = trc_block_packer_pack(p, rows, 0, false, &fresh, err);
	trc_block_packer_close(p);
	trc_out_close(out);
	return ret;
}

/* Every frame is read back before it is written: the program, references, columns. */
static void
what_is_written_wrong_is_not_written(void)
{
	struct generate_program spec = {
		TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME, 2000, 60, 1, 0, false
	};
	struct harm harm = { .nth = SIZE_MAX };
	struct trc_batch rows;
	struct trc_err err;
	size_t frames;

	generate_program_rows(&rows, &spec, test_seed);
	CHECK(pack_with_harm(&rows, &harm, true, &err) == 0);
	frames = harm.frames;
	CHECK(frames == 3);
	for (size_t i = 0; i < frames; i++) {
		harm = (struct harm){ .nth = i };
		CHECK_MSG(pack_with_harm(&rows, &harm, true, &err) == -1 &&
		                  strstr(err.text, "could not be read back"),
		          "frame %zu", i);
		harm = (struct harm){ .nth = i };
		CHECK(pack_with_harm(&rows, &harm, false, &err) == 0);
	}
	trc_batch_release(&rows);
}

/* Gathers what frames have. */
static void
gather(void *arg, uint8_t kind, struct trc_buf *payload)
{
	struct trc_err err;

	CHECK(trc_buf_put_byte(arg, kind, &err) == 0 &&
	      trc_buf_put_counted(arg, payload->p, payload->n, &err) == 0);
}

/* Packs the rows three times, as blocks, or each in pieces of up to `piece` rows. */
static struct trc_buf
pack_thrice(const struct trc_batch *rows, size_t piece)
{
	struct trc_err err;
	struct trc_buf made = { 0 };
	struct trc_protected_out frames = { .out = trc_out_open(generate_path("pieces"), true,
		                                                &err) };
	const struct trc_block_packer_settings set = { .level = 1,
		                                       .threads = 1,
		                                       .verify = true,
		                                       .block_rows = rows->n,
		                                       .harm = gather,
		                                       .harm_arg = &made };
	struct trc_block_packer *p = trc_block_packer_open(&frames, rows->have, &set, &err);
	bool fresh;

	CHECK(frames.out && p);
	for (uint64_t block = 0; block < 3; block++) {
		for (size_t at = 0, n; piece > 0 && at < rows->n; at += n) {
			n = 1 + (at * 7 + block) % piece;
			n = n < rows->n - at ? n : rows->n - at;
			CHECK(trc_block_packer_add(p, rows, at, n, &err) == 0);
		}
		CHECK_MSG((piece > 0 ? trc_block_packer_end(p, block * rows->n, block == 1, &fresh,
		                                            &err) :
		                       trc_block_packer_pack(p, rows, block * rows->n, block == 1,
		                                             &fresh, &err)) == 0,
		          "%s", err.text);
		CHECK(trc_buf_put_byte(&made, fresh, &err) == 0);
	}
	trc_block_packer_close(p);
	trc_out_close(frames.out);
	return made;
}

static void
check_pieces(const struct trc_batch *rows)
{
	struct trc_buf whole = pack_thrice(rows, 0);

	for (size_t piece = 1; piece <= rows->n; piece *= 9) {
		struct trc_buf pieces = pack_thrice(rows, piece);

		CHECK_MSG(pieces.n == whole.n && memcmp(pieces.p, whole.p, whole.n) == 0,
		          "pieces of %zu rows", piece);
		trc_buf_release(&pieces);
	}
	trc_buf_release(&whole);
}

/* Rows that are a program, that only begin like one, and whose program is as long as they are. */
static void
pieces_of_a_block_make_what_the_block_makes(void)
{
	const uint32_t have = TRC_HAS_TYPE | TRC_HAS_ADDR;

	for (int sized = 0; sized < 2; sized++) {
		const struct generate_program spec = {
			have | (sized ? TRC_HAS_SIZE : 0), 3000, 60, 1, 0, false
		};
		struct trc_batch rows;

		generate_program_rows(&rows, &spec, test_seed);
		check_pieces(&rows);
		for (size_t i = 0; i < rows.n; i++)
			rows.type[i] = i < 90 ? TRC_FETCH : TRC_READ;
		check_pieces(&rows);
		for (size_t i = 0; i < rows.n; i++) {
			rows.type[i] = i % 8 == 7 ? TRC_WRITE : TRC_FETCH;
			rows.addr[i] = i * UINT64_C(0x9e3779b97f4a7c15);
		}
		check_pieces(&rows);
		trc_batch_release(&rows);
	}
}

static void
levels_decode_alike(void)
{
	struct generate_program spec = { TRC_HAS_ALL, 5000, 300, 4, 3000, false };
	struct trc_batch rows;

	generate_program_rows(&rows, &spec, test_seed);
	for (uint64_t level = 0; level <= 9; level += test_step_most(3)) {
		const struct trc_container_to to = { .level = 1 + level, .block_rows = 900 };
		struct generate_bytes bytes = container_write(&rows, to, 4096);

		container_holds(&bytes, "trc", &rows);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

/* The meta of a reduced trace is known when it is opened, and that at its end replaces it. */
static void
facts_of_a_reduction_come_back(void)
{
	static const struct trc_guarantee all[] = {
		{ .sad = 64, .reduced = TRC_LRU_ONLY | TRC_BY_SPACE | TRC_CANONICAL },
		{ .window = UINT64_MAX, .clock = TRC_COL_TIME, .sample = UINT64_MAX },
		{ .sets = 64, .ways = 8, .line = 64, .reduced = TRC_BELOW_CACHE },
		{ .sad = 0 },
	};
	const struct generate_program spec = {
		.have = TRC_HAS_VPN, .rows = 10, .ops = 5, .tasks = 1
	};
	struct generate_bytes bytes;
	struct trc_source *src;
	struct trc_batch rows, back;
	struct trc_meta meta;
	struct trc_err err;

	generate_program_rows(&rows, &spec, test_seed);
	for (size_t i = 0; i < TRC_COUNT(all); i++) {
		meta = (struct trc_meta){ .guarantee = all[i] };
		CHECK(generate_write_as("trc", &rows, 7, &meta, &bytes, &err) == 0);
		src = generate_read_as("trc", bytes.p, bytes.len, 99, &err);
		CHECK(src && trc_guarantee_same(&src->meta.guarantee, &all[i]));
		CHECK(generate_collect(src, 7, &back, &meta, &err) == 0);
		CHECK(trc_guarantee_same(&meta.guarantee, &all[i]));
		trc_batch_release(&back);
		free(bytes.p);
	}
	for (uint64_t clock = 0; clock < TRC_COLUMNS; clock++) {
		const struct trc_meta odd = { .guarantee = { .window = 5, .clock = clock } };
		const bool good = clock == TRC_COL_TIME || clock == TRC_COL_ITIME ||
		                  clock == TRC_COL_RTIME;

		CHECK(generate_write_as("trc", &rows, 7, &odd, &bytes, &err) == 0);
		src = generate_read_as("trc", bytes.p, bytes.len, 99, &err);
		CHECK_MSG((src != NULL) == good, "windows by %s", trc_column[clock].name);
		trc_source_close(src);
		free(bytes.p);
	}
	trc_batch_release(&rows);
}

/* A csv of them would have names from behind the end of a table. */
static void
strange_types_are_refused(void)
{
	static const uint8_t strange[] = { TRC_TYPES, 15, TRC_KERNEL | TRC_TYPES, 32, 255 };
	const struct trc_container_to to = { .block_rows = 100, .no_verify = true };

	for (size_t i = 0; i < TRC_COUNT(strange); i++) {
		struct trc_batch rows = generate_zeros(TRC_HAS_TYPE | TRC_HAS_TIME, 100);
		struct generate_bytes bytes;
		struct container_got got;

		rows.type[50] = strange[i];
		bytes = container_write(&rows, to, 999);
		container_read_from(&bytes, "trc", 64, 0, rows.n, &got);
		CHECK(got.ret < 0);
		CHECK_MSG(strstr(got.err.text, "unknown type"), "%s", got.err.text);
		container_forget(&got);
		trc_batch_release(&rows);
		free(bytes.p);
	}
}

int
main(void)
{
	test_start();
	RUN(rows_come_back_whatever_they_are);
	RUN(rows_of_extremes_come_back);
	RUN(what_is_written_wrong_is_not_written);
	RUN(pieces_of_a_block_make_what_the_block_makes);
	RUN(levels_decode_alike);
	RUN(strange_types_are_refused);
	RUN(facts_of_a_reduction_come_back);
	return 0;
}
