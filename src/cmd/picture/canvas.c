/* SPDX-License-Identifier: MIT
 * Colours, dashes and marks that distinguish curves. */
#include "cmd/picture/canvas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The width of a letter relative to its size, on the high side. */
static const double em = 0.58;

uint32_t
trc_ink_rgb(unsigned ink, bool dark)
{
	static const uint32_t light_of[] = { 0xffffff, 0x222222, 0x666666, 0xdddddd,
		                             0x5aa5e6, 0xa83208, 0x40083a, 0x9ad99c },
	                      dark_of[] = { 0x16181d, 0xe6e6e6, 0xa0a0a0, 0x3a3d45,
		                            0x4fa0e0, 0xffb37a, 0xffe3f4, 0x2f7a3a };
	static const uint32_t curve[][2] = {
		{ 0x0072b2, 0x56b4e9 }, { 0xd55e00, 0xff8c42 }, { 0x009e73, 0x2fd6a5 },
		{ 0xcc79a7, 0xe8a2c8 }, { 0xe69f00, 0xf5b840 }, { 0x56b4e9, 0x3f86d6 },
		{ 0x000000, 0xffffff }, { 0x7f7f7f, 0xb0b0b0 },
	};

	if (ink < TRC_INK_SERIES)
		return dark ? dark_of[ink] : light_of[ink];
	return curve[(ink - TRC_INK_SERIES) % TRC_COUNT(curve)][dark];
}

const uint8_t trc_dashes[TRC_INK_COLOURS][4] = {
	{ 0 }, { 7, 4 }, { 2, 3 }, { 9, 3, 2, 3 }, { 12, 4 }, { 4, 2 }, { 12, 3, 4, 3 }, { 1, 4 },
};

size_t
trc_mark_corners(unsigned shape, double radius, struct trc_point *corner)
{
	/* The number of corners, and the direction of the first in turns. */
	static const struct {
		uint8_t corners;
		double turn;
	} of[] = { { 16, 0 },   { 4, 0.125 }, { 3, 0.75 }, { 4, 0 },
		   { 3, 0.25 }, { 6, 0 },     { 5, 0.75 } };
	const unsigned s = shape % TRC_COUNT(of);

	for (size_t i = 0; i < of[s].corners; i++) {
		const double a = 6.283185307179586 * (of[s].turn + (double)i / of[s].corners);

		corner[i] = (struct trc_point){ radius * cos(a), radius * sin(a) };
	}
	return of[s].corners;
}

double
trc_text_width(const char *text, double size)
{
	size_t letters = 0;

	for (; *text; text++)
		letters += (*text & 0xc0) != 0x80;
	return em * size * (double)letters;
}

void
trc_text_cut(const char *text, double size, double room, char dst[TRC_TEXT_ROOM])
{
	trc_text_shorten(text, room > 0 ? (size_t)(room / (em * size)) : 0, dst);
}

/* Returns the number of bytes that the first `letters` characters take. */
static size_t
bytes_of(const char *text, size_t letters)
{
	size_t n = 0;

	for (; text[n]; n++)
		if ((text[n] & 0xc0) != 0x80 && letters-- == 0)
			break;
	return n;
}

/* Keeps more of the end than of the beginning, because the end of a name matters more. A beginning
 * that is already dots is dropped. */
void
trc_text_shorten(const char *text, size_t letters, char dst[TRC_TEXT_ROOM])
{
	enum { MOST = TRC_TEXT_ROOM / 4 - 4, DOTS = 3, LEAST = 4 };
	size_t all = 0, front, end;

	for (const char *c = text; *c; c++)
		all += (*c & 0xc0) != 0x80;
	if (all <= (letters > LEAST ? letters : LEAST) && strlen(text) < TRC_TEXT_ROOM) {
		memcpy(dst, text, strlen(text) + 1);
		return;
	}
	letters = letters < LEAST + DOTS ? LEAST : letters < MOST ? letters - DOTS : MOST;
	front = strncmp(text, "...", DOTS) == 0 ? 0 : letters / 3;
	end = all > letters ? all - (letters - front) : front;
	snprintf(dst, TRC_TEXT_ROOM, "%.*s...%s", (int)bytes_of(text, front), text,
	         text + bytes_of(text, end));
}

struct trc_stroke
trc_stroke_of(size_t n)
{
	return (struct trc_stroke){ TRC_INK_SERIES + (unsigned)n, (unsigned)n % TRC_INK_COLOURS,
		                    2 };
}
