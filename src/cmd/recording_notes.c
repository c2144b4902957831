/* SPDX-License-Identifier: MIT */
#include "cmd/recording_notes.h"

#include <stdio.h>
#include <string.h>

#include "base/shown.h"

enum { NAMES = 4 }; /* maximum number of programs named in a note */

/* Appends the words of a program to a command. */
static int
put_program(struct trc_buf *b, const struct trc_args *args, struct trc_err *err)
{
	static const char dashes[] = " --";

	if (trc_buf_put(b, dashes, strlen(dashes), err))
		return -1;
	for (size_t i = 0; i < args->n; i++)
		if (trc_settings_word(b, args->word[i], err))
			return -1;
	return trc_buf_put_byte(b, 0, err);
}

int
trc_recording_check(const struct trc_tracee *p, const struct trc_args *args, const char *output,
                    struct trc_err *err)
{
	const char *slash = strrchr(args->word[0], '/');
	const int ret = trc_tracee_check(p, output, err);
	struct trc_buf program = { 0 };
	struct trc_err none;
	char name[256];

	if (ret && output && trc_tracee_unknown(p) && put_program(&program, args, &none) == 0 &&
	    program.n < sizeof(err->more) / 4) {
		snprintf(name, sizeof(name), "%s", slash ? slash + 1 : args->word[0]);
		trc_shown(name);
		trc_shown((char *)program.p);
		snprintf(err->more, sizeof(err->more),
		         "with DynamoRIO:\n"
		         "  drrun -t drmemtrace -offline%s\n"
		         "  drrun -t drmemtrace -indir drmemtrace.%s.*.dir\n"
		         "  trc encode drmemtrace.%s.*.dir/trace %s.trc\n",
		         (const char *)program.p, name, name, name);
	}
	trc_buf_release(&program);
	return ret;
}

/* Formats the command "trc split --record FOLDER -- PROGRAM ..." for the same program. */
static int
put_command(struct trc_buf *b, const struct trc_settings *settings, const char *output,
            struct trc_err *err)
{
	static const char before[] = "trc split --record";
	const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
	char parts[TRC_PROGRAM_PATH];

	snprintf(parts, sizeof(parts), "%.*s.parts", (int)(name - output + strcspn(name, ".")),
	         output);
	if (trc_buf_put(b, before, strlen(before), err) || trc_settings_word(b, parts, err))
		return -1;
	return put_program(b, settings->args, err);
}

/* Lists the first few different names of programs: "ls, sort, ...". */
static void
few_names(const struct trc_buf *all, char *dst, size_t room)
{
	const char *name = (const char *)all->p;
	const char *const end = all->n > 0 ? name + all->n : name;
	size_t n = 0, some = 0;

	*dst = 0;
	for (; name < end; name += strlen(name) + 1) {
		const char *at = name == (const char *)all->p ? NULL : (const char *)all->p;

		while (at && at < name && strcmp(at, name) != 0)
			at += strlen(at) + 1;
		if (at && at < name)
			continue;
		if (some == NAMES || n + strlen(name) + 8 > room) {
			snprintf(dst + n, room - n, ", ...");
			break;
		}
		n += (size_t)snprintf(dst + n, room - n, "%s%s", some++ ? ", " : "", name);
	}
	trc_shown(dst);
}

void
trc_recording_note_others(const struct trc_settings *settings, const char *output,
                          const struct trc_record_processes *others)
{
	struct trc_buf command = { 0 };
	struct trc_err none;
	char few[256];

	if ((!others->any && !others->threads) || put_command(&command, settings, output, &none)) {
		trc_buf_release(&command);
		return;
	}
	few_names(&others->names, few, sizeof(few));
	trc_shown((char *)command.p);
	if (others->any)
		fprintf(stderr, "note: '%s' has one process, not its child processes%s%s%s; to ",
		        output, *few ? " (" : "", few, *few ? ")" : "");
	else
		fprintf(stderr, "note: '%s' has %u threads, which alternate; to ", output,
		        others->threads + 1);
	fprintf(stderr, "record them all%s:\n  %s\n", others->any ? "" : ", each by itself",
	        (char *)command.p);
	trc_buf_release(&command);
}
