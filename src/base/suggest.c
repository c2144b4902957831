/* SPDX-License-Identifier: MIT
 * Edit distance with transpositions of neighbours (optimal string alignment), ignoring case. */
#include "base/suggest.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WORD_MOST = 32 };

static int
least(int a, int b)
{
	return a < b ? a : b;
}

static bool
is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static int
distance(const char *a, int n, const char *b, int m)
{
	int d[WORD_MOST + 1][WORD_MOST + 1];

	for (int i = 0; i <= n; i++)
		d[i][0] = i;
	for (int k = 0; k <= m; k++)
		d[0][k] = k;
	for (int i = 1; i <= n; i++)
		for (int k = 1; k <= m; k++) {
			d[i][k] = least(d[i - 1][k - 1] + !is_same(a[i - 1], b[k - 1]),
			                1 + least(d[i - 1][k], d[i][k - 1]));
			if (i > 1 && k > 1 && is_same(a[i - 1], b[k - 2]) &&
			    is_same(a[i - 2], b[k - 1]))
				d[i][k] = least(d[i][k], d[i - 2][k - 2] + 1);
		}
	return d[n][m];
}

void
trc_suggest_offer(struct trc_suggest *suggest, const char *known)
{
	size_t n = strlen(suggest->word), m = strlen(known);
	int d;

	if (n == 0 || n > WORD_MOST || m > WORD_MOST)
		return;
	d = 2 * distance(suggest->word, (int)n, known, (int)m);
	/* A third of the letters may be wrong, or one in a short word; with more, any word would be
	 * close. A prefix of a long word also counts as close: closer than two wrong letters, but
	 * not as close as one. */
	if (n >= 3 && strncasecmp(suggest->word, known, n) == 0 && d > 3)
		d = 3;
	else if (d > 2 * (n < 2 ? 0 : n < 6 ? 1 : (int)n / 3))
		return;
	if (suggest->best && d >= suggest->distance)
		return;
	suggest->best = known;
	suggest->distance = d;
}

int
trc_suggest_fail(const struct trc_suggest *suggest, const char *dashes, const char *otherwise,
                 struct trc_err *err, const char *fmt, ...)
{
	const char *quote = *dashes ? "" : "'";
	struct trc_err text;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text.text, sizeof(text.text), fmt, args);
	va_end(args);
	if (!suggest->best)
		return trc_fail_as(err, TRC_USAGE, "%s%s", text.text, otherwise);
	return trc_fail_as(err, TRC_USAGE, "%s; did you mean %s%s%s%s?", text.text, quote, dashes,
	                   suggest->best, quote);
}
