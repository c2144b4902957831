/* SPDX-License-Identifier: MIT */
#include "cmd/object/duration.h"

#include <stdio.h>
#include <string.h>

#include "batch/provenance.h"

static const struct {
	const char *name;
	uint64_t nanoseconds;
} unit[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "min", UINT64_C(60000000000) },
	{ "h", UINT64_C(3600000000000) },
	{ "d", UINT64_C(86400000000000) },
};

int
trc_duration_parse(struct trc_duration *d, const char *option, const char *text,
                   struct trc_err *err)
{
	const size_t digits = strspn(text, "0123456789.");
	char number[24] = "";

	*d = (struct trc_duration){ .text = text };
	for (size_t i = 0; digits < sizeof(number) && i < TRC_COUNT(unit); i++)
		if (strcmp(text + digits, unit[i].name) == 0)
			d->nanoseconds = unit[i].nanoseconds;
	if (d->nanoseconds)
		memcpy(number, text, digits);
	/* An m of millions may be meant as minutes. */
	if ((d->nanoseconds || text[digits] != 'm') &&
	    trc_opt_number(d->nanoseconds ? number : text, false, &d->n) && d->n > 0)
		return 0;
	return trc_fail_as(err, TRC_USAGE,
	                   "--%s: '%s' is not a time; expected a whole number in the unit of the "
	                   "trace, or with ns, us, ms, s, min, h or d, like 30s",
	                   option, text);
}

/* What a second is by an entry of a provenance; 0: unknown. */
static uint64_t
second_by(const struct trc_provenance_entry *e)
{
	const struct trc_format *f;
	char text[32];
	uint64_t v;

	snprintf(text, sizeof(text), "%.*s", (int)e->len, (const char *)e->text);
	if (strcmp(e->key, "ticks-per-second") == 0)
		return trc_opt_number(text, false, &v) ? v : 0;
	f = strcmp(e->key, "source") == 0 ? trc_format_named(text) : NULL;
	return f ? f->second : 0;
}

/* Whether it is of a command that may have changed the times. */
static bool
changes_times(const struct trc_provenance_entry *e)
{
	static const char word[] = "time=";

	if (strcmp(e->key, "trc") != 0)
		return false;
	for (size_t i = 0; i + strlen(word) <= e->len; i++)
		if (memcmp(e->text + i, word, strlen(word)) == 0)
			return true;
	return false;
}

uint64_t
trc_duration_second(const struct trc_job *job)
{
	struct trc_view list = trc_source_provenance(job->file ? job->file : job->src);
	struct trc_provenance_entry e;
	uint64_t second = 0;

	if (job->gives && job->gives->second)
		return job->gives->second;
	while (list.p < list.end && trc_provenance_next(&list, &e)) {
		const uint64_t now = second_by(&e);

		if (changes_times(&e) || (strcmp(e.key, "source") == 0 && second && now != second))
			return 0;
		second = now ? now : second;
	}
	return second;
}

int
trc_duration_of(const struct trc_duration *d, const char *option, const struct trc_job *job,
                uint64_t *time, struct trc_err *err)
{
	const uint64_t billion = 1000000000, second = trc_duration_second(job);
	const uint64_t times = second > billion ? second / billion : 1;
	const uint64_t parts = second && second < billion ? billion / second : 1;

	*time = d->n;
	if (d->nanoseconds == 0)
		return 0;
	if (second * parts != billion * times)
		return trc_fail_as(err, TRC_USAGE,
		                   "--%s %s: the unit of time of this trace is unknown; give a "
		                   "number in that unit",
		                   option, d->text);
	if (d->n > UINT64_MAX / d->nanoseconds / times)
		return trc_fail_as(err, TRC_USAGE, "--%s %s: is too long", option, d->text);
	*time = d->n * d->nanoseconds * times / parts;
	if (d->n * d->nanoseconds % parts == 0)
		return 0;
	return trc_fail_as(err, TRC_USAGE,
	                   "--%s %s: is not whole in the unit of time of this trace: a second "
	                   "has %llu",
	                   option, d->text, (unsigned long long)second);
}
