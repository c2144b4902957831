/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a manifest, as a plan, as a partial, and as what is in the frames of a partial or
 * the lines of a plan, whose checks hold: that is merged, or printed. Whether it is refused is not
 * looked at, as it is no answer of a trace; it must do no harm.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xxhash.h>

#include "base/io/frame.h"
#include "cmd/job/settings.h"
#include "cmd/names/manifest.h"
#include "cmd/shard/plan_file.h"
#include "version.def"

/* As partial.c has them. */
enum { KIND_HEAD = 1, KIND_STATE = 2, KIND_END = 3, PLAN = 7 };

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

/* A plan while it is written: where lines with a check of their own begin, and the lines "at". */
struct plan {
	struct trc_buf text, at;
	size_t from;
	uint64_t head, shards;
};

static void
put(struct trc_buf *b, const void *bytes, size_t n)
{
	struct trc_err err;

	if (trc_buf_put(b, bytes, n, &err))
		abort();
}

static void
put_check(struct plan *p)
{
	char line[32];
	const size_t n = p->text.n - p->from;
	const uint64_t check = XXH3_64bits_withSeed(n ? p->text.p + p->from : NULL, n, p->head);

	if (p->from == 0)
		p->head = check;
	put(&p->text, line,
	    (size_t)snprintf(line, sizeof(line), "check %016llx\n", (unsigned long long)check));
	p->from = p->text.n;
}

static void
put_line(struct plan *p, const char *line, size_t n)
{
	char text[64];

	if (n > 8 && memcmp(line, "version ", 8) == 0) {
		put(&p->text, "version " TRC_VERSION "\n", sizeof("version " TRC_VERSION "\n") - 1);
		return;
	}
	if (n > 6 && memcmp(line, "shard ", 6) == 0) {
		put_check(p);
		put(&p->at, text,
		    (size_t)snprintf(text, sizeof(text), "at %020llu\n",
		                     (unsigned long long)p->text.n));
		p->shards++;
	}
	put(&p->text, line, n);
}

/* The lines of a plan with checks that hold, and an end. */
static void
write_plan(const uint8_t *bytes, size_t len)
{
	const char *line = (const char *)bytes, *stop = line + len, *end;
	struct plan p = { .from = 0 };
	char text[96];
	size_t index;

	for (; (end = memchr(line, '\n', (size_t)(stop - line))); line = end + 1)
		if (*line != 'c' && *line != 'a' && *line != 'e')
			put_line(&p, line, (size_t)(end + 1 - line));
	put_check(&p);
	index = p.text.n;
	put(&p.text, p.at.p, p.at.n);
	p.from = p.text.n;
	put(&p.text, text,
	    (size_t)snprintf(text, sizeof(text), "end shards=%020llu index=%020llu ",
	                     (unsigned long long)p.shards, (unsigned long long)index));
	put_check(&p);
	write_bytes(p.text.p, p.text.n);
	trc_buf_release(&p.text);
	trc_buf_release(&p.at);
}

/* trc COMMAND --merge FILE, or --plan FILE. */
static void
run(const char *name, const char *option, const char *what)
{
	const char *argv[] = { name, "-q", what, option, path, "-" };
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
	struct trc_plan_file plan;
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
		if (trc_plan_open(&plan, path, &err) == 0)
			trc_plan_close(&plan);
	} else if (len > 0 && p[0] == PLAN) {
		write_plan(p + 1, len - 1);
		run("stat", "--plan", "--csv");
	} else if (len > 0) {
		write_frames(p + 1, len - 1);
		if (p[0] < 4)
			run("stat", "--merge", as[p[0] - 1]);
		else
			run("reduce", "--merge", "--no-sync");
	}
	fflush(stdout);
	if (dup2(kept, STDOUT_FILENO) < 0 || close(kept))
		abort();
	return 0;
}
