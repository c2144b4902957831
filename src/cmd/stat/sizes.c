/* SPDX-License-Identifier: MIT */
#include "cmd/stat/sizes.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/job/traces.h"

enum { BILLION = 1000000000 };

/* Parses a share such as "10%" or "0.1", up to 100 % and down to a billionth. */
static bool
parse_share(const char *text, uint64_t *share)
{
	char *end;
	double v;

	if (!isdigit((unsigned char)*text))
		return false;
	v = strtod(text, &end);
	if (strcmp(end, "%") == 0)
		v /= 100;
	else if (*end || !strchr(text, '.'))
		return false;
	*share = v <= 1 ? (uint64_t)(v * BILLION + 0.5) : 0;
	/* A share with more digits would mean another number of pages. */
	return *share > 0 && fabs(v * BILLION - (double)*share) < 1e-6;
}

static int
parse_size(const char *word, size_t len, struct trc_size *size, struct trc_err *err)
{
	char text[32];

	*size = (struct trc_size){ .share = 0 };
	snprintf(text, sizeof(text), "%.*s", (int)(len < 31 ? len : 31), word);
	if (parse_share(text, &size->share) ||
	    (trc_opt_pages(text, &size->pages) && size->pages.n > 0))
		return 0;
	return trc_fail_as(err, TRC_USAGE,
	                   "--sizes: '%.*s' is not a number of pages, bytes like 64K, or a share "
	                   "of the pages like 10%% (at most 7 decimals)",
	                   (int)len, word);
}

int
trc_sizes_parse(const struct trc_opt_list *list, struct trc_size *size, size_t *n, bool *shares,
                struct trc_err *err)
{
	for (size_t i = 0; i < list->n; i++)
		for (const char *p = list->word[i], *end; p; p = *end ? end + 1 : NULL) {
			const size_t len = strcspn(p, ",");

			if (*n == TRC_SIZES_MOST)
				return trc_fail_as(err, TRC_USAGE, "--sizes: more than %d sizes",
				                   TRC_SIZES_MOST);
			if (parse_size(p, len, &size[*n], err))
				return -1;
			*shares |= size[*n].share > 0;
			++*n;
			end = p + len;
		}
	return 0;
}

bool
trc_sizes_of_bytes(const struct trc_opt_list *list)
{
	struct trc_size size[TRC_SIZES_MOST];
	struct trc_err none;
	bool shares = false;
	size_t n = 0;

	if (trc_sizes_parse(list, size, &n, &shares, &none))
		return false;
	while (n > 0 && !size[n - 1].pages.bytes)
		n--;
	return n > 0;
}

uint64_t
trc_size_share(uint64_t all, uint64_t share)
{
	const uint64_t n = all / BILLION * share + all % BILLION * share / BILLION;

	return n + (n == 0);
}

uint64_t
trc_size_of(const struct trc_size *size, uint64_t all)
{
	return size->share ? trc_size_share(all, size->share) : size->pages.n;
}

int
trc_stat_open_again(const struct trc_settings *settings, const struct trc_job *job,
                    struct trc_job *again, const char *what, struct trc_err *err)
{
	struct trc_job_in in = *trc_job_in(settings);
	char why[160];

	in.named = in.verbose = false; /* its notes are printed only once */
	snprintf(why, sizeof(why),
	         "--sizes: a share needs the number of %s, which means reading the input twice",
	         what);
	for (size_t i = 0; i < job->inputs; i++)
		if (trc_job_again(job->input[i], why, err))
			return -1;
	return trc_trace_open(again,
	                      &(struct trc_trace){ job->input, job->inputs,
	                                           trc_traces_in_order(settings) },
	                      &in, true, err);
}
