/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "capture/follow.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/effects.h"
#include "capture/log.h"
#include "capture/qemu.h"

enum {
	HEAD = 256,          /* bytes of a file that identify its interpreter */
	SCRIPTS_MOST = 4,    /* scripts that run each other */
	TEXT_MOST = 1 << 17, /* bytes of an argument, the limit of Linux */
	WORDS_MOST = 1 << 16,
};

/* A growing list of words, each from malloc(). The process normally ends by exec, so only what
 * fails halfway has to be freed. */
struct words {
	char **word; /* NULL after the last */
	size_t n;
};

static struct words option;     /* of the emulator, without those for the first program only */
static char emulator[PATH_MAX]; /* its file */
static char library[PATH_MAX];  /* the file of this plugin */
static char program[PATH_MAX];
static const char *plugin_words;

static bool
add(struct words *w, const char *text)
{
	char **more = realloc(w->word, (w->n + 2) * sizeof(*more));

	if (!more)
		return false;
	w->word = more;
	w->word[w->n + 1] = NULL;
	w->word[w->n] = strdup(text);
	return w->word[w->n] && ++w->n;
}

static void
release(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->word[i]);
	free(w->word);
	*w = (struct words){ NULL, 0 };
}

/* ---- the command line of the emulator ---- */

static bool
is_one_of(const char *word, const char *const *list)
{
	while (*list && strcmp(*list, word) != 0)
		list++;
	return *list;
}

/* Returns true if the value of an option -plugin names this plugin. */
static bool
is_this_plugin(const char *value)
{
	char path[PATH_MAX], real[PATH_MAX];

	value += strncmp(value, "file=", 5) == 0 ? 5 : 0;
	snprintf(path, sizeof(path), "%.*s", (int)strcspn(value, ","), value);
	return realpath(path, real) && strcmp(real, library) == 0;
}

/* Takes the option at word `i`, with its value, and keeps it if it also applies to other programs.
 * Returns its number of words. */
static size_t
take_option(const struct words *line, size_t i)
{
	static const char *const flag[] = { "h",       "help",    "singlestep",
		                            "strace",  "version", "one-insn-per-tb",
		                            "perfmap", "jitdump", NULL };
	static const char *const first[] = { "0", "E", "U", "g", NULL };
	const char *name = line->word[i] + 1 + (line->word[i][1] == '-');
	const char *value = line->word[i + 1];

	if (is_one_of(name, flag) || !value) {
		add(&option, line->word[i]);
		return 1;
	}
	if (!is_one_of(name, first) && !(strcmp(name, "plugin") == 0 && is_this_plugin(value))) {
		add(&option, line->word[i]);
		add(&option, value);
	}
	return 2;
}

void
trc_follow_open(const char *plugin)
{
	struct words line = { NULL, 0 };
	FILE *f = fopen("/proc/self/cmdline", "r");
	Dl_info self;
	char *word = NULL;
	size_t room = 0, i = 1;

	plugin_words = plugin;
	trc_effects_link("/proc/self/exe", emulator, sizeof(emulator));
	if (!dladdr((const void *)&qemu_plugin_version, &self) ||
	    !realpath(self.dli_fname, library))
		library[0] = 0;
	while (f && getdelim(&word, &room, 0, f) > 0)
		add(&line, word);
	free(word);
	if (f)
		fclose(f);
	while (i < line.n && line.word[i][0] == '-' && strcmp(line.word[i], "-") != 0 &&
	       strcmp(line.word[i], "--") != 0)
		i += take_option(&line, i);
	if (i < line.n && line.word[i][0] == '-')
		i++;
	if (i < line.n && !realpath(line.word[i], program))
		snprintf(program, sizeof(program), "%s", line.word[i]);
	release(&line);
}

const char *
trc_follow_program(void)
{
	return program;
}

/* ---- what is executed ---- */

/* Finds the file that the guest refers to. */
static bool
find_file(const struct trc_guest_memory *m, const struct trc_exec *x, char *path, size_t room)
{
	char link[64], folder[PATH_MAX] = "", name[PATH_MAX];

	if (!trc_guest_string(m, x->path, name, sizeof(name)))
		return false;
	if (x->at != AT_FDCWD && name[0] != '/') {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", x->at);
		trc_effects_link(link, folder, sizeof(folder));
	}
	/* The guest's own file differs from that of the emulator. */
	if (strcmp(name, "/proc/self/exe") == 0)
		snprintf(name, sizeof(name), "%s", program);
	return snprintf(path, room, "%s%s%s", folder, *folder && *name ? "/" : "", name) <
	       (int)room;
}

/* Reads an array of strings of the guest. */
static bool
read_words(const struct trc_guest_memory *m, uint64_t addr, struct words *w)
{
	char *text = malloc(TEXT_MOST); /* on the heap, since stacks of threads are small here */
	uint64_t at = 1;
	bool good = text;

	for (; good && addr && at; addr += m->guest->bits / 8) {
		good = w->n < WORDS_MOST && trc_guest_word(m, addr, &at);
		if (good && at)
			good = trc_guest_string(m, at, text, TEXT_MOST) && add(w, text);
	}
	free(text);
	return good;
}

static ssize_t
read_head(const char *path, char *head)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;

	if (fd >= 0 && access(path, X_OK) == 0)
		n = read(fd, head, HEAD);
	if (fd >= 0)
		close(fd);
	if (n >= 0)
		memset(head + n, 0, (size_t)(HEAD + 1 - n));
	return n;
}

/* Returns true if `head` is the beginning of a program for this guest. */
static bool
is_program(const struct trc_guest *g, const char *head, ssize_t n)
{
	const uint8_t *byte = (const uint8_t *)head;

	return n >= 20 && memcmp(head, "\177ELF", 4) == 0 && byte[4] == (g->bits == 64 ? 2 : 1) &&
	       byte[5] == (g->big_endian ? 2 : 1) &&
	       (g->big_endian ? byte[18] << 8 | byte[19] : byte[19] << 8 | byte[18]) == (int)g->elf;
}

/* Sets `path` to the interpreter of the script `path`, whose first line is `head`. The words of
 * that line come before the path of the script, which replaces argument 0. */
static bool
add_interpreter(struct words *argument, char *path, size_t room, char *head)
{
	char *line = head + 2, *rest, *end;
	struct words w = { NULL, 0 };
	bool good;

	line[strcspn(line, "\n")] = 0;
	line += strspn(line, " \t");
	rest = line + strcspn(line, " \t");
	end = rest + strlen(rest);
	while (end > rest && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = 0;
	if (*rest)
		*rest++ = 0;
	rest += strspn(rest, " \t");
	good = *line && add(&w, line) && (!*rest || add(&w, rest)) && add(&w, path);
	for (size_t i = 1; good && i < argument->n; i++)
		good = add(&w, argument->word[i]);
	release(argument);
	*argument = w;
	return good && snprintf(path, room, "%s", line) < (int)room;
}

/* Sets `path` to the program, which may be an interpreter of a script, and `argument` to its
 * arguments. */
static bool
find_program(const struct trc_guest *g, char *path, size_t room, struct words *argument)
{
	char head[HEAD + 1];

	for (int i = 0; i <= SCRIPTS_MOST; i++) {
		const ssize_t n = read_head(path, head);

		if (is_program(g, head, n))
			return true;
		if (n < 2 || memcmp(head, "#!", 2) != 0 ||
		    !add_interpreter(argument, path, room, head))
			return false;
	}
	return false;
}

/* Makes the command line of the emulator for the program. */
static bool
add_line(struct words *line, const char *path, const struct words *argument, const char *last)
{
	char *plugin = NULL;
	bool good = asprintf(&plugin, "%s,%s,%s", library, plugin_words, last) > 0 &&
	            add(line, emulator);

	for (size_t i = 0; good && i < option.n; i++)
		good = add(line, option.word[i]);
	good = good && add(line, "-plugin") && add(line, plugin) && add(line, "-0") &&
	       add(line, argument->n ? argument->word[0] : "") && add(line, "--") &&
	       add(line, path);
	for (size_t i = 1; good && i < argument->n; i++)
		good = add(line, argument->word[i]);
	free(plugin);
	return good;
}

/* The plugin must be named only once. */
static void
forget_plugin(struct words *environment)
{
	for (size_t i = 0; i < environment->n; i++)
		if (strncmp(environment->word[i], "QEMU_PLUGIN=", 12) == 0) {
			free(environment->word[i]);
			environment->word[i--] = environment->word[--environment->n];
			environment->word[environment->n] = NULL;
		}
}

void
trc_follow_guest_exec(const struct trc_guest_memory *m, const struct trc_exec *x, const char *last,
                      void (*ready)(void))
{
	static char *const none[] = { NULL };
	struct words argument = { NULL, 0 }, environment = { NULL, 0 }, line = { NULL, 0 };
	char path[PATH_MAX];

	if (*library && *emulator && find_file(m, x, path, sizeof(path)) &&
	    read_words(m, x->arguments, &argument) && read_words(m, x->environment, &environment) &&
	    find_program(m->guest, path, sizeof(path), &argument) &&
	    add_line(&line, path, &argument, last)) {
		forget_plugin(&environment);
		ready();
		execve(emulator, line.word, environment.word ? environment.word : none);
	}
	release(&argument);
	release(&environment);
	release(&line);
}
