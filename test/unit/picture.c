/* SPDX-License-Identifier: MIT
 *
 * Laws of scales: marks stand in order, inside, are round, few, and have words of their own;
 * places and values are inverses. Words have room: those of legends, too.
 */
#include "cmd/picture/legend.h"

#include <math.h>
#include <string.h>

#include "generate.h"
#include "test.h"

/* 1, 2 or 5 times a power of ten; of a step, of which a mark of a linear scale is a multiple. */
static bool
is_round(double v)
{
	const double n = v / pow(10, floor(log10(v) + 1e-9));

	return fabs(n - 1) < 1e-6 || fabs(n - 2) < 1e-6 || fabs(n - 5) < 1e-6;
}

/* Of sizes it is a power of two. */
static void
check_step(double v, enum trc_unit unit)
{
	int power;

	CHECK(unit == TRC_UNIT_SIZE ? frexp(v, &power) == 0.5 : is_round(v));
}

static void
check_marks(const struct trc_scale *s, unsigned most)
{
	const double room = (s->to - s->from) * 1e-9;

	CHECK_MSG(s->ticks <= 2 * (size_t)most + 3 && s->ticks <= TRC_TICKS_MOST, "%zu of %u",
	          s->ticks, most);
	for (size_t i = 0; i < s->ticks; i++) {
		CHECK(s->tick[i].value >= s->from - room && s->tick[i].value <= s->to + room);
		CHECK(i == 0 || s->tick[i].value > s->tick[i - 1].value);
		CHECK_MSG(i == 0 || strcmp(s->tick[i].label, s->tick[i - 1].label) != 0,
		          "'%s' twice", s->tick[i].label);
	}
}

static void
check_places(const struct trc_scale *s)
{
	double before = -1;

	for (int i = 0; i <= 20; i++) {
		const double v = trc_scale_value(s, i / 20.0), place = trc_scale_place(s, v);

		CHECK_MSG(fabs(place - i / 20.0) < 1e-6, "%g for %g", place, i / 20.0);
		CHECK(place > before);
		before = place;
	}
	CHECK(trc_scale_place(s, s->from - 1) == 0 && trc_scale_place(s, 2 * s->to + 1) == 1);
}

static void
a_scale_holds_its_values_between_few_round_marks(void)
{
	struct generator m = { test_seed };
	struct trc_scale s;

	for (int i = 0; i < 2000; i++) {
		const bool log = generate_below(&m, 2), loose = generate_below(&m, 2);
		const enum trc_unit unit = generate_below(&m, 4);
		/* No part is larger than some wholes. */
		const unsigned powers = unit == TRC_UNIT_PART ? 7 : 12;
		const unsigned ticks = 2 + (unsigned)generate_below(&m, 10);
		const double least = pow(10, (double)generate_below(&m, powers) - 5) *
		                     (1 + (double)generate_below(&m, 100) / 10),
		             most = least *
		                    (1 + pow(10, (double)generate_below(&m, powers - 4) - 1));

		trc_scale_make(&s, least, most, log, loose, unit, ticks);
		CHECK(s.from < s.to && s.from <= least * (1 + 1e-9) && s.to >= most * (1 - 1e-9));
		check_marks(&s, ticks);
		check_places(&s);
		if (log || s.ticks < 2)
			continue;
		check_step(s.tick[1].value - s.tick[0].value, unit);
		CHECK_MSG(!loose || (s.tick[0].value <= s.from + (s.to - s.from) * 1e-9 &&
		                     s.tick[s.ticks - 1].value >= s.to - (s.to - s.from) * 1e-9),
		          "%g to %g", s.from, s.to);
	}
}

static void
values_that_are_all_alike_have_a_scale(void)
{
	struct trc_scale s;

	trc_scale_make(&s, 0, 0, false, true, TRC_UNIT_PART, 5);
	CHECK(s.to > s.from && s.ticks >= 2);
	trc_scale_make(&s, 7, 7, true, true, TRC_UNIT_NUMBER, 5);
	CHECK(s.to > s.from);
}

static void
labels_are_short_words(void)
{
	static const struct {
		double v;
		enum trc_unit unit;
		const char *word;
	} of[] = {
		{ 0, TRC_UNIT_NUMBER, "0" },          { 1500, TRC_UNIT_NUMBER, "1.5k" },
		{ 2e6, TRC_UNIT_NUMBER, "2M" },       { 0.25, TRC_UNIT_PART, "25 %" },
		{ 1e-7, TRC_UNIT_PART, "0.00001 %" }, { 1e-12, TRC_UNIT_PART, "1e-10 %" },
		{ 0, TRC_UNIT_PART, "0 %" },          { 4096, TRC_UNIT_SIZE, "4096" },
		{ 65536, TRC_UNIT_SIZE, "64Ki" },     { 1 << 30, TRC_UNIT_SIZE, "1Gi" },
	};
	char word[TRC_TICK_ROOM];

	for (size_t i = 0; i < TRC_COUNT(of); i++)
		CHECK_MSG(strcmp(trc_scale_label(of[i].v, of[i].unit, word), of[i].word) == 0,
		          "%s for %s", word, of[i].word);
	CHECK(strcmp(trc_scale_bytes(1536, word), "1.5 KiB") == 0);
	CHECK(strcmp(trc_scale_bytes(64, word), "64 B") == 0);
}

static void
zero_has_a_mark_below_all_others_of_a_logarithmic_scale(void)
{
	struct generator m = { test_seed };
	struct trc_scale s;

	for (int i = 0; i < 500; i++) {
		const double least = pow(10, (double)generate_below(&m, 12) - 6),
		             most = least * pow(10, (double)generate_below(&m, 12));
		const enum trc_unit unit = generate_below(&m, 2) ? TRC_UNIT_PART : TRC_UNIT_NUMBER;

		trc_scale_make(&s, least, most, true, generate_below(&m, 2), unit,
		               2 + (unsigned)generate_below(&m, 10));
		trc_scale_zero(&s, unit);
		CHECK(strcmp(s.tick[0].label, unit == TRC_UNIT_PART ? "0 %" : "0") == 0);
		CHECK(s.ticks <= TRC_TICKS_MOST && s.tick[0].value == s.from && s.from < s.zero);
		for (size_t k = 1; k < s.ticks; k++)
			CHECK(s.tick[k].value > s.tick[k - 1].value);
		CHECK(trc_scale_place(&s, 0) == 0 && trc_scale_place(&s, least) > 0.01);
	}
}

static void
small_marks_stand_between_decades(void)
{
	double small[TRC_SMALL_TICKS_MOST];
	struct trc_scale s;

	trc_scale_make(&s, 1, 1e6, true, true, TRC_UNIT_NUMBER, 8);
	CHECK(trc_scale_between(&s, small) == 6 * 8 && small[0] == 2 && small[47] == 9e5);
	trc_scale_zero(&s, TRC_UNIT_NUMBER);
	CHECK(trc_scale_between(&s, small) == 6 * 8 && small[0] == 2);
	trc_scale_make(&s, 1, 20, true, true, TRC_UNIT_NUMBER, 8); /* 1, 2, 5 have words */
	CHECK(trc_scale_between(&s, small) == 0);
	trc_scale_make(&s, 1, 1e6, false, true, TRC_UNIT_NUMBER, 8);
	CHECK(trc_scale_between(&s, small) == 0);
}

static void
words_without_room_lose_their_middle(void)
{
	char word[TRC_TEXT_ROOM];

	trc_text_shorten("short", 5, word);
	CHECK(strcmp(word, "short") == 0);
	trc_text_shorten("a-name-of-some-length.trc", 15, word);
	CHECK_MSG(strcmp(word, "a-na...ngth.trc") == 0, "%s", word);
	trc_text_shorten("...ame-of-some-length.trc", 15, word);
	CHECK_MSG(strcmp(word, "...e-length.trc") == 0, "%s", word);
	trc_text_shorten("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 7,
	                 word);
	CHECK_MSG(strcmp(word, "\xc3\xa4...\xc3\xa4\xc3\xa4\xc3\xa4") == 0, "%s", word);
	trc_text_shorten("a-name-of-some-length.trc", 0, word);
	CHECK_MSG(strlen(word) == 7, "%s", word);
}

static void
a_legend_takes_no_more_than_its_share(void)
{
	struct trc_series series[TRC_PLOT_SERIES] = { { 0 } };
	struct trc_plot p = { .series = series, .n = TRC_PLOT_SERIES, .more = 3 };

	for (size_t i = 0; i < TRC_PLOT_SERIES; i++)
		series[i].name = "a name of a trace that is as long as those of people are";
	for (double height = 20; height < 200; height += 10) {
		const struct trc_legend l = trc_legend_of(&p, 300, height);

		CHECK_MSG(l.height <= height + 6, "%g of %g", l.height, height);
		CHECK(l.room <= 300);
	}
	p.n = 1;
	CHECK(trc_legend_of(&p, 300, 200).height <= 0);
}

static double
brightness(uint32_t rgb)
{
	return (0.2126 * (rgb >> 16) + 0.7152 * (rgb >> 8 & 0xff) + 0.0722 * (rgb & 0xff)) / 255;
}

static void
what_happens_to_memory_differs_without_colour(void)
{
	static const unsigned ink[] = { TRC_INK_PAPER, TRC_INK_READ, TRC_INK_WRITTEN, TRC_INK_BOTH,
		                        TRC_INK_EXECUTED };

	for (int dark = 0; dark < 2; dark++)
		for (size_t i = 0; i < TRC_COUNT(ink); i++)
			for (size_t k = 0; k < i; k++) {
				const double a = brightness(trc_ink_rgb(ink[i], dark)),
				             b = brightness(trc_ink_rgb(ink[k], dark));

				CHECK_MSG(fabs(a - b) > 0.14, "%zu and %zu: %g, %g", i, k, a, b);
			}
}

int
main(void)
{
	test_start();
	RUN(a_scale_holds_its_values_between_few_round_marks);
	RUN(values_that_are_all_alike_have_a_scale);
	RUN(labels_are_short_words);
	RUN(zero_has_a_mark_below_all_others_of_a_logarithmic_scale);
	RUN(small_marks_stand_between_decades);
	RUN(words_without_room_lose_their_middle);
	RUN(a_legend_takes_no_more_than_its_share);
	RUN(what_happens_to_memory_differs_without_colour);
	return 0;
}
