/* SPDX-License-Identifier: MIT */
#include "cmd/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
trc_say(struct trc_out *out, struct trc_err *err, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return trc_out_put(out, text, strlen(text), err);
}
