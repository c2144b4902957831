/* SPDX-License-Identifier: MIT
 * The difference codings of Laplace: the examples of the published page byte for byte, all values,
 * and what cannot be written or read. */
#include <string.h>

#include "generate.h"
#include "test.h"

#define LAPLACE (TRC_HAS_TYPE | TRC_HAS_TIME | TRC_HAS_SIZE | TRC_HAS_ASID | TRC_HAS_ADDR)
#define SAD \
	(TRC_HAS_TYPE | TRC_HAS_TIME | TRC_HAS_ITIME | TRC_HAS_RTIME | TRC_HAS_ASID | TRC_HAS_VPN)

static struct generator m;

static struct trc_batch
read_text(const char *name, const char *text, uint32_t all)
{
	struct trc_batch rows;
	struct trc_err err;

	CHECK_MSG(generate_collect(generate_read_as(name, text, strlen(text), 5, &err), 5, &rows,
	                           NULL, &err) == 0,
	          "%s", err.text);
	CHECK(rows.have == all);
	return rows;
}

static void
check_text(const char *name, const struct trc_batch *rows, const char *text)
{
	struct generate_bytes bytes;
	struct trc_err err;

	CHECK_MSG(generate_write_as(name, rows, 2, NULL, &bytes, &err) == 0, "%s", err.text);
	CHECK_MSG(bytes.len == strlen(text) && memcmp(bytes.p, text, bytes.len) == 0, "%.*s",
	          (int)bytes.len, bytes.p);
	free(bytes.p);
}

static void
check_same(const struct trc_batch *a, const struct trc_batch *b)
{
	char why[128];

	CHECK_MSG(generate_same(a, b, a->have, why, sizeof(why)), "%s", why);
}

static void
the_raw_example_of_the_page(void)
{
	static const char raw[] = "r 4132ff93 4 1015a 80b1d32\n"
	                          "w 4132ff95 2 1015a 80b1000\n"
	                          "r 4132ff96 4 1015a 80b2152\n";
	static const char diff[] = "r 4132ff93 4 1015a + 80b1d32\n"
	                           "w 2 2 0 - d32\n"
	                           "r 1 4 0 + 1152\n";
	static const char padded[] = "r 4132ff93 4 1015a + 80b1d32\n"
	                             "w        2 2     0 -     d32\n"
	                             "r        1 4     0 +    1152\n";
	struct trc_batch rows = read_text("laplace", raw, LAPLACE);
	struct trc_batch same = read_text("laplace-diff", diff, LAPLACE);
	struct trc_batch again = read_text("laplace-diff", padded, LAPLACE);

	CHECK(rows.n == 3);
	check_same(&rows, &same);
	check_same(&rows, &again);
	check_text("laplace-diff", &rows, diff);
	check_text("laplace", &same, raw);
	trc_batch_release(&rows);
	trc_batch_release(&same);
	trc_batch_release(&again);
}

/* The page shows one record of each form; the second here is the example of the difference. */
static void
the_sad_examples_of_the_page(void)
{
	static const char sad[] = "r 123456789abcdef0 1bd8ef123 2ca4563118 9f8e7 800a3\n"
	                          "r 123456789abcdff0 1bd8ef355 2ca4563376 9f8e7 80146\n"
	                          "# trc sad records=2\n";
	static const char diff[] = "r 123456789abcdef0 1bd8ef123 2ca4563118 9f8e7 + 800a3\n"
	                           "r 100 232 25e 0 + a3\n"
	                           "# trc sad records=2\n";
	struct trc_batch rows = read_text("sad", sad, SAD);
	struct trc_batch same = read_text("sad-diff", diff, SAD);

	CHECK(rows.n == 2);
	check_same(&rows, &same);
	check_text("sad-diff", &rows, diff);
	check_text("sad", &same, sad);
	trc_batch_release(&rows);
	trc_batch_release(&same);
}

static uint64_t
step(uint64_t last)
{
	const uint64_t to = last + (generate_random(&m) & 3 ?
	                                    generate_random(&m) & 255 :
	                                    generate_random(&m) >> (generate_random(&m) & 63));

	return to < last ? last : to;
}

static void
every_value_comes_back(void)
{
	static const uint8_t type[] = { TRC_READ,
		                        TRC_WRITE,
		                        TRC_FETCH,
		                        TRC_KERNEL | TRC_READ,
		                        TRC_KERNEL | TRC_WRITE,
		                        TRC_KERNEL | TRC_FETCH };

	for (int sad = 0; sad < 2; sad++) {
		struct trc_batch b = generate_zeros(sad ? SAD : LAPLACE, 5000);
		const char *name = sad ? "sad-diff" : "laplace-diff";
		uint64_t time = 0, itime = 0, rtime = 0;

		for (size_t i = 0; i < b.n; i++) {
			const uint64_t place = generate_random(&m) >> (generate_random(&m) & 63);

			b.type[i] = type[generate_random(&m) % (sad ? 2 : TRC_COUNT(type))];
			b.time[i] = time = i ? step(time) : 0;
			b.asid[i] = i < 100 ? 0 : (uint32_t)generate_random(&m) >> (i & 16) | 1;
			if (sad) {
				b.itime[i] = itime = step(itime);
				b.rtime[i] = rtime = step(rtime);
				b.vpn[i] = place;
			} else {
				b.size[i] = (uint32_t)generate_random(&m) >>
				            (generate_random(&m) & 31);
				b.addr[i] = i & 1 ? place : UINT64_MAX - place;
			}
		}
		free(generate_round_trip(name, name, &b).p);
		trc_batch_release(&b);
	}
}

static void
cannot_write(const char *plain, const char *name, const char *text, uint32_t have, const char *why)
{
	struct trc_batch rows = read_text(plain, text, have);
	struct trc_err err;
	struct generate_bytes bytes;

	CHECK(generate_write_as(name, &rows, 1, NULL, &bytes, &err) == -1);
	CHECK_MSG(strstr(err.text, "record 2") && strstr(err.text, why), "%s", err.text);
	trc_batch_release(&rows);
}

static void
what_differences_cannot_hold_is_refused(void)
{
	cannot_write("laplace", "laplace-diff", "r 5 1 1 0\nr 4 1 1 0\n", LAPLACE, "time");
	cannot_write("laplace", "laplace-diff", "r 5 1 1 0\nr 5 1 0 0\n", LAPLACE, "asid");
	cannot_write("sad", "sad-diff", "r 5 1 1 1 0\nr 4 1 1 1 0\n", SAD, "time");
	cannot_write("sad", "sad-diff", "r 5 1 1 1 0\nr 5 0 1 1 0\n", SAD, "itime");
	cannot_write("sad", "sad-diff", "r 5 1 1 1 0\nr 5 1 0 1 0\n", SAD, "rtime");
	cannot_write("sad", "sad-diff", "r 5 1 1 1 0\nr 5 1 1 0 0\n", SAD, "asid");
}

static void
bad_lines_are_refused(void)
{
	static const struct {
		const char *name, *line;
	} bad[] = {
		{ "laplace-diff", "r 1 4 1 - 2" },                 /* below 0 */
		{ "laplace-diff", "r 1 4 1 + 10000000000000000" }, /* 65 bits */
		{ "laplace-diff", "r 1 4 1 + ffffffffffffffff" },  /* past the end, after 1 */
		{ "laplace-diff", "r ffffffffffffffff 4 1 + 0" },
		{ "laplace-diff", "r 1 100000000 1 + 0" },
		{ "laplace-diff", "r 1 4 100000000 + 0" },
		{ "laplace-diff", "r 1 4 1 * 0" },
		{ "laplace-diff", "r 1 4 1 +" },
		{ "laplace-diff", "r 1 4 1 0" },
		{ "laplace-diff", "r 1 4 1 + 0 0" },
		{ "laplace-diff", "r 1 4 1 +- 0" },
		{ "laplace-diff", "r 1 4 g + 0" },
		{ "laplace-diff", "x 1 4 1 + 0" },
		{ "laplace-diff", "rr 1 4 1 + 0" },
		{ "laplace-diff", "r -1 4 1 + 0" },
		{ "sad-diff", "i 1 1 1 1 + 0" },
		{ "sad-diff", "R 1 1 1 1 + 0" },
		{ "sad-diff", "r 1 1 1 1 - 2" },
		{ "sad-diff", "r 1 ffffffffffffffff 1 1 + 0" },
		{ "sad-diff", "r 1 1 1 + 0" },
		{ "sad-diff", "r 1 1 1 1 1 + 0" },
	};

	for (size_t i = 0; i < TRC_COUNT(bad); i++) {
		struct trc_batch rows;
		struct trc_err err;
		char text[128];

		snprintf(text, sizeof(text), "%s\n%s\n",
		         *bad[i].name == 'l' ? "r 1 4 1 + 1" : "r 1 1 1 1 + 1", bad[i].line);
		CHECK_MSG(generate_collect(generate_read_as(bad[i].name, text, strlen(text), 4,
		                                            &err),
		                           4, &rows, NULL, &err) == -1,
		          "%s", bad[i].line);
		CHECK_MSG(strstr(err.text, "made:2: "), "%s", err.text);
		trc_batch_release(&rows);
	}
}

/* Other blanks, capitals, a carriage return, comments, no newline at the end. */
static void
loose_lines_are_read(void)
{
	struct trc_batch rows = read_text("laplace-diff",
	                                  "r\t1  4 1 +\tFF \r\n\n# words\nw 0x0 4 0 - 0F", LAPLACE);

	CHECK(rows.n == 2 && rows.addr[0] == 0xff && rows.addr[1] == 0xf0 && rows.time[1] == 1);
	trc_batch_release(&rows);
}

int
main(void)
{
	test_start();
	m.state = test_seed;
	RUN(the_raw_example_of_the_page);
	RUN(the_sad_examples_of_the_page);
	RUN(every_value_comes_back);
	RUN(what_differences_cannot_hold_is_refused);
	RUN(bad_lines_are_refused);
	RUN(loose_lines_are_read);
	return 0;
}
