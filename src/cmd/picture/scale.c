/* SPDX-License-Identifier: MIT
 * Scales of axes. */
#include "cmd/picture/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Three digits are enough for most values. */
enum { DIGITS = 3, DIGITS_MOST = 7 };

static char *
with_suffix(double v, double thousand, const char *const *suffix, int digits, char *dst)
{
	for (; fabs(v) >= thousand * 0.9995 && suffix[1]; suffix++)
		v /= thousand;
	if (fabs(v) >= 1000 && digits < 4)
		digits = 4; /* for up to 1024 */
	snprintf(dst, TRC_TICK_ROOM, "%.*g%s", digits, v, *suffix);
	return dst;
}

/* Formats a percentage; below 0.000001 %, with an exponent. */
static void
percent(double v, int digits, char *dst)
{
	const int whole = v > 0 ? (int)floor(log10(v) + 1e-9) + 1 : 1;
	const int places = digits > whole ? digits - whole : 0;
	char *end;

	if (whole < -5) {
		snprintf(dst, TRC_TICK_ROOM, "%.*ge%d %%", digits, v / pow(10, whole - 1),
		         whole - 1);
		return;
	}
	end = dst + snprintf(dst, TRC_TICK_ROOM - 2, "%.*f", places < 9 ? places : 9, v);

	if (end > dst + TRC_TICK_ROOM - 3)
		end = dst + TRC_TICK_ROOM - 3;
	while (places && end[-1] == '0')
		end--;
	if (places && end[-1] == '.')
		end--;
	memcpy(end, " %", 3);
}

static char *
label(double v, enum trc_unit unit, int digits, char dst[TRC_TICK_ROOM])
{
	static const char *const decimal[] = { "", "k", "M", "G", "T", "P", "E", NULL };
	static const char *const binary[] = { "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", NULL };

	if (unit == TRC_UNIT_PART)
		percent(100 * v, digits, dst);
	else if (unit == TRC_UNIT_SIZE && v < 10000)
		snprintf(dst, TRC_TICK_ROOM, "%.4g", v);
	else if (unit == TRC_UNIT_SIZE)
		with_suffix(v, 1024, binary, digits, dst);
	else
		with_suffix(v, 1000, decimal, digits, dst);
	return dst;
}

char *
trc_scale_label(double v, enum trc_unit unit, char dst[TRC_TICK_ROOM])
{
	return label(v, unit, DIGITS, dst);
}

char *
trc_scale_bytes(double bytes, char dst[TRC_TICK_ROOM])
{
	static const char *const unit[] = { " B",   " KiB", " MiB", " GiB",
		                            " TiB", " PiB", " EiB", NULL };

	return with_suffix(bytes, 1024, unit, DIGITS, dst);
}

/* Adds a tick whose label has as many digits as it takes to differ from the previous one. */
static void
mark(struct trc_scale *s, double v, enum trc_unit unit)
{
	const double slack = s->log ? 0 : (s->to - s->from) * 1e-9;
	char *word;

	if (s->ticks == TRC_TICKS_MOST || v < s->from - slack || v > s->to + slack)
		return;
	word = s->tick[s->ticks].label;
	s->tick[s->ticks].value = v;
	for (int digits = DIGITS; digits <= DIGITS_MOST; digits++) {
		label(v, unit, digits, word);
		if (s->ticks == 0 || strcmp(word, s->tick[s->ticks - 1].label) != 0)
			break;
	}
	s->ticks++;
}

/* Returns the smallest number >= v that is 1, 2 or 5 times a power of ten. */
static double
round_up(double v)
{
	const double unit = pow(10, floor(log10(v) + 1e-9)), n = v / unit;

	return unit * (n > 5 + 1e-9 ? 10 : n > 2 + 1e-9 ? 5 : n > 1 + 1e-9 ? 2 : 1);
}

static void
make_linear(struct trc_scale *s, bool loose, enum trc_unit unit, unsigned ticks)
{
	if (s->from > 0 && (loose || s->from < s->to / 10))
		s->from = 0;
	if (s->to <= s->from)
		s->to = s->from + 1;
	/* Pages and counts are whole, and a power of two pages is a round number of bytes. */
	const double least = unit == TRC_UNIT_SIZE || unit == TRC_UNIT_COUNT,
	             wanted = (s->to - s->from) / ticks,
	             step = fmax(least, unit == TRC_UNIT_SIZE ? exp2(ceil(log2(wanted) - 1e-9)) :
	                                                        round_up(wanted));

	if (loose) {
		s->from = floor(s->from / step + 1e-9) * step;
		s->to = ceil(s->to / step - 1e-9) * step;
	}
	for (double i = ceil(s->from / step - 1e-9); i * step <= s->to * (1 + 1e-9); i++)
		mark(s, i * step + 0.0, unit); /* turns -0 into 0 */
}

/* Adds ticks at powers of two, skipping some if there are too many. */
static void
mark_sizes(struct trc_scale *s, unsigned ticks)
{
	const double powers = log2(s->to / s->from);
	const unsigned every = 1 + (unsigned)(powers / ticks);

	for (unsigned power = 0; ldexp(1, (int)power) <= s->to; power += every)
		mark(s, ldexp(1, (int)power), TRC_UNIT_SIZE);
}

static void
mark_decades(struct trc_scale *s, enum trc_unit unit, unsigned ticks)
{
	const int first = (int)floor(log10(s->from) + 1e-9), last = (int)ceil(log10(s->to) - 1e-9);
	const unsigned decades = last > first ? (unsigned)(last - first) : 1;
	const int every = 1 + (int)(decades / (ticks + 1));

	for (int power = first; power <= last; power += every) {
		mark(s, pow(10, power), unit);
		if (3 * decades <= ticks) {
			mark(s, 2 * pow(10, power), unit);
			mark(s, 5 * pow(10, power), unit);
		}
	}
}

/* Makes a logarithmic scale. A loose one ends at a round number and begins at a power of ten, or at
 * a round number if it spans at most a factor of 100. */
static void
make_log(struct trc_scale *s, bool loose, enum trc_unit unit, unsigned ticks)
{
	if (s->to <= s->from)
		s->to = 2 * s->from;
	if (loose && s->to / s->from > 100) {
		s->from = pow(10, floor(log10(s->from) + 1e-9));
		s->to = round_up(s->to);
	} else if (loose) {
		s->to = round_up(s->to);
		s->from = 1 / round_up(1 / s->from);
	}
	if (unit == TRC_UNIT_SIZE)
		mark_sizes(s, ticks);
	else
		mark_decades(s, unit, ticks);
}

void
trc_scale_make(struct trc_scale *s, double least, double most, bool log, bool loose,
               enum trc_unit unit, unsigned ticks)
{
	*s = (struct trc_scale){ .from = least, .to = most, .log = log };
	if (log)
		make_log(s, loose, unit, ticks);
	else
		make_linear(s, loose, unit, ticks);
}

void
trc_scale_zero(struct trc_scale *s, enum trc_unit unit)
{
	const size_t n = s->ticks;
	const double all = s->to / s->from,
	             step = n > 1 ? s->tick[n - 1].value / s->tick[n - 2].value : all;

	s->zero = s->from;
	s->from /= fmin(step, pow(all, 0.125));
	if (n == TRC_TICKS_MOST)
		s->ticks--;
	memmove(s->tick + 1, s->tick, s->ticks++ * sizeof(*s->tick));
	s->tick[0].value = s->from;
	label(0, unit, DIGITS, s->tick[0].label);
}

size_t
trc_scale_between(const struct trc_scale *s, double value[TRC_SMALL_TICKS_MOST])
{
	const size_t first = s->zero > 0;
	const double least = s->zero > 0 ? s->zero : s->from;
	size_t n = 0;

	if (!s->log || s->ticks < first + 2 ||
	    fabs(s->tick[first + 1].value / s->tick[first].value - 10) > 1e-6)
		return 0;
	for (double decade = s->tick[first].value / 10; decade < s->to; decade *= 10)
		for (int k = 2; k < 10; k++)
			if (k * decade > least && k * decade < s->to && n < TRC_SMALL_TICKS_MOST)
				value[n++] = k * decade;
	return n;
}

double
trc_scale_place(const struct trc_scale *s, double v)
{
	const double place = !s->log      ? (v - s->from) / (s->to - s->from) :
	                     v <= s->from ? 0 :
	                                    log(v / s->from) / log(s->to / s->from);

	return place < 0 ? 0 : place > 1 ? 1 : place;
}

double
trc_scale_value(const struct trc_scale *s, double place)
{
	return s->log ? s->from * pow(s->to / s->from, place) : s->from + (s->to - s->from) * place;
}
