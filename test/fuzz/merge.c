/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a manifest, as a partial, and as what is in the frames of a partial, whose checks
 * hold: the last is merged. Whether that is refused is not looked at, as it is no answer of a
 * trace; it must do no harm.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/frame.h"
#include "cmd/job/settings.h"
#include "cmd/names/manifest.h"
#include "cmd/shard/partial.h"

/* As partial.c has them. */
enum { KIND_HEAD = 1, KIND_STATE = 2, KIND_END = 3 };

static FILE *temporary;
static int file = -1, nothing = -1;
static char path[64];

/* What is merged is printed, and what is written is the file; both by the standard output. */
static void
begin(void)
{
	if (file >= 0)
		return;
	temporary = tmpfile();
	file = temporary ? fileno(temporary) : -1;
	nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (file < 0 || nothing < 0)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
}

static void
empty_file(void)
{
	if (ftruncate(file, 0) || lseek(file, 0, SEEK_SET))
		abort();
}

static void
write_bytes(const uint8_t *p, size_t len)
{
	empty_file();
	if (write(file, p, len) != (ssize_t)len)
		abort();
}

/* Two bytes are how many the head has; the state follows. */
static void
write_frames(const uint8_t *p, size_t len)
{
	struct trc_err err = { .code = TRC_OK };
	const size_t n = len < 2 ? 0 : (size_t)(p[0] | p[1] << 8), most = len < 2 ? 0 : len - 2;
	const size_t head = n < most ? n : most;
	struct trc_buf a = { 0 }, b = { 0 }, none = { 0 };
	struct trc_out *out;

	empty_file();
	if ((head && trc_buf_put(&a, p + 2, head, &err)) ||
	    (most > head && trc_buf_put(&b, p + 2 + head, most - head, &err)) ||
	    dup2(file, STDOUT_FILENO) < 0 || !(out = trc_out_open("-", false, &err)) ||
	    trc_frame_write(out, KIND_HEAD, TRC_PARTIAL_VERSION, &a, &err) ||
	    (b.n && trc_frame_write(out, KIND_STATE, 0, &b, &err)) ||
	    trc_frame_write(out, KIND_END, b.n, &none, &err) || trc_out_commit(out, &err))
		abort();
	trc_out_close(out);
	trc_buf_release(&a);
	trc_buf_release(&b);
}

/* trc COMMAND --merge FILE. */
static void
merge(const char *name, const char *option)
{
	const char *argv[] = { name, "--merge", "-q", option, path, "-" };
	const int argc = strcmp(name, "stat") == 0 ? 5 : 6;
	struct trc_args args = { .word = calloc((size_t)argc, sizeof(char *)) };
	struct trc_err err = { .code = TRC_OK };
	const struct trc_command *c = NULL;
	const struct trc_action *action;
	struct trc_settings all;

	while ((c = trc_command_next(c)) && strcmp(c->name, name) != 0)
		continue;
	if (!args.word || !c || dup2(nothing, STDOUT_FILENO) < 0 ||
	    trc_settings_parse(&all, c, argc, (char **)argv, &args, &err))
		abort();
	action = c->choose ? c->choose(&all, &args, &err) : c->action[0];
	if (!action || trc_settings_check(&all, action, &err))
		abort();
	if (action->run(&all, &args, &err) && !*err.text)
		abort();
	trc_settings_release(&all);
	free(args.word);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	static const char *const as[] = { "--csv", "--json", "-q" };
	struct trc_err err = { .code = TRC_OK };
	struct trc_manifest m = { 0 };
	struct trc_partial partial;
	int kept = dup(STDOUT_FILENO);

	begin();
	if (kept < 0)
		abort();
	if (len > 0 && p[0] == 0) {
		write_bytes(p + 1, len - 1);
		if (trc_manifest_read(&m, path, &err) && !*err.text)
			abort();
		trc_manifest_release(&m);
		if (trc_partial_read(&partial, path, true, &err) == 0)
			trc_partial_release(&partial);
	} else if (len > 0) {
		write_frames(p + 1, len - 1);
		if (p[0] < 4)
			merge("stat", as[p[0] - 1]);
		else
			merge("reduce", "--no-sync");
	}
	fflush(stdout);
	if (dup2(kept, STDOUT_FILENO) < 0 || close(kept))
		abort();
	return 0;
}
