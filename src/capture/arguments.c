/* SPDX-License-Identifier: MIT */
#include "capture/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"

enum { ROOM = 1024 }; /* bytes of a message */

static bool
take_number(const struct trc_argument *a, const char *value)
{
	uint64_t *v = a->to;

	errno = 0;
	*v = strtoull(value, NULL, 10);
	return *value && !value[strspn(value, "0123456789")] && !errno && *v && *v <= a->most;
}

static bool
take_switch(const struct trc_argument *a, const char *value)
{
	bool *v = a->to;

	*v = strcmp(value, "on") == 0;
	return *v || strcmp(value, "off") == 0;
}

/* Sets what the argument gives, or prints to `why`. */
static void
set_argument(const struct trc_argument *a, const char *value, char *why)
{
	if (a->kind == TRC_ARGUMENT_TEXT)
		*(const char **)a->to = value;
	else if (a->kind == TRC_ARGUMENT_NUMBER && !take_number(a, value))
		snprintf(why, ROOM, "'%s%s' is not a number from 1 to %llu in digits", a->name,
		         value, (unsigned long long)a->most);
	else if (a->kind == TRC_ARGUMENT_SWITCH && !take_switch(a, value))
		snprintf(why, ROOM, "'%s%s' is neither on nor off", a->name, value);
}

static void
list(const struct trc_argument *known, size_t n, const char *unknown, char *why)
{
	int used = snprintf(why, ROOM, "'%.500s' is not an argument of this plugin; it takes",
	                    unknown);

	for (size_t i = 0; i < n; i++)
		used += snprintf(why + used, (size_t)(ROOM - used), "%s %s%s", i ? "," : "",
		                 known[i].name, known[i].value);
}

bool
trc_arguments_take(const char *plugin, const struct trc_argument *known, size_t n, int argc,
                   char **argv)
{
	char why[ROOM] = "";

	for (int i = 0; i < argc && !*why; i++) {
		const struct trc_argument *a = known, *const end = known + n;

		while (a < end && strncmp(argv[i], a->name, strlen(a->name)) != 0)
			a++;
		if (a == end)
			list(known, n, argv[i], why);
		else
			set_argument(a, argv[i] + strlen(a->name), why);
	}
	trc_shown(why);
	if (*why)
		fprintf(stderr, "%s: %s\n", plugin, why);
	return !*why;
}
